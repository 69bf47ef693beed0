package session

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"arbiter/interp/build"
	"arbiter/interp/machine"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/format"
)

var (
	fuzzFor  = flag.Duration("programs", 0, "how long TestPrograms tries random programs; 0 for a hundred of them")
	fuzzFrom = flag.Uint64("program", 0, "the program that TestPrograms begins with; 0 for the first, or with -programs any")
	fuzzOne  = flag.Bool("one", false, "TestPrograms tries that program only")
)

// programmer writes random programs of the language: some end and some do not, some have wrong types.
type programmer struct {
	*rand.Rand
	b      strings.Builder
	depth  int
	wrong  bool // some of it has wrong types
	mapped bool // creatures stand on a map
	hooked bool // there are functions in Starlark
}

func (g *programmer) pick(list ...string) string { return list[g.IntN(len(list))] }

// number writes an expression, mostly a number.
func (g *programmer) number() string {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > 4 {
		return g.pick("0", "1", "2", "7", "x", "y", "self.luck", "self.level")
	}
	a, b := g.number, g.number
	switch g.IntN(24) {
	case 0:
		return g.pick("9223372036854775807", "-9223372036854775800", "4611686018427387904", "3037000500", "1099511627776")
	case 1, 2, 3:
		return "(" + a() + g.pick(" + ", " - ") + b() + ")"
	case 4:
		return "(" + a() + g.pick(" * ", " / ") + b() + ")"
	case 5:
		return g.pick("min", "max") + "(" + a() + ", " + b() + ")"
	case 6:
		return "abs(" + a() + ")"
	case 7:
		return "(if " + g.condition() + " then " + a() + " else " + b() + ")"
	case 8:
		return "(sum k in " + g.list() + " where " + g.condition() + " of k * " + a() + ")"
	case 9:
		return "(count k in " + g.list() + " where k > " + a() + ")"
	case 10:
		return "((highest k in " + g.list() + " of k) otherwise " + a() + ")"
	case 11:
		return g.pick("self.twice(", "self.deep(") + a() + ")"
	case 12:
		return g.pick("self.might", "self.guard", "(self.guard against self)", "(sum c in creatures of c.might)")
	case 13:
		if !g.wrong {
			return g.pick("x", "y")
		}
		return g.pick("yes", "none", "\"text\"", "self", "[1]", "d20", "5 ft") // wrong, or not, where it stands
	case 14:
		return g.list() + "[" + a() + "]"
	case 15:
		return g.list() + ".length"
	case 16:
		if g.mapped {
			return g.pick("(count c in creatures where adjacent(self, c))", "(count c in creatures where distance(self, c) <= 10 ft)", "(count c in creatures where line-of-effect(self, c))")
		}
		return "self.omen"
	}
	return g.pick("0", "1", "2", "3", "10", "x", "y", "self.luck", "self.level")
}

func (g *programmer) condition() string {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > 4 {
		return g.pick("yes", "no", "x > y", "self is dazed")
	}
	switch g.IntN(8) {
	case 0:
		return "(" + g.condition() + g.pick(" and ", " or ") + g.condition() + ")"
	case 1:
		return "not " + g.pick("(x = y)", "(self is dazed)")
	case 2:
		return "(" + g.pick("some", "no", "every") + " k in " + g.list() + " where k > " + g.number() + ")"
	case 3:
		return "self is " + g.pick("dazed", "proud", "strange")
	}
	return "(" + g.number() + g.pick(" < ", " = ", " >= ", " != ") + g.number() + ")"
}

func (g *programmer) list() string {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > 4 {
		return g.pick("[1, 2]", "self.hoard", "range(1, 3)")
	}
	switch g.IntN(7) {
	case 0:
		return "range(" + g.number() + ", " + g.number() + ")"
	case 1:
		return "(" + g.list() + g.pick(" + ", " - ") + g.list() + ")"
	case 2:
		return "(each k in " + g.list() + " where " + g.condition() + " sorted by 0 - k)"
	case 3:
		return "(each k in " + g.list() + " of k + " + g.number() + ")"
	}
	return g.pick("[1, 2, 3]", "self.hoard", "range(1, 20)", "[x, y]", "self.hoard", "range(1, 2000)")
}

