package langserver

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"arbiter/cmd/arbiter/internal/handbook"
	"arbiter/cmd/arbiter/internal/rulebook"
	"arbiter/interp/build"
	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

// This file keeps the documents that the editor has open, and builds those that have changed.

// document is a text that is open. The editor's text counts, not that of the disk.
type document struct {
	uri, path string
	version   int
	*lines
	file    *ast.File // its tree, as far as the text could be understood
	changed time.Time // since when it waits to be built; zero: it does not
	meaning *meaning  // of the last build that succeeded; nil: of what it stands on
	told    []string  // the addresses of which it has made mistakes known
}

// meaning is what the names of a ruleset lead to.
type meaning struct {
	*handbook.Lookup
	book  *rulebook.Book
	words *vocabulary // made when it is first asked for
}

func meaningOf(r *build.Rules) *meaning {
	return &meaning{Lookup: handbook.NewLookup(r.Set), book: &rulebook.Book{Rules: r, Source: func(file string) []byte { return r.Sources[file] }}}
}

func (s *server) open(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := &document{uri: p.TextDocument.URI, path: pathOf(p.TextDocument.URI)}
	s.docs[d.uri] = d
	s.take(d, p.TextDocument.Version, p.TextDocument.Text)
	return nil
}

func (s *server) change(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.docs[p.TextDocument.URI]
	if n := len(p.ContentChanges); d != nil && n > 0 {
		s.take(d, p.TextDocument.Version, p.ContentChanges[n-1].Text)
		for _, x := range s.others(d) { // what stands on it
			if x.meaning != nil && slices.Contains(x.meaning.book.Rules.Checked.Files, d.path) {
				x.changed = time.Now()
			}
		}
	}
	return nil
}

// save looks at all documents anew: what one of them stands on may be what was saved.
func (s *server) save(*documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.bases)
	for _, d := range s.docs {
		d.changed = time.Now()
	}
	s.rouse()
	return nil
}

func (s *server) close(p *documentParams) any {
	s.mu.Lock()
	d := s.docs[p.TextDocument.URI]
	var told []publishDiagnosticsParams
	if d != nil {
		delete(s.docs, d.uri)
		told = s.tell(d, nil)
	}
	s.mu.Unlock()
	s.publish(told)
	return nil
}

// take takes a text in, to be built when it has been left alone for a moment.
func (s *server) take(d *document, version int, text string) {
	d.version, d.lines, d.changed = version, newLines(text, s.units), time.Now()
	d.file, _ = parse.File(d.path, []byte(text))
	s.rouse()
}

func (s *server) rouse() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// build builds what has changed, one document after the other, until the editor goes.
func (s *server) build(ctx context.Context) {
	for {
		d, wait := s.next()
		switch {
		case d != nil:
			s.check(d)
			continue
		case wait == 0:
			wait = time.Hour
		}
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		case <-time.After(wait):
		}
	}
}

// next gives the document that has waited longest, as it is now, if it may be built; else how long to wait for one, 0 for ever.
func (s *server) next() (d *document, wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.docs {
		if !x.changed.IsZero() && (d == nil || x.changed.Before(d.changed)) {
			d = x
		}
	}
	if d == nil {
		return nil, 0
	}
	if wait = s.o.Pause - time.Since(d.changed); wait > 0 {
		return nil, wait
	}
	d.changed = time.Time{}
	return d, 0
}

// check builds a document and tells of its mistakes.
func (s *server) check(d *document) {
	s.mu.Lock()
	path, version, text, open := d.path, d.version, d.text, s.texts()
	s.mu.Unlock()

	script, found := s.built(path, text, open)
	var means *meaning
	if script != nil && script.Rules != nil {
		means = meaningOf(script.Rules)
	}

	s.mu.Lock()
	if s.docs[d.uri] != d || d.version != version { // closed, or changed meanwhile: it will be built again
		s.mu.Unlock()
		return
	}
	if means != nil {
		d.meaning = means
	}
	told := s.tell(d, found)
	s.mu.Unlock()
	s.publish(told)
}

// texts are those of the open documents, by path.
func (s *server) texts() map[string]string {
	open := map[string]string{}
	for _, x := range s.docs {
		open[x.path] = x.text
	}
	return open
}

