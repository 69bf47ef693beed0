package sim

import (
	"cmp"
	"fmt"
	"slices"

	"arbiter/interp/machine"
	"arbiter/interp/session"
)

// This file turns counts into words and numbers.

// Report is the report of a simulation.
type Report struct {
	Title      string        `json:"title"`
	Seed       uint64        `json:"seed"`
	Fights     uint64        `json:"fights"`
	Sides      []SideReport  `json:"sides"`
	Undecided  Rate          `json:"undecided"`
	Rounds     Distribution  `json:"rounds"`
	Combatants []Combatant   `json:"combatants"`
	Causes     []CauseReport `json:"causes"` // the most damaging first
	Warnings   []string      `json:"warnings"`
	Adjusted   *AdjustReport `json:"adjusted,omitempty"` // nil: the estimates are not adjusted for luck
}

// SideReport is the result of a side.
type SideReport struct {
	Name string `json:"name"`
	Wins Rate   `json:"wins"`
}

// Distribution is a distribution.
type Distribution struct {
	Mean
	Quantiles Quantiles `json:"quantiles"`
	Counts    []Count   `json:"counts"` // ascending by value
}

// Quantiles of a distribution: 5, 25, 50, 75 and 95 % of the fights are at or below them.
type Quantiles struct {
	P5  int64 `json:"p5"`
	P25 int64 `json:"p25"`
	P50 int64 `json:"p50"`
	P75 int64 `json:"p75"`
	P95 int64 `json:"p95"`
}

// Count is how often a value occurred.
type Count struct {
	Value int64  `json:"value"`
	Times uint64 `json:"times"`
}

// Combatant is the result of one combatant, averaged per fight.
type Combatant struct {
	Name  string       `json:"name"`
	Side  string       `json:"side"`
	Falls Rate         `json:"falls"`
	Took  Distribution `json:"took"`
	Dealt Distribution `json:"dealt"`
	Left  []LeftReport `json:"left"` // resources that ever changed
}

// LeftReport is how much of a resource is left at the end.
type LeftReport struct {
	Resource string `json:"resource"`
	Distribution
}

// CauseReport is how much of a resource all combatants lose by one cause in a fight.
type CauseReport struct {
	By       string       `json:"by"`
	Cause    string       `json:"cause"` // "" if neither an action nor a rule caused the loss
	Resource string       `json:"resource"`
	Loss     Distribution `json:"loss"`
}

// NewReport returns the report of fights played with a seed.
func NewReport(c *session.Cast, seed uint64, t *Tally) *Report {
	r := &Report{Title: c.Title, Seed: seed, Fights: t.Fights, Undecided: t.rate(Figure{Kind: Wins, Who: len(c.Sides)}, t.Wins[len(c.Sides)]), Rounds: distributionOf(t.Rounds, t.Fights), Adjusted: t.adjustReport(c), Causes: []CauseReport{}, Warnings: []string{}}
	r.Rounds.Mean = t.mean(Figure{Kind: Rounds}, r.Rounds.Mean)
	widest := 0.0
	for i, name := range c.Sides {
		x := SideReport{name, t.rate(Figure{Kind: Wins, Who: i}, t.Wins[i])}
		widest = max(widest, (x.Wins.High-x.Wins.Low)/2)
		r.Sides = append(r.Sides, x)
	}
	for i, m := range c.Members {
		if slices.Contains(c.Absent, i) {
			continue
		}
		x := Combatant{Name: m.Name, Side: c.Sides[m.Side], Falls: t.rate(Figure{Kind: Falls, Who: i}, t.Members[i].Down), Took: distributionOf(t.Members[i].Took, t.Fights), Dealt: distributionOf(t.Members[i].Dealt, t.Fights), Left: []LeftReport{}}
		for id, w := range c.Watched {
			if h := t.Members[i].Left[int32(id)]; isWorthReporting(h, w) {
				d := distributionOf(h, t.Fights)
				d.Mean = t.mean(Figure{Kind: Left, Who: i, Cause: Cause{Resource: int32(id)}}, d.Mean)
				x.Left = append(x.Left, LeftReport{c.Resources[id], d})
			}
		}
		x.Took.Mean, x.Dealt.Mean = t.mean(Figure{Kind: Took, Who: i}, x.Took.Mean), t.mean(Figure{Kind: Dealt, Who: i}, x.Dealt.Mean)
		r.Combatants = append(r.Combatants, x)
	}
	for d, h := range t.Causes {
		r.Causes = append(r.Causes, CauseReport{c.Members[d.By].Name, causeName(c, d), c.Resources[d.Resource], distributionOf(h, t.Fights)})
	}
	slices.SortFunc(r.Causes, func(a, b CauseReport) int {
		return cmp.Or(cmp.Compare(b.Loss.Mean.Mean, a.Loss.Mean.Mean), cmp.Compare(a.By, b.By), cmp.Compare(a.Cause, b.Cause), cmp.Compare(a.Resource, b.Resource))
	})
	general, ofWins := warningsAbout(c, t)
	r.Warnings = append(general, ofWins...)
	switch {
	case t.Fights < FewFights:
		r.Warnings = append(r.Warnings, tooFewText(t.Fights))
	case widest > 0.03:
		r.Warnings = append(r.Warnings, fmt.Sprintf("win rates are known only to within %s percentage points: play more fights to narrow that", Number(100*widest)))
	}
	return r
}

// FewFights is the number of fights below which the intervals, which assume a normal distribution, say little.
const FewFights = 30

