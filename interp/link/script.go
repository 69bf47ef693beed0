package link

import (
	"maps"
	"slices"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file links a script on rules that were linked without it. The result is that of Link.

// OnTop is a set with the declarations and changes of a script.
type OnTop struct {
	Set     *Set
	Added   []*Def        // what the script declares
	Changed map[*Def]*Def // what it changes: the definition of the set below, and now
	Wide    bool          // it removes definitions, or cites for others
}

// Script links a script, and the files next to it, on a set without errors that was linked without a script. The set
// remains as it is; what is not changed is shared.
func (s *Set) Script(between func(), script *ast.File, parts ...*ast.File) (*OnTop, diag.List) {
	l := newLinker()
	l.between = between
	set := *s
	l.set = &set
	set.Origins, set.Values, set.Replaced = maps.Clone(s.Origins), maps.Clone(s.Values), maps.Clone(s.Replaced)
	set.Cells, set.Removed, set.Unbound = maps.Clone(s.Cells), maps.Clone(s.Removed), maps.Clone(s.Unbound)
	set.AddedCites = clipped(s.AddedCites)
	defs := make([]Def, len(s.Defs))
	below := make(map[*Def]*Def, len(s.Defs))
	set.Defs = make([]*Def, len(s.Defs))
	for i, d := range s.Defs {
		defs[i] = *d
		set.Defs[i] = &defs[i]
		below[&defs[i]] = d
		l.byName[d.Name] = append(l.byName[d.Name], &defs[i])
		if root := d.Origin.Root(); d.Name != "" && l.declaredAt[d.Name] == nil {
			l.declaredAt[d.Name] = root
		}
	}
	l.parents[ScriptName] = map[string]bool{}
	for _, r := range s.Rulesets {
		l.parents[ScriptName][r] = true
	}
	l.addRuleset(ScriptName, scriptDepth, append([]*ast.File{script}, parts...), true)
	t := &OnTop{Set: &set, Changed: map[*Def]*Def{}}
	kept := 0
	for i, d := range set.Defs {
		switch was := below[d]; {
		case was == nil:
			t.Added = append(t.Added, d)
		case d.Node != was.Node || d.Origin != was.Origin:
			t.Changed[was] = d
			fallthrough
		default:
			if kept++; !l.copied[d] {
				set.Defs[i] = was // as it was, for whoever knows it already
			}
		}
	}
	sameCites := maps.EqualFunc(set.AddedCites, s.AddedCites, func(a, b []Citation) bool { return len(a) == len(b) })
	t.Wide = kept < len(s.Defs) || !sameCites
	return t, slices.Clip(l.diags)
}
