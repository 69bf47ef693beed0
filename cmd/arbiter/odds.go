package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/odds"
	"arbiter/interp/session"
	"arbiter/lang/diag"
)

// defaultSteps is the default number of steps from one die to the next: a few seconds. With maxSteps and maxSamples the
// command takes about an hour.
const (
	defaultSteps = 1_000_000
	maxSteps     = 1_000_000_000
	maxSamples   = 10_000_000
)

// maxOddsRounds is the limit on the rounds of commands whose odds are computed.
const maxOddsRounds = 1000

// oddsDocument has one entry for the rules of the script, and one for the rules with each set of house rules.
type oddsDocument struct {
	Odds []*variantChances `json:"odds"`
}

// variantChances are the chances under some rules.
type variantChances struct {
	Rules string `json:"rules"` // "" for those of the script, else what was added and left out
	*session.Chances
}

// oddsFlags are the flags of odds.
type oddsFlags struct {
	scriptFlags
	overFlags
	options odds.Options
	session session.Options
	outputFormat
}

func (a *app) oddsCommand() *cobra.Command {
	f := oddsFlags{options: odds.Options{Seed: 1}}
	o := &f.options
	c := &cobra.Command{
		Use:               "odds FILE COMMAND...",
		SuggestFor:        []string{"chances", "probability"},
		Short:             "Print the exact odds of a command",
		Args:              argCount(2, 1+maxCompared),
		ValidArgsFunction: a.completeQuestion(""),
	}
	f.scriptFlags.add(c)
	c.Flags().IntVar(&o.Steps, "steps", defaultSteps, "give up after `N` steps from die to die")
	c.Flags().IntVar(&o.Rounds, "rounds", 1, "do the commands again in each of `N` rounds, and show who falls when")
	c.Flags().IntVar(&o.Sample, "sample", 0, "if that is not enough, sample `N` times instead")
	f.overFlags.add(c)
	mustComplete(c, "over", a.completeSweep)
	f.addFormatFlags(c, "")
	c.RunE = runFunc(func(args []string) error {
		switch {
		case f.over == "" && len(args) > 2:
			return usageError("several commands are compared over values: add --over 'NAME = VALUES'; to do one after the other, write them as one argument, with semicolons between them")
		case f.over == "" && f.figure+f.label != "":
			return usageError("--figure and --label need --over 'NAME = VALUES'")
		case o.Steps < 1 || o.Steps > maxSteps:
			return usageError("--steps is %d: it must be from 1 to %d", o.Steps, maxSteps)
		case o.Rounds < 1 || o.Rounds > maxOddsRounds:
			return usageError("--rounds is %d: it must be from 1 to %d", o.Rounds, maxOddsRounds)
		case o.Sample < 0 || o.Sample > maxSamples:
			return usageError("--sample is %d: it must be from 0 to %d", o.Sample, maxSamples)
		}
		if err := a.checkFormat(&f.outputFormat); err != nil {
			return err
		}
		variants := []houseRules{{}}
		if f.changesRules() {
			variants = append(variants, f.houseRules)
		}
		if f.session.Seed = f.chosenSeed(c); f.session.Seed != nil {
			o.Seed = *f.session.Seed
		}
		stopped, end := stopWorkOnInterrupt()
		defer end()
		o.Stop = stopped
		if f.over != "" {
			return a.oddsOver(args[0], args[1:], &f)
		}
		var d oddsDocument
		var partial error
		for i, h := range variants {
			x, err := a.computeOdds(args[0], args[1], h, f.session, *o)
			unknown := (*commandError)(nil)
			switch {
			case errors.As(err, &unknown) && i+1 < len(variants):
				continue // nothing of that name exists without the house rules
			case unknown != nil:
				return a.rejectCommand(unknown.diags, args[1])
			case err != nil:
				return err
			}
			d.Odds = append(d.Odds, x)
			if o.Sample > 0 && x.Sampled > 0 && x.Sampled < o.Sample {
				fmt.Fprintf(a.err, "stopped after %d of %d tries; these are the results so far\n", x.Sampled, o.Sample)
				partial = errPartial
				break
			}
		}
		return cmp.Or(a.outputResult(&f.outputFormat, d, func() *picture { return plotOfOdds(d.Odds) }, func() [][]string { return chanceCSV(d.Odds) }, func() { a.printChances(d.Odds) }), partial)
	})
	return c
}

