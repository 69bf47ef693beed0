package main

import (
	"fmt"

	"arbiter/interp/sim"
)

// This file draws the chart of a simulation.

// The sizes of a chart, in pixels.
const (
	plotWidth  = 640
	plotBar    = 22
	plotHeight = 200 // of the chart of rounds
)

// plotOfReport draws who wins, with intervals, and how long it takes.
func plotOfReport(r *sim.Report) *picture {
	names := []string{"nobody"}
	for _, s := range r.Sides {
		names = append(names, s.Name)
	}
	left := 20 + labelRoom(names, 100, 260)
	room := plotWidth - left - 70
	p := &picture{title: r.Title, width: plotWidth}
	p.titleLines(fmt.Sprintf("wins in %s, seed %d; lines are 95 %% intervals", countText(r.Fights, "fight"), r.Seed))
	y := 70.0
	side := func(name string, x sim.Rate) {
		p.text(left-8, y+plotBar*0.7, "end", "", cutToWidth(name, left-18))
		p.bar(left, y, x.Rate*room, plotBar, "bar", "")
		p.line(left+x.Low*room, y+plotBar/2, left+x.High*room, y+plotBar/2, "line")
		p.text(left+x.High*room+8, y+plotBar*0.7, "start", "", sim.Percent(x.Rate))
		y += plotBar * 1.5
	}
	for _, s := range r.Sides {
		side(s.Name, s.Wins)
	}
	side("nobody", r.Undecided)
	y += 24
	p.heading(y, "Rounds")
	y += 12
	names = nil
	var shares [][]float64
	for _, c := range groupIntoBins(r.Rounds.Counts, 24) {
		names = append(names, c.name)
		shares = append(shares, []float64{float64(c.times) / float64(max(1, r.Fights))})
	}
	p.barChart(y, plotHeight, names, shares, sim.Percent, "rounds, by share of the fights")
	p.height = y + plotHeight + 50
	return p
}
