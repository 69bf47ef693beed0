package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/odds"
	"arbiter/rules"
	"arbiter/stdlib/dice"
)

func countOut(t testing.TB, src, command string, how odds.Options) *Chances {
	t.Helper()
	s, diags, err := build.Source("test.encounter", []byte(src), build.Options{Library: rules.FS})
	if err != nil || s.Rules == nil {
		t.Fatal(diags, err)
	}
	c, diags, err := ComputeOdds(s, Options{}, command, how)
	if err != nil || len(diags) > 0 {
		t.Fatal(command, err, diags)
	}
	return c
}

func (c *Chances) amount(who, name string) *AmountChance {
	for i := range c.Amounts {
		if a := &c.Amounts[i]; a.Who == who && a.Name == name {
			return a
		}
	}
	return nil
}

// Odds known by hand are reproduced exactly.
func TestCountOut(t *testing.T) {
	const duel = `encounter "a duel" with srd35
creature duelist { base-attack: %d; full-hit-points: 50; main-weapon: club; off-hand-weapon: club }
side left { duelist Alia }
side right { duelist Bron }
fight on
`
	r := func(a, b int64) *big.Rat { return big.NewRat(a, b) }
	mul := func(list ...*big.Rat) *big.Rat {
		x := r(1, 1)
		for _, v := range list {
			x.Mul(x, v)
		}
		return x
	}
	sum := func(list ...*big.Rat) *big.Rat {
		x := r(0, 1)
		for _, v := range list {
			x.Add(x, v)
		}
		return x
	}
	// The mean damage of a blow that hits on h of 20 faces, threatens on 20, and deals 3 1/2 points.
	blow := func(h int64) *big.Rat { return mul(r(7, 2), sum(r(h, 20), mul(r(1, 20), r(h, 20)))) }
	for _, x := range []struct {
		attack  int
		command string
		mean    *big.Rat // damage
		whole   *big.Rat // probability of no damage
	}{
		{0, "Alia: attack Bron", blow(11), r(9, 20)},
		{5, "Alia: attack Bron", blow(16), r(4, 20)},
		{6, "Alia: full-attack Bron", sum(blow(17), blow(12)), mul(r(3, 20), r(8, 20))},
		// A second club, which is not light: -6 and -10. The second blow with the main hand comes last.
		{0, "Alia: two-weapon-attack Bron", sum(blow(5), blow(1)), mul(r(15, 20), r(19, 20))},
		{6, "Alia: two-weapon-attack Bron", sum(blow(11), blow(7), blow(6)), mul(r(9, 20), r(13, 20), r(14, 20))},
		{11, "Alia: full-attack Bron", sum(blow(19), blow(17), blow(12)), mul(r(1, 20), r(3, 20), r(8, 20))},
		{-20, "Alia: attack Bron", mul(r(7, 2), sum(r(1, 20), mul(r(1, 20), r(1, 20)))), r(19, 20)}, // a 20 always hits
	} {
		c := countOut(t, fmt.Sprintf(duel, x.attack), x.command, odds.Options{Steps: 400_000})
		a := c.amount("Bron", "hit-points")
		if a == nil || c.Sampled != 0 {
			t.Fatalf("%s: %+v", x.command, c)
		}
		whole, total := new(big.Rat), new(big.Rat)
		for _, v := range a.Values {
			total.Add(total, v.Share.Rat)
			if v.Value == 50 {
				whole = v.Share.Rat
			}
		}
		if want := sum(r(50, 1), mul(r(-1, 1), x.mean)); a.Mean.Cmp(want) != 0 || whole.Cmp(x.whole) != 0 || total.Cmp(r(1, 1)) != 0 {
			t.Errorf("%s at +%d: mean %s, want %s; unhurt %s, want %s; in all %s", x.command, x.attack, a.Mean, want, whole, x.whole, total)
		}
	}
	// A check: how often it is made, and how often it succeeds if made.
	c := countOut(t, fmt.Sprintf(duel, 0), "Alia: attack Bron", odds.Options{})
	for i, want := range []struct{ made, success *big.Rat }{{r(1, 1), r(11, 20)}, {r(1, 20), r(11, 20)}} {
		if k := c.Checks[i]; k.Made.Cmp(want.made) != 0 || k.Success.Cmp(want.success) != 0 {
			t.Errorf("%s is made in %s, want %s, and succeeds in %s, want %s", k.Roll, k.Made, want.made, k.Success, want.success)
		}
	}
}

