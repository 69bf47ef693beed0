package langserver

import (
	"arbiter/lang/ast"
)

// This file widens selections: from a name to the expression around it, its clause, its block, the file.

// selectionRange is a range, and the next wider one.
type selectionRange struct {
	Range  span            `json:"range"`
	Parent *selectionRange `json:"parent,omitempty"`
}

// selectionRanges lists for each position the ranges around it, each with the next wider one.
func (s *server) selectionRanges(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []selectionRange{}
	d, _ := s.documentAt(p)
	if d == nil {
		return list
	}
	for _, at := range p.Positions {
		x := &selectionRange{Range: d.whole()}
		for _, y := range d.around(d.offset(at)) {
			x = &selectionRange{y, x}
		}
		list = append(list, *x)
	}
	return list
}

// around lists the ranges around an offset, each inside the one before it.
func (d *document) around(at int) (list []span) {
	last := ast.Span{End: ast.Pos{Offset: len(d.text)}}
	add := func(from, to int) {
		if from > at || at > to || from < last.Start.Offset || to > last.End.Offset || from == to ||
			from == last.Start.Offset && to == last.End.Offset {
			return
		}
		last = ast.Span{Start: ast.Pos{Offset: from}, End: ast.Pos{Offset: to}}
		list = append(list, span{d.positionAt(from), d.positionAt(to)})
	}
	ast.Contains(d.file, func(node any) bool {
		n, ok := node.(ast.Node)
		if !ok {
			return false
		}
		x := n.Extent()
		add(x.Start.Offset, x.End.Offset)
		if b, ok := node.(*ast.Block); ok { // what is inside the braces
			add(b.Start.Offset+1, b.End.Offset-1)
		}
		return false
	})
	for i := 0; i <= at && i < len(d.text); { // a word, a text, a comment
		n, class := scanToken(d.text[i:])
		if class != noToken {
			add(i, i+n)
		}
		i += n
	}
	return list
}
