package main

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/sim"
)

// This file prints and draws days.

// printDay prints a day for a person.
func (a *app) printDay(d *dayDocument) {
	fmt.Fprintf(a.out, "%s: %s, seed %d\n", a.screen.out.Paint(term.Bold, term.Clean(d.Title)), countText(d.Days, "day"), d.Seed)
	for _, n := range d.Notes {
		a.printParagraph(n)
	}
	for _, w := range d.Warnings {
		a.printWarning(w)
	}
	if d.Days == 0 {
		return
	}
	if len(d.Party) > 0 && len(d.Fights) > 0 {
		fmt.Fprintln(a.out)
		for _, line := range d.texts() {
			a.printParagraph(line)
		}
		a.printDayFights(d)
	}
	if d.isWritten && len(d.Endings) > 0 {
		var rows [][]string
		var rates []float64
		for _, e := range d.Endings {
			name := e.Ending
			if name == "" {
				name = "unnamed"
			}
			rows, rates = append(rows, append([]string{name}, rateText(e.Share)...)), append(rates, e.Share.Rate)
		}
		a.printNumberTable(a.addBarColumn([]string{"ending", "days", "95 % interval"}, rows, rates), 2)
	}
	if len(d.Party) > 0 {
		a.printWideTable(d.partyTable())
	}
	a.printWithout(d)
}

