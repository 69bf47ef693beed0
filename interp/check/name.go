package check

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file resolves names: to a variable, a property of a creature, a thing, a member of an enum.

// name resolves a bare name, nil if it means nothing here. It searches in this order: names bound by the script or the
// surrounding code, values of the effect, variables of the procedure that the rule interrupts, members of the expected
// enum, what self has, and definitions of the ruleset.
func (s *scope) name(id ast.Ident, want *ir.Type) *ir.Expr {
	if id.Name == "self" {
		if x := s.selfExpr(id.Span); x != nil {
			return x
		}
		s.err(id.Span, "no-self", "there is no `self` here")
		return s.bad(id.Span)
	}
	if x := s.bound(id); x != nil {
		return x
	}
	c := s.c
	if want != nil && want.Kind == ir.EnumType {
		if e := c.enums[want.Name]; e != nil && e.Member(id.Name) >= 0 {
			return s.constant(enumOf(e.Name), int64(e.Member(id.Name)), id.Span)
		}
	}
	if s.self != nil {
		if x := s.property(s.selfExpr(id.Span), id, nil); x != nil {
			return x
		}
	}
	if s.thing != nil {
		if x := s.thing.field(s, id); x != nil {
			return x
		}
	}
	if c.clashes[clash{s.file, id.Name}] { // reported: what the name means here is not what the file says
		return s.bad(id.Span)
	}
	if x := s.defined(id, want); x != nil {
		return x
	}
	if b := builtins[id.Name]; b != nil && b.ofSelf && len(b.params) == 0 {
		return s.builtin(id, b, &ast.Call{Span: id.Span})
	} else if b != nil && len(b.params) == 0 {
		return &ir.Expr{Op: ir.OpBuiltin, Name: id.Name, Type: b.result, Pos: s.pos(id.Span)}
	}
	if e := c.enums[id.Name]; e != nil { // the name of an enum is the list of its members
		x := &ir.Expr{Op: ir.OpList, Type: listOf(enumOf(e.Name)), Pos: s.pos(id.Span)}
		for m := range e.Members {
			x.Args = append(x.Args, s.constant(enumOf(e.Name), int64(m), id.Span))
		}
		return x
	}
	if es := c.members[id.Name]; len(es) == 1 {
		return s.constant(enumOf(es[0].Name), int64(es[0].Member(id.Name)), id.Span)
	} else if len(es) > 1 {
		s.errHint(id.Span, "ambiguous-value", fmt.Sprintf("%s is a value of %s and of %s", id.Name, es[0].Name, es[1].Name), "compare it with something to make clear which, or give the name a type")
		return s.bad(id.Span)
	}
	return nil
}

// bound reads what the script or the surrounding code has bound to a name, a value of the effect, or a variable of the
// procedure that the rule interrupts; nil if there is none.
func (s *scope) bound(id ast.Ident) *ir.Expr {
	c := s.c
	if v := s.lookup(id.Name); v != nil {
		return s.read(v, id.Span)
	}
	if x, ok := s.script[id.Name]; ok {
		if x.Op == ir.OpVar {
			s.markRead(x.Var)
		}
		y := *x
		y.Pos = s.pos(id.Span)
		return &y
	}
	if s.effect != nil {
		for _, v := range s.effect.Values {
			if v.Name == id.Name {
				c.checkMemory(s.effect, v)
				return s.read(v, id.Span)
			}
		}
	}
	if v := s.outerVar(id.Name); v != nil {
		return s.read(v, id.Span)
	}
	if s.actor != nil && id.Name == "actor" {
		return s.read(s.actor, id.Span)
	}
	if s.anyAction && id.Name == "action" {
		return &ir.Expr{Op: ir.OpBuiltin, Name: "action", Type: actionType, Pos: s.pos(id.Span)}
	}
	if s.anyAction {
		if k := c.kinds["action"]; k != nil && k.Field(id.Name) >= 0 {
			action := &ir.Expr{Op: ir.OpBuiltin, Name: "action", Type: actionType, Pos: s.pos(id.Span)}
			return s.property(action, id, nil)
		}
	}
	return nil
}

