package storymap

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// This file lays out a graph in layers. Each node is below all its predecessors, except along back edges: its depth is
// the length of the longest path to it. Within a layer, nodes are sorted by the mean position of their neighbors. An
// edge across several layers has a place of its own in each, so that it passes between the nodes.

// Sizes, in pixels.
const (
	nodeHeight    = 46.0
	layerDistance = 128.0 // from one layer to the next
	nodeGap       = 44.0
	letterWidth   = 7.6
	maxNodeWidth  = 210.0
	passWidth     = 16.0 // the place of a passing edge
	margin        = 24.0
)

// cell is a node in its layer, or the place of a passing edge.
type cell struct {
	node     *Node
	x, w     float64
	up, down []*cell
	mean     float64
}

// route is the cells along an edge, from top to bottom.
type route struct {
	edge  *Edge
	back  bool // it leads up
	cells []*cell

	above, below float64 // the x where it meets the nodes at its ends
}

// layout is the layout of a graph.
type layout struct {
	routes        []route
	width, height float64
}

func layOut(nodes []*Node) *layout {
	backEdge := backEdges(nodes)
	layers := assignLayers(nodes, backEdge)
	p := &layout{}
	rows := make([][]*cell, layers)
	cells := map[*Node]*cell{}
	for _, n := range nodes {
		n.w = min(maxNodeWidth, max(84, letterWidth*float64(utf8.RuneCountInString(n.Title))+28))
		cells[n] = &cell{node: n, w: n.w}
		rows[n.layer] = append(rows[n.layer], cells[n])
	}
	for _, n := range nodes {
		for _, e := range n.Out {
			if e.To == e.From {
				continue
			}
			from, to := e.From, e.To
			if backEdge[e] {
				from, to = to, from
			}
			r := route{edge: e, back: backEdge[e], cells: []*cell{cells[from]}}
			for l := from.layer + 1; l < to.layer; l++ {
				c := &cell{w: passWidth}
				rows[l] = append(rows[l], c)
				r.cells = append(r.cells, c)
			}
			r.cells = append(r.cells, cells[to])
			for i := 1; i < len(r.cells); i++ {
				r.cells[i-1].down, r.cells[i].up = append(r.cells[i-1].down, r.cells[i]), append(r.cells[i].up, r.cells[i-1])
			}
			p.routes = append(p.routes, r)
		}
	}
	for i := range rows {
		placeRow(rows[i])
	}
	const sweeps = 12
	for range sweeps {
		for i := 1; i < len(rows); i++ {
			sortRow(rows[i], func(c *cell) []*cell { return c.up })
		}
		for i := len(rows) - 2; i >= 0; i-- {
			sortRow(rows[i], func(c *cell) []*cell { return c.down })
		}
	}
	left, right := 0.0, 0.0
	for _, row := range rows {
		for _, c := range row {
			left, right = min(left, c.x-c.w/2), max(right, c.x+c.w/2)
		}
	}
	for i, row := range rows {
		for _, c := range row {
			c.x += margin - left
			if c.node != nil {
				c.node.x, c.node.y = c.x, margin+nodeHeight/2+float64(i)*layerDistance
			}
		}
	}
	p.spreadEnds()
	p.width, p.height = right-left+2*margin+40, 2*margin+nodeHeight+float64(layers-1)*layerDistance
	return p
}

// spreadEnds spreads the edges along the sides of a node, sorted by their direction.
func (p *layout) spreadEnds() {
	touch := func(end func(r *route) (at, next *cell), set func(r *route, x float64)) {
		of := map[*cell][]*route{}
		for i := range p.routes {
			at, _ := end(&p.routes[i])
			of[at] = append(of[at], &p.routes[i])
		}
		for at, list := range of {
			slices.SortStableFunc(list, func(a, b *route) int {
				_, x := end(a)
				_, y := end(b)
				return cmp.Compare(x.x, y.x)
			})
			step := min(22, (at.w-20)/float64(len(list)))
			for i, r := range list {
				set(r, at.x+(float64(i)-float64(len(list)-1)/2)*step)
			}
		}
	}
	touch(func(r *route) (at, next *cell) { return r.cells[0], r.cells[1] }, func(r *route, x float64) { r.above = x })
	touch(func(r *route) (at, next *cell) { return r.cells[len(r.cells)-1], r.cells[len(r.cells)-2] }, func(r *route, x float64) { r.below = x })
}

// backEdges finds the back edges of a depth-first search.
func backEdges(nodes []*Node) map[*Edge]bool {
	const fresh, open, closed = 0, 1, 2
	state, back := map[*Node]int{}, map[*Edge]bool{}
	var enter func(n *Node)
	enter = func(n *Node) {
		state[n] = open
		for _, e := range n.Out {
			switch state[e.To] {
			case open:
				back[e] = true
			case fresh:
				enter(e.To)
			}
		}
		state[n] = closed
	}
	for _, n := range nodes {
		if state[n] == fresh {
			enter(n)
		}
	}
	return back
}

// assignLayers puts each node below all its predecessors, and returns the number of layers.
func assignLayers(nodes []*Node, back map[*Edge]bool) (layers int) {
	for changed := true; changed; {
		changed = false
		for _, n := range nodes {
			for _, e := range n.Out {
				if !back[e] && e.To.layer <= n.layer {
					e.To.layer, changed = n.layer+1, true
				}
			}
		}
	}
	for _, n := range nodes {
		layers = max(layers, n.layer+1)
	}
	return layers
}

// placeRow places the cells of a layer side by side, centered.
func placeRow(row []*cell) {
	at := 0.0
	for _, c := range row {
		c.x = at + c.w/2
		at += c.w + nodeGap
	}
	for _, c := range row {
		c.x -= (at - nodeGap) / 2
	}
}

// sortRow sorts a layer by the mean position of the neighbors on one side.
func sortRow(row []*cell, neighbors func(*cell) []*cell) {
	for _, c := range row {
		c.mean = c.x
		if list := neighbors(c); len(list) > 0 {
			c.mean = 0
			for _, n := range list {
				c.mean += n.x / float64(len(list))
			}
		}
	}
	slices.SortStableFunc(row, func(a, b *cell) int { return cmp.Compare(a.mean, b.mean) })
	placeRow(row)
}
