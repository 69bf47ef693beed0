package parse

import (
	"arbiter/lang/ast"
)

// This file parses what begins with a creature: `WHO gains ...`, `WHO may ...`, `WHO: COMMAND`; and the changes of a
// stat that begin with its name.

// verbAt reports whether the n-th token is a verb or `at least`, `at most`.
func (p *parser) verbAt(n int) bool {
	t := p.peekAt(n)
	switch t.Type {
	case tokName:
		switch t.Value {
		case "gains", "loses", "may", "moves", "follows", "times", "becomes":
			return true
		case "acts":
			switch p.peekAt(n + 1).Value {
			case "at", "before", "after":
				return true
			}
		}
	case tokWord:
		return t.Value == "at" && (p.peekAt(n+1).Value == "least" || p.peekAt(n+1).Value == "most")
	}
	return false
}

// sentence parses what follows a subject.
func (p *parser) sentence(who ast.Expr) ast.Clause {
	if p.fault != nil {
		return nil
	}
	if p.accept(":") {
		c := p.command()
		c.Who = who
		c.Tail = p.tail()
		return c
	}
	if !p.verbAt(0) {
		p.want("`:`, `gains`, `loses`, `may`, `moves`, `acts at` or `becomes` after the name")
		return nil
	}
	p.form = formKey(p.peek().Value)
	if p.form == "at" {
		p.form = "at least"
	}
	name, isName := who.(*ast.Name)
	switch p.peek().Value {
	case "gains", "loses":
		return p.gain(who)
	case "may":
		return p.may(who)
	case "acts":
		return p.actsAt(who)
	case "moves":
		return p.moves(who)
	}
	if !isName {
		p.want("`gains`, `loses`, `may`, `moves` or `acts at`: only a bare name can be a stat or follow tactics")
		return nil
	}
	if p.accept("follows") {
		f := &ast.Follows{Who: name.Ident, Tactics: p.tacticsName()}
		return f
	}
	return p.statModifier(name.Ident)
}

// gain parses WHO gains|loses ...
func (p *parser) gain(who ast.Expr) ast.Clause {
	g := &ast.Gain{Who: who, Word: p.word()}
	outer := p.ownedLabels
	p.ownedLabels |= ownFor
	switch t := p.peek(); {
	case t.Type == tokName && t.Value == "all":
		p.next()
		g.All = true
		g.Resource = p.name("a resource")
	case t.Type == tokName && p.amountAhead():
		g.Amount, g.Resource = p.amount("a resource")
	case t.Type == tokName:
		p.gainEffects(g)
	case t.Type == tokNumber, t.Type == tokDice, t.Type == tokPunct && t.Value == "(":
		g.Amount, g.Resource = p.amount("a resource after the amount")
	case t.Type == tokWord && t.Value == "roll":
		p.fail(p.spanOf(t), codeExpected, "write a rolled amount without `roll`, or in parentheses", "write `2d6 RESOURCE`, or `(roll 2d6 + 1) RESOURCE`")
	case t.Type == tokWord:
		p.reserved(t)
	default:
		p.want("an effect, or an amount of a resource")
	}
	if p.accept("leaving") {
		leaving := p.name("a resource")
		g.Leaving = &leaving
	}
	if p.is("{") {
		g.Memory = p.block(inFields)
	}
	if p.startsDuration() {
		d := p.duration()
		g.Duration = &d
	}
	p.ownedLabels = outer
	g.Quietly = p.quietly()
	g.Tail = p.tail()
	return g
}

// amountAhead reports whether the operand ahead is an amount: a resource follows it.
func (p *parser) amountAhead() bool {
	if p.fault != nil {
		return false
	}
	depth := 0
	for at := p.lex.RawCursor() + 1; ; at++ {
		t := p.tokenAt(at)
		switch {
		case t.Type == tokEOF, t.Type == tokDeep:
			return false
		case t.Type == tokPunct && (t.Value == "(" || t.Value == "[" || t.Value == "{" && depth > 0):
			depth++
		case depth > 0:
			if t.Type == tokPunct && (t.Value == ")" || t.Value == "]" || t.Value == "}") {
				depth--
			}
		case t.Type == tokPunct && t.Value == ".":
			if p.tokenAt(at+1).Type != tokName {
				return false
			}
			at++
		default:
			return t.Type == tokName && t.Value != "until" && t.Value != "while" && t.Value != "leaving" && !isCite(t) && !isQuietly(t)
		}
	}
}