// computeOdds computes the odds of a command under the rules of its script with house rules.
func (a *app) computeOdds(path, command string, h houseRules, so session.Options, o odds.Options) (*variantChances, error) {
	script, _, err := a.buildFight(path, h)
	if err != nil {
		return nil, err
	}
	return a.oddsOf(script, command, h, so, o)
}

// oddsOf computes the odds of a command of a script that was built with house rules.
func (a *app) oddsOf(script *build.Script, command string, h houseRules, so session.Options, o odds.Options) (*variantChances, error) {
	steps := &term.Progress{Out: a.err, Screen: a.screen.err, Noun: "steps", AtMost: true}
	tries := &term.Progress{Out: a.err, Screen: a.screen.err, Noun: "tries"}
	o.OnProgress = func(tried bool, done, of int) {
		if tried {
			tries.Set(done, of)
		} else {
			steps.Set(done, of)
		}
	}
	x, diags, err := session.ComputeOdds(script, so, command, o)
	steps.Clear()
	tries.Clear()
	if many := (*odds.TooManyError)(nil); errors.As(err, &many) {
		further := ""
		if many.Limit != odds.MemoryLimit && many.Steps <= maxSteps/10 {
			further = fmt.Sprintf("--steps %d goes further, ", 10*many.Steps)
		}
		return nil, usageError("%w; %s--sample 10000 samples ten thousand times instead", err, further)
	}
	if early := (*odds.StoppedError)(nil); errors.As(err, &early) {
		return nil, &exitError{exitInterrupted, fmt.Errorf("%w: `--sample 10000 --steps 1` samples ten thousand times instead, and then Ctrl-C shows the samples so far", err)}
	}
	if len(diags) > 0 {
		return nil, &commandError{diags}
	}
	if err != nil {
		return nil, usageError("%w", err)
	}
	name := ""
	for _, w := range h.with {
		name = strings.TrimSpace(name + " " + ruleName(w))
	}
	for _, w := range h.without {
		name = strings.TrimSpace(name + " without " + w)
	}
	return &variantChances{name, x}, nil
}

// commandError says that a command has mistakes under some rules.
type commandError struct{ diags diag.List }

func (e *commandError) Error() string { return e.diags[0].Message }

// rejectCommand ends the computation for a command with a mistake in it. The mistake is not the script's.
func (a *app) rejectCommand(diags diag.List, command string) error {
	const name = "command"
	a.rememberSource(name, []byte(command))
	status := exitScriptError
	for i := range diags {
		if diags[i].File == session.Prompt {
			diags[i].File, status = name, exitUsageError
		}
	}
	a.rejectScript(diags)
	return &exitError{status: status}
}

// printChances prints the possible outcomes of a command, under one set of rules or several side by side.
func (a *app) printChances(list []*variantChances) {
	fmt.Fprintln(a.out, a.screen.out.Paint(term.Bold, list[0].Command))
	for _, x := range list {
		fmt.Fprintln(a.out, x.variantPrefix()+x.accuracyText())
		if rest := x.Omitted.Float(); rest > 0 {
			fmt.Fprintf(a.out, explodingFormat, rest)
		}
		if len(x.Reactions) > 0 {
			fmt.Fprintf(a.out, "  with %s\n", strings.Join(x.Reactions, ", "))
		}
		if len(x.Declined) > 0 {
			fmt.Fprintf(a.out, "  without %s, which is possible but not taken by default\n", strings.Join(x.Declined, ", "))
		}
		if sure := x.sureChanges(); sure != "" {
			fmt.Fprintln(a.out, strings.Join(term.Wrap(sure, a.textWidth(), "  always: ", "    "), "\n"))
		}
	}
	if !slices.ContainsFunc(list, (*variantChances).changesAnything) {
		fmt.Fprintln(a.out, "  No check is made, and no amount or condition changes.")
	}
	a.printRounds(list)
	a.printChecks(list)
	for _, m := range amountsOf(list) {
		a.printAmount(&m, list)
	}
	a.printOutcomes(list)
}

