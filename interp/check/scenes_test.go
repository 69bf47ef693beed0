package check_test

import (
	"os"
	"testing"

	"arbiter/interp/check"
	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/lang/parse"
)

// TestVisits checks that visits are counted by the path of a scene, and that without a story there are no scenes.
func TestVisits(t *testing.T) {
	l := &load.Loader{Places: []load.Place{{FS: os.DirFS("testdata/casebook")}}}
	rulesets, _ := l.Load("base")
	set, _ := link.Link(rulesets, nil)
	checked, _ := check.Check(set, check.Options{Scenes: []string{"gate", "gate.tower"}})
	for src, want := range map[string]string{
		"visits(gate) = 2":       "",
		"seen(gate.tower)":       "",
		"seen(gat)":              "unknown-scene",
		"visits(gate.towr) > 1":  "unknown-scene",
		"visits()":               "wrong-arguments",
		"visits(gate, gate)":     "wrong-arguments",
		"visits(gate)":           "wrong-type",
		"not seen(gate) and yes": "",
	} {
		e, _ := parse.Expression("x", src)
		if _, _, diags := checked.NewScript("x").Expr(e, check.YesNo); codesOf(diags) != want {
			t.Errorf("%s: %v, want %q", src, diags, want)
		}
	}
	if checked.VisitCounter("gate") == nil || checked.VisitCounter("tower") != nil {
		t.Error("scenes go by their whole paths")
	}
	without, _ := check.Check(set, check.Options{})
	e, _ := parse.Expression("x", "seen(gate)")
	if _, _, diags := without.NewScript("x").Expr(e, check.YesNo); codesOf(diags) != "unknown-function" {
		t.Errorf("without a story: %v", diags)
	}
}

// TestAssume checks that statements under a condition can use what the condition proves to be not none.
func TestAssume(t *testing.T) {
	_, s := open(t)
	let, _ := parse.Statement("x", "let foe = first x in enemies(Alia)")
	_, vars, diags := s.Statements(let...)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	s.BindVariable("foe", vars[len(vars)-1])
	read := func() string {
		e, _ := parse.Expression("x", "foe.vigor > 1")
		_, _, diags := s.Expr(e, check.YesNo)
		return codesOf(diags)
	}
	if read() == "" {
		t.Fatal("what may be none is read as if it were not")
	}
	cond, _ := parse.Expression("x", "foe is not none")
	x, _, _ := s.Expr(cond, check.YesNo)
	undo := s.Assume(x, true)
	if got := read(); got != "" {
		t.Errorf("under a condition: %s", got)
	}
	undo()
	if read() == "" {
		t.Error("the condition is over")
	}
}
