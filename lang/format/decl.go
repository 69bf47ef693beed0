package format

import (
	"strconv"

	"arbiter/lang/ast"
)

// This file prints declarations.

// clause prints any clause; clauses other than declarations are in clause.go, stmt.go and script.go.
func (p *printer) clause(c ast.Clause) doc { return anchor{p.declaration(c)} }

func (p *printer) declaration(c ast.Clause) doc {
	switch c := c.(type) {
	case nil:
		return nothing // broken, and reported by the parser
	case *ast.Header:
		return p.header(c)
	case *ast.Use:
		return p.use(c)
	case *ast.Option:
		return group(indent(wrapIndent, p.assignment(wordAndName("option", c.Span, c.Name), c.Value)), p.meta(c.Meta, nil))
	case *ast.Enum:
		return p.enum(c)
	case *ast.Bonus:
		return p.declare(concat{firstWord("bonus", c.Span), idents(c.Names), word(": "), ident(c.Law)}, c.Meta, nil, nil)
	case *ast.Role:
		return indent(wrapIndent, concat{firstWord("role", c.Span), idents(c.Names), word(": "), p.typeDoc(&c.Type)})
	case *ast.Permission:
		return p.declare(wordAndName("permission", c.Span, c.Name), c.Meta, nil, nil)
	case *ast.Kind:
		return p.declare(wordAndName("kind", c.Span, c.Name), c.Meta, nil, c.Body)
	case *ast.FieldDecl:
		return p.fieldDecl(c)
	case *ast.Template:
		return p.template(c)
	case *ast.Roll:
		return p.declare(wordAndName("roll", c.Span, c.Name), c.Meta, nil, c.Body)
	case *ast.RollClause:
		return p.rollClause(c)
	case *ast.Stat:
		return p.stat(c)
	case *ast.Term:
		d := concat{p.expr(c.Value)}
		if c.As != nil {
			d = append(d, word(" as "), ident(*c.As))
		}
		return concat{ident(c.Name), word(":"), alignStop, p.withTail(c.Tail, d)}
	case *ast.View:
		head := concat{wordAndName("view", c.Span, c.Name), word(" of "), ident(c.Of)}
		if len(c.Losing) > 0 {
			head = append(head, word(" "), ident(c.Word), word(" "), idents(c.Losing))
		}
		return p.declare(head, c.Meta, nil, nil)
	case *ast.Define:
		return p.define(c)
	case *ast.Table:
		return p.table(c)
	case *ast.Resource:
		d := concat{wordAndName("resource", c.Span, c.Name), p.optional("from", c.From), p.optional("to", c.To), p.optional("starts", c.Starts)}
		return p.declare(d, c.Meta, nil, c.Body)
	case *ast.Effect:
		return p.declare(concat{p.paramHead(c.Word, c.Name, c.Params), p.optional("while", c.While)}, c.Meta, nil, c.Body)
	case *ast.Procedure:
		if c.Kind != nil {
			return p.declare(concat{ident(c.Word), word(" "), ident(*c.Kind), word("."), ident(c.Name), p.params(c.Params)}, c.Meta, nil, c.Body)
		}
		return p.declare(p.paramHead(c.Word, c.Name, c.Params), c.Meta, nil, c.Body)
	case *ast.Rule:
		d := concat{ident(c.Word), word(" "), ident(c.Name), word(" "), p.trigger(&c.Trigger, true), p.guards(c.Tail)}
		if c.Once.Name != "" {
			d = append(d, space, text{"once per ", p.wordBefore("once per", c.Once.Start.Offset)}, ident(c.Once))
		}
		return p.declare(append(d, p.byDefault(c.Default)), c.Meta, c.Tail.Cites, c.Body)
	case *ast.Change:
		head := concat{ident(c.Word), word(" "), p.path(&c.Path)}
		if c.Value != nil {
			return group(indent(wrapIndent, p.assignment(head, c.Value)), p.meta(c.Meta, nil))
		}
		if c.Law.Name != "" {
			head = append(head, word(": "), ident(c.Law))
		}
		return p.declare(head, c.Meta, nil, c.Body)
	case *ast.Tactics:
		return p.declare(wordAndName("tactics", c.Span, c.Name), c.Meta, nil, c.Body)
	}
	return p.part(c)
}