// A tie that is lost is not a success: the final result of a check counts, not the one first rolled. Between equals it
// succeeds half of the time.
func TestTiesCountAsTheyComeOut(t *testing.T) {
	const room = `encounter "by force" with srd35
creature man { base-attack: 6; full-hit-points: 50; strength: %d; main-weapon: longsword }
side left { man Alia }
side right { man Bron { strength: 18 } }
`
	for strength, want := range map[int]*big.Rat{16: big.NewRat(171, 400), 18: big.NewRat(1, 2), 20: big.NewRat(229, 400)} {
		c := countOut(t, fmt.Sprintf(room, strength), "Alia: attack Bron for disarming", odds.Options{Steps: 10_000})
		if k := c.Checks[0]; k.Made.Cmp(big.NewRat(1, 1)) != 0 || k.Success.Cmp(want) != 0 {
			t.Errorf("strength %d: %s succeeds in %s, want %s", strength, k.Roll, k.Success, want)
		}
	}
}

// Odds that cannot be computed are refused with a reason.
func TestCountOutRefused(t *testing.T) {
	const script = `encounter "a duel" with srd35
creature duelist { base-attack: 11; full-hit-points: 50; main-weapon: greatsword }
table omen by number { | sign | worth |; | 1 or more | gm | }
action ask "The game master knows." { cost none; step look { let x = omen[1] } }
action stumble "Over one's own feet." { cost none; step fall { let x = (roll d6) / 0 } }
side left { duelist Alia }
side right { duelist Bron }
`
	s, diags, err := build.Source("test.encounter", []byte(script), build.Options{Library: rules.FS})
	if err != nil || s.Rules == nil {
		t.Fatal(diags, err)
	}
	for command, want := range map[string]string{
		"Alia: stand-up": "not allowed: already standing", "Alia: ask": "the game master decides omen", "Alia: stumble": "division by zero",
		"Alia: attack Bron": "too many outcomes, about 4,200: more than 100 steps", "Alia: attack Brom": "there is nothing here named Brom", "note \"x\"": "not a command of a creature",
	} {
		c, diags, err := ComputeOdds(s, Options{}, command, odds.Options{Steps: 100})
		if len(diags) > 0 {
			err = errors.New(diags[0].Message)
		}
		if c != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v %v", command, c, err)
		}
	}
}

