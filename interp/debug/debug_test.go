package debug

import (
	"strings"
	"testing"
	"time"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/rules"
)

const duel = `encounter "two with axes" with srd35
creature axeman { base-attack: 6; full-hit-points: 40; strength: 15; main-weapon: greataxe; worn-armor: leather }
side left { axeman Alia }
side right { axeman Bron }
fight on
`

func script(t testing.TB, src string) *build.Script {
	t.Helper()
	s, diags, err := build.Source("duel.encounter", []byte(src), build.Options{Library: rules.FS})
	if err != nil || s.Rules == nil {
		t.Fatal(diags, err)
	}
	return s
}

func debugger(t testing.TB, o Options) *Debugger {
	t.Helper()
	d, err := New(script(t, duel), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// wait waits for the next stop.
func wait(t testing.TB, d *Debugger) Stop {
	t.Helper()
	select {
	case s := <-d.Stops():
		return s
	case <-time.After(30 * time.Second):
		t.Fatal("it does not stop")
	}
	return Stop{}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func look(t testing.TB, d *Debugger, expr string) (session.Value, []Frame) {
	t.Helper()
	var value session.Value
	var stack []Frame
	must(t, d.While(func(v *View) {
		stack = v.Stack()
		var err error
		if value, err = v.Evaluate(expr, 0); err != nil {
			t.Errorf("%s: %v", expr, err)
		}
	}))
	return value, stack
}

// TestAnotherDie stops where a blow is about to be confirmed, reads a number with its terms, goes back before the roll,
// sets the die, and plays on: what is told is what is told when the script states that die.
func TestAnotherDie(t *testing.T) {
	d := debugger(t, Options{StopAtEnd: true})
	for _, b := range d.SetNames([]Breakpoint{{Name: "strike.confirm", Condition: "to-hit.natural = 20"}}) {
		if b.Problem != "" {
			t.Fatal(b.Problem)
		}
	}
	d.Start()
	if s := wait(t, d); s.Reason != AtBreakpoint {
		t.Fatal(s)
	}
	natural, stack := look(t, d, "to-hit.natural")
	if natural.Text != "20" || stack[0].Name != "strike.confirm" || !strings.HasSuffix(stack[0].File, "attack.rules") || stack[len(stack)-1].Name != "script" {
		t.Fatal(natural, stack)
	}
	class, _ := look(t, d, "target.armor-class")
	if class.Stat == nil || len(class.Stat.Parts) < 2 {
		t.Fatalf("%+v", class)
	}
	// Back to the roll, which is a line of the step before.
	for range 12 {
		must(t, d.StepBack())
		if s := wait(t, d); s.Reason != AfterStep {
			t.Fatal(s)
		}
		_, stack = look(t, d, "1")
		if _, stack = look(t, d, "1"); stack[0].Name == "strike.roll" {
			break
		}
	}
	if stack[0].Name != "strike.roll" {
		t.Fatal(stack[0])
	}
	before := 0
	must(t, d.While(func(v *View) { before = v.Dice() }))
	must(t, d.SetDie(2))
	d.SetNames(nil)
	must(t, d.Continue())
	if s := wait(t, d); s.Reason != AtEnd {
		t.Fatal(s)
	}
	got := d.Transcript()

	// The same game, without a debugger, with that die.
	var want strings.Builder
	session.Run(script(t, duel), session.Options{Out: &want, Attendant: &loaded{at: before, face: 2}})
	if got != want.String() {
		t.Errorf("with the debugger\n%s\nwithout\n%s", got, want.String())
	}
	var usual strings.Builder
	session.Run(script(t, duel), session.Options{Out: &usual})
	if usual.String() == got || len(got) < 100 {
		t.Error("the die changed nothing")
	}
}
