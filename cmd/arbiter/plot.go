package main

import (
	"fmt"
	"html"
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
func plotOf(r *sim.Report) string {
	var b strings.Builder
	text := func(x, y float64, anchor, class, s string) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="%s" class="%s">%s</text>`+"\n", x, y, anchor, class, html.EscapeString(s))
	}
	height := 70 + plotBar*1.5*float64(len(r.Sides)+1) + 60 + plotHeight + 40
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%.0f" viewBox="0 0 %d %.0f" role="img">`+"\n", plotWidth, height, plotWidth, height)
	b.WriteString(`<style>text{font:13px sans-serif;fill:#222}.h{font-weight:bold;font-size:15px}.d{fill:#666}.bar{fill:#4477aa}.line{stroke:#222;stroke-width:1.5}` +
		`@media(prefers-color-scheme:dark){text{fill:#ddd}.d{fill:#999}.bar{fill:#77aadd}.line{stroke:#ddd}}</style>` + "\n")
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(r.Title))
	text(10, 24, "start", "h", r.Title)
	text(10, 44, "start", "d", fmt.Sprintf("%s, seed %d; the lines hold the true rate 95 times in 100", plural(int(r.Fights), "fight"), r.Seed))
	y := 70.0
	room := float64(plotWidth - plotLeft - 70)
	side := func(name string, x sim.Rate) {
		text(plotLeft-8, y+plotBar*0.7, "end", "", name)
		fmt.Fprintf(&b, `<rect x="%d" y="%.1f" width="%.1f" height="%d" class="bar"/>`+"\n", plotLeft, y, x.Rate*room, plotBar)
		fmt.Fprintf(&b, `<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" class="line"/>`+"\n", plotLeft+x.Low*room, plotLeft+x.High*room, y+plotBar/2, y+plotBar/2)
		text(plotLeft+x.High*room+8, y+plotBar*0.7, "start", "", hundredths(x.Rate))
		y += plotBar * 1.5
	}
	for _, s := range r.Sides {
		side(s.Name, s.Wins)
	}
	side("nobody", r.Undecided)
	y += 30
	text(10, y, "start", "h", "Rounds")
	y += 12
	bins := binned(r.Rounds.Counts, 24)
	most := uint64(1)
	for _, c := range bins {
		most = max(most, c.times)
	}
	wide := float64(plotWidth-40) / float64(max(1, len(bins)))
	for i, c := range bins {
		h := float64(c.times) / float64(most) * plotHeight
		x := 20 + float64(i)*wide
		fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" class="bar"><title>%s: %s</title></rect>`+"\n", x+1, y+plotHeight-h, wide-2, h, c.name, hundredths(float64(c.times)/float64(max(1, r.Fights))))
		text(x+wide/2, y+plotHeight+16, "middle", "d", strings.TrimSpace(strings.SplitN(c.name, " ", 2)[0]))
	}
	b.WriteString("</svg>\n")
	return b.String()
}
