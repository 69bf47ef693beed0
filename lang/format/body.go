package format

import (
	"strings"

	"arbiter/lang/ast"
)

// This file prints what is between braces, and the sentence, citations and guards around it.

// bracesDoc are `{ ... }`: the opening brace belongs to the header's lines, the rest follows it.
type bracesDoc struct{ open, rest doc }

// braces encloses clauses. flat are the clauses on one line, rows the clauses with their line ends; inline allows the
// one-line form when it fits.
func braces(at int, flat, rows []doc, end int, inline bool) bracesDoc {
	open, shut := text{"{", at}, text{"}", max(end-1, 0)}
	broken := concat{indent(bodyIndent, concat{lineEnd, opened{}, concat(rows), closing{shut.at}}), lineEnd, shut}
	if !inline {
		return bracesDoc{open, broken}
	}
	var short concat
	for i, d := range flat {
		if i > 0 {
			short = append(short, word(";"))
		}
		short = append(short, word(" "), d)
	}
	return bracesDoc{open, either{append(short, word(" "), shut), broken}}
}

// body prints a block. It stays on one line if the author wrote it so and it holds a single clause or only fields.
func (p *printer) body(b *ast.Block) bracesDoc {
	clauses := make([]doc, len(b.Clauses))
	inline := b.Start.Line == b.End.Line
	var rows []doc
	table := p.rowClauses(b.Clauses)
	for i, c := range b.Clauses {
		if s, ok := table[i]; ok {
			clauses[i] = text{s, offsetOf(c)}
		} else {
			clauses[i] = p.clause(c)
		}
		if i == 0 {
			rows = append(rows, begin{offsetOf(c)}, clauses[i])
			continue
		}
		before := b.Clauses[i-1]
		fields := isField(c) && isField(before)
		inline = inline && fields
		if fields && c.Extent().Start.Line == before.Extent().End.Line {
			rows = append(rows, group(semi, clauses[i]))
		} else {
			rows = append(rows, lineEnd, begin{offsetOf(c)}, clauses[i])
		}
	}
	return braces(b.Start.Offset, clauses, rows, b.End.Offset, inline)
}

// trailer is a block after other text of its clause.
func (p *printer) trailer(b *ast.Block) doc {
	if b == nil {
		return nothing
	}
	d := p.body(b)
	return toBase{concat{word(" "), d.open, d.rest}}
}

// A chainLink is a head and its block in a chain such as `if`, `else if`, `else`.
type chainLink struct {
	head doc
	body *ast.Block
}

// chain prints links on one line if the author wrote them so and they fit. Otherwise a link follows the closing brace
// of a multi-line block, and goes below a block of a single line.
func (p *printer) chain(links []chainLink) doc {
	var flat, stacked concat
	joined := true
	for i, l := range links {
		if l.body == nil {
			continue // broken, and reported by the parser
		}
		b := p.body(l.body)
		head := concat{l.head, word(" "), b.open}
		flat = append(flat, head, b.rest)
		stacked = append(stacked, head)
		if i == len(links)-1 {
			stacked = append(stacked, b.rest)
			break
		}
		if next := links[i+1].body; next != nil {
			joined = joined && l.body.End.Line == next.Start.Line
		}
		flat = append(flat, word(" "))
		if e, ok := b.rest.(either); ok {
			stacked = append(stacked, either{concat{e.flat, edgeEnd}, concat{e.broken, word(" ")}})
		} else {
			stacked = append(stacked, b.rest, word(" "))
		}
	}
	if joined {
		return either{flat, stacked}
	}
	return stacked
}

// isField reports whether a clause may share a line with others.
func isField(c ast.Clause) bool {
	switch c.(type) {
	case *ast.Property, *ast.FieldDecl, *ast.Is, *ast.Has, *ast.RollClause, *ast.LegendEntry, *ast.Claim:
		return true
	}
	return false
}

