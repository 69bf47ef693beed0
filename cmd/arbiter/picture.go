package main

import (
	"fmt"
	"html"
	"strings"
)

// picture is a chart as shapes, before it is written in the form of a file. Lengths are pixels, from the upper left.
type picture struct {
	title         string
	width, height float64
	shapes        []shape
}

// shape is a line of text, a straight line or a filled rectangle.
type shape struct {
	kind          shapeKind
	x, y          float64 // of a text: where it is anchored, on its base line
	width, height float64 // of a line: how far it goes
	anchor, class string  // of a text the anchor is start, middle or end; the class is one of those of the style
	text          string  // of a rectangle: what is said of it when somebody points at it
}

type shapeKind uint8

const (
	textShape shapeKind = iota
	lineShape
	barShape
)

func (p *picture) text(x, y float64, anchor, class, text string) {
	p.shapes = append(p.shapes, shape{kind: textShape, x: x, y: y, anchor: anchor, class: class, text: text})
}

func (p *picture) line(x1, y1, x2, y2 float64, class string) {
	p.shapes = append(p.shapes, shape{kind: lineShape, x: x1, y: y1, width: x2 - x1, height: y2 - y1, class: class})
}

func (p *picture) bar(x, y, width, height float64, class, tip string) {
	p.shapes = append(p.shapes, shape{kind: barShape, x: x, y: y, width: width, height: height, class: class, text: tip})
}

// head writes the title and a line below it.
func (p *picture) head(below string) {
	p.text(10, 24, "start", "h", p.title)
	p.text(10, 44, "start", "d", below)
}

// pictureStyle says how the classes look: h a heading, d what is less important, bar, line, axis, and c0, c1 and so on, which tell
// lines of one chart apart.
func pictureStyle() string {
	var b strings.Builder
	b.WriteString("<style>text{font:13px sans-serif;fill:#222}.h{font-weight:bold;font-size:15px}.d{fill:#666}.bar{fill:#4477aa}.line{stroke:#222;stroke-width:1.5}.axis{stroke:#999}")
	for i, color := range colors {
		fmt.Fprintf(&b, ".c%d{fill:%s;stroke:%s;stroke-width:2}", i, color, color)
	}
	b.WriteString("@media(prefers-color-scheme:dark){text{fill:#ddd}.d{fill:#999}.bar{fill:#77aadd}.line{stroke:#ddd}}</style>")
	return b.String()
}

// colors can be told apart by those who see fewer, and on light and dark ground.
var colors = []string{"#4477aa", "#cc6644", "#228833", "#aa3377", "#bb9922", "#44aabb", "#888888"}

// colorOf is the class of the nth line.
func colorOf(n int) string { return fmt.Sprintf("c%d", n%len(colors)) }

// svg writes the picture as SVG.
func (p *picture) svg() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img">`+"\n", p.width, p.height, p.width, p.height)
	fmt.Fprintf(&b, "%s\n<title>%s</title>\n", pictureStyle(), html.EscapeString(p.title))
	for _, s := range p.shapes {
		switch s.kind {
		case textShape:
			fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="%s" class="%s">%s</text>`+"\n", s.x, s.y, s.anchor, s.class, html.EscapeString(s.text))
		case lineShape:
			fmt.Fprintf(&b, `<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" class="%s"/>`+"\n", s.x, s.x+s.width, s.y, s.y+s.height, s.class)
		case barShape:
			fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" class="%s">`, s.x, s.y, s.width, s.height, s.class)
			if s.text != "" {
				fmt.Fprintf(&b, "<title>%s</title>", html.EscapeString(s.text))
			}
			b.WriteString("</rect>\n")
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}
