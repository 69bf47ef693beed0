package check

import (
	"fmt"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file orders the checking of bodies, on demand where their type is needed, and checks stats, defines and
// resources.

// maxStack limits the depth of dependencies between definitions, and with it the recursion of the checker.
const maxStack = 500

// reportStackCycle reports that x, which is being checked, depends on itself.
func (c *checker) reportStackCycle(x any, what string) {
	d := c.defs[x]
	if d == nil || c.typingReplaced[x] {
		return
	}
	i := 0
	for i < len(c.stack) && c.stack[i] != x {
		i++
	}
	var names []string
	for _, y := range c.stack[i:] {
		names = append(names, c.defs[y].Name)
		c.circular[y] = true
	}
	defer c.unmute()()
	c.errorAt(d.Origin.Root().File, nameSpan(d.Node), "cycle", what+" needs itself: "+strings.Join(append(names, d.Name), " -> "),
		"compute one of them from something else")
}

// enter marks x as being checked. It returns false if x is done, or is being checked already, which it reports.
func (c *checker) enter(x any, what string) bool {
	switch c.state[x] {
	case done:
		return false
	case busy:
		c.reportStackCycle(x, what)
		return false
	}
	if len(c.stack) >= maxStack {
		d := c.defs[x]
		c.errorAt(d.Origin.Root().File, nameSpan(d.Node), "limit", fmt.Sprintf("more than %d definitions depend on one another here", maxStack), "combine some of them")
		return false
	}
	c.between()
	c.state[x] = busy
	c.stack = append(c.stack, x)
	return true
}

// leave marks x as done.
func (c *checker) leave(x any) {
	c.state[x] = done
	c.stack = c.stack[:len(c.stack)-1]
}

// unmute enables reporting until restore is called: a definition is checked only once, so its mistakes count even if
// the code that needs it is checked quietly.
func (c *checker) unmute() (restore func()) {
	muted := c.muted
	c.muted = 0
	return func() { c.muted = muted }
}

// nameSpan is the span of a declaration's name.
func nameSpan(cl ast.Clause) ast.Span {
	if name := ast.HeadOf(cl).Name; name != nil {
		return name.Span
	}
	return cl.Extent()
}

func selfVar(t ir.Type) *ir.Var { return &ir.Var{Name: "self", Type: t, Kind: ir.VarSelf} }

// isLeftOut says whether the body of an object need not be checked, unless something else asks for its type.
func (c *checker) isLeftOut(x any) bool {
	return c.only != nil && c.defs[x] != nil && !c.only[c.defs[x]]
}

// between lets something else be done; see Options.
func (c *checker) between() {
	if c.opts.Between != nil {
		c.opts.Between()
	}
}

// checkBodies checks every body, or those of some definitions. Effects follow procedures, since their rules interrupt those; rules come last.
func (c *checker) checkBodies() {
	for _, st := range c.rs.Stats {
		if !c.isLeftOut(st) {
			c.checkStat(st)
		}
	}
	for _, x := range c.rs.Defines {
		if !c.isLeftOut(x) {
			c.checkDefine(x)
		}
	}
	for _, r := range c.rs.Resources {
		if !c.isLeftOut(r) {
			c.resource(r)
		}
	}
	for _, e := range c.rs.Effects {
		c.declareMemory(e)
	}
	for i := 0; i < len(c.rs.Procs); i++ {
		if p := c.rs.Procs[i]; !c.isLeftOut(p) {
			c.procBody(p)
		}
	}
	for _, e := range c.rs.Effects {
		if !c.isLeftOut(e) {
			c.between()
			c.effectBody(e)
		}
	}
	for _, f := range c.delayed {
		f()
	}
	for _, d := range c.set.Defs {
		if c.only != nil && !c.only[d] {
			continue
		}
		c.between()
		c.ruleOrTactics(d)
	}
	c.resolveCoreDefines()
	c.resolveMoveProcs()
}

// ruleOrTactics checks a rule of the top level, or tactics; other definitions are checked elsewhere.
func (c *checker) ruleOrTactics(d *link.Def) {
	switch n := d.Node.(type) {
	case *ast.Rule:
		c.rule(d, n, nil, nil, n.Name.Name)
	case *ast.Tactics:
		c.tactics(d, n)
	}
}

// resolveMoveProcs finds the procedures that announce movement.
func (c *checker) resolveMoveProcs() {
	for _, name := range []string{ir.LeaveSquare, ir.EnterSquare} {
		p, _ := c.names[name].(*ir.Proc)
		if p == nil {
			continue
		}
		to := &c.rs.Leave
		if name == ir.EnterSquare {
			to = &c.rs.Enter
		}
		*to = p
		for _, v := range p.Params {
			want := map[string]ir.Type{"at": square, "to": square, "using": enumOf(ir.MoveModes)}
			if v.Label == "to" && name == ir.EnterSquare || !sameType(v.Type, want[v.Label]) {
				c.errorAt(c.rs.Files[p.Part.Pos.File], p.Part.Pos.Span, "asked", "the core calls "+name+", but cannot supply "+v.Name,
					"it supplies `at` and `to` as squares, `using` with a "+ir.MoveModes)
				*to = nil
				break
			}
		}
	}
}

// resolveCoreDefines finds the defines that the core calls, and checks their signatures.
func (c *checker) resolveCoreDefines() {
	for i, want := range ir.CoreSignatures {
		d := c.props[want.Of][want.Name]
		if want.Of == "" {
			d, _ = c.names[want.Name].(*ir.Define)
		}
		if d == nil {
			c.warnEffectForDefine(want)
			continue
		}
		c.checkDefine(d)
		if d.Func == nil || d.Type.Kind == ir.Invalid {
			continue
		}
		params := d.Func.Params[1:]
		ok := len(params) == len(want.Params) && fits(d.Type, want.Result)
		for k := 0; ok && k < len(params); k++ {
			ok = sameType(params[k].Type, want.Params[k])
		}
		if !ok {
			var types []string
			for _, t := range want.Params {
				types = append(types, typeName(t))
			}
			c.errorAt(c.rs.Files[d.Part.Pos.File], d.Part.Pos.Span, "asked", "the core asks for "+d.Name+", but cannot use this one",
				fmt.Sprintf("it must take (%s) and return %s", strings.Join(types, ", "), article(typeName(want.Result))))
			continue
		}
		c.rs.CoreDefines[i] = d
	}
}

// --- stats and defines --------------------------------------------------------------------------------

// checkStat checks a stat, whose type is that of its first term.
func (c *checker) checkStat(st *ir.Stat) {
	d := c.defs[st]
	if v, ok := d.Node.(*ast.View); ok {
		c.view(st, d, v)
		return
	}
	if !c.enter(st, "the stat "+st.Name) {
		if st.Type.Kind == ir.Invalid {
			st.Type = number
		}
		return
	}
	defer c.leave(st)
	defer c.unmute()()
	n := d.Node.(*ast.Stat)
	self := selfVar(creature)
	defer c.usualSituation(st, n, d, self)
	add := func(name string, value ast.Expr, as *ast.Ident, t ast.Tail, o *link.Origin, span ast.Span) {
		term := &ir.Term{Name: name, Bonus: -1, Part: c.newPart(st.Name+"."+name, o, span, nil, t.Cites)}
		for _, have := range st.Terms {
			if have.Name == name {
				c.errorAt(o.Root().File, span, "declared-twice", st.Name+" has a term "+name+" already", "", c.firstDeclared(have.Part))
			}
		}
		if len(st.Terms) == maxParts {
			c.errorAt(o.Root().File, span, "limit", fmt.Sprintf("a stat has at most %d terms", maxParts), "")
			return
		}
		if as != nil {
			term.Bonus = c.bonus(o.Root().File, *as)
		}
		var x *ir.Expr
		term.Guard = c.guardFunc(o.Root().File, self, st.Params, nil, t)
		file := c.fileOf(value, o)
		term.Value, x = c.pureFunc(file, "a stat", self, st.Params, nil, func(s *scope) *ir.Expr {
			s.assumeGuard(term.Guard)
			var want *ir.Type
			if len(st.Terms) > 0 {
				want = &st.Type
			} else {
				want = s.replacedType(st, value, d.Origin)
			}
			x := s.expr(value, want) // a term that is none does not count
			if x.Op == ir.OpHook {
				x.Site.Optional = true
			}
			return x
		})
		if len(st.Terms) == 0 {
			st.Type = notNone(x.Type)
			if k := x.Type.Kind; k != ir.Number && k != ir.Quantity && k != ir.YesNo && k != ir.EnumType && k != ir.Invalid {
				c.errorAt(file, value.Extent(), "wrong-type", "a stat is a number, a quantity, a yes-no or a value of an enum; this is "+article(typeName(x.Type)), "")
				st.Type = number
			}
		} else if st.Type.Kind == ir.Invalid { // the terms so far are wrong: infer the type from this one
			st.Type = notNone(x.Type)
		} else if !sameType(x.Type, st.Type) && x.Type.Kind != ir.Invalid && x.Type.Kind != ir.Nothing {
			c.errorAt(file, value.Extent(), "wrong-type", fmt.Sprintf("this is %s, but %s is %s", article(typeName(x.Type)), st.Name, article(typeName(st.Type))), "")
		}
		st.Terms = append(st.Terms, term)
	}
	if n.Value != nil {
		add("base", n.Value, nil, ast.Tail{}, d.Origin, n.Value.Extent())
	}
	if n.Body != nil {
		for _, cl := range n.Body.Clauses {
			t, ok := cl.(*ast.Term)
			if !ok {
				if p, isProp := cl.(*ast.Property); isProp && len(p.Values) == 1 {
					t, ok = &ast.Term{Span: p.Span, Name: p.Name, Value: p.Values[0], As: p.As, Tail: p.Tail}, true
				}
			}
			if !ok {
				c.misplaced(d, cl, "in a stat", "the form of a term is: NAME: VALUE as BONUS when COND")
				continue
			}
			add(t.Name.Name, t.Value, t.As, t.Tail, c.originOf(d, cl), t.Span)
		}
	}
	if st.Type.Kind == ir.Invalid {
		st.Type = number
	}
}

// pureFunc checks pure code of self, a stat's situation and an instance.
func (c *checker) pureFunc(file, where string, self *ir.Var, params []*ir.Var, inst *ir.Var, body func(*scope) *ir.Expr) (*ir.Func, *ir.Expr) {
	f := &ir.Func{Params: append([]*ir.Var{self}, params...)}
	if inst != nil {
		f.Params = append(f.Params, inst)
	}
	s := &scope{c: c, file: file, where: where, self: self, vars: []map[string]*ir.Var{{}}, fn: f, inst: inst}
	for _, p := range params {
		s.vars[0][p.Name] = p
	}
	s.push()
	x := body(s)
	f.Body = x
	if x != nil {
		f.Pos = x.Pos
	}
	return f, x
}

// guardFunc checks a guard as a function of its own, nil for none.
func (c *checker) guardFunc(file string, self *ir.Var, params []*ir.Var, inst *ir.Var, t ast.Tail) *ir.Func {
	if t.When == nil && t.Unless == nil {
		return nil
	}
	f, _ := c.pureFunc(file, "a guard", self, params, inst, func(s *scope) *ir.Expr { return s.guard(t) })
	return f
}

// view checks a view, which has the type and the situation of its stat.
func (c *checker) view(st *ir.Stat, d *link.Def, v *ast.View) {
	if c.state[st] == done {
		return
	}
	c.state[st] = done
	defer c.unmute()()
	of, _ := c.names[v.Of.Name].(*ir.Stat)
	if of == nil || of.ViewOf != nil {
		c.errorAt(d.Origin.Root().File, v.Of.Span, "unknown-stat", "there is no stat "+v.Of.Name, c.nearestHint(v.Of.Name, c.namesOf(isStat)))
		st.Type = number
		return
	}
	c.checkStat(of)
	st.Type, st.ViewOf, st.Params, st.Roll = of.Type, of, of.Params, of.Roll
	set := c.nameSet(d.Origin.Root().File, of, v.Losing)
	switch v.Word.Name {
	case "without":
		st.Without = &set
	case "denied":
		st.Denied = &set
	}
}

// bonus finds a bonus type, -1 if there is none.
func (c *checker) bonus(file string, id ast.Ident) int {
	if i, ok := c.bonuses[id.Name]; ok {
		return i
	}
	c.errorAt(file, id.Span, "unknown-bonus", "there is no bonus type "+id.Name, c.nearestHint(id.Name, keys(c.bonuses)))
	return -1
}

// nameSet resolves names of terms and bonus types of a stat; a name may be both.
func (c *checker) nameSet(file string, st *ir.Stat, names []ast.Ident) ir.NameSet {
	var set ir.NameSet
	for _, id := range names {
		found := false
		if i, ok := c.bonuses[id.Name]; ok {
			set.Bonuses = append(set.Bonuses, i)
			found = true
		}
		for i, t := range st.Terms {
			if t.Name == id.Name {
				set.Terms = append(set.Terms, i)
				found = true
			}
		}
		if !found {
			var all []string
			for _, t := range st.Terms {
				all = append(all, t.Name)
			}
			c.errorAt(file, id.Span, "unknown-bonus", fmt.Sprintf("%s is neither a bonus type nor a term of %s", id.Name, st.Name), c.nearestHint(id.Name, append(all, keys(c.bonuses)...)))
		}
	}
	return set
}

// checkDefine checks a define, whose type is that of its value.
func (c *checker) checkDefine(x *ir.Define) {
	if c.state[x] != fresh {
		switch {
		case c.state[x] == busy && c.typingReplaced[x]:
			x.Type = number
		case c.state[x] == busy:
			c.reportStackCycle(x, x.Name)
			x.Type = invalid
		}
		return
	}
	if !c.enter(x, x.Name) {
		x.Type = invalid
		return
	}
	defer c.leave(x)
	defer c.unmute()()
	d := c.defs[x]
	n := d.Node.(*ast.Define)
	file := d.Origin.Root().File
	self := &ir.Var{Name: "self", Type: orNone(creature), Kind: ir.VarSelf}
	var scopeSelf *ir.Var
	if n.Kind != nil {
		t, ok := c.typeNamed(n.Kind.Name)
		if !ok || t.Kind != ir.Ref && t.Kind != ir.EnumType && t.Kind != ir.Square {
			c.errorAt(file, n.Kind.Span, "unknown-kind", "there is no kind "+n.Kind.Name, c.nearestHint(n.Kind.Name, append(keys(c.kinds), keys(c.enums)...)))
		}
		self.Type = t
		x.Kind, x.Enum = c.kinds[n.Kind.Name], c.enums[n.Kind.Name]
		scopeSelf = self
	}
	params := c.params(file, n.Params, ir.VarParam)
	f := &ir.Func{Params: append([]*ir.Var{self}, params...)}
	x.Func = f
	file = c.fileOf(n.Value, d.Origin)
	s := &scope{c: c, file: file, where: "a define", self: scopeSelf, vars: []map[string]*ir.Var{{}}}
	for _, p := range params {
		s.vars[0][p.Name] = p
	}
	s.push()
	s.fn = &ir.Func{} // loop variables belong to no record; there is no situation to need
	if file != d.Origin.Root().File {
		s.inherited = x
	}
	f.Body = s.expr(n.Value, s.replacedType(x, n.Value, d.Origin))
	f.Pos = f.Body.Pos
	x.Type = f.Body.Type
	if x.Type.Kind == ir.Nothing {
		c.errorAt(file, n.Value.Extent(), "untyped-none", "none of what? The type is not known here", "")
		x.Type = invalid
	}
}

func (c *checker) resource(r *ir.Resource) {
	d := c.defs[r]
	n := d.Node.(*ast.Resource)
	bound := func(name string, e ast.Expr) *ir.Func {
		if e == nil {
			return nil
		}
		f, _ := c.pureFunc(c.fileOf(e, d.Origin), "a bound", selfVar(creature), nil, nil, func(s *scope) *ir.Expr { return s.value(e, number) })
		f.Part = c.partIfCited(r.Name+"."+name, d.Origin, e.Extent())
		return f
	}
	r.From, r.To, r.Starts = bound("from", n.From), bound("to", n.To), bound("starts", n.Starts)
	if n.Body == nil {
		return
	}
	for _, cl := range n.Body.Clauses {
		switch x := cl.(type) {
		case *ast.Rule:
			c.later(func() { c.rule(d, x, nil, r, r.Name+"."+x.Name.Name) })
		case *ast.Is:
			switch {
			case hasOnlyFlag(x, "counted-elsewhere"):
				r.Counted = true
			case hasOnlyFlag(x, "whole-turn"):
				r.Share = ir.WholeTurn
			case hasOnlyFlag(x, "beside-actions"):
				r.Share = ir.BesideActions
			default:
				r.Internal = c.isInternal(d, x, "in a resource") || r.Internal
			}
		case *ast.Documentation:
			r.Part.Cites = append(r.Part.Cites, c.expandCites(c.originOf(d, cl).Root().File, x.Cites)...)
		default:
			c.misplaced(d, cl, "in a resource", "rules can, `is internal`, `is counted-elsewhere`, `is whole-turn` and `is beside-actions`")
		}
	}
}

// blockCites adds the documentation inside a block to its owner.
func (c *checker) blockCites(file string, b *ast.Block, p *ir.Part) {
	for _, cl := range b.Clauses {
		if x, ok := cl.(*ast.Documentation); ok {
			c.document(file, x, p)
		}
	}
}

// document adds documentation on a line of its own to its owner.
func (c *checker) document(file string, x *ast.Documentation, p *ir.Part) {
	p.Cites = append(p.Cites, c.expandCites(file, x.Cites)...)
	if x.Doc != nil && p.Doc == "" {
		p.Doc = x.Doc.Value
	}
}
