package main

import (
	"fmt"
	"math"

	"arbiter/interp/sim"
)

// This file draws the chart of a comparison.

// plotOfComparison draws, for each side, how its rate changes under each of the rules: an interval that crosses the upright
// line may hold no change at all.
func plotOfComparison(r *sim.Comparison) *picture {
	const left, right, row = 200, 120, 24
	p := &picture{title: r.Title, width: plotWidth}
	p.head(fmt.Sprintf("%s, seed %d; in points of 100, with what holds the true change 95 times in 100", plural(int(r.Fights), "fight"), r.Seed))
	widest := 0.0
	for k := range r.Rules {
		for _, f := range r.Rules[k].Figures {
			if f.Figure.Kind == sim.Wins {
				widest = max(widest, math.Abs(f.Low), math.Abs(f.High))
			}
		}
	}
	ends := roundUp(100 * widest)
	room := float64(plotWidth - left - right)
	at := func(change float64) float64 { return left + room/2 + 100*change/ends*room/2 }
	y := 78.0
	for i := range r.Rules[0].Figures {
		first := &r.Rules[0].Figures[i]
		if first.Figure.Kind != sim.Wins {
			continue
		}
		p.text(10, y, "start", "h", fmt.Sprintf("%s wins %s as written", first.Of, hundredths(first.Before.Value)))
		y += 10
		height := float64(row * len(r.Rules))
		p.line(left, y+height, left+room, y+height, "axis")
		p.line(at(0), y, at(0), y+height, "axis")
		color := colorOf(first.Figure.Who)
		for k := range r.Rules {
			f := r.Rules[k].Find(first.Figure)
			if f == nil {
				continue
			}
			p.text(left-8, y+row*0.7, "end", "", r.Rules[k].Rules)
			p.line(at(f.Low), y+row/2, at(f.High), y+row/2, color)
			p.bar(at(f.Change)-4, y+row/2-4, 8, 8, color, r.Rules[k].Rules+": "+hundredths(f.After.Value))
			text := hundredths(f.After.Value)
			if f.Holds {
				text += " *"
			}
			p.text(left+room+8, y+row*0.7, "start", "", text)
			y += row
		}
		for _, tick := range []float64{-1, -0.5, 0, 0.5, 1} {
			p.text(at(tick*ends/100), y+16, "middle", "d", fmt.Sprintf("%+.4g", tick*ends))
		}
		y += 50
	}
	p.height = y - 20
	return p
}

// roundUp is the next number that reads well: 1, 2 or 5 with zeros.
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
