package main

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/session"
	"arbiter/stdlib/dice"
)

// This file shows the odds of a roll.

type rollOddsDocument struct {
	Expression string        `json:"expression"`
	Comment    string        `json:"comment"`
	Ways       string        `json:"ways"`
	Omitted    session.Share `json:"omitted"`
	Mean       session.Share `json:"mean"`
	Deviation  float64       `json:"deviation"`
	Totals     []rollChance  `json:"totals"`
}

type rollChance struct {
	Total   int64         `json:"total"`
	Ways    string        `json:"ways"`
	Share   session.Share `json:"share"`
	AtLeast session.Share `json:"at_least"`
	AtMost  session.Share `json:"at_most"`
}

// rollOddsFlags are the flags of the odds of a roll.
type rollOddsFlags struct {
	outputFormat
	wanted, atLeast, atMost bool
}

// outputRollOdds computes the odds of a roll and prints them.
func (a *app) outputRollOdds(text string, e *dice.Expr, f *rollOddsFlags) error {
	o, err := e.Odds()
	if err != nil {
		if x := (*dice.Error)(nil); errors.As(err, &x) {
			x.Hint = "leave out --odds, and -n 10000 rolls it ten thousand times"
		}
		return a.rejectDice(text, err)
	}
	d := newRollOddsDocument(e, o)
	return a.outputResult(&f.outputFormat, d, func() *picture { return plotOfRoll(e, o) }, func() [][]string { return totalCSV(d) }, func() { a.printRollOdds(e, o, f) })
}

func (a *app) printRollOdds(e *dice.Expr, o *dice.Odds, f *rollOddsFlags) {
	fmt.Fprintf(a.out, "%s: %s\n", a.screen.out.Paint(term.Bold, e.String()), waysText(o.Ways))
	if !e.Compares() {
		a.printParagraph(oddsSummary(o))
	}
	if o.NotFollowed.Sign() > 0 {
		rest, _ := o.Share(o.NotFollowed).Float64()
		fmt.Fprintf(a.out, explodingFormat, rest)
	}
	a.printRollTable(e, o, f)
}

// explodingFormat reports the share of rolls in which dice explode too often to be followed.
const explodingFormat = "left out: rolls in which dice keep exploding, %.0e of all\n"

// oddsSummary of the odds, in one line.
func oddsSummary(o *dice.Odds) string {
	variance, _ := o.Variance().Float64()
	return fmt.Sprintf("mean %s, standard deviation %.2f, range %d to %d; the middle half is %d to %d", o.Mean().FloatString(2), math.Sqrt(variance),
		o.Totals[0].Total, o.Totals[len(o.Totals)-1].Total, quantile(o, 1, 4), quantile(o, 3, 4))
}

// totalGroup are a group of totals and their ways.
type totalGroup struct {
	name     string
	from, to int64
	ways     *big.Int
}

// tailShare bounds the share of a row at either end, where there are too many totals for a row each: one in tailShare
// rolls.
const tailShare = 10_000

// groupTotals groups totals until there are few rows. The rows between the ends cover equally many of the totals that
// are possible, where these are equally far apart.
func groupTotals(o *dice.Odds) (rows []totalGroup) {
	low, high, wide, step := o.Totals[0].Total, o.Totals[len(o.Totals)-1].Total, int64(1), int64(1)
	alone := len(o.Totals) <= maxSingleRows
	if !alone {
		low, high = quantile(o, 1, tailShare), quantile(o, tailShare-1, tailShare)
		step = totalStep(o)
		wide = ((high-low)/step + maxGroupedRows) / maxGroupedRows * step
		high = min(low+(high-low)/wide*wide+wide-step, o.Totals[len(o.Totals)-1].Total)
	}
	for _, c := range o.Totals {
		r := totalGroup{from: c.Total, to: c.Total, ways: new(big.Int)}
		switch {
		case c.Total < low:
			r.from, r.to = o.Totals[0].Total, low-step
			r.name = fmt.Sprintf("up to %d", r.to)
		case c.Total > high:
			r.from, r.to = high+step, o.Totals[len(o.Totals)-1].Total
			r.name = fmt.Sprintf("%d or more", r.from)
		case !alone:
			r.from = low + (c.Total-low)/wide*wide
			r.to = min(r.from+wide-step, high)
		}
		switch {
		case r.from == r.to:
			r.name = fmt.Sprint(r.from)
		case r.name == "":
			r.name = fmt.Sprintf("%d to %d", r.from, r.to)
		}
		if len(rows) == 0 || rows[len(rows)-1].from != r.from {
			rows = append(rows, r)
		}
		rows[len(rows)-1].ways.Add(rows[len(rows)-1].ways, c.Ways)
	}
	return rows
}

