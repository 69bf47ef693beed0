package grid

import (
	"math"
	"slices"
	"testing"
	"time"
)

// TestWorstCases: the most expensive queries still finish quickly.
func TestWorstCases(t *testing.T) {
	g := NewGround(MaxMap, MaxMap)
	for y := range MaxMap {
		g.Set(200, y, Cell{Flags: BlocksEffect})
	}
	var f Finder
	for _, c := range []struct {
		name string
		ask  func()
	}{
		{"open", func() { g.HasLine(Box{at(0, 0, 0), 8}, Box{at(392, 390, 0), 8}, BlocksEffect, DrawnIn) }},
		{"blocked from above", func() {
			g.Blocked(Box{at(0, 0, 240), 8}, Box{at(392, 390, 0), 8}, BlocksEffect, []Box{One(at(190, 190, 5))})
		}},
		{"outside", func() {
			g.HasLine(Box{at(-32768, -32768, -32768), 8}, Box{at(32767, 32767, 32767), 8}, BlocksEffect, DrawnIn)
		}},
		{"flanks", func() { Flanks(Box{at(0, 0, 0), 8}, Box{at(8, 8, 8), 8}, Box{at(16, 16, 0), 8}) }},
		{"find", func() {
			m := Mover{Box: Box{at(0, 0, 0), 8}, Prices: feet5, Squeeze: true}
			f.Find(g, &m, nil, Goal{Near: One(at(399, 399, 9)), Max: -1}, nil, 1<<31-1)
		}},
		{"fly", func() {
			m := Mover{Box: One(at(0, 0, 0)), Prices: feet5, Fly: true}
			f.Find(g, &m, nil, Goal{Near: One(at(32767, 399, 255)), Max: 0}, nil, 1<<31-1)
		}},
		{"burst", func() { g.Burst(nil, at(200, 200, 0), 1<<31-1, 3, nil) }},
		{"spread", func() {
			maze := NewGround(MaxMap, MaxMap)
			for i := range MaxMap * MaxMap / 4 {
				maze.Set(i%(MaxMap/2)*2, i/(MaxMap/2)*2, Cell{Flags: BlocksEffect})
			}
			if squares, ok := f.Spread(nil, maze, at(201, 201, 0), 2000, feet5); ok || len(squares) == 0 {
				t.Errorf("a spread in a maze: %d squares, complete %t", len(squares), ok)
			}
			if squares, ok := f.Spread(nil, maze, at(201, 201, 0), 60, feet5); !ok || len(squares) < 200 {
				t.Errorf("a spread of 60 feet in a maze: %d squares, complete %t", len(squares), ok)
			}
		}},
		{"line", func() { g.LineArea(nil, at(-32768, 0, 0), at(32767, 1, 32767), 1<<31-1, math.MaxInt, nil) }},
	} {
		start := time.Now()
		c.ask()
		if d := time.Since(start); d > time.Minute {
			t.Errorf("%s takes %v", c.name, d)
		} else {
			t.Logf("%s: %v", c.name, d)
		}
	}
}

// A spread is complete if it has as much work as it takes, and not with one less.
func TestSpreadWork(t *testing.T) {
	maze := NewGround(100, 100)
	for i := range 2500 {
		maze.Set(i%50*2, i/50*2, Cell{Flags: BlocksEffect})
	}
	var f Finder
	want, left := f.spread(nil, maze, at(51, 51, 0), 60, feet5, maxSpreadWork)
	takes := maxSpreadWork - left
	if left < 0 || takes < 1000 {
		t.Fatalf("it takes %d", takes)
	}
	for _, work := range []int{takes - 1, takes, takes + 1} {
		got, left := f.spread(nil, maze, at(51, 51, 0), 60, feet5, work)
		if complete := work >= takes; left >= 0 != complete || complete && !slices.Equal(got, want) {
			t.Errorf("with %d of %d: %d squares of %d, %d left", work, takes, len(got), len(want), left)
		}
	}
}
