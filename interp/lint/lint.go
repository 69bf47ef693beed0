// Package lint finds what is allowed in rules and scripts, and yet better written another way: names that hide others,
// conditions that cannot fail, rules whose order nobody says, tests that prove nothing.
//
// It reads trees. What `arbiter check` reports is not said again: lint is for files that have no mistakes. Each rule is
// an entry of a table with its reason and its remedy; a comment or a file of settings switches it off. The package must
// never know a word that a ruleset declares, nor how a finding is shown.
package lint

import (
	"cmp"
	"slices"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// File is a file to be linted, or one that lies beside such files: what it reads is not unused.
type File struct {
	Parsed *ast.File
	Text   []byte
	Base   *Base // of the rulesets on which it builds; nil: not known, and what depends on it is not examined
}

// Input is what one run examines.
type Input struct {
	Files   []File
	Around  []File   // not linted; they may use what the others declare
	Foreign [][]byte // sources of other languages: whatever they mention counts as used
	// Alone says that there may be other files that use what these declare, so that nothing counts as unused in rules.
	Alone bool
}

// Edit replaces a range of a file's text.
type Edit struct {
	Span ast.Span
	Text string
}

// Finding is what a rule has found in a file. Fix is empty if it cannot be mended safely.
type Finding struct {
	diag.Diagnostic
	Fix []Edit
}

// Rule is an entry of the catalogue.
type Rule struct {
	Code     string
	Severity diag.Severity // unless the settings say another; "" for off
	Summary  string        // a sentence: what it finds
	Why      string        // sentences: what is wrong with it
	How      string        // sentences: what to write in its place
	Fixes    bool          // it may offer a fix
	users    bool          // it needs to know all users of what a file declares
	check    func(p *pass)
}

// Rules returns the catalogue, by code.
func Rules() []*Rule {
	all := slices.Concat(nameRules, unusedRules, conditionRules, branchRules, bodyRules, orderRules, modifierRules,
		testRules, tacticsRules, numberRules, docRules, allowRules)
	slices.SortFunc(all, func(a, b *Rule) int { return cmp.Compare(a.Code, b.Code) })
	return all
}

// Find returns the rule of a code, nil if there is none.
func Find(code string) *Rule {
	for _, r := range Rules() {
		if r.Code == code {
			return r
		}
	}
	return nil
}

// pass is one rule on one file.
type pass struct {
	*file
	project  *project
	rule     *Rule
	severity diag.Severity
	settings *Settings
	found    *[]Finding
}

// report adds a finding. Hint may be empty.
func (p *pass) report(at ast.Span, message, hint string, fix ...Edit) *Finding {
	*p.found = append(*p.found, Finding{Fix: fix, Diagnostic: diag.Diagnostic{
		File: p.Parsed.Path, Span: at, Severity: p.severity, Code: p.rule.Code, Message: message, Hint: hint}})
	return &(*p.found)[len(*p.found)-1]
}

// relate adds another place of the same file to a finding.
func (f *Finding) relate(at ast.Span, message string) {
	f.Related = append(f.Related, diag.Related{File: f.File, Span: at, Message: message})
}

// Run examines files. settings returns what holds for a file; nil: every rule has the severity of the catalogue. The
// findings are ordered by file and place.
func Run(in Input, settings func(path string) *Settings) []Finding {
	project := newProject(&in)
	rules := Rules()
	var all []Finding
	for _, f := range project.files {
		var s *Settings
		if settings != nil {
			s = settings(f.Parsed.Path)
		}
		if s == nil {
			s = &Settings{}
		}
		var found []Finding
		for _, r := range rules {
			severity := s.severity(r)
			if severity == "" || r.check == nil || r.users && in.Alone && !f.isScript() {
				continue
			}
			r.check(&pass{f, project, r, severity, s, &found})
		}
		all = append(all, allow(f, s, found)...)
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Span.Start.Offset, b.Span.Start.Offset), cmp.Compare(a.Code, b.Code))
	})
	return all
}

// Fix applies the fixes of a file's findings to its text. Of two that overlap, the first counts; the other is found
// again when the result is linted. It returns the text and how many findings it mended.
func Fix(text []byte, found []Finding) (out []byte, mended int) {
	var edits []Edit
	end := 0
	for _, f := range found {
		if len(f.Fix) == 0 || f.Fix[0].Span.Start.Offset < end {
			continue
		}
		if last := f.Fix[len(f.Fix)-1].Span.End.Offset; last <= len(text) {
			edits, end = append(edits, f.Fix...), last
			mended++
		}
	}
	at := 0
	for _, e := range edits {
		out = append(append(out, text[at:e.Span.Start.Offset]...), e.Text...)
		at = e.Span.End.Offset
	}
	return append(out, text[at:]...), mended
}
