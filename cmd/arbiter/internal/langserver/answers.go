package langserver

import (
	"strings"

	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/format"
	"arbiter/lang/parse"
)

// This file answers requests that need only the text of a document: its outline and its canonical form.

// symbols is the outline of a document: its definitions with their parts, its scenes, tests and sides.
func (s *server) symbols(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []symbol{}
	if d, _ := s.documentAt(p); d != nil {
		list = append(list, d.outline(d.file.Body)...)
	}
	return list
}

// outline lists the named clauses.
func (d *document) outline(clauses []ast.Clause) (list []symbol) {
	for _, cl := range clauses {
		name, detail, kind := outlineName(cl)
		inner := d.outline(nestedClauses(cl))
		if name == "" {
			list = append(list, inner...)
			continue
		}
		at := d.span(cl.Extent())
		list = append(list, symbol{Name: name, Detail: detail, Kind: kind, Range: at, SelectionRange: span{at.Start, at.Start}, Children: inner})
	}
	return list
}

// outlineName returns the name of a clause in an outline, "" if it has none.
func outlineName(cl ast.Clause) (name, detail string, kind int) {
	switch n := cl.(type) {
	case *ast.Header:
		if n.Title != nil {
			return n.Title.Value, n.Word.Name, symbolModule
		}
		return n.Name.Name, n.Word.Name, symbolModule
	case *ast.Change:
		return strings.TrimSpace(n.Word.Name + " " + link.PathText(&n.Path)), "", symbolObject
	case *ast.Test:
		return n.Title.Value, "test", symbolMethod
	case *ast.Given:
		return n.Name.Name, "given", symbolObject
	case *ast.Scene:
		return n.Name.Name, "scene", symbolModule
	case *ast.Side:
		return n.Name.Name, "side", symbolObject
	case *ast.Member:
		return n.Name.Name, n.Template.Name, symbolObject
	case *ast.Step:
		return n.Name.Name, "step", symbolMethod
	case *ast.Term:
		return n.Name.Name, "term", symbolField
	case *ast.FieldDecl:
		var names []string
		for _, id := range n.Names {
			names = append(names, id.Name)
		}
		return strings.Join(names, ", "), n.Type.Name.Name, symbolField
	case *ast.Stat, *ast.View, *ast.Resource:
		return link.NameOf(cl), link.HeadWord(cl), symbolProperty
	case *ast.Define, *ast.Procedure:
		return link.NameOf(cl), link.HeadWord(cl), symbolFunction
	case *ast.Rule:
		return link.NameOf(cl), link.HeadWord(cl), symbolEvent
	case *ast.Option:
		return link.NameOf(cl), link.HeadWord(cl), symbolConstant
	case *ast.Enum:
		return link.NameOf(cl), link.HeadWord(cl), symbolEnum
	case *ast.Keep:
		return n.Name.Name, "keep", symbolMember
	case *ast.Kind, *ast.Effect, *ast.Template:
		return link.NameOf(cl), link.HeadWord(cl), symbolClass
	}
	return link.NameOf(cl), link.HeadWord(cl), symbolObject
}

// nestedClauses are the clauses nested directly in a clause.
func nestedClauses(cl ast.Clause) (list []ast.Clause) {
	hold := func(b *ast.Block) {
		if b != nil {
			list = append(list, b.Clauses...)
		}
	}
	if body := ast.HeadOf(cl).Body; body != nil {
		hold(*body)
		return list
	}
	switch n := cl.(type) {
	case *ast.Change:
		hold(n.Body)
	case *ast.Given:
		hold(n.Body)
	case *ast.Test:
		hold(n.Body)
	case *ast.Side:
		hold(n.Body)
	default:
		ast.VisitBlocks(cl, hold)
	}
	return list
}

// format formats a document by one edit that replaces all of it; a document with syntax errors is left alone.
func (s *server) format(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	edits := []textEdit{}
	d, _ := s.documentAt(p)
	if d == nil {
		return edits
	}
	f, diags := parse.File(d.path, []byte(d.text))
	if diags.HasErrors() {
		return edits
	}
	if text := string(format.Format(f, []byte(d.text))); text != d.text {
		edits = append(edits, textEdit{d.whole(), text})
	}
	return edits
}
