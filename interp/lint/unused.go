package lint

import (
	"fmt"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/stdlib/pattern"
)

// This file has the rules about what nobody reads. A name counts as read if it stands anywhere in the files of the run,
// in a function written in another language, or in the braces of a text.

var unusedRules = []*Rule{
	{Code: "unread-option", Severity: diag.Warning, users: true, check: unreadOption,
		Summary: "Nothing reads an option.",
		Why:     "Whoever sets it at the table expects that something changes.",
		How:     "Read it where it should count, or remove it."},
	{Code: "unused-define", Severity: diag.Warning, users: true, check: unusedDefine,
		Summary: "Nothing uses a define, a view, a table or a function that is imported.",
		Why:     "It is either left over, or misspelt where it should be used.",
		How:     "Use it, or remove it. If it is meant for scripts and other rulesets, allow it with a comment that says so."},
	{Code: "unused-procedure", Severity: diag.Warning, users: true, check: unusedProcedure,
		Summary: "Nothing runs a procedure, waits for it or changes it.",
		Why:     "Its rules never count. (An action is for creatures to choose, and is not meant here.)",
		How:     "Run it from a step, a rule or a script, or remove it."},
	{Code: "unused-declaration", Severity: diag.Warning, users: true, check: unusedDeclaration,
		Summary: "A script declares an effect, a thing or tactics that nothing in it uses.",
		Why:     "Nothing else can use what a script declares, so it is left over, or misspelt where it should be used.",
		How:     "Use it, or remove it."},
	{Code: "unread-field", Severity: diag.Warning, users: true, check: unreadField,
		Summary: "Nothing reads a field of a kind.",
		Why:     "All things of the kind fill it in, and it changes nothing.",
		How:     "Read it where it should count, or remove it from the kind and its things."},
	{Code: "unused-parameter", Severity: diag.Warning, users: true, check: unusedParameter,
		Summary: "Nothing reads a parameter.",
		Why:     "Whoever calls it thinks about a value that does not matter.",
		How:     "Read it, or remove it and the arguments."},
	{Code: "unused-let", Severity: diag.Warning, users: true, check: unusedLet,
		Summary: "Nothing reads a name that a `let` binds to a value.",
		Why:     "The computation is for nothing. (A name for a roll or a command is not meant: it also names the dice.)",
		How:     "Use the name, or remove the line."},
	{Code: "unused-loop-name", Severity: diag.Warning, check: unusedLoopName,
		Summary: "A loop never reads its element.",
		Why:     "It does the same for each of them: usually the body names another creature by mistake.",
		How:     "Read the element, or write `repeat N times`."},
	{Code: "unused-given", Severity: diag.Warning, check: unusedGiven,
		Summary: "No test uses a `given`.",
		Why:     "It is left over, and is read and kept in order for nothing.",
		How:     "Use it in a test, or remove it."},
}

func (p *pass) unread(name string) bool { return p.project.reads[name] == 0 }

func unreadOption(p *pass) {
	for _, n := range each[ast.Option](p.file) {
		if p.unread(n.Name.Name) {
			p.report(n.Name.Span, "nothing reads the option "+n.Name.Name, "read it where it should count, or remove it")
		}
	}
}

func unusedDefine(p *pass) {
	p.declaredNames(func(id *ast.Ident, word string, cl ast.Clause) {
		switch cl.(type) {
		case *ast.Define, *ast.View, *ast.Table:
			if p.unread(id.Name) && !p.project.changedBy(id.Name) {
				p.report(id.Span, fmt.Sprintf("nothing uses the %s %s", word, id.Name), "use it, or remove it")
			}
		}
	})
	for _, n := range each[ast.Use](p.file) {
		if !n.Hooks && p.unread(n.Name.Name) {
			p.report(n.Name.Span, "nothing uses the function "+n.Name.Name, "use it, or remove it")
		}
	}
}

func unusedProcedure(p *pass) {
	for _, n := range each[ast.Procedure](p.file) {
		if n.Word.Name == "procedure" && n.Kind == nil && p.unread(n.Name.Name) && !p.project.changedBy(n.Name.Name) {
			p.report(n.Name.Span, "nothing runs the procedure "+n.Name.Name+", or waits for it", "run it from a step, a rule or a script, or remove it")
		}
	}
}

