package grid

// This file spreads from a square over all that a walker of one square can reach within a limit. Nothing is ahead and no
// turn matters, so that paths are ordered by feet alone, and few feet: a bucket for each is faster than a heap.

// maxFlood is the highest limit, in feet, that is flooded.
const maxFlood = 1 << 10

// A flood holds the states by the feet of the paths to them: a list of its own for each number of feet.
type flood [maxFlood + 1][]int32

// floodFrom marks the places where the mover can end within the limit as listed. The first
// state is that of the start, where the mover fits.
func (f *Finder) floodFrom(first int32) {
	if f.flood == nil {
		f.flood = new(flood)
	}
	buckets := f.flood
	nodes, gen := f.nodes, f.gen
	nodes[first>>1].settled[first&1] = 0
	buckets[0] = append(buckets[0][:0], first)
	followed, waiting := 1, 1
	for feet := int32(0); waiting > 0 && feet <= f.limit; feet++ {
		// Steps may cost nothing, so that a bucket can grow while it is emptied.
		for k := 0; k < len(buckets[feet]); k++ {
			state := buckets[feet][k]
			waiting--
			at, parity := state>>1, state&1
			p := &nodes[at]
			if p.settled[parity] != feet {
				continue // a cheaper path has been found since
			}
			if state != first {
				if p.bits&noEnd == 0 {
					p.bits |= listed
				}
				if p.bits&noPass != 0 {
					continue
				}
			}
			x, y := int32(p.x), int32(p.y)
			e := f.exitsOf(x, y)
			if !f.coversMap {
				e = f.inWindow(e, x, y)
			}
			prices, room := &f.p.stepPrices[parity], f.limit-feet
			for dir := 0; e != 0; dir++ {
				step := prices[e&price]
				e >>= 8
				if step.feet > room {
					continue
				}
				i, to, next := at+f.neighborOffsets[dir&7], parity^step.flips, feet+step.feet
				n := &nodes[i]
				if n.gen != gen {
					d := &directions[dir&7]
					f.nodeAt(i, x+d[0], y+d[1], 0)
				} else if n.settled[to&1] <= next || n.bits&(noPass|noEnd) == noPass|noEnd {
					continue
				}
				n.settled[to&1] = next
				buckets[next] = append(buckets[next], 2*i+to)
				followed++
				waiting++
			}
		}
		buckets[feet] = buckets[feet][:0]
	}
	f.flooded = followed
}
