package lint

import (
	"fmt"
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file has the rules about names.

var nameRules = []*Rule{
	{Code: "shadowed-name", Severity: diag.Warning, check: shadowedName,
		Summary: "A name that is bound here hides another that could be read here.",
		Why:     "Whoever reads the lines below takes one for the other, and so does the next change.",
		How:     "Give the inner one a name of its own."},
	{Code: "name-style", Severity: diag.Warning, check: nameStyle,
		Summary: "A name of the rules is not in small letters with hyphens, or that of a creature in a fight does not begin with a capital.",
		Why:     "In all rulebooks a capital means somebody who takes part, and everything else is small: whoever reads a line knows at once which is which.",
		How:     "Write `stage-fright` for `stageFright` or `Stage-Fright`, and `Alia` for `alia`."},
	{Code: "similar-names", Severity: diag.Warning, check: similarNames,
		Summary: "Two names differ only in hyphens or capitals.",
		Why:     "A slip of the pen names the other, and nothing reports it.",
		How:     "Rename one of them so that it says how the two differ."},
	{Code: "stuttering-name", Severity: diag.Note, check: stutteringName,
		Summary: "The name of a thing repeats the word that declares it.",
		Why:     "`condition tired-condition` is read as `self is tired-condition`.",
		How:     "Leave the word out: `condition tired`."},
}

// binding is a name that code binds for itself, and the node in which it can be read.
type binding struct {
	id    *ast.Ident
	what  string
	at    int32 // the node that binds it
	scope int32
	from  int      // the offset from which it can be read
	but   ast.Span // inside its scope, where it cannot: the list of a loop
}

// bindings lists what procedures, rules and scripts bind.
func (f *file) bindings() (list []binding) {
	for i, n := range each[ast.Let](f) {
		list = append(list, binding{id: &n.Name, what: "let", at: i, scope: f.scopeOf(i), from: n.End.Offset})
	}
	for i, n := range each[ast.Branch](f) {
		if n.As != nil {
			list = append(list, binding{id: n.As, what: "result", at: i, scope: f.scopeOf(i), from: n.As.End.Offset})
		}
	}
	for i, n := range each[ast.Query](f) {
		if n.Var.Name != "" {
			b := binding{id: &n.Var, what: "loop", at: i, scope: f.nodes[i].parent, from: n.Var.End.Offset}
			if n.In != nil {
				b.but = n.In.Extent()
			}
			list = append(list, b)
		}
	}
	for i, n := range each[ast.Param](f) {
		list = append(list, binding{id: &n.Name, what: "parameter", at: i, scope: f.nodes[i].parent, from: n.Name.End.Offset})
	}
	return list
}

// scopeOf is the node in which a statement's name can be read: the block around it, or the whole procedure for what a
// step binds.
func (f *file) scopeOf(i int32) int32 {
	_, block := around[ast.Block](f, i)
	if block < 0 {
		return 0
	}
	if _, isStep := f.parent(block).(*ast.Step); isStep {
		if _, p := around[ast.Procedure](f, block); p >= 0 {
			return p
		}
	}
	return block
}

func shadowedName(p *pass) {
	list := p.bindings()
	for i, inner := range list {
		if inner.what == "parameter" {
			continue
		}
		for k, outer := range list {
			if k == i || outer.id.Name != inner.id.Name || outer.scope == inner.scope || outer.from > inner.id.Start.Offset || outer.but.Start.Offset <= inner.id.Start.Offset && inner.id.Start.Offset < outer.but.End.Offset ||
				inner.at <= outer.scope || inner.at >= p.nodes[outer.scope].end || inner.scope >= 0 && outer.scope > inner.scope {
				continue
			}
			p.report(inner.id.Span, fmt.Sprintf("%s hides another %s in the same place", inner.id.Name, inner.id.Name), "give it a name of its own; to change the other, `set` it").
				relate(outer.id.Span, "this one cannot be read there")
			break
		}
		if _, isLet := p.nodes[inner.at].at.(*ast.Let); !isLet || p.Base == nil || p.isScript() {
			continue
		}
		if what := p.Base.values[inner.id.Name]; what == "option" || what == "define" || what == "memory" {
			p.report(inner.id.Span, fmt.Sprintf("%s hides the %s of that name", inner.id.Name, what), "give it a name of its own")
		}
	}
}

// declaredNames iterates over the names that the clauses at the top of a file declare, with the word that declares each.
func (f *file) declaredNames(visit func(id *ast.Ident, word string, cl ast.Clause)) {
	for _, cl := range f.Parsed.Body {
		switch cl.(type) {
		case *ast.Use, *ast.Bonus, *ast.Role, *ast.Term, *ast.Step, *ast.Way: // named by another source, or in lists
			continue
		}
		if h := ast.HeadOf(cl); h.Name != nil {
			visit(h.Name, h.Word, cl)
		}
	}
}

// hyphenated is a name in the style of the house: stage-fright for stageFright and Stage-Fright.
func hyphenated(name string) string {
	var b strings.Builder
	for i, r := range name {
		if r >= 'A' && r <= 'Z' {
			if i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z' {
				b.WriteByte('-')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

func nameStyle(p *pass) {
	p.declaredNames(func(id *ast.Ident, word string, _ ast.Clause) {
		if want := hyphenated(id.Name); want != id.Name && id.Name != "" {
			p.report(id.Span, "the name "+id.Name+" has capitals, as only creatures in a fight have", "write "+want)
		}
	})
	for _, m := range each[ast.Member](p.file) {
		if c := m.Name.Name; c != "" && c[0] >= 'a' && c[0] <= 'z' {
			p.report(m.Name.Span, c+" takes part in the fight and has a small initial", "write "+strings.ToUpper(c[:1])+c[1:])
		}
	}
}

// plainForm is a name without what `similar-names` overlooks.
func plainForm(name string) string { return strings.ToLower(strings.ReplaceAll(name, "-", "")) }

func similarNames(p *pass) {
	seen := map[string]*ast.Ident{}
	p.declaredNames(func(id *ast.Ident, word string, _ ast.Clause) {
		if len(id.Name) < 4 {
			return
		}
		key := plainForm(id.Name)
		if first := seen[key]; first == nil {
			seen[key] = id
		} else if first.Name != id.Name {
			p.report(id.Span, id.Name+" and "+first.Name+" are two names", "rename one of them").relate(first.Span, "the other one")
		}
	})
}

func stutteringName(p *pass) {
	p.declaredNames(func(id *ast.Ident, word string, cl ast.Clause) {
		switch cl.(type) {
		case *ast.Template, *ast.Permission, *ast.Roll: // `weapon siege-weapon` says more than `weapon siege`
			return
		}
		if rest, ok := strings.CutSuffix(id.Name, "-"+word); ok && word != "" {
			p.report(id.Span, id.Name+" repeats the word "+word, "call it "+rest)
		}
	})
}