// deedsOf lists commands for Alia in all five systems; she and Bron are of the same template.
var deedsOf = map[string]struct {
	rules, with string
	commands    []string
}{
	"srd35": {"srd35", "creature man { base-attack: 3; strength: 14; full-hit-points: 30; main-weapon: longsword; worn-armor: chain-shirt }", []string{
		"attack Bron", "attack Bron with longbow", "attack Bron with unarmed-strike", "attack Bron with longsword for nonlethal", "charge Bron",
		"touch-attack Bron", "attack Bron with dagger using throw", "attack Bron with heavy-pick", "attack Bron with rapier using off-hand", "attack Bron with light-crossbow",
	}},
	"names read late": {"srd35", `creature man { base-attack: 6; full-hit-points: 30; main-weapon: longsword; has steady }
rule late after strike when to-hit succeeds and to-hit.margin >= 5 and to-hit.natural < 15 { target gains prone }
feat steady "Reads its foe." { rule again after strike.damage by self when to-hit.natural = 7 { set points to points + 3 } }`, []string{
		"attack Bron", "attack Bron with dagger",
	}},
	"offers taken where they help": {"srd35", `creature man { base-attack: 3; full-hit-points: 12; main-weapon: longsword; has stubborn, wary }
feat stubborn { rule insists after check.face by self { self may "bleed for it" by default when natural + bonus < difficulty { self loses 1 hit-points; set bonus to bonus + 4 } } }
feat wary { reaction twists before strike.deal when target = self by default when 2 * points >= hit-points { set points to points / 2 } }`, []string{
		"attack Bron", "attack Bron with greatsword", "attack Bron with dagger",
	}},
	"third": {"third", "creature man { base-attack: 2; strength: 12; full-hit-points: 20; main-weapon: longsword }", []string{
		"attack Bron", "attack Bron with unarmed-strike", "charge Bron", "bull-rush Bron", "full-attack Bron", "attack Bron with greataxe",
	}},
	"modern": {"modern", "creature man { base-attack: 1; full-hit-points: 12; main-weapon: knife }", []string{
		"attack Bron", "attack Bron with unarmed-strike", "charge Bron", "attack Bron with pistol",
	}},
	"starfinder": {"starfinder", "creature man { base-attack: 2; full-hit-points: 10; full-stamina: 8; main-weapon: longsword }", []string{
		"attack Bron", "full-attack Bron", "trip Bron", "disarm Bron", "bull-rush Bron", "grapple Bron", "feint Bron",
	}},
	"true20": {"true20", "creature man { combat-bonus: 3; strength: 2; main-weapon: longsword }", []string{
		"attack Bron", "finesse-attack Bron", "attack Bron with club", "attack Bron with dagger", "attack Bron with unarmed-strike", "charge Bron",
	}},
}

// armed returns an encounter of Alia and Bron in which Alia holds the weapon that a command uses.
func armed(rules, with, command string) string {
	held := ""
	if _, weapon, named := strings.Cut(command, " with "); named && !strings.Contains(command, "unarmed-strike") {
		hand := "main-weapon"
		if strings.Contains(command, "using off-hand") {
			hand = "off-hand-weapon"
		}
		held = fmt.Sprintf(" { %s: %s }", hand, strings.Fields(weapon)[0])
	}
	return fmt.Sprintf("encounter \"tried\" with %s\n%s\nside left { man Alia%s }\nside right { man Bron }\n", rules, with, held)
}

// Simulation agrees with the exact odds: commands of all five systems, each sampled some thousand times with a fixed
// seed.
func TestTriedAndCountedOut(t *testing.T) {
	const tries = 3000
	deeds := 0
	for system, x := range deedsOf {
		t.Run(system, func(t *testing.T) {
			for i, command := range x.commands {
				s, diags, err := build.Source("test.encounter", []byte(armed(x.rules, x.with, command)), build.Options{Library: rules.FS})
				if err != nil || s.Rules == nil {
					t.Fatal(diags, err)
				}
				exact, diags, err := ComputeOdds(s, Options{}, "Alia: "+command, odds.Options{Steps: 300_000})
				if err != nil || len(diags) > 0 {
					t.Errorf("%s: %v %v", command, err, diags)
					continue
				}
				tried, _, err := ComputeOdds(s, Options{}, "Alia: "+command, odds.Options{Steps: 1, Sample: tries, Seed: uint64(i)})
				if err != nil || tried.Sampled != tries {
					t.Errorf("%s: %v", command, err)
					continue
				}
				deeds++
				agree(t, command, exact, tried, tries)
			}
		})
	}
	if deeds < 30 {
		t.Errorf("only %d deeds", deeds)
	}
}

// writtenOut returns the odds without the number of steps, and that number.
func writtenOut(t *testing.T, c *Chances) (text string, steps int) {
	steps, c.Steps = c.Steps, 0
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(b), steps
}

