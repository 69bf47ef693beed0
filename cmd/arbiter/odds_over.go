package main

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/interp/sweep"
	"arbiter/lang/words"
)

// This file is `odds --over`: one figure of commands as a curve over values, and where one command overtakes another.

// maxCompared is the limit on commands that are compared.
const maxCompared = 20

// overFlags say over what, and what of the outcomes is shown.
type overFlags struct{ over, figure, label string }

func (v *overFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&v.over, "over", "", "show one figure over the values of `'NAME = VALUES'`, as for compare --sweep, of one command or of several")
	c.Flags().StringVar(&v.figure, "figure", "", "the `FIGURE` that --over shows: 'Bron AMOUNT' for what is lost of it, 'Bron falls', a check (default: what others lose most of)")
	c.Flags().StringVar(&v.label, "label", "", "show beside each value what a `NUMBER` of the rules is with it, such as a stat of a combatant")
}

// overDocument is what odds --over prints with --json.
type overDocument struct {
	Over     string         `json:"over"`
	Values   []string       `json:"values"`
	Label    string         `json:"label,omitempty"`
	Labels   []string       `json:"labels,omitempty"` // by value
	Figure   string         `json:"figure"`
	Share    bool           `json:"share"`
	Sampled  int            `json:"sampled"` // the least number of samples; 0: every number is exact
	Commands []overCommand  `json:"commands"`
	Best     []bestCommands `json:"best"` // stretches of values; the values have an order
}

// overCommand is one command, with the figure for each value.
type overCommand struct {
	Command string          `json:"command"`
	Figures []session.Share `json:"figures"`
}

// bestCommands are the commands with which the figure is largest from a value to another.
type bestCommands struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Commands []int  `json:"commands"` // by their order
}

// oddsOver computes a figure of commands over values.
func (a *app) oddsOver(path string, commands []string, f *oddsFlags) error {
	first, _, err := a.buildFight(path, f.houseRules)
	if err != nil {
		return err
	}
	sweeps, err := a.parseSweeps("--over", []string{f.over}, first)
	if err != nil {
		return err
	}
	x := sweeps[0]
	all := make([][]*variantChances, len(commands))
	d := &overDocument{Over: x.Name, Label: f.label, Best: []bestCommands{}}
	for i := range x.Values {
		script, own, err := a.withValue(path, first, f.houseRules, x, i)
		if err != nil {
			return err
		}
		d.Values = append(d.Values, x.Values[i].Text)
		if f.label != "" {
			label, diags, err := session.ValueBeforeFight(script, f.session, f.label)
			switch {
			case len(diags) > 0:
				a.rememberSource(session.Question, []byte(f.label))
				a.rejectScript(diags)
				return &exitError{status: exitUsageError}
			case err != nil:
				return usageError("--label: %w", err)
			}
			d.Labels = append(d.Labels, label)
		}
		for k, command := range commands {
			c, err := a.oddsOf(script, command, own, f.session, f.options)
			unknown := (*commandError)(nil)
			switch {
			case errors.As(err, &unknown):
				return a.rejectCommand(unknown.diags, command)
			case err != nil:
				return err
			}
			all[k] = append(all[k], c)
			if c.Sampled > 0 && (d.Sampled == 0 || c.Sampled < d.Sampled) {
				d.Sampled = c.Sampled
			}
		}
	}
	known := slices.Concat(all...)
	if d.Figure = f.figure; d.Figure == "" {
		d.Figure = largestLoss(known)
	}
	if d.Share, err = checkOddsFigure(d.Figure, known); err != nil {
		return err
	}
	for _, list := range all {
		c := overCommand{Command: list[0].Command}
		for _, x := range list {
			c.Figures = append(c.Figures, session.Share{Rat: figureOfOdds(x, d.Figure)})
		}
		d.Commands = append(d.Commands, c)
	}
	d.findBest()
	return a.outputResult(&f.outputFormat, d, d.plot, d.csv, func() { a.printOver(d) })
}

