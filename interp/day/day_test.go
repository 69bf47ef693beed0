package day

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/lang/parse"
	"arbiter/rules"
)

// stageOf parses an encounter.
func stageOf(t testing.TB, name, text string) Stage {
	t.Helper()
	s, diags, err := build.Source(name, []byte(text), build.Options{Library: rules.FS})
	if err != nil || diags.HasErrors() {
		t.Fatal(diags, err)
	}
	return Stage{Name: name, Head: s.Head, Body: s.File.Body}
}

func composed(t testing.TB, stages ...Stage) (*Composed, *build.Script) {
	t.Helper()
	c, err := Compose(stages)
	if err != nil {
		t.Fatal(err)
	}
	s, diags, err := build.Source("day.adventure", c.Text, build.Options{Library: rules.FS})
	if err != nil || diags.HasErrors() {
		t.Fatalf("%v %v\n%s", diags, err, c.Text)
	}
	return c, s
}

func pause(t testing.TB, text string) Stage {
	t.Helper()
	r, err := ParseRest(text)
	if err != nil {
		t.Fatal(err)
	}
	return Stage{Name: text, Rest: r}
}

// Each duel is over with the first hit, and both are alike but for who begins, which is decided by an even roll: half of
// the days get to the second one, a quarter through it, and an eighth through the third.
const duel = `encounter "A duel" with srd35
creature frail { full-hit-points: 1; main-weapon: greatsword; base-attack: 5 }
side left { frail Alia }
side right { frail Bron }
fight on
`

