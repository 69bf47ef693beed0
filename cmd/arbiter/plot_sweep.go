package main

import (
	"fmt"
	"math"

	"arbiter/interp/sim"
)

// This file draws the chart of a sweep.

// series is one line of the chart.
type series struct {
	name    string
	figures []*sim.FigureReport
}

// plotOfSweep draws the figure over the values: a line for each side that wins, for the one figure that was asked for,
// or for each value of the first of two sweeps.
func plotOfSweep(r *sim.Comparison, v *sweepView) *picture {
	const left, top, height = 68, 90, 260
	across := r.Sweeps[len(r.Sweeps)-1]
	p := &picture{title: r.Title + ": " + v.figure.Name, width: plotWidth}
	yTitle := v.figure.Name
	if v.isDefault && len(r.Sweeps) < 2 {
		p.title, yTitle = r.Title+": who wins", "wins"
	}
	list := v.series(r)
	names := []string{}
	for _, s := range list {
		names = append(names, s.name)
	}
	legend := float64(top) // the y of its first line
	if len(r.Sweeps) == 2 {
		names = append(names, r.Sweeps[0].Name)
		legend += 20
	}
	right := 40 + labelRoom(names, 90, 220)
	p.titleLines(fmt.Sprintf("%s with each value, seed %d; vertical lines are 95 %% intervals", countText(r.Fights, "fight"), r.Seed))
	low, high, share := 0.0, 0.0, false
	for _, s := range list {
		for _, f := range s.figures {
			if f != nil {
				low, high, share = min(low, f.After.Low), max(high, f.After.High), f.Share
			}
		}
	}
	if share {
		low, high = 0, 1
		yTitle += ", share of the fights"
	} else {
		high = roundUp(high)
		if low < 0 {
			low = -roundUp(-low)
		}
	}
	// The lines are shifted a little sideways, so that their vertical intervals do not overlap.
	room := plotWidth - left - right
	lineShift := min(5, room/2/float64(max(1, len(across.Values)*len(list))))
	maxShift := lineShift * float64(len(list)-1) / 2
	step := (room - 2*maxShift) / float64(max(1, len(across.Values)-1))
	x := func(i int) float64 { return left + maxShift + step*float64(i) }
	y := func(value float64) float64 { return top + height*(high-value)/(high-low) }
	p.text(10, top-14, "start", "", cutToWidth(yTitle, left+room-10))
	for tick := range 5 {
		value := low + (high-low)*float64(tick)/4
		p.line(left, y(value), left+room, y(value), "axis")
		p.text(left-8, y(value)+4, "end", "d", figureText(share, value))
	}
	every := max(1, int(math.Ceil(labelRoom(across.Values, 0, room)/step)))
	for i, value := range across.Values {
		if i%every == 0 {
			half := min(x(i)-4, plotWidth-x(i)-4, max(step*float64(every)/2, 20))
			p.text(x(i), top+height+18, "middle", "d", cutToWidth(value, 2*half))
		}
	}
	p.text(left+room/2, top+height+40, "middle", "", cutToWidth(across.Name, room))
	for k, s := range list {
		class := lineClass(k)
		x := func(i int) float64 { return x(i) + lineShift*float64(k) - maxShift }
		last := -1
		for i, f := range s.figures {
			if f == nil {
				continue
			}
			p.line(x(i), y(min(f.After.High, high)), x(i), y(max(f.After.Low, low)), class)
			if last >= 0 && isNumberText(across.Values[last]) && isNumberText(across.Values[i]) {
				p.line(x(last), y(s.figures[last].After.Value), x(i), y(f.After.Value), class)
			}
			last = i
		}
		for i, f := range s.figures {
			if f != nil {
				p.mark(x(i), y(f.After.Value), k, fmt.Sprintf("%s, %s = %s: %s", s.name, across.Name, across.Values[i], figureText(f.Share, f.After.Value)))
			}
		}
		// Names are stacked vertically, so that lines that end together have separate labels.
		p.mark(left+room+20, legend+20*float64(k)+6, k, "")
		p.text(left+room+32, legend+20*float64(k)+10, "start", "", cutToWidth(s.name, right-40))
	}
	if len(r.Sweeps) == 2 {
		p.text(left+room+14, top+10, "start", "", cutToWidth(r.Sweeps[0].Name, right-22))
	}
	p.height = max(top+height+60, legend+20*float64(len(list))+20)
	return p
}

// series are the lines of the chart.
func (v *sweepView) series(r *sim.Comparison) (list []series) {
	if len(r.Sweeps) == 2 {
		n := len(r.Sweeps[1].Values)
		for i, value := range r.Sweeps[0].Values {
			s := series{name: value}
			for k := range n {
				s.figures = append(s.figures, v.figureAt(r, i*n+k))
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
		s := series{name: f.Name}
		for i := range r.Rules {
			s.figures = append(s.figures, r.Rules[i].Find(f.Figure))
		}
		list = append(list, s)
	}
	return list
}
