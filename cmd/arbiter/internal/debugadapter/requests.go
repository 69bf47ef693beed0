package debugadapter

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"arbiter/interp/debug"
)

// This file answers requests.

// Errors of requests that come at the wrong time.
var (
	errNothing = errors.New("nothing is being debugged: launch a script first")
	errRunning = errors.New("the script is running: pause it first")
)

// answer answers one request, and sends what follows from it.
func (a *adapter) answer(m dap.RequestMessage) {
	q := m.GetRequest()
	reply, after, err := a.handle(m)
	if err != nil {
		a.refuse(q.Seq, q.Command, err)
		return
	}
	a.send(reply)
	if after != nil {
		after()
	}
}

// handle carries out a request. after is what is to be done once the answer has been sent.
func (a *adapter) handle(m dap.RequestMessage) (reply dap.Message, after func(), err error) {
	ok := response(m.GetRequest())
	switch q := m.(type) {
	case *dap.InitializeRequest:
		a.lineBase, a.colBase = 1, 1
		if !q.Arguments.LinesStartAt1 {
			a.lineBase = 0
		}
		if !q.Arguments.ColumnsStartAt1 {
			a.colBase = 0
		}
		return &dap.InitializeResponse{Response: ok, Body: capabilities}, nil, nil
	case *dap.LaunchRequest:
		return &dap.LaunchResponse{Response: ok}, a.initialized, a.start(q.Arguments)
	case *dap.AttachRequest:
		return &dap.AttachResponse{Response: ok}, a.initialized, a.start(q.Arguments)
	case *dap.DisconnectRequest:
		a.left = true
		return &dap.DisconnectResponse{Response: ok}, nil, nil
	}
	if a.d == nil {
		return nil, nil, errNothing
	}
	switch q := m.(type) {
	case *dap.ConfigurationDoneRequest:
		if a.begun {
			return nil, nil, errors.New("the script plays already")
		}
		return &dap.ConfigurationDoneResponse{Response: ok}, a.play, nil
	case *dap.TerminateRequest:
		return &dap.TerminateResponse{Response: ok}, func() {
			a.d.Close()
			a.send(&dap.TerminatedEvent{Event: event("terminated")})
		}, nil
	case *dap.SetBreakpointsRequest:
		return &dap.SetBreakpointsResponse{Response: ok, Body: dap.SetBreakpointsResponseBody{Breakpoints: a.setLines(q)}}, nil, nil
	case *dap.SetFunctionBreakpointsRequest:
		return &dap.SetFunctionBreakpointsResponse{Response: ok, Body: dap.SetFunctionBreakpointsResponseBody{Breakpoints: a.setNames(q)}}, nil, nil
	case *dap.SetExceptionBreakpointsRequest:
		return &dap.SetExceptionBreakpointsResponse{Response: ok}, nil, nil
	case *dap.ThreadsRequest:
		return &dap.ThreadsResponse{Response: ok, Body: dap.ThreadsResponseBody{Threads: []dap.Thread{{Id: thread, Name: filepath.Base(a.launch.Program)}}}}, nil, nil
	case *dap.PauseRequest:
		a.d.Pause()
		return &dap.PauseResponse{Response: ok}, nil, nil
	case *dap.SourceRequest:
		text, err := a.text(q.Arguments.SourceReference)
		return &dap.SourceResponse{Response: ok, Body: dap.SourceResponseBody{Content: text}}, nil, err
	}
	if !a.isStopped() {
		return nil, nil, errRunning
	}
	switch q := m.(type) {
	case *dap.ContinueRequest:
		return &dap.ContinueResponse{Response: ok, Body: dap.ContinueResponseBody{AllThreadsContinued: true}}, a.move((*debug.Debugger).Continue), nil
	case *dap.NextRequest:
		return &dap.NextResponse{Response: ok}, a.move((*debug.Debugger).StepOver), nil
	case *dap.StepInRequest:
		return &dap.StepInResponse{Response: ok}, a.move((*debug.Debugger).StepIn), nil
	case *dap.StepOutRequest:
		return &dap.StepOutResponse{Response: ok}, a.move((*debug.Debugger).StepOut), nil
	case *dap.StepBackRequest:
		return &dap.StepBackResponse{Response: ok}, a.move((*debug.Debugger).StepBack), nil
	case *dap.ReverseContinueRequest:
		return &dap.ReverseContinueResponse{Response: ok}, a.move((*debug.Debugger).ContinueBack), nil
	case *dap.StackTraceRequest:
		return a.stack(q, ok)
	case *dap.ScopesRequest:
		body, err := a.scopes(q.Arguments.FrameId - 1)
		return &dap.ScopesResponse{Response: ok, Body: dap.ScopesResponseBody{Scopes: body}}, nil, err
	case *dap.VariablesRequest:
		list, err := a.variables(q.Arguments.VariablesReference)
		return &dap.VariablesResponse{Response: ok, Body: dap.VariablesResponseBody{Variables: list}}, nil, err
	case *dap.SetVariableRequest:
		if q.Arguments.Name != nextDie {
			return nil, nil, fmt.Errorf("only %s can be set: values follow from the rules", nextDie)
		}
		return &dap.SetVariableResponse{Response: ok, Body: dap.SetVariableResponseBody{Value: q.Arguments.Value}}, nil, a.setDie(q.Arguments.Value)
	case *dap.EvaluateRequest:
		body, err := a.evaluate(&q.Arguments)
		return &dap.EvaluateResponse{Response: ok, Body: body}, nil, err
	}
	return nil, nil, fmt.Errorf("%s is not understood here", m.GetRequest().Command)
}

