// Package grid is the geometry of a map of squares in three dimensions: distances, lines,
// areas, and ways. It says what lies where and how far; it must never know what follows from
// that, nor what a creature or a wall is: costs, flags and sizes come from outside, and a
// distance is whatever a table of prices makes of its steps.
//
// A square is a cube of the lattice: x runs right, y down the map, z up. All arithmetic is exact,
// in whole halves of a square: corners of squares stand at even numbers, centres at odd ones, and
// every line runs at half height of a level, so that on one level lines are flat.
//
// A line is stopped by a cell if it runs through its interior. It runs along a border as long as
// one of the sides is free, and through a point in which cells touch as long as one can go round
// that point through free cells.
//
// No number makes anything here panic, and nothing is allocated but the slice that one is given
// to fill. What is larger than MaxSide, MaxMap or MaxLevel is cut down to it.
package grid

import "cmp"

// Bounds of what is computed with.
const (
	MaxSide  = 8   // squares of a box's side
	MaxMap   = 400 // squares of a map's width and height
	MaxLevel = 255 // highest level; the lowest is -MaxLevel
)

// A Square is one cube of the lattice.
type Square struct{ X, Y, Z int16 }

const (
	packTag  = 1 << 60
	packBias = 1 << 15
)

// Pack makes one number of s: ordered by z, y, x, and far above any index.
func (s Square) Pack() int64 {
	return packTag | (int64(s.Z)+packBias)<<32 | (int64(s.Y)+packBias)<<16 | (int64(s.X) + packBias)
}

// Unpack is the reverse of Pack; it refuses a number that Pack does not make.
func Unpack(v int64) (Square, bool) {
	if !Packed(v) {
		return Square{}, false
	}
	return Square{
		X: int16(v&0xffff - packBias),
		Y: int16(v>>16&0xffff - packBias),
		Z: int16(v>>32&0xffff - packBias),
	}, true
}

// Packed says whether a number is one that Pack makes.
func Packed(v int64) bool { return v>>48 == packTag>>48 }

// Compare orders squares as Pack does.
func (s Square) Compare(t Square) int { return cmp.Compare(s.Pack(), t.Pack()) }

// A Box is the cube that something fills: its smallest square, and its side in squares, of which
// less than 1 reads as 1 and more than MaxSide as MaxSide.
type Box struct {
	At   Square
	Side int16
}

// One returns the box of a single square.
func One(s Square) Box { return Box{At: s, Side: 1} }

func (b Box) side() int32 { return int32(min(max(b.Side, 1), MaxSide)) }

// low and high are the first and last squares of the box along the three axes.
func (b Box) low() [3]int32 { return [3]int32{int32(b.At.X), int32(b.At.Y), int32(b.At.Z)} }

func (b Box) high() [3]int32 {
	s := b.side() - 1
	return [3]int32{int32(b.At.X) + s, int32(b.At.Y) + s, int32(b.At.Z) + s}
}

// Holds says whether the square is one of the box's.
func (b Box) Holds(s Square) bool { return b.holds(int32(s.X), int32(s.Y), int32(s.Z)) }

func (b Box) holds(x, y, z int32) bool {
	s := uint32(b.side())
	return uint32(x-int32(b.At.X)) < s && uint32(y-int32(b.At.Y)) < s && uint32(z-int32(b.At.Z)) < s
}

// Overlap says whether two boxes share a square.
func Overlap(a, b Box) bool {
	if a.Side <= 1 && b.Side <= 1 { // as most are
		return a.At == b.At
	}
	return Steps(a, b) == 0
}
