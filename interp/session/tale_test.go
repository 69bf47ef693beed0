package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/lang/ast"
	"arbiter/lang/parse"
	"arbiter/stdlib/grid"
)

// toldBy builds an adventure from one file.
func toldBy(t *testing.T, src string) *build.Script {
	t.Helper()
	s, diags, err := build.Source("x.adventure", []byte(src), quick)
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	return s
}

const wolves = `adventure "Wolves" with srd35
creature hunter { level: 3; base-attack: 3; full-hit-points: 22; strength: 16; main-weapon: longsword }
creature cur { level: 1; full-hit-points: 5; main-weapon: club }
creature miller { level: 1 }
side party { hunter Ann }
side village { miller Tom }
keep foe: creature or none = none
keep seen-alive: list of creature = []
condition wary of beast: creature { +1 to armor-class }
scene wood "The wood" {
  "{cycle: One | Two | Three} crows. {shuffle: a | b | c}"
  choices {
    once "Fight" { go to clearing }
    once "Whistle" { again }
    "Leave" { finish left }
  }
}
scene clearing {
  let hurt = Ann.hit-points
  fight "In the clearing" {
    map """
      .....
      A...c
      .....
      """
    side curs { cur Rex at "c" }
    place Ann at "A"
    Ann gains wary of Rex
    won {
      set foe to Rex
      set seen-alive to [Ann, Rex]
      "{length(creatures)} of you, and {foe}. {if Rex is dead or Rex is dying: It lies still. | }"
    }
    lost { finish eaten }
  }
  "{length(creatures)} of you, {seen-alive.length} were seen, and {foe}."
  go to wood
}
`

// Creatures that were met depart: variables that hold them become none, their effects end, and the next fight begins
// like the first.
func TestThoseWhoWereMetDepart(t *testing.T) {
	s := toldBy(t, wolves)
	p := newPlayer(s, Options{})
	p.start(0)
	for _, cl := range statements(t, `take "Fight"`) {
		p.clause(cl)
	}
	if p.phase() != fighting || len(p.members) != 3 || !p.m.State().Entities[1].Away || p.m.Ground == nil {
		t.Fatalf("no fight: %v %d", p.phase(), len(p.members))
	}
	if wary := p.conditionsOf(0); !slices.Contains(wary, "wary") {
		t.Errorf("Ann bears %v", wary)
	}
	p.clause(statements(t, "fight on")[0])
	if len(p.result.Failures) > 0 || p.phase() != choosing {
		t.Fatalf("%v, %s", p.result.Failures, p.narrator.transcript())
	}
	m := p.m.State()
	if len(m.Entities) != 2 || len(p.members) != 2 || m.Entities[1].Away || p.m.Ground != nil || m.InFight {
		t.Errorf("they are still there: %d", len(m.Entities))
	}
	if wary := p.conditionsOf(0); slices.Contains(wary, "wary") {
		t.Errorf("Ann bears %v", wary)
	}
	for _, want := range []string{"2 of you, and Rex. It lies still.", "2 of you, 1 were seen, and none.", "Two crows."} {
		if !strings.Contains(p.narrator.transcript(), want) {
			t.Errorf("not told: %s\n%s", want, p.narrator.transcript())
		}
	}
	p.narrator.writeEvents()
	if n := strings.Count(p.narrator.transcript(), "Round 1\n"); n != 1 {
		t.Errorf("the fight is told %d times\n%s", n, p.narrator.transcript())
	}
	if foe := p.m.State().Globals[p.checked.Lookup("foe").(*ir.Global).Var.Index]; foe != none {
		t.Errorf("foe is %d", foe)
	}
}

// A fight without a map, but with squares, is fought on open ground by those who have a square, in whatever order they
// get it.
func TestOpenGroundOfAStory(t *testing.T) {
	meadow := func(setUp string) string {
		return strings.Replace(wolves, wolves[strings.Index(wolves, "    map"):strings.Index(wolves, "    Ann gains")], setUp, 1)
	}
	for _, c := range []struct{ name, setUp, fails string }{
		{"squares behind the side", "side curs { cur Rex }\n    place Rex at (4, 1)\n    place Ann at (3, 1)\n", ""},
		{"squares before the side", "place Ann at (3, 1)\n    side curs { cur Rex at (4, 1) }\n", ""},
		{"squares that are worked out", "let x = visits(clearing)\n    side curs { cur Rex at (x + 3, x) }\n    place Ann at (x + 2, x)\n", ""},
		{"squares near one", "side curs { cur Rex near (4, 1); cur Rax near (4, 1) }\n    for each hero in party { place hero near (4, 1) }\n", ""},
		{"squares near somebody", "side curs { cur Rex at (4, 1); cur Rax near Rex }\n    for each hero in party { place hero near Rex }\n", ""},
		{"squares near nobody", "side curs { cur Rex }\n    place Rex near Ann\n    place Ann at (3, 1)\n", "22:20 Ann has no square"},
		{"a square that is not there", "let x = 100 * visits(clearing)\n    side curs { cur Rex at (x, 1) }\n    place Ann at (3, 1)\n", "22:28 (100, 1) is not on the map, which has 100 by 100 squares"},
		{"only one of two", "side curs { cur Rex; cur Rax }\n    for each hero in party { place hero at (3, 1) }\n    place Rax at (4, 1)\n", "20:3 Rex has no square"},
	} {
		p := newPlayer(toldBy(t, meadow(c.setUp)), Options{})
		p.start(0)
		p.clause(statements(t, `take "Fight"`)[0])
		if c.fails != "" {
			d := p.result.Failures[0]
			if got := fmt.Sprintf("%d:%d %s", d.Span.Start.Line, d.Span.Start.Column, d.Message); got != c.fails {
				t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.fails)
			}
			continue
		}
		m := p.m.State()
		if p.phase() != fighting || p.m.Ground == nil || !m.Entities[1].Away {
			t.Errorf("%s: %v, Tom stands aside: %v", c.name, p.result.Failures, m.Entities[1].Away)
			continue
		}
		for who, at := range map[int]grid.Square{0: {X: 3, Y: 1}, 2: {X: 4, Y: 1}} {
			if m.Squares[who] != at.Pack() || m.Entities[who].Away {
				t.Errorf("%s: %s stands at %s", c.name, p.members[who].name, machine.FormatSquare(m.Squares[who]))
			}
		}
		p.clause(statements(t, "fight on")[0])
		if m := p.m.State(); len(m.Entities) != 2 || m.Entities[1].Away || m.Squares[0] != none || p.m.Ground != nil {
			t.Errorf("%s: behind the fight %+v", c.name, m.Entities)
		}
	}
}

