package build

import (
	"arbiter/interp/check"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// Printed is the contents of `printed` for a creature: what its published stat block says.
type Printed struct {
	Creature ast.Ident
	Claims   []*ast.Claim
}

// PrintedIn lists the contents of `printed` for the creatures that a file declares, or changes as a whole.
func PrintedIn(f *ast.File) []Printed {
	var list []Printed
	for _, cl := range f.Body {
		var name ast.Ident
		var body *ast.Block
		switch n := cl.(type) {
		case *ast.Template:
			name, body = n.Name, n.Body
		case *ast.Change:
			if len(n.Path.Parts) == 1 {
				name, body = n.Path.Parts[0].Name, n.Body
			}
		}
		if body == nil {
			continue
		}
		x := Printed{Creature: name}
		for _, cl := range body.Clauses {
			if n, ok := cl.(*ast.Printed); ok && n.Body != nil {
				for _, cl := range n.Body.Clauses {
					if claim, ok := cl.(*ast.Claim); ok {
						x.Claims = append(x.Claims, claim)
					}
				}
			}
		}
		if len(x.Claims) > 0 {
			list = append(list, x)
		}
	}
	return list
}

// checkPrinted checks the lines of `printed` in the file.
func (s *Script) checkPrinted() diag.List {
	var list diag.List
	names := s.Rules.Checked.NewScript(s.Path)
	names.SetSelf(0)
	for _, x := range PrintedIn(s.File) {
		for _, claim := range x.Claims {
			_, _, diags := names.Expr(claim.Cond, check.YesNo)
			list = append(list, diags...)
		}
	}
	return list
}
