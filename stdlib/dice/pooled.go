package dice

import (
	"math/big"
	"slices"
)

// This file computes the distribution of a pool: first of the faces that its dice end on, then of its total.

// A lie is the distribution of the final face of one die: each face with its number of ways.
type lie struct {
	faces []int64
	ways  []int64
	of    int64
}

// lies computes the distribution of the final face of one die of the pool, after rerolls.
func (p *pool) lies() lie {
	var x lie
	again := int64(0)
	low := 1 + int64(p.offset)
	for face := low; face < low+int64(p.sides); face++ {
		if p.reroll.holds(face) {
			again++
		}
	}
	for face := low; face < low+int64(p.sides); face++ {
		ways := int64(1)
		switch taken := p.reroll.holds(face); {
		case again == 0:
		case !p.once && taken:
			continue
		case p.once && taken:
			ways = again // from the second roll
		case p.once:
			ways = again + int64(p.sides)
		}
		x.faces, x.ways, x.of = append(x.faces, face), append(x.ways, ways), x.of+ways
	}
	return x
}

// worth makes a spread of the faces for which met is true, with their values less a number.
func (x *lie) worth(p *pool, less int64, met func(face int64) bool) *spread {
	s := &spread{of: big.NewInt(x.of)}
	for i, face := range x.faces {
		if met(face) {
			s.totals, s.ways = append(s.totals, p.value(face)-less), append(s.ways, big.NewInt(x.ways[i]))
		}
	}
	if p.floor.set || p.ceiling.set { // different faces may have the same value then
		s.sort()
	}
	return s
}

func (c *counter) pool(p *pool) (*spread, error) {
	if p.sides > maxSidesCounted {
		return nil, c.tooLarge(maxSidesCounted, "sides")
	}
	x := p.lies()
	all := x.worth(p, 0, func(int64) bool { return true })
	switch n := int(p.count); {
	case p.unique:
		return c.unique(p)
	case p.explode.op == never:
		return c.settle([]bag{{all, n, false}}, &p.settling)
	case p.compound, len(p.selects) == 0:
		one, err := c.chain(p, &x)
		if err != nil {
			return nil, err
		}
		if !p.compound { // chain has already applied the count
			return c.times(one, n)
		}
		return c.settle([]bag{{one, n, false}}, &p.settling)
	}
	return c.exploding(p, &x)
}

// maxSidesCounted is the maximum number of sides of a die in an exact distribution.
const maxSidesCounted = 1 << 17

// chain computes the distribution of one die with all its explosions: the sum of the values, or of their scores.
func (c *counter) chain(p *pool, x *lie) (*spread, error) {
	score := p.score
	if p.compound {
		score = func(v int64) int64 { return v }
	}
	less := int64(0)
	if p.penetrate {
		less = 1
	}
	rests := func(face int64) bool { return !p.explode.holds(face) }
	first, firstRests := x.worth(p, 0, p.explode.holds).mapped(score), x.worth(p, 0, rests).mapped(score)
	next, nextRests := x.worth(p, less, p.explode.holds).mapped(score), x.worth(p, less, rests).mapped(score)
	if len(first.totals) == 0 {
		return firstRests, nil
	}
	// After an explosion: a die that rests, or one that explodes and what follows that.
	follows := nextRests
	var err error
	for range c.throws(x, p) {
		if follows, err = c.plus(next, follows); err != nil {
			return nil, err
		}
		follows = follows.or(nextRests)
	}
	if follows, err = c.plus(first, follows); err != nil {
		return nil, err
	}
	return follows.or(firstRests), nil
}

// or merges the disjoint outcomes of the same roll. The ways of s are a multiple of those of o.
func (s *spread) or(o *spread) *spread {
	x := &spread{slices.Concat(s.totals, o.totals), slices.Clone(s.ways), s.of}
	by := new(big.Int).Quo(s.of, o.of)
	for _, ways := range o.ways {
		x.ways = append(x.ways, new(big.Int).Mul(ways, by))
	}
	x.sort()
	return x
}

// share is the probability that a die explodes.
func (x *lie) share(p *pool) float64 {
	n := int64(0)
	for i, face := range x.faces {
		if p.explode.holds(face) {
			n += x.ways[i]
		}
	}
	return float64(n) / float64(x.of)
}

// throws returns how many explosions of one die after the first are followed, so that the probability of more, for all
// dice together, is at most Unfollowed.
func (c *counter) throws(x *lie, p *pool) (n int) {
	share := x.share(p)
	for left := share * share * float64(c.chains); left > Unfollowed && n < MaxChain; n++ {
		left *= share
	}
	return n
}

// exploding computes the distribution of dice whose explosions are dice of their own, to be kept or dropped. There are
// up to four kinds: first and extra dice, each exploding or resting. The number of each kind gives the number of ways,
// and each kind is a bag.
func (c *counter) exploding(p *pool, x *lie) (*spread, error) {
	less, n := int64(0), int64(p.count)
	if p.penetrate {
		less = 1
	}
	rests := func(face int64) bool { return !p.explode.holds(face) }
	first, firstRests := x.worth(p, 0, p.explode.holds), x.worth(p, 0, rests)
	next, nextRests := x.worth(p, less, p.explode.holds), x.worth(p, less, rests)
	if len(first.totals) == 0 {
		return c.settle([]bag{{firstRests, int(n), false}}, &p.settling)
	}
	var sum *spread
	deal := func(ways *big.Int, bags ...bag) error {
		bags = slices.DeleteFunc(bags, func(b bag) bool { return b.n == 0 })
		s, err := c.ranked(bags, &p.settling)
		if err != nil {
			return err
		}
		for _, w := range s.ways {
			w.Mul(w, ways)
		}
		if sum == nil {
			sum = s
		} else {
			sum = sum.alike(s)
		}
		return nil
	}
	for j := int64(0); j < MaxChain && (j == 0 || sum.rest() > Unfollowed/float64(c.chains)*float64(n)); j++ {
		if !p.penetrate {
			ways := new(big.Int).Binomial(n+j-1, j)
			if err := deal(ways, bag{first, int(j), false}, bag{firstRests, int(n), false}); err != nil {
				return nil, err
			}
			continue
		}
		// h of the first dice explode, and j of the extra dice.
		for h := int64(0); h <= n; h++ {
			if h == 0 && j > 0 {
				continue
			}
			ways := new(big.Int).Binomial(h+j-1, j)
			if h == 0 {
				ways.SetInt64(1)
			}
			ways.Mul(ways, new(big.Int).Binomial(n, h))
			if err := deal(ways, bag{first, int(h), false}, bag{firstRests, int(n - h), false}, bag{next, int(j), false}, bag{nextRests, int(h), false}); err != nil {
				return nil, err
			}
		}
	}
	return sum, nil
}

// alike merges disjoint outcomes of rolls with different numbers of dice.
func (s *spread) alike(o *spread) *spread {
	if s.of.Cmp(o.of) < 0 {
		return o.or(s)
	}
	return s.or(o)
}

// rest is the share of all ways that belongs to no total.
func (s *spread) rest() float64 {
	left := new(big.Int).Set(s.of)
	for _, ways := range s.ways {
		left.Sub(left, ways)
	}
	f, _ := new(big.Rat).SetFrac(left, s.of).Float64()
	return f
}
