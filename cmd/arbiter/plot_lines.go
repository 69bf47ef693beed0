package main

import (
	"fmt"
	"math"

	"arbiter/interp/sim"
)

// This file draws charts of lines over values.

// lineChart is a chart of numbers over values.
type lineChart struct {
	title, subtitle string
	down, across    string   // what the numbers and the values are
	values          []string // between those that are numbers, a line is drawn
	share           bool     // the numbers are shares, from 0 to 1
	lines           []chartLine
	legend          string   // what the names of the lines are; "" for nothing in particular
	wish            *float64 // a level to be reached; nil: none
}

// chartLine is one line of the chart.
type chartLine struct {
	name   string
	points []*sim.Estimate // by value; nil where there is none
}

// draw draws the chart.
func (c *lineChart) draw() *picture {
	const left, top, height = 68, 90, 260
	p := &picture{title: c.title, width: plotWidth}
	names := []string{}
	for _, l := range c.lines {
		names = append(names, l.name)
	}
	legend := float64(top) // the y of its first line
	if c.legend != "" {
		names = append(names, c.legend)
		legend += 20
	}
	right := 40 + labelRoom(names, 90, 220)
	p.titleLines(c.subtitle)
	low, high := c.bounds()
	// The lines are shifted a little sideways, so that their vertical intervals do not overlap.
	room := plotWidth - left - right
	lineShift := min(5, room/2/float64(max(1, len(c.values)*len(c.lines))))
	maxShift := lineShift * float64(len(c.lines)-1) / 2
	step := (room - 2*maxShift) / float64(max(1, len(c.values)-1))
	x := func(i int) float64 { return left + maxShift + step*float64(i) }
	y := func(value float64) float64 { return top + height*(high-value)/(high-low) }
	p.text(10, top-14, "start", "", cutToWidth(c.down, left+room-10))
	for tick := range 5 {
		value := low + (high-low)*float64(tick)/4
		p.line(left, y(value), left+room, y(value), "axis")
		p.text(left-8, y(value)+4, "end", "d", figureText(c.share, value))
	}
	if c.wish != nil && *c.wish >= low && *c.wish <= high {
		p.line(left, y(*c.wish), left+room, y(*c.wish), "line")
	}
	every := max(1, int(math.Ceil(labelRoom(c.values, 0, room)/step)))
	for i, value := range c.values {
		if i%every == 0 {
			half := min(x(i)-4, plotWidth-x(i)-4, max(step*float64(every)/2, 20))
			p.text(x(i), top+height+18, "middle", "d", cutToWidth(value, 2*half))
		}
	}
	p.text(left+room/2, top+height+40, "middle", "", cutToWidth(c.across, room))
	for k, l := range c.lines {
		class := lineClass(k)
		x := func(i int) float64 { return x(i) + lineShift*float64(k) - maxShift }
		last := -1
		for i, e := range l.points {
			if e == nil {
				continue
			}
			p.line(x(i), y(min(e.High, high)), x(i), y(max(e.Low, low)), class)
			if last >= 0 && isNumberText(c.values[last]) && isNumberText(c.values[i]) {
				p.line(x(last), y(l.points[last].Value), x(i), y(e.Value), class)
			}
			last = i
		}
		for i, e := range l.points {
			if e != nil {
				p.mark(x(i), y(e.Value), k, fmt.Sprintf("%s, %s = %s: %s", l.name, c.across, c.values[i], figureText(c.share, e.Value)))
			}
		}
		// Names are stacked vertically, so that lines that end together have separate labels.
		p.mark(left+room+20, legend+20*float64(k)+6, k, "")
		p.text(left+room+32, legend+20*float64(k)+10, "start", "", cutToWidth(l.name, right-40))
	}
	if c.legend != "" {
		p.text(left+room+14, top+10, "start", "", cutToWidth(c.legend, right-22))
	}
	p.height = max(top+height+60, legend+20*float64(len(c.lines))+20)
	return p
}

// bounds are the ends of the scale.
func (c *lineChart) bounds() (low, high float64) {
	if c.share {
		return 0, 1
	}
	for _, l := range c.lines {
		for _, e := range l.points {
			if e != nil {
				low, high = min(low, e.Low), max(high, e.High)
			}
		}
	}
	if low < 0 {
		low = -roundUp(-low)
	}
	return low, roundUp(high)
}