// defined reads a definition of the ruleset; nil if it has none that can be read so.
func (s *scope) defined(id ast.Ident, want *ir.Type) *ir.Expr {
	c := s.c
	switch x := c.names[id.Name].(type) {
	case *ir.Option:
		c.option(x)
		k := s.constant(x.Type, x.Value, id.Span)
		k.Option = x
		return k
	case *ir.Global:
		c.global(x)
		if x.Var.Type.Kind == ir.Invalid {
			return s.bad(id.Span)
		}
		return s.read(x.Var, id.Span)
	case *ir.Template:
		if x.Kind != nil {
			return s.constant(refTo(x.Kind.Name), templateRef(x.Index), id.Span)
		}
		return s.bad(id.Span)
	case *ir.Define:
		return s.callDefine(x, nil, nil, id.Span)
	case *ir.Hook:
		return s.contextHook(x, want, id.Span)
	case *ir.Effect:
		if want != nil && want.Kind == ir.EffectRef {
			return s.constant(effectType, int64(x.Index), id.Span)
		}
	case *ir.Proc:
		if want != nil && want.Kind == ir.ActionRef && x.Action {
			return s.constant(actionType, int64(x.Index), id.Span)
		}
	}
	return nil
}

// templateRef is the value of a template: negative, unlike those of entities.
func templateRef(index int) int64 { return -int64(index) - 1 }

// errUnknown reports an unknown name, with a hint at what was probably meant.
func (s *scope) errUnknown(id ast.Ident, want *ir.Type) {
	if s.reportUnbound(id) {
		return
	}
	hint := ""
	if s.c.wantsHints() {
		outer, near := s.outerNamesHint(), cmp.Or(s.scriptNameHint(id.Name, want), s.c.nearestHint(id.Name, s.visibleNames(want)), s.shortFormHint(id.Name))
		if outer != "" && strings.Contains(near, "`"+id.Name+"-") { // a longer name is a guess, those of the procedure are not
			near = ""
		}
		others := s.c.alternativesHint(id.Name, want)
		if others != "" && strings.Contains(near, "-"+id.Name+"`") { // it is one of several with that word in their names
			near = ""
		}
		hint = cmp.Or(s.ownersHint(id.Name), near, others, outer, s.c.declareThingHint(id.Name, want))
	}
	if here := map[string]string{"true": "yes", "false": "no", "null": "none", "nil": "none"}[id.Name]; here != "" {
		hint = "the word is `" + here + "`"
	}
	if id.Name == "success" || id.Name == "failure" {
		hint = "give the check a name, and ask for its result: `check ... as NAME`, then `NAME " + map[string]string{"success": "succeeds", "failure": "fails"}[id.Name] + "`"
	}
	if s.self != nil && s.self.Type.Kind == ir.Ref && s.self.Type.Name == id.Name {
		hint = "its own " + id.Name + " is `self`, whose parts are known by their names alone"
	}
	switch x := s.c.names[id.Name].(type) {
	case *ir.Proc:
		if want != nil && want.Kind == ir.PlanType {
			hint = "write what is to be done, and when: `plan before EVENT { " + id.Name + " ... }`"
			break
		}
		what := "a procedure"
		if x.Action {
			what = "an action"
		}
		hint = "`" + id.Name + "` is " + what + ": write `let NAME = " + id.Name + " ...` or use it as a command"
	case *ir.Effect:
		hint = fmt.Sprintf("`%s` is %s: write `self %s %s`", id.Name, article(x.Word), isOrHas(x), id.Name)
	case *ir.Table:
		hint = "index it: " + id.Name + "[KEY]"
	case *ir.Stat, *ir.Resource:
		hint = "whose? write `WHO." + id.Name + "`"
	case nil:
		switch {
		case s.visitCounter(id.Name) != nil:
			hint = sceneHint(id.Name)
		case hint == "" && s.c.visitCounters != nil:
			hint = "`keep " + id.Name + " = VALUE` remembers a value, a `side` places somebody; words that are only told have no braces"
		}
	}
	s.errHint(id.Span, "unknown-name", "there is nothing here named "+id.Name, hint)
}