// firstWord is the first word of a clause, and a space.
func firstWord(w string, s ast.Span) doc { return text{w + " ", s.Start.Offset} }

func wordAndName(w string, s ast.Span, name ast.Ident) doc {
	return concat{firstWord(w, s), ident(name)}
}

// optional is a possible line break, a word and an expression, or nothing.
func (p *printer) optional(w string, e ast.Expr) doc {
	if e == nil {
		return nothing
	}
	return group(space, p.keyword(w, e), p.expr(e))
}

// paramHead is the word, the name and the parameters of an effect or procedure.
func (p *printer) paramHead(w, name ast.Ident, params []ast.Param) doc {
	return concat{ident(w), word(" "), ident(name), p.params(params)}
}

func (p *printer) enum(c *ast.Enum) doc {
	d := concat{wordAndName("enum", c.Span, c.Name)}
	if c.Ordered {
		d = append(d, word(" ordered"))
	}
	return p.declare(append(d, word(":"), space, idents(c.Members)), c.Meta, nil, nil)
}

func (p *printer) template(c *ast.Template) doc {
	d := concat{ident(c.Kind), word(" "), ident(c.Name)}
	if c.Extends != nil {
		d = append(d, word(" "), p.keyword("extends", c.Extends), ident(*c.Extends))
	}
	return p.declare(d, c.Meta, nil, c.Body)
}

func (p *printer) rollClause(c *ast.RollClause) doc {
	switch {
	case c.Die != nil:
		return p.withTail(c.Tail, firstWord("die", c.Span), p.expr(c.Die))
	case len(c.Says) == 2:
		return p.withTail(c.Tail, firstWord("says", c.Span), p.text(&c.Says[0]), word(" or "), p.text(&c.Says[1]))
	}
	return p.withTail(c.Tail, firstWord("natural", c.Span), p.expr(c.Natural), word(" "), ident(c.Verdict))
}

func (p *printer) header(c *ast.Header) doc {
	d := concat{ident(c.Word), word(" ")}
	if c.Title != nil {
		d = append(d, p.text(c.Title))
		if c.Of != nil {
			d = append(d, word(" of "), p.text(c.Of))
		}
	} else {
		d = append(d, ident(c.Name))
	}
	for _, part := range []struct {
		word  string
		names []ast.Ident
	}{{"extends", c.Extends}, {"with", c.With}, {"without", c.Without}, {"prefers", c.Prefers}} {
		if len(part.names) > 0 {
			d = append(d, space, p.keyword(part.word, part.names[0]), idents(part.names))
		}
	}
	if c.Language != 0 {
		d = append(d, space, word("language "+strconv.Itoa(c.Language)))
	}
	return p.declare(d, c.Meta, nil, nil)
}

func (p *printer) use(c *ast.Use) doc {
	if c.Hooks {
		return concat{firstWord("use", c.Span), word("hooks "), p.text(&c.File)}
	}
	d := concat{firstWord("use", c.Span), ident(c.Name)}
	if c.Result != nil {
		d = append(d, word("("), p.plainParams(c.Params), word("): "), p.typeDoc(c.Result))
	}
	return indent(wrapIndent, group(d, space, word("from "), p.text(&c.File)))
}

func (p *printer) fieldDecl(c *ast.FieldDecl) doc {
	d := concat{idents(c.Names), word(": "), p.typeDoc(&c.Type)}
	if c.Default != nil {
		d = append(d, word(" = "), p.expr(c.Default))
	}
	return p.withTail(c.Tail, d)
}

func (p *printer) stat(c *ast.Stat) doc {
	d := concat{wordAndName("stat", c.Span, c.Name), p.paramsWith(c.Params, " usually ")}
	if c.Rolled != nil {
		d = append(d, space, word("rolled as "), ident(*c.Rolled))
	}
	if c.Value != nil {
		return p.valueDeclaration(d, c.Meta, c.Value)
	}
	return p.declare(d, c.Meta, nil, c.Body)
}

