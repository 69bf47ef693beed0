package session

import (
	"slices"
	"testing"
	"time"

	"arbiter/interp/machine"
)

// hooked returns the trials of the ambush under a ruleset of testdata/hooks.
func hooked(t testing.TB, ruleset string) *Trials {
	t.Helper()
	x, err := NewTrials(open(t, ambush, "testdata/hooks/"+ruleset+".rules"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Fights with functions that only read, and with functions that roll and ask in the middle, do not depend on the
// worker.
func TestWorkersWithHooks(t *testing.T) {
	plain := trials(t)
	for _, ruleset := range []string{"three", "acting"} {
		others := 0
		for i, o := range sameForWorkers(t, hooked(t, ruleset), 12) {
			if p, _ := end(plain, uint64(i)); p != o {
				others++
			}
		}
		if others == 0 {
			t.Errorf("%s: the functions make no difference", ruleset)
		}
	}
}

// At every die and choice, including those that functions ask for, the fight is transferred to another machine and
// continues there.
func TestHooksAreStoppedAndResumed(t *testing.T) {
	x := hooked(t, "acting")
	for n := uint64(1); n <= 3; n++ {
		want, err := end(x, n)
		if err != nil {
			t.Fatal(err)
		}
		other, err := x.Clone()
		if err != nil {
			t.Fatal(err)
		}
		x.m.AskDice, other.m.AskDice = true, true
		questions, asked := 0, map[string]int{}
		x.resume = func(answer int64) machine.Result {
			questions++
			other.m.Restore(x.m.State())
			other.m.Resume(answer)
			r := x.m.Resume(answer)
			if x.m.State().Hash() != other.m.State().Hash() {
				t.Fatalf("seed %d, question %d: another machine goes on in another way", n, questions)
			}
			asked[r.Label]++
			x.m.Restore(other.m.State()) // the fight continues with the state of the other
			return r
		}
		got, err := end(x, n)
		x.m.AskDice, x.resume = false, x.m.Resume
		if err != nil || got != want {
			t.Errorf("seed %d: carried over %+v, else %+v (%v)", n, got, want, err)
		}
		if questions < 20 || asked["burst.burst"] == 0 {
			t.Errorf("only %d questions, %v", questions, asked)
		}
	}
}

// BenchmarkHooks reports the cost of a fight with three small functions, as a multiple of the one without.
func BenchmarkHooks(b *testing.B) {
	with, without := hooked(b, "three"), trials(b)
	var ratios []float64
	for i := 0; b.Loop(); i++ {
		time1 := fightFor(b, without, uint64(i)*batch)
		time2 := fightFor(b, with, uint64(i)*batch)
		ratios = append(ratios, float64(time2)/float64(time1))
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "x-without")
}

// fightFor returns the time per round of a batch of fights; per round because other rules make other fights.
func fightFor(b *testing.B, x *Trials, from uint64) float64 {
	rounds := 0
	began := time.Now()
	for k := range uint64(batch) {
		o, err := x.Fight(from + k)
		if err != nil {
			b.Fatal(err)
		}
		rounds += o.Rounds
	}
	return float64(time.Since(began)) / float64(rounds)
}
