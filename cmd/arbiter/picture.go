package main

import (
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
)

// picture is a chart as shapes, independent of the file format. Lengths are pixels, from the upper left corner.
type picture struct {
	title         string
	width, height float64
	shapes        []shape
	above         float64 // how much room the shapes need above the upper edge
}

// shape is a line of text, a straight line or a filled rectangle.
type shape struct {
	kind          shapeKind
	x, y          float64 // of a text: its anchor, on the baseline
	width, height float64 // of a line: its extent
	anchor, class string  // the anchor of a text is start, middle or end; the class is one of those of the style
	text          string  // of a rectangle: its tooltip
}

type shapeKind uint8

const (
	textShape shapeKind = iota
	lineShape
	barShape
)

func (p *picture) text(x, y float64, anchor, class, text string) {
	p.shapes = append(p.shapes, shape{kind: textShape, x: x, y: y, anchor: anchor, class: class, text: term.Clean(text)})
}

func (p *picture) line(x1, y1, x2, y2 float64, class string) {
	p.shapes = append(p.shapes, shape{kind: lineShape, x: x1, y: y1, width: x2 - x1, height: y2 - y1, class: class})
}

func (p *picture) bar(x, y, width, height float64, class, tip string) {
	p.shapes = append(p.shapes, shape{kind: barShape, x: x, y: y, width: width, height: height, class: class, text: term.Clean(tip)})
}

// titleLines writes the title and a line below it.
func (p *picture) titleLines(subtitle string) {
	p.titleLine()
	p.text(10, 44, "start", "d", cutToWidth(subtitle, p.width-20))
}

// maxTitleLines is how many lines a title may take.
const maxTitleLines = 4

// titleLine writes the title. Of a long one, only the last line is at its usual place, and the others are above it.
func (p *picture) titleLine() {
	const lineHeight = 20
	lines := term.Wrap(term.Clean(p.title), int(p.headingRoom()/letterWidth), "", "")
	if len(lines) > maxTitleLines {
		lines = append(lines[:maxTitleLines-1], strings.Join(lines[maxTitleLines-1:], " "))
	}
	p.above = lineHeight * float64(len(lines)-1)
	for i, line := range lines {
		p.heading(24-p.above+lineHeight*float64(i), line)
	}
}

// heading writes a highlighted line, cut to the room there is.
func (p *picture) heading(y float64, text string) {
	p.text(10, y, "start", "h", cutToWidth(text, p.headingRoom()))
}

// headingRoom is the width of plain text that takes as many characters as fit into a highlighted line.
func (p *picture) headingRoom() float64 { return (p.width - 20) * textSize / headSize / 1.05 }

// lower makes room for what lies above the upper edge.
func (p *picture) lower() {
	for i := range p.shapes {
		p.shapes[i].y += p.above
	}
	p.height += p.above
	p.above = 0
}

// letterWidth is roughly how wide a character of plain text is.
const letterWidth = 0.55 * textSize

// cutToWidth cuts plain text to a width.
func cutToWidth(text string, room float64) string {
	return term.Screen{Unicode: true}.Cut(text, int(room/letterWidth))
}

// cutFirstWords is like cutToWidth, but leaves the last word, which tells labels apart that begin alike.
func cutFirstWords(text string, room float64) string {
	at := strings.LastIndexByte(text, ' ') + 1
	first := room - letterWidth*float64(term.Columns(text[at:])+1)
	if letterWidth*float64(term.Columns(text)) <= room || first < room/4 {
		return cutToWidth(text, room)
	}
	return strings.TrimSpace(cutToWidth(text[:at], first) + " " + text[at:])
}

// labelRoom is the width that names need, within bounds.
func labelRoom(names []string, least, most float64) float64 {
	wide := 0
	for _, n := range names {
		wide = max(wide, term.Columns(n))
	}
	return max(least, min(most, float64(wide+1)*letterWidth))
}

// mark draws the nth marker shape in the nth color, for readers who cannot tell the colors apart.
func (p *picture) mark(x, y float64, n int, tip string) {
	class := lineClass(n)
	switch n % 5 {
	case 0:
		p.bar(x-3, y-3, 6, 6, class, tip)
	case 1: // hollow
		p.bar(x-4, y-4, 8, 8, class, tip)
		p.bar(x-1.5, y-1.5, 3, 3, "ground", "")
	case 2: // hollow and flat
		p.bar(x-6, y-4, 12, 8, class, tip)
		p.bar(x-3.5, y-1.5, 7, 3, "ground", "")
	case 3:
		p.bar(x-6, y-1, 12, 2, class, tip)
	case 4: // a cross
		p.bar(x-1, y-5, 2, 10, class, tip)
		p.bar(x-5, y-1, 10, 2, class, "")
	}
}

// classStyle is how a class is drawn: on a light background, and on a dark one where the file format supports it.
type classStyle struct {
	class       string
	light, dark string  // red, green and blue, a hexadecimal digit or two each
	stroke      float64 // how wide its lines are; 0 for none
}

