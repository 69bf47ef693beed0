package format

import (
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/words"
)

// This file prints statements.

func (p *printer) statement(c ast.Clause) doc {
	switch c := c.(type) {
	case *ast.Let:
		head := wordAndName("let", c.Span, c.Name)
		if c.Command != nil {
			return p.withTail(c.Tail, head, word(" = "), p.command(c.Command))
		}
		return p.withTail(c.Tail, p.assignment(head, c.Value))
	case *ast.Set:
		return p.withTail(c.Tail, firstWord("set", c.Span), p.expr(c.Target), group(space, p.keyword("to", c.Value), p.expr(c.Value)), quietly(c.Quietly))
	case *ast.If:
		return p.ifElse(c)
	case *ast.ForEach:
		head := group(firstWord("for", c.Span), p.keyword("each", c.Query.Var), p.query(&c.Query))
		return p.blockWithTail(c.Tail, indent(wrapIndent, head), p.trailer(c.Body))
	case *ast.Repeat:
		head := group(firstWord("repeat", c.Span), p.expr(c.Times), word(" times"))
		return p.blockWithTail(c.Tail, indent(wrapIndent, head), p.trailer(c.Body))
	case *ast.Branch:
		return p.branch(c)
	case *ast.Choose:
		return p.choose(c)
	case *ast.Gain:
		return p.gain(c)
	case *ast.May:
		return p.may(c)
	case *ast.ActsAt:
		return p.withTail(c.Tail, p.expr(c.Who), word(" acts "+c.Side+" "), p.exprs(c.Keys))
	case *ast.Moves:
		return p.moves(c)
	case *ast.Simple:
		d := concat{ident(c.Word)}
		if c.Text != nil {
			d = append(d, word(" "), p.text(c.Text))
		}
		return p.withTail(c.Tail, d)
	case *ast.Command:
		return p.withTail(c.Tail, p.command(c))
	}
	return p.script(c)
}

func (p *printer) command(c *ast.Command) doc {
	if c == nil {
		return nothing
	}
	var d concat
	if c.Who != nil {
		d = append(d, p.expr(c.Who), word(": "))
	}
	return append(d, ident(c.Name), p.args(c.Args))
}

// bracesEnd finds the end of the braces of a clause that may end in a tail, and reports whether they close on the line
// of their first item.
func (p *printer) bracesEnd(first, clause ast.Node, t ast.Tail) (end int, inline bool) {
	whole := clause.Extent()
	end = whole.End.Offset
	for _, guard := range []struct {
		word  string
		value int
	}{{"when", offsetOf(t.When)}, {"unless", offsetOf(t.Unless)}, {"cite", citesAt(t)}} {
		if guard.value > 0 {
			end = min(end, p.wordBefore(guard.word, guard.value))
		}
	}
	if end < whole.End.Offset {
		end = p.wordBefore("}", end) + 1
	}
	inside := p.source(ast.Span{Start: first.Extent().Start, End: ast.Pos{Offset: end}})
	if inside == "" {
		return end, first.Extent().Start.Line == whole.End.Line
	}
	return end, !strings.Contains(inside, "\n")
}

func citesAt(t ast.Tail) int {
	if len(t.Cites) == 0 {
		return 0
	}
	return t.Cites[0].Start.Offset
}

// ifElse prints an `else if` chain as a unit; a tail after the chain belongs to its last link.
func (p *printer) ifElse(c *ast.If) doc {
	head := func(c *ast.If) doc { return indent(wrapIndent, group(firstWord("if", c.Span), p.expr(c.Cond))) }
	links := []chainLink{{head(c), c.Then}}
	for c.Else != nil {
		next := elseIf(c.Else)
		if next == nil {
			links = append(links, chainLink{p.elseWord(c.Else.Start), c.Else})
			break
		}
		links = append(links, chainLink{concat{p.elseWord(next.Start), word(" "), head(next)}, next.Then})
		c = next
	}
	return p.blockWithTail(c.Tail, p.chain(links))
}

// elseWord is the `else` before a position.
func (p *printer) elseWord(before ast.Pos) doc {
	return text{"else", p.wordBefore("else", before.Offset)}
}

func elseIf(b *ast.Block) *ast.If {
	if len(b.Clauses) == 1 {
		if next, ok := b.Clauses[0].(*ast.If); ok && next.Start == b.Start {
			return next
		}
	}
	return nil
}

func (p *printer) branch(c *ast.Branch) doc {
	d := concat{firstWord(c.Word.Name, c.Span), p.expr(c.Subject)}
	if c.Target != nil {
		d = append(d, space, ident(c.Versus))
		if c.Versus.Name == "opposed" {
			d = append(d, word(" by"))
		}
		d = append(d, word(" "), p.expr(c.Target))
	}
	if c.Rolled != nil {
		d = append(d, space, word("rolled as "), ident(*c.Rolled))
	}
	if c.As != nil {
		d = append(d, group(space, word("as "), ident(*c.As)))
	}
	if !c.Open {
		return p.withTail(c.Tail, d)
	}
	arms := make([]doc, len(c.Arms))
	rows := make([]doc, 0, 3*len(c.Arms))
	for i := range c.Arms {
		arms[i] = anchor{p.arm(&c.Arms[i])}
		if i > 0 {
			rows = append(rows, lineEnd)
		}
		rows = append(rows, begin{offsetOf(c.Arms[i])}, arms[i])
	}
	if len(arms) == 0 {
		return p.blockWithTail(c.Tail, indent(wrapIndent, group(d)), word(" { }"))
	}
	end, inline := p.bracesEnd(c.Arms[0], c, c.Tail)
	b := braces(0, arms, rows, end, inline && len(arms) == 1)
	return p.blockWithTail(c.Tail, indent(wrapIndent, group(d)), word(" "), b.open, b.rest)
}

