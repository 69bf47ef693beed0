package sim

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/rules"
)

var (
	coverage       = flag.Int("coverage", 150, "compute each interval of 95 % so many times, to see how often it holds what is true; 1000 for the table in spec/numbers.md")
	coverageFights = flag.Uint64("coverage-fights", 150, "each time from so many fights")
)

// held counts how often an interval holds what is true.
type held struct {
	name        string
	times, of   int
	width       float64 // the sum
	wider, less int     // how often the interval was above, and below, what is true
}

func (h *held) note(low, high, truth float64) {
	h.of++
	h.width += high - low
	switch {
	case low > truth:
		h.wider++
	case high < truth:
		h.less++
	default:
		h.times++
	}
}

// Each interval of 95 % that is printed holds what is true in 95 % of all cases, within what chance allows: those of rates
// and means, those that are adjusted for luck, those of changes, and those of a simulation that stops when they are narrow
// enough. What is true is what all fights together say, of which those of one case are a small part.
func TestIntervalsHold(t *testing.T) {
	text, err := os.ReadFile("../piece/testdata/duel.encounter")
	if err != nil {
		t.Fatal(err)
	}
	s, diags, err := build.Source("duel.encounter", text, build.Options{Library: rules.FS})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	changed, diags, err := build.Source("duel.encounter", []byte(strings.Replace(string(text), "recruit Alia follows press-on", "recruit Alia follows press-on { base-attack: 5 }", 1)), build.Options{Library: rules.FS})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	var list []Variant
	for _, x := range []*build.Script{s, changed} {
		tr, err := session.NewTrials(x, session.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, Variant{Trials: tr})
	}
	rolls := RollsOf(list[0].Trials, 1)
	cast := list[0].Trials.Cast()
	cases := make([][]*Arm, *coverage)
	var all []*Arm
	for n := range cases {
		if cases[n], err = Compare(list, Options{Seed: 1, From: uint64(n) * *coverageFights, Fights: *coverageFights, Workers: 2, Adjust: rolls}); err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			all, _ = Compare(list, Options{Seed: 1, Workers: 1, Adjust: rolls})
		}
		for i, a := range cases[n] {
			all[i].Add(a)
		}
	}
	wins, rounds, dealt := Figure{Kind: Wins}, Figure{Kind: Rounds}, Figure{Kind: Dealt}
	total := all[0].Tally
	var table []*held
	row := func(name string) *held {
		table = append(table, &held{name: name})
		return table[len(table)-1]
	}
	rate, meanRounds, meanDealt := row("`sim`, a win rate"), row("`sim`, mean rounds"), row("`sim`, mean dealt")
	adjustedRate, adjustedRounds, adjustedDealt := row("`sim --adjust`, a win rate"), row("`sim --adjust`, mean rounds"), row("`sim --adjust`, mean dealt")
	change, meanChange := row("`compare`, change of a win rate"), row("`compare`, change of a mean")
	plainOf := func(a *Arm) *Tally {
		x := *a.Tally
		x.Controls = nil
		return &x
	}
	trueChange := RateChange(all[1].Pairs.Figures[wins], total.Fights).Rate
	trueMean := MeanOf(all[1].Pairs.Figures[dealt], total.Fights).Mean
	trueRate, trueRounds, trueDealt := float64(total.Wins[0])/float64(total.Fights), MeanOf(total.Rounds, total.Fights).Mean, MeanOf(total.Members[0].Dealt, total.Fights).Mean
	for _, arms := range cases {
		x := arms[0].Tally
		r := RateOf(x.Wins[0], x.Fights)
		rate.note(r.Low, r.High, trueRate)
		r = x.rate(wins, x.Wins[0])
		adjustedRate.note(r.Low, r.High, trueRate)
		m := MeanOf(x.Rounds, x.Fights)
		meanRounds.note(m.Low, m.High, trueRounds)
		m = x.mean(rounds, m)
		adjustedRounds.note(m.Low, m.High, trueRounds)
		m = MeanOf(x.Members[0].Dealt, x.Fights)
		meanDealt.note(m.Low, m.High, trueDealt)
		m = x.mean(dealt, m)
		adjustedDealt.note(m.Low, m.High, trueDealt)
		r = RateChange(arms[1].Pairs.Figures[wins], x.Fights)
		change.note(r.Low, r.High, trueChange)
		m = MeanChange(arms[1].Pairs.Figures[dealt], x.Fights, 0)
		meanChange.note(m.Low, m.High, trueMean)
	}
	// Simulations that look after each batch, of cases drawn at random, whether they know enough.
	random := rand.New(rand.NewPCG(1, 2))
	n := float64(*coverageFights)
	for _, u := range []struct {
		name     string
		adjusted bool
		arms     int
		half     float64
	}{
		{"`sim --until`, a win rate", false, 1, 0.98 / math.Sqrt(4.5*n)},
		{"`sim --adjust --until`, a win rate", true, 1, 0.98 * 0.75 / math.Sqrt(4.5*n)},
		{"`compare --until`, change of a win rate", false, 2, 1.96 * 0.13 / math.Sqrt(3*n)},
	} {
		h := row(u.name)
		for range *coverage {
			sum := NewArms([]*session.Cast{cast, list[1].Trials.Cast()}, []string{"", ""})[:u.arms]
			for first := true; first || !Within(sum, u.half); first = false {
				at := cases[random.IntN(len(cases))]
				for i := range sum {
					a := &Arm{Tally: at[i].Tally, Pairs: at[i].Pairs}
					if !u.adjusted {
						a.Tally = plainOf(at[i])
					}
					sum[i].Add(a)
				}
			}
			x := sum[0].Tally
			r := x.rate(wins, x.Wins[0])
			if truth := trueRate; u.arms == 1 {
				h.note(r.Low, r.High, truth)
			} else {
				r = RateChange(sum[1].Pairs.Figures[wins], x.Fights)
				h.note(r.Low, r.High, trueChange)
			}
		}
	}
	lines := fmt.Sprintf("| interval of 95 %% | holds | too high | too low | width |\n| --- | --- | --- | --- | --- |\n")
	for _, h := range table {
		lines += fmt.Sprintf("| %s | %.1f %% | %.1f %% | %.1f %% | %.3g |\n", h.name, 100*float64(h.times)/float64(h.of), 100*float64(h.wider)/float64(h.of), 100*float64(h.less)/float64(h.of), h.width/float64(h.of))
		if off := (0.95*float64(h.of) - float64(h.times)) / math.Sqrt(float64(h.of)*0.95*0.05); off > 3 {
			t.Errorf("%s: it holds what is true in only %d of %d cases", h.name, h.times, h.of)
		}
	}
	t.Logf("%d cases of %d fights\n%s", *coverage, *coverageFights, lines)
}
