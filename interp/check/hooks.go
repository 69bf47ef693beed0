package check

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file checks the uses of Starlark functions in rules: their arguments and their result types.

// declareHook declares a function by its name.
func (c *checker) declareHook(d *link.Def, n *ast.Use) {
	h := &ir.Hook{Index: len(c.rs.Hooks), Name: n.Name.Name, Func: n.Name.Name, Part: c.definitionPart(d, n.Name.Name, n.Span, ast.Meta{})}
	if n.Function != "" {
		h.Func = n.Function
	}
	c.rs.Hooks = append(c.rs.Hooks, h)
	c.bind(d, n.Name, h)
}

// resolveHook finds the function of a hook and resolves its parameters.
func (c *checker) resolveHook(d *link.Def, n *ast.Use, h *ir.Hook) {
	file := d.Origin.Root().File
	if c.opts.Hook == nil {
		c.errorAt(file, n.File.Span, "starlark", "Starlark is not available here", "write it in the language")
		return
	}
	if n.Result != nil {
		h.Params = c.params(file, n.Params, ir.VarParam)
		h.Type = c.resolveType(file, n.Result)
		if !ir.IsExchangeable(h.Type) {
			c.errorAt(file, n.Result.Span, "wrong-type", fmt.Sprintf("a Starlark function cannot return %s", article(typeName(h.Type))), "it can return numbers, quantities, yes-no values, texts, values of enums, things, squares, and lists of them")
		}
	}
	path, source, wrong := c.opts.Hook(file, n, h.Func)
	if wrong != nil {
		c.errorAt(wrong.File, wrong.Span, "starlark", wrong.Message, wrong.Hint, wrong.Related...)
		return
	}
	h.File, h.Mentions = path, source
	c.file(path) // errors and explanations name it
	for _, t := range source.Texts {
		c.textValue(t)
	}
	for _, d := range slices.Concat(commonDice, source.Dice) {
		c.internDice(d)
	}
	for _, name := range source.Names {
		c.declareCoreFunction(name, h.Part)
	}
}

// declareCoreFunction declares a define that calls a function of the core, for Starlark functions, which reach defines
// only. Rules cannot name it: for them the name stays that of the core's function. by is the part of the first function
// that mentions it.
func (c *checker) declareCoreFunction(name string, by *ir.Part) {
	b := builtins[name]
	if b == nil || b.ofSelf || c.names[name] != nil || c.coreFunctions[name] || !ir.IsExchangeable(b.result) || b.isGeneric() {
		return
	}
	x := &ir.Define{Index: len(c.rs.Defines), Name: name, Type: b.result, Part: &ir.Part{ID: int32(len(c.rs.Parts)), Path: name, Pos: by.Pos, From: by.From}}
	x.Func = &ir.Func{Params: []*ir.Var{{Name: "self", Type: orNone(creature), Kind: ir.VarSelf}}, Pos: by.Pos}
	x.Func.Body = &ir.Expr{Op: ir.OpBuiltin, Name: name, Type: b.result, Pos: by.Pos}
	for i, t := range b.params {
		if !ir.IsExchangeable(t) {
			return
		}
		v := &ir.Var{Name: string(rune('a' + i)), Type: t, Kind: ir.VarParam, Index: i + 1}
		x.Func.Params = append(x.Func.Params, v)
		x.Func.Body.Args = append(x.Func.Body.Args, &ir.Expr{Op: ir.OpVar, Type: t, Pos: by.Pos, Var: v})
	}
	if c.coreFunctions == nil {
		c.coreFunctions = map[string]bool{}
	}
	c.coreFunctions[name] = true
	c.state[x] = done
	c.rs.Defines = append(c.rs.Defines, x)
	c.rs.Parts = append(c.rs.Parts, x.Part)
}

// commonDice can be rolled by every function, in any number: their notation may be constructed at run time.
var commonDice = []string{"d2", "d3", "d4", "d6", "d8", "d10", "d12", "d20", "d100"}

// hookExpr starts an expression that calls a hook here.
func (s *scope) hookExpr(h *ir.Hook, t ir.Type, span ast.Span) *ir.Expr {
	self := s.selfExpr(span)
	if self == nil {
		self = s.constant(nothing, ir.None, span)
	}
	return &ir.Expr{Op: ir.OpHook, Type: t, Hook: h, Site: &ir.Site{Names: []string{"self"}, Label: s.labelHere()}, Pos: s.pos(span), Args: []*ir.Expr{self}}
}

