package sim

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"arbiter/interp/session"
)

// This file turns the differences between rules into words and numbers.

// Comparison compares the same fights under several rules.
type Comparison struct {
	Title       string      `json:"title"`
	Seed        uint64      `json:"seed"`
	Fights      uint64      `json:"fights"`
	Before      *Report     `json:"before"`
	Rules       []ArmReport `json:"rules"`
	Sweeps      []Sweep     `json:"sweeps"` // what was varied; Rules holds all combinations of values, the last sweep varying fastest
	Warnings    []string    `json:"warnings"`
	WinWarnings int         `json:"-"` // number of warnings, at the end of the list, that are about who wins
}

// ArmReport is the effect of one of the rules.
type ArmReport struct {
	Rules     string         `json:"rules"`
	Summary   []string       `json:"summary"`   // in sentences
	Different Rate           `json:"different"` // fights with any difference
	Flipped   Rate           `json:"flipped"`   // fights with a different winner
	Flips     []Flip         `json:"flips"`     // the most frequent first
	Figures   []FigureReport `json:"figures"`
	Additions int            `json:"additions"` // how many parts the rules add, change or leave out whose use is counted
	Unused    []Unused       `json:"unused"`    // those that no fight used
	After     *Report        `json:"after"`

	withoutThem bool // the rules leave the additions out
	AlreadyUsed bool `json:"-"` // the script is played by these rules in any case
}

// Flip is how many fights changed winner in this way.
type Flip struct {
	From   string `json:"from"` // "nobody" if no side won
	To     string `json:"to"`
	Fights uint64 `json:"fights"`
}

// FigureReport is one figure before and after.
type FigureReport struct {
	Of          string   `json:"of"`    // a side, a combatant, or the fight
	What        string   `json:"what"`  // as in a column of a CSV table
	Share       bool     `json:"share"` // a share of all fights, from 0 to 1
	Before      Estimate `json:"before"`
	After       Estimate `json:"after"`
	Change      float64  `json:"change"`
	Low         float64  `json:"low"` // the 95 % confidence interval of the change
	High        float64  `json:"high"`
	Different   uint64   `json:"different"`   // fights in which it differs
	PValue      float64  `json:"p_value"`     // p-value: the probability of a change this large if the rules had no effect
	Significant bool     `json:"significant"` // significant among all figures tested, see Holm

	Figure   Figure `json:"-"`
	Cause    string `json:"-"` // for LossByCause: the action or rule
	Resource string `json:"-"` // for Left and LossByCause: the resource
}

// Estimate is a share or a mean, with its 95 % confidence interval.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

func estimateOf(m Mean) Estimate { return Estimate{m.Mean, m.Low, m.High} }

func shareOf(r Rate) Estimate { return Estimate{r.Rate, r.Low, r.High} }

// NewComparison compares the first rules with each of the others. Figures that are zero in all fights are left out,
// unless they are in asked.
func NewComparison(seed uint64, arms []*Arm, wanted ...Figure) *Comparison {
	first := arms[0]
	worth := func(f Figure) bool {
		return slices.Contains(wanted, f) || slices.ContainsFunc(arms, func(a *Arm) bool { return a.reports(f) })
	}
	c := &Comparison{Title: first.Cast.Title, Seed: seed, Fights: first.Tally.Fights, Before: NewReport(first.Cast, seed, first.Tally), Rules: []ArmReport{}, Sweeps: []Sweep{}}
	for _, a := range arms[1:] {
		r := ArmReport{Rules: a.Rules, AlreadyUsed: a.AlreadyUsed, After: NewReport(a.Cast, seed, a.Tally), Figures: figures(first, a, worth), Flips: []Flip{},
			Different: RateOf(a.Pairs.Different, c.Fights), Flipped: RateOf(a.Pairs.flipped(), c.Fights)}
		for i, row := range a.Pairs.Winners {
			for j, n := range row {
				if i != j && n > 0 {
					r.Flips = append(r.Flips, Flip{a.sideName(i), a.sideName(j), n})
				}
			}
		}
		r.Unused = []Unused{}
		r.countUse(a.Cast.Additions, a.Tally.Marks)
		if len(a.Without) > 0 {
			r.withoutThem = r.Additions == 0
			left := slices.DeleteFunc(slices.Clone(first.Cast.Additions), func(x session.Addition) bool { return !slices.Contains(a.Without, x.Ruleset) })
			r.countUse(left, first.Tally.Marks)
		}
		slices.SortStableFunc(r.Flips, func(a, b Flip) int { return cmp.Compare(b.Fights, a.Fights) })
		c.Rules = append(c.Rules, r)
	}
	// Who wins is the main question. All other figures are tested separately, so that they do not reduce the power of
	// that test.
	markSignificant(c.Rules, func(f *FigureReport) bool { return f.Figure.Kind == Wins })
	markSignificant(c.Rules, func(f *FigureReport) bool { return f.Figure.Kind != Wins })
	for i := range c.Rules {
		c.Rules[i].Summary = summarize(&c.Rules[i], c.Fights)
	}
	c.setWarnings(warningsAbout(first.Cast, first.Tally))
	return c
}

