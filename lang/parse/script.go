package parse

import (
	"arbiter/lang/ast"
)

// This file parses the statements of scripts.

// member parses TEMPLATE NAME [at SQUARE | near PLACE] [follows TACTICS] [{ FIELDS }].
func (p *parser) member() ast.Clause {
	p.form = "member"
	m := &ast.Member{Template: p.name("a creature")}
	m.Name = p.name("a name for it")
	if m.Near = p.accept("near"); m.Near || p.accept("at") {
		m.At = p.argument()
	}
	if p.accept("follows") {
		tactics := p.tacticsName()
		m.Follows = &tactics
	}
	m.Body = p.blockIf(inTemplate)
	return m
}

// bestWord begins `best of N`, where tactics are named.
const bestWord = "best"

// tacticsName parses what somebody follows: TACTICS or best of N.
func (p *parser) tacticsName() ast.TacticsName {
	t := ast.TacticsName{Ident: p.name("the name of tactics")}
	if t.Name == bestWord && p.accept("of") {
		if n, ok := p.number().(*ast.Number); ok {
			t.BestOf, t.End = n, n.End
		}
	}
	return t
}

// mapClause parses map """ROWS""" [{ "#": NAME ... }].
func (p *parser) mapClause() ast.Clause {
	p.word()
	m := &ast.Map{Rows: p.text(`the rows of the map between """ and """`)}
	if p.fault == nil { // a block in place of the rows is no legend
		p.pendingBody = inLegend
		m.Legend = p.blockIf(inLegend)
	}
	return m
}

func (p *parser) legendEntry() ast.Clause {
	p.form = "legend"
	e := &ast.LegendEntry{Mark: p.text("a mark of the map in quotes")}
	p.expect(":")
	e.Names = p.names("what the mark means")
	return e
}

// scripted parses dice N, ... and dice [WHO] PATH: N, ..., and likewise for answer.
func (p *parser) scripted() ast.Clause {
	s := &ast.Scripted{Word: p.word()}
	if p.labelAhead() {
		if p.peek().Type == tokName && p.peekAt(1).Type == tokName {
			who := p.name("who")
			s.Who = &who
		}
		path := p.path()
		s.Path = &path
		p.expect(":")
	}
	s.Values = p.exprs()
	return s
}

// labelAhead reports whether [WHO] PATH and a colon follow.
func (p *parser) labelAhead() bool {
	n := 0
	if p.peek().Type == tokName && p.peekAt(1).Type == tokName {
		n = 1
	}
	for ; n < maxDepth; n++ {
		switch t := p.peekAt(n); {
		case t.Type == tokPunct && t.Value == ":":
			return n > 0
		case t.Type == tokName, t.Type == tokWord, t.Type == tokPunct && t.Value == ".":
		default:
			return false
		}
	}
	return false
}

// expectation parses expect COND and expect refused ["text"] { COMMAND }.
func (p *parser) expectation() ast.Clause {
	p.word()
	e := &ast.Expect{}
	if next := p.peekAt(1); p.is("refused") && (isText(next) || next.Value == "{") {
		p.pendingBody = inStatements
		p.next()
		e.Refused = true
		if isText(p.peek()) {
			text := p.text("the reason")
			e.Text = &text
		}
		e.Body = p.block(inStatements)
	} else if !p.expectStory(e) {
		e.Cond = p.expr()
	}
	e.Tail = p.tail()
	return e
}

// directive parses seed, begin, next turn, pass, fight on, explain, transcript.
func (p *parser) directive() ast.Clause {
	d := &ast.Directive{Word: p.word()}
	switch d.Word.Name {
	case "next":
		p.expect("turn")
		if p.accept("of") {
			d.Value = p.argument()
		}
	case "fight":
		p.expect("on")
		if p.accept("for") {
			d.Value = p.sum()
			d.Turns = p.accept("turn") || p.accept("turns")
		} else if p.accept("until") {
			d.Until = p.expr()
		}
	case "place":
		d.Value = p.argument()
		if p.accept("back") {
			break
		}
		if d.Near = p.accept("near"); !d.Near {
			p.expect("at")
		}
		d.At = []ast.Expr{p.argument()}
	case "ground":
		if !p.accept("none") {
			d.Names = p.names("something that lies on the ground")
		}
		p.expect("at")
		d.At = append(d.At, p.argument())
		for p.accept(",") {
			d.At = append(d.At, p.argument())
		}
	case "seed":
		d.Value = p.number()
	case "pass":
		p.accept("for") // `pass DURATION`: as in `lasts for 1 hour`
		d.Value = p.sum()
	case "explain":
		d.Value = p.expr()
	case "transcript":
		text := p.text(`the text between """ and """`)
		d.Text = &text
	case "start":
		if p.accept("at") {
			path := p.path()
			d.Scene = &path
		}
	case "take":
		if isText(p.peek()) {
			text := p.text("the label of a way in quotes")
			d.Text = &text
		} else {
			d.Value = p.number()
		}
	}
	d.Tail = p.tail()
	return d
}
