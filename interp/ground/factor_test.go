package ground_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"arbiter/interp/machine"
	"arbiter/stdlib/grid"
)

// TestStepFactor walks at random over rubble, with creatures whose steps cost more by a factor, one of them hampered by
// no ground, and compares the price of each path with a sum over its steps.
func TestStepFactor(t *testing.T) {
	const side = 24
	r := rand.New(rand.NewPCG(5, 8))
	rubble := [side][side]bool{}
	rows := strings.Builder{}
	for y := range rubble {
		for x := range rubble[y] {
			sign := ".:."[r.IntN(3)]
			rubble[y][x] = sign == ':'
			rows.WriteByte(sign)
		}
		rows.WriteByte('\n')
	}
	m, _ := onMap(t, fmt.Sprintf("encounter \"x\" with d20\n\noverride creature.unhampered = size = small\n"+
		"define creature.step-factor = level\n\nmap \"\"\"\n%s\"\"\" { \":\": rubble }\n", rows.String()))
	const small = 3 // of the enum
	start := grid.Square{X: side / 2, Y: side / 2}
	size, level := fieldIndex(m, "size"), fieldIndex(m, "level")
	for _, c := range []struct {
		level, factor int
		unhampered    bool
	}{
		{1, 1, false}, {2, 2, false}, {3, 3, false}, {16, 16, false}, {1, 1, true}, {2, 2, true},
		{0, 1, false}, {-5, 1, false}, {1000, 64, false}, // out of bounds
	} {
		fields := map[int32]int64{level: int64(c.level)}
		if c.unhampered {
			fields[size] = small
		}
		who, err := m.Place(-1, machine.Placement{Square: start.Pack(), Fields: fields})
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			at, path, want, odd := start, []int64{start.Pack()}, 0, true
			for range 1 + r.IntN(12) {
				dx, dy := r.IntN(3)-1, r.IntN(3)-1
				next := grid.Square{X: at.X + int16(dx), Y: at.Y + int16(dy)}
				if dx == 0 && dy == 0 || next.X < 0 || next.Y < 0 || next.X >= side || next.Y >= side {
					continue
				}
				worse := c.factor
				if rubble[next.Y][next.X] && !c.unhampered {
					worse *= 2
				}
				switch {
				case dx == 0 || dy == 0:
					want += 5 * worse
				case worse > 1: // half as much again, rounded down as d20 does
					want += worse * 3 / 2 * 5
					odd = !odd
				case odd:
					want += 5
					odd = !odd
				default:
					want += 10
					odd = !odd
				}
				at = next
				path = append(path, at.Pack())
			}
			list := m.MakeList(path)
			got, err := m.Natives["path-length"](m, []int64{int64(who), list})
			m.State().Arena = m.State().Arena[:0]
			if err != nil || int(got) != want {
				t.Fatalf("%+v: a path of %d steps costs %d ft (%v), want %d", c, len(path)-1, got, err, want)
			}
		}
	}
}
