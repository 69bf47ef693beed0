package dice

import (
	"cmp"
	"math/big"
	"math/bits"
	"slices"
)

// This file computes the distribution of values kept by rank.

// A bag is a roll whose value is drawn n times.
type bag struct {
	from     *distribution
	n        int
	distinct bool // each total is drawn at most once, and all totals are equally likely
}

// allWays returns the number of all ways to draw from the bag; most is an upper bound of that for fewer draws.
func (b *bag) allWays() (of, most *big.Int) {
	if b.distinct {
		size, n := int64(len(b.from.totals)), int64(b.n)
		return new(big.Int).Binomial(size, n), new(big.Int).Binomial(size, min(n, size/2))
	}
	of = new(big.Int).Exp(b.from.allWays, big.NewInt(int64(b.n)), nil)
	return of, of
}

// rankedDistribution processes the values of all bags in ascending order by dynamic programming. A state is how many
// values have been drawn from each bag; each state has one row, the distribution of what has been kept so far. So it
// never matters which die shows which face, and 4d6kh3 takes five rows instead of 1296 rolls.
func (c *counter) rankedDistribution(bags []bag, s *scoring) (*distribution, error) {
	type item struct {
		value, score int64
		ways         *big.Int
		bag          int
		last         bool // the last of its bag
	}
	var items []item
	all, places := 0, 1
	strides := make([]int, len(bags))
	of, bound := big.NewInt(1), big.NewInt(1)
	for i, b := range bags {
		strides[i] = places
		all += b.n
		if places *= b.n + 1; places > maxBits {
			return nil, c.tooLarge(maxWork, "steps")
		}
		for k, value := range b.from.totals {
			items = append(items, item{value, s.score(value), b.from.ways[k], i, k == len(b.from.totals)-1})
		}
		n, most := b.allWays()
		of.Mul(of, n)
		bound.Mul(bound, most)
	}
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(a.value, b.value) })
	from, to := keptRanks(all, s.selects)

	low, high, step := items[0].score, items[0].score, int64(0)
	for _, x := range items {
		difference := x.score - items[0].score
		low, high, step = min(low, x.score), max(high, x.score), gcd(step, max(difference, -difference))
	}
	step = max(step, 1)
	width := uint(bound.BitLen())
	words := float64((high-low)/step*int64(to-from)+1)*float64(width)/64 + 8
	if words > maxBits/64 {
		return nil, c.tooLarge(maxBits, "binary digits")
	}
	work := 0.0
	for _, x := range items {
		work += float64(bags[x.bag].n)
	}
	if err := c.charge(work * float64(places) * words); err != nil {
		return nil, err
	}

	rows := make([]big.Int, places)
	rows[0].SetInt64(1)
	var ways, more, factor big.Int
	small := of.BitLen()+bits.Len(uint(all)) <= 64 // then ways fit in a machine word
	for _, x := range items {
		b, stride := &bags[x.bag], strides[x.bag]
		// Backward, so that what this item adds is not processed again.
		for place := places - 1; place >= 0; place-- {
			if rows[place].Sign() == 0 {
				continue
			}
			drawn, before := place/stride%(b.n+1), 0
			for i := range bags {
				before += place / strides[i] % (bags[i].n + 1)
			}
			left := b.n - drawn
			most := left
			if b.distinct {
				most = min(1, left)
			}
			word, first := uint64(1), 1
			ways.SetInt64(1)
			if x.last { // no later item can fill the remaining draws
				first = left
			}
			for n := first; n >= 1 && n <= most; n++ {
				switch { // the ways to choose n of those left, and the ways of each
				case b.distinct:
				case x.last:
					ways.Exp(x.ways, factor.SetInt64(int64(n)), nil)
				case small:
					word = word * uint64(left-n+1) * x.ways.Uint64() / uint64(n)
					ways.SetUint64(word)
				default:
					ways.Mul(&ways, factor.SetInt64(int64(left-n+1)))
					ways.Mul(&ways, x.ways)
					ways.Quo(&ways, factor.SetInt64(int64(n)))
				}
				counted := max(min(before+n, to)-max(before, from), 0)
				more.Mul(&rows[place], &ways)
				more.Lsh(&more, uint(counted)*uint((x.score-low)/step)*width)
				target := &rows[place+n*stride]
				target.Add(target, &more)
			}
			if x.last && left > 0 {
				rows[place].SetInt64(0)
			}
		}
	}
	return unpackRow(&rows[places-1], width, low*int64(to-from), step, of), nil
}

// keptRanks returns the range of ranks that are kept out of the given number of values, 0 being the lowest.
func keptRanks(of int, selects []selection) (from, to int) {
	to = of
	for _, sel := range selects {
		if drop := sel.dropped(to - from); sel.keep != sel.highest {
			to -= drop
		} else {
			from += drop
		}
	}
	return from, to
}