// partyTable is how each member of the party ends the day.
func (d *dayDocument) partyTable() [][]string {
	head := []string{"at the end", "down", "95 % interval"}
	for _, m := range d.Party {
		for _, l := range m.Left {
			if !slices.Contains(head[3:], l.Resource) {
				head = append(head, l.Resource)
			}
		}
	}
	rows := [][]string{head}
	for _, m := range d.Party {
		row := append([]string{m.Name}, rateText(m.Down)...)
		for _, name := range head[3:] {
			cell := ""
			if at := slices.IndexFunc(m.Left, func(l dayResources) bool { return l.Resource == name }); at >= 0 {
				cell = fmt.Sprintf("%s of %d", sim.Number(m.Left[at].Left.Mean), m.Left[at].Of)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

// printDayFights prints how far the party gets, and what each fight costs.
func (a *app) printDayFights(d *dayDocument) {
	rows := [][]string{{"share of the days", "reached", "won", "lost", "rounds"}}
	broken := slices.ContainsFunc(d.Fights, func(f dayFight) bool { return f.Broken.Rate > 0 })
	if broken {
		rows[0] = append(rows[0], "broken off")
	}
	var reached []float64
	for _, f := range d.Fights {
		row := []string{a.screen.out.Cut(f.Fight, maxNameWidth), sim.Percent(f.Reached.Rate), sim.Percent(f.Won.Rate), sim.Percent(f.Lost.Rate), sim.Number(f.Rounds.Mean)}
		if broken {
			row = append(row, sim.Percent(f.Broken.Rate))
		}
		rows, reached = append(rows, row), append(reached, f.Won.Rate)
	}
	a.printNumberTable(a.addBarColumn(rows[0], rows[1:], reached), len(rows[0])-1)

	rows = [][]string{{"the party", "regained", "at first", "cost", "95 % interval", "falls"}}
	if d.Left.Decisive == nil {
		rows[0] = []string{"the party", "falls"}
	}
	for _, f := range d.Fights {
		row := []string{a.screen.out.Cut(f.Fight, maxNameWidth)}
		if f.Times > 0 && f.Decisive != nil {
			row = append(row, costCells(f.Decisive)...)
		}
		if f.Times > 0 {
			row = append(row, fmt.Sprintf("%.2f", f.Falls.Mean))
		}
		rows = append(rows, row)
	}
	a.printNumberTable(rows, len(rows[0])-1)
	if d.Left.Uses == nil {
		return
	}
	rows = [][]string{{"its uses", "regained", "at first", "cost", "95 % interval"}}
	for _, f := range d.Fights {
		row := []string{a.screen.out.Cut(f.Fight, maxNameWidth)}
		if f.Times > 0 {
			row = append(row, costCells(f.Uses)...)
		}
		rows = append(rows, row)
	}
	a.printNumberTable(rows, 4)
}

// costCells is what a fight costs of one sort of resources.
func costCells(c *dayCost) []string {
	return []string{sim.Percent(c.Regained.Mean), sim.Percent(c.Before.Mean), sim.Percent(c.Cost.Mean), sim.Percent(c.Cost.Low) + " to " + sim.Percent(c.Cost.High)}
}

// printWithout prints what the pauses do.
func (a *app) printWithout(d *dayDocument) {
	if len(d.Without) == 0 {
		return
	}
	rows := [][]string{{"without the pause", "survived", "change", "95 % interval", "left", "uses", ""}, {"none left out", sim.Percent(d.Survived.Rate), "", "", shareText(d.Left.Decisive), shareText(d.Left.Uses)}}
	if d.Left.Uses == nil {
		rows[0][5] = ""
	}
	for _, x := range d.Without {
		mark := ""
		if x.Significant {
			mark = "*"
		}
		rows = append(rows, []string{a.screen.out.Cut(x.Rest, maxRestWidth), sim.Percent(x.Survived.Rate), signed(100 * x.Change), signed(100*x.Low) + " to " + signed(100*x.High), shareText(x.Left.Decisive), shareText(x.Left.Uses), mark})
	}
	a.printNumberTable(rows, 5)
	fmt.Fprintln(a.out)
	a.printParagraph(a.dim("* significant, allowing for the number of pauses; any other change may be chance"))
}

// maxRestWidth is the width at which a pause is cut in a table, in columns.
const maxRestWidth = 26

// shareText writes a mean share; "" if there is none.
func shareText(m *sim.Mean) string {
	if m == nil {
		return ""
	}
	return sim.Percent(m.Mean)
}

// texts say in sentences how far the party gets, and where it dies.
func (d *dayDocument) texts() (list []string) {
	list = append(list, fmt.Sprintf("At the end of %s of the days (95 %% interval %s to %s), somebody of the party stands.", sim.Percent(d.Survived.Rate), sim.Percent(d.Survived.Low), sim.Percent(d.Survived.High)))
	worst, dearest := -1, -1
	for i := range d.Fights {
		f := &d.Fights[i]
		if f.Lost.Rate > 0 && (worst < 0 || f.Lost.Rate > d.Fights[worst].Lost.Rate) {
			worst = i
		}
		if f.Times > 0 && f.Decisive != nil && (dearest < 0 || f.Decisive.Cost.Mean > d.Fights[dearest].Decisive.Cost.Mean) {
			dearest = i
		}
	}
	if worst >= 0 {
		list = append(list, fmt.Sprintf("It is lost most often in %s, on %s of all days and %s of those that get there.", d.Fights[worst].Fight, sim.Percent(d.Fights[worst].Lost.Rate), sim.Percent(d.Fights[worst].Lost.Rate/d.Fights[worst].Reached.Rate)))
	}
	if dearest >= 0 && len(d.Fights) > 1 {
		list = append(list, fmt.Sprintf("The dearest fight is %s: it costs %s of what the party began the day with.", d.Fights[dearest].Fight, sim.Percent(d.Fights[dearest].Decisive.Cost.Mean)))
	}
	var left []string
	if d.Left.Decisive != nil {
		left = append(left, shareText(d.Left.Decisive)+" of what decides who is out of a fight")
	}
	if d.Left.Uses != nil {
		left = append(left, shareText(d.Left.Uses)+" of all other resources")
	}
	if len(left) == 0 {
		return append(list, "The party begins with nothing that a fight uses up under these rules: who falls is what it costs.")
	}
	return append(list, "At the end the party has left "+strings.Join(left, ", and ")+".")
}

// dayCSV has a row for each number.
func dayCSV(d *dayDocument) [][]string {
	rows := [][]string{{"of", "what", "value", "low", "high"}}
	rate := func(of, what string, r sim.Rate) {
		rows = append(rows, []string{of, what, exactly(r.Rate), exactly(r.Low), exactly(r.High)})
	}
	mean := func(of, what string, m sim.Mean) {
		rows = append(rows, []string{of, what, exactly(m.Mean), exactly(m.Low), exactly(m.High)})
	}
	rate("day", "survived", d.Survived)
	left := func(of string, l dayLeft) {
		if l.Decisive != nil {
			mean(of, "left", *l.Decisive)
		}
		if l.Uses != nil {
			mean(of, "left uses", *l.Uses)
		}
	}
	left("day", d.Left)
	for _, e := range d.Endings {
		rate("ending "+e.Ending, "share", e.Share)
	}
	for _, f := range d.Fights {
		rate(f.Fight, "reached", f.Reached)
		rate(f.Fight, "won", f.Won)
		rate(f.Fight, "lost", f.Lost)
		rate(f.Fight, "broken off", f.Broken)
		mean(f.Fight, "rounds", f.Rounds)
		mean(f.Fight, "falls", f.Falls)
		cost := func(c *dayCost, of string) {
			if c != nil {
				mean(f.Fight, "regained"+of, c.Regained)
				mean(f.Fight, "before"+of, c.Before)
				mean(f.Fight, "cost"+of, c.Cost)
			}
		}
		cost(f.Decisive, "")
		cost(f.Uses, " uses")
	}
	for _, m := range d.Party {
		rate(m.Name, "down", m.Down)
		for _, l := range m.Left {
			mean(m.Name, "left "+l.Resource, l.Left)
		}
	}
	for _, x := range d.Without {
		rows = append(rows, []string{"without " + x.Rest, "survived", exactly(x.Survived.Rate), exactly(x.Survived.Low), exactly(x.Survived.High)},
			[]string{"without " + x.Rest, "change", exactly(x.Change), exactly(x.Low), exactly(x.High)})
		left("without "+x.Rest, x.Left)
	}
	return rows
}

// plotOfDay draws, for each fight, how many days get there, and what is left before and after it.
func plotOfDay(d *dayDocument) *picture {
	c := rowChart{title: d.Title, subtitle: fmt.Sprintf("%s, seed %d; full: days that win it; hollow: left before it; flat: left after it", countText(d.Days, "day"), d.Seed), share: true}
	share := func(m sim.Mean) sim.Estimate {
		return sim.Estimate{Value: m.Mean, Low: max(0, m.Low), High: min(1, m.High)}
	}
	if d.Left.Decisive == nil {
		c.subtitle = fmt.Sprintf("%s, seed %d; days that win it", countText(d.Days, "day"), d.Seed)
	}
	for _, f := range d.Fights {
		row := chartRow{name: f.Fight, points: []sim.Estimate{{Value: f.Won.Rate, Low: f.Won.Low, High: f.Won.High}}, tips: []string{"won " + sim.Percent(f.Won.Rate)}, text: "lost " + sim.Percent(f.Lost.Rate)}
		if x := f.Decisive; x != nil && f.Times > 0 {
			after := sim.Mean{Mean: x.Before.Mean - x.Cost.Mean, Low: x.Before.Mean - x.Cost.High, High: x.Before.Mean - x.Cost.Low}
			row.points, row.tips = append(row.points, share(x.Before), share(after)), append(row.tips, "before "+sim.Percent(x.Before.Mean), "after "+sim.Percent(after.Mean))
		}
		c.rows = append(c.rows, row)
	}
	return c.draw()
}
