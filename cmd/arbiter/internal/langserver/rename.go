package langserver

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"arbiter/cmd/arbiter/internal/handbook"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

// This file renames something wherever it is mentioned (see references.go). The result is checked first, in all files that
// rest on it: a rename that would cause mistakes, or change what a name means, is refused.

// prepareRename returns the name that would be changed, and its place.
func (s *server) prepareRename(p *documentParams) any {
	q := s.questionAbout(p)
	if q == nil {
		return errorResponse("this file is not open")
	}
	return later(func(context.Context) any {
		x, m, err := q.declaration()
		if err == nil {
			err = q.mayBeRenamed(x, m)
		}
		if err != nil {
			return err
		}
		return placeholder{q.readingOf(q.path).file(q.path).span(m.At), m.Name}
	})
}

// mayBeRenamed says why something has no name that can be changed.
func (q *question) mayBeRenamed(x declaration, m handbook.Mention) error {
	switch {
	case m.To == "":
		return nil
	case x.file == "":
		return errorResponse("%s is not written anywhere by itself", m.Name)
	case q.readingOf(x.file) == nil:
		return errorResponse("%s is declared in %s, which is read-only; `override` changes its meaning", m.Name, x.file)
	}
	return nil
}

func (s *server) rename(p *documentParams) any {
	q := s.questionAbout(p)
	switch {
	case q == nil:
		return errorResponse("this file is not open")
	case !parse.IsName(p.NewName):
		return errorResponse("%q is not a name: use letters, digits and inner hyphens, and no word of the language", p.NewName)
	}
	return later(func(ctx context.Context) any {
		x, m, err := q.declaration()
		if err == nil {
			err = q.mayBeRenamed(x, m)
		}
		if err != nil {
			return err
		}
		r := &renaming{question: q, declaration: x, to: p.NewName, now: maps.Clone(q.open)}
		return r.edit(ctx, m)
	})
}

// renaming is a new name for a declaration.
type renaming struct {
	*question
	declaration
	to  string
	now map[string]string // the texts with the new name, by path
}

// edit renames the uses, and checks the result.
func (r *renaming) edit(ctx context.Context, m handbook.Mention) any {
	if r.folder.full {
		return errorResponse("%s cannot be renamed: this folder has more than %d scripts, and not all of them were read", r.name, maxFolderFiles)
	}
	if n, taken := r.taken(m); taken {
		return errorResponse("%s cannot be renamed to %s: line %d has a name %s already", r.name, r.to, n.At.Start.Line, r.to)
	}
	edits := map[string][]textEdit{}
	for _, u := range r.uses(ctx, r.declaration) {
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
	for _, x := range r.resting(r.declaration) {
		if ctx.Err() != nil {
			return nil
		}
		if r.folder.files[x.main.path] == nil && r.now[x.main.path] == x.main.text { // open, and elsewhere
			continue
		}
		if err := r.check(x); err != nil {
			return err
		}
	}
	if !r.isAsItWas() {
		return &jsonrpc2.Error{Code: codeContentModified, Message: "the text has changed"}
	}
	return workspaceEdit{Changes: edits}
}

// taken finds a name that is bound where the new one would be.
func (r *renaming) taken(m handbook.Mention) (n handbook.Mention, ok bool) {
	if r.here == nil || r.to == r.name {
		return n, false
	}
	x := r.readingOf(r.path)
	y := x.file(r.path)
	d := &document{lines: y.lines, file: y.parsed}
	for _, n := range mentionsOf(y.parsed, x.names) {
		if n.To == "" && d.sameMeaning(n, handbook.Mention{Name: r.to, At: m.At}) {
			return n, true
		}
	}
	return n, false
}

// isAsItWas reports whether no document was changed, opened or closed in the meantime.
func (q *question) isAsItWas() bool {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	for _, d := range q.s.docs {
		if version, wasOpen := q.versions[d.path]; !wasOpen || version != d.version {
			return false
		}
	}
	return len(q.s.docs) == len(q.versions)
}

// check says what is wrong with the files of a reading once the new name is in all of them: a mistake, or a name that
// means something else.
func (r *renaming) check(x *reading) error {
	after := &reading{main: x.main, files: x.files}
	r.s.read(x, r.open)
	r.s.read(after, r.now)
	refuse := func(file string, line int, message string) error {
		return errorResponse("%s cannot be renamed to %s: %s:%d: %s", r.name, r.to, r.show(file), line, message)
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
