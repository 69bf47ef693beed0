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

// checkTyped publishes the mistakes in what a ruleset says itself, as far as they can be told without the whole. Where it
// has none, warnings and mistakes elsewhere stay as they were.
func (s *server) checkTyped(d *document) {
	s.mu.Lock()
	path, version, text, open := d.path, d.version, d.text, s.texts()
	s.mu.Unlock()

	mistakes, ok := d.typed.Mistakes(path, []byte(text), s.buildOptions(open))

	s.mu.Lock()
	if !ok || s.docs[d.uri] != d || d.version != version || len(mistakes) == 0 && !d.hasErrors {
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
	script, diags := s.buildDocument(path, text, open)
	resolver, set := s.resolved(script, open)
	var found []lint.Finding
	if !diags.HasErrors() {
		found = lintScript(script, path)
		diags = append(diags, diagnosticsOf(found)...)
	}

	s.mu.Lock()
	if s.docs[d.uri] != d || d.version != version { // closed, or changed in the meantime: it will be built again
		s.mu.Unlock()
		return
	}
	s.keepResolver(d, script, resolver, set)
	d.findings = found
	updates := s.collect(d, diags)
	again := d.built == version // what it depends on has changed
	d.built = version
	s.mu.Unlock()
	s.tell(d, updates, updates != nil)
	if again {
		s.refreshFigures()
	}
}

// collect collects the diagnostics of a build, unless they have been published already.
func (s *server) collect(d *document, diags diag.List) []publishDiagnosticsParams {
	d.hasErrors = diags.HasErrors()
	updates, before := s.collectDiagnostics(d, diags), d.published
	if d.published = updates; reflect.DeepEqual(updates, before) {
		return nil
	}
	return updates
}