// Forking on totals and forking on each die give the same odds. For exploding dice, a share is left out and reported.
func TestTotalsAndFaces(t *testing.T) {
	const script = `encounter "dice" with srd35
creature man { full-hit-points: 60 }
action burn target for harm: dice { cost none; step all { let felt = roll harm; target loses felt hit-points } }
action leap-over target {
  cost none
  step all {
    check 2 dc 11 rolled as three-dice as leap { success: note "away"; failure: self loses (leap.natural) hit-points }
  }
}
roll three-dice { die 3d6; natural 3 fails; natural 18 succeeds }
side left { man Alia }
side right { man Bron }
`
	s, diags, err := build.Source("test.encounter", []byte(script), build.Options{Library: rules.FS})
	if err != nil || s.Rules == nil {
		t.Fatal(diags, err)
	}
	for _, x := range []struct {
		command string
		steps   int // of totals; of faces there are more
	}{
		{"burn Bron for 3d6", 16}, {"burn Bron for 4d6kh3", 16}, {"burn Bron for (1d4 * 3)", 10}, {"burn Bron for (2d4 + 1)", 7},
		{"burn Bron for 2d6r1", 9}, {"burn Bron for 3d6>=5", 4}, {"burn Bron for d6", 6}, {"burn Bron for (1d10!=10>=8 * 4)", 53}, {"leap-over Bron", 16},
	} {
		explodes := strings.Contains(x.command, "!")
		count := func(o odds.Options) (string, int) {
			o.Steps = 100_000
			c, diags, err := ComputeOdds(s, Options{}, "Alia: "+x.command, o)
			if err != nil || len(diags) > 0 {
				t.Fatalf("%s: %v %v", x.command, err, diags)
			}
			if rest := c.Omitted.Float(); rest > 4*dice.Unfollowed || explodes != (rest > 0) {
				t.Errorf("%s: %g is left out", x.command, rest)
			}
			all := new(big.Rat)
			for _, v := range c.Amounts[0].Values {
				all.Add(all, v.Share.Rat)
			}
			if all.Cmp(big.NewRat(1, 1)) != 0 {
				t.Errorf("%s: the shares are %s in all", x.command, all)
			}
			return writtenOut(t, c)
		}
		totals, steps := count(odds.Options{})
		if steps != x.steps {
			t.Errorf("%s: %d steps, want %d", x.command, steps, x.steps)
		}
		if explodes || strings.Contains(x.command, "r1") {
			continue // face by face it would never end
		}
		faces, all := count(odds.Options{Faces: true})
		if totals != faces {
			t.Errorf("%s comes to\n%s\nand face by face to\n%s", x.command, totals, faces)
		}
		if all < steps {
			t.Errorf("%s: %d steps, and face by face %d", x.command, steps, all)
		}
	}
}

// State that is no longer read can be left out of keys, or have any value: the same commands are run with keys of the
// complete state, and with nonsense in all variables that count as no longer read.
func TestNobodyReadsTheRest(t *testing.T) {
	compared, fewer := 0, 0
	same := func(t *testing.T, s *build.Script, command string) {
		count := func(o odds.Options) (string, int) {
			o.Steps = 30_000
			c, diags, err := ComputeOdds(s, Options{}, command, o)
			if many := (*odds.TooManyError)(nil); errors.As(err, &many) {
				return "", o.Steps
			}
			if err != nil || len(diags) > 0 {
				t.Fatalf("%s: %v %v", command, err, diags)
			}
			return writtenOut(t, c)
		}
		want, steps := count(odds.Options{})
		spoilt, _ := count(odds.Options{Before: func(k *machine.Keyer, s *machine.State) { k.Spoil(s, 1<<40+12345) }})
		if spoilt != want {
			t.Errorf("%s: with nonsense it comes to\n%s\ninstead of\n%s", command, spoilt, want)
		}
		whole, most := count(odds.Options{Keyer: new(machine.Keyer)})
		if whole != "" && whole != want {
			t.Errorf("%s: with all names apart it comes to\n%s\ninstead of\n%s", command, whole, want)
		}
		if most < steps {
			t.Errorf("%s: %d steps, and with all names apart %d", command, steps, most)
		}
		if whole != "" && want != "" {
			compared++
		}
		if most > 2*steps {
			fewer++
		}
	}
	for system, x := range deedsOf {
		t.Run(system, func(t *testing.T) {
			for _, command := range x.commands {
				s, diags, err := build.Source("test.encounter", []byte(armed(x.rules, x.with, command)), build.Options{Library: rules.FS})
				if err != nil || s.Rules == nil {
					t.Fatal(diags, err)
				}
				same(t, s, "Alia: "+command)
			}
		})
	}
	if compared < 20 || fewer < 10 {
		t.Errorf("only %d deeds were compared, and %d took less than half of the steps", compared, fewer)
	}
}