// withValue builds the script with a value.
func (a *app) withValue(path string, first *build.Script, h houseRules, x *sweep.Sweep, i int) (*build.Script, houseRules, error) {
	amendment, _ := x.Amendment(i) // Check has made every one
	h.swept = append(h.swept[:len(h.swept):len(h.swept)], sweptValue{x, i, amendment})
	if script, quick := first.Amended(h.amendments()); quick {
		return script, h, nil
	}
	script, _, err := a.buildFight(path, h)
	if err == errMistakes {
		err = &exitError{status: exitUsageError}
	}
	return script, h, err
}

// largestLoss names the amount of somebody else than who acts that is lost most of; "" if nobody loses anything.
func largestLoss(list []*variantChances) (name string) {
	most := 0.0
	for _, x := range list {
		actor, _, _ := strings.Cut(x.Command, ":")
		for _, m := range x.Amounts {
			if lost := float64(m.Now) - m.Mean.Float(); !m.Internal && m.Who != actor && lost > most {
				name, most = m.Who+" "+m.Name, lost
			}
		}
	}
	return name
}

// checkOddsFigure reports whether a figure is a share, and an error if no outcome has it.
func checkOddsFigure(name string, list []*variantChances) (share bool, err error) {
	var names []string
	for _, x := range list {
		for _, m := range x.Amounts {
			if names = append(names, m.Who+" "+m.Name); names[len(names)-1] == name {
				return false, nil
			}
		}
		for _, f := range x.Falls {
			names = append(names, f.Who+" falls")
		}
		for _, k := range x.Checks {
			names = append(names, k.Roll)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	switch near := words.Nearest(name, names); {
	case slices.Contains(names, name):
		return true, nil
	case len(names) == 0:
		return false, usageError("nothing changes with any of these values: there is no figure to show")
	case name != "" && near != "":
		return false, usageError("--figure: there is no figure called %s; did you mean %s?", name, near)
	default:
		return false, usageError("--figure: there is no figure called %s; use one of: %s", name, strings.Join(names, ", "))
	}
}

// figureOfOdds is a figure of outcomes: how much of an amount is lost on average, or how likely somebody falls or a check
// succeeds. What does not happen is 0.
func figureOfOdds(x *variantChances, name string) *big.Rat {
	for _, m := range x.Amounts {
		if m.Who+" "+m.Name == name {
			return new(big.Rat).Sub(new(big.Rat).SetInt64(m.Now), m.Mean.Rat)
		}
	}
	for _, f := range x.Falls {
		if f.Who+" falls" == name {
			return f.Share.Rat
		}
	}
	for _, k := range x.Checks {
		if k.Roll == name {
			return new(big.Rat).Mul(k.Made.Rat, k.Success.Rat)
		}
	}
	return new(big.Rat)
}

// findBest finds the commands with the largest figure for each value, and joins values next to each other.
func (d *overDocument) findBest() {
	if len(d.Commands) < 2 {
		return
	}
	for i, value := range d.Values {
		var best []int
		for k := range d.Commands {
			sign := 1
			if len(best) > 0 {
				sign = d.Commands[k].Figures[i].Cmp(d.Commands[best[0]].Figures[i].Rat)
			}
			switch {
			case sign > 0:
				best = []int{k}
			case sign == 0:
				best = append(best, k)
			}
		}
		if n := len(d.Best); n > 0 && slices.Equal(d.Best[n-1].Commands, best) {
			d.Best[n-1].To = value
		} else {
			d.Best = append(d.Best, bestCommands{value, value, best})
		}
	}
}

// figureText writes a figure.
func (d *overDocument) figureText(v session.Share) string {
	if d.Share {
		return percent(v.Rat)
	}
	return fmt.Sprintf("%.2f", v.Float())
}

// figureTitle says what the figure is.
func (d *overDocument) figureTitle() string {
	if d.Share {
		return d.Figure + ", probability"
	}
	return d.Figure + " lost on average"
}

// printOver prints the figure for each value, and which command is best where.
func (a *app) printOver(d *overDocument) {
	fmt.Fprintln(a.out, a.screen.out.Paint(term.Bold, term.Clean(d.figureTitle())))
	if d.Sampled > 0 {
		fmt.Fprintf(a.out, "sampled at least %s with each value\n", countText(d.Sampled, "time"))
	} else {
		fmt.Fprintln(a.out, "exact")
	}
	head := []string{a.screen.out.Cut(d.Over, maxValueWidth)}
	if d.Label != "" {
		head = append(head, a.screen.out.Cut(d.Label, maxValueWidth))
	}
	for i, c := range d.Commands {
		name := c.Command
		if len(d.Commands) > 1 {
			name = fmt.Sprintf("(%d)", i+1)
		}
		head = append(head, a.screen.out.Cut(name, maxRulesWidth))
	}
	var rows [][]string
	var shares []float64
	for i, value := range d.Values {
		row := []string{a.screen.out.Cut(value, maxValueWidth)}
		if d.Label != "" {
			row = append(row, d.Labels[i])
		}
		for _, c := range d.Commands {
			row = append(row, d.figureText(c.Figures[i]))
		}
		rows, shares = append(rows, row), append(shares, math.Max(0, d.Commands[0].Figures[i].Float()))
	}
	if len(d.Commands) == 1 {
		rows = a.addBarColumn(head, rows, shares)
	} else {
		rows = append([][]string{head}, rows...)
	}
	a.printNumberTable(rows, len(head)-1)
	if len(d.Commands) > 1 {
		fmt.Fprintln(a.out)
		for i, c := range d.Commands {
			a.printParagraph(fmt.Sprintf("(%d) %s", i+1, c.Command))
		}
		fmt.Fprintln(a.out)
		for _, b := range d.Best {
			a.printParagraph(d.bestText(&b))
		}
	}
}

// bestText says which command is best in a stretch of values.
func (d *overDocument) bestText(b *bestCommands) string {
	where := fmt.Sprintf("With %s = %s", d.Over, b.From)
	if b.To != b.From {
		where = fmt.Sprintf("From %s = %s to %s", d.Over, b.From, b.To)
	}
	var names []string
	for _, k := range b.Commands {
		names = append(names, fmt.Sprintf("(%d)", k+1))
	}
	if len(names) == len(d.Commands) {
		return where + ", all are the same."
	}
	return where + ", " + strings.Join(names, " and ") + " is the most."
}

// csv has one command and value per row.
func (d *overDocument) csv() [][]string {
	rows := [][]string{{"command", "over", "value", "label", "figure", "number"}}
	for _, c := range d.Commands {
		for i, value := range d.Values {
			label := ""
			if d.Label != "" {
				label = d.Labels[i]
			}
			rows = append(rows, []string{c.Command, d.Over, value, label, d.Figure, exactly(c.Figures[i].Float())})
		}
	}
	return rows
}

// plot draws a curve for each command.
func (d *overDocument) plot() *picture {
	c := lineChart{title: d.figureTitle(), subtitle: "exact", down: d.figureTitle(), across: d.Over, values: d.Values, share: d.Share}
	if d.Sampled > 0 {
		c.subtitle = fmt.Sprintf("sampled at least %s with each value", countText(d.Sampled, "time"))
	}
	if d.Label != "" && !slices.ContainsFunc(d.Labels, func(x string) bool { return !isNumberText(x) }) {
		c.across, c.values = d.Label, d.Labels
	}
	for _, x := range d.Commands {
		l := chartLine{name: x.Command}
		for _, v := range x.Figures {
			f := v.Float()
			l.points = append(l.points, &sim.Estimate{Value: f, Low: f, High: f})
		}
		c.lines = append(c.lines, l)
	}
	return c.draw()
}
