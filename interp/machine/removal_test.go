package machine_test

import (
	"slices"
	"testing"

	"arbiter/interp/compile"
	"arbiter/interp/machine"
	"arbiter/interp/program"
)

// Alia and Cyra are on one side, Bron and Dorn on the other; Dorn is number 3.
const company = timely + `
kind creature { friend: creature or none = none; friends: list of creature }
kind rumour { whose: creature or none = none; heard-by: list of creature }
rumour silence { }
keep tale: rumour or none = none
keep suspect: creature or none = none
keep known: list of creature = []
keep others: list of creature = []
keep answers = 0
condition held of holder: creature { rule freed on losing { set answers to answers + 1 } }
condition watched by watchers: list of creature { +length(watchers) to seen-by }
condition cursed
stat seen-by { base: 0 }
stat crowd { base: length(creatures) }
condition lonely while length(allies(self)) = 0
procedure guard whom: creature by foe: creature { step m { whom gains aimed while foe.hp >= 3 } }
procedure ward whom: creature by foe: creature { step m { whom gains cursed until end of turn of foe } }
action sweep { step land { for each c in enemies(self) { c loses 1 hp } } }
action curse target { step land { target gains cursed for 1 hour } }
rule echoes after hit { self loses 5 hp }
`

func companyOf(t *testing.T) *fight {
	f := newFight(t, company, compile.Options{}).place("Alia:fighter", "Bron:fighter", "Cyra:fighter", "Dorn:fighter")
	return f.must("set Alia.place to 10; set Bron.place to 5; set Cyra.place to 7; set Dorn.place to 20")
}

// A creature that is set aside takes no part: it is not among anyone's friends, enemies or creatures, has no turn, its
// rules do not run, and it stays as it is.
func TestSetAside(t *testing.T) {
	f := companyOf(t).must("Dorn gains poison; Dorn gains weak for 5 rounds; Alia gains sick of 2")
	f.m.SetAside(2)
	f.expect("length(creatures)", "2", "length(enemies(Alia))", "1", "length(allies(Alia))", "0", "length(allies(Bron))", "0")
	f.must("Alia: sweep").expect("Bron.hp", "99", "Dorn.hp", "100")
	f.must("Alia: hit Bron").expect("Alia.hp", "95", "Cyra.hp", "100", "Dorn.hp", "100")

	f.done(f.m.BeginFight())
	for _, want := range []int{0, 1, 0, 1} {
		if got := f.m.State().Order.Current(); int(got) != want {
			t.Errorf("turn of %d, want %d", got, want)
		}
		f.next(1)
	}
	f.expect("Dorn.hp", "100", "Dorn is weak", "yes", "Alia is tired", "yes")
	f.must("Dorn gains sick of 3").expect("Dorn.pallor", "3", "Dorn is tired", "no")
	f.done(f.m.EndFight())

	f.done(f.m.BringBack(3, program.None))
	f.expect("length(creatures)", "3", "length(enemies(Alia))", "2", "length(allies(Bron))", "1", "Dorn is tired", "yes", "Dorn.vigor", "-3")
	f.must("Alia: sweep").expect("Dorn.hp", "99", "Cyra.hp", "100")
	f.done(f.m.Pass(6)).expect("Dorn.hp", "89")
}

// Creatures that depart take with them the effects they caused, and all references to them.
func TestRemoveFrom(t *testing.T) {
	f := companyOf(t).must("set suspect to Dorn; set known to [Alia, Dorn, Bron, Cyra]; set others to enemies(Alia) + enemies(Bron); set tale to rumour(whose: Dorn, heard-by: [Cyra] + enemies(Alia)); let these = creatures; let those = [Dorn, Bron]; set Alia.friend to Cyra; set Bron.friend to Alia; set Bron.friends to [Dorn, Alia]; Bron gains watched by [Alia, Dorn]")
	f.must("Alia gains held of Dorn; Bron gains held of Alia; Dorn gains held of Alia; Dorn: curse Bron; Alia: curse Alia; Alia gains weak for 5 rounds")
	f.expect("Bron is cursed", "yes", "Alia is cursed", "yes", "answers", "0")
	f.done(f.m.RemoveFrom(2))
	f.expect("length(creatures)", "2", "suspect", "none", "Alia.friend", "none", "Bron.friend", "Alia", "Alia is held", "no", "Bron is held", "yes",
		"Bron is cursed", "no", "Alia is cursed", "yes", "Alia is weak", "yes", "answers", "1", "known", "[Alia, Bron]", "others", "[Bron, Alia]", "these", "[Alia, Bron]", "those", "[Bron]", "(tale otherwise silence).whose", "none", "(tale otherwise silence).heard-by", "[Bron]")
	f.must("Alia: sweep").expect("Bron.friends", "[Alia]", "known", "[Alia, Bron]", "those", "[Bron]", "Bron.seen-by", "1")
	if m := f.m.State(); len(m.Entities) != 2 || len(m.Squares) != 2 || m.Effects.Len() != 6 {
		t.Errorf("%d are there, and %d effects", len(m.Entities), m.Effects.Len())
	}
	f.place("Ed:fighter").expect("Ed is held", "no", "Ed.hp", "100", "length(allies(Alia))", "1")

	f.done(f.m.BeginFight())
	if r := f.m.RemoveFrom(2); r.Status == machine.Done || len(f.m.State().Entities) != 3 {
		t.Errorf("somebody departs in the middle of a fight: %+v", r)
	}
}

