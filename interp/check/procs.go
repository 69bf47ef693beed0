package check

import (
	"cmp"
	"fmt"
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/format"
	"arbiter/stdlib/exact"
)

// This file checks procedures and actions: their steps, costs, needs and properties.

// later postpones f until the procedures are known.
func (c *checker) later(f func()) { c.delayed = append(c.delayed, f) }

// procBody checks a procedure, also on demand when a rule or a record needs its variables.
func (c *checker) procBody(p *ir.Proc) {
	d := c.defs[p]
	if d == nil || c.state[p] == done {
		return
	}
	if c.state[p] == busy {
		return // a record is read while it is being filled in: only the names bound so far are known
	}
	if !c.enter(p, p.Name) {
		return
	}
	defer c.leave(p)
	defer c.unmute()()
	n := d.Node.(*ast.Procedure)
	file := d.Origin.Root().File
	s := &scope{c: c, file: file, acting: true, where: p.Name, self: p.Self, proc: p, vars: []map[string]*ir.Var{{}}, label: p.Name}
	for i, v := range p.Params {
		if def := n.Params[i].Default; def != nil { // it can use earlier parameters; its own name refers to a field
			q := s.pure("a default")
			q.file = c.headOf(p).Origin.Root().File
			v.Default = q.value(def, v.Type)
		}
		s.vars[0][v.Name] = v
	}
	s.push()
	if n.Body == nil {
		return
	}
	var main []ast.Clause // statements outside of steps, until the next step or the end
	mains := 0
	flush := func() {
		if len(main) == 0 {
			return
		}
		mains++
		name := "main"
		if mains > 1 {
			name = fmt.Sprintf("main-%d", mains)
		}
		st := &ir.Step{Name: name, Part: c.newPart(p.Name+"."+name, c.originOf(d, main[0]), main[0].Extent(), nil, nil)}
		s.topLevel, s.step = true, ""
		s.file = c.originOf(d, main[0]).Root().File
		st.Body = s.stmts(main)
		s.topLevel = false
		p.Steps = append(p.Steps, st)
		main = nil
	}
	for _, cl := range n.Body.Clauses {
		o := c.originOf(d, cl)
		switch x := cl.(type) {
		case *ast.Step:
			flush()
			if !c.step(p, o, x, s) {
				return
			}
		case *ast.Cost:
			c.actionCost(p, o, x)
		case *ast.Needs:
			p.Needs = append(p.Needs, c.needs(p.Name, o, x, s))
			if !p.Action {
				c.errorAt(o.Root().File, x.Span, "misplaced", "only an action and a reaction can be refused, so only they have needs",
					"as its first statement write `stop unless "+format.Expr(x.Cond)+"`, or give the need to the actions that call "+p.Name)
			}
		case *ast.Property:
			c.actionProperty(p, o, x)
		case *ast.Rule:
			c.later(func() { c.ruleInProc(d, x, p) })
		case *ast.Documentation:
			p.Part.Cites = append(p.Part.Cites, c.expandCites(o.Root().File, x.Cites)...)
		default:
			main = append(main, cl)
		}
	}
	flush()
	c.warnAfterStop(p)
	if k := c.kinds["action"]; k != nil && p.Action {
		for _, f := range k.Fields {
			if like := p.Properties[f.DefaultFrom]; like != nil && p.Properties[f.Name] == nil {
				p.Properties[f.Name] = like
			}
		}
	}
}

