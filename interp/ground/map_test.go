package ground_test

import (
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/ground"
	"arbiter/interp/program"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
	"arbiter/rules"
	"arbiter/stdlib/grid"
)

// d20 returns the rules for the maps in these tests.
func d20(t testing.TB) *program.Program {
	t.Helper()
	s, diags, err := build.Source("x.encounter", []byte("encounter \"x\" with d20\n"), build.Options{Library: rules.FS})
	if err != nil || s.Rules == nil {
		t.Fatal(diags, err)
	}
	return s.Rules.Program
}

// read reads a map as a script writes it.
func read(t testing.TB, text string) (*ground.Map, diag.List) {
	t.Helper()
	f, _ := parse.File("x.encounter", []byte("encounter \"x\" with d20\n"+text))
	for _, cl := range f.Body {
		if n, ok := cl.(*ast.Map); ok {
			return ground.Read("x.encounter", d20(t), n)
		}
	}
	t.Fatal("no map in", text)
	return nil, nil
}

func TestRead(t *testing.T) {
	m, diags := read(t, "map \"\"\"\n    ##:#\n\n    #.A \n\t\"\"\" { \"#\": wall; \":\": rubble, fog }\n")
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	if m.Width != 4 || m.Height != 3 {
		t.Errorf("%d by %d squares", m.Width, m.Height)
	}
	if c := m.Grid.At(2, 0); c.Factor != 2 || c.Flags != grid.Conceals {
		t.Errorf("rubble in fog is %+v", c)
	}
	if c := m.Grid.At(0, 2); c.Flags != grid.BlocksWay|grid.BlocksEffect|grid.BlocksSight {
		t.Errorf("a wall is %+v", c)
	}
	if at := m.SquaresWith("A"); len(at) != 1 || at[0] != (grid.Square{X: 2, Y: 2}) {
		t.Errorf("A stands at %v", at)
	}
	if !m.Has(grid.Square{X: 3, Y: 2}) || m.Has(grid.Square{X: 4}) {
		t.Error("the map's borders")
	}
}

// TestMistakes checks the diagnostics for mistakes in maps.
func TestMistakes(t *testing.T) {
	for _, x := range []struct{ text, message, hint string }{
		{`map """..%"""`, `the legend does not say what "%" at (2, 0) means`, `{ "%": wall }`},
		{`map """   """`, "no squares", "draw rows"},
		{`map """.""" { "##": wall }`, `"##" has 2`, `write "#": wall`},
		{`map """.""" { "#": wall; "#": fog }`, "is already in the legend", "once"},
		{`map """.""" { "#": wal }`, "no terrain named wal", "did you mean `wall`?"},
		{`map """.""" { "#": quicksand }`, "no terrain named quicksand", "terrain quicksand { price: 2 }"},
		{`map """` + strings.Repeat(".", 201) + `"""`, "at most 200 squares", ""},
	} {
		_, diags := read(t, x.text+"\n")
		if len(diags) != 1 || !strings.Contains(diags[0].Message, x.message) || !strings.Contains(diags[0].Hint, x.hint) {
			t.Errorf("%s: %v, want %q and %q", x.text, diags, x.message, x.hint)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("##\n#A", "#", "wall")
	f.Add("\t é\n\r\n..", ".", "fog")
	p := d20(f)
	f.Fuzz(func(t *testing.T, rows, mark, name string) {
		n := &ast.Map{Rows: ast.Text{Value: rows}, Legend: &ast.Block{Clauses: []ast.Clause{
			&ast.LegendEntry{Mark: ast.Text{Value: mark}, Names: []ast.Ident{{Name: name}}},
		}}}
		m, _ := ground.Read("x", p, n)
		if m == nil || m.Width < 1 || m.Height < 1 {
			t.Fatal("no ground")
		}
	})
}
