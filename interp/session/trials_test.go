package session

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"arbiter/interp/machine"
	"arbiter/lang/ast"
	"arbiter/lang/parse"
)

func trials(t testing.TB) *Trials {
	t.Helper()
	x, err := NewTrials(open(t, ambush), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// A trial is the fight of a script: the same seed gives the same final state.
func TestTrialIsTheFight(t *testing.T) {
	x := trials(t)
	for n := uint64(1); n <= 5; n++ {
		s := open(t, ambush)
		want := Play(s, s.File.Body, Options{Seed: seed(n), Unchecked: true})
		got, err := x.Fight(n)
		if err != nil {
			t.Fatal(err)
		}
		if got.Rounds != want.Rounds || got.Side >= 0 && want.Outcome == "undecided" {
			t.Errorf("seed %d: %+v, told: %s after %d rounds", n, got, want.Outcome, want.Rounds)
		}
	}
}

// A bound in the script also limits the trial.
func TestTrialIsBounded(t *testing.T) {
	for bound, rounds := range map[string]int{"for 3 rounds": 3, "for 12 turns": 2, "": 0} {
		s := open(t, ambush)
		for i, cl := range s.File.Body {
			if d, ok := cl.(*ast.Directive); ok && d.Word.Name == "fight" {
				bounded, diags := parse.Statement("bound", "fight on "+bound)
				if len(diags) > 0 {
					t.Fatal(diags)
				}
				s.File.Body = append(slices.Clone(s.File.Body[:i]), bounded...) // what follows in the script is not part of a trial
			}
		}
		x, err := NewTrials(s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := Play(s, s.File.Body, Options{Seed: seed(1), Unchecked: true})
		got, err := x.Fight(1)
		if bound == "for 3 rounds" {
			want.Rounds-- // it has started the first turn of the next one
		}
		if err != nil || got.Rounds != want.Rounds || rounds > 0 && got.Rounds != rounds || rounds == 0 && want.Outcome == "undecided" {
			t.Errorf("%q: %+v, %v, told: %s after %d rounds", bound, got, err, want.Outcome, want.Rounds)
		}
	}
}

// Fights diverge from `begin` on, unless the script has done something since, or prescribes dice. The outcome equals
// that of a played script.
func TestTrialBegins(t *testing.T) {
	const cast = `encounter "begins" with srd35
creature guard { full-hit-points: 9; base-attack: 2; main-weapon: longsword }
side left { guard Alia }
side right { guard Bron }
seed 3
`
	for script, want := range map[string]struct {
		own    bool // who begins varies
		fallen uint64
	}{
		"fight on":                      {true, 0},
		"begin\nfight on for 30 rounds": {true, 0},
		"begin\nnote \"they bow\"\nexpect Alia is flat-footed\nexplain Alia.armor-class\nfight on": {true, 0},
		"begin\nBron gains prone\nfight on":  {false, 2},
		"Alia: attack Bron\nbegin\nfight on": {true, 2},
		"dice 19, 2\nbegin\nfight on":        {false, 0},
	} {
		s := opened(t, cast+script+"\n")
		x, err := NewTrials(s, Options{})
		if err != nil {
			t.Fatal(script, err)
		}
		if got := x.Cast().DiceBefore; got != want.fallen {
			t.Errorf("%q: %d dice fell before the fights, want %d", script, got, want.fallen)
		}
		first := map[string]bool{}
		for n := uint64(1); n <= 12; n++ {
			got, err := x.Fight(n)
			if err != nil {
				t.Fatal(script, err)
			}
			told := Play(s, s.File.Body, Options{FightSeed: seed(n), Unchecked: true})
			if len(told.Failures) > 0 {
				t.Fatal(script, told.Failures)
			}
			if told.Outcome == "nobody" { // a trial does not tell a fight that nobody survives from one that goes on
				told.Outcome = "undecided"
			}
			if winner := []string{"undecided", "left", "right"}[got.Side+1]; told.Outcome != winner || told.Rounds != got.Rounds {
				t.Errorf("%q: seed %d: %+v, told: %s in %d rounds", script, n, got, told.Outcome, told.Rounds)
			}
			_, turns, _ := strings.Cut(told.Output, "Round 1\n")
			first[strings.SplitN(turns, " ", 2)[0]] = true
		}
		if own := len(first) == 2; own != want.own {
			t.Errorf("%q: the first turn is that of %v", script, first)
		}
	}
}

// The same fights have the same results for any worker and any order.
func TestWorkers(t *testing.T) { sameForWorkers(t, trials(t), 60) }

// ended is the outcome of a fight, and the hash of its final state.
type ended struct {
	Outcome
	hash uint64
}

func end(x *Trials, seed uint64) (ended, error) {
	o, err := x.Fight(seed)
	return ended{o, x.m.State().Hash()}, err
}

// sameForWorkers plays fights with one, two and five workers, and returns how they ended.
func sameForWorkers(t *testing.T, x *Trials, fights int) []ended {
	t.Helper()
	want := make([]ended, fights)
	for i := range want {
		var err error
		if want[i], err = end(x, uint64(i)); err != nil {
			t.Fatal(err)
		}
	}
	for _, workers := range []int{2, 5} {
		got := make([]ended, fights)
		var wg sync.WaitGroup
		for w := range workers {
			c, err := x.Clone()
			if err != nil {
				t.Fatal(err)
			}
			wg.Go(func() {
				for i := fights - 1 - w; i >= 0; i -= workers {
					got[i], _ = end(c, uint64(i))
				}
			})
		}
		wg.Wait()
		if !slices.Equal(got, want) {
			t.Errorf("%d workers see other fights", workers)
		}
	}
	return want
}

// Undoing and redoing at any die or choice does not change the result.
func TestUndoneAtEachQuestion(t *testing.T) {
	x := trials(t)
	for n := uint64(1); n <= 3; n++ {
		want, err := end(x, n)
		if err != nil {
			t.Fatal(err)
		}
		questions := 0
		x.m.AskDice = true
		x.resume = func(answer int64) machine.Result {
			questions++
			before := x.m.State().Clone()
			x.m.Resume(answer)
			after := x.m.State().Hash()
			x.m.Restore(before)
			r := x.m.Resume(answer)
			if x.m.State().Hash() != after {
				t.Fatalf("seed %d, question %d: undone and done again it is another state", n, questions)
			}
			return r
		}
		got, err := end(x, n)
		x.m.AskDice, x.resume = false, x.m.Resume
		if err != nil || got != want {
			t.Errorf("seed %d: with %d questions undone %+v, else %+v (%v)", n, questions, got, want, err)
		}
		if questions < 20 {
			t.Errorf("only %d questions", questions)
		}
	}
}

// What the rules count elsewhere is noted, and never entered as a loss or a gain of its own.
func TestCountedElsewhereIsNoted(t *testing.T) {
	x, err := NewTrials(opened(t, `encounter "bruises" with d20
resource blood from 0 to 10
resource marks from 0 starts 0
resource bruises from 0 starts 0 { is counted-elsewhere }
override creature.defeated = blood - bruises <= 0
action hit target { cost none
  step go { target loses 1 blood
    target gains 1 bruises } }
creature man { level: 1 }
side us { man Alia }
side them { man Bron }
fight on for 1 round`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := x.Cast()
	for name, want := range map[string]machine.Watch{"blood": machine.Losses, "marks": machine.Gains, "bruises": machine.Noted} {
		if got := c.Watched[slices.Index(c.Resources, name)]; got != want {
			t.Errorf("%s: watched as %d, want %d", name, got, want)
		}
	}
}
