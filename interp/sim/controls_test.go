package sim

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"arbiter/interp/session"
)

// longDuel is a duel of several rounds, much of which is luck.
const longDuel = `encounter "many blows" with srd35
creature hardy { level: 3; full-hit-points: 20; base-attack: 3; strength: 14; main-weapon: longsword }
tactics press-on { attack first-foe with weapon-in-hand when first-foe is not none }
side a follows press-on { hardy Alia }
side b follows press-on { hardy Bron }
begin
fight on for 30 rounds
`

// What is adjusted for luck is nearer to what is true, sums to one, adds up whatever the order and the number of workers,
// and survives a file.
func TestAdjusted(t *testing.T) {
	x := trials(t, longDuel)
	rolls := RollsOf(x, 3)
	if len(rolls) < 4 || !reflect.DeepEqual(rolls, RollsOf(x, 3)) {
		t.Fatal(rolls)
	}
	whole, err := run(x, Options{Seed: 3, Fights: 600, Workers: 2, Adjust: rolls})
	if err != nil {
		t.Fatal(err)
	}
	parts := newTally(x.Cast())
	for _, from := range []uint64{400, 0, 250} {
		part, err := run(x, Options{Seed: 3, From: from, Fights: map[uint64]uint64{0: 250, 250: 150, 400: 200}[from], Workers: 1, Adjust: rolls})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(part)
		if err != nil {
			t.Fatal(err)
		}
		back := new(Tally)
		if err := json.Unmarshal(text, back); err != nil || !back.fits(x.Cast()) {
			t.Fatal(err)
		}
		parts.Add(back)
	}
	if !reflect.DeepEqual(whole.Controls, parts.Controls) {
		t.Error("the parts do not add up to the whole")
	}
	plain, err := run(x, Options{Seed: 3, Fights: 600, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	a, b := NewReport(x.Cast(), 3, whole), NewReport(x.Cast(), 3, plain)
	if b.Adjusted != nil || a.Adjusted == nil {
		t.Error(a.Adjusted, b.Adjusted)
	}
	sum := a.Undecided.Rate
	for i, s := range a.Sides {
		sum += s.Wins.Rate
		if narrow, wide := s.Wins.High-s.Wins.Low, b.Sides[i].Wins.High-b.Sides[i].Wins.Low; narrow > 0.85*wide {
			t.Errorf("%s: %v wide, instead of %v", s.Name, narrow, wide)
		}
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Error("all sides together win", sum)
	}
	if narrow, wide := a.Rounds.High-a.Rounds.Low, b.Rounds.High-b.Rounds.Low; narrow > 0.85*wide {
		t.Errorf("rounds: %v wide, instead of %v", narrow, wide)
	}
	for _, w := range a.Adjusted.Worth {
		if w.Figure != "nobody wins" && w.Fights < 1.3 {
			t.Error(w)
		}
	}
}

// By hand: two fights for each of all combinations of a luck and a noise, of which the figure is the sum.
func TestAdjustedByHand(t *testing.T) {
	c := &session.Cast{Sides: []string{"a", "b"}}
	l := newControls(c, []session.Roll{{Name: "x"}, {Name: "twice x"}})
	f := newFightResult(c)
	n := uint64(0)
	for range 50 {
		for _, surplus := range []int64{-10, -2, 6} { // on average -2: unlucky fights
			for _, noise := range []int{-1, 1} {
				f.Rounds, n = 100+int(surplus)*3+noise, n+1
				l.note(f, []int64{surplus, 2 * surplus})
			}
		}
	}
	a := l.adjusted(Figure{Kind: Rounds}, n)
	if a == nil || math.Abs(a.mean-100) > 1e-6 { // not 94
		t.Fatal(a)
	}
	spread := 1/float64(n) + 4/(float64(n)*(64+64+0)/3*1) // the means of the luck are known only so well
	if want := 1 * float64(n) / float64(n-2) * spread; math.Abs(a.variance-want) > 1e-9*want {
		t.Errorf("variance %v, want %v", a.variance, want)
	}
	if l.adjusted(Figure{Kind: Rounds}, 50) != nil {
		t.Error("a few fights are adjusted")
	}
	l.note(f, []int64{1 << 40, 1 << 40})
	if !l.TooLarge || l.adjusted(Figure{Kind: Rounds}, n) != nil {
		t.Error("an overflow goes unnoticed")
	}
}

// Without dice that explain it a rate is that of Wilson, and so is one of what hardly ever happens.
func TestNotAdjusted(t *testing.T) {
	x := trials(t, longDuel)
	whole, err := run(x, Options{Seed: 3, Fights: 50, Workers: 1, Adjust: RollsOf(x, 3)})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := whole.rate(Figure{Kind: Wins}, whole.Wins[0]), RateOf(whole.Wins[0], 50); got != want {
		t.Error(got, want)
	}
	if r := NewReport(x.Cast(), 3, whole); len(r.Adjusted.Worth) != 0 || r.Adjusted.Text() == "" {
		t.Error(r.Adjusted)
	}
}
