package odds

import (
	"maps"
	"math/big"
	"slices"

	"arbiter/interp/ir"
	"arbiter/stdlib/dice"
)

// This file treats dice that are rolled together as one distribution of their total. Ten six-sided dice have sixty
// million outcomes, but only about fifty totals.

// totals is the distribution of a total, as shares of all outcomes that are followed. Omitted is the share of all
// outcomes in which dice explode too often to be followed; they are left out.
type totals struct {
	list    []total
	omitted share
}

type total struct {
	value int64
	share share
}

// Limits above which computing the distribution is not worthwhile.
const (
	maxTotals   = 10_000
	maxProducts = 4_000_000 // products of shares
)

// totalsOf returns the distribution of a dice value; it is empty if its dice must be forked separately.
func (c *explorer) totalsOf(packed int64) totals {
	known, ok := c.totals[packed]
	if !ok {
		known = c.computeTotals(ir.UnpackDice(packed))
		c.totals[packed] = known
		for _, t := range known.list {
			c.held += 64 + t.share.bytes()
		}
	}
	return known
}

func (c *explorer) computeTotals(d ir.DiceValue) (all totals) {
	notations := c.m.Program().Dice
	if int(d.Expr) >= len(notations) || d.Times == 0 {
		return all
	}
	x, err := dice.Parse(notations[d.Expr])
	if err != nil {
		return all
	}
	o, err := x.Odds()
	if err != nil { // too many totals
		return all
	}
	each, times := int64(len(o.Totals)), int64(d.Times)
	if each*times > maxTotals || each*each*times*(times-1)/2 > maxProducts {
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
		all.list = append(all.list, total{sum, share{sums[sum], followed}})
	}
	all.omitted = share{new(big.Int).Sub(ways, followed), ways}
	return all
}
