package session

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"arbiter/stdlib/grid"
)

// This file is the yardstick for whole fights: four against six in plain Go, on the same map, with the same pathfinding
// and the same combat rules - initiative, surprise, moves, charges, attacks of opportunity, cover, flanking, shots into
// melee, critical hits, bleeding. It implements only these rules, and the benchmarks report multiples of its time.

// nativeFighter is one of the ten.
type nativeFighter struct {
	at                        grid.Square
	side                      int8
	archer                    bool
	full, hp, ac, dex, attack int32
	dice, sides, bonus        int32
	threat, multiplier        int32
	initiative                int32
	chance                    int32 // attacks of opportunity left
	charged                   int32 // -2 to the armor class
	acted, surprised, stable  bool
}

func (f *nativeFighter) standing() bool { return f.hp >= 0 }
func (f *nativeFighter) gone() bool     { return f.hp <= -10 }

type nativeFight struct {
	ground   *grid.Ground
	prices   *grid.Prices
	finder   grid.Finder
	fighters []nativeFighter
	order    []int
	others   []grid.Occupant
	avoid    []grid.Square
	bodies   []grid.Box
	line     []grid.Square
	answered [16]uint16 // by mover: the set of those who have attacked it this round
	rand     *rand.Rand
	round    int32
}

func (n *nativeFight) d(sides int32) int32 { return n.rand.Int32N(sides) + 1 }

// run plays the fight to its end and returns the number of rounds.
func (n *nativeFight) run(start []nativeFighter, seed uint64) int {
	n.fighters = append(n.fighters[:0], start...)
	n.rand = rand.New(rand.NewPCG(seed, 1))
	n.order = n.order[:0]
	for i := range n.fighters {
		n.fighters[i].initiative = n.d(20)*100 + n.fighters[i].dex
		n.order = append(n.order, i)
	}
	slices.SortFunc(n.order, func(a, b int) int { return cmp.Compare(n.fighters[b].initiative, n.fighters[a].initiative) })
	for n.round = 1; n.round < defaultRounds; n.round++ {
		for _, i := range n.order {
			f := &n.fighters[i]
			if !f.standing() {
				n.bleed(f)
				continue
			}
			f.chance, f.charged, n.answered[i] = 1, 0, 0
			f.acted = true
			if n.round > 1 || !f.surprised {
				n.turn(i)
			}
			if n.over() {
				return int(n.round)
			}
		}
	}
	return int(n.round)
}

func (n *nativeFight) over() bool {
	var sides [2]bool
	for i := range n.fighters {
		if n.fighters[i].standing() {
			sides[n.fighters[i].side] = true
		}
	}
	return !sides[0] || !sides[1]
}

func (n *nativeFight) bleed(f *nativeFighter) {
	if f.gone() || f.stable {
		return
	}
	if n.d(100) <= 10 {
		f.stable = true
	} else {
		f.hp--
	}
}

func (n *nativeFight) turn(i int) {
	f := &n.fighters[i]
	if f.archer {
		if foe := n.target(i); foe >= 0 {
			n.blow(i, foe, 0)
		}
		return
	}
	if foe := n.inReach(i); foe >= 0 {
		n.blow(i, foe, 0)
		return
	}
	foe := n.nearest(i)
	if foe < 0 {
		return
	}
	if n.charge(i, foe) {
		return
	}
	n.occupied(i)
	n.threatened(i)
	m := grid.Mover{Box: grid.One(f.at), Prices: n.prices}
	path, _, ok := n.finder.Find(n.ground, &m, n.others, grid.Goal{Near: grid.One(n.fighters[foe].at), Max: 5}, n.avoid, 10_000)
	if !ok {
		return
	}
	n.line = append(n.line[:0], path...)
	part, _ := n.finder.Prefix(n.ground, &m, n.others, n.line, 30)
	if !n.walk(i, part) {
		return
	}
	if foe := n.inReach(i); foe >= 0 {
		n.blow(i, foe, 0)
	}
}

// walk goes square by square and provokes those whose reach it leaves.
func (n *nativeFight) walk(i int, path []grid.Square) bool {
	f := &n.fighters[i]
	for _, to := range path[min(1, len(path)):] {
		for k := range n.fighters {
			foe := &n.fighters[k]
			if foe.side != f.side && foe.standing() && !foe.archer && foe.acted && foe.chance > 0 && n.answered[i]>>k&1 == 0 &&
				grid.Steps(grid.One(foe.at), grid.One(f.at)) == 1 && n.ground.HasLine(grid.One(foe.at), grid.One(f.at), grid.BlocksEffect, grid.DrawnIn) {
				foe.chance--
				n.answered[i] |= 1 << k
				if n.blow(k, i, 0); !f.standing() {
					return false
				}
			}
		}
		f.at = to
	}
	return true
}

