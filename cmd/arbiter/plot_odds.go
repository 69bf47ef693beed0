package main

import (
	"fmt"

	"arbiter/stdlib/dice"
)

// This file draws the charts of odds.

// plotOfRoll draws what dice can come to.
func plotOfRoll(e *dice.Expr, o *dice.Odds) *picture {
	p := &picture{title: e.String(), width: plotWidth, height: 70 + plotHeight + 30}
	p.head(summary(o))
	var names []string
	var shares [][]float64
	for _, r := range rowsOf(o) {
		share, _ := o.Share(r.ways).Float64()
		names, shares = append(names, r.name), append(shares, []float64{share})
	}
	p.columns(70, plotHeight, names, shares)
	return p
}

// plotOfOdds draws how each amount is distributed that a command can change, how often its checks succeed and what else may
// come of it, under one or several rules: then each has its colour.
func plotOfOdds(list []*ruledChances) *picture {
	p := &picture{title: list[0].Command, width: plotWidth}
	if len(list) == 1 {
		p.head(list[0].how())
	} else {
		p.text(10, 24, "start", "h", p.title)
		x := 10.0
		for k, r := range list {
			p.bar(x, 36, 9, 9, colorClass(k, len(list)), "")
			p.text(x+16, 45, "start", "d", r.title())
			x += 40 + 0.55*textSize*float64(len(r.title()))
		}
	}
	y := 78.0
	rows := func(title string, list []oddsRow) {
		if len(list) == 0 {
			return
		}
		p.text(10, y, "start", "h", title)
		y += 10
		left, room := 250.0, float64(plotWidth-250-80)
		for _, r := range list {
			p.text(left-8, y+plotBar*float64(len(r.shares))/2+textSize/3, "end", "", r.name)
			for k, share := range r.shares {
				if share != nil {
					v, _ := share.Float64()
					p.bar(left, y+3, v*room, plotBar-6, colorClass(k, len(r.shares)), "")
					p.text(left+v*room+8, y+plotBar*0.7, "start", "d", percent(share))
				}
				y += plotBar
			}
			y += 4
		}
		y += 24
	}
	_, success := checksOf(list)
	rows("Checks: how often each succeeds when it is made", success)
	for _, m := range amountsOf(list) {
		p.text(10, y, "start", "h", m.title())
		y += 8
		var names []string
		var shares [][]float64
		for _, r := range m.rows() {
			name, row := fmt.Sprint(r.from), make([]float64, len(r.share))
			for i, share := range r.share {
				if share != nil {
					row[i], _ = share.Float64()
				}
			}
			names, shares = append(names, name), append(shares, row)
		}
		p.columns(y, plotHeight*0.75, names, shares)
		y += plotHeight*0.75 + 46
	}
	rows("Outcomes", othersOf(list))
	p.height = y - 10
	return p
}

func colorClass(k, of int) string {
	if of == 1 {
		return "bar"
	}
	return colorOf(k)
}
