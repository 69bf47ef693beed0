package storymap

import "arbiter/interp/story"

// Drawing is the graph of a story as it is drawn: scenes and endings, and what leads from one to another. All measures
// are in pixels.
type Drawing struct {
	Width  float64     `json:"width"`
	Height float64     `json:"height"`
	Nodes  []DrawnNode `json:"nodes"`
	Lines  []DrawnLine `json:"lines"`
}

// DrawnNode is a scene or an ending; X and Y are its middle.
type DrawnNode struct {
	Name   string  `json:"name"` // of a scene, its path
	Title  string  `json:"title"`
	End    bool    `json:"end"`
	Fight  bool    `json:"fight"` // it has one
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// DrawnLine leads from one node to another.
type DrawnLine struct {
	Path  string `json:"path"`  // as in SVG
	Label string `json:"label"` // of the choices that lead there; all of them
	Visit bool   `json:"visit"` // the story comes back from there
}

// Draw draws the graph of a story; source returns the text of a file.
func Draw(s *story.Story, source func(string) []byte) *Drawing {
	nodes := buildGraph(s, source, nil)
	p := layOut(nodes)
	d := &Drawing{Width: p.width, Height: p.height, Nodes: []DrawnNode{}, Lines: []DrawnLine{}}
	for _, n := range nodes {
		d.Nodes = append(d.Nodes, DrawnNode{Name: n.Name, Title: n.Title, End: n.End, Fight: n.Fight, X: n.x, Y: n.y, Width: n.w, Height: nodeHeight})
	}
	for _, l := range p.lines(nodes) {
		d.Lines = append(d.Lines, DrawnLine{Path: l.Path, Label: l.All(), Visit: l.Visit})
	}
	return d
}
