package advise

import (
	"errors"
	"math"
	"testing"

	"arbiter/stdlib/mix"
)

// noisy is a problem with known means: each playout is one of them, with noise that all candidates share and noise of
// their own.
type noisy struct{ means []float64 }

func unit(x uint64) float64 { return float64(mix.Finish(x)>>11) / (1 << 53) }

func (p noisy) Play(candidate int, seed uint64) (Outcome, error) {
	if math.IsNaN(p.means[candidate]) {
		return Outcome{}, errors.New("cannot be played on")
	}
	v := p.means[candidate] + 4*unit(seed) + unit(seed^uint64(candidate+1)<<32) - 2.5
	return Outcome{Value: v, End: uint64(candidate)}, nil
}

func TestSearch(t *testing.T) {
	for _, x := range []struct {
		name  string
		means []float64
		usual int
		best  int
	}{
		{"the best of many", []float64{0, .1, .2, .3, 1, .4, .1, 0, .2, .3, .1, 0}, 0, 4},
		{"the usual, if nothing is better", []float64{1, .1, .2, .3, .9, .4}, 0, 0},
		{"one that cannot be played on is dropped", []float64{0, math.NaN(), 1}, 0, 2},
		{"a single one", []float64{3}, 0, 0},
		{"the usual is tried even if it comes last", append(make([]float64, 500), 1), 500, 500},
	} {
		t.Run(x.name, func(t *testing.T) {
			for _, workers := range []int{1, 3} {
				var players []Player
				for range workers {
					players = append(players, noisy{x.means})
				}
				r, err := Search(Problem{Players: players, Candidates: len(x.means), Usual: x.usual}, Options{Playouts: 800, Seed: 5, Confirm: true})
				if err != nil || r.Best != x.best || r.Playouts > 800 {
					t.Errorf("%d workers: best %d after %d, want %d: %v", workers, r.Best, r.Playouts, x.best, err)
				}
			}
		})
	}
}

// A search whose usual candidate cannot be played on says why.
func TestUsualFails(t *testing.T) {
	if _, err := Search(Problem{Players: []Player{noisy{[]float64{math.NaN(), 1}}}, Candidates: 2}, Options{Playouts: 100}); err == nil {
		t.Error("no error")
	}
}

// What is added near a candidate that survives is found.
func TestWidening(t *testing.T) {
	p := &noisy{[]float64{0, 0, 1, 0}}
	r, err := Search(Problem{Players: []Player{p}, Candidates: 4, Widen: func(around int) int {
		if around != 2 || len(p.means) > 4 {
			return 0
		}
		p.means = append(p.means, 3)
		return 1
	}}, Options{Playouts: 400, Seed: 1})
	if err != nil || r.Best != 4 {
		t.Errorf("best %d: %v", r.Best, err)
	}
}

// The search stops when it is told to, and when it may keep no more.
func TestBounds(t *testing.T) {
	n := 0
	p := Problem{Players: []Player{noisy{make([]float64, 10)}}, Candidates: 10}
	if r, err := Search(p, Options{Playouts: 1000, Stop: func() bool { n++; return n > 100 }}); err != nil || !r.Stopped || r.Playouts < 50 || r.Playouts > 100 {
		t.Errorf("%+v %v", r, err)
	}
	if r, err := Search(p, Options{Playouts: 1000, Memory: 200 * outcomeBytes}); err != nil || r.Playouts > 200 {
		t.Errorf("%+v %v", r, err)
	}
}

// rare is a problem in which each candidate wins with a known chance, and differs from the others in few playouts.
type rare struct{ chances []float64 }

func (p rare) Play(candidate int, seed uint64) (o Outcome, _ error) {
	if unit(seed) < p.chances[candidate] {
		o.Value, o.Figures[0] = 1, 1
	}
	o.End = uint64(candidate)
	return o, nil
}

// The intervals of what was confirmed hold the true values, differences and rates in 95 of 100 searches, although the
// candidates were selected; also where few playouts differ.
func TestCoverage(t *testing.T) {
	const times = 1000
	means := []float64{.2, 0, .1, .25, .15, .3, .2, .1}
	chances := []float64{.92, .9, .91, .93, .94, .95, .9, .92}
	for _, x := range []struct {
		name   string
		player Player
		truth  []float64
		wins   bool // the value is a rate, whose interval is Rate; where few differ, more than 95 % may hold
	}{
		{"values with noise", noisy{means}, means, false},
		{"wins, few of which differ", rare{chances}, chances, true},
	} {
		differences, values := 0, 0
		for seed := range uint64(times) {
			r, err := Search(Problem{Players: []Player{x.player}, Candidates: len(means)}, Options{Playouts: 400, Seed: seed, Confirm: true})
			if err != nil {
				t.Fatal(err)
			}
			a, b := r.Ranked[0], r.Ranked[1]
			if a.Index > b.Index { // of the two, not of the better and the worse: that would be a selection again
				a, b = b, a
			}
			if d, truth := Compare(a, b).Value, x.truth[a.Index]-x.truth[b.Index]; d.Low <= truth && truth <= d.High {
				differences++
			}
			v := a.Value()
			if x.wins {
				v = a.Rate(0)
			}
			if v.Low <= x.truth[a.Index] && x.truth[a.Index] <= v.High {
				values++
			}
		}
		t.Logf("%s: %.1f %% of the differences hold, %.1f %% of the values", x.name, 100*float64(differences)/times, 100*float64(values)/times)
		margin := 3 * math.Sqrt(.95*.05*times)
		for _, held := range []int{differences, values} {
			if off := float64(held) - .95*times; off < -margin || !x.wins && off > margin {
				t.Errorf("%s: %d differences and %d values of %d hold", x.name, differences, values, times)
				break
			}
		}
	}
}
