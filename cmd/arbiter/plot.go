package main

import (
	"fmt"
	"strings"

	"arbiter/interp/sim"
)

// This file draws the chart of a simulation.

// The sizes of a chart, in pixels.
const (
	plotWidth  = 640
	plotLeft   = 120
	plotBar    = 22
	plotHeight = 200 // of the rounds
)

// plotOf draws who wins, with intervals, and how long it takes.
func plotOf(r *sim.Report) *picture {
	p := &picture{title: r.Title, width: plotWidth, height: 70 + plotBar*1.5*float64(len(r.Sides)+1) + 60 + plotHeight + 40}
	p.head(fmt.Sprintf("%s, seed %d; the lines hold the true rate 95 times in 100", plural(int(r.Fights), "fight"), r.Seed))
	y := 70.0
	room := float64(plotWidth - plotLeft - 70)
	side := func(name string, x sim.Rate) {
		p.text(plotLeft-8, y+plotBar*0.7, "end", "", name)
		p.bar(plotLeft, y, x.Rate*room, plotBar, "bar", "")
		p.line(plotLeft+x.Low*room, y+plotBar/2, plotLeft+x.High*room, y+plotBar/2, "line")
		p.text(plotLeft+x.High*room+8, y+plotBar*0.7, "start", "", hundredths(x.Rate))
		y += plotBar * 1.5
	}
	for _, s := range r.Sides {
		side(s.Name, s.Wins)
	}
	side("nobody", r.Undecided)
	y += 30
	p.text(10, y, "start", "h", "Rounds")
	y += 12
	var names []string
	var shares [][]float64
	for _, c := range binned(r.Rounds.Counts, 24) {
		names = append(names, strings.TrimSpace(strings.SplitN(c.name, " ", 2)[0]))
		shares = append(shares, []float64{float64(c.times) / float64(max(1, r.Fights))})
	}
	p.columns(y, plotHeight, names, shares)
	return p
}
