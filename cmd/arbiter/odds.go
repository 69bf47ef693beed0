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
	"arbiter/interp/odds"
	"arbiter/interp/session"
)

// usualSteps are gone from one die to the next if nobody says otherwise: some seconds.
const usualSteps = 1_000_000

// oddsDocument has one entry for the rules of the script, and one more for those with the house rules.
type oddsDocument struct {
	Odds []*ruledChances `json:"odds"`
}

// ruledChances are the chances under some rules.
type ruledChances struct {
	Rules string `json:"rules"` // "" are those of the script, else what was added and left out
	*session.Chances
}

func (a *app) oddsCommand() *cobra.Command {
	var s scriptFlags
	o := odds.Options{Seed: 1}
	c := &cobra.Command{
		Use:               "odds FILE COMMAND",
		Short:             "Count out what a command can come to",
		Args:              wants(2, 2),
		ValidArgsFunction: completeScript,
	}
	s.add(c)
	c.Flags().IntVar(&o.Steps, "steps", usualSteps, "go at most `N` steps from one die to the next")
	c.Flags().IntVar(&o.Sample, "sample", 0, "if they do not suffice, try it `N` times instead")
	c.RunE = carryOut(func(args []string) error {
		if o.Steps < 1 || o.Sample < 0 {
			return misuse("--steps is at least 1, --sample at least 0")
		}
		variants := []house{{}}
		if s.any() {
			variants = append(variants, s.house)
		}
		var d oddsDocument
		for _, h := range variants {
			x, err := a.countOut(args[0], args[1], h, session.Options{Seed: s.chosen(c)}, o)
			if err != nil {
				return err
			}
			d.Odds = append(d.Odds, x)
		}
		if a.json {
			a.document(d)
			return nil
		}
		a.chances(d.Odds)
		return nil
	})
	return c
}

// countOut counts a command out under the rules of its script with house rules.
func (a *app) countOut(path, command string, h house, so session.Options, o odds.Options) (*ruledChances, error) {
	script, _, err := a.script(path, h)
	if err != nil {
		return nil, err
	}
	x, found, err := session.CountOut(script, so, command, o)
	if many := (*odds.TooMany)(nil); errors.As(err, &many) {
		return nil, misuse("%w; --steps %d goes on for longer, --sample 10000 tries it ten thousand times instead", err, 10*many.Steps)
	}
	if err != nil {
		return nil, misuse("%w", err)
	}
	if len(found) > 0 {
		a.keep(session.Prompt, []byte(command))
		return nil, a.unexplained(found)
	}
	name := strings.Join(h.with, " ")
	for _, w := range h.without {
		name = strings.TrimSpace(name + " without " + w)
	}
	return &ruledChances{name, x}, nil
}

// chances prints what a command can come to, under one or two rules side by side.
func (a *app) chances(list []*ruledChances) {
	first := list[0]
	fmt.Fprintln(a.out, a.screen.out.Paint(term.Bold, first.Command))
	for _, x := range list {
		how := fmt.Sprintf("counted out: %s, %s", plural(x.Steps, "step"), plural(x.Ends, "end"))
		if x.Sampled > 0 {
			how = fmt.Sprintf("tried %s; each share is right within %s, 95 times in 100", plural(x.Sampled, "time"), percent(big.NewRat(98, 100*int64(isqrt(x.Sampled)))))
		}
		fmt.Fprintln(a.out, strings.TrimSpace(x.under()+how))
		if len(x.Reactions) > 0 {
			fmt.Fprintf(a.out, "  with %s\n", strings.Join(x.Reactions, ", "))
		}
	}
	a.checkChances(list)
	a.amountChances(list)
	a.otherChances(list)
}

// under says whose rules, where there are several.
func (x *ruledChances) under() string {
	if x.Rules == "" {
		return ""
	}
	return "with " + x.title() + ": "
}

// title is the name of the rules above a column: that of the file, without where it lies.
func (x *ruledChances) title() string {
	if x.Rules == "" {
		return "as written"
	}
	var names []string
	for _, w := range strings.Fields(x.Rules) {
		names = append(names, ruleName(w))
	}
	return strings.Join(names, " ")
}

// isqrt is the whole part of a root.
func isqrt(n int) int {
	return int(new(big.Int).Sqrt(big.NewInt(int64(n))).Int64())
}

// percent writes an exact share.
func percent(v *big.Rat) string {
	share, _ := v.Float64()
	return term.Percent(share, 2)
}

func (a *app) checkChances(list []*ruledChances) {
	var names []string
	rows := map[string][]string{}
	for i, x := range list {
		for _, k := range x.Checks {
			if rows[k.Roll] == nil {
				names = append(names, k.Roll)
				rows[k.Roll] = make([]string, 2*len(list))
			}
			rows[k.Roll][2*i], rows[k.Roll][2*i+1] = percent(k.Made.Rat), percent(k.Success.Rat)
		}
	}
	if len(names) == 0 {
		return
	}
	head := []string{"check"}
	for range list {
		head = append(head, "made", "succeeds")
	}
	table := [][]string{head}
	for _, n := range names {
		table = append(table, append([]string{n}, rows[n]...))
	}
	a.columnsOf(list, 2, table)
}

