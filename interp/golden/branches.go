package golden

import (
	"cmp"
	"slices"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/session"
)

// This file records which way the conditions in somebody's own rules went, and which of their statements ran.

// Branch is a condition, a statement or a cell of a table in a ruleset of one's own. Each side of `and` and `or` is a condition, and so is
// the whole. Lines and columns count from 1, columns in bytes; the end is exclusive.
type Branch struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Kind      string `json:"kind"` // condition, statement, cell
	Yes       int    `json:"yes"`  // passing tests in which the condition held, or the statement ran or the cell was looked up
	No        int    `json:"no"`   // passing tests in which the condition did not hold; of the others 0
}

// complete reports whether a condition went both ways, or anything else ran.
func (b *Branch) complete() bool { return b.Yes > 0 && (b.No > 0 || b.Kind != compile.Condition) }

// Lacks says what is missing, "" if nothing is.
func (b *Branch) Lacks() string {
	switch {
	case b.complete():
		return ""
	case b.Kind != compile.Condition, b.Yes == 0 && b.No == 0:
		return "never ran"
	case b.Yes == 0:
		return "never true"
	}
	return "never false"
}

type branchKey struct {
	file                             string
	line, column, endLine, endColumn int
	kind                             string
}

func (b *Branch) key() branchKey {
	return branchKey{b.File, b.Line, b.Column, b.EndLine, b.EndColumn, b.Kind}
}

// branched is a script whose conditions and statements are marked, if they are asked for.
type branched struct {
	*build.Script
	probes []compile.Probe
}

// markBranches compiles a script again with these marks. One that uses no ruleset of somebody's own stays as it is.
func (o *Options) markBranches(s *branched) error {
	if !o.Cover || !o.Branches || o.Own == nil {
		return nil
	}
	marks := &compile.Branches{Files: map[int32]bool{}}
	for _, p := range s.Rules.Checked.Parts {
		if p.From != "" && o.Own(p.From) {
			marks.Files[p.Pos.File] = true
		}
	}
	if len(marks.Files) == 0 {
		return nil
	}
	with := o.compile(nil)
	with.Branches, with.Unoptimized = marks, true
	again, err := s.Recompiled(with)
	if err != nil {
		return err
	}
	s.Script, s.probes = again, marks.Probes
	return nil
}

// ranBy lists the conditions and statements of a script, and what one test ran of them.
func (s *branched) ranBy(played *session.Played) []Branch {
	if len(s.probes) == 0 {
		return nil
	}
	list := make([]Branch, len(s.probes))
	for i, p := range s.probes {
		at := p.Pos.Span
		b := Branch{Line: at.Start.Line, Column: at.Start.Column, EndLine: at.End.Line, EndColumn: at.End.Column, Kind: p.Kind}
		b.File, _, _ = s.Rules.Where(p.Pos)
		if played.Covered(p.ID) {
			b.Yes = 1
		}
		if p.Kind == compile.Condition {
			if played.Covered(p.ID + 1) {
				b.No = 1
			}
		}
		list[i] = b
	}
	return list
}

// addBranches adds what a test ran to the report.
func (r *Report) addBranches(t *Test, at map[branchKey]int) {
	for _, b := range t.branches {
		if !t.Passed {
			b.Yes, b.No = 0, 0
		}
		k, known := at[b.key()]
		if !known {
			at[b.key()] = len(r.Branches)
			r.Branches = append(r.Branches, b)
			continue
		}
		r.Branches[k].Yes += b.Yes
		r.Branches[k].No += b.No
	}
	t.branches = nil
}

func (r *Report) sortBranches() {
	slices.SortFunc(r.Branches, func(a, b Branch) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(b.EndLine, a.EndLine), cmp.Compare(b.EndColumn, a.EndColumn), strings.Compare(a.Kind, b.Kind))
	})
}

// Share counts what could be covered in rulesets of one's own, and what was: each part, statement and cell, and each of the
// two ways of a condition.
func (r *Report) Share() (covered, all int) {
	for i := range r.Own {
		all++
		if len(r.Own[i].Tests) > 0 {
			covered++
		}
	}
	for i := range r.Branches {
		b := &r.Branches[i]
		all++
		if b.Yes > 0 {
			covered++
		}
		if b.Kind == compile.Condition {
			all++
			if b.No > 0 {
				covered++
			}
		}
	}
	return covered, all
}
