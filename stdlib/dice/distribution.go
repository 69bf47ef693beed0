package dice

import (
	"cmp"
	"math/big"
	"slices"
)

// This file computes with distributions.

// A distribution is the distribution of a roll: each total with its number of ways. Their sum may be less than all
// ways, since dice that explode are not followed forever.
type distribution struct {
	totals  []int64    // ascending
	ways    []*big.Int // of each, never 0
	allWays *big.Int   // all ways
}

// constant is the distribution of a fixed total.
func constant(total int64) *distribution {
	one := big.NewInt(1)
	return &distribution{[]int64{total}, []*big.Int{one}, one}
}

// mapTotals maps each total; where results coincide, the ways are added.
func (s *distribution) mapTotals(to func(int64) int64) *distribution {
	x := &distribution{make([]int64, 0, len(s.totals)), make([]*big.Int, 0, len(s.totals)), s.allWays}
	rising := true
	for i, total := range s.totals {
		total, last := to(total), len(x.totals)-1
		if last >= 0 && x.totals[last] == total {
			x.ways[last] = new(big.Int).Add(x.ways[last], s.ways[i])
			continue
		}
		rising = rising && (last < 0 || x.totals[last] < total)
		x.totals, x.ways = append(x.totals, total), append(x.ways, s.ways[i])
	}
	if !rising {
		x.sort()
	}
	return x
}

// sort sorts the totals and merges equal ones.
func (s *distribution) sort() {
	order := make([]int, len(s.totals))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(s.totals[i], s.totals[j]) })
	totals, ways := make([]int64, 0, len(order)), make([]*big.Int, 0, len(order))
	for _, i := range order {
		if last := len(totals) - 1; last >= 0 && totals[last] == s.totals[i] {
			ways[last] = new(big.Int).Add(ways[last], s.ways[i])
			continue
		}
		totals, ways = append(totals, s.totals[i]), append(ways, s.ways[i])
	}
	s.totals, s.ways = totals, ways
}

// step is the greatest common divisor of the differences between totals, at least 1.
func (s *distribution) step() (step int64) {
	for i := 1; i < len(s.totals) && step != 1; i++ {
		step = gcd(step, s.totals[i]-s.totals[i-1])
	}
	return max(step, 1)
}

// row packs the ways; the first slot is for the lowest total, and each next one for one step more.
func (s *distribution) row(step int64, width uint) *big.Int {
	r := newRow(int(s.span(step))+1, width)
	for i, total := range s.totals {
		r.set(int((total-s.totals[0])/step), width, s.ways[i])
	}
	return new(big.Int).SetBits(r)
}

// unpackRow makes a spread from a row whose first slot is for the total low.
func unpackRow(row *big.Int, width uint, low, step int64, of *big.Int) *distribution {
	length := (row.BitLen() + int(width) - 1) / int(width)
	s := &distribution{make([]int64, 0, length), make([]*big.Int, 0, length), of}
	for i := range length {
		if ways := slot(row, i, width); ways.Sign() != 0 {
			s.totals, s.ways = append(s.totals, low+int64(i)*step), append(s.ways, ways)
		}
	}
	return s
}

// span is the number of steps between the lowest and the highest total.
func (s *distribution) span(step int64) int64 {
	return (s.totals[len(s.totals)-1] - s.totals[0]) / step
}

// plus is the sum of two independent rolls.
func (c *counter) plus(a, b *distribution) (*distribution, error) {
	if len(a.totals) > len(b.totals) {
		a, b = b, a
	}
	if len(a.totals) == 1 && a.allWays.Cmp(a.ways[0]) == 0 {
		return b.mapTotals(func(total int64) int64 { return total + a.totals[0] }), nil
	}
	step := gcd(a.step(), b.step())
	span := a.span(step) + b.span(step)
	if int64(len(a.totals)) == 1 || int64(len(a.totals))*int64(len(b.totals)) < span {
		return c.pairs(a, b, func(x, y int64) int64 { return x + y })
	}
	of := new(big.Int).Mul(a.allWays, b.allWays)
	width := uint(of.BitLen())
	words, err := c.rowWords(span, width)
	if err != nil {
		return nil, err
	}
	// A die with few faces is added face by face.
	product, byFace := costOfProduct(words), costOfSum*words*float64(len(a.totals))*float64(1+a.allWays.BitLen()/64)
	if err := c.charge(min(product, byFace)); err != nil {
		return nil, err
	}
	row := b.row(step, width)
	if product < byFace {
		row.Mul(row, a.row(step, width))
		return unpackRow(row, width, a.totals[0]+b.totals[0], step, of), nil
	}
	var sum, part big.Int
	for i, total := range a.totals {
		part.Mul(row, a.ways[i])
		part.Lsh(&part, uint((total-a.totals[0])/step)*width)
		sum.Add(&sum, &part)
	}
	return unpackRow(&sum, width, a.totals[0]+b.totals[0], step, of), nil
}

// times is the sum of n equal, independent rolls.
func (c *counter) times(a *distribution, n int) (*distribution, error) {
	if n == 1 {
		return a, nil
	}
	step, power := a.step(), big.NewInt(int64(n))
	if bits := int64(a.allWays.BitLen()) * int64(n); bits > maxBits {
		return nil, c.tooLarge(maxBits, "binary digits")
	}
	of := new(big.Int).Exp(a.allWays, power, nil)
	width := uint(of.BitLen())
	words, err := c.rowWords(a.span(step)*int64(n), width)
	if err == nil {
		err = c.charge(costOfProduct(words))
	}
	if err != nil {
		return nil, err
	}
	row := a.row(step, width)
	return unpackRow(row.Exp(row, power, nil), width, a.totals[0]*int64(n), step, of), nil
}

// pairs is the distribution of a function of two independent rolls, computed pair by pair.
func (c *counter) pairs(a, b *distribution, with func(x, y int64) int64) (*distribution, error) {
	if err := c.charge(float64(len(a.totals)) * float64(len(b.totals)) * costOfPair); err != nil {
		return nil, err
	}
	at := map[int64]int{}
	s := &distribution{allWays: new(big.Int).Mul(a.allWays, b.allWays)}
	for i, x := range a.totals {
		for j, y := range b.totals {
			total, ways := with(x, y), new(big.Int).Mul(a.ways[i], b.ways[j])
			if k, met := at[total]; met {
				s.ways[k].Add(s.ways[k], ways)
				continue
			}
			if len(s.totals) == maxTotals {
				return nil, c.tooLarge(maxTotals, "totals")
			}
			at[total] = len(s.totals)
			s.totals, s.ways = append(s.totals, total), append(s.ways, ways)
		}
	}
	s.sort()
	return s, nil
}
