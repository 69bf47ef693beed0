package sim

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"arbiter/interp/session"
	"arbiter/stdlib/dice"
	"arbiter/stdlib/exact"
	"arbiter/stdlib/mix"
)

// This file adjusts estimates for luck. How lucky each side's dice were is known after a fight, and is 0 on average, so
// it can serve as a control variate: what luck explains of a figure, by linear regression, is taken out of it, and what
// remains varies less (Lavenberg and Welch, Management Science 27, 1981). It needs sums of products only, which are
// whole numbers: like all counts, they do not depend on the order of the fights.

// Controls are what regression needs to know of a number of fights.
type Controls struct {
	Rolls    []session.Roll   `json:"rolls"`
	Sums     []int64          `json:"sums"`     // of the luck, by roll
	Products []int64          `json:"products"` // of the luck of each two rolls, the first with the first, then the second with those up to itself, and so on
	Figures  []FigureControls `json:"figures"`
	TooLarge bool             `json:"tooLarge,omitempty"` // something has overflowed: nothing can be adjusted
}

// FigureControls is what it needs of a figure.
type FigureControls struct {
	Figure
	Sum      int64   `json:"sum"`
	Squares  int64   `json:"squares"`
	Products []int64 `json:"products"` // with the luck, by roll
}

const (
	// rollKinds is how many kinds of rolls are told apart. More explain hardly more, and each costs a degree of freedom.
	rollKinds = 16
	// pilotFights are played, with other dice, to see what is rolled.
	pilotFights = 50
	// leastFreedom is how many fights there must be beyond the number of rolls before anything is adjusted.
	leastFreedom = 100
)

// RollsOf returns the kinds of rolls that are the most frequent in fights, as a few fights with other dice show them:
// those of the seed must not choose. The same script and seed have the same rolls.
func RollsOf(t *session.Trials, seed uint64) []session.Roll {
	count := map[session.Roll]uint64{}
	labels := t.Program().Labels
	for n := range uint64(pilotFights) {
		s := dice.FightSeed(mix.Text("pilot")^seed, n)
		if _, err := t.Fight(s); err != nil {
			continue // if it fails with the dice of the seed, the simulation says so
		}
		t.Controls(s, func(side int, label int32, dice uint32, _ int64) {
			count[session.Roll{Side: side, Label: label, Name: labels[label].Name}] += uint64(dice)
		})
	}
	list := []session.Roll{}
	for r := range count {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b session.Roll) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a.Side, b.Side), cmp.Compare(a.Label, b.Label))
	})
	return list[:min(len(list), rollKinds)]
}

// newControls returns the luck of no fights.
func newControls(c *session.Cast, rolls []session.Roll) *Controls {
	k := len(rolls)
	l := &Controls{Rolls: rolls, Sums: make([]int64, k), Products: make([]int64, k*(k+1)/2)}
	for _, f := range FiguresOf(c) {
		l.Figures = append(l.Figures, FigureControls{Figure: f.Figure, Products: make([]int64, k)})
	}
	return l
}

// note adds a fight.
func (l *Controls) note(f *FightResult, surplus []int64) {
	at := 0
	for i, x := range surplus {
		l.add(&l.Sums[i], x, 1)
		for _, y := range surplus[:i+1] {
			l.add(&l.Products[at], x, y)
			at++
		}
	}
	for i := range l.Figures {
		g := &l.Figures[i]
		v := f.value(g.Figure)
		l.add(&g.Sum, v, 1)
		l.add(&g.Squares, v, v)
		for k, x := range surplus {
			l.add(&g.Products[k], v, x)
		}
	}
}

// add adds a product to a sum.
func (l *Controls) add(sum *int64, a, b int64) {
	product, ok := exact.Mul(a, b)
	total, fits := exact.Add(*sum, product)
	if *sum = total; !ok || !fits {
		l.TooLarge = true
	}
}