// agree compares each distribution with Pearson's chi-squared test, far out in its tail: with fixed seeds the result is
// deterministic.
func agree(t *testing.T, command string, exact, tried *Chances, tries float64) {
	t.Helper()
	test := func(what string, want, got map[int64]float64) {
		chi, df, restWant, restGot := 0.0, 0.0, 0.0, 0.0
		for v, p := range want {
			if p*tries < 5 { // rare values together
				restWant, restGot = restWant+p, restGot+got[v]
				continue
			}
			d := (got[v] - p) * tries
			chi, df = chi+d*d/(p*tries), df+1
		}
		for v, p := range got {
			if want[v] == 0 && p > 0 {
				t.Errorf("%s: %s is %d in %v of the tries, and counted out never", command, what, v, p)
			}
		}
		if restWant*tries >= 5 {
			d := (restGot - restWant) * tries
			chi, df = chi+d*d/(restWant*tries), df+1
		}
		if bound := df + 4*math.Sqrt(2*df) + 8; chi > bound {
			t.Errorf("%s: %s: chi-square %.1f, at most %.1f", command, what, chi, bound)
		}
	}
	for _, a := range exact.Amounts {
		want, got := map[int64]float64{}, map[int64]float64{a.Now: 1}
		for _, v := range a.Values {
			want[v.Value] = v.Share.Float()
		}
		if b := tried.amount(a.Who, a.Name); b != nil {
			clear(got)
			for _, v := range b.Values {
				got[v.Value] = v.Share.Float()
			}
		}
		test(a.Who+" "+a.Name, want, got)
	}
	for _, c := range exact.Checks {
		want, got := map[int64]float64{}, map[int64]float64{0: 1}
		note := func(m map[int64]float64, c *CheckChance) {
			made, good := c.Made.Float(), c.Made.Float()*c.Success.Float()
			clear(m)
			for v, p := range map[int64]float64{0: 1 - made, 1: made - good, 2: good} {
				if p > 1e-12 {
					m[v] = p
				}
			}
		}
		note(want, &c)
		for i := range tried.Checks {
			if tried.Checks[i].Roll == c.Roll {
				note(got, &tried.Checks[i])
			}
		}
		test(c.Roll, want, got)
	}
	// Conditions gained or lost, and who falls, as yes or no.
	share := func(of *Chances) map[string]float64 {
		list := map[string]float64{}
		for _, e := range of.Effects {
			list[fmt.Sprintf("%s %s %t", e.Who, e.Name, e.Gone)] = e.Share.Float()
		}
		for _, f := range of.Falls {
			list[f.Who+" falls"] = f.Share.Float()
		}
		return list
	}
	want, got := share(exact), share(tried)
	for what := range got {
		if want[what] == 0 {
			t.Errorf("%s: %s in %v of the tries, and counted out never", command, what, got[what])
		}
	}
	for what, p := range want {
		yes := map[int64]float64{1: p}
		if p < 1 {
			yes[0] = 1 - p
		}
		test(what, yes, map[int64]float64{1: got[what], 0: 1 - got[what]})
	}
}

