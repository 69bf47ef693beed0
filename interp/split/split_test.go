package split

import (
	"flag"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

var repeats = flag.Int("split-repeats", 20, "estimate so many times, to see how often the interval holds what is true")

// walk is a walk on the line by steps of one, up with a chance, from a place, until it is at 0 or at the top.
type walk struct {
	up      float64
	from    int
	top     int
	at      int
	random  *rand.Rand
	kept    map[int]int
	highest func(at int) float64
}

func (w *walk) Begin(seed uint64) error {
	w.at, w.random = w.from, rand.New(rand.NewPCG(seed, 1))
	return nil
}

func (w *walk) Advance(above float64) (Step, error) {
	for {
		s := Step{Height: w.highest(w.at), Ended: w.at == 0 || w.at == w.top, Happened: w.at == w.top}
		if s.Ended || s.Height > above {
			return s, nil
		}
		if w.random.Float64() < w.up {
			w.at++
		} else {
			w.at--
		}
	}
}

func (w *walk) Room() int { return 4000 }

func (w *walk) Keep(slot int) { w.kept[slot] = w.at }

func (w *walk) Resume(slot int, seed uint64) error {
	w.at, w.random = w.kept[slot], rand.New(rand.NewPCG(seed, 2))
	return nil
}

// cramped is a process of which hardly anything can be kept.
type cramped struct {
	walk
	room int
}

func (c *cramped) Room() int { return c.room }

func TestRoom(t *testing.T) {
	for room, fits := range map[int]bool{1: false, 2: true} {
		c := &cramped{walk{up: 0.45, from: 2, top: 4, kept: map[int]int{}, highest: func(at int) float64 { return float64(at) }}, room}
		_, err := Run([]Process{c}, Options{Most: 1000})
		if full := err != nil && strings.Contains(err.Error(), "its states are too large to be kept"); full == fits {
			t.Errorf("with room for %d: %v", room, err)
		}
	}
}

// ruin is the chance to reach the top (the gambler's ruin).
func (w *walk) ruin() float64 {
	r := (1 - w.up) / w.up
	return (1 - math.Pow(r, float64(w.from))) / (1 - math.Pow(r, float64(w.top)))
}

// The interval holds what is true in 95 % of all cases, and the estimates are right on average: for chances from a tenth to
// one in a hundred million, with closeness that is measured well, in large steps, or badly.
func TestIntervalsHold(t *testing.T) {
	place := func(at int) float64 { return float64(at) }
	for name, w := range map[string]*walk{
		"a tenth":            {up: 0.45, from: 10, top: 20, highest: place},
		"one in a thousand":  {up: 0.4, from: 3, top: 17, highest: place},
		"one in a million":   {up: 0.3, from: 2, top: 18, highest: place},
		"steps":              {up: 0.2, from: 3, top: 12, highest: func(at int) float64 { return float64(at / 3) }},
		"badly measured":     {up: 0.35, from: 3, top: 12, highest: func(at int) float64 { return float64(at + at%2*3) }},
		"one in 100 million": {up: 0.25, from: 1, top: 17, highest: place},
	} {
		w.kept = map[int]int{}
		truth, held, sum, spread := w.ruin(), 0, 0.0, 0.0
		var e *Estimate
		var err error
		for n := range *repeats {
			if e, err = Run([]Process{w}, Options{Seed: uint64(n), Most: 40_000}); err != nil {
				t.Fatal(err)
			}
			if e.Low <= truth && truth <= e.High {
				held++
			}
			sum += e.Value / truth
			spread += e.Value / truth * e.Value / truth
		}
		all := float64(*repeats)
		mean := sum / all
		deviation := math.Sqrt(max(0, spread/all-mean*mean))
		t.Logf("%s, %.3g: %.1f %% of %d intervals hold it; the mean is %.3f of it, deviation %.3f; %d levels, %d attempts", name, truth, 100*float64(held)/all, *repeats, mean, deviation, len(e.Levels), e.Attempts)
		if math.Abs(mean-1) > 4*deviation/math.Sqrt(all) {
			t.Errorf("%s: the estimate is biased", name)
		}
		if off := (0.95*all - float64(held)) / math.Sqrt(all*0.95*0.05); off > 3.5 {
			t.Errorf("%s: too few intervals hold it", name)
		}
	}
}