// markSignificant marks the significant changes among those that are tested together, under all rules. Figures that no
// fight changes are not tested.
func markSignificant(rules []ArmReport, of func(*FigureReport) bool) {
	var list []*FigureReport
	var pValues []float64
	for i := range rules {
		for k := range rules[i].Figures {
			if f := &rules[i].Figures[k]; of(f) && f.Different > 0 && rules[i].mirrorOf(f) == nil {
				list, pValues = append(list, f), append(pValues, f.PValue)
			}
		}
	}
	for i, significant := range Holm(pValues) {
		list[i].Significant = significant
	}
	for i := range rules {
		for k := range rules[i].Figures {
			f := &rules[i].Figures[k]
			if m := rules[i].mirrorOf(f); m != nil && of(f) {
				f.Significant = m.Significant
			}
		}
	}
}

// mirrorOf returns an earlier figure that carries the same information. If only two sides exchange wins, what one gains
// the other loses, which is one change and not two. It returns nil if there is none.
func (r *ArmReport) mirrorOf(f *FigureReport) *FigureReport {
	var first *FigureReport
	for i := range r.Figures {
		switch g := &r.Figures[i]; {
		case g.Figure.Kind != Wins || g.Different == 0:
		case g == f:
			if first != nil && first.Change == -f.Change && first.Different == f.Different && r.Flipped.Rate*float64(r.After.Fights) < float64(f.Different)+0.5 {
				return first
			}
			return nil
		case first == nil:
			first = g
		}
	}
	return nil
}

// Find returns a figure, or nil if it is not compared.
func (r *ArmReport) Find(f Figure) *FigureReport {
	for i := range r.Figures {
		if r.Figures[i].Figure == f {
			return &r.Figures[i]
		}
	}
	return nil
}

// sideName returns the name of a side; the last stands for no winner.
func (a *Arm) sideName(i int) string {
	if i == len(a.Cast.Sides) {
		return "nobody"
	}
	return a.Cast.Sides[i]
}

// reports reports whether a figure that may be omitted is worth including.
func (a *Arm) reports(f Figure) bool {
	if f.Kind == Left {
		r := f.Cause.Resource
		return isWorthReporting(a.Tally.Members[f.Who].Left[r], a.Cast.Watched[r])
	}
	return a.Tally.Wins[f.Who] > 0
}

