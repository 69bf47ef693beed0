package langserver

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"arbiter/cmd/arbiter/internal/handbook"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

// This file renames something wherever it is mentioned (see references.go). The result is checked first, in all files that
// rest on it: a rename that would cause mistakes, or change what a name means, is refused.

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
	r := &renaming{s: s, declaration: s.declarationOf(d, m), to: p.NewName, open: s.texts(), now: s.texts()}
	if r.here != nil && p.NewName != m.Name {
		taken := handbook.Mention{Name: p.NewName, At: m.At}
		for _, n := range s.mentions(d) {
			if n.To == "" && d.sameMeaning(n, taken) {
				return errorResponse("%s cannot be renamed to %s: line %d has a name %s already", m.Name, p.NewName, n.At.Start.Line, p.NewName)
			}
		}
	}
	r.uses = s.usesInOpen(d, r.declaration)
	asked := use{uri: d.uri, path: d.path, version: d.version, lines: d.lines}
	return later(func(ctx context.Context) any {
		return r.edit(ctx, asked)
	})
}

// renaming is a new name for a declaration, and the texts without and with it.
type renaming struct {
	s *server
	declaration
	to   string
	uses []use
	open map[string]string // the texts of the editor, by path
	now  map[string]string // the same, with the new name in them and in those that are not open
}

// edit renames the uses in all files of the folder of the document that was asked about, and checks the result.
func (r *renaming) edit(ctx context.Context, asked use) any {
	f := r.s.folderAround(asked.path, r.open)
	if f.full {
		return errorResponse("%s cannot be renamed: this folder has more than %d scripts, and not all of them were read", r.name, maxFolderFiles)
	}
	file := r.file
	if r.here != nil {
		file = asked.path
	}
	readings := f.readings(file)
	r.uses = append(r.uses, r.s.usesInClosed(ctx, readings, r.declaration, r.open)...)
	edits := map[string][]textEdit{}
	for _, u := range r.uses {
		var text strings.Builder
		end := 0
		for _, m := range u.mentions {
			words := r.to
			if m.Implies != "" {
				words = r.name + ": " + r.to
			}
			edits[u.uri] = append(edits[u.uri], textEdit{u.span(m.At), words})
			text.WriteString(u.text[end:m.At.Start.Offset] + words)
			end = m.At.End.Offset
		}
		r.now[u.path] = text.String() + u.text[end:]
	}
	for _, x := range r.withOthers(readings) {
		if ctx.Err() != nil {
			return nil
		}
		if err := r.check(x, f.root); err != nil {
			return err
		}
	}
	if !r.s.isAsItWas(append(r.uses, asked), r.open) {
		return &jsonrpc2.Error{Code: codeContentModified, Message: "the text has changed"}
	}
	return workspaceEdit{Changes: edits}
}

// withOthers adds readings of the changed documents that none of the given ones reads.
func (r *renaming) withOthers(list []*reading) []*reading {
	for _, u := range r.uses {
		if slices.ContainsFunc(list, func(x *reading) bool { return slices.ContainsFunc(x.files, func(y *folderFile) bool { return y.path == u.path }) }) {
			continue
		}
		y := &folderFile{path: u.path, lines: u.lines}
		y.parsed, _ = parse.File(u.path, []byte(u.text))
		list = append(list, &reading{main: y, files: []*folderFile{y}})
	}
	return list
}

// isAsItWas reports whether the documents have not been changed, opened or closed in the meantime.
func (s *server) isAsItWas(uses []use, open map[string]string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range uses {
		d := s.docs[u.uri]
		if _, wasOpen := open[u.path]; wasOpen != (d != nil) || d != nil && d.version != u.version {
			return false
		}
	}
	return true
}

// check says what is wrong with the files of a reading once the new name is in all of them: a mistake, or a name that
// means something else.
func (r *renaming) check(x *reading, root string) error {
	after := &reading{main: x.main, files: x.files}
	r.s.read(x, r.open)
	r.s.read(after, r.now)
	refuse := func(file string, line int, message string) error {
		if inside, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(inside) {
			file = filepath.ToSlash(inside)
		}
		return errorResponse("%s cannot be renamed to %s: %s:%d: %s", r.name, r.to, file, line, message)
	}
	if d, ok := introducedError(x.diags, after.diags); ok {
		if x.names != nil && x.names.Kind(r.to) != "" {
			d.Message += fmt.Sprintf("; %s is a %s already", r.to, x.names.Kind(r.to))
		}
		return refuse(d.File, d.Span.Start.Line, d.Message)
	}
	if x.names == nil || after.names == nil {
		return nil
	}
	for _, y := range x.files {
		text, ok := r.now[y.path]
		if !ok {
			text = y.text
		}
		parsed, _ := parse.File(y.path, []byte(text))
		if m, ok := r.otherMeaning(mentionsOf(y.parsed, x.names), mentionsOf(parsed, after.names), x.names, after.names); ok {
			return refuse(y.path, m.At.Start.Line, m.Name+" would mean something else there")
		}
	}
	return nil
}

// otherMeaning compares what the names of a file mean before and after. Renaming moves no lines, so that a declaration is
// known by its line.
func (r *renaming) otherMeaning(before, after []handbook.Mention, namesBefore, namesAfter *handbook.Lookup) (m handbook.Mention, ok bool) {
	type meaning struct {
		name, file string
		line       int
	}
	of := func(name, id string, names *handbook.Lookup) meaning {
		file, at, _ := names.Place(id)
		return meaning{name, file, at.Start.Line}
	}
	for _, m := range before {
		want := []meaning{of(m.Name, m.To, namesBefore)}
		switch {
		case m.Name != r.name || r.here != nil:
		case r.isIt(m.To, namesBefore):
			want[0].name = r.to
		case r.isIt(m.Implies, namesBefore): // the parameter states its type now
			want = append(want, of(r.to, m.Implies, namesBefore))
		}
		for _, w := range want {
			if len(after) == 0 {
				return m, true
			}
			n := after[0]
			after = after[1:]
			got := of(n.Name, n.To, namesAfter)
			if r.here != nil && got.name == r.to && w.name == r.name { // bound names are compared by what they are not
				got.name = w.name
			}
			if got != w {
				return n, true
			}
		}
	}
	return m, false
}

// introducedError finds an error that was not there before. Renaming moves no lines, so mistakes are identified by line.
func introducedError(before, after diag.List) (diag.Diagnostic, bool) {
	type mistake struct {
		file, code string
		line       int
	}
	had := map[mistake]int{}
	for _, x := range before {
		had[mistake{x.File, x.Code, x.Span.Start.Line}]++
	}
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
