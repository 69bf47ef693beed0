package balance

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"arbiter/interp/sim"
	"arbiter/stdlib/estimate"
)

var figures = []sim.NamedFigure{
	{Name: "east wins", Figure: sim.Figure{Kind: sim.Wins}}, {Name: "fight rounds", Figure: sim.Figure{Kind: sim.Rounds}},
	{Name: "Alia falls", Figure: sim.Figure{Kind: sim.Falls}}, {Name: "R2 dealt", Figure: sim.Figure{Kind: sim.Dealt}}, {Name: "Alia left hit-points", Figure: sim.Figure{Kind: sim.Left}},
}

func TestParseWish(t *testing.T) {
	for text, want := range map[string]Wish{
		"east wins 60 %":                   {NamedFigure: figures[0], Target: 0.6, Within: 0.03},
		"east wins about 60% within 1 %":   {NamedFigure: figures[0], Target: 0.6, Within: 0.01},
		"rounds 6":                         {NamedFigure: figures[1], Target: 6, Within: 0.3},
		" fight  rounds at most 6.5 ":      {NamedFigure: figures[1], Relation: AtMost, Target: 6.5, Within: 0.325},
		"Alia falls at least 10 %":         {NamedFigure: figures[2], Relation: AtLeast, Target: 0.1, Within: 0.03},
		"R2 dealt 12 within 2":             {NamedFigure: figures[3], Target: 12, Within: 2},
		"Alia left hit-points -3 within 1": {NamedFigure: figures[4], Target: -3, Within: 1},
	} {
		got, err := ParseWish(text, figures)
		if err != nil || got.Figure != want.Figure || got.Name != want.Name || got.Relation != want.Relation || math.Abs(got.Target-want.Target) > 1e-12 || math.Abs(got.Within-want.Within) > 1e-12 {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"": "no number to reach", "east wins": "no number to reach", "R2 dealt": "no number to reach", "east win 60 %": "did you mean east wins?", "east wins 60": "write it in percent",
		"east wins 140 %": "from 0 % to 100 %", "rounds 6 %": "without %", "rounds 6 within -1": "not a distance", "rounds 6 feet": "not a number", "rounds 1e99": "not a number",
	} {
		if _, err := ParseWish(text, figures); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// coins plays with known shares.
func coins(r *rand.Rand, truth []float64) Player {
	counts := make([]estimate.Share, len(truth))
	return func(v int, n, fights uint64) (estimate.Estimate, error) {
		for range fights {
			if r.Float64() < truth[v] {
				counts[v].Hits++
			}
		}
		counts[v].All = n + fights
		return counts[v], nil
	}
}

// falling are shares that fall from 99 % to 5 %.
func falling(n int) (list []float64) {
	for i := range n {
		list = append(list, 0.05+0.94/(1+math.Exp((float64(i)-0.4*float64(n))/(0.1*float64(n)))))
	}
	return list
}

// Searches for known answers: what it says is right in at least 95 of 100 repetitions, and it costs far less than a
// grid.
func TestFindsKnownAnswers(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for _, c := range []struct {
		name      string
		truth     []float64
		wish      Wish
		unordered bool
		right     func(*Result, []float64) bool
		cheaper   uint64 // than a grid by at least this factor
	}{
		{"a value reaches it", falling(12), Wish{Target: 0.68, Within: 0.05}, false, nil, 2},
		{"a hundred values", falling(100), Wish{Target: 0.5, Within: 0.05}, false, nil, 10},
		{"rising", []float64{0.1, 0.2, 0.3, 0.5, 0.7, 0.9}, Wish{Target: 0.5, Within: 0.04}, false, nil, 1},
		{"between two", []float64{0.9, 0.8, 0.3, 0.1}, Wish{Target: 0.6, Within: 0.05}, false,
			func(x *Result, _ []float64) bool {
				return x.Verdict == Between && x.Low == 1 && x.High == 2 && x.Best == 1
			}, 4},
		{"out of reach", []float64{0.9, 0.8, 0.75}, Wish{Target: 0.3, Within: 0.05}, false,
			func(x *Result, _ []float64) bool { return x.Verdict == Unreachable && x.Best == 2 }, 5},
		{"at least", falling(12), Wish{Target: 0.6, Within: 0.05, Relation: AtLeast}, false,
			func(x *Result, truth []float64) bool {
				return x.Verdict == Reached && truth[x.Best] >= 0.55 && truth[x.Best+1] < 0.65
			}, 3},
		{"without order", []float64{0.3, 0.9, 0.5, 0.1}, Wish{Target: 0.5, Within: 0.06}, true, nil, 0},
	} {
		const repetitions = 200
		right, spent, grid := 0, uint64(0), uint64(0)
		for range repetitions {
			x, err := Search(c.wish, Options{Values: len(c.truth), Ordered: !c.unordered, Fights: 1_000_000}, coins(r, c.truth))
			if err != nil {
				t.Fatal(err)
			}
			ok := x.Verdict == Reached && math.Abs(c.truth[x.Best]-c.wish.Target) <= c.wish.Within
			if c.right != nil {
				ok = c.right(x, c.truth)
			}
			if ok {
				right++
			}
			if x.Confidence < 0.95 {
				t.Errorf("%s: confidence %v", c.name, x.Confidence)
			}
			spent, grid = spent+x.Fights, grid+x.Grid
		}
		t.Logf("%-20s right in %d of %d, %6d fights, a grid %6d", c.name, right, repetitions, spent/repetitions, grid/repetitions)
		if right < repetitions*95/100-3*3 { // three standard errors
			t.Errorf("%s: right in %d of %d", c.name, right, repetitions)
		}
		if spent*c.cheaper > grid {
			t.Errorf("%s: %d fights, a grid %d", c.name, spent/repetitions, grid/repetitions)
		}
	}
}

// rounds plays with known means: a few rounds more often than many.
func rounds(r *rand.Rand, truth []float64) Player {
	counts := make([]estimate.Mean, len(truth))
	return func(v int, n, fights uint64) (estimate.Estimate, error) {
		for range fights {
			// The whole numbers below an exponential number have the mean 1/(exp(1/scale) - 1).
			x := math.Floor(r.ExpFloat64() / math.Log1p(1/truth[v]))
			counts[v].All, counts[v].Sum, counts[v].Squares = counts[v].All+1, counts[v].Sum+x, counts[v].Squares+x*x
		}
		return counts[v], nil
	}
}

// All intervals that a search shows hold what is true, together, in at least 95 % of all searches, within what chance allows,
// although the search has stopped by what they said.
func TestIntervalsHold(t *testing.T) {
	const repetitions = 1000
	r := rand.New(rand.NewPCG(12, 13))
	for _, x := range []struct {
		name  string
		truth []float64
		wish  Wish
		play  func(*rand.Rand, []float64) Player
	}{
		{"shares", falling(12), Wish{Target: 0.6, Within: 0.1}, coins},
		{"shares near the end", []float64{0.999, 0.99, 0.97, 0.9}, Wish{Target: 0.97, Within: 0.03}, coins},
		{"means", []float64{2, 3, 4, 5, 6, 8}, Wish{Target: 5, Within: 1}, rounds},
	} {
		all, each, of := 0, 0, 0
		for range repetitions {
			found, err := Search(x.wish, Options{Values: len(x.truth), Ordered: true, Fights: 20_000}, x.play(r, x.truth))
			if err != nil {
				t.Fatal(err)
			}
			missed := 0
			for _, v := range found.Tried {
				of++
				if low, high := v.Estimate.Interval(found.Alpha); x.truth[v.Value] < low || x.truth[v.Value] > high {
					missed++
				}
			}
			if each += len(found.Tried) - missed; missed == 0 {
				all++
			}
		}
		t.Logf("%s: all intervals of a search hold in %.1f %%, each in %.2f %%", x.name, float64(all)/repetitions*100, 100*float64(each)/float64(of))
		if all < int(repetitions*0.95-3*math.Sqrt(repetitions*0.95*0.05)) {
			t.Errorf("%s: all intervals hold in %d of %d searches", x.name, all, repetitions)
		}
	}
}

// Without enough fights it says so, with the nearest value; figures that neither rise nor fall are noticed.
func TestSaysWhatItDoesNotKnow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	x, err := Search(Wish{Target: 0.5, Within: 0.01}, Options{Values: 9, Ordered: true, Fights: 700}, coins(r, falling(9)))
	if err != nil || x.Verdict != Undecided || x.Confidence != 0 || x.Fights != 700 {
		t.Errorf("%+v, %v", x, err)
	}
	x, err = Search(Wish{Target: 0.5, Within: 0.04}, Options{Values: 5, Ordered: true, Fights: 1_000_000}, coins(r, []float64{0.9, 0.2, 0.7, 0.6, 0.1}))
	if err != nil || !x.Monotone {
		t.Errorf("%+v, %v", x, err) // of those that were tried
	}
	x, err = Search(Wish{Target: 0.5, Within: 0.04}, Options{Values: 5, Ordered: true, Fights: 1_000_000}, coins(r, []float64{0.8, 0.2, 0.99, 0.3, 0.1}))
	if err != nil || x.Monotone {
		t.Errorf("%+v, %v", x, err)
	}
}
