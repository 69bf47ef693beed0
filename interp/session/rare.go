package session

import (
	"errors"

	"arbiter/interp/machine"
	"arbiter/interp/split"
)

// This file lets the fights of a script take their course by chance, for an estimate of something rare.

// RareEvent is what may happen in a fight.
type RareEvent struct {
	Kind RareKind
	Who  int // the side that wins, or the member that falls
	Most int // of LongFight, the rounds
}

// RareKind is a kind of event.
type RareKind uint8

const (
	SideWins  RareKind = iota
	Falls              // is defeated at the end
	LongFight          // takes at least so many rounds
)

// Rare plays the fights of Trials so that they can be split. It is not safe for concurrent use; Clone makes one for each
// goroutine.
type Rare struct {
	t     *Trials
	event RareEvent
	vital []int32
	kept  []keptFight
	above float64
	step  split.Step
	begun bool // the fight has begun
}

// keptFight is a fight before a turn.
type keptFight struct {
	state  machine.State
	course course
	step   split.Step
}

// errNotSplit is that a script does not let tactics play just one fight.
var errNotSplit = errors.New("only one fight that is played by tactics alone can be split: this script does something in between, or fights several times")

// Rare returns the process of the fights toward an event. The trials must not be used otherwise any more.
func (t *Trials) Rare(e RareEvent) (*Rare, error) {
	if t.script != nil {
		return nil, errNotSplit
	}
	t.m.Restore(&t.start)
	r := &Rare{t: t, event: e, vital: t.adviser.origin.vital(len(t.members))}
	r.attend()
	return r, nil
}

// attend has the fights looked at before each turn.
func (r *Rare) attend() {
	r.t.m.Ledger = nil
	r.t.halt = func() bool {
		r.step.Height = r.height()
		return r.step.Height > r.above
	}
}

// Clone returns a process for another goroutine.
func (r *Rare) Clone() (*Rare, error) {
	t, err := r.t.Clone()
	if err != nil {
		return nil, err
	}
	c := &Rare{t: t, event: r.event, vital: r.vital}
	c.attend()
	return c, nil
}

// Begin implements split.Process.
func (r *Rare) Begin(seed uint64) error {
	t := r.t
	t.m.Restore(&t.start)
	t.m.State().Seed = seed
	r.step, r.begun = split.Step{}, false
	return nil
}

// Advance implements split.Process. It looks at a fight before each turn.
func (r *Rare) Advance(above float64) (split.Step, error) {
	t := r.t
	if r.step.Ended {
		return r.step, nil
	}
	var o Outcome
	var err error
	if r.above = above; !r.begun {
		r.begun = true
		if !t.inFight {
			err = t.finish(t.m.BeginFight())
		}
		if err == nil {
			o, err = t.playOn(nil)
		}
	} else {
		o, err = t.goOn(false)
	}
	if err == errHalted {
		return r.step, nil
	}
	if err != nil {
		return r.step, err
	}
	r.step.Ended = true
	switch r.event.Kind {
	case SideWins:
		r.step.Happened = o.Side == r.event.Who
	case Falls:
		r.step.Happened = t.Down(r.event.Who)
	case LongFight:
		r.step.Happened = o.Rounds >= r.event.Most
	}
	return r.step, nil
}

// maxKeptFights bounds the fights that are kept by one goroutine, in bytes.
const maxKeptFights = 64 << 20

// Room implements split.Process.
func (r *Rare) Room() int { return maxKeptFights / (2 * r.t.start.Bytes()) } // a fight under way is larger than its start

// Keep implements split.Process.
func (r *Rare) Keep(slot int) {
	for len(r.kept) <= slot {
		r.kept = append(r.kept, keptFight{})
	}
	k := &r.kept[slot]
	k.state.StoreFrom(r.t.m.State())
	k.course, k.step = r.t.course, r.step
}

// Resume implements split.Process.
func (r *Rare) Resume(slot int, seed uint64) error {
	k := &r.kept[slot]
	r.t.m.Restore(&k.state)
	r.t.m.State().Seed = seed
	r.t.course, r.step, r.begun = k.course, k.step, true
	return nil
}

// height is how close a fight has come to the event: of what decides who is defeated, the part that those have left who
// want it to happen, of what both have.
func (r *Rare) height() float64 {
	if r.event.Kind == LongFight {
		return float64(r.t.m.State().Order.Round())
	}
	var left, members [2]float64 // of those for it and those against
	for i := range r.t.members {
		side := 0
		switch {
		case r.event.Kind == SideWins && r.t.members[i].side != r.event.Who:
			side = 1
		case r.event.Kind == Falls && i == r.event.Who:
			side = 1
		case r.event.Kind == Falls && r.t.members[i].side == r.t.members[r.event.Who].side:
			continue
		}
		members[side]++
		left[side] += remaining(r.t.m, int32(i), r.vital)
	}
	for side := range left {
		left[side] /= max(1, members[side])
	}
	if left[0] == 0 {
		return 0
	}
	return left[0] / (left[0] + left[1])
}