// gainEffects parses EFFECT [LABEL EXPR ...] or EFFECT, ...
func (p *parser) gainEffects(g *ast.Gain) {
	first := p.givenEffect()
	g.Effects, g.Args = append(g.Effects, first.Name), first.Args
	for p.accept(",") {
		g.Effects = append(g.Effects, p.name("an effect"))
	}
}

// may parses WHO may COMMAND [by default when COND] and WHO may "label" [by default when COND] { } [else { }].
func (p *parser) may(who ast.Expr) ast.Clause {
	p.next()
	m := &ast.May{Who: who}
	if isText(p.peek()) {
		label := p.text("a label")
		m.Label = &label
		m.Default = p.byDefault()
		m.Body = p.block(inStatements)
		if p.accept("else") {
			m.Else = p.block(inStatements)
		}
	} else {
		m.Command = p.command()
		m.Default = p.byDefault()
	}
	m.Tail = p.tail()
	return m
}

func (p *parser) actsAt(who ast.Expr) ast.Clause {
	p.next()
	a := &ast.ActsAt{Who: who, Side: p.next().Value}
	if a.Side == "at" {
		a.Keys = p.exprs()
	} else {
		a.Keys = []ast.Expr{p.expr()}
	}
	a.Tail = p.tail()
	return a
}

// moves parses moves along|to EXPR [by MODE] and moves EXPR away from|toward EXPR.
func (p *parser) moves(who ast.Expr) ast.Clause {
	p.next()
	m := &ast.Moves{Who: who}
	if p.is("along") || p.is("to") {
		m.Word = p.word()
	} else {
		m.Amount = p.owning(allLabels, p.sum)
		switch {
		case p.is("away"):
			m.Word = p.word()
			p.expect("from")
		case p.is("toward"):
			m.Word = p.word()
		default:
			p.want("`along`, `to`, or a distance and `away from` or `toward`")
		}
	}
	m.To = p.owning(ownBy, p.sum)
	if p.accept("by") {
		by := p.name("a mode of movement")
		m.By = &by
	}
	m.Tail = p.tail()
	return m
}

// command parses [WHO:] NAME [ARG] [LABEL ARG ...].
func (p *parser) command() *ast.Command {
	c := &ast.Command{}
	start := p.pos()
	if p.actorAhead() {
		c.Who = p.postfix()
		p.expect(":")
	}
	c.Name = p.name("the name of an action or a procedure")
	if p.startsObject() {
		arg := ast.Arg{Value: p.postfix()}
		if arg.Value != nil {
			arg.Span = arg.Value.Extent()
		}
		c.Args = append(c.Args, arg)
	}
	c.Args = append(c.Args, p.args()...)
	c.Span = p.from(start)
	return c
}

// actorAhead reports whether an operand and a colon follow.
func (p *parser) actorAhead() bool {
	if t := p.peek(); t.Type != tokName {
		return false
	}
	for n := 1; ; n += 2 {
		switch t := p.peekAt(n); {
		case t.Type == tokPunct && t.Value == ":":
			return true
		case t.Type != tokPunct || t.Value != "." || p.peekAt(n+1).Type != tokName || n > maxDepth:
			return false
		}
	}
}

// startsObject reports whether the next token begins the object of a command.
func (p *parser) startsObject() bool {
	t := p.peek()
	switch t.Type {
	case tokName:
		return !isCite(t)
	case tokNumber, tokDice, tokText, tokBlock:
		return true
	case tokPunct:
		return t.Value == "(" && !p.touches() || t.Value == "[" && !p.touches()
	case tokWord:
		return t.Value == "yes" || t.Value == "no" || t.Value == "none"
	}
	return false
}
