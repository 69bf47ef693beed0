package dice

import "math/big"

// This file computes the distribution of dice that all show different faces.

// unique counts sets of faces. A face matters only by whether it is rerolled once: so there are two bags, and for each
// number of dice from the first bag the number of ways to get it.
func (c *counter) unique(p *pool) (*distribution, error) {
	low, n := 1+int64(p.offset), int(p.count)
	var rerolled, other []int64
	for face := low; face < low+int64(p.sides); face++ {
		if p.reroll.holds(face) {
			rerolled = append(rerolled, face)
		} else {
			other = append(other, face)
		}
	}
	if !p.once || len(rerolled) == 0 {
		return c.rankedDistribution([]bag{p.distinctBag(other, n)}, &p.scoring)
	}
	// With i dice on faces of again and j on others, ways returns in how many of sides*(sides-i-j) ways the next die
	// shows a given free face of either kind: directly, or after a reroll to one of the faces not yet taken.
	sides, taken := int64(p.sides), int64(len(rerolled))
	ways := func(i, j int64) (onAgain, onOther int64) {
		second := taken + j
		return second, sides - i - j + second
	}
	// ordered[i] is the number of ways for one sequence of faces, i of them from again, summed over the positions of
	// those.
	ordered := []*big.Int{big.NewInt(1)}
	of := big.NewInt(1)
	for t := range n {
		next := make([]*big.Int, t+2)
		for i := range next {
			next[i] = new(big.Int)
		}
		for i, w := range ordered {
			onAgain, onOther := ways(int64(i), int64(t-i))
			next[i+1].Add(next[i+1], new(big.Int).Mul(w, big.NewInt(onAgain)))
			next[i].Add(next[i], new(big.Int).Mul(w, big.NewInt(onOther)))
		}
		ordered = next
		of.Mul(of, big.NewInt(sides*(sides-int64(t))))
	}
	var sum *distribution
	for i, w := range ordered {
		if i > len(rerolled) || n-i > len(other) {
			continue
		}
		var bags []bag
		if i > 0 {
			bags = append(bags, p.distinctBag(rerolled, i))
		}
		if n > i {
			bags = append(bags, p.distinctBag(other, n-i))
		}
		s, err := c.rankedDistribution(bags, &p.scoring)
		if err != nil {
			return nil, err
		}
		// Each set of faces stands for all its orderings.
		w.Mul(w, new(big.Int).MulRange(1, int64(i)))
		w.Mul(w, new(big.Int).MulRange(1, int64(n-i)))
		for _, x := range s.ways {
			x.Mul(x, w)
		}
		if s.allWays = of; sum == nil {
			sum = s
		} else {
			sum = sum.merge(s)
		}
	}
	return sum, nil
}

// distinctBag is a bag of faces from which n are drawn.
func (p *pool) distinctBag(faces []int64, n int) bag {
	s := &distribution{allWays: big.NewInt(int64(len(faces)))}
	for _, face := range faces {
		s.totals, s.ways = append(s.totals, p.value(face)), append(s.ways, big.NewInt(1))
	}
	return bag{s, n, true}
}
