package sweep

import (
	"fmt"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/lang/diag"
	"arbiter/rules"
)

const script = `encounter "a duel" with srd35
creature frail { full-hit-points: 1; main-weapon: greatsword }
override massive-damage-threshold = 40
side left { frail Alia { strength: 12; level: 2 } }
side right { frail Bron }
fight on
`

func options() build.Options { return build.Options{Library: rules.FS} }

func built(t testing.TB, o build.Options) (*build.Script, diag.List) {
	t.Helper()
	s, diags, err := build.Source("test.encounter", []byte(script), o)
	if err != nil {
		t.Fatal(err)
	}
	return s, diags
}

func shown(diags diag.List) string {
	var b strings.Builder
	for _, d := range diags {
		fmt.Fprintf(&b, "%s:%d:%d-%d: %s (%s)\n", d.File, d.Span.Start.Line, d.Span.Start.Column, d.Span.End.Column, d.Message, d.Hint)
	}
	return b.String()
}

func TestValues(t *testing.T) {
	for text, want := range map[string]string{
		"x = 1..5":                    "1|2|3|4|5",
		"x=1..9 by 4":                 "1|5|9",
		"x = -2..2 by 3":              "-2|1",
		"x = 5 ft..15 ft by 5 ft":     "5 ft|10 ft|15 ft",
		"x = 1..3 rounds":             "1 rounds|2 rounds|3 rounds",
		"x = 10..30% by 10":           "10%|20%|30%",
		"x = yes, no":                 "yes|no",
		"x = a , b, 3..4":             "a|b|3|4",
		"x = min(1, 2), [1, 2]":       "min(1, 2)|[1, 2]",
		"x = 3..3":                    "3",
		"option x = 1d6,2d6":          "1d6|2d6",
		"x = 0..1000000 by 500000":    "0|500000|1000000",
		"x":                           "1:1: the values to try are missing",
		" = 3":                        "1:1: the name of what to vary is missing",
		"x = ":                        "1:5: a value is missing here",
		"x = 1,,2":                    "1:7: a value is missing here",
		"x = 1..b":                    "1:5: this is not a range of whole numbers",
		"x = 1..5 by 0":               "1:5: a step of 0 never ends",
		"x = 5..1":                    "1:5: a range goes up, from the lowest to the highest",
		"x = 2, 1 ft..5 lb":           "1:8: a range has one unit, but here are ft and lb",
		"x = 1..101":                  "1:5: more than 100 values",
		"x = 1..100, 200":             "1:4: more than 100 values",
		"x = 1..99999999999999999999": "1:5: 99999999999999999999 is too far from 0 for a range",
		"x = 0..999999999999":         "1:5: more than 100 values",
		"x = 1, 2, 1..2":              "1:11: 1 is listed twice",
		"x = \"a\"":                   "1:1: a sweep is a single line, without strings or comments",
	} {
		s, diags := Parse("--sweep", text)
		got := ""
		if len(diags) > 0 {
			d := diags[0]
			got = fmt.Sprintf("%d:%d: %s", d.Span.Start.Line, d.Span.Start.Column, d.Message)
		} else {
			var list []string
			for _, v := range s.Values {
				list = append(list, v.Text)
			}
			got = strings.Join(list, "|")
		}
		if got != want {
			t.Errorf("%s\n  gives %s\n  want  %s", text, got, want)
		}
	}
}

// The script gets each value: an option, a part of a stat, a field of a thing, a field or a
// resource of a member.
func TestAmended(t *testing.T) {
	base, _ := built(t, options())
	for _, c := range []struct{ text, expect string }{
		{"option massive-damage-threshold = 20..30 by 10", "massive-damage-threshold = 20|massive-damage-threshold = 30"},
		{"attack-bonus.flanking = 0, 4", "massive-damage-threshold = 40|massive-damage-threshold = 40"},
		{"Alia.strength = 8, 18", "Alia.strength = 8 and Alia.level = 2|Alia.strength = 18 and Bron.strength = 10"},
		{"Bron.level = 3", "Bron.level = 3 and Alia.level = 2"},
		{"frail.full-hit-points = 7", "Alia.max-hit-points = 7"},
		{"option natural-rolls-decide-attacks = yes, no", "natural-rolls-decide-attacks|not natural-rolls-decide-attacks"},
		{"creature.defeated = no, self is prone", "Alia is not defeated|Bron is not defeated"},
		{"Alia.size = small, large", "Alia.size = small|Alia.size = large"},
		{"Alia.hit-points = 0, 1000", "Alia.hit-points = 0 and Alia is disabled|Alia.hit-points = Alia.max-hit-points"},
		{"Alia.speed = 20 ft..30 ft by 10 ft", "Alia.speed = 20 ft|Alia.speed = 30 ft"},
	} {
		s, diags := Parse("--sweep", c.text)
		if len(diags) > 0 || len(s.Check(base)) > 0 {
			t.Fatal(c.text, shown(diags))
		}
		for i, expect := range strings.Split(c.expect, "|") {
			a, diags := s.Amendment(i)
			if len(diags) > 0 {
				t.Fatal(c.text, shown(diags))
			}
			o := options()
			o.Amend = []build.Amendment{a}
			x, more, err := build.Source("test.encounter", []byte(strings.Replace(script, "fight on", "expect "+expect, 1)), o)
			if err != nil || x.Rules == nil {
				t.Fatal(c.text, shown(more), err)
			}
			if failures := played(x); failures != "" {
				t.Errorf("%s, value %d: %s", c.text, i+1, failures)
			}
			// Fields of members need no other rules; everything else does.
			y, more, err := build.Source("test.encounter", []byte(strings.Replace(script, "fight on", "expect "+expect, 1)), options())
			if err != nil || y.Rules == nil {
				t.Fatal(c.text, shown(more), err)
			}
			z, ok := y.Amended(o.Amend)
			if ok != (a.Member != "") {
				t.Errorf("%s: amended without a build: %v", c.text, ok)
			} else if ok && played(z) != "" {
				t.Errorf("%s, value %d, without a build: %s", c.text, i+1, played(z))
			}
		}
	}
}

