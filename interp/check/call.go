package check

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file checks what is called in expressions: stats in their situation, defines, built-ins, tables, records.

// stat makes the reading of a stat of x in the situation of labelled; what is not given is filled in inside a check, else absent.
func (s *scope) stat(st *ir.Stat, x *ir.Expr, labelled []ast.Arg, span ast.Span) *ir.Expr {
	c := s.c
	c.statType(st)
	e := &ir.Expr{Op: ir.OpStat, Type: st.Type, Stat: st, Pos: s.pos(span), Args: []*ir.Expr{x}}
	params := st.Params
	if st.Of != nil {
		params = st.Of.Params
	}
	used := map[string]bool{}
	for _, p := range params {
		arg := &ir.Expr{Op: ir.OpConst, Type: nothing, Int: ir.None, Pos: e.Pos}
		given := false
		for i := range labelled {
			if labelled[i].Label.Name == p.Label {
				used[p.Label] = true
				given = true
				t := *s
				t.fill = nil
				if _, bare := labelled[i].Value.(*ast.Name); bare {
					t.lenient++ // passed on as it is, missing or not
				}
				y := t.expr(labelled[i].Value, &p.Type)
				arg = t.demand(y, labelled[i].Value, orNone(p.Type))
			}
		}
		if !given && s.fill != nil {
			if y := s.fill(p); y != nil {
				arg = y
			}
		}
		e.Args = append(e.Args, arg)
	}
	for i := range labelled {
		if l := labelled[i].Label; !used[l.Name] {
			var forms []string
			for _, p := range params {
				forms = append(forms, p.Label+" "+p.Name)
			}
			hint := st.Name + " has no situation"
			if forms != nil {
				hint = "the form is: " + st.Name + " " + strings.Join(forms, " ")
			}
			s.errHint(l.Span, "wrong-label", fmt.Sprintf("%s is not read `%s` anything", st.Name, l.Name), hint)
		}
	}
	return e
}

// callDefine calls a define: args in brackets, labelled after it. x is the thing of a property.
func (s *scope) callDefine(d *ir.Define, x *ir.Expr, args []ast.Arg, span ast.Span) *ir.Expr {
	c := s.c
	c.defineType(d)
	e := &ir.Expr{Op: ir.OpDefine, Type: d.Type, Define: d, Pos: s.pos(span)}
	if x == nil {
		x = &ir.Expr{Op: ir.OpConst, Type: nothing, Int: ir.None, Pos: e.Pos}
	}
	e.Args = append(e.Args, x)
	if d.Func == nil {
		e.Op = ir.OpBad
		return e
	}
	params := d.Func.Params[1:]
	bracketed := 0
	taken := make([]*ir.Expr, len(params))
	for i := range args {
		a := &args[i]
		k := -1
		if a.Label.Name == "" {
			for j, p := range params {
				if p.Label == "" && taken[j] == nil {
					k = j
					break
				}
			}
			bracketed++
		} else {
			for j, p := range params {
				if p.Label == a.Label.Name || p.Label == "" && p.Name == a.Label.Name {
					k = j
				}
			}
		}
		if k < 0 || taken[k] != nil {
			s.errHint(a.Span, "wrong-arguments", "this argument fits no parameter of "+d.Name, "the form is: "+defineForm(d))
			continue
		}
		taken[k] = s.value(a.Value, params[k].Type)
	}
	for j, p := range params {
		if taken[j] == nil {
			s.errHint(span, "wrong-arguments", fmt.Sprintf("%s wants %s", d.Name, p.Name), "the form is: "+defineForm(d))
			taken[j] = s.bad(span)
		}
	}
	e.Args = append(e.Args, taken...)
	return e
}

func defineForm(d *ir.Define) string {
	var in, after []string
	for _, p := range d.Func.Params[1:] {
		if p.Label == "" {
			in = append(in, strings.ToUpper(p.Name))
		} else {
			after = append(after, p.Label+" "+strings.ToUpper(p.Name))
		}
	}
	f := d.Name
	if in != nil {
		f += "(" + strings.Join(in, ", ") + ")"
	}
	return strings.Join(append([]string{f}, after...), " ")
}

