package compile

import (
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/stdlib/modifier"
)

// This file compiles pure code: rolls, tables, stats, defines, resources.

func (c *compiler) compilePure() {
	p, rs := c.p, c.rs
	for _, r := range rs.Rolls {
		p.Rolls = append(p.Rolls, c.roll(r))
	}
	for i, t := range rs.Tables {
		c.of(tableUnit, i)
		p.Tables = append(p.Tables, c.table(t))
	}
	for i, d := range rs.Defines {
		c.of(defineUnit, i)
		out := program.Define{Name: d.Name, Type: c.typeOf(d.Type)}
		if d.Func != nil {
			out.Params = c.params(d.Func.Params)
		}
		out.Chunk = c.define(d)
		p.Defines = append(p.Defines, out)
	}
	for i, s := range rs.Stats {
		c.of(statUnit, i)
		p.Stats = append(p.Stats, c.stat(s))
	}
	for i, r := range rs.Resources {
		c.of(resourceUnit, i)
		p.Resources = append(p.Resources, c.resource(r))
	}
	c.of(anyUnit, 0)
}

func (c *compiler) resource(r *ir.Resource) program.Resource {
	out := program.Resource{Name: r.Name, Type: c.typeOf(r.Type), Internal: r.Internal, Counted: r.Counted, Share: r.Share}
	out.LowChunk, out.Low = c.bound(r, r.From)
	out.HighChunk, out.High = c.bound(r, r.To)
	out.InitialChunk, out.Initial = c.bound(r, r.Starts)
	return out
}

// bound of a resource: a chunk of self, or a constant.
func (c *compiler) bound(r *ir.Resource, fn *ir.Func) (chunk int32, value int64) {
	switch {
	case fn == nil || fn.Body == nil || c.isNeutral(fn.Part):
		return program.NoChunk, program.None
	case c.isNeutral(r.Part):
		return program.NoChunk, 0
	case c.isConstant(c.resolveAlias(fn.Body)) && !c.mustCover(fn.Part):
		return program.NoChunk, c.resolveAlias(fn.Body).Int
	}
	return c.scopeFunc(fn, 1, r.Name, false), program.None
}

func (c *compiler) roll(r *ir.Roll) program.Roll {
	out := program.Roll{Die: r.Die.Pack(), Says: r.Says, Part: partID(r.Part), DiePart: partID(r.DiePart)}
	if c.isNeutral(r.Part) || c.isNeutral(r.DiePart) { // without dice, the face is 1
		out.Die = ir.DiceValue{Flat: 1}.Pack()
	}
	for _, v := range r.Verdicts {
		if c.isNeutral(v.Part) || c.isNeutral(r.Part) {
			continue
		}
		x := program.Verdict{Natural: v.Natural, Succeeds: v.Succeeds, When: program.NoChunk, Part: partID(v.Part)}
		if v.When != nil && c.isConstant(v.When.Body) {
			if v.When.Body.Int == 0 {
				continue
			}
		} else if v.When != nil {
			x.When = c.situationFunc(v.When, r.Name, 2)
		}
		out.Verdicts = append(out.Verdicts, x)
	}
	return out
}

// situationFunc compiles a yes-no with given parameters. It is no if a parameter that it needs is none.
func (c *compiler) situationFunc(fn *ir.Func, name string, params int) int32 {
	f := c.newChunk(name, params)
	f.at = fn.Pos
	f.bindParamsFromZero(fn)
	no := f.missingJumps(fn)
	no = append(no, f.jump(fn.Body, false)...)
	f.returnYes(no)
	return f.finish(program.Scalar)
}

// bindParamsFromZero assigns registers to the parameters in order, from register 0.
func (f *chunkBuilder) bindParamsFromZero(fn *ir.Func) {
	for i, v := range fn.Params {
		f.vars[v] = i
	}
	f.declareExprs(fn.Body)
}

// missingJumps jumps if a part of the situation that the code reads is missing.
func (f *chunkBuilder) missingJumps(fn *ir.Func) []int {
	var no []int
	if fn == nil {
		return nil
	}
	for _, v := range fn.Needs {
		if r := f.regOf(v); r >= 0 {
			no = append(no, f.emit(program.OpJumpNone, r, 0, 0, 0))
		}
	}
	return no
}

func (c *compiler) table(t *ir.Table) program.Table {
	out := program.Table{Name: t.Name, KeyCount: int32(len(t.Keys)), Rows: t.Rows, Columns: t.Columns, Part: partID(t.Part)}
	if len(t.Columns) > 0 {
		out.KeyCount = 2
	}
	for _, row := range t.Cells {
		for col, cell := range row {
			x := program.Cell{Value: program.None, Chunk: program.NoChunk, Part: partID(cell.Part)}
			if x.Part < 0 && cell.Part != nil {
				x.Part = c.probe(cell.Part.Pos, TableCell)
			}
			typ := ir.Type{Kind: ir.Number}
			if len(t.Types) > 0 {
				typ = t.Types[min(col, len(t.Types)-1)]
			}
			switch {
			case c.isNeutral(t.Part) || c.isNeutral(cell.Part):
				x.Value = program.ZeroOf(typ)
			case cell.GM:
				x.Value = program.MasterDecides
			case cell.Value == nil:
			case c.isConstant(cell.Value):
				x.Value = cell.Value.Int
			default:
				f := c.newChunk(t.Name, 0)
				f.self = -1
				f.declareExprs(cell.Value)
				f.returnExpr(cell.Value)
				x.Chunk = f.finish(program.ShapeOf(typ))
			}
			out.Cells = append(out.Cells, x)
		}
	}
	return out
}

