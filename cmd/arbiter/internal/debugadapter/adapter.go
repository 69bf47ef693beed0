// Package debugadapter lets editors debug scripts, over the Debug Adapter Protocol.
//
// It translates: requests into calls of interp/debug, stops into events, and what a stopped script holds into scopes and
// variables. One goroutine reads requests and answers them one after the other; another waits for stops. References to
// variables hold until the script plays on. The package must never know which editor asks, nor a rule.
package debugadapter

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/google/go-dap"

	"arbiter/interp/build"
	"arbiter/interp/debug"
	"arbiter/interp/session"
)

// Launch is what an editor states to start a script, or to join one.
type Launch struct {
	Program     string   `json:"program"`     // the file of an encounter or an adventure
	With        []string `json:"with"`        // house rules: files, or folders
	Without     []string `json:"without"`     // rulesets that are left out
	Seed        *uint64  `json:"seed"`        // overrides the script's
	StopOnEntry bool     `json:"stopOnEntry"` // stop before the first statement
	StopAtEnd   bool     `json:"stopAtEnd"`   // stop after the last one, from where one can step back
	NoDebug     bool     `json:"noDebug"`     // only play it
}

// Options configures an adapter.
type Options struct {
	Build   func(l Launch) (*build.Script, error) // builds the script of a launch
	Program string                                // what is debugged if the editor names no program
}

// Serve talks to one editor until it disconnects. The error is nil if it did so properly, or closed the stream.
func Serve(in io.Reader, out io.Writer, o Options) error {
	a := &adapter{o: o, out: out}
	defer a.close()
	r := bufio.NewReader(in)
	for {
		m, err := dap.ReadProtocolMessage(r)
		var unknown *dap.DecodeProtocolMessageFieldError
		switch {
		case errors.As(err, &unknown):
			a.refuse(unknown.Seq, unknown.FieldValue, fmt.Errorf("%s is not understood here", unknown.FieldValue))
			continue
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.ErrClosedPipe):
			return nil
		case err != nil:
			return err
		}
		q, ok := m.(dap.RequestMessage)
		if !ok {
			continue
		}
		if a.answer(q); a.left {
			return nil
		}
	}
}

// adapter serves one editor.
type adapter struct {
	o        Options
	out      io.Writer
	writing  sync.Mutex // guards out and seq
	seq      int
	launch   *Launch
	d        *debug.Debugger
	begun    bool // it plays, or has played
	pumped   chan struct{}
	state    sync.Mutex // guards stopped
	stopped  bool
	refs     []func() []dap.Variable // by reference, from 1
	sources  []string                // files that are not on the disk, by reference, from 1
	lineBase int
	colBase  int
	left     bool
}

// send writes a message. An editor that no longer reads will soon close its stream, too.
func (a *adapter) send(m dap.Message) {
	a.writing.Lock()
	defer a.writing.Unlock()
	a.seq++
	switch m := m.(type) {
	case dap.ResponseMessage:
		m.GetResponse().Seq = a.seq
	case dap.EventMessage:
		m.GetEvent().Seq = a.seq
	}
	_ = dap.WriteProtocolMessage(a.out, m)
}

func event(name string) dap.Event {
	return dap.Event{ProtocolMessage: dap.ProtocolMessage{Type: "event"}, Event: name}
}

func response(q *dap.Request) dap.Response {
	return dap.Response{ProtocolMessage: dap.ProtocolMessage{Type: "response"}, Command: q.Command, RequestSeq: q.Seq, Success: true}
}

// refuse answers a request with an error.
func (a *adapter) refuse(seq int, command string, err error) {
	e := &dap.ErrorResponse{Response: response(&dap.Request{ProtocolMessage: dap.ProtocolMessage{Seq: seq}, Command: command})}
	e.Success, e.Message = false, err.Error()
	e.Body.Error = &dap.ErrorMessage{Id: 1, Format: "{why}", Variables: map[string]string{"why": err.Error()}, ShowUser: true}
	a.send(e)
}

// start builds the script of a launch.
func (a *adapter) start(arguments json.RawMessage) error {
	if a.launch != nil {
		return errors.New("a script is being debugged already")
	}
	l := &Launch{}
	if err := json.Unmarshal(arguments, l); err != nil {
		return fmt.Errorf("the launch is not understood: %w", err)
	}
	if l.Program == "" {
		l.Program = a.o.Program
	}
	if l.Program == "" {
		return errors.New(`which script? Add "program": "duel.encounter" to the launch`)
	}
	script, err := a.o.Build(*l)
	if err != nil {
		return err
	}
	d, err := debug.New(script, debug.Options{Session: session.Options{Seed: l.Seed}, StopAtEntry: l.StopOnEntry && !l.NoDebug, StopAtEnd: l.StopAtEnd && !l.NoDebug, Out: (*console)(a)})
	if err != nil {
		return err
	}
	a.launch, a.d, a.pumped = l, d, make(chan struct{})
	return nil
}

// play begins to play, and tells the editor of each stop from then on.
func (a *adapter) play() {
	a.begun = true
	a.d.Start()
	stops, end := a.d.Stops(), a.pumped
	go func() {
		for {
			select {
			case s := <-stops:
				a.tell(s)
			case <-end:
				return
			}
		}
	}()
}

// reasons are the protocol's words for why a script has stopped.
var reasons = map[debug.Reason]string{
	debug.AtEntry: "entry", debug.AtBreakpoint: "breakpoint", debug.AfterStep: "step", debug.Paused: "pause", debug.AtEnd: "goto",
}

// tell tells of a stop.
func (a *adapter) tell(s debug.Stop) {
	if s.Reason == debug.Ended {
		if s.Text != "" {
			a.print("stderr", s.Text+"\n")
		}
		code := 0
		if s.Err != nil {
			code = 1
		}
		a.send(&dap.ExitedEvent{Event: event("exited"), Body: dap.ExitedEventBody{ExitCode: code}})
		a.send(&dap.TerminatedEvent{Event: event("terminated")})
		return
	}
	a.setStopped(true)
	e := &dap.StoppedEvent{Event: event("stopped")}
	e.Body.Reason, e.Body.Text, e.Body.ThreadId, e.Body.AllThreadsStopped, e.Body.HitBreakpointIds = reasons[s.Reason], s.Text, thread, true, s.Breakpoints
	if s.Reason == debug.AtEnd {
		e.Body.Description = "The script is over"
	} else if s.Text != "" {
		e.Body.Description = s.Text
	}
	a.send(e)
}

// thread is the only one.
const thread = 1

func (a *adapter) setStopped(is bool) {
	a.state.Lock()
	a.stopped = is
	a.state.Unlock()
}

func (a *adapter) isStopped() bool {
	a.state.Lock()
	defer a.state.Unlock()
	return a.stopped
}

// print prints to the editor's console.
func (a *adapter) print(category, text string) {
	a.send(&dap.OutputEvent{Event: event("output"), Body: dap.OutputEventBody{Category: category, Output: text}})
}

// console is the editor's, for the transcript.
type console adapter

// Write implements io.Writer.
func (c *console) Write(b []byte) (int, error) {
	(*adapter)(c).print("stdout", string(b))
	return len(b), nil
}

// close ends the script.
func (a *adapter) close() {
	if a.d != nil {
		a.d.Close()
		close(a.pumped)
	}
}
