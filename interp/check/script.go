package check

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file checks the parts of scripts against a checked ruleset: members of sides, statements, expressions.

// Script is a script that is checked statement by statement. Its names are creatures and variables bound by `let`.
type Script struct {
	c     *checker
	file  string
	names map[string]*ir.Expr
	label string         // prefix of the labels of rolls and choices; "": ScriptLabel
	facts map[string]int // expressions that surrounding conditions have proved not none
	self  *ir.Expr       // the creature whose stats can be named without it; nil: none

	atRunTime bool // see AtRunTime
}

// NewScript starts a script in a file.
func (k *Checked) NewScript(file string) *Script {
	return &Script{c: k.c, file: file, names: map[string]*ir.Expr{}, facts: map[string]int{}}
}

// BindSide binds the name of a side to a list of creatures.
func (s *Script) BindSide(name string, refs []int64) {
	x := &ir.Expr{Op: ir.OpList, Type: listOf(creature)}
	for _, ref := range refs {
		x.Args = append(x.Args, &ir.Expr{Op: ir.OpConst, Type: creature, Int: ref})
	}
	s.names[name] = x
}

// BindSideIfFree binds the name of a side to a list of creatures, unless something else has the name.
func (s *Script) BindSideIfFree(name string, refs []int64) {
	if x, known := s.names[name]; known && x.Op != ir.OpList {
		return
	}
	if _, taken := s.c.names[name]; !taken && s.c.members[name] == nil {
		s.BindSide(name, refs)
	}
}

// Assume adds the facts that follow from a condition being true or false, until undo is called: expressions that it
// proves not none can be used.
func (s *Script) Assume(x *ir.Expr, holds bool) (undo func()) {
	return (&scope{c: s.c, facts: s.facts}).assume(x, holds)
}

// BindCreature binds the name of a creature; ref is its value in the machine.
func (s *Script) BindCreature(name string, ref int64) {
	s.names[name] = &ir.Expr{Op: ir.OpConst, Type: creature, Int: ref}
}

// SetSelf sets the creature that expressions are about: its fields and stats can be named without it.
func (s *Script) SetSelf(ref int64) { s.self = &ir.Expr{Op: ir.OpConst, Type: creature, Int: ref} }

// BindVariable binds a name to a variable that a `let` of an earlier statement has declared.
func (s *Script) BindVariable(name string, v *ir.Var) {
	s.names[name] = &ir.Expr{Op: ir.OpVar, Type: v.Type, Var: v}
}

// BindResult binds the name that a statement gives to its result, if it gives one: a `let`, or a check, roll or chance
// with `as`.
func (s *Script) BindResult(cl ast.Clause, stmts []*ir.Stmt) {
	name := (*ast.Ident)(nil)
	switch n := cl.(type) {
	case *ast.Let:
		name = &n.Name
	case *ast.Branch:
		name = n.As
	}
	if name == nil {
		return
	}
	for _, st := range stmts {
		for st.Op == ir.DoIf && len(st.Body) > 0 { // a statement with a guard
			st = st.Body[0]
		}
		switch {
		case st.Var != nil:
			s.BindVariable(name.Name, st.Var)
		case st.Check != nil && st.Check.Var != nil:
			s.BindVariable(name.Name, st.Check.Var)
		default:
			continue
		}
		return
	}
}

// Elements is the list that a `for each` of a script goes through, as an expression.
func Elements(n *ast.ForEach) ast.Expr {
	q := n.Query
	return &ast.Quantified{Span: q.Span, Word: ast.Ident{Span: q.Span, Name: "each"}, Query: q, Of: &ast.Name{Ident: q.Var}}
}

// BindElement binds the name of a `for each` of a script to one of the elements of a list; with a nil value, to any of
// them, for checking. The returned function binds the name as before.
func (s *Script) BindElement(n *ast.ForEach, list *ir.Expr, value *int64) (undo func()) {
	name := n.Query.Var.Name
	before, bound := s.names[name]
	elem := ir.Type{}
	if list != nil && list.Type.Kind == ir.List && list.Type.Elem != nil {
		elem = *list.Type.Elem
	}
	x := &ir.Expr{Op: ir.OpVar, Type: elem, Var: &ir.Var{Name: name, Type: elem, Kind: ir.VarLocal}}
	if value != nil {
		x = &ir.Expr{Op: ir.OpConst, Type: elem, Int: *value}
	}
	s.names[name] = x
	return func() {
		delete(s.names, name)
		if bound {
			s.names[name] = before
		}
	}
}

// Unbind unbinds a name.
func (s *Script) Unbind(name string) { delete(s.names, name) }

// WithFile returns the same script with another file.
func (s *Script) WithFile(file string) *Script {
	x := *s
	x.file = file
	return &x
}

// AtRunTime returns the same script for callers that run each statement as soon as it is checked, repeatedly. It no
// longer records uses, which serve to find unused names.
func (s *Script) AtRunTime() *Script {
	x := *s
	x.atRunTime = true
	return &x
}

