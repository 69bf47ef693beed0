package hook

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/lang/words"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file checks statically how functions use their context: with the names that are in scope where rules name the
// function, with what it may do there, and with arguments that fit.

// contextUse says which function asks its context for something.
type contextUse struct {
	file string
	line int // of the function
}

// useOf returns the function around a DotExpr if this asks the context of that function, nil if it asks something else.
func useOf(file string, def *syntax.DefStmt, dot *syntax.DotExpr) *contextUse {
	id, ok := dot.X.(*syntax.Ident)
	if !ok || def == nil || len(def.Params) == 0 {
		return nil
	}
	if first, ok := def.Params[0].(*syntax.Ident); !ok || first.Name != id.Name {
		return nil
	}
	return &contextUse{file, int(def.Def.Line)}
}

// form is how a method of the context is called.
type form struct {
	params   []string // by name, the required ones first
	required int
	text     string
}

// forms are the methods whose arguments are the same whatever they name; those of the others depend on the rules.
var forms = map[string]form{
	"add":      {[]string{"amount", "type", "reason"}, 1, `ctx.add(AMOUNT, type = "", reason = "")`},
	"times":    {[]string{"amount", "over", "reason"}, 1, `ctx.times(N, over = 1, reason = "")`},
	"at_least": {[]string{"amount", "reason"}, 1, `ctx.at_least(N, reason = "")`},
	"at_most":  {[]string{"amount", "reason"}, 1, `ctx.at_most(N, reason = "")`},
	"becomes":  {[]string{"amount", "reason"}, 1, `ctx.becomes(N, reason = "")`},
	"suppress": {[]string{"name", "reason"}, 1, `ctx.suppress("NAME", reason = "")`},
	"roll":     {[]string{"dice", "label", "who"}, 1, `ctx.roll("2d6", label = "", who = ctx.self)`},
	"note":     {[]string{"text"}, 1, `ctx.note("TEXT")`},
	"bind":     {[]string{"name", "value"}, 2, `ctx.bind("NAME", VALUE)`},
	"set":      {[]string{"who", "name", "value", quietly}, 3, `ctx.set(WHO, "NAME", VALUE, quietly = False)`},
	"cancel":   {[]string{"why"}, 0, `ctx.cancel("WHY")`},
	"stop":     {nil, 0, "ctx.stop()"},
	"default":  {nil, 0, "ctx.default()"},
}

// checkForm returns what is wrong with the arguments of a method of the context, as far as the source shows them.
func checkForm(name string, args []syntax.Expr) error {
	w := argsAfter(args, -1)
	first := syntax.Expr(nil)
	if w.positional > 0 {
		first = args[0]
	}
	switch name {
	case "gain", "lose", "set", "do":
		if isLiteral(first) {
			return &callError{"the first argument of ctx." + name + " says whose it is", "write ctx." + name + "(ctx.self, ...) or ctx." + name + "(ctx.target, ...)"}
		}
		if (name == "gain" || name == "lose") && w.positional == 3 && isText(args[2]) {
			return &callError{"an amount is a whole number", "dice are rolled by ctx.roll(\"1d4\")"}
		}
	case "roll":
		if l, ok := first.(*syntax.Literal); ok && l.Token == syntax.INT {
			return &callError{"ctx.roll takes dice, not a number", "dice are texts: ctx.roll(\"2d6\")"}
		}
	}
	f, known := forms[name]
	if !known || w.hasMore {
		return nil
	}
	given := map[string]bool{}
	for i := range min(w.positional, len(f.params)) {
		given[f.params[i]] = true
	}
	hint := "the form is: " + f.text
	switch i := slices.IndexFunc(w.labels, func(l string) bool { return !slices.Contains(f.params, l) }); {
	case w.positional > len(f.params):
		return &callError{fmt.Sprintf("ctx.%s takes at most %d values", name, len(f.params)), hint}
	case i >= 0:
		return &callError{"ctx." + name + " takes no " + w.labels[i], hint}
	}
	for _, l := range w.labels {
		given[l] = true
	}
	for _, p := range f.params[:f.required] {
		if !given[p] {
			return &callError{"ctx." + name + " needs its " + p, hint}
		}
	}
	return nil
}