// Undoing restores a story completely: position, choices taken once, alternatives in turn, creatures.
func TestAStoryIsTakenBack(t *testing.T) {
	p := newPlayer(toldBy(t, wolves), Options{})
	p.start(0)
	before := p.snapshot()
	hash, told := p.m.State().Hash(), p.narrator.transcript()
	through := func() (uint64, string) {
		for _, src := range []string{`take "Whistle"`, "take 1", "fight on", "take 1"} {
			p.clause(statements(t, src)[0])
		}
		if len(p.result.Failures) > 0 {
			t.Fatal(p.result.Failures)
		}
		if ending, over := p.ending(); !over || ending != "left" {
			t.Fatalf("%q: %s", ending, p.narrator.transcript())
		}
		return p.m.State().Hash(), p.narrator.transcript()
	}
	end, all := through()
	for range 2 {
		p.restore(before)
		if p.m.State().Hash() != hash || p.narrator.transcript() != told || p.phase() != choosing || len(p.members) != 2 {
			t.Fatal("it is not what it was")
		}
		if again, same := through(); again != end || same != all {
			t.Fatal("it goes on otherwise than before")
		}
	}
}

// A story played without output has the same final state.
func TestQuietStories(t *testing.T) {
	s := toldBy(t, wolves)
	for seed := range uint64(20) {
		var ends [2]uint64
		for i, quiet := range []bool{false, true} {
			p := newPlayer(s, Options{Seed: &seed})
			if p.quiet = quiet; quiet {
				p.m.Journal = nil
			}
			p.start(0)
			w := walker{p: p, habit: Chance, taken: map[[2]int64]int{}}
			w.walk()
			if len(p.result.Failures) > 0 || p.phase() != finished {
				t.Fatal(seed, p.result.Failures)
			}
			ends[i] = p.m.State().Hash()
		}
		if ends[0] != ends[1] {
			t.Errorf("seed %d: told it ends as %x, untold as %x", seed, ends[0], ends[1])
		}
	}
}

func TestTurns(t *testing.T) {
	p := newPlayer(toldBy(t, `adventure "x" with srd35
creature man { level: 1 }
side us { man Ann }
scene a {
  "{sequence: 1 | 2 | 3}{cycle: a | b}{first time: new | old}{first time: !}"
  sequence { then { more "I" }
    then { more "II" } }
  cycle { then { more "x" }; then { more "y" }; then { more "z" } }
  first time { more "first" } else { more "later" }
  first time { more "once" }
  choices { "on" { go to a }; "off" { finish } }
}
`), Options{})
	p.start(0)
	for range 3 {
		p.clause(statements(t, "take 1")[0])
	}
	want := []string{"1anew! I x first once", "2bold II y later", "3aold II z later", "3bold II x later"}
	for _, w := range want {
		if !strings.Contains(p.narrator.transcript(), "\n"+w+"\n") && !strings.HasPrefix(p.narrator.transcript(), w+"\n") {
			t.Errorf("not told: %q\n%s", w, p.narrator.transcript())
		}
	}
}

// A shuffle shows each alternative before repeating any, whatever the seed.
func TestShuffle(t *testing.T) {
	s := toldBy(t, `adventure "x" with srd35
creature man { level: 1 }
side us { man Ann }
scene a { repeat 4 times { more "{shuffle: p|q|r|s}" }
  finish }
`)
	orders := map[string]bool{}
	for seed := range uint64(60) {
		r := Run(s, Options{Seed: &seed})
		text := ""
		for _, e := range r.Events {
			if e.Kind == "told" {
				text = e.Text
			}
		}
		for _, c := range "pqrs" {
			if strings.Count(text, string(c)) != 1 {
				t.Fatalf("seed %d: %q", seed, text)
			}
		}
		orders[text] = true
	}
	if len(orders) < 15 {
		t.Errorf("of 24 orders only %d came", len(orders))
	}
}

// A story that loops forever is stopped with an error.
func TestCircles(t *testing.T) {
	for _, src := range []string{"scene a { go to a }", "scene a { visit a\n  finish }", "scene a { repeat 1000000 times { \"x\" }\n  finish }", "scene a { choices { \"x\" { go to a } } }"} {
		r := Run(toldBy(t, "adventure \"x\" with srd35\n"+src+"\n"), Options{})
		if len(r.Failures) != 1 || r.Failures[0].Code != "limit" {
			t.Errorf("%s: %v", src, r.Failures)
		}
	}
}

func statements(t *testing.T, src string) []ast.Clause {
	t.Helper()
	list, diags := parse.Statement("x", src)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return list
}