func (g *programmer) statements(n int) {
	g.depth++
	defer func() { g.depth-- }()
	for range n {
		if g.depth > 4 {
			g.b.WriteString("note \"{x} {y}\"\n")
			return
		}
		switch g.IntN(22) {
		case 0, 1, 2:
			fmt.Fprintf(&g.b, "set %s to %s\n", g.pick("x", "y"), g.number())
		case 3, 4:
			fmt.Fprintf(&g.b, "%s %s %s luck\n", "self", g.pick("gains", "loses"), "("+g.number()+")")
		case 5, 6:
			fmt.Fprintf(&g.b, "if %s {\n", g.condition())
			g.statements(2)
			g.b.WriteString("}\n")
		case 7:
			fmt.Fprintf(&g.b, "repeat %s times {\n", "("+g.pick("2", "3", "50", "10000", g.number())+")")
			g.statements(2)
			g.b.WriteString("}\n")
		case 8, 9:
			fmt.Fprintf(&g.b, "for each k in %s where %s {\n", g.list(), g.condition())
			g.statements(2)
			g.b.WriteString("}\n")
		case 10:
			fmt.Fprintf(&g.b, "self %s %s\n", g.pick("gains", "loses"), g.pick("dazed", "strange", "blessed at "+"("+g.number()+")"))
		case 11:
			fmt.Fprintf(&g.b, "check might dc %s { success: set x to x + 1; otherwise: set y to y - 1 }\n", "("+g.number()+")")
		case 12:
			fmt.Fprintf(&g.b, "set x to roll %s\n", g.pick("d20", "3d6", "4d6kh3", "(1d4 * x)", "(1d6 + y)"))
		case 13:
			g.b.WriteString(g.pick("again with x\n", "again with (x - 1)\n", "salve\n", "stop\n"))
		case 14:
			fmt.Fprintf(&g.b, "set self.hoard to %s\n", g.list())
		case 15:
			fmt.Fprintf(&g.b, "choose {\n\"one\" { set x to 1 }\n\"two\" when %s { set y to 2 }\n}\n", g.condition())
		case 16, 17:
			if g.mapped {
				fmt.Fprintf(&g.b, "self moves %s\n", g.pick("to (3, 2)", "to ("+g.number()+", "+g.number()+")", "10 ft toward (0, 0)", "10 ft away from (1, 2)"))
				continue
			}
			fmt.Fprintf(&g.b, "self gains passing for (%s) rounds\n", g.number())
		default:
			fmt.Fprintf(&g.b, "note \"{%s} {%s}\"\n", g.number(), g.pick("x", "y", "self.hoard", "self.might"))
		}
	}
}

// rules writes the rules of a script.
func (g *programmer) rules() string {
	g.b.Reset()
	fmt.Fprintf(&g.b, `ruleset random extends d20
resource luck from 0 to %s starts %d
kind creature { hoard: list of number = [] }
bonus morale: highest
condition dazed { -1 to might; guard times 1/2 }
condition proud while self.luck > %d { +2 morale to might }
condition strange { includes dazed; +1 to might, guard }
condition blessed at level: number { +level to guard }
condition passing { rule fades at start of turn { self gains 1 luck } }
define creature.twice(n: number) = n * 2
define creature.deep(n: number) = if n > 0 then %s else 0
define creature.omen = 1
stat might rolled as plain { base: 1; some-more: %s when self is proud }
stat guard against foe { base: 10; height: 1 when foe is dazed }
`, g.pick("20", "1000", "9223372036854775807"), g.IntN(5), g.IntN(8), g.pick("self.twice(n - 1)", "n / 2", "n + 1"), g.pick("2", "self.luck", "self.level"))
	g.b.WriteString("procedure again with n: number {\nlet x = n\nlet y = 0\n")
	g.statements(2)
	g.b.WriteString("}\nprocedure salve {\nlet x = 1\nlet y = 2\n")
	g.statements(1)
	g.b.WriteString("}\nrule heard after " + g.pick("salve", "again", "salve when self.luck > 2") + " { actor gains 1 luck" + g.pick("", "; actor: salve", "\nactor: again with 1") + " }\n")
	g.b.WriteString("action brawl {\ncost none\nlet x = 1\nlet y = 2\n")
	g.statements(5)
	g.b.WriteString("}\n")
	if g.hooked {
		g.b.WriteString("use hooks \"random.star\"\n")
	}
	return g.b.String()
}

