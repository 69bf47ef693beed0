package hook

import (
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/sandbox"
	"arbiter/stdlib/dice"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file finds the names and texts in the source of the functions of a module.
//
// A hook can read a stat by an attribute (ctx.self.hit_points) or by a text (ctx.self.get("hit-points")). Both are in
// its source, and the runner refuses a name that is not. So the names in the source are a superset of what it can read.
// The names of a function include those of everything that it refers to, transitively, through calls and tables.

// sourceIndex is the result for the top-level statements of a module and of all files that it loads.
type sourceIndex struct {
	files       map[string]*sourceNames // by file
	definitions map[string]*definition  // top-level names of the module's own file
	ownNames    *sourceNames

	mentions []mention // in all files except the standard helpers
}

// definition is a top-level definition.
type definition struct {
	sourceNames
	position syntax.Position
}

// sourceNames is the names and texts in a piece of source. uses are the identifiers that it reads.
type sourceNames struct {
	names, labels, texts, dice map[string]bool
	identifiers                map[string]bool
}

func newSourceNames() sourceNames {
	return sourceNames{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
}

func (s *sourceNames) add(o *sourceNames) {
	for _, x := range []struct{ to, from map[string]bool }{{s.names, o.names}, {s.labels, o.labels}, {s.texts, o.texts}, {s.dice, o.dice}, {s.identifiers, o.identifiers}} {
		for k := range x.from {
			x.to[k] = true
		}
	}
}

// indexSource analyzes the files of a module.
func indexSource(m *sandbox.Module, own string) *sourceIndex {
	t := &sourceIndex{files: map[string]*sourceNames{}, definitions: map[string]*definition{}}
	for _, f := range m.Files {
		whole := newSourceNames()
		parsed, err := (&syntax.FileOptions{}).Parse(f.Name, f.Text, 0)
		if err != nil {
			continue // cannot happen: it has been parsed before
		}
		for _, st := range parsed.Stmts {
			s := newSourceNames()
			s.collect(st)
			whole.add(&s)
			if f.Name == own {
				t.define(st, &s)
			}
		}
		t.files[f.Name] = &whole
		if !strings.HasPrefix(f.Name, sandbox.Library) {
			t.mentions = append(t.mentions, findMentions(parsed, f.Name)...)
		}
		if f.Name == own {
			t.ownNames = &whole
		}
	}
	return t
}

// define records the names that a top-level statement binds.
func (t *sourceIndex) define(st syntax.Stmt, s *sourceNames) {
	bind := func(name string, at syntax.Position) {
		p := t.definitions[name]
		if p == nil {
			p = &definition{sourceNames: newSourceNames(), position: at}
			t.definitions[name] = p
		}
		p.add(s)
	}
	switch n := st.(type) {
	case *syntax.DefStmt:
		bind(n.Name.Name, n.Def)
	case *syntax.AssignStmt:
		syntax.Walk(n.LHS, func(x syntax.Node) bool {
			if id, ok := x.(*syntax.Ident); ok {
				bind(id.Name, id.NamePos)
			}
			return true
		})
	case *syntax.LoadStmt:
		from := *s
		from.identifiers = map[string]bool{"load " + n.ModuleName(): true}
		for _, id := range n.To {
			p := &definition{sourceNames: newSourceNames(), position: id.NamePos}
			p.add(&from)
			t.definitions[id.Name] = p
		}
	default:
		for name := range s.identifiers { // a loop or a condition can fill a table
			if p := t.definitions[name]; p != nil {
				p.add(s)
			}
		}
	}
}

// collect collects the names and texts of a piece of source.
func (s *sourceNames) collect(st syntax.Node) {
	syntax.Walk(st, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DotExpr:
			s.names[n.Name.Name] = true
		case *syntax.Ident:
			s.identifiers[n.Name] = true
		case *syntax.Literal:
			if v, ok := n.Value.(string); ok {
				s.names[v], s.texts[v] = true, true
			}
		case *syntax.CallExpr:
			s.collectCall(n.Args)
		}
		return true
	})
}

// collectCall collects the labels and the dice among the arguments of a call. A helper can pass them on, so every text
// in any call counts.
func (s *sourceNames) collectCall(args []syntax.Expr) {
	for _, a := range args {
		if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
			a = b.Y
		}
		l, ok := a.(*syntax.Literal)
		if !ok {
			continue
		}
		v, ok := l.Value.(string)
		switch {
		case !ok:
		case isNotation(v):
			s.dice[v] = true
		case len(v) <= 40:
			s.labels[v] = true
		}
	}
}

// isNotation reports whether a text is a dice notation.
func isNotation(v string) bool {
	if len(v) > 40 || !strings.ContainsAny(v, "d%") {
		return false
	}
	_, err := dice.Parse(v)
	return err == nil
}

// mentionsOf returns what a function mentions.
func (t *sourceIndex) mentionsOf(fn starlark.Callable) ir.Mentions {
	all := newSourceNames()
	out := ir.Mentions{Line: 1, Column: 1}
	f, ok := fn.(*starlark.Function)
	if ok {
		out.Line, out.Column = int(f.Position().Line), int(f.Position().Col)
		out.MinArgs, out.MaxArgs = arity(f)
	}
	p := t.definitions[fn.Name()]
	if ok && p != nil && p.position.Line == f.Position().Line && f.NumFreeVars() == 0 {
		t.follow(&all, &p.sourceNames, map[string]bool{})
	} else { // a nested function, or one of another file
		for _, s := range t.files {
			all.add(s)
		}
	}
	for n := range all.names {
		out.Names = append(out.Names, strings.ReplaceAll(strings.TrimSuffix(n, "_"), "_", "-"))
	}
	out.Names = sortedUnique(out.Names)
	for n := range all.labels {
		out.Labels = append(out.Labels, n)
	}
	for n := range all.texts {
		out.Texts = append(out.Texts, n)
	}
	for n := range all.dice {
		out.Dice = append(out.Dice, n)
	}
	out.Labels, out.Texts, out.Dice = sortedUnique(out.Labels), sortedUnique(out.Texts), sortedUnique(out.Dice)
	return out
}

// arity returns how many positional arguments a function takes; most is -1 for any number.
func arity(f *starlark.Function) (minArgs, maxArgs int) {
	maxArgs = f.NumParams() - f.NumKwonlyParams()
	if f.HasKwargs() {
		maxArgs--
	}
	if f.HasVarargs() {
		maxArgs--
	}
	for i := range maxArgs {
		if f.ParamDefault(i) == nil {
			minArgs++
		}
	}
	if f.HasVarargs() {
		maxArgs = -1
	}
	return minArgs, maxArgs
}

// follow adds the contents of a piece and, transitively, of everything it refers to.
func (t *sourceIndex) follow(all, s *sourceNames, seen map[string]bool) {
	all.add(s)
	for name := range s.identifiers {
		if seen[name] {
			continue
		}
		seen[name] = true
		if strings.HasPrefix(name, "load ") { // including what that file loads
			for _, whole := range t.files {
				if whole != t.ownNames {
					all.add(whole)
				}
			}
			continue
		}
		if p := t.definitions[name]; p != nil {
			t.follow(all, &p.sourceNames, seen)
		}
	}
}

func sortedUnique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