// played runs a script and returns its failed expectations.
func played(s *build.Script) (failures string) {
	for _, d := range session.Run(s, session.Options{}).Failures {
		failures += d.Message + "\n"
	}
	return failures
}

// Mistakes have the columns of the text, and a hint.
func TestMistakes(t *testing.T) {
	base, _ := built(t, options())
	for text, want := range map[string]string{
		"option massive-damage-treshold = 20, 30": "--sweep:1:8-31: there is no option called massive-damage-treshold (did you mean `massive-damage-threshold`?)\n",
		"option strength = 1":                     "--sweep:1:8-16: there is no option called strength (without the word `option` other parts",
		"Ali.strength = 8":                        "--sweep:1:1-13: there is nothing named Ali (did you mean `Alia`?)\n",
		"frob.x = 3":                              "--sweep:1:1-7: there is nothing named frob to override",
		"Alia.strenght = 8":                       "--sweep:1:6-14: the kind creature has no field strenght (did you mean `strength`?)\n",
		"Alia.hit-points = 5 ft":                  "--sweep:1:19-23: this is a distance, but number is expected",
		"Alia.strength = 8, yes":                  "--sweep:1:20-23: this is a yes-no, but number or none is expected",
		"Alia.size = small, larg":                 "--sweep:1:20-24: there is nothing here named larg (did you mean `large`?)\n",
		"attack-bonus.flankin = 1":                "--sweep:1:1-21: ",
		"massive-damage-threshold = 3 ft":         "--sweep:1:28-32: this is a distance, but number is expected",
		"massive-damage-treshold = 3":             "--sweep:1:1-24: there is nothing named massive-damage-treshold to override (did you mean `massive-damage-threshold`?)\n",
		"Alia.strength = 8 9":                     "--sweep:1:19-20: expected the end of the clause, found `9` (the form is: [option] NAME",
		"Alia.strength = 8-12":                    "--sweep:1:17-21: 8-12 is not a range (write 8..12)\n",
		"Alia.strength = 1, 8 to 12":              "--sweep:1:20-27: 8 to 12 is not a range (write 8..12)\n",
		"Alia.armor-class = 8":                    "--sweep:1:6-17: the kind creature has no field armor-class (it is computed by the rules",
		"Alia.size = small..large":                "--sweep:1:13-25: this is not a range of whole numbers",
		"Alia.strength = 8; level: 3":             "--sweep:1:17-28: 8; level: 3 is not a single value",
		"option massive-damage-threshold = )":     "--sweep:1:35-36: ",
	} {
		s, diags := Parse("--sweep", text)
		if len(diags) == 0 {
			diags = s.Check(base)
		}
		for i := 0; len(diags) == 0 && i < len(s.Values); i++ {
			var a build.Amendment
			if a, diags = s.Amendment(i); len(diags) == 0 {
				o := options()
				o.Amend = []build.Amendment{a}
				_, diags = built(t, o)
				diags = s.Place(diags)
			}
		}
		if got := shown(diags); !strings.HasPrefix(got, want) {
			t.Errorf("%s\n  gives %s\n  want  %s", text, got, want)
		}
	}
}

// Any input is rejected, or yields an allowed number of values, each with one clause.
func FuzzSweep(f *testing.F) {
	for _, s := range []string{"option a = 1..5", "A.b = x, y", "a.b[c] = 5 ft..9 by 2", "x = (1, 2), [", "a=}{", "= = =", "Alia.strength = 8 } creature x {"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, diags := Parse("--sweep", text)
		if len(diags) > 0 {
			return
		}
		if n := len(s.Values); n < 1 || n > MostValues {
			t.Fatalf("%d values", n)
		}
		for _, s.fields = range []bool{false, s.field != ""} {
			a, diags := s.Amendment(0)
			if len(diags) == 0 && len(a.File.Body) != 1 {
				t.Fatalf("%d clauses", len(a.File.Body))
			}
			for _, d := range diags {
				if d.Span.Start.Line != 1 || d.Span.Start.Column < 1 || d.Span.Start.Column > len(text)+1 {
					t.Fatalf("a mistake at %+v", d.Span)
				}
			}
		}
	})
}