func unusedDeclaration(p *pass) {
	if !p.isScript() {
		return
	}
	p.declaredNames(func(id *ast.Ident, word string, cl ast.Clause) {
		switch n := cl.(type) {
		case *ast.Effect:
			if n.Word.Name == "everyone" || n.While != nil {
				return
			}
		case *ast.Template:
			if n.Body != nil && (&pass{file: p.file}).printed(n) {
				return
			}
		case *ast.Tactics:
			if id.Name == "default" {
				return
			}
		default:
			return
		}
		if p.unread(id.Name) {
			p.report(id.Span, fmt.Sprintf("nothing here uses the %s %s", word, id.Name), "use it, or remove it")
		}
	})
}

// printed reports whether a thing has printed values, and so is a test.
func (p *pass) printed(n *ast.Template) bool {
	for _, cl := range n.Body.Clauses {
		if _, ok := cl.(*ast.Printed); ok {
			return true
		}
	}
	return false
}

func unreadField(p *pass) {
	for _, n := range each[ast.FieldDecl](p.file) {
		for _, id := range n.Names {
			if p.unread(id.Name) {
				p.report(id.Span, "nothing reads the field "+id.Name, "read it where it should count, or remove it")
			}
		}
	}
}

func unusedParameter(p *pass) {
	for i, n := range each[ast.Param](p.file) {
		if n.Name.Name == "" {
			continue
		}
		owner, name := p.parent(i), ""
		used := p.readsIn(p.nodes[i].parent, n.Name.Name) > 0
		switch d := owner.(type) {
		case *ast.Define:
			name = d.Name.Name
		case *ast.Procedure:
			name = d.Name.Name
			used = used || !p.unread(n.Name.Name) || d.Kind != nil || d.Body == nil || len(d.Body.Clauses) == 0 // for the rules that wait for it
		case *ast.Stat, *ast.Effect: // the guards of modifiers, and whoever asks which one it is
			used = used || !p.unread(n.Name.Name)
		default:
			continue
		}
		if !used && !p.project.changedBy(name) {
			p.report(n.Name.Span, "nothing reads the parameter "+n.Name.Name, "read it, or remove it and the arguments")
		}
	}
}

func unusedLet(p *pass) {
	for i, n := range each[ast.Let](p.file) {
		scope := p.scopeOf(i)
		_, isRecord := p.nodes[scope].at.(*ast.Procedure)
		switch {
		case n.Value == nil || p.rolls(i) || p.binds(i):
		case isRecord && !p.unread(n.Name.Name): // the record of a procedure is read elsewhere
		case scope == 0 || p.readsIn(scope, n.Name.Name) > 0:
		default:
			p.report(n.Name.Span, "nothing reads "+n.Name.Name, "use it, or remove the line")
		}
	}
}

// binds reports whether a `let` stands in a change or in a rule that replaces something, and so may set a name of what it
// changes.
func (p *pass) binds(i int32) bool {
	r, _ := around[ast.Rule](p.file, i)
	c, _ := around[ast.Change](p.file, i)
	return r != nil && r.Trigger.Word.Name == "instead" || c != nil
}

// rolls reports whether something rolls dice, or asks somebody, inside a node.
func (p *pass) rolls(i int32) bool {
	for range inside[ast.RollExpr](p.file, i) {
		return true
	}
	for _, q := range inside[ast.Quantified](p.file, i) {
		if q.Word.Name == "pick" {
			return true
		}
	}
	for range inside[ast.Command](p.file, i) {
		return true
	}
	return false
}

func unusedLoopName(p *pass) {
	for i, n := range each[ast.ForEach](p.file) {
		if n.Body != nil && n.Query.Var.Name != "" && p.readsIn(i, n.Query.Var.Name) == 0 {
			p.report(n.Query.Var.Span, "the loop never reads "+n.Query.Var.Name, "read it, or write `repeat N times`")
		}
	}
}

func unusedGiven(p *pass) {
	used := map[string]bool{}
	for _, t := range each[ast.Test](p.file) {
		for _, id := range t.Given {
			used[id.Name] = true
		}
	}
	for _, n := range each[ast.Given](p.file) {
		if !used[n.Name.Name] {
			p.report(n.Name.Span, "no test uses the given "+n.Name.Name, "use it in a test, or remove it")
		}
	}
}

// todoForm is how work is marked that is left to do.
var todoForm = pattern.New(`(?i)^#\s*(todo|fixme|xxx|hack)\b`)
