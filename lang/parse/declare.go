package parse

import (
	"strconv"

	"github.com/alecthomas/participle/v2/lexer"

	"arbiter/lang/ast"
)

// Declarations: each takes its first word, has participle parse the head, and parses the body.

func (p *parser) ruleset() ast.Clause {
	h := &ast.Header{Word: p.word()}
	g := head[rulesetHead](p)
	h.Name, h.Extends, h.Without, h.Prefers, h.Meta = g.Name.Ident, titles(g.Extends), titles(g.Without), titles(g.Prefers), g.Meta.Meta
	if g.Language != "" {
		h.Language, _ = strconv.Atoi(g.Language[:digits(g.Language)])
	}
	return h
}

func (p *parser) titled() ast.Clause {
	h := &ast.Header{Word: p.word()}
	g := head[titledHead](p)
	h.Title, h.With, h.Without, h.Meta = &g.Title.Text, titles(g.With), titles(g.Without), g.Meta.Meta
	if g.Of != nil {
		h.Of = &g.Of.Text
		if h.Word.Name != "tests" {
			p.fail(h.Of.Span, codeExpected, "only tests are of an adventure", "the form is: tests \"title\" of \"FILE.adventure\"")
		}
	}
	return h
}

func (p *parser) use() ast.Clause {
	u := &ast.Use{}
	p.word()
	g := head[useHead](p)
	if g.Hooks != nil {
		u.Hooks, u.File = true, g.Hooks.Text
	} else if g.Name != nil {
		u.Name, u.File = g.Name.Ident, g.File.Text
		if g.Form != nil {
			u.Params, u.Result = bare(g.Form.Params), &g.Form.Result.Type
		}
	}
	return u
}

func (p *parser) option() ast.Clause {
	p.word()
	g := head[optionHead](p)
	return &ast.Option{Name: g.Name.Ident, Value: g.Value, Meta: g.Meta.Meta}
}

func (p *parser) enum() ast.Clause {
	p.word()
	g := head[enumHead](p)
	return &ast.Enum{Name: g.Name.Ident, Ordered: g.Ordered, Members: idents(g.Members), Meta: g.Meta.Meta}
}

func (p *parser) bonus() ast.Clause {
	p.word()
	g := head[bonusHead](p)
	return &ast.Bonus{Names: idents(g.Names), Law: g.Law.Ident, Meta: g.Meta.Meta}
}

func (p *parser) role() ast.Clause {
	p.word()
	g := head[roleHead](p)
	return &ast.Role{Names: idents(g.Names), Type: g.Type.Type}
}

func (p *parser) permission() ast.Clause {
	p.word()
	g := head[namedHead](p)
	return &ast.Permission{Name: g.Name.Ident, Meta: g.Meta.Meta}
}

func (p *parser) kind() ast.Clause {
	p.pendingBody = inKind
	p.word()
	g := head[namedHead](p)
	return &ast.Kind{Name: g.Name.Ident, Meta: g.Meta.Meta, Body: p.block(inKind)}
}

func (p *parser) template() ast.Clause {
	p.pendingBody = inTemplate
	g := head[templateHead](p)
	t := &ast.Template{Kind: g.Kind.Ident, Name: g.Name.Ident, Extends: ident(g.Extends), Meta: g.Meta.Meta}
	if p.is("{") || t.Extends == nil {
		t.Body = p.block(inTemplate)
	}
	return t
}

func (p *parser) roll() ast.Clause {
	p.pendingBody = inRoll
	p.word()
	g := head[namedHead](p)
	return &ast.Roll{Name: g.Name.Ident, Meta: g.Meta.Meta, Body: p.block(inRoll)}
}

func (p *parser) stat() ast.Clause {
	p.pendingBody = inStat
	p.word()
	g := head[statHead](p)
	s := &ast.Stat{Name: g.Name.Ident, Params: g.Params.List, Rolled: ident(g.Rolled), Meta: g.Meta.Meta, Value: g.Value}
	if s.Value == nil {
		s.Body = p.valueOrBlock(inStat)
	}
	return s
}

// valueOrBlock parses a block where `=` and a value would also have been allowed.
func (p *parser) valueOrBlock(in body) *ast.Block {
	if !p.is("{") {
		p.want("`=` or `{`")
		return nil
	}
	return p.block(in)
}

