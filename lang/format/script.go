package format

import "arbiter/lang/ast"

// This file prints the statements of scripts.

func (p *printer) script(c ast.Clause) doc {
	switch c := c.(type) {
	case *ast.RowClause:
		return text{p.rows([]ast.Row{c.Row}, 0)[0], c.Start.Offset}
	case *ast.Side:
		d := wordAndName("side", c.Span, c.Name)
		if c.Follows != nil {
			d = concat{d, word(" follows "), p.tacticsName(c.Follows)}
		}
		return p.declare(d, ast.Meta{}, nil, c.Body)
	case *ast.Member:
		d := concat{ident(c.Template), word(" "), ident(c.Name), p.optional(atOrNear(c.Near), c.At)}
		if c.Follows != nil {
			d = append(d, word(" follows "), p.tacticsName(c.Follows))
		}
		return concat{indent(wrapIndent, d), p.trailer(c.Body)}
	case *ast.Follows:
		return concat{ident(c.Who), word(" follows "), p.tacticsName(&c.Tactics)}
	case *ast.Map:
		return concat{firstWord("map", c.Span), p.text(&c.Rows), p.trailer(c.Legend)}
	case *ast.LegendEntry:
		return concat{p.text(&c.Mark), word(":"), alignStop, indent(wrapIndent, idents(c.Names))}
	case *ast.Given:
		return p.declare(wordAndName("given", c.Span, c.Name), ast.Meta{}, nil, c.Body)
	case *ast.Test:
		d := concat{firstWord("test", c.Span), p.text(&c.Title)}
		if len(c.Given) > 0 {
			d = append(d, word(" given "), idents(c.Given))
		}
		return concat{indent(wrapIndent, d), p.trailer(c.Body)}
	case *ast.Scripted:
		d := concat{ident(c.Word), word(" ")}
		if c.Who != nil {
			d = append(d, ident(*c.Who), word(" "))
		}
		if c.Path != nil {
			d = append(d, p.path(c.Path), word(": "))
		}
		return indent(wrapIndent, append(d, p.exprs(c.Values)))
	case *ast.Expect:
		if c.Story.Name != "" {
			return p.expectStory(c)
		}
		if !c.Refused {
			return p.withTail(c.Tail, firstWord("expect", c.Span), p.expr(c.Cond))
		}
		d := concat{text{"expect refused", c.Start.Offset}}
		if c.Text != nil {
			d = append(d, word(" "), p.text(c.Text))
		}
		return p.blockWithTail(c.Tail, d, p.trailer(c.Body))
	case *ast.Directive:
		return p.directive(c)
	}
	return p.story(c)
}

// atOrNear is the word before a square.
func atOrNear(near bool) string {
	if near {
		return "near"
	}
	return "at"
}

func (p *printer) directive(c *ast.Directive) doc {
	words, before := c.Word.Name, " "
	switch words {
	case "next":
		words, before = "next turn", " of "
	case "fight":
		words, before = "fight on", " for "
	}
	d := concat{text{words, c.Start.Offset}}
	if words == "ground" {
		for i, id := range c.Names {
			if i > 0 {
				d = append(d, word(","))
			}
			d = append(d, word(" "), text{id.Name, id.Start.Offset})
		}
		if len(c.Names) == 0 {
			d = append(d, word(" none"))
		}
	}
	if c.Value != nil {
		d = append(d, word(before), p.expr(c.Value))
	}
	if n, ok := c.Value.(*ast.Number); c.Turns && ok && n.Value == 1 {
		d = append(d, word(" turn"))
	} else if c.Turns {
		d = append(d, word(" turns"))
	}
	if c.Until != nil {
		d = append(d, word(" until "), p.expr(c.Until))
	}
	if words == "place" && len(c.At) == 0 {
		d = append(d, word(" back"))
	}
	for i, at := range c.At {
		between := ", "
		if i == 0 {
			between = " " + atOrNear(c.Near) + " "
		}
		d = append(d, word(between), p.expr(at))
	}
	if c.Scene != nil {
		d = append(d, word(" at "), p.path(c.Scene))
	}
	if c.Text != nil {
		d = append(d, word(" "), p.text(c.Text))
	}
	return p.withTail(c.Tail, d)
}

// tacticsName prints what somebody follows.
func (p *printer) tacticsName(t *ast.TacticsName) doc {
	if t.BestOf == nil {
		return ident(t.Ident)
	}
	return concat{ident(t.Ident), word(" of "), p.expr(t.BestOf)}
}
