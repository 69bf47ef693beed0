package compile

import (
	"cmp"
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/stdlib/effect"
	"arbiter/stdlib/modifier"
)

// This file compiles effects: their stat modifiers, permissions, included effects and durations.

// modifierOps are the operations of modifiers, by their words in the tree.
var modifierOps = map[string]modifier.Op{
	"+": modifier.Add, "times": modifier.Times, "becomes": modifier.Becomes, "floor": modifier.Floor, "ceiling": modifier.Ceiling,
}

// maxValues is how many parameters and memory values an instance can hold.
const maxValues = len(effect.Instance{}.Vals)

func (c *compiler) compileEffects() {
	for i, e := range c.rs.Effects {
		c.of(effectUnit, i)
		c.p.Effects = append(c.p.Effects, c.effect(e))
		if e.Word == "everyone" {
			c.p.Everyone = append(c.p.Everyone, int32(e.Index))
		}
	}
	// Modifiers are stored with the stats that they change, in the order of effects, so that a stat finds its own.
	for i, e := range c.rs.Effects {
		c.of(modifiersUnit, i)
		c.modifiers(e)
	}
	c.compileWhiles()
	for i, e := range c.rs.Effects {
		c.of(effectUnit, i)
		c.lasts(e)
	}
	c.of(anyUnit, 0)
}

// modifiers adds what an effect modifies and denies to the stats.
func (c *compiler) modifiers(e *ir.Effect) {
	if c.isNeutral(e.Part) {
		return
	}
	for _, m := range e.Modifiers {
		c.modifier(e, m)
	}
	for _, d := range e.Denials {
		c.denial(e, d)
	}
}

func (c *compiler) effect(e *ir.Effect) program.Effect {
	out := program.Effect{
		Name: e.Name, Word: e.Word, Values: c.params(e.Values), NParams: int32(e.NParams), While: program.NoChunk, Duration: -1,
		CaptureChunk: program.NoChunk, GainPoint: c.findPoint(pointKey{word: "gaining", effect: e}), LosePoint: c.findPoint(pointKey{word: "losing", effect: e}),
		Internal: e.Internal, Part: partID(e.Part),
	}
	if len(e.Values) > maxValues {
		c.fail(c.posOf(e.Part), "%s has %d parameters and memory values; %d is the limit", e.Name, len(e.Values), maxValues)
	}
	for i := e.NParams; i < len(e.Values); i++ {
		chunk := program.NoChunk
		if m := i - e.NParams; m < len(e.Initial) && e.Initial[m] != nil {
			chunk = c.instanceFunc(e.Initial[m], e.Name+"."+e.Values[i].Name)
		}
		out.Initial = append(out.Initial, chunk)
	}
	if e.While != nil {
		out.While = c.while(e)
		c.p.Nodes = append(c.p.Nodes, program.Node{Effect: int32(e.Index), Includer: -1, Include: -1, Guard: out.While, Precondition: c.necessaryRange(e.While)})
	}
	if c.isNeutral(e.Part) {
		return out
	}
	for i, x := range e.Includes {
		if c.isNeutral(x.Part) {
			continue
		}
		node := program.Node{Effect: int32(x.Effect.Index), Includer: int32(e.Index), Include: int32(i), Guard: program.NoChunk, Precondition: program.Range{Slot: -1}}
		if x.Guard != nil || c.marks(x.Part) || c.marks(x.Effect.Part) {
			node.Guard = c.guard(x.Guard, e.Name+".includes", 2, x.Part, x.Effect.Part)
		}
		c.p.Nodes = append(c.p.Nodes, node)
	}
	for _, x := range e.Cannots {
		if c.isNeutral(x.Part) {
			continue
		}
		k := program.Cannot{Permission: int32(x.Permission), Guard: program.NoChunk, Argument: program.ArgumentRange{Param: -1}, Why: cmp.Or(x.Why, cannotWords(c.rs.Permissions[x.Permission], e)), Part: partID(x.Part)}
		if x.Guard != nil || c.marks(x.Part) {
			params := 2
			if q := c.rs.Permissions[x.Permission].Proc; q != nil {
				params += len(q.Params) // all none when the permission is checked in general
			}
			k.Guard = c.guard(x.Guard, e.Name+".cannot", params, x.Part)
			if c.opts.Branches == nil {
				k.Argument = necessaryArgument(x.Guard)
			}
		}
		out.Cannots = append(out.Cannots, k)
	}
	out.Musts = c.musts(e)
	return out
}

// musts compiles what creatures with an effect must do, like tactics.
func (c *compiler) musts(e *ir.Effect) program.Tactics {
	musts := slices.DeleteFunc(slices.Clone(e.Musts), func(x *ir.Must) bool { return c.isNeutral(x.Part) })
	if len(musts) == 0 {
		return program.Tactics{Chunk: program.NoChunk}
	}
	out := program.Tactics{Commands: make([]program.TacticCommand, len(musts))}
	f := c.newChunk(e.Name+".must", 2)
	f.inst = 1
	for i, x := range musts {
		f.at = c.posOf(x.Part)
		f.command(out.Commands, i, x.Call, func() (no []int) {
			f.consider(x.Part)
			if x.Guard != nil {
				f.bindParams(x.Guard, 2, 1)
				no = append(f.missingJumps(x.Guard), f.jump(x.Guard.Body, false)...)
			}
			f.cover(x.Part)
			return no
		})
	}
	out.Chunk = f.finishTactics()
	return out
}

