package grid

import (
	"math/rand/v2"
	"testing"
)

// The lines that are drawn are those that are counted.
func TestBestLines(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	blocked := 0
	for range 2000 {
		g := NewGround(14, 14)
		for range random.IntN(30) {
			g.Set(random.IntN(14), random.IntN(14), Cell{Flags: []Flags{BlocksEffect, GivesCover, Conceals}[random.IntN(3)], Floor: int16(random.IntN(2))})
		}
		place := func() Box {
			return Box{At: Square{X: int16(random.IntN(11)), Y: int16(random.IntN(11)), Z: int16(random.IntN(2))}, Side: int16(1 + random.IntN(3))}
		}
		from, to := place(), place()
		if Overlap(from, to) {
			continue
		}
		how := &Lines{Stop: BlocksEffect | GivesCover, Whole: random.IntN(2) == 0, Inside: random.IntN(4) == 0, Touch: random.IntN(4) == 0}
		lines, got := g.BestLines(from, to, how), 0
		for _, l := range lines {
			if l.Blocked {
				got++
			}
		}
		if want := g.BlockedBest(from, to, how); got != want || len(lines) != 4 {
			t.Fatalf("%d of %d lines from %v to %v are blocked, want %d (%+v)", got, len(lines), from, to, want, how)
		}
		blocked += got
	}
	if blocked == 0 {
		t.Error("no line was blocked")
	}
}

// TestCornerLines: what is remembered of lines between corners gives the counts of BlockedBest, on maps with walls, low
// obstacles and heights, also after the ground has changed.
func TestCornerLines(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	for n := range 60 {
		g := NewGround(3+r.IntN(10), 3+r.IntN(10))
		heights := n%4 == 0
		change := func() {
			c := Cell{Flags: []Flags{BlocksEffect, GivesCover, BlocksWay, BlocksEffect | BlocksWay}[r.IntN(4)]}
			if heights {
				c.Floor = int16(r.IntN(2))
			}
			g.Set(r.IntN(int(g.w)), r.IntN(int(g.h)), c)
		}
		for range 6 {
			change()
		}
		stop := []Flags{BlocksEffect, BlocksEffect | GivesCover, 0}[n%3]
		lines := NewCornerLines(g, stop)
		square := func() Square {
			return Square{int16(r.IntN(int(g.w)+2) - 1), int16(r.IntN(int(g.h)+2) - 1), int16(r.IntN(4) / 3)}
		}
		for k := range 600 {
			if k%150 == 149 {
				change()
			}
			a, b := square(), square()
			if got, want := lines.BlockedBest(a, b), g.BlockedBest(One(a), One(b), &Lines{Stop: stop}); got != want {
				t.Fatalf("map %d, from %v to %v: %d lines, want %d\n%s", n, a, b, got, want, show(g))
			}
		}
	}
}