func (p *parser) view() ast.Clause {
	p.word()
	g := head[viewHead](p)
	return &ast.View{Name: g.Name.Ident, Of: g.Of.Ident, Word: identOf(p, g.Word),
		Losing: idents(g.Losing), Meta: g.Meta.Meta}
}

func (p *parser) define() ast.Clause {
	p.word()
	g := head[defineHead](p)
	d := &ast.Define{Name: g.First.Ident, Params: append(bare(g.Params), g.Labelled.List...),
		Meta: g.Meta.Meta, Value: g.Value}
	if g.Second != nil {
		d.Kind, d.Name = &g.First.Ident, g.Second.Ident
	}
	return d
}

func (p *parser) table() ast.Clause {
	p.pendingBody = inRows
	p.word()
	g := head[tableHead](p)
	t := &ast.Table{Name: g.Name.Ident, Keys: idents(g.Keys), Meta: g.Meta.Meta}
	t.Rows = p.rows()
	return t
}

// rows parses { | CELL | CELL | ... }.
func (p *parser) rows() []ast.Row {
	list, _ := braces(p, inRows, p.row, nil)
	return list
}

// row parses | CELL | CELL |.
func (p *parser) row() (r ast.Row) {
	p.form = "row"
	start := p.pos()
	p.expect("|")
	for {
		r.Cells = append(r.Cells, p.tableCell())
		p.expect("|")
		if t := p.peek(); p.fault != nil || t.Type == tokLine || t.Type == tokEOF || t.Value == "}" {
			break
		}
	}
	r.Span = p.from(start)
	return r
}

func (p *parser) rowClause() ast.Clause { return &ast.RowClause{Row: p.row()} }

// tableCell parses a cell and its marks. A word of the language may name a column.
func (p *parser) tableCell() ast.Cell {
	t, next := p.peek(), p.peekAt(1)
	if next.Type == tokPunct && next.Value == "|" {
		switch {
		case t.Value == "-" && t.Type == tokPunct, t.Value == "gm", t.Value == "others":
			w := p.word()
			return ast.Cell{Span: w.Span, Mark: w.Name}
		case t.Type == tokWord && t.Value != "yes" && t.Value != "no" && t.Value != "none":
			w := p.word()
			return ast.Cell{Span: w.Span, From: &ast.Name{Ident: w}}
		}
	}
	return p.cell()
}

func (p *parser) resource() ast.Clause {
	p.pendingBody = inEffect
	p.word()
	g := head[resourceHead](p)
	r := &ast.Resource{Name: g.Name.Ident, From: g.From.Expr, Meta: g.Meta.Meta}
	if g.To != nil {
		r.To = g.To.Expr
	}
	if g.Starts != nil {
		r.Starts = g.Starts.Expr
	}
	r.Body = p.blockIf(inEffect)
	return r
}

func (p *parser) effect() ast.Clause {
	p.pendingBody = inEffect
	e := &ast.Effect{Word: p.word()}
	g := head[effectHead](p)
	e.Name, e.Params, e.While, e.Meta = g.Name.Ident, g.Params.List, g.While, g.Meta.Meta
	e.Body = p.blockIf(inEffect)
	return e
}

func (p *parser) procedure() ast.Clause {
	in := inStatements
	if p.is("action") {
		in = inAction
	}
	p.pendingBody = in
	d := &ast.Procedure{Word: p.word()}
	g := head[procedureHead](p)
	d.Name, d.Params, d.Meta = g.First.Ident, g.Params.List, g.Meta.Meta
	if g.Second != nil {
		d.Kind, d.Name = &g.First.Ident, g.Second.Ident
	}
	d.Body = p.blockIf(in)
	return d
}

func (p *parser) rule() ast.Clause {
	p.pendingBody = inStatements
	r := &ast.Rule{Word: p.word()}
	g := head[ruleHead](p)
	r.Name, r.Trigger, r.When, r.Unless, r.Meta = g.Name.Ident, g.Trigger.Trigger, g.When, g.Unless, g.Meta.Meta
	r.Once, r.Default = identOf(p, g.Once), g.Default
	if r.Default != nil && r.Word.Name != "reaction" {
		p.fail(r.Default.Extent(), codeExpected, "a rule is not optional", "say when it runs with `when COND`, or make it a reaction")
	}
	r.Body = p.block(inStatements)
	p.citesAfterBody(&r.Meta)
	return r
}