// built builds a file, for which some texts count in place of what is on the disk.
func (s *server) built(path, text string, texts map[string]string) (*build.Script, diag.List) {
	script, found, err := build.Source(path, []byte(text), build.Options{Library: s.o.Library, Known: s.o.Known, ReadFile: func(path string) ([]byte, error) {
		if text, ok := texts[path]; ok {
			return []byte(text), nil
		}
		return build.ReadFile(path)
	}})
	if err != nil {
		found = append(found, diag.Diagnostic{File: path, Severity: diag.Error, Code: "unreadable", Message: err.Error()})
	}
	return script, found
}

// publish makes mistakes known. It is called with nothing locked: the editor may be slow to listen.
func (s *server) publish(told []publishDiagnosticsParams) {
	for _, p := range told {
		s.conn.Notify(context.Background(), "textDocument/publishDiagnostics", p) // an editor that has gone hears nothing
	}
}

// tell says which mistakes there are in a document and in what it is built of, and takes back what was told before.
func (s *server) tell(d *document, found diag.List) (told []publishDiagnosticsParams) {
	by := map[string][]diagnostic{d.uri: {}}
	for _, uri := range d.told {
		by[uri] = []diagnostic{}
	}
	for _, x := range found {
		uri, l := s.place(d, x.File)
		if l == nil { // an embedded file: it is told of where it is used
			uri, l = d.uri, d.lines
			x.Message, x.Span = x.File+": "+x.Message, ast.Span{}
		}
		by[uri] = append(by[uri], s.diagnostic(d, l, x))
	}
	d.told = d.told[:0]
	for _, uri := range slices.Sorted(maps.Keys(by)) {
		p := publishDiagnosticsParams{URI: uri, Diagnostics: by[uri]}
		if version := d.version; uri == d.uri && s.docs[uri] == d {
			p.Version = &version
		}
		if len(p.Diagnostics) > 0 {
			d.told = append(d.told, uri)
		}
		told = append(told, p)
	}
	return told
}

func (s *server) diagnostic(d *document, l *lines, x diag.Diagnostic) diagnostic {
	out := diagnostic{Range: l.span(x.Span), Severity: 1, Code: x.Code, Source: "arbiter", Message: x.Message}
	if x.Severity != diag.Error {
		out.Severity = 2
	}
	if x.Hint != "" {
		out.Message += "\n" + x.Hint
	}
	for _, r := range x.Related {
		if uri, l := s.place(d, r.File); l != nil {
			out.Related = append(out.Related, related{location{uri, l.span(r.Span)}, r.Message})
		} else if at, ok := s.embedded(r.File, r.Span); ok {
			out.Related = append(out.Related, related{at, r.Message})
		}
	}
	return out
}

// place gives the address and the lines of a file of the user's that a build speaks of; nil for an embedded one.
func (s *server) place(d *document, file string) (uri string, l *lines) {
	if file == d.path || file == "" {
		return d.uri, d.lines
	}
	for _, x := range s.docs {
		if x.path == file {
			return x.uri, x.lines
		}
	}
	if s.o.Shelf != "" && strings.HasPrefix(file, s.o.Shelf) {
		return "", nil
	}
	text, err := build.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	return uriOf(file), newLines(string(text), s.units)
}

// means is what the names of a document lead to: by its last build that succeeded, or else by what it stands on.
func (s *server) means(d *document) *meaning {
	if d.meaning != nil {
		return d.meaning
	}
	h := load.HeaderOf(d.file)
	if h == nil {
		return nil
	}
	var names []string
	for _, id := range slices.Concat(h.Extends, h.With) {
		names = append(names, id.Name)
	}
	key := strings.Join(names, ",")
	m, known := s.bases[key]
	if !known {
		if r, _, err := build.Named(build.Options{Library: s.o.Library}, names...); r != nil && err == nil {
			m = meaningOf(r)
		}
		s.bases[key] = m
	}
	return m
}

// asked finds the document that a request is about, and the place in it in bytes.
func (s *server) asked(p *documentParams) (d *document, at int) {
	if d = s.docs[p.TextDocument.URI]; d != nil {
		at = d.offset(p.Position)
	}
	return d, at
}
