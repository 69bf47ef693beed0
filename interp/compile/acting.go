package compile

import (
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file compiles acting code: procedures, actions, rules and plans.

func (c *compiler) acting() {
	for _, q := range c.rs.Procs {
		c.p.Procs = append(c.p.Procs, c.procedure(q))
	}
	// The names of properties are known only after all code that reads them is compiled, so properties come last.
	order := byPath(c.rs.Rules)
	for i, r := range c.rs.Rules {
		c.p.Rules = append(c.p.Rules, c.rule(r, order[r]))
		if i != r.Index {
			c.fail(r.Part.Pos, "rule %s is out of order", r.Name)
		}
	}
	c.compilePlans()
	c.properties()
}

// procFn begins a chunk in the scope of a procedure, with its variables in their registers.
func (c *compiler) procFn(q *ir.Proc, name string) *fn {
	f := c.fn(name, 1+len(q.Params))
	for v, r := range c.regs[q] {
		f.vars[v] = r
		f.next = max(f.next, r+1)
	}
	f.block(0)
	return f
}

func (c *compiler) procedure(q *ir.Proc) program.Proc {
	out := program.Proc{
		Name: q.Name, Action: q.Action, Params: c.params(q.Params), Chunk: program.NoChunk, Legal: program.NoChunk,
		Fill: program.NoChunk, Part: partID(q.Part),
	}
	for _, v := range q.Record {
		r, ok := c.regs[q][v]
		if !ok {
			c.fail(c.posOf(q.Part), "%s of %s has no place", v.Name, q.Name)
		}
		out.Record = append(out.Record, program.RecordField{Name: v.Name, Reg: int32(r), Type: c.typeOf(v.Type), Shape: program.ShapeOf(v.Type)})
	}
	nothing := c.neutral(q.Part) || q.For != nil && c.neutral(q.For.Part)
	for _, w := range q.Ways {
		out.Ways = append(out.Ways, int32(q.Index))
		if w != nil {
			out.Ways[len(out.Ways)-1] = int32(w.Index)
		}
	}
	out.OfDoer = q.Of != nil && q.Of == c.rs.Kinds[0]
	out.Fill, out.Defaults = c.fill(q)
	if q.Action && !nothing {
		out.Costs = c.costs(q.Costs, 1+len(q.Params), q.Name+".cost", false)
		out.Legal = c.legal(q)
	}
	f := c.procFn(q, q.Name)
	f.acts = true
	f.at = c.posOf(q.Part)
	f.cover(q.Part)
	if !nothing {
		for _, s := range q.Steps {
			f.declareStmts(s.Body)
			f.declareExprs(s.Guard)
		}
		if q.Action {
			f.emit(program.OpPay, 0, 0, 0, 0)
		}
		whole := func(word, point string) hook { return hook{word: word, proc: q, step: -1, point: point} }
		var past []int
		kinds := func(word string) hook { return hook{word: word, proc: q.For, step: -1} }
		if q.For != nil { // what waits for the procedure of the kind waits for each of its ways
			f.announce(kinds("before"), 0, 0)
			past = f.instead(kinds("instead"), 0, 0)
		}
		f.announce(whole("before", ""), 0, 0)
		f.announce(whole("before", "commit"), 0, 0)
		f.announce(whole("after", "commit"), 0, 0)
		own := f.instead(whole("instead", ""), 0, 0)
		for i, s := range q.Steps {
			f.step(q, i, s)
		}
		f.endInstead(own)
		f.endInstead(past)
		f.keep(&out.Leave)
		f.announce(whole("after", ""), 0, 0)
		if q.For != nil {
			f.announce(kinds("after"), 0, 0)
		}
	} else {
		f.keep(&out.Leave)
	}
	f.emit(program.OpEnd, 0, 0, 0, 0)
	out.Zeros = f.zeros()
	out.Chunk = f.finish(program.Scalar)
	return out
}

func (f *fn) step(q *ir.Proc, i int, s *ir.Step) {
	if f.c.neutral(s.Part) {
		return
	}
	saved, mark := f.at, f.next
	f.at = f.c.posOf(s.Part)
	var skip []int
	if s.Guard != nil {
		skip = f.jump(s.Guard, false)
	}
	at := func(word string) hook { return hook{word: word, proc: q, step: i} }
	f.announce(at("before"), 0, 0)
	past := f.instead(at("instead"), 0, 0)
	f.cover(s.Part)
	f.body(s.Body)
	f.endInstead(past)
	f.announce(at("after"), 0, 0)
	f.patch(skip)
	f.at, f.next = saved, mark
}

// instead emits the start of code that rules may replace: the point, then the jump that is taken after a replacement.
func (f *fn) instead(h hook, outer, actor int) []int {
	i := f.c.find(h)
	if i < 0 {
		return nil
	}
	rules := f.c.always(i)
	nobody := f.guards(i, rules, outer, actor)
	f.emit(program.OpInstead, outer, actor, min(1, len(rules)), i)
	past := []int{f.emit(program.OpJump, 0, 0, 0, 0)}
	f.patch(nobody)
	return past
}

func (f *fn) endInstead(past []int) {
	if past != nil {
		f.emit(program.OpEndInstead, 0, 0, 0, 0) // announce sets the point that comes next
		f.patch(past)
	}
}

// fill compiles the defaults of parameters, in order: a default may refer to the parameters before it.
func (c *compiler) fill(q *ir.Proc) (chunk int32, defaults []program.Default) {
	f := c.procFn(q, q.Name+".defaults")
	defaults = make([]program.Default, len(q.Params))
	for i, v := range q.Params {
		x := &defaults[i]
		x.Value = program.Absent
		f.keep(&x.Start)
		f.declareExprs(v.Default)
		given := f.emit(program.OpJumpGiven, 1+i, 0, 0, 0)
		switch {
		case v.Default == nil:
			x.Value, x.Required = program.ZeroOf(v.Type), true
			f.load(1+i, x.Value)
		case c.constantly(v.Default):
			x.Value = f.constant(v.Default)
			f.load(1+i, x.Value)
		default:
			f.expr(v.Default, 1+i)
		}
		f.patch([]int{given})
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
	f := c.fn(q.Name+".needs", n+1)
	f.at = c.posOf(q.Part)
	f.permit(int32(c.rs.Act), 0)
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
func (f *fn) permit(permission int32, given int) {
	if permission < 0 {
		return
	}
	r := f.temp()
	f.emit(program.OpCan, r, 0, given, permission)
	ok := f.emit(program.OpJumpIf, r, 0, 0, 0)
	f.refuse(nil, "this is forbidden: cannot "+f.c.rs.Permissions[permission].Name)
	f.c.p.Refusals[len(f.c.p.Refusals)-1].Forbidden = true
	f.patch([]int{ok})
}

// refuse ends the chunk with a refusal.
func (f *fn) refuse(part *ir.Part, why string) {
	p := f.c.p
	p.Refusals = append(p.Refusals, program.Refusal{Part: partID(part), Why: why})
	f.returnInt(int64(len(p.Refusals) - 1))
}

// needs emits a refusal for the first condition that does not hold. Parameters are the registers from 0, or those of a
// rule's scope if inst is a register.
func (f *fn) needs(needs []*ir.Need, inst int) {
	for _, n := range needs {
		if f.c.neutral(n.Part) || n.Cond == nil {
			continue
		}
		f.at = f.c.posOf(n.Part)
		f.enter(n.Cond, 1, inst)
		f.cover(n.Part)
		ok := f.jump(n.Cond.Body, true)
		why := n.Why
		if why == "" {
			why = "this is not so: " + describe(n.Cond.Body)
		}
		f.refuse(n.Part, why)
		f.patch(ok)
	}
}

// payable emits a refusal unless one of the costs can be paid.
func (f *fn) payable(costs []*ir.CostAlternative, inst int) {
	var paid []int
	var open []*ir.CostAlternative
	for _, k := range costs {
		if f.c.neutral(k.Part) {
			continue
		}
		if costWords(k) != "" {
			open = append(open, k)
		}
		mark := f.next
		var no []int
		if k.Guard != nil {
			f.enter(k.Guard, 1, inst)
			no = f.jump(k.Guard.Body, false)
		}
		f.cover(k.Part)
		for _, x := range k.Parts {
			have, want := f.temp(), f.temp()
			f.emit(program.OpGetSlot, have, 0, 0, f.c.p.Slots.Resources+int32(x.Resource.Index))
			if x.Resource.From != nil && !f.c.neutral(x.Resource.Part) && !f.c.neutral(x.Resource.From.Part) {
				low := f.temp()
				f.ofSelf(x.Resource.From, low)
				f.emit(program.OpSub, have, have, low, 0)
			}
			f.enter(x.Amount, 1, inst)
			f.amountOf(x, want)
			no = append(no, f.emit(program.OpJumpLt, have, want, 0, 0))
		}
		paid = append(paid, f.emit(program.OpJump, 0, 0, 0, 0))
		f.patch(no)
		f.next = mark
	}
	if len(open) > 0 {
		f.tooDear(open, 0, nil, inst)
	}
	f.patch(paid)
}

// mostGuarded is the maximum number of guarded costs for which a refusal names only those whose conditions hold: there
// is a text for each combination.
const mostGuarded = 4

// tooDear emits a refusal that names the costs whose conditions hold. holding are those decided so far, those of all
// from n on are still to be tested.
func (f *fn) tooDear(all []*ir.CostAlternative, n int, holding []*ir.CostAlternative, inst int) {
	if n == 0 && f.guarded(all) > mostGuarded {
		n, holding = len(all), all
	}
	for ; n < len(all); n++ {
		k := all[n]
		if k.Guard == nil {
			holding = append(slices.Clip(holding), k)
			continue
		}
		mark := f.next
		f.enter(k.Guard, 1, inst)
		no := f.jump(k.Guard.Body, false)
		f.next = mark
		f.tooDear(all, n+1, append(slices.Clip(holding), k), inst)
		f.patch(no)
	}
	says, told := "this costs ", holding
	if len(holding) == 0 {
		says, told = "what this costs is not open now: ", all
	}
	var words []string
	for _, k := range told {
		words = append(words, costWords(k))
	}
	f.refuse(told[len(told)-1].Part, says+strings.Join(words, ", or "))
}

func (f *fn) guarded(costs []*ir.CostAlternative) (n int) {
	for _, k := range costs {
		if k.Guard != nil {
			n++
		}
	}
	return n
}

// amountOf computes the amount of a part of a cost; the default is 1.
func (f *fn) amountOf(x ir.CostPart, dst int) {
	if x.Amount == nil || x.Amount.Body == nil {
		f.load(dst, 1)
		return
	}
	f.declareExprs(x.Amount.Body)
	f.expr(x.Amount.Body, dst)
}

// ofSelf computes a function of self in place.
func (f *fn) ofSelf(fn *ir.Func, dst int) {
	f.enter(fn, 1, -1)
	f.expr(fn.Body, dst)
}

// enter assigns registers to the parameters of a function: self 0, the others from first on; the instance its own.
func (f *fn) enter(fn *ir.Func, first, inst int) {
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
func (c *compiler) costs(costs []*ir.CostAlternative, given int, name string, rule bool) []program.Cost {
	var out []program.Cost
	for _, k := range costs {
		if c.neutral(k.Part) {
			continue
		}
		x := program.Cost{Guard: c.scopeFunc(k.Guard, given, name, rule)}
		for _, part := range k.Parts {
			y := program.CostPart{Resource: int32(part.Resource.Index), Amount: program.NoChunk, Count: 1}
			if n := part.Amount; n != nil && n.Body != nil {
				if y.Count = n.Body.Int; !c.constantly(n.Body) {
					y.Amount = c.scopeFunc(n, given, name, rule)
				}
			}
			x.Parts = append(x.Parts, y)
		}
		out = append(out, x)
	}
	return out
}

// scopeFunc compiles a value in the scope of a procedure (self, parameters) or of a rule (self, actor, instance).
func (c *compiler) scopeFunc(fn *ir.Func, given int, name string, rule bool) int32 {
	if fn == nil || fn.Body == nil {
		return program.NoChunk
	}
	f := c.fn(name, given)
	f.at = fn.Pos
	inst := -1
	if rule {
		f.actor, inst = 1, 2
	}
	f.enter(fn, 1, inst)
	f.cover(fn.Part)
	f.returnExpr(fn.Body)
	return f.finish(program.Scalar)
}

// properties compiles the properties of actions that code reads, by number. The default is that of the kind.
func (c *compiler) properties() {
	c.unstated()
	for i, q := range c.rs.Procs {
		for _, name := range c.p.Properties {
			fn := q.Properties[name]
			if fn != nil && c.neutral(fn.Part) {
				fn = nil
			}
			c.p.Procs[i].Properties = append(c.p.Procs[i].Properties, c.scopeFunc(fn, 1+len(q.Params), q.Name+"."+name, false))
		}
	}
}

// unstated computes the values of properties that an action does not state.
func (c *compiler) unstated() {
	var fields []*ir.FieldDef
	for _, k := range c.rs.Kinds {
		if k.Name == "action" {
			fields = k.Fields
		}
	}
	for i := len(c.p.Unstated); i < len(c.p.Properties); i++ {
		v := int64(0)
		for _, f := range fields {
			if f.Name == c.p.Properties[i] {
				v = c.fieldDefault(f)
			}
		}
		c.p.Unstated = append(c.p.Unstated, v)
	}
}

// end ends acting code.
func (f *fn) end() { f.emit(program.OpEnd, 0, 0, 0, 0) }

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
		out := &c.p.Plans[id]
		begin := func(name string) *fn {
			f := c.fn(name, program.RuleParams)
			f.actor, f.inst = 1, 2
			f.check = x.Trigger != nil && x.Trigger.Any == "check"
			for _, v := range x.Captured {
				r := f.temp()
				f.vars[v] = r
			}
			return f
		}
		f := begin(out.Name)
		f.acts, f.at, f.script = true, x.Pos, true
		f.declareStmts(x.Body)
		f.body(x.Body)
		f.keep(&out.Leave)
		f.end()
		zeros := f.zeros()
		chunk := f.finish(program.Scalar)
		out.Chunk, out.Zeros = chunk, zeros

		g := begin(out.Name + ".guard")
		g.at = x.Pos
		for i := range x.Captured {
			g.emit(program.OpPart, program.RuleParams+i, 2, i, 0)
		}
		no := g.triggered(x.Trigger, false)
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
