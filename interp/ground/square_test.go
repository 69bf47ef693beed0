package ground_test

import (
	"testing"

	"arbiter/interp/ground"
	"arbiter/interp/machine"
	"arbiter/stdlib/grid"
)

// TestNearestFree checks that a creature placed near a square gets the nearest free one with enough room, not one on
// the other side of a wall.
func TestNearestFree(t *testing.T) {
	on, diags := read(t, "map \"\"\"\n  .....#..\n  .....#..\n  ##.###..\n  ........\n  ######..\n  .#......\n  \"\"\" { \"#\": wall }\n")
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	const medium, large, huge = 4, 5, 6
	type body struct {
		at   grid.Square
		size int64
	}
	at := func(x, y int16) grid.Square { return grid.Square{X: x, Y: y} }
	for _, x := range []struct {
		name  string
		there []body // creatures that are there already
		size  int64
		near  grid.Square
		want  grid.Square
		room  bool
	}{
		{"a free square", nil, medium, at(3, 1), at(3, 1), true},
		{"the nearest straight on, the uppermost first", []body{{at(3, 1), medium}}, medium, at(3, 1), at(3, 0), true},
		{"then the leftmost", []body{{at(3, 1), medium}, {at(3, 0), medium}}, medium, at(3, 1), at(2, 1), true},
		{"one step aslant before two straight on", []body{{at(1, 0), medium}, {at(0, 0), medium}, {at(0, 1), medium}}, medium, at(0, 0), at(1, 1), true},
		{"not through the wall", []body{{at(4, 0), medium}, {at(3, 0), medium}, {at(4, 1), medium}, {at(3, 1), medium}}, medium, at(4, 0), at(2, 0), true},
		{"around the wall, by the gap", []body{{at(0, 0), huge}, {at(3, 0), large}}, medium, at(2, 1), at(2, 3), true},
		{"from within a wall", nil, medium, at(5, 0), at(4, 0), true},
		{"with room for a large body", nil, large, at(2, 2), at(2, 0), true},
		{"past those who stand in the way", []body{{at(2, 2), medium}}, medium, at(2, 2), at(2, 1), true},
		{"where nobody gets out", []body{{at(0, 5), medium}}, medium, at(0, 5), at(0, 5), false},
		{"with no room for the huge", nil, huge, at(0, 5), at(0, 5), false},
	} {
		m := machine.New(d20(t))
		f, err := ground.Attach(m, on)
		if err != nil {
			t.Fatal(err)
		}
		size := int32(-1)
		for i, field := range m.Program().Kinds[0].Fields {
			if field.Name == "size" {
				size = int32(i)
			}
		}
		for i, b := range append(x.there, body{at(7, 5), x.size}) {
			if _, err := m.Place(-1, machine.Placement{Side: int32(i), Square: on.OnFloor(b.at).Pack(), Fields: map[int32]int64{size: b.size}}); err != nil {
				t.Fatal(err)
			}
		}
		got, room := f.NearestFree(m, int64(len(x.there)), on.OnFloor(x.near).Pack())
		if want := on.OnFloor(x.want).Pack(); got != want || room != x.room {
			t.Errorf("%s: %s %t, want %s %t", x.name, machine.FormatSquare(got), room, machine.FormatSquare(want), x.room)
		}
	}
}