// shortFormHint is the hint for a short form of one of self's numbers, such as `hp`.
func (s *scope) shortFormHint(name string) string {
	if s.self == nil || s.self.Type.Kind != ir.Ref || s.self.Type.Name != "creature" {
		return ""
	}
	return s.nearestMemberHint(s.self.Type, name)
}

// maxHintVars is how many names of an interrupted procedure a hint lists.
const maxHintVars = 20

// outerNamesHint is the hint that lists what a rule can read of the procedure that it interrupts, or the parameters of
// the define whose value is replaced.
func (s *scope) outerNamesHint() string {
	owner := ""
	var names []string
	switch {
	case s.interrupted != nil:
		owner = s.interrupted.Name
		for _, v := range s.interrupted.Vars {
			if s.canReadOuter(v) && !slices.Contains(names, v.Name) {
				names = append(names, v.Name)
			}
		}
	case s.inherited != nil:
		owner = s.inherited.Name
		for _, v := range s.inherited.Func.Params[1:] { // the first is self
			names = append(names, v.Name)
		}
	}
	if len(names) == 0 || len(names) > maxHintVars {
		return ""
	}
	return owner + " has " + strings.Join(names, ", ")
}

// ownersHint is the hint that names the procedures that the interrupted one calls, if some have a name that it lacks.
func (s *scope) ownersHint(name string) string {
	if s.interrupted == nil {
		return ""
	}
	s.c.whole()
	var owners []string
	for _, step := range s.interrupted.Steps {
		ir.WalkStmts(step.Body, func(x *ir.Stmt) {
			if x.Call == nil || !slices.ContainsFunc(x.Call.Proc.Record, func(v *ir.Var) bool { return v.Name == name }) {
				return
			}
			if owner := "after " + x.Call.Proc.Name; !slices.Contains(owners, owner) {
				owners = append(owners, owner)
			}
		}, func(*ir.Expr) {})
	}
	if len(owners) == 0 || len(owners) > maxHintAlternatives {
		return ""
	}
	return "a rule " + quotedList(owners) + " knows " + name
}

// visibleNames lists what has a name here.
func (s *scope) visibleNames(want *ir.Type) (names []string) {
	for _, b := range s.vars {
		for n := range b {
			names = append(names, n)
		}
	}
	commands := want != nil && (want.Kind == ir.ActionRef || want.Kind == ir.PlanType)
	names = append(names, s.c.namesOf(func(x any) bool {
		_, isCommand := x.(*ir.Proc)
		return (commands || !isCommand) && s.c.state[x] != busy
	})...)
	for n := range s.script {
		names = append(names, n)
	}
	if s.interrupted != nil {
		for _, v := range s.interrupted.Vars {
			names = append(names, v.Name)
		}
	}
	if s.self != nil && s.self.Type.Kind == ir.Ref {
		for _, f := range s.c.kinds[s.self.Type.Name].Fields {
			names = append(names, f.Name)
		}
	}
	if want != nil && want.Kind == ir.EnumType {
		names = append(names, s.c.enums[want.Name].Members...)
	}
	return names
}

// scriptNameHint suggests the only name of a script that begins with a word and has the type that is wanted: what is in
// play is meant rather than a rule with these initials.
func (s *scope) scriptNameHint(word string, want *ir.Type) string {
	var names []string
	for n, x := range s.script {
		fits := want != nil && x.Type.Kind == want.Kind && x.Type.Name == want.Name
		if fits && len(n) > len(word) && strings.EqualFold(n[:len(word)], word) {
			names = append(names, n)
		}
	}
	if len(names) != 1 {
		return ""
	}
	return anyOf(names)
}

