package parse

import (
	"arbiter/lang/ast"
)

// let parses let NAME = EXPR and let NAME = COMMAND. A name followed by an object is a command; a name alone or with
// labels is read as an expression, which the checker may resolve to a procedure.
func (p *parser) let() ast.Clause {
	p.word()
	l := &ast.Let{Name: p.name("a name")}
	p.expect("=")
	if p.commandAhead() {
		l.Command = p.command()
	} else {
		l.Value = p.expr()
	}
	l.Tail = p.tail()
	return l
}

// commandAhead reports whether an actor, or a name followed by an object, comes next.
func (p *parser) commandAhead() bool {
	t, next := p.peek(), p.peekAt(1)
	if t.Type != tokName {
		return false
	}
	switch next.Type {
	case tokName:
		return !isCite(next) && !(t.Value == "plan" && startsTrigger(next))
	case tokNumber, tokDice, tokText, tokBlock:
		return true
	case tokWord:
		return next.Value == "yes" || next.Value == "no" || next.Value == "none"
	case tokPunct:
		if next.Value == "(" || next.Value == "[" {
			return next.Pos.Offset > t.Pos.Offset+len(t.Value)
		}
	}
	return p.actorAhead()
}

// set parses set PATH to EXPR.
func (p *parser) set() ast.Clause {
	p.word()
	s := &ast.Set{Target: p.owning(allLabels, p.postfix)}
	switch s.Target.(type) {
	case nil, *ast.Name, *ast.Field, *ast.Index:
	default:
		p.fail(s.Target.Extent(), codeExpected, "only a name, a field, a memory or a resource can be set", "")
	}
	p.expect("to")
	s.Value = p.expr()
	s.Quietly = p.quietly()
	s.Tail = p.tail()
	return s
}

// ifElse parses if COND { } else if COND { } else { }.
func (p *parser) ifElse() ast.Clause {
	if !p.deeper() {
		return nil
	}
	defer p.shallower()
	p.pendingBody = inStatements
	p.word()
	i := &ast.If{Cond: p.expr()}
	i.Then = p.block(inStatements)
	if p.accept("else") {
		if p.is("if") {
			i.Else = p.onlyClause()
		} else {
			i.Else = p.block(inStatements)
		}
	}
	i.Tail = p.tail()
	return i
}

// onlyClause parses a statement that stands for a block.
func (p *parser) onlyClause() *ast.Block {
	start := p.pos()
	c := p.clause(inStatements)
	return &ast.Block{Span: p.from(start), Clauses: []ast.Clause{c}}
}

// forEach parses for each NAME in LIST [where COND] [sorted by EXPR [descending]] { }.
func (p *parser) forEach() ast.Clause {
	p.pendingBody = inStatements
	p.word()
	p.expect("each")
	f := &ast.ForEach{Query: p.query(levelOr, "")}
	p.sorting(&f.Query)
	f.Body = p.block(inStatements)
	f.Tail = p.tail()
	return f
}

func (p *parser) repeat() ast.Clause {
	p.pendingBody = inStatements
	p.word()
	r := &ast.Repeat{Times: p.sum()}
	p.expect("times")
	r.Body = p.block(inStatements)
	r.Tail = p.tail()
	return r
}

// check parses check BONUS [dc EXPR | vs EXPR | opposed by EXPR] [rolled as ROLL] [as NAME] [{ ARMS }].
func (p *parser) check() ast.Clause {
	p.pendingBody = inArms
	b := &ast.Branch{Word: p.word()}
	b.Subject = p.sum()
	switch {
	case p.is("dc"), p.is("vs"):
		b.Versus = p.word()
	case p.is("opposed"):
		b.Versus = p.word()
		p.expect("by")
	case p.is("as"), p.is("rolled"): // a roll without a difficulty, for its total
		return p.checkRest(b)
	default:
		p.want("`dc`, `vs` or `opposed by`")
	}
	b.Target = p.sum()
	return p.checkRest(b)
}

func (p *parser) checkRest(b *ast.Branch) ast.Clause {
	if p.accept("rolled") {
		p.expect("as")
		rolled := p.name("a roll")
		b.Rolled = &rolled
	}
	return p.branchRest(b)
}