// override parses override PATH (= EXPR | : LAW | { CLAUSES }).
func (p *parser) override() ast.Clause {
	p.pendingBody = inExtend
	c := &ast.Change{Word: p.word()}
	g := head[overrideHead](p)
	c.Path, c.Value, c.Meta = g.Path.Path, g.Value, g.Meta.Meta
	if g.Law != nil {
		c.Law = g.Law.Ident
	} else if c.Value == nil && !p.is("when") && !p.is("unless") {
		bracket := p.is("(")
		c.Body = p.valueOrBlock(bodyOf(c.Path))
		if bracket && p.fault != nil {
			p.fault.Hint = "the parameters stay as they are: write `override PATH = EXPR`, without them"
		}
	} else if m := g.MetaAfter.Meta; m.Doc != nil || m.Cites != nil {
		c.Meta = m
	}
	if (p.is("when") || p.is("unless")) && p.fault == nil {
		p.wantEnd(p.lex.Peek())
		p.fault.Hint = "a part keeps its guard: leave it out, or `remove` the part and `extend` with another"
	}
	return c
}

func (p *parser) extend() ast.Clause {
	p.pendingBody = inExtend
	c := &ast.Change{Word: p.word()}
	g := head[pathHead](p)
	c.Path, c.Meta = g.Path.Path, g.Meta.Meta
	switch {
	case p.is("{"):
		c.Body = p.block(bodyOf(c.Path))
	case len(c.Cites) == 0:
		p.want("`cite` or `{`")
	}
	return c
}

func (p *parser) remove() ast.Clause {
	c := &ast.Change{Word: p.word()}
	g := head[pathHead](p)
	c.Path, c.Meta = g.Path.Path, g.Meta.Meta
	return c
}

// bodyOf: the body of a whole definition holds what the definition holds; that of a part, such as a step or a rule,
// holds statements.
func bodyOf(path ast.Path) body {
	if len(path.Parts) > 1 {
		return inStatements
	}
	return inExtend
}

func (p *parser) tactics() ast.Clause {
	p.pendingBody = inStatements
	p.word()
	g := head[namedHead](p)
	return &ast.Tactics{Name: g.Name.Ident, Meta: g.Meta.Meta, Body: p.block(inStatements)}
}

func (p *parser) step() ast.Clause {
	p.pendingBody = inStatements
	p.word()
	g := head[stepHead](p)
	s := &ast.Step{Name: g.Name.Ident, Where: identOf(p, g.Where), Other: g.Other.Ident, Meta: g.Meta.Meta}
	s.When, s.Unless = g.When, g.Unless
	s.Body = p.block(inStatements)
	p.citesAfterBody(&s.Meta)
	return s
}

// citesAfterBody parses the citations after the body of a step or a rule: any clause may end with them.
func (p *parser) citesAfterBody(m *ast.Meta) {
	for isCite(p.peek()) {
		m.Cites = append(m.Cites, p.cites()...)
	}
}

func (p *parser) side() ast.Clause {
	p.pendingBody = inSide
	p.word()
	s := &ast.Side{Name: p.name("a name for the side")}
	if p.accept("follows") {
		tactics := p.tacticsName()
		s.Follows = &tactics
	}
	s.Body = p.block(inSide)
	return s
}

func (p *parser) given() ast.Clause {
	p.pendingBody = inStatements
	p.word()
	return &ast.Given{Name: p.name("a name for the setting"), Body: p.block(inStatements)}
}

func (p *parser) test() ast.Clause {
	p.pendingBody = inStatements
	p.word()
	g := head[testHead](p)
	return &ast.Test{Title: g.Title.Text, Given: idents(g.Given), Body: p.block(inStatements)}
}

// --- lowering ---

func idents(list []name) (out []ast.Ident) {
	for _, n := range list {
		out = append(out, n.Ident)
	}
	return out
}

func titles(list []title) (out []ast.Ident) {
	for _, n := range list {
		out = append(out, n.Ident)
	}
	return out
}

func bare(list []bareParam) (out []ast.Param) {
	for _, n := range list {
		out = append(out, n.Param)
	}
	return out
}

func ident(n *name) *ast.Ident {
	if n == nil {
		return nil
	}
	return &n.Ident
}

// identOf converts a token captured by participle to an identifier; the zero token gives the empty one.
func identOf(p *parser, t lexer.Token) ast.Ident {
	if t.Value == "" {
		return ast.Ident{}
	}
	return ast.Ident{Span: p.spanOf(&t), Name: t.Value}
}