// totalStep is the largest number by multiples of which all totals differ.
func totalStep(o *dice.Odds) (step int64) {
	for i := 1; i < len(o.Totals); i++ {
		a, b := o.Totals[i].Total-o.Totals[i-1].Total, step
		for b != 0 {
			a, b = b, a%b
		}
		step = a
	}
	return step
}

// printRollTable prints the share of each total, or of each group of totals.
func (a *app) printRollTable(e *dice.Expr, o *dice.Odds, f *rollOddsFlags) {
	head := []string{"total", "chance"}
	if e.Compares() {
		head[0] = "holds"
	}
	if f.atLeast {
		head = append(head, "at least")
	}
	if f.atMost {
		head = append(head, "at most")
	}
	var rows [][]string
	var shares []float64
	done, left := new(big.Int), o.Followed()
	for _, x := range groupTotals(o) {
		row := []string{x.name, percent(o.Share(x.ways))}
		if e.Compares() {
			row[0] = yesNoText(x.from)
		}
		if f.atLeast {
			row = append(row, percent(o.Share(left)))
		}
		done.Add(done, x.ways)
		left.Sub(left, x.ways)
		if f.atMost {
			row = append(row, percent(o.Share(done)))
		}
		share, _ := o.Share(x.ways).Float64()
		rows, shares = append(rows, row), append(shares, share)
	}
	a.printNumberTable(a.addBarColumn(head, rows, shares), len(head)-1)
}

// quantile is the least total that at least part/of of all rolls do not exceed.
func quantile(o *dice.Odds, part, of int64) int64 {
	sum, wanted := new(big.Int), o.Followed()
	wanted.Mul(wanted, big.NewInt(part))
	for _, c := range o.Totals {
		sum.Add(sum, c.Ways)
		if new(big.Int).Mul(sum, big.NewInt(of)).Cmp(wanted) >= 0 {
			return c.Total
		}
	}
	return o.Totals[len(o.Totals)-1].Total
}

// waysText formats the number of ways, which may be huge.
func waysText(n *big.Int) string {
	if n.IsInt64() && n.Int64() < 1e15 {
		return countText(n.Int64(), "outcome")
	}
	return fmt.Sprintf("%.2e outcomes", new(big.Float).SetInt(n))
}

func newRollOddsDocument(e *dice.Expr, o *dice.Odds) *rollOddsDocument {
	share := func(ways *big.Int) session.Share { return session.Share{Rat: o.Share(ways)} }
	variance, _ := o.Variance().Float64()
	d := &rollOddsDocument{Expression: e.String(), Comment: e.Comment(), Ways: o.Ways.String(), Omitted: share(o.NotFollowed), Mean: session.Share{Rat: o.Mean()}, Deviation: math.Sqrt(variance)}
	done, left := new(big.Int), o.Followed()
	for _, c := range o.Totals {
		done.Add(done, c.Ways)
		d.Totals = append(d.Totals, rollChance{c.Total, c.Ways.String(), share(c.Ways), share(left), share(done)})
		left.Sub(left, c.Ways)
	}
	return d
}
