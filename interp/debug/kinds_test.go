package debug

import (
	"slices"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/rules"
)

// TestKinds stops at everything that a breakpoint can name, in one fight, and looks where it is then.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		name string
		top  string // the kind and name of the innermost frame
		text string // part of what the stop says
	}{
		{"strike", "procedure strike", ""},
		{"action full-attack", "procedure full-attack", ""},
		{"strike.damage", "procedure strike.damage", ""},
		{"stat armor-class", "stat armor-class", ""},
		{"armor-class", "stat armor-class", ""},
		{"define creature.defeated", "define creature.defeated", ""},
		{"gain dead", "", "gains it"},
		{"roll strike.to-hit", "procedure strike.roll", "rolls d20 for strike.to-hit"},
		{"strike.to-hit", "procedure strike.roll", "rolls d20"},
		{"tactics default", "tactics default", ""},
		{"rule standard-action.refills", "rule standard-action.refills", ""},
	} {
		d := debugger(t, Options{})
		if b := d.SetNames([]Breakpoint{{Name: c.name}})[0]; b.Problem != "" {
			t.Errorf("%s: %s", c.name, b.Problem)
			continue
		}
		d.Start()
		s := wait(t, d)
		if s.Reason != AtBreakpoint || !strings.Contains(s.Text, c.text) {
			t.Errorf("%s: %+v", c.name, s)
			continue
		}
		if _, stack := look(t, d, "1"); c.top != "" && stack[0].Kind+" "+stack[0].Name != c.top {
			t.Errorf("%s: stopped in %+v", c.name, stack[0])
		}
		d.Close()
	}
	d := debugger(t, Options{})
	for _, name := range []string{"nonsense", "stat nonsense", "roll strike.nothing", "gain strike", "function nothing", ""} {
		if b := d.SetNames([]Breakpoint{{Name: name}})[0]; b.Problem == "" && name != "" {
			t.Errorf("%s is accepted", name)
		}
	}
}

// TestFunctions stops where functions in Starlark begin and return.
func TestFunctions(t *testing.T) {
	s, diags, err := build.File("../../examples/ambush.encounter", build.Options{Library: rules.FS, With: []string{"../session/testdata/hooks/three.rules"}})
	if err != nil || s.Rules == nil {
		t.Fatal(diags, err)
	}
	d, err := New(s, Options{})
	must(t, err)
	defer d.Close()
	p := s.Rules.Program
	if len(p.Hooks) == 0 {
		t.Fatal("no functions")
	}
	for _, h := range p.Hooks {
		name, _, _ := strings.Cut(h.Name, " ")
		for _, b := range d.SetNames([]Breakpoint{{Name: "function " + name}, {Name: "return " + name}}) {
			if b.Problem != "" {
				t.Error(b.Problem)
			}
		}
	}
	d.Start()
	enter := wait(t, d)
	_, stack := look(t, d, "1")
	if enter.Reason != AtBreakpoint || !strings.HasPrefix(enter.Text, "function ") || stack[0].Kind != "function" {
		t.Fatal(enter, stack[0])
	}
	must(t, d.Continue())
	if s := wait(t, d); s.Reason != AtBreakpoint || s.Text != "return "+strings.TrimPrefix(enter.Text, "function ") {
		t.Error(s)
	}
}

// TestLines stops at lines: of the rules, in which code is found, and of the script.
func TestLines(t *testing.T) {
	d := debugger(t, Options{})
	b := d.SetLines("/elsewhere/rules/classic/attack.rules", []Breakpoint{{Line: lineOf(t, d, "rules/classic/attack.rules", "  step roll {")}})[0]
	if b.Problem != "" {
		t.Fatal(b.Problem)
	}
	at := b.Line
	s := d.SetLines("duel.encounter", []Breakpoint{{Line: 5}, {Line: 400}})
	if s[0].Problem != "" || s[0].Line != 5 || s[1].Problem == "" {
		t.Errorf("%+v", s)
	}
	d.Start()
	if x := wait(t, d); x.Reason != AtBreakpoint || x.Breakpoints[0] != s[0].ID {
		t.Fatal(x)
	}
	must(t, d.Continue())
	if x := wait(t, d); x.Reason != AtBreakpoint || x.Breakpoints[0] != b.ID {
		t.Fatal(x)
	}
	if _, stack := look(t, d, "1"); stack[0].Line != at || stack[0].Name != "strike.roll" {
		t.Errorf("%+v, not line %d", stack[0], at)
	}
	// What stops there twice stops in another blow.
	first := 0
	must(t, d.While(func(v *View) { first = v.Dice() }))
	must(t, d.Continue())
	if x := wait(t, d); x.Reason != AtBreakpoint {
		t.Fatal(x)
	}
	must(t, d.While(func(v *View) {
		if v.Dice() <= first {
			t.Error("it stopped twice for one blow")
		}
	}))
	must(t, d.ContinueBack())
	if x := wait(t, d); x.Reason != AtBreakpoint {
		t.Fatal(x)
	}
	must(t, d.While(func(v *View) {
		if v.Dice() != first {
			t.Errorf("back at %d dice, not %d", v.Dice(), first)
		}
	}))
}