// warningsAbout returns reasons why these fights are probably not what the user wanted to test, and reasons that
// concern only who wins.
func warningsAbout(c *session.Cast, t *Tally) (list, ofWins []string) {
	list = []string{}
	with := map[int]bool{} // sides with members
	hurt := false
	for i, m := range c.Members {
		with[m.Side] = true
		hurt = hurt || !hasOnly(t.Members[i].Took, 0)
	}
	switch nobody := t.Fights > 0 && t.Wins[len(c.Sides)] == t.Fights; {
	case len(with) == 1:
		list = append(list, fmt.Sprintf("there is nobody to fight: everyone is on side %s", c.Sides[c.Members[0].Side]))
	case nobody && !hurt:
		list = append(list, "no side wins a fight, and nobody loses anything: can they reach each other, and do their tactics attack?")
	case nobody:
		ofWins = append(ofWins, "no side wins a fight: the fights end before a side is defeated")
	}
	for _, name := range c.Turnless {
		list = append(list, name+" may get no turn: a combatant who joins a running fight has no place in the turn order until the script gives one, by an action of the rules or by `"+name+" acts at NUMBER`")
	}
	if c.DiceBefore > 0 {
		list = append(list, fmt.Sprintf("%s before the fights, by the seed of the script, with the same result for all of them", diceText(c.DiceBefore)))
	}
	return list, ofWins
}

func diceText(n uint64) string {
	if n == 1 {
		return "1 die was rolled"
	}
	return fmt.Sprintf("%d dice were rolled", n)
}

func tooFewText(fights uint64) string {
	if fights == 1 {
		return "1 fight is too few for meaningful intervals"
	}
	return fmt.Sprintf("%d fights are too few for meaningful intervals", fights)
}

// causeName is the name of the action or the rule; "" if neither caused the loss.
func causeName(c *session.Cast, d Cause) string {
	switch {
	case d.What == machine.NoCause:
		return ""
	case d.What < 0:
		return c.Rules[^d.What]
	}
	return c.Actions[d.What]
}

// isWorthReporting reports whether what is left of a resource is worth a line.
func isWorthReporting(h Hist, w machine.Watch) bool {
	return w != machine.Unwatched && (len(h) > 1 || w == machine.Losses && len(h) == 1) && !hasOnly(h, 0)
}

// hasOnly reports whether v is the only value of a distribution.
func hasOnly(h Hist, v int64) bool { return len(h) == 1 && h[v] > 0 }

// distributionOf describes a distribution over all fights; fights missing from it count as 0.
func distributionOf(h Hist, all uint64) Distribution {
	q := func(share float64) int64 { return quantile(h, all, share) }
	s := Distribution{Mean: MeanOf(h, all), Quantiles: Quantiles{q(.05), q(.25), q(.5), q(.75), q(.95)}, Counts: []Count{}}
	missing := all
	for v, n := range h {
		s.Counts = append(s.Counts, Count{v, n})
		missing -= min(n, missing)
	}
	if at := slices.IndexFunc(s.Counts, func(c Count) bool { return c.Value == 0 }); at >= 0 {
		s.Counts[at].Times += missing
	} else if missing > 0 {
		s.Counts = append(s.Counts, Count{0, missing})
	}
	slices.SortFunc(s.Counts, func(a, b Count) int { return cmp.Compare(a.Value, b.Value) })
	return s
}

// Sample is a fight worth reading.
type Sample struct {
	Fight uint64 `json:"fight"`
	Why   string `json:"why"` // "" for no particular reason
}

// Samples picks fights to read out of a whole simulation: first a typical one, then upsets, the rarest first, each the
// earliest of its kind; then the first of all others.
func (t *Tally) Samples(c *session.Cast, most int) []Sample {
	if t.Fights == 0 || most < 1 {
		return nil
	}
	usual := 0
	for i := range c.Sides {
		if t.Wins[i] > t.Wins[usual] {
			usual = i
		}
	}
	median := int(quantile(t.Rounds, t.Fights, 0.5))
	var list []Sample
	var best *First
	for i := range t.Firsts {
		f := &t.Firsts[i]
		if f.Side == usual && (best == nil || abs(f.Rounds-median) < abs(best.Rounds-median)) {
			best = f
		}
	}
	if best != nil {
		list = append(list, Sample{best.Fight, fmt.Sprintf("typical: %s wins in %s", c.Sides[usual], roundsText(best.Rounds))})
	}
	order := slices.Clone(t.Firsts)
	slices.SortStableFunc(order, func(a, b First) int {
		return cmp.Or(cmp.Compare(t.Wins[a.Side], t.Wins[b.Side]), cmp.Compare(a.Rounds, b.Rounds))
	})
	for _, f := range order {
		if f.Side == usual || len(list) >= most {
			continue
		}
		who := "nobody"
		if f.Side < len(c.Sides) {
			who = c.Sides[f.Side]
		}
		list = append(list, Sample{f.Fight, fmt.Sprintf("upset: %s wins in %s", who, roundsText(f.Rounds))})
	}
	list = list[:min(most, len(list))]
	picked := map[uint64]bool{}
	for _, s := range list {
		picked[s.Fight] = true
	}
	for n := uint64(0); n < t.Fights && len(list) < most; n++ {
		if !picked[n] {
			list = append(list, Sample{Fight: n})
		}
	}
	return list
}

func abs(n int) int { return max(n, -n) }

func roundsText(n int) string {
	if n == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", n)
}