// Values that depend on which creatures there are are recomputed.
func TestValuesFollowWhoIsThere(t *testing.T) {
	f := companyOf(t)
	crowd := slices.IndexFunc(f.p.Stats, func(x program.Stat) bool { return x.Name == "crowd" })
	for _, step := range []struct {
		name   string
		do     func()
		crowd  int64
		lonely string
	}{
		{"at first", func() {}, 4, "no"},
		{"two are set aside", func() { f.m.SetAside(2) }, 2, "no"}, // they take no part, and no rule has run yet
		{"one is back, of the others", func() { f.done(f.m.BringBack(3, program.None)) }, 3, "yes"},
		{"one is back, of hers", func() { f.done(f.m.BringBack(2, program.None)) }, 4, "no"},
		{"one departs", func() { f.done(f.m.RemoveFrom(3)) }, 3, "no"},
		{"two are left", func() { f.done(f.m.RemoveFrom(2)) }, 2, "yes"},
	} {
		step.do()
		if got, err := f.m.Stat(0, int32(crowd)); got != step.crowd || err != nil {
			t.Errorf("%s: %d are there (%v), want %d", step.name, got, err, step.crowd)
		}
		if got := f.value("Alia is lonely"); got != step.lonely {
			t.Errorf("%s: Alia is lonely: %s, want %s", step.name, got, step.lonely)
		}
	}
}

// An effect whose duration depends on a departing creature ends.
func TestRemovalEndsDurations(t *testing.T) {
	f := companyOf(t)
	f.done(f.m.BeginFight()).must("Alia: guard Alia by Dorn; Bron: guard Bron by Alia; Alia: ward Alia by Dorn; Bron: ward Bron by Alia")
	f.done(f.m.EndFight()).expect("Alia.vigor", "3", "Bron.vigor", "3", "Alia is cursed", "yes", "Bron is cursed", "yes")
	f.done(f.m.RemoveFrom(2)).expect("Alia.vigor", "1", "Bron.vigor", "3", "Alia is cursed", "no", "Bron is cursed", "yes")
	f.must("Alia: hit Bron").done(f.m.BeginFight()).next(2).expect("Bron is cursed", "no", "Bron.vigor", "3")
}

// A restored state is what it was, and its hash depends on which creatures take part.
func TestRemovalIsRestored(t *testing.T) {
	f := companyOf(t).must("set suspect to Dorn; set known to [Alia, Dorn]; Alia gains held of Dorn; Dorn gains poison; Dorn gains sick of 2")
	steps := []struct {
		name string
		do   func()
	}{
		{"aside", func() { f.m.SetAside(2) }},
		{"back again", func() { f.done(f.m.BringBack(3, program.None)) }},
		{"gone", func() { f.done(f.m.RemoveFrom(3)) }},
		{"all gone", func() { f.done(f.m.RemoveFrom(1)) }},
	}
	states := []*machine.State{f.m.State().Clone()}
	hashes := []uint64{f.m.State().Hash()}
	for _, s := range steps {
		s.do()
		states, hashes = append(states, f.m.State().Clone()), append(hashes, f.m.State().Hash())
		if hashes[len(hashes)-1] == hashes[len(hashes)-2] {
			t.Errorf("%s: the hash is that of before", s.name)
		}
	}
	for i := len(steps) - 1; i >= 0; i-- {
		f.m.Restore(states[i])
		if got := f.m.State().Hash(); got != hashes[i] {
			t.Errorf("%s, taken back: hash %x, want %x", steps[i].name, got, hashes[i])
		}
		steps[i].do()
		if got := f.m.State().Hash(); got != hashes[i+1] {
			t.Errorf("%s, taken back and done again: hash %x, want %x", steps[i].name, got, hashes[i+1])
		}
		f.m.Restore(states[i])
	}
	f.expect("length(creatures)", "4", "suspect", "Dorn", "Alia is held", "yes", "Dorn is tired", "yes").done(f.m.Pass(6)).expect("Dorn.hp", "90")
}
