package parse

import "arbiter/lang/ast"

// This file parses what effects say: changes of stats, what is denied and forbidden, what they include and keep, and how
// long they last.

// modifier parses +AMOUNT [BONUS] to STAT, ... [against self].
func (p *parser) modifier() ast.Clause {
	p.form = "+"
	m := &ast.Modifier{Op: p.word()}
	m.Amount = p.owning(allLabels, p.postfix)
	if t := p.peek(); t.Type == tokName {
		bonus := p.name("a bonus type")
		m.Bonus = &bonus
	}
	p.expect("to")
	m.Stats = p.names("a stat")
	if p.accept("against") {
		p.expect("self")
		m.Against = true
	}
	m.Tail = p.tail()
	return m
}

// statModifier parses a stat change by a word: STAT times N, STAT becomes EXPR, STAT at least EXPR, STAT at most EXPR.
func (p *parser) statModifier(stat ast.Ident) ast.Clause {
	m := &ast.Modifier{Stats: []ast.Ident{stat}, Op: p.word()}
	switch m.Op.Name {
	case "at":
		m.Op.Name = "floor"
		if p.is("most") {
			m.Op.Name = "ceiling"
		}
		p.next()
		m.Op.End = p.end()
		m.Amount = p.expr()
	case "times":
		m.Amount = p.sum()
	default:
		m.Amount = p.expr()
	}
	if p.accept("against") {
		p.expect("self")
		m.Against = true
	}
	m.Tail = p.tail()
	return m
}

func (p *parser) denied() ast.Clause {
	p.word()
	d := &ast.Denied{Names: p.names("a term or a bonus type")}
	p.expect("to")
	d.Stats = p.names("a stat")
	d.Tail = p.tail()
	return d
}

func (p *parser) cannot() ast.Clause {
	p.word()
	c := &ast.Cannot{Names: p.names("an action or a permission")}
	if p.onNextLine(isText) {
		why := p.text("the reason")
		c.Why = &why
	}
	c.Tail = p.tail()
	return c
}

func (p *parser) must() ast.Clause {
	p.word()
	m := &ast.Must{Command: p.command()}
	m.Tail = p.tail()
	return m
}

func (p *parser) includes() ast.Clause {
	p.word()
	i := &ast.Includes{Names: p.names("an effect")}
	i.Tail = p.tail()
	return i
}

func (p *parser) keep() ast.Clause {
	p.word()
	k := &ast.Keep{Name: p.name("a name for the memory")}
	if p.accept(":") {
		typ := p.typ()
		k.Type = &typ
	}
	p.expect("=")
	k.Value = p.expr()
	k.Tail = p.tail()
	return k
}

func (p *parser) lasts() ast.Clause {
	p.word()
	if !p.startsDuration() {
		p.want("`for`, `until` or `while`")
	}
	l := &ast.Lasts{Duration: p.duration()}
	l.Tail = p.tail()
	return l
}
