package session

import (
	"maps"
	"slices"

	"arbiter/interp/machine"
	"arbiter/lang/ast"
)

// This file bounds what a run keeps of what has happened: one whose result lists everything ends in an error when it
// becomes too much, every other forgets what happened long ago.

// Limits of a run that keeps everything. A command has limits of its own, so a run exceeds these by one command at most.
const (
	maxRunEvents = 500_000
	maxRunText   = 64 << 20 // bytes of the transcript
)

// What a run keeps at least of its history if it forgets.
const (
	keptEvents     = 5_000  // of a script that runs
	keptEventsLive = 50_000 // of interactive play, where rolls are explained and changes listed
	keptText       = 1 << 20
)

// bounds are the limits of one run; tests lower them.
type bounds struct {
	events, text, kept, keptText int
	spilled, commands            int // bytes of the transcript and of the commands in memory, if older ones are in files
}

// boundsOf returns the bounds of a run.
func boundsOf(o *Options) bounds {
	if !o.Forgetful || o.Record {
		return bounds{events: maxRunEvents, text: maxRunText}
	}
	return bounds{text: maxRunText, kept: keptEvents, keptText: keptText}
}

// comparesTranscript reports whether a script states what it prints, so that this must be kept.
func comparesTranscript(body []ast.Clause) bool {
	for _, cl := range body {
		for x := range ast.WithNested(cl) {
			if d, ok := x.(*ast.Directive); ok && d.Word.Name == "transcript" {
				return true
			}
		}
	}
	return false
}

// hasRoom reports whether there is room for what another command tells; if not, the run ends before it.
func (p *player) hasRoom(span ast.Span) bool {
	switch b := &p.bounds; {
	case b.events > 0 && len(p.result.Events) >= b.events:
		p.halt(span, "limit", "more than %d events in one run", b.events)
		p.addHint("let it end earlier; `arbiter run` without --json keeps no list of events, and `arbiter sim` none at all")
	case b.text > 0 && p.narrator.output.Held() >= b.text:
		p.halt(span, "limit", "the transcript of one run has more than %d bytes", b.text)
		p.addHint("let it end earlier, or tell less: shorter notes")
	case b.text > 0 && p.live != nil && p.live.commands.bytes.Held() >= b.text:
		p.halt(span, "limit", "the commands of one run have more than %d bytes", b.text)
		p.addHint("start another game")
	default:
		return true
	}
	return false
}

// forgetOld forgets what happened long ago. It is called between commands, and keeps what has happened since the last
// mark, so between once and twice what a run keeps.
func (p *player) forgetOld() {
	b, now := &p.bounds, p.m.HistoryMark()
	if b.keptText > 0 {
		if p.narrator.output.Forget(b.keptText) {
			p.narrator.skipped = nil
		}
	}
	if p.remembered.Events > now.Events { // undone
		p.remembered = machine.HistoryMark{}
	}
	if b.kept == 0 || int(now.Events-p.remembered.Events) < b.kept {
		return
	}
	from := int32(p.remembered.Events)
	p.m.Forget(p.remembered)
	p.result.Events = slices.Clone(p.eventsSince(from))
	maps.DeleteFunc(p.recordedEvents, func(id int32, _ bool) bool { return id <= from })
	t := p.narrator
	maps.DeleteFunc(t.depths, func(id int32, _ int) bool { return id <= from })
	t.rolls = slices.DeleteFunc(slices.Clone(t.rolls), func(r roll) bool { return r.event <= from })
	p.remembered = now
}