// Merging branches that reach the same state changes nothing: the same command with every branch explored separately.
func TestTogetherAndApart(t *testing.T) {
	for command, src := range map[string]string{
		"Alia: attack Bron":           "encounter \"a\" with srd35\ncreature man { base-attack: 3; full-hit-points: 9; main-weapon: club }\nside left { man Alia }\nside right { man Bron }\n",
		"Alia: strike Bron with club": "encounter \"a\" with srd35\ncreature man { base-attack: 3; full-hit-points: 9; main-weapon: club }\nfeat stubborn { rule insists after check.face by self { self may \"strain\" by default when natural + bonus < difficulty { self loses 1 hit-points; set bonus to bonus + 4 } } }\nside left { man Alia { has stubborn } }\nside right { man Bron }\n",
		"Alia: full-attack Bron":      "encounter \"a\" with starfinder\ncreature man { base-attack: 2; full-hit-points: 6; full-stamina: 3; main-weapon: laser-pistol }\nside left { man Alia }\nside right { man Bron }\n",
	} {
		c := countOut(t, src, command, odds.Options{})
		l := live(t, src, nil)
		p := l.p
		q, diags := l.question(command)
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		hp := int32(p.checked.Lookup("hit-points").(*ir.Resource).Index)
		apart := map[int64]*big.Rat{}
		p.m.AskDice = true
		var explore func(r machine.Result, share *big.Rat)
		explore = func(r machine.Result, share *big.Rat) {
			if r.Status == machine.Done {
				v := p.m.Resource(1, hp)
				if apart[v] == nil {
					apart[v] = new(big.Rat)
				}
				apart[v].Add(apart[v], share)
				return
			}
			here, first, last := p.m.State().Clone(), int64(1), int64(r.Sides)
			if r.Status == machine.NeedChoice {
				first = defaultAnswer(&r, false)
				last = first
			}
			part := new(big.Rat).Mul(share, big.NewRat(1, last-first+1))
			for v := first; v <= last; v++ {
				p.m.Restore(here)
				explore(p.m.Resume(v), part)
			}
		}
		explore(p.m.Do(q.who, q.proc, q.args), big.NewRat(1, 1))
		a := c.amount("Bron", "hit-points")
		if len(a.Values) != len(apart) {
			t.Errorf("%s: %d values, apart %d", command, len(a.Values), len(apart))
		}
		for _, v := range a.Values {
			if apart[v.Value] == nil || apart[v.Value].Cmp(v.Share.Rat) != 0 {
				t.Errorf("%s: %d in %s, apart in %s", command, v.Value, v.Share, apart[v.Value])
			}
		}
	}
}

// Work that is stopped says how far it came, and samples so far are shares of those that were taken.
func TestStoppedOdds(t *testing.T) {
	s := opened(t, `encounter "odds" with srd35
creature man { base-attack: 6; full-hit-points: 30; main-weapon: longsword }
side us { man Ann }
side them { man Bo }
`)
	calls := 0
	o := odds.Options{Seed: 1, Stop: func() bool { calls++; return calls > 10 }}
	early := (*odds.StoppedError)(nil)
	if _, _, err := ComputeOdds(s, Options{}, "Ann: full-attack Bo", o); !errors.As(err, &early) || early.Steps != 11 {
		t.Errorf("%v", err)
	}
	calls, o.Steps, o.Sample = 0, 1, 1000
	o.Stop = func() bool { calls++; return calls > 41 }
	c, diags, err := ComputeOdds(s, Options{}, "Ann: full-attack Bo", o)
	if err != nil || len(diags) > 0 {
		t.Fatal(diags, err)
	}
	if c.Sampled < 35 || c.Sampled > 41 || c.Checks[0].Made.Float() != 1 {
		t.Errorf("%d samples, the first check made in %v", c.Sampled, c.Checks[0].Made)
	}
	for _, a := range c.Amounts {
		sum := 0.0
		for _, v := range a.Values {
			sum += v.Share.Float()
		}
		if sum < 0.9999 || sum > 1.0001 {
			t.Errorf("%s %s: the shares add up to %v", a.Who, a.Name, sum)
		}
	}
}
