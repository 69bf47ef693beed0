package format

import "arbiter/lang/ast"

// This file prints the clauses of effects, actions, procedures and templates.

func (p *printer) part(c ast.Clause) doc {
	switch c := c.(type) {
	case *ast.Documentation:
		var d concat
		if c.Doc != nil {
			d = append(d, p.text(c.Doc))
		}
		if c.Doc != nil && len(c.Cites) > 0 {
			d = append(d, word(" "))
		}
		return indent(wrapIndent, append(d, p.cites(c.Cites)))
	case *ast.Modifier:
		return p.modifier(c)
	case *ast.Denied:
		return p.withTail(c.Tail, firstWord("denied", c.Span), idents(c.Names), p.to(c.Stats))
	case *ast.Cannot:
		d := concat{firstWord("cannot", c.Span), idents(c.Names)}
		if c.Why != nil {
			d = append(d, word(" "), p.text(c.Why))
		}
		return p.withTail(c.Tail, d)
	case *ast.Must:
		return p.withTail(c.Tail, firstWord("must", c.Span), p.command(c.Command))
	case *ast.Includes:
		return p.withTail(c.Tail, firstWord("includes", c.Span), idents(c.Names))
	case *ast.Keep:
		head := wordAndName("keep", c.Span, c.Name)
		if c.Type != nil {
			head = concat{head, word(": "), p.typeDoc(c.Type)}
		}
		return p.withTail(c.Tail, p.assignment(head, c.Value))
	case *ast.Lasts:
		return p.withTail(c.Tail, firstWord("lasts", c.Span), p.duration(&c.Duration))
	case *ast.Step:
		d := concat{wordAndName("step", c.Span, c.Name)}
		if c.Where.Name != "" {
			d = append(d, word(" "), ident(c.Where), word(" "), ident(c.Other))
		}
		return p.declare(append(d, p.guards(c.Tail)), c.Meta, c.Tail.Cites, c.Body)
	case *ast.Cost:
		return p.cost(c)
	case *ast.Needs:
		d := concat{firstWord("needs", c.Span), p.expr(c.Cond)}
		if c.Why != nil {
			d = append(d, word(" "), p.text(c.Why))
		}
		return p.withTail(c.Tail, d)
	case *ast.Property:
		d := concat{p.exprs(c.Values)}
		if c.As != nil {
			d = append(d, word(" as "), ident(*c.As))
		}
		return concat{ident(c.Name), word(":"), alignStop, p.withTail(c.Tail, d)}
	case *ast.Way:
		return p.declare(ident(c.Name), c.Meta, nil, c.Body)
	case *ast.Is:
		return p.withTail(c.Tail, firstWord("is", c.Span), idents(c.Names))
	case *ast.Has:
		return p.withTail(c.Tail, firstWord("has", c.Span), p.effectList(c.Effects))
	case *ast.Printed:
		return concat{text{"printed", c.Start.Offset}, p.trailer(c.Body)}
	case *ast.Claim:
		return indent(wrapIndent, p.expr(c.Cond))
	}
	return p.statement(c)
}

func (p *printer) modifier(c *ast.Modifier) doc {
	var d concat
	switch op := c.Op.Name; op {
	case "+", "-":
		d = concat{text{op, c.Start.Offset}, p.expr(c.Amount)}
		if c.Bonus != nil {
			d = append(d, word(" "), ident(*c.Bonus))
		}
		d = append(d, p.to(c.Stats))
	case "floor":
		d = concat{idents(c.Stats), word(" "), text{"at ", c.Op.Start.Offset}, p.keyword("least", c.Amount), p.expr(c.Amount)}
	case "ceiling":
		d = concat{idents(c.Stats), word(" "), text{"at ", c.Op.Start.Offset}, p.keyword("most", c.Amount), p.expr(c.Amount)}
	case "times":
		d = concat{idents(c.Stats), word(" "), ident(c.Op), word(" "), p.ratio(c.Amount)}
	default:
		d = concat{idents(c.Stats), word(" "), ident(c.Op), word(" "), p.expr(c.Amount)}
	}
	if c.Against {
		d = append(d, word(" against self"))
	}
	return p.withTail(c.Tail, d)
}

// ratio prints N/N without spaces: it is one number.
func (p *printer) ratio(e ast.Expr) doc {
	if b, ok := e.(*ast.Binary); ok && b.Op.Name == "/" {
		n, ok1 := b.X.(*ast.Number)
		m, ok2 := b.Y.(*ast.Number)
		if ok1 && ok2 {
			return concat{p.expr(n), ident(b.Op), p.expr(m)}
		}
	}
	return p.expr(e)
}

// to is `to STAT, ...`, or nothing.
func (p *printer) to(stats []ast.Ident) doc {
	if len(stats) == 0 {
		return nothing
	}
	return group(space, p.keyword("to", stats[0]), idents(stats))
}

func (p *printer) cost(c *ast.Cost) doc {
	d := concat{firstWord("cost", c.Span)}
	if len(c.Alternatives) == 0 {
		d = append(d, word("none"))
	}
	var alternatives []doc
	for i, alt := range c.Alternatives {
		var a concat
		if i > 0 {
			a = append(a, word("or "))
		}
		for j, part := range alt.Parts {
			var one concat
			if j > 0 {
				one = append(one, space, word("and "))
			}
			if part.Amount != nil {
				one = append(one, p.expr(part.Amount), word(" "))
			}
			a = append(a, group(append(one, ident(part.Resource))))
		}
		if alt.When != nil {
			a = append(a, group(space, p.keyword("when", alt.When), p.expr(alt.When)))
		}
		alternatives = append(alternatives, a)
	}
	return p.withTail(c.Tail, append(d, commaList(alternatives)))
}
