package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/format"
)

// This file finds duplicate names among different declarations: fields and defines of a kind and, for creatures, stats
// and resources. All of them are read as WHO.NAME, so one would shadow the other.

// claim is a declaration of a name of a creature or a thing.
type claim struct {
	what        string // "a stat", "a field"
	override    string // how a descendant changes it
	hasBareName bool   // also bound by its bare name, whose duplicates bind reports
	origin      *link.Origin
	id          ast.Ident
}

// namePos identifies a name by its position.
type namePos struct {
	file   string
	offset int
}

// reportNameClashes reports each name of a kind that is declared twice, at the last declaration. The first one counts.
func (c *checker) reportNameClashes() {
	claims := map[string][]claim{} // by kind and name
	add := func(kind, what, change string, o *link.Origin, id ast.Ident) {
		path := kind + "." + id.Name
		claims[path] = append(claims[path], claim{what, change, what == "a stat" || what == "a view" || what == "a resource", o.Root(), id})
	}
	for _, d := range c.set.Defs {
		switch n := d.Node.(type) {
		case *ast.Stat:
			add("creature", "a stat", "override "+d.Name+" = EXPR", d.Origin, n.Name)
		case *ast.View:
			add("creature", "a view", "", d.Origin, n.Name)
		case *ast.Resource:
			add("creature", "a resource", "override "+d.Name+".to = EXPR", d.Origin, n.Name)
		case *ast.Define:
			if n.Kind != nil {
				add(n.Kind.Name, "a define", "override "+d.Name+" = EXPR", d.Origin, n.Name)
			}
		case *ast.Kind:
			if n.Body == nil {
				continue
			}
			for _, cl := range n.Body.Clauses {
				if f, ok := cl.(*ast.FieldDecl); ok {
					for _, id := range f.Names {
						add(d.Name, "a field", "override "+d.Name+"."+id.Name+" = EXPR", c.originOf(d, cl), id)
					}
				}
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(claims)) {
		list := claims[path]
		slices.SortStableFunc(list, func(a, b claim) int { return c.rank(a.origin) - c.rank(b.origin) })
		first := list[0]
		for _, x := range list[1:] {
			if x.hasBareName && first.hasBareName {
				continue
			}
			c.duplicates[namePos{x.origin.File, x.id.Start.Offset}] = true
			hint := "give one of them another name"
			if x.origin.Ruleset != first.origin.Ruleset && first.override != "" {
				hint = "to change a rule of an earlier ruleset write `" + first.override + "`; else give it another name"
			}
			c.errorAt(x.origin.File, x.id.Span, "declared-twice", fmt.Sprintf("%s is already %s", strings.TrimPrefix(path, "creature."), first.what), hint, diag.Related{File: first.origin.File, Span: first.id.Span, Message: "first declared here"})
		}
	}
}

// rank returns the position of a ruleset in the order of linking; a script comes last.
func (c *checker) rank(o *link.Origin) int {
	if i := slices.Index(c.set.Rulesets, o.Ruleset); i >= 0 {
		return i
	}
	return len(c.set.Rulesets)
}

// reportDuplicates reports duplicates within each body, of which only one would count.
func (c *checker) reportDuplicates() {
	for _, d := range c.set.Defs {
		if c.only == nil || c.only[d] {
			c.between()
			c.reportDuplicatesIn(d)
		}
	}
}

// reportDuplicatesIn reports duplicates within the body of a definition.
func (c *checker) reportDuplicatesIn(d *link.Def) {
	switch n := d.Node.(type) {
	case *ast.View:
		c.reportListDuplicates(d.Origin.Root().File, n.Losing)
	case *ast.Role:
		c.reportListDuplicates(d.Origin.Root().File, n.Names)
	}
	first := map[string]*link.Origin{}
	where := map[string]ast.Span{}
	for _, cl := range bodyOf(d.Node) {
		o := c.originOf(d, cl).Root()
		switch n := cl.(type) {
		case *ast.Modifier:
			c.reportListDuplicates(o.File, n.Stats)
		case *ast.Denied:
			c.reportListDuplicates(o.File, n.Names)
			c.reportListDuplicates(o.File, n.Stats)
		case *ast.Cannot:
			c.reportListDuplicates(o.File, n.Names)
		case *ast.Includes:
			c.reportListDuplicates(o.File, n.Names)
		}
		what, change := describeUnique(d.Node, cl)
		if what == "" {
			continue
		}
		if old := first[what]; old != nil {
			hint := "remove one of them"
			switch _, isRule := cl.(*ast.Rule); {
			case old.Ruleset != o.Ruleset && change != "":
				hint = "to change a rule of an earlier ruleset write `override " + d.Name + "." + change + "`"
			case isRule:
				hint = "give one of them another name"
			}
			c.errorAt(o.File, cl.Extent(), "declared-twice", what+" appears twice in "+d.Name, hint, diag.Related{File: old.File, Span: where[what], Message: "first given here"})
			continue
		}
		first[what], where[what] = o, cl.Extent()
	}
}

// reportListDuplicates reports duplicates in a list of names.
func (c *checker) reportListDuplicates(file string, names []ast.Ident) {
	for i, id := range names {
		if first := slices.IndexFunc(names[:i], func(o ast.Ident) bool { return o.Name == id.Name }); first >= 0 {
			c.errorAt(file, id.Span, "declared-twice", id.Name+" appears twice in this list", "remove one of them",
				diag.Related{File: file, Span: names[first].Span, Message: "first given here"})
		}
	}
}

func bodyOf(cl ast.Clause) []ast.Clause {
	var b *ast.Block
	switch n := cl.(type) {
	case *ast.Effect:
		b = n.Body
	case *ast.Procedure:
		b = n.Body
	case *ast.Roll:
		b = n.Body
	case *ast.Resource:
		b = n.Body
	}
	if b == nil {
		return nil
	}
	return b.Clauses
}

// describeUnique describes a clause that may occur only once in a body, and how a descendant overrides it if that is
// possible; "" for other clauses, including guarded ones, which may be alternatives.
func describeUnique(owner, cl ast.Clause) (what, change string) {
	switch n := cl.(type) {
	case *ast.Rule:
		return "the rule " + n.Name.Name, n.Name.Name + " { ... }"
	case *ast.Modifier:
		uncited := *n
		uncited.Cites = nil
		return "`" + strings.TrimSpace(format.Node(&uncited)) + "`", ""
	case *ast.Keep:
		return "the memory " + n.Name.Name, n.Name.Name + " = EXPR"
	case *ast.Lasts:
		if n.When == nil && n.Unless == nil {
			return "`lasts`", ""
		}
	case *ast.Property:
		if p, ok := owner.(*ast.Procedure); ok && p.Word.Name == "action" {
			return n.Name.Name, n.Name.Name + " = EXPR"
		}
	case *ast.RollClause:
		if n.Die != nil {
			return "`die`", "die = EXPR"
		}
		if n.Says != nil {
			return "`says`", ""
		}
		if x, ok := n.Natural.(*ast.Number); ok && n.When == nil && n.Unless == nil {
			return fmt.Sprintf("`natural %d`", x.Value), ""
		}
	}
	return "", ""
}
