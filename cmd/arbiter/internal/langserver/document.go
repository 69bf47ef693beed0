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
	"arbiter/interp/compile"
	"arbiter/interp/link"
	"arbiter/interp/lint"
	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

// This file keeps the open documents, and builds those that have changed.

// document is an open document. The editor's text counts, not the file on disk.
type document struct {
	uri, path string
	version   int
	*lines
	file          *ast.File   // as far as the text could be parsed
	changedAt     time.Time   // since when it has been waiting for a build; zero: it is not waiting
	isTyped       bool        // its own mistakes have not been looked for since
	typed         build.Typed // finds those; for the builder alone
	hasErrors     bool        // of those that were published last
	published     []publishDiagnosticsParams
	resolver      *nameResolver  // of the last successful build; nil: that of its base
	vocabulary    *vocabulary    // that was used last, or was made ready; nil: none was
	tried         bool           // it has been built
	findings      []lint.Finding // of the linter, in the text that was built last
	publishedURIs []string       // the URIs for which it has published diagnostics
	tokens        semanticTokens // that the editor was sent last
	looked        bool           // the present text has been looked at
	pulled        bool           // the editor has asked for what was found
	resultID      string         // of what was found
	built         int            // the version that was built last; -1: none
	figures       *figures       // that were computed last; for the answer whose turn it is
}

// nameResolver resolves the names of a ruleset.
type nameResolver struct {
	*handbook.Lookup
	book       *rulebook.Book
	vocabulary *vocabulary // computed on first use
	calls      *callGraph  // computed on first use
	// Of a document with mistakes: what it does not declare itself is as here. nil: there are no mistakes.
	known *nameResolver
	own   string // the path of that document
}

func newNameResolver(r *build.Rules, between func(), story ...*ast.File) *nameResolver {
	return &nameResolver{Lookup: handbook.NewLookupBetween(between, r.Set(), story...), book: &rulebook.Book{Rules: r, Source: func(file string) []byte { return r.Sources[file] }}}
}

// around resolves the names of a text that has mistakes: those that it declares where it does so, all others as known does,
// which can be nil.
func (known *nameResolver) around(path, text string, set *link.Set, between func(), story []*ast.File) *nameResolver {
	if known == nil || set == nil {
		return known
	}
	rules := known.book.Rules.WithSet(set)
	rules.Sources = maps.Clone(rules.Sources)
	if rules.Sources == nil {
		rules.Sources = map[string][]byte{}
	}
	rules.Sources[path] = []byte(text)
	around := newNameResolver(rules, between, story...)
	around.known, around.own = known, path
	if known.known != nil { // it had mistakes before
		around.known = known.known
	}
	return around
}

// bookOf is the book that describes what an id names.
func (m *nameResolver) bookOf(id string) *rulebook.Book {
	if file, _, ok := m.Place(id); ok && m.known != nil && file != m.own {
		return m.known.book
	}
	return m.book
}

func (s *server) open(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := &document{uri: p.TextDocument.URI, path: pathOf(p.TextDocument.URI), built: -1}
	s.docs[d.uri] = d
	s.setText(d, p.TextDocument.Version, newLines(p.TextDocument.Text, s.units))
	return nil
}

// save rebuilds all documents, because the saved one may be among their dependencies.
func (s *server) save(*documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.bases)
	s.epoch++
	for _, d := range s.docs {
		d.changedAt = time.Now()
	}
	s.wakeBuilder()
	return nil
}

func (s *server) close(p *documentParams) any {
	s.mu.Lock()
	d := s.docs[p.TextDocument.URI]
	var updates []publishDiagnosticsParams
	if d != nil {
		delete(s.docs, d.uri)
		s.epoch++
		s.looked.Broadcast()
		updates = s.collectDiagnostics(d, nil)
	}
	s.mu.Unlock()
	if !s.client.pulls {
		s.publish(updates)
	}
	return nil
}

// setText stores a text, to be checked at once and built after a pause without changes.
func (s *server) setText(d *document, version int, text *lines) {
	d.version, d.lines, d.changedAt, d.isTyped = version, text, time.Now(), true
	d.looked, d.pulled = false, false
	s.epoch++
	d.file, _ = parse.File(d.path, []byte(text.text))
	s.wakeBuilder()
}

