package session

import (
	"cmp"
	"maps"
	"slices"

	"arbiter/interp/check"
	"arbiter/interp/compile"
	"arbiter/interp/ground"
	"arbiter/interp/machine"
	"arbiter/interp/view"
	"arbiter/stdlib/journal"
)

// This file goes back to an earlier moment of a fight.

// moment is a snapshot of a player. Data that only grows (the journal, the transcript, the events) is not copied;
// recall truncates it to the length it had.
type moment struct {
	state   machine.State
	journal journal.Mark

	names           *check.Script
	members         []member
	sides           []string
	field           *ground.Field
	dice, answers   queue
	fought, hasSeed bool
	seed            uint64
	ended           string
	failed          int
	known           compile.Checkpoint
	transcripts     int

	latestStart int    // offset in the transcript of what was told last of a story
	title       string // the last title shown

	narrator narrator // with copies of its maps
	length   int      // length of the transcript

	recorded *recorderMark
}

// snapshot takes a snapshot. It must not be called while a command runs.
func (p *player) snapshot() *moment {
	x := &moment{
		journal: p.m.Journal.Mark(), names: p.names.Clone(), members: append([]member(nil), p.members...), sides: append([]string(nil), p.sides...),
		field: p.field, dice: p.dice.clone(), answers: p.answers.clone(), fought: p.fought, hasSeed: p.hasSeed, seed: p.result.Seed, ended: p.result.Ended,
		known: p.compiler.Checkpoint(), failed: len(p.result.Failures), transcripts: len(p.transcripts), length: p.narrator.output.Len(),
	}
	if p.story != nil {
		x.latestStart, x.title = p.story.latestStart, p.story.title
	}
	p.m.Snapshot(&x.state)
	x.recorded = p.recorder.mark()
	x.narrator = p.narrator.snapshot()
	return x
}

// restore restores a snapshot.
func (p *player) restore(x *moment) {
	p.m.Abort()
	p.m.Restore(&x.state)
	p.m.Journal.Truncate(x.journal)
	p.m.TruncateExplanations(int32(x.journal) + 1)
	p.names = x.names.Clone()
	p.compiler.Rollback(x.known)
	p.members, p.sides = append([]member(nil), x.members...), append([]string(nil), x.sides...)
	if p.field = x.field; x.field != nil && p.m.Ground != machine.Ground(x.field) {
		x.field.AttachTo(p.m)
	} else if x.field == nil && p.m.Ground != nil {
		p.m.RemoveGround()
	}
	if p.story != nil {
		p.story.latestStart, p.story.title = x.latestStart, x.title
	}
	p.dice, p.answers, p.fought, p.hasSeed = x.dice.clone(), x.answers.clone(), x.fought, x.hasSeed
	p.result.Seed, p.result.Ended = x.seed, x.ended
	p.result.Failures, p.transcripts = p.result.Failures[:x.failed], p.transcripts[:x.transcripts]
	p.stopped, p.playing, p.refusedBy = false, false, -1
	p.narrator.back(&x.narrator, x.length)
	p.untellEvents(int32(x.journal))
	p.recorder.back(x.recorded, int32(x.journal))
}

// untellEvents forgets that events later than after were told, and truncates the recorded events.
func (p *player) untellEvents(after int32) {
	p.result.Events = p.result.Events[:len(p.result.Events)-len(p.eventsSince(after))]
	maps.DeleteFunc(p.recordedEvents, func(id int32, _ bool) bool { return id > after })
}

// eventsSince returns the recorded events later than after.
func (p *player) eventsSince(after int32) []view.Event {
	list := p.result.Events
	at, _ := slices.BinarySearchFunc(list, after+1, func(e view.Event, id int32) int { return cmp.Compare(e.ID, id) })
	return list[at:]
}

// snapshot returns a copy of the narrator without data that only grows: the transcript, and what is known of events by
// their number.
func (t *narrator) snapshot() narrator {
	x := *t
	x.output, x.depths, x.rolls = nil, nil, nil
	x.sinceChoice = slices.Clip(t.sinceChoice) // so that neither overwrites what the other appends
	x.rollCounts, x.instances = maps.Clone(t.rollCounts), maps.Clone(t.instances)
	x.pendingEffects = append([]effectGroup(nil), t.pendingEffects...)
	return x
}

// back restores the narrator, with the transcript truncated.
func (t *narrator) back(x *narrator, where int) {
	all, depth, rolls := t.output, t.depths, t.rolls
	all.Truncate(where)
	*t = x.snapshot()
	t.output, t.depths, t.rolls = all, depth, rolls
	after := int32(t.position)
	for n := len(t.rolls) - 1; n >= 0 && t.rolls[n].event > after; n-- {
		t.rolls = t.rolls[:n]
	}
	maps.DeleteFunc(t.depths, func(id int32, _ int) bool { return id > after })
}

func (q *queue) clone() queue {
	x := *q
	x.named, x.ordered, x.requested = append([]scriptedValue(nil), q.named...), append([]scriptedValue(nil), q.ordered...), append([]string(nil), q.requested...)
	return x
}
