package build

import (
	"slices"
	"strconv"

	"arbiter/interp/check"
	"arbiter/interp/ground"
	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/interp/story"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file checks the positions of creatures in fights, as far as that is possible statically.

// positions tracks positions in one fight of an encounter, a test or a story.
type positions struct {
	file        string
	program     *program.Program
	ground      *ground.Map // nil: there is none
	first       string      // name of the creature placed first, "" for none
	unplaced    []string    // names of creatures without a square
	placedLater bool        // `place` may assign squares later
	list        diag.List
}

func (s *positions) fail(span ast.Span, code, message, hint string) {
	s.list = append(s.list, diag.Diagnostic{File: s.file, Span: span, Severity: diag.Error, Code: code, Message: message, Hint: hint})
}

// readMap reads the map of the fight.
func (s *positions) readMap(n *ast.Map) {
	switch {
	case s.ground != nil && s.ground.IsDrawn():
		s.fail(n.Span, "declared-twice", "there is a map already", "draw a single map, before anybody is placed")
		return
	case s.first != "":
		s.list = nil // they were about squares of another map
		s.fail(n.Span, "misplaced", s.first+" has been placed before there was a map", "draw the map first")
	}
	m, diags := ground.Read(s.file, s.program, n)
	s.ground = m
	s.list = append(s.list, diags...)
}

// member checks the position of a creature that enters the fight.
func (s *positions) member(m *ast.Member) {
	switch {
	case m.At != nil && s.ground == nil && len(s.unplaced) > 0 && !s.placedLater:
		s.fail(m.At.Extent(), "no-place", s.unplaced[0]+" has no square", "give a square to everybody, or to nobody")
		s.unplaced = nil // report it once
	case m.At != nil:
		s.square(m.At)
	case s.ground != nil:
		s.fail(m.Span, "no-place", "no square is given for "+m.Name.Name, "write `"+m.Template.Name+" "+m.Name.Name+" at (x, y)`, or a mark of the map: `at \"a\"`")
	default:
		s.unplaced = append(s.unplaced, m.Name.Name)
	}
	if s.first == "" {
		s.first = m.Name.Name
	}
}

// square checks a square in the source. Without a map, coordinates are on open ground. Coordinates that are not
// literals, and other values, are checked at run time.
func (s *positions) square(at ast.Expr) {
	if s.ground == nil {
		if mark, ok := at.(*ast.String); ok {
			s.fail(mark.Span, "no-place", "there is no map with the mark "+strconv.Quote(mark.Value), "draw the map before anybody is placed")
			return
		}
		s.ground = ground.Open()
	}
	if !check.IsSquareLiteral(at) {
		return
	}
	_, _, wrong := s.ground.ResolveSquare(at, func(_ int, x ast.Expr) (int64, bool) { return ground.NumberLiteral(x) })
	if wrong != nil {
		wrong.File = s.file
		s.list = append(s.list, *wrong)
	}
}

// checkFights checks the positions in the fights of a story, where squares can be assigned after the creatures are
// introduced.
func checkFights(t *story.Story, p *program.Program) (list diag.List) {
	var s positions
	for i := range t.Code {
		switch o := &t.Code[i]; o.Kind {
		case story.BeginBattle:
			s = positions{file: o.File, program: p, unplaced: partyNames(t), placedLater: true}
		case story.SetMap:
			s.readMap(t.Battles[o.A].Map)
		case story.AddSide:
			for m := range ast.Members(t.Battles[o.A].Sides[o.B]) {
				s.member(m)
			}
		case story.PlaceCreature:
			s.place(t, &t.Battles[o.A].Places[o.B])
		case story.Fight:
			if len(s.unplaced) > 0 && s.ground != nil { // report one: the hint is the same for the others
				s.fail(o.Span, "no-place", "no square is given for "+s.unplaced[0], "write `place "+s.unplaced[0]+" at SQUARE` in the fight")
			}
		case story.EndBattle:
			list = append(list, s.list...)
		}
	}
	return list
}

// partyNames returns the names of a story's party.
func partyNames(t *story.Story) (names []string) {
	for _, side := range t.Party {
		if side.Name.Name != t.Party[0].Name.Name {
			continue
		}
		for m := range ast.Members(side) {
			names = append(names, m.Name.Name)
		}
	}
	return names
}

// place checks a `place WHO at SQUARE` of a story.
func (s *positions) place(t *story.Story, x *story.Placing) {
	s.square(x.At.Node)
	name, ok := x.Node.Value.(*ast.Name)
	if who := t.Values[x.Who].X; !ok || who == nil || who.Op != ir.OpConst {
		s.unplaced = nil // it can be any creature
		return
	}
	if s.first == "" {
		s.first = name.Name
	}
	s.unplaced = slices.DeleteFunc(s.unplaced, func(n string) bool { return n == name.Name })
}
