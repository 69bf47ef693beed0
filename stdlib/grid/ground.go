package grid

import (
	"math/bits"
)

// Flags say what a cell blocks.
type Flags uint8

const (
	BlocksWay Flags = 1 << iota
	BlocksEffect
	BlocksSight
	Conceals   // blocks nothing itself, but can be queried like the others
	GivesCover // only on the floor's own level: a low obstacle
	solid      = BlocksWay | BlocksEffect | BlocksSight | GivesCover
	everyFlag  = solid | Conceals
)

// A Cell is one column of the map. Its flags apply from its floor up, its factor and GivesCover only on the floor's own
// level. Below the floor it is solid.
type Cell struct {
	Flags  Flags
	Factor uint8 // terrain factor of a step's price; 0 counts as 1
	Floor  int16 // the level on which creatures stand
}

// A Ground is the map. Everything outside it is solid, and solid cells have every flag.
type Ground struct {
	w, h        int32
	wordsPerRow int32    // in a row of marks
	cells       []Cell   // row by row
	marks       []uint64 // one bit for each cell that has flags or a floor above 0
	maxFloor    int16    // highest floor
	minFloor    int16    // lowest floor

	version uint32 // counts changes
}

// NewGround returns a map of plain cells, floor 0.
func NewGround(w, h int) *Ground {
	w, h = min(max(w, 0), MaxMap), min(max(h, 0), MaxMap)
	words := (w + 63) / 64
	return &Ground{
		w: int32(w), h: int32(h), wordsPerRow: int32(words),
		cells: make([]Cell, w*h), marks: make([]uint64, words*h),
	}
}

// At returns the cell of a column; outside the map a cell that is solid on every level.
func (g *Ground) At(x, y int) Cell {
	if uint(x) >= uint(g.w) || uint(y) >= uint(g.h) {
		return Cell{Flags: solid, Factor: 1, Floor: MaxLevel + 1}
	}
	return g.cells[y*int(g.w)+x]
}

// ColumnOf returns the index of the column on whose floor a square is, row by row; -1 for any other square.
func (g *Ground) ColumnOf(s Square) int {
	x, y := int32(s.X), int32(s.Y)
	if !g.inside(x, y) {
		return -1
	}
	i := y*g.w + x
	if g.cells[i].Floor != s.Z {
		return -1
	}
	return int(i)
}

// Set sets a cell and reports whether it is on the map.
func (g *Ground) Set(x, y int, c Cell) bool {
	if uint(x) >= uint(g.w) || uint(y) >= uint(g.h) {
		return false
	}
	c.Flags &= everyFlag
	c.Factor = min(c.Factor, MaxFactor)
	c.Floor = min(max(c.Floor, -MaxLevel), MaxLevel)
	g.maxFloor, g.minFloor = max(g.maxFloor, c.Floor), min(g.minFloor, c.Floor)
	g.cells[y*int(g.w)+x] = c
	g.version++
	word, bit := &g.marks[y*int(g.wordsPerRow)+x>>6], uint64(1)<<(x&63)
	*word &^= bit
	if c.Flags != 0 || c.Floor > 0 {
		*word |= bit
	}
	return true
}

// Stops reports whether the cell at s has one of the flags.
func (g *Ground) Stops(s Square, stop Flags) bool {
	return g.stops(int32(s.X), int32(s.Y), int32(s.Z), stop)
}

func (g *Ground) stops(x, y, z int32, stop Flags) bool {
	if uint32(x) >= uint32(g.w) || uint32(y) >= uint32(g.h) || z > MaxLevel {
		return stop&solid != 0
	}
	c := g.cells[y*g.w+x]
	switch floor := int32(c.Floor); {
	case z > floor:
		return c.Flags&stop&^GivesCover != 0
	case z < floor:
		return stop&solid != 0
	}
	return c.Flags&stop != 0
}

// Below returns the level where a box would land if it fell: the highest floor under it that is not above it. ok is
// false if no square of the box is over the map.
func (g *Ground) Below(b Box) (z int16, ok bool) {
	lo, hi := b.low(), b.high()
	z = -MaxLevel
	for y := max(lo[1], 0); y <= min(hi[1], g.h-1); y++ {
		for x := max(lo[0], 0); x <= min(hi[0], g.w-1); x++ {
			if f := g.cells[y*g.w+x].Floor; f <= b.At.Z {
				z, ok = max(z, f), true
			}
		}
	}
	return z, ok
}

// isClear reports whether certainly no cell of the rectangle blocks anything at level 0 or above; false may only mean
// that a closer check is needed.
func (g *Ground) isClear(x0, y0, x1, y1 int32) bool {
	if x0 < 0 || y0 < 0 || x1 >= g.w || y1 >= g.h {
		return false
	}
	if g.wordsPerRow == 1 {
		mask := bitMask(x0, x1)
		for y := y0; y <= y1; y++ {
			if g.marks[y]&mask != 0 {
				return false
			}
		}
		return true
	}
	for w := x0 >> 6; w <= x1>>6; w++ {
		mask := bitMask(max(x0-w<<6, 0), min(x1-w<<6, 63))
		for y := y0; y <= y1; y++ {
			if g.marks[y*g.wordsPerRow+w]&mask != 0 {
				return false
			}
		}
	}
	return true
}

// bitMask is a word with bits a to b set.
func bitMask(a, b int32) uint64 { return bits.RotateLeft64(^uint64(0)>>(63-(b-a)), int(a)) }
