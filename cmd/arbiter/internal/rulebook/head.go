package rulebook

import "arbiter/lang/ast"

// headOf returns the word that a declaration begins with, and its doc string.
func headOf(cl ast.Clause) (word, doc string) {
	var meta ast.Meta
	switch n := cl.(type) {
	case *ast.Option:
		word, meta = "option", n.Meta
	case *ast.Keep:
		word = "keep"
	case *ast.Enum:
		word, meta = "enum", n.Meta
	case *ast.Bonus:
		word, meta = "bonus", n.Meta
	case *ast.Role:
		word = "role"
	case *ast.Permission:
		word, meta = "permission", n.Meta
	case *ast.Kind:
		word, meta = "kind", n.Meta
	case *ast.Template:
		word, meta = n.Kind.Name, n.Meta
	case *ast.Roll:
		word, meta = "roll", n.Meta
	case *ast.Stat:
		word, meta = "stat", n.Meta
	case *ast.View:
		word, meta = "view", n.Meta
	case *ast.Define:
		word, meta = "define", n.Meta
	case *ast.Table:
		word, meta = "table", n.Meta
	case *ast.Resource:
		word, meta = "resource", n.Meta
	case *ast.Effect:
		word, meta = n.Word.Name, n.Meta
	case *ast.Procedure:
		word, meta = n.Word.Name, n.Meta
	case *ast.Rule:
		word, meta = n.Word.Name, n.Meta
	case *ast.Tactics:
		word, meta = "tactics", n.Meta
	case *ast.Step:
		word, meta = "step", n.Meta
	case *ast.Way:
		word, meta = "way", n.Meta
	case *ast.Term:
		word = "term"
	case *ast.Use:
		word = "use"
	}
	if meta.Doc != nil {
		return word, meta.Doc.Value
	}
	if body := bodyOf(cl); body != nil {
		for _, inner := range body.Clauses { // a doc string on a line of its own documents the owner of the body
			if d, ok := inner.(*ast.Documentation); ok && d.Doc != nil {
				return word, d.Doc.Value
			}
		}
	}
	return word, ""
}

// bodyOf returns the body of a declaration or of a clause, nil if it has none.
func bodyOf(cl ast.Clause) *ast.Block {
	switch n := cl.(type) {
	case *ast.Kind:
		return n.Body
	case *ast.Template:
		return n.Body
	case *ast.Roll:
		return n.Body
	case *ast.Stat:
		return n.Body
	case *ast.Resource:
		return n.Body
	case *ast.Effect:
		return n.Body
	case *ast.Procedure:
		return n.Body
	case *ast.Rule:
		return n.Body
	case *ast.Tactics:
		return n.Body
	case *ast.Step:
		return n.Body
	case *ast.Way:
		return n.Body
	}
	return nil
}
