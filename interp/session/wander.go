package session

import (
	"errors"
	"slices"

	"arbiter/interp/build"
	"arbiter/interp/machine"
	"arbiter/interp/story"
	"arbiter/lang/diag"
)

// This file plays a story repeatedly without output. Nothing is compiled, checked or recorded on the way; only the
// state is restored between playthroughs.

// Wanderer plays through the story of an adventure. It is not safe for concurrent use; each goroutine makes its own.
type Wanderer struct {
	p      *player
	start  machine.State
	party  []member
	counts []uint64
}

// Pick chooses among the open choices of an operation and returns the index of one, or -1 for a random one. The list is
// only valid during the call.
type Pick func(at int32, open []int) int

// Journey is the result of one playthrough.
type Journey struct {
	Ending  int32 // index into the endings of the story, -1 if it did not end
	Choices int
	Steps   int64            // operations run
	Failure *diag.Diagnostic // what stopped it, or nil
	Hash    uint64           // of the final state
}

// NewWanderer compiles the story of an adventure and places the party.
func NewWanderer(s *build.Script, o Options) (*Wanderer, error) {
	if s.Story == nil {
		return nil, errors.New(s.Path + " is not an adventure: there is no story to play through")
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

// Points returns what is counted; Counts returns the counts, which add up until the caller clears them.
func (w *Wanderer) Points() *story.Points { return w.p.tale.points }
func (w *Wanderer) Counts() []uint64      { return w.counts }

// Wander makes one playthrough. The same seed and picks give the same journey.
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

// back restores the state before the story began.
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
