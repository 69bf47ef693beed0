package langserver

import (
	"context"
	"maps"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/handbook"
	"arbiter/lang/ast"
)

// This file finds a name wherever the same thing is meant: in the open documents, and in all files of the folder that
// rest on where it is declared.

// declaration is a thing that has a name, and where it is declared.
type declaration struct {
	name string
	file string
	at   ast.Span
	// Of what is bound in one document alone: file is "", and this says what means the same there.
	here func(handbook.Mention) bool
}

// declarationOf returns what a name of a document means.
func (s *server) declarationOf(d *document, m handbook.Mention) (x declaration) {
	x.name = m.Name
	if m.To != "" {
		x.file, x.at, _ = s.resolverOf(d).Place(m.To)
	}
	if x.file == "" {
		x.here = func(n handbook.Mention) bool { return d.sameMeaning(n, m) }
	}
	return x
}

// isIt reports whether an id is that of the declaration.
func (x *declaration) isIt(id string, names *handbook.Lookup) bool {
	if id == "" {
		return false
	}
	file, at, ok := names.Place(id)
	return ok && file == x.file && at == x.at
}

// use is a text with the places where a declaration is named in it.
type use struct {
	uri, path string
	version   int // of an open document
	*lines
	mentions []handbook.Mention // those that name it, and parameters that have their type from its name (see Implies)
}

// usesIn finds the uses in a file.
func (x *declaration) usesIn(f *ast.File, names *handbook.Lookup) (list []handbook.Mention) {
	for _, m := range mentionsOf(f, names) {
		switch {
		case m.Name != x.name:
		case x.here != nil:
			if x.here(m) {
				m.Implies = ""
				list = append(list, m)
			}
		case x.isIt(m.To, names):
			m.Implies = ""
			list = append(list, m)
		case x.isIt(m.Implies, names):
			list = append(list, m)
		}
	}
	return slices.CompactFunc(list, func(a, b handbook.Mention) bool { return a.At == b.At })
}

// usesInOpen finds the uses in the open documents, the one first that is asked about.
func (s *server) usesInOpen(d *document, x declaration) (list []use) {
	docs := []*document{d}
	for _, o := range s.otherDocuments(d) {
		if x.here == nil {
			docs = append(docs, o)
		}
	}
	for _, o := range docs {
		m := s.resolverOf(o)
		if m == nil {
			continue
		}
		if found := x.usesIn(o.file, m.Lookup); len(found) > 0 {
			list = append(list, use{o.uri, o.path, o.version, o.lines, found})
		}
	}
	return list
}

// otherDocuments are the other open documents, sorted by URI.
func (s *server) otherDocuments(d *document) (list []*document) {
	for _, uri := range slices.Sorted(maps.Keys(s.docs)) {
		if x := s.docs[uri]; x != d {
			list = append(list, x)
		}
	}
	return list
}

// usesInClosed finds the uses in files that are not open. It needs no lock.
func (s *server) usesInClosed(ctx context.Context, list []*reading, x declaration, open map[string]string) (uses []use) {
	for _, r := range list {
		if ctx.Err() != nil {
			return nil
		}
		closed := slices.DeleteFunc(slices.Clone(r.files), func(y *folderFile) bool {
			_, isOpen := open[y.path]
			return isOpen || !strings.Contains(y.text, x.name)
		})
		if len(closed) == 0 {
			continue
		}
		if s.read(r, open); r.names == nil {
			continue
		}
		for _, y := range closed {
			if found := x.usesIn(y.parsed, r.names); len(found) > 0 {
				uses = append(uses, use{URIOf(y.path), y.path, 0, y.lines, found})
			}
		}
	}
	return uses
}

// references lists the uses of a name.
func (s *server) references(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []location{}
	d, at := s.documentAt(p)
	if d == nil {
		return list
	}
	m, ok := s.mentionAt(d, at)
	if !ok {
		return list
	}
	x := s.declarationOf(d, m)
	uses, open, path := s.usesInOpen(d, x), s.texts(), d.path
	return later(func(ctx context.Context) any {
		if x.here == nil {
			uses = append(uses, s.usesInClosed(ctx, s.folderAround(path, open).readings(x.file), x, open)...)
		}
		for _, u := range uses {
			for _, m := range u.mentions {
				if m.Implies == "" {
					list = append(list, location{u.uri, u.span(m.At)})
				}
			}
		}
		return list
	})
}
