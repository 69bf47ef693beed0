package main

import (
	"fmt"

	"arbiter/interp/sim"
)

// This file draws the chart of a sweep.

// series is one line of it.
type series struct {
	name string
	at   []*sim.FigureReport
}

// plotOfSweep draws the figure over the values: a line for each side that wins, for the one figure that was asked for, or for
// each value of the first of two sweeps.
func plotOfSweep(r *sim.Comparison, v *sweepView) *picture {
	const left, right, top, height = 68, 130, 70, 260
	across := r.Sweeps[len(r.Sweeps)-1]
	p := &picture{title: r.Title + ": " + v.figure.Name, width: plotWidth}
	if v.usual {
		p.title = r.Title
	}
	p.head(fmt.Sprintf("%s with each, seed %d; the uprights hold the true number 95 times in 100", plural(int(r.Fights), "fight"), r.Seed))
	list := v.series(r)
	low, high, share := 0.0, 0.0, false
	for _, s := range list {
		for _, f := range s.at {
			if f != nil {
				low, high, share = min(low, f.After.Low), max(high, f.After.High), f.Share
			}
		}
	}
	if share {
		low, high = 0, 1
	} else {
		low, high = -roundUp(-low), roundUp(high)
		if low > -1e-9 || low == -1 && high > 1 {
			low = 0
		}
	}
	room := float64(plotWidth - left - right)
	step := room / float64(max(1, len(across.Values)-1))
	x := func(i int) float64 { return left + step*float64(i) }
	y := func(value float64) float64 { return top + height*(high-value)/(high-low) }
	for tick := range 5 {
		value := low + (high-low)*float64(tick)/4
		p.line(left, y(value), left+room, y(value), "axis")
		p.text(left-8, y(value)+4, "end", "d", figureText(share, value))
	}
	every := (len(across.Values) + 9) / 10
	for i, value := range across.Values {
		if i%every == 0 {
			p.text(x(i), top+height+18, "middle", "d", value)
		}
	}
	p.text(left+room/2, top+height+40, "middle", "", across.Name)
	for k, s := range list {
		class := colorOf(k)
		last := -1
		for i, f := range s.at {
			if f == nil {
				continue
			}
			p.line(x(i), y(min(f.After.High, high)), x(i), y(max(f.After.Low, low)), class)
			p.bar(x(i)-3, y(f.After.Value)-3, 6, 6, class, fmt.Sprintf("%s, %s = %s: %s", s.name, across.Name, across.Values[i], figureText(f.Share, f.After.Value)))
			if last >= 0 {
				p.line(x(last), y(s.at[last].After.Value), x(i), y(f.After.Value), class)
			}
			last = i
		}
		// Names stand one below the other, so that lines that end together keep theirs apart.
		p.bar(left+room+16, top+20*float64(k), 10, 10, class, "")
		p.text(left+room+32, top+20*float64(k)+10, "start", "", s.name)
	}
	p.height = top + max(height+60, 20*float64(len(list))+20)
	return p
}

// series are the lines of the chart.
func (v *sweepView) series(r *sim.Comparison) (list []series) {
	if len(r.Sweeps) == 2 {
		n := len(r.Sweeps[1].Values)
		for i, value := range r.Sweeps[0].Values {
			s := series{name: value}
			for k := range n {
				s.at = append(s.at, v.at(r, i*n+k))
			}
			list = append(list, s)
		}
		return list
	}
	figures := []sim.NamedFigure{v.figure}
	if v.usual {
		figures = nil
		for i, side := range r.Before.Sides {
			figures = append(figures, sim.NamedFigure{Name: side.Name + " wins", Figure: sim.Figure{Kind: sim.Wins, Who: i}})
		}
	}
	for _, f := range figures {
		s := series{name: f.Name}
		for i := range r.Rules {
			s.at = append(s.at, r.Rules[i].Find(f.Figure))
		}
		list = append(list, s)
	}
	return list
}
