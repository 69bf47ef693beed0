package session

import (
	"slices"
	"strings"
	"testing"

	"arbiter/interp/build"
)

// What can come next, and what cannot, given the current state.
func TestComplete(t *testing.T) {
	l := live(t, `encounter "a duel" with srd35
creature duelist { base-attack: 5; full-hit-points: 30; strength: 14; main-weapon: longsword; worn-armor: chain-shirt }
creature giant extends duelist { size: large }
side left { duelist Alia }
side right {
  duelist Bron
  giant Brok
}
begin
next turn of Alia
Bron gains prone
`, nil)
	for _, x := range []struct{ line, with, without string }{
		{"", "Alia Bron Brok attack charge begin note set", "stand-up duelist prone longsword take start cancel"},
		{"at", "attack", "Alia charge"},
		{"Br", "Bron Brok", "Alia"},
		{"Alia", "Alia", "Bron"},
		{"br", "break-open", "Bron"},
		{"attack br", "Bron Brok", ""},
		{"attack bron", "Bron", "Brok"},
		{"Alia ", ": gains loses follows", "attack"},
		{"Alia: ch", "charge", "attack"},
		{"Bron: st", "stand-up", ""},
		{"attack ", "Bron Brok", "longsword with"},
		{"attack Bron ", "with", "Bron longsword"},
		{"attack Bron with ", "longsword", "greataxe chain-shirt"},
		{"attack Bron with l", "longsword", "longbow"},
		{"attack Bron with longsword using ", "main-hand off-hand", "longsword"},
		{"Alia: attack Bron with longsword for ", "lethal nonlethal", ""},
		{"Bron loses ", "prone hit-points", "stunned"},
		{"Bron gains ", "stunned hit-points", ""},
		{"Bron gains stunned ", "for until", "stunned"},
		{"Bron gains stunned by A", "Alia", "Bron"},
		{"next ", "turn", ""},
		{"next turn ", "of", ""},
		{"next turn of ", "Alia Bron Brok", "turn"},
		{"fight ", "on", ""},
		{"set Al", "Alia", "Bron"},
		{"set Alia.hit", "hit-points", "level"},
		{"explain Alia.attack-b", "attack-bonus", ""},
		{"expect Alia.hit-points > Bron.full-", "full-hit-points", ""},
		{"side right { gia", "giant", "duelist"},
		{"side right { giant ", "", "at near"},
		{"side right { giant Bert ", "at near", ""},
		{"dice ", "Alia Bron", "strike.to-hit"},
		{"dice Alia ", "strike.to-hit strike.damage roll-initiative.initiative-check", "Alia readied.occasion"},
		{"dice Alia strike.to", "strike.to-hit", "strike.damage"},
		{"dice strike.da", "strike.damage", "Alia"},
		{"answer Alia read", "readied.occasion", "strike.to-hit"},
		{"ready ", "plan", "Alia"},
		{"ready plan ", "before after", "Alia"},
		{"ready plan before ", "attack move", "Alia"},
		{"Alia: ready plan before attack ", "by", "Alia"},
		{"ready plan before attack by ", "Alia Bron", "attack"},
		{"side right { giant Bert }; note \"x\"; att", "attack", ""},
		{"nobody knows this ", "", "Alia attack"},
		{"place ", "Alia Bron", "attack"},
		{"place Bron ", "at", "(1,"},
		{"place Bron at ", "none", "Alia"},
		{"place Bron near ", "Alia Bron", "none"},
		{"side right { fighter Cole near ", "Alia Bron", "at"},
		{"ground ", "rubble none", "Alia"},
		{"Alia.level.", "", "level"},
		{"attack Bron with longsword extra \"", "", ""},
	} {
		from, list := l.Complete(x.line, len(x.line))
		var names []string
		for _, c := range list {
			names = append(names, c.Text)
			if !strings.EqualFold(c.Text[:min(len(c.Text), len(x.line)-from)], x.line[from:]) {
				t.Errorf("%q: %q does not go on from %q", x.line, c.Text, x.line[from:])
			}
		}
		for _, want := range strings.Fields(x.with) {
			if !slices.Contains(names, want) {
				t.Errorf("%q: no %s among %v", x.line, want, names)
			}
		}
		for _, no := range strings.Fields(x.without) {
			if slices.Contains(names, no) {
				t.Errorf("%q: %s among %v", x.line, no, names)
			}
		}
	}
}