func (s *server) wakeBuilder() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// resolved resolves the names of a script that has been built, or what it declares if it has mistakes: the rest is as
// known. It is nil if nothing could be found out.
func (s *server) resolved(script *build.Script, path, text string, open map[string]string, known func() *nameResolver, between func()) *nameResolver {
	switch {
	case script == nil:
		return nil
	case script.Rules != nil:
		return newNameResolver(script.Rules, between, script.StoryFiles...)
	}
	set := build.Linked(script.File, s.buildOptions(open), script.StoryFiles...)
	between()
	return known().around(path, text, set, between, script.StoryFiles)
}

// keepResolver keeps what a build of a document has resolved.
func (s *server) keepResolver(d *document, resolver *nameResolver) {
	d.tried = true
	if resolver != nil {
		d.resolver = resolver
	}
	s.looked.Broadcast()
}

// texts are those of the open documents, by path.
func (s *server) texts() map[string]string {
	open := map[string]string{}
	for _, x := range s.docs {
		open[x.path] = x.text
	}
	return open
}

// buildOptions are the options of a build; texts replace files on disk.
func (s *server) buildOptions(texts map[string]string) build.Options {
	return build.Options{
		Library: s.o.Library, KnownCitation: s.o.KnownCitation, Compile: compile.Options{Unoptimized: true},
		ReadFile: func(path string) ([]byte, error) {
			if text, ok := texts[path]; ok {
				return []byte(text), nil
			}
			return build.ReadFile(path)
		},
	}
}

// buildFile builds a file; texts replace files on disk.
func (s *server) buildFile(path, text string, texts map[string]string) (*build.Script, diag.List) {
	script, diags, _ := s.buildUnless(nil, path, text, texts)
	return script, diags
}

// buildUnless is buildFile, which stop breaks off: then ok is false.
func (s *server) buildUnless(stop func() bool, path, text string, texts map[string]string) (script *build.Script, diags diag.List, ok bool) {
	o := s.buildOptions(texts)
	o.Stop = stop
	script, diags, err := build.Source(path, []byte(text), o)
	if errors.Is(err, build.ErrStopped) {
		return nil, nil, false
	}
	if err != nil {
		diags = append(diags, diag.Diagnostic{File: path, Severity: diag.Error, Code: "unreadable", Message: err.Error()})
	}
	return script, diags, true
}

// buildDocument builds what a text belongs to; see documentUnless.
func (s *server) buildDocument(path, text string, open map[string]string) (*build.Script, diag.List) {
	script, diags, _ := s.documentUnless(nil, path, text, open)
	return script, diags
}

// documentUnless builds what a text belongs to: the file itself or, if it is a part of an adventure, that adventure, of
// whose diagnostics those in the part are returned.
func (s *server) documentUnless(stop func() bool, path, text string, open map[string]string) (script *build.Script, diags diag.List, ok bool) {
	main := s.adventureOf(path, open)
	if main == "" {
		return s.buildUnless(stop, path, text, open)
	}
	whole, isOpen := open[main]
	if !isOpen {
		src, err := build.ReadFile(main)
		if err != nil {
			return s.buildUnless(stop, path, text, open)
		}
		whole = string(src)
	}
	script, diags, ok = s.buildUnless(stop, main, whole, open)
	return script, slices.DeleteFunc(diags, func(x diag.Diagnostic) bool { return x.File != path }), ok
}

// publish sends diagnostics. It is called without locks: the editor may be slow to read.
func (s *server) publish(updates []publishDiagnosticsParams) {
	for _, p := range updates {
		s.conn.Notify(context.Background(), "textDocument/publishDiagnostics", p) // errors do not matter: the editor has disconnected
	}
}

