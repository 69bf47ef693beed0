package grid

// Flanks reports whether a line between the center of some square of a and the center of some square of b passes
// through opposite borders of target's space, including the corners of those borders. In three dimensions the borders
// are the faces of the cube.
func Flanks(a, target, b Box) bool {
	if !astride(a, target, b) {
		return false
	}
	n, m := a.side(), b.side()
	for i := range n * n * n {
		p := a.cellCenter(i, n)
		for j := range m * m * m {
			if opposite(p, b.cellCenter(j, m), target) {
				return true
			}
		}
	}
	return false
}

// astride reports whether along some axis a has squares on one side of target and b on the other.
func astride(a, target, b Box) bool {
	al, ah, bl, bh, tl, th := a.low(), a.high(), b.low(), b.high(), target.low(), target.high()
	for i := range al {
		if al[i] < tl[i] && bh[i] > th[i] || bl[i] < tl[i] && ah[i] > th[i] {
			return true
		}
	}
	return false
}

// cellCenter returns the center of the i-th square of a box of side n, in half squares.
func (b Box) cellCenter(i, n int32) [3]int32 {
	return [3]int32{
		2*(int32(b.At.X)+i%n) + 1,
		2*(int32(b.At.Y)+i/n%n) + 1,
		2*(int32(b.At.Z)+i/(n*n)) + 1,
	}
}

// opposite reports whether the line from p to q passes through two opposite faces of the box.
func opposite(p, q [3]int32, b Box) bool {
	low, high := b.low(), b.high()
	for i := range p {
		lo, hi := 2*low[i], 2*high[i]+2
		if !(p[i] < lo && q[i] > hi || q[i] < lo && p[i] > hi) {
			continue
		}
		if crossesFace(p, q, i, lo, low, high) && crossesFace(p, q, i, hi, low, high) {
			return true
		}
	}
	return false
}

// crossesFace reports whether the line is inside the box's borders, or on them, where it crosses the plane at this
// position on one axis.
func crossesFace(p, q [3]int32, axis int, at int32, low, high [3]int32) bool {
	n, d := int64(at-p[axis]), int64(q[axis]-p[axis])
	if d < 0 {
		n, d = -n, -d
	}
	for j := range p {
		if j == axis {
			continue
		}
		v := n*int64(q[j]-p[j]) + d*int64(p[j])
		if v < d*int64(2*low[j]) || v > d*int64(2*high[j]+2) {
			return false
		}
	}
	return true
}
