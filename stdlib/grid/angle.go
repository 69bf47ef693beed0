package grid

import "math"

// Slope is the angle in whole degrees at which one climbs from a to b: from -90, straight down,
// to 90; 0 on one level.
func Slope(a, b Square) int {
	_, d, _ := heading(a, b)
	return degrees(float64(d[2]), math.Hypot(float64(d[0]), float64(d[1])))
}

// Bend is the angle in whole degrees between the way from a to b and the way from c to d: 0 for
// one direction, 180 for opposite ones. Where one of the ways is none it is 0.
func Bend(a, b, c, d Square) int {
	_, p, n := heading(a, b)
	_, q, m := heading(c, d)
	if n == 0 || m == 0 {
		return 0
	}
	if p[2] == 0 && q[2] == 0 { // the same in fewer words
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

// OffCourse is the square that holds the point so many squares from the middle of b, on the course that leads there from
// the middle of a and is turned by degrees to the right: clockwise as a map is drawn, its y growing downwards. The level is
// b's. From b itself no course leads there: the square is then b's own middle.
func OffCourse(a, b Box, degrees int, squares float64) Square {
	middle := func(at, side int32) float64 { return float64(at) + float64(side)/2 }
	x, y := middle(int32(b.At.X), b.side()), middle(int32(b.At.Y), b.side())
	dx, dy := x-middle(int32(a.At.X), a.side()), y-middle(int32(a.At.Y), a.side())
	if long := math.Hypot(dx, dy); long > 0 {
		sin, cos := math.Sincos(float64(degrees%360) * math.Pi / 180)
		x += (dx*cos - dy*sin) / long * squares
		y += (dx*sin + dy*cos) / long * squares
	}
	in := func(v float64) int16 { // what rounding has moved across a border is moved back
		v = math.Floor(math.Round(v*1e6) / 1e6)
		return int16(max(math.MinInt16, min(math.MaxInt16, v)))
	}
	return Square{X: in(x), Y: in(y), Z: b.At.Z}
}

func degrees(y, x float64) int { return int(math.Round(math.Atan2(y, x) * 180 / math.Pi)) }