// columnsOf prints a table of names with columns of numbers, so many for each of the rules.
func (a *app) columnsOf(list []*ruledChances, each int, rows [][]string) {
	fmt.Fprintln(a.out)
	widths := term.Widths(rows)
	if len(list) > 1 {
		line := "  " + strings.Repeat(" ", widths[0])
		for i, x := range list {
			name, room := a.screen.out.Cut(x.title(), longestBar), -2
			for k := range each {
				room += 2 + widths[1+i*each+k]
			}
			if more := term.Columns(name) - room; more > 0 {
				widths[1+i*each] += more
				room += more
			}
			line += "  " + term.Pad(name, room)
		}
		fmt.Fprintln(a.out, strings.TrimRight(line, " "))
	}
	a.aligned("  ", rows, widths, each*len(list), true)
}

// mostRows of a distribution are printed; more values are put together.
const mostRows = 20

// amountChances prints how each amount is distributed.
func (a *app) amountChances(list []*ruledChances) {
	type named struct{ who, name string }
	var names []named
	for _, x := range list {
		for _, m := range x.Amounts {
			if n := (named{m.Who, m.Name}); !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	for _, n := range names {
		parts := make([]*session.AmountChance, len(list))
		for i, x := range list {
			if k := slices.IndexFunc(x.Amounts, func(m session.AmountChance) bool { return n == named{m.Who, m.Name} }); k >= 0 {
				parts[i] = &x.Amounts[k]
			}
		}
		a.distribution(n.who+" "+n.name, list, parts)
	}
}

// distribution prints how an amount is distributed under each of the rules; nil: it does not change under those.
func (a *app) distribution(title string, list []*ruledChances, parts []*session.AmountChance) {
	low, high := int64(math.MaxInt64), int64(math.MinInt64)
	for _, m := range parts {
		if m != nil {
			low, high = min(low, m.Values[0].Value), max(high, m.Values[len(m.Values)-1].Value)
		}
	}
	head, mean := []string{title}, []string{"mean"}
	for _, m := range parts {
		head = append(head, "share", "at most")
		if m == nil {
			mean = append(mean, "", "")
			continue
		}
		mean = append(mean, m.Mean.FloatString(2), "")
		head[0] = fmt.Sprintf("%s, now %d", title, m.Now)
	}
	var rows [][]string
	var shares []float64                       // of each row, under the first rules
	wide := (high - low + mostRows) / mostRows // values of a row
	for from := low; from <= high; from += wide {
		to := min(from+wide-1, high)
		row, first, met := []string{fmt.Sprint(from)}, 0.0, false
		if to > from {
			row[0] = fmt.Sprintf("%d to %d", from, to)
		}
		for i, m := range parts {
			share, below := new(big.Rat), new(big.Rat)
			if m != nil {
				for _, v := range m.Values {
					if v.Value >= from && v.Value <= to {
						share.Add(share, v.Share.Rat)
					}
					if v.Value <= to {
						below.Add(below, v.Share.Rat)
					}
				}
			}
			if i == 0 {
				first, _ = share.Float64()
			}
			if share.Sign() == 0 {
				row = append(row, "", "")
				continue
			}
			row, met = append(row, percent(share), percent(below)), true
		}
		if met {
			rows, shares = append(rows, row), append(shares, first)
		}
	}
	if len(list) == 1 {
		rows = a.barred(rows, shares)
	}
	a.columnsOf(list, 2, slices.Concat([][]string{head}, rows, [][]string{mean}))
}

// otherChances prints who may fall, and which conditions may come and go.
func (a *app) otherChances(list []*ruledChances) {
	var names []string
	rows := map[string][]string{}
	note := func(i int, name string, share session.Share) {
		if rows[name] == nil {
			names = append(names, name)
			rows[name] = make([]string, len(list))
		}
		rows[name][i] = percent(share.Rat)
	}
	for i, x := range list {
		for _, f := range x.Falls {
			note(i, f.Who+" falls", f.Share)
		}
		for _, e := range x.Effects {
			if e.Gone {
				note(i, e.Who+" is no longer "+e.Name, e.Share)
			} else {
				note(i, e.Who+" is "+e.Name, e.Share)
			}
		}
	}
	if len(names) == 0 {
		return
	}
	table := [][]string{slices.Concat([]string{"outcome"}, slices.Repeat([]string{"share"}, len(list)))}
	for _, n := range names {
		table = append(table, append([]string{n}, rows[n]...))
	}
	a.columnsOf(list, 1, table)
}
