package hook

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/lang/diag"
	"arbiter/lang/words"
	"arbiter/stdlib/pattern"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file finds unknown names in the files statically. Otherwise a misspelled name in a branch that is rarely taken
// would long go unnoticed.

// mention is a use of a name of the rules in the source.
type mention struct {
	name string // as in the source
	role role
	file string
	at   syntax.Position
	call *sourceArgs // the arguments, if it is in a call
	use  *contextUse // the function of whose context it is an attribute
	err  error       // what is wrong with it, whatever the rules are
}

// sourceArgs describes the arguments of a call after the name, as far as the source shows them.
type sourceArgs struct {
	positional int // positional arguments
	labels     []string
	hasMore    bool // has *args or **kwargs
}

// role is what a mentioned name must refer to.
type role uint8

const (
	anAttribute role = iota // X in ctx.X or thing.X
	aProperty               // get(X)
	aDefine                 // call(X)
	anEffect                // has(X)
	aPermission             // can(X)
	aGain                   // gain(WHO, X): a resource or an effect
	aLoss                   // lose(WHO, X): likewise
	aProcedure              // do(WHO, X)
	aBonus                  // add(N, X)
	aLabel                  // roll(DICE, X), ask(X, WAYS): any name
	aVariable               // bind(X, VALUE): a name where the function is used
)

// roleMessages is the message for each role.
var roleMessages = [...]string{
	anAttribute: "nothing in the rules or in Starlark has the attribute %s",
	aProperty:   "nothing in the rules has a property %q",
	aDefine:     "there is no define %q",
	anEffect:    "there is no condition, feat, trait or effect %q",
	aPermission: "there is no action or permission %q",
	aGain:       "there is no resource and no effect %q",
	aLoss:       "there is no resource and no effect %q",
	aProcedure:  "there is no action or procedure %q",
	aBonus:      "there is no bonus type %q",
	aLabel:      "%q cannot name a die or a choice: scripts could not name it",
}

// findMentions lists the mentions of a file, except names that it tests with hasattr or getattr, which need not exist.
func findMentions(f *syntax.File, name string) []mention {
	var list []mention
	tested := map[string]bool{}
	literal := func(e syntax.Expr) (string, syntax.Position, bool) {
		if l, ok := e.(*syntax.Literal); ok {
			s, ok := l.Value.(string)
			return s, l.TokenPos, ok
		}
		return "", syntax.Position{}, false
	}
	var def *syntax.DefStmt // the function around it, at the top level
	visit := func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DotExpr:
			list = append(list, mention{name: n.Name.Name, role: anAttribute, file: name, at: n.Name.NamePos, use: useOf(name, def, n)})
		case *syntax.CallExpr:
			if dot, ok := n.Fn.(*syntax.DotExpr); ok && useOf(name, def, dot) != nil {
				if err := checkForm(dot.Name.Name, n.Args); err != nil {
					list = append(list, mention{name: dot.Name.Name, role: anAttribute, file: name, at: dot.Name.NamePos, err: err})
				}
			}
			if fn, ok := n.Fn.(*syntax.Ident); ok && (fn.Name == "hasattr" || fn.Name == "getattr") && len(n.Args) > 1 {
				if s, _, ok := literal(n.Args[1]); ok {
					tested[s] = true
				}
			}
			fn, ok := n.Fn.(*syntax.DotExpr)
			if !ok {
				break
			}
			at, expected, named := -1, role(0), ""
			switch fn.Name.Name {
			case "get": // a dict has one, too
				if hasLabels(n.Args) || rootOf(fn.X) == "ctx" {
					at, expected = 0, aProperty
				}
			case "call":
				at, expected = 0, aDefine
			case "has":
				at, expected = 0, anEffect
			case "can":
				at, expected = 0, aPermission
			case "gain":
				at, expected = 1, aGain
			case "lose":
				at, expected = 1, aLoss
			case "do":
				at, expected = 1, aProcedure
			case "add":
				at, expected, named = 1, aBonus, "type"
			case "roll":
				at, expected, named = 1, aLabel, "label"
			case "ask":
				at, expected, named = 0, aLabel, "question"
			case "bind":
				at, expected, named = 0, aVariable, "name"
			}
			for i, a := range n.Args {
				if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
					if id, ok := b.X.(*syntax.Ident); !ok || id.Name != named {
						continue
					}
					a = b.Y
				} else if i != at {
					continue
				}
				if s, pos, ok := literal(a); ok && s != "" {
					list = append(list, mention{name: s, role: expected, file: name, at: pos, call: argsAfter(n.Args, at), use: useOf(name, def, fn)})
				}
			}
		}
		return true
	}
	for _, st := range f.Stmts {
		def, _ = st.(*syntax.DefStmt)
		syntax.Walk(st, visit)
	}
	return slices.DeleteFunc(list, func(m mention) bool { return m.role <= aProperty && tested[strings.ReplaceAll(m.name, "-", "_")] })
}

