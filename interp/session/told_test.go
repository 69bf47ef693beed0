package session

import (
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/interp/view"
	"arbiter/lang/ast"
	"arbiter/lang/parse"
	"arbiter/stdlib/effect"
	"arbiter/stdlib/journal"
)

// This file tests that the record of a fight is complete: every change of a resource, of effects and of a place is an
// event, every such event is a change, and the transcript tells each unless the rules keep it quiet.

var (
	toldFights = flag.Int("told-fights", 10, "in how many random fights of each system TestToldInFights compares the record with the state")
	toldFiles  = flag.Int("told-files", 40, "TestToldInTests plays every so many-th file of tests; 1: all")
)

// recordKeeper follows the record of a run and compares what it says with the state.
type recordKeeper struct {
	t       *testing.T
	p       *player
	mark    journal.Mark
	lines   int // of the transcript, read so far
	amounts [][]int64
	squares []int64
	effects map[int32]effect.Instance
	counts  toldCounts
}

// toldCounts is what was compared.
type toldCounts struct{ statements, amounts, paid, quietAmounts, effects, told, places int }

func (c *toldCounts) add(x toldCounts) {
	c.statements, c.amounts, c.paid, c.quietAmounts = c.statements+x.statements, c.amounts+x.amounts, c.paid+x.paid, c.quietAmounts+x.quietAmounts
	c.effects, c.told, c.places = c.effects+x.effects, c.told+x.told, c.places+x.places
}

func (c toldCounts) String() string {
	return fmt.Sprintf("%d statements; %d changes of resources, of which %d paid a cost and %d were quiet; %d effects came or went, of which %d were told; %d changes of place",
		c.statements, c.amounts, c.paid, c.quietAmounts, c.effects, c.told, c.places)
}

func newRecordKeeper(t *testing.T, p *player) *recordKeeper {
	k := &recordKeeper{t: t, p: p, effects: map[int32]effect.Instance{}}
	k.adopt()
	return k
}

// adopt takes over the state of creatures that were placed since, who had no state before.
func (k *recordKeeper) adopt() {
	s, pr := k.p.m.State(), k.p.m.Program()
	first := len(k.squares)
	if first > len(s.Entities) { // some were removed for good
		k.amounts, k.squares = k.amounts[:len(s.Entities)], k.squares[:len(s.Entities)]
		for id, x := range k.effects {
			if int(x.Bearer) >= len(s.Entities) {
				delete(k.effects, id)
			}
		}
		return
	}
	for who := first; who < len(s.Entities); who++ {
		var amounts []int64
		for r := range pr.Resources {
			amounts = append(amounts, k.p.m.Resource(int32(who), int32(r)))
		}
		k.amounts, k.squares = append(k.amounts, amounts), append(k.squares, s.Squares[who])
	}
	for x := range s.Effects.All() {
		if int(x.Bearer) >= first {
			k.effects[x.ID] = *x
		}
	}
}

// everybodys is the origin of an effect that everybody has from the first, which no event gives.
const everybodys int32 = -2