// branch parses chance N% and case EXPR.
func (p *parser) branch() ast.Clause {
	p.pendingBody = inArms
	b := &ast.Branch{Word: p.word()}
	b.Subject = p.sum()
	return p.branchRest(b)
}

// rollDeclarationOrBranch: at the top level `roll NAME` with documentation or a body declares a kind of roll; elsewhere
// it rolls dice.
func (p *parser) rollDeclarationOrBranch(in body) ast.Clause {
	if (in == inFile || in == inScript) && p.peekAt(1).Type == tokName {
		if t := p.peekAt(2); in == inFile || t.Type == tokText || t.Value == "{" || isCite(t) {
			return p.roll()
		}
	}
	return p.branch()
}

// branchRest parses [as NAME] [{ ARMS }].
func (p *parser) branchRest(b *ast.Branch) ast.Clause {
	b.As = p.asName("a name for the result")
	if p.is("{") {
		b.Open = true
		b.Arms = p.arms()
	}
	b.Tail = p.tail()
	return b
}

// arms parses { LABEL: STATEMENT  LABEL { STATEMENTS } ... }.
func (p *parser) arms() []ast.Arm {
	list, _ := braces(p, inArms, p.arm, nil)
	return list
}

func (p *parser) arm() (a ast.Arm) {
	start := p.pos()
	p.pendingBody, p.form = inStatements, "arms"
	next := p.peekAt(1)
	opens := next.Value == ":" || next.Value == "{" || next.Value == "by"
	switch {
	case (p.is("success") || p.is("failure")) && opens:
		a.Label = p.word()
		if p.accept("by") {
			a.By = p.sum()
		}
	case p.is("natural") && next.Value != ":" && next.Value != "{" && next.Value != ",":
		a.Label = p.word()
		a.By = p.sum()
	case p.is("otherwise"):
		a.Label = p.word()
	default:
		a.Values = append(a.Values, p.cell())
		for p.accept(",") {
			a.Values = append(a.Values, p.cell())
		}
	}
	switch {
	case p.is("{"):
		a.Body = p.block(inStatements)
	case p.accept(":"):
		a.Short = true
		if p.is("{") {
			p.want("a statement after `:`")
		}
		a.Body = p.onlyClause()
	default:
		p.want("`:` or `{` after the label")
	}
	a.Span = p.from(start)
	return a
}

// cell parses a value, N to N, N or more, N or less: in tables and in arms.
func (p *parser) cell() (c ast.Cell) {
	start := p.pos()
	c.From = p.owning(allLabels, p.sum)
	switch {
	case p.accept("to"):
		c.To = p.owning(allLabels, p.sum)
	case p.is("or"):
		p.next()
		if !p.is("more") && !p.is("less") {
			p.want("`more` or `less`")
		}
		c.Open = p.word().Name
	}
	c.Span = p.from(start)
	return c
}

// choose parses choose [by EXPR] { "label" [when COND] { } ... }.
func (p *parser) choose() ast.Clause {
	p.pendingBody = inOptions
	p.word()
	c := &ast.Choose{}
	if p.accept("by") {
		c.By = p.sum()
	}
	c.Options = p.options()
	c.Tail = p.tail()
	return c
}

func (p *parser) options() []ast.Choice {
	list, _ := braces(p, inOptions, p.choice, nil)
	return list
}

func (p *parser) choice() (c ast.Choice) {
	start := p.pos()
	p.pendingBody, p.form = inStatements, "option"
	c.Label = p.text("the label of an option in quotes")
	c.Tail = p.tail()
	c.Body = p.block(inStatements)
	c.Span = p.from(start)
	return c
}

// simple parses stop and default.
func (p *parser) simple() ast.Clause {
	s := &ast.Simple{Word: p.word()}
	s.Tail = p.tail()
	return s
}

// simpleText parses cancel "why" and note "text".
func (p *parser) simpleText() ast.Clause {
	s := &ast.Simple{Word: p.word()}
	text := p.text("a text in quotes")
	s.Text = &text
	s.Tail = p.tail()
	return s
}