// Squares are completed, too, if they are legal for the action.
func TestCompleteSquares(t *testing.T) {
	l := live(t, `encounter "in a yard" with srd35
map """
  ##########
  #a...#...#
  #....#.b.#
  #........#
  ##########
  """ { "#": wall }
creature man { }
side left { man Alia at "a" }
side right { man Bron at "b" }
begin
next turn of Alia
`, nil)
	for _, x := range []struct {
		line, with, without string
		from                int
	}{
		{"move to ", "(2, 1)|(4, 3)|(5, 3)", "(1, 1)|(5, 1)|(7, 2)|(0, 0)|(8, 1)", 8},
		{"move to (2", "(2, 1)|(2, 3)", "(3, 1)", 8},
		{"move to (2, ", "(2, 1)|(2, 3)", "(3, 1)", 8},
		{"move to (2, 1) ", "along", "(2, 1)", 15},
		{"five-foot-step to ", "(1, 2)|(2, 2)", "(3, 2)|(1, 1)|(6, 2)", 18},
		{"place Bron at ", "(6, 1)|(8, 3)", "(1, 1)", 14},
	} {
		from, list := l.Complete(x.line, len(x.line))
		var names []string
		for _, c := range list {
			names = append(names, c.Text)
		}
		if from != x.from {
			t.Errorf("%q: from %d", x.line, from)
		}
		for _, want := range strings.Split(x.with, "|") {
			if !slices.Contains(names, want) {
				t.Errorf("%q: no %s among %q", x.line, want, names)
			}
		}
		for _, no := range strings.Split(x.without, "|") {
			if slices.Contains(names, no) {
				t.Errorf("%q: %s among %q", x.line, no, names)
			}
		}
	}
}

// No input breaks completion, and completing changes nothing.
func FuzzComplete(f *testing.F) {
	for _, line := range []string{"attack Bron with ", "Alia: ", "set Alia.", "\x00 ä : .", "side right { giant ", "explain ", "move to (", "place Alia at (1", "ground "} {
		f.Add(line, len(line))
	}
	l := live(f, liveDuel, nil)
	l.Do("begin")
	hash := l.Hash()
	f.Fuzz(func(t *testing.T, line string, at int) {
		if at < 0 {
			at = 0
		}
		from, list := l.Complete(line, at)
		if from < 0 || from > len(line) || l.Hash() != hash {
			t.Errorf("%q at %d: from %d, %d candidates", line, at, from, len(list))
		}
	})
}

// BenchmarkComplete completes in the middle of a fight of twelve against twelve.
func BenchmarkComplete(b *testing.B) {
	src := "encounter \"a crowd\" with srd35\ncreature one { base-attack: 3; full-hit-points: 20; main-weapon: longsword }\n"
	for side, name := range []string{"left", "right"} {
		src += "side " + name + " {\n"
		for i := range 12 {
			src += "  one " + string(rune('A'+side)) + string(rune('a'+i)) + " at (" + string(rune('0'+i%6)) + ", " + string(rune('0'+3*side+i/6)) + ")\n"
		}
		src += "}\n"
	}
	s, diags, err := build.Source("crowd.encounter", []byte(src+"begin\n"), quick)
	if err != nil || s.Rules == nil {
		b.Fatal(diags, err)
	}
	l, out := NewLive(s, Options{}, nil)
	if len(out.Failures) > 0 {
		b.Fatal(out.Failures)
	}
	for _, line := range []string{"", "attack ", "charge ", "attack Ba with ", "move to "} {
		b.Run(line, func(b *testing.B) {
			for b.Loop() {
				l.Complete(line, len(line))
			}
		})
	}
	b.Run("command", func(b *testing.B) {
		for b.Loop() {
			if out := l.Do("next turn"); len(out.Failures) > 0 {
				b.Fatal(out.Failures)
			}
		}
	})
}
