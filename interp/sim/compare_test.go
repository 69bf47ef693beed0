package sim

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/machine"
	"arbiter/interp/session"
	"arbiter/rules"
)

// ruled plays a script by its own rules, and with each of the house rules added.
func ruled(t testing.TB, src string, houses ...string) []Variant {
	t.Helper()
	list := []Variant{{Trials: trials(t, src)}}
	for i, house := range houses {
		name := fmt.Sprintf("house%d", i+1)
		path := filepath.Join(t.TempDir(), name+".rules")
		if err := os.WriteFile(path, []byte("ruleset "+name+" extends srd35\n"+house+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		s, diags, err := build.Source("test.encounter", []byte(src), build.Options{Library: rules.FS, With: []string{path}})
		if err != nil || s.Rules == nil {
			t.Fatal(diags, err)
		}
		x, err := session.NewTrials(s, session.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, Variant{Rules: name, Trials: x})
	}
	return list
}

func compare(t testing.TB, list []Variant, o Options) []*Arm {
	t.Helper()
	arms, err := Compare(list, o)
	if err != nil {
		t.Fatal(err)
	}
	return arms
}

// A die that only one of the rules rolls does not shift any other: the fights stay the same, whatever else is rolled.
func TestSameDice(t *testing.T) {
	list := ruled(t, skirmish,
		"rule idle after attack { let nothing = roll 1d6 + 1d20 }",                                                                         // before and between all others
		"rule idle after attack { roll 1d6 as omen { 6: actor gains 1d4 hit-points\notherwise: note \"calm\" } }",                          // the same, but sometimes it matters
		"resource calm from 0 to 9 starts 0\nprocedure breathe { step one { self gains 1 calm } }\nrule idle at start of turn { breathe }", // renumbers everything
	)
	arms := compare(t, list, Options{Seed: 3, Fights: 200, Workers: 2})
	for _, i := range []int{1, 3} {
		if p := arms[i].Pairs; p.Different != 0 || len(p.Figures) != 0 || p.flipped() != 0 {
			t.Errorf("%s makes %d fights unlike: %v", arms[i].Rules, p.Different, p.Figures)
		}
		if got, want := arms[i].Tally, arms[0].Tally; !reflect.DeepEqual(got.Rounds, want.Rounds) || !reflect.DeepEqual(got.Causes, want.Causes) {
			t.Errorf("%s: %v, without it %v", arms[i].Rules, got, want)
		}
	}
	if p := arms[2].Pairs; p.Different == 0 || p.Different == 200 || p.flipped() == 0 {
		t.Errorf("healing changes %d fights and turns %d", p.Different, p.flipped())
	}
}

const keen = "override strike.confirm { let critical = threat }\noverride massive-damage-threshold = 15"

// The counts of pairs equal those of the same fights played one by one under each of the rules.
func TestPairsOneByOne(t *testing.T) {
	const seed, fights = 11, 150
	list := ruled(t, skirmish, keen)
	arms := compare(t, list, Options{Seed: seed, Fights: fights, Workers: 2})
	unlike := uint64(0)
	sum := map[string]int64{}
	for n := range uint64(fights) {
		var both []*Tally
		for _, r := range list {
			tally, err := run(r.Trials, Options{Seed: seed, From: n, Fights: 1, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			both = append(both, tally)
		}
		a, b := both[0], both[1]
		for side := range a.Wins {
			sum[fmt.Sprint("wins ", side)] += int64(b.Wins[side]) - int64(a.Wins[side])
		}
		for i := range a.Members {
			sum[fmt.Sprint("took ", i)] += int64(MeanOf(b.Members[i].Took, 1).Mean) - int64(MeanOf(a.Members[i].Took, 1).Mean)
		}
		sum["rounds"] += int64(MeanOf(b.Rounds, 1).Mean) - int64(MeanOf(a.Rounds, 1).Mean)
		if !slices.Equal(a.Wins, b.Wins) || !reflect.DeepEqual(a.Rounds, b.Rounds) || !reflect.DeepEqual(a.Members, b.Members) {
			unlike++
		}
	}
	p := arms[1].Pairs
	total := func(f Figure) (n int64) {
		for v, times := range p.Figures[f] {
			n += v * int64(times)
		}
		return n
	}
	for side := range 3 {
		if got, want := total(Figure{Kind: Wins, Who: side}), sum[fmt.Sprint("wins ", side)]; got != want {
			t.Errorf("side %d wins %+d, one by one %+d", side, got, want)
		}
	}
	for i := range 4 {
		if got, want := total(Figure{Kind: Took, Who: i}), sum[fmt.Sprint("took ", i)]; got != want {
			t.Errorf("%d took %+d, one by one %+d", i, got, want)
		}
	}
	if got := total(Figure{Kind: Rounds}); got != sum["rounds"] || p.Different < unlike || unlike == 0 {
		t.Errorf("rounds %+d, one by one %+d; %d unlike, one by one at least %d", got, sum["rounds"], p.Different, unlike)
	}
	// The values before and after, and their change, are consistent.
	r := NewComparison(seed, arms)
	for _, f := range r.Rules[0].Figures {
		if d := f.After.Value - f.Before.Value - f.Change; d > 1e-9 || d < -1e-9 {
			t.Errorf("%s %s: %v before, %v after, a change of %v", f.Of, f.What, f.Before, f.After, f.Change)
		}
	}
}

// The result is the same to the byte, for any number of workers.
func TestCompareWorkers(t *testing.T) {
	want := ""
	for _, workers := range []int{1, 2, 5} {
		arms := compare(t, ruled(t, skirmish, keen, "option x = 1"), Options{Seed: 7, Fights: 200, Workers: workers})
		data, err := json.Marshal(NewComparison(7, arms))
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = string(data)
		}
		if string(data) != want {
			t.Errorf("%d workers: another result", workers)
		}
	}
}

// The sentence is about who gains; if nobody gains enough to be sure, about who loses.
func TestHeadline(t *testing.T) {
	figure := func(of string, change float64, significant bool) FigureReport {
		return FigureReport{Of: of, Share: true, Figure: Figure{Kind: Wins}, Change: change, Low: change - 0.01, High: change + 0.01, Significant: significant,
			Before: Estimate{Value: 0.5}, After: Estimate{Value: 0.5 + change}}
	}
	for _, c := range []struct {
		figures []FigureReport
		want    string
	}{
		{[]FigureReport{figure("left", -0.1, true), figure("right", 0.1, true), figure("nobody", 0, false)},
			"fury helps right: they win 60.0 % of the fights instead of 50.0 %, 10.0 points more (95 % interval 9.0 to 11.0)."},
		{[]FigureReport{figure("left", -0.1, true), figure("right", 0.02, false), figure("nobody", 0.02, false)},
			"fury hurts left: they win 40.0 % of the fights instead of 50.0 %, 10.0 points fewer (95 % interval 9.0 to 11.0)."},
		{[]FigureReport{figure("left", 0.02, false), figure("right", 0.02, false), figure("nobody", -0.04, true)},
			"fury leaves fewer fights undecided: 46.0 % instead of 50.0 %, 4.0 points fewer (95 % interval 3.0 to 5.0)."},
		{[]FigureReport{figure("left", -0.02, false), figure("right", 0.02, false)},
			"fury may change who wins, but this can be chance where so many figures are compared: 48.0 % of the fights go to left instead of 50.0 %, -2.0 points (95 % interval -3.0 to -1.0). More fights will tell."},
		{[]FigureReport{figure("left", -0.005, false), figure("right", 0.005, false)},
			"fury does not significantly help any side: 49.5 % of the fights go to left instead of 50.0 %, -0.5 points (95 % interval -1.5 to +0.5)."},
	} {
		r := &ArmReport{Rules: "fury", Different: Rate{Rate: 0.2}, Flipped: Rate{Rate: 0.1}, Figures: c.figures}
		if s := summarize(r, 1000); s[0] != c.want {
			t.Errorf("%s, want %s", s[0], c.want)
		}
	}
}

// A house rule that makes one side more accurate is reported to help it; the other side loses what it gains.
func TestHelps(t *testing.T) {
	arms := compare(t, ruled(t, duel, "override attack-bonus.base = base-attack / 5 * 20", "option x = 1"), Options{Seed: 1, Fights: 1000, Workers: 2})
	r := NewComparison(1, arms)
	if s := r.Rules[0].Summary[0]; !strings.HasPrefix(s, "house1 helps left: ") {
		t.Error(s)
	}
	if s := r.Rules[1].Summary; !slices.Equal(s, []string{"house2 changes nothing that is measured: all 1000 fights went the same way."}) {
		t.Error(s)
	}
	left, right := r.Rules[0].Find(Figure{Kind: Wins}), r.Rules[0].Find(Figure{Kind: Wins, Who: 1})
	if !left.Significant || !right.Significant || left.Change != -right.Change || left.Change < 0.05 || left.Low != -right.High {
		t.Errorf("%+v %+v", left, right)
	}
	r = NewComparison(1, compare(t, ruled(t, duel, keen), Options{Seed: 1, Fights: 40, Workers: 2}))
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "compared only to within") {
		t.Errorf("%q", r.Warnings)
	}
	unequal := strings.NewReplacer("{ base-attack: 5 }", "{ base-attack: 30 }", "Bron follows hew", "Bron follows hew { base-attack: -20 }").Replace(duel)
	r = NewComparison(1, compare(t, ruled(t, unequal, keen), Options{Seed: 1, Fights: 200, Workers: 2}))
	if len(r.Warnings) == 0 || !regexp.MustCompile(`^left already wins 9[5-9]\.. % of these fights`).MatchString(r.Warnings[0]) {
		t.Errorf("%q", r.Warnings)
	}
}

// It continues until the change of every rate is known precisely enough, and names the rules under which a fight
// failed.
func TestCompareEnds(t *testing.T) {
	list := ruled(t, duel, keen)
	arms := compare(t, list, Options{Seed: 1, Fights: 1_000_000, Workers: 2, Until: 0.005})
	if n := arms[0].Tally.Fights; n < Batch || n > 20*Batch || n%Batch != 0 {
		t.Errorf("until 0.5 %%: %d fights", n)
	}
	bad := ruled(t, duel, "rule misstep after attack when 1 / (current-round - 2) = 5 { note \"never\" }")
	if _, err := Compare(bad, Options{Seed: 1, Fights: 200, Workers: 2}); err == nil || !strings.Contains(err.Error(), "with house1: ") || !strings.Contains(err.Error(), "division by zero") {
		t.Errorf("%v", err)
	}
	other := ruled(t, strings.Replace(skirmish, "side left", "side middle", 1))
	if _, err := Compare([]Variant{list[0], other[0]}, Options{Fights: 1}); err == nil || !strings.Contains(err.Error(), "the sides are not the same") {
		t.Errorf("%v", err)
	}
}

// Fights with other combatants are compared by their names: who is missing takes nothing, and reports leave them out.
func TestCompareOthers(t *testing.T) {
	few, many := ruled(t, duel), ruled(t, strings.Replace(duel, "side left {", "side left {\nfrail Zora follows hew\n", 1))
	arms := compare(t, []Variant{few[0], many[0]}, Options{Seed: 1, Fights: 50, Workers: 2})
	alone := compare(t, many, Options{Seed: 1, Fights: 50, Workers: 1})
	if got := len(arms[0].Cast.Members); got != len(alone[0].Cast.Members) {
		t.Fatalf("%d members", got)
	}
	for joint, m := range arms[1].Cast.Members {
		own := slices.Index(alone[0].Cast.Members, m)
		if a, b := arms[1].Tally.Members[joint], alone[0].Tally.Members[own]; a.Down != b.Down || !maps.Equal(a.Took, b.Took) || !maps.Equal(a.Dealt, b.Dealt) {
			t.Errorf("%s: %v, alone %v", m.Name, a, b)
		}
		if absent := m.Name == "Zora"; absent != slices.Contains(arms[0].Cast.Absent, joint) || absent && !hasOnly(arms[0].Tally.Members[joint].Took, 0) {
			t.Errorf("%s: %v of %v", m.Name, arms[0].Tally.Members[joint], arms[0].Cast.Absent)
		}
	}
	r := NewReport(arms[0].Cast, 1, arms[0].Tally)
	if len(r.Combatants) != len(few[0].Trials.Cast().Members) {
		t.Errorf("%d combatants", len(r.Combatants))
	}
}

// Names that two casts share have the same number; a name that a cast has twice stays two.
func TestJoin(t *testing.T) {
	casts := []*session.Cast{
		{Members: []session.CastMember{{Name: "p", Side: 0}, {Name: "q", Side: 1}}, Resources: []string{"a", "b"}, Watched: []machine.Watch{machine.Losses, machine.Unwatched}, Actions: []string{"x", "y", "x"}},
		{Members: []session.CastMember{{Name: "r", Side: 0}, {Name: "q", Side: 1}}, Resources: []string{"c", "a"}, Watched: []machine.Watch{machine.Gains, machine.Losses}, Actions: []string{"x", "x", "z"}},
	}
	joined, as, err := joinCasts(casts, Names{})
	if err != nil {
		t.Fatal(err)
	}
	if c := joined[1]; !slices.Equal(c.Resources, []string{"a", "b", "c"}) || !slices.Equal(c.Actions, []string{"x", "y", "x", "z"}) ||
		!slices.Equal(c.Watched, []machine.Watch{machine.Losses, machine.Unwatched, machine.Gains}) {
		t.Errorf("%+v", c)
	}
	if n := as[1]; !slices.Equal(n.resources, []int32{2, 0}) || !slices.Equal(n.actions, []int32{0, 2, 3}) {
		t.Errorf("%+v", n)
	}
	if d := as[1].causeOf(machine.Entry{By: 0, Cause: 2, Resource: 0}); d != (Cause{2, 3, 2}) {
		t.Errorf("%+v", d)
	}
	if m := joined[0]; len(m.Members) != 3 || !slices.Equal(m.Absent, []int{2}) || as[0].member(7) != -1 {
		t.Errorf("%+v", m)
	}
}

// The shards of a comparison, merged from their files, equal the whole.
func TestCompareDivided(t *testing.T) {
	const seed, fights = 5, 100
	list := ruled(t, skirmish, keen)
	report := func(arms []*Arm) string {
		data, err := json.Marshal(NewComparison(seed, arms))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	want := report(compare(t, list, Options{Seed: seed, Fights: fights, Workers: 2}))
	read := func(part int) *Shard {
		from, count := Range(fights, part, 2)
		arms := compare(t, list, Options{Seed: seed, From: from, Fights: count, Workers: part})
		return written(t, fmt.Sprintf("part%d.json", part), &Shard{Kind: "shard", Version: ShardVersion, Seed: seed, Fights: fights, Part: part, Of: 2, Cast: arms[0].Cast, Tally: arms[0].Tally, Others: arms[1:]})
	}
	whole, err := Merge([]*Shard{read(2), read(1)})
	if err != nil {
		t.Fatal(err)
	}
	if report(whole.Arms()) != want {
		t.Error("merged: another result")
	}
	for name, c := range map[string]struct {
		spoil func(*Shard)
		want  string
	}{
		"other rules":     {func(s *Shard) { s.Others[0].Rules = "another" }, "another simulation"},
		"a side too many": {func(s *Shard) { s.Others[0].Pairs.Winners = append(s.Others[0].Pairs.Winners, nil) }, "damaged"},
		"fights missing":  {func(s *Shard) { s.Others[0].Tally.Fights-- }, "damaged"},
		"other numbers":   {func(s *Shard) { s.Cast.Resources = s.Cast.Resources[1:] }, "another simulation"},
	} {
		s := read(2)
		c.spoil(s)
		if _, err := Merge([]*Shard{read(1), s}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A win that moves between two sides is one change: it is tested once, and holds for both. Figures without differences
// are not tested.
func TestJudgedOnce(t *testing.T) {
	report := func(otherwise uint64, list ...FigureReport) []ArmReport {
		return []ArmReport{{Figures: list, Flipped: RateOf(otherwise, 100), After: &Report{Fights: 100}}}
	}
	figure := func(kind Kind, who int, change float64, unlike uint64, chance float64) FigureReport {
		return FigureReport{Figure: Figure{Kind: kind, Who: who}, Change: change, Different: unlike, PValue: chance}
	}
	for _, c := range []struct {
		rules []ArmReport
		want  []bool
	}{
		{report(10, figure(Wins, 0, 0.08, 10, 0.04), figure(Wins, 1, -0.08, 10, 0.04), figure(Wins, 2, 0, 0, 1)), []bool{true, true, false}},
		{report(11, figure(Wins, 0, 0.08, 10, 0.04), figure(Wins, 1, -0.07, 11, 0.04), figure(Wins, 2, -0.01, 1, 1)), []bool{false, false, false}},
		{report(12, figure(Wins, 0, 0.08, 10, 0.02), figure(Wins, 1, -0.08, 10, 0.02), figure(Wins, 2, 0, 2, 1)), []bool{false, false, false}}, // through fights that nobody wins
	} {
		markSignificant(c.rules, func(f *FigureReport) bool { return true })
		var got []bool
		for _, f := range c.rules[0].Figures {
			got = append(got, f.Significant)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.rules[0].Figures, got, c.want)
		}
	}
}

// The interval of a significant change never reads as if it reached zero.
func TestDigits(t *testing.T) {
	for _, x := range []struct {
		low, high   float64
		share       bool
		significant bool
		want        string
	}{
		{-0.2, -0.04, false, true, "-0.12 -0.20 to -0.04"},
		{-0.2, -0.04, false, false, "-0.1 -0.2 to 0.0"},
		{0.0001, 0.0029, true, true, "+0.15 +0.01 to +0.29"},
		{0.000001, 0.002, false, true, "+0.0010 0.0000 to +0.0020"},
		{-0.01, 0.2, false, true, "+0.1 0.0 to +0.2"},
		{1, 3, false, true, "+2.0 +1.0 to +3.0"},
	} {
		f := FigureReport{Share: x.share, Significant: x.significant, Change: (x.low + x.high) / 2, Low: x.low, High: x.high}
		if change, low, high := f.Words(); change+" "+low+" to "+high != x.want {
			t.Errorf("%+v: %s %s to %s", x, change, low, high)
		}
	}
}
