package story

import "arbiter/lang/ast"

// This file numbers everything that can happen in a story, so that coverage can be counted.

// What is what a Point is about.
type What uint8

const (
	Entered   What = iota // a scene is entered
	Taken                 // a choice is taken
	Offered               // the same choice is offered
	Otherwise             // of choices, because none was open
	Arms                  // of a check or a decision; Way 0 is none of them
	Fights                // won, lost or otherwise
	Sides                 // of a condition: true, false
	Turns                 // of alternatives in turn
	Endings               // a `finish`
)

// Point is something that can happen in a story.
type Point struct {
	What   What
	Of     int32 // index of a scene, an operation or a value
	Way    int32 // which of several
	InText bool  // a condition in a text: Of is a value
	Goal   bool  // counts toward full coverage
	File   string
	Span   ast.Span
}

// Points holds all points of a story. Those of one operation are consecutive, in the order of Way.
type Points struct {
	List []Point
	at   []int32 // by operation: its first point, or -1
	text []int32 // by value: its first point, if it is the condition of a text
}

// OfScene, OfOp and OfText return the number of a point.
func (p *Points) OfScene(scene int32) int32         { return scene }
func (p *Points) OfOp(at int32, way int) int32      { return p.at[at] + int32(way) }
func (p *Points) OfText(value int32, way int) int32 { return p.text[value] + int32(way) }

// OfOffer returns the number of the point that a choice is offered.
func (p *Points) OfOffer(s *Story, at int32, way int) int32 {
	return p.at[at] + int32(len(s.Choices[s.Code[at].A].Ways)+1+way)
}

// Points numbers what can happen in a story.
func (s *Story) Points() *Points {
	p := &Points{at: make([]int32, len(s.Code)), text: make([]int32, len(s.Values))}
	add := func(x Point) { p.List = append(p.List, x) }
	for i := range s.Scenes {
		add(Point{What: Entered, Of: int32(i), Goal: true, File: s.Scenes[i].File, Span: s.Scenes[i].Span})
	}
	for i := range s.Code {
		o := &s.Code[i]
		p.at[i] = int32(len(p.List))
		several := func(what What, n int, goal func(way int) bool) {
			for way := range n {
				add(Point{What: what, Of: int32(i), Way: int32(way), Goal: goal(way), File: o.File, Span: o.Span})
			}
		}
		always := func(int) bool { return true }
		switch o.Kind {
		case Offer:
			c := &s.Choices[o.A]
			for _, what := range []What{Taken, Offered} {
				for way := range c.Ways {
					add(Point{What: what, Of: int32(i), Way: int32(way), Goal: what == Taken, File: c.Ways[way].File, Span: c.Ways[way].Span})
				}
				if what == Taken {
					add(Point{What: Otherwise, Of: int32(i), Way: int32(len(c.Ways)), Goal: c.Otherwise >= 0, File: o.File, Span: c.Else})
				}
			}
		case Test: // the end of a loop is not a goal
			several(Sides, 2, func(way int) bool { return way == 0 || !o.Loop })
		case Switch:
			several(Arms, len(o.To)+1, func(way int) bool { return way > 0 || o.B == 0 })
			for way, span := range o.Arms {
				p.List[int(p.at[i])+way+1].Span = span
			}
		case Fight: // outcomes with the same code are not separate goals
			several(Fights, len(o.To), func(way int) bool { return o.To[way] != o.B && (way == len(o.To)-1 || o.To[way] != o.To[len(o.To)-1]) })
			for way, span := range o.Arms {
				if span != (ast.Span{}) {
					p.List[int(p.at[i])+way].Span = span
				}
			}
		case Alternate:
			several(Turns, len(o.To), always)
		case Finish:
			several(Endings, 1, always)
		}
	}
	var within func(t Text)
	within = func(t Text) {
		for i := range t {
			x := &t[i]
			if x.If {
				p.text[x.Value] = int32(len(p.List))
				v := &s.Values[x.Value]
				for way := range 2 {
					add(Point{What: Sides, InText: true, Of: x.Value, Way: int32(way), Goal: true, File: v.File, Span: v.Node.Extent()})
				}
			}
			for _, w := range x.Ways {
				within(w)
			}
		}
	}
	for _, t := range s.Texts {
		within(t)
	}
	return p
}

// Ahead calls each with every address that the story can reach from an address without leaving its scene, and with the
// number of the alternative that leads there, or -1 if there is only one.
func (s *Story) Ahead(at int32, each func(way int, to int32)) {
	o := &s.Code[at]
	switch o.Kind {
	case Jump:
		each(-1, o.A)
	case Test:
		each(0, at+1)
		each(1, o.B)
	case Switch:
		if o.B == 0 {
			each(0, at+1)
		}
		for i, to := range o.To {
			each(i+1, to)
		}
	case Alternate, Fight:
		for i, to := range o.To {
			each(i, to)
		}
	case Offer:
		c := &s.Choices[o.A]
		for i := range c.Ways {
			each(i, c.Ways[i].To)
		}
		if c.Otherwise >= 0 {
			each(len(c.Ways), c.Otherwise)
		} else if !c.alwaysOpen() {
			each(-1, c.After)
		}
	case Go, Back, End, Finish:
	default:
		each(-1, at+1)
	}
}

// alwaysOpen reports whether some choice is always open.
func (c *Choices) alwaysOpen() bool {
	for i := range c.Ways {
		if w := &c.Ways[i]; w.Open < 0 && w.Once < 0 && len(w.Costs) == 0 {
			return true
		}
	}
	return false
}
