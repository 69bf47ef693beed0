package rulebook

import (
	"strings"

	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/format"
)

// This file compares two rulesets.

// Side is a part in one of the two rulesets.
type Side struct {
	Text  string `json:"text"` // as the formatter prints it, without doc strings and citations
	Place Place  `json:"place"`

	clause ast.Clause
}

// Difference is a part that differs between two rulesets.
type Difference struct {
	Definition string `json:"definition"` // the path of the definition that it belongs to
	Kind       string `json:"kind"`       // the definition's head word
	Path       string `json:"path"`
	What       string `json:"what"` // added, overridden, extended, changed or removed
	Was        *Side  `json:"was"`
	Now        *Side  `json:"now"`
	By         *Place `json:"by"` // where it was removed
}

// Diff lists how b differs from a.
func Diff(a, b *link.Set) []Difference {
	list := []Difference{}
	for _, d := range link.Diff(a, b) {
		x := Difference{Definition: d.Definition, Kind: d.Word, Path: d.Path, What: d.What, Was: newSide(d.Was), Now: newSide(d.Now)}
		if d.By != nil {
			by := placeOf(d.By)
			x.By = &by
		}
		list = append(list, x)
	}
	return list
}

func newSide(p *link.Piece) *Side {
	if p == nil {
		return nil
	}
	s := &Side{Text: p.Text, Place: placeOf(p.Origin)}
	switch {
	case p.Clause != nil:
		s.Text, s.clause = formatText(p.Clause), p.Clause
	case p.Value != nil && strings.HasSuffix(p.Path, "]"): // a cell
		s.Text = format.Expr(p.Value)
	case p.Value != nil:
		s.clause = &ast.Property{Name: ast.Ident{Name: p.Path[strings.LastIndexByte(p.Path, '.')+1:]}, Values: []ast.Expr{p.Value}}
		s.Text = formatText(s.clause)
	}
	return s
}

// Narrow formats the text in lines of at most that many columns, as far as possible.
func (s *Side) Narrow(columns int) string {
	if s.clause == nil {
		return s.Text
	}
	return strings.TrimRight(format.NodeToWidth(s.clause, columns), "\n")
}
