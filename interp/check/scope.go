package check

import (
	"fmt"
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// scope is where an expression or a statement stands: what the names mean, and what is allowed.
type scope struct {
	c      *checker
	file   string
	acting bool   // dice, choices and changes are allowed
	where  string // why they are not, for messages: "a stat", "a guard"

	folded bool // everything is known before anything runs

	self      *ir.Var
	me        *ir.Expr             // who self is, where that is known: a creature of a script
	own       *thing               // whose field is being reckoned: its other fields go by their names
	vars      []map[string]*ir.Var // innermost last
	effect    *ir.Effect           // its parameters and memory are in scope
	inst      *ir.Var
	proc      *ir.Proc // whose variables new names become
	rule      *ir.Rule // likewise
	plain     *[]*ir.Var
	top       bool     // at the outer block of a step: names are exported
	outer     *ir.Proc // what a rule interrupts
	anyAction bool     // a rule on any action
	owes      bool     // an `instead of` rule: its lets set the names of what it replaces
	actor     *ir.Var
	fn        *ir.Func // situation parameters that are read become its needs
	lenient   int      // inside `X is none`: reading does not need
	label     string   // path of dice and choices here
	step      string
	fill      func(p *ir.Var) *ir.Expr // situation of stats in a check
	script    map[string]*ir.Expr      // names of a script
	facts     map[string]int           // what guards have made sure is not none
	known     []func()                 // the ways back from what statements such as `stop when X is none` have made sure
	captured  func(v *ir.Var)          // tells which variables a plan or duration captures
	played    bool                     // it is checked as it is carried out: what it uses is not noted any more
}

// capture notes variables in a list, each once.
func capture(list *[]*ir.Var) func(*ir.Var) {
	return func(v *ir.Var) {
		if !slices.Contains(*list, v) {
			*list = append(*list, v)
		}
	}
}

// uses notes that a variable is read.
func (s *scope) uses(v *ir.Var) {
	if !s.played {
		s.c.wasRead[v] = true
	}
}

func (s *scope) pos(span ast.Span) ir.Pos { return ir.Pos{File: s.c.file(s.file), Span: span} }

func (s *scope) err(span ast.Span, code, format string, args ...any) {
	s.errHint(span, code, fmt.Sprintf(format, args...), "")
}

func (s *scope) errHint(span ast.Span, code, message, hint string) {
	s.c.at(s.file, span, code, message, hint)
}

// again reports what is said once more, and where it was said first.
func (s *scope) again(span, first ast.Span, message, hint string) {
	s.c.at(s.file, span, "declared-twice", message, hint, diag.Related{File: s.file, Span: first, Message: "first given here"})
}

func (s *scope) push() { s.vars = append(s.vars, map[string]*ir.Var{}) }
func (s *scope) pop()  { s.vars = s.vars[:len(s.vars)-1] }

func (s *scope) lookup(name string) *ir.Var {
	for i := len(s.vars) - 1; i >= 0; i-- {
		if v := s.vars[i][name]; v != nil {
			return v
		}
	}
	return nil
}

// bind makes a new local of the code that is being checked.
func (s *scope) bind(id ast.Ident, t ir.Type) *ir.Var {
	block := s.vars[len(s.vars)-1]
	if old := s.lookup(id.Name); old != nil && old.Kind == ir.VarLocal {
		if block[id.Name] != nil && !sameType(old.Type, t) && t.Kind != ir.Invalid && old.Type.Kind != ir.Invalid {
			s.errHint(id.Span, "declared-twice", id.Name+" is already declared here with another type", "use another name, or `set "+id.Name+" to ...`")
		}
		if block[id.Name] != nil {
			return old
		}
	}
	v := &ir.Var{Name: id.Name, Type: t, Kind: ir.VarLocal, Owner: s.proc}
	block[id.Name] = v
	switch {
	case s.proc != nil:
		s.proc.Vars = append(s.proc.Vars, v)
		if s.top && s.proc.Of == nil { // whoever does a procedure of a kind does not know which way it goes
			v.Exported = true
			s.proc.Record = append(s.proc.Record, v)
		}
	case s.rule != nil:
		s.rule.Vars = append(s.rule.Vars, v)
	case s.plain != nil:
		*s.plain = append(*s.plain, v)
	}
	return v
}

// origin of what stands in this scope.
func (s *scope) origin() *link.Origin {
	from := ""
	switch {
	case s.proc != nil && s.c.nodes[s.proc] != nil:
		from = s.c.nodes[s.proc].Origin.Ruleset
	case s.rule != nil:
		from = s.rule.Part.From
	}
	return &link.Origin{File: s.file, Ruleset: from}
}

// pure is the same scope for code that may not act.
func (s *scope) pure(where string) *scope {
	t := *s
	t.acting, t.where, t.fill = false, where, nil
	return &t
}

func (s *scope) constant(t ir.Type, v int64, span ast.Span) *ir.Expr {
	return &ir.Expr{Op: ir.OpConst, Type: t, Int: v, Pos: s.pos(span)}
}

func (s *scope) bad(span ast.Span) *ir.Expr {
	return &ir.Expr{Op: ir.OpBad, Type: invalid, Pos: s.pos(span)}
}

// read reads a variable: its code then needs it, and a plan around it keeps it.
func (s *scope) read(v *ir.Var, span ast.Span) *ir.Expr {
	s.uses(v)
	if s.lenient == 0 && s.situation(v) {
		s.need(v)
	}
	if s.captured != nil {
		s.captured(v)
	}
	return &ir.Expr{Op: ir.OpVar, Type: v.Type, Var: v, Pos: s.pos(span)}
}

// situation tells whether v is a part of the situation of the stat, or of the deed, that this code is about.
func (s *scope) situation(v *ir.Var) bool {
	return s.fn != nil && v.Kind == ir.VarParam && v.Label != "" && v.Owner == nil && slices.Contains(s.fn.Params, v)
}

func (s *scope) need(v *ir.Var) {
	if !slices.Contains(s.fn.Needs, v) {
		s.fn.Needs = append(s.fn.Needs, v)
	}
}

// selfExpr is the one who acts, bears or reacts; nil where nobody does.
func (s *scope) selfExpr(span ast.Span) *ir.Expr {
	if s.self == nil {
		return nil
	}
	if s.me != nil {
		x := *s.me
		x.Pos = s.pos(span)
		return &x
	}
	return s.read(s.self, span)
}

// outerVar gives the rule's view of a variable of what it interrupts.
func (s *scope) outerVar(name string) *ir.Var {
	if s.outer == nil {
		return nil
	}
	for _, v := range s.outer.Vars {
		if v.Name == name && s.readable(v) {
			return s.ownOuter(v)
		}
	}
	return nil
}

// readable reports whether a rule can read a variable of what it interrupts.
func (s *scope) readable(v *ir.Var) bool {
	return v.Kind != ir.VarSelf && (v.Exported || v.Kind == ir.VarParam || s.outer == s.c.checkProcedure)
}

// ownOuter gives the one variable by which a rule sees v, so that the rule's code has one place for it.
func (s *scope) ownOuter(v *ir.Var) *ir.Var {
	if s.rule == nil {
		return &ir.Var{Name: v.Name, Type: v.Type, Kind: ir.VarOuter, Owner: v.Owner, Outer: v}
	}
	for _, have := range s.rule.Vars {
		if have.Kind == ir.VarOuter && have.Outer == v {
			return have
		}
	}
	w := &ir.Var{Name: v.Name, Type: v.Type, Kind: ir.VarOuter, Owner: v.Owner, Outer: v}
	s.rule.Vars = append(s.rule.Vars, w)
	return w
}

// intern numbers a text: values are integers, so a text is its place in the ruleset's list.
func (c *checker) intern(t string) int64 {
	if i, ok := c.texts[t]; ok {
		return i
	}
	i := int64(len(c.rs.Texts))
	c.texts[t] = i
	c.rs.Texts = append(c.rs.Texts, t)
	return i
}

// dice packs one throw of a notation.
func (c *checker) dice(notation string) int64 {
	i, ok := c.dices[notation]
	if !ok {
		i = uint16(len(c.rs.DiceExprs))
		c.dices[notation] = i
		c.rs.DiceExprs = append(c.rs.DiceExprs, notation)
	}
	return ir.DiceValue{Expr: i, Times: 1}.Pack()
}
