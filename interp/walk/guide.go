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
	tally          *Tally
	distance       []int32 // by operation
	seen           []bool  // by point
	returnDistance int32   // the least distance from any address to which a visit returns
}

const (
	unreachable   = 1 << 20 // nothing unseen can be reached
	repeatPenalty = 3       // penalty on the distance of a choice for each time it was taken in the same playthrough
	maxRepeats    = 25      // a choice taken this often in the same playthrough counts as leading nowhere: what is unseen may be closed for good
	randomEvery   = 4       // one of this many playthroughs is random: what is unseen may be closed where it seems near
)

func newGuide(t *Tally) *guide {
	s := t.Story
	g := &guide{tally: t, distance: make([]int32, len(s.Code)), seen: make([]bool, len(t.Points.List))}
	for i := range g.seen {
		g.seen[i] = !t.Points.List[i].Goal || t.times(int32(i)) > 0
	}
	for i := range g.distance {
		g.distance[i] = unreachable
	}
	g.returnDistance = unreachable
	for changed := true; changed; {
		changed = false
		for i := range s.Code {
			if s.Code[i].Kind == story.Visit && g.distance[i+1] < g.returnDistance {
				g.returnDistance, changed = g.distance[i+1], true
			}
		}
		for i := len(s.Code) - 1; i >= 0; i-- {
			if d := g.distanceFrom(int32(i)); d < g.distance[i] {
				g.distance[i], changed = d, true
			}
		}
	}
	return g
}

// distanceFrom computes the distance from an operation, given the current distances of its successors.
func (g *guide) distanceFrom(at int32) int32 {
	s, p := g.tally.Story, g.tally.Points
	o := &s.Code[at]
	d := int32(unreachable)
	s.Ahead(at, func(way int, to int32) { d = min(d, g.distanceThrough(at, way, to)) })
	switch o.Kind {
	case story.Go, story.Visit:
		d = min(d, g.distanceInto(o.A))
	case story.Back, story.End:
		d = g.returnDistance
	case story.Finish:
		if !g.seen[p.OfOp(at, 0)] {
			d = 0
		}
	}
	return d
}

// distanceThrough returns the distance by one of the branches of an operation.
func (g *guide) distanceThrough(at int32, way int, to int32) int32 {
	switch g.tally.Story.Code[at].Kind {
	case story.Test, story.Switch, story.Alternate, story.Fight, story.Offer:
		if way >= 0 && !g.seen[g.tally.Points.OfOp(at, way)] {
			return 0
		}
		return g.distance[to] + 1
	}
	return g.distance[to]
}

func (g *guide) distanceInto(scene int32) int32 {
	if !g.seen[g.tally.Points.OfScene(scene)] {
		return 0
	}
	return g.distance[g.tally.Story.Scenes[scene].Entry]
}

// pick takes the open choice with the least distance to something unseen; ties are broken at random.
func (g *guide) pick(w *worker, walk uint64, at int32, open []int) int {
	c := &g.tally.Story.Choices[g.tally.Story.Code[at].A]
	turn := len(w.takes)
	first := int(dice.Face(walk, 0, guideLabel, uint32(turn), int32(len(open)))) - 1
	if walk%randomEvery == randomEvery-1 {
		return first
	}
	best, nearest := first, int32(1<<30)
	for k := range open {
		i := (first + k) % len(open)
		times := int32(w.times[[2]int32{at, int32(open[i])}])
		d := g.distanceThrough(at, open[i], c.Ways[open[i]].To) + repeatPenalty*times
		if times >= maxRepeats {
			d += unreachable
		}
		if d < nearest {
			best, nearest = i, d
		}
	}
	return best
}

var guideLabel = dice.Hash("led")