// UnboundHint says how a step declares a name again that a change took from it.
func UnboundHint(name string) string {
	return "declare it: `let " + name + " = ...`, or `as " + name + "` after a check; declared inside an `if` or an arm, it ends there"
}

// reportUnbound reports a name that a step bound until a change removed it: the change is at fault, not the code that
// reads the name.
func (s *scope) reportUnbound(id ast.Ident) bool {
	for _, p := range []*ir.Proc{s.proc, s.interrupted} {
		if p == nil {
			continue
		}
		if o := s.c.set.Unbound[p.Name+"."+id.Name]; o != nil {
			s.c.errorAt(o.File, o.Span, "unbound-name", "this no longer declares "+id.Name+", which is still used", UnboundHint(id.Name),
				diag.Related{File: s.file, Span: id.Span, Message: "it is used here"})
			return true
		}
	}
	return false
}

// property resolves X.NAME, nil if X has nothing of that name. labelled are the arguments of a stat's situation.
func (s *scope) property(x *ir.Expr, id ast.Ident, labelled []ast.Arg) *ir.Expr {
	c := s.c
	t := x.Type
	pos := s.pos(id.Span)
	if d := c.propsOf(t)[id.Name]; d != nil {
		return s.callDefine(d, x, labelled, id.Span)
	}
	switch t.Kind {
	case ir.Ref:
		k := c.kinds[t.Name]
		if i := k.Field(id.Name); i >= 0 {
			return &ir.Expr{Op: ir.OpField, Type: k.Fields[i].Type, Kind: k, Int: int64(i), Args: []*ir.Expr{x}, Pos: pos}
		}
		if t.Name != "creature" {
			if id.Name == "name" {
				return &ir.Expr{Op: ir.OpBuiltin, Name: "name", Type: text, Args: []*ir.Expr{x}, Pos: pos}
			}
			return nil
		}
		switch y := c.names[id.Name].(type) {
		case *ir.Stat:
			return s.stat(y, x, labelled, id.Span)
		case *ir.Resource:
			return &ir.Expr{Op: ir.OpResource, Type: y.Type, Resource: y, Args: []*ir.Expr{x}, Pos: pos}
		}
		switch id.Name {
		case "square":
			return &ir.Expr{Op: ir.OpBuiltin, Name: "square-of", Type: square, Args: []*ir.Expr{x}, Pos: pos}
		case "name":
			return &ir.Expr{Op: ir.OpBuiltin, Name: "name", Type: text, Args: []*ir.Expr{x}, Pos: pos}
		case "taking-turn":
			return &ir.Expr{Op: ir.OpBuiltin, Name: "taking-turn", Type: yesNo, Args: []*ir.Expr{x}, Pos: pos}
		}
	case ir.Square:
		if id.Name == "terrain" && c.kinds["terrain"] != nil {
			return &ir.Expr{Op: ir.OpBuiltin, Name: "terrain", Type: listOf(refTo("terrain")), Args: []*ir.Expr{x}, Pos: pos}
		}
	case ir.Outcome:
		if i := slices.Index(ir.OutcomeFields, id.Name); i >= 0 {
			return &ir.Expr{Op: ir.OpRecordGet, Type: outcomeField(i), Int: int64(i), Args: []*ir.Expr{x}, Pos: pos}
		}
	case ir.Record:
		p, _ := c.names[t.Name].(*ir.Proc)
		if p == nil {
			return s.bad(id.Span)
		}
		c.procBody(p)
		for i, v := range p.Record {
			if v.Name == id.Name {
				return &ir.Expr{Op: ir.OpRecordGet, Type: v.Type, Int: int64(i), Args: []*ir.Expr{x}, Pos: pos}
			}
		}
	case ir.ActionRef:
		if k := c.kinds["action"]; k != nil {
			if i := k.Field(id.Name); i >= 0 {
				return &ir.Expr{Op: ir.OpProperty, Type: k.Fields[i].Type, Name: id.Name, Int: int64(i), Args: []*ir.Expr{x}, Pos: pos}
			}
		}
	case ir.PlanType:
		switch id.Name {
		case "actions":
			return &ir.Expr{Op: ir.OpBuiltin, Name: "plan-actions", Type: listOf(actionType), Args: []*ir.Expr{x}, Pos: pos}
		case "comes-after":
			return &ir.Expr{Op: ir.OpBuiltin, Name: "plan-comes-after", Type: yesNo, Args: []*ir.Expr{x}, Pos: pos}
		}
	case ir.List:
		if id.Name == "length" {
			return &ir.Expr{Op: ir.OpBuiltin, Name: "length", Type: number, Args: []*ir.Expr{x}, Pos: pos}
		}
	}
	return nil
}

