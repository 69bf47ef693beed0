package grid

import "math"

const (
	MaxFactor = 8     // the highest factor of a step's price
	MaxPrice  = 10000 // feet of one step
)

// Prices says what steps cost, in feet. A step that changes one coordinate is straight; one that
// changes two or three is one diagonal, and the diagonals of a way have two prices in turn.
type Prices struct {
	step   [3][MaxFactor + 1]int32 // by kind and factor
	apart  [MaxFactor + 1]bool     // diagonals of that factor do not count in the turn
	cheap  int32                   // the cheapest step of factor 1
	least  int32                   // the cheapest of all
	both   int32                   // what two diagonals of factor 1 cost that follow each other
	metric bool                    // no detour is cheaper than the formula of a way
	fares  fares                   // of the searches (exits.go)
}

const (
	straight = iota
	odd
	even
)

// NewPrices asks once for the price of each kind of step: straight or diagonal, and of diagonals
// for the first, third and so on of a way and for the others. A price below 1 becomes 1, one
// above MaxPrice becomes that.
func NewPrices(price func(factor int, diagonal, odd bool) int32) *Prices {
	p := new(Prices)
	p.least = math.MaxInt32
	p.metric = true
	for kind := range p.step {
		for f := 1; f <= MaxFactor; f++ {
			v := int32(1)
			if price != nil {
				v = min(max(price(f, kind != straight, kind == odd), 1), MaxPrice)
			}
			p.step[kind][f] = v
			p.least = min(p.least, v)
			p.metric = p.metric && v >= p.step[kind][1]
		}
		p.step[kind][0] = p.step[kind][1]
	}
	s, o, e := p.step[straight][1], p.step[odd][1], p.step[even][1]
	p.cheap, p.both = min(s, o, e), o+e
	p.metric = p.metric && s == p.cheap && 2*s >= max(o, e)
	p.board()
	return p
}

// Apart says that diagonals of a factor stand apart: after one the next diagonal has the price that it would have had
// without it.
func (p *Prices) Apart(factor int) {
	if factor < 1 || factor > MaxFactor {
		return
	}
	p.apart[factor] = true
	usual := max(p.step[odd][1], p.step[even][1])
	p.metric = p.metric && p.step[odd][factor] >= usual && p.step[even][factor] >= usual
	p.board()
}

// Plain gives prices like these, but of no factor does a step cost more.
func (p *Prices) Plain() *Prices {
	p = p.or()
	plain := NewPrices(func(_ int, diagonal, first bool) int32 {
		switch {
		case !diagonal:
			return p.step[straight][1]
		case first:
			return p.step[odd][1]
		}
		return p.step[even][1]
	})
	for factor := 1; factor <= MaxFactor && p.apart[1]; factor++ {
		plain.Apart(factor)
	}
	return plain
}

var unit = NewPrices(nil)

// or returns prices that are safe to use: a nil or zero table is one foot a step.
func (p *Prices) or() *Prices {
	if p == nil || p.cheap == 0 {
		return unit
	}
	return p
}

// way is the price of so many straight steps and diagonals, of which done were made before.
func (p *Prices) way(straights, diagonals, done int32) int32 {
	v := int64(straights)*int64(p.step[straight][1]) + int64(diagonals>>1)*int64(p.both)
	if diagonals&1 != 0 {
		v += int64(p.step[odd+done&1][1])
	}
	return int32(min(v, math.MaxInt32))
}

// over is the price of a way that changes the three coordinates by so much.
func (p *Prices) over(d [3]int32) int32 {
	long, middle := top2(d)
	return p.way(long-middle, middle, 0)
}

// top2 returns the largest and the second largest of three.
func top2(d [3]int32) (long, middle int32) {
	a, b := max(d[0], d[1]), min(d[0], d[1])
	return max(a, d[2]), max(b, min(a, d[2]))
}

// gaps counts the steps between two boxes along each axis: 0 where they overlap.
func gaps(a, b Box) (d [3]int32) {
	if a.Side <= 1 && b.Side <= 1 { // as most are
		x, y, z := int32(a.At.X)-int32(b.At.X), int32(a.At.Y)-int32(b.At.Y), int32(a.At.Z)-int32(b.At.Z)
		return [3]int32{max(x, -x), max(y, -y), max(z, -z)}
	}
	as, bs := a.side()-1, b.side()-1
	return [3]int32{
		gap(int32(a.At.X), as, int32(b.At.X), bs), gap(int32(a.At.Y), as, int32(b.At.Y), bs), gap(int32(a.At.Z), as, int32(b.At.Z), bs),
	}
}

// gap is that of two rows of squares, from a on and from b on, so many squares long but one.
func gap(a, n, b, m int32) int32 { return max(b-a-n, a-b-m, 0) }

// Distance is the way in feet between the nearest squares of two boxes: 0 where they overlap,
// the diagonals counted from the first.
func Distance(a, b Box, p *Prices) int32 { return p.or().over(gaps(a, b)) }

// Between is Distance between two squares, which are packed.
func (p *Prices) Between(a, b int64) int32 {
	x, y := int32(a&0xffff-b&0xffff), int32(a>>16&0xffff-b>>16&0xffff)
	x, y = max(x, -x), max(y, -y)
	if a>>32 == b>>32 { // as most are
		return p.or().way(max(x, y)-min(x, y), min(x, y), 0)
	}
	z := int32(a>>32&0xffff - b>>32&0xffff)
	return p.or().over([3]int32{x, y, max(z, -z)})
}

// Steps is the number of steps between the nearest squares of two boxes, straight or diagonal:
// 0 where they overlap, 1 where they are adjacent.
func Steps(a, b Box) int {
	d := gaps(a, b)
	return int(max(d[0], d[1], d[2]))
}

// Adjacent says whether two boxes touch, at least in a corner, and do not overlap.
func Adjacent(a, b Box) bool { return Steps(a, b) == 1 }