// define prints the parameters in parentheses first: they have no label.
func (p *printer) define(c *ast.Define) doc {
	d := concat{firstWord("define", c.Span)}
	if c.Kind != nil {
		d = append(d, ident(*c.Kind), word("."))
	}
	d = append(d, ident(c.Name))
	n := 0
	for n < len(c.Params) && c.Params[n].Label.Name == "" {
		n++
	}
	if n > 0 {
		d = append(d, word("("), p.plainParams(c.Params[:n]), word(")"))
	}
	return p.valueDeclaration(append(d, p.params(c.Params[n:])), c.Meta, c.Value)
}

func (p *printer) param(a ast.Param, begin string) doc {
	var d concat
	if a.Label.Name != "" {
		d = append(d, ident(a.Label), word(" "))
	}
	d = append(d, ident(a.Name))
	if a.Type != nil {
		d = append(d, word(": "), p.typeDoc(a.Type))
	}
	if a.Default != nil {
		d = append(d, word(begin), p.expr(a.Default))
	}
	return d
}

// params are the parameters of a header. A line may break before each of them, except before one without a label.
func (p *printer) params(as []ast.Param) doc { return p.paramsWith(as, " = ") }

// paramsWith are parameters whose defaults begin in this way.
func (p *printer) paramsWith(as []ast.Param, begin string) doc {
	var d concat
	for _, a := range as {
		if a.Label.Name == "" {
			d = append(d, word(" "), p.param(a, begin))
		} else {
			d = append(d, group(space, p.param(a, begin)))
		}
	}
	return d
}

// plainParams are parameters in parentheses.
func (p *printer) plainParams(as []ast.Param) doc {
	ds := make([]doc, len(as))
	for i, a := range as {
		ds[i] = p.param(a, "")
	}
	return commaList(ds)
}

func (p *printer) typeDoc(t *ast.Type) doc {
	var d concat
	if t.List {
		d = append(d, text{"list of ", t.Start.Offset})
	}
	d = append(d, ident(t.Name))
	if t.OrNone {
		d = append(d, word(" or none"))
	}
	return d
}

func (p *printer) path(t *ast.Path) doc {
	var d concat
	for i, part := range t.Parts {
		switch {
		case len(part.Keys) > 0:
			d = append(d, word("["), p.exprs(part.Keys), word("]"))
		case i > 0:
			d = append(d, word("."), ident(part.Name))
		default:
			d = append(d, ident(part.Name))
		}
	}
	return d
}

// trigger prints a moment; the triggers of `until` leave out `at`.
func (p *printer) trigger(t *ast.Trigger, at bool) doc {
	switch t.Word.Name {
	case "before", "after", "instead":
		d := concat{ident(t.Word), word(" ")}
		if t.Word.Name == "instead" {
			d = append(d, word("of "))
		}
		if t.Path != nil {
			d = append(d, p.path(t.Path))
		}
		return append(d, p.args(t.Args))
	case "start", "end":
		var d concat
		if at {
			d = append(d, text{"at ", t.Start.Offset})
		}
		d = append(d, ident(t.Word), word(" of "))
		if t.Next {
			d = append(d, p.keyword("next", t.Moment))
		}
		d = append(d, ident(t.Moment))
		return append(d, p.optional("of", t.Of))
	case "every":
		return concat{ident(t.Word), word(" "), p.expr(t.Every)}
	case "gaining", "losing":
		d := concat{text{"on ", t.Start.Offset}, ident(t.Word)}
		if t.Effect != nil {
			d = append(d, word(" "), ident(*t.Effect))
		}
		return d
	}
	return p.verbatim(t.Span)
}

func (p *printer) duration(t *ast.Duration) doc {
	var d concat
	if t.For != nil {
		d = append(d, p.keyword("for", t.For), p.expr(t.For))
	}
	if len(t.Until) > 0 {
		ds := make([]doc, len(t.Until))
		for i := range t.Until {
			ds[i] = p.trigger(&t.Until[i], false)
		}
		if len(d) > 0 {
			d = append(d, space)
		}
		d = append(d, p.keyword("until", t.Until[0]), commaList(ds))
	}
	if t.While != nil {
		if len(d) > 0 {
			d = append(d, space)
		}
		d = append(d, p.keyword("while", t.While), p.expr(t.While))
	}
	return d
}
