package check

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file checks calls in expressions: stats in their situation, defines, built-in functions, tables, records.

// stat reads a stat of x in the situation given by labelled. Inside a check, missing arguments are filled in; elsewhere
// they are absent, except for what a question assumes.
func (s *scope) stat(st *ir.Stat, x *ir.Expr, labelled []ast.Arg, span ast.Span) *ir.Expr {
	c := s.c
	c.checkStat(st)
	e := &ir.Expr{Op: ir.OpStat, Type: st.Type, Stat: st, Pos: s.pos(span), Args: []*ir.Expr{x}}
	params := st.Params
	if st.ViewOf != nil {
		params = st.ViewOf.Params
	}
	usedLabels := map[string]bool{}
	for at, p := range params {
		arg := &ir.Expr{Op: ir.OpConst, Type: nothing, Int: ir.None, Pos: e.Pos}
		found := false
		for i := range labelled {
			if labelled[i].Label.Name == p.Label {
				if found {
					s.errDuplicateArg(labelled, i)
					continue
				}
				usedLabels[p.Label] = true
				found = true
				t := *s
				t.fill = nil
				if _, bare := labelled[i].Value.(*ast.Name); bare {
					t.lenient++ // passed on as it is, absent or not
				}
				y := t.expr(labelled[i].Value, &p.Type)
				arg = t.demand(y, labelled[i].Value, orNone(p.Type))
			}
		}
		if !found && s.fill != nil {
			if y := s.fill(p); y != nil {
				arg, found = y, true
			}
		}
		if !found {
			if y := s.assumed(st, at, e.Args); y != nil {
				arg = y
				e.Int |= 1 << at
			}
		}
		e.Args = append(e.Args, arg)
	}
	for i := range labelled {
		if l := labelled[i].Label; !usedLabels[l.Name] {
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

// errDuplicateArg reports an argument with the label of an earlier one.
func (s *scope) errDuplicateArg(args []ast.Arg, at int) {
	label := args[at].Label
	first := slices.IndexFunc(args, func(a ast.Arg) bool { return a.Label.Name == label.Name })
	s.errDuplicate(label.Span, args[first].Label.Span, "`"+label.Name+"` is given twice", "remove one of them")
}

// callDefine checks a call of a define. x is the thing of a property, else nil.
func (s *scope) callDefine(d *ir.Define, x *ir.Expr, args []ast.Arg, span ast.Span) *ir.Expr {
	c := s.c
	c.checkDefine(d)
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
	values := make([]*ir.Expr, len(params))
	for i := range args {
		a := &args[i]
		k := -1
		if a.Label.Name == "" {
			for j, p := range params {
				if p.Label == "" && values[j] == nil {
					k = j
					break
				}
			}
		} else {
			for j, p := range params {
				if p.Label == a.Label.Name || p.Label == "" && p.Name == a.Label.Name {
					k = j
				}
			}
		}
		if k < 0 || values[k] != nil {
			s.errHint(a.Span, "wrong-arguments", "this argument does not fit any parameter of "+d.Name, "the form is: "+defineForm(d))
			continue
		}
		values[k] = s.value(a.Value, params[k].Type)
	}
	for j, p := range params {
		if values[j] == nil {
			s.errHint(span, "wrong-arguments", fmt.Sprintf("%s needs %s", d.Name, p.Name), "the form is: "+defineForm(d))
			values[j] = s.bad(span)
		}
	}
	e.Args = append(e.Args, values...)
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
	args := append(append([]ast.Arg{}, n.Args...), n.Labelled...)
	switch fn := n.Fn.(type) {
	case *ast.Name:
		id := fn.Ident
		if s.lookup(id.Name) == nil {
			if s.self != nil {
				if d := c.propsOf(s.self.Type)[id.Name]; d != nil {
					return s.callDefine(d, s.selfExpr(id.Span), args, n.Span)
				}
			}
			switch x := c.names[id.Name].(type) {
			case *ir.Define:
				return s.callDefine(x, nil, args, n.Span)
			case *ir.Stat:
				if s.self != nil && !n.Bracketed {
					return s.stat(x, s.selfExpr(id.Span), n.Labelled, n.Span)
				}
			case *ir.Hook:
				return s.hookCall(x, args, false, n.Span)
			case *ir.Proc:
				s.errHint(id.Span, "not-pure", id.Name+" is an action and has no value", "write `let NAME = "+id.Name+" ...` and read NAME afterwards")
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
			if (id.Name == "visits" || id.Name == "seen") && n.Bracketed && c.visitCounters != nil {
				return s.visits(id, n)
			}
		}
		if len(n.Labelled) > 0 && !n.Bracketed {
			if s.script[id.Name] == nil && s.lookup(id.Name) == nil {
				s.errUnknown(id, want)
			} else {
				s.err(n.Labelled[0].Label.Span, "wrong-label", "%s is not a stat, so it has no situation", id.Name)
			}
			return s.bad(n.Span)
		}
		var names []string
		names = append(names, keys(builtins)...)
		names = append(names, c.namesOf(func(x any) bool { _, ok := x.(*ir.Define); return ok })...)
		hint := c.nearestHint(id.Name, names)
		if len(n.Args) == 1 && s.visitCounter(dotted(n.Args[0].Value)) != nil {
			hint = sceneHint(dotted(n.Args[0].Value))
		}
		s.errHint(id.Span, "unknown-function", "there is no function "+id.Name, hint)
		return s.bad(n.Span)
	case *ast.Field:
		x := s.expr(fn.X, nil)
		if x.Type.Kind == ir.Invalid {
			return s.bad(n.Span)
		}
		if x.Type.OrNone {
			x = s.errMayBeNone(x, fn.X)
		}
		if !n.Bracketed {
			if y := s.property(x, fn.Name, n.Labelled); y != nil {
				if y.Op != ir.OpStat && y.Op != ir.OpDefine {
					s.err(n.Labelled[0].Label.Span, "wrong-label", "%s is not a stat, so it has no situation", fn.Name.Name)
				}
				return y
			}
		} else if d := c.propsOf(x.Type)[fn.Name.Name]; d != nil {
			return s.callDefine(d, x, args, n.Span)
		}
		s.errNoMember(fn.Name, x.Type)
		return s.bad(n.Span)
	}
	s.errHint(n.Fn.Extent(), "unknown-function", "only a name can be called", "write NAME(A, B)")
	return s.bad(n.Span)
}

// record checks an expression that creates a thing of a kind at run time: part(amount: 3, type: fire).
func (s *scope) record(k *ir.Kind, n *ast.Call) *ir.Expr {
	if k.Name == "creature" {
		s.errHint(n.Span, "wrong-arguments", "an expression cannot create a creature", "place it in a `side`")
		return s.bad(n.Span)
	}
	e := &ir.Expr{Op: ir.OpRecord, Type: refTo(k.Name), Kind: k, Pos: s.pos(n.Span), Args: make([]*ir.Expr, len(k.Fields))}
	fieldArgs := make([]*ast.Arg, len(k.Fields))
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
			s.errHint(a.Span, "wrong-arguments", "the kind "+k.Name+" has no such field", s.c.nearestHint(a.Label.Name, names))
			continue
		}
		if fieldArgs[f] != nil {
			s.errDuplicate(a.Span, fieldArgs[f].Span, k.Fields[f].Name+" is given twice", "remove one of them")
			continue
		}
		fieldArgs[f] = a
		e.Args[f] = s.value(a.Value, k.Fields[f].Type)
	}
	for i, f := range k.Fields {
		if e.Args[i] == nil {
			e.Args[i] = s.constExpr(f.Const, f.Type, n.Span)
		}
	}
	return e
}

// outcome checks an expression that creates an outcome without a roll: outcome(success: yes).
func (s *scope) outcome(n *ast.Call) *ir.Expr {
	if !s.acting {
		s.errHint(n.Span, "not-pure", "an outcome can only be made in a procedure", "write it in a step or a rule")
		return s.bad(n.Span)
	}
	e := &ir.Expr{Op: ir.OpOutcome, Type: ir.Type{Kind: ir.Outcome}, Pos: s.pos(n.Span), Args: make([]*ir.Expr, len(ir.OutcomeFields))}
	for i := range n.Args {
		a := &n.Args[i]
		f := slices.Index(ir.OutcomeFields, a.Label.Name)
		if f < 0 {
			s.errHint(a.Span, "wrong-arguments", "an outcome has no such part", s.c.nearestHint(a.Label.Name, ir.OutcomeFields))
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

// outcomeField is the type of a field of an outcome, by its index in ir.OutcomeFields.
func outcomeField(f int) ir.Type {
	if ir.OutcomeFields[f] == "success" {
		return yesNo
	}
	return number
}

// constExpr returns a constant as an expression.
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

// zero is the zero value of a type: no, 0, or none for a reference.
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
			s.err(n.X.Extent(), "wrong-type", "this is %s; only tables and lists can be indexed", article(typeName(x.Type)))
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
				hint := "columns: " + strings.Join(t.Names, ", ")
				if v := s.lookup(id.Name); v != nil && column == nil {
					hint += fmt.Sprintf("; where a value chooses the column, the table has two keys: `table %s by %s, %s`", t.Name, typeName(t.Keys[0]), typeName(v.Type))
				}
				s.errHint(id.Span, "unknown-column", t.Name+" has no column "+id.Name, hint)
				return s.bad(n.Span)
			}
		} else if len(t.Names) != 1 {
			s.errHint(n.Span, "wrong-arguments", "which column of "+t.Name+"?", "write "+t.Name+"[KEY, "+t.Names[0]+"]; columns: "+strings.Join(t.Names, ", "))
			return s.bad(n.Span)
		}
		e.Args = append(e.Args, s.constant(number, int64(i), n.Span))
		e.Type = t.Types[i]
	}
	if t.HasGMCells() && !s.acting {
		s.errHint(n.Span, "not-pure", "a cell of "+t.Name+" is for the game master to decide, but this is "+s.where+", which only reads", "look it up in a procedure, with `let`")
		return s.bad(n.Span)
	}
	if t.HasGMCells() {
		s.asks(t.Name, chosen)
	}
	return e
}

// --- is, has, can ------------------------------------------------------------------------------------

// effectArgs matches arguments to an effect's parameters. With all, none may be missing.
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
			s.errHint(a.Span, "wrong-arguments", "this argument does not fit any parameter of "+f.Name, "the form is: "+effectForm(f))
			continue
		}
		out[k] = s.value(a.Value, f.Values[k].Type)
	}
	if !all { // unnamed parameters match anything
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
			s.errHint(span, "wrong-arguments", fmt.Sprintf("%s needs %s", f.Name, f.Values[j].Name), "the form is: "+effectForm(f))
			out[j] = &ir.Expr{Op: ir.OpConst, Type: nothing, Int: ir.None, Pos: s.pos(span)}
		}
	}
	return out
}

// effectDefault is the default of a parameter of an effect, nil if it has none.
func (c *checker) effectDefault(f *ir.Effect, i int) *ir.Expr {
	c.whole()
	n := c.effectNodes[f]
	if n == nil || i >= len(n.Params) || n.Params[i].Default == nil {
		return nil
	}
	def, t := n.Params[i].Default, f.Values[i].Type
	s := c.constScope(c.fileOf(def, c.defs[f].Origin), "a default")
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
