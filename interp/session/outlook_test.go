package session

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"arbiter/interp/advise"
	"arbiter/interp/odds"
)

var everyPosition = flag.Bool("every-position", false, "search all composed positions, not only the first two")

// term is a part of the value of a position, in numbers that odds has exactly: the share of an effect that is gained or
// lost, the share of a fall, or the change of an amount.
type term struct {
	who, name string // "falls" for a fall
	weight    float64
}

// expected is the exact value that a command adds, from its odds.
func expected(c *Chances, terms []term) (sum float64) {
	for _, x := range terms {
		for _, f := range c.Falls {
			if x.name == "falls" && f.Who == x.who {
				sum += x.weight * f.Share.Float()
			}
		}
		for _, e := range c.Effects {
			if e.Who == x.who && e.Name == x.name {
				sum += x.weight * e.Share.Float()
			}
		}
		for _, a := range c.Amounts {
			if a.Who == x.who && a.Name == x.name {
				sum += x.weight * (a.Mean.Float() - float64(a.Now))
			}
		}
	}
	return sum
}

// Composed positions in which one command is left: the best is known from the exact odds of all of them. The tactics
// choose another, and the search finds one that is as good as the best.
func TestComposedPositions(t *testing.T) {
	for i, x := range []struct {
		name  string
		terms []term
	}{
		{"captain", []term{{"Rask", "falls", 1}, {"Karg", "falls", 10}}},
		{"first-aid", []term{{"Bron", "dying", 10}}},
		{"wear-down", []term{{"Rask", "hit-points", -1}, {"Brug", "hit-points", -1}}},
		{"trip", []term{{"Rask", "prone", 10}, {"Alia", "prone", -10}}},
		{"potion", []term{{"Alia", "hit-points", 1}}},
		{"alive", []term{{"Rask", "knocked-out", 10}}},
		{"sleeper", []term{{"Rask", "falls", 1}, {"Karg", "falls", 10}}},
		{"second-weapon", []term{{"Skel", "hit-points", -1}}},
		{"grab", []term{{"Rask", "grappling", 10}}},
		{"feint", []term{{"Rask", "misled", 10}}},
	} {
		if i >= 2 && !*everyPosition {
			break
		}
		t.Run(x.name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", "advise", x.name+".encounter"))
			if err != nil {
				t.Fatal(err)
			}
			exact, usual := exactValues(t, string(text), x.terms)
			best := usual
			for _, v := range exact {
				best = max(best, v)
			}
			if best <= usual {
				t.Fatalf("the tactics choose the best, %.3f: %v", usual, exact)
			}
			began := time.Now()
			a, diags, err := Advise(opened(t, string(text)), Options{}, AdviceOptions{Options: advise.Options{Playouts: 2000, Confirm: true}})
			if err != nil || len(diags) > 0 {
				t.Fatal(diags, err)
			}
			t.Logf("%d playouts in %s", a.Playouts, time.Since(began))
			if got, known := exact[a.Best]; !known || got < best-1e-9 {
				t.Errorf("%s is worth %.3f, the best %.3f, what tactics do %.3f\n%s", a.Best, got, best, usual, a.Text(6))
			}
		})
	}
}

// exactSteps is how far the exact odds are followed; what takes more is left out, and must not be what is found.
func exactSteps() int {
	if *everyPosition {
		return 30_000
	}
	return 3_000
}