// argsAfter describes the arguments of a call after the one at index at.
func argsAfter(args []syntax.Expr, at int) *sourceArgs {
	w := &sourceArgs{}
	for i, a := range args {
		switch a := a.(type) {
		case *syntax.BinaryExpr:
			if id, ok := a.X.(*syntax.Ident); ok && a.Op == syntax.EQ {
				w.labels = append(w.labels, id.Name)
				continue
			}
		case *syntax.UnaryExpr:
			if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
				w.hasMore = true
				continue
			}
		}
		if i > at {
			w.positional++
		}
	}
	return w
}

// hasLabels reports whether one of the arguments has a label.
func hasLabels(args []syntax.Expr) bool { return len(argsAfter(args, 0).labels) > 0 }

// rootOf is the first name in a chain of attributes, calls and elements.
func rootOf(e syntax.Expr) string {
	for {
		switch x := e.(type) {
		case *syntax.Ident:
			return x.Name
		case *syntax.DotExpr:
			e = x.X
		case *syntax.CallExpr:
			e = x.Fn
		case *syntax.IndexExpr:
			e = x.X
		default:
			return ""
		}
	}
}

// CheckMentions reports mentions of names that neither the program nor Starlark has, and of those that are used in a
// wrong way.
func (l *Library) CheckMentions(f *Functions, rs *ir.Ruleset, p *program.Program) diag.List {
	if f == nil {
		return nil
	}
	known, otherMeanings := f.names.knownNames(p)
	scenes := f.scenes(rs, p)
	var diags diag.List
	seen := map[string]bool{} // several modules may load the same file
	for _, m := range l.modules {
		if m.index == nil {
			continue
		}
		for _, x := range m.index.mentions {
			file := m.displayPath(x.file)
			key := fmt.Sprint(file, x.at)
			if seen[key] {
				continue
			}
			var d diag.Diagnostic
			if known[x.role][x.name] || x.role == aVariable || x.role == aLabel && namePattern.MatchString(x.name) {
				err := cmp.Or(x.err, f.names.checkMention(p, &x, otherMeanings))
				if x.use != nil && err == nil {
					err = f.names.checkUse(&x, scenes[contextUse{m.displayPath(x.use.file), x.use.line}])
				}
				if err == nil {
					continue
				}
				d = x.diagnostic(file, err.Error())
				if y, ok := err.(*callError); ok {
					d.Hint = y.hint
				}
			} else {
				d = x.diagnostic(file, fmt.Sprintf(roleMessages[x.role], x.name))
				d.Hint = x.unknownHint(known[x.role])
				if near := words.Nearest(x.name, f.names.resources()); x.role == anAttribute && near != "" && !strings.HasPrefix(d.Hint, "did you mean") {
					d.Hint = "did you mean `" + toStarlarkName(near) + "`?"
				}
				if name := effectPrefix().ReplaceAllString(toRulesName(x.name), ""); x.role == anAttribute && known[anEffect][name] {
					d.Hint = "ask with `.has(\"" + name + "\")`"
				}
			}
			seen[key] = true
			diags = append(diags, d)
		}
	}
	diags.Sort()
	return diags
}

// resources lists the names of the resources, which are the most likely to be abbreviated.
func (n *names) resources() (list []string) {
	for _, a := range n.attrs {
		if a.resource >= 0 {
			list = append(list, a.name)
		}
	}
	slices.Sort(list)
	return list
}

// effectPrefix is what may stand before the name of an effect that is written like an attribute.
var effectPrefix = pattern.New(`^(is|has)-`)

