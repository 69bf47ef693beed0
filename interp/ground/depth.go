package ground

import (
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/stdlib/grid"
)

// This file makes the ground for creatures that enter blocked terrain: for those that fly over a chasm, or have no
// body that a wall would stop.

// maxSoftGrounds is how many such grounds are cached. Fights rarely need more than one.
const maxSoftGrounds = 16

// softGround is the map's ground with fewer blocked cells.
type softGround struct {
	depths []int32 // how deep one may go into blocked squares, in squares, by class of the map
	ground *grid.Ground
}

// groundOf returns the ground on which a creature moves.
func (f *Field) groundOf(m *machine.Machine, who int64) *grid.Ground {
	if f.defines[ir.CoreDepth] < 0 {
		return f.Grid
	}
	return f.movementOf(m, who).ground
}

// IsOpenFor reports whether nothing in a square blocks a creature's way.
func (f *Field) IsOpenFor(m *machine.Machine, who int64, at grid.Square) bool {
	fits, _ := f.groundOf(m, who).Fits(grid.One(at))
	return fits
}

// softGroundFor returns the ground for a creature, by what the ruleset says about each terrain that blocks.
func (f *Field) softGroundFor(m *machine.Machine, who int64) *grid.Ground {
	if f.defines[ir.CoreDepth] < 0 || uint64(who) >= uint64(len(f.movements)) {
		return f.Grid
	}
	var few [8]int32 // not a field: the ruleset may ask for the ground of another creature meanwhile
	depths, deepest := few[:0], int32(0)
	for i := range f.Classes {
		d := f.depth(m, who, &f.Classes[i])
		depths = append(depths, d)
		deepest = max(deepest, d)
	}
	if deepest == 0 {
		return f.Grid
	}
	for i := range f.softGrounds {
		if slices.Equal(f.softGrounds[i].depths, depths) {
			return f.softGrounds[i].ground
		}
	}
	if len(f.softGrounds) == maxSoftGrounds {
		f.softGrounds = f.softGrounds[:0]
	}
	x := softGround{slices.Clone(depths), f.openBlocked(depths, deepest)}
	f.softGrounds = append(f.softGrounds, x)
	return x.ground
}

// depth returns how many squares deep a creature may go into blocked squares with these contents.
func (f *Field) depth(m *machine.Machine, who int64, c *Class) int32 {
	least := int32(0)
	for i, t := range c.blocked {
		if d := clampFeet(f.evalCoreDefine(m, ir.CoreDepth, 0, who, t)) / squareSide; i == 0 || d < least {
			least = d
		}
	}
	return least
}

// openBlocked copies the map's ground without the blocked cells whose distance from the nearest cell that is not
// blocked is at most the depth of their class. Diagonals count like other steps.
func (f *Field) openBlocked(depths []int32, deepest int32) *grid.Ground {
	g := grid.NewGround(f.Width, f.Height)
	var ring, next []grid.Square
	seen := make([]bool, len(f.class))
	for i := range f.class {
		s := grid.Square{X: int16(i % f.Width), Y: int16(i / f.Width)}
		c := f.Grid.At(int(s.X), int(s.Y))
		g.Set(int(s.X), int(s.Y), c)
		if c.Flags&grid.BlocksWay == 0 {
			seen[i] = true
			ring = append(ring, s)
		}
	}
	for far := int32(1); far <= deepest && len(ring) > 0; far++ {
		next = next[:0]
		for _, s := range ring {
			for _, to := range neighbors(s) {
				i := int(to.Y)*f.Width + int(to.X)
				if !f.Has(to) || seen[i] {
					continue
				}
				seen[i] = true
				next = append(next, to)
				if c := f.Grid.At(int(to.X), int(to.Y)); far <= depths[f.class[i]] {
					c.Flags &^= grid.BlocksWay
					g.Set(int(to.X), int(to.Y), c)
				}
			}
		}
		ring, next = next, ring
	}
	return g
}

// neighbors returns the squares that touch a square on its level, row by row.
func neighbors(s grid.Square) (list [8]grid.Square) {
	for i, d := range [8][2]int16{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}} {
		list[i] = grid.Square{X: s.X + d[0], Y: s.Y + d[1]}
	}
	return list
}
