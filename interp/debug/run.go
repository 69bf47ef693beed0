package debug

import (
	"errors"
	"fmt"
	"strings"

	"arbiter/interp/machine"
	"arbiter/interp/session"
	"arbiter/lang/ast"
)

// This file is one course of events: a script that is played once, from its beginning to wherever it is left.

// kind of a goal.
type kind uint8

const (
	runOn kind = iota
	stepIn
	stepOver
	stepOut
	arrive // at a moment
	search // for the latest moment before one at which another goal would stop
)

// goal says when to stop.
type goal struct {
	kind   kind
	of     kind // of a search
	from   spot // where it was set
	until  int64
	reason Reason
}

// spot is a place in running code.
type spot struct {
	depth int   // how many pieces of code are under way
	code  int64 // which one runs: its activation
	file  int32
	line  int32
}

// run is one course of events. Its fields belong to its goroutine while that plays, and to the debugger while it waits.
type run struct {
	d           *Debugger
	stage       *session.Stage
	m           *machine.Machine
	goal        goal
	silentUntil int64 // up to this moment nothing is told to Options.Out
	orders      chan func()
	done        chan struct{}
	text        *strings.Builder

	moment    int64
	found     int64 // by a search
	dice      int   // how many have fallen
	die       *Die  // is about to fall
	statement spot
	file      string // of the statement
	span      ast.Span
	spot      spot
	lines     []spot                // of the code under way: where each is, by depth
	inPoint   map[*Breakpoint]int64 // those in whose code it is: the activation
	abandoned bool
	resumed   bool
	gaining   int32 // the effect that is being gained, -1: none
	result    *session.Result
}

// Die is about to fall.
type Die struct {
	Who, Label string
	Sides      int32
	Face       int64 // if nobody sets it
}

// play plays the script to its end.
func (r *run) play() {
	defer close(r.done)
	o := r.d.o.Session
	o.Attendant, o.Out = r, (*teller)(r)
	r.gaining, r.inPoint = -1, map[*Breakpoint]int64{}
	r.result = session.Run(r.d.script, o)
	if r.abandoned || r.goal.kind == search {
		return
	}
	s := Stop{Reason: Ended}
	if list := r.result.Failures; len(list) > 0 {
		s.Err = errors.New(list[0].Message)
		s.Text = list[0].String()
	}
	r.d.stops <- s
}

// abandon ends the run.
func (r *run) abandon() {
	for {
		select {
		case <-r.done:
			return
		case r.orders <- func() { r.abandoned = true }:
		case <-r.d.stops: // nobody is interested in it any more
		}
	}
}

// do lets the goroutine of the run carry out an order, now if it waits, else soon.
func (r *run) do(order func()) error {
	finished := make(chan struct{})
	select {
	case r.orders <- func() { defer close(finished); order() }:
		<-finished
		return nil
	case <-r.done:
		return errOver
	}
}

// stop waits for orders until one of them lets the script play on.
func (r *run) stop(s Stop) {
	r.d.stops <- s
	for r.resumed = false; !r.resumed && !r.abandoned; {
		(<-r.orders)()
	}
	r.leave()
}

// poll takes an order while the script plays.
func (r *run) poll() {
	select {
	case order := <-r.orders:
		order()
		r.leave()
	default:
	}
}

// leave ends a run that was abandoned.
func (r *run) leave() {
	if r.abandoned {
		r.m.Interrupt("the debugger has ended the script")
	}
}

// teller takes the transcript.
type teller run

// Write implements io.Writer.
func (t *teller) Write(b []byte) (int, error) {
	const most = 64 << 20
	if t.text.Len() < most {
		t.text.Write(b)
	}
	if out := t.d.o.Out; out != nil && t.moment >= t.silentUntil && t.goal.kind != search {
		return out.Write(b)
	}
	return len(b), nil
}

// Begin implements session.Attendant.
func (r *run) Begin(s *session.Stage) {
	r.stage, r.m = s, s.Machine()
}

// Statement implements session.Attendant.
func (r *run) Statement(file string, span ast.Span) bool {
	if r.abandoned {
		return false
	}
	r.file, r.span = file, span
	r.statement = spot{file: r.d.places.fileNumber(file), line: int32(span.Start.Line)}
	r.tell(r.statement, -1)
	return !r.abandoned
}

// End implements session.Attendant.
func (r *run) End() {
	if r.abandoned {
		return
	}
	r.moment++
	switch g := &r.goal; {
	case g.kind == search, g.kind == arrive && r.moment < g.until:
	case r.d.o.StopAtEnd, g.kind == arrive:
		r.stop(Stop{Reason: AtEnd})
	}
}

