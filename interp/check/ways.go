package check

import (
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file checks procedures of a kind and the ways in which its things do them. `procedure spell.works` is a
// procedure whose object is a spell. `works { }` in a spell is another procedure, named after the spell, with the same
// parameters. It runs instead of the first.

// declareKindProc declares a procedure of a kind. Its object is the thing, named after the kind; for creatures it is
// the actor.
func (c *checker) declareKindProc(d *link.Def, n *ast.Procedure) {
	file := d.Origin.Root().File
	p := &ir.Proc{Index: len(c.rs.Procs), Name: d.Name, Action: n.Word.Name == "action", Part: c.partOf(d)}
	c.rs.Procs = append(c.rs.Procs, p)
	if p.Action {
		c.errorAt(file, n.Kind.Span, "misplaced", "an action cannot belong to a kind", "declare `procedure "+d.Name+"`, and an action that does it")
	}
	own := *n
	if n.Kind.Name != "creature" {
		own.Params = append([]ast.Param{{Span: n.Kind.Span, Name: *n.Kind}}, n.Params...)
		if len(n.Params) > 0 && n.Params[0].Label.Name == "" {
			c.errorAt(file, n.Params[0].Span, "misplaced", "the object of "+d.Name+" is the "+n.Kind.Name, "write a label before "+n.Params[0].Name.Name)
		}
	}
	of := *d
	of.Node = &own
	c.bind(&of, ast.Ident{Span: n.Name.Span, Name: d.Name}, p)
	if c.names[d.Name] == p {
		c.byKind[n.Name.Name] = append(c.byKind[n.Name.Name], p)
	}
}

// ways declares the ways of things. All kinds and procedures must be declared already.
func (c *checker) ways() {
	c.waysOf(c.set.Defs)
	for _, ps := range c.byKind {
		for _, p := range ps {
			d := c.defs[p]
			n := d.Node.(*ast.Procedure)
			if p.Of = c.kinds[n.Kind.Name]; p.Of == nil {
				c.errorAt(d.Origin.Root().File, n.Kind.Span, "unknown-kind", "there is no kind "+n.Kind.Name, c.nearestHint(n.Kind.Name, keys(c.kinds)))
				n.Params = n.Params[1:]
			}
			id := n.Name
			if plain, ok := c.names[id.Name].(*ir.Proc); ok {
				c.errorAt(d.Origin.Root().File, id.Span, "declared-twice", id.Name+" is also a procedure without a kind", "give one of them another name", c.related(c.defs[plain], "declared here"))
			}
		}
	}
}

// waysOf declares the ways of the things among definitions.
func (c *checker) waysOf(defs []*link.Def) {
	for _, d := range defs {
		n, ok := d.Node.(*ast.Template)
		if !ok || n.Body == nil {
			continue
		}
		for _, cl := range n.Body.Clauses {
			if w, ok := cl.(*ast.Way); ok {
				c.way(d, n, w)
			}
		}
	}
}

func (c *checker) way(d *link.Def, n *ast.Template, w *ast.Way) {
	o := c.originOf(d, w)
	path := n.Name.Name + "." + w.Name.Name
	of, ok := c.names[n.Kind.Name+"."+w.Name.Name].(*ir.Proc)
	if !ok {
		var names []string
		for name, ps := range c.byKind {
			if slices.ContainsFunc(ps, func(p *ir.Proc) bool { return p.Name == n.Kind.Name+"."+name }) {
				names = append(names, name)
			}
		}
		hint := c.nearestHint(w.Name.Name, names)
		if hint == "" {
			hint = "declare it: procedure " + n.Kind.Name + "." + w.Name.Name
		}
		c.errorAt(o.Root().File, w.Name.Span, "unknown-command", article(n.Kind.Name)+" has no procedure "+w.Name.Name, hint)
		return
	}
	p := &ir.Proc{Index: len(c.rs.Procs), Name: path, KindProc: of, Part: c.newPart(path, o, w.Span, w.Doc, w.Cites)}
	c.rs.Procs = append(c.rs.Procs, p)
	head := c.defs[of].Node.(*ast.Procedure)
	c.bind(&link.Def{Name: path, Depth: d.Depth, Origin: o, Node: &ast.Procedure{
		Span: w.Span, Word: head.Word, Name: ast.Ident{Span: w.Name.Span, Name: path}, Params: head.Params, Meta: w.Meta, Body: w.Body,
	}}, ast.Ident{Span: w.Name.Span, Name: path}, p)
}

// headOf returns the definition that declares the parameters of a procedure: for a way, that of the kind.
func (c *checker) headOf(p *ir.Proc) *link.Def {
	if p.KindProc != nil {
		p = p.KindProc
	}
	return c.defs[p]
}

// inheritWays gives each thing its way: its own, or that of the thing it extends.
func (c *checker) inheritWays() {
	own := map[*ir.Proc]map[string]*ir.Proc{} // by procedure of a kind, then by name
	for _, w := range c.rs.Procs {
		if w.KindProc != nil && c.names[w.Name] == w {
			if own[w.KindProc] == nil {
				own[w.KindProc] = map[string]*ir.Proc{}
			}
			own[w.KindProc][w.Name] = w
		}
	}
	c.rs.Ways = map[*ir.Proc][]*ir.Proc{}
	for _, ps := range c.byKind {
		for _, p := range ps {
			ways := make([]*ir.Proc, len(c.rs.Templates))
			name := c.defs[p].Node.(*ast.Procedure).Name.Name
			for i, t := range c.rs.Templates {
				for up, n := t, 0; up != nil && ways[i] == nil && n <= len(c.rs.Templates); up, n = up.Extends, n+1 {
					if t.Kind == p.Of {
						ways[i] = own[p][up.Name+"."+name]
					}
				}
			}
			c.rs.Ways[p] = ways
		}
	}
}

// commandProc finds the procedure of a command by name: an action, a procedure, or a procedure of a kind. If several
// kinds have one, the kind of the object decides; without an object it is `creature`. nil if there is none.
func (s *scope) commandProc(n *ast.Command) *ir.Proc {
	c := s.c
	if p, ok := c.names[n.Name.Name].(*ir.Proc); ok {
		return p
	}
	ps := c.byKind[n.Name.Name]
	if len(ps) < 2 {
		if len(ps) == 1 {
			return ps[0]
		}
		return nil
	}
	kind := "creature"
	if len(n.Args) > 0 && n.Args[0].Label.Name == "" {
		c.muted++
		kind = s.expr(n.Args[0].Value, nil).Type.Name
		c.muted--
	}
	for _, p := range ps {
		if p.Of != nil && p.Of.Name == kind {
			return p
		}
	}
	return ps[0] // the object is reported to be of the wrong kind
}
