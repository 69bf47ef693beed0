package machine_test

import (
	"testing"

	"arbiter/interp/compile"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
)

// partAt finds a part by its path.
func partAt(t *testing.T, rs *ir.Ruleset, path string) int32 {
	t.Helper()
	for _, p := range rs.Parts {
		if p.Path == path {
			return p.ID
		}
	}
	t.Fatalf("no part %s", path)
	return 0
}

// A neutral part is as if it were absent, or gives the zero of its type.
func TestNeutralParts(t *testing.T) {
	for _, c := range []struct {
		part, do string
		expect   []string
		faces    []int64
	}{
		{"attack-bonus.strength", "", []string{"Alia.attack-bonus", "1"}, nil},
		{"armor-class", "", []string{"Alia.armor-class", "0"}, nil},
		{"touch", "", []string{"Alia.touch", "0"}, nil},
		{"flat-footed", "Alia gains flat-footed", []string{"Alia.armor-class", "12"}, nil},
		{"hit-points", "", []string{"Alia.hit-points", "0"}, nil},
		{"dying", "set Alia.hit-points to -1", []string{"Alia is dying", "no", "Alia can attack", "yes"}, nil},
		{"attack", "Alia: attack Bron with longsword", []string{"Bron.hit-points", "12", "Alia.actions", "1"}, nil},
		{"attack.hurt", "Alia: attack Bron with longsword", []string{"Bron.hit-points", "12"}, []int64{15}},
		{"attack.confirm", "Alia: attack Bron with longsword", []string{"Bron.hit-points", "9"}, []int64{20, 3}},
	} {
		t.Run(c.part, func(t *testing.T) {
			rs := checked(t, duel).Ruleset
			f := newFight(t, duel, compile.Options{Neutral: map[int32]bool{partAt(t, rs, c.part): true}}).place("Alia:fighter", "Bron:fighter")
			f.faces = c.faces
			if c.do != "" {
				f.must(c.do)
			}
			f.expect(c.expect...)
		})
	}
}

// Whichever part is neutral, the program compiles and runs.
func TestAnyPartMayBeNeutral(t *testing.T) {
	k := brawlChecked(t)
	for _, part := range k.Ruleset.Parts {
		p, err := compile.Compile(k.Ruleset, compile.Options{Neutral: map[int32]bool{part.ID: true}, Cover: true})
		if err != nil {
			t.Fatalf("%s: %v", part.Path, err)
		}
		m := newBrawl(t, p, 3)
		m.State().Seed = uint64(part.ID)
		for i := range 24 {
			c := command{kind: i % 10, who: i % 3, proc: int32(i) % int32(len(p.Procs))}
			for range p.Procs[c.proc].Params {
				c.args = append(c.args, int64((i+1)%3))
			}
			if i == 9 {
				c.kind, c.proc = 8, 0
			}
			r := start(m, c)
			for n := 0; r.Status == machine.NeedChoice && n < 1000; n++ {
				r = m.Resume(int64(i % max(len(r.Options), 1)))
			}
			if e, ok := r.Err.(*machine.Error); ok && e.Panic {
				t.Fatalf("%s neutral: %v", part.Path, e)
			}
		}
	}
}

// Coverage reports what ran.
func TestCover(t *testing.T) {
	f := newFight(t, duel, compile.Options{Cover: true}).place("Alia:fighter", "Bron:fighter")
	rs := f.rules.Ruleset
	f.m.Covered = nil
	f.faces = []int64{9, 5}
	f.must("Alia: attack Bron with longsword")
	for path, want := range map[string]bool{
		"attack": true, "attack.roll": true, "attack.hurt": true, "attack.confirm": false, "attack-bonus.strength": true,
		"armor-class.dexterity": true, "dying": false,
	} {
		if got := f.m.Covered.Has(partAt(t, rs, path)); got != want {
			t.Errorf("%s ran: %v", path, got)
		}
	}
}

func TestExplain(t *testing.T) {
	f := newFight(t, duel, compile.Options{}).place("Alia:fighter", "Bron:fighter")
	f.must("Bron gains flat-footed; Bron gains shield-of-faith of 3; Bron gains shaken")
	text := ""
	for i := range f.p.Stats {
		x, err := f.m.Explain(1, int32(i), 0)
		if err != nil {
			t.Fatal(err)
		}
		text += f.m.ExplanationText(x)
	}
	f.faces = []int64{19, 12, 3, 4}
	f.must("Alia: attack Bron with longsword")
	x := f.m.CheckAt(0, "attack.again", 1)
	if x == nil || len(x.Bonus) != 1 || len(x.Difficulty) != 1 {
		t.Fatalf("no explanation of the second roll: %+v", f.m.Explanations())
	}
	golden(t, "testdata/explain.golden", text+f.m.ExplanationText(x.Bonus[0].Stat)+f.m.ExplanationText(x.Difficulty[0].Stat))
}
