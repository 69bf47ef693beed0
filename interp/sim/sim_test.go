package sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/rules"
)

// run plays fights under one set of rules.
func run(t *session.Trials, o Options) (*Tally, error) {
	arms, err := Compare([]Variant{{Trials: t}}, o)
	if arms == nil {
		return nil, err
	}
	return arms[0].Tally, err
}

func trials(t testing.TB, src string) *session.Trials {
	t.Helper()
	s, diags, err := build.Source("test.encounter", []byte(src), build.Options{Library: rules.FS})
	if err != nil || s.Rules == nil {
		t.Fatal(diags, err)
	}
	x, err := session.NewTrials(s, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

const duel = `encounter "one blow" with srd35
creature frail { full-hit-points: 1; main-weapon: greatsword }
tactics hew { attack first-foe with greatsword when first-foe is not none }
side left { frail Alia follows hew { base-attack: 5 } }
side right { frail Bron follows hew }
fight on
`

// A duel that ends with the first hit, computed by hand: one combatant hits with probability a, the other with b.
func TestDuelByHand(t *testing.T) {
	x := trials(t, duel)
	tally, err := run(x, Options{Seed: 5, Fights: 20_000, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	const a, b = 0.80, 0.55 // +5 and +0 against armor class 10
	first := a / (1 - (1-a)*(1-b))
	second := 1 - b/(1-(1-a)*(1-b))
	want := (first + second) / 2 // both are equally likely to begin
	r := NewReport(x.Cast(), 5, tally)
	if w := r.Sides[0].Wins; want < w.Low || want > w.High || w.High-w.Low > 0.015 {
		t.Errorf("Alia wins %+v, by hand %v", w, want)
	}
	// A fight takes one round more than those in which both missed.
	rounds := 1 / (1 - (1-a)*(1-b))
	if m := r.Rounds.Mean; rounds < m.Low || rounds > m.High {
		t.Errorf("%+v rounds, by hand %v", m, rounds)
	}
	// The loser has taken 2d6 from the other's attack, or 4d6 from a critical hit: 2 of 20 faces threaten. Nobody loses
	// more than 11, which is 10 below 0.
	plain, critical := 0.0, 0.0
	for i := range 6 * 6 * 6 * 6 {
		two := float64(i%6 + i/6%6 + 2)
		plain += min(two, 11) / 1296
		critical += min(two+float64(i/36%6+i/216+2), 11) / 1296
	}
	for i := range 2 {
		// If a share h of all blows hits, 0.1/h of the hits threaten, and h of those are confirmed.
		want := r.Sides[i].Wins.Rate * (plain + 0.1*(critical-plain))
		if m := r.Combatants[i].Dealt.Mean; want < m.Low || want > m.High {
			t.Errorf("%s dealt %+v, by hand %v", r.Combatants[i].Name, m, want)
		}
	}
	// Fights without a loss are part of its distribution.
	for _, c := range r.Causes {
		var fights uint64
		sum := int64(0)
		for _, x := range c.Loss.Counts {
			fights, sum = fights+x.Times, sum+x.Value*int64(x.Times)
		}
		if mean := float64(sum) / float64(fights); c.Loss.Counts[0].Value != 0 || fights != r.Fights || math.Abs(mean-c.Loss.Mean.Mean) > 1e-9 {
			t.Errorf("%d fights with a mean of %v, want %d and %v: %+v", fights, mean, r.Fights, c.Loss.Mean.Mean, c.Loss.Counts)
		}
	}
	if len(r.Causes) != 2 || r.Causes[0].Cause != "attack" || r.Causes[1].Cause != "attack" {
		t.Errorf("%+v", r.Causes)
	}
}

const skirmish = `encounter "two and two" with srd35
creature fighter { base-attack: 4; strength: 14; full-hit-points: 24; main-weapon: longsword }
map """
  ..........
  ..........
  ....#.....
  ..........
  """ { "#": wall }
side left { fighter Alia at (0, 1); fighter Cole at (0, 2) }
side right { fighter Bron at (9, 1); fighter Dora at (9, 2) }
fight on
`

// The result is the same to the byte, for any number of workers and shards.
func TestDivided(t *testing.T) {
	const seed, fights = 7, 300
	x := trials(t, skirmish)
	report := func(tally *Tally) string {
		data, err := json.Marshal(NewReport(x.Cast(), seed, tally))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	whole, err := run(x, Options{Seed: seed, Fights: fights, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := report(whole)
	for _, workers := range []int{2, 5} {
		got, err := run(trials(t, skirmish), Options{Seed: seed, Fights: fights, Workers: workers})
		if err != nil || report(got) != want {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
	var parts []*Shard
	for part := 3; part >= 1; part-- { // in any order
		from, count := Range(fights, part, 3)
		tally, err := run(x, Options{Seed: seed, From: from, Fights: count, Workers: part})
		if err != nil {
			t.Fatal(err)
		}
		s := &Shard{Kind: "shard", Version: ShardVersion, Seed: seed, Fights: fights, Part: part, Of: 3, Cast: x.Cast(), Tally: tally}
		parts = append(parts, written(t, fmt.Sprintf("part%d.json", part), s))
	}
	merged, err := Merge(parts)
	if err != nil || report(merged.Tally) != want || !reflect.DeepEqual(merged.Tally.Firsts, whole.Firsts) {
		t.Errorf("merged: %v", err)
	}
	for name, c := range map[string]struct {
		change func([]*Shard) []*Shard
		want   string
	}{
		"none":           {func([]*Shard) []*Shard { return nil }, "nothing to merge"},
		"one is missing": {func(p []*Shard) []*Shard { return p[:2] }, "3 parts, 2 given"},
		"one twice":      {func(p []*Shard) []*Shard { return []*Shard{p[0], p[1], p[1]} }, "part2.json holds part 2 of 3, which part2.json holds too"},
		"another seed":   {func(p []*Shard) []*Shard { y := *p[1]; y.Seed++; return []*Shard{p[0], &y, p[2]} }, "part2.json was made with the seed 8, and part3.json with 7"},
		"another number": {func(p []*Shard) []*Shard { y := *p[1]; y.Fights++; return []*Shard{p[0], &y, p[2]} }, "part2.json is from another simulation than part3.json"},
		"no such part":   {func(p []*Shard) []*Shard { y := *p[1]; y.Part = 4; return []*Shard{p[0], &y, p[2]} }, "part2.json holds part 4 of 3, which does not exist"},
		"another script": {func(p []*Shard) []*Shard {
			y, z := *p[1], *p[1].Cast
			z.Digest = "00000000"
			y.Cast = &z
			return []*Shard{p[0], &y, p[2]}
		}, "part2.json was made from another script or other rules than part3.json"},
		"broken off": {func(p []*Shard) []*Shard {
			y, z := *p[1], *p[1].Tally
			z.Fights--
			y.Tally = &z
			return []*Shard{p[0], &y, p[2]}
		}, "part2.json was interrupted after 99 of 100 fights"},
		"a stranger's deed": {func(p []*Shard) []*Shard {
			y, z := *p[1], *p[1].Tally
			z.Causes = Causes{Cause{By: 9}: Hist{1: 1}}
			y.Tally = &z
			return []*Shard{p[0], &y, p[2]}
		}, "part2.json is damaged"},
	} {
		if _, err := Merge(c.change(parts)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// written writes a shard to a file of this name and reads it again.
func written(t *testing.T, name string, s *Shard) *Shard {
	t.Helper()
	s.Seal()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ReadShard(name, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// A part that is not what was written is refused by name, whatever has happened to it.
func TestReadShard(t *testing.T) {
	x := trials(t, skirmish)
	tally, err := run(x, Options{Seed: 7, Fights: 20, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := &Shard{Kind: "shard", Version: ShardVersion, Seed: 7, Fights: 20, Part: 1, Of: 1, Cast: x.Cast(), Tally: tally}
	s.Seal()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	changed := func(from, to string) string {
		if !strings.Contains(text, from) {
			t.Fatal(from)
		}
		return strings.Replace(text, from, to, 1)
	}
	for name, c := range map[string]struct{ text, want string }{
		"as written":         {text, ""},
		"with spaces":        {" \n" + text + "\n\n", ""},
		"nothing":            {"", "it is empty"},
		"cut off":            {text[:len(text)/2], fmt.Sprintf("it has been cut off after %d bytes", len(text)/2)},
		"cut off at the end": {text[:len(text)-1], "it has been cut off"},
		"twice":              {text + text, "holds something after the part"},
		"something after it": {text + "x", "holds something after the part"},
		"not JSON":           {"encounter \"x\"", "is not a part of a simulation"},
		"other JSON":         {"{}", "is not a part of a simulation"},
		"a list":             {"[" + text + "]", "is not a part of a simulation"},
		"another form":       {changed(fmt.Sprintf(`"version":%d`, ShardVersion), `"version":9`), "has format version 9"},
		"another seed":       {changed(`"seed":7`, `"seed":8`), "has been changed since it was made"},
		"another part":       {changed(`"part":1`, `"part":2`), "has been changed since it was made"},
		"more fights":        {changed(`"fights":20`, `"fights":21`), "has been changed since it was made"},
		"another script":     {changed(`"Digest":"`, `"Digest":"0`), "has been changed since it was made"},
		"another hash":       {changed(`"hash":"`, `"hash":"0`), "has been changed since it was made"},
		"no hash":            {changed(s.Hash, ""), "has been changed since it was made"},
		"too large":          {strings.Repeat(" ", maxShard) + text, fmt.Sprintf("more than %d bytes", maxShard)},
	} {
		_, err := ReadShard("part.json", strings.NewReader(c.text))
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), "part.json ") || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRange(t *testing.T) {
	for _, n := range []uint64{1, 7, 10, 1 << 40} {
		for of := 1; of <= 7 && uint64(of) <= n; of++ {
			next := uint64(0)
			for part := 1; part <= of; part++ {
				from, count := Range(n, part, of)
				if from != next {
					t.Errorf("part %d of %d of %d begins at %d, not %d", part, of, n, from, next)
				}
				next += count
			}
			if next != n {
				t.Errorf("%d parts of %d hold %d", of, n, next)
			}
		}
	}
}

// It stops when the rates are known precisely enough, or when told to, and says which fight failed.
func TestEnds(t *testing.T) {
	x := trials(t, duel)
	tally, err := run(x, Options{Seed: 1, Fights: 1_000_000, Workers: 2, Until: 0.02})
	if err != nil || tally.Fights < 2*Batch || tally.Fights > 4*Batch {
		t.Errorf("until 2 %%: %d fights, %v", tally.Fights, err)
	}
	again, err := run(x, Options{Seed: 1, Fights: 1_000_000, Workers: 1, Until: 0.02})
	if err != nil || again.Fights != tally.Fights {
		t.Errorf("by one worker %d fights, by two %d", again.Fights, tally.Fights)
	}
	n := 0
	tally, err = run(x, Options{Seed: 1, Fights: 1000, Workers: 1, Stop: func() bool { n++; return n > 100 }})
	if err != nil || tally.Fights != 100 {
		t.Errorf("stopped: %d fights, %v", tally.Fights, err)
	}
	bad := trials(t, strings.Replace(duel, "tactics hew {", "option three = 3\ntactics hew {\n  attack first-foe with greatsword when first-foe is not none and 1 / (current-round - three) = 5\n", 1))
	if _, err = run(bad, Options{Seed: 1, Fights: 200, Workers: 2}); err == nil || !strings.Contains(err.Error(), "division by zero") || !strings.HasPrefix(err.Error(), "fight ") {
		t.Errorf("%v", err)
	}
}

// Figures from tables of statistics.
func TestEstimates(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 5e-4 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	r := RateOf(15, 50)
	near("rate", r.Rate, 0.3)
	near("low", r.Low, 0.1910)
	near("high", r.High, 0.4375)
	r = RateOf(0, 10)
	near("low of none", r.Low, 0)
	near("high of none", r.High, 0.2775)
	if r := RateOf(0, 0); r.Low != 0 || r.High != 1 {
		t.Errorf("of nothing: %+v", r)
	}
	h := Hist{2: 1, 4: 3, 5: 2, 7: 1, 9: 1} // mean 5, variance 32/7
	m := MeanOf(h, 8)
	near("mean", m.Mean, 5)
	near("deviation", m.Deviation, math.Sqrt(32.0/7))
	near("half width", m.High-m.Mean, 1.959964*math.Sqrt(32.0/7/8))
	if m := MeanOf(Hist{8: 1}, 4); m.Mean != 2 { // the other three are 0
		t.Errorf("%+v", m)
	}
	for share, want := range map[float64]int64{0.05: 2, 0.125: 2, 0.13: 4, 0.5: 4, 0.51: 5, 0.75: 5, 1: 9} {
		if got := quantile(h, 8, share); got != want {
			t.Errorf("quantile %v is %d, want %d", share, got, want)
		}
	}
	if got := quantile(Hist{-3: 1, 8: 1}, 4, 0.5); got != 0 {
		t.Errorf("median with zeros: %d", got)
	}
}

// Fights that are not really fights are counted, and reported as such.
func TestDoubts(t *testing.T) {
	const lone = "side left { frail Alia }\n"
	const peace = "tactics wait { stand-up when self is prone }\nside left { frail Alia follows wait }\nside right { frail Bron follows wait }\n"
	const tough = "side left { frail Alia { full-hit-points: 900 } }\nside right { frail Bron { full-hit-points: 900 } }\n"
	for script, want := range map[string][]string{
		lone + "fight on":                        {"there is nobody to fight: everyone is on side left"},
		peace + "fight on for 5 rounds":          {"no side wins a fight, and nobody loses anything"},
		tough + "fight on for 9 rounds":          {"no side wins a fight: the fights end before a side is defeated"},
		tough + "roll d6\nfight on for 9 rounds": {"1 die was rolled before the fights", "no side wins a fight: the fights end before a side is defeated"},
	} {
		x := trials(t, "encounter \"no fight\" with srd35\ncreature frail { full-hit-points: 1; main-weapon: greatsword; base-attack: 5 }\n"+script+"\n")
		tally, err := run(x, Options{Seed: 1, Fights: 40, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := NewReport(x.Cast(), 1, tally).Warnings
		for i, w := range want {
			if !strings.HasPrefix(got[i], w) {
				t.Errorf("%s\n%q, want %q", script, got, want)
			}
		}
		if len(got) != len(want)+1 { // plus the warning about wide intervals
			t.Errorf("%s\n%q, want %q", script, got, want)
		}
	}
	x := trials(t, duel)
	for fights, want := range map[uint64]string{1: "1 fight is too few", 5: "5 fights are too few", 40: "win rates are known only", 2000: ""} {
		tally, err := run(x, Options{Seed: 1, Fights: fights, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(NewReport(x.Cast(), 1, tally).Warnings, "; "); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%d fights: %q, want %q", fights, got, want)
		}
	}
}

// The fights to read are a typical one, upsets, and as many others as were asked for and played.
func TestSamples(t *testing.T) {
	x := trials(t, duel)
	tally, err := run(x, Options{Seed: 3, Fights: 500, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	list := tally.Samples(x.Cast(), 3)
	if len(list) != 3 || !strings.HasPrefix(list[0].Why, "typical: left wins in 1 round") || !strings.HasPrefix(list[1].Why, "upset: right wins in 1 round") {
		t.Errorf("%+v", list)
	}
	for most, want := range map[int]int{1: 1, 400: 400, 2000: 500} {
		fights := map[uint64]bool{}
		for _, s := range tally.Samples(x.Cast(), most) {
			fights[s.Fight] = true
			if s.Fight >= 500 {
				t.Errorf("fight %d was not played", s.Fight)
			}
		}
		if len(fights) != want {
			t.Errorf("%d different fights of %d asked for, want %d", len(fights), most, want)
		}
	}
	if n := len((&Tally{}).Samples(x.Cast(), 3)); n != 0 {
		t.Errorf("%d of nothing", n)
	}
}

// BenchmarkSim plays skirmishes with a ledger, with one worker.
func BenchmarkSim(b *testing.B) {
	x := trials(b, skirmish)
	b.ReportAllocs()
	if _, err := run(x, Options{Seed: 1, Fights: uint64(b.N), Workers: 1}); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "fights/s")
}