// script writes the fight.
func (g *programmer) script() string {
	g.b.Reset()
	g.b.WriteString("encounter \"random\" with d20\ncreature man { level: 1; speed: 30 ft }\n")
	us, them := "man Alia; man Cyra", "man Bron"
	if g.mapped {
		g.b.WriteString("map \"\"\"\n  A.......\n  ...b....\n  ........\n  .....C..\n  \"\"\"\n")
		us, them = "man Alia at \"A\"; man Cyra at \"C\"", "man Bron at \"b\""
	}
	fmt.Fprintf(&g.b, "side us { %s }\nside them { %s }\nseed 7\n", us, them)
	for range 1 + g.IntN(3) {
		g.b.WriteString(g.pick("Alia: brawl\n", "Bron: brawl\n", "pass 1 hour\n", "for each c in creatures { c gains passing }\n", "repeat 3 times { Alia: brawl }\n"))
	}
	g.b.WriteString("Alia: brawl\nBron: brawl\nnote \"{Alia.might} {Bron.guard} {Alia.luck} {Alia.hoard.length}\"\n")
	return g.b.String()
}

// value writes an expression of Starlark.
func (g *programmer) value() string {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > 4 {
		return g.pick("0", "1", "3", "x", "ctx.self.luck", "ctx.self.level")
	}
	switch g.IntN(12) {
	case 0, 1:
		return "(" + g.value() + g.pick(" + ", " - ", " * ") + g.value() + ")"
	case 2:
		return "(" + g.value() + g.pick(" // ", " % ") + g.value() + ")"
	case 3:
		return g.pick("min", "max") + "(" + g.value() + ", " + g.value() + ")"
	case 4:
		return "len(ctx.creatures)"
	case 5:
		return "(" + g.value() + " if " + g.value() + " > " + g.value() + " else " + g.value() + ")"
	case 6:
		return "max([k * " + g.value() + " for k in range(" + g.value() + ")] + [0])"
	case 7:
		return "len([c for c in ctx.creatures if c.luck > " + g.value() + "])"
	case 8:
		return g.pick("ctx.self.might", "ctx.self.omen", "ctx.self.hoard[0]", "len(ctx.self.hoard)", "9223372036854775807", "(1 << 40)")
	case 9:
		if g.wrong {
			return g.pick("None", "\"text\"", "[1]", "ctx.nobody")
		}
	}
	return g.pick("0", "1", "2", "5", "x", "ctx.self.luck", "ctx.self.level")
}

