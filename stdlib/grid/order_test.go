package grid

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A plainWay is a path in the order that Finder guarantees, one field after the other.
type plainWay struct {
	at     placement
	parity int32
	left   int32
	feet   int32
	ahead  int32
	turns  int32
	number int // in the order in which they were found
	parent int
	dir    int
}

func (w *plainWay) compare(v *plainWay) int {
	return cmp.Or(cmp.Compare(w.left, v.left), cmp.Compare(w.feet+w.ahead, v.feet+v.ahead), cmp.Compare(w.ahead, v.ahead),
		cmp.Compare(w.turns, v.turns), cmp.Compare(v.number, w.number))
}

// plainFind is Find with maps and a list as its queue; it also returns the number of paths found.
func plainFind(g *Ground, m *Mover, others []Occupant, goal Goal, avoid []Square, limit, top int32) (path []Square, met int) {
	type state struct {
		at     Square
		parity int32
	}
	type kept struct{ settled, left, feet, turns int32 }
	w, t := newWalker(g, m), newTarget(g, m, goal, m.Prices)
	start := plainWay{at: w.startPlacement(m.Box.At), parity: m.Diagonals & 1, parent: -1, dir: -1}
	start.ahead = t.ahead(start.at.x, start.at.y, start.at.z, start.parity)
	if t.reached(start.at, nil) {
		return []Square{m.Box.At}, 0
	}
	square := func(s *placement) Square { return Square{int16(s.x), int16(s.y), int16(s.z)} }
	ways, waiting, states := []plainWay{start}, []int{0}, map[state]kept{}
	if s := w.placementAt(start.at.x, start.at.y, start.at.z); s.fits && s.z == start.at.z { // otherwise the mover cannot return to it
		states[state{m.Box.At, start.parity}] = kept{settled: math.MaxInt32}
	}
	around := directions[:8]
	if m.Fly {
		around = directions[:]
	}
	for len(waiting) > 0 {
		first := slices.MinFunc(waiting, func(a, b int) int { return ways[a].compare(&ways[b]) })
		waiting = slices.DeleteFunc(waiting, func(i int) bool { return i == first })
		l := ways[first]
		at := state{square(&l.at), l.parity}
		if k, ok := states[at]; ok || first > 0 {
			if l.feet >= k.settled {
				continue
			}
			k.settled = l.feet
			states[at] = k
		}
		box := Box{at.at, m.Box.Side}
		pass, end := allows(others, box)
		if first > 0 && end && t.reached(l.at, nil) {
			for i := first; i >= 0; i = ways[i].parent {
				path = append(path, square(&ways[i].at))
			}
			slices.Reverse(path)
			return path, len(ways)
		}
		if first > 0 && !pass {
			continue
		}
		left := l.left
		if slices.ContainsFunc(avoid, box.Holds) {
			left++
		}
		for dir, d := range around {
			if back := slices.Index(directions[:], [3]int32{-d[0], -d[1], -d[2]}); l.parent > 0 && w.side == 1 && !m.Fly && l.dir == back {
				continue
			}
			to := w.placementAt(l.at.x+d[0], l.at.y+d[1], l.at.z+d[2])
			if !to.fits || m.Fly && (to.z > top || to.z < min(int32(g.minFloor), start.at.z)) {
				continue
			}
			factor, ok := w.stepFactor(&l.at, &to)
			if pass, end := allows(others, Box{square(&to), m.Box.Side}); !ok || !pass && !end {
				continue
			}
			next := plainWay{at: to, parity: l.parity, left: left, turns: l.turns, number: len(ways), parent: first, dir: dir}
			if dir != l.dir && first > 0 {
				next.turns++
			}
			kind := straight
			if c := l.at.offsetTo(&to); c[0]*c[0]+c[1]*c[1]+c[2]*c[2] > 1 {
				kind = odd + int(l.parity)
				if !m.Prices.diagonalsExcluded[factor] {
					next.parity = 1 - l.parity
				}
			}
			next.feet = l.feet + m.Prices.step[kind][factor]
			next.ahead = t.ahead(to.x, to.y, to.z, next.parity)
			s := state{square(&to), next.parity}
			k, ok := states[s]
			if !ok {
				k.settled = math.MaxInt32
			} else if next.feet >= k.settled || k.left <= next.left &&
				(k.feet < next.feet || k.feet == next.feet && (k.left < next.left || k.turns <= next.turns)) {
				continue
			}
			if next.feet+next.ahead > limit {
				continue
			}
			k.left, k.feet, k.turns = next.left, next.feet, next.turns
			states[s] = k
			ways, waiting = append(ways, next), append(waiting, next.number)
		}
	}
	return nil, len(ways)
}

// TestTheSameWay: of paths with equal cost the same one is always chosen, however the queue is implemented.
func TestTheSameWay(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	var f Finder
	far := 0
	for i := range runs(4000) {
		g, m, others, goal, avoid, limit := query(r, i)
		top := max(goal.Near.high()[2], int32(m.Box.At.Z), int32(g.maxFloor))
		for _, o := range others {
			top = max(top, o.Box.high()[2])
		}
		want, met := plainFind(g, m, others, goal, avoid, limit, top+1)
		got, _, _ := f.Find(g, m, others, goal, avoid, limit)
		if !slices.Equal(got, want) || f.Followed() != met {
			t.Fatalf("query %d: %+v others %v goal %v avoid %v limit %d:\n%v of %d ways, want %v of %d\n%s", i, *m, others, goal, avoid, limit, got, f.Followed(), want, met, show(g))
		}
		if len(got) > 3 {
			far++
		}
	}
	if far < runs(4000)/25 {
		t.Errorf("only %d ways are longer than two steps", far)
	}
}