// exactValues returns the exact value of each command that is possible in a position, and of what tactics would do.
func exactValues(t *testing.T, text string, terms []term) (exact map[string]float64, usual float64) {
	s := opened(t, text)
	p := newPlayer(s, Options{})
	p.run(s.File.Body[:len(s.File.Body)-1])
	if len(p.result.Failures) > 0 {
		t.Fatal(p.result.Failures)
	}
	o, err := p.newOutlook()
	if err != nil {
		t.Fatal(err)
	}
	who := p.m.State().Order.Current()
	if err := o.from(p.m.State(), who); err != nil {
		t.Fatal(err)
	}
	p.m.Restore(&o.t.start)
	l := &Live{p: p}
	exact = map[string]float64{}
	for i := range *o.list {
		a := &(*o.list)[i]
		if a.proc < 0 {
			continue
		}
		c, err := l.computeOdds([]*question{{text: p.alternativeText(a), who: who, proc: a.proc, args: a.args}}, odds.Options{Steps: exactSteps()})
		if many := (*odds.TooManyError)(nil); errors.As(err, &many) {
			continue // then it must not be what the search finds
		}
		if err != nil {
			t.Fatal(p.alternativeText(a), err)
		}
		if exact[c.Command] = expected(c, terms); i == 0 {
			usual = exact[c.Command]
		}
	}
	if len(exact) < 10 {
		t.Fatal(fmt.Sprint("few commands: ", exact))
	}
	return exact, usual
}

// A search leaves the fight as it is, and the same seed gives the same advice, however many work on it.
func TestAdviceIsTheSame(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "advise", "captain.encounter"))
	if err != nil {
		t.Fatal(err)
	}
	var first string
	for _, workers := range []int{1, 3} {
		a, diags, err := Advise(opened(t, string(text)), Options{}, AdviceOptions{Options: advise.Options{Playouts: 300, Confirm: true}, Workers: workers})
		if err != nil || len(diags) > 0 {
			t.Fatal(diags, err)
		}
		if got := a.Text(20); first == "" {
			first = got
		} else if got != first {
			t.Errorf("with %d workers:\n%s\nwith one:\n%s", workers, got, first)
		}
	}
	s := opened(t, string(text))
	s.File.Body = s.File.Body[:len(s.File.Body)-1]
	l, out := NewLive(s, Options{}, nil)
	if len(out.Failures) > 0 {
		t.Fatal(out.Failures)
	}
	before := l.Hash()
	if _, err := l.Advise(AdviceOptions{Options: advise.Options{Playouts: 100}}); err != nil {
		t.Fatal(err)
	}
	if l.Hash() != before {
		t.Error("advice has changed the fight")
	}
}

var bestOf = flag.Int("best-of", 0, "play this many fights of the courtyard by `best of 200` from either side, and tell how many it wins")

// Whoever searches wins more often than whoever follows the tactics alone.
func TestBestOf(t *testing.T) {
	text, err := os.ReadFile("testdata/courtyard.encounter")
	if err != nil {
		t.Fatal(err)
	}
	if *bestOf == 0 { // that a fight can be played so, in a small one, and is the same again
		const duel = "creature man { level: 1; full-hit-points: 8; base-attack: 1; strength: 14; main-weapon: longsword }\nside a follows best of 20 { man Ann }\nside b { man Bo }\nseed 3\nfight on for 3 rounds\n"
		run := func() string {
			var b bytes.Buffer
			r := Run(opened(t, "encounter \"e\" with srd35\n"+duel), Options{Out: &b})
			if len(r.Failures) > 0 {
				t.Fatal(r.Failures)
			}
			return b.String()
		}
		if a, b := run(), run(); a != b || a == "" {
			t.Errorf("the same seed gives another fight:\n%s\n%s", a, b)
		}
		return
	}
	for k, side := range []string{"west", "east"} {
		searching := bytes.Replace(text, []byte("side "+side+" {"), []byte("side "+side+" follows best of 200 {"), 1)
		x, err := NewTrials(opened(t, string(searching)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		won := 0
		for n := range *bestOf {
			end, err := x.Fight(uint64(n))
			if err != nil {
				t.Fatal(err)
			}
			if end.Side == k {
				won++
			}
		}
		c := advise.Candidate{}
		for n := range *bestOf {
			o := advise.Outcome{}
			if n < won {
				o.Figures[0] = 1
			}
			c.Screened = append(c.Screened, o)
		}
		r := c.Rate(0)
		t.Logf("%s wins %d of %d: %.1f %% (%.1f to %.1f)", side, won, *bestOf, 100*r.Mean, 100*r.Low, 100*r.High)
		if r.Low <= 0.5 {
			t.Errorf("best of 200 does not win more than half of the fights as %s", side)
		}
	}
}
