package profile

import (
	"math"
	"slices"

	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/stdlib/dice"
)

// Comparison is how long the fights of one script take beside those of another; `bench --json` prints it, with what was
// compared.
type Comparison struct {
	Fights uint64     `json:"fights"`      // of each
	Rounds int        `json:"rounds"`      // in which they were played by turns
	Time   [2]float64 `json:"nanoseconds"` // of a fight of each: the median of the rounds
	Steps  [2]float64 `json:"steps"`       // of a fight of each, on average
	Ratio  float64    `json:"ratio"`       // of the second's time to the first's: the median of the rounds
	Low    float64    `json:"low"`         // the 95 % confidence interval of that median
	High   float64    `json:"high"`
}

// rounds is how many times both are played by turns. The interval of a median needs no more than six, and gets narrower
// with their square root.
const rounds = 101

// countedFights is how many fights are played to count steps: their number varies little.
const countedFights = 200

// Compare takes the processor time of the fights of two scripts, a few of the one and a few of the other by turns, so
// that whatever else the computer does slows down both. The one that comes first changes from round to round. The nth fight of both has the same
// seed. The error is a *sim.FightError.
func Compare(a, b *session.Trials, o Options) (*Comparison, error) {
	of := [2]*session.Trials{a, b}
	c := &Comparison{Rounds: int(min(rounds, o.Fights))}
	var times [2][]float64
	var ratios []float64
	for round := range c.Rounds {
		if o.Stop != nil && o.Stop() {
			break
		}
		if o.OnProgress != nil {
			o.OnProgress(c.Fights, o.Fights)
		}
		last := o.Fights * uint64(round+1) / uint64(c.Rounds)
		var spent [2]float64
		for k := range of {
			k = (k + round) % 2
			begun := cpuTime()
			for n := c.Fights; n < last; n++ {
				if _, err := of[k].Fight(dice.FightSeed(o.Seed, n)); err != nil {
					return nil, &sim.FightError{Fight: n, Err: err}
				}
			}
			spent[k] = max(1, float64(cpuTime()-begun)) / float64(last-c.Fights)
		}
		c.Fights = last
		for k := range spent {
			times[k] = append(times[k], spent[k])
		}
		ratios = append(ratios, spent[1]/spent[0])
	}
	if len(ratios) == 0 {
		return c, nil
	}
	c.Rounds = len(ratios)
	for k := range of {
		c.Time[k], _, _ = median(times[k])
		f := New(of[k].Program())
		counted := min(c.Fights, countedFights)
		if _, err := f.count(of[k], Options{Seed: o.Seed, Fights: counted}, 0); err != nil {
			return nil, err
		}
		c.Steps[k] = float64(f.Report().Steps) / float64(counted)
	}
	c.Ratio, c.Low, c.High = median(ratios)
	return c, nil
}

// median returns the median of a sample, and the ends of its 95 % confidence interval: the order statistics between
// which the median of the population lies that often, whatever its distribution. Fewer than six values bound nothing:
// the ends are then those of the sample.
func median(sample []float64) (mid, low, high float64) {
	s := slices.Sorted(slices.Values(sample))
	n := len(s)
	mid = (s[(n-1)/2] + s[n/2]) / 2
	// The largest k so that fewer than k of n tosses of a coin show heads with a chance of at most 2.5 %.
	k, chance, term := 0, 0.0, math.Pow(0.5, float64(n))
	for k < n/2 && chance+term <= 0.025 {
		chance += term
		term *= float64(n-k) / float64(k+1)
		k++
	}
	if k == 0 {
		return mid, s[0], s[n-1]
	}
	return mid, s[k-1], s[n-k]
}