// plus adds the luck of other fights, and returns the sum; nil if one of them is not known. first says that there have
// been no fights before.
func (l *Controls) plus(o *Controls, first bool) *Controls {
	switch {
	case o == nil:
		return nil
	case first && l == nil:
		return o.clone()
	case l == nil || !l.like(o):
		return nil
	}
	l.TooLarge = l.TooLarge || o.TooLarge
	sum := func(to, from []int64) {
		for i, x := range from {
			l.add(&to[i], x, 1)
		}
	}
	sum(l.Sums, o.Sums)
	sum(l.Products, o.Products)
	for i := range o.Figures {
		f, g := &l.Figures[i], &o.Figures[i]
		l.add(&f.Sum, g.Sum, 1)
		l.add(&f.Squares, g.Squares, 1)
		sum(f.Products, g.Products)
	}
	return l
}

func (l *Controls) clone() *Controls {
	c := *l
	c.Sums, c.Products, c.Figures = slices.Clone(l.Sums), slices.Clone(l.Products), slices.Clone(l.Figures)
	for i := range c.Figures {
		c.Figures[i].Products = slices.Clone(c.Figures[i].Products)
	}
	return &c
}

// like reports whether two count the same.
func (l *Controls) like(o *Controls) bool {
	return slices.Equal(l.Rolls, o.Rolls) && len(l.Sums) == len(o.Sums) && len(l.Products) == len(o.Products) &&
		slices.EqualFunc(l.Figures, o.Figures, func(a, b FigureControls) bool { return a.Figure == b.Figure && len(a.Products) == len(b.Products) })
}

// fits reports whether it has the form that it has for a cast.
func (l *Controls) fits(c *session.Cast) bool {
	return l == nil || len(l.Rolls) <= rollKinds && l.like(newControls(c, l.Rolls))
}

// deciding returns the part that is about who wins.
func (l *Controls) deciding() *Controls {
	if l == nil {
		return nil
	}
	c := l.clone()
	c.Figures = slices.DeleteFunc(c.Figures, func(f FigureControls) bool { return f.Kind != Wins })
	return c
}

// adjustment is a figure without what luck explains of it.
type adjustment struct {
	mean     float64
	variance float64 // of the mean
	plain    float64 // the variance of the mean that was not adjusted
}

// adjusted adjusts a figure; nil if that cannot be done, or there are too few fights.
func (l *Controls) adjusted(f Figure, fights uint64) *adjustment {
	if l == nil || l.TooLarge {
		return nil
	}
	at := slices.IndexFunc(l.Figures, func(x FigureControls) bool { return x.Figure == f })
	k, n := len(l.Rolls), float64(fights)
	if at < 0 || fights < uint64(k+1+leastFreedom) {
		return nil
	}
	g := &l.Figures[at]
	y, yy := float64(g.Sum)/n, float64(g.Squares)-float64(g.Sum)/n*float64(g.Sum)
	// The triangle of the products, with a row for the figure and one for the means, is decomposed (Cholesky): the last
	// two rows then are the solution.
	rows := make([][]float64, k)
	at = 0
	for i := range rows {
		rows[i] = make([]float64, i+1)
		for j := range rows[i] {
			rows[i][j] = float64(l.Products[at]) - float64(l.Sums[i])/n*float64(l.Sums[j])
			at++
		}
	}
	figure, means := make([]float64, k), make([]float64, k)
	for i := range k {
		figure[i] = float64(g.Products[i]) - float64(l.Sums[i])/n*float64(g.Sum)
		means[i] = float64(l.Sums[i]) / n
	}
	used, mean, rest, spread := 0, y, yy, 1/n
	for i := range k {
		own := rows[i][i]
		for j := range i {
			x := rows[i][j]
			for m := range j {
				x -= rows[i][m] * rows[j][m]
			}
			if rows[j][j] > 0 {
				x /= rows[j][j]
			} else {
				x = 0
			}
			rows[i][j] = x
			own -= x * x
		}
		if own <= 1e-9*rows[i][i] { // nothing that the rolls before do not have
			rows[i][i] = 0
			continue
		}
		rows[i][i] = math.Sqrt(own)
		used++
		for _, v := range [][]float64{figure, means} {
			for m := range i {
				v[i] -= rows[i][m] * v[m]
			}
			v[i] /= rows[i][i]
		}
		mean -= figure[i] * means[i]
		rest -= figure[i] * figure[i]
		spread += means[i] * means[i]
	}
	return &adjustment{mean, max(0, rest) / (n - 1 - float64(used)) * spread, yy / (n - 1) / n}
}

