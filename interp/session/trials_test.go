package session

import (
	"slices"
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

// A trial is the fight that a script tells: the same seed ends in the same state.
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

// A fight that its script bounds is played no longer in a trial.
func TestTrialIsBounded(t *testing.T) {
	for bound, rounds := range map[string]int{"for 3 rounds": 4, "for 12 turns": 2, "": 0} {
		s := open(t, ambush)
		for i, cl := range s.File.Body {
			if d, ok := cl.(*ast.Directive); ok && d.Word.Name == "fight" {
				bounded, diags := parse.Statement("bound", "fight on "+bound)
				if len(diags) > 0 {
					t.Fatal(diags)
				}
				s.File.Body = append(slices.Clone(s.File.Body[:i]), bounded...) // what the script says after it is not played in a trial
			}
		}
		x, err := NewTrials(s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := Play(s, s.File.Body, Options{Seed: seed(1), Unchecked: true})
		got, err := x.Fight(1)
		if err != nil || got.Rounds != want.Rounds || rounds > 0 && got.Rounds != rounds || rounds == 0 && want.Outcome == "undecided" {
			t.Errorf("%q: %+v, %v, told: %s after %d rounds", bound, got, err, want.Outcome, want.Rounds)
		}
	}
}

// The same fights come out alike whoever plays them, in whatever order.
func TestWorkers(t *testing.T) { sameForWorkers(t, trials(t), 60) }

// ended is how a fight came out, and the hash of its final state.
type ended struct {
	Outcome
	hash uint64
}

func end(x *Trials, seed uint64) (ended, error) {
	o, err := x.Fight(seed)
	return ended{o, x.m.State().Hash()}, err
}

// sameForWorkers plays fights by one, two and five workers, and gives how they ended.
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

// What is undone at any die or choice and done again comes to the same end.
func TestUndoneAtEachQuestion(t *testing.T) {
	x := trials(t)
	for n := uint64(1); n <= 3; n++ {
		want, err := end(x, n)
		if err != nil {
			t.Fatal(err)
		}
		questions := 0
		x.m.Asked = true
		x.resume = func(answer int64) machine.Result {
			questions++
			before := x.m.State().Clone()
			x.m.Resume(answer)
			after := x.m.State().Hash()
			x.m.Use(before)
			r := x.m.Resume(answer)
			if x.m.State().Hash() != after {
				t.Fatalf("seed %d, question %d: undone and done again it is another state", n, questions)
			}
			return r
		}
		got, err := end(x, n)
		x.m.Asked, x.resume = false, x.m.Resume
		if err != nil || got != want {
			t.Errorf("seed %d: with %d questions undone %+v, else %+v (%v)", n, questions, got, want, err)
		}
		if questions < 20 {
			t.Errorf("only %d questions", questions)
		}
	}
}
