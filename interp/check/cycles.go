package check

import (
	"sort"
	"strings"

	"arbiter/interp/ir"
)

// This file looks for cycles that would recurse forever at run time: stats that read themselves through modifiers, and
// derived effects that depend on themselves.

// dependencyGraph is the dependency graph: what each derived thing reads. Its nodes are *ir.Stat, *ir.Define and
// *ir.Effect.
type dependencyGraph map[any][]any

// checkCycles walks the graph depth first; a node found again on the current path closes a cycle.
func (c *checker) checkCycles() {
	g := dependencyGraph{}
	add := func(from any, f *ir.Func) {
		if f != nil {
			visitReads(f.Body, func(x any) { g[from] = append(g[from], x) })
		}
	}
	for _, st := range c.rs.Stats {
		if st.ViewOf != nil {
			g[st] = append(g[st], st.ViewOf)
		}
		for _, t := range st.Terms {
			add(st, t.Value)
			add(st, t.Guard)
		}
	}
	for _, d := range c.rs.Defines {
		add(d, d.Func)
	}
	for _, e := range c.rs.Effects {
		add(e, e.While)
		for _, i := range e.Includes {
			// the included effect is active while this one is and the guard holds
			g[i.Effect] = append(g[i.Effect], e)
			add(i.Effect, i.Guard)
		}
		for _, m := range e.Modifiers {
			g[m.Stat] = append(g[m.Stat], e)
			add(m.Stat, m.Amount)
			add(m.Stat, m.Guard)
		}
		for _, d := range e.Denials {
			g[d.Stat] = append(g[d.Stat], e)
			add(d.Stat, d.Guard)
		}
	}
	state := map[any]progress{}
	var path []any
	var visit func(n any) bool
	visit = func(n any) bool {
		switch state[n] {
		case busy:
			c.reportGraphCycle(path, n)
			return true
		case done:
			return false
		}
		state[n] = busy
		path = append(path, n)
		found := false
		for _, m := range g[n] {
			if visit(m) {
				found = true
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

func (c *checker) reportGraphCycle(path []any, n any) {
	i := 0
	for path[i] != n {
		i++
	}
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
	c.errorAt(d.Origin.Root().File, nameSpan(d.Node), "cycle", nodeName(n)+" depends on itself: "+strings.Join(names, " -> "),
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
