package rulebook

import "arbiter/lang/ast"

// headOf returns the word that a declaration begins with, and its doc string.
func headOf(cl ast.Clause) (word, doc string) {
	h := ast.HeadOf(cl)
	if h.Meta != nil && h.Meta.Doc != nil {
		return h.Word, h.Meta.Doc.Value
	}
	if body := bodyOf(cl); body != nil {
		for _, inner := range body.Clauses { // a doc string on a line of its own documents the owner of the body
			if d, ok := inner.(*ast.Documentation); ok && d.Doc != nil {
				return h.Word, d.Doc.Value
			}
		}
	}
	return h.Word, ""
}

// bodyOf returns the body of a declaration or of a clause, nil if it has none.
func bodyOf(cl ast.Clause) *ast.Block {
	if body := ast.HeadOf(cl).Body; body != nil {
		return *body
	}
	return nil
}
