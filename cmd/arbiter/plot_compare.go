package main

import (
	"fmt"
	"math"

	"arbiter/interp/sim"
)

// This file draws the chart of a comparison.

// plotOfComparison draws, for each side, how its rate changes under each set of rules: an interval that crosses the
// vertical line is compatible with no change at all.
func plotOfComparison(r *sim.Comparison) *picture {
	const right, row = 120, 24
	var names []string
	significanceNote := ""
	for _, x := range r.Rules {
		names = append(names, x.Rules)
		for _, f := range x.Figures {
			if f.Figure.Kind == sim.Wins && f.Significant {
				significanceNote = "; * significant"
			}
		}
	}
	left := 20 + labelRoom(names, 100, 260)
	p := &picture{title: r.Title, width: plotWidth}
	p.titleLines(fmt.Sprintf("%s, seed %d; change in percentage points, lines are 95 %% intervals%s", countText(r.Fights, "fight"), r.Seed, significanceNote))
	widest := 0.0
	for k := range r.Rules {
		for _, f := range r.Rules[k].Figures {
			if f.Figure.Kind == sim.Wins {
				widest = max(widest, math.Abs(f.Low), math.Abs(f.High))
			}
		}
	}
	ends := roundUp(100 * widest)
	room := plotWidth - left - right
	at := func(change float64) float64 { return left + room/2 + 100*change/ends*room/2 }
	y := 78.0
	for i := range r.Rules[0].Figures {
		first := &r.Rules[0].Figures[i]
		if first.Figure.Kind != sim.Wins {
			continue
		}
		p.heading(y, cutFirstWords(first.Of+" wins", 0.75*(left+room))) // in bold, which is wider
		p.text(left+room+8, y, "start", "d", sim.Percent(first.Before.Value)+" as written")
		y += 10
		height := float64(row * len(r.Rules))
		p.line(left, y+height, left+room, y+height, "axis")
		p.line(at(0), y, at(0), y+height, "axis")
		color := lineClass(first.Figure.Who)
		for k := range r.Rules {
			f := r.Rules[k].Find(first.Figure)
			if f == nil {
				continue
			}
			p.text(left-8, y+row*0.7, "end", "", cutToWidth(r.Rules[k].Rules, left-18))
			p.line(at(f.Low), y+row/2, at(f.High), y+row/2, color)
			p.bar(at(f.Change)-4, y+row/2-4, 8, 8, color, r.Rules[k].Rules+": "+sim.Percent(f.After.Value))
			text := sim.Percent(f.After.Value)
			if f.Significant {
				text += " *"
			}
			p.text(left+room+8, y+row*0.7, "start", "", text)
			y += row
		}
		for _, tick := range []float64{-1, -0.5, 0, 0.5, 1} {
			text := "0"
			if tick != 0 {
				text = fmt.Sprintf("%+.4g", tick*ends)
			}
			p.text(at(tick*ends/100), y+16, "middle", "d", text)
		}
		y += 50
	}
	p.height = y - 20
	return p
}

// roundUp is the next round number: 1, 2 or 5 times a power of ten.
func roundUp(v float64) float64 {
	if !(v > 0) {
		return 1
	}
	tens := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if v <= m*tens {
			return m * tens
		}
	}
	return 10 * tens
}
