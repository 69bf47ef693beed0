package ground_test

import (
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/ground"
	"arbiter/interp/machine"
	"arbiter/lang/ast"
	"arbiter/rules"
	"arbiter/stdlib/grid"
)

// TestDepth draws where creatures can stay that go 10 ft deep into walls, but not into force: `o` in the open, `w` in a
// wall. The second creature has a body.
func TestDepth(t *testing.T) {
	const script = `encounter "x" with d20

override creature.corporeal = size = small
override creature.incorporeal-depth = 10 ft

map """
  .######
  #######
  ######!
  ####...
  ####.#~
  """ { "#": wall; "!": force-wall; "~": chasm }
`
	m, on := onMap(t, script)
	const small = 3 // of the enum
	size := fieldIndex(m, "size")
	for i, fields := range []map[int32]int64{nil, {size: small}} {
		if _, err := m.Place(-1, machine.Placement{Square: grid.Square{X: int16(4 + 2*i), Y: 3}.Pack(), Fields: fields}); err != nil {
			t.Fatal(err)
		}
	}
	for who, want := range []string{`
		oww----
		wwwwwww
		wwwwww-
		--wwoo-
		--wwoww`, `
		o------
		-------
		-------
		-----oo
		----o--`} {
		for range 2 { // the second time from the cache
			var b strings.Builder
			for y := range on.Height {
				b.WriteString("\n\t\t")
				for x := range on.Width {
					at := grid.Square{X: int16(x), Y: int16(y)}
					v, known := m.FastNatives["free"](m, int64(who), at.Pack())
					if slow, err := m.Natives["free"](m, []int64{int64(who), at.Pack()}); err != nil || known && slow != v {
						t.Fatalf("%v: %d %v, but quickly %d", at, slow, err, v)
					} else {
						v = slow
					}
					switch {
					case v == 0:
						b.WriteByte('-')
					case on.Grid.Stops(at, grid.BlocksWay):
						b.WriteByte('w')
					default:
						b.WriteByte('o')
					}
				}
			}
			if b.String() != want {
				t.Errorf("creature %d:%s\nwant%s", who, b.String(), want)
			}
		}
	}
}

// onMap compiles an encounter and puts its map, without creatures, on a machine.
func onMap(t *testing.T, script string) (*machine.Machine, *ground.Map) {
	t.Helper()
	s, diags, err := build.Source("x.encounter", []byte(script), build.Options{Library: rules.FS})
	if err != nil || s.Rules == nil {
		t.Fatal(diags, err)
	}
	var on *ground.Map
	for _, cl := range s.File.Body {
		if n, ok := cl.(*ast.Map); ok {
			on, diags = ground.Read("x.encounter", s.Rules.Program, n)
		}
	}
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	m := machine.New(s.Rules.Program)
	if _, err := ground.Attach(m, on); err != nil {
		t.Fatal(err)
	}
	return m, on
}

// fieldIndex returns the index of a field of creatures.
func fieldIndex(m *machine.Machine, name string) int32 {
	for i, f := range m.Program().Kinds[0].Fields {
		if f.Name == name {
			return int32(i)
		}
	}
	return -1
}
