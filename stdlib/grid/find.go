package grid

import (
	"math"
	"slices"
)

// A Goal is where a path should end: at a distance from Near, measured from the mover's box at its end.
type Goal struct {
	Near     Box
	Min, Max int32 // feet
	Sight    Flags // some line from the box to Near must be free of these flags; 0 requires none
	Exactly  bool  // instead of all that, the mover's smallest square must be that of Near
}

// A Finder finds paths with an A* search. It may be reused, by one goroutine at a time, and does not allocate once its
// buffers have grown to the size of the queries.
//
// A state of the search is a place of the box and the parity of the diagonals made so far. States are expanded in this
// order: fewest avoided squares left; then fewest feet, including a lower bound of those still ahead; then nearest to
// the goal; then fewest turns. As leaving fewer avoided squares may cost more feet than the limit allows, a state may
// be expanded again with more of them and fewer feet. A search with too many places or paths gives up some, the
// farthest first.
type Finder struct {
	// Sees replaces Ground.HasLine, for a caller that caches it; nil: Ground.HasLine is called.
	Sees func(from, to Box, stop Flags) bool

	walker
	p               *Prices
	limit           int32
	start           placement
	origin          [3]int32 // of the window that is searched
	size            [3]int32
	neighborOffsets [8]int32 // offset of the node index in each direction on the map
	coversMap       bool     // the window covers the whole map
	gen             uint32
	nodes           []node
	queue
	path      []Square
	turns     []turn   // for Spread
	rest      []Square // for Spread
	exitCache          // for a walker of one square (exits.go)
	flood     *flood   // for Reachable (flood.go)
	flooded   int      // paths that the last search followed in it
}

// A node is the state of the box with its smallest square at one square of the window. For paths that lead there with
// an even and with an odd number of diagonals it holds the cost of the last one queued, and the feet of the cheapest
// one expanded.
type node struct {
	queued  [2]cost
	settled [2]int32
	gen     uint32
	x, y, z int16
	strips  uint16
	bits    uint8
}

// beats reports whether a known path leads there at most as expensively.
func (p *node) beats(parity int32, c cost) bool {
	queued := p.queued[parity&1]
	return queued <= c && queued.feet() <= c.feet() || c.feet() >= p.settled[parity&1]
}

const (
	fits uint8 = 1 << iota
	squeezed
	noPass
	noEnd
	avoided
	listed
)

const (
	maxNodes  = 1 << 20 // places that a search covers
	maxLabels = 1 << 22 // paths that it follows
)