// deeds writes what a function does; acting ones change the game.
func (g *programmer) deeds(indent string, n int, acting bool) {
	g.depth++
	defer func() { g.depth-- }()
	g.b.WriteString(indent + "x = 1\n")
	for range n {
		switch k := g.IntN(8); {
		case k == 0:
			g.b.WriteString(indent + "x = " + g.value() + "\n")
		case k < 3 && g.depth < 3:
			g.b.WriteString(indent + g.pick("for k in range("+g.value()+"):\n", "for c in ctx.creatures:\n", "if "+g.value()+" > "+g.value()+":\n"))
			g.deeds(indent+"    ", 2, acting)
		case !acting:
			g.b.WriteString(indent + g.pick("ctx.add("+g.value()+", \"morale\")\n", "ctx.add("+g.value()+", reason = \"why\")\n", "ctx.at_least("+g.value()+")\n", "ctx.times("+g.value()+", over = 2)\n"))
		default:
			g.b.WriteString(indent + g.pick("ctx.gain(ctx.self, \"luck\", "+g.value()+")\n", "ctx.lose(ctx.self, \"luck\", "+g.value()+")\n", "ctx.gain(ctx.self, \"dazed\")\n",
				"ctx.lose(ctx.self, \"dazed\")\n", "ctx.gain(ctx.self, \"strange\", rounds = "+g.value()+")\n", "ctx.note(\"%d\" % "+g.value()+")\n", "x = ctx.roll(\"2d6\", \"die\")\n", "ctx.do(ctx.self, \"salve\")\n"))
		}
	}
}

// hooks writes a file of functions in Starlark.
func (g *programmer) hooks() string {
	g.b.Reset()
	g.b.WriteString("def more(ctx):\n")
	g.deeds("    ", 3, false)
	g.b.WriteString("def act(ctx):\n")
	g.deeds("    ", 3, true)
	g.b.WriteString("def number(ctx):\n    x = 1\n    return " + g.value() + "\n")
	g.b.WriteString("modify(\"" + g.pick("might", "guard") + "\", more)\n")
	g.b.WriteString(g.pick("after", "before") + "(\"" + g.pick("salve", "again", "brawl") + "\", act)\n")
	g.b.WriteString("replace(\"creature.omen\", number)\n")
	return g.b.String()
}

// program writes rules, their functions and a script.
func (g *programmer) program() written {
	g.wrong, g.mapped, g.hooked = g.IntN(8) == 0, g.IntN(2) == 0, g.IntN(2) == 0
	p := written{rules: g.rules(), script: g.script()}
	if g.hooked {
		p.hooks = g.hooks()
	}
	return p
}

// written is what a programmer writes.
type written struct{ script, rules, hooks string }

func (p written) String() string {
	return "-- random.encounter --\n" + p.script + "-- random.rules --\n" + p.rules + "-- random.star --\n" + p.hooks
}

// build builds the program, with its rules in a folder.
func (p written) build(folder string) (*build.Script, diag.List, error) {
	o := quick
	o.With = []string{filepath.Join(folder, "random.rules")}
	for name, text := range map[string]string{"random.rules": p.rules, "random.star": p.hooks} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return nil, nil, err
		}
	}
	return build.Source("random.encounter", []byte(p.script), o)
}

// ran is what became of a program.
type ran struct {
	output, failure string
	hash            uint64
	limited         bool
}

// limitWords are in the messages of limits.
var limitWords = []string{"more than", "at most", "nested", "need more", "is too large"}

// Bounds of one command: what it may use of a processor, and how many bytes it may allocate, which is more than it ever
// holds. A hundred thousand notes, each with what functions in Starlark have added, take a second on a slow machine.
const (
	mostTime  = 2 * time.Second
	mostBytes = 512 << 20
)