func (s *scope) call(n *ast.Call, want *ir.Type) *ir.Expr {
	c := s.c
	all := append(append([]ast.Arg{}, n.Args...), n.Labelled...)
	switch fn := n.Fn.(type) {
	case *ast.Name:
		id := fn.Ident
		if s.lookup(id.Name) == nil {
			if s.self != nil {
				if d := c.propsOf(s.self.Type)[id.Name]; d != nil {
					return s.callDefine(d, s.selfExpr(id.Span), all, n.Span)
				}
			}
			switch x := c.names[id.Name].(type) {
			case *ir.Define:
				return s.callDefine(x, nil, all, n.Span)
			case *ir.Stat:
				if s.self != nil && !n.Bracketed {
					return s.stat(x, s.selfExpr(id.Span), n.Labelled, n.Span)
				}
			case *ir.Hook:
				return s.hookCall(x, all, false, n.Span)
			case *ir.Proc:
				s.errHint(id.Span, "not-pure", id.Name+" acts and gives no number", "write `let NAME = "+id.Name+" ...` and read NAME afterwards")
				return s.bad(n.Span)
			}
			if k := c.kinds[id.Name]; k != nil && n.Bracketed {
				return s.record(k, n)
			}
			if id.Name == "outcome" && n.Bracketed {
				return s.outcome(n)
			}
			if b := builtins[id.Name]; b != nil {
				return s.builtin(id, b, n)
			}
			if (id.Name == "visits" || id.Name == "seen") && n.Bracketed && c.visited != nil {
				return s.visits(id, n)
			}
		}
		if len(n.Labelled) > 0 && !n.Bracketed {
			if s.script[id.Name] == nil && s.lookup(id.Name) == nil {
				s.unknown(id, want)
			} else {
				s.err(n.Labelled[0].Label.Span, "wrong-label", "%s is no stat, so it has no situation", id.Name)
			}
			return s.bad(n.Span)
		}
		var names []string
		names = append(names, keys(builtins)...)
		names = append(names, c.namesOf(func(x any) bool { _, ok := x.(*ir.Define); return ok })...)
		s.errHint(id.Span, "unknown-function", "there is no function "+id.Name, c.nearest(id.Name, names))
		return s.bad(n.Span)
	case *ast.Field:
		x := s.expr(fn.X, nil)
		if x.Type.Kind == ir.Invalid {
			return s.bad(n.Span)
		}
		if x.Type.OrNone {
			x = s.guarded(x, fn.X)
		}
		if !n.Bracketed {
			if y := s.property(x, fn.Name, n.Labelled); y != nil {
				if y.Op != ir.OpStat && y.Op != ir.OpDefine {
					s.err(n.Labelled[0].Label.Span, "wrong-label", "%s is no stat, so it has no situation", fn.Name.Name)
				}
				return y
			}
		} else if d := c.propsOf(x.Type)[fn.Name.Name]; d != nil {
			return s.callDefine(d, x, all, n.Span)
		}
		s.errHint(fn.Name.Span, "unknown-name", fmt.Sprintf("%s has nothing called %s", article(typeName(x.Type)), fn.Name.Name), c.nearest(fn.Name.Name, s.propertyNames(x.Type)))
		return s.bad(n.Span)
	}
	s.err(n.Fn.Extent(), "unknown-function", "only a name can be called")
	return s.bad(n.Span)
}

// record makes a thing of a kind while playing: part(amount: 3, type: fire).
func (s *scope) record(k *ir.Kind, n *ast.Call) *ir.Expr {
	if k.Name == "creature" {
		s.errHint(n.Span, "wrong-arguments", "a creature cannot be made by an expression", "place it in a `side`")
		return s.bad(n.Span)
	}
	e := &ir.Expr{Op: ir.OpRecord, Type: refTo(k.Name), Kind: k, Pos: s.pos(n.Span), Args: make([]*ir.Expr, len(k.Fields))}
	for i := range n.Args {
		a := &n.Args[i]
		f := i
		if a.Label.Name != "" {
			f = k.Field(a.Label.Name)
		}
		if f < 0 || f >= len(k.Fields) {
			var names []string
			for _, fd := range k.Fields {
				names = append(names, fd.Name)
			}
			s.errHint(a.Span, "wrong-arguments", "the kind "+k.Name+" has no such field", s.c.nearest(a.Label.Name, names))
			continue
		}
		e.Args[f] = s.value(a.Value, k.Fields[f].Type)
	}
	for i, f := range k.Fields {
		if e.Args[i] == nil {
			e.Args[i] = s.constExpr(f.Const, f.Type, n.Span)
		}
	}
	return e
}

