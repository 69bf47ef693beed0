package grid

// This file lists the squares of areas. They are appended in packed order, each once, and clipped to the map: its
// sides, its floors and its highest level. Areas ignore what blocks an effect on the way; see HasLineFrom for that.
//
// An area starts at a grid intersection, given by the square that has it as the corner with the smallest coordinates. A
// square is in the area if its far edge is in range: its distance is the price in feet of the steps from the
// intersection that cover the whole square. levels is the number of levels that an area may extend up and down; 0 gives
// the flat template on the origin's level.

// Within appends the squares at most feet from the box, including the box itself.
func (g *Ground) Within(dst []Square, box Box, feet int32, levels int, p *Prices) []Square {
	return g.Ring(dst, box, -1, feet, levels, p)
}

// Ring appends the squares that are more than inner feet and at most outer feet from the box.
func (g *Ground) Ring(dst []Square, box Box, inner, outer int32, levels int, p *Prices) []Square {
	p = p.orUnit()
	lo, hi := box.low(), box.high()
	r := g.around(lo, hi, outer, levels, p)
	for z := r.lo[2]; z <= r.hi[2]; z++ {
		dz := max(lo[2]-z, z-hi[2], 0)
		for y := r.lo[1]; y <= r.hi[1]; y++ {
			dy := max(lo[1]-y, y-hi[1], 0)
			row := g.cells[y*g.w : (y+1)*g.w]
			for x := r.lo[0]; x <= r.hi[0]; x++ {
				if int32(row[x].Floor) > z {
					continue
				}
				if d := p.offsetPrice([3]int32{max(lo[0]-x, x-hi[0], 0), dy, dz}); inner < d && d <= outer {
					dst = append(dst, Square{int16(x), int16(y), int16(z)})
				}
			}
		}
	}
	return dst
}

// Burst appends the ball with a radius in feet around the origin: a flat disk if levels is 0.
func (g *Ground) Burst(dst []Square, origin Square, radius int32, levels int, p *Prices) []Square {
	p = p.orUnit()
	o := One(origin).low()
	return g.appendWhere(dst, o, o, radius, levels, p, func(x, y, z int32) bool {
		return p.offsetPrice([3]int32{stepsToFarEdge(x - o[0]), stepsToFarEdge(y - o[1]), stepsToFarEdge(z - o[2])}) <= radius
	})
}

// stepsToFarEdge returns the number of steps from a border to the far edge of the square that starts d squares from it.
func stepsToFarEdge(d int32) int32 {
	if d < 0 {
		return -d
	}
	return d + 1
}

// Cylinder appends a flat burst, with a radius in feet, on the origin's level and on those above it. height is in feet;
// a level that it only partly reaches is included.
func (g *Ground) Cylinder(dst []Square, origin Square, radius, height int32, p *Prices) []Square {
	p = p.orUnit()
	o := One(origin).low()
	if height <= 0 {
		return dst
	}
	top := o
	top[2] += min((height-1)/p.step[straight][1], 2*MaxLevel)
	return g.appendWhere(dst, o, top, radius, 0, p, func(x, y, _ int32) bool {
		return p.offsetPrice([3]int32{stepsToFarEdge(x - o[0]), stepsToFarEdge(y - o[1])}) <= radius
	})
}

// Cone appends a quarter circle of the given length in feet that starts at the origin: the squares of the burst whose
// centers are at most 45 degrees from the cone's direction. That is the direction closest to the center of toward, out
// of the eight on the map or the twenty-six in space. Vertical distance is measured from half the height of the
// origin's level.
func (g *Ground) Cone(dst []Square, origin, toward Square, feet int32, levels int, p *Prices) []Square {
	p = p.orUnit()
	o := One(origin).low()
	dir := direction(aimVector(origin, toward))
	size := dot(dir, dir)
	return g.appendWhere(dst, o, o, feet, levels, p, func(x, y, z int32) bool {
		c := [3]int32{2*(x-o[0]) + 1, 2*(y-o[1]) + 1, 2 * (z - o[2])}
		along := dot(c, dir)
		return along > 0 && 2*along*along >= size*dot(c, c) && p.offsetPrice(stepsFromOrigin(o, x, y, z)) <= feet
	})
}

// stepsFromOrigin returns the number of steps along each axis from the origin to the far edge of a square, starting
// from half the height of the origin's level.
func stepsFromOrigin(o [3]int32, x, y, z int32) [3]int32 {
	return [3]int32{stepsToFarEdge(x - o[0]), stepsToFarEdge(y - o[1]), max(z-o[2], o[2]-z) + 1}
}

