// Package debug stops rules while they run, shows what they do, and goes back in time.
//
// A script is played in a goroutine of its own by the session, which tells the debugger of each statement, instruction,
// evaluation and die. Where it is to stop, that goroutine waits, and carries out what the debugger's user asks for in the
// meantime; so whoever asks sees the machine between two instructions, and nobody else touches it.
//
// What is told is numbered. The number is a moment: since everything is deterministic, the same script with the same dice
// comes by the same moments in the same order. To go back, the script is played again from its beginning, silently, up to
// an earlier moment. A die that was set is a face with the number of its roll; when the script is played again, it falls
// the same.
//
// The package must never know how it is asked: by an editor, or at a prompt.
package debug

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/ir"
	"arbiter/interp/session"
)

// Reason says why the script stopped.
type Reason string

const (
	AtEntry      Reason = "entry"
	AtBreakpoint Reason = "breakpoint"
	AfterStep    Reason = "step"
	Paused       Reason = "pause"
	AtEnd        Reason = "end"  // of the script, if Options.StopAtEnd
	Ended        Reason = "over" // it no longer runs
)

// Stop is where and why a script has stopped.
type Stop struct {
	Reason      Reason
	Text        string // for a person
	Breakpoints []int  // the ids of those that were hit
	Err         error  // of Ended: the script failed
}

// Options configures a debugger.
type Options struct {
	Session     session.Options
	StopAtEntry bool
	StopAtEnd   bool
	Out         io.Writer // the transcript, as it is told; what is played again is not told twice
}

// Debugger plays a script. Its methods may be called from one goroutine at a time, except Pause.
type Debugger struct {
	script *build.Script
	o      Options
	places *places
	faces  map[int]int64 // dice that were set, by the number of their roll

	run   *run
	stops chan Stop
	pause atomic.Bool

	points []*Breakpoint // in the order of their ids
	nextID int
}

// errOver is the error of what needs a script that has stopped, after it has ended.
var errOver = errors.New("the script is over: start it again, or step back")

// New prepares a script for debugging. Its rules are compiled anew, without optimizations, so that each name has a place.
func New(s *build.Script, o Options) (*Debugger, error) {
	variables := map[int32][]variable{}
	named := func(chunk int32, registers map[*ir.Var]int) { variables[chunk] = variablesOf(registers) }
	plain, err := s.Recompiled(compile.Options{AnnounceAll: s.WaitsForEvents(), Unoptimized: true, Named: named})
	if err != nil {
		return nil, err
	}
	d := &Debugger{script: plain, o: o, faces: map[int]int64{}, stops: make(chan Stop, 1)}
	d.places = newPlaces(plain, variables)
	return d, nil
}

// Start begins to play the script. Stops tells where it stops.
func (d *Debugger) Start() {
	goal := goal{kind: runOn}
	if d.o.StopAtEntry {
		goal.kind = stepIn
	}
	d.begin(goal, 0)
}

// Stops tells where the script stops, once for each time that it was started or resumed.
func (d *Debugger) Stops() <-chan Stop { return d.stops }

// Resuming the script. Each returns at once; Stops tells where it stops next.

// Continue plays on to the next breakpoint.
func (d *Debugger) Continue() error { return d.resume(goal{kind: runOn}) }

// StepIn plays on to the next line, also of what is called, or interrupts.
func (d *Debugger) StepIn() error { return d.resume(goal{kind: stepIn}) }

// StepOver plays on to the next line of the same code, or of what called it.
func (d *Debugger) StepOver() error { return d.resume(goal{kind: stepOver}) }

// StepOut plays on to what called the running code.
func (d *Debugger) StepOut() error { return d.resume(goal{kind: stepOut}) }

// StepBack goes back to the line before, of the same code or of what called it.
func (d *Debugger) StepBack() error { return d.back(goal{kind: stepOver}) }

// ContinueBack goes back to the breakpoint before, or to the beginning.
func (d *Debugger) ContinueBack() error { return d.back(goal{kind: runOn}) }

// Pause stops the script as soon as it is told of something.
func (d *Debugger) Pause() {
	d.pause.Store(true)
}

// Close ends the script, wherever it is, and waits for its goroutine.
func (d *Debugger) Close() {
	if d.run != nil {
		d.run.abandon()
	}
}

// resume lets a script that has stopped play on.
func (d *Debugger) resume(g goal) error {
	r := d.run
	if r == nil {
		return errOver
	}
	return r.do(func() {
		g.from = r.spot
		r.goal, r.resumed = g, true
	})
}

// back finds the latest moment before now at which a goal would have stopped, and goes there.
func (d *Debugger) back(g goal) error {
	r := d.run
	if r == nil {
		return errOver
	}
	now := int64(0)
	if r.do(func() { now, g.from = r.moment, r.spot }) != nil {
		now, g.from.depth = r.moment+1, 1<<30
	}
	d.again(goal{kind: search, of: g.kind, from: g.from, until: now}, now)
	found, reason := max(d.run.found, 1), AfterStep
	switch {
	case d.run.found == 0:
		reason = AtEntry
	case g.kind == runOn:
		reason = AtBreakpoint
	}
	d.again(goal{kind: arrive, until: found, reason: reason}, found)
	return nil
}

// again plays the script from its beginning, in silence up to a moment, and waits for it if it only searches.
func (d *Debugger) again(g goal, silent int64) {
	d.run.abandon()
	for _, b := range d.points {
		b.hits = 0
	}
	d.begin(g, silent)
	if g.kind == search {
		<-d.run.done
	}
}

// begin begins to play the script.
func (d *Debugger) begin(g goal, silent int64) {
	r := &run{d: d, goal: g, silentUntil: silent, orders: make(chan func()), done: make(chan struct{}), text: &strings.Builder{}}
	d.run = r
	go r.play()
}

// While runs a function while the script has stopped: what it reads is as it was at that moment.
func (d *Debugger) While(f func(v *View)) error {
	r := d.run
	if r == nil {
		return errOver
	}
	return r.do(func() { f(&View{r}) })
}

// SetDie sets the face of the next die that falls: of the one that is about to fall, if the script has stopped there.
// Dice after it that were set before fall by the seed again, because they may be other ones now.
func (d *Debugger) SetDie(face int64) error {
	if face < 1 {
		return errors.New("the faces of a die begin with 1")
	}
	var wrong error
	err := d.While(func(v *View) {
		r := v.r
		if r.die != nil && r.die.Sides > 0 && face > int64(r.die.Sides) {
			wrong = fmt.Errorf("a d%d has no face %d", r.die.Sides, face)
			return
		}
		for k := range d.faces {
			if k >= r.dice {
				delete(d.faces, k)
			}
		}
		d.faces[r.dice] = face
	})
	return cmp.Or(err, wrong)
}

// Transcript returns what has been told so far, in the present course of events.
func (d *Debugger) Transcript() string {
	text := ""
	if d.While(func(v *View) { text = v.r.text.String() }) != nil && d.run != nil {
		text = d.run.text.String()
	}
	return text
}

// Text returns the text of a file of the rules or of the script, nil if it is not known.
func (d *Debugger) Text(file string) []byte { return d.script.Rules.Text(file) }
