// Package storymap draws the story of an adventure as a web page: its scenes as a graph, and the source of each scene,
// with the scenes before and after it. It plays nothing, but can show the counts of a walk.
package storymap

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/story"
	"arbiter/interp/walk"
	"arbiter/lang/ast"
)

// This file derives the graph from the operations of a story.

// Node of the graph: a scene, or an ending of the story.
type Node struct {
	ID, Name, Title string
	End, Fight      bool
	Share           string // of the playthroughs that reached it; "" without a walk
	Never           bool   // no playthrough of the walk reached it
	Text            string // source
	Place           string
	Fights          []string
	Out, In         []*Edge

	layer   int
	x, y, w float64
}

// Edge leads from one node to another.
type Edge struct {
	From, To *Node
	Visit    bool
	Labels   []string // of the choices that lead there; empty if none is needed
	Taken    uint64   // how often these were taken
	Never    bool     // no playthrough of the walk took one of them
}

// Label is the text next to an edge.
func (e *Edge) Label() string {
	switch len(e.Labels) {
	case 0:
		return ""
	case 1:
		return e.Labels[0]
	}
	return fmt.Sprintf("%s and %d more", e.Labels[0], len(e.Labels)-1)
}

// All is all labels in one string.
func (e *Edge) All() string { return strings.Join(e.Labels, "; ") }

// buildGraph makes nodes and edges; source returns the text of a file, seen is nil without a walk.
func buildGraph(s *story.Story, source func(string) []byte, report *walk.Report) []*Node {
	var nodes []*Node
	for i := range s.Scenes {
		x := &s.Scenes[i]
		n := &Node{ID: "scene-" + x.Path, Name: x.Path, Title: x.Title, Text: excerpt(source(x.File), x.Whole), Place: fmt.Sprintf("%s:%d", x.File, x.Span.Start.Line)}
		if n.Title == "" {
			n.Title = x.Path
		}
		if report != nil {
			n.Share, n.Never = term.Percent(report.Scenes[i].Share, 0), report.Scenes[i].Entered == 0
		}
		nodes = append(nodes, n)
	}
	for i := range s.Battles {
		b := &s.Battles[i]
		n := nodes[b.Scene]
		n.Fight = true
		if b.Title != "" {
			n.Fights = append(n.Fights, b.Title)
		}
	}
	for i, name := range s.Endings {
		n := &Node{ID: "end-" + name, Name: name, Title: name, End: true}
		if name == "" {
			n.Title = "the end"
		}
		if report != nil {
			n.Share, n.Never = term.Percent(report.Ends[i].Share, 0), report.Ends[i].Times == 0
		}
		nodes = append(nodes, n)
	}
	for at := range s.Code {
		o := &s.Code[at]
		to := o.A
		switch o.Kind {
		case story.Go, story.Visit:
		case story.Finish:
			to += int32(len(s.Scenes))
		default:
			continue
		}
		if at == 0 {
			continue // the start
		}
		join(nodes[s.Where(int32(at))], nodes[to], o.Kind == story.Visit).add(s, int32(at), source, report)
	}
	return nodes
}

// join returns the edge between two nodes, which several choices may share.
func join(from, to *Node, visit bool) *Edge {
	if i := slices.IndexFunc(from.Out, func(e *Edge) bool { return e.To == to && e.Visit == visit }); i >= 0 {
		return from.Out[i]
	}
	e := &Edge{From: from, To: to, Visit: visit, Never: true}
	from.Out, to.In = append(from.Out, e), append(to.In, e)
	return e
}

// add records the choice that contains an operation.
func (e *Edge) add(s *story.Story, at int32, source func(string) []byte, report *walk.Report) {
	choice := choiceAt(s, at)
	if choice == nil || report == nil {
		e.Never = false
	}
	if choice == nil {
		return
	}
	label := strings.Trim(excerpt(source(choice.File), choice.Span), `"`)
	if !slices.Contains(e.Labels, label) {
		e.Labels = append(e.Labels, label)
	}
	if report == nil {
		return
	}
	for _, x := range report.Ways {
		if x.File == choice.File && x.Line == choice.Span.Start.Line && x.Column == choice.Span.Start.Column {
			e.Taken += x.Taken
			e.Never = e.Never && x.Taken == 0
		}
	}
}

// choiceAt is the innermost choice that contains an operation.
func choiceAt(s *story.Story, at int32) *story.Way {
	var best *story.Way
	for i := range s.Choices {
		c := &s.Choices[i]
		end := c.After
		if c.Otherwise >= 0 {
			end = c.Otherwise
		}
		for k := len(c.Ways) - 1; k >= 0; k-- {
			if w := &c.Ways[k]; w.To <= at && at < end && (best == nil || w.To > best.To) {
				best = w
			}
			end = c.Ways[k].To
		}
	}
	return best
}

func excerpt(text []byte, span ast.Span) string {
	if span.Start.Offset < 0 || span.End.Offset > len(text) || span.Start.Offset > span.End.Offset {
		return ""
	}
	return string(text[span.Start.Offset:span.End.Offset])
}
