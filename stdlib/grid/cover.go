package grid

// CoverLine is a line that counts for cover, between two corners of squares.
type CoverLine struct {
	From, To [2]int
	Blocked  bool
}

// BestLines returns the lines that BlockedBest counts: those from the corner with the fewest blocked ones to the corners
// of the other box, or of the square of it that has the fewest. The first of several equal ones is taken.
func (g *Ground) BestLines(from, to Box, how *Lines) (best []CoverLine) {
	l, _ := g.lines(from, to, how)
	za, zb := levels(from, to)
	least := 5
	for _, p := range l.corners(from, za) {
		for _, square := range l.squares(to) {
			lines, blocked := l.fan(p, square, zb)
			if blocked < least {
				best, least = lines, blocked
			}
		}
	}
	return best
}

// squares returns the squares of a box that lines lead to: the whole box if it counts as a whole.
func (l *line) squares(b Box) (list []Box) {
	if l.whole {
		return []Box{b}
	}
	for i := range b.side() * b.side() {
		at := Square{X: b.At.X + int16(i%b.side()), Y: b.At.Y + int16(i/b.side()), Z: b.At.Z}
		list = append(list, One(at))
	}
	return list
}

// corners returns the corners that lines start from.
func (l *line) corners(b Box, z int32) (list [][3]int32) {
	step := int32(1)
	if l.whole {
		step = b.side()
	}
	n := b.side()/step + 1
	for i := range n * n {
		list = append(list, [3]int32{unit * (int32(b.At.X) + i%n*step), unit * (int32(b.At.Y) + i/n*step), unit*z + half})
	}
	return list
}

// fan returns the lines from a corner to the four corners of a square, or of a whole box, and how many are blocked.
func (l *line) fan(p [3]int32, to Box, zb int32) (lines []CoverLine, blocked int) {
	side := to.side()
	for i := range int32(4) {
		dx, dy := i&1, i>>1
		x, y := int32(to.At.X), int32(to.At.Y)
		q := [3]int32{unit * (x + dx*side), unit * (y + dy*side), unit*zb + half}
		ends := l.inside && l.g.stops(x+dx*(side-1), y+dy*(side-1), zb, l.stop)
		c := CoverLine{From: [2]int{int(p[0] / unit), int(p[1] / unit)}, To: [2]int{int(q[0] / unit), int(q[1] / unit)}, Blocked: ends || l.isBlocked(p, q)}
		if c.Blocked {
			blocked++
		}
		lines = append(lines, c)
	}
	return lines, blocked
}