// Instruction implements machine.Observer.
func (r *run) Instruction(m *machine.Machine, pc int32) {
	if r.abandoned {
		m.Interrupt("the debugger has ended the script")
		return
	}
	p := r.d.places
	if int(pc) >= len(p.lines) { // the statement's own code
		return
	}
	s := spot{file: p.files[pc], line: p.lines[pc]}
	if list := m.Evaluations(); len(list) > 0 {
		s.depth = len(m.State().Frames) + len(list)
		e := &list[len(list)-1]
		s.code = int64(s.depth)<<40 | int64(e.ID)<<20 ^ int64(e.Base)
	} else {
		s.depth = len(m.State().Frames)
		f := &m.State().Frames[s.depth-1]
		s.code = int64(s.depth)<<40 | int64(m.ChunkAt(pc))<<20 ^ int64(f.Base)
	}
	r.tell(s, pc)
}

// Enter and Leave implement machine.Observer.
func (r *run) Enter(m *machine.Machine, e *machine.Evaluation) {
	if r.abandoned || e.Kind == machine.ChunkEvaluation {
		return
	}
	if points := r.d.evaluated(e, m.Program(), false); points != nil {
		r.happen(points)
	}
}

func (r *run) Leave(m *machine.Machine, _ int64) {
	list := m.Evaluations()
	e := &list[len(list)-1]
	if r.abandoned || e.Kind != machine.HookEvaluation {
		return
	}
	if points := r.d.evaluated(e, m.Program(), true); points != nil {
		r.happen(points)
	}
}

// Gained implements machine.Observer.
func (r *run) Gained(m *machine.Machine, effect, bearer int32) {
	if points := r.d.gaining(effect); points != nil && !r.abandoned {
		r.gaining = bearer
		r.happen(points)
		r.gaining = -1
	}
}

// Die implements session.Attendant.
func (r *run) Die(who string, x *machine.Result, face int64) int64 {
	if r.abandoned {
		return face
	}
	r.die = &Die{Who: who, Label: x.Label, Sides: x.Sides, Face: face}
	if points := r.d.rolled(x.Label); points != nil {
		r.happen(points)
	}
	if set, ok := r.d.faces[r.dice]; ok && set >= 1 && (x.Sides == 0 || set <= int64(x.Sides)) {
		face = set
	}
	r.die = nil
	r.dice++
	return face
}

// tell is told of a spot, and stops there if it is to.
func (r *run) tell(s spot, pc int32) {
	r.moment++
	arrived := false
	if s.line > 0 {
		arrived = s.depth >= len(r.lines) || r.lines[s.depth] != s
		for len(r.lines) < s.depth {
			r.lines = append(r.lines, spot{})
		}
		r.lines = append(r.lines[:s.depth], s)
		r.spot = s
	} else {
		r.spot.depth, r.spot.code = s.depth, s.code
	}
	if r.moment&1023 == 0 {
		if r.poll(); r.abandoned {
			return
		}
	}
	r.decide(r.hit(s, pc), arrived, s)
}

// happen is told of what is no instruction: a stat that is computed, an effect that is gained, a die.
func (r *run) happen(points []*Breakpoint) {
	r.moment++
	r.decide(r.holding(points), false, r.spot)
}

// decide stops if the goal is reached.
func (r *run) decide(hits []*Breakpoint, arrived bool, s spot) {
	g := &r.goal
	switch g.kind {
	case search:
		if r.moment >= g.until {
			r.abandoned = true
			r.leave()
			return
		}
		if len(hits) > 0 && g.of == runOn || g.of == stepOver && arrived && s != g.from && s.depth <= g.from.depth {
			r.found = r.moment
		}
		return
	case arrive:
		if r.moment == g.until {
			r.stop(Stop{Reason: g.reason, Text: r.describe(hits), Breakpoints: ids(hits)})
		}
		return
	}
	if len(hits) > 0 {
		r.stop(Stop{Reason: AtBreakpoint, Text: r.describe(hits), Breakpoints: ids(hits)})
		return
	}
	if r.d.takePause() {
		r.stop(Stop{Reason: Paused})
		return
	}
	switch {
	case g.kind == stepOut && s.depth < g.from.depth:
		r.stop(Stop{Reason: AfterStep})
	case !arrived || s == g.from:
	case g.kind == stepIn && g.from == (spot{}):
		r.stop(Stop{Reason: AtEntry})
	case g.kind == stepIn, g.kind == stepOver && s.depth <= g.from.depth:
		r.stop(Stop{Reason: AfterStep})
	}
}

// takePause says whether somebody wants a pause.
func (d *Debugger) takePause() bool { return d.pause.Load() && d.pause.CompareAndSwap(true, false) }

// describe says what has stopped the script.
func (r *run) describe(hits []*Breakpoint) string {
	var parts []string
	for _, b := range hits {
		parts = append(parts, b.describe())
	}
	if r.die != nil {
		parts = append(parts, fmt.Sprintf("%s rolls d%d for %s", r.die.Who, r.die.Sides, r.die.Label))
	}
	if r.gaining >= 0 {
		parts = append(parts, r.stage.NameOf(int64(r.gaining))+" gains it")
	}
	return strings.Join(parts, "; ")
}
