package main

import (
	"math"

	"arbiter/interp/sim"
)

// This file draws charts of rows, each with numbers and their intervals on one scale.

// rowChart is a chart of rows.
type rowChart struct {
	title, subtitle string
	share           bool // the numbers are shares, from 0 to 1
	change          bool // they are differences, and zero is in the middle
	rows            []chartRow
}

// chartRow is one row: points, and what stands to the right of them.
type chartRow struct {
	name   string
	points []sim.Estimate
	tips   []string // by point; may be shorter
	text   string
}

// draw draws the chart.
func (c *rowChart) draw() *picture {
	const top, row = 66, 24
	var names, texts []string
	for _, r := range c.rows {
		names, texts = append(names, r.name), append(texts, r.text)
	}
	left := 20 + labelRoom(names, 100, 260)
	right := 20 + labelRoom(texts, 60, 180)
	p := &picture{title: c.title, width: plotWidth}
	p.titleLines(c.subtitle)
	room := plotWidth - left - right
	low, high := c.ends()
	at := func(v float64) float64 { return left + room*(min(max(v, low), high)-low)/(high-low) }
	bottom := top + row*float64(len(c.rows))
	p.line(left, bottom, left+room, bottom, "axis")
	if low <= 0 && high >= 0 {
		p.line(at(0), top, at(0), bottom, "axis")
	}
	for i, r := range c.rows {
		y := top + row*float64(i) + row/2
		p.text(left-8, y+4, "end", "", cutFirstWords(r.name, left-18))
		for k, e := range r.points {
			tip := ""
			if k < len(r.tips) {
				tip = r.tips[k]
			}
			p.line(at(e.Low), y, at(e.High), y, lineClass(k))
			p.mark(at(e.Value), y, k, tip)
		}
		p.text(left+room+12, y+4, "start", "", cutToWidth(r.text, right-16))
	}
	for tick := range 5 {
		v := low + (high-low)*float64(tick)/4
		p.text(at(v), bottom+16, "middle", "d", c.number(v))
	}
	p.height = bottom + 34
	return p
}

// number writes a number of the scale.
func (c *rowChart) number(v float64) string {
	switch {
	case c.change && c.share:
		return signed(100 * v)
	case c.change:
		return signed(v)
	}
	return figureText(c.share, v)
}

// signed writes a difference with its sign.
func signed(v float64) string {
	text := sim.Number(v)
	if v > 0 {
		return "+" + text
	}
	return text
}

// ends are the ends of the scale.
func (c *rowChart) ends() (low, high float64) {
	for _, r := range c.rows {
		for _, e := range r.points {
			low, high = math.Min(low, e.Low), math.Max(high, e.High)
		}
	}
	switch {
	case c.change:
		high = roundUp(math.Max(-low, high))
		return -high, high
	case c.share:
		return 0, 1
	case low < 0:
		low = -roundUp(-low)
	}
	return low, roundUp(high)
}
