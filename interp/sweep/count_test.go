package sweep

import (
	"slices"
	"testing"

	"arbiter/interp/build"
	"arbiter/lang/ast"
)

// With fewer of a creature the first ones are there; more of it are copies of the last one, near it. A side counts as a
// template does.
func TestCount(t *testing.T) {
	s, _ := built(t, options())
	names := func(text string, value int) (list []string) {
		x, diags := Parse("--sweep", text)
		if len(diags) == 0 {
			diags = x.Check(s)
		}
		if len(diags) > 0 {
			return []string{shown(diags)}
		}
		a, _ := x.Amendment(value)
		o := options()
		o.Amend = []build.Amendment{a}
		amended, diags := built(t, o)
		if diags.HasErrors() {
			t.Fatal(text, shown(diags))
		}
		for _, cl := range amended.File.Body {
			if side, ok := cl.(*ast.Side); ok {
				for m := range ast.Members(side) {
					list = append(list, side.Name.Name+" "+m.Name.Name)
				}
			}
		}
		return list
	}
	for text, want := range map[string][]string{
		"frail.count = 1": {"left Alia"},
		"frail.count = 4": {"left Alia", "right Bron", "right Bron-2", "right Bron-3"},
		"left.count = 2":  {"left Alia", "left Alia-2", "right Bron"},
		"right.count = 0": {"left Alia"},
		"right.count = x": {"--sweep:1:15-16: x is not a number of creatures (write whole numbers from 0 to 2000: right.count = 1..2)\n"},
	} {
		if got := names(text, 0); !slices.Equal(got, want) {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// What can be varied by itself: numbers of who is there, and options. A creature that is on both sides cannot become
// fewer without leaving one of them empty.
func TestLevers(t *testing.T) {
	s, _ := built(t, options())
	var fields []string
	options := 0
	for _, l := range Levers(s) {
		switch {
		case l.Kind == OptionLever:
			options++
		default:
			fields = append(fields, l.Name)
		}
		for _, v := range append(slices.Clone(l.Lower), l.Higher...) {
			x, diags := Parse("--sweep", l.Text(v))
			if len(diags) == 0 {
				diags = x.Check(s)
			}
			if len(diags) > 0 || l.Size(v) <= 0 {
				t.Errorf("%s: %s %v", l.Text(v), shown(diags), l.Size(v))
			}
		}
	}
	if !slices.Equal(fields, []string{"frail.full-hit-points"}) || options < 20 {
		t.Errorf("%q, %d options", fields, options)
	}
}