// outcome makes the outcome of a check that nobody threw for: outcome(success: yes).
func (s *scope) outcome(n *ast.Call) *ir.Expr {
	if !s.acting {
		s.errHint(n.Span, "not-pure", "an outcome is made where something is done", "write it in a step or a rule")
		return s.bad(n.Span)
	}
	e := &ir.Expr{Op: ir.OpOutcome, Type: ir.Type{Kind: ir.Outcome}, Pos: s.pos(n.Span), Args: make([]*ir.Expr, len(ir.OutcomeFields))}
	for i := range n.Args {
		a := &n.Args[i]
		f := slices.Index(ir.OutcomeFields, a.Label.Name)
		if f < 0 {
			s.errHint(a.Span, "wrong-arguments", "an outcome has no such part", s.c.nearest(a.Label.Name, ir.OutcomeFields))
			continue
		}
		e.Args[f] = s.value(a.Value, outcomeField(f))
	}
	for f := range e.Args {
		if e.Args[f] == nil {
			e.Args[f] = s.constant(outcomeField(f), 0, n.Span)
		}
	}
	return e
}

// outcomeField is the type of a part of an outcome, by its place in ir.OutcomeFields.
func outcomeField(f int) ir.Type {
	if ir.OutcomeFields[f] == "success" {
		return yesNo
	}
	return number
}

// constExpr spells a constant as an expression.
func (s *scope) constExpr(k *ir.Const, t ir.Type, span ast.Span) *ir.Expr {
	if k == nil {
		return s.constant(t, zero(t), span)
	}
	if !k.IsList {
		return s.constant(t, k.Value, span)
	}
	x := &ir.Expr{Op: ir.OpList, Type: t, Pos: s.pos(span)}
	for _, it := range k.List {
		x.Args = append(x.Args, s.constExpr(it, *t.Elem, span))
	}
	return x
}

// zero of a type: no, 0, or none for what is a reference.
func zero(t ir.Type) int64 {
	if t.OrNone {
		return ir.None
	}
	switch t.Kind {
	case ir.Number, ir.YesNo, ir.Text, ir.Dice, ir.Quantity, ir.EnumType:
		return 0
	}
	return ir.None
}

func unparen(e ast.Expr) ast.Expr {
	for {
		p, ok := e.(*ast.Paren)
		if !ok {
			return e
		}
		e = p.X
	}
}

// --- tables ---------------------------------------------------------------------------------------

func (s *scope) tableOf(e ast.Expr) *ir.Table {
	if n, ok := e.(*ast.Name); ok && s.lookup(n.Name) == nil {
		t, _ := s.c.names[n.Name].(*ir.Table)
		return t
	}
	return nil
}

func (s *scope) index(n *ast.Index) *ir.Expr {
	if t := s.tableOf(n.X); t != nil {
		return s.tableLookup(t, n, nil)
	}
	x := s.expr(n.X, nil)
	if x.Type.Kind != ir.List {
		if x.Type.Kind != ir.Invalid {
			s.err(n.X.Extent(), "wrong-type", "this is %s; only tables and lists are looked up in", article(typeName(x.Type)))
		}
		return s.bad(n.Span)
	}
	if len(n.Keys) != 1 {
		s.err(n.Span, "wrong-arguments", "a list is looked up by one number, from 1")
		return s.bad(n.Span)
	}
	return &ir.Expr{Op: ir.OpIndex, Type: *x.Type.Elem, Pos: s.pos(n.Span), Args: []*ir.Expr{x, s.value(n.Keys[0], number)}}
}