func (s *scope) field(n *ast.Field, labelled []ast.Arg) *ir.Expr {
	c := s.c
	// TABLE[KEY].COLUMN
	if ix, ok := n.X.(*ast.Index); ok {
		if t := s.tableOf(ix.X); t != nil {
			return s.tableLookup(t, ix, &n.Name)
		}
	}
	// WHO.EFFECT.MEMORY
	who, e, x := s.effectOf(n.X)
	if e != nil {
		for i, v := range e.Values {
			if v.Name == n.Name.Name {
				c.checkMemory(e, v)
				return &ir.Expr{Op: ir.OpMemory, Type: v.Type, Effect: e, Int: int64(i), Args: []*ir.Expr{who}, Pos: s.pos(n.Span)}
			}
		}
		var names []string
		for _, v := range e.Values {
			names = append(names, v.Name)
		}
		s.errHint(n.Name.Span, "unknown-name", fmt.Sprintf("%s has no memory named %s", e.Name, n.Name.Name), c.nearestHint(n.Name.Name, names))
		return s.bad(n.Span)
	}
	if x == nil {
		x = s.expr(n.X, nil)
	}
	return s.fieldOf(x, n, labelled)
}

// fieldOf resolves the name after the dot in x, the checked operand before it.
func (s *scope) fieldOf(x *ir.Expr, n *ast.Field, labelled []ast.Arg) *ir.Expr {
	if x.Type.Kind == ir.Invalid {
		return s.bad(n.Span)
	}
	if x.Type.OrNone {
		x = s.errMayBeNone(x, n.X)
	}
	if y := s.property(x, n.Name, labelled); y != nil {
		y.Pos = s.pos(n.Span)
		return y
	}
	s.errNoMember(n.Name, x.Type)
	return s.bad(n.Span)
}

// errMayBeNone reports reading through something that may be none, and returns it as not none.
func (s *scope) errMayBeNone(x *ir.Expr, e ast.Expr) *ir.Expr {
	s.errHint(e.Extent(), "none-not-met", "this may be none", "guard it with `is not none`, or write `... otherwise VALUE`")
	y := *x
	y.Type = notNone(x.Type)
	return &y
}

func (s *scope) propertyNames(t ir.Type) []string {
	c := s.c
	names := keys(c.propsOf(t))
	switch t.Kind {
	case ir.Ref:
		for _, f := range c.kinds[t.Name].Fields {
			names = append(names, f.Name)
		}
		if t.Name == "creature" {
			names = append(names, c.namesOf(isStat)...)
			names = append(names, c.namesOf(isResource)...)
			names = append(names, "square", "name")
		}
	case ir.Outcome:
		names = append(names, ir.OutcomeFields...)
	case ir.Record:
		if p, _ := c.names[t.Name].(*ir.Proc); p != nil {
			for _, v := range p.Record {
				names = append(names, v.Name)
			}
		}
	case ir.ActionRef:
		if k := c.kinds["action"]; k != nil {
			for _, f := range k.Fields {
				names = append(names, f.Name)
			}
		}
	}
	sort.Strings(names)
	return names
}

// isOrHas is the verb for an effect: a creature is a condition, and has a feat.
func isOrHas(e *ir.Effect) string {
	if e.Word == ir.ConditionWord {
		return "is"
	}
	return "has"
}