// step checks a named step in the procedure's scope; false if there are too many.
func (c *checker) step(p *ir.Proc, o *link.Origin, x *ast.Step, s *scope) bool {
	st := &ir.Step{Name: x.Name.Name, Part: c.newPart(p.Name+"."+x.Name.Name, o, x.Span, x.Doc, slices.Concat(x.Tail.Cites, x.Meta.Cites))}
	for _, have := range p.Steps {
		if have.Name == st.Name {
			c.errorAt(o.Root().File, x.Name.Span, "declared-twice", p.Name+" has a step "+st.Name+" already", "", c.firstDeclared(have.Part))
		}
	}
	if len(p.Steps) == maxParts {
		c.errorAt(o.Root().File, x.Name.Span, "limit", fmt.Sprintf("a procedure has at most %d steps", maxParts), "")
		return false
	}
	s.file, s.step = o.Root().File, st.Name
	st.Guard = s.guard(x.Tail)
	undo := func() {}
	if st.Guard != nil {
		undo = s.assume(st.Guard, true)
	}
	undosBefore := len(s.undos)
	s.topLevel = true
	if x.Body != nil {
		st.Body = s.stmts(x.Body.Clauses)
		c.blockCites(o.Root().File, x.Body, st.Part)
	}
	s.topLevel = false
	undo()
	if st.Guard != nil { // a step that can be skipped proves nothing for later ones
		s.undoSince(undosBefore)
	}
	s.step = ""
	p.Steps = append(p.Steps, st)
	return true
}

func (c *checker) actionCost(p *ir.Proc, o *link.Origin, x *ast.Cost) {
	p.Costs = append(p.Costs, c.costClause(p.Name, o, x, p.Self, p.Params)...)
	if !p.Action {
		c.errorAt(o.Root().File, x.Span, "misplaced", "only an action has a cost", "declare `action "+p.Name+"`")
	}
}

// costClause returns the alternatives of a clause, each with the condition of the clause.
func (c *checker) costClause(owner string, o *link.Origin, x *ast.Cost, self *ir.Var, params []*ir.Var) []*ir.CostAlternative {
	alts := c.costs(o.Root().File, x, self, params)
	var g *ir.Func
	if x.When != nil || x.Unless != nil {
		g = c.guardFunc(o.Root().File, self, params, nil, ast.Tail{When: x.When, Unless: x.Unless})
	}
	for _, a := range alts {
		a.Part = c.newPart(owner+".cost", o, x.Span, nil, x.Cites)
		a.Guard = andGuards(a.Guard, g)
	}
	return alts
}

// andGuards joins guards with the same parameters; nil is always true.
func andGuards(a, b *ir.Func) *ir.Func {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	f := *a
	f.Body = &ir.Expr{Op: ir.OpAnd, Type: yesNo, Pos: a.Pos, Args: []*ir.Expr{a.Body, b.Body}}
	f.Needs = slices.Concat(a.Needs, b.Needs)
	return &f
}

func (c *checker) needs(owner string, o *link.Origin, x *ast.Needs, s *scope) *ir.Need {
	p := s.pure("a need")
	p.file = o.Root().File
	n := &ir.Need{Part: c.newPart(owner+".needs", o, x.Span, nil, x.Cites)}
	body := p.cond(x.Cond)
	if g := p.guard(ast.Tail{When: x.When, Unless: x.Unless}); g != nil {
		not := &ir.Expr{Op: ir.OpNot, Type: yesNo, Pos: g.Pos, Args: []*ir.Expr{g}}
		body = &ir.Expr{Op: ir.OpOr, Type: yesNo, Pos: g.Pos, Args: []*ir.Expr{not, body}}
	}
	n.Cond = &ir.Func{Body: body, Pos: p.pos(x.Span)}
	if s.proc != nil {
		n.Cond.Params = append([]*ir.Var{s.proc.Self}, s.proc.Params...)
	}
	if x.Why != nil {
		n.Why = x.Why.Value
	}
	s.assume(body, true)
	return n
}

// sumFuncs adds the results of two functions with the same parameters.
func sumFuncs(a, b *ir.Func) *ir.Func {
	f := *a
	f.Body = &ir.Expr{Op: ir.OpAdd, Type: number, Pos: a.Body.Pos, Args: []*ir.Expr{a.Body, b.Body}}
	if x, y := a.Body, b.Body; x.Op == ir.OpConst && y.Op == ir.OpConst {
		if v, ok := exact.Add(x.Int, y.Int); ok {
			f.Body = &ir.Expr{Op: ir.OpConst, Type: number, Pos: x.Pos, Int: v}
		}
	}
	return &f
}