// check compares the events since the last check with the state and with the transcript.
func (k *recordKeeper) check(what string) {
	p, m := k.p, k.p.m
	if m.Journal == nil {
		return
	}
	p.narrator.writeEvents()
	known := len(k.squares)
	before := slices.Clone(k.squares)
	fail := func(format string, args ...any) {
		k.t.Helper()
		k.t.Errorf("%s: after %s: %s", p.script.Path, what, fmt.Sprintf(format, args...))
	}
	pr := m.Program()
	k.counts.statements++
	text := p.narrator.transcript()
	all := strings.Split(text, "\n")
	lines := all[min(k.lines, len(all)):]
	k.lines = max(0, len(all)-1)
	listed := map[int32]*view.Event{}
	for i := range p.result.Events {
		listed[p.result.Events[i].ID] = &p.result.Events[i]
	}
	present := map[string]int{} // instances of an effect with its parameters, by bearer and text
	wanted := map[string]int{}
	events := slices.Clone(m.Journal.Since(k.mark))
	k.mark = m.Journal.Mark()
	for i := range events {
		e := &events[i]
		if !isChange(e) {
			continue
		}
		if listed[e.ID] == nil {
			fail("%s is no event of the document", m.Describe(e))
			continue
		}
		told := machine.Telling(e.Text) == machine.Told
		isTold := listed[e.ID].Text != ""
		name, fresh := listed[e.ID].Who, int(e.Who) >= known
		switch e.Kind {
		case machine.ResourceChanged:
			k.counts.amounts++
			switch machine.Telling(e.Text) {
			case machine.Paid:
				k.counts.paid++
			case machine.Quietly:
				k.counts.quietAmounts++
			}
			if !fresh {
				if now := k.amounts[e.Who][e.Code]; now != e.A {
					fail("%s, but it was %d", m.Describe(e), now)
				}
				k.amounts[e.Who][e.Code] = e.B
			}
			if e.A == e.B {
				fail("%s is no change", m.Describe(e))
			}
			told = told && !pr.Resources[e.Code].Internal
			if told != isTold {
				fail("%s: in the transcript %v, expected %v", m.Describe(e), isTold, told)
			}
			if told {
				wanted[fmt.Sprintf("%s %s %d -> %d", name, pr.Resources[e.Code].Name, e.A, e.B)]++
			}
		case machine.EffectGained, machine.EffectLost:
			k.counts.effects++
			id := int32(e.A)
			x, has := k.effects[id]
			if e.Kind == machine.EffectGained {
				if has && !fresh {
					fail("%s, which it had already", m.Describe(e))
				}
				k.effects[id] = effect.Instance{ID: id, Def: e.Code, Bearer: e.Who}
			} else {
				if !fresh && (!has || x.Def != e.Code || x.Bearer != e.Who) {
					fail("%s, which it did not have", m.Describe(e))
				}
				delete(k.effects, id)
			}
			if isTold {
				k.counts.told++
			}
			def := &pr.Effects[e.Code]
			if hidden := def.Word != "condition" || def.Internal || !told; hidden && isTold {
				fail("%s should not be told", m.Describe(e))
			}
			key := name + " " + listed[e.ID].Text
			present[key]++
			if isTold && !slices.ContainsFunc(lines, func(l string) bool { return tellsEffect(l, name, listed[e.ID].Text) }) {
				fail("no line tells %q", listed[e.ID].Text)
			}
		case machine.SquareChanged:
			k.counts.places++
			if !fresh {
				if k.squares[e.Who] != e.A {
					fail("%s, but it was at %s", m.Describe(e), machine.FormatSquare(k.squares[e.Who]))
				}
				k.squares[e.Who] = e.B
			}
			if onMap := e.A != program.None && e.B != program.None; onMap != isTold {
				fail("%s: in the transcript %v, expected %v", m.Describe(e), isTold, onMap)
			}
		}
	}
	for _, l := range lines {
		if l = strings.TrimSpace(l); wanted[l] > 0 {
			wanted[l]--
		}
	}
	for l, n := range wanted {
		if n > 0 {
			fail("the transcript lacks %q", l)
		}
	}
	k.compareState(known, before, lines, fail)
	k.adopt()
}

// compareState compares what the events say with the state of those who were known before.
func (k *recordKeeper) compareState(known int, before []int64, lines []string, fail func(string, ...any)) {
	p, m := k.p, k.p.m
	s, pr := m.State(), m.Program()
	for who := range min(known, len(s.Entities)) {
		name := p.nameOf(int64(who))
		for r := range pr.Resources {
			if v := m.Resource(int32(who), int32(r)); v != k.amounts[who][r] {
				fail("%s %s is %d, by the events %d", name, pr.Resources[r].Name, v, k.amounts[who][r])
				k.amounts[who][r] = v
			}
		}
		at := s.Squares[who]
		if at != k.squares[who] {
			fail("%s is at %s, by the events at %s", name, machine.FormatSquare(at), machine.FormatSquare(k.squares[who]))
			k.squares[who] = at
		}
		if at != before[who] && at != program.None && before[who] != program.None && !slices.ContainsFunc(lines, func(l string) bool {
			return strings.Contains(l, name) && strings.Contains(l, machine.FormatSquare(at))
		}) {
			fail("no line tells that %s is now at %s", name, machine.FormatSquare(at))
		}
	}
	now := map[int32]bool{}
	for x := range s.Effects.All() {
		now[x.ID] = true
		if y, known := k.effects[x.ID]; int(x.Bearer) < len(k.squares) && x.Origin != everybodys && (!known || y.Def != x.Def || y.Bearer != x.Bearer) {
			fail("%s has %s, which no event says", p.nameOf(int64(x.Bearer)), pr.Effects[x.Def].Name)
		}
		k.effects[x.ID] = *x
	}
	for id, x := range k.effects {
		if !now[id] {
			if int(x.Bearer) < len(s.Entities) {
				fail("%s no longer has %s, which no event says", p.nameOf(int64(x.Bearer)), pr.Effects[x.Def].Name)
			}
			delete(k.effects, id)
		}
	}
}

var noLonger = regexp.MustCompile(` (is|are) no longer `)

// tellsEffect reports whether a line tells that somebody gains or loses what the text of an event says.
func tellsEffect(line, who, text string) bool {
	what := strings.TrimPrefix(strings.TrimPrefix(text, who+" is no longer "), who+" is ")
	return strings.Contains(line, who) && strings.Contains(line, what) && strings.Contains(text, " no longer ") == noLonger.MatchString(line)
}

// follow plays statements and checks the record after each.
func (k *recordKeeper) follow(clauses []ast.Clause) {
	for _, cl := range clauses {
		if k.p.stopped {
			return
		}
		k.p.run([]ast.Clause{cl})
		k.check(fmt.Sprintf("line %d", cl.Extent().Start.Line))
	}
}