func isLiteral(e syntax.Expr) bool {
	_, ok := e.(*syntax.Literal)
	return ok
}

func isText(e syntax.Expr) bool {
	l, ok := e.(*syntax.Literal)
	return ok && l.Token == syntax.STRING
}

// scene is where rules name a function: what it gets, and what it may do.
type scene struct {
	name           string
	names          map[string]bool
	vars           []string // those that it can bind
	takesContext   bool
	acts, modifies bool
	reads          bool // it is also used where it can only read
}

// scenes returns what is known about each function that rules name.
func (f *Functions) scenes(rs *ir.Ruleset, p *program.Program) map[contextUse]*scene {
	all := map[contextUse]*scene{}
	var byHook []*scene
	for i, h := range rs.Hooks {
		b := &f.hooks[i]
		fn, ok := b.module.function(h.Func).(*starlark.Function)
		if !ok {
			byHook = append(byHook, nil)
			continue
		}
		at := contextUse{b.module.displayPath(fn.Position().Filename()), int(fn.Position().Line)}
		if all[at] == nil {
			all[at] = &scene{name: h.Name, names: map[string]bool{}, takesContext: true}
		}
		all[at].takesContext = all[at].takesContext && h.TakesContext()
		byHook = append(byHook, all[at])
	}
	for i := range p.Sites {
		site := &p.Sites[i]
		x := byHook[site.Hook]
		if x == nil {
			continue
		}
		for _, n := range site.Names {
			x.names[n] = true
		}
		for i := range site.Vars {
			if v := &site.Vars[i]; v.Assignable {
				x.vars = append(x.vars, v.Name)
			}
		}
		switch {
		case site.Label >= 0:
			x.acts = true
		case site.Modifies:
			x.modifies = true
		default:
			x.reads = true
		}
	}
	return all
}

// checkUse returns what is wrong with something that a function asks its context for, nil if it is right.
func (n *names) checkUse(x *mention, at *scene) error {
	if at == nil || !at.acts && !at.modifies && !at.reads { // nothing uses it
		return nil
	}
	switch {
	case x.role == aVariable && at.acts && !slices.Contains(at.vars, x.name):
		return at.notBound(x.name)
	case x.role != anAttribute:
		return nil
	}
	_, acting := actingMethods[x.name]
	_, pure := pureMethods[x.name]
	switch {
	case acting && !at.acts:
		return &callError{"ctx." + x.name + " acts, but " + at.name + " only computes a value", "register it with before, after, instead or on, or write `roll` before its name in the rules"}
	case pure && x.name != "call" && !at.modifies:
		return &callError{"ctx." + x.name + " changes a stat while it is computed, but " + at.name + " is not a modifier", "register it with modify(STAT, ...); a function that acts gives an effect, with ctx.gain"}
	case acting || pure || !at.takesContext:
		return nil
	}
	name := toRulesName(x.name)
	if a := n.attrs[name]; at.names[name] || a != nil && a.isPropertyOf(0) || slices.Contains(builtinNames, x.name) || slices.Contains([]string{"round", "in_fight", "creatures"}, x.name) {
		return nil
	}
	var there []string
	for known := range at.names {
		there = append(there, toStarlarkName(known))
	}
	slices.Sort(there)
	hint := "of what it mentions, there are: ctx." + strings.Join(there, ", ctx.")
	if near := words.Nearest(x.name, there); near != "" {
		hint = "did you mean `" + near + "`?"
	}
	return &callError{"there is nothing named " + x.name + " where " + at.name + " is used", hint}
}

// notBound says that a name cannot be bound where the function is used.
func (s *scene) notBound(name string) error {
	there := slices.Compact(slices.Sorted(slices.Values(s.vars)))
	hint := "declare it in the step or the rule that names the function: `let " + name + " = ...`"
	if near := words.Nearest(name, there); near != "" {
		hint = "did you mean `" + near + "`?"
	} else if len(there) > 0 {
		hint = "of what it mentions, these can be bound: " + strings.Join(there, ", ")
	}
	return &callError{"no name " + name + " can be bound where " + s.name + " is used", hint}
}