// figures lists all figures worth comparing, in the order of a report.
func figures(a, b *Arm, worth func(Figure) bool) (list []FigureReport) {
	add := func(f Figure, of, what string, before, after Estimate, share bool) *FigureReport {
		list = append(list, FigureReport{Of: of, What: what, Share: share, Before: before, After: after, Figure: f})
		b.Pairs.estimate(&list[len(list)-1], b.Tally.Fights)
		return &list[len(list)-1]
	}
	rate := func(f Figure, of, what string, before, after uint64) {
		add(f, of, what, shareOf(RateOf(before, a.Tally.Fights)), shareOf(RateOf(after, b.Tally.Fights)), true)
	}
	mean := func(f Figure, of, what string, before, after Hist) *FigureReport {
		return add(f, of, what, estimateOf(MeanOf(before, a.Tally.Fights)), estimateOf(MeanOf(after, b.Tally.Fights)), false)
	}
	for i := range a.Tally.Wins {
		if f := (Figure{Kind: Wins, Who: i}); i < len(a.Cast.Sides) || worth(f) {
			rate(f, a.sideName(i), "wins", a.Tally.Wins[i], b.Tally.Wins[i])
		}
	}
	mean(Figure{Kind: Rounds}, "fight", "rounds", a.Tally.Rounds, b.Tally.Rounds)
	for i, m := range a.Cast.Members {
		x, y := &a.Tally.Members[i], &b.Tally.Members[i]
		rate(Figure{Kind: Falls, Who: i}, m.Name, "falls", x.Down, y.Down)
		mean(Figure{Kind: Took, Who: i}, m.Name, "took", x.Took, y.Took)
		mean(Figure{Kind: Dealt, Who: i}, m.Name, "dealt", x.Dealt, y.Dealt)
		for _, r := range shared(a.Cast, b.Cast) {
			if f := (Figure{Kind: Left, Who: i, Cause: Cause{Resource: r}}); worth(f) {
				name := a.Cast.Resources[r]
				mean(f, m.Name, "left "+name, x.Left[r], y.Left[r]).Resource = name
			}
		}
	}
	var deeds []FigureReport
	for _, d := range union(a.Tally.Causes, b.Tally.Causes) {
		name, lost := causeName(a.Cast, d), a.Cast.Resources[d.Resource]
		f := FigureReport{Of: a.Cast.Members[d.By].Name, What: strings.TrimSpace("takes " + lost + " by " + name), Cause: name, Resource: lost,
			Before: estimateOf(MeanOf(a.Tally.Causes[d], a.Tally.Fights)), After: estimateOf(MeanOf(b.Tally.Causes[d], b.Tally.Fights)), Figure: Figure{Kind: LossByCause, Who: int(d.By), Cause: d}}
		b.Pairs.estimate(&f, b.Tally.Fights)
		deeds = append(deeds, f)
	}
	slices.SortFunc(deeds, func(a, b FigureReport) int {
		return cmp.Or(cmp.Compare(max(b.Before.Value, b.After.Value), max(a.Before.Value, a.After.Value)), cmp.Compare(a.Of, b.Of), cmp.Compare(a.What, b.What), compareFigures(a.Figure, b.Figure))
	})
	return append(list, deeds...)
}

// union lists the causes of both.
func union(a, b Causes) (list []Cause) {
	for d := range a {
		list = append(list, d)
	}
	for d := range b {
		if a[d] == nil {
			list = append(list, d)
		}
	}
	return list
}

// estimate computes the change of a figure, its interval and its p-value.
func (p *Pairs) estimate(f *FigureReport, all uint64) {
	h := p.Figures[f.Figure]
	for _, n := range h {
		f.Different += n
	}
	if f.Share {
		r := RateChange(h, all)
		f.Change, f.Low, f.High, f.PValue = r.Rate, r.Low, r.High, PValueOfFlips(h[1], h[-1])
		return
	}
	m := MeanChange(h, all, 0)
	f.Change, f.Low, f.High, f.PValue = m.Mean, m.Low, m.High, PValueOfMean(h, all)
}

// --- in words ------------------------------------------------------------------------------------------

