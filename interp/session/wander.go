package session

import (
	"errors"
	"slices"

	"arbiter/interp/build"
	"arbiter/interp/machine"
	"arbiter/interp/story"
	"arbiter/lang/diag"
)

// This file tells a story again and again with nobody listening. Nothing is compiled or checked on the way, nothing is
// recorded, and only the state is put back before the next time.

// Wanderer goes through the story of an adventure. It is not to be used by several goroutines; each makes its own.
type Wanderer struct {
	p      *player
	start  machine.State
	party  []member
	counts []uint64
}

// Pick chooses among the ways that are open at an operation, and gives the index of one; -1 is one by chance. The list is
// good for the call only.
type Pick func(at int32, open []int) int

// Journey is how one playthrough went.
type Journey struct {
	Ending  int32 // of the story's endings, -1: it did not end
	Choices int
	Steps   int64            // operations that were carried out
	Failure *diag.Diagnostic // what stopped it; nil: nothing did
	Hash    uint64           // of the final state
}

// NewWanderer compiles the story of an adventure and places the party.
func NewWanderer(s *build.Script, o Options) (*Wanderer, error) {
	if s.Story == nil {
		return nil, errors.New(s.Path + " is no adventure: there is no story to walk through")
	}
	p := newPlayer(s, o)
	if len(p.result.Failures) > 0 {
		return nil, errors.New(p.result.Failures[0].String())
	}
	p.m.Journal, p.m.Asked, p.quiet = nil, false, true
	w := &Wanderer{p: p, party: slices.Clone(p.members)}
	p.tale.points = s.Story.Points()
	w.counts = make([]uint64, len(p.tale.points.List))
	p.tale.counts = w.counts
	p.m.Snapshot(&w.start)
	return w, nil
}

// Points number what may happen; Counts say how often it did, until somebody clears them.
func (w *Wanderer) Points() *story.Points { return w.p.tale.points }
func (w *Wanderer) Counts() []uint64      { return w.counts }

// Wander goes through the story once. The same seed and picks are the same journey.
func (w *Wanderer) Wander(seed uint64, pick Pick) Journey {
	p := w.p
	w.back()
	p.m.State().Seed = seed
	j := Journey{Ending: -1}
	p.start(0)
	for !p.stopped && p.phase() != finished {
		if p.phase() == fighting {
			p.fightOut()
			continue
		}
		if j.Choices >= mostChoices {
			p.endless()
			break
		}
		j.Choices++
		open := p.tale.ways
		way := -1
		if pick != nil {
			way = pick(int32(p.m.State().Tale[taleAt]), open)
		}
		if way < 0 {
			way = p.byChance(len(open))
		}
		p.takeWay(open[way])
	}
	j.Steps = p.m.State().Tale[taleSteps]
	j.Hash = p.m.State().Hash()
	if p.stopped {
		j.Failure = &p.result.Failures[0]
	} else {
		j.Ending = int32(p.m.State().Tale[taleEnding])
	}
	return j
}

// back puts everything back to before the story began.
func (w *Wanderer) back() {
	p := w.p
	p.m.Abort()
	for i := p.tale.placed; i < len(p.members); i++ {
		p.names.Forget(p.members[i].name)
	}
	p.members, p.sides = append(p.members[:0], w.party...), p.sides[:p.tale.sides]
	if p.field != nil {
		p.field = nil
		p.m.Unground()
	}
	p.m.Restore(&w.start)
	p.result.Failures, p.result.Ended = nil, ""
	p.stopped, p.playing, p.refusedBy = false, false, -1
}
