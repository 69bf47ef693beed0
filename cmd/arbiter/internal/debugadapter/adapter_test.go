package debugadapter

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-dap"

	"arbiter/interp/build"
	"arbiter/interp/machine"
	"arbiter/interp/session"
	"arbiter/lang/ast"
	"arbiter/rules"
)

const duel = `encounter "two with axes" with srd35
creature axeman { base-attack: 6; full-hit-points: 40; strength: 15; main-weapon: greataxe; worn-armor: leather }
side left { axeman Alia }
side right { axeman Bron }
fight on
`

func script(t testing.TB) *build.Script {
	t.Helper()
	s, diags, err := build.Source("duel.encounter", []byte(duel), build.Options{Library: rules.FS})
	if err != nil || s.Rules == nil {
		t.Fatal(diags, err)
	}
	return s
}

// client is an editor: it sends requests, and sorts what comes back.
type client struct {
	t      testing.TB
	out    io.WriteCloser
	seq    int
	answer chan dap.Message
	events chan dap.Message
	ended  chan error // of the server
}

func connect(t testing.TB) *client {
	t.Helper()
	s := script(t)
	fromEditor, toServer := io.Pipe()
	fromServer, toEditor := io.Pipe()
	c := &client{t: t, out: toServer, answer: make(chan dap.Message, 1), events: make(chan dap.Message, 10_000), ended: make(chan error, 1)}
	go func() {
		err := Serve(fromEditor, toEditor, Options{Build: func(Launch) (*build.Script, error) { return s, nil }})
		toEditor.Close()
		c.ended <- err
	}()
	go func() {
		defer close(c.answer)
		r := bufio.NewReader(fromServer)
		for {
			m, err := dap.ReadProtocolMessage(r)
			if err != nil {
				return
			}
			if _, ok := m.(dap.EventMessage); ok {
				select {
				case c.events <- m:
				default: // far too many
				}
				continue
			}
			c.answer <- m
		}
	}()
	t.Cleanup(func() {
		c.out.Close()
		select {
		case <-c.ended:
		case <-time.After(30 * time.Second):
			t.Error("the server does not end")
		}
	})
	return c
}

// ask sends a request and returns its answer.
func (c *client) ask(command string, arguments any) dap.Message {
	c.t.Helper()
	c.seq++
	m, err := json.Marshal(map[string]any{"seq": c.seq, "type": "request", "command": command, "arguments": arguments})
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := io.WriteString(c.out, "Content-Length: "+strconv.Itoa(len(m))+"\r\n\r\n"+string(m)); err != nil {
		c.t.Fatal(err)
	}
	select {
	case x := <-c.answer:
		if r, ok := x.(dap.ResponseMessage); !ok || r.GetResponse().RequestSeq != c.seq {
			c.t.Fatalf("%s was answered by %+v", command, x)
		}
		return x
	case <-time.After(60 * time.Second):
		c.t.Fatalf("%s is not answered", command)
	}
	return nil
}

// must wants a request to succeed.
func must[T dap.ResponseMessage](c *client, command string, arguments any) T {
	c.t.Helper()
	x, ok := c.ask(command, arguments).(T)
	if !ok || !x.GetResponse().Success {
		c.t.Fatalf("%s: %+v", command, x)
	}
	return x
}

// wait waits for an event.
func wait[T dap.EventMessage](c *client) (e T) {
	c.t.Helper()
	for {
		select {
		case m := <-c.events:
			if e, ok := m.(T); ok {
				return e
			}
		case <-time.After(60 * time.Second):
			c.t.Fatalf("no %T comes", e)
		}
	}
}

type object = map[string]any

func begin(t testing.TB, launch object) *client {
	c := connect(t)
	if b := must[*dap.InitializeResponse](c, "initialize", object{"adapterID": "arbiter", "linesStartAt1": true, "columnsStartAt1": true}).Body; !b.SupportsStepBack || !b.SupportsConditionalBreakpoints {
		t.Errorf("%+v", b)
	}
	must[*dap.LaunchResponse](c, "launch", launch)
	wait[*dap.InitializedEvent](c)
	return c
}

