package compile_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"arbiter/interp/check"
	"arbiter/interp/compile"
	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/interp/program"
	"arbiter/lang/parse"
	"arbiter/rules"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// ruleset checks a source.
func ruleset(t testing.TB, src string) *ir.Ruleset {
	t.Helper()
	f, diags := parse.File("test.rules", []byte(src))
	l := &load.Loader{Places: []load.Place{{FS: rules.FS}}}
	rulesets, more := l.Add(f)
	diags = append(diags, more...)
	set, more := link.Link(rulesets, nil)
	diags = append(diags, more...)
	rs, more := check.Check(set, check.Options{})
	if diags = append(diags, more...); diags.HasErrors() {
		t.Fatalf("%v", diags)
	}
	return rs.Ruleset
}

// Expressions and their instructions.
func TestExpressions(t *testing.T) {
	const head = `ruleset test
kind creature { strength, wounds: number ; tall: flag ; name-day: number or none = none ; marks: list of number }
resource hp from 0 to 20
condition weak { }
`
	var b strings.Builder
	for _, e := range []string{
		"strength + 1", "strength - wounds * 2", "(strength - 10) / 2", "-strength", "if tall then strength else 0",
		"name-day otherwise 3", "if tall and strength > 3 and wounds <= strength then 1 else 2",
		"if not tall or self is weak then hp else 9000000000", "sum x in marks where x > 2 of x * 2", "count x in creatures where x.hp = 0",
		"highest x in marks of x - 1 otherwise 0", "min(strength, wounds, 3)", "round-up(strength / 3)", "length(marks)",
		"if some x in marks where x = wounds then 1 else 0",
		"if (if tall then name-day else none) is none then 1 else wounds", "if strength = 3 or wounds != -1 then 1 else 0",
		"if strength = 300 then 1 else 0", "sum n in range(1, strength) of n",
		"if tall and strength > 3 then (if tall then 1 else 2) else (if strength > 3 then 3 else 4)",
		"if name-day is not none then strength / wounds + (name-day otherwise 7) else strength / wounds",
		"strength / wounds + strength / wounds", "min(hp, 3) + max(hp, 3)",
		"count x in creatures where x.hp > 3 and x.hp < (sum y in marks of y)", "if some x in marks where strength / wounds + 1 < x then 1 else 0",
	} {
		rs := ruleset(t, head+"define creature.it = "+e+"\n")
		p, err := compile.Compile(rs, compile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "== %s\n%s", e, p.Disassemble(int(p.Defines[0].Chunk)))
	}
	golden(t, "testdata/expressions.golden", b.String())
}

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

// The same ruleset always compiles to the same program.
func TestCompilingIsDeterministic(t *testing.T) {
	for _, name := range []string{"d20", "srd35", "true20"} {
		if d, err := rules.FS.ReadDir(name); err != nil || len(d) == 0 {
			continue
		}
		var first []byte
		for range 3 {
			p, err := compile.Compile(ruleset(t, "ruleset test extends "+name+"\n"), compile.Options{})
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = data
			} else if string(first) != string(data) {
				t.Fatalf("%s compiles to two programs", name)
			}
		}
	}
}

// A point at which nothing waits is no instruction, and parts are only marked on request.
func TestWhatIsNotAskedForCostsNothing(t *testing.T) {
	const src = `ruleset test
roll plain { die d20 }
stat skill rolled as plain { base: 1 }
procedure act-out { step one { check skill dc 10 as it } ; step two { note "x" } }
`
	count := func(src string, opts compile.Options) map[program.Op]int {
		p, err := compile.Compile(ruleset(t, src), opts)
		if err != nil {
			t.Fatal(err)
		}
		n := map[program.Op]int{}
		for _, in := range p.Code {
			n[in.Op]++
		}
		return n
	}
	if n := count(src, compile.Options{}); n[program.OpAt]+n[program.OpInstead]+n[program.OpCover] != 0 {
		t.Errorf("points or marks: %v", n)
	}
	if n := count(src+"rule r after act-out.one { note \"y\" }\n", compile.Options{}); n[program.OpAt] != 1 {
		t.Errorf("%d points for one rule", n[program.OpAt])
	}
	if n := count(src+"rule r after check { note \"y\" }\n", compile.Options{}); n[program.OpAt] != 1 {
		t.Errorf("%d points for one rule on checks", n[program.OpAt])
	}
	if n := count(src+"roll other { die d20 }\nrule r after check when kind = other and natural = 1 { note \"y\" }\n", compile.Options{}); n[program.OpAt] != 0 {
		t.Errorf("%d points for a rule on other rolls", n[program.OpAt])
	}
	for rule, asked := range map[string]int{
		"rule r after act-out when 2 < 1 { note \"y\" }\n":               1,
		"rule r after act-out { note \"y\" }\n":                          0,
		"rule r after act-out when 2 < 1 once per turn { note \"y\" }\n": 0,
		"effect e { rule r after act-out when 2 < 1 { note \"y\" } }\n":  0,
	} {
		if n := count(src+rule, compile.Options{}); n[program.OpJumpAwaited] != asked || n[program.OpAt] != 1 {
			t.Errorf("%s: asked in place %d times, at %d points", rule, n[program.OpJumpAwaited], n[program.OpAt])
		}
	}
	if n := count(src, compile.Options{Cover: true}); n[program.OpCover] < 4 {
		t.Errorf("%d parts marked", n[program.OpCover])
	}
}

