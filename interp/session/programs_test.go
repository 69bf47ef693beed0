package session

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"arbiter/interp/build"
	"arbiter/interp/machine"
	"arbiter/lang/ast"
)

var fuzzFor = flag.Duration("programs", 0, "how long TestPrograms tries random programs; 0 for a hundred of them")

// programmer writes random programs of the language: some end and some do not, some have wrong types.
type programmer struct {
	*rand.Rand
	b     strings.Builder
	depth int
	wrong bool // some of it has wrong types
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
	return g.pick("[1, 2, 3]", "self.hoard", "range(1, 20)", "[x, y]", "self.hoard")
}

func (g *programmer) statements(n int) {
	g.depth++
	defer func() { g.depth-- }()
	for range n {
		if g.depth > 4 {
			g.b.WriteString("note \"{x} {y}\"\n")
			return
		}
		switch g.IntN(20) {
		case 0, 1, 2:
			fmt.Fprintf(&g.b, "set %s to %s\n", g.pick("x", "y"), g.number())
		case 3, 4:
			fmt.Fprintf(&g.b, "%s %s %s luck\n", "self", g.pick("gains", "loses"), "("+g.number()+")")
		case 5, 6:
			fmt.Fprintf(&g.b, "if %s {\n", g.condition())
			g.statements(2)
			g.b.WriteString("}\n")
		case 7:
			fmt.Fprintf(&g.b, "repeat %s times {\n", "("+g.pick("2", "3", "50", g.number())+")")
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
		default:
			fmt.Fprintf(&g.b, "note \"{%s} {%s}\"\n", g.number(), g.pick("x", "y", "self.hoard", "self.might"))
		}
	}
}

// program writes a whole script.
func (g *programmer) program() string {
	g.wrong = g.IntN(8) == 0
	fmt.Fprintf(&g.b, `encounter "random" with d20
resource luck from 0 to %s starts %d
kind creature { hoard: list of number = [] }
bonus morale: highest
condition dazed { -1 to might; guard times 1/2 }
condition proud while self.luck > %d { +2 morale to might }
condition strange { includes dazed; +1 morale to might, guard }
condition blessed at level: number { +level morale to guard }
define creature.twice(n: number) = n * 2
define creature.deep(n: number) = if n > 0 then %s else 0
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
	g.b.WriteString("}\ncreature man { level: 1 }\nside us { man Alia }\nside them { man Bron }\nseed 7\n")
	g.b.WriteString("Alia: brawl\nBron: brawl\nnote \"{Alia.might} {Bron.guard} {Alia.luck} {Alia.hoard.length}\"\n")
	return g.b.String()
}

// ran is what became of a program.
type ran struct {
	output, failure string
	hash            uint64
	limited         bool
}

// limitWords are in the messages of limits.
var limitWords = []string{"more than", "at most", "nested", "need more", "is too large"}

func runProgram(t *testing.T, src string, s *build.Script, change func(m *machine.Machine)) (r ran) {
	defer func() {
		if x := recover(); x != nil {
			t.Errorf("panic: %v\n%s", x, src)
		}
	}()
	p := newPlayer(s, Options{Unchecked: true})
	change(p.m)
	for _, cl := range s.File.Body {
		before := p.m.State().Hash()
		failures := len(p.result.Failures)
		p.clause(cl)
		if _, acts := cl.(*ast.Command); acts && len(p.result.Failures) > failures && p.m.State().Hash() != before {
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
	r.output, r.hash = string(p.narrator.output), p.m.State().Hash()
	return r
}

// Random programs never crash, hang or eat memory, and neither caches nor the size of the limits change what they do,
// unless a limit is what stops them.
func TestPrograms(t *testing.T) {
	first := uint64(1)
	if *fuzzFor > 0 {
		first = uint64(time.Now().UnixNano())
	}
	begun, tried, valid, limited := time.Now(), 0, 0, 0
	for n := first; ; n++ {
		if *fuzzFor == 0 && tried >= 100 || *fuzzFor > 0 && time.Since(begun) > *fuzzFor || t.Failed() {
			break
		}
		tried++
		g := &programmer{Rand: rand.New(rand.NewPCG(n, 0))}
		src := g.program()
		s, diags, err := build.Source("random.encounter", []byte(src), quick)
		if err != nil {
			t.Fatal(err, src)
		}
		if diags.HasErrors() {
			for _, d := range diags {
				if d.Span.Start.Line == 0 || strings.Contains(d.Message, "internal") {
					t.Errorf("%v\n%s", d, src)
				}
			}
			if name := os.Getenv("PROGRAMS_SHOW"); name != "" && tried < 30 {
				fmt.Println(diags[0].Message, diags[0].Span.Start.Line, strings.Split(src, "\n")[max(diags[0].Span.Start.Line, 1)-1])
			}
			continue
		}
		valid++
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		whole := runProgram(t, src, s, func(*machine.Machine) {})
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 1<<30 {
			t.Errorf("%d MiB allocated\n%s", used>>20, src)
		}
		if bare := runProgram(t, src, s, func(m *machine.Machine) { m.NoCache = true }); bare != whole && !bare.limited && !whole.limited {
			t.Errorf("with caches\n%+v\nwithout\n%+v\n%s", whole, bare, src)
		}
		half := runProgram(t, src, s, func(m *machine.Machine) { m.Limits = m.Limits.Halved() })
		if half.limited {
			limited++
		} else if half != whole {
			t.Errorf("with whole limits\n%+v\nwith half of them\n%+v\n%s", whole, half, src)
		}
	}
	t.Logf("%d programs, %d without mistakes, %d stopped by a limit", tried, valid, limited)
	if valid*10 < tried {
		t.Errorf("only %d of %d programs have no mistakes", valid, tried)
	}
}
