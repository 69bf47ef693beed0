package main

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"arbiter/interp/session"
	"arbiter/interp/sim"
)

// This file formats numbers in columns for other programs. The first row names the columns.

// printCSV prints rows as comma-separated values.
func (a *app) printCSV(rows [][]string) error {
	a.out.raw = true
	return csv.NewWriter(a.out).WriteAll(rows)
}

// exactly formats a number so that it can be parsed again without loss.
func exactly(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// reportCSV has one number per row: what it measures, of which creature or side, its value, and its confidence
// interval.
func reportCSV(r *sim.Report) [][]string {
	rows := [][]string{{"of", "what", "value", "low", "high"}, {r.Title, "fights", fmt.Sprint(r.Fights), "", ""}}
	rate := func(of, what string, x sim.Rate) {
		rows = append(rows, []string{of, what, exactly(x.Rate), exactly(x.Low), exactly(x.High)})
	}
	mean := func(of, what string, x sim.Mean) {
		rows = append(rows, []string{of, what, exactly(x.Mean), exactly(x.Low), exactly(x.High)})
	}
	for _, s := range r.Sides {
		rate(s.Name, "wins", s.Wins)
	}
	rate("nobody", "wins", r.Undecided)
	mean("fight", "rounds", r.Rounds.Mean)
	for _, m := range r.Combatants {
		rate(m.Name, "falls", m.Falls)
		mean(m.Name, "took", m.Took.Mean)
		mean(m.Name, "dealt", m.Dealt.Mean)
		for _, l := range m.Left {
			mean(m.Name, "left "+l.Resource, l.Mean)
		}
	}
	for _, d := range r.Causes {
		mean(d.By, strings.TrimSpace("takes "+d.Resource+" by "+d.Cause), d.Loss.Mean)
	}
	return rows
}

// changeCSV has one number per row: under which rules, what it measures, of which creature or side, and how it
// changes.
func changeCSV(r *sim.Comparison) [][]string {
	rows := [][]string{{"rules", "of", "what", "before", "after", "change", "low", "high", "different", "p_value", "significant"}}
	for _, x := range r.Rules {
		for _, f := range x.Figures {
			rows = append(rows, []string{x.Rules, f.Of, f.What, exactly(f.Before.Value), exactly(f.After.Value), exactly(f.Change), exactly(f.Low), exactly(f.High),
				fmt.Sprint(f.Different), exactly(f.PValue), strconv.FormatBool(f.Significant)})
		}
	}
	return rows
}

// chanceCSV has one chance per row: under which rules, whose, of what, of which value if any, and its share, from 0
// to 1.
func chanceCSV(list []*variantChances) [][]string {
	rows := [][]string{{"rules", "of", "what", "value", "share"}}
	for _, x := range list {
		add := func(of, what, value string, s session.Share) {
			rows = append(rows, []string{x.Rules, of, what, value, exactly(s.Float())})
		}
		for _, c := range x.Checks {
			add(c.Roll, "made", "", c.Made)
			add(c.Roll, "success", "", c.Success)
		}
		for n, falls := range x.Rounds {
			for _, f := range falls {
				add(f.Who, "has fallen after round", fmt.Sprint(n+1), f.Share)
			}
		}
		for _, m := range x.Amounts {
			for _, v := range m.Values {
				add(m.Who, m.Name, fmt.Sprint(v.Value), v.Share)
			}
		}
		for _, e := range x.Effects {
			what := "gains " + e.Name
			if e.Gone {
				what = "loses " + e.Name
			}
			add(e.Who, what, "", e.Share)
		}
		for _, f := range x.Falls {
			add(f.Who, "falls", "", f.Share)
		}
	}
	return rows
}

// totalCSV has one total per row: in how many ways it occurs, its share, and the chances of at least and of at most
// that total.
func totalCSV(d *rollOddsDocument) [][]string {
	rows := [][]string{{"total", "ways", "share", "at least", "at most"}}
	for _, c := range d.Totals {
		rows = append(rows, []string{fmt.Sprint(c.Total), c.Ways, exactly(c.Share.Float()), exactly(c.AtLeast.Float()), exactly(c.AtMost.Float())})
	}
	return rows
}
