package main

import (
	"fmt"
	"math"
	"strconv"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/balance"
	"arbiter/interp/sim"
)

// This file prints and draws what balance has found.

// printBalance prints the answers for a person.
func (a *app) printBalance(d *balanceDocument, w *balance.Wish) {
	fmt.Fprintf(a.out, "%s: %s, seed %d\n", a.screen.out.Paint(term.Bold, term.Clean(d.Title)), w, d.Seed)
	switch {
	case d.Now != nil:
		a.printSuggestions(d, w)
	case len(d.Answers) > 1:
		a.printAnswerTable(d, w)
	default:
		for _, x := range d.Answers {
			a.printAnswer(x, w)
		}
	}
}

// printAnswer prints one answer with all values that were tried.
func (a *app) printAnswer(x *balanceAnswer, w *balance.Wish) {
	fmt.Fprintln(a.out)
	text := x.text(w)
	if where := x.whereText(); where != "" {
		text = "With " + where + ": " + text
	}
	a.printParagraph(text)
	a.printParagraph(x.costText())
	if !x.Monotone {
		a.printWarning(fmt.Sprintf("%s neither rises nor falls along these values: another one may reach the wish as well; `compare --sweep` shows all of them", w.Name))
	}
	rows, shares := [][]string{}, []float64{}
	for _, t := range x.Tried {
		mark := ""
		if t.Value == x.Best && x.Verdict == verdictNames[balance.Reached] {
			mark = "*"
		}
		rows = append(rows, []string{a.screen.out.Cut(t.Value, maxValueWidth), w.NumberText(t.Figure), t.intervalText(w), fmt.Sprint(t.Fights), mark})
		shares = append(shares, t.Figure)
	}
	a.printNumberTable(a.addBarColumn([]string{a.screen.out.Cut(x.By, maxValueWidth), a.screen.out.Cut(w.Name, maxValueWidth), "interval", "fights", ""}, rows, shares), 3)
}

// printAnswerTable prints a row for each value of the other sweeps.
func (a *app) printAnswerTable(d *balanceDocument, w *balance.Wish) {
	fmt.Fprintln(a.out)
	last := d.Answers[0]
	a.printParagraph(fmt.Sprintf("For each value, the %s with which %s is %s, or nearest to it:", last.By, w.Name, w.GoalText()))
	head := []string{}
	for _, at := range last.At {
		head = append(head, a.screen.out.Cut(at.Name, maxValueWidth))
	}
	head = append(head, a.screen.out.Cut(last.By, maxValueWidth), a.screen.out.Cut(w.Name, maxValueWidth), "interval", "fights", "")
	rows, all := [][]string{head}, uint64(0)
	for _, x := range d.Answers {
		row := []string{}
		for _, at := range x.At {
			row = append(row, a.screen.out.Cut(at.Value, maxValueWidth))
		}
		best := valueDocument{Figure: math.NaN(), Low: math.Inf(-1), High: math.Inf(1)}
		if t := x.find(x.Best); t != nil {
			best = *t
		}
		all += x.Fights
		rows = append(rows, append(row, x.Best, w.NumberText(best.Figure), best.intervalText(w), fmt.Sprint(x.Fights), x.Verdict))
	}
	a.printNumberTable(rows, len(head)-2)
	fmt.Fprintln(a.out)
	a.printParagraph(fmt.Sprintf("%s in all.", countText(all, "fight")))
}

// intervalText writes the interval of a value.
func (t *valueDocument) intervalText(w *balance.Wish) string {
	if math.IsInf(t.Low, 0) {
		return ""
	}
	return w.NumberText(t.Low) + " to " + w.NumberText(t.High)
}