func (s *scope) tableLookup(t *ir.Table, n *ast.Index, column *ast.Ident) *ir.Expr {
	s.c.table(t)
	e := &ir.Expr{Op: ir.OpTable, Table: t, Pos: s.pos(n.Span), Type: invalid}
	if len(t.Keys) == 0 || len(t.Types) == 0 {
		return s.bad(n.Span)
	}
	want := len(t.Keys)
	e.Args = append(e.Args, s.value(n.Keys[0], t.Keys[0]))
	switch {
	case want == 2:
		if len(n.Keys) != 2 || column != nil {
			s.errHint(n.Span, "wrong-arguments", t.Name+" is looked up by two keys", "write "+t.Name+"[KEY, KEY]")
			return s.bad(n.Span)
		}
		e.Args = append(e.Args, s.value(n.Keys[1], t.Keys[1]))
		e.Type = t.Types[0]
	default:
		i := 0
		var id *ast.Ident
		if column != nil {
			id = column
		} else if len(n.Keys) == 2 {
			name, ok := n.Keys[1].(*ast.Name)
			if !ok {
				s.errHint(n.Keys[1].Extent(), "wrong-arguments", "a column is named by its heading", "columns of "+t.Name+": "+strings.Join(t.Names, ", "))
				return s.bad(n.Span)
			}
			id = &name.Ident
		}
		if id != nil {
			i = -1
			for j, name := range t.Names {
				if name == id.Name {
					i = j
				}
			}
			if i < 0 {
				s.errHint(id.Span, "unknown-column", t.Name+" has no column "+id.Name, "columns: "+strings.Join(t.Names, ", "))
				return s.bad(n.Span)
			}
		} else if len(t.Names) != 1 {
			s.errHint(n.Span, "wrong-arguments", "which column of "+t.Name+"?", "write "+t.Name+"[KEY, "+t.Names[0]+"]; columns: "+strings.Join(t.Names, ", "))
			return s.bad(n.Span)
		}
		e.Args = append(e.Args, s.constant(number, int64(i), n.Span))
		e.Type = t.Types[i]
	}
	if s.c.hasGM(t) && !s.acting {
		s.errHint(n.Span, "not-pure", "a cell of "+t.Name+" is the game master's to decide, and this is "+s.where+", which only reads", "look it up in a procedure, with `let`")
		return s.bad(n.Span)
	}
	e.Label = s.labelHere() + "." + t.Name
	return e
}

func (c *checker) hasGM(t *ir.Table) bool {
	for _, row := range t.Cells {
		for _, cell := range row {
			if cell.GM {
				return true
			}
		}
	}
	return false
}

// --- is, has, can ------------------------------------------------------------------------------------

func (s *scope) isTest(n *ast.IsTest) *ir.Expr {
	c := s.c
	pos := s.pos(n.Span)
	if n.Verb.Name == "can" {
		x := s.value(n.X, creature)
		name, ok := n.Words[0].(*ast.Name)
		if !ok {
			s.err(n.Words[0].Extent(), "unknown-permission", "after `can` stands an action or a permission")
			return s.bad(n.Span)
		}
		i, ok := c.perms[name.Name]
		if !ok {
			s.errHint(name.Span, "unknown-permission", "there is no action or permission "+name.Name, c.nearest(name.Name, keys(c.perms)))
			return s.bad(n.Span)
		}
		e := &ir.Expr{Op: ir.OpCan, Type: yesNo, Int: int64(i), Args: []*ir.Expr{x}, Pos: pos}
		if n.Not {
			e = &ir.Expr{Op: ir.OpNot, Type: yesNo, Args: []*ir.Expr{e}, Pos: pos}
		}
		return e
	}
	onlyNone := len(n.Words) == 1 && isNoneWord(n.Words[0])
	if onlyNone {
		s.lenient++
	}
	x := s.unguarded(n.X, nil)
	if onlyNone {
		s.lenient--
	}
	if x.Type.Kind == ir.Invalid {
		return s.bad(n.Span)
	}
	if s.sure(x) && !onlyNone {
		y := *x
		y.Type = met(x.Type)
		x = &y
	}
	var e *ir.Expr
	for _, w := range n.Words {
		y := s.word(x, n, w)
		if e == nil {
			e = y
		} else {
			e = &ir.Expr{Op: ir.OpOr, Type: yesNo, Args: []*ir.Expr{e, y}, Pos: pos}
		}
	}
	if n.Not {
		e = &ir.Expr{Op: ir.OpNot, Type: yesNo, Args: []*ir.Expr{e}, Pos: pos}
	}
	return e
}

func isNoneWord(w ast.Expr) bool {
	l, ok := w.(*ast.Literal)
	return ok && l.Word == "none"
}

