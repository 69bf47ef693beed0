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
