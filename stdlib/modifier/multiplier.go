package modifier

import (
	"math"
	"math/big"

	"arbiter/stdlib/exact"
)

// A multiplier accumulates the factors on one number: those of at least one add their excess over one (two doublings
// triple), those below one multiply (two halvings quarter).
type multiplier struct{ up, down fraction }

var identity = multiplier{up: fraction{num: 1, den: 1}, down: fraction{num: 1, den: 1}}

// A fraction is num/den in lowest terms. Sums of odd denominators can exceed 64 bits; then the value is kept in big,
// which is slower but just as exact.
type fraction struct {
	num, den int64
	big      *big.Rat
}

// include adds the factor of the entry.
func (m *multiplier) include(e *Entry) {
	num, den := e.factor()
	if num < den {
		m.down.times(max(num, 0), den)
	} else {
		m.up.add(num-den, den)
	}
}

// apply returns n times the multiplier, rounded down once and clamped to int64.
func (m *multiplier) apply(n int64) int64 {
	f := m.up
	if m.down.big != nil {
		f.toBig()
		f.big = new(big.Rat).Mul(f.big, m.down.big)
	} else {
		f.times(m.down.num, m.down.den)
	}
	return f.apply(n)
}

func (f *fraction) toBig() {
	if f.big == nil {
		f.big = big.NewRat(f.num, f.den)
	}
}

func (f *fraction) reduce(num, den int64) {
	g := max(gcd(num, den), 1)
	f.num, f.den = num/g, den/g
}

func (f *fraction) add(num, den int64) {
	if f.big == nil {
		g := max(gcd(den, f.den), 1)
		left, ok1 := exact.Mul(num, f.den/g)
		right, ok2 := exact.Mul(f.num, den/g)
		sum, ok3 := exact.Add(left, right)
		below, ok4 := exact.Mul(den/g, f.den)
		if ok1 && ok2 && ok3 && ok4 {
			f.reduce(sum, below)
			return
		}
		f.toBig()
	}
	f.big = new(big.Rat).Add(f.big, big.NewRat(num, den))
}

func (f *fraction) times(num, den int64) {
	if f.big == nil {
		g, h := max(gcd(num, f.den), 1), max(gcd(f.num, den), 1)
		above, ok1 := exact.Mul(f.num/h, num/g)
		below, ok2 := exact.Mul(f.den/g, den/h)
		if ok1 && ok2 {
			f.reduce(above, below)
			return
		}
		f.toBig()
	}
	f.big = new(big.Rat).Mul(f.big, big.NewRat(num, den))
}

func (f *fraction) apply(n int64) int64 {
	if f.big == nil {
		if product, ok := exact.Mul(n, f.num); ok {
			quotient, _ := exact.FloorDiv(product, f.den)
			return quotient
		}
		f.toBig()
	}
	product := new(big.Int).Mul(big.NewInt(n), f.big.Num())
	quotient := product.Div(product, f.big.Denom()) // the denominator is positive: this rounds down
	switch {
	case quotient.IsInt64():
		return quotient.Int64()
	case quotient.Sign() < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// factor returns the factor of the entry.
func (e *Entry) factor() (num, den int64) { return clamp(e.Value), int64(max(e.Den, 1)) }

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}