// loaded plays with one die that is set.
type loaded struct {
	at, n int
	face  int64
}

func (l *loaded) Begin(*session.Stage)                            {}
func (l *loaded) End()                                            {}
func (l *loaded) Statement(string, ast.Span) bool                 { return true }
func (l *loaded) Instruction(*machine.Machine, int32)             {}
func (l *loaded) Enter(*machine.Machine, *machine.Evaluation)     {}
func (l *loaded) Leave(*machine.Machine, int64)                   {}
func (l *loaded) Gained(_ *machine.Machine, effect, bearer int32) {}
func (l *loaded) Die(_ string, _ *machine.Result, face int64) int64 {
	if l.n++; l.n-1 == l.at {
		return l.face
	}
	return face
}

// TestAnotherDie does as an author would: stops where a blow is about to be confirmed, reads the target's armor class
// with its terms, steps back before the roll, sets the die, and plays on. The transcript is that of a game with that die.
func TestAnotherDie(t *testing.T) {
	c := begin(t, object{"program": "duel.encounter", "stopAtEnd": true})
	points := must[*dap.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", object{"breakpoints": []object{{"name": "strike.confirm", "condition": "to-hit.natural = 20"}}}).Body.Breakpoints
	if len(points) != 1 || !points[0].Verified {
		t.Fatalf("%+v", points)
	}
	must[*dap.ConfigurationDoneResponse](c, "configurationDone", object{})
	if e := wait[*dap.StoppedEvent](c); e.Body.Reason != "breakpoint" || len(e.Body.HitBreakpointIds) != 1 || e.Body.HitBreakpointIds[0] != points[0].Id {
		t.Fatalf("%+v", e)
	}
	top := func() dap.StackFrame {
		return must[*dap.StackTraceResponse](c, "stackTrace", object{"threadId": 1}).Body.StackFrames[0]
	}
	evaluate := func(text, context string) dap.EvaluateResponseBody {
		return must[*dap.EvaluateResponse](c, "evaluate", object{"expression": text, "context": context, "frameId": 1}).Body
	}
	f := top()
	if !strings.HasPrefix(f.Name, "strike.confirm (") || f.Source == nil || f.Source.SourceReference == 0 {
		t.Errorf("%+v", f)
	}
	text := must[*dap.SourceResponse](c, "source", object{"sourceReference": f.Source.SourceReference}).Body.Content
	if lines := strings.Split(text, "\n"); f.Line < 1 || f.Line > len(lines) || !strings.Contains(lines[f.Line-1], "check") {
		t.Errorf("line %d of the source", f.Line)
	}
	if got := evaluate("to-hit.natural", "watch").Result; got != "20" {
		t.Errorf("the natural roll is %s", got)
	}
	class := evaluate("target.armor-class", "watch")
	terms := must[*dap.VariablesResponse](c, "variables", object{"variablesReference": class.VariablesReference}).Body.Variables
	sum := 0
	for _, v := range terms {
		n, _, _ := strings.Cut(strings.TrimPrefix(v.Value, "+"), " ")
		if k, err := strconv.Atoi(strings.TrimSuffix(n, ",")); err == nil && !strings.Contains(v.Value, "does not count") {
			sum += k
		}
	}
	if strconv.Itoa(sum) != class.Result || len(terms) < 2 {
		t.Errorf("armor class %s, terms %+v", class.Result, terms)
	}
	scopes := must[*dap.ScopesResponse](c, "scopes", object{"frameId": 1}).Body.Scopes
	names := must[*dap.VariablesResponse](c, "variables", object{"variablesReference": scopes[0].VariablesReference}).Body.Variables
	if !hasVariable(names, "target") || !hasVariable(names, "self") || !hasVariable(names, "to-hit") {
		t.Errorf("%+v", names)
	}
	creatures := must[*dap.VariablesResponse](c, "variables", object{"variablesReference": scopes[1].VariablesReference}).Body.Variables
	if len(creatures) != 2 {
		t.Errorf("%+v", creatures)
	}
	alia := must[*dap.VariablesResponse](c, "variables", object{"variablesReference": creatures[0].VariablesReference}).Body.Variables
	if !hasVariable(alia, "hit-points") || !hasVariable(alia, "stats") {
		t.Errorf("%+v", alia)
	}
	for n := 0; !strings.HasPrefix(top().Name, "strike.roll "); n++ {
		if n == 15 {
			t.Fatal("the roll is not reached")
		}
		must[*dap.StepBackResponse](c, "stepBack", object{"threadId": 1})
		wait[*dap.StoppedEvent](c)
	}
	scopes = must[*dap.ScopesResponse](c, "scopes", object{"frameId": 1}).Body.Scopes
	dice := must[*dap.VariablesResponse](c, "variables", object{"variablesReference": scopes[2].VariablesReference}).Body.Variables
	fallen := 0
	for _, v := range dice {
		if v.Name == "fallen" {
			fallen, _ = strconv.Atoi(v.Value)
		}
	}
	must[*dap.SetVariableResponse](c, "setVariable", object{"variablesReference": scopes[2].VariablesReference, "name": nextDie, "value": "2"})
	must[*dap.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", object{"breakpoints": []object{}})
	must[*dap.ContinueResponse](c, "continue", object{"threadId": 1})
	wait[*dap.StoppedEvent](c)
	got := evaluate("transcript", "repl").Result
	var want, usual strings.Builder
	session.Run(script(t), session.Options{Out: &want, Attendant: &loaded{at: fallen, face: 2}})
	session.Run(script(t), session.Options{Out: &usual})
	if got != want.String() || got == usual.String() || fallen < 2 {
		t.Errorf("after %d dice, with the debugger\n%s\nwithout\n%s", fallen, got, want.String())
	}
	must[*dap.ContinueResponse](c, "continue", object{"threadId": 1})
	wait[*dap.TerminatedEvent](c)
	must[*dap.DisconnectResponse](c, "disconnect", object{})
}

func hasVariable(list []dap.Variable, name string) bool {
	for _, v := range list {
		if v.Name == name {
			return true
		}
	}
	return false
}

// TestAttach joins a script that the command line names, and has no program of its own.
func TestAttach(t *testing.T) {
	c := connect(t)
	must[*dap.InitializeResponse](c, "initialize", object{"linesStartAt1": true})
	if x, ok := c.ask("attach", object{}).(*dap.ErrorResponse); !ok || !strings.Contains(x.Message, "which script?") {
		t.Errorf("%+v", x)
	}
	if x, ok := c.ask("threads", object{}).(*dap.ErrorResponse); !ok || x.Message != errNothing.Error() {
		t.Errorf("%+v", x)
	}
	must[*dap.AttachResponse](c, "attach", object{"program": "duel.encounter", "stopOnEntry": true})
	must[*dap.ConfigurationDoneResponse](c, "configurationDone", object{})
	if e := wait[*dap.StoppedEvent](c); e.Body.Reason != "entry" {
		t.Errorf("%+v", e)
	}
	if x, ok := c.ask("launch", object{"program": "duel.encounter"}).(*dap.ErrorResponse); !ok {
		t.Errorf("%+v", x)
	}
	if x, ok := c.ask("no-such-request", object{}).(*dap.ErrorResponse); !ok || x.Command != "no-such-request" {
		t.Errorf("%+v", x)
	}
	must[*dap.ContinueResponse](c, "continue", object{"threadId": 1})
	if e := wait[*dap.ExitedEvent](c); e.Body.ExitCode != 0 {
		t.Errorf("%+v", e)
	}
	if x, ok := c.ask("next", object{"threadId": 1}).(*dap.ErrorResponse); !ok || x.Message != errRunning.Error() {
		t.Errorf("%+v", x)
	}
}