// charge runs straight at a foe, if nothing is in the way.
func (n *nativeFight) charge(i, foe int) bool {
	f, t := &n.fighters[i], &n.fighters[foe]
	n.line = grid.Line(n.line[:0], f.at, t.at)
	n.line = n.line[:max(len(n.line)-1, 0)]
	if len(n.line) < 3 {
		return false
	}
	m := grid.Mover{Box: grid.One(f.at), Prices: n.prices}
	cost, ok := n.finder.Cost(n.ground, &m, n.line)
	if !ok || cost > 60 || grid.Distance(grid.One(f.at), grid.One(n.line[len(n.line)-1]), n.prices) != cost {
		return false
	}
	for _, s := range n.line[1:] {
		for k := range n.fighters {
			if n.fighters[k].at == s && k != i {
				return false
			}
		}
	}
	if !n.walk(i, n.line) {
		return true
	}
	f.charged = 2
	n.blow(i, foe, 2)
	return true
}

func (n *nativeFight) occupied(i int) {
	n.others = n.others[:0]
	for k := range n.fighters {
		if k != i {
			o := &n.fighters[k]
			n.others = append(n.others, grid.Occupant{Box: grid.One(o.at), Pass: o.side == n.fighters[i].side || !o.standing(), Share: !o.standing()})
		}
	}
}

func (n *nativeFight) threatened(i int) {
	n.avoid = n.avoid[:0]
	for k := range n.fighters {
		if o := &n.fighters[k]; o.side != n.fighters[i].side && o.standing() && !o.archer {
			n.avoid = n.ground.Within(n.avoid, grid.One(o.at), 5, 0, n.prices)
		}
	}
}

// target returns the weakest foe in sight; inReach, the weakest within reach; nearest, the nearest one.
func (n *nativeFight) target(i int) int {
	best := -1
	for k := range n.fighters {
		if n.foe(i, k) && (best < 0 || n.fighters[k].hp < n.fighters[best].hp) &&
			n.ground.HasLine(grid.One(n.fighters[i].at), grid.One(n.fighters[k].at), grid.BlocksEffect, grid.DrawnIn) {
			best = k
		}
	}
	return best
}

func (n *nativeFight) inReach(i int) int {
	best := -1
	for k := range n.fighters {
		if n.foe(i, k) && (best < 0 || n.fighters[k].hp < n.fighters[best].hp) &&
			grid.Distance(grid.One(n.fighters[i].at), grid.One(n.fighters[k].at), n.prices) <= 5 {
			best = k
		}
	}
	return best
}

func (n *nativeFight) nearest(i int) int {
	best, far := -1, int32(1<<30)
	for k := range n.fighters {
		if d := grid.Distance(grid.One(n.fighters[i].at), grid.One(n.fighters[k].at), n.prices); n.foe(i, k) && d < far {
			best, far = k, d
		}
	}
	return best
}

func (n *nativeFight) foe(i, k int) bool {
	return n.fighters[k].side != n.fighters[i].side && n.fighters[k].standing()
}

// blow makes an attack with all modifiers.
func (n *nativeFight) blow(i, k int, extra int32) {
	a, t := &n.fighters[i], &n.fighters[k]
	from, to := grid.One(a.at), grid.One(t.at)
	bonus, ac := a.attack+extra, t.ac-t.charged
	if t.acted {
		ac += t.dex
	}
	if n.ground.BlockedBest(from, to, &grid.Lines{Stop: grid.BlocksEffect | grid.GivesCover}) > 0 {
		ac += 4
	}
	switch {
	case a.archer:
		gap := grid.Distance(from, to, n.prices)
		bonus -= 2 * (gap / 100)
		n.bodies = n.bodies[:0]
		for j := range n.fighters {
			if o := &n.fighters[j]; j != i && j != k && o.standing() {
				n.bodies = append(n.bodies, grid.One(o.at))
				if o.side == a.side && grid.Steps(grid.One(o.at), to) == 1 {
					bonus -= 4
				}
			}
		}
		if n.ground.BlockedBest(from, to, &grid.Lines{Bodies: n.bodies}) > 0 {
			ac += 4
		}
	default:
		for j := range n.fighters {
			if o := &n.fighters[j]; j != i && o.side == a.side && o.standing() && !o.archer && grid.Steps(grid.One(o.at), to) == 1 && grid.Flanks(from, to, grid.One(o.at)) {
				bonus += 2
				break
			}
		}
	}
	face := n.d(20)
	if face == 1 || face != 20 && face+bonus < ac {
		return
	}
	times := int32(1)
	if face >= a.threat {
		if again := n.d(20); again == 20 || again != 1 && again+bonus >= ac {
			times = a.multiplier
		}
	}
	damage := int32(0)
	for range times {
		for range a.dice {
			damage += n.d(a.sides)
		}
		damage += a.bonus
	}
	t.hp -= max(damage, 1)
	if t.stable {
		t.stable = false
	}
}