// word checks one word after is or has.
// word types one word after `is` or `has`: none, a member, a property, an effect, a field, a template, or a value to equal,
// in this order.
func (s *scope) word(x *ir.Expr, n *ast.IsTest, w ast.Expr) *ir.Expr {
	c := s.c
	pos := s.pos(n.Span)
	if isNoneWord(w) {
		if !x.Type.OrNone && !s.lenientVar(x) {
			s.errHint(n.Span, "never-none", "this is never none", "")
		}
		return &ir.Expr{Op: ir.OpEq, Type: yesNo, Args: []*ir.Expr{x, s.constant(nothing, ir.None, w.Extent())}, Pos: pos}
	}
	var id ast.Ident
	var args []ast.Arg
	switch y := w.(type) {
	case *ast.Name:
		id = y.Ident
	case *ast.Call:
		name, ok := y.Fn.(*ast.Name)
		if !ok {
			s.err(w.Extent(), "unknown-name", "a name stands after `%s`", n.Verb.Name)
			return s.bad(n.Span)
		}
		id = name.Ident
		args = append(append(args, y.Args...), y.Labelled...)
	default:
		z := s.expr(w, &x.Type)
		if z.Type.Kind == ir.Invalid {
			return s.bad(n.Span)
		}
		if !sameType(x.Type, z.Type) {
			s.err(n.Span, "wrong-type", "%s is never %s", article(typeName(x.Type)), article(typeName(z.Type)))
		}
		return &ir.Expr{Op: ir.OpEq, Type: yesNo, Args: []*ir.Expr{x, z}, Pos: pos}
	}
	t := x.Type
	if t.OrNone && t.Kind == ir.Ref {
		x = s.guarded(x, n.X)
		t = x.Type
	}
	if t.Kind == ir.List { // has: an element
		z := s.expr(w, t.Elem)
		return &ir.Expr{Op: ir.OpIn, Type: yesNo, Args: []*ir.Expr{z, x}, Pos: pos}
	}
	if t.Kind == ir.EnumType {
		if e := c.enums[t.Name]; e.Member(id.Name) >= 0 {
			return &ir.Expr{Op: ir.OpEq, Type: yesNo, Args: []*ir.Expr{x, s.constant(t, int64(e.Member(id.Name)), id.Span)}, Pos: pos}
		}
	}
	if d := c.propsOf(t)[id.Name]; d != nil {
		return s.yes(s.callDefine(d, x, args, n.Span), id)
	}
	if tm, ok := c.names[id.Name].(*ir.Template); ok && t.Kind == ir.Square && tm.Kind == c.kinds["terrain"] {
		ground := &ir.Expr{Op: ir.OpBuiltin, Name: "terrain", Type: listOf(refTo("terrain")), Args: []*ir.Expr{x}, Pos: pos}
		return &ir.Expr{Op: ir.OpIn, Type: yesNo, Args: []*ir.Expr{s.constant(refTo("terrain"), templateRef(tm.Index), id.Span), ground}, Pos: pos}
	}
	if t.Kind == ir.Ref {
		k := c.kinds[t.Name]
		if t.Name == "creature" {
			if f, ok := c.names[id.Name].(*ir.Effect); ok && k.Field(id.Name) < 0 {
				if want := isOrHas(f); want != n.Verb.Name {
					s.errHint(id.Span, "is-or-has", fmt.Sprintf("%s is %s", f.Name, article(f.Word)), "write `"+want+" "+f.Name+"`")
				}
				e := &ir.Expr{Op: ir.OpHas, Type: yesNo, Effect: f, Args: []*ir.Expr{x}, Pos: pos}
				e.Args = append(e.Args, s.effectArgs(f, args, false, n.Span)...)
				return e
			}
		}
		if i := k.Field(id.Name); i >= 0 {
			return s.yes(&ir.Expr{Op: ir.OpField, Type: k.Fields[i].Type, Kind: k, Int: int64(i), Args: []*ir.Expr{x}, Pos: pos}, id)
		}
		if y := s.property(x, id, nil); y != nil && y.Type.Kind == ir.YesNo {
			return y
		}
		if tm, ok := c.names[id.Name].(*ir.Template); ok && tm.Kind == k {
			if t.Name == "creature" {
				return &ir.Expr{Op: ir.OpBuiltin, Name: "made-from", Type: yesNo, Int: templateRef(tm.Index), Args: []*ir.Expr{x, s.constant(t, templateRef(tm.Index), id.Span)}, Pos: pos}
			}
			return &ir.Expr{Op: ir.OpEq, Type: yesNo, Args: []*ir.Expr{x, s.constant(t, templateRef(tm.Index), id.Span)}, Pos: pos}
		}
	}
	if z := s.quiet(w, &t); z != nil && sameType(z.Type, t) {
		return &ir.Expr{Op: ir.OpEq, Type: yesNo, Args: []*ir.Expr{x, z}, Pos: pos}
	}
	s.errHint(id.Span, "unknown-name", fmt.Sprintf("%s can neither be nor have %s", article(typeName(t)), id.Name), c.nearest(id.Name, c.wordsOf(t)))
	return s.bad(n.Span)
}