func runProgram(t *testing.T, src written, s *build.Script, change func(m *machine.Machine)) (r ran) {
	defer func() {
		if x := recover(); x != nil {
			t.Errorf("panic: %v\n%s", x, src)
		}
	}()
	p := newPlayer(s, Options{Unchecked: true})
	change(p.m)
	var before, after runtime.MemStats
	for _, cl := range s.File.Body {
		hash := p.m.State().Hash()
		failures := len(p.result.Failures)
		runtime.ReadMemStats(&before)
		begun := cpuTime()
		p.clause(cl)
		commands := uint64(1)
		if n, repeats := cl.(*ast.Repeat); repeats {
			if times, ok := n.Times.(*ast.Number); ok {
				commands = uint64(times.Value)
			}
		}
		if used := cpuTime() - begun; used > mostTime*time.Duration(commands) && !p.m.NoCache { // only tests do without caches
			t.Errorf("%v of a processor for %s\n%s", used, format.Node(cl), src)
		}
		if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > mostBytes*commands && !p.m.NoCache {
			t.Errorf("%d MiB allocated for %s\n%s", (after.TotalAlloc-before.TotalAlloc)>>20, format.Node(cl), src)
		}
		if _, acts := cl.(*ast.Command); acts && len(p.result.Failures) > failures && p.m.State().Hash() != hash {
			t.Errorf("a command that failed (%s) has changed the state:\n%s", p.result.Failures[failures].Message, src)
		}
		p.stopped = false
	}
	p.narrator.writeEvents()
	for _, d := range p.result.Failures {
		r.failure += d.Message + "\n"
		if strings.Contains(d.Message, "internal error") || d.Span.Start.Line == 0 {
			t.Errorf("%s\n%s", d.Message, src)
		}
		for _, w := range limitWords {
			r.limited = r.limited || strings.Contains(d.Message, w)
		}
	}
	r.output, r.hash = p.narrator.transcript(), p.m.State().Hash()
	return r
}

// mostFailed is after how many programs that fail the trial ends.
const mostFailed = 5

// Random programs never crash, hang or eat memory, and neither caches nor the size of the limits change what they do,
// unless a limit is what stops them.
func TestPrograms(t *testing.T) {
	first, most := uint64(1), 100
	switch {
	case *fuzzFrom > 0:
		first = *fuzzFrom
	case *fuzzFor > 0:
		first = uint64(time.Now().UnixNano())
	}
	if *fuzzOne {
		most = 1
	}
	var c programCounts
	folder := t.TempDir()
	failed := 0
	for begun, n := time.Now(), first; failed < mostFailed; n++ {
		if *fuzzFor == 0 && c.tried >= most || *fuzzFor > 0 && time.Since(begun) > *fuzzFor {
			break
		}
		if !t.Run(fmt.Sprint(n), func(t *testing.T) { tryProgram(t, folder, n, &c) }) {
			failed++
		}
	}
	t.Logf("%d programs, %d without mistakes, %d runs stopped by a limit", c.tried, c.valid, c.limited)
	if c.valid*10 < c.tried*8 {
		t.Errorf("only %d of %d programs have no mistakes", c.valid, c.tried)
	}
}

// programCounts is what came of programs.
type programCounts struct{ tried, valid, limited int }

// tryProgram writes a program and runs it in several ways.
func tryProgram(t *testing.T, folder string, n uint64, counts *programCounts) {
	counts.tried++
	g := &programmer{Rand: rand.New(rand.NewPCG(n, 0))}
	src := g.program()
	s, diags, err := src.build(folder)
	if err != nil {
		t.Fatal(err, src)
	}
	if diags.HasErrors() {
		for _, d := range diags {
			if d.Span.Start.Line == 0 || strings.Contains(d.Message, "internal") {
				t.Errorf("%v\n%s", d, src)
			}
		}
		if os.Getenv("PROGRAMS_SHOW") != "" && counts.tried < 30 {
			fmt.Println(diags[0])
		}
		return
	}
	counts.valid++
	whole := runProgram(t, src, s, func(*machine.Machine) {})
	if bare := runProgram(t, src, s, func(m *machine.Machine) { m.NoCache = true }); bare != whole && !bare.limited && !whole.limited {
		t.Errorf("with caches\n%+v\nwithout\n%+v\n%s", whole, bare, src)
	}
	for _, times := range []int{1, 6} {
		half := runProgram(t, src, s, func(m *machine.Machine) {
			for range times {
				m.Limits = m.Limits.Halved()
			}
		})
		if half.limited {
			counts.limited++
		} else if half != whole && !whole.limited {
			t.Errorf("with whole limits\n%+v\nwith limits halved %d times\n%+v\n%s", whole, times, half, src)
		}
	}
}
