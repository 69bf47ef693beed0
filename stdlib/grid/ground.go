package grid

import (
	"math/bits"
)

// Flags say what a cell stops.
type Flags uint8

const (
	BlocksWay Flags = 1 << iota
	BlocksEffect
	BlocksSight
	Conceals   // stops nothing by itself; one may ask for it like for the others
	GivesCover // only on the floor's own level: a low obstacle
	solid      = BlocksWay | BlocksEffect | BlocksSight | GivesCover
	everyFlag  = solid | Conceals
)

// A Cell is one column of the map. Its flags hold from its floor up, its factor and GivesCover
// only on the floor's own level. Below the floor it is solid.
type Cell struct {
	Flags  Flags
	Factor uint8 // of a step's price; 0 reads as 1
	Floor  int16 // the level one stands on
}

// A Ground is the map. Outside it everything is solid, and solid ground has every flag.
type Ground struct {
	w, h  int32
	words int32    // of a row of marks
	cells []Cell   // row by row
	marks []uint64 // a bit for each cell that has flags or a floor above 0
	top   int16    // no floor is higher
	base  int16    // nor lower

	version uint32 // counts changes
}

// NewGround returns a map of plain cells, floor 0.
func NewGround(w, h int) *Ground {
	w, h = min(max(w, 0), MaxMap), min(max(h, 0), MaxMap)
	words := (w + 63) / 64
	return &Ground{
		w: int32(w), h: int32(h), words: int32(words),
		cells: make([]Cell, w*h), marks: make([]uint64, words*h),
	}
}

// At returns the cell of a column; outside the map one that is solid on every level.
func (g *Ground) At(x, y int) Cell {
	if uint(x) >= uint(g.w) || uint(y) >= uint(g.h) {
		return Cell{Flags: solid, Factor: 1, Floor: MaxLevel + 1}
	}
	return g.cells[y*int(g.w)+x]
}

// Set puts a cell on the map and says whether it lies there.
func (g *Ground) Set(x, y int, c Cell) bool {
	if uint(x) >= uint(g.w) || uint(y) >= uint(g.h) {
		return false
	}
	c.Flags &= everyFlag
	c.Factor = min(c.Factor, MaxFactor)
	c.Floor = min(max(c.Floor, -MaxLevel), MaxLevel)
	g.top, g.base = max(g.top, c.Floor), min(g.base, c.Floor)
	g.cells[y*int(g.w)+x] = c
	g.version++
	word, bit := &g.marks[y*int(g.words)+x>>6], uint64(1)<<(x&63)
	*word &^= bit
	if c.Flags != 0 || c.Floor > 0 {
		*word |= bit
	}
	return true
}

// Stops says whether the cell at s has one of the flags.
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

// Below returns the level on which a box would come to stand if it fell: the highest floor under
// it that is not above it. It is false if no square of the box is over the map.
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

// clear says that no cell of the rectangle can stop anything at level 0 and above. A false may
// only mean that looking closer is needed.
func (g *Ground) clear(x0, y0, x1, y1 int32) bool {
	if x0 < 0 || y0 < 0 || x1 >= g.w || y1 >= g.h {
		return false
	}
	if g.words == 1 {
		mask := span(x0, x1)
		for y := y0; y <= y1; y++ {
			if g.marks[y]&mask != 0 {
				return false
			}
		}
		return true
	}
	for w := x0 >> 6; w <= x1>>6; w++ {
		mask := span(max(x0-w<<6, 0), min(x1-w<<6, 63))
		for y := y0; y <= y1; y++ {
			if g.marks[y*g.words+w]&mask != 0 {
				return false
			}
		}
	}
	return true
}

// span is a word with the bits from a to b set.
func span(a, b int32) uint64 { return bits.RotateLeft64(^uint64(0)>>(63-(b-a)), int(a)) }
