package check

import (
	"fmt"
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// scope is the context of an expression or a statement: what names mean, and what is allowed.
type scope struct {
	c      *checker
	file   string
	acting bool   // side effects, dice and choices are allowed
	where  string // for messages that they are not: "a stat", "a guard"

	constOnly bool // only constants are allowed

	self        *ir.Var
	selfValue   *ir.Expr             // the creature that self is, if known: in a script
	thing       *thing               // the thing whose field is being computed: its other fields are in scope
	vars        []map[string]*ir.Var // innermost last
	effect      *ir.Effect           // its parameters and memory are in scope
	inst        *ir.Var
	proc        *ir.Proc // new names become its variables
	rule        *ir.Rule // likewise
	locals      *[]*ir.Var
	topLevel    bool       // in the outermost block of a step: names are exported
	interrupted *ir.Proc   // the procedure that a rule interrupts
	inherited   *ir.Define // whose value is written elsewhere than its parameters
	anyAction   bool       // a rule on any action
	replaces    bool       // an `instead of` rule: its `let` sets the names of what it replaces
	actor       *ir.Var
	fn          *ir.Func // situation parameters that are read become its Needs
	lenient     int      // inside `X is none`: reading adds no Needs
	label       string   // path of rolls and choices here
	step        string
	fill        func(p *ir.Var) *ir.Expr // supplies the situation of stats in a check
	script      map[string]*ir.Expr      // names of a script
	facts       map[string]int           // expressions that guards have proved not none
	undos       []func()                 // undo the facts of statements such as `stop when X is none`
	onCapture   func(v *ir.Var)          // called with each variable that a plan or duration captures
	atRunTime   bool                     // checked at run time: uses are no longer recorded
}

// captureInto returns a function that adds variables to a list, each once.
func captureInto(list *[]*ir.Var) func(*ir.Var) {
	return func(v *ir.Var) {
		if !slices.Contains(*list, v) {
			*list = append(*list, v)
		}
	}
}

// markRead records that a variable is read.
func (s *scope) markRead(v *ir.Var) {
	if !s.atRunTime {
		s.c.wasRead[v] = true
	}
}

func (s *scope) pos(span ast.Span) ir.Pos { return ir.Pos{File: s.c.file(s.file), Span: span} }

func (s *scope) err(span ast.Span, code, format string, args ...any) {
	s.errHint(span, code, fmt.Sprintf(format, args...), "")
}

func (s *scope) errHint(span ast.Span, code, message, hint string) {
	s.c.errorAt(s.file, span, code, message, hint)
}

// errDuplicate reports a duplicate, and where the first is.
func (s *scope) errDuplicate(span, first ast.Span, message, hint string) {
	s.c.errorAt(s.file, span, "declared-twice", message, hint, diag.Related{File: s.file, Span: first, Message: "first given here"})
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

// bind declares a local variable of the code that is being checked.
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
		if s.topLevel && s.proc.Of == nil { // the caller of a procedure of a kind does not know which way runs
			v.Exported = true
			s.proc.Record = append(s.proc.Record, v)
		}
	case s.rule != nil:
		s.rule.Vars = append(s.rule.Vars, v)
	case s.locals != nil:
		*s.locals = append(*s.locals, v)
	}
	return v
}

// origin returns the origin of the code in this scope.
func (s *scope) origin() *link.Origin {
	from := ""
	switch {
	case s.proc != nil && s.c.defs[s.proc] != nil:
		from = s.c.defs[s.proc].Origin.Ruleset
	case s.rule != nil:
		from = s.rule.Part.From
	}
	return &link.Origin{File: s.file, Ruleset: from}
}

// pure is the same scope for pure code.
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

// read reads a variable. The enclosing function then needs it, and an enclosing plan captures it.
func (s *scope) read(v *ir.Var, span ast.Span) *ir.Expr {
	s.markRead(v)
	if s.lenient == 0 && s.isSituationParam(v) {
		s.addNeed(v)
	}
	if s.onCapture != nil {
		s.onCapture(v)
	}
	return &ir.Expr{Op: ir.OpVar, Type: v.Type, Var: v, Pos: s.pos(span)}
}

// isSituationParam reports whether v is a part of the situation of the stat or action that this code is about.
func (s *scope) isSituationParam(v *ir.Var) bool {
	return s.fn != nil && v.Kind == ir.VarParam && v.Label != "" && v.Owner == nil && slices.Contains(s.fn.Params, v)
}

func (s *scope) addNeed(v *ir.Var) {
	if !slices.Contains(s.fn.Needs, v) {
		s.fn.Needs = append(s.fn.Needs, v)
	}
}

// selfExpr is the creature that acts, has the effect or reacts; nil where there is none.
func (s *scope) selfExpr(span ast.Span) *ir.Expr {
	if s.self == nil {
		return nil
	}
	if s.selfValue != nil {
		x := *s.selfValue
		x.Pos = s.pos(span)
		return &x
	}
	return s.read(s.self, span)
}

// outerVar finds a variable of the interrupted procedure by name.
func (s *scope) outerVar(name string) *ir.Var {
	if s.interrupted == nil {
		return nil
	}
	for _, v := range s.interrupted.Vars {
		if v.Name == name && s.canReadOuter(v) {
			return s.outerAlias(v)
		}
	}
	return nil
}

// canReadOuter reports whether a rule can read a variable of the procedure it interrupts.
func (s *scope) canReadOuter(v *ir.Var) bool {
	return v.Kind != ir.VarSelf && (v.Exported || v.Kind == ir.VarParam || s.interrupted == s.c.checkProcedure)
}

// outerAlias returns the rule's one variable for v, so that the rule's code has one register for it.
func (s *scope) outerAlias(v *ir.Var) *ir.Var {
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

// textValue returns the value of a text: its index in the ruleset's list.
func (c *checker) textValue(t string) int64 { return intern(c.texts, &c.rs.Texts, t) }

// internDice returns the value of a dice notation.
func (c *checker) internDice(notation string) int64 {
	return ir.DiceValue{Expr: intern(c.notations, &c.rs.DiceExprs, notation), Times: 1}.Pack()
}
