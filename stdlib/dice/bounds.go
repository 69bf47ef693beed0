package dice

import (
	"slices"

	"arbiter/stdlib/exact"
)

// bounds are the lowest and highest value of a part. They are computed when it is parsed, so that no total can overflow
// when it is rolled.
type bounds struct{ low, high int64 }

// within reports whether the bounds are within MaxTotal.
func (b bounds) within() bool { return b.low >= -MaxTotal && b.high <= MaxTotal }

// boundsOf returns the bounds of n; if they exceed MaxTotal, ok is false and column is where.
func boundsOf(n node) (b bounds, column int32, ok bool) {
	switch n := n.(type) {
	case *number:
		b = bounds{n.value, n.value}
	case *pool:
		b, column = poolBounds(n), n.column
	case *group:
		parts := make([]bounds, len(n.parts))
		for i, part := range n.parts {
			if parts[i], column, ok = boundsOf(part); !ok {
				return b, column, false
			}
		}
		b, column = scoringBounds(parts, &n.scoring), n.column
	case *negation:
		if b, column, ok = boundsOf(n.operand); !ok {
			return b, column, false
		}
		b = bounds{-b.high, -b.low}
	case *function:
		if b, column, ok = boundsOf(n.numerator); !ok {
			return b, column, false
		}
		least := n.applyTo(b.low)
		if n.name == "abs" && b.low < 0 && b.high > 0 {
			least = 0
		}
		b = bounds{min(least, n.applyTo(b.high)), max(n.applyTo(b.low), n.applyTo(b.high))}
	case *binary:
		left, at, ok := boundsOf(n.left)
		if !ok {
			return b, at, false
		}
		right, at, ok := boundsOf(n.right)
		if !ok {
			return b, at, false
		}
		// Each operation has its extremes at those of its operands.
		ends := make([]int64, 0, 4)
		for _, x := range []int64{left.low, left.high} {
			for _, y := range []int64{right.low, right.high} {
				if n.op == '*' {
					if _, ok := exact.Mul(x, y); !ok {
						return b, n.column, false
					}
				}
				ends = append(ends, apply(n.op, x, y))
			}
		}
		b, column = bounds{slices.Min(ends), slices.Max(ends)}, n.column
	}
	return b, column, b.within()
}

// apply computes one operation on operands within their bounds; a zero divisor, which the parser refuses, gives 0.
func apply(op byte, left, right int64) int64 {
	switch op {
	case '+':
		return left + right
	case '-':
		return left - right
	case '*':
		return left * right
	}
	quotient, _ := exact.FloorDiv(left, right)
	return quotient
}

// poolBounds returns the bounds of a pool's total.
func poolBounds(p *pool) bounds {
	if p.bare() {
		low := 1 + int64(p.offset)
		return bounds{int64(p.count) * low, int64(p.count) * (low - 1 + int64(p.sides))}
	}
	die, longest := dieBounds(p), 1
	if p.explode.op != never {
		extra := die
		if p.penetrate {
			extra = bounds{die.low - 1, die.high - 1}
		}
		if p.compound {
			die.low += min(extra.low*(MaxChain-1), 0)
			die.high += max(extra.high*(MaxChain-1), 0)
		} else {
			die.low = min(die.low, extra.low)
			longest = MaxChain
		}
	}
	// The smallest and largest number of dice that can be left.
	few, many := int(p.count), int(p.count)*longest
	for _, sel := range p.selects {
		few, many = few-sel.dropped(few), many-sel.dropped(many)
	}
	if p.counts.op != never {
		all, some := counting(p)
		b := bounds{0, int64(many)}
		if all {
			b.low = int64(few)
		}
		if !some {
			b.high = 0
		}
		return b
	}
	return bounds{
		min(die.low*int64(few), die.low*int64(many)),
		max(die.high*int64(few), die.high*int64(many)),
	}
}

// dieBounds returns the bounds of the first die of a chain alone.
func dieBounds(p *pool) bounds {
	faces := sampleFaces(p)
	b := bounds{p.value(faces[0]), p.value(faces[0])}
	for _, face := range faces {
		v := p.value(face)
		b = bounds{min(b.low, v), max(b.high, v)}
	}
	return b
}

// counting reports whether all, and whether some, of a die's possible values are counted. Explosions that add or
// subtract can give any value.
func counting(p *pool) (all, some bool) {
	if p.explode.op != never && (p.compound || p.penetrate) {
		return false, true
	}
	all = true
	for _, face := range sampleFaces(p) {
		if p.counts.holds(p.value(face)) {
			some = true
		} else {
			all = false
		}
	}
	return all, some
}

// sampleFaces returns faces that a die of the pool may show in the end: not all of them, but at least both ends of each
// range in which every comparison of the pool has the same result.
func sampleFaces(p *pool) []int64 {
	low, high := 1+int64(p.offset), int64(p.sides)+int64(p.offset)
	faces := []int64{low, high}
	for _, v := range []int64{p.reroll.value, p.explode.value, p.counts.value, p.floor.value, p.ceiling.value} {
		faces = append(faces, v-1, v, v+1)
	}
	return slices.DeleteFunc(faces, func(face int64) bool {
		return face < low || face > high || p.reroll.holds(face) && !p.once
	})
}

// countResting returns the number of faces on which a die neither is rerolled nor explodes.
func countResting(p *pool) (n int64) {
	if p.reroll.op == never && p.explode.op == never {
		return int64(p.sides)
	}
	low, high := 1+int64(p.offset), int64(p.sides)+int64(p.offset)
	starts := []int64{low, high + 1}
	for _, v := range []int64{p.reroll.value, p.reroll.value + 1, p.explode.value, p.explode.value + 1} {
		if low < v && v <= high {
			starts = append(starts, v)
		}
	}
	slices.Sort(starts)
	for i, next := range starts[1:] {
		start := starts[i]
		if (p.once || !p.reroll.holds(start)) && !p.explode.holds(start) {
			n += next - start
		}
	}
	return n
}

// scoringBounds returns the bounds of a group's total.
func scoringBounds(parts []bounds, s *scoring) bounds {
	if s.counts.op != never {
		left := len(parts)
		for _, sel := range s.selects {
			left -= sel.dropped(left)
		}
		return bounds{0, int64(left)}
	}
	// With every part at its lowest the group is at its lowest, whatever is kept; likewise at the highest.
	lows, highs := make([]int64, len(parts)), make([]int64, len(parts))
	for i, b := range parts {
		lows[i], highs[i] = b.low, b.high
	}
	return bounds{keptSum(lows, s.selects), keptSum(highs, s.selects)}
}

func keptSum(values []int64, selects []selection) (total int64) {
	slices.Sort(values)
	for _, sel := range selects {
		drop := sel.dropped(len(values))
		if sel.keep != sel.highest {
			values = values[:len(values)-drop]
		} else {
			values = values[drop:]
		}
	}
	for _, v := range values {
		total += v
	}
	return total
}