// collectDiagnostics collects the diagnostics for a document and its dependencies, and clears the previous ones.
func (s *server) collectDiagnostics(d *document, diags diag.List) (updates []publishDiagnosticsParams) {
	by := map[string][]diagnostic{d.uri: {}}
	for _, uri := range d.publishedURIs {
		by[uri] = []diagnostic{}
	}
	for _, x := range diags {
		uri, l := s.fileLines(d, x.File)
		if l == nil { // an embedded file: the mistake is shown where the file is used
			uri, l = d.uri, d.lines
			x.Message, x.Span = x.File+": "+x.Message, ast.Span{}
		}
		by[uri] = append(by[uri], s.diagnostic(d, l, x))
	}
	d.publishedURIs = d.publishedURIs[:0]
	for _, uri := range slices.Sorted(maps.Keys(by)) {
		p := publishDiagnosticsParams{URI: uri, Diagnostics: by[uri]}
		if version := d.version; uri == d.uri && s.docs[uri] == d {
			p.Version = &version
		}
		if len(p.Diagnostics) > 0 {
			d.publishedURIs = append(d.publishedURIs, uri)
		}
		updates = append(updates, p)
	}
	return updates
}

func (s *server) diagnostic(d *document, l *lines, x diag.Diagnostic) diagnostic {
	out := diagnostic{Range: l.span(x.Span), Severity: 1, Code: x.Code, Source: "arbiter", Message: x.Message}
	switch x.Severity {
	case diag.Warning:
		out.Severity = 2
	case diag.Note:
		out.Severity = 3
	}
	if x.Hint != "" {
		out.Message += "\n" + x.Hint
	}
	for _, r := range x.Related {
		if uri, l := s.fileLines(d, r.File); l != nil {
			out.Related = append(out.Related, relatedInformation{location{uri, l.span(r.Span)}, r.Message})
		} else if at, ok := s.embedded(r.File, r.Span); ok {
			out.Related = append(out.Related, relatedInformation{at, r.Message})
		}
	}
	if s.client.keepsData && l == d.lines {
		if list := d.fixes(out); list != nil {
			out.Data = &diagnosticData{list}
		}
	}
	return out
}

// fileLines returns the URI and the lines of a user's file that a diagnostic names; nil lines for an embedded file.
func (s *server) fileLines(d *document, file string) (uri string, l *lines) {
	if file == d.path || file == "" {
		return d.uri, d.lines
	}
	for _, x := range s.docs {
		if x.path == file {
			return x.uri, x.lines
		}
	}
	if s.o.LibraryPrefix != "" && strings.HasPrefix(file, s.o.LibraryPrefix) {
		return "", nil
	}
	text, err := build.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	return URIOf(file), newLines(string(text), s.units)
}

// resolverOf resolves the names of a document: by its last build (see around), or else by its base. A document that has not
// been built yet is built.
func (s *server) resolverOf(d *document) *nameResolver {
	if s.docs[d.uri] == d && !d.tried {
		d.tried = true
		open := s.texts()
		script, _ := s.buildDocument(d.path, d.text, open)
		s.keepResolver(d, s.resolved(script, d.path, d.text, open, func() *nameResolver { return s.knownResolver(d) }, func() {}))
	}
	return s.knownResolver(d)
}

// knownResolver resolves the names of a document by its last build, or else by its base.
func (s *server) knownResolver(d *document) *nameResolver {
	if d.resolver != nil {
		return d.resolver
	}
	key, names := baseOf(d)
	m, known := s.bases[key]
	if !known && key != "" {
		m = s.buildBase(d.path, s.texts(), names, nil, func() {})
		s.bases[key] = m
	}
	return m
}

// baseOf names the rulesets on which a document is based, and a key for what they are in its folder; "" if it has none.
func baseOf(d *document) (key string, names []string) {
	h := load.HeaderOf(d.file)
	if h == nil {
		return "", nil
	}
	for _, id := range slices.Concat(h.Extends, h.With) {
		names = append(names, id.Name)
	}
	return filepath.Dir(d.path) + "," + strings.Join(names, ","), names
}

// buildBase resolves the names of rulesets as a file finds them. It is nil if they have mistakes, or if stop breaks it off.
func (s *server) buildBase(path string, open map[string]string, names []string, stop func() bool, between func()) *nameResolver {
	o := s.buildOptions(open)
	o.Stop = stop
	r, _, err := build.NamedIn(path, o, names...)
	if r == nil || err != nil {
		return nil
	}
	return newNameResolver(r, between)
}

// documentAt returns the document that a request is about, and the byte offset in it.
func (s *server) documentAt(p *documentParams) (d *document, at int) {
	if d = s.docs[p.TextDocument.URI]; d != nil {
		at = d.offset(p.Position)
	}
	return d, at
}
