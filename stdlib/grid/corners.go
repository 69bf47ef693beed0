package grid

// This file remembers which lines between corners of squares the ground blocks. The lines for cover run from corner to
// corner, so that those of neighboring squares are mostly the same ones.

// maxCorners is the maximum number of corners of a map whose lines are remembered, in 256 KiB.
const maxCorners = 1 << 10

// CornerLines counts blocked lines like BlockedBest, for flags that do not change, and remembers the lines. It is for one
// goroutine at a time.
type CornerLines struct {
	g       *Ground
	version uint32
	stop    Flags
	lines   []uint64 // by pair of corners, two bits each: whether it is known, and whether it is blocked
}

// NewCornerLines returns the lines that cells with one of the flags block.
func NewCornerLines(g *Ground, stop Flags) *CornerLines {
	return &CornerLines{g: g, stop: stop & everyFlag}
}

// BlockedBest is Ground.BlockedBest for two squares, with nothing in between but the ground.
func (c *CornerLines) BlockedBest(from, to Square) int {
	g := c.g
	corners := (g.w + 1) * (g.h + 1)
	plain := from.Z == 0 && to.Z == 0 && g.maxFloor <= 0 && g.minFloor >= 0 && corners <= maxCorners && g.inside(int32(from.X), int32(from.Y)) && g.inside(int32(to.X), int32(to.Y))
	if !plain || g.Stops(from, c.stop) || g.Stops(to, c.stop) { // the cells of the two squares themselves block nothing
		return g.BlockedBest(One(from), One(to), &Lines{Stop: c.stop})
	}
	l := line{g: g, stop: c.stop, from: One(from), to: One(to)}
	if l.stop == 0 || l.isClear() {
		return 0
	}
	if c.lines == nil || c.version != g.version {
		c.lines, c.version = make([]uint64, (int(corners)*int(corners)+31)/32), g.version
	}
	least := 4
	for i := range int32(4) {
		x0, y0 := int32(from.X)+i&1, int32(from.Y)+i>>1
		row := (y0*(g.w+1) + x0) * corners
		blocked := 0
		for j := range int32(4) {
			x1, y1 := int32(to.X)+j&1, int32(to.Y)+j>>1
			at := row + y1*(g.w+1) + x1
			word, bit := &c.lines[at>>5], uint(at&31)*2
			known := *word >> bit
			if known&1 == 0 {
				known = 1
				if l.flat(unit*x0, unit*y0, unit*x1, unit*y1, 0) {
					known = 3
				}
				*word |= known << bit
			}
			blocked += int(known >> 1 & 1)
		}
		if least = min(least, blocked); least == 0 {
			return 0
		}
	}
	return least
}