func (p *printer) arm(a *ast.Arm) doc {
	var d concat
	if a.Label.Name != "" {
		d = append(d, ident(a.Label))
		if a.By != nil && a.Label.Name != "natural" {
			d = append(d, word(" by"))
		}
		if a.By != nil {
			d = append(d, word(" "), p.expr(a.By))
		}
	} else {
		values := make([]doc, len(a.Values))
		for i := range a.Values {
			values[i] = p.cell(&a.Values[i])
		}
		d = append(d, commaList(values))
	}
	switch {
	case a.Body == nil:
		return append(d, word(":"))
	case a.Short && len(a.Body.Clauses) == 1:
		return append(d, word(": "), p.clause(a.Body.Clauses[0]))
	}
	return append(d, p.trailer(a.Body))
}

func (p *printer) choose(c *ast.Choose) doc {
	d := concat{text{"choose", c.Start.Offset}}
	if c.By != nil {
		d = append(d, group(space, p.keyword("by", c.By), p.expr(c.By)))
	}
	options := make([]doc, len(c.Options))
	rows := make([]doc, 0, 3*len(c.Options))
	for i := range c.Options {
		o := &c.Options[i]
		options[i] = anchor{concat{p.withTail(o.Tail, p.text(&o.Label)), p.trailer(o.Body)}}
		if i > 0 {
			rows = append(rows, lineEnd)
		}
		rows = append(rows, begin{offsetOf(o)}, options[i])
	}
	if len(options) == 0 {
		return p.blockWithTail(c.Tail, indent(wrapIndent, d), word(" { }"))
	}
	end, inline := p.bracesEnd(c.Options[0], c, c.Tail)
	b := braces(0, options, rows, end, inline && len(options) == 1)
	return p.blockWithTail(c.Tail, indent(wrapIndent, d), word(" "), b.open, b.rest)
}

func (p *printer) gain(c *ast.Gain) doc {
	d := concat{p.expr(c.Who), word(" "), ident(c.Word), word(" ")}
	switch {
	case c.All:
		d = append(d, word("all "), ident(c.Resource))
	case c.Amount != nil:
		d = append(d, p.expr(c.Amount), word(" "), ident(c.Resource))
	default:
		d = append(d, p.gainedEffects(c))
	}
	if c.Leaving != nil {
		d = append(d, word(" "), p.keyword("leaving", c.Leaving), ident(*c.Leaving))
	}
	d = append(d, p.trailer(c.Memory))
	if c.Duration != nil {
		d = append(d, group(space, p.duration(c.Duration)))
	}
	return p.withTail(c.Tail, d, quietly(c.Quietly))
}

// quietly prints the word on the line of its statement: no line begins with it.
func quietly(w *ast.Ident) doc {
	if w == nil {
		return nothing
	}
	return concat{word(" "), ident(*w)}
}

// gainedEffects prints effects; the arguments belong to the first of them.
func (p *printer) gainedEffects(c *ast.Gain) doc {
	list := make([]ast.GivenEffect, len(c.Effects))
	for i, e := range c.Effects {
		list[i].Name = e
	}
	list[0].Args = c.Args
	return p.effectList(list)
}

// effectList prints effects with their arguments. Arguments in parentheses come first and have no label, or a parameter
// name as label.
func (p *printer) effectList(list []ast.GivenEffect) doc {
	var ds []doc
	for _, e := range list {
		d := concat{ident(e.Name)}
		n := 0
		for n < len(e.Args) && !words.Label(e.Args[n].Label.Name) {
			n++
		}
		if n > 0 {
			d = append(d, p.bracketed(e.Args[:n], word(")")))
		}
		ds = append(ds, append(d, p.args(e.Args[n:])))
	}
	return commaList(ds)
}

func (p *printer) may(c *ast.May) doc {
	d := concat{p.expr(c.Who), word(" may ")}
	if c.Command != nil {
		return p.withTail(c.Tail, d, p.command(c.Command), p.byDefault(c.Default))
	}
	if c.Label != nil {
		d = append(d, p.text(c.Label), p.byDefault(c.Default))
	}
	links := []chainLink{{indent(wrapIndent, group(d)), c.Body}}
	if c.Else != nil {
		links = append(links, chainLink{p.elseWord(c.Else.Start), c.Else})
	}
	return p.blockWithTail(c.Tail, p.chain(links))
}

// byDefault prints when an offer is taken if no one answers.
func (p *printer) byDefault(cond ast.Expr) doc {
	if cond == nil {
		return nothing
	}
	return concat{space, p.keyword("by default when", cond), p.expr(cond)}
}

func (p *printer) moves(c *ast.Moves) doc {
	d := concat{p.expr(c.Who), word(" moves ")}
	if c.Amount != nil {
		d = append(d, p.expr(c.Amount), word(" "))
	}
	d = append(d, ident(c.Word), word(" "))
	if c.Word.Name == "away" {
		d = append(d, word("from "))
	}
	d = append(d, p.expr(c.To))
	if c.By != nil {
		d = append(d, group(space, word("by "), ident(*c.By)))
	}
	return p.withTail(c.Tail, d)
}