// scriptsOf returns what is played of a script: an encounter, an adventure to its first choice, or each test.
func scriptsOf(s *build.Script) (list [][]ast.Clause) {
	if s.Head == nil || s.Head.Word.Name != "tests" {
		return [][]ast.Clause{s.File.Body}
	}
	givens := build.Givens(s.File)
	for _, cl := range s.File.Body {
		n, ok := cl.(*ast.Test)
		if !ok || n.Body == nil {
			continue
		}
		var clauses []ast.Clause
		for _, id := range n.Given {
			if g := givens[id.Name]; g != nil && g.Body != nil {
				clauses = append(clauses, g.Body.Clauses...)
			}
		}
		list = append(list, append(clauses, n.Body.Clauses...))
	}
	return list
}

// TestToldInTests follows the examples and the golden tests.
func TestToldInTests(t *testing.T) {
	var files, examples []string
	for _, dir := range []string{"../../examples", "../../spec"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			switch ext := filepath.Ext(path); {
			case err != nil || d.IsDir():
			case ext == ".encounter" || ext == ".adventure":
				examples = append(examples, path)
			case ext == ".tests":
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var total toldCounts
	tests := 0
	for i, path := range append(examples, files...) {
		if n := i - len(examples); n >= 0 && n%*toldFiles != 0 {
			continue
		}
		s, diags, err := build.File(path, quick)
		if err == nil && s.Rules == nil && len(diags) == 0 { // a part of an adventure
			continue
		}
		if err != nil || s.Rules == nil {
			t.Fatal(path, diags, err)
		}
		for _, clauses := range scriptsOf(s) {
			tests++
			k := newRecordKeeper(t, newPlayer(s, Options{Strict: s.Head.Word.Name == "tests"}))
			k.follow(clauses)
			total.add(k.counts)
		}
	}
	t.Logf("%d scripts and tests: %s", tests, total)
	if total.amounts == 0 || total.paid == 0 || total.quietAmounts == 0 || total.told == 0 || total.places == 0 {
		t.Errorf("not everything was seen: %s", total)
	}
}

// systemFights are fights of the five systems.
var systemFights = []string{"ambush.encounter", "ambush/modern.encounter", "ambush/starfinder.encounter", "ambush/third.encounter", "ambush/true20.encounter"}

// TestToldInFights follows random fights, into which a random hand reaches: it gives and takes effects and amounts.
func TestToldInFights(t *testing.T) {
	for _, path := range systemFights {
		s, diags, err := build.File(filepath.Join("../../examples", path), quick)
		if err != nil || s.Rules == nil {
			t.Fatal(path, diags, err)
		}
		var total toldCounts
		for n := range *toldFights {
			k := newRecordKeeper(t, newPlayer(s, Options{Seed: seed(uint64(n)), Unchecked: true}))
			k.follow(openingOf(s.File.Body))
			r := rand.New(rand.NewPCG(uint64(n), 20))
			for turn := 0; turn < 60 && !k.p.stopped && !(turn > 0 && k.p.decided()); turn++ {
				for r.IntN(3) == 0 && !k.p.stopped {
					k.meddle(r)
				}
				k.say("fight on for 1 turns")
			}
			if len(k.p.result.Failures) > 0 {
				t.Errorf("%s, seed %d: %s", path, n, k.p.result.Failures[0].Message)
			}
			total.add(k.counts)
			if t.Failed() {
				t.Fatalf("%s, seed %d", path, n)
			}
		}
		t.Logf("%s: %d fights: %s", path, *toldFights, total)
	}
}

// openingOf returns the statements before a fight begins.
func openingOf(clauses []ast.Clause) (list []ast.Clause) {
	for _, cl := range clauses {
		if playsOn(cl) {
			break
		}
		switch cl.(type) {
		case *ast.Expect, *ast.Scripted:
		default:
			list = append(list, cl)
		}
	}
	return list
}

// say runs statements that are not in the script.
func (k *recordKeeper) say(src string) {
	clauses, diags := parse.Statement(Question, src)
	if len(diags) > 0 {
		k.t.Fatalf("%s: %v", src, diags)
	}
	k.p.run(clauses)
	k.check(src)
}

// meddle gives or takes an effect or an amount.
func (k *recordKeeper) meddle(r *rand.Rand) {
	who := k.p.members[r.IntN(len(k.p.members))].name
	if r.IntN(2) == 0 {
		x := k.p.checked.Resources[r.IntN(len(k.p.checked.Resources))]
		k.say(fmt.Sprintf("%s %s %d %s%s", who, []string{"gains", "loses"}[r.IntN(2)], 1+r.IntN(4), x.Name, []string{"", " quietly"}[r.IntN(2)]))
		return
	}
	for range 20 {
		e := k.p.checked.Effects[r.IntN(len(k.p.checked.Effects))]
		if e.Word == "everyone" || e.While != nil || e.NParams > 0 {
			continue
		}
		switch r.IntN(3) {
		case 0:
			k.say(fmt.Sprintf("%s loses %s", who, e.Name))
		case 1:
			k.say(fmt.Sprintf("%s gains %s quietly", who, e.Name))
		default:
			k.say(fmt.Sprintf("%s gains %s for %d rounds", who, e.Name, 1+r.IntN(3)))
		}
		return
	}
}
