package langserver

import (
	"slices"
	"time"
)

// This file applies the changes of an editor to the texts of documents.

// contentChange replaces a range of a text; without one, the whole text.
type contentChange struct {
	Range *span  `json:"range"`
	Text  string `json:"text"`
}

// change applies changes in their order: each is stated in terms of the text that those before it have made.
func (s *server) change(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.docs[p.TextDocument.URI]
	if d == nil || len(p.ContentChanges) == 0 {
		return nil
	}
	// What comes before the last whole text is lost.
	list := p.ContentChanges
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Range == nil {
			list = list[i:]
			break
		}
	}
	now := d.lines
	for _, c := range list {
		now = now.with(c)
	}
	s.setText(d, p.TextDocument.Version, now)
	for _, x := range s.otherDocuments(d) { // those that depend on it
		if x.resolver == nil || x.resolver.reads(d.path) {
			x.changedAt = time.Now()
		}
	}
	return nil
}

// reads reports whether a file is one of those that the names come from.
func (m *nameResolver) reads(path string) bool {
	_, ok := m.book.Rules.Sources[path]
	return ok || slices.Contains(m.book.Rules.Checked.Files, path)
}

// with returns the text with one change.
func (l *lines) with(c contentChange) *lines {
	if c.Range == nil {
		return newLines(c.Text, l.units)
	}
	from := l.offset(c.Range.Start)
	to := max(from, l.offset(c.Range.End))
	return newLines(l.text[:from]+c.Text+l.text[to:], l.units)
}
