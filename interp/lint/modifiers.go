package lint

import (
	"fmt"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file has the rules about modifiers of stats.

var modifierRules = []*Rule{
	{Code: "untyped-twice", Severity: diag.Warning, check: untypedTwice,
		Summary: "One effect adds two bonuses without a type to one stat.",
		Why:     "Bonuses without a type add up, also from one source, which most books exclude: a line was copied, or a type is missing.",
		How:     "Add the numbers in one line, give the bonuses types, or give the two conditions that exclude each other."},
	{Code: "idle-modifier", Severity: diag.Warning, check: idleModifier,
		Summary: "A modifier adds 0, or multiplies by 1.",
		Why:     "It changes nothing, and fills every explanation.",
		How:     "Correct the number, or remove the line."},
	{Code: "typed-penalty", Severity: diag.Note, check: typedPenalty,
		Summary: "A penalty has a bonus type.",
		Why:     "Penalties always add, whatever their type: the type suggests that only the worst counts.",
		How:     "Leave the type out."},
	{Code: "stat-twice", Severity: diag.Warning, check: statTwice, Fixes: true,
		Summary: "A modifier names a stat twice.",
		Why:     "One of them should be another stat.",
		How:     "Correct the name, or leave it out."},
}

func untypedTwice(p *pass) {
	for i, e := range each[ast.Effect](p.file) {
		if e.Body == nil {
			continue
		}
		var seen []*ast.Modifier
		for _, m := range inside[ast.Modifier](p.file, i) {
			if m.Op.Name != "+" || m.Bonus != nil {
				continue
			}
			for _, other := range seen {
				a, b := p.guard(&m.Tail), p.guard(&other.Tail)
				if m.Against != other.Against || a != b && a != unguarded && b != unguarded {
					continue
				}
				if stat := common(m.Stats, other.Stats); stat != "" {
					p.report(m.Span, fmt.Sprintf("%s gives %s two bonuses without a type, which add up", e.Name.Name, stat), "add them in one line, or give them types").relate(other.Span, "the other one")
					break
				}
			}
			seen = append(seen, m)
		}
	}
}

// common returns a name that is in both lists, or "".
func common(a, b []ast.Ident) string {
	for _, x := range a {
		for _, y := range b {
			if x.Name == y.Name {
				return x.Name
			}
		}
	}
	return ""
}

func idleModifier(p *pass) {
	for _, m := range each[ast.Modifier](p.file) {
		n, ok := bare(m.Amount).(*ast.Number)
		if ok && (m.Op.Name == "+" || m.Op.Name == "-") && n.Value == 0 || ok && m.Op.Name == "times" && n.Value == 1 {
			p.report(m.Span, "this changes nothing", "correct the number, or remove the line")
		}
	}
}

func typedPenalty(p *pass) {
	for _, m := range each[ast.Modifier](p.file) {
		if m.Op.Name == "-" && m.Bonus != nil {
			p.report(m.Bonus.Span, "penalties add, whatever their type", "leave "+m.Bonus.Name+" out")
		}
	}
}

func statTwice(p *pass) {
	for _, m := range each[ast.Modifier](p.file) {
		for i := range m.Stats {
			for k := range i {
				if m.Stats[i].Name == m.Stats[k].Name {
					p.report(m.Stats[i].Span, m.Stats[i].Name+" is named twice", "correct the name, or leave it out", Edit{ast.Span{Start: m.Stats[i-1].End, End: m.Stats[i].End}, ""})
				}
			}
		}
	}
}