// directions begins with the eight on one level.
var directions = [26][3]int32{
	{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {1, 1, 0}, {1, -1, 0}, {-1, 1, 0}, {-1, -1, 0},
	{0, 0, 1}, {1, 0, 1}, {-1, 0, 1}, {0, 1, 1}, {0, -1, 1}, {1, 1, 1}, {1, -1, 1}, {-1, 1, 1}, {-1, -1, 1},
	{0, 0, -1}, {1, 0, -1}, {-1, 0, -1}, {0, 1, -1}, {0, -1, -1}, {1, 1, -1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, -1},
}

// Find returns a path to the goal of at most limit feet, as the positions of the mover's smallest square from its
// start, and its price in feet. It steps out of the fewest avoided squares, and among those paths is the cheapest. The
// result is deterministic, with few turns. A step leaves an avoided square if one of the squares it starts from is
// avoided.
//
// A path may pass through the squares of an occupant with Pass, and end in those of one with Share. A mover already at
// the goal stays where it is. A flier searches at most one level above everything that is on the map or is the goal.
// The path is valid until the finder is used again.
func (f *Finder) Find(g *Ground, m *Mover, others []Occupant, goal Goal, avoid []Square, limit int32) (path []Square, feet int32, ok bool) {
	top := max(goal.Near.high()[2], int32(m.Box.At.Z))
	f.prepare(g, m, others, avoid, limit, top)
	t := newTarget(g, m, goal, f.p)
	if t.reached(f.start, f.Sees) {
		f.path = append(f.path[:0], m.Box.At)
		return f.path, 0, true
	}
	f.queueStart(m, avoid, t.ahead(f.start.x, f.start.y, f.start.z, m.Diagonals&1))
	for next := f.pop(); next != noItem; next = f.pop() {
		id := next.label
		p := f.settle(id)
		if p == nil {
			continue
		}
		if next.isAtGoal() && id > 0 && p.bits&noEnd == 0 && t.reached(f.at(id, p), f.Sees) {
			return f.trace(id), f.labels[id].feet(), true
		}
		f.expand(id, p, &t)
	}
	return nil, 0, false
}

// Followed returns the number of paths that the last search followed, as a measure of its cost.
func (f *Finder) Followed() int { return len(f.labels) + f.flooded }

// Reachable appends the squares where the mover's smallest square can end within limit feet, including where it stands,
// in packed order.
func (f *Finder) Reachable(dst []Square, g *Ground, m *Mover, others []Occupant, limit int32) []Square {
	f.prepare(g, m, others, nil, limit, int32(m.Box.At.Z))
	s := &f.start
	i := f.node(s.x, s.y, s.z)
	if p := f.nodeAt(i, s.x, s.y, s.z); f.isSingleWalker() && f.limit <= maxFlood && p.bits&fits != 0 && int32(p.z) == s.z {
		f.floodFrom(2*i + m.Diagonals&1)
	} else {
		f.searchAll(m)
	}
	first := len(dst)
	for k := range f.nodes[:f.size[0]*f.size[1]*f.size[2]] {
		if int32(k) == i {
			dst = append(dst, m.Box.At)
		}
		if p := &f.nodes[k]; p.gen == f.gen && p.bits&listed != 0 {
			if s := (Square{p.x, p.y, p.z}); s != m.Box.At {
				dst = append(dst, s)
			}
		}
	}
	// The window is in packed order, but for walkers where one square is higher than another.
	if !f.fly && (g.minFloor != g.maxFloor || int32(m.Box.At.Z) != int32(g.minFloor)) {
		sortSquares(dst[first:])
	}
	return dst
}

// searchAll marks the places where the mover can end within the limit as listed.
func (f *Finder) searchAll(m *Mover) {
	f.queueStart(m, nil, 0)
	for next := f.pop(); next != noItem; next = f.pop() {
		id := next.label
		p := f.settle(id)
		if p == nil {
			continue
		}
		if id > 0 && p.bits&noEnd == 0 {
			p.bits |= listed
		}
		f.expand(id, p, nil)
	}
}

// prepare sets the window around the mover and marks the occupants and avoided squares in it.
func (f *Finder) prepare(g *Ground, m *Mover, others []Occupant, avoid []Square, limit int32, top int32) {
	f.walker = newWalker(g, m)
	f.p = m.Prices.orUnit()
	f.limit = min(limit, math.MaxInt32-1) // a missing exit costs more
	f.start = f.walker.startPlacement(m.Box.At)
	for _, o := range others {
		top = max(top, o.Box.high()[2])
	}
	f.window(max(limit, 0)/f.p.cheapestStep, max(top, int32(g.maxFloor))+1)
	if f.isSingleWalker() {
		f.resetExitCache()
	}
	for i := range others {
		o := &others[i]
		var bits uint8
		if !o.Pass {
			bits = noPass
		}
		if !o.Share {
			bits |= noEnd
		}
		if bits != 0 {
			f.mark(o.Box.low(), o.Box.high(), bits)
		}
	}
	for _, s := range avoid {
		at := One(s).low()
		f.mark(at, at, avoided)
	}
}

// window limits the search to r steps around the start.
func (f *Finder) window(r, top int32) {
	g, s := f.g, &f.start
	lo := [3]int32{max(s.x-r, 1-f.side), max(s.y-r, 1-f.side), s.z}
	hi := [3]int32{min(s.x+r, g.w-1), min(s.y+r, g.h-1), s.z}
	if lo[0] > s.x || lo[1] > s.y || hi[0] < s.x || hi[1] < s.y {
		lo, hi = [3]int32{s.x, s.y, s.z}, [3]int32{s.x, s.y, s.z}
	}
	if f.fly {
		levels := maxNodes / ((hi[0] - lo[0] + 1) * (hi[1] - lo[1] + 1)) / 2
		lo[2] = max(s.z-min(r, levels), min(int32(g.minFloor), s.z))
		hi[2] = min(s.z+min(r, levels-1), max(top, s.z))
	}
	f.coversMap = lo[0] <= 0 && lo[1] <= 0 && hi[0] >= g.w-1 && hi[1] >= g.h-1
	f.resetWindow(lo, hi)
}

// resetWindow makes a window of a cuboid and clears it.
func (f *Finder) resetWindow(lo, hi [3]int32) {
	f.origin = lo
	f.size = [3]int32{max(hi[0]-lo[0]+1, 0), max(hi[1]-lo[1]+1, 0), max(hi[2]-lo[2]+1, 0)}
	for i, d := range directions[:8] {
		f.neighborOffsets[i] = d[0] + d[1]*f.size[0]
	}
	f.queue.clear()
	f.flooded = 0
	if n := int(f.size[0]*f.size[1]*f.size[2]) + 1; n > len(f.nodes) {
		f.nodes, f.gen = make([]node, n), 0
	}
	f.gen++
	if f.gen == 0 {
		clear(f.nodes)
		f.gen = 1
	}
}

// at returns how the box stands at the end of a label; at the start it fits in any case.
func (f *Finder) at(id int32, p *node) placement {
	if id == 0 {
		return f.start
	}
	return placement{x: int32(p.x), y: int32(p.y), z: int32(p.z), strips: p.strips, fits: true, squeezed: p.bits&squeezed != 0}
}

// node returns the index of a place, -1 outside the window. For a walker all places are on one level.
func (f *Finder) node(x, y, z int32) int32 {
	x, y, z = x-f.origin[0], y-f.origin[1], z-f.origin[2]
	if !f.fly {
		z = 0
	}
	if uint32(x) >= uint32(f.size[0]) || uint32(y) >= uint32(f.size[1]) || uint32(z) >= uint32(f.size[2]) {
		return -1
	}
	return (z*f.size[1]+y)*f.size[0] + x
}

// nodeAt returns the node of a place, and initializes it the first time.
func (f *Finder) nodeAt(i, x, y, z int32) *node {
	p := &f.nodes[i]
	if p.gen == f.gen {
		return p
	}
	if f.isSingleWalker() && f.g.inside(x, y) { // the most frequent case
		c := &f.g.cells[y*f.g.w+x]
		f.newNode(i, x, y, int32(c.Floor))
		if c.Flags&BlocksWay == 0 {
			p.bits |= fits
		}
		return p
	}
	s := f.placementAt(x, y, z)
	f.newNode(i, x, y, s.z)
	p.strips = s.strips
	if s.fits {
		p.bits |= fits
	}
	if s.squeezed {
		p.bits |= squeezed
	}
	return p
}

// newNode returns a node that no path has reached yet.
func (f *Finder) newNode(i, x, y, z int32) *node {
	p := &f.nodes[i]
	*p = node{
		queued: [2]cost{maxCost, maxCost}, settled: [2]int32{math.MaxInt32, math.MaxInt32},
		gen: f.gen, x: int16(x), y: int16(y), z: int16(z),
	}
	return p
}

// mark sets bits on all places where the box would share a square with the cuboid.
func (f *Finder) mark(lo, hi [3]int32, bits uint8) {
	if f.isSingleWalker() && lo == hi { // the most frequent case
		if i := f.node(lo[0], lo[1], 0); i >= 0 {
			if p := f.nodeAt(i, lo[0], lo[1], 0); int32(p.z) == lo[2] {
				p.bits |= bits
			}
		}
		return
	}
	x0, x1 := max(lo[0]-f.side+1, f.origin[0]), min(hi[0], f.origin[0]+f.size[0]-1)
	y0, y1 := max(lo[1]-f.side+1, f.origin[1]), min(hi[1], f.origin[1]+f.size[1]-1)
	z0, z1 := lo[2]-f.side+1, hi[2]
	if f.fly {
		z0, z1 = max(z0, f.origin[2]), min(z1, f.origin[2]+f.size[2]-1)
	}
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if !f.fly {
				if p := f.nodeAt(f.node(x, y, 0), x, y, 0); int32(p.z) >= z0 && int32(p.z) <= z1 {
					p.bits |= bits
				}
				continue
			}
			for z := z0; z <= z1; z++ {
				f.nodeAt(f.node(x, y, z), x, y, z).bits |= bits
			}
		}
	}
}