// propsOf are the defines of a kind, an enum or of squares.
func (c *checker) propsOf(t ir.Type) map[string]*ir.Define {
	switch t.Kind {
	case ir.Ref, ir.EnumType:
		return c.props[t.Name]
	case ir.Square:
		return c.props["square"]
	}
	return nil
}

// wordsOf lists what a thing of the type may be or have.
func (c *checker) wordsOf(t ir.Type) []string {
	names := keys(c.propsOf(t))
	if t.Kind == ir.Ref {
		for _, f := range c.kinds[t.Name].Fields {
			names = append(names, f.Name)
		}
		if t.Name == "creature" {
			names = append(names, c.namesOf(isEffect)...)
		}
	}
	if t.Kind == ir.EnumType {
		names = append(names, c.enums[t.Name].Members...)
	}
	return names
}

// lenientVar: a part of a stat's situation may always be asked for.
func (s *scope) lenientVar(x *ir.Expr) bool {
	return x.Op == ir.OpVar && s.situation(x.Var)
}

func (s *scope) yes(x *ir.Expr, id ast.Ident) *ir.Expr {
	if x.Type.Kind != ir.YesNo && x.Type.Kind != ir.Invalid {
		s.err(id.Span, "wrong-type", "%s is %s, not a yes-no", id.Name, article(typeName(x.Type)))
	}
	return x
}

// effectArgs matches arguments to an effect's parameters. With all, each must be given.
func (s *scope) effectArgs(f *ir.Effect, args []ast.Arg, all bool, span ast.Span) []*ir.Expr {
	out := make([]*ir.Expr, f.NParams)
	for i := range args {
		a := &args[i]
		k := -1
		for j := 0; j < f.NParams; j++ {
			p := f.Values[j]
			if p.Label == a.Label.Name && out[j] == nil || a.Label.Name != "" && p.Label == "" && p.Name == a.Label.Name {
				k = j
				break
			}
		}
		if k < 0 {
			s.errHint(a.Span, "wrong-arguments", "this argument fits no parameter of "+f.Name, "the form is: "+effectForm(f))
			continue
		}
		out[k] = s.value(a.Value, f.Values[k].Type)
	}
	if !all { // what is not named may be anything
		if !slices.ContainsFunc(out, func(x *ir.Expr) bool { return x != nil }) {
			return nil
		}
		return out
	}
	for j := range out {
		if out[j] != nil {
			continue
		}
		if out[j] = s.c.effectDefault(f, j); out[j] == nil {
			s.errHint(span, "wrong-arguments", fmt.Sprintf("%s wants %s", f.Name, f.Values[j].Name), "the form is: "+effectForm(f))
			out[j] = &ir.Expr{Op: ir.OpConst, Type: nothing, Int: ir.None, Pos: s.pos(span)}
		}
	}
	return out
}

// effectDefault is what a parameter of an effect is when nobody says; nil if the effect does not say either.
func (c *checker) effectDefault(f *ir.Effect, i int) *ir.Expr {
	n := c.effects[f]
	if n == nil || i >= len(n.Params) || n.Params[i].Default == nil {
		return nil
	}
	def, t := n.Params[i].Default, f.Values[i].Type
	s := c.still(c.fileOf(def, c.nodes[f].Origin), "a default")
	k, ok := s.fold(s.value(def, t), def)
	if !ok || k.IsList {
		return nil
	}
	return s.constant(t, k.Value, def.Extent())
}

func effectForm(f *ir.Effect) string {
	w := []string{f.Name}
	for _, v := range f.Values[:f.NParams] {
		if v.Label != "" {
			w = append(w, v.Label)
		}
		w = append(w, strings.ToUpper(v.Name))
	}
	return strings.Join(w, " ")
}