// leastEvents is how often something must have happened, and not happened, for its rate to be adjusted: the fewer, the
// less normal is what chance does to it.
const leastEvents = 25

// rate is the estimate of a figure that is a share.
func (t *Tally) rate(f Figure, count uint64) Rate {
	a := t.Controls.adjusted(f, t.Fights)
	if a == nil || count < leastEvents || t.Fights-count < leastEvents {
		return RateOf(count, t.Fights)
	}
	// As exact as a rate that so many fights give by themselves, at the place where the adjusted one is.
	p := float64(count) / float64(t.Fights)
	return wilson(max(0, min(1, a.mean)), p*(1-p)/a.variance)
}

// widestRate is how wide the interval of a rate is if the rate is the one within it that is known the least: the nearest
// to one half.
func (t *Tally) widestRate(f Figure, count uint64) float64 {
	r := t.rate(f, count)
	if t.Fights == 0 {
		return r.High - r.Low
	}
	fights := float64(t.Fights)
	if a := t.Controls.adjusted(f, t.Fights); a != nil && count >= leastEvents && t.Fights-count >= leastEvents {
		p := float64(count) / fights
		fights = p * (1 - p) / a.variance
	}
	w := wilson(min(max(0.5, r.Low), r.High), fights)
	return w.High - w.Low
}

// mean is the estimate of a figure that is a mean.
func (t *Tally) mean(f Figure, m Mean) Mean {
	if a := t.Controls.adjusted(f, t.Fights); a != nil {
		half := z * math.Sqrt(a.variance)
		m.Mean, m.Low, m.High = a.mean, a.mean-half, a.mean+half
	}
	return m
}

// AdjustReport is how much adjusting for luck was worth.
type AdjustReport struct {
	Rolls []RollReport `json:"rolls"` // whose luck was taken out
	Worth []WorthOf    `json:"worth"` // of who wins, and of the rounds
}

// RollReport is a kind of roll.
type RollReport struct {
	Side string `json:"side"` // "" for nobody's
	For  string `json:"for"`
}

// WorthOf is how many fights without adjustment are as exact as one with it.
type WorthOf struct {
	Figure string  `json:"figure"`
	Fights float64 `json:"fights"`
}

// adjustReport reports it; nil if nothing was adjusted.
func (t *Tally) adjustReport(c *session.Cast) *AdjustReport {
	if t.Controls == nil {
		return nil
	}
	r := &AdjustReport{Rolls: []RollReport{}, Worth: []WorthOf{}}
	for _, x := range t.Controls.Rolls {
		side := ""
		if x.Side >= 0 && x.Side < len(c.Sides) {
			side = c.Sides[x.Side]
		}
		r.Rolls = append(r.Rolls, RollReport{side, x.Name})
	}
	for _, f := range FiguresOf(c) {
		if f.Kind != Wins && f.Kind != Rounds {
			continue
		}
		if f.Kind == Wins && (t.Wins[f.Who] < leastEvents || t.Fights-t.Wins[f.Who] < leastEvents) {
			continue // left as it is
		}
		if a := t.Controls.adjusted(f.Figure, t.Fights); a != nil && a.variance > 0 {
			r.Worth = append(r.Worth, WorthOf{f.Name, a.plain / a.variance})
		}
	}
	return r
}

// Text says how much it was worth.
func (r *AdjustReport) Text() string {
	if len(r.Worth) == 0 {
		return fmt.Sprintf("Not adjusted for the luck of the dice: that takes at least %d fights.", rollKinds+1+leastFreedom)
	}
	least, most := r.Worth[0], r.Worth[0]
	for _, w := range r.Worth {
		if w.Fights < least.Fights {
			least = w
		}
		if w.Fights > most.Fights {
			most = w
		}
	}
	text := fmt.Sprintf("Adjusted for the luck of %d kinds of rolls: one fight tells as much as %s without", len(r.Rolls), Number(least.Fights))
	if most != least {
		text += fmt.Sprintf(" (%s), up to %s (%s)", least.Figure, Number(most.Fights), most.Figure)
	}
	return text + "."
}
