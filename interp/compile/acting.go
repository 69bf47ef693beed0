package compile

import (
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file compiles acting code: procedures, actions, rules and plans.

func (c *compiler) compileActing() {
	for i, q := range c.rs.Procs {
		c.of(procUnit, i)
		c.p.Procs = append(c.p.Procs, c.procedure(q))
	}
	// The names of properties are known only after all code that reads them is compiled, so properties come last.
	order := pathOrder(c.rs.Rules)
	for i, r := range c.rs.Rules {
		c.of(ruleUnit, i)
		c.p.Rules = append(c.p.Rules, c.rule(r, order[r]))
		if i != r.Index {
			c.fail(r.Part.Pos, "rule %s is out of order", r.Name)
		}
	}
	c.compilePlans()
	c.of(anyUnit, 0)
	c.addPropertyDefaults()
	for i, q := range c.rs.Procs {
		c.of(procUnit, i)
		c.p.Procs[i].Properties = c.properties(q)
	}
	c.of(anyUnit, 0)
}

// newProcChunk begins a chunk in the scope of a procedure, with its variables in their registers.
func (c *compiler) newProcChunk(q *ir.Proc, name string) *chunkBuilder {
	f := c.newChunk(name, 1+len(q.Params))
	for v, r := range c.registers(q) {
		f.vars[v] = r
		f.next = max(f.next, r+1)
	}
	f.block(0)
	return f
}

func (c *compiler) procedure(q *ir.Proc) program.Proc {
	out := program.Proc{
		Name: q.Name, Action: q.Action, Params: c.params(q.Params), Chunk: program.NoChunk, Legal: program.NoChunk,
		DefaultsChunk: program.NoChunk, Part: partID(q.Part),
	}
	for _, v := range q.Record {
		r, ok := c.registers(q)[v]
		if !ok {
			c.fail(c.posOf(q.Part), "%s of %s has no place", v.Name, q.Name)
		}
		out.Record = append(out.Record, program.RecordField{Name: v.Name, Reg: int32(r), Type: c.typeOf(v.Type), Shape: program.ShapeOf(v.Type)})
	}
	omitted := c.isNeutral(q.Part) || q.KindProc != nil && c.isNeutral(q.KindProc.Part)
	for _, w := range c.rs.Ways[q] {
		out.Ways = append(out.Ways, int32(q.Index))
		if w != nil {
			out.Ways[len(out.Ways)-1] = int32(w.Index)
		}
	}
	out.SelectedByActor = q.Of != nil && q.Of == c.rs.Kinds[0]
	out.DefaultsChunk, out.Defaults = c.paramDefaults(q)
	if q.Action && !omitted {
		out.Costs = c.costs(q.Costs, 1+len(q.Params), q.Name+".cost", false)
		out.Legal = c.legal(q)
	}
	f := c.newProcChunk(q, q.Name)
	f.mayAct = true
	f.at = c.posOf(q.Part)
	f.cover(q.Part)
	if !omitted {
		for _, s := range q.Steps {
			f.declareStmts(s.Body)
			f.declareExprs(s.Guard)
		}
		if q.Action {
			f.emit(program.OpPay, 0, 0, 0, 0)
		}
		procPoint := func(word, point string) pointKey { return pointKey{word: word, proc: q, step: -1, point: point} }
		var pastKind []int
		kindPoint := func(word string) pointKey { return pointKey{word: word, proc: q.KindProc, step: -1} }
		if q.KindProc != nil { // what waits for the procedure of the kind waits for each of its ways
			f.announce(kindPoint("before"), 0, 0)
			pastKind = f.beginInstead(kindPoint("instead"), 0, 0)
		}
		f.announce(procPoint("before", ""), 0, 0)
		f.announce(procPoint("before", "commit"), 0, 0)
		f.announce(procPoint("after", "commit"), 0, 0)
		pastOwn := f.beginInstead(procPoint("instead", ""), 0, 0)
		for i, s := range q.Steps {
			f.step(q, i, s)
		}
		f.endInstead(pastOwn)
		f.endInstead(pastKind)
		f.recordPosition(&out.CancelPC)
		f.announce(procPoint("after", ""), 0, 0)
		if q.KindProc != nil {
			f.announce(kindPoint("after"), 0, 0)
		}
	} else {
		f.recordPosition(&out.CancelPC)
	}
	f.emit(program.OpEnd, 0, 0, 0, 0)
	out.InitialValues = f.initialValues()
	out.Chunk = f.finish(program.Scalar)
	return out
}

func (f *chunkBuilder) step(q *ir.Proc, i int, s *ir.Step) {
	if f.c.isNeutral(s.Part) {
		return
	}
	saved, mark := f.at, f.next
	f.at = f.c.posOf(s.Part)
	var skip []int
	f.consider(s.Part)
	if s.Guard != nil {
		skip = f.jump(s.Guard, false)
	}
	at := func(word string) pointKey { return pointKey{word: word, proc: q, step: i} }
	f.announce(at("before"), 0, 0)
	past := f.beginInstead(at("instead"), 0, 0)
	f.cover(s.Part)
	f.body(s.Body)
	f.endInstead(past)
	f.announce(at("after"), 0, 0)
	f.patch(skip)
	f.at, f.next = saved, mark
}

// beginInstead emits the start of code that rules may replace: the point, then the jump that is taken after a
// replacement.
func (f *chunkBuilder) beginInstead(h pointKey, outer, actor int) []int {
	i := f.c.findPoint(h)
	if i < 0 {
		return nil
	}
	rules := f.c.rulesWithoutEffect(i)
	pastPoint := f.inlineGuards(i, rules, outer, actor)
	f.emit(program.OpInstead, outer, actor, min(1, len(rules)), i)
	past := []int{f.emit(program.OpJump, 0, 0, 0, 0)}
	f.patch(pastPoint)
	return past
}

func (f *chunkBuilder) endInstead(past []int) {
	if past != nil {
		f.emit(program.OpEndInstead, 0, 0, 0, 0) // announce sets the point that comes next
		f.patch(past)
	}
}

// paramDefaults compiles the defaults of parameters, in order: a default may refer to the parameters before it.
func (c *compiler) paramDefaults(q *ir.Proc) (chunk int32, defaults []program.Default) {
	f := c.newProcChunk(q, q.Name+".defaults")
	defaults = make([]program.Default, len(q.Params))
	for i, v := range q.Params {
		x := &defaults[i]
		x.Value = program.Absent
		f.recordPosition(&x.Start)
		f.declareExprs(v.Default)
		present := f.emit(program.OpJumpGiven, 1+i, 0, 0, 0)
		switch {
		case v.Default == nil:
			x.Value, x.Required = program.ZeroOf(v.Type), true
			f.load(1+i, x.Value)
		case c.isConstant(v.Default):
			x.Value = f.useConstant(v.Default)
			f.load(1+i, x.Value)
		default:
			f.expr(v.Default, 1+i)
		}
		f.patch([]int{present})
	}
	if len(q.Params) == 0 {
		return program.NoChunk, nil
	}
	f.emit(program.OpReturn, 0, 0, 0, 0)
	return f.finish(program.Scalar), defaults
}

// legal compiles the conditions of an action. Its parameters are self, those of the action, and whether the cost is
// checked.
func (c *compiler) legal(q *ir.Proc) int32 {
	n := 1 + len(q.Params)
	f := c.newChunk(q.Name+".needs", n+1)
	f.at = c.posOf(q.Part)
	f.permit(int32(c.rs.ActPermission), 0)
	for i, x := range c.rs.Permissions {
		if x.Proc == q {
			f.permit(int32(i), n)
		}
	}
	f.needs(q.Needs, -1)
	free := f.emit(program.OpJumpNot, n, 0, 0, 0)
	f.payable(q.Costs, -1)
	f.patch([]int{free})
	f.returnInt(-1)
	return f.finish(program.Scalar)
}

// permit emits a refusal if a permission (-1: none) is forbidden: for an action with the parameters after self, given
// registers in all, or in general if given is 0.
func (f *chunkBuilder) permit(permission int32, args int) {
	if permission < 0 {
		return
	}
	r := f.temp()
	f.emit(program.OpCan, r, 0, args, permission)
	ok := f.emit(program.OpJumpIf, r, 0, 0, 0)
	f.refuse(nil, "cannot "+f.c.rs.Permissions[permission].Name)
	f.c.p.Refusals[len(f.c.p.Refusals)-1].Forbidden = true
	f.patch([]int{ok})
}

// refuse ends the chunk with a refusal.
func (f *chunkBuilder) refuse(part *ir.Part, why string) {
	p := f.c.p
	p.Refusals = append(p.Refusals, program.Refusal{Part: partID(part), Why: why})
	f.returnInt(int64(len(p.Refusals) - 1))
}

// needs emits a refusal for the first condition that does not hold. Parameters are the registers from 0, or those of a
// rule's scope if inst is a register.
func (f *chunkBuilder) needs(needs []*ir.Need, inst int) {
	for _, n := range needs {
		if f.c.isNeutral(n.Part) || n.Cond == nil {
			continue
		}
		f.at = f.c.posOf(n.Part)
		f.bindParams(n.Cond, 1, inst)
		f.cover(n.Part)
		ok := f.jump(n.Cond.Body, true)
		why := n.Why
		if why == "" {
			why = "this is not so: " + f.c.describe(n.Cond.Body)
		}
		f.refuse(n.Part, why)
		f.c.p.Refusals[len(f.c.p.Refusals)-1].Forbidden = n.Why == "" && failsByPermission(n.Cond.Body)
		f.patch(ok)
	}
}

// failsByPermission says whether a condition, when it does not hold, has just found a permission forbidden to self; then
// the clause that forbids it is the reason.
func failsByPermission(e *ir.Expr) bool {
	switch e.Op {
	case ir.OpCan:
		return e.Args[0].Op == ir.OpVar && e.Args[0].Var.Name == "self"
	case ir.OpOr: // the last alternative is the one that was tested last
		return failsByPermission(e.Args[len(e.Args)-1])
	}
	return false
}

// payable emits a refusal unless one of the costs can be paid.
func (f *chunkBuilder) payable(costs []*ir.CostAlternative, inst int) {
	var paid []int
	var named []*ir.CostAlternative
	for _, k := range costs {
		if f.c.isNeutral(k.Part) {
			continue
		}
		if f.c.costWords(k) != "" {
			named = append(named, k)
		}
		mark := f.next
		var no []int
		if k.Guard != nil {
			f.bindParams(k.Guard, 1, inst)
			no = f.jump(k.Guard.Body, false)
		}
		f.cover(k.Part)
		for _, x := range k.Parts {
			have, want := f.temp(), f.temp()
			f.emit(program.OpGetSlot, have, 0, 0, f.c.p.Slots.Resources+int32(x.Resource.Index))
			if x.Resource.From != nil && !f.c.isNeutral(x.Resource.Part) && !f.c.isNeutral(x.Resource.From.Part) {
				low := f.temp()
				f.evalOnSelf(x.Resource.From, low)
				f.emit(program.OpSub, have, have, low, 0)
			}
			f.bindParams(x.Amount, 1, inst)
			f.amountOf(x, want)
			no = append(no, f.emit(program.OpJumpLt, have, want, 0, 0))
		}
		paid = append(paid, f.emit(program.OpJump, 0, 0, 0, 0))
		f.patch(no)
		f.next = mark
	}
	if len(named) > 0 {
		f.refuseCosts(named, 0, nil, inst)
	}
	f.patch(paid)
}

// maxGuardedCosts is the maximum number of guarded costs for which a refusal names only those whose conditions hold:
// there is a text for each combination.
const maxGuardedCosts = 4

// refuseCosts emits a refusal that names the costs whose conditions hold. holding are those decided so far, those of
// all from n on are still to be tested.
func (f *chunkBuilder) refuseCosts(all []*ir.CostAlternative, n int, applicable []*ir.CostAlternative, inst int) {
	if n == 0 && f.guardedCount(all) > maxGuardedCosts {
		n, applicable = len(all), all
	}
	for ; n < len(all); n++ {
		k := all[n]
		if k.Guard == nil {
			applicable = append(slices.Clip(applicable), k)
			continue
		}
		mark := f.next
		f.bindParams(k.Guard, 1, inst)
		no := f.jump(k.Guard.Body, false)
		f.next = mark
		f.refuseCosts(all, n+1, append(slices.Clip(applicable), k), inst)
		f.patch(no)
	}
	prefix, shown := "this costs ", applicable
	if len(applicable) == 0 {
		prefix, shown = "what this costs is not open now: ", all
	}
	var words []string
	for _, k := range shown {
		words = append(words, f.c.costWords(k))
	}
	f.refuse(shown[len(shown)-1].Part, prefix+strings.Join(words, ", or "))
}

func (f *chunkBuilder) guardedCount(costs []*ir.CostAlternative) (n int) {
	for _, k := range costs {
		if k.Guard != nil {
			n++
		}
	}
	return n
}

// amountOf computes the amount of a part of a cost; the default is 1.
func (f *chunkBuilder) amountOf(x ir.CostPart, dst int) {
	if x.Amount == nil || x.Amount.Body == nil {
		f.load(dst, 1)
		return
	}
	f.declareExprs(x.Amount.Body)
	f.expr(x.Amount.Body, dst)
}

// evalOnSelf computes a function of self in place.
func (f *chunkBuilder) evalOnSelf(fn *ir.Func, dst int) {
	f.bindParams(fn, 1, -1)
	f.expr(fn.Body, dst)
}

// bindParams assigns registers to the parameters of a function: self 0, the others from first on; the instance its own.
func (f *chunkBuilder) bindParams(fn *ir.Func, first, inst int) {
	if fn == nil {
		return
	}
	if inst >= 0 {
		f.inst = inst
	}
	for _, v := range fn.Params {
		switch v.Kind {
		case ir.VarSelf:
			f.vars[v] = 0
		case ir.VarInstance:
			f.vars[v] = f.inst
		case ir.VarActor:
			f.vars[v] = f.actor
		default:
			if v == fn.Params[0] {
				f.vars[v] = 0
				continue
			}
			f.vars[v] = first
			first++
		}
	}
	f.declareExprs(fn.Body)
}

// costs compiles the ways to pay.
func (c *compiler) costs(costs []*ir.CostAlternative, params int, name string, rule bool) []program.Cost {
	var out []program.Cost
	for _, k := range costs {
		if c.isNeutral(k.Part) {
			continue
		}
		x := program.Cost{Guard: c.scopeFunc(k.Guard, params, name, rule)}
		for _, part := range k.Parts {
			y := program.CostPart{Resource: int32(part.Resource.Index), Amount: program.NoChunk, Count: 1}
			if n := part.Amount; n != nil && n.Body != nil {
				if y.Count = n.Body.Int; !c.isConstant(n.Body) {
					y.Amount = c.scopeFunc(n, params, name, rule)
				}
			}
			x.Parts = append(x.Parts, y)
		}
		out = append(out, x)
	}
	return out
}

// scopeFunc compiles a value in the scope of a procedure (self, parameters) or of a rule (self, actor, instance).
func (c *compiler) scopeFunc(fn *ir.Func, params int, name string, rule bool) int32 {
	if fn == nil || fn.Body == nil {
		return program.NoChunk
	}
	f := c.newChunk(name, params)
	f.at = fn.Pos
	inst := -1
	if rule {
		f.actor, inst = 1, 2
	}
	f.bindParams(fn, 1, inst)
	f.cover(fn.Part)
	f.returnExpr(fn.Body)
	return f.finish(program.Scalar)
}

// properties compiles the properties of an action that code reads, by number. The default is that of the kind.
func (c *compiler) properties(q *ir.Proc) (chunks []int32) {
	for _, name := range c.p.Properties {
		chunk := program.NoChunk
		if fn := q.Properties[name]; fn != nil && !c.isNeutral(fn.Part) {
			chunk = c.scopeFunc(fn, 1+len(q.Params), q.Name+"."+name, false)
		}
		chunks = append(chunks, chunk)
	}
	return chunks
}

// addPropertyDefaults computes the values of properties that an action does not state.
func (c *compiler) addPropertyDefaults() {
	var fields []*ir.FieldDef
	for _, k := range c.rs.Kinds {
		if k.Name == "action" {
			fields = k.Fields
		}
	}
	for i := len(c.p.PropertyDefaults); i < len(c.p.Properties); i++ {
		v := int64(0)
		for _, f := range fields {
			if f.Name == c.p.Properties[i] {
				v = c.fieldDefault(f)
			}
		}
		c.p.PropertyDefaults = append(c.p.PropertyDefaults, v)
	}
}

// end ends acting code.
func (f *chunkBuilder) end() { f.emit(program.OpEnd, 0, 0, 0, 0) }

// compilePlans compiles the plans in the order of their numbers, and the guards of their triggers.
func (c *compiler) compilePlans() {
	byID := make([]*ir.Plan, len(c.p.Plans))
	for x, id := range c.plans {
		byID[id] = x
	}
	for id, x := range byID {
		if x == nil || c.p.Plans[id].Chunk != program.NoChunk {
			continue
		}
		c.of(planUnit, id)
		out := &c.p.Plans[id]
		begin := func(name string) *chunkBuilder {
			f := c.newChunk(name, program.RuleParams)
			f.actor, f.inst = 1, 2
			f.interruptsCheck = x.Trigger != nil && x.Trigger.Any == "check"
			for _, v := range x.Captured {
				r := f.temp()
				f.vars[v] = r
			}
			return f
		}
		f := begin(out.Name)
		f.mayAct, f.at, f.callsAreCommands = true, x.Pos, true
		f.declareStmts(x.Body)
		f.body(x.Body)
		f.recordPosition(&out.CancelPC)
		f.end()
		zeros := f.initialValues()
		chunk := f.finish(program.Scalar)
		out.Chunk, out.InitialValues = chunk, zeros

		g := begin(out.Name + ".guard")
		g.at = x.Pos
		for i := range x.Captured {
			g.emit(program.OpPart, program.RuleParams+i, 2, i, 0)
		}
		no := g.triggerJumps(x.Trigger, false)
		g.returnYes(no)
		guard := g.finish(program.Scalar)
		for i := range c.p.Points {
			for j := range c.p.Points[i].Plans {
				if c.p.Points[i].Plans[j].Plan == int32(id) {
					c.p.Points[i].Plans[j].Guard = guard
				}
			}
		}
	}
}

func (c *compiler) posOf(part *ir.Part) ir.Pos {
	if part == nil {
		return ir.Pos{}
	}
	return part.Pos
}
