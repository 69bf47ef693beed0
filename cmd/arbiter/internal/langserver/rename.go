package langserver

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"arbiter/cmd/arbiter/internal/handbook"
	"arbiter/interp/build"
	"arbiter/interp/files"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

// This file renames something wherever it is mentioned: in open documents, and in the files next to the current one.
// The result is checked first: a rename that would cause mistakes is refused.

// replacement is a new text for a part of a document.
type replacement struct {
	at   ast.Span
	text string
}

// renameTarget is the name at a place, if it can be renamed.
func (s *server) renameTarget(p *documentParams) (d *document, m handbook.Mention, err error) {
	d, at := s.documentAt(p)
	if d == nil {
		return nil, m, errorResponse("this file is not open")
	}
	m, ok := s.mentionAt(d, at)
	if !ok {
		return nil, m, errorResponse("there is no name here")
	}
	if m.To == "" {
		return d, m, nil
	}
	file, _, ok := s.resolverOf(d).Place(m.To)
	if !ok {
		return nil, m, errorResponse("%s is not written anywhere by itself", m.Name)
	}
	if _, l := s.fileLines(d, file); l == nil {
		return nil, m, errorResponse("%s is declared in %s, which is read-only; `override` changes its meaning", m.Name, file)
	}
	return d, m, nil
}

// prepareRename returns the name that would be changed, and its place.
func (s *server) prepareRename(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, m, err := s.renameTarget(p)
	if err != nil {
		return err
	}
	return placeholder{d.span(m.At), m.Name}
}

func (s *server) rename(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, m, err := s.renameTarget(p)
	if err != nil {
		return err
	}
	if !parse.IsName(p.NewName) {
		return errorResponse("%q is not a name: use letters, digits and inner hyphens, and no word of the language", p.NewName)
	}
	edits := map[string][]textEdit{}
	was, now := map[string]string{}, map[string]string{} // the texts before and after, by path
	write := func(x *document, same func(handbook.Mention) bool) {
		var text strings.Builder
		end := 0
		for _, r := range s.replacements(x, m, p.NewName, same) {
			edits[x.uri] = append(edits[x.uri], textEdit{x.span(r.at), r.text})
			text.WriteString(x.text[end:r.at.Start.Offset] + r.text)
			end = r.at.End.Offset
		}
		was[x.path], now[x.path] = x.text, text.String()+x.text[end:]
	}
	write(d, func(n handbook.Mention) bool { return d.sameMeaning(n, m) })
	for _, x := range s.mayMention(d, m) {
		if s.sameDeclaration(x, d, m) {
			write(x, func(n handbook.Mention) bool { return n.Name == m.Name && n.To == m.To })
		}
	}
	for _, path := range slices.Sorted(maps.Keys(now)) {
		if x, ok := s.introducedError(path, was, now); ok {
			return errorResponse("%s cannot be renamed to %s: %s:%d: %s", m.Name, p.NewName, filepath.Base(x.File), x.Span.Start.Line, x.Message)
		}
	}
	return workspaceEdit{Changes: edits}
}

// replacements lists what a rename changes in a document: the mentions that mean the same, and the parameters that have
// their type from their name, which keep the name and now state the type.
func (s *server) replacements(x *document, m handbook.Mention, name string, same func(handbook.Mention) bool) (list []replacement) {
	for _, n := range s.mentions(x) {
		switch {
		case same(n):
			list = append(list, replacement{n.At, name})
		case m.To != "" && n.Name == m.Name && n.Implies == m.To:
			list = append(list, replacement{n.At, m.Name + ": " + name})
		}
	}
	return slices.Compact(list)
}

// mayMention returns the other documents that may mention a name: the open ones, and the files next to the current one.
func (s *server) mayMention(d *document, m handbook.Mention) []*document {
	if m.To == "" { // bound in the document itself
		return nil
	}
	return append(s.otherDocuments(d), s.unopenedFiles(d, m.Name)...)
}

// unopenedFiles returns the files in the folder of a document that are not open and contain a name.
func (s *server) unopenedFiles(d *document, name string) (list []*document) {
	dir := filepath.Dir(d.path)
	entries, _ := os.ReadDir(dir) // an unsaved text has no folder
	for _, f := range entries {
		x := &document{path: filepath.Join(dir, f.Name())}
		if x.uri = URIOf(x.path); s.docs[x.uri] != nil || !slices.Contains(files.Kinds, filepath.Ext(x.path)) {
			continue
		}
		text, err := build.ReadFile(x.path)
		if err != nil || !strings.Contains(string(text), name) {
			continue
		}
		x.lines = newLines(string(text), s.units)
		x.file, _ = parse.File(x.path, text)
		if script, _ := s.buildFile(x.path, x.text, s.texts()); script != nil && script.Rules != nil {
			x.resolver = newNameResolver(script.Rules, script.StoryFiles...)
			list = append(list, x)
		}
	}
	return list
}

// introducedError finds an error in a file with the new texts that it did not have with the old ones. Renaming moves no
// lines, so mistakes are identified by line.
func (s *server) introducedError(path string, was, now map[string]string) (diag.Diagnostic, bool) {
	type mistake struct {
		file, code string
		line       int
	}
	had := map[mistake]int{}
	_, before := s.buildFile(path, was[path], was)
	for _, x := range before {
		had[mistake{x.File, x.Code, x.Span.Start.Line}]++
	}
	_, after := s.buildFile(path, now[path], now)
	for _, x := range after {
		m := mistake{x.File, x.Code, x.Span.Start.Line}
		if had[m]--; had[m] < 0 && x.Severity == diag.Error {
			return x, true
		}
	}
	return diag.Diagnostic{}, false
}

// errorResponse is the error response that says why something cannot be done.
func errorResponse(format string, args ...any) error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: fmt.Sprintf(format, args...)}
}
