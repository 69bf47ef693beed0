package session

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// The functions about places return an answer or an error for any arguments: no square is too far away and no distance
// too long.
func TestPlacesAnswerAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	coordinate := func() int {
		if r.IntN(12) == 0 {
			return []int{-10_000, 10_000, -300, 300}[r.IntN(4)]
		}
		return r.IntN(16) - 3
	}
	square := func() string {
		if r.IntN(3) > 0 {
			return fmt.Sprintf("(%d, %d)", coordinate(), coordinate())
		}
		return fmt.Sprintf("(%d, %d, %d)", coordinate(), coordinate(), r.IntN(9)-4)
	}
	place := func() string {
		return []string{"self", "ogre", "bat", square()}[r.IntN(4)]
	}
	feet := func() string {
		return []string{"0 ft", "5 ft", "30 ft", "37 ft", "100000000 ft", "(0 - 5) * 1 ft"}[r.IntN(6)]
	}
	squares := func() string { return fmt.Sprintf("squares-within(%s, 10 ft)", place()) }
	path := func() string { return fmt.Sprintf("line(%s, %s)", place(), place()) }
	calls := []func() string{
		func() string { return fmt.Sprintf("distance(%s, %s)", place(), place()) },
		func() string { return fmt.Sprintf("steps(%s, %s)", place(), place()) },
		func() string { return fmt.Sprintf("adjacent(%s, %s)", place(), place()) },
		func() string { return fmt.Sprintf("elevation(%s)", place()) },
		func() string { return fmt.Sprintf("ground-below(%s)", place()) },
		func() string { return fmt.Sprintf("slope(%s, %s)", place(), place()) },
		func() string { return fmt.Sprintf("bend(%s, %s, %s, %s)", place(), place(), place(), place()) },
		func() string { return fmt.Sprintf("line-of-effect(%s, %s)", place(), place()) },
		func() string { return fmt.Sprintf("line-of-sight(%s, %s)", place(), place()) },
		func() string { return fmt.Sprintf("lines-blocked(%s, %s)", place(), place()) },
		func() string { return fmt.Sprintf("lines-dimmed(%s, %s)", place(), place()) },
		func() string { return fmt.Sprintf("lines-brushed(%s, %s)", place(), place()) },
		func() string { return fmt.Sprintf("lines-screened(%s, %s, creatures)", place(), place()) },
		func() string { return fmt.Sprintf("lines-obstructed(%s, %s, creatures)", place(), place()) },
		func() string { return fmt.Sprintf("some-line-blocked(%s, %s)", place(), place()) },
		func() string { return fmt.Sprintf("flanks(%s, %s, %s)", place(), place(), place()) },
		func() string { return fmt.Sprintf("length(squares-within(%s, %s))", place(), feet()) },
		func() string { return fmt.Sprintf("length(squares-between(%s, %s))", place(), place()) },
		func() string { return fmt.Sprintf("steps-from(%s, %s)", square(), place()) },
		func() string { return fmt.Sprintf("length(squares-aligned(%s, %s))", place(), square()) },
		func() string { return fmt.Sprintf("length(squares-of(%s))", place()) },
		func() string { return fmt.Sprintf("length(creatures-in(%s))", squares()) },
		func() string { return fmt.Sprintf("corner-line-of-effect(%s, %s)", square(), place()) },
		func() string { return fmt.Sprintf("corner-lines-blocked(%s, %s)", square(), place()) },
		func() string { return fmt.Sprintf("length(corner-squares-between(%s, %s))", square(), place()) },
		func() string { return fmt.Sprintf("length(burst(%s, %s))", square(), feet()) },
		func() string { return fmt.Sprintf("length(spread(%s, %s))", square(), feet()) },
		func() string { return fmt.Sprintf("length(cone(%s, %s, %s))", square(), square(), feet()) },
		func() string { return fmt.Sprintf("length(ray(%s, %s, %s))", square(), square(), feet()) },
		func() string { return fmt.Sprintf("length(cylinder(%s, %s, %s))", square(), feet(), feet()) },
		func() string { return fmt.Sprintf("length(squares-crossed(%s))", path()) },
		func() string { return fmt.Sprintf("path-end(%s)", path()) },
		func() string { return fmt.Sprintf("straight(%s)", path()) },
		func() string { return fmt.Sprintf("step-away(%s, %s, %s)", place(), place(), feet()) },
		func() string {
			return fmt.Sprintf("off-course(%s, %s, %d, %s)", place(), place(), r.IntN(800)-400, feet())
		},
		func() string { return fmt.Sprintf("free(%s)", square()) },
		func() string { return fmt.Sprintf("length(squares-filled(%s))", square()) },
		func() string { return "squeezed" },
		func() string { return fmt.Sprintf("path-length(line(self, %s))", place()) },
		func() string { return fmt.Sprintf("path-part(line(self, %s), %s)", place(), feet()) },
		func() string { return fmt.Sprintf("path-to(%s) avoiding %s", square(), squares()) },
		func() string { return fmt.Sprintf("path-within(%s, %s)", place(), feet()) },
		func() string { return fmt.Sprintf("path-between(%s, %s, %s)", place(), feet(), feet()) },
		func() string { return fmt.Sprintf("path-in-sight(%s, %s)", place(), feet()) },
		func() string { return fmt.Sprintf("length(reachable(%s))", feet()) },
	}
	const head = `encounter "x" with d20
creature one { level: 1 }
creature giant { size: huge }
creature flier { size: tiny; aloft: yes }
kind creature { aloft: flag }
override creature.flies = aloft
override creature.corporeal = not aloft
map """
..........
.A.#....B.
...#..:...
.:..o.....
..........
.C.##.....
..........
..........
""" { "#": wall; ":": rubble, fog; "o": ledge }
side a { one Ann at "A"; flier Bat at (8, 1, 3) }
side b { giant Ogre at (6, 4) }
`
	failures := 0
	for range 12 {
		var b strings.Builder
		b.WriteString(head)
		for _, who := range []string{"Ann", "Bat", "Ogre"} {
			fmt.Fprintf(&b, "%s: ask for Bat against Ogre\n", who)
		}
		b.WriteString("procedure ask for bat: creature against ogre: creature {\n")
		for range 3 {
			for _, call := range calls {
				fmt.Fprintf(&b, "  note \"{%s}\"\n", call())
			}
			fmt.Fprintf(&b, "  self moves to %s\n  self moves %s away from %s\n  self moves %s toward %s by walking\n", place(), feet(), place(), feet(), place())
		}
		b.WriteString("}\n")
		s := opened(t, b.String())
		p := Play(s, s.File.Body, Options{})
		for _, f := range p.Failures {
			if f.Code != "failed" || strings.Contains(f.Message, "fault") {
				t.Fatalf("%s: %s\n%s", f.Code, f.Message, b.String())
			}
		}
		failures += len(p.Failures)
	}
	if failures > 9 {
		t.Errorf("%d of 12 scripts broke off: too little has been asked", failures)
	}
}

// The squares that a creature would fill in a place are those it fills there, whatever its size.
func TestSquaresFilled(t *testing.T) {
	s := opened(t, `encounter "x" with d20
creature giant { size: huge }
creature mouse { size: tiny }
side a { giant Ogre at (6, 4); mouse Mo at (20, 20) }
procedure try-out {
  for each spot in [(1, 2), (30, 2), (9, 9)] {
    let there = squares-filled(spot)
    self moves to spot
    note "wrong at {spot}: {there}" when self.square = spot and (there != squares-of(self) or length(there) = 0)
  }
}
Ogre: try-out
Mo: try-out
expect Ogre.square = (9, 9)
`)
	p := Play(s, s.File.Body, Options{})
	if len(p.Failures) > 0 || strings.Contains(p.Output, "wrong") {
		t.Errorf("%v\n%s", p.Failures, p.Output)
	}
}