// checkArity checks that a function takes n arguments; values describes them.
func (s *scope) checkArity(h *ir.Hook, n int, values string, span ast.Span) {
	if h.File == "" || n >= h.Mentions.MinArgs && (h.Mentions.MaxArgs < 0 || n <= h.Mentions.MaxArgs) {
		return
	}
	have := fmt.Sprint(h.Mentions.MinArgs)
	if h.Mentions.MaxArgs > h.Mentions.MinArgs {
		have += fmt.Sprintf(" to %d", h.Mentions.MaxArgs)
	} else if h.Mentions.MaxArgs < 0 {
		have += " or more"
	}
	start := ast.Pos{Line: h.Mentions.Line, Column: h.Mentions.Column}
	at := diag.Related{File: h.File, Span: ast.Span{Start: start, End: ast.Pos{Line: start.Line, Column: start.Column + 1}}, Message: "it is defined here"}
	s.c.errorAt(s.file, span, "wrong-arguments", fmt.Sprintf("%s takes %s, but gets %d", h.Name, plural(have, "value"), n), "define it to take "+values, at)
}

// plural appends an s to a word, unless n is 1.
func plural(n, word string) string {
	if n == "1" {
		return n + " " + word
	}
	return n + " " + word + "s"
}

// hookCall checks a call of a hook with parameters. One that acts gets the context as an additional first argument.
func (s *scope) hookCall(h *ir.Hook, args []ast.Arg, acts bool, span ast.Span) *ir.Expr {
	if s.rejectInConstant(h, span) {
		return s.bad(span)
	}
	if h.TakesContext() {
		s.errHint(span, "wrong-arguments", h.Name+" gets everything in scope, and takes no arguments", fmt.Sprintf("write just its name, or declare its parameters where it is used: `use %s(NAME: TYPE): TYPE from ...`", h.Name))
		return s.bad(span)
	}
	e := s.hookExpr(h, h.Type, span)
	form := hookForm(h)
	if len(args) != len(h.Params) {
		s.errHint(span, "wrong-arguments", fmt.Sprintf("%s needs %d values, but has %d", h.Name, len(h.Params), len(args)), "the form is: "+form)
		return s.bad(span)
	}
	names := make([]string, 0, 1+len(args))
	if acts {
		names = append(names, "ctx")
	}
	for _, p := range h.Params {
		names = append(names, strings.ReplaceAll(p.Name, "-", "_"))
	}
	s.checkArity(h, len(names), "("+strings.Join(names, ", ")+")", span)
	for i := range args {
		p := h.Params[i]
		if l := args[i].Label.Name; l != p.Label && l != p.Name {
			if l != "" || p.Label != "" {
				s.errHint(args[i].Span, "wrong-arguments", "this argument does not fit any parameter of "+h.Name, "the form is: "+form)
			}
		}
		e.Args = append(e.Args, s.value(args[i].Value, p.Type))
		e.Site.Names = append(e.Site.Names, p.Name)
	}
	return e
}

// replacedType is the type of what a context function has replaced, if the value of x is now only that function: its
// result must have the same type. Otherwise it is nil. What was replaced may depend on x by way of the function, so x
// counts as a number meanwhile.
func (s *scope) replacedType(x any, value ast.Expr, o *link.Origin) *ir.Type {
	replaced := value
	for {
		if h, _ := s.hookNamed(replaced); h == nil || !h.TakesContext() {
			break
		}
		if replaced = s.c.set.Replaced[replaced]; replaced == nil {
			return nil
		}
	}
	if replaced == value {
		return nil
	}
	t := *s
	t.file, t.fn = s.c.fileOf(replaced, o), &ir.Func{}
	if s.c.typingReplaced == nil {
		s.c.typingReplaced = map[any]bool{}
	}
	s.c.typingReplaced[x] = true
	defer delete(s.c.typingReplaced, x)
	if y := t.tryExpr(replaced, nil); y != nil {
		return &y.Type
	}
	return nil
}

// rejectInConstant reports a function where only constants are allowed.
func (s *scope) rejectInConstant(h *ir.Hook, span ast.Span) bool {
	if s.constOnly {
		s.errHint(span, "not-constant", h.Name+" is a Starlark function, but this must be known before anything runs", "it can replace a define, a term, an amount, a bound or a condition; fields, options and cells need plain values")
	}
	return s.constOnly
}

// resolveHook shows how a hook is called.
func hookForm(h *ir.Hook) string {
	if h.TakesContext() {
		return h.Name
	}
	var names []string
	for _, p := range h.Params {
		names = append(names, strings.ToUpper(p.Name))
	}
	return h.Name + "(" + strings.Join(names, ", ") + ")"
}

