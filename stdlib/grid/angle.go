package grid

import "math"

// Slope returns the angle of ascent from a to b in whole degrees: from -90, straight down, to 90; 0 on the same level.
func Slope(a, b Square) int {
	_, d, _ := heading(a, b)
	return degrees(float64(d[2]), math.Hypot(float64(d[0]), float64(d[1])))
}

// Bend returns the angle in whole degrees between the direction from a to b and that from c to d, each from the center of
// the lowest level to that of the other: 0 for the same direction, 180 for opposite ones, and 0 if two centers are the
// same.
func Bend(a, b, c, d Box) int {
	p, q := towards(a, b), towards(c, d)
	if p == [3]int32{} || q == [3]int32{} {
		return 0
	}
	if p[2] == 0 && q[2] == 0 { // equivalent, but cheaper
		px, py, qx, qy := int64(p[0]), int64(p[1]), int64(q[0]), int64(q[1])
		dot, cross := px*qx+py*qy, px*qy-py*qx
		switch {
		case cross != 0:
			return degrees(math.Abs(float64(cross)), float64(dot))
		case dot < 0:
			return 180
		}
		return 0
	}
	var dot, cross float64
	for i := range p {
		j, k := (i+1)%3, (i+2)%3
		dot += float64(p[i]) * float64(q[i])
		cross = math.Hypot(cross, float64(p[j])*float64(q[k])-float64(p[k])*float64(q[j]))
	}
	return degrees(cross, dot)
}

// towards is the vector between the centers of the lowest levels of two boxes, in half squares.
func towards(a, b Box) [3]int32 {
	p, q, wider := a.low(), b.low(), b.side()-a.side()
	return [3]int32{2*(q[0]-p[0]) + wider, 2*(q[1]-p[1]) + wider, 2 * (q[2] - p[2])}
}

// OffCourse returns the square that contains a point the given number of squares from the center of b, on b's level.
// The direction to the point is that from the center of a to the center of b, turned right by degrees: clockwise on a
// map whose y grows downward. If the centers coincide, there is no direction: the point is then the center of b.
func OffCourse(a, b Box, degrees int, squares float64) Square {
	middle := func(at, side int32) float64 { return float64(at) + float64(side)/2 }
	x, y := middle(int32(b.At.X), b.side()), middle(int32(b.At.Y), b.side())
	dx, dy := x-middle(int32(a.At.X), a.side()), y-middle(int32(a.At.Y), a.side())
	if long := math.Hypot(dx, dy); long > 0 {
		sin, cos := math.Sincos(float64(degrees) * math.Pi / 180)
		x += (dx*cos - dy*sin) / long * squares
		y += (dx*sin + dy*cos) / long * squares
	}
	in := func(v float64) int16 { // undoes rounding errors across a border
		v = math.Floor(math.Round(v*1e6) / 1e6)
		return int16(max(math.MinInt16, min(math.MaxInt16, v)))
	}
	return Square{X: in(x), Y: in(y), Z: b.At.Z}
}

func degrees(y, x float64) int { return int(math.Round(math.Atan2(y, x) * 180 / math.Pi)) }
