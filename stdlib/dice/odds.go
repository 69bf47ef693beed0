package dice

import (
	"fmt"
	"math"
	"math/big"
	"slices"
)

// This file computes the exact distribution of an expression.

// Odds is the exact distribution of the total of a roll.
type Odds struct {
	Totals      []Chance // ascending
	Ways        *big.Int // the number of outcomes, all equally likely
	NotFollowed *big.Int // those not followed because dice explode too often: a share below Unfollowed
}

// Chance is a total and the number of ways in which it occurs; never 0.
type Chance struct {
	Total int64
	Ways  *big.Int
}

// Unfollowed is the maximum probability left out where dice explode. Rerolled dice are assumed to come to rest in the
// end; the probability that they do not within MaxChain rolls is below 10^-22.
const Unfollowed = 1e-12

// Odds computes the exact distribution of the total. The error is an *Error: what is too large to compute, and where.
func (e *Expr) Odds() (*Odds, error) {
	c := &counter{workLeft: maxWork, chains: countChains(e.root)}
	s, err := c.eval(e.root)
	if err != nil {
		return nil, err
	}
	o := &Odds{Totals: make([]Chance, len(s.totals)), Ways: s.allWays, NotFollowed: new(big.Int).Set(s.allWays)}
	for i, total := range s.totals {
		o.Totals[i] = Chance{total, s.ways[i]}
		o.NotFollowed.Sub(o.NotFollowed, s.ways[i])
	}
	return o, nil
}

// Share returns ways as a share of all ways.
func (o *Odds) Share(ways *big.Int) *big.Rat { return new(big.Rat).SetFrac(ways, o.Ways) }

// Followed returns the number of ways that are not Beyond.
func (o *Odds) Followed() *big.Int { return new(big.Int).Sub(o.Ways, o.NotFollowed) }

// Mean returns the mean of the totals that were followed.
func (o *Odds) Mean() *big.Rat {
	sum, part := new(big.Int), new(big.Int)
	for _, t := range o.Totals {
		sum.Add(sum, part.Mul(part.SetInt64(t.Total), t.Ways))
	}
	return new(big.Rat).SetFrac(sum, o.Followed())
}

// Variance returns the variance of the totals that were followed.
func (o *Odds) Variance() *big.Rat {
	sum, part := new(big.Int), new(big.Int)
	for _, t := range o.Totals {
		part.SetInt64(t.Total)
		sum.Add(sum, part.Mul(part.Mul(part, part), t.Ways))
	}
	squares := new(big.Rat).SetFrac(sum, o.Followed())
	mean := o.Mean()
	return squares.Sub(squares, mean.Mul(mean, mean))
}

// Limits of the computation, so that it takes at most about a second and some tens of megabytes.
const (
	maxTotals  = 1 << 18 // distinct totals of any part
	maxBits    = 1 << 24 // bits in a row
	maxWork    = 1 << 30 // machine words added or multiplied
	costOfPair = 1 << 9  // in machine words
	costOfRow  = 1 << 11 // of faces that must differ
	costOfSum  = 8       // of a word that is multiplied, moved and added to a sum
)

// A counter computes the distribution of one expression.
type counter struct {
	workLeft float64 // of maxWork
	column   int32   // the column of the current part
	chains   int     // dice that may explode
}

// tooLarge returns the error for an exceeded limit.
func (c *counter) tooLarge(limit int, of string) error {
	return &Error{Column: int(c.column), Message: fmt.Sprintf("too large for exact odds: more than %d %s", limit, of)}
}

// charge charges work against maxWork, and fails if it exceeds what is left.
func (c *counter) charge(words float64) error {
	if c.workLeft -= words; c.workLeft < 0 {
		return c.tooLarge(maxWork, "steps")
	}
	return nil
}

// rowWords returns the machine words of a row with this many steps.
func (c *counter) rowWords(span int64, width uint) (float64, error) {
	bits := float64(span+1) * float64(width)
	switch {
	case span >= maxTotals:
		return 0, c.tooLarge(maxTotals, "totals")
	case bits > maxBits:
		return 0, c.tooLarge(maxBits, "binary digits")
	}
	return bits/64 + 1, nil
}

// costOfProduct is the cost of Karatsuba multiplication in math/big, for a product of so many words.
func costOfProduct(words float64) float64 { return math.Pow(words, math.Log2(3)) }

