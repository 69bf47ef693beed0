package odds

import (
	"maps"
	"math/big"
	"slices"

	"arbiter/interp/ir"
	"arbiter/stdlib/dice"
)

// This file takes dice that are thrown together for what they come to. Ten dice fall in sixty million ways, and come to fifty
// totals.

// totals are what dice come to, each with its share of all ways in which they can fall. Beyond is the share of those in which
// they explode so often that nobody follows them: it is left out.
type totals struct {
	list   []total
	beyond *big.Rat
}

type total struct {
	value int64
	share *big.Rat
}

// mostTotals of dice that are thrown many times over are not worth it.
const mostTotals = 10_000

// totalsOf gives what a dice value comes to; nothing if its dice are to fall one by one.
func (c *count) totalsOf(packed int64) totals {
	known, ok := c.totals[packed]
	if !ok {
		known = c.reckon(ir.UnpackDice(packed))
		c.totals[packed] = known
	}
	return known
}

func (c *count) reckon(d ir.DiceValue) (all totals) {
	notations := c.m.Program().Dice
	if int(d.Expr) >= len(notations) || d.Times == 0 {
		return all
	}
	x, err := dice.Parse(notations[d.Expr])
	if err != nil {
		return all
	}
	o, err := x.Odds()
	if err != nil || len(o.Totals)*int(d.Times) > mostTotals {
		return all
	}
	sums := map[int64]*big.Int{int64(d.Flat): big.NewInt(1)}
	ways, followed := big.NewInt(1), big.NewInt(1)
	for range d.Times {
		next := map[int64]*big.Int{}
		for sum, n := range sums {
			for _, t := range o.Totals {
				of := next[sum+t.Total]
				if of == nil {
					of = new(big.Int)
					next[sum+t.Total] = of
				}
				of.Add(of, new(big.Int).Mul(n, t.Ways))
			}
		}
		sums = next
		ways.Mul(ways, o.Ways)
		followed.Mul(followed, o.Followed())
	}
	for _, sum := range slices.Sorted(maps.Keys(sums)) {
		all.list = append(all.list, total{sum, new(big.Rat).SetFrac(sums[sum], followed)})
	}
	all.beyond = new(big.Rat).SetFrac(new(big.Int).Sub(ways, followed), ways)
	return all
}
