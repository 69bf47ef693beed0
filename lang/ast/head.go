package ast

// This file says what declarations, and the parts of their bodies that have bodies of their own, have in common.

// Head is what a declaration, a term, a step or a way begins with, and its body.
type Head struct {
	Word  string  // with which it is declared: option, action, weapon
	Name  *Ident  // the first, if it has several
	Owner *Ident  // the kind to which a define or a procedure belongs, or nil
	Meta  *Meta   // nil: it can have none
	Body  **Block // nil: it can have none
}

// HeadOf returns the head of a clause. That of other clauses is empty: it has no name.
func HeadOf(cl Clause) Head {
	switch n := cl.(type) {
	case *Use:
		return Head{Word: "use", Name: &n.Name}
	case *Option:
		return Head{Word: "option", Name: &n.Name, Meta: &n.Meta}
	case *Keep:
		return Head{Word: "keep", Name: &n.Name}
	case *Enum:
		return Head{Word: "enum", Name: &n.Name, Meta: &n.Meta}
	case *Bonus:
		return Head{Word: "bonus", Name: first(n.Names), Meta: &n.Meta}
	case *Role:
		return Head{Word: "role", Name: first(n.Names)}
	case *Permission:
		return Head{Word: "permission", Name: &n.Name, Meta: &n.Meta}
	case *Kind:
		return Head{Word: "kind", Name: &n.Name, Meta: &n.Meta, Body: &n.Body}
	case *Template:
		return Head{Word: n.Kind.Name, Name: &n.Name, Meta: &n.Meta, Body: &n.Body}
	case *Roll:
		return Head{Word: "roll", Name: &n.Name, Meta: &n.Meta, Body: &n.Body}
	case *Stat:
		return Head{Word: "stat", Name: &n.Name, Meta: &n.Meta, Body: &n.Body}
	case *Term:
		return Head{Word: "term", Name: &n.Name}
	case *View:
		return Head{Word: "view", Name: &n.Name, Meta: &n.Meta}
	case *Define:
		return Head{Word: "define", Name: &n.Name, Owner: n.Kind, Meta: &n.Meta}
	case *Table:
		return Head{Word: "table", Name: &n.Name, Meta: &n.Meta}
	case *Resource:
		return Head{Word: "resource", Name: &n.Name, Meta: &n.Meta, Body: &n.Body}
	case *Effect:
		return Head{Word: n.Word.Name, Name: &n.Name, Meta: &n.Meta, Body: &n.Body}
	case *Procedure:
		return Head{Word: n.Word.Name, Name: &n.Name, Owner: n.Kind, Meta: &n.Meta, Body: &n.Body}
	case *Rule:
		return Head{Word: n.Word.Name, Name: &n.Name, Meta: &n.Meta, Body: &n.Body}
	case *Tactics:
		return Head{Word: "tactics", Name: &n.Name, Meta: &n.Meta, Body: &n.Body}
	case *Step:
		return Head{Word: "step", Name: &n.Name, Meta: &n.Meta, Body: &n.Body}
	case *Way:
		return Head{Word: "way", Name: &n.Name, Meta: &n.Meta, Body: &n.Body}
	}
	return Head{}
}

func first(names []Ident) *Ident {
	if len(names) == 0 {
		return nil
	}
	return &names[0]
}
