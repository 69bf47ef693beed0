package main

import (
	"fmt"

	"arbiter/interp/sim"
)

// This file draws the chart of a sweep.

// plotOfSweep draws the figure over the values: a line for each side that wins, for the one figure that was asked for,
// or for each value of the first of two sweeps.
func plotOfSweep(r *sim.Comparison, v *sweepView) *picture {
	across := r.Sweeps[len(r.Sweeps)-1]
	c := lineChart{
		title: r.Title + ": " + v.figure.Name, subtitle: fmt.Sprintf("%s with each value, seed %d; vertical lines are 95 %% intervals", countText(r.Fights, "fight"), r.Seed),
		down: v.figure.Name, across: across.Name, values: across.Values, lines: v.lines(r),
	}
	if v.isDefault && len(r.Sweeps) < 2 {
		c.title, c.down = r.Title+": who wins", "wins"
	}
	if len(r.Sweeps) == 2 {
		c.legend = r.Sweeps[0].Name
	}
	for i := range r.Rules {
		if f := v.figureAt(r, i); f != nil && f.Share {
			c.share = true
		}
	}
	if c.share {
		c.down += ", share of the fights"
	}
	return c.draw()
}

// lines are the lines of the chart.
func (v *sweepView) lines(r *sim.Comparison) (list []chartLine) {
	point := func(f *sim.FigureReport) *sim.Estimate {
		if f == nil {
			return nil
		}
		return &f.After
	}
	if len(r.Sweeps) == 2 {
		n := len(r.Sweeps[1].Values)
		for i, value := range r.Sweeps[0].Values {
			s := chartLine{name: value}
			for k := range n {
				s.points = append(s.points, point(v.figureAt(r, i*n+k)))
			}
			list = append(list, s)
		}
		return list
	}
	figures := []sim.NamedFigure{v.figure}
	if v.isDefault {
		figures = nil
		for i, side := range r.Before.Sides {
			figures = append(figures, sim.NamedFigure{Name: side.Name + " wins", Figure: sim.Figure{Kind: sim.Wins, Who: i}})
		}
	}
	for _, f := range figures {
		s := chartLine{name: f.Name}
		for i := range r.Rules {
			s.points = append(s.points, point(r.Rules[i].Find(f.Figure)))
		}
		list = append(list, s)
	}
	return list
}