// changesAnything reports whether a check is made, or anything changes that is not kept out of sight.
func (x *variantChances) changesAnything() bool {
	return len(x.Checks)+len(x.Places)+len(x.Falls) > 0 ||
		slices.ContainsFunc(x.Amounts, func(m session.AmountChance) bool { return !m.Internal }) ||
		slices.ContainsFunc(x.Effects, func(e session.EffectChance) bool { return isShown(&e) })
}

// accuracyText says how the shares were found, and how accurate they are.
func (x *variantChances) accuracyText() string {
	if x.Sampled > 0 {
		return fmt.Sprintf("sampled %s; shares of all samples are within %s (95 %% interval)", countText(x.Sampled, "time"), sampleError(x.Sampled))
	}
	return fmt.Sprintf("exact: %s, %s", countText(x.Steps, "step"), countText(x.Ends, "outcome"))
}

// sampleError is the largest half-width of the 95 % confidence interval of a share from that many samples: 1.96 standard
// errors where the share is one half.
func sampleError(tries int) string {
	return sharePercent(0.98 / math.Sqrt(float64(max(1, tries))))
}

// variantPrefix names the rules, where there are several sets.
func (x *variantChances) variantPrefix() string {
	if x.Rules == "" {
		return ""
	}
	return "with " + x.title() + ": "
}

// title is the name of the rules above a column.
func (x *variantChances) title() string {
	if x.Rules == "" {
		return "as written"
	}
	return x.Rules
}

// percent writes an exact share. It is 0 % or 100 % only if it is exactly that, even if the nearest number is.
func percent(v *big.Rat) string {
	share, exact := v.Float64()
	switch {
	case exact:
	case share == 0:
		share = math.SmallestNonzeroFloat64
	case share == 1:
		share = math.Nextafter(1, 0)
	}
	return sharePercent(share)
}

// sharePercent writes a probability.
func sharePercent(share float64) string { return term.Percent(share, 2) }

// An oddsRow is a name and its shares under each set of rules; nil where it has none.
type oddsRow struct {
	name   string
	shares []*big.Rat
}

// setShare sets a share in the row of a name, and adds the row if needed.
func setShare(rows []oddsRow, name string, i, of int, share *big.Rat) []oddsRow {
	at := slices.IndexFunc(rows, func(r oddsRow) bool { return r.name == name })
	if at < 0 {
		at = len(rows)
		rows = append(rows, oddsRow{name, make([]*big.Rat, of)})
	}
	rows[at].shares[i] = share
	return rows
}

// checksOf are the checks: the share of outcomes in which each is made, and the share of those in which it succeeds.
func checksOf(list []*variantChances) (made, success []oddsRow) {
	for i, x := range list {
		for _, k := range x.Checks {
			made = setShare(made, k.Roll, i, len(list), k.Made.Rat)
			success = setShare(success, k.Roll, i, len(list), k.Success.Rat)
		}
	}
	return made, success
}

// outcomesOf are the creatures that may fall, the effects that may come and go, and the squares where somebody may end,
// except for what happens in any case.
func outcomesOf(list []*variantChances) (rows []oddsRow) {
	for i, x := range list {
		for _, f := range x.Falls {
			rows = setShare(rows, f.Who+" falls", i, len(list), f.Share.Rat)
		}
		for _, e := range x.Effects {
			if isShown(&e) && !isSureEffect(&e) {
				rows = setShare(rows, e.Who+" "+effectText(&e), i, len(list), e.Share.Rat)
			}
		}
		for _, at := range x.Places {
			if at.Share.Cmp(always) != 0 {
				rows = setShare(rows, at.Who+" moves to "+squareText(at.To), i, len(list), at.Share.Rat)
			}
		}
	}
	return rows
}