// while compiles the condition of a derived effect, a yes-no of self. An omitted one never holds.
func (c *compiler) while(e *ir.Effect) int32 {
	f := c.newChunk(e.Name+".while", 1)
	if c.isNeutral(e.Part) || c.isNeutral(e.While.Part) {
		f.returnInt(0)
		return f.finish(program.Scalar)
	}
	f.at = e.While.Pos
	f.bindParams(e.While, 1, -1)
	f.consider(e.Part)
	no := f.jump(e.While.Body, false)
	f.cover(e.Part)
	f.cover(e.While.Part)
	f.returnYes(no)
	return f.finish(program.Scalar)
}

// guard compiles a yes-no of self, the instance, and further arguments. Where it holds, the part runs, and so do others.
func (c *compiler) guard(fn *ir.Func, name string, params int, part *ir.Part, others ...*ir.Part) int32 {
	f := c.newChunk(name, params)
	f.at = c.posOf(part)
	f.consider(part)
	var no []int
	if fn != nil {
		f.bindParams(fn, 2, 1)
		no = append(f.missingJumps(fn), f.jump(fn.Body, false)...)
	}
	f.cover(part)
	for _, p := range others {
		f.cover(p)
	}
	f.returnYes(no)
	return f.finish(program.Scalar)
}

// instanceFunc compiles a value of self and instance.
func (c *compiler) instanceFunc(fn *ir.Func, name string) int32 {
	f := c.newChunk(name, 2)
	f.at = fn.Pos
	if c.isNeutral(fn.Part) {
		f.returnInt(program.ZeroOf(fn.Body.Type))
		return f.finish(program.ShapeOf(fn.Body.Type))
	}
	f.bindParams(fn, 2, 1)
	f.cover(fn.Part)
	f.returnExpr(fn.Body)
	return f.finish(program.ShapeOf(fn.Body.Type))
}

func (c *compiler) modifier(e *ir.Effect, m *ir.Modifier) {
	if c.isNeutral(m.Part) || c.isNeutral(m.Stat.Part) {
		return
	}
	op, ok := modifierOps[m.Op]
	if !ok {
		c.fail(c.posOf(m.Part), "there is no way to modify called %q", m.Op)
		return
	}
	s := &c.p.Stats[m.Stat.Index]
	n := 1 + max(len(m.Stat.Params), len(s.Params)) // a view has the parameters of its stat
	s.Mods = append(s.Mods, program.Modifier{
		Effect: int32(e.Index), Op: op, Den: int32(max(m.Den, 1)), Bonus: int16(m.Bonus), Against: m.Against,
		Hooked: m.Amount.Body != nil && m.Amount.Body.Op == ir.OpHook && m.Amount.Body.Site.Modifies,
		Chunk:  c.guardedValue(e.Name+" to "+m.Stat.Name, m.Amount, m.Guard, n+1, n, m.Part), Part: partID(m.Part),
	})
}

func (c *compiler) denial(e *ir.Effect, d *ir.Denial) {
	if c.isNeutral(d.Part) || c.isNeutral(d.Stat.Part) {
		return
	}
	s := &c.p.Stats[d.Stat.Index]
	n := 1 + len(s.Params)
	x := program.Denial{Effect: int32(e.Index), Loss: loss(&d.Set), Guard: program.NoChunk, Part: partID(d.Part)}
	if d.Guard != nil || c.marks(d.Part) {
		x.Guard = c.guardedValue(e.Name+" denies "+d.Stat.Name, nil, d.Guard, n+1, n, d.Part)
	}
	s.Denials = append(s.Denials, x)
}

// compileWhiles compiles the `while` of durations: its parameters are self and the captured values.
func (c *compiler) compileWhiles() {
	byID := make([]*ir.Duration, len(c.p.Durations))
	for d, id := range c.durations {
		byID[id] = d
	}
	for id, d := range byID {
		if d == nil || d.While == nil || c.p.Durations[id].While != program.NoChunk {
			continue
		}
		c.of(whileUnit, id)
		f := c.newChunk("while", 1+len(d.Captured))
		f.at = d.While.Pos
		f.bindParamsFromZero(d.While)
		for i, v := range d.Captured { // by name as well: `self` may be captured, and then is the creature that gained it
			f.vars[v] = 1 + i
		}
		no := append(f.missingJumps(d.While), f.jump(d.While.Body, false)...)
		f.returnYes(no)
		c.p.Durations[id].While = f.finish(program.Scalar)
		if c.p.Deps != nil { // in loose code, whose reads have not been computed
			c.p.Deps = slices.Clone(c.p.Deps)
			for i := range c.p.Deps {
				c.p.Deps[i].Whiles = program.EveryWrite
			}
		}
	}
}

// lasts compiles the captured values of the duration of an effect: a chunk of self and instance.
func (c *compiler) lasts(e *ir.Effect) {
	if e.Lasts == nil || c.isNeutral(e.Lasts.Part) {
		return
	}
	f := c.newChunk(e.Name+".lasts", 2)
	f.at = c.posOf(e.Part)
	f.inst = 1
	ir.WalkDuration(e.Lasts, func(x *ir.Expr) { f.declareExprs(x) })
	f.cover(e.Lasts.Part)
	r := f.temp()
	f.captureDuration(e.Lasts, r)
	f.emit(program.OpReturn, r, 0, 0, 0)
	c.p.Effects[e.Index].Duration = c.durations[e.Lasts]
	c.p.Effects[e.Index].CaptureChunk = f.finish(program.Address)
}
