package check

import (
	"slices"
	"sort"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/link"
)

// This file looks for cycles that would recurse forever at run time: stats that read themselves through modifiers, and
// derived effects that depend on themselves.

// dependencyGraph is the dependency graph: what each derived thing reads. Its nodes are *ir.Stat, *ir.Define and
// *ir.Effect.
type dependencyGraph map[any][]dependency

// dependency is an edge: what is read, and the part of the rules that reads it.
type dependency struct {
	on   any
	part *ir.Part
}

// checkCycles walks the graph depth first; a node found again on the current path closes a cycle.
func (c *checker) checkCycles() {
	g := dependencyGraph{}
	add := func(from any, f *ir.Func, part *ir.Part) {
		if f != nil {
			visitReads(f.Body, func(x any) { g[from] = append(g[from], dependency{x, part}) })
		}
	}
	for _, st := range c.rs.Stats {
		if st.ViewOf != nil {
			g[st] = append(g[st], dependency{st.ViewOf, st.Part})
		}
		for _, t := range st.Terms {
			add(st, t.Value, t.Part)
			add(st, t.Guard, t.Part)
		}
	}
	for _, d := range c.rs.Defines {
		add(d, d.Func, d.Part)
	}
	for _, e := range c.rs.Effects {
		add(e, e.While, e.Part)
		for _, i := range e.Includes {
			// the included effect is active while this one is and the guard holds
			g[i.Effect] = append(g[i.Effect], dependency{e, i.Part})
			add(i.Effect, i.Guard, i.Part)
		}
		for _, m := range e.Modifiers {
			g[m.Stat] = append(g[m.Stat], dependency{e, m.Part})
			add(m.Stat, m.Amount, m.Part)
			add(m.Stat, m.Guard, m.Part)
		}
		for _, d := range e.Denials {
			g[d.Stat] = append(g[d.Stat], dependency{e, d.Part})
			add(d.Stat, d.Guard, d.Part)
		}
	}
	state := map[any]progress{}
	var path []any
	var parts []*ir.Part // parts[i] reads path[i+1] for path[i]
	var visit func(n any) bool
	visit = func(n any) bool {
		switch state[n] {
		case busy:
			c.reportGraphCycle(path, parts, n)
			return true
		case done:
			return false
		}
		state[n] = busy
		path = append(path, n)
		found := false
		for _, m := range g[n] {
			parts = append(parts, m.part)
			found = visit(m.on)
			parts = parts[:len(parts)-1]
			if found {
				break
			}
		}
		path = path[:len(path)-1]
		state[n] = done
		return found
	}
	var all []any
	for n := range g {
		all = append(all, n)
	}
	sort.Slice(all, func(i, j int) bool { return nodeName(all[i]) < nodeName(all[j]) })
	for _, n := range all {
		visit(n)
	}
}

func nodeName(n any) string {
	switch x := n.(type) {
	case *ir.Stat:
		return x.Name
	case *ir.Define:
		return x.Name
	case *ir.Effect:
		return x.Name
	}
	return ""
}

// reportGraphCycle reports a cycle from n to the end of the path and back, at n; if a later ruleset has closed it, at the
// part that this ruleset has added.
func (c *checker) reportGraphCycle(path []any, parts []*ir.Part, n any) {
	i := slices.Index(path, n)
	var names []string
	for _, x := range path[i:] {
		if c.circular[x] {
			return // reported when its type was inferred
		}
		names = append(names, nodeName(x))
	}
	names = append(names, nodeName(n))
	d := c.defs[n]
	if d == nil {
		return
	}
	root := d.Origin.Root()
	file, span, rank := root.File, nameSpan(d.Node), c.rank(root)
	for _, p := range parts[i:] {
		if p == nil {
			continue
		}
		if r := c.rank(&link.Origin{Ruleset: p.From}); r > rank {
			file, span, rank = c.rs.Files[p.Pos.File], p.Pos.Span, r
		}
	}
	c.errorAt(file, span, "cycle", nodeName(n)+" depends on itself: "+strings.Join(names, " -> "),
		"a number or a derived effect cannot read what it changes; keep the old value in a memory, or change it by a rule")
}

// visitReads calls see with every stat, define and effect that an expression reads, of any creature.
func visitReads(x *ir.Expr, visit func(any)) {
	if x == nil {
		return
	}
	switch x.Op {
	case ir.OpStat:
		visit(x.Stat)
	case ir.OpDefine:
		visit(x.Define)
	case ir.OpHas:
		visit(x.Effect)
	}
	for _, a := range x.Args {
		visitReads(a, visit)
	}
	if q := x.Query; q != nil {
		visitReads(q.In, visit)
		visitReads(q.Where, visit)
		visitReads(q.Sort, visit)
		visitReads(q.Of, visit)
	}
}