// countChains counts the dice that may explode.
func countChains(n node) (count int) {
	switch n := n.(type) {
	case *pool:
		if len(n.explode) > 0 {
			count = int(n.count)
		}
	case *group:
		for _, part := range n.parts {
			count += countChains(part)
		}
	case *negation:
		count = countChains(n.operand)
	case *function:
		count = countChains(n.operand)
	case *binary:
		count = countChains(n.left) + countChains(n.right)
	case *test:
		count = countChains(n.left) + countChains(n.right)
	}
	return count
}

func (c *counter) eval(n node) (*distribution, error) {
	switch n := n.(type) {
	case *number:
		return constant(n.value), nil
	case *pool:
		c.column = n.column
		return c.pool(n)
	case *group:
		return c.group(n)
	case *negation:
		s, err := c.eval(n.operand)
		if err != nil {
			return nil, err
		}
		return s.mapTotals(func(total int64) int64 { return -total }), nil
	case *function:
		s, err := c.eval(n.numerator)
		if err != nil {
			return nil, err
		}
		return s.mapTotals(n.applyTo), nil
	case *decimal:
		return constant(floorDiv(n.over, n.under)), nil
	case *test:
		return c.test(n)
	case *binary:
		left, err := c.eval(n.left)
		if err != nil {
			return nil, err
		}
		right, err := c.eval(n.right)
		if err != nil {
			return nil, err
		}
		return c.binary(n, left, right)
	}
	return nil, fmt.Errorf("dice: a node of type %T", n)
}

func (c *counter) test(n *test) (*distribution, error) {
	left, err := c.eval(n.over)
	if err != nil {
		return nil, err
	}
	right, err := c.eval(n.other)
	if err != nil {
		return nil, err
	}
	c.column = n.column
	holds := func(x, y int64) int64 {
		if n.op.holds(x, y) {
			return 1
		}
		return 0
	}
	switch {
	case !rolls(n.right):
		return left.mapTotals(func(total int64) int64 { return holds(total, right.totals[0]) }), nil
	case !rolls(n.left):
		return right.mapTotals(func(total int64) int64 { return holds(left.totals[0], total) }), nil
	}
	return c.pairs(left, right, holds)
}

func (c *counter) binary(n *binary, left, right *distribution) (*distribution, error) {
	c.column = n.column
	switch {
	case n.op == '+':
		return c.plus(left, right)
	case n.op == '-':
		return c.plus(left, right.mapTotals(func(total int64) int64 { return -total }))
	case !rolls(n.right):
		return left.mapTotals(func(total int64) int64 { return apply(n.op, total, right.totals[0]) }), nil
	case !rolls(n.left):
		return right.mapTotals(func(total int64) int64 { return apply(n.op, left.totals[0], total) }), nil
	}
	return c.pairs(left, right, func(x, y int64) int64 { return apply(n.op, x, y) })
}

// group computes the distribution of a group of totals of which some are kept. Equal totals share a bag.
func (c *counter) group(g *group) (*distribution, error) {
	var bags []bag
	var names []string
	for _, part := range g.parts {
		name := (&Expr{root: part}).String()
		if at := slices.Index(names, name); at >= 0 {
			bags[at].n++
			continue
		}
		s, err := c.eval(part)
		if err != nil {
			return nil, err
		}
		names, bags = append(names, name), append(bags, bag{s, 1, false})
	}
	c.column = g.column
	return c.scoreBags(bags, &g.scoring)
}

// score is what a kept value adds.
func (s *scoring) score(value int64) int64 {
	switch {
	case s.counts.op == never:
		return value
	case s.counts.holds(value):
		return 1
	case s.fails.holds(value):
		return -1
	}
	return 0
}

// scoreBags computes the distribution of values drawn from bags.
func (c *counter) scoreBags(bags []bag, s *scoring) (*distribution, error) {
	if len(s.selects) > 0 || bags[0].distinct {
		return c.rankedDistribution(bags, s)
	}
	sum := constant(0)
	for _, b := range bags {
		part, err := c.times(b.from.mapTotals(s.score), b.n)
		if err == nil {
			sum, err = c.plus(sum, part)
		}
		if err != nil {
			return nil, err
		}
	}
	return sum, nil
}