// aimVector is the vector, in half squares, from the intersection, at half the height of its level, to the center of
// toward.
func aimVector(origin, toward Square) [3]int32 {
	_, d, _ := heading(origin, toward)
	return [3]int32{2*d[0] + 1, 2*d[1] + 1, 2 * d[2]}
}

// direction returns the one of the twenty-six directions that is closest to d.
func direction(d [3]int32) (dir [3]int32) {
	var best, bestSize int64 = 0, 1
	for i := range int32(27) {
		c := [3]int32{i%3 - 1, i/3%3 - 1, i/9 - 1}
		// The larger cosine: its square is along*along / (size * |d|^2).
		along, size := dot(c, d), dot(c, c)
		if along > 0 && along*along*bestSize > best*best*size {
			dir, best, bestSize = c, along, size
		}
	}
	return dir
}

func dot(a, b [3]int32) int64 {
	return int64(a[0])*int64(b[0]) + int64(a[1])*int64(b[1]) + int64(a[2])*int64(b[2])
}

// LineArea appends the squares whose interior is crossed by a ray of the given length in feet. It starts at the origin,
// at half the height of its level, and passes through the center of toward.
func (g *Ground) LineArea(dst []Square, origin, toward Square, feet int32, levels int, p *Prices) []Square {
	p = p.orUnit()
	o := One(origin).low()
	start, d := [3]int32{unit * o[0], unit * o[1], unit*o[2] + half}, aimVector(origin, toward)
	first := len(dst)
	r := newRay(start, [3]int32{start[0] + half*d[0], start[1] + half*d[1], start[2] + half*d[2]})
	for !g.hasLeft(&r) {
		c := r.cell
		if p.offsetPrice(stepsFromOrigin(o, c[0], c[1], c[2])) > feet || int(max(c[2]-o[2], o[2]-c[2])) > min(levels, MaxLevel) {
			break
		}
		if g.isFree(c[0], c[1], c[2]) {
			dst = append(dst, Square{int16(c[0]), int16(c[1]), int16(c[2])})
		}
		r.cross(r.crossing())
	}
	sortSquares(dst[first:])
	return dst
}

// hasLeft reports whether the ray has left the map for good.
func (g *Ground) hasLeft(r *ray) bool {
	return r.dir[0] > 0 && r.cell[0] >= g.w || r.dir[0] < 0 && r.cell[0] < 0 ||
		r.dir[1] > 0 && r.cell[1] >= g.h || r.dir[1] < 0 && r.cell[1] < 0
}

func (g *Ground) inside(x, y int32) bool { return uint32(x) < uint32(g.w) && uint32(y) < uint32(g.h) }

// isFree reports whether a cell is on the map and not solid.
func (g *Ground) isFree(x, y, z int32) bool {
	return g.inside(x, y) && z <= MaxLevel && int32(g.cells[y*g.w+x].Floor) <= z
}

// appendWhere appends the squares of the map for which in is true, checking only those that a path of that many feet
// can reach.
func (g *Ground) appendWhere(dst []Square, lo, hi [3]int32, feet int32, levels int, p *Prices, in func(x, y, z int32) bool) []Square {
	r := g.around(lo, hi, feet, levels, p)
	for z := r.lo[2]; z <= r.hi[2]; z++ {
		for y := r.lo[1]; y <= r.hi[1]; y++ {
			for x := r.lo[0]; x <= r.hi[0]; x++ {
				if int32(g.cells[y*g.w+x].Floor) <= z && in(x, y, z) {
					dst = append(dst, Square{int16(x), int16(y), int16(z)})
				}
			}
		}
	}
	return dst
}

// A cuboid of the map, both ends included; it is empty if hi is below lo on some axis.
type cuboid struct{ lo, hi [3]int32 }

// around returns the cuboid that paths of that many feet from between two corners can reach.
func (g *Ground) around(lo, hi [3]int32, feet int32, levels int, p *Prices) cuboid {
	if feet < 0 {
		return cuboid{hi: [3]int32{-1, -1, -1}}
	}
	r := min(feet/p.cheapestPlain, 1<<20)
	up := min(r, int32(min(max(levels, 0), MaxLevel)))
	return cuboid{
		[3]int32{max(lo[0]-r, 0), max(lo[1]-r, 0), max(lo[2]-up, int32(g.minFloor))},
		[3]int32{min(hi[0]+r, g.w-1), min(hi[1]+r, g.h-1), min(hi[2]+up, MaxLevel)},
	}
}