// printChecks prints the checks; the column "both" is the share of outcomes in which a check is made and succeeds.
func (a *app) printChecks(list []*variantChances) {
	made, success := checksOf(list)
	if len(made) == 0 {
		return
	}
	table := [][]string{append([]string{"check"}, slices.Repeat([]string{"made", "succeeds", "both"}, len(list))...)}
	for n, r := range made {
		cells := []string{r.name}
		for i, share := range r.shares {
			if share == nil {
				cells = append(cells, "", "", "")
				continue
			}
			of := success[n].shares[i]
			succeeds := percent(of)
			if n := list[i].Sampled; n > 0 { // the check was made in only some of the samples
				made, _ := new(big.Rat).Mul(share, big.NewRat(int64(n), 1)).Float64()
				succeeds += " ± " + sampleError(int(math.Round(made)))
			}
			cells = append(cells, percent(share), succeeds, percent(new(big.Rat).Mul(share, of)))
		}
		table = append(table, cells)
	}
	a.printChanceTable(list, 3, table)
}

// printChanceTable prints a table of names with that many columns of numbers per set of rules.
func (a *app) printChanceTable(list []*variantChances, perVariant int, rows [][]string) {
	fmt.Fprintln(a.out)
	widths := term.ColumnWidths(rows)
	if _, parts := splitColumns(a.screen.out.Width, 2, widths, perVariant*len(list)); len(list) > 1 && len(parts) > 1 { // too wide to be side by side
		for i, x := range list {
			var own [][]string
			for _, r := range rows {
				own = append(own, append([]string{r[0]}, r[1+i*perVariant:1+(i+1)*perVariant]...))
			}
			if i > 0 {
				fmt.Fprintln(a.out)
			}
			fmt.Fprintln(a.out, "  "+a.screen.out.Cut(x.title(), longestBar))
			a.printAligned("  ", own, term.ColumnWidths(own), perVariant, true)
		}
		return
	}
	if len(list) > 1 {
		line := "  " + strings.Repeat(" ", widths[0])
		for i, x := range list {
			name, room := a.screen.out.Cut(x.title(), longestBar), -2
			for k := range perVariant {
				room += 2 + widths[1+i*perVariant+k]
			}
			if more := term.Columns(name) - room; more > 0 {
				widths[1+i*perVariant] += more
				room += more
			}
			line += "  " + term.Pad(name, room)
		}
		fmt.Fprintln(a.out, strings.TrimRight(line, " "))
	}
	a.printAligned("  ", rows, widths, perVariant*len(list), true)
}

// A distribution of up to maxSingleRows values has a row for each; more values are grouped into fewer rows.
const (
	maxSingleRows  = 40
	maxGroupedRows = 20
)

// amountOdds are how an amount of a creature is distributed under each set of rules; nil: it does not change under
// those.
type amountOdds struct {
	who, name string
	now       int64
	chances   []*session.AmountChance
}

// amountsOf are the amounts that may change in several ways.
func amountsOf(list []*variantChances) (amounts []amountOdds) {
	for i, x := range list {
		for k := range x.Amounts {
			m := &x.Amounts[k]
			if m.Internal {
				continue
			}
			at := slices.IndexFunc(amounts, func(r amountOdds) bool { return r.who == m.Who && r.name == m.Name })
			if at < 0 {
				at = len(amounts)
				amounts = append(amounts, amountOdds{m.Who, m.Name, m.Now, make([]*session.AmountChance, len(list))})
			}
			amounts[at].chances[i] = m
		}
	}
	return slices.DeleteFunc(amounts, func(m amountOdds) bool {
		return !slices.ContainsFunc(m.chances, func(x *session.AmountChance) bool { return x != nil && !isSure(x) })
	})
}

func (m *amountOdds) title() string { return fmt.Sprintf("%s %s, now %d", m.who, m.name, m.now) }

// valueText formats a value or a range of values, and the difference from now.
func (m *amountOdds) valueText(from, to int64) string {
	switch {
	case from != to:
		return fmt.Sprintf("%d to %d (%+d to %+d)", from, to, from-m.now, to-m.now)
	case from == m.now:
		return fmt.Sprintf("%d (as now)", from)
	}
	return fmt.Sprintf("%d (%+d)", from, from-m.now)
}

// amountRow is a value or a range of values: its share, and the cumulative share up to its end.
type amountRow struct {
	from, to    int64
	share, upTo []*big.Rat // nil where there is nothing
}

