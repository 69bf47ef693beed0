package advise

import (
	"math"

	"arbiter/stdlib/estimate"
)

// This file estimates means and differences, with their intervals.

// z is the number of standard errors on each side of a 95 % interval.
const z = 1.959963984540054

// Estimate is a mean with its standard error and its 95 % interval.
type Estimate struct {
	Mean  float64 `json:"mean"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Error float64 `json:"error"` // standard error
}

// Significant reports whether its interval excludes zero.
func (e Estimate) Significant() bool { return e.Low > 0 || e.High < 0 }

// Difference is what differs between two candidates, in pairs of playouts with the same seed: the first less the second.
type Difference struct {
	Pairs   int
	Value   Estimate
	Figures [figures]Estimate
}

// Compare compares two candidates by the playouts that both have.
func Compare(a, b *Candidate) Difference {
	x, y := a.Confirmed, b.Confirmed
	if len(x) == 0 || len(y) == 0 {
		x, y = a.Screened, b.Screened
	}
	n := min(len(x), len(y))
	d := Difference{Pairs: n}
	d.Value = difference(n, func(i int) (float64, float64) { return x[i].Value, y[i].Value })
	for k := range d.Figures {
		d.Figures[k] = difference(n, func(i int) (float64, float64) { return x[i].Figures[k], y[i].Figures[k] })
	}
	return d
}

// Value and Figure estimate the value of a candidate, and one of its figures.
func (c *Candidate) Value() Estimate {
	list := c.Outcomes()
	return meanOf(len(list), func(i int) float64 { return list[i].Value })
}

func (c *Candidate) Figure(k int) Estimate {
	list := c.Outcomes()
	return meanOf(len(list), func(i int) float64 { return list[i].Figures[k] })
}

// Rate estimates a figure that is a share of all playouts, by Wilson's interval: one that is 0 or 1 in all of them is not
// certain to be so in all others.
func (c *Candidate) Rate(k int) Estimate {
	e, n := c.Figure(k), float64(len(c.Outcomes()))
	middle := (e.Mean + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(e.Mean*(1-e.Mean)/n+z*z/(4*n*n))
	e.Low, e.High = max(0, middle-half), min(1, middle+half)
	return e
}

// meanOf estimates a mean from n independent samples.
func meanOf(n int, sample func(i int) float64) Estimate {
	if n == 0 {
		return Estimate{Low: math.Inf(-1), High: math.Inf(1), Error: math.Inf(1)}
	}
	sum := 0.0
	for i := range n {
		sum += sample(i)
	}
	e := Estimate{Mean: sum / float64(n)}
	squares := 0.0
	for i := range n {
		d := sample(i) - e.Mean
		squares += d * d
	}
	if n > 1 {
		e.Error = math.Sqrt(squares / float64(n-1) / float64(n))
	}
	half := estimate.Student(max(1, n-1)) * e.Error
	e.Low, e.High = e.Mean-half, e.Mean+half
	return e
}

// difference estimates a mean of the differences in n pairs, of which perhaps only few are not zero.
func difference(n int, pair func(i int) (float64, float64)) Estimate {
	e := meanOf(n, func(i int) float64 { a, b := pair(i); return a - b })
	differing, sum, squares := uint64(0), 0.0, 0.0
	low, high := math.Inf(1), math.Inf(-1)
	for i := range n {
		a, b := pair(i)
		low, high = min(low, a, b), max(high, a, b)
		if d := a - b; d != 0 {
			differing, sum, squares = differing+1, sum+d, squares+d*d
		}
	}
	e.Low, e.High = estimate.Paired(uint64(n), differing, sum, squares, max(0, high-low))
	return e
}

// meanValue is the mean value of outcomes; nothing is worse than no outcomes.
func meanValue(list []Outcome) float64 {
	if len(list) == 0 {
		return math.Inf(-1)
	}
	sum := 0.0
	for i := range list {
		sum += list[i].Value
	}
	return sum / float64(len(list))
}