// Clone returns a script with a copy of the names.
func (s *Script) Clone() *Script {
	x := *s
	x.names = maps.Clone(s.names)
	return &x
}

// diagnose runs f and returns its diagnostics.
func (s *Script) diagnose(f func(sc *scope)) diag.List {
	c := s.c
	saved, seen := c.diags, c.reported
	c.diags, c.reported = nil, map[diagKey]bool{}
	sc := &scope{c: c, file: s.file, acting: true, where: "a script", vars: []map[string]*ir.Var{{}}, script: s.names, facts: s.facts, label: cmp.Or(s.label, ScriptLabel), atRunTime: s.atRunTime}
	if s.self != nil {
		sc.self, sc.selfValue = selfVar(creature), s.self
	}
	f(sc)
	diags := c.diags
	c.diags, c.reported = saved, seen
	if !s.atRunTime {
		c.earlierDiags += len(diags)
	}
	return diags
}

// WithLabel returns the same script, with rolls and choices labeled LABEL.NAME.
func (s *Script) WithLabel(label string) *Script {
	x := *s
	x.label = label
	return &x
}

// Statements checks statements that run together. vars are the local variables of their code, in the order of
// declaration.
func (s *Script) Statements(list ...ast.Clause) (stmts []*ir.Stmt, vars []*ir.Var, diags diag.List) {
	diags = s.diagnose(func(sc *scope) {
		sc.locals = &vars
		sc.push()
		for _, cl := range list {
			if _, bad := cl.(*ast.Bad); !bad && !ast.IsStatement(cl) {
				sc.errHint(cl.Extent(), "misplaced", "this is not allowed among the statements of a script", "")
				return
			}
		}
		stmts = sc.stmts(list)
	})
	return stmts, vars, diags
}

// Expr checks a pure expression. want is its required type, or the zero Type.
func (s *Script) Expr(e ast.Expr, want ir.Type) (x *ir.Expr, vars []*ir.Var, diags diag.List) {
	diags = s.diagnose(func(sc *scope) {
		sc.acting, sc.where = false, expectation
		sc.locals = &vars
		if want.Kind == ir.Invalid {
			x = sc.expr(e, nil)
		} else {
			x = sc.value(e, want)
		}
	})
	for i := range diags {
		if diags[i].Code == "wrong-type" && (want.Kind == ir.Square || want.Kind == ir.Place) {
			diags[i].Hint = "write a square, `at (x, y)`, a mark of the map, `at \"a\"`, or `near NAME` for a square beside a creature"
		}
	}
	return x, vars, diags
}

// Types that scripts require of expressions: of expectations, of `pass`, of counts.
var (
	YesNo   = yesNo
	Seconds = quantity("duration")
	Number  = number
)

// IsSquareLiteral reports whether a place is written as coordinates or as a mark of the map; otherwise it is a value.
func IsSquareLiteral(at ast.Expr) bool {
	switch at.(type) {
	case *ast.String, *ast.Tuple:
		return true
	}
	return false
}

// PlaceAt is the type of what may follow `at`, a square, or `near`, which may be a creature as well.
func PlaceAt(near bool) ir.Type {
	if near {
		return placeType
	}
	return ir.Type{Kind: ir.Square}
}

// Member describes a member of a side.
type Member struct {
	Template *ir.Template
	Values   []*ir.Const        // by field of creature; nil: the template's
	Amounts  []Amount           // of resources, where they do not start as usual
	Has      []ir.InitialEffect // in addition to the template's
	Tactics  *ir.Tactics
}

// Amount is how much a member has of a resource at first.
type Amount struct {
	Resource *ir.Resource
	Value    *ir.Const
}

// Member checks `fighter Alia follows brute { bulk: 16 }`.
func (s *Script) Member(n *ast.Member) (m Member, diags diag.List) {
	c := s.c
	diags = s.diagnose(func(sc *scope) {
		t, ok := c.names[n.Template.Name].(*ir.Template)
		if !ok || t.Kind == nil || t.Kind.Name != "creature" {
			var names []string
			for _, t := range c.rs.Templates {
				if t.Kind != nil && t.Kind.Name == "creature" {
					names = append(names, t.Name)
				}
			}
			hint := cmp.Or(c.nearestHint(n.Template.Name, names), fmt.Sprintf("declare one: creature %s { ... }", n.Template.Name))
			if n.Template.Name == "creature" {
				hint = fmt.Sprintf("declare what %s is, outside of the side: `creature TEMPLATE { ... }`, and write `TEMPLATE %s`", n.Name.Name, n.Name.Name)
			}
			sc.errHint(n.Template.Span, "unknown-template", "there is no creature named "+n.Template.Name, hint)
			return
		}
		m.Template = t
		if n.Follows != nil {
			m.Tactics = sc.tacticsNamed(n.Follows)
		}
		if n.Body != nil {
			o := &link.Origin{File: s.file}
			var fields []ast.Clause
			m.Amounts, fields = sc.amounts(t.Kind, n.Body.Clauses)
			x := c.thing(t.Kind, n.Name.Name, t, fields, func(ast.Clause) *link.Origin { return o })
			m.Values, m.Has = x.values, x.has
		}
	})
	return m, diags
}