// text says in a sentence what was found.
func (x *balanceAnswer) text(w *balance.Wish) string {
	figure := func(value string) string {
		if t := x.find(value); t != nil {
			return w.NumberText(t.Figure)
		}
		return "unknown"
	}
	best := fmt.Sprintf("%s = %s", x.By, x.Best)
	switch x.Verdict {
	case verdictNames[balance.Reached]:
		if w.Relation != balance.About {
			text := fmt.Sprintf("%s reaches it: %s is %s.", best, w.Name, figure(x.Best))
			if x.Next != "" {
				text += fmt.Sprintf(" The next, %s, does not: %s.", x.Next, figure(x.Next))
			}
			return text
		}
		return fmt.Sprintf("%s reaches it: %s is %s, within %s of %s.", best, w.Name, figure(x.Best), w.WithinText(), w.NumberText(w.Target))
	case verdictNames[balance.Between]:
		if x.Low == "" {
			return fmt.Sprintf("No value is certain to reach it, within %s of %s. The nearest is %s, with %s.", w.WithinText(), w.NumberText(w.Target), best, figure(x.Best))
		}
		return fmt.Sprintf("No value is certain to reach it, within %s: with %s = %s, %s is %s, with %s it is %s. Nearer is %s.", w.WithinText(), x.By, x.Low, w.Name, figure(x.Low), x.High, figure(x.High), x.Best)
	case verdictNames[balance.Unreachable]:
		return fmt.Sprintf("None of these values is certain to reach it. The nearest is %s, with %s.", best, figure(x.Best))
	}
	return fmt.Sprintf("These fights are not enough to tell. The nearest so far is %s, with %s; more fights (-n) will tell, or a wish that is less exact (`within %s`).", best, figure(x.Best), w.TwiceWithin())
}

// costText says what the answer cost, and how sure it is.
func (x *balanceAnswer) costText() string {
	text := fmt.Sprintf("%s, with %d of %s", countText(x.Fights, "fight"), len(x.Tried), countText(x.Values, "value"))
	if x.Values > 1 && x.Grid > 0 {
		text += fmt.Sprintf("; to play all of them as precisely and as surely takes about %d", roundedTo2(x.Grid))
	}
	if x.Verdict != verdictNames[balance.Undecided] {
		text = fmt.Sprintf("This is right with a probability of at least %s. ", sim.Percent(math.Floor(1000*x.Confidence)/1000)) + text
	}
	return text + "."
}

// roundedTo2 rounds a number to two digits.
func roundedTo2(n uint64) uint64 {
	unit := uint64(1)
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

// balanceCSV has one tried value per row.
func balanceCSV(d *balanceDocument) [][]string {
	head := []string{}
	if len(d.Answers) > 0 {
		for _, at := range d.Answers[0].At {
			head = append(head, at.Name)
		}
	}
	rows := [][]string{append(head, "by", "value", "figure", "low", "high", "fights", "best", "verdict")}
	for _, x := range d.Answers {
		for _, t := range x.Tried {
			row := []string{}
			for _, at := range x.At {
				row = append(row, at.Value)
			}
			rows = append(rows, append(row, x.By, t.Value, exactly(t.Figure), exactly(t.Low), exactly(t.High), fmt.Sprint(t.Fights), strconv.FormatBool(t.Value == x.Best), x.Verdict))
		}
	}
	return rows
}

// plotOfBalance draws the values that were tried, and the wish; of several answers, those that are the best.
func plotOfBalance(d *balanceDocument, w *balance.Wish) *picture {
	c := lineChart{title: d.Title + ": " + w.String(), down: w.Name, share: w.IsShare(), wish: &w.Target, subtitle: fmt.Sprintf("seed %d; vertical lines are intervals that hold together with 95 %%", d.Seed)}
	if c.share {
		c.down += ", share of the fights"
	}
	add := func(l *chartLine, name string, t *valueDocument) {
		c.values = append(c.values, name)
		l.points = append(l.points, &sim.Estimate{Value: t.Figure, Low: max(t.Low, t.Figure-math.Abs(t.Figure)), High: min(t.High, 2*math.Abs(t.Figure)+1)})
	}
	l := chartLine{name: w.Name}
	if len(d.Answers) == 1 && d.Now == nil {
		x := d.Answers[0]
		c.across = x.By
		for i := range x.Tried {
			add(&l, x.Tried[i].Value, &x.Tried[i])
		}
	} else {
		if c.across = "the smallest changes"; d.Now != nil {
			add(&l, "as written", d.Now)
		}
		for _, x := range d.Answers {
			if t := x.find(x.Best); t != nil {
				name := x.By + " = " + x.Best
				if d.Now == nil {
					c.across = x.At[0].Name + ", each with the right " + x.By
					name = x.whereText()
					if len(x.At) == 1 {
						name = x.At[0].Value
					}
				}
				add(&l, name, t)
			}
		}
	}
	c.lines = []chartLine{l}
	return c.draw()
}
