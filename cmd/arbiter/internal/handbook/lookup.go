package handbook

import (
	"reflect"
	"strings"

	"arbiter/cmd/arbiter/internal/rulebook"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/parse"
)

// This file resolves the names in texts that are not part of a book, in the same way as those in the book.

// Lookup finds what the names in a text mean under a ruleset.
type Lookup struct {
	names  *nameIndex
	places map[string]*link.Origin // by id
	kinds  map[string]string       // the head word, by id
}

// Mention is a name in a text, and the id of what it names: "" for a name bound in the text itself, and for an unknown
// one.
type Mention struct {
	Name, To string
	At       ast.Span
	Implies  string // of a parameter without a type: the id of the type that its name implies
}

// NewLookup learns the names of a linked ruleset, and the scenes of a story's files.
func NewLookup(set *link.Set, story ...*ast.File) *Lookup {
	return NewLookupBetween(func() {}, set, story...)
}

// NewLookupBetween is NewLookup, which calls a function between one definition and another, so that something else can be
// done, or it be broken off by a panic.
func NewLookupBetween(between func(), set *link.Set, story ...*ast.File) *Lookup {
	l := &Lookup{names: newNames(), places: map[string]*link.Origin{}, kinds: map[string]string{}}
	for _, d := range newDrafts(set, l.names, between) {
		l.places[d.ID], l.kinds[d.ID] = d.defs[0].Origin, d.Kind
		for _, pieces := range d.pieces {
			for _, p := range pieces {
				if d.pathsWithAnchor[p.Path] {
					l.places[p.Path], l.kinds[p.Path] = p.Origin, link.HeadWord(p.Whole)
				}
			}
		}
	}
	for _, f := range story {
		l.learnScenes(f.Path, "", f.Body)
	}
	return l
}

// learnScenes learns the scenes in a list of clauses; within is the path of the scene around them, with a dot.
func (l *Lookup) learnScenes(file, within string, list []ast.Clause) {
	for _, cl := range list {
		s, ok := cl.(*ast.Scene)
		if !ok {
			continue
		}
		path := within + s.Name.Name
		if id := "scene " + path; l.names.scenes[path] == "" {
			l.names.scenes[path] = id
			l.places[id], l.kinds[id] = &link.Origin{File: file, Span: s.Name.Span}, "scene"
		}
		if s.Body != nil {
			l.learnScenes(file, path+".", s.Body.Clauses)
		}
	}
}

// Place is where something was first declared; ok is false for what has no place of its own.
func (l *Lookup) Place(id string) (file string, at ast.Span, ok bool) {
	o := l.places[id]
	if o == nil {
		return "", ast.Span{}, false
	}
	o = o.Root()
	return o.File, o.Span, true
}

// Kind is the head word of what an id names, "" if unknown.
func (l *Lookup) Kind(id string) string { return l.kinds[id] }

// Mentions lists the names in a top-level clause, its own name among them, mostly in source order.
func (l *Lookup) Mentions(cl ast.Clause) []Mention {
	s := l.names.scopeOf(cl)
	if n, ok := cl.(*ast.Change); ok && len(n.Path.Parts) > 0 {
		s.bind(l.names.bound[n.Path.Parts[0].Name.Name])
	}
	own := link.NameOf(cl)
	name := own[strings.LastIndexByte(own, '.')+1:]
	var list []Mention
	for _, m := range append(s.mentions(cl), s.mentionsInTexts(cl)...) {
		if m.at.Start.Line == 0 { // a word that is only implied
			continue
		}
		implies := ""
		if m.isParam {
			if !m.isTyped {
				implies = m.to
			}
			m.to = ""
		}
		if own != "" && m.name == name && m.to == "" {
			m.to, own = l.names.find(name, namespaceOf(cl)), ""
			if d, ok := cl.(*ast.Define); ok && d.Kind != nil {
				m.to = l.names.members[d.Kind.Name+"."+name]
			}
		}
		list = append(list, Mention{m.name, m.to, m.at, implies})
	}
	return list
}

// PageOf is the page about what an id names.
func PageOf(book *rulebook.Book, id string) (rulebook.Page, bool) {
	path, word, exact := strings.Cut(id, "~")
	pages, _ := book.Find(path)
	for _, p := range pages {
		if !exact || p.Kind == word {
			return p, true
		}
	}
	return rulebook.Page{}, false
}

// mentionsInTexts lists the names in the values of notes, and of what a scene tells. They are not part of mentions,
// because the rulebook prints a text as one token.
func (s *scope) mentionsInTexts(cl ast.Clause) (list []mention) {
	_, told := cl.(*ast.Scene)
	var visit func(pieces []ast.TextPiece)
	visit = func(pieces []ast.TextPiece) {
		for _, p := range pieces {
			if p.Value != nil {
				list = append(list, s.mentions(p.Value)...)
			}
			for _, way := range p.Ways {
				visit(way)
			}
		}
	}
	read := func(t *ast.Text) {
		switch {
		case t == nil:
		case told:
			pieces, _ := parse.SceneText("", t) // mistakes are reported elsewhere
			visit(pieces)
		default:
			pieces, _ := parse.Note("", t)
			visit(pieces)
		}
	}
	visitNodes(reflect.ValueOf(cl), func(x any) {
		switch n := x.(type) {
		case *ast.Simple:
			if told || n.Word.Name != "cancel" {
				read(n.Text)
			}
		case *ast.Documentation:
			if told {
				read(n.Doc)
			}
		case *ast.StoryWay:
			read(&n.Label)
		case *ast.Finish:
			read(n.Text)
		}
	})
	return list
}
