package langserver

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/handbook"
	"arbiter/lang/ast"
	"arbiter/lang/words"
)

// This file says what a name means, where it is declared, and where else it is used.

// mentions lists the names of a document in source order.
func (s *server) mentions(d *document) []handbook.Mention {
	if m := s.resolverOf(d); m != nil {
		return mentionsOf(d.file, m.Lookup)
	}
	return nil
}

// mentionsOf lists the names of a file in source order.
func mentionsOf(f *ast.File, names *handbook.Lookup) (list []handbook.Mention) {
	for _, cl := range f.Body {
		list = append(list, names.Mentions(cl)...)
	}
	slices.SortStableFunc(list, func(a, b handbook.Mention) int { return cmp.Compare(a.At.Start.Offset, b.At.Start.Offset) })
	return list
}

// mentionAt returns the name at an offset or directly before it.
func (s *server) mentionAt(d *document, offset int) (m handbook.Mention, ok bool) {
	for _, x := range s.mentions(d) {
		if x.At.Start.Offset <= offset && offset <= x.At.End.Offset {
			m, ok = x, true
		}
	}
	return m, ok
}

func (s *server) hover(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, at := s.documentAt(p)
	if d == nil {
		return nil
	}
	m, ok := s.mentionAt(d, at)
	if !ok {
		return d.wordHover(at)
	}
	if m.To == "" {
		return nil
	}
	text := s.describe(s.resolverOf(d), m.To)
	if text == "" {
		return nil
	}
	return hover{markup{"markdown", text}, d.span(m.At)}
}

// wordHover says what the word of the language at an offset means, and how it is used.
func (d *document) wordHover(at int) any {
	from, to := at, at
	for from > 0 && isNameByte(d.text[from-1]) {
		from--
	}
	for to < len(d.text) && isNameByte(d.text[to]) {
		to++
	}
	var b strings.Builder
	for _, e := range words.All() {
		if first, _, _ := strings.Cut(e.Word, " "); first == d.text[from:to] && first != "" {
			fmt.Fprintf(&b, "**%s**: %s\n\n```text\n%s\n```\n\n", e.Word, e.Meaning, strings.Join(e.Forms, "\n"))
		}
	}
	if b.Len() == 0 || d.inCommentOrString(from) {
		return nil
	}
	return hover{markup{"markdown", strings.TrimSpace(b.String())}, span{d.positionAt(from), d.positionAt(to)}}
}

// inCommentOrString reports whether an offset is in a comment or in a string.
func (d *document) inCommentOrString(at int) bool {
	for i := 0; i < at; {
		n, c := scanToken(d.text[i:])
		if i+n > at {
			return c == aComment || c == aString
		}
		i += n
	}
	return false
}

// maxHoverLines is how many lines of a definition are shown.
const maxHoverLines = 24

// describe describes what an id names: its doc string, its source, the catalogue rules that it implements, where it is
// declared, and what it replaced.
func (s *server) describe(m *nameResolver, id string) string {
	if path, scene := strings.CutPrefix(id, "scene "); scene && m.Kind(id) == "scene" {
		file, at, _ := m.Place(id)
		return fmt.Sprintf("**%s** (scene)\n\n%s", path, escapeMarkdown(fmt.Sprintf("%s:%d", file, at.Start.Line)))
	}
	page, ok := handbook.PageOf(m.bookOf(id), id)
	if !ok {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** (%s)", page.Path, page.Kind)
	if page.Doc != "" {
		fmt.Fprintf(&b, "\n\n%s", escapeMarkdown(page.Doc))
	}
	if page.Text != "" {
		lines := strings.Split(page.Text, "\n")
		if len(lines) > maxHoverLines {
			lines = append(lines[:maxHoverLines], "...")
		}
		fmt.Fprintf(&b, "\n\n```arbiter\n%s\n```", strings.Join(lines, "\n"))
	}
	fmt.Fprintf(&b, "\n\n%s, ruleset %s", escapeMarkdown(page.Place.String()), page.Place.Ruleset)
	for _, was := range page.Replaced {
		fmt.Fprintf(&b, "; replaces %s", escapeMarkdown(was.Place.String()))
	}
	for _, more := range page.Extended {
		fmt.Fprintf(&b, "; extended by %s", escapeMarkdown(more.Place.String()))
	}
	if len(page.Cites) > 0 {
		fmt.Fprintf(&b, "\n\n%s", strings.Join(page.Cites, ", "))
	}
	return b.String()
}

// escapeMarkdown escapes text so that it is not read as Markdown.
func escapeMarkdown(text string) string {
	return strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "<", "&lt;", "[", "\\[", "]", "\\]").Replace(text)
}