// baseStyles are those of the classes: plain text, h a heading, d what is less important, bar and line, and axis.
// Those of colors are added to them.
var baseStyles = []classStyle{
	{"", "#222", "#ddd", 0},
	{"h", "#222", "#ddd", 0},
	{"d", "#666", "#999", 0},
	{"bar", "#4477aa", "#77aadd", 0},
	{"line", "#222", "#ddd", 1.5},
	{"axis", "#999", "#999", 1},
	{"ground", "#fff", "#222", 0},
}

// colors can be told apart with color vision deficiencies, and on light and dark backgrounds: a test checks their
// distances.
var colors = []string{"#4477aa", "#ee7711", "#775555", "#8855ff", "#bb8877", "#9999aa", "#995500"}

// lineClass is the class of the nth line.
func lineClass(n int) string { return fmt.Sprintf("c%d", n%len(colors)) }

// classStyles are those of all classes.
func classStyles() []classStyle {
	list := slices.Clone(baseStyles)
	for i, color := range colors {
		list = append(list, classStyle{lineClass(i), color, color, 2})
	}
	return list
}

// Sizes of text, in pixels.
const (
	textSize = 13
	headSize = 15
)

// checkPicturePath says what is wrong with the file name of a picture, as far as that can be known before drawing.
func checkPicturePath(path string) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".svg", ".png":
		_, err := os.Stat(filepath.Dir(path))
		return err
	}
	return usageError("--plot is %s: the file name must end in .svg or .png", path)
}

// write writes the picture to a file, in the format that its extension names.
func (p *picture) write(path string) error {
	if strings.EqualFold(filepath.Ext(path), ".svg") {
		return os.WriteFile(path, []byte(p.svg()), 0o666)
	}
	data, err := p.png()
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}

// barChart draws a distribution as upright bars: one for each name, or several side by side. The shares are indexed by
// name, then by color, and are written with format. caption is that of the names.
func (p *picture) barChart(y, height float64, names []string, shares [][]float64, format func(share float64) string, caption string) {
	most, name, label := 0.0, 0, 0
	for i, list := range shares {
		for _, s := range list {
			most, label = max(most, s), max(label, len(format(s)))
		}
		name = max(name, term.Columns(names[i]))
	}
	wide := (p.width - 40) / float64(max(1, len(names)))
	labelEvery := int(max(1, math.Ceil(float64(name+1)*letterWidth/wide))) // every how many names one is written
	gap := 2.0
	if len(shares) > 0 && len(shares[0]) > 1 {
		gap = max(gap, wide/6)
	}
	labelled, nameEnd := false, 0.0
	p.line(20, y+height, p.width-20, y+height, "axis")
	for i, list := range shares {
		x := 20 + float64(i)*wide
		part := (wide - gap) / float64(len(list))
		for k, s := range list {
			if s == 0 || most == 0 {
				continue
			}
			class := "bar"
			if len(list) > 1 {
				class = lineClass(k)
			}
			h := s / most * (height - textSize - 6)
			left := x + gap/2 + float64(k)*part
			p.bar(left, y+height-h, part, h, class, names[i]+": "+format(s))
			// Where there is no room for every share, the highest one gives the scale.
			if float64(label)*letterWidth < part || s == most && !labelled {
				p.text(left+part/2, y+height-h-4, "middle", "d", format(s))
				labelled = true
			}
		}
		if i%labelEvery == 0 {
			name := cutToWidth(names[i], p.width-8)
			half := float64(term.Columns(name)) * letterWidth / 2
			middle := max(4+half, min(x+wide/2, p.width-4-half))
			if middle-half >= nameEnd {
				p.text(middle, y+height+16, "middle", "d", name)
				nameEnd = middle + half
			}
		}
	}
	p.text(p.width/2, y+height+36, "middle", "d", cutToWidth(caption, p.width-40))
}

// svg writes the picture as SVG.
func (p *picture) svg() string {
	p.lower()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" style="max-width:100%%;height:auto" role="img">`+"\n", p.width, p.height, p.width, p.height)
	fmt.Fprintf(&b, "%s\n<title>%s</title>\n", styleSheet(), html.EscapeString(term.Clean(p.title)))
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

// styleSheet is the style sheet of the looks.
func styleSheet() string {
	var light, dark strings.Builder
	for _, l := range classStyles() {
		name := "." + l.class
		if l.class == "" {
			name = "text"
		}
		rule := func(color string) string {
			if l.stroke > 0 {
				return fmt.Sprintf("%s{fill:%s;stroke:%s;stroke-width:%g}", name, color, color, l.stroke)
			}
			return fmt.Sprintf("%s{fill:%s}", name, color)
		}
		light.WriteString(rule(l.light))
		dark.WriteString(rule(l.dark))
	}
	return fmt.Sprintf("<style>text{font:%dpx sans-serif}.h{font-weight:bold;font-size:%dpx}%s@media(prefers-color-scheme:dark){%s}</style>", textSize, headSize, &light, &dark)
}