// queueStart queues the start. If the mover is where it could not move to, its start is an extra place after all
// others.
func (f *Finder) queueStart(m *Mover, avoid []Square, ahead int32) {
	s := &f.start
	i := f.node(s.x, s.y, s.z)
	if p := f.nodeAt(i, s.x, s.y, s.z); p.bits&fits == 0 || int32(p.z) != s.z {
		i = f.size[0] * f.size[1] * f.size[2]
		p := f.newNode(i, 0, 0, 0)
		if slices.ContainsFunc(avoid, m.Box.Holds) {
			p.bits = avoided
		}
	}
	f.follow(label{state: 2*i + m.Diagonals&1, parent: -1, dir: -1}, ahead)
}

// settle returns the node that a label taken from the queue leads to; nil if another path there is as good.
func (f *Finder) settle(id int32) *node {
	l := &f.labels[id]
	n, feet := &f.nodes[l.state>>1], l.feet()
	if feet >= n.settled[l.state&1] {
		return nil
	}
	n.settled[l.state&1] = feet
	return n
}

// expand extends a label, which leads to a place, by one step in each direction.
func (f *Finder) expand(id int32, p *node, t *target) {
	from := p.bits
	if id > 0 && from&noPass != 0 || len(f.labels) > maxLabels {
		return
	}
	if f.isSingleWalker() && from&fits != 0 {
		f.expandWalk(id, p, t)
		return
	}
	l := f.labels[id]
	if from&avoided != 0 {
		l.cost = l.plusAvoided()
	}
	at := f.at(id, p)
	parity := l.state & 1
	n := 8
	if f.fly {
		n = len(directions)
	}
	for dir, d := range directions[:n] {
		x, y, z := at.x+d[0], at.y+d[1], at.z+d[2]
		i := f.node(x, y, z)
		if i < 0 {
			continue
		}
		p := f.nodeAt(i, x, y, z)
		if p.bits&fits == 0 || p.bits&(noPass|noEnd) == noPass|noEnd {
			continue
		}
		to := placement{x: x, y: y, z: int32(p.z), strips: p.strips, fits: true, squeezed: p.bits&squeezed != 0}
		factor, ok := f.stepFactor(&at, &to)
		if !ok {
			continue
		}
		kind, diagonals := int32(straight), parity
		if w := at.offsetTo(&to); w[0]*w[0]+w[1]*w[1]+w[2]*w[2] > 1 {
			kind = odd + parity
			if !f.p.diagonalsExcluded[factor] {
				diagonals = 1 - parity
			}
		}
		step := f.p.step[kind][factor]
		if step > f.limit-l.feet() {
			continue
		}
		next := label{state: 2*i + diagonals, parent: id, cost: l.cost + cost(step)*oneFoot, dir: int8(dir)}
		if t != nil && next.dir != l.dir && l.dir >= 0 {
			next.cost = next.plusTurn()
		}
		if p.beats(diagonals, next.cost) { // the most frequent case, and cheaper than the bound below
			continue
		}
		ahead := int32(0)
		if t != nil {
			ahead = t.ahead(x, y, to.z, diagonals)
			if ahead > f.limit-next.feet() {
				continue
			}
		}
		f.follow(next, ahead)
	}
}

