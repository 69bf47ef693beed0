package dice

import (
	"slices"

	"arbiter/stdlib/exact"
)

// bounds are the lowest and highest value of a part. They are computed when it is parsed, so that no total can overflow
// when it is rolled.
type bounds struct{ low, high int64 }

// within reports whether the bounds are within MaxTotal.
func (b bounds) within() bool { return b.low >= -maxTotal && b.high <= maxTotal }

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
	case *decimal:
		b = bounds{floorDiv(n.over, n.under), floorDiv(n.over, n.under)}
	case *test:
		left, at, ok := boundsOf(n.over)
		if !ok {
			return b, at, false
		}
		right, at, ok := boundsOf(n.other)
		if !ok {
			return b, at, false
		}
		b, column = bounds{0, 1}, n.column
		if left.low == left.high && right.low == right.high {
			if b = (bounds{}); n.op.holds(left.low, right.low) {
				b = bounds{1, 1}
			}
		}
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
		if n.op == '%' {
			return remainders(left, right.low), n.column, true
		}
		// Each other operation has its extremes at those of its operands.
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
	case '%':
		quotient, _ := exact.FloorDiv(left, right)
		return left - quotient*right
	}
	quotient, _ := exact.FloorDiv(left, right)
	return quotient
}

// remainders returns the bounds of what is left over after a division, which has the sign of the divisor.
func remainders(of bounds, by int64) bounds {
	switch {
	case floorDiv(of.low, by) == floorDiv(of.high, by):
		return bounds{apply('%', of.low, by), apply('%', of.high, by)}
	case by < 0:
		return bounds{by + 1, 0}
	}
	return bounds{0, by - 1}
}

// poolBounds returns the bounds of a pool's total.
func poolBounds(p *pool) bounds {
	if p.bare() {
		low := 1 + int64(p.offset)
		return bounds{int64(p.count) * low, int64(p.count) * (low - 1 + int64(p.sides))}
	}
	die, longest := dieBounds(p), 1
	if len(p.explode) > 0 {
		extra := die
		if p.penetrate {
			extra = bounds{die.low - 1, die.high - 1}
		}
		if p.compound {
			die.low += min(extra.low*(maxChain-1), 0)
			die.high += max(extra.high*(maxChain-1), 0)
		} else {
			die.low = min(die.low, extra.low)
			longest = maxChain
		}
	}
	// The smallest and largest number of dice that can be left.
	few, many := int(p.count), int(p.count)*longest
	for _, sel := range p.selects {
		few, many = few-sel.dropped(few), many-sel.dropped(many)
	}
	if p.counts.op != never {
		least, most := scores(p)
		return bounds{min(least*int64(few), least*int64(many)), max(most*int64(few), most*int64(many))}
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

// scores returns the lowest and the highest score of a die's possible values: 1 for one that is counted, -1 for one that
// fails. Explosions that add or subtract can give any value.
func scores(p *pool) (least, most int64) {
	if len(p.explode) > 0 && (p.compound || p.penetrate) {
		if p.fails.op != never {
			least = -1
		}
		return least, 1
	}
	least, most = 1, -1
	for _, face := range sampleFaces(p) {
		n := p.score(p.value(face))
		least, most = min(least, n), max(most, n)
	}
	return least, most
}

// sampleFaces returns faces that a die of the pool may show in the end: not all of them, but at least both ends of each
// range in which every comparison of the pool has the same result.
func sampleFaces(p *pool) []int64 {
	low, high := 1+int64(p.offset), int64(p.sides)+int64(p.offset)
	faces := []int64{low, high}
	for _, c := range slices.Concat(p.reroll, p.explode, match{p.counts, p.fails}) {
		faces = append(faces, c.value-1, c.value, c.value+1)
	}
	for _, v := range []int64{p.floor.value, p.ceiling.value} {
		faces = append(faces, v-1, v, v+1)
	}
	return slices.DeleteFunc(faces, func(face int64) bool {
		return face < low || face > high || p.reroll.holds(face) && !p.once
	})
}

// countResting returns the number of faces on which a die neither is rerolled nor explodes.
func countResting(p *pool) (n int64) {
	if len(p.reroll) == 0 && len(p.explode) == 0 {
		return int64(p.sides)
	}
	low, high := 1+int64(p.offset), int64(p.sides)+int64(p.offset)
	starts := []int64{low, high + 1}
	for _, c := range slices.Concat(p.reroll, p.explode) {
		for _, v := range []int64{c.value, c.value + 1} {
			if low < v && v <= high {
				starts = append(starts, v)
			}
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
		if s.fails.op != never {
			return bounds{-int64(left), int64(left)}
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
