package langserver

import (
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"arbiter/interp/build"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file offers to change how something is written without changing what it means. What is offered is cheap to find;
// the edit is computed when it is chosen, and tried first: it must leave the text without mistakes.

// Kinds of code actions.
const (
	refactorExtract = "refactor.extract"
	refactorRewrite = "refactor.rewrite"
	refactorMove    = "refactor.move"
)

// actionData says what a code action is about: a range of a version of a text.
type actionData struct {
	Kind    string `json:"kind"`
	URI     string `json:"uri"`
	Version int    `json:"version"`
	From    int    `json:"from"` // offsets
	To      int    `json:"to"`
}

// refactoring is a text with what is to be changed in it, as the answer that computes an edit sees it.
type refactoring struct {
	s        *server
	d        document // its text, as it was when the answer began
	script   *build.Script
	open     map[string]string
	typed    build.Typed // finds mistakes in the text itself
	from, to int
}

// codeActions lists what can be done at a range.
func (s *server) codeActions(p *documentParams) any {
	s.mu.Lock()
	list := []codeAction{}
	d, _ := s.documentAt(p)
	if d == nil {
		s.mu.Unlock()
		return list
	}
	list = append(list, d.quickFixes(p)...)
	// An editor that cannot resolve an action is offered those that take time only if it asks for them.
	asked := slices.ContainsFunc(p.Context.Only, func(kind string) bool { return strings.HasPrefix(kind, "refactor") })
	if p.Range != nil && (s.client.resolvesActions || asked) {
		list = append(list, s.refactorings(d, d.offset(p.Range.Start), d.offset(p.Range.End))...)
	}
	list = slices.DeleteFunc(list, func(x codeAction) bool {
		return len(p.Context.Only) > 0 && !slices.ContainsFunc(p.Context.Only, func(kind string) bool { return x.Kind == kind || strings.HasPrefix(x.Kind, kind+".") })
	})
	s.mu.Unlock()
	if s.client.resolvesActions || !slices.ContainsFunc(list, func(x codeAction) bool { return x.Edit == nil }) {
		return list
	}
	return later(func(ctx context.Context) any { // the editor cannot ask again: what can be done is tried now
		done := []codeAction{}
		for _, x := range list {
			if x.Edit == nil {
				edit, ok := s.edit(ctx, x.Data).(*workspaceEdit)
				if !ok {
					continue
				}
				x.Edit, x.Data = edit, nil
			}
			done = append(done, x)
		}
		return done
	})
}

// refactorings lists what can be tried between two offsets.
func (s *server) refactorings(d *document, from, to int) (list []codeAction) {
	offer := func(title, kind string, from, to int) {
		list = append(list, codeAction{Title: title, Kind: kind, Data: &actionData{kind, d.uri, d.version, from, to}})
	}
	if e := d.selectedExpr(from, to); e != nil {
		x := e.Extent()
		offer("Extract a define", refactorExtract, x.Start.Offset, x.End.Offset)
	}
	cl := d.clauseOver(from)
	if cl == nil || filepath.Ext(d.path) != ".rules" {
		return list
	}
	if n := overridingNumber(cl, from); n != nil {
		x := n.Extent()
		offer("Turn "+d.text[x.Start.Offset:x.End.Offset]+" into an option", refactorRewrite, x.Start.Offset, x.End.Offset)
	}
	switch cl.(type) {
	case *ast.Header, *ast.Use, *ast.Bad:
	default:
		if x := cl.Extent(); s.client.createsFiles && len(d.file.Body) > 2 && filepath.IsAbs(d.path) {
			offer("Move "+nameForFile(cl)+" to a file of its own", refactorMove, x.Start.Offset, x.End.Offset)
		}
	}
	return list
}

// clauseOver is the top-level clause around an offset, nil if there is none.
func (d *document) clauseOver(at int) ast.Clause {
	for _, cl := range d.file.Body {
		if x := cl.Extent(); x.Start.Offset <= at && at <= x.End.Offset {
			return cl
		}
	}
	return nil
}

// resolveAction computes the edit of a code action.
func (s *server) resolveAction(p *documentParams) any {
	var data actionData
	if json.Unmarshal(p.Data, &data) != nil {
		return errorResponse("this is no code action of this server")
	}
	answer := codeAction{Title: p.Title, Kind: data.Kind, Data: &data}
	return later(func(ctx context.Context) any {
		switch x := s.edit(ctx, &data).(type) {
		case *workspaceEdit:
			answer.Edit = x
			return answer
		case error:
			return x
		}
		return nil // cancelled
	})
}

// edit computes an edit, or the error that says why there is none.
func (s *server) edit(ctx context.Context, a *actionData) any {
	return s.inTurn(ctx, a.URI, a.Version, func() any {
		s.mu.Lock()
		d, open := s.docs[a.URI], s.texts()
		if d == nil { // closed since
			s.mu.Unlock()
			return errorResponse("this file is not open")
		}
		r := &refactoring{s: s, d: document{uri: d.uri, path: d.path, version: d.version, lines: d.lines, file: d.file}, open: open, from: a.From, to: a.To}
		s.mu.Unlock()
		if a.From < 0 || a.From > a.To || a.To > len(r.d.text) {
			return errorResponse("this is no place in the text")
		}
		script, diags := s.buildDocument(r.d.path, r.d.text, open)
		if x, wrong := firstError(diags); wrong || script == nil || script.Rules == nil {
			return errorResponse("mend the mistakes first: %s", x.Message)
		}
		r.script = script
		switch a.Kind {
		case refactorExtract:
			return r.extractDefine()
		case refactorRewrite:
			return r.makeOption()
		case refactorMove:
			return r.moveOut()
		}
		return errorResponse("this is no code action of this server")
	})
}

func firstError(diags diag.List) (diag.Diagnostic, bool) {
	for _, x := range diags {
		if x.Severity == diag.Error {
			return x, true
		}
	}
	return diag.Diagnostic{}, false
}

// replaced is the text with other words between two offsets and, before an earlier one, an insertion.
func (r *refactoring) replaced(before int, insertion, words string) string {
	return r.d.text[:before] + insertion + r.d.text[before:r.from] + words + r.d.text[r.to:]
}

// fails builds the text as it would be, and returns the first mistake in it.
func (r *refactoring) fails(text string) (diag.Diagnostic, bool) {
	texts := maps.Clone(r.open)
	texts[r.d.path] = text
	if mistakes, ok := r.typed.Mistakes(r.d.path, []byte(text), r.s.buildOptions(texts)); ok {
		if x, wrong := firstError(mistakes); wrong { // told long before a whole build would
			return x, true
		}
	}
	_, diags := r.s.buildDocument(r.d.path, text, texts)
	return firstError(diags)
}

// edits is the edit that replaces the range and inserts something before it.
func (r *refactoring) edits(before int, insertion, words string) *workspaceEdit {
	at := r.d.positionAt(before)
	return &workspaceEdit{Changes: map[string][]textEdit{r.d.uri: {
		{span{at, at}, insertion},
		{span{r.d.positionAt(r.from), r.d.positionAt(r.to)}, words},
	}}}
}

// above is where something is inserted above a top-level clause: before the comments that belong to it.
func (d *document) above(cl ast.Clause) int {
	line := cl.Extent().Start.Line
	for _, c := range slices.Backward(d.file.Comments) {
		if c.OwnLine && c.Start.Line == line-1 && !strings.HasPrefix(c.Text, "# ---") {
			line--
		}
	}
	return d.begins[line-1]
}

// freeName returns a name that nothing in the rules or the text has: the one that is wished for, or one with a number.
func (r *refactoring) freeName(wish string) string {
	taken := map[string]bool{}
	for _, x := range r.script.Rules.Set().Defs {
		taken[x.Name] = true
		taken[x.Name[strings.LastIndexByte(x.Name, '.')+1:]] = true
	}
	for _, cl := range r.d.file.Body {
		for _, m := range newNameResolver(r.script.Rules, func() {}, r.script.StoryFiles...).Mentions(cl) {
			taken[m.Name] = true
		}
	}
	return numbered(wish, func(name string) bool { return taken[name] })
}