func TestKnownAnswer(t *testing.T) {
	_, s := composed(t, stageOf(t, "a.encounter", duel), stageOf(t, "b.encounter", duel), stageOf(t, "c.encounter", duel))
	var first *Tally
	for _, workers := range []int{1, 3} {
		tally, err := Play(s, Options{Seed: 1, Days: 3000, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = tally
		} else if first.Story, tally.Story = nil, nil; !reflect.DeepEqual(first, tally) {
			t.Error("the result depends on the number of workers")
		}
		for i, want := range []float64{1, 0.5, 0.25} {
			b := &tally.Battles[i]
			near(t, "reached", b.Reached, tally.Days, want)
			near(t, "won", b.Days[session.FightWon], tally.Days, want/2)
			near(t, "lost", b.Days[session.FightLost], tally.Days, want/2)
		}
		near(t, "survived", tally.Survived(), tally.Days, 0.125)
	}
}

// near checks that a share is within four standard errors of what it is known to be.
func near(t *testing.T, what string, n, all uint64, want float64) {
	t.Helper()
	if got := float64(n) / float64(all); math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/float64(all)) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// What a rest is, the rules say: after one that restores all, a fight begins with all; time alone restores nothing.
func TestRests(t *testing.T) {
	const skirmish = `encounter "A skirmish" with srd35
creature hero { level: 3; full-hit-points: 90; base-attack: 6; strength: 18; main-weapon: greatsword }
creature pest { level: 1; full-hit-points: 9; base-attack: 3; main-weapon: longsword }
procedure mend { self gains 1000 hit-points }
side party { hero Alia; hero Bron }
side pests { pest Hask; pest Ilk; pest Jorn }
fight on
`
	a := stageOf(t, "a.encounter", skirmish)
	_, s := composed(t, a, pause(t, "mend / 1 hour"), a, pause(t, "/ 1 minute"), a)
	tally, err := Play(s, Options{Seed: 1, Days: 100, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	x := tally.Battles
	if m := x[1].Before[Decisive].Mean(); m.Mean != 1 {
		t.Errorf("after a rest that restores everything, %v is left", m.Mean)
	}
	if got, want := x[1].Regained[Decisive].Mean().Mean, x[0].Cost[Decisive].Mean().Mean; math.Abs(got-want) > 1e-9 || want <= 0 {
		t.Errorf("the first fight cost %v, and %v was regained", want, got)
	}
	if got := x[2].Regained[Decisive].Mean().Mean; got != 0 {
		t.Errorf("%v was regained in a minute", got)
	}
}

// Who fights whom in a composed day: the party, by name or in place of the first side, with guests, on its squares.
func TestCompose(t *testing.T) {
	party := stageOf(t, "party.encounter", "encounter \"Two\" with srd35\ncreature hero { full-hit-points: 9 }\nside party { hero Alia; hero Bron }\n")
	for _, c := range []struct{ text, want, note string }{
		{"creature pest { full-hit-points: 3 }\nside pests { pest Hask }\nfight on for 5 rounds", "side pests { pest Hask }; break off when current-round > 5; lost", ""},
		{"creature pest { full-hit-points: 3 }\nside party { hero Alia; pest Cole }\nside pests { pest Hask }\nfight on until Hask is prone", "side party { pest Cole }; side pests { pest Hask }; break off when Hask is prone; lost", ""},
		{"creature pest { full-hit-points: 3 }\nside guards { pest Ulf at (1, 1) }\nside pests { pest Hask at (5, 5) }\nfight on", "side pests { pest Hask at (5, 5) }; place Alia at (1, 1); place Bron near (1, 1); lost", "guards of x.encounter give way to party"},
	} {
		text := "encounter \"X\" with srd35\n" + c.text + "\n"
		if strings.Contains(text, "hero") {
			text = strings.Replace(text, "creature", "creature hero { full-hit-points: 9 }\ncreature", 1)
		}
		made, _ := composed(t, party, stageOf(t, "x.encounter", text))
		got := string(made.Text[strings.Index(string(made.Text), "fight \"X\" {")+11:])
		got = strings.Join(strings.Fields(strings.ReplaceAll(strings.TrimSpace(got), "\n", "; ")), " ")
		if !strings.HasPrefix(got, strings.TrimSpace(c.want)) && !strings.HasPrefix(strings.TrimPrefix(got, "; "), c.want) {
			t.Errorf("%s\ngives %s\nwant  %s", c.text, got, c.want)
		}
		if note := strings.Join(made.Notes, "; "); note != c.note {
			t.Errorf("note %q, want %q", note, c.note)
		}
		if f, diags := parse.File("day.adventure", made.Text); len(diags) > 0 || f == nil {
			t.Error(diags)
		}
	}
}

func TestComposeMistakes(t *testing.T) {
	a := stageOf(t, "a.encounter", duel)
	for _, c := range []struct {
		stages []Stage
		want   string
	}{
		{[]Stage{pause(t, "mend"), a}, "a pause comes after a party"},
		{[]Stage{a, stageOf(t, "b.encounter", strings.Replace(duel, "hit-points: 1;", "hit-points: 2;", 1))}, "b.encounter:2: creature frail is not what it is in a.encounter"},
		{[]Stage{stageOf(t, "b.encounter", duel+"pass 1 hour\nfight on\n")}, "b.encounter:6: `pass`"},
		{[]Stage{stageOf(t, "b.encounter", duel+"fight on\n")}, "it has several fights"},
		{[]Stage{stageOf(t, "b.encounter", strings.Replace(duel, "fight on", "Alia gains prone\nfight on", 1))}, "`Alia gains prone` does more than set up a fight"},
		{[]Stage{stageOf(t, "b.encounter", strings.Replace(duel, "fight on\n", "", 1))}, "there is no fight"},
		{[]Stage{a, stageOf(t, "b.encounter", strings.NewReplacer("Bron }", "Bron at (1, 1) }", "side left { frail Alia }\n", "").Replace(duel))}, "has squares, but not for all of left"},
	} {
		if _, err := Compose(c.stages); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	for text, want := range map[string]string{"": "a pause needs", "mend; mend": "is no pause", "a } b": "is no pause"} {
		if _, err := ParseRest(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Means are those of sim; intervals are those of Student, and those of shares hold what has not been met.
func TestSum(t *testing.T) {
	var s, all Sum
	h := sim.Hist{}
	for _, v := range []int64{1, 2, 2, 7} {
		s.add(float64(v))
		h[v]++
		all.add(1)
	}
	got, want := s.Mean(), sim.MeanOf(h, 4)
	half := 3.182 * want.Deviation / 2 // with three degrees of freedom
	if math.Abs(got.Mean-want.Mean)+math.Abs(got.Low-want.Mean+half)+math.Abs(got.High-want.Mean-half) > 0.05 {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := all.Bounded(1); got.Mean != 1 || got.High != 1 || got.Low > 0.6 {
		t.Errorf("four of four: %+v", got)
	}
}
