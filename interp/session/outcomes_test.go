package session

import (
	"math/big"
	"testing"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
)

// The fourth source of dice is every outcome: at each die the state forks, each face with its exact weight, and equal
// states merge. One blow of the 3.5 rules, counted out: it hits on 10 or more, and 20 threatens.
func TestEveryOutcome(t *testing.T) {
	s := source(t, twoFighters)
	p := newPlayer(s, Options{})
	p.run(s.File.Body)
	strike := int32(p.rs.Lookup("strike").(*ir.Proc).Index)
	club := -int64(p.rs.Lookup("club").(*ir.Template).Index) - 1
	p.m.Journal, p.m.Asked = nil, true

	type ending struct {
		weight *big.Rat
		left   int64 // hit points of the one who is struck
	}
	ends := map[uint64]*ending{}
	hitPoints := int32(p.rs.Lookup("hit-points").(*ir.Resource).Index)
	stops := 0
	var explore func(r machine.Result, weight *big.Rat)
	explore = func(r machine.Result, weight *big.Rat) {
		switch r.Status {
		case machine.Done:
			h := p.m.State().Hash()
			if ends[h] == nil {
				ends[h] = &ending{new(big.Rat), p.m.Resource(1, hitPoints)}
			}
			ends[h].weight.Add(ends[h].weight, weight)
		case machine.NeedDie:
			stops++
			here := p.m.State().Clone()
			share := new(big.Rat).Mul(weight, big.NewRat(1, int64(r.Sides)))
			for face := int64(1); face <= int64(r.Sides); face++ {
				p.m.Use(here.Clone())
				explore(p.m.Resume(face), share)
			}
		default:
			t.Fatalf("%s: %v %s", r.Status, r.Err, r.Why)
		}
	}
	explore(p.m.Do(0, strike, []int64{1, club}), big.NewRat(1, 1))

	total, missed, mean := new(big.Rat), new(big.Rat), new(big.Rat)
	for _, e := range ends {
		total.Add(total, e.weight)
		if e.left == 50 {
			missed.Add(missed, e.weight)
		}
		mean.Add(mean, new(big.Rat).Mul(e.weight, big.NewRat(50-e.left, 1)))
	}
	// By hand: base attack 0 against armor class 10 misses on 1 to 9; 1d6 is 3 1/2; of the 20s 11 in 20 are confirmed and
	// roll the damage twice.
	wantMean := new(big.Rat).Mul(big.NewRat(7, 2), new(big.Rat).Add(big.NewRat(11, 20), new(big.Rat).Mul(big.NewRat(1, 20), big.NewRat(11, 20))))
	if total.Cmp(big.NewRat(1, 1)) != 0 || missed.Cmp(big.NewRat(9, 20)) != 0 || mean.Cmp(wantMean) != 0 {
		t.Errorf("in all %s, missed %s, mean damage %s, want 1, 9/20, %s", total, missed, mean, wantMean)
	}
	if stops < 20 {
		t.Errorf("only %d forks", stops)
	}
}
