package grid

import (
	"math/rand/v2"
	"testing"
)

// hall is a map of 40 by 30 squares with walls, difficult terrain and ten occupants.
func hall() (*Ground, []Occupant) {
	r := rand.New(rand.NewPCG(1, 2))
	g := NewGround(40, 30)
	for range 60 {
		g.Set(r.IntN(40), r.IntN(30), Cell{Flags: BlocksWay | BlocksEffect | BlocksSight})
	}
	for range 80 {
		g.Set(r.IntN(40), r.IntN(30), Cell{Factor: 2})
	}
	var others []Occupant
	for range 10 {
		others = append(others, Occupant{Box: One(at(int16(r.IntN(40)), int16(r.IntN(30)), 0))})
	}
	g.Set(3, 4, Cell{})
	return g, others
}

func BenchmarkFind(b *testing.B) {
	g, others := hall()
	var avoid []Square
	for _, o := range others {
		avoid = g.Within(avoid, o.Box, 5, 0, feet5)
	}
	for _, c := range []struct {
		name  string
		m     Mover
		goal  Goal
		avoid []Square
		limit int32
	}{
		{"near", Mover{}, Goal{Near: One(at(9, 8, 0)), Min: 5, Max: 5}, nil, 60},
		{"near,avoid", Mover{}, Goal{Near: One(at(9, 8, 0)), Min: 5, Max: 5}, avoid, 60},
		{"across", Mover{}, Goal{Near: One(at(36, 26, 0)), Min: 5, Max: 5}, nil, 1000},
		{"across,avoid", Mover{}, Goal{Near: One(at(36, 26, 0)), Min: 5, Max: 5}, avoid, 1000},
		{"sight", Mover{}, Goal{Near: One(at(12, 25, 0)), Min: 5, Max: 50, Sight: BlocksEffect}, nil, 60},
		{"none", Mover{}, Goal{Near: One(at(36, 26, 0)), Min: 5, Max: 5}, nil, 60},
		{"large", Mover{Box: Box{Side: 2}}, Goal{Near: One(at(9, 8, 0)), Min: 5, Max: 5}, nil, 60},
		{"large,squeezing", Mover{Box: Box{Side: 2}, Squeeze: true, SqueezeFactor: 2}, Goal{Near: One(at(9, 8, 0)), Min: 5, Max: 5}, nil, 60},
		{"flier", Mover{Fly: true}, Goal{Near: One(at(9, 8, 0)), Min: 5, Max: 5}, nil, 60},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.m.Box.At, c.m.Prices = at(3, 4, 0), feet5
			var f Finder
			b.ReportAllocs()
			for b.Loop() {
				f.Find(g, &c.m, others, c.goal, c.avoid, c.limit)
			}
			b.ReportMetric(float64(len(f.labels)), "labels")
		})
	}
	b.Run("reachable", func(b *testing.B) {
		var f Finder
		var dst []Square
		m := Mover{Box: One(at(3, 4, 0)), Prices: feet5}
		b.ReportAllocs()
		for b.Loop() {
			dst = f.Reachable(dst[:0], g, &m, others, 30)
		}
		b.ReportMetric(float64(len(dst)), "squares")
	})
}

func BenchmarkLines(b *testing.B) {
	g, others := hall()
	empty := NewGround(40, 30)
	var bodies []Box
	for _, o := range others {
		bodies = append(bodies, o.Box)
	}
	for _, c := range []struct {
		name     string
		g        *Ground
		from, to Box
		bodies   []Box
	}{
		{"empty", empty, One(at(3, 4, 0)), One(at(12, 9, 0)), nil},
		{"bodies", empty, One(at(3, 4, 0)), One(at(12, 9, 0)), bodies},
		{"walls", g, One(at(3, 4, 0)), One(at(12, 9, 0)), bodies},
		{"large", g, Box{at(3, 4, 0), 2}, Box{at(12, 9, 0), 2}, bodies},
		{"colossal", g, Box{at(3, 4, 0), 6}, Box{at(30, 9, 0), 6}, bodies},
		{"from above", g, One(at(3, 4, 4)), One(at(12, 9, 0)), bodies},
	} {
		b.Run("blocked,"+c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.g.Blocked(c.from, c.to, BlocksEffect|GivesCover, c.bodies)
			}
		})
		b.Run("open,"+c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.g.HasLine(c.from, c.to, BlocksEffect, DrawnIn)
			}
		})
	}
	b.Run("flanks", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Flanks(One(at(0, 1, 0)), One(at(1, 1, 0)), One(at(2, 2, 0)))
		}
	})
	b.Run("flanks,colossal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Flanks(Box{at(-6, 0, 0), 6}, Box{at(0, 0, 0), 6}, Box{at(0, 6, 0), 6})
		}
	})
	b.Run("distance", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Distance(One(at(3, 4, 0)), Box{at(12, 9, 0), 2}, feet5)
		}
	})
}

func BenchmarkAreas(b *testing.B) {
	g, _ := hall()
	var dst []Square
	var f Finder
	for _, c := range []struct {
		name string
		area func(dst []Square) []Square
	}{
		{"within", func(dst []Square) []Square { return g.Within(dst, One(at(9, 9, 0)), 5, 0, feet5) }},
		{"burst", func(dst []Square) []Square { return g.Burst(dst, at(9, 9, 0), 20, 0, feet5) }},
		{"ball", func(dst []Square) []Square { return g.Burst(dst, at(9, 9, 0), 20, 4, feet5) }},
		{"cone", func(dst []Square) []Square { return g.Cone(dst, at(9, 9, 0), at(14, 9, 0), 30, 0, feet5) }},
		{"line", func(dst []Square) []Square { return g.LineArea(dst, at(9, 9, 0), at(14, 12, 0), 60, 0, feet5) }},
		{"spread", func(dst []Square) []Square {
			dst, _ = f.Spread(dst, g, at(9, 9, 0), 20, feet5)
			return dst
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			dst = c.area(dst[:0])
			b.ReportAllocs()
			for b.Loop() {
				dst = c.area(dst[:0])
			}
		})
	}
}