func (c *compiler) define(d *ir.Define) int32 {
	f := c.newChunk(d.Name, defineParams(d))
	if d.Func == nil || c.isNeutral(d.Part) {
		f.returnInt(program.ZeroOf(d.Type))
		return f.finish(program.ShapeOf(d.Type))
	}
	f.at = d.Func.Pos
	f.bindParamsFromZero(d.Func)
	f.cover(d.Part)
	f.returnExpr(d.Func.Body)
	return f.finish(program.ShapeOf(d.Type))
}

func (c *compiler) stat(s *ir.Stat) program.Stat {
	out := program.Stat{Name: s.Name, Type: c.typeOf(s.Type), Params: c.params(s.Params), Against: againstIndex(s.Params), TermsChunk: program.NoChunk, ViewOf: -1, Part: partID(s.Part)}
	if c.isNeutral(s.Part) {
		return out
	}
	if s.ViewOf != nil {
		out.ViewOf = int32(s.ViewOf.Index)
		out.Without, out.Denied = loss(s.Without), loss(s.Denied)
		if len(out.Params) == 0 {
			out.Params, out.Against = c.params(s.ViewOf.Params), againstIndex(s.ViewOf.Params)
		}
	}
	if len(s.Terms) > modifier.MaxTypes {
		c.fail(c.posOf(s.Part), "a stat has at most %d terms", modifier.MaxTypes)
	}
	for _, t := range s.Terms {
		x := program.Term{Name: t.Name, Bonus: int16(t.Bonus), Chunk: program.NoChunk, Part: partID(t.Part)}
		if !c.isNeutral(t.Part) {
			x.Chunk = c.guardedValue(s.Name+"."+t.Name, t.Value, t.Guard, 1+len(s.Params), -1, t.Part)
		}
		out.Terms = append(out.Terms, x)
	}
	if !usesHook(s) {
		out.TermsChunk = c.statSum(s)
	}
	return out
}

// againstIndex is the index of the parameter that is the target, -1 if there is none.
func againstIndex(params []*ir.Var) int32 {
	return int32(slices.IndexFunc(params, func(v *ir.Var) bool { return v.Label == "against" }))
}

// loss packs the bonuses that are taken away, if any.
func loss(n *ir.NameSet) modifier.Loss {
	var l modifier.Loss
	if n == nil {
		return l
	}
	for _, i := range n.Bonuses {
		l.Types |= 1 << uint(i)
	}
	for _, i := range n.Terms {
		l.Terms |= 1 << uint(i)
	}
	return l
}

// guardedValue compiles the value of a term or a modifier: Absent if its guard does not hold, or a needed part of the
// situation is missing.
func (c *compiler) guardedValue(name string, value, guard *ir.Func, params, inst int, part *ir.Part) int32 {
	f := c.newChunk(name, params)
	f.at = c.posOf(part)
	f.inst = inst
	no := f.guardJumps(value, guard, inst, part)
	if value != nil {
		f.returnExpr(value.Body)
	} else {
		f.returnInt(1)
	}
	if len(no) > 0 {
		f.patch(no)
		f.returnInt(program.Absent)
	}
	return f.finish(program.Scalar)
}

// guardJumps compiles the conditions for a value to apply, and returns the jumps past it.
func (f *chunkBuilder) guardJumps(value, guard *ir.Func, inst int, part *ir.Part) (no []int) {
	f.consider(part)
	if guard != nil {
		f.bindParams(guard, 1, inst)
		no = append(f.missingJumps(guard), f.jump(guard.Body, false)...)
	}
	if value != nil {
		f.at = value.Pos
		f.bindParams(value, 1, inst)
		no = append(no, f.missingJumps(value)...)
	}
	f.cover(part)
	return no
}

// statSum compiles all terms of a stat in sequence, for evaluations that need only the total.
func (c *compiler) statSum(s *ir.Stat) int32 {
	if len(s.Terms) < 2 {
		return program.NoChunk
	}
	f := c.newChunk(s.Name, 1+len(s.Params))
	for i, t := range s.Terms {
		if c.isNeutral(t.Part) {
			continue
		}
		mark := f.next
		f.at = c.posOf(t.Part)
		no := f.guardJumps(t.Value, t.Guard, -1, t.Part)
		r := f.temp()
		f.expr(t.Value.Body, r)
		f.emit(program.OpTerm, r, i, 0, int32(s.Index))
		f.patch(no)
		f.next = mark
	}
	f.returnInt(0)
	return f.finish(program.Scalar)
}

// usesHook says whether a term contains a Starlark function.
func usesHook(s *ir.Stat) (is bool) {
	for _, t := range s.Terms {
		for _, fn := range []*ir.Func{t.Value, t.Guard} {
			if fn != nil {
				ir.WalkExpr(fn.Body, func(e *ir.Expr) { is = is || e.Hook != nil })
			}
		}
	}
	return is
}
