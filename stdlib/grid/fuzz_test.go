package grid

import "testing"

// FuzzGrid calls every function on a map and boxes made from bytes. Nothing may panic, and a path that is found costs
// what Find returned.
func FuzzGrid(f *testing.F) {
	f.Add(uint8(5), uint8(5), []byte{1, 2, 3, 4, 5, 6, 7, 8, 9}, int64(0), int64(0x300030001), int64(0x100010002), uint8(0), int32(60))
	f.Add(uint8(9), uint8(3), []byte{0, 0, 1, 0, 15}, int64(0x200000000), int64(0x7fff7fff7fff), int64(-1), uint8(255), int32(1<<31-1))
	f.Fuzz(func(t *testing.T, w, h uint8, cells []byte, a, b, c int64, bits uint8, feet int32) {
		g := NewGround(int(w%24), int(h%24))
		for i, v := range cells {
			g.Set(i%max(int(w%24), 1), i/max(int(w%24), 1), Cell{Flags: Flags(v), Factor: v >> 5, Floor: int16(int8(v<<2)) >> 5})
		}
		box := func(v int64) Box { return Box{at(int16(v), int16(v>>16), int16(v>>32)), int16(v >> 48)} }
		from, to, third := box(a), box(b), box(c)
		stop := Flags(bits)
		g.HasLine(from, to, stop, DrawnIn)
		best, all := g.Blocked(from, to, stop, []Box{third})
		if best < 0 || best > 4 || all < 0 || all > 16 {
			t.Fatalf("%d and %d lines", best, all)
		}
		g.HasLineFrom(third.At, to, stop)
		if n := g.BlockedBestFrom(third.At, to, stop, bits&1 != 0); n < 0 || n > 4 {
			t.Fatalf("%d lines from a corner", n)
		}
		Flanks(from, third, to)
		Slope(from.At, to.At)
		OffCourse(from, to, int(c), float64(feet)/5)
		Bend(from, to, third, from)
		if Steps(from, to) < 100 {
			Swept(nil, from, to.At)
		}
		g.Below(from)
		g.Fits(from)
		levels := int(bits % 5)
		var finder Finder
		spread, _ := finder.Spread(nil, g, from.At, feet, feet5)
		for _, area := range [][]Square{
			g.Within(nil, from, feet, levels, feet5),
			g.Ring(nil, from, feet, feet+20, levels, nil),
			g.Burst(nil, from.At, feet, levels, feet5),
			g.Cylinder(nil, from.At, feet, int32(bits), feet5),
			g.Cone(nil, from.At, to.At, feet, levels, feet5),
			g.LineArea(nil, from.At, to.At, feet, levels, feet5),
			spread,
		} {
			for i, s := range area {
				if i > 0 && area[i-1].Compare(s) >= 0 {
					t.Fatalf("%v is not in packed order", area)
				}
				if g.Stops(s, BlocksWay) && !g.Stops(Square{s.X, s.Y, MaxLevel}, BlocksWay) {
					t.Fatalf("%v is in the ground", s)
				}
			}
		}
		if Steps(from, to) < 2000 {
			Line(nil, from.At, to.At)
			Between(nil, from, to)
		}
		if Steps(third, to) < 2000 {
			BetweenFrom(nil, third.At, to)
		}
		StepAway(nil, from.At, to.At, int(bits))
		m := &Mover{
			Box: from, Prices: feet5, Diagonals: feet, CutCorners: bits&1 != 0, Fly: bits&2 != 0,
			Squeeze: bits&4 != 0, SqueezeFactor: bits >> 4,
		}
		others := []Occupant{{Box: third, Pass: bits&8 != 0, Share: bits&16 != 0}}
		if m.Fly && feet > 60 {
			feet = 60
		}
		finder.Reachable(nil, g, m, others, feet)
		goal := Goal{Near: to, Min: 0, Max: int32(bits % 16), Sight: stop & BlocksSight}
		if path, cost, ok := finder.Find(g, m, others, goal, []Square{to.At, third.At}, feet); ok {
			if paid, ok := finder.Cost(g, m, path); !ok || paid != cost || cost > feet && len(path) > 1 {
				t.Fatalf("the way %v costs %d %t, not %d of %d", path, paid, ok, cost, feet)
			}
			finder.Prefix(g, m, others, path, feet/2)
		}
	})
}