// SideTactics checks the tactics that a side names for its members, if it names any.
func (s *Script) SideTactics(n *ast.Side) diag.List {
	return s.diagnose(func(sc *scope) {
		if n.Follows != nil {
			sc.tacticsNamed(n.Follows)
		}
	})
}

// Followed returns what somebody is told to follow, or nil and why there is nothing of the kind.
func (s *Script) Followed(n *ast.TacticsName) (t *ir.Tactics, diags diag.List) {
	diags = s.diagnose(func(sc *scope) { t = sc.tacticsNamed(n) })
	return t, diags
}

// tacticsNamed returns tactics by name, or nil.
func (s *scope) tacticsNamed(id *ast.TacticsName) *ir.Tactics {
	if id.BestOf != nil {
		return s.bestOf(id)
	}
	t, ok := s.c.names[id.Name].(*ir.Tactics)
	if !ok {
		s.errHint(id.Span, "unknown-tactics", "there are no tactics named "+id.Name, s.c.nearestHint(id.Name, s.c.namesOf(func(x any) bool { _, ok := x.(*ir.Tactics); return ok })))
	}
	return t
}

// bestOf returns what searches for the best command: the default tactics, with the number of playouts.
func (s *scope) bestOf(id *ast.TacticsName) *ir.Tactics {
	base, ok := s.c.names[ir.DefaultTactics].(*ir.Tactics)
	n := id.BestOf
	switch {
	case !ok:
		s.errHint(id.Span, "unknown-tactics", "the best of what could be done is found by playing on by the tactics "+ir.DefaultTactics+", and there are none", "declare them: tactics "+ir.DefaultTactics+" { COMMAND when COND }")
		return nil
	case n.Unit.Name != "" || n.Value < ir.MinPlayouts || n.Value > ir.MaxPlayouts:
		s.errHint(n.Span, "limit", fmt.Sprintf("a command can be the best of %d to %d playouts", ir.MinPlayouts, ir.MaxPlayouts), "write `best of 200`; more play better, and take longer")
		return nil
	}
	t := *base
	t.Name, t.Playouts = fmt.Sprintf("best of %d", n.Value), int(n.Value)
	return &t
}

// amounts reads `RESOURCE: NUMBER` in the body of a member, and returns the other clauses.
func (s *scope) amounts(k *ir.Kind, clauses []ast.Clause) (amounts []Amount, others []ast.Clause) {
	given := map[*ir.Resource]ast.Span{}
	for _, cl := range clauses {
		p, ok := cl.(*ast.Property)
		if !ok || k.Field(p.Name.Name) >= 0 {
			others = append(others, cl)
			continue
		}
		r, ok := s.c.names[p.Name.Name].(*ir.Resource)
		if !ok {
			others = append(others, cl)
			continue
		}
		if first, twice := given[r]; twice {
			s.c.errorAt(s.file, p.Name.Span, "declared-twice", r.Name+" is given twice", "remove one of them", diag.Related{File: s.file, Span: first, Message: "first given here"})
			continue
		}
		given[r] = p.Name.Span
		if v := s.fieldValue(p, r.Type); v != nil {
			amounts = append(amounts, Amount{r, v})
		}
	}
	return amounts, others
}

// Tactics finds tactics by name; nil if there are none.
func (k *Checked) Tactics(name string) *ir.Tactics {
	t, _ := k.c.names[name].(*ir.Tactics)
	return t
}

// ExpandCites expands the citations of a test.
func (k *Checked) ExpandCites(file string, cites []ast.Cite) ([]string, diag.List) {
	c := k.c
	saved := c.diags
	c.diags = nil
	ids := c.expandCites(file, cites)
	diags := c.diags
	c.diags = saved
	return ids, diags
}

// Lookup finds a definition by name: *ir.Stat, *ir.Proc, *ir.Effect and so on; nil if there is none.
func (k *Checked) Lookup(name string) any { return k.c.names[name] }

// TypeOf returns the type of what a path of the rules names, or of what contains it; "" if it has no type.
func (k *Checked) TypeOf(path string) string {
	first, rest, _ := strings.Cut(path, ".")
	t := invalid
	if d := k.c.props[first][rest]; d != nil {
		t = d.Type
	} else {
		switch x := k.c.names[first].(type) {
		case *ir.Option:
			t = x.Type
		case *ir.Define:
			t = x.Type
		case *ir.Stat:
			t = x.Type
		case *ir.Global:
			t = x.Var.Type
		}
	}
	if t.Kind == ir.Invalid {
		return ""
	}
	return article(typeName(t))
}