// summarize describes the effect of rules in sentences.
func summarize(r *ArmReport, fights uint64) []string {
	var gains, losses []string
	var leading *FigureReport // the side whose rate has changed most
	for i := range r.Figures {
		f := &r.Figures[i]
		if f.Figure.Kind != Wins {
			continue
		}
		if leading == nil || math.Abs(f.Change) > math.Abs(leading.Change) {
			leading = f
		}
		if !f.Significant {
			continue
		}
		what, whose := "helps "+f.Of+": they win", " of the fights"
		digits := f.digits()
		change, low, high, difference := f.Change, f.Low, f.High, "more"
		if change < 0 {
			what = "hurts " + f.Of + ": they win"
			change, low, high, difference = -change, -high, -low, "fewer"
		}
		if f.Of == "nobody" {
			what, whose = "leaves "+difference+" fights undecided:", ""
		}
		text := fmt.Sprintf("%s %s %s%s instead of %s, %s points %s (95 %% interval %s to %s).",
			r.Rules, what, Percent(f.After.Value), whose, Percent(f.Before.Value), number(100*change, digits), difference, number(100*low, digits), number(100*high, digits))
		if f.Change < 0 {
			losses = append(losses, text)
		} else {
			gains = append(gains, text)
		}
	}
	list := gains // a gain implies that others lose
	if len(gains) == 0 {
		list = losses
	}
	switch flipped := int(math.Round(r.Flipped.Rate * float64(fights))); {
	case r.Different.Rate == 0:
		same := fmt.Sprintf("all %d fights", fights)
		if fights == 1 {
			same = "the one fight"
		}
		return append(list, fmt.Sprintf("%s changes nothing that is measured: %s went the same way%s.", r.Rules, same, r.useText()))
	case flipped == 0:
		list = append(list, fmt.Sprintf("%s changes the winner of none of these fights.", r.Rules))
	case len(list) == 0:
		change, low, high := leading.Words()
		if leading.Low > 0 || leading.High < 0 { // alone it would be significant, among all that was compared it is not
			list = append(list, fmt.Sprintf("%s may change who wins, but this can be chance where so many figures are compared: %s of the fights go to %s instead of %s, %s points (95 %% interval %s to %s). More fights will tell.",
				r.Rules, Percent(leading.After.Value), leading.Of, Percent(leading.Before.Value), change, low, high))
			break
		}
		list = append(list, fmt.Sprintf("%s does not significantly help any side: %s of the fights go to %s instead of %s, %s points (95 %% interval %s to %s).",
			r.Rules, Percent(leading.After.Value), leading.Of, Percent(leading.Before.Value), change, low, high))
	}
	text := fmt.Sprintf("%s of the fights go differently in some way, and %s have another winner", Percent(r.Different.Rate), Percent(r.Flipped.Rate))
	for i, t := range r.Flips {
		sign := ", "
		if i == 0 {
			sign = ": "
		}
		text += fmt.Sprintf("%s%d %s instead of %s", sign, t.Fights, t.To, t.From)
	}
	return append(list, text+".")
}

// setWarnings lists reasons why the numbers may mislead.
func (c *Comparison) setWarnings(general, ofWins []string) {
	c.Warnings = general
	if c.Fights < FewFights {
		c.Warnings = append(c.Warnings, tooFewText(c.Fights))
	} else {
		ofWins = append(ofWins, c.winWarnings()...)
	}
	c.Warnings, c.WinWarnings = append(c.Warnings, ofWins...), len(ofWins)
}

// winWarnings lists reasons why the answer to who wins is uncertain.
func (c *Comparison) winWarnings() (list []string) {
	for _, s := range c.Before.Sides {
		if s.Wins.Rate >= oneSided {
			list = append(list, fmt.Sprintf("%s already wins %s of these fights: a closer fight shows the effect of a rule better", s.Name, Percent(s.Wins.Rate)))
		}
	}
	widest, of := 0.0, ""
	var few []string
	for i := range c.Rules {
		r := &c.Rules[i]
		for _, f := range r.Figures {
			if half := (f.High - f.Low) / 2; f.Figure.Kind == Wins && r.Different.Rate > 0 && half > widest {
				widest, of = half, r.Rules
			}
		}
		if flipped := uint64(math.Round(r.Flipped.Rate * float64(c.Fights))); flipped > 0 && flipped < fewFlips {
			few = append(few, r.Rules)
		}
	}
	if widest > 1.5*precision {
		needed := math.Ceil(float64(c.Fights)*(widest/precision)*(widest/precision)/1000) * 1000
		list = append(list, fmt.Sprintf("win rates are compared only to within %s percentage points (%s); about %.0f fights would narrow that to %s", Number(100*widest), of, needed, Number(100*precision)))
	}
	if len(few) > 0 && len(few) <= maxNamed {
		list = append(list, fmt.Sprintf("fewer than %d fights had another winner (%s): too few to tell which side gains", fewFlips, strings.Join(few, "; ")))
	}
	return list
}

// near is the desired precision of a change of a rate. Fewer than fewFlips fights with a different winner do not show
// a direction. A side that wins at least oneSided of the fights can hardly win more often.
const (
	oneSided  = 0.95
	precision = 0.01
	fewFlips  = 10
	maxNamed  = 5 // most rules named in one warning
)