// cites prints `cite IDS`.
func (p *printer) cites(cs []ast.Cite) doc {
	ds := make([]doc, len(cs))
	for i, c := range cs {
		s := c.ID
		if c.To != "" {
			s += " to " + c.To
		}
		ds[i] = text{s, c.Start.Offset}
	}
	if len(cs) == 0 {
		return nothing
	}
	return concat{text{"cite ", p.wordBefore("cite", cs[0].Start.Offset)}, commaList(ds)}
}

// meta prints the sentence and the citations of a declaration. Each goes on its own line if the author wrote one of
// them so, or if the header is too long for one line.
func (p *printer) meta(m ast.Meta, more []ast.Cite) doc {
	var ds []doc
	own := false
	if m.Doc != nil {
		ds = append(ds, p.text(m.Doc))
		own = p.isFirstOnLine(m.Doc.Start.Offset)
	}
	for _, cs := range [][]ast.Cite{m.Cites, more} {
		if len(cs) > 0 {
			ds = append(ds, indent(wrapIndent, p.cites(cs)))
			own = own || p.isFirstOnLine(p.wordBefore("cite", cs[0].Start.Offset))
		}
	}
	var all concat
	for _, d := range ds {
		if own {
			all = append(all, lineEnd, d)
		} else {
			all = append(all, space, d)
		}
	}
	return indent(bodyIndent, all)
}

// isFirstOnLine reports whether only white space precedes the offset on its line.
func (p *printer) isFirstOnLine(at int) bool {
	if at <= 0 || at > len(p.src) {
		return false
	}
	return strings.HasSuffix(strings.TrimRight(p.src[:at], " \t"), "\n")
}

// declare prints a declaration. The opening brace ends the header's line when the header fits on one line, and has a
// line of its own otherwise.
func (p *printer) declare(head doc, m ast.Meta, more []ast.Cite, b *ast.Block) doc {
	d := concat{indent(wrapIndent, group(head)), p.meta(m, more)}
	if b == nil {
		return group(d)
	}
	body := p.body(b)
	return concat{group(d, space, body.open), body.rest}
}

// valueDeclaration prints a declaration whose value follows its sentence: on the same line or on the next.
func (p *printer) valueDeclaration(head doc, m ast.Meta, value ast.Expr) doc {
	if value == nil {
		return p.declare(head, m, nil, nil)
	}
	equals := p.keyword("=", value)
	v := indent(wrapIndent, group(p.expr(value)))
	if m.Doc == nil && len(m.Cites) == 0 {
		return indent(wrapIndent, p.assignment(head, value))
	}
	d := concat{indent(wrapIndent, group(head)), p.meta(m, nil)}
	return either{concat{d, word(" "), equals, v}, concat{group(d), indent(bodyIndent, concat{lineEnd, equals, v})}}
}

// assignment prints `HEAD = EXPR`; an expression that is too long begins below the head.
func (p *printer) assignment(head doc, value ast.Expr) doc {
	return concat{group(head), word(" ="), group(space, group(p.expr(value)))}
}

// withTail prints a one-line clause with its tail.
func (p *printer) withTail(t ast.Tail, ds ...doc) doc {
	return indent(wrapIndent, concat{group(concat(ds), p.guards(t)), p.tailCites(t)})
}

// blockWithTail prints a clause that ends in a block with its tail.
func (p *printer) blockWithTail(t ast.Tail, ds ...doc) doc {
	return concat{concat(ds), indent(wrapIndent, concat{group(p.guards(t)), p.tailCites(t)})}
}

// tailCites prints the citations of a tail next to the clause: no line of a body may begin with them.
func (p *printer) tailCites(t ast.Tail) doc {
	if len(t.Cites) == 0 {
		return nothing
	}
	return concat{citeGap, p.cites(t.Cites)}
}

// guards prints `when` and `unless`.
func (p *printer) guards(t ast.Tail) concat {
	var d concat
	if t.When != nil {
		d = append(d, space, p.keyword("when", t.When), p.expr(t.When))
	}
	if t.Unless != nil {
		unless := concat{space, p.keyword("unless", t.Unless), p.expr(t.Unless)}
		if t.When != nil && offsetOf(t.Unless) < offsetOf(t.When) {
			return append(unless, d...)
		}
		d = append(d, unless...)
	}
	return d
}
