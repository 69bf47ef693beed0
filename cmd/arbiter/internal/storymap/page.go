package storymap

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	"sync"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/story"
	"arbiter/interp/walk"
)

// This file draws the graph, and prints the page: self-contained, with nothing to fetch and no scripts.

//go:embed page.html
var pageText string

//go:embed style.css
var styleText string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("story").Funcs(template.FuncMap{
		"style": func() template.CSS { return template.CSS(styleText) },
		"cut":   term.Screen{Unicode: true}.Cut,
	}).Parse(pageText))
})

// Left, Top, Wide and High are the box of a node; Middle and Base are the position of its title, Below is the baseline
// of its share.
func (n *Node) Left() string   { return pixels(n.x - n.w/2) }
func (n *Node) Top() string    { return pixels(n.y - nodeHeight/2) }
func (n *Node) Wide() string   { return pixels(n.w) }
func (n *Node) High() string   { return pixels(nodeHeight) }
func (n *Node) Middle() string { return pixels(n.x) }
func (n *Node) Below() string  { return pixels(n.y + 15) }
func (n *Node) Base() string {
	if n.Share != "" {
		return pixels(n.y - 1)
	}
	return pixels(n.y + 5)
}

func pixels(v float64) string { return fmt.Sprintf("%.0f", v) }

// Line is a drawn edge.
type Line struct {
	*Edge
	Path   string
	Class  string
	Letter string  // the label next to it
	X, Y   float64 // its position
}

// HTML prints the page of a story; source returns the text of a file, seen is nil without a walk.
func HTML(s *story.Story, source func(string) []byte, report *walk.Report) ([]byte, error) {
	nodes := buildGraph(s, source, report)
	p := layOut(nodes)
	var out bytes.Buffer
	err := pageTemplate().Execute(&out, map[string]any{
		"Title": s.Title, "Nodes": nodes, "Scenes": nodes[:len(s.Scenes)], "Lines": p.lines(nodes), "Width": p.width, "Height": p.height, "Seen": report,
	})
	return out.Bytes(), err
}

// lines draws the edges.
func (p *layout) lines(nodes []*Node) (list []Line) {
	var placed []Line // those whose labels have been placed
	withLabel := func(l Line, x, y float64) Line {
		if l.Letter = l.Label(); l.Letter != "" {
			l.X, l.Y = x, y
			for n := 0; n < 7 && slices.ContainsFunc(placed, l.overlaps); n++ { // a line higher, a line lower, two lines higher
				l.Y = y + float64((n/2+1)*(1-n%2*2))*13
			}
			placed = append(placed, l)
		}
		l.Class = "go"
		if l.Visit {
			l.Class = "visit"
		}
		if l.Never {
			l.Class += " never"
		}
		return l
	}
	for _, r := range p.routes {
		var b strings.Builder
		y := func(i int) float64 { return r.cells[0].node.y + float64(i)*layerDistance }
		last := len(r.cells) - 1
		at := func(i int) (float64, float64) {
			switch i {
			case 0:
				return r.above, y(i)
			case last:
				return r.below, y(i)
			}
			return r.cells[i].x, y(i)
		}
		x, top := at(0)
		var path []string
		path = append(path, fmt.Sprintf("%.0f %.0f", x, top+nodeHeight/2))
		for i := 1; i <= last; i++ {
			x0, y0 := at(i - 1)
			x1, y1 := at(i)
			if i == 1 {
				y0 += nodeHeight / 2
			}
			if i == last {
				y1 -= nodeHeight/2 + 3
			}
			mid := (y0 + y1) / 2
			path = append(path, fmt.Sprintf("%.0f %.0f", x0, mid), fmt.Sprintf("%.0f %.0f", x1, mid), fmt.Sprintf("%.0f %.0f", x1, y1))
		}
		if r.back { // the arrow is at the upper end
			path[0] = fmt.Sprintf("%.0f %.0f", x, top+nodeHeight/2+3)
			for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
				path[i], path[j] = path[j], path[i]
			}
		}
		fmt.Fprintf(&b, "M%s C%s", path[0], strings.Join(path[1:], " "))
		near, _ := at(0) // its label is next to its first stretch
		far, ly := at(1)
		if ly -= layerDistance/2 - 4; r.back {
			near, _ = at(last)
			far, ly = at(last - 1)
			ly += layerDistance/2 + 4
		}
		list = append(list, withLabel(Line{Edge: r.edge, Path: b.String()}, (near+far)/2, ly))
	}
	for _, n := range nodes {
		for _, e := range n.Out {
			if e.To == n {
				x, y := n.x+n.w/2, n.y
				l := withLabel(Line{Edge: e, Path: fmt.Sprintf("M%.0f %.0f C%.0f %.0f %.0f %.0f %.0f %.0f", x, y-8, x+26, y-20, x+26, y+20, x+3, y+8)}, x, y)
				l.Letter = "" // it is listed below the graph
				list = append(list, l)
			}
		}
	}
	return list
}

// overlaps reports whether the labels of two lines overlap.
func (l Line) overlaps(o Line) bool {
	const half = 3.3 // of a column's width
	room := half * float64(min(term.Columns(l.Letter), maxLabel)+min(term.Columns(o.Letter), maxLabel)+2)
	return math.Abs(l.X-o.X) < room && math.Abs(l.Y-o.Y) < 12
}

// maxLabel is the width to which a label is cut, in columns.
const maxLabel = 28
