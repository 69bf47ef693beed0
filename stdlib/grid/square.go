// Package grid is the geometry of a three-dimensional map of squares: distances, lines, areas, and paths. It computes
// where things are and how far apart. The package must never know what follows from that, or what a creature or a wall
// is: costs, flags and sizes come from outside, and a distance in feet is whatever a table of prices gives for its
// steps.
//
// A square is a cube of the grid: x runs right, y down the map, z up, one level per square. All arithmetic is exact, in
// small parts of a square. Every line starts and ends at half the height of a level, so on one level lines are
// horizontal.
//
// A line is blocked by a cell if it runs through its interior. It may run along a border if one of the sides is free,
// and through a point where cells touch if there is a way around that point through free cells.
//
// No argument makes the package panic, and nothing is allocated except the result slice. Values larger than MaxSide,
// MaxMap or MaxLevel are reduced to them.
package grid

import "cmp"

// Limits of the geometry.
const (
	MaxSide  = 8   // side of a box, in squares
	MaxMap   = 400 // width and height of a map, in squares
	MaxLevel = 255 // highest level; the lowest is -MaxLevel
)

// Lines are measured in parts of a square. A hair is so small that a line whose ends move by it crosses the same cells as
// if they moved by anything smaller, on the largest map: what decides is on which side of a corner it passes.
const (
	unitBits = 13
	unit     = 1 << unitBits // a square
	inUnit   = unit - 1      // masks the part of a coordinate within its square
	half     = unit / 2
	hair     = 1
)

// A Square is one cube of the grid.
type Square struct{ X, Y, Z int16 }

const (
	packTag  = 1 << 60
	packBias = 1 << 15
)

// Pack encodes s as one number, ordered by z, y, x, and far above any index.
func (s Square) Pack() int64 {
	return packTag | (int64(s.Z)+packBias)<<32 | (int64(s.Y)+packBias)<<16 | (int64(s.X) + packBias)
}

// Unpack is the inverse of Pack; ok is false for a number that Pack does not produce.
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

// Packed reports whether v is a number that Pack produces.
func Packed(v int64) bool { return v>>48 == packTag>>48 }

// Compare orders squares like Pack.
func (s Square) Compare(t Square) int { return cmp.Compare(s.Pack(), t.Pack()) }

// A Box is the cube that a creature or object fills: its smallest square, and its side in squares, limited to
// 1..MaxSide.
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

// Holds reports whether the square is in the box.
func (b Box) Holds(s Square) bool { return b.holds(int32(s.X), int32(s.Y), int32(s.Z)) }

func (b Box) holds(x, y, z int32) bool {
	s := uint32(b.side())
	return uint32(x-int32(b.At.X)) < s && uint32(y-int32(b.At.Y)) < s && uint32(z-int32(b.At.Z)) < s
}

// Overlap reports whether two boxes share a square.
func Overlap(a, b Box) bool {
	if a.Side <= 1 && b.Side <= 1 { // the most frequent case
		return a.At == b.At
	}
	return Steps(a, b) == 0
}
