package handbook

import (
	"strings"

	"arbiter/cmd/arbiter/internal/rulebook"
	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file finds out what there is to write about, and assigns all anchors before anything is formatted.

// draft is an unfinished entry. A kind may be opened by several definitions.
type draft struct {
	*Entry
	name            string
	defs            []*link.Def
	pieces          [][]*link.Piece // of each definition
	pathsWithAnchor map[string]bool // the paths of the parts that have anchors
	shownPaths      map[string]bool // the paths of the parts that have rows
	parts           map[string]*rulebook.Part
}

// setRowIDs gives the rows of an entry their ids: a part whose path is unique has that path as its id.
func (d *draft) setRowIDs(n *nameIndex) {
	_, thing := d.defs[0].Node.(*ast.Template)
	times := map[string]int{}
	d.pathsWithAnchor = map[string]bool{}
	for _, pieces := range d.pieces {
		for _, p := range pieces {
			times[p.Path]++
		}
	}
	for _, pieces := range d.pieces {
		for _, p := range pieces {
			if _, way := p.Whole.(*ast.Way); thing && !way {
				continue // a cell of a table
			}
			if p.Path != d.name && times[p.Path] == 1 && !strings.Contains(p.Path, "[") && !n.ids[p.Path] && hasOwnName(p.Whole) {
				n.ids[p.Path], d.pathsWithAnchor[p.Path] = true, true
			}
		}
	}
}

// hasOwnName reports whether a part has a name of its own.
func hasOwnName(cl ast.Clause) bool {
	switch cl.(type) {
	case *ast.Term, *ast.FieldDecl, *ast.Step, *ast.Rule, *ast.Keep, *ast.Property, *ast.Way:
		return true
	}
	return false
}

// newDrafts makes a draft of each definition and learns all names, before anything is formatted. between is called between
// one definition and another.
func newDrafts(set *link.Set, n *nameIndex, between func()) []*draft {
	var drafts []*draft
	for _, d := range set.Defs {
		if u, ok := d.Node.(*ast.Use); ok && d.Registered() {
			name, _, _ := strings.Cut(u.Name.Name, " ")
			n.registered[u.Name.Name] = function{strings.ReplaceAll(name, "-", "_"), d.Origin.File}
		}
	}
	kinds := map[string]*draft{}
	for _, d := range set.Defs {
		for _, name := range rulebook.NamesOf(d) {
			if k, ok := d.Node.(*ast.Kind); ok {
				if open := kinds[k.Name.Name]; open != nil {
					open.defs = append(open.defs, d)
					continue
				}
			}
			x := &draft{Entry: &Entry{Kind: link.HeadWord(d.Node), Name: name}, name: name, defs: []*link.Def{d}, shownPaths: map[string]bool{}}
			if _, ok := d.Node.(*ast.Kind); ok {
				kinds[name] = x
			}
			drafts = append(drafts, x)
		}
	}
	for _, types := range []bool{false, true} {
		for _, d := range drafts {
			node := d.defs[0].Node
			if isType(node) != types {
				continue
			}
			if s := namespaceOf(node); s < namespaceCount {
				d.ID = n.anchor(d.name, d.Kind, s)
			} else {
				d.ID, n.ids[d.name] = d.name, true
			}
		}
	}
	for _, d := range drafts {
		between()
		for _, def := range d.defs {
			d.pieces = append(d.pieces, set.Pieces(def))
		}
		d.setRowIDs(n)
		for _, def := range d.defs {
			n.learn(def, d.ID)
		}
	}
	return drafts
}
