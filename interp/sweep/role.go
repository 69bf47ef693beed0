package sweep

import (
	"strconv"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/ir"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file varies what somebody is made from, and what somebody follows: builds and tactics.

// checkRole checks that the values are templates of creatures, or tactics.
func (s *Sweep) checkRole(script *build.Script) diag.List {
	if script.Story != nil {
		return s.wrong(s.at, s.at+len(s.Name), "an adventure is played with those that it names", "vary it in an encounter")
	}
	names := script.Rules.Checked
	creatures := names.Kinds[0]
	for _, v := range s.Values {
		a, diags := s.roleAmendment(&v)
		switch {
		case len(diags) > 0:
			return diags
		case a.Template != "":
			if t, ok := names.Lookup(a.Template).(*ir.Template); !ok || t.Kind != creatures {
				var all []string
				for _, t := range names.Templates {
					if t.Kind == creatures {
						all = append(all, t.Name)
					}
				}
				return s.wrong(v.at, v.at+len(v.Text), "there is no "+creatures.Name+" called "+a.Template, nearest(a.Template, all, "the values are templates: "+s.Name+" = NAME, NAME"))
			}
		default:
			if _, diags := names.NewScript(s.File).Followed(a.Follows); len(diags) > 0 {
				return s.wrong(v.at, v.at+len(v.Text), diags[0].Message, diags[0].Hint)
			}
		}
	}
	return nil
}

// roleAmendment gives everybody whom the name stands for a template or tactics.
func (s *Sweep) roleAmendment(v *Value) (build.Amendment, diag.List) {
	at := ast.Ident{Span: span(v.at, v.at+len(v.Text)), Name: v.Text}
	a := build.Amendment{Group: s.member}
	if s.role == Template {
		a.Template = v.Text
		return a, nil
	}
	a.Follows = &ast.TacticsName{Ident: at}
	if n, ok := strings.CutPrefix(v.Text, "best of "); ok {
		playouts, err := strconv.ParseInt(strings.TrimSpace(n), 10, 64)
		if err != nil {
			return a, s.wrong(v.at, v.at+len(v.Text), n+" is not a number of playouts", "write `best of 50`")
		}
		a.Follows = &ast.TacticsName{Ident: ast.Ident{Span: at.Span, Name: "best"}, BestOf: &ast.Number{Span: at.Span, Value: playouts}}
	}
	return a, nil
}
