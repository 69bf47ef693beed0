package load

import (
	"slices"
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/words"
)

// This file excludes rulesets that another one extends: `ruleset mine extends bundle without grim`.

// Exclude marks rulesets as Excluded. The names are applied first, then the header of the script (nil for none),
// then the headers of the rulesets, descendants before parents; the header of an excluded ruleset does not count. A
// ruleset that extends an excluded one extends its parents instead. Exclude returns the names that match no ruleset,
// and reports headers that exclude what they do not extend.
func Exclude(rulesets []*Ruleset, names []string, script *ast.File) (unknown []string, diags diag.List) {
	by := map[string]*Ruleset{}
	for _, r := range rulesets {
		by[r.Name] = r
	}
	for _, name := range names {
		if r := by[name]; r != nil {
			r.Excluded = true
		} else {
			unknown = append(unknown, name)
		}
	}
	exclude := func(f *ast.File, h *ast.Header, has map[string]bool) {
		for _, id := range h.Without {
			if has[id.Name] {
				by[id.Name].Excluded = true
				continue
			}
			hint := "leave it out here, too"
			if all := sortedNames(has); len(all) > 0 {
				hint = "there are: " + strings.Join(all, ", ")
				if near := words.Nearest(id.Name, all); near != "" {
					hint = "did you mean `" + near + "`?"
				}
			}
			diags = append(diags, diag.Diagnostic{File: f.Path, Span: id.Span, Severity: diag.Error, Code: "unknown-ruleset",
				Message: "this has no ruleset " + id.Name + " to leave out", Hint: hint})
		}
	}
	if script != nil {
		if h := HeaderOf(script); h != nil {
			all := map[string]bool{}
			for name := range by {
				all[name] = true
			}
			exclude(script, h, all)
		}
	}
	has := ancestors(rulesets)
	for _, r := range slices.Backward(rulesets) {
		if r.Excluded {
			continue
		}
		for _, f := range r.Files {
			if h := HeaderOf(f); h != nil {
				exclude(f, h, has[r.Name])
			}
		}
	}
	for _, r := range rulesets {
		reparent(r, by)
	}
	return unknown, diags
}

// ancestors returns, for each ruleset, all that it extends. Parents must come first.
func ancestors(rulesets []*Ruleset) map[string]map[string]bool {
	has := map[string]map[string]bool{}
	for _, r := range rulesets {
		all := map[string]bool{}
		for _, p := range r.Extends {
			if _, there := has[p]; !there {
				continue // a missing parent has been reported
			}
			all[p] = true
			for q := range has[p] {
				all[q] = true
			}
		}
		has[r.Name] = all
	}
	return has
}

// reparent replaces parents of r that are Off with their parents, which must have been rejoined already.
func reparent(r *Ruleset, by map[string]*Ruleset) {
	var extends []string
	r.Depth = 0
	for _, name := range r.Extends {
		parents := []string{name}
		if p := by[name]; p != nil && p.Excluded {
			parents = p.Extends
		}
		for _, p := range parents {
			if slices.Contains(extends, p) {
				continue
			}
			extends = append(extends, p)
			if p := by[p]; p != nil {
				r.Depth = max(r.Depth, p.Depth+1)
			}
		}
	}
	r.Extends = extends
}

func sortedNames(set map[string]bool) []string {
	var names []string
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
