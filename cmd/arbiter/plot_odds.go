package main

import (
	"fmt"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/stdlib/dice"
)

// This file draws the charts of odds.

// plotOfRoll draws the possible totals of a roll.
func plotOfRoll(e *dice.Expr, o *dice.Odds) *picture {
	p := &picture{title: e.String(), width: plotWidth, height: 70 + plotHeight + 50}
	p.titleLines(oddsSummary(o))
	var names []string
	var shares [][]float64
	for _, r := range groupTotals(o) {
		share, _ := o.Share(r.ways).Float64()
		names, shares = append(names, r.name), append(shares, []float64{share})
	}
	p.barChart(70, plotHeight, names, shares, sharePercent, "total, by probability")
	return p
}

// plotOfOdds draws the distribution of each amount that a command can change, how often its checks succeed, and what
// else may happen, under one set of rules or several: each set has its color. Of several rounds, it draws who falls when.
func plotOfOdds(list []*variantChances) *picture {
	if len(list[0].Rounds) > 1 {
		return plotOfRounds(list)
	}
	p := &picture{title: list[0].Command, width: plotWidth}
	if len(list) == 1 {
		p.titleLines(list[0].accuracyText())
	} else {
		p.titleLine()
		x, each := 10.0, (plotWidth-20)/float64(len(list))
		for k, r := range list {
			text := r.title()
			if r.Sampled > 0 {
				text += ", " + r.accuracyText()
			}
			text = cutToWidth(text, each-24)
			p.bar(x, 36, 9, 9, barClass(k, len(list)), "")
			p.text(x+16, 45, "start", "d", text)
			x += min(each, 40+letterWidth*float64(term.Columns(text)))
		}
	}
	y := 78.0
	rows := func(title string, list []oddsRow) {
		if len(list) == 0 {
			return
		}
		p.heading(y, title)
		y += 10
		left, room := 250.0, float64(plotWidth-250-80)
		for _, r := range list {
			p.text(left-8, y+plotBar*float64(len(r.shares))/2+textSize/3, "end", "", cutFirstWords(r.name, left-18))
			for k, share := range r.shares {
				if share != nil {
					v, _ := share.Float64()
					p.bar(left, y+3, v*room, plotBar-6, barClass(k, len(r.shares)), "")
					p.text(left+v*room+8, y+plotBar*0.7, "start", "d", percent(share))
				}
				y += plotBar
			}
			y += 4
		}
		y += 24
	}
	_, success := checksOf(list)
	rows("Checks: how often each succeeds if it is made", success)
	for _, m := range amountsOf(list) {
		p.heading(y, m.title())
		y += 8
		var names []string
		var shares [][]float64
		list := m.rows()
		for n, r := range list {
			if n > 0 && r.from > list[n-1].to+1 { // values in between that never occur
				names, shares = append(names, "…"), append(shares, make([]float64, len(r.share)))
			}
			name, row := fmt.Sprint(r.from), make([]float64, len(r.share))
			for i, share := range r.share {
				if share != nil {
					row[i], _ = share.Float64()
				}
			}
			names, shares = append(names, name), append(shares, row)
		}
		p.barChart(y, plotHeight*0.75, names, shares, sharePercent, m.name+" afterwards, by probability")
		y += plotHeight*0.75 + 66
	}
	rows("Outcomes", outcomesOf(list))
	p.height = y - 10
	return p
}

func barClass(k, of int) string {
	if of == 1 {
		return "bar"
	}
	return lineClass(k)
}