// capabilities are what the protocol offers and this adapter can do.
var capabilities = dap.Capabilities{
	SupportsConfigurationDoneRequest: true, SupportsFunctionBreakpoints: true, SupportsConditionalBreakpoints: true, SupportsHitConditionalBreakpoints: true,
	SupportsEvaluateForHovers: true, SupportsStepBack: true, SupportsSetVariable: true, SupportsTerminateRequest: true,
}

// initialized asks for breakpoints: only now can they be looked up.
func (a *adapter) initialized() { a.send(&dap.InitializedEvent{Event: event("initialized")}) }

// move lets the script play on, or goes back.
func (a *adapter) move(how func(*debug.Debugger) error) func() {
	return func() {
		a.setStopped(false)
		a.refs = nil
		if err := how(a.d); err != nil {
			a.print("stderr", err.Error()+"\n")
			a.setStopped(true)
		}
	}
}

// setLines sets the breakpoints of a file.
func (a *adapter) setLines(q *dap.SetBreakpointsRequest) []dap.Breakpoint {
	var list []debug.Breakpoint
	for _, b := range q.Arguments.Breakpoints {
		list = append(list, debug.Breakpoint{Line: b.Line + 1 - a.lineBase, Condition: b.Condition, Hits: b.HitCondition})
	}
	path := q.Arguments.Source.Path
	if n := q.Arguments.Source.SourceReference; n > 0 && n <= len(a.sources) {
		path = a.sources[n-1]
	}
	if a.launch.NoDebug {
		return unverified(len(list))
	}
	out := []dap.Breakpoint{}
	for _, b := range a.d.SetLines(path, list) {
		out = append(out, dap.Breakpoint{Id: b.ID, Verified: b.Problem == "", Message: b.Problem, Line: b.Line - 1 + a.lineBase, Source: &q.Arguments.Source})
	}
	return out
}

// unverified are breakpoints of a script that is only played.
func unverified(n int) []dap.Breakpoint {
	out := make([]dap.Breakpoint, n)
	for i := range out {
		out[i].Message = "the script is only played"
	}
	return out
}

// setNames sets those that have a name.
func (a *adapter) setNames(q *dap.SetFunctionBreakpointsRequest) []dap.Breakpoint {
	var list []debug.Breakpoint
	for _, b := range q.Arguments.Breakpoints {
		list = append(list, debug.Breakpoint{Name: b.Name, Condition: b.Condition, Hits: b.HitCondition})
	}
	if a.launch.NoDebug {
		return unverified(len(list))
	}
	out := []dap.Breakpoint{}
	for _, b := range a.d.SetNames(list) {
		out = append(out, dap.Breakpoint{Id: b.ID, Verified: b.Problem == "", Message: b.Problem})
	}
	return out
}

// stack lists frames. The id of a frame is its number from 1.
func (a *adapter) stack(q *dap.StackTraceRequest, ok dap.Response) (dap.Message, func(), error) {
	var frames []debug.Frame
	if err := a.d.While(func(v *debug.View) { frames = v.Stack() }); err != nil {
		return nil, nil, err
	}
	body := dap.StackTraceResponseBody{StackFrames: []dap.StackFrame{}, TotalFrames: len(frames)}
	first := min(max(q.Arguments.StartFrame, 0), len(frames))
	last := len(frames)
	if n := q.Arguments.Levels; n > 0 {
		last = min(first+n, last)
	}
	for i := first; i < last; i++ {
		f := &frames[i]
		x := dap.StackFrame{Id: i + 1, Name: f.Name, Line: f.Line - 1 + a.lineBase, Column: max(f.Column, 1) - 1 + a.colBase, Source: a.source(f.File)}
		if f.Kind != "procedure" && f.Kind != "script" {
			x.Name = f.Kind + " " + f.Name
		}
		if f.Who != "" {
			x.Name += " (" + f.Who + ")"
		}
		if f.Interrupted {
			x.Name += ", interrupted"
		}
		if f.Line == 0 {
			x.Line, x.Source = 0, nil
		}
		body.StackFrames = append(body.StackFrames, x)
	}
	return &dap.StackTraceResponse{Response: ok, Body: body}, nil, nil
}

// source is a file: on the disk, or, if it is embedded, by a reference for which its text can be had.
func (a *adapter) source(file string) *dap.Source {
	if file == "" {
		return nil
	}
	if _, err := os.Stat(file); err == nil {
		if abs, err := filepath.Abs(file); err == nil {
			return &dap.Source{Name: filepath.Base(file), Path: abs}
		}
	}
	for i, known := range a.sources {
		if known == file {
			return &dap.Source{Name: file, SourceReference: i + 1}
		}
	}
	a.sources = append(a.sources, file)
	return &dap.Source{Name: file, SourceReference: len(a.sources)}
}

// text is that of a file by its reference.
func (a *adapter) text(ref int) (string, error) {
	if ref < 1 || ref > len(a.sources) {
		return "", errors.New("there is no such source")
	}
	text := a.d.Text(a.sources[ref-1])
	if text == nil {
		return "", fmt.Errorf("%s cannot be read", a.sources[ref-1])
	}
	return string(text), nil
}

// setDie sets the next die.
func (a *adapter) setDie(text string) error {
	face, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return fmt.Errorf("%s is no face of a die", text)
	}
	return a.d.SetDie(face)
}
