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

// StoryWalker plays through the story of an adventure. It is not safe for concurrent use; each goroutine makes its own.
type StoryWalker struct {
	player *player
	start  machine.State
	party  []member
	counts []uint64
}

// Pick chooses among the open choices of an operation and returns the index of one, or -1 for a random one. The list is
// only valid during the call.
type Pick func(at int32, open []int) int

// Playthrough is the result of one playthrough.
type Playthrough struct {
	Ending  int32 // index into the endings of the story, -1 if it did not end
	Choices int
	Steps   int64            // operations run
	Failure *diag.Diagnostic // what stopped it, or nil
	Hash    uint64           // of the final state
}

// NewStoryWalker compiles the story of an adventure and places the party.
func NewStoryWalker(s *build.Script, o Options) (*StoryWalker, error) {
	if s.Story == nil {
		return nil, errors.New(s.Path + " is not an adventure: there is no story to play through")
	}
	p := newPlayer(s, o)
	if len(p.result.Failures) > 0 {
		return nil, errors.New(p.result.Failures[0].String())
	}
	p.m.Journal, p.m.AskDice, p.quiet = nil, false, true
	w := &StoryWalker{player: p, party: slices.Clone(p.members)}
	p.story.points = s.Story.Points()
	w.counts = make([]uint64, len(p.story.points.List))
	p.story.counts = w.counts
	p.m.Snapshot(&w.start)
	return w, nil
}

// Points returns what is counted; Counts returns the counts, which add up until the caller clears them.
func (w *StoryWalker) Points() *story.Points { return w.player.story.points }
func (w *StoryWalker) Counts() []uint64      { return w.counts }

// Play makes one playthrough. The same seed and picks give the same playthrough.
func (w *StoryWalker) Play(seed uint64, pick Pick) Playthrough {
	p := w.player
	w.reset()
	p.m.State().Seed = seed
	played := Playthrough{Ending: -1}
	p.start(0)
	for !p.stopped && p.phase() != finished {
		if p.phase() == fighting {
			p.playFight()
			continue
		}
		if played.Choices >= maxChoices {
			p.failEndless()
			break
		}
		played.Choices++
		open := p.story.openChoices
		way := -1
		if pick != nil {
			way = pick(int32(p.m.State().Story[storyAt]), open)
		}
		if way < 0 {
			way = p.random(len(open))
		}
		p.takeChoice(open[way])
	}
	played.Steps = p.m.State().Story[storySteps]
	played.Hash = p.m.State().Hash()
	if p.stopped {
		played.Failure = &p.result.Failures[0]
	} else {
		played.Ending = int32(p.m.State().Story[storyEnding])
	}
	return played
}

// reset restores the state before the story began.
func (w *StoryWalker) reset() {
	p := w.player
	if p.story.watch != nil {
		p.story.watch.count = 0
	}
	p.m.Abort()
	for i := p.story.placed; i < len(p.members); i++ {
		p.names.Unbind(p.members[i].name)
	}
	p.members, p.sides = append(p.members[:0], w.party...), p.sides[:p.story.sides]
	if p.field != nil {
		p.field = nil
		p.m.RemoveGround()
	}
	p.m.Restore(&w.start)
	p.result.Failures, p.result.Ended = nil, ""
	p.stopped, p.playing, p.refusedBy = false, false, -1
}