// lineOf finds a line of a file.
func lineOf(t *testing.T, d *Debugger, file, line string) int {
	t.Helper()
	n := slices.Index(strings.Split(string(d.Text(file)), "\n"), line)
	if n < 0 {
		t.Fatalf("%s has no line %q", file, line)
	}
	return n + 1
}

// TestSteps goes into a blow, over it, out of it, and back the same way.
func TestSteps(t *testing.T) {
	d := debugger(t, Options{StopAtEntry: true, StopAtEnd: true})
	d.SetNames([]Breakpoint{{Name: "full-attack.best-blow"}})
	d.Start()
	if s := wait(t, d); s.Reason != AtEntry {
		t.Fatal(s)
	}
	must(t, d.Continue())
	wait(t, d)
	d.SetNames(nil)
	_, outer := look(t, d, "1")
	step := func(how func() error) []Frame {
		t.Helper()
		must(t, how())
		if s := wait(t, d); s.Reason != AfterStep {
			t.Fatal(s)
		}
		_, stack := look(t, d, "1")
		return stack
	}
	in := step(d.StepIn)
	for n := 0; !strings.HasPrefix(in[0].Name, "strike"); n++ {
		if n == 20 {
			t.Fatal(in[0])
		}
		in = step(d.StepIn)
	}
	if len(in) <= len(outer) {
		t.Errorf("inside there are %d frames, outside %d", len(in), len(outer))
	}
	over := step(d.StepOver)
	if len(over) != len(in) || over[0].Line == in[0].Line {
		t.Errorf("over %+v: %+v", in[0], over[0])
	}
	if again := step(d.StepBack); again[0].Line != in[0].Line || again[0].File != in[0].File || len(again) != len(in) {
		t.Errorf("back from %+v: %+v, not %+v", over[0], again[0], in[0])
	}
	step(d.StepOver)
	if out := step(d.StepOut); len(out) >= len(in) {
		t.Errorf("out of %+v: %+v", over[0], out[0])
	}
	must(t, d.ContinueBack())
	if s := wait(t, d); s.Reason != AtEntry {
		t.Error(s)
	}
	must(t, d.Continue())
	if s := wait(t, d); s.Reason != AtEnd {
		t.Error(s)
	}
	var want strings.Builder
	session.Run(script(t, duel), session.Options{Out: &want})
	if got := d.Transcript(); got != want.String() {
		t.Errorf("after all this the fight is\n%s\nnot\n%s", got, want.String())
	}
	must(t, d.Continue())
	if s := wait(t, d); s.Reason != Ended || s.Err != nil {
		t.Error(s)
	}
	if err := d.Continue(); err != errOver {
		t.Error(err)
	}
	must(t, d.StepBack()) // the end is not the end
	if s := wait(t, d); s.Reason != AfterStep {
		t.Error(s)
	}
}

// TestCounts lets breakpoints count.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		form string
		hits []bool // of the first six
	}{
		{"", []bool{true, true, true, true, true, true}},
		{"3", []bool{false, false, true, false, false, false}},
		{"== 2", []bool{false, true, false, false, false, false}},
		{">4", []bool{false, false, false, false, true, true}},
		{">= 4", []bool{false, false, false, true, true, true}},
		{"<2", []bool{true, false, false, false, false, false}},
		{"%3", []bool{false, false, true, false, false, true}},
	} {
		for i, want := range c.hits {
			if got, err := countOf(c.form, i+1); got != want || err != nil {
				t.Errorf("%s at hit %d: %v, %v", c.form, i+1, got, err)
			}
		}
	}
	for _, wrong := range []string{"x", "0", "-1", ">", "=>3", "3x"} {
		if _, err := countOf(wrong, 1); err == nil {
			t.Errorf("%s is accepted", wrong)
		}
	}
	d := debugger(t, Options{})
	d.SetNames([]Breakpoint{{Name: "roll strike.to-hit", Hits: "3"}})
	d.Start()
	wait(t, d)
	must(t, d.While(func(v *View) {
		if n := strings.Count(d.run.text.String(), " attacks "); v.Die() == nil || d.points[0].hits != 3 {
			t.Errorf("after %d attacks: %+v", n, v.Die())
		}
	}))
	if err := d.SetDie(21); err == nil {
		t.Error("a d20 shows 21")
	}
	must(t, d.SetDie(1))
	must(t, d.StepOver())
	wait(t, d)
	if x, _ := look(t, d, "to-hit.natural"); x.Text != "1" {
		t.Error(x.Text)
	}
}

// TestConditionThatFails stops, and says why.
func TestConditionThatFails(t *testing.T) {
	d := debugger(t, Options{})
	d.SetNames([]Breakpoint{{Name: "strike", Condition: "moon-phase > 3"}})
	d.Start()
	if s := wait(t, d); s.Reason != AtBreakpoint || !strings.Contains(s.Text, "its condition: ") {
		t.Error(s)
	}
	must(t, d.While(func(v *View) {
		if _, err := v.Evaluate(strings.Repeat(" ", 1999)+"1", 0); err != nil {
			t.Error("at the limit:", err)
		}
		if _, err := v.Evaluate(strings.Repeat("1+", 1000)+"1", 0); err == nil || err.Error() != "an expression of more than 2000 characters" {
			t.Error("a very long expression is accepted")
		}
		if _, err := v.Evaluate("1", 99); err == nil {
			t.Error("there is no frame 99")
		}
	}))
}
