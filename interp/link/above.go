package link

import (
	"maps"
	"slices"

	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file links a ruleset that changes again and again, as it is typed, above others that do not.

// Foundation is what linking all rulesets but the last has given.
type Foundation struct {
	files []*ast.File // of which it was made
	l     *linker
}

// Above links rulesets as Link does, without a script, and says which definitions the last of them declares or changes.
// What lies below the last is taken from f, if that was made of the same files; otherwise the foundation is made anew
// and returned for the next time. ok is false if the last ruleset could change how those below it are combined: then
// only Link knows.
func Above(f *Foundation, rulesets []*load.Ruleset) (set *Set, changed map[*Def]bool, diags diag.List, made *Foundation, ok bool) {
	below, last := rulesets[:max(0, len(rulesets)-1)], rulesets[max(0, len(rulesets)-1):]
	if len(last) == 0 || !extendsAll(last[0], below) {
		return nil, nil, nil, f, false
	}
	var files []*ast.File
	for _, r := range below {
		files = append(files, r.Files...)
	}
	if f == nil || !slices.Equal(f.files, files) {
		f = &Foundation{files: files, l: newLinker()}
		f.l.dropExcluded(below)
		f.l.addAll(slices.Clone(below), nil)
	}
	if f.l.diags.HasErrors() {
		return nil, nil, nil, f, false
	}
	l := f.l.clone()
	count := len(l.set.Defs)
	l.dropExcluded(last)
	l.addAll(last, nil)
	l.warnIdlePrefers()
	for _, d := range l.set.Defs[min(count, len(l.set.Defs)):] {
		l.copied[d] = true
	}
	return l.set, l.copied, l.diags, f, true
}

// extendsAll reports whether a ruleset extends all others and leaves alone how they are combined.
func extendsAll(last *load.Ruleset, below []*load.Ruleset) bool {
	if last.Excluded {
		return false
	}
	parents := map[string]bool{}
	for _, p := range last.Extends {
		parents[p] = true
	}
	for _, r := range slices.Backward(below) { // children first
		if r.Excluded || r.Depth >= last.Depth || !parents[r.Name] {
			return false
		}
		for _, p := range r.Extends {
			parents[p] = true
		}
	}
	for _, f := range last.Files {
		if h := load.HeaderOf(f); h != nil && len(h.Prefers) > 0 {
			return false
		}
	}
	return true
}

// clone copies what a linker knows, so that a further ruleset can be added without changing the original. Trees are
// copied when they are changed.
func (l *linker) clone() *linker {
	now := map[*Def]*Def{}
	c := *l
	set := *l.set
	c.set = &set
	set.Rulesets, c.diags, c.prefers = slices.Clip(set.Rulesets), slices.Clip(c.diags), slices.Clip(c.prefers)
	set.Headers, set.Origins, set.Values, set.Replaced = maps.Clone(set.Headers), maps.Clone(set.Origins), maps.Clone(set.Values), maps.Clone(set.Replaced)
	set.Cells, set.Removed, set.Unbound = maps.Clone(set.Cells), maps.Clone(set.Removed), maps.Clone(set.Unbound)
	set.AddedCites, c.changes = clipped(set.AddedCites), clipped(c.changes)
	set.Defs = make([]*Def, len(l.set.Defs))
	all := make([]Def, len(l.set.Defs))
	for i, d := range l.set.Defs {
		all[i] = *d
		set.Defs[i] = &all[i]
		now[d] = &all[i]
	}
	c.byName = make(map[string][]*Def, len(l.byName))
	for name, list := range l.byName {
		there := make([]*Def, 0, len(list))
		for _, d := range list {
			if now[d] != nil {
				there = append(there, now[d])
			}
		}
		c.byName[name] = slices.Clip(there)
	}
	c.alsoDeclaredBy = map[*Def][]string{}
	for d, by := range l.alsoDeclaredBy {
		if now[d] != nil {
			c.alsoDeclaredBy[now[d]] = slices.Clip(by)
		}
	}
	c.copied = map[*Def]bool{}
	c.firstChange, c.applied, c.resolving = maps.Clone(c.firstChange), maps.Clone(c.applied), maps.Clone(c.resolving)
	c.parents, c.excluded, c.declaredAt = maps.Clone(c.parents), maps.Clone(c.excluded), maps.Clone(c.declaredAt)
	return &c
}

// clipped copies a map of lists, so that neither sees what is appended to those of the other.
func clipped[K comparable, V any](m map[K][]V) map[K][]V {
	out := make(map[K][]V, len(m))
	for k, list := range m {
		out[k] = slices.Clip(list)
	}
	return out
}
