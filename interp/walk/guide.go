package walk

import (
	"arbiter/interp/story"
	"arbiter/stdlib/dice"
)

// This file leads playthroughs to what has not been seen.

// guide knows how far it is from each place of the story to the nearest point that has not been seen: through how many
// choices, checks and fights. It is made of what had been seen before a batch, so that the playthroughs of a batch do not
// depend on one another.
type guide struct {
	t    *Tally
	far  []int32 // by operation
	seen []bool  // by point
	back int32   // from where somebody comes back to after a visit: the nearest of these places
}

const (
	nowhere  = 1 << 20 // nothing unseen lies ahead
	again    = 3       // how much farther a way seems for each time that it was taken in the same playthrough
	tired    = 25      // so often taken in the same playthrough, a way is as good as one with nothing ahead: what is unseen may be closed for good
	wanderer = 4       // every so manieth playthrough goes by chance: what is unseen may be closed where it seems near
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

// from is how far it is from a place, by what is known of those behind it.
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

// through is how far it is by one of the ways that lead on from a place.
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

// pick takes the open way by which it is nearest to something unseen; of several that are alike, one by the seed.
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
