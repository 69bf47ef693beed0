package walk

import (
	"arbiter/interp/story"
	"arbiter/stdlib/dice"
)

// This file guides playthroughs to what has not been seen.

// guide knows the distance from each operation of the story to the nearest unseen point, counted in choices, checks and
// fights. It is computed from the coverage before a batch, so that the playthroughs of a batch do not depend on each
// other.
type guide struct {
	t    *Tally
	far  []int32 // by operation
	seen []bool  // by point
	back int32   // the least distance from any address to which a visit returns
}

const (
	nowhere  = 1 << 20 // nothing unseen can be reached
	again    = 3       // penalty on the distance of a choice for each time it was taken in the same playthrough
	tired    = 25      // a choice taken this often in the same playthrough counts as leading nowhere: what is unseen may be closed for good
	wanderer = 4       // one of this many playthroughs is random: what is unseen may be closed where it seems near
)

func newGuide(t *Tally) *guide {
	s := t.Story
	g := &guide{t: t, far: make([]int32, len(s.Code)), seen: make([]bool, len(t.Points.List))}
	for i := range g.seen {
		g.seen[i] = !t.Points.List[i].Goal || t.Times(int32(i)) > 0
	}
	for i := range g.far {
		g.far[i] = nowhere
	}
	g.back = nowhere
	for changed := true; changed; {
		changed = false
		for i := range s.Code {
			if s.Code[i].Kind == story.Visit && g.far[i+1] < g.back {
				g.back, changed = g.far[i+1], true
			}
		}
		for i := len(s.Code) - 1; i >= 0; i-- {
			if d := g.from(int32(i)); d < g.far[i] {
				g.far[i], changed = d, true
			}
		}
	}
	return g
}

// from computes the distance from an operation, given the current distances of its successors.
func (g *guide) from(at int32) int32 {
	s, p := g.t.Story, g.t.Points
	o := &s.Code[at]
	d := int32(nowhere)
	s.Ahead(at, func(way int, to int32) { d = min(d, g.through(at, way, to)) })
	switch o.Kind {
	case story.Go, story.Visit:
		d = min(d, g.into(o.A))
	case story.Back, story.End:
		d = g.back
	case story.Finish:
		if !g.seen[p.OfOp(at, 0)] {
			d = 0
		}
	}
	return d
}

// through returns the distance by one of the branches of an operation.
func (g *guide) through(at int32, way int, to int32) int32 {
	switch g.t.Story.Code[at].Kind {
	case story.Test, story.Arm, story.Turn, story.Fight, story.Offer:
		if way >= 0 && !g.seen[g.t.Points.OfOp(at, way)] {
			return 0
		}
		return g.far[to] + 1
	}
	return g.far[to]
}

func (g *guide) into(scene int32) int32 {
	if !g.seen[g.t.Points.OfScene(scene)] {
		return 0
	}
	return g.far[g.t.Story.Scenes[scene].Entry]
}

// pick takes the open choice with the least distance to something unseen; ties are broken at random.
func (g *guide) pick(w *worker, walk uint64, at int32, open []int) int {
	c := &g.t.Story.Choices[g.t.Story.Code[at].A]
	turn := len(w.takes)
	first := int(dice.Face(walk, 0, guideLabel, uint32(turn), int32(len(open)))) - 1
	if walk%wanderer == wanderer-1 {
		return first
	}
	best, nearest := first, int32(1<<30)
	for k := range open {
		i := (first + k) % len(open)
		times := int32(w.times[[2]int32{at, int32(open[i])}])
		d := g.through(at, open[i], c.Ways[open[i]].To) + again*times
		if times >= tired {
			d += nowhere
		}
		if d < nearest {
			best, nearest = i, d
		}
	}
	return best
}

var guideLabel = dice.Hash("led")
