package parse

import "arbiter/lang/ast"

// This file parses what actions cost and need, and the ways in which things do a procedure of their kind.

// cost parses cost [N] RESOURCE [and [N] RESOURCE] [, or ... [when COND]].
func (p *parser) cost() ast.Clause {
	c := &ast.Cost{}
	p.word()
	if !p.accept("none") {
		c.Alternatives = append(c.Alternatives, p.alternative())
		for p.accept(",") {
			p.expect("or")
			c.Alternatives = append(c.Alternatives, p.alternative())
		}
	}
	c.Tail = p.tail()
	return c
}

func (p *parser) alternative() (a ast.CostAlternative) {
	start := p.pos()
	a.Parts = append(a.Parts, p.costPart())
	for p.accept("and") {
		a.Parts = append(a.Parts, p.costPart())
	}
	if p.accept("when") {
		a.When = p.expr()
	}
	a.Span = p.from(start)
	return a
}

func (p *parser) costPart() (part ast.CostPart) {
	start := p.pos()
	if t := p.peek(); t.Type != tokName || startsAmount(p.peekAt(1)) {
		part.Amount, part.Resource = p.amount("a resource")
	} else {
		part.Resource = p.name("a resource")
	}
	part.Span = p.from(start)
	return part
}

// startsAmount reports, from the token after a name, whether the name is an amount rather than the resource itself.
func startsAmount(t *token) bool {
	return t.Type == tokName && t.Value != "cite" || t.Type == tokPunct && (t.Value == "." || t.Value == "(" || t.Value == "[")
}

// amount parses AMOUNT RESOURCE. In `10 gp` the unit is the resource.
func (p *parser) amount(what string) (ast.Expr, ast.Ident) {
	size := digits(p.peek().Value)
	x := p.owning(allLabels, p.postfix)
	if t := p.peek(); t.Type == tokName && !isCite(t) && !isQuietly(t) {
		return x, p.name(what)
	}
	switch n := x.(type) {
	case *ast.Number:
		if n.Unit.Name != "" {
			count := &ast.Number{Span: n.Span, Value: n.Value}
			count.End = ast.Pos{Line: n.Start.Line, Column: n.Start.Column + size, Offset: n.Start.Offset + size}
			return count, n.Unit
		}
	case *ast.Quantity:
		return n.X, n.Unit
	}
	return x, p.name(what)
}

// needs parses needs COND ["why not"].
func (p *parser) needs() ast.Clause {
	p.word()
	n := &ast.Needs{Cond: p.expr()}
	if p.onNextLine(isText) { // the refusal may be on the next line
		why := p.text("the reason")
		n.Why = &why
	}
	n.Tail = p.tail()
	return n
}

// way parses NAME META { STATEMENTS }: how a thing does a procedure of its kind.
func (p *parser) way() ast.Clause {
	p.form, p.pendingBody = "way", inStatements
	w := &ast.Way{Name: p.name("the name of a procedure")}
	w.Meta = p.meta()
	w.Body = p.block(inStatements)
	return w
}

// opensWay reports whether the name continues as `NAME META { STATEMENTS }`; the sentence may be on the next line.
func (p *parser) opensWay() bool {
	t := p.peekAt(1)
	if t.Type == tokLine && t.Value == "\n" {
		t = p.peekAt(2)
	}
	return isText(t) || isCite(t) || t.Type == tokPunct && t.Value == "{"
}
