package main

import (
	"fmt"
	"slices"

	"arbiter/interp/session"
	"arbiter/interp/sim"
)

// This file shows who falls when, of commands that are repeated in several rounds.

// fallsByRound are those who may fall, each with the share of all outcomes in which they have fallen after each round.
type fallsByRound struct {
	who    string
	shares []session.Share
}

// fallsByRound lists them in the order in which they appear.
func (x *variantChances) fallsByRound() (list []fallsByRound) {
	for n, falls := range x.Rounds {
		for _, f := range falls {
			at := slices.IndexFunc(list, func(r fallsByRound) bool { return r.who == f.Who })
			if at < 0 {
				at = len(list)
				list = append(list, fallsByRound{f.Who, make([]session.Share, len(x.Rounds))})
			}
			list[at].shares[n] = f.Share
		}
	}
	return list
}

// float is the share after a round; nobody has fallen if there is none.
func (f *fallsByRound) float(n int) float64 {
	if f.shares[n].Rat == nil {
		return 0
	}
	return f.shares[n].Float()
}

// settled is a change of a share from one round to the next that is too small to be shown.
const settled = 0.00005

// shownRounds is how many rounds are shown: after them, nothing changes that would be seen.
func shownRounds(list []fallsByRound, all int) int {
	for all > 1 && !slices.ContainsFunc(list, func(f fallsByRound) bool { return f.float(all-1)-f.float(all-2) >= settled }) {
		all--
	}
	return all
}

// printRounds prints who has fallen after each round, if there are several.
func (a *app) printRounds(list []*variantChances) {
	for _, x := range list {
		falls := x.fallsByRound()
		if len(x.Rounds) < 2 || len(falls) == 0 {
			continue
		}
		head := []string{"after round"}
		for _, f := range falls {
			head = append(head, a.screen.out.Cut(f.who+" has fallen", maxNameWidth))
		}
		var rows [][]string
		var shares []float64
		shown := shownRounds(falls, len(x.Rounds))
		for n := range shown {
			row := []string{fmt.Sprint(n + 1)}
			for i := range falls {
				row = append(row, sharePercent(falls[i].float(n)))
			}
			rows, shares = append(rows, row), append(shares, falls[0].float(n))
		}
		if len(falls) == 1 {
			rows = a.addBarColumn(head, rows, shares)
		} else {
			rows = append([][]string{head}, rows...)
		}
		if len(list) > 1 {
			fmt.Fprintln(a.out, "\n  "+a.screen.out.Cut(x.title(), longestBar))
		}
		a.printNumberTable(rows, len(falls))
		fmt.Fprintln(a.out)
		for i := range falls {
			a.printParagraph("  " + falls[i].text(shown))
		}
	}
}

// text says how soon half of all outcomes have seen somebody fall.
func (f *fallsByRound) text(shown int) string {
	for n := range f.shares {
		if f.float(n) >= 0.5 {
			return fmt.Sprintf("%s has fallen after round %d in at least half of all outcomes.", f.who, n+1)
		}
	}
	return fmt.Sprintf("%s falls in less than half of all outcomes: %s after round %d.", f.who, sharePercent(f.float(shown-1)), len(f.shares))
}

// plotOfRounds draws who has fallen after each round.
func plotOfRounds(list []*variantChances) *picture {
	c := lineChart{title: list[0].Command, subtitle: list[0].accuracyText(), down: "has fallen, share of all outcomes", across: "after round", share: true}
	shown := 1
	for _, x := range list {
		shown = max(shown, shownRounds(x.fallsByRound(), len(x.Rounds)))
	}
	for n := range shown {
		c.values = append(c.values, fmt.Sprint(n+1))
	}
	for _, x := range list {
		for _, f := range x.fallsByRound() {
			l := chartLine{name: f.who}
			if len(list) > 1 {
				l.name += ", " + x.title()
			}
			for n := range min(shown, len(f.shares)) {
				v := f.float(n)
				l.points = append(l.points, &sim.Estimate{Value: v, Low: v, High: v})
			}
			c.lines = append(c.lines, l)
		}
	}
	return c.draw()
}