// rows are the values that occur, each on its own unless there are many. Then the rare values at either end share a
// row, so that the others have room.
func (m *amountOdds) rows() (rows []amountRow) {
	var values []int64
	for _, p := range m.chances {
		if p != nil {
			for _, v := range p.Values {
				values = append(values, v.Value)
			}
		}
	}
	slices.Sort(values)
	values = slices.Compact(values)
	first, last := values[0], values[len(values)-1]
	low, high, wide := first, last, int64(1)
	if len(values) > maxSingleRows {
		if low, high = m.usualRange(); high-low >= maxGroupedRows {
			wide = (high - low + maxGroupedRows) / maxGroupedRows
		}
	}
	for _, v := range values {
		from, to := first, low-1
		switch {
		case v > high:
			from, to = high+1, last
		case v >= low:
			from = low + (v-low)/wide*wide
			to = min(from+wide-1, high)
		}
		if len(rows) == 0 || rows[len(rows)-1].from != from {
			rows = append(rows, amountRow{from, to, make([]*big.Rat, len(m.chances)), make([]*big.Rat, len(m.chances))})
		}
	}
	for i, p := range m.chances {
		if p == nil {
			continue
		}
		upTo, k := new(big.Rat), 0
		for n := range rows {
			share := new(big.Rat)
			for ; k < len(p.Values) && p.Values[k].Value <= rows[n].to; k++ {
				share.Add(share, p.Values[k].Share.Rat)
			}
			if share.Sign() > 0 {
				upTo = new(big.Rat).Add(upTo, share)
				rows[n].share[i], rows[n].upTo[i] = share, upTo
			}
		}
	}
	return rows
}

// usualRange is the range of values that leaves out less than one in ten thousand outcomes at either end.
func (m *amountOdds) usualRange() (low, high int64) {
	seldom := big.NewRat(1, 10_000)
	low, high = math.MaxInt64, math.MinInt64
	for _, p := range m.chances {
		if p == nil {
			continue
		}
		below, above := new(big.Rat), new(big.Rat)
		i, k := 0, len(p.Values)-1
		for ; i < k && below.Add(below, p.Values[i].Share.Rat).Cmp(seldom) < 0; i++ {
		}
		for ; k > i && above.Add(above, p.Values[k].Share.Rat).Cmp(seldom) < 0; k-- {
		}
		low, high = min(low, p.Values[i].Value), max(high, p.Values[k].Value)
	}
	return low, high
}

// printAmount prints the distribution of an amount, and its mean.
func (a *app) printAmount(m *amountOdds, list []*variantChances) {
	head, mean := []string{m.title()}, []string{"mean"}
	for _, p := range m.chances {
		head = append(head, "chance", "at most")
		if p == nil {
			mean = append(mean, "", "")
			continue
		}
		change := new(big.Rat).Sub(p.Mean.Rat, new(big.Rat).SetInt64(p.Now))
		sign := ""
		if change.Sign() > 0 {
			sign = "+"
		}
		mean = append(mean, p.Mean.FloatString(2), "("+sign+change.FloatString(2)+")")
	}
	var rows [][]string
	var shares []float64 // of each row, under the first rules
	for _, r := range m.rows() {
		row := []string{m.valueText(r.from, r.to)}
		for i, share := range r.share {
			if share == nil {
				row = append(row, "", "")
				continue
			}
			row = append(row, percent(share), percent(r.upTo[i]))
		}
		first := 0.0
		if r.share[0] != nil {
			first, _ = r.share[0].Float64()
		}
		rows, shares = append(rows, row), append(shares, first)
	}
	table := append([][]string{head}, rows...)
	if len(list) == 1 {
		table = a.addBarColumn(head, rows, shares)
	}
	a.printChanceTable(list, 2, append(table, mean))
}

// printOutcomes prints the chances of everything else that may change.
func (a *app) printOutcomes(list []*variantChances) {
	rows := outcomesOf(list)
	if len(rows) == 0 {
		return
	}
	table := [][]string{slices.Concat([]string{"outcome"}, slices.Repeat([]string{"share"}, len(list)))}
	for _, r := range rows {
		cells := []string{r.name}
		for _, share := range r.shares {
			if share == nil {
				cells = append(cells, "")
				continue
			}
			cells = append(cells, percent(share))
		}
		table = append(table, cells)
	}
	a.printChanceTable(list, 1, table)
}
