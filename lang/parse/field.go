package parse

import "arbiter/lang/ast"

// This file parses what stands in kinds, in things and in stats: fields, flags, terms, and the like.

// flags parses is FLAG, ... and has EFFECT [LABEL EXPR ...], ...
func (p *parser) flags() ast.Clause {
	word := p.word()
	if word.Name == "is" {
		is := &ast.Is{Names: []ast.Ident{p.name("a flag")}}
		for !p.endsField() && p.accept(",") {
			is.Names = append(is.Names, p.name("a flag"))
		}
		is.Tail = p.tail()
		return is
	}
	has := &ast.Has{Effects: []ast.GivenEffect{p.givenEffect()}}
	for !p.endsField() && p.accept(",") {
		has.Effects = append(has.Effects, p.givenEffect())
	}
	has.Tail = p.tail()
	return has
}

// givenEffect parses EFFECT [(ARGS)] [LABEL EXPR ...].
func (p *parser) givenEffect() ast.GivenEffect {
	g := ast.GivenEffect{Name: p.name("an effect")}
	if p.is("(") && p.touches() {
		g.Args = p.callArgs()
	}
	g.Args = append(g.Args, p.args()...)
	return g
}

// printed parses printed { COND; ... }.
func (p *parser) printed() ast.Clause {
	p.pendingBody = inClaims
	p.word()
	return &ast.Printed{Body: p.block(inClaims)}
}

// claim parses a line of a printed block.
func (p *parser) claim() ast.Clause {
	p.form = "printed"
	return &ast.Claim{Cond: p.expr()}
}

// property parses NAME: EXPR, ... [as BONUS].
func (p *parser) property() ast.Clause {
	p.form = "property"
	f := &ast.Property{Name: p.name("the name of a field")}
	p.expect(":")
	f.Values = []ast.Expr{p.expr()}
	for !p.endsField() && p.accept(",") {
		f.Values = append(f.Values, p.expr())
	}
	f.As = p.asName("a bonus type")
	f.Tail = p.tail()
	return f
}

// endsField reports whether a comma separates two fields instead of two values, as in `{ weight: 3, is light }`: a
// field, `is`, `has` or the end of the block follows it. The formatter writes it as `;`.
func (p *parser) endsField() bool {
	if !p.is(",") {
		return false
	}
	switch next := p.peekAt(1); next.Type {
	case tokName:
		return p.peekAt(2).Value == ":"
	case tokWord:
		return (next.Value == "is" || next.Value == "has") && p.peekAt(2).Type == tokName
	default:
		return next.Type == tokPunct && next.Value == "}"
	}
}

// isField reports whether an item gives fields: such items may be separated by commas.
func isField(item any) bool {
	switch item.(type) {
	case *ast.Property, *ast.Is, *ast.Has:
		return true
	}
	return false
}

// asName parses `as NAME`, if present.
func (p *parser) asName(what string) *ast.Ident {
	if !p.accept("as") {
		return nil
	}
	name := p.name(what)
	return &name
}

// term parses TERM: EXPR [as BONUS].
func (p *parser) term() ast.Clause {
	if isText(p.peek()) || isCite(p.peek()) {
		return p.documentation()
	}
	p.form = "term"
	t := &ast.Term{Name: p.name("the name of a term")}
	p.expect(":")
	t.Value = p.expr()
	t.As = p.asName("a bonus type")
	t.Tail = p.tail()
	return t
}

// field parses FIELD, ...: TYPE [= EXPR], and `is internal`.
func (p *parser) field() ast.Clause {
	if isText(p.peek()) || isCite(p.peek()) {
		return p.documentation()
	}
	if p.is("is") && p.peekAt(2).Value != ":" { // `is undead: flag` is a field to be corrected
		return p.flags()
	}
	p.form = "field"
	f := &ast.FieldDecl{Names: p.names("the name of a field")}
	p.expect(":")
	f.Type = p.typ()
	if p.accept("=") {
		f.Default = p.expr()
	}
	f.Tail = p.tail()
	return f
}

// rollClause parses die DICE, natural N fails|succeeds and says "WORD" or "WORD".
func (p *parser) rollClause() ast.Clause {
	if isText(p.peek()) || isCite(p.peek()) {
		return p.documentation()
	}
	p.form = "natural"
	if p.is("die") {
		p.form = "die"
	} else if p.is("says") {
		p.form = "says"
	}
	r := &ast.RollClause{}
	switch {
	case p.accept("die"):
		r.Die = p.sum()
	case p.accept("says"):
		r.Says = append(r.Says, p.text("the word for success"))
		p.expect("or")
		r.Says = append(r.Says, p.text("the word for failure"))
	case p.accept("natural"):
		r.Natural = p.sum()
		if !p.is("fails") && !p.is("succeeds") {
			p.want("`fails` or `succeeds`")
		}
		r.Verdict = p.word()
	default:
		p.want("`die`, `natural` or `says`")
	}
	r.Tail = p.tail()
	return r
}
