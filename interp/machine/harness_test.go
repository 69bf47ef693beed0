package machine_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"arbiter/interp/check"
	"arbiter/interp/compile"
	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/lang/ast"
	"arbiter/lang/parse"
	"arbiter/stdlib/journal"
)

// fight is a machine with a script in which its creatures have names.
type fight struct {
	t        testing.TB
	rules    *check.Checked
	p        *program.Program
	m        *machine.Machine
	compiler *compile.Script
	script   *check.Script
	faces    []int64 // of the dice that are asked for
	answers  []int64
	asked    []string
}

// checked checks the ruleset of a source.
func checked(t testing.TB, src string) *check.Checked {
	t.Helper()
	f, diags := parse.File("test.rules", []byte("ruleset test\n"+src))
	l := &load.Loader{}
	rulesets, more := l.Add(f)
	diags = append(diags, more...)
	set, more := link.Link(rulesets, nil)
	diags = append(diags, more...)
	k, more := check.Check(set, check.Options{})
	diags = append(diags, more...)
	if diags.HasErrors() {
		for _, d := range diags {
			t.Errorf("%v", d)
		}
		t.FailNow()
	}
	return k
}

// newFight compiles a source. place adds creatures.
func newFight(t testing.TB, src string, opts compile.Options) *fight {
	t.Helper()
	k := checked(t, src)
	opts.AnnounceAll = true
	p, err := compile.Compile(k.Ruleset, opts)
	if err != nil {
		t.Fatal(err)
	}
	f := &fight{t: t, rules: k, p: p, script: k.NewScript("test.encounter"), compiler: compile.NewScript(p, k.Ruleset)}
	f.m = machine.New(p)
	f.m.Journal = &journal.Journal{}
	f.m.AskDice = true
	return f
}

// place puts creatures into the fight: `SIDE NAME`, each followed by the name of its template.
func (f *fight) place(names ...string) *fight {
	f.t.Helper()
	for _, n := range names {
		name, template, _ := strings.Cut(n, ":")
		who, err := f.m.Place(f.template(template), machine.Placement{Name: name, Side: int32(len(f.m.State().Entities) % 2)})
		if err != nil {
			f.t.Fatal(err)
		}
		f.script.BindCreature(name, int64(who))
	}
	return f
}

func (f *fight) template(name string) int32 {
	if name == "" {
		return -1
	}
	x, ok := f.rules.Lookup(name).(*ir.Template)
	if !ok {
		f.t.Fatalf("no template %s", name)
	}
	return int32(x.Index)
}

// do runs statements, one per line, and returns the result of the last.
func (f *fight) do(lines string) machine.Result {
	f.t.Helper()
	r := machine.Result{}
	clauses, diags := parse.Statement("test.encounter", lines)
	if len(diags) > 0 {
		f.t.Fatalf("%s: %v", lines, diags[0])
	}
	for _, cl := range clauses {
		stmts, vars, diags := f.script.Statements(cl)
		if len(diags) > 0 {
			f.t.Fatalf("%s: %v", lines, diags[0])
		}
		piece, err := f.compiler.Statements(stmts, vars)
		if err != nil {
			f.t.Fatal(err)
		}
		r = f.answer(f.m.RunScript(piece.Chunk, piece.VarShapes, piece.InitialValues))
		if n, ok := cl.(*ast.Let); ok && len(stmts) > 0 && stmts[0].Var != nil {
			f.script.BindVariable(n.Name.Name, stmts[0].Var)
		}
		if r.Status != machine.Done {
			return r
		}
	}
	return r
}

// answer gives the queued faces and answers.
func (f *fight) answer(r machine.Result) machine.Result {
	f.t.Helper()
	for r.Status == machine.NeedDie || r.Status == machine.NeedChoice {
		who := "nobody"
		if r.Who >= 0 {
			who = f.m.State().Entities[r.Who].Name
		}
		list := &f.faces
		if r.Status == machine.NeedDie {
			s := f.m.State()
			f.asked = append(f.asked, fmt.Sprintf("%s %s#%d d%d", who, r.Label, s.Draws.Count(r.Who, s.Asking.Label)+1, r.Sides))
		} else {
			f.asked = append(f.asked, fmt.Sprintf("%s %s?", who, r.Label))
			list = &f.answers
		}
		if len(*list) == 0 {
			f.t.Fatalf("no answer for %s", f.asked[len(f.asked)-1])
		}
		v := (*list)[0]
		*list = (*list)[1:]
		r = f.m.Resume(v)
	}
	if e, ok := r.Err.(*machine.Error); ok && e.Panic {
		f.t.Fatalf("%v", e)
	}
	return r
}

// must runs statements that have to succeed.
func (f *fight) must(lines string) *fight {
	f.t.Helper()
	if r := f.do(lines); r.Status != machine.Done {
		f.t.Fatalf("%s: %v %s %v", lines, r.Status, r.Why, r.Err)
	}
	return f
}

func (f *fight) done(r machine.Result) *fight {
	f.t.Helper()
	if r = f.answer(r); r.Status != machine.Done {
		f.t.Fatalf("%v %s %v", r.Status, r.Why, r.Err)
	}
	return f
}

// value evaluates an expression.
func (f *fight) value(src string) string {
	f.t.Helper()
	e, diags := parse.Expression("test.encounter", src)
	if len(diags) > 0 {
		f.t.Fatalf("%s: %v", src, diags[0])
	}
	x, vars, diags := f.script.Expr(e, ir.Type{})
	if len(diags) > 0 {
		f.t.Fatalf("%s: %v", src, diags[0])
	}
	piece, err := f.compiler.Expression(x, vars)
	if err != nil {
		f.t.Fatal(err)
	}
	f.m.Relink()
	text, err := f.m.EvalText(piece.Chunk, piece.Type, f.m.Vars()...)
	if err != nil {
		return "error: " + err.Error()
	}
	return text
}

// expect compares values: pairs of an expression and its value.
func (f *fight) expect(pairs ...string) *fight {
	f.t.Helper()
	for i := 0; i+1 < len(pairs); i += 2 {
		if got := f.value(pairs[i]); got != pairs[i+1] {
			f.t.Errorf("%s = %s, want %s", pairs[i], got, pairs[i+1])
		}
	}
	return f
}

// transcript formats the journal, indented by cause.
func (f *fight) transcript() string {
	var b strings.Builder
	for i := range f.m.Journal.Since(0) {
		e := &f.m.Journal.Since(0)[i]
		for cause := f.m.Journal.ByID(e.Cause); cause != nil; cause = f.m.Journal.ByID(cause.Cause) {
			b.WriteString("  ")
		}
		b.WriteString(f.m.Describe(e) + "\n")
	}
	return b.String()
}

// golden compares with a file, or rewrites it.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s", file, got)
	}
}