func (s *server) definition(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, at := s.documentAt(p)
	if d == nil {
		return nil
	}
	m, ok := s.mentionAt(d, at)
	if !ok {
		return nil
	}
	if m.To == "" { // a name that the document binds: its first mention
		for _, x := range s.mentions(d) {
			if d.sameMeaning(x, m) {
				return location{d.uri, d.span(x.At)}
			}
		}
		return nil
	}
	file, where, ok := s.resolverOf(d).Place(m.To)
	if !ok {
		return nil
	}
	where.End = where.Start
	if uri, l := s.fileLines(d, file); l != nil {
		return location{uri, l.span(where)}
	}
	if at, ok := s.embedded(file, where); ok {
		return at
	}
	return nil
}

// sameMeaning reports whether two names of a document mean the same. Names from the rules and placed creatures are
// known in the whole document, all others in one top-level clause.
func (d *document) sameMeaning(a, b handbook.Mention) bool {
	if a.Name != b.Name || a.To != b.To {
		return false
	}
	placed := func(m *ast.Member) bool { return m.Name.Name == a.Name }
	return a.To != "" || d.clauseAt(a.At) == d.clauseAt(b.At) || slices.ContainsFunc(placedMembers(d.file.Body), placed)
}

// clauseAt is the index of the top-level clause that contains a span.
func (d *document) clauseAt(at ast.Span) int {
	return slices.IndexFunc(d.file.Body, func(cl ast.Clause) bool {
		x := cl.Extent()
		return x.Start.Offset <= at.Start.Offset && at.End.Offset <= x.End.Offset
	})
}

// embedded writes an embedded file to the cache for the editor to open, and returns a place in it. Its ruleset comes with
// it: a file of a ruleset is checked with the others of its folder.
func (s *server) embedded(file string, at ast.Span) (location, bool) {
	name := strings.TrimPrefix(file, s.o.LibraryPrefix)
	text, err := fs.ReadFile(s.o.Library, name)
	if err != nil || s.o.Cache == "" {
		return location{}, false
	}
	beside, err := fs.Glob(s.o.Library, path.Dir(name)+"/*.*")
	if err != nil {
		return location{}, false
	}
	for _, x := range beside {
		if !s.cached(x) {
			return location{}, false
		}
	}
	return location{URIOf(filepath.Join(s.o.Cache, filepath.FromSlash(name))), newLines(string(text), s.units).span(at)}, true
}

// cached makes sure that an embedded file is in the cache as it is.
func (s *server) cached(name string) bool {
	text, err := fs.ReadFile(s.o.Library, name)
	if err != nil {
		return false
	}
	path := filepath.Join(s.o.Cache, filepath.FromSlash(name))
	if have, err := os.ReadFile(path); err == nil && string(have) == string(text) {
		return true
	}
	return os.MkdirAll(filepath.Dir(path), 0o755) == nil && os.WriteFile(path, text, 0o644) == nil
}

// mentionsIn lists all mentions in a document of what a name of it means.
func (s *server) mentionsIn(d *document, m handbook.Mention) (list []ast.Span) {
	for _, x := range s.mentions(d) {
		if d.sameMeaning(x, m) {
			list = append(list, x.At)
		}
	}
	return slices.Compact(list)
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

func (s *server) highlights(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []highlight{}
	d, at := s.documentAt(p)
	if d == nil {
		return list
	}
	if m, ok := s.mentionAt(d, at); ok {
		for _, x := range s.mentionsIn(d, m) {
			list = append(list, highlight{d.span(x)})
		}
	}
	return list
}
