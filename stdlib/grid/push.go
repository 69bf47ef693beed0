package grid

// Push appends the squares through which somebody at from is pushed straight away from origin, no farther than feet.
// They are those of StepAway. Where the next of them would be too far, squares that the line crosses on the way there
// follow, as far as each is farther away than the one before: so a push of 15 feet along the slant of a knight's move
// ends at 15 feet, not at 10.
func Push(dst []Square, from, origin Square, feet int32, p *Prices) []Square {
	p = p.orUnit()
	start := len(dst)
	dst = StepAway(dst, from, origin, int(feet/p.cheapestPlain))
	distance := func(s Square) int32 { return Distance(One(from), One(s), p) }
	n := start
	for n < len(dst) && distance(dst[n]) <= feet {
		n++
	}
	dst = dst[:n]
	last := from
	if n > start {
		last = dst[n-1]
	}
	for {
		next, far := last, distance(last)
		for _, s := range neighborhood(last) {
			if d := distance(s); d > far && d <= feet && crosses(from, origin, s) {
				next, far = s, d
			}
		}
		if next == last {
			return dst
		}
		dst, last = append(dst, next), next
	}
}

// neighborhood returns the squares next to a square, in packed order.
func neighborhood(s Square) []Square {
	around := make([]Square, 0, 26)
	low := One(s).low()
	for z := low[2] - 1; z <= low[2]+1; z++ {
		for y := low[1] - 1; y <= low[1]+1; y++ {
			for x := low[0] - 1; x <= low[0]+1; x++ {
				if next, ok := toSquare([3]int32{x, y, z}); ok && next != s {
					around = append(around, next)
				}
			}
		}
	}
	return around
}

// crosses reports whether the line from the center of origin through that of from, beyond it, crosses the inside of a
// square.
func crosses(from, origin, s Square) bool {
	p, d, _ := heading(origin, from)
	c := One(s).low()
	// The line is in the slab of axis i between the times enter[i]/den[i] and leave[i]/den[i].
	var enter, leave, den [3]int64
	for i := range d {
		off := 2 * int64(c[i]-p[i]-d[i])
		switch {
		case d[i] == 0 && off != 0:
			return false
		case d[i] == 0: // always there
		case d[i] > 0:
			enter[i], leave[i], den[i] = off-1, off+1, 2*int64(d[i])
		default:
			enter[i], leave[i], den[i] = -off-1, -off+1, -2*int64(d[i])
		}
	}
	for i := range d {
		for j := range d {
			if den[i] > 0 && den[j] > 0 && enter[i]*den[j] >= leave[j]*den[i] {
				return false
			}
		}
	}
	return true
}
