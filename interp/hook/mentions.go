package hook

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/lang/diag"
	"arbiter/lang/words"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file finds names in the files that nothing has, before anything runs: a slip of the pen in a branch that is rarely
// taken would else wait for its evening.

// mention is a name that the text asks something of the rules by.
type mention struct {
	name string // as the text says it
	role role
	file string
	at   syntax.Position
}

// role is what a name must be the name of.
type role uint8

const (
	anAttribute role = iota // X in ctx.X or thing.X
	anEffect                // has(X)
	aPermission             // can(X)
	aHolding                // gain(WHO, X), lose(WHO, X): a resource or an effect
	aProcedure              // do(WHO, X)
	aBonus                  // add(N, X)
	aLabel                  // roll(DICE, X), ask(X, WAYS): any name
)

// what says a role in a message.
var what = [...]string{
	anAttribute: "nothing in the rules, and nothing in Starlark, has the attribute %s",
	anEffect:    "there is no condition, feat, trait or effect %q",
	aPermission: "there is no action or permission %q",
	aHolding:    "there is no resource and no effect %q",
	aProcedure:  "there is no action or procedure %q",
	aBonus:      "there is no bonus type %q",
	aLabel:      "%q cannot name a die or a choice: scripts could not say it",
}

// mentioned lists the mentions of a file. What it asks for with hasattr or getattr it knows to be uncertain.
func mentioned(f *syntax.File, name string) []mention {
	var list []mention
	unsure := map[string]bool{}
	literal := func(e syntax.Expr) (string, syntax.Position, bool) {
		if l, ok := e.(*syntax.Literal); ok {
			s, ok := l.Value.(string)
			return s, l.TokenPos, ok
		}
		return "", syntax.Position{}, false
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DotExpr:
			list = append(list, mention{n.Name.Name, anAttribute, name, n.Name.NamePos})
		case *syntax.CallExpr:
			if fn, ok := n.Fn.(*syntax.Ident); ok && (fn.Name == "hasattr" || fn.Name == "getattr") && len(n.Args) > 1 {
				if s, _, ok := literal(n.Args[1]); ok {
					unsure[s] = true
				}
			}
			fn, ok := n.Fn.(*syntax.DotExpr)
			if !ok {
				break
			}
			at, asks, named := -1, role(0), ""
			switch fn.Name.Name {
			case "has":
				at, asks = 0, anEffect
			case "can":
				at, asks = 0, aPermission
			case "gain", "lose":
				at, asks = 1, aHolding
			case "do":
				at, asks = 1, aProcedure
			case "add":
				at, asks, named = 1, aBonus, "type"
			case "roll":
				at, asks, named = 1, aLabel, "label"
			case "ask":
				at, asks, named = 0, aLabel, "question"
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
					list = append(list, mention{s, asks, name, pos})
				}
			}
		}
		return true
	})
	return slices.DeleteFunc(list, func(m mention) bool { return m.role == anAttribute && unsure[m.name] })
}

// Unknown reports the mentions of names that neither the program nor Starlark has.
func (l *Library) Unknown(f *Functions, rs *ir.Ruleset, p *program.Program) diag.List {
	if f == nil {
		return nil
	}
	known := f.names.known(rs, p)
	var diags diag.List
	seen := map[string]bool{} // several modules may load one file
	for _, m := range l.modules {
		if m.text == nil {
			continue
		}
		for _, x := range m.text.mentions {
			file := m.shown(x.file)
			key := fmt.Sprint(file, x.at)
			if known[x.role][x.name] || x.role == aLabel && aName.MatchString(x.name) || seen[key] {
				continue
			}
			seen[key] = true
			d := diag.Diagnostic{File: file, Span: spanAt(int(x.at.Line), int(x.at.Col)), Severity: diag.Error, Code: "starlark", Message: fmt.Sprintf(what[x.role], x.name)}
			d.Span.End.Column = d.Span.Start.Column + len(x.name)
			names := make([]string, 0, len(known[x.role]))
			for n, is := range known[x.role] {
				if is {
					names = append(names, n)
				}
			}
			slices.Sort(names)
			if near := words.Nearest(x.name, names); near != "" {
				d.Hint = fmt.Sprintf("did you mean `%s`?", near)
			} else if x.role == aLabel {
				d.Hint = "a name has letters, digits and `-`: \"to-stay-up\""
			} else if x.role == aBonus && len(names) <= 20 {
				d.Hint = "there are: " + strings.Join(names, ", ") + "; a ruleset adds one with `bonus " + x.name + ": highest`"
			} else if x.role == anAttribute {
				d.Hint = "`arbiter rules list` lists what there is; in Starlark `_` stands for `-`"
			} else {
				d.Hint = "`arbiter rules list` lists what there is"
			}
			diags = append(diags, d)
		}
	}
	diags.Sort()
	return diags
}

// known lists the names that each role can be filled by.
func (n *names) known(rs *ir.Ruleset, p *program.Program) [aLabel + 1]map[string]bool {
	var known [aLabel + 1]map[string]bool
	for i := range known {
		known[i] = map[string]bool{}
	}
	attribute := func(name string) { known[anAttribute][underscored(name)] = true }
	for _, a := range n.attrs {
		if a.define >= 0 || a.stat >= 0 || a.resource >= 0 || len(a.others) > 0 || len(a.fields) > 0 {
			attribute(a.name)
		}
		known[anEffect][a.name] = a.effect >= 0
		known[aPermission][a.name] = a.permit >= 0
		known[aHolding][a.name] = a.effect >= 0 || a.resource >= 0
	}
	for name := range n.procs {
		known[aProcedure][name] = true
	}
	for name := range n.bonus {
		known[aBonus][name] = true
	}
	for _, s := range p.Sites { // what is in scope where functions are named
		for _, name := range s.Names {
			attribute(name)
		}
		for i := range s.Places {
			attribute(s.Places[i].Name)
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
	return known
}