// --- lists ---------------------------------------------------------------------------------------------

func (s *scope) query(q *ast.Query) *ir.Query {
	in := s.expr(q.In, nil)
	elem := invalid
	if in.Type.Kind == ir.List && !in.Type.OrNone {
		elem = *in.Type.Elem
	} else if in.Type.Kind != ir.Invalid {
		s.errHint(q.In.Extent(), "wrong-type", fmt.Sprintf("this is %s, and a list is wanted", article(typeName(in.Type))), "")
	}
	v := s.bindLoop(q.Var, elem)
	out := &ir.Query{Word: "each", Var: v, In: in, Descending: q.Descending}
	if q.Where != nil {
		p := s.pure("a `where`")
		out.Where = p.cond(q.Where)
	}
	if q.Sort != nil {
		p := s.pure("a `sorted by`")
		k := p.expr(q.Sort, nil)
		if p.arithmetic(k, q.Sort) {
			out.Sort = k
		}
	}
	return out
}

// bindLoop binds the variable of a loop or query: never part of a record.
func (s *scope) bindLoop(id ast.Ident, t ir.Type) *ir.Var {
	v := &ir.Var{Name: id.Name, Type: t, Kind: ir.VarLocal, Owner: s.proc}
	s.vars[len(s.vars)-1][id.Name] = v
	switch {
	case s.fn != nil:
	case s.proc != nil:
		s.proc.Vars = append(s.proc.Vars, v)
	case s.rule != nil:
		s.rule.Vars = append(s.rule.Vars, v)
	case s.plain != nil:
		*s.plain = append(*s.plain, v)
	}
	return v
}

func (s *scope) quantified(n *ast.Quantified, want *ir.Type) *ir.Expr {
	pos := s.pos(n.Span)
	s.push()
	defer s.pop()
	q := s.query(&n.Query)
	q.Word = n.Word.Name
	elem := q.Var.Type
	t := yesNo
	switch n.Word.Name {
	case "some", "no":
	case "every":
		if q.Where == nil {
			s.errHint(n.Span, "wrong-arguments", "`every` wants a condition", "the form is: every X in LIST where COND")
		}
	case "count":
		t = number
	case "first":
		t = orNone(elem)
	case "pick":
		if !s.acts(n.Span, "nobody can pick") {
			return s.bad(n.Span)
		}
		q.Word = "each"
		who := s.self
		e := &ir.Expr{Op: ir.OpPick, Type: orNone(elem), Query: q, Label: s.labelHere(), Pos: pos}
		if by, ok := n.By.(*ast.Name); ok && by.Name == "chance" && s.lookup("chance") == nil { // a die picks
			e.Name = "chance"
			if who != nil {
				e.Args = append(e.Args, s.read(who, n.Span))
			} else {
				e.Args = append(e.Args, s.constant(nothing, ir.None, n.Span))
			}
			return e
		}
		if n.By != nil {
			e.Args = append(e.Args, s.value(n.By, creature))
		} else if who != nil {
			e.Args = append(e.Args, s.read(who, n.Span))
		} else {
			s.errHint(n.Span, "no-self", "who picks?", "the form is: pick X in LIST by WHO")
			return s.bad(n.Span)
		}
		return e
	case "each":
		t = listOf(elem)
		if n.Of != nil {
			q.Of = s.expr(n.Of, nil)
			t = listOf(q.Of.Type)
		}
	case "sum", "highest", "lowest":
		if n.Of == nil {
			s.errHint(n.Span, "wrong-arguments", "`"+n.Word.Name+"` of what?", "the form is: "+n.Word.Name+" X in LIST of EXPR")
			return s.bad(n.Span)
		}
		q.Of = s.expr(n.Of, nil)
		if n.Word.Name == "sum" && q.Of.Type.Kind == ir.List && !q.Of.Type.OrNone {
			t = q.Of.Type // lists are joined
			break
		}
		if !s.arithmetic(q.Of, n.Of) {
			return s.bad(n.Span)
		}
		t = q.Of.Type
		if n.Word.Name != "sum" {
			t = orNone(t)
		}
	}
	return &ir.Expr{Op: ir.OpQuery, Type: t, Query: q, Pos: pos}
}
