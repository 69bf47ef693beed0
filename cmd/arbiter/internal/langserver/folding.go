package langserver

import (
	"cmp"
	"slices"
	"strings"

	"arbiter/lang/ast"
)

// This file says which lines of a document an editor can fold.

// foldingRange is the lines from StartLine, which stays, to EndLine, counted from 0.
type foldingRange struct {
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Kind      string `json:"kind,omitempty"` // comment
}

// folding lists blocks and texts of several lines, comments of several lines, and what stands under a heading.
func (s *server) folding(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []foldingRange{}
	d, _ := s.documentAt(p)
	if d == nil {
		return list
	}
	add := func(from, to int, kind string) { // lines from 1
		if to > from {
			list = append(list, foldingRange{from - 1, to - 1, kind})
		}
	}
	ast.Contains(d.file, func(node any) bool {
		switch n := node.(type) {
		case *ast.Block:
			add(n.Start.Line, n.End.Line-1, "")
		case *ast.Table:
			add(n.Start.Line, n.End.Line-1, "")
		case *ast.Text:
			add(n.Start.Line, n.End.Line-1, "")
		}
		return false
	})
	heading := 0
	comments := d.file.Comments
	for i := 0; i < len(comments); i++ {
		if !comments[i].OwnLine {
			continue
		}
		if line := comments[i].Start.Line; strings.HasPrefix(comments[i].Text, "# --- ") && comments[i].Start.Column == 1 {
			if heading > 0 {
				add(heading, line-1, "")
			}
			heading = line
			continue
		}
		last := i
		for last+1 < len(comments) && comments[last+1].OwnLine && comments[last+1].Start.Line == comments[last].Start.Line+1 && !strings.HasPrefix(comments[last+1].Text, "# --- ") {
			last++
		}
		add(comments[i].Start.Line, comments[last].Start.Line, "comment")
		i = last
	}
	if heading > 0 {
		add(heading, d.file.End.Line-1, "")
	}
	slices.SortStableFunc(list, func(a, b foldingRange) int {
		return cmp.Or(cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(b.EndLine, a.EndLine))
	})
	return slices.CompactFunc(list, func(a, b foldingRange) bool { return a.StartLine == b.StartLine && a.EndLine == b.EndLine })
}
