package link

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file reports rulesets that were never meant to be combined once, instead of reporting each name that both
// declare.

// Incompatible reports whether the diagnostics say that rulesets cannot be combined. Then looking for other mistakes is
// pointless.
func Incompatible(list diag.List) bool {
	return slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return d.Code == "incompatible" })
}

// minSharedNames is more names than two rulesets share by accident.
const minSharedNames = 10

// reportIncompatible looks for two rulesets, neither of which extends the other, that declare many of the same names.
func (l *linker) reportIncompatible(rulesets []*load.Ruleset, script *ast.File) (found bool) {
	both := map[[2]string][]string{}
	for name, defs := range l.byName {
		for i, a := range defs {
			if _, isKind := a.Node.(*ast.Kind); isKind {
				continue // every ruleset may add fields to it
			}
			for _, b := range defs[i+1:] {
				x, y := a.Origin.Root().Ruleset, b.Origin.Root().Ruleset
				if x != y && !l.parents[x][y] && !l.parents[y][x] {
					both[[2]string{min(x, y), max(x, y)}] = append(both[[2]string{min(x, y), max(x, y)}], name)
				}
			}
		}
	}
	for _, pair := range slices.SortedFunc(maps.Keys(both), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		names := both[pair]
		if len(names) < minSharedNames {
			continue
		}
		slices.Sort(names)
		file, span := headerNaming(rulesets, script, pair[1])
		l.report(file, span, "incompatible", fmt.Sprintf("%s and %s cannot be combined: both declare %s and %d more", pair[0], pair[1], strings.Join(names[:3], ", "), len(names)-3),
			"use one of them, and copy what you want from the other")
		found = true
	}
	return found
}

// headerNaming finds the header that names a ruleset in `extends` or `with`.
func headerNaming(rulesets []*load.Ruleset, script *ast.File, name string) (string, ast.Span) {
	files := []*ast.File{}
	if script != nil {
		files = append(files, script)
	}
	for _, r := range slices.Backward(rulesets) {
		files = append(files, r.Files...)
	}
	for _, f := range files {
		if h := load.HeaderOf(f); h != nil {
			for _, id := range slices.Concat(h.Extends, h.With) {
				if id.Name == name {
					return f.Path, id.Span
				}
			}
		}
	}
	return "", ast.Span{}
}