// follow queues a path that no other path to its end beats.
func (f *Finder) follow(l label, ahead int32) {
	f.nodes[l.state>>1].queued[l.state&1] = l.cost
	f.push(l, ahead)
}

// trace returns the squares of a label's path.
func (f *Finder) trace(id int32) []Square {
	f.path = f.path[:0]
	for ; id > 0; id = f.labels[id].parent {
		p := &f.nodes[f.labels[id].state>>1]
		f.path = append(f.path, Square{X: p.x, Y: p.y, Z: p.z})
	}
	f.path = append(f.path, Square{int16(f.start.x), int16(f.start.y), int16(f.start.z)})
	slices.Reverse(f.path)
	return f.path
}

// A target is a goal with what is needed to test for it.
type target struct {
	Goal
	g      *Ground
	p      *Prices
	side   int16
	lo, hi [3]int32 // the smallest square of any box close enough is between these
}

func newTarget(g *Ground, m *Mover, goal Goal, p *Prices) target {
	t := target{Goal: goal, g: g, p: p, side: m.Box.Side, lo: goal.Near.low(), hi: goal.Near.high()}
	if goal.Exactly {
		t.hi = t.lo
		return t
	}
	steps := min(max(goal.Max, 0)/p.cheapestPlain, 1<<17)
	for i := range t.lo {
		t.lo[i] -= steps + m.Box.side() - 1
		t.hi[i] += steps
	}
	return t
}

func (t *target) at(s *placement) Box {
	return Box{At: Square{int16(s.x), int16(s.y), int16(s.z)}, Side: t.side}
}

func (t *target) reached(s placement, sees func(from, to Box, stop Flags) bool) bool {
	b := t.at(&s)
	if t.Exactly {
		return b.At == t.Near.At
	}
	d := t.p.offsetPrice(gaps(b, t.Near))
	switch {
	case d < t.Min || d > t.Max:
		return false
	case t.Sight == 0:
		return true
	case sees != nil:
		return sees(b, t.Near, t.Sight)
	}
	return t.g.HasLine(b, t.Near, t.Sight, DrawnIn)
}

// ahead is a lower bound of the remaining feet: the distance to the nearest square close enough, without obstacles.
func (t *target) ahead(x, y, z, diagonals int32) int32 {
	long, middle := top2([3]int32{
		max(t.lo[0]-x, x-t.hi[0], 0), max(t.lo[1]-y, y-t.hi[1], 0), max(t.lo[2]-z, z-t.hi[2], 0),
	})
	if t.p.metric {
		return t.p.pathPrice(long-middle, middle, diagonals)
	}
	return long * t.p.cheapestStep
}
