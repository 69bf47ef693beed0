package golden

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/ir"
	"arbiter/interp/session"
)

// This file records which parts of somebody's own rules ran: they need no catalogue for that.

// OwnPart is a part of a ruleset that was asked for with Options.Own, and the passing tests that ran it.
type OwnPart struct {
	Ruleset string   `json:"ruleset"`
	Path    string   `json:"path"` // needle.jeer, strike.threat
	File    string   `json:"file"`
	Line    int      `json:"line"`
	Column  int      `json:"column"`
	Tests   []string `json:"tests"`
}

// key identifies a part in every script that uses its ruleset.
func (p *OwnPart) key() string { return fmt.Sprintf("%s\x00%d\x00%s", p.File, p.Line, p.Path) }

// ownParts lists the parts of the rulesets that Options.Own asks for, and which of them a test ran.
func (o *Options) ownParts(s *build.Script, ran *session.Played) (list []OwnPart, covered []bool) {
	if o.Own == nil {
		return nil, nil
	}
	// That a thing is used is known only of its kind, not of the thing.
	things := map[*ir.Part]bool{}
	for _, t := range s.Rules.Checked.Templates {
		things[t.Part] = true
		for _, p := range t.Parts {
			things[p] = true
		}
	}
	own := map[string]bool{}
	for _, p := range s.Rules.Checked.Parts {
		mine, known := own[p.From]
		if !known {
			mine = p.From != "" && o.Own(p.From)
			own[p.From] = mine
		}
		if mine && p.Path != "" && !things[p] {
			list = append(list, newOwnPart(s, p))
			covered = append(covered, ran.Covered(p.ID))
		}
	}
	return list, covered
}

func newOwnPart(s *build.Script, p *ir.Part) OwnPart {
	x := OwnPart{Ruleset: p.From, Path: p.Path, Line: p.Pos.Span.Start.Line, Column: p.Pos.Span.Start.Column, Tests: []string{}}
	if files := s.Rules.Checked.Files; int(p.Pos.File) < len(files) {
		x.File = files[p.Pos.File]
	}
	return x
}

// addOwn adds what a test ran to the report.
func (r *Report) addOwn(t *Test, at map[string]int) {
	for i, p := range t.own {
		k, known := at[p.key()]
		if !known {
			k = len(r.Own)
			at[p.key()] = k
			r.Own = append(r.Own, p)
		}
		if t.ran[i] && t.Passed {
			r.Own[k].Tests = append(r.Own[k].Tests, fmt.Sprintf("%s:%d", t.File, t.Line))
		}
	}
}

// sortOwn sorts the parts as they stand in their files. A part ran with any part of it.
func (r *Report) sortOwn() {
	at := map[string]int{}
	for i, p := range r.Own {
		at[p.Ruleset+"\x00"+p.Path] = i
	}
	for _, p := range slices.Clone(r.Own) {
		for outer := p.Path; strings.Contains(outer, "."); {
			outer = outer[:strings.LastIndexByte(outer, '.')]
			if i, ok := at[p.Ruleset+"\x00"+outer]; ok && len(r.Own[i].Tests) == 0 {
				r.Own[i].Tests = p.Tests
			}
		}
	}
	slices.SortFunc(r.Own, func(a, b OwnPart) int {
		return cmp.Or(strings.Compare(a.Ruleset, b.Ruleset), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Path, b.Path))
	})
}

// NotRun lists the parts that no test ran, without those inside another that did not run.
func NotRun(parts []OwnPart) (list []OwnPart) {
	idle := map[string]bool{}
	for _, p := range parts {
		if len(p.Tests) == 0 {
			idle[p.Ruleset+"\x00"+p.Path] = true
		}
	}
	for _, p := range parts {
		if len(p.Tests) > 0 {
			continue
		}
		outer, inside := p.Path, false
		for i := strings.LastIndexByte(outer, '.'); i >= 0 && !inside; i = strings.LastIndexByte(outer, '.') {
			outer = outer[:i]
			inside = idle[p.Ruleset+"\x00"+outer]
		}
		if !inside {
			list = append(list, p)
		}
	}
	return list
}
