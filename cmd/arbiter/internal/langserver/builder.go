package langserver

import (
	"context"
	"path/filepath"
	"reflect"
	"time"

	"arbiter/interp/lint"
	"arbiter/lang/diag"
)

// This file decides when documents are built. The mistakes of a ruleset that is typed are looked for at once, in what it
// says itself; all that depends on it is built after a pause, and can show more.

// typingPause is how long a text must have been left alone before its own mistakes are looked for: keys that come
// together are answered together.
const typingPause = 5 * time.Millisecond

// build builds changed documents, one at a time, until the editor disconnects.
func (s *server) build(ctx context.Context) {
	for {
		d, isTyped, wait := s.nextDocument()
		switch {
		case d != nil && isTyped:
			s.checkTyped(d)
			continue
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

// nextDocument returns the document whose turn it is, and whether only its own mistakes are to be looked for; otherwise
// how long to wait for one, 0 for indefinitely.
func (s *server) nextDocument() (d *document, isTyped bool, wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var due time.Time
	for _, x := range s.docs {
		if x.changedAt.IsZero() {
			continue
		}
		pause := s.o.Pause
		if x.isTyped {
			pause = min(pause, typingPause)
		}
		if at := x.changedAt.Add(pause); d == nil || at.Before(due) {
			d, due = x, at
		}
	}
	if d == nil {
		return nil, false, 0
	}
	if wait = time.Until(due); wait > 0 {
		return nil, false, wait
	}
	if d.isTyped {
		d.isTyped = false
		return d, true, 0
	}
	d.changedAt = time.Time{}
	return d, false, 0
}

// isTyped reports whether something has been typed, or opened, whose own mistakes are to be looked for first. What is
// being built is broken off then.
func (s *server) isTyped() bool {
	if s.o.Yield != nil {
		s.o.Yield()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.docs {
		if d.isTyped {
			return true
		}
	}
	return false
}

// brokenOff is the panic by which the builder breaks off what it does.
type brokenOff struct{}

// unlessTyped calls a function, which calls between again and again, until something is typed: then ok is false.
func (s *server) unlessTyped(do func(between func())) (ok bool) {
	defer func() {
		if x := recover(); x != nil {
			if _, expected := x.(brokenOff); !expected {
				panic(x)
			}
			ok = false
		}
	}()
	do(func() {
		if s.isTyped() {
			panic(brokenOff{})
		}
	})
	return true
}

// buildLater builds a document later, whose build was broken off.
func (s *server) buildLater(d *document) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.docs[d.uri] == d && d.changedAt.IsZero() {
		d.changedAt = time.Now()
	}
}

// checkTyped publishes the mistakes in what a ruleset says itself, as far as they can be told without the whole. Where it
// has none, warnings and mistakes elsewhere stay as they were.
func (s *server) checkTyped(d *document) {
	s.mu.Lock()
	path, version, text, open := d.path, d.version, d.text, s.texts()
	s.mu.Unlock()

	mistakes, ok := d.typed.Mistakes(path, []byte(text), s.buildOptions(open))

	s.mu.Lock()
	// Where a whole build takes seconds, a file that is opened is not kept waiting for it.
	isFirst := s.o.Yield != nil && d.published == nil
	if !ok || s.docs[d.uri] != d || d.version != version || len(mistakes) == 0 && !d.hasErrors && !isFirst {
		s.mu.Unlock()
		return
	}
	d.hasErrors = len(mistakes) > 0
	p := publishDiagnosticsParams{URI: d.uri, Version: &version, Diagnostics: []diagnostic{}}
	for _, x := range mistakes {
		p.Diagnostics = append(p.Diagnostics, s.diagnostic(d, d.lines, x))
	}
	updates := []publishDiagnosticsParams{p}
	changed := !reflect.DeepEqual(d.published, updates)
	d.published = updates
	s.mu.Unlock()
	s.tell(d, updates, changed)
}

// check builds a document and publishes its diagnostics.
func (s *server) check(d *document) {
	s.mu.Lock()
	path, version, text, open := d.path, d.version, d.text, s.texts()
	s.mu.Unlock()

	defer s.underWay("Checking " + filepath.Base(path))()
	script, diags, ok := s.documentUnless(s.isTyped, path, text, open)
	var found []lint.Finding
	if ok && !diags.HasErrors() {
		found = lintScript(script, path)
		diags = append(diags, diagnosticsOf(found)...)
	}
	// Where learning the names takes long as well, the first mistakes come before; whatever asks for names waits.
	s.mu.Lock()
	isFirst := s.o.Yield != nil && !d.tried
	s.mu.Unlock()
	if ok && isFirst {
		s.publishBuild(d, version, found, diags, nil)
	}
	var resolver *nameResolver
	ok = ok && s.unlessTyped(func(between func()) {
		resolver = s.resolved(script, path, text, open, func() *nameResolver { return s.knownByNow(d, between) }, between)
		between()
	})
	if !ok {
		s.buildLater(d)
		return
	}
	again := s.publishBuild(d, version, found, diags, func() { s.keepResolver(d, resolver) })
	if again && !isFirst {
		s.refreshFigures()
	}
	if s.o.Yield != nil && resolver != nil {
		s.learnWords(d, resolver)
	}
}

// publishBuild publishes what a build of a version of a document has found, and keeps that with keep, which can be nil. It
// does nothing if the document was closed, or changed in the meantime: then it will be built again. again says that this
// version had been built before, so that what it depends on has changed.
func (s *server) publishBuild(d *document, version int, found []lint.Finding, diags diag.List, keep func()) (again bool) {
	s.mu.Lock()
	if s.docs[d.uri] != d || d.version != version {
		s.mu.Unlock()
		return false
	}
	if keep != nil {
		keep()
	}
	d.findings = found
	updates := s.collect(d, diags)
	again = d.built == version
	d.built = version
	s.mu.Unlock()
	s.tell(d, updates, updates != nil)
	return again
}

// learnWords makes the words of a document's rules ready for completion, where that would take long.
func (s *server) learnWords(d *document, resolver *nameResolver) {
	s.unlessTyped(func(between func()) {
		v := vocabularyOf(resolver.book.Rules.Set(), between)
		s.mu.Lock()
		defer s.mu.Unlock()
		resolver.vocabulary, d.vocabulary = v, v
	})
}

// knownByNow is knownResolver for the builder: what a document is based on is built without keeping others waiting.
func (s *server) knownByNow(d *document, between func()) *nameResolver {
	s.mu.Lock()
	key, names := baseOf(d)
	path, open := d.path, s.texts()
	_, isThere := s.bases[key]
	if isThere = isThere || d.resolver != nil || key == ""; isThere {
		defer s.mu.Unlock()
		return s.knownResolver(d)
	}
	s.mu.Unlock()
	m := s.buildBase(path, open, names, s.isTyped, between)
	between() // it may have been broken off
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bases[key] = m
	return m
}

// collect collects the diagnostics of a build, unless they have been published already.
func (s *server) collect(d *document, diags diag.List) []publishDiagnosticsParams {
	d.hasErrors = diags.HasErrors()
	updates, before := s.collectDiagnostics(d, diags), d.published
	if d.published = updates; reflect.DeepEqual(updates, before) && d.built >= 0 { // the first build is told of, since more can be asked from then on
		return nil
	}
	return updates
}
