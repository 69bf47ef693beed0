package grid

import "math"

const (
	MaxFactor = 8     // the highest terrain factor of a step's price
	MaxPrice  = 10000 // feet per step
)

// Prices is a table of the price of each step, in feet. A step that changes one coordinate is straight; one that
// changes two or three is diagonal. The diagonals of a path alternate between two prices, one for the odd and one for
// the even ones.
type Prices struct {
	step              [3][MaxFactor + 1]int32 // feet, by kind and factor
	diagonalsExcluded [MaxFactor + 1]bool     // diagonals of that factor do not alternate
	cheapestPlain     int32                   // the cheapest step of factor 1
	cheapestStep      int32                   // the cheapest step
	diagonalPair      int32                   // the price of two consecutive diagonals of factor 1
	metric            bool                    // no detour is cheaper than the formula for a path
	stepPrices        stepPrices              // for searches (exits.go)
}

const (
	straight = iota
	odd
	even
)

// NewPrices calls price once for each factor and kind of step: straight, odd diagonal (the first, third and so on of a
// path) and even diagonal. Prices are in feet and are limited to 1..MaxPrice.
func NewPrices(price func(factor int, diagonal, odd bool) int32) *Prices {
	p := new(Prices)
	p.cheapestStep = math.MaxInt32
	p.metric = true
	for kind := range p.step {
		for f := 1; f <= MaxFactor; f++ {
			v := int32(1)
			if price != nil {
				v = min(max(price(f, kind != straight, kind == odd), 1), MaxPrice)
			}
			p.step[kind][f] = v
			p.cheapestStep = min(p.cheapestStep, v)
			p.metric = p.metric && v >= p.step[kind][1]
		}
		p.step[kind][0] = p.step[kind][1]
	}
	s, o, e := p.step[straight][1], p.step[odd][1], p.step[even][1]
	p.cheapestPlain, p.diagonalPair = min(s, o, e), o+e
	p.metric = p.metric && s == p.cheapestPlain && 2*s >= max(o, e)
	p.computeStepPrices()
	return p
}

// ExcludeDiagonals excludes diagonals of a factor from the alternation: the diagonal after one costs what it would have
// cost without it.
func (p *Prices) ExcludeDiagonals(factor int) {
	if factor < 1 || factor > MaxFactor {
		return
	}
	p.diagonalsExcluded[factor] = true
	usual := max(p.step[odd][1], p.step[even][1])
	p.metric = p.metric && p.step[odd][factor] >= usual && p.step[even][factor] >= usual
	p.computeStepPrices()
}

// Plain returns these prices without terrain: every factor costs as much as factor 1.
func (p *Prices) Plain() *Prices {
	p = p.orUnit()
	plain := NewPrices(func(_ int, diagonal, first bool) int32 {
		switch {
		case !diagonal:
			return p.step[straight][1]
		case first:
			return p.step[odd][1]
		}
		return p.step[even][1]
	})
	for factor := 1; factor <= MaxFactor && p.diagonalsExcluded[1]; factor++ {
		plain.ExcludeDiagonals(factor)
	}
	return plain
}

var unitPrices = NewPrices(nil)

// orUnit returns prices that are safe to use: a nil or zero table is replaced by one foot per step.
func (p *Prices) orUnit() *Prices {
	if p == nil || p.cheapestPlain == 0 {
		return unitPrices
	}
	return p
}

// pathPrice is the price of a path with these numbers of straight and diagonal steps, after done earlier diagonals.
func (p *Prices) pathPrice(straights, diagonals, done int32) int32 {
	v := int64(straights)*int64(p.step[straight][1]) + int64(diagonals>>1)*int64(p.diagonalPair)
	if diagonals&1 != 0 {
		v += int64(p.step[odd+done&1][1])
	}
	return int32(min(v, math.MaxInt32))
}

// offsetPrice is the price of a path that changes the three coordinates by these amounts.
func (p *Prices) offsetPrice(d [3]int32) int32 {
	long, middle := top2(d)
	return p.pathPrice(long-middle, middle, 0)
}

// top2 returns the largest and the second largest of three.
func top2(d [3]int32) (long, middle int32) {
	a, b := max(d[0], d[1]), min(d[0], d[1])
	return max(a, d[2]), max(b, min(a, d[2]))
}

// gaps returns the number of steps between two boxes along each axis: 0 where they overlap.
func gaps(a, b Box) (d [3]int32) {
	if a.Side <= 1 && b.Side <= 1 { // the most frequent case
		x, y, z := int32(a.At.X)-int32(b.At.X), int32(a.At.Y)-int32(b.At.Y), int32(a.At.Z)-int32(b.At.Z)
		return [3]int32{max(x, -x), max(y, -y), max(z, -z)}
	}
	as, bs := a.side()-1, b.side()-1
	return [3]int32{
		gap(int32(a.At.X), as, int32(b.At.X), bs), gap(int32(a.At.Y), as, int32(b.At.Y), bs), gap(int32(a.At.Z), as, int32(b.At.Z), bs),
	}
}

// gap is the number of steps between two rows of squares, n+1 from a on and m+1 from b on.
func gap(a, n, b, m int32) int32 { return max(b-a-n, a-b-m, 0) }

// Distance returns the distance in feet between the nearest squares of two boxes, starting with an odd diagonal: 0
// where they overlap.
func Distance(a, b Box, p *Prices) int32 { return p.orUnit().offsetPrice(gaps(a, b)) }

// Between is Distance between two packed squares.
func (p *Prices) Between(a, b int64) int32 {
	x, y := int32(a&0xffff-b&0xffff), int32(a>>16&0xffff-b>>16&0xffff)
	x, y = max(x, -x), max(y, -y)
	if a>>32 == b>>32 { // the most frequent case
		return p.orUnit().pathPrice(max(x, y)-min(x, y), min(x, y), 0)
	}
	z := int32(a>>32&0xffff - b>>32&0xffff)
	return p.orUnit().offsetPrice([3]int32{x, y, max(z, -z)})
}

// Steps returns the number of steps, straight or diagonal, between the nearest squares of two boxes: 0 where they
// overlap, 1 where they are adjacent.
func Steps(a, b Box) int {
	d := gaps(a, b)
	return int(max(d[0], d[1], d[2]))
}

// Adjacent reports whether two boxes touch, at least at a corner, and do not overlap.
func Adjacent(a, b Box) bool { return Steps(a, b) == 1 }
