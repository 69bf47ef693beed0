package format

import "arbiter/lang/ast"

// This file prints what only adventures have.

func (p *printer) story(c ast.Clause) doc {
	switch c := c.(type) {
	case *ast.Include:
		return concat{firstWord("include", c.Span), p.text(&c.File)}
	case *ast.Scene:
		return p.declare(wordAndName("scene", c.Span, c.Name), c.Meta, nil, c.Body)
	case *ast.Choices:
		return p.choices(c)
	case *ast.Divert:
		d := concat{ident(c.Word)}
		switch c.Word.Name {
		case "go":
			d = append(d, word(" to "), p.path(&c.To))
		case "visit":
			d = append(d, word(" "), p.path(&c.To))
		}
		return p.withTail(c.Tail, d)
	case *ast.Finish:
		d := concat{text{"finish", c.Start.Offset}}
		if c.Ending != nil {
			d = append(d, word(" "), ident(*c.Ending))
		}
		if c.Text != nil {
			d = append(d, word(" "), p.text(c.Text))
		}
		return p.withTail(c.Tail, d)
	case *ast.Alternation:
		return p.alternation(c)
	case *ast.Battle:
		d := concat{text{"fight", c.Start.Offset}}
		if c.Title != nil {
			d = append(d, word(" "), p.text(c.Title))
		}
		return concat{d, p.trailer(c.Body)}
	case *ast.Aftermath:
		return concat{ident(c.Word), p.trailer(c.Body)}
	case *ast.BreakOff:
		return indent(wrapIndent, concat{firstWord("break off when", c.Span), p.expr(c.Cond)})
	}
	return p.verbatim(c.Extent())
}

func (p *printer) alternation(c *ast.Alternation) doc {
	if c.Word.Name == "first" {
		links := []chainLink{{text{"first time", c.Start.Offset}, c.Ways[0]}}
		if len(c.Ways) > 1 {
			links = append(links, chainLink{word("else"), c.Ways[1]})
		}
		return p.chain(links)
	}
	ways := make([]doc, len(c.Ways))
	at := make([]int, len(c.Ways))
	for i, b := range c.Ways {
		ways[i] = anchor{concat{word("then"), p.trailer(b)}}
		if b != nil {
			at[i] = b.Start.Offset
		}
	}
	return concat{ident(c.Word), p.itemsInBraces(ways, at, c.End.Offset)}
}

func (p *printer) choices(c *ast.Choices) doc {
	ways := make([]doc, len(c.Ways))
	at := make([]int, len(c.Ways))
	for i := range c.Ways {
		ways[i], at[i] = anchor{p.storyWay(&c.Ways[i])}, c.Ways[i].Start.Offset
	}
	return concat{text{"choices", c.Start.Offset}, p.itemsInBraces(ways, at, c.End.Offset)}
}

// itemsInBraces prints items in braces, one per line.
func (p *printer) itemsInBraces(items []doc, at []int, end int) doc {
	if len(items) == 0 {
		return word(" { }")
	}
	rows := make([]doc, 0, 3*len(items))
	for i, d := range items {
		if i > 0 {
			rows = append(rows, lineEnd)
		}
		rows = append(rows, begin{at[i]}, d)
	}
	b := braces(0, items, rows, end, false)
	return concat{word(" "), b.open, b.rest}
}

func (p *printer) storyWay(w *ast.StoryWay) doc {
	if w.Otherwise {
		return concat{text{"otherwise", w.Start.Offset}, p.trailer(w.Body)}
	}
	var d concat
	if w.Once {
		d = append(d, text{"once ", w.Start.Offset})
	}
	d = append(d, p.withTail(w.Tail, p.text(&w.Label)))
	for i, x := range w.Costs {
		before := word(", ")
		if i == 0 {
			before = word(" cost ")
		}
		d = append(d, before, p.expr(x.Amount), word(" of "), p.expr(x.Of))
	}
	if w.Check != nil {
		return append(d, word(" "), p.branch(w.Check))
	}
	return concat{indent(wrapIndent, d), p.trailer(w.Body)}
}

// expectStory prints what is expected of a story.
func (p *printer) expectStory(c *ast.Expect) doc {
	d := concat{text{"expect " + c.Story.Name, c.Start.Offset}}
	for i := range c.Texts {
		before := ", "
		if i == 0 {
			before = " "
		}
		d = append(d, word(before), p.text(&c.Texts[i]))
	}
	if c.Scene != nil {
		d = append(d, word(" "), p.path(c.Scene))
	}
	if c.Ending != nil {
		d = append(d, word(" "), ident(*c.Ending))
	}
	return p.withTail(c.Tail, indent(wrapIndent, d))
}
