package session

import (
	"fmt"
	"math"
	"strings"

	"arbiter/interp/advise"
)

// This file puts advice into words.

// Headline says what is best and, if that is something else, what tactics would do.
func (x *Advice) Headline() string {
	text := fmt.Sprintf("%s, round %d: %s", x.Who, x.Round, x.Best)
	if x.Gain != nil {
		text += fmt.Sprintf(", not %s as tactics would", x.Usual)
	}
	return text
}

// Reasons says why the best is better than what it is compared with: what differs by more than chance.
func (x *Advice) Reasons(c *Comparison) string {
	var list []string
	add := func(e advise.Estimate, scale float64, format, more, less string) {
		if !e.Significant() {
			return
		}
		word, from, to := more, e.Low*scale, e.High*scale
		if e.Mean < 0 {
			word, from, to = less, -e.High*scale, -e.Low*scale
		}
		list = append(list, fmt.Sprintf(format, math.Abs(e.Mean)*scale, word, from, to))
	}
	if x.ByRules {
		add(c.Value, 1, "its value is %.2f %s (%.2f to %.2f)", "higher", "lower")
	}
	add(c.Wins, 100, "it wins %.1f points %s often (%.1f to %.1f)", "more", "less")
	add(c.Own, 100, x.Side+" keeps %.1f points %s (%.1f to %.1f)", "more", "less")
	add(c.Foes, 100, "the others keep %.1f points %s (%.1f to %.1f)", "more", "less")
	add(c.Rounds, 1, "the fight is %.1f rounds %s (%.1f to %.1f)", "longer", "shorter")
	with := fmt.Sprintf("Compared with %s, in %d pairs of playouts: ", c.With, c.Pairs)
	if len(list) == 0 {
		return with + "no difference that chance does not explain."
	}
	return with + strings.Join(list, "; ") + "."
}

// Text is the advice in a few lines: the most commands that are named.
func (x *Advice) Text(most int) string {
	var b strings.Builder
	fmt.Fprintln(&b, x.Headline())
	for i := range x.Candidates[:min(most, len(x.Candidates))] {
		c := &x.Candidates[i]
		fmt.Fprintf(&b, "  %s  %s\n", x.measure(c), c.Command)
	}
	for _, c := range x.Comparisons() {
		fmt.Fprintln(&b, x.Reasons(c))
	}
	return b.String()
}

// measure is the chance to win with a command, or its value by the rules, and half the width of its interval.
func (x *Advice) measure(c *Advised) string {
	if x.ByRules {
		return fmt.Sprintf("%6.2f ± %.2f", c.Value.Mean, (c.Value.High-c.Value.Low)/2)
	}
	return fmt.Sprintf("%5.1f ± %4.1f %%", 100*c.Wins.Mean, 50*(c.Wins.High-c.Wins.Low))
}

// Comparisons are the best with the next and, if that is another one, with the usual.
func (x *Advice) Comparisons() (list []*Comparison) {
	if x.Why != nil {
		list = append(list, x.Why)
	}
	if x.Gain != nil && (x.Why == nil || x.Gain.With != x.Why.With) {
		list = append(list, x.Gain)
	}
	return list
}
