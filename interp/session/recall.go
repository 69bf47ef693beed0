package session

import (
	"maps"

	"arbiter/interp/check"
	"arbiter/interp/compile"
	"arbiter/interp/ground"
	"arbiter/interp/machine"
	"arbiter/stdlib/journal"
)

// This file goes back to an earlier moment of a fight.

// moment is a snapshot of a player. Data that only grows (the journal, the transcript, the events) is not copied;
// recall truncates it to the length it had.
type moment struct {
	state   machine.State
	journal journal.Mark

	names          *check.Script
	members        []member
	sides          []string
	field          *ground.Field
	dice, answers  queue
	fought, seeds  bool
	seed           uint64
	ended          string
	events, failed int
	known          compile.Known
	transcripts    int

	began int    // offset in the transcript of what was told last of a story
	title string // the last title shown

	told  teller // with copies of its maps
	where int    // length of the transcript
}

// moment takes a snapshot. It must not be called while a command runs.
func (p *player) moment() *moment {
	x := &moment{
		journal: p.m.Journal.Mark(), names: p.names.Clone(), members: append([]member(nil), p.members...), sides: append([]string(nil), p.sides...),
		field: p.field, dice: p.dice.clone(), answers: p.answers.clone(), fought: p.fought, seeds: p.seeds, seed: p.result.Seed, ended: p.result.Ended,
		known: p.loose.Known(), events: len(p.result.Events), failed: len(p.result.Failures), transcripts: len(p.transcripts), where: len(p.out.all),
	}
	if p.tale != nil {
		x.began, x.title = p.tale.began, p.tale.title
	}
	p.m.Snapshot(&x.state)
	x.told = p.out.kept()
	return x
}

// recall restores a snapshot.
func (p *player) recall(x *moment) {
	p.m.Abort()
	p.m.Restore(&x.state)
	p.m.Journal.Truncate(x.journal)
	p.m.Forget(int32(x.journal) + 1)
	p.names = x.names.Clone()
	p.loose.Forget(x.known)
	p.members, p.sides = append([]member(nil), x.members...), append([]string(nil), x.sides...)
	if p.field = x.field; x.field != nil && p.m.Field != machine.Field(x.field) {
		x.field.Under(p.m)
	} else if x.field == nil && p.m.Field != nil {
		p.m.Unground()
	}
	if p.tale != nil {
		p.tale.began, p.tale.title = x.began, x.title
	}
	p.dice, p.answers, p.fought, p.seeds = x.dice.clone(), x.answers.clone(), x.fought, x.seeds
	p.result.Seed, p.result.Ended = x.seed, x.ended
	p.result.Failures, p.transcripts = p.result.Failures[:x.failed], p.transcripts[:x.transcripts]
	p.stopped, p.playing, p.refusedBy = false, false, -1
	p.out.back(&x.told, x.where)
	p.untold(int32(x.journal), x.events)
}

// untold forgets that events later than after were told, and truncates the recorded events.
func (p *player) untold(after int32, events int) {
	p.result.Events = p.result.Events[:events]
	maps.DeleteFunc(p.told, func(id int32, _ bool) bool { return id > after })
}

// kept returns a copy of the teller without data that only grows: the transcript, and what is known of events by their
// number.
func (t *teller) kept() teller {
	x := *t
	x.all, x.depth = nil, nil
	x.nth, x.borne = maps.Clone(t.nth), maps.Clone(t.borne)
	x.last = append([]gathered(nil), t.last...)
	return x
}

// back restores the teller, with the transcript truncated.
func (t *teller) back(x *teller, where int) {
	all, depth, rolls := t.all[:where], t.depth, t.rolls
	*t = x.kept()
	t.all, t.depth, t.rolls = all, depth, rolls[:len(x.rolls)]
	after := int32(t.read)
	maps.DeleteFunc(t.depth, func(id int32, _ int) bool { return id > after })
}

func (q *queue) clone() queue {
	x := *q
	x.named, x.ordered, x.asked = append([]scripted(nil), q.named...), append([]scripted(nil), q.ordered...), append([]string(nil), q.asked...)
	return x
}