func TestLimits(t *testing.T) {
	var b strings.Builder
	b.WriteString("ruleset test\nprocedure wide {\n  step all {\n")
	for i := range 300 {
		fmt.Fprintf(&b, "    let name-%d = %d\n", i, i)
	}
	b.WriteString("  }\n}\n")
	_, err := compile.Compile(ruleset(t, b.String()), compile.Options{})
	if err == nil || !strings.Contains(err.Error(), "test.rules:") || !strings.Contains(err.Error(), "more than 250 names") {
		t.Errorf("error %v", err)
	}
}

// However short code becomes, its jumps stay in their chunk, replaceable code begins with a jump and has an end, and no
// jump leads to another jump or, without a reason, to the next instruction.
func TestShortenedCodeIsWhole(t *testing.T) {
	for _, name := range []string{"d20", "srd35", "true20"} {
		p, err := compile.Compile(ruleset(t, "ruleset test extends "+name+"\n"), compile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Chunks {
			c := &p.Chunks[i]
			fault := func(pc int32, what string) { t.Fatalf("%s, %s at %d: %s", name, c.Name, pc-c.Start, what) }
			open := 0
			for pc := c.Start; pc < c.End; pc++ {
				in := p.Code[pc]
				if in.Op.Jumps() && (in.D < c.Start || in.D >= c.End) {
					fault(pc, "a jump out of the chunk")
				}
				switch {
				case in.Op == program.OpInstead:
					open++
					if p.Code[pc+1].Op != program.OpJump {
						fault(pc, "no jump past what is replaced")
					}
				case in.Op == program.OpEndInstead:
					open--
				case in.Op == program.OpJump && p.Code[in.D].Op == program.OpJump:
					fault(pc, "a jump to a jump")
				case in.Op == program.OpJump && in.D == pc+1 && p.Code[pc-1].Op != program.OpInstead:
					fault(pc, "a jump to what comes next")
				}
			}
			if open != 0 {
				fault(c.Start, "what may be replaced has no end")
			}
		}
		for i := range p.Procs {
			q := &p.Procs[i]
			c := &p.Chunks[q.Chunk]
			if q.CancelPC < c.Start || q.CancelPC >= c.End || p.Code[c.End-1].Op != program.OpEnd {
				t.Errorf("%s, %s goes on at %d of %d to %d when it is broken off", name, q.Name, q.CancelPC, c.Start, c.End)
			}
			for k, d := range q.Defaults {
				if in := p.Code[d.Start]; in.Op != program.OpJumpGiven || int(in.A) != 1+k {
					t.Errorf("%s, %s: the default of parameter %d begins with %s %d", name, q.Name, k, in.Op, in.A)
				}
			}
		}
	}
}

// Defines that refer to each other many times do not inline each other endlessly, in a loop or outside of one.
func TestInliningEnds(t *testing.T) {
	var b strings.Builder
	b.WriteString("ruleset test\nkind creature { strength: number }\ndefine creature.d0(n: number, m: number) = strength + n + m\n")
	for i := range 12 {
		call := fmt.Sprintf("self.d%d(n, m)", i)
		fmt.Fprintf(&b, "define creature.d%d(n: number, m: number) = %s\n", i+1, strings.Repeat(call+" + ", 7)+call)
	}
	b.WriteString("define creature.it = sum x in creatures where self.d12(1, 2) > strength of self.d12(3, 4)\n")
	p, err := compile.Compile(ruleset(t, b.String()), compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Defines {
		if ch := p.Chunks[p.Defines[i].Chunk]; ch.End-ch.Start > 2000 {
			t.Errorf("%s has %d instructions", p.Defines[i].Name, ch.End-ch.Start)
		}
	}
}
