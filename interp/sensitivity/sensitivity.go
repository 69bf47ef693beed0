// Package sensitivity finds which of many changes move a figure most: all are screened with a few fights, and the most
// promising are measured with others.
//
// Every change is played on the same dice as the fights as written, so that a difference is due to it. What is measured is
// measured on fights that had no part in the selection, and which differences are significant is decided together (Holm).
// Of parts that belong together, contrasts say what two do together and not by themselves.
//
// It must never know what is changed, nor how a fight is played.
package sensitivity

import (
	"cmp"
	"math"
	"slices"

	"arbiter/interp/sim"
)

// AsWritten stands for no change.
const AsWritten = -1

// Play plays fights with a change and returns the figure in each of them, from one fight on. None, without an error, means
// that a fight with this change cannot be played.
type Play func(change int, from, fights uint64) ([]int64, error)

// Options say what is looked at, and how much is played.
type Options struct {
	Group  []int  // by change: the thing that it changes, numbered from 0; all changes of one are measured together
	Screen uint64 // fights of each change for screening
	Fights uint64 // fights of each that is measured
	Keep   int    // how many things are measured
	Share  bool   // the figure is 1 or 0 in each fight
	Stop   func() bool
}

// Effect is what a change does.
type Effect struct {
	Change      int
	Value       float64 // the figure with it
	By          float64 // how it changes, with its 95 % interval
	Low, High   float64
	PValue      float64
	Different   uint64 // fights in which it differs
	Significant bool   // among all that were measured
}

// Result is what was found.
type Result struct {
	AsWritten  sim.Mean
	Effects    []Effect // of what was measured; changes of one thing stand together, what moves most comes first
	Screened   int      // things that were screened
	Without    int      // of these, without any difference
	Unplayable []int    // changes with which a fight cannot be played
	Fights     uint64   // all together
}

// Find screens all changes and measures the most promising.
func Find(o Options, play Play) (*Result, error) {
	r := &Result{}
	first, err := play(AsWritten, 0, o.Screen)
	if err != nil {
		return nil, err
	}
	r.Fights += uint64(len(first))
	groups := 0
	for _, g := range o.Group {
		groups = max(groups, g+1)
	}
	moves := make([]float64, groups) // by group, the largest change in units of its error
	differs, playable := make([]bool, groups), make([]bool, groups)
	for change, g := range o.Group {
		if o.Stop() {
			break
		}
		values, err := play(change, 0, o.Screen)
		if err != nil {
			return nil, err
		}
		r.Fights += uint64(len(values))
		if values == nil {
			r.Unplayable = append(r.Unplayable, change)
			continue
		}
		playable[g] = true
		e := EffectOf(first, values, o.Share)
		if e.Different > 0 {
			differs[g] = true
			moves[g] = math.Max(moves[g], math.Abs(e.By)+1e-9)
		}
	}
	var order []int
	for g := range groups {
		switch {
		case !playable[g]:
			continue
		case differs[g]:
			order = append(order, g)
		default:
			r.Without++
		}
		r.Screened++
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(moves[b], moves[a]) })
	order = order[:min(len(order), o.Keep)]
	return r, r.measure(o, play, order)
}

// measure measures the changes of some groups, with other fights.
func (r *Result) measure(o Options, play Play, order []int) error {
	base, err := play(AsWritten, o.Screen, o.Fights)
	if err != nil {
		return err
	}
	r.Fights += uint64(len(base))
	r.AsWritten = meanOf(base)
	if o.Share {
		hits := uint64(0)
		for _, v := range base {
			hits += uint64(v)
		}
		x := sim.RateOf(hits, uint64(len(base)))
		r.AsWritten.Low, r.AsWritten.High = x.Low, x.High
	}
	most := map[int]float64{} // by group
	for _, g := range order {
		for change, of := range o.Group {
			if of != g || slices.Contains(r.Unplayable, change) || o.Stop() {
				continue
			}
			values, err := play(change, o.Screen, o.Fights)
			if err != nil {
				return err
			}
			if r.Fights += uint64(len(values)); values == nil {
				continue
			}
			e := EffectOf(base, values, o.Share)
			e.Change = change
			r.Effects = append(r.Effects, e)
			most[g] = math.Max(most[g], math.Abs(e.By))
		}
	}
	Mark(r.Effects)
	slices.SortStableFunc(r.Effects, func(a, b Effect) int {
		x, y := o.Group[a.Change], o.Group[b.Change]
		return cmp.Or(cmp.Compare(most[y], most[x]), cmp.Compare(x, y), cmp.Compare(a.Change, b.Change))
	})
	return nil
}

// Mark marks the effects that are significant together.
func Mark(list []Effect) {
	var pValues []float64
	for _, e := range list {
		pValues = append(pValues, e.PValue)
	}
	for i, is := range sim.Holm(pValues) {
		list[i].Significant = is
	}
}

// meanOf is the mean of a figure.
func meanOf(values []int64) sim.Mean {
	h := sim.Hist{}
	for _, v := range values {
		h[v]++
	}
	return sim.MeanOf(h, uint64(len(values)))
}

// EffectOf compares the figure in the same fights without and with a change.
func EffectOf(before, after []int64, share bool) Effect {
	n := min(len(before), len(after))
	h := sim.Hist{}
	for i := range n {
		h[after[i]-before[i]]++
	}
	e := effect(h, uint64(n), share, spread(before[:n], after[:n]))
	e.Value = meanOf(after[:n]).Mean
	return e
}

// Interaction is what two changes do together beyond what each does by itself: the figure with both, less that with either,
// and once more that without.
func Interaction(neither, a, b, both []int64) Effect {
	n := min(len(neither), len(a), len(b), len(both))
	h := sim.Hist{}
	for i := range n {
		h[both[i]-a[i]-b[i]+neither[i]]++
	}
	return effect(h, uint64(n), false, spread(neither[:n], both[:n]))
}

// spread is how much the numbers of some lists differ.
func spread(lists ...[]int64) float64 {
	low, high := int64(math.MaxInt64), int64(math.MinInt64)
	for _, list := range lists {
		for _, v := range list {
			low, high = min(low, v), max(high, v)
		}
	}
	return math.Max(0, float64(high)-float64(low))
}

// effect estimates the mean of differences between numbers with a spread.
func effect(h sim.Hist, all uint64, share bool, spread float64) Effect {
	e := Effect{Different: all - h[0]}
	delete(h, 0)
	if share {
		c := sim.RateChange(h, all)
		e.By, e.Low, e.High, e.PValue = c.Rate, c.Low, c.High, sim.PValueOfFlips(h[1], h[-1])
		return e
	}
	m := sim.MeanChange(h, all, spread)
	e.By, e.Low, e.High, e.PValue = m.Mean, m.Low, m.High, sim.PValueOfMean(h, all)
	return e
}