// unknownHint says what to write instead of an unknown name, given those that are known in its role.
func (x *mention) unknownHint(known map[string]bool) string {
	names := make([]string, 0, len(known))
	for n, is := range known {
		if is {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	near := words.Nearest(x.name, names)
	switch {
	case near != "":
		return fmt.Sprintf("did you mean `%s`?", near)
	case x.role == aLabel:
		return "a name has letters, digits and `-`: \"to-stay-up\""
	case x.role == aBonus && len(names) <= 20:
		return "there are: " + strings.Join(names, ", ") + "; a ruleset adds one with `bonus " + x.name + ": highest`"
	case x.role == anAttribute:
		return "`arbiter rules list` lists what there is; in Starlark `_` stands for `-`"
	}
	return "`arbiter rules list` lists what there is"
}

// diagnostic is a diagnostic for a mention.
func (x *mention) diagnostic(file, message string) diag.Diagnostic {
	d := diag.Diagnostic{File: file, Span: spanAt(int(x.at.Line), int(x.at.Col)), Severity: diag.Error, Code: "starlark", Message: message}
	d.Span.End.Column = d.Span.Start.Column + len(x.name)
	return d
}

// checkMention returns why the arguments of a mention are wrong, nil if they are right. otherMeanings has the
// attributes that also mean something else.
func (n *names) checkMention(p *program.Program, x *mention, otherMeanings map[string]bool) error {
	a, w := n.attrs[x.name], x.call
	switch x.role {
	case anAttribute:
		if a = n.attrs[toRulesName(x.name)]; a == nil || !a.isProperty() || otherMeanings[x.name] {
			return nil
		}
		return a.checkRead(p, &sourceArgs{})
	case aProperty:
		return a.checkRead(p, w)
	case aDefine:
		if a.kindless < 0 {
			return a.noDefine()
		}
		g := defineSignature(&p.Defines[a.kindless], a.name)
		return g.checkCall(w)
	case anEffect:
		g := effectSignature(&p.Effects[a.effect], "has(", requireNone)
		return g.checkCall(w)
	case aGain:
		return a.checkGain(p, w)
	case aLoss:
		return a.checkLose(p, w)
	case aProcedure:
		g := procSignature(&p.Procs[n.procs[x.name]])
		return g.checkCall(w)
	}
	return nil
}

// checkRead returns why no property of this name can be read with the arguments of a call, nil if one can.
func (a *attr) checkRead(p *program.Program, w *sourceArgs) error {
	if (a.resource >= 0 || len(a.fields) > 0) && w.positional+len(w.labels) == 0 {
		return nil
	}
	var all []signature
	if a.define >= 0 {
		all = append(all, propertySignature(&p.Defines[a.define], a.name))
	}
	for _, d := range a.kindDefines {
		all = append(all, propertySignature(&p.Defines[d], a.name))
	}
	if a.stat >= 0 {
		all = append(all, statSignature(p, a.stat))
	}
	var first error
	for i := range all {
		err := all[i].checkCall(w)
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// knownNames returns the known names for each role, and in also the attributes with a meaning other than a property.
func (n *names) knownNames(p *program.Program) (known [aVariable + 1]map[string]bool, otherMeanings map[string]bool) {
	otherMeanings = map[string]bool{}
	for i := range known {
		known[i] = map[string]bool{}
	}
	attribute := func(name string) {
		known[anAttribute][toStarlarkName(name)], otherMeanings[toStarlarkName(name)] = true, true
	}
	for _, a := range n.attrs {
		if a.isProperty() {
			known[anAttribute][toStarlarkName(a.name)] = true
		}
		known[anEffect][a.name] = a.effect >= 0
		known[aPermission][a.name] = a.permission >= 0
		known[aGain][a.name] = a.effect >= 0 || a.resource >= 0
		known[aProperty][a.name] = a.isProperty()
		known[aDefine][a.name] = a.kindless >= 0 || a.isProperty()
	}
	known[aLoss] = known[aGain]
	for name := range n.procs {
		known[aProcedure][name] = true
	}
	for name := range n.bonusTypes {
		known[aBonus][name] = true
	}
	for _, s := range p.Sites { // what is in scope where functions are named
		for _, name := range s.Names {
			attribute(name)
		}
		for i := range s.Vars {
			attribute(s.Vars[i].Name)
		}
	}
	for i := range p.Procs {
		for _, f := range p.Procs[i].Record {
			attribute(f.Name)
		}
	}
	for _, name := range slices.Concat(ir.OutcomeFields, []string{"round", "in_fight", "creatures", "get", "has", "can"}, builtinNames) {
		attribute(name)
	}
	for name := range pureMethods {
		attribute(name)
	}
	for name := range actingMethods {
		attribute(name)
	}
	for _, v := range []starlark.HasAttrs{starlark.String(""), &starlark.List{}, &starlark.Dict{}, &starlark.Set{}, starlark.Bytes("")} {
		for _, name := range v.AttrNames() {
			attribute(name)
		}
	}
	return known, otherMeanings
}
