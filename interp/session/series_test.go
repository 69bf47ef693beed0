package session

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/odds"
	"arbiter/rules"
)

// firstHit is a duel that ends with the first hit: Alia hits with 80 %, Bron with 55 %.
const firstHit = `encounter "first hit" with srd35
creature frail { full-hit-points: 1; base-attack: 0; main-weapon: greatsword }
side left { frail Alia { base-attack: 5 } }
side right { frail Bron }
`

func seriesOdds(t *testing.T, source, commands string, how odds.Options) (*Chances, error) {
	t.Helper()
	s, diags, err := build.Source("test.encounter", []byte(source), build.Options{Library: rules.FS})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	c, diags, err := ComputeOdds(s, Options{}, commands, how)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return c, err
}

// Round by round, by hand: a duel goes on with a chance of 0.2 * 0.45.
func TestSeriesByHand(t *testing.T) {
	const rounds = 12
	c, err := seriesOdds(t, firstHit, "Alia: attack Bron; Bron: attack Alia", odds.Options{Steps: 100_000, Rounds: rounds})
	if err != nil || len(c.Rounds) != rounds || c.Sampled != 0 {
		t.Fatal(err, c)
	}
	open, alia, bron := big.NewRat(1, 1), new(big.Rat), new(big.Rat)
	part := func(x *big.Rat, a, b int64) *big.Rat { return new(big.Rat).Mul(x, big.NewRat(a, b)) }
	for n, falls := range c.Rounds {
		bron.Add(bron, part(open, 80, 100))
		alia.Add(alia, part(open, 20*55, 10_000))
		open = part(open, 20*45, 10_000)
		for _, f := range falls {
			if want := map[string]*big.Rat{"Alia": alia, "Bron": bron}[f.Who]; f.Share.Cmp(want) != 0 {
				t.Errorf("round %d: %s falls with %v, not %v", n+1, f.Who, f.Share, want)
			}
		}
	}
	if last := c.Falls; len(last) != 2 || last[0].Share.Cmp(alia) != 0 || last[1].Share.Cmp(bron) != 0 {
		t.Errorf("%v", last)
	}
}

// The distribution after several rounds agrees with what random dice show.
func TestSeriesAsSampled(t *testing.T) {
	source := strings.NewReplacer("full-hit-points: 1;", "full-hit-points: 4;", "greatsword", "dagger").Replace(firstHit)
	const commands, rounds, tries = "Bron: attack Alia; Alia: attack Bron", 3, 3000
	exact, err := seriesOdds(t, source, commands, odds.Options{Steps: 1_000_000, Rounds: rounds})
	if err != nil {
		t.Fatal(err)
	}
	tried, err := seriesOdds(t, source, commands, odds.Options{Steps: 1, Sample: tries, Seed: 7, Rounds: rounds})
	if err != nil || tried.Sampled != tries {
		t.Fatal(err)
	}
	for n := range rounds {
		for i, f := range exact.Rounds[n] {
			p := f.Share.Float()
			if got := tried.Rounds[n][i]; got.Who != f.Who || math.Abs(got.Share.Float()-p) > 4*math.Sqrt(p*(1-p)/tries) {
				t.Errorf("round %d: %s falls with %v, sampled %v", n+1, f.Who, p, got.Share.Float())
			}
		}
	}
}

// What is too much is refused, with what it would take.
func TestSeriesTooLong(t *testing.T) {
	_, err := seriesOdds(t, firstHit, "Alia: attack Bron; Bron: attack Alia", odds.Options{Steps: 50, Rounds: 3})
	if many := (*odds.TooManyError)(nil); !errors.As(err, &many) || many.About == nil {
		t.Errorf("%v", err)
	}
}
