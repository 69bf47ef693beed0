package langserver

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/handbook"
	"arbiter/lang/ast"
	"arbiter/lang/parse"
)

// This file finds a name wherever the same thing is meant: in the open documents, and in all files of the folder that
// rest on where it is declared. Everything is read anew: places of an older text would be wrong ones.

// declaration is a thing that has a name, and where it is declared.
type declaration struct {
	name string
	file string
	at   ast.Span
	// Of what is bound in one file alone: file is "", and this says what means the same there.
	here func(handbook.Mention) bool
}

// isIt reports whether an id is that of the declaration.
func (x *declaration) isIt(id string, names *handbook.Lookup) bool {
	if id == "" {
		return false
	}
	file, at, ok := names.Place(id)
	return ok && file == x.file && at == x.at
}

// usesIn finds the uses in a file: the names that mean it and, with Implies, parameters that have their type from its
// name.
func (x *declaration) usesIn(f *ast.File, names *handbook.Lookup) (list []handbook.Mention) {
	for _, m := range mentionsOf(f, names) {
		switch {
		case m.Name != x.name:
		case x.here != nil && x.here(m), x.here == nil && x.isIt(m.To, names):
			m.Implies = ""
			list = append(list, m)
		case x.here == nil && x.isIt(m.Implies, names):
			list = append(list, m)
		}
	}
	return slices.CompactFunc(list, func(a, b handbook.Mention) bool { return a.At == b.At })
}

// use is a file with the places where a declaration is named in it.
type use struct {
	*folderFile
	uri      string
	mentions []handbook.Mention
}

// question is about a name at a place, with all texts as they are when it is asked. It needs no lock.
type question struct {
	s        *server
	path     string
	at       int               // the offset
	open     map[string]string // the texts of the editor, by path
	uris     map[string]string // their URIs
	versions map[string]int
	folder   *folder
	readings []*reading // of the folder, and of what is open elsewhere
}

// questionAbout is a question about what a request is about; nil if that is not open.
func (s *server) questionAbout(p *documentParams) *question {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, at := s.documentAt(p)
	if d == nil {
		return nil
	}
	q := &question{s: s, path: d.path, at: at, open: s.texts(), uris: map[string]string{}, versions: map[string]int{}}
	for _, x := range s.docs {
		q.uris[x.path], q.versions[x.path] = x.uri, x.version
	}
	return q
}

// declaration finds out what is meant.
func (q *question) declaration() (x declaration, m handbook.Mention, err error) {
	q.folder = q.s.folderAround(q.path, q.open)
	q.readings = q.folder.readings()
	for _, path := range slices.Sorted(maps.Keys(q.open)) {
		if q.readingOf(path) == nil {
			y := &folderFile{path: path, lines: newLines(q.open[path], q.s.units)}
			y.parsed, _ = parse.File(path, []byte(y.text))
			q.readings = append(q.readings, &reading{main: y, files: []*folderFile{y}})
		}
	}
	r := q.readingOf(q.path)
	if q.s.read(r, q.open); r.names == nil {
		return x, m, errorResponse("the rules that this file uses cannot be read")
	}
	y := r.file(q.path)
	d := &document{lines: y.lines, file: y.parsed}
	known := false
	for _, n := range mentionsOf(y.parsed, r.names) {
		if n.At.Start.Offset <= q.at && q.at <= n.At.End.Offset {
			m, known = n, true
		}
	}
	if !known {
		return x, m, errorResponse("there is no name here")
	}
	x.name = m.Name
	if m.To != "" {
		x.file, x.at, _ = r.names.Place(m.To)
	}
	if x.file == "" {
		x.here = func(n handbook.Mention) bool { return d.sameMeaning(n, m) }
	}
	return x, m, nil
}

// readingOf is the one that reads a file, nil if none does.
func (q *question) readingOf(path string) *reading {
	i := slices.IndexFunc(q.readings, func(r *reading) bool { return r.file(path) != nil })
	if i < 0 {
		return nil
	}
	return q.readings[i]
}

// resting lists the readings that may name a declaration: those of files that rest on where it is declared, with that
// first, and those of other open documents.
func (q *question) resting(x declaration) (list []*reading) {
	where := x.file
	if x.here != nil {
		where = q.path
	}
	for _, r := range q.readings {
		switch {
		case r.file(where) != nil:
			list = slices.Insert(list, 0, r)
		case q.folder.files[where] == nil || q.folder.files[r.main.path] == nil || q.folder.rests(r.main, where):
			list = append(list, r)
		}
	}
	return list
}

// uses finds the uses of a declaration.
func (q *question) uses(ctx context.Context, x declaration) (list []use) {
	for _, r := range q.resting(x) {
		for _, y := range r.files {
			if ctx.Err() != nil || x.here != nil && y.path != q.path || !strings.Contains(y.text, x.name) {
				continue
			}
			if q.s.read(r, q.open); r.names == nil {
				continue
			}
			if found := x.usesIn(y.parsed, r.names); len(found) > 0 {
				uri, isOpen := q.uris[y.path]
				if !isOpen {
					uri = URIOf(y.path)
				}
				list = append(list, use{y, uri, found})
			}
		}
	}
	return list
}

// show is how a file is named to the user.
func (q *question) show(path string) string {
	if inside, err := filepath.Rel(q.folder.root, path); err == nil && filepath.IsLocal(inside) {
		return filepath.ToSlash(inside)
	}
	return path
}

// references lists the uses of a name.
func (s *server) references(p *documentParams) any {
	q := s.questionAbout(p)
	if q == nil {
		return []location{}
	}
	return later(func(ctx context.Context) any {
		list := []location{}
		x, _, err := q.declaration()
		if err != nil {
			return list
		}
		for _, u := range q.uses(ctx, x) {
			for _, m := range u.mentions {
				if m.Implies == "" {
					list = append(list, location{u.uri, u.span(m.At)})
				}
			}
		}
		return list
	})
}
