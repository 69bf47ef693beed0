package compile

import (
	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file compiles the places where rules call Starlark functions, and what their results depend on.

// addHooks numbers the Starlark functions, and adds what the machine needs to do what they want.
func (c *compiler) addHooks() {
	if len(c.rs.Hooks) > 0 {
		c.p.ClockDuration, c.p.TextPick = int32(len(c.p.Durations)), int32(len(c.p.Picks))
		c.p.Durations = append(c.p.Durations, program.Duration{While: program.NoChunk})
		c.p.Picks = append(c.p.Picks, program.Pick{Label: -1, Type: c.typeOf(ir.Type{Kind: ir.Text})})
	}
	for _, h := range c.rs.Hooks {
		c.p.Hooks = append(c.p.Hooks, program.Hook{Name: h.Name})
	}
}

// addSite numbers the place where a hook is called.
func (f *chunkBuilder) addSite(e *ir.Expr) int32 {
	c := f.c
	x := program.Site{
		Hook: int32(e.Hook.Index), Names: e.Site.Names, Type: c.typeOf(e.Type), Modifies: e.Site.Modifies, Optional: e.Site.Optional,
		Label: -1,
	}
	for _, a := range e.Args {
		x.Types = append(x.Types, c.typeOf(a.Type))
	}
	if e.Op == ir.OpHookRoll {
		x.Label = c.label(e.Site.Label)
		for _, name := range e.Hook.Mentions.Labels {
			x.LabelNames, x.Labels = append(x.LabelNames, name), append(x.Labels, c.label(e.Site.Label+"."+name))
		}
	}
	c.p.Sites = append(c.p.Sites, x)
	return int32(len(c.p.Sites) - 1)
}

// hookCall compiles a call of a hook for its value.
func (f *chunkBuilder) hookCall(e *ir.Expr, dst int) {
	f.emitWithArgs(program.OpHook, e.Args, dst, f.addSite(e))
}

// hookDo compiles a call of an acting hook. dst -1: its value is not used.
func (f *chunkBuilder) hookDo(e *ir.Expr, dst int) {
	base := f.block(program.HookArgs + len(e.Args))
	f.load(base+program.HookAnswers, program.None)
	f.load(base+program.HookWaitsAt, 0)
	for i, a := range e.Args {
		f.expr(a, base+program.HookArgs+i)
	}
	site := f.addSite(e)
	f.c.p.Sites[site].ValueUnused = dst < 0
	for _, v := range e.Site.Vars {
		f.c.p.Sites[site].Vars = append(f.c.p.Sites[site].Vars, f.hookVar(v))
	}
	f.emit(program.OpHookDo, base, 0, 0, site)
	if dst >= 0 {
		f.emit(program.OpCopy, dst, base+program.HookValue, 0, 0)
	}
}

// hookVar is where a name is stored that an acting hook can read and assign.
func (f *chunkBuilder) hookVar(v *ir.Var) program.HookVar {
	x := program.HookVar{Name: v.Name, Type: f.c.typeOf(v.Type), Assignable: ir.IsExchangeable(v.Type)}
	if r := f.regOf(v); r >= 0 {
		x.Index = int32(r)
		return x
	}
	ok := true
	switch v.Kind {
	case ir.VarOuter:
		x.Scope = program.InOuter
		x.Index, ok = f.outerIndex(v)
	case ir.VarWithin:
		x.Scope = program.InWithin
		x.Index, ok = f.withinIndex(v)
	case ir.VarMemory:
		x.Scope, x.Index = program.InMemory, int32(v.Index)
	default:
		ok = false
	}
	if !ok {
		f.c.fail(f.at, "%s cannot be read in %s", v.Name, f.name)
	}
	return x
}

// readHook records what a hook may read: everything whose name its source mentions, of any creature.
func (r *readAnalysis) readHook(x *readSet, h *ir.Hook) {
	rs, p := r.c.rs, r.c.p
	x.costly = true
	all := func(slot int32) { x.all.add(slot, program.EveryWrite) }
	for _, name := range h.Mentions.Names {
		for i, k := range rs.Kinds {
			if f := k.Field(name); f >= 0 {
				all(p.Slots.KindFields[i] + int32(f))
			}
		}
		for _, q := range rs.Resources {
			if q.Name == name {
				all(p.Slots.Resources + int32(q.Index))
			}
		}
		for _, e := range rs.Effects {
			if e.Name == name {
				all(p.Slots.Effects + int32(e.Index))
			}
		}
		for _, st := range rs.Stats {
			if st.Name == name {
				x.calls = append(x.calls, callEdge{to: r.stats[st.Index]})
			}
		}
		for _, d := range rs.Defines {
			if d.Name == name || d.Kind != nil && d.Name == d.Kind.Name+"."+name || d.Enum != nil && d.Name == d.Enum.Name+"."+name {
				x.calls = append(x.calls, callEdge{to: r.defines[d.Index]})
			}
		}
		for i, q := range rs.Permissions {
			if q.Name == name {
				x.calls = append(x.calls, callEdge{to: r.permissions[i]})
			}
		}
		switch name {
		case "round", "in-fight", "taking-turn", "current-turn": // which creatures fight on which side does not change
			all(p.Slots.Clock)
		case "square", "distance":
			all(p.Slots.World)
		}
	}
}
