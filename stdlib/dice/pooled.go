package dice

import (
	"math/big"
	"slices"
)

// This file computes the distribution of a pool: first of the faces that its dice end on, then of its total.

// A faceOdds is the distribution of the final face of one die: each face with its number of ways.
type faceOdds struct {
	faces   []int64
	ways    []int64
	allWays int64
}

// faceOdds computes the distribution of the final face of one die of the pool, after rerolls.
func (p *pool) faceOdds() faceOdds {
	var x faceOdds
	rerolled := int64(0)
	low := 1 + int64(p.offset)
	for face := low; face < low+int64(p.sides); face++ {
		if p.reroll.holds(face) {
			rerolled++
		}
	}
	for face := low; face < low+int64(p.sides); face++ {
		ways := int64(1)
		switch taken := p.reroll.holds(face); {
		case rerolled == 0:
		case !p.once && taken:
			continue
		case p.once && taken:
			ways = rerolled // from the second roll
		case p.once:
			ways = rerolled + int64(p.sides)
		}
		x.faces, x.ways, x.allWays = append(x.faces, face), append(x.ways, ways), x.allWays+ways
	}
	return x
}

// values makes a spread of the faces for which met is true, with their values less a number.
func (x *faceOdds) values(p *pool, less int64, include func(face int64) bool) *distribution {
	s := &distribution{allWays: big.NewInt(x.allWays)}
	for i, face := range x.faces {
		if include(face) {
			s.totals, s.ways = append(s.totals, p.value(face)-less), append(s.ways, big.NewInt(x.ways[i]))
		}
	}
	if p.floor.set || p.ceiling.set { // different faces may have the same value then
		s.sort()
	}
	return s
}

func (c *counter) pool(p *pool) (*distribution, error) {
	if p.sides > maxSidesCounted {
		return nil, c.tooLarge(maxSidesCounted, "sides")
	}
	x := p.faceOdds()
	all := x.values(p, 0, func(int64) bool { return true })
	switch n := int(p.count); {
	case p.uniqueOnce:
		return c.redrawn(p)
	case p.unique:
		return c.unique(p)
	case len(p.explode) == 0:
		return c.scoreBags([]bag{{all, n, false}}, &p.scoring)
	case p.compound, len(p.selects) == 0:
		one, err := c.chain(p, &x)
		if err != nil {
			return nil, err
		}
		if !p.compound { // chain has already applied the count
			return c.times(one, n)
		}
		return c.scoreBags([]bag{{one, n, false}}, &p.scoring)
	}
	return c.explodingKept(p, &x)
}

// maxSidesCounted is the maximum number of sides of a die in an exact distribution.
const maxSidesCounted = 1 << 17

// chain computes the distribution of one die with all its explosions: the sum of the values, or of their scores.
func (c *counter) chain(p *pool, x *faceOdds) (*distribution, error) {
	score := p.score
	if p.compound {
		score = func(v int64) int64 { return v }
	}
	less := int64(0)
	if p.penetrate {
		less = 1
	}
	rests := func(face int64) bool { return !p.explode.holds(face) }
	first, firstRests := x.values(p, 0, p.explode.holds).mapTotals(score), x.values(p, 0, rests).mapTotals(score)
	next, nextRests := x.values(p, less, p.explode.holds).mapTotals(score), x.values(p, less, rests).mapTotals(score)
	if len(first.totals) == 0 {
		return firstRests, nil
	}
	// After an explosion: a die that rests, or one that explodes and what follows that.
	follows := nextRests
	var err error
	for range c.followedExplosions(x, p) {
		if follows, err = c.plus(next, follows); err != nil {
			return nil, err
		}
		follows = follows.merge(nextRests)
	}
	if follows, err = c.plus(first, follows); err != nil {
		return nil, err
	}
	return follows.merge(firstRests), nil
}

// merge merges the disjoint outcomes of the same roll. The ways of s are a multiple of those of o.
func (s *distribution) merge(o *distribution) *distribution {
	x := &distribution{slices.Concat(s.totals, o.totals), slices.Clone(s.ways), s.allWays}
	by := new(big.Int).Quo(s.allWays, o.allWays)
	for _, ways := range o.ways {
		x.ways = append(x.ways, new(big.Int).Mul(ways, by))
	}
	x.sort()
	return x
}

// explodeChance is the probability that a die explodes.
func (x *faceOdds) explodeChance(p *pool) float64 {
	n := int64(0)
	for i, face := range x.faces {
		if p.explode.holds(face) {
			n += x.ways[i]
		}
	}
	return float64(n) / float64(x.allWays)
}

// followedExplosions returns how many explosions of one die after the first are followed, so that the probability of
// more, for all dice together, is at most Unfollowed.
func (c *counter) followedExplosions(x *faceOdds, p *pool) (n int) {
	share := x.explodeChance(p)
	for left := share * share * float64(c.chains); left > Unfollowed && n < maxChain; n++ {
		left *= share
	}
	return n
}

// explodingKept computes the distribution of dice whose explosions are dice of their own, to be kept or dropped. There
// are up to four kinds: first and extra dice, each exploding or resting. The number of each kind gives the number of
// ways, and each kind is a bag.
func (c *counter) explodingKept(p *pool, x *faceOdds) (*distribution, error) {
	less, n := int64(0), int64(p.count)
	if p.penetrate {
		less = 1
	}
	rests := func(face int64) bool { return !p.explode.holds(face) }
	first, firstRests := x.values(p, 0, p.explode.holds), x.values(p, 0, rests)
	next, nextRests := x.values(p, less, p.explode.holds), x.values(p, less, rests)
	if len(first.totals) == 0 {
		return c.scoreBags([]bag{{firstRests, int(n), false}}, &p.scoring)
	}
	var sum *distribution
	deal := func(ways *big.Int, bags ...bag) error {
		bags = slices.DeleteFunc(bags, func(b bag) bool { return b.n == 0 })
		s, err := c.rankedDistribution(bags, &p.scoring)
		if err != nil {
			return err
		}
		for _, w := range s.ways {
			w.Mul(w, ways)
		}
		if sum == nil {
			sum = s
		} else {
			sum = sum.mergeEither(s)
		}
		return nil
	}
	for j := int64(0); j < maxChain && (j == 0 || sum.unfollowedShare() > Unfollowed/float64(c.chains)*float64(n)); j++ {
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

// mergeEither merges disjoint outcomes of rolls with different numbers of dice.
func (s *distribution) mergeEither(o *distribution) *distribution {
	if s.allWays.Cmp(o.allWays) < 0 {
		return o.merge(s)
	}
	return s.merge(o)
}

// unfollowedShare is the share of all ways that belongs to no total.
func (s *distribution) unfollowedShare() float64 {
	left := new(big.Int).Set(s.allWays)
	for _, ways := range s.ways {
		left.Sub(left, ways)
	}
	f, _ := new(big.Rat).SetFrac(left, s.allWays).Float64()
	return f
}