// costHint suggests a resource of a similar name, or lists those that actions cost already.
func (c *checker) costHint(name string) string {
	if near := c.nearestHint(name, c.namesOf(isResource)); near != "" {
		return near
	}
	var used []string
	for _, p := range c.rs.Procs {
		for _, alt := range p.Costs {
			for _, part := range alt.Parts {
				if !part.Resource.Internal {
					used = append(used, part.Resource.Name)
				}
			}
		}
	}
	slices.Sort(used)
	return listHint("actions cost", slices.Compact(used))
}

func (c *checker) costs(file string, x *ast.Cost, self *ir.Var, params []*ir.Var) []*ir.CostAlternative {
	var out []*ir.CostAlternative
	for _, a := range x.Alternatives {
		alt := &ir.CostAlternative{}
		for _, part := range a.Parts {
			r, ok := c.names[part.Resource.Name].(*ir.Resource)
			if !ok {
				c.errorAt(file, part.Resource.Span, "unknown-resource", "there is no resource "+part.Resource.Name, c.costHint(part.Resource.Name))
				continue
			}
			f, _ := c.pureFunc(file, "a cost", self, params, nil, func(s *scope) *ir.Expr {
				if part.Amount == nil {
					return s.constant(number, 1, part.Span)
				}
				return s.value(part.Amount, number)
			})
			f.Needs = nil
			if i := slices.IndexFunc(alt.Parts, func(p ir.CostPart) bool { return p.Resource == r }); i >= 0 { // both amounts are due
				alt.Parts[i].Amount = sumFuncs(alt.Parts[i].Amount, f)
				continue
			}
			alt.Parts = append(alt.Parts, ir.CostPart{Resource: r, Amount: f})
		}
		if a.When != nil {
			alt.Guard = c.guardFunc(file, self, params, nil, ast.Tail{When: a.When})
			if alt.Guard != nil {
				alt.Guard.Needs = nil
			}
		}
		out = append(out, alt)
	}
	return out
}

func (c *checker) actionProperty(p *ir.Proc, o *link.Origin, x *ast.Property) {
	k := c.kinds["action"]
	i := -1
	if k != nil {
		i = k.Field(x.Name.Name)
	}
	if i < 0 || !p.Action {
		var names []string
		if k != nil {
			for _, f := range k.Fields {
				names = append(names, f.Name)
			}
		}
		c.errorAt(o.Root().File, x.Name.Span, "unknown-property", "an action has no property "+x.Name.Name, cmp.Or(noColonHint(x.Name.Name), c.nearestHint(x.Name.Name, names), "declare it: kind action { "+x.Name.Name+": yes-no = no }"))
		return
	}
	if len(x.Values) != 1 {
		c.errorAt(o.Root().File, x.Span, "wrong-type", x.Name.Name+" is one "+typeName(k.Fields[i].Type), "")
	}
	f, _ := c.pureFunc(o.Root().File, "a property", p.Self, p.Params, nil, func(s *scope) *ir.Expr {
		s.file = c.fileOf(x.Values[0], o)
		v := s.value(x.Values[0], k.Fields[i].Type)
		s.file = o.Root().File
		if g := s.guard(x.Tail); g != nil {
			v = &ir.Expr{Op: ir.OpIf, Type: v.Type, Pos: v.Pos, Args: []*ir.Expr{g, v, s.constExpr(k.Fields[i].Const, k.Fields[i].Type, x.Span)}}
		}
		return v
	})
	f.Needs = nil
	if p.Properties == nil {
		p.Properties = map[string]*ir.Func{}
	}
	p.Properties[x.Name.Name] = f
	f.Part = c.newPart(p.Name+"."+x.Name.Name, o, x.Span, nil, x.Cites)
}

// noColonHint is the hint for a keyword that is written like a property.
func noColonHint(word string) string {
	if !slices.Contains(clauseWords, word) {
		return ""
	}
	return "write it without a colon: `" + word + " ...`"
}
