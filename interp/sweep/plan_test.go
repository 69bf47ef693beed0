package sweep

import (
	"fmt"
	"strings"
	"testing"
)

func TestPlan(t *testing.T) {
	p, diags := ParsePlan("x.sweep", `# what this is about
sweep "What flanking is worth" # and more

encounters a.encounter, fights/*.encounter
encounters b.encounter
base house.rules
with strong.rules, strong.rules + more.rules
without fumbles
try option damage = 20..30 by 10   # two
try Alia.strength = 8, 18
figure Alia dealt
fights 10k
until 0.5%
seed 7
`)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	got := fmt.Sprint(p.Title, len(p.Encounters), p.Encounters[1].Name, p.Base, p.With, p.Without, len(p.Tries), p.Tries[0].Values[1].Text, p.Tries[1].Name, p.Figure, p.Fights, p.Until, p.Seed)
	if want := "What flanking is worth3fights/*.encounter[house.rules] [[strong.rules] [strong.rules more.rules]] [[fumbles]]2 30 Alia.strengthAlia dealt10000 0.005 7"; strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("%s\nwant %s", got, want)
	}
	moved := p.Place(p.Tries[1].wrong(0, 4, "x", ""), func(k int) string { return []string{"", "x.sweep"}[k] })
	if at := moved[0].Span; at.Start.Line != 10 || at.Start.Column != 5 || at.End.Column != 9 {
		t.Errorf("a mistake of the second try is at %+v", at)
	}
}

// Mistakes have places and say what to do; nothing leads out of the folder.
func TestPlanMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "1:1: the plan is empty",
		"encounters a.encounter":            "1:1: this is not a plan",
		"encounter \"a\" with srd35\nfight": "1:1: this is not a plan (a plan begins with: sweep \"TITLE\"; `arbiter compare FILE --sweep",
		"sweep \"x\"":                       "1:1: the plan has no encounters",
		"sweep x":                           "1:7: a title is missing here",
		"sweep \"x\"\nfight 3":              "2:1: a plan has no line that begins with fight (did you mean `fights`?)",
		"sweep \"x\"\nencounters":           "2:1: something is missing after encounters",
		"sweep \"x\"\nencounters a,, b":     "2:14: a name is missing here",
		"sweep \"x\"\nencounters /etc/x":    "2:12: /etc/x leads out of the folder of the plan",
		"sweep \"x\"\nencounters a, ../x":   "2:15: ../x leads out of the folder of the plan",
		"sweep \"x\"\nencounters a/../../x": "2:12: a/../../x leads out of the folder of the plan",
		"sweep \"x\"\nbase C:x":             "2:6: C:x is not a path",
		"sweep \"x\"\nwith a.rules + ../b":  "2:6: ../b leads out of the folder of the plan",
		"sweep \"x\"\ntry a = 3..1":         "2:9: a range goes up, from the lowest to the highest",
		"sweep \"x\"\n  try a = 1 to 3":     "2:11: 1 to 3 is not a range (write 1..3)",
		"sweep \"x\"\ntry a = 1\ntry a = 2": "3:5: a is varied twice",
		"sweep \"x\"\nfights 0":             "2:8: fights is 0: it must be from 1 to 1000000000000",
		"sweep \"x\"\nfights 1000000000001": "2:8: fights is 1000000000001: it must be from 1 to 1000000000000",
		"sweep \"x\"\nfights many":          "2:8: fights is many",
		"sweep \"x\"\nuntil 60%":            "2:7: until is 60%: it must be between 0% and 50%",
		"sweep \"x\"\nseed -1":              "2:6: the seed is not a whole number, 0 or more",
		"sweep \"x\"\nseed 1\nseed 2":       "3:1: a plan says seed once",
	} {
		_, diags := ParsePlan("x.sweep", text)
		if len(diags) == 0 {
			t.Errorf("%q is taken", text)
			continue
		}
		d := diags[0]
		if got := fmt.Sprintf("%d:%d: %s (%s)", d.Span.Start.Line, d.Span.Start.Column, d.Message, d.Hint); !strings.HasPrefix(got, want) {
			t.Errorf("%q\n  gives %s\n  want  %s", text, got, want)
		}
	}
}

// A plan is as large as it may be, and no larger.
func TestPlanLimits(t *testing.T) {
	head := "sweep \"x\"\nencounters a\n"
	tries := ""
	for i := range maxTries {
		tries += fmt.Sprintf("try a%d = 1\n", i)
	}
	if _, diags := ParsePlan("x.sweep", head+tries); len(diags) > 0 {
		t.Error(diags)
	}
	if _, diags := ParsePlan("x.sweep", head+tries+"try b = 1\n"); len(diags) == 0 || !strings.HasPrefix(diags[0].Message, "a plan varies at most 16 things") {
		t.Error(diags)
	}
	if _, diags := ParsePlan("x.sweep", head+strings.Repeat("#", MaxPlanSize-len(head))); len(diags) > 0 {
		t.Error(diags)
	}
	if _, diags := ParsePlan("x.sweep", head+strings.Repeat("#", MaxPlanSize-len(head)+1)); len(diags) == 0 || !strings.HasPrefix(diags[0].Message, "the plan is too large: the limit is 1048576 bytes") {
		t.Error(diags)
	}
}