// contextHook checks a hook that gets everything in scope: it is passed what its source mentions.
func (s *scope) contextHook(h *ir.Hook, want *ir.Type, span ast.Span) *ir.Expr {
	if s.rejectInConstant(h, span) {
		return s.bad(span)
	}
	if !h.TakesContext() {
		s.errHint(span, "wrong-arguments", h.Name+" needs its values", "the form is: "+hookForm(h))
		return s.bad(span)
	}
	t := number // by default
	if want != nil && want.Kind != ir.Nothing && want.Kind != ir.Invalid {
		t = *want
	}
	if !ir.IsExchangeable(t) {
		s.errHint(span, "wrong-type", fmt.Sprintf("a Starlark function cannot return %s", article(typeName(t))), "")
		return s.bad(span)
	}
	s.checkArity(h, 1, "the context alone: (ctx)", span)
	e := s.hookExpr(h, t, span)
	s.lenient++ // it gets none for absent parts of a situation
	for _, name := range h.Mentions.Names {
		x := (*ir.Expr)(nil)
		if v := s.variable(name); v != nil {
			x = s.read(v, span)
		} else {
			x = s.namedDefinition(name, span)
		}
		if x != nil {
			e.Args = append(e.Args, x)
			e.Site.Names = append(e.Site.Names, name)
		}
	}
	s.lenient--
	return e
}

// asActing allows a hook side effects, and records the variables that it can reread and bind.
func (s *scope) asActing(e *ir.Expr, h *ir.Hook) *ir.Expr {
	if e.Op != ir.OpHook {
		return e
	}
	e.Op = ir.OpHookRoll
	s.asks(e.Site.Label, rolled|chosen)
	for _, name := range h.Mentions.Labels {
		s.asks(e.Site.Label+"."+name, rolled|chosen)
	}
	if !h.TakesContext() {
		return e
	}
	for _, name := range h.Mentions.Names {
		if v := s.variable(name); v != nil && v.Kind != ir.VarActor && v.Kind != ir.VarSelf {
			e.Site.Vars = append(e.Site.Vars, v)
			s.forget(v)
		}
	}
	return e
}

// namedDefinition finds an option or a thing of the rules by its name, nil if there is none that can be passed to a
// hook.
func (s *scope) namedDefinition(name string, span ast.Span) *ir.Expr {
	switch x := s.c.names[name].(type) {
	case *ir.Option:
		s.c.option(x)
		if ir.IsExchangeable(x.Type) {
			k := s.constant(x.Type, x.Value, span)
			k.Option = x
			return k
		}
	case *ir.Global:
		if s.c.global(x); ir.IsExchangeable(x.Var.Type) {
			return s.read(x.Var, span)
		}
	case *ir.Template:
		if x.Kind != nil {
			return s.constant(refTo(x.Kind.Name), templateRef(x.Index), span)
		}
	}
	return nil
}

// variable finds the variable that a name is bound to here, by the first four of the rules for bare names.
func (s *scope) variable(name string) *ir.Var {
	if v := s.lookup(name); v != nil {
		return v
	}
	if s.effect != nil {
		for _, v := range s.effect.Values {
			if v.Name == name {
				s.c.checkMemory(s.effect, v)
				return v
			}
		}
	}
	if v := s.outerVar(name); v != nil {
		return v
	}
	if s.actor != nil && name == "actor" {
		return s.actor
	}
	return nil
}

// hookNamed returns the hook, and its arguments, in a place where dice are possible too.
func (s *scope) hookNamed(e ast.Expr) (*ir.Hook, []ast.Arg) {
	var id ast.Ident
	var args []ast.Arg
	switch n := unparen(e).(type) {
	case *ast.Name:
		id = n.Ident
	case *ast.Call:
		if fn, ok := n.Fn.(*ast.Name); ok {
			id, args = fn.Ident, n.Args
		}
	}
	if id.Name == "" || s.lookup(id.Name) != nil {
		return nil, nil
	}
	h, _ := s.c.names[id.Name].(*ir.Hook)
	if h == nil || h.Type.Kind == ir.Dice {
		return nil, nil // it returns dice, which are rolled
	}
	return h, args
}

// hookRoll checks a hook that acts and returns a value: `roll fate(4)`.
func (s *scope) hookRoll(h *ir.Hook, args []ast.Arg, span ast.Span) *ir.Expr {
	if !s.requireActing(span, "dice cannot be rolled") {
		return s.bad(span)
	}
	if h.TakesContext() {
		return s.asActing(s.contextHook(h, &number, span), h)
	}
	return s.asActing(s.hookCall(h, args, true, span), h)
}

// hookStatement checks a hook used as a statement: it may set the names that it mentions.
func (s *scope) hookStatement(h *ir.Hook, n *ast.Command) *ir.Stmt {
	if !s.requireActing(n.Span, n.Name.Name+" cannot be done") {
		return nil
	}
	if len(n.Args) > 0 || !h.TakesContext() {
		s.errHint(n.Span, "wrong-arguments", "a function that acts is written without arguments", fmt.Sprintf("the form is: %s; to get its value write `let NAME = roll %s`", h.Name, hookForm(h)))
		return nil
	}
	e := s.asActing(s.contextHook(h, &number, n.Span), h)
	if e.Op != ir.OpHookRoll {
		return nil
	}
	return &ir.Stmt{Op: ir.DoHook, Pos: s.pos(n.Span), X: e}
}
