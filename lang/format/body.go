package format

import (
	"strings"

	"arbiter/lang/ast"
)

// This file prints what is between braces, and the sentence, citations and guards around it.

// brackets are `{ ... }`: the opening brace belongs to the header's lines, the rest follows it.
type brackets struct{ open, rest doc }

// braces encloses clauses. flat are the clauses on one line, rows the clauses with their line ends; inline allows the
// one-line form when it fits.
func braces(at int, flat, rows []doc, end int, inline bool) brackets {
	open, shut := text{"{", at}, text{"}", max(end-1, 0)}
	broken := concat{indent(step, concat{lineEnd, opened{}, concat(rows), closing{shut.at}}), lineEnd, shut}
	if !inline {
		return brackets{open, broken}
	}
	var short concat
	for i, d := range flat {
		if i > 0 {
			short = append(short, word(";"))
		}
		short = append(short, word(" "), d)
	}
	return brackets{open, either{append(short, word(" "), shut), broken}}
}

// body prints a block. It stays on one line if the author wrote it so and it holds a single clause or only fields.
func (p *printer) body(b *ast.Block) brackets {
	clauses := make([]doc, len(b.Clauses))
	inline := b.Start.Line == b.End.Line
	var rows []doc
	table := p.rowClauses(b.Clauses)
	for i, c := range b.Clauses {
		if s, ok := table[i]; ok {
			clauses[i] = text{s, place(c)}
		} else {
			clauses[i] = p.clause(c)
		}
		if i == 0 {
			rows = append(rows, begin{place(c)}, clauses[i])
			continue
		}
		before := b.Clauses[i-1]
		fields := field(c) && field(before)
		inline = inline && fields
		if fields && c.Extent().Start.Line == before.Extent().End.Line {
			rows = append(rows, group(semi, clauses[i]))
		} else {
			rows = append(rows, lineEnd, begin{place(c)}, clauses[i])
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
	return home{concat{word(" "), d.open, d.rest}}
}

// A link is a head and its block in a chain such as `if`, `else if`, `else`.
type link struct {
	head doc
	body *ast.Block
}

// chain prints links on one line if the author wrote them so and they fit. Otherwise a link follows the closing brace
// of a multi-line block, and goes below a block of a single line.
func (p *printer) chain(links []link) doc {
	var flat, apart concat
	joined := true
	for i, l := range links {
		if l.body == nil {
			continue // broken, and reported by the parser
		}
		b := p.body(l.body)
		head := concat{l.head, word(" "), b.open}
		flat = append(flat, head, b.rest)
		apart = append(apart, head)
		if i == len(links)-1 {
			apart = append(apart, b.rest)
			break
		}
		if next := links[i+1].body; next != nil {
			joined = joined && l.body.End.Line == next.Start.Line
		}
		flat = append(flat, word(" "))
		if e, ok := b.rest.(either); ok {
			apart = append(apart, either{concat{e.flat, toEdge}, concat{e.broken, word(" ")}})
		} else {
			apart = append(apart, b.rest, word(" "))
		}
	}
	if joined {
		return either{flat, apart}
	}
	return apart
}

// field reports whether a clause may share a line with others.
func field(c ast.Clause) bool {
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
	return concat{text{"cite ", p.start("cite", cs[0].Start.Offset)}, listed(ds)}
}

// meta prints the sentence and the citations of a declaration. Each goes on its own line if the author wrote one of
// them so, or if the header is too long for one line.
func (p *printer) meta(m ast.Meta, more []ast.Cite) doc {
	var ds []doc
	own := false
	if m.Doc != nil {
		ds = append(ds, p.text(m.Doc))
		own = p.first(m.Doc.Start.Offset)
	}
	for _, cs := range [][]ast.Cite{m.Cites, more} {
		if len(cs) > 0 {
			ds = append(ds, indent(wrapping, p.cites(cs)))
			own = own || p.first(p.start("cite", cs[0].Start.Offset))
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
	return indent(step, all)
}

// first reports whether only white space precedes the offset on its line.
func (p *printer) first(at int) bool {
	if at <= 0 || at > len(p.src) {
		return false
	}
	return strings.HasSuffix(strings.TrimRight(p.src[:at], " \t"), "\n")
}

// declare prints a declaration. The opening brace ends the header's line when the header fits on one line, and has a
// line of its own otherwise.
func (p *printer) declare(head doc, m ast.Meta, more []ast.Cite, b *ast.Block) doc {
	d := concat{indent(wrapping, group(head)), p.meta(m, more)}
	if b == nil {
		return group(d)
	}
	body := p.body(b)
	return concat{group(d, space, body.open), body.rest}
}

// defined prints a declaration whose value follows its sentence: on the same line or on the next.
func (p *printer) defined(head doc, m ast.Meta, value ast.Expr) doc {
	if value == nil {
		return p.declare(head, m, nil, nil)
	}
	equals := p.keyword("=", value)
	v := indent(wrapping, group(p.expr(value)))
	if m.Doc == nil && len(m.Cites) == 0 {
		return indent(wrapping, p.assigned(head, value))
	}
	d := concat{indent(wrapping, group(head)), p.meta(m, nil)}
	return either{concat{d, word(" "), equals, v}, concat{group(d), indent(step, concat{lineEnd, equals, v})}}
}

// assigned prints `HEAD = EXPR`; an expression that is too long begins below the head.
func (p *printer) assigned(head doc, value ast.Expr) doc {
	return concat{group(head), word(" ="), group(space, group(p.expr(value)))}
}

// guarded prints a one-line clause with its tail.
func (p *printer) guarded(t ast.Tail, ds ...doc) doc {
	return indent(wrapping, concat{group(concat(ds), p.guards(t)), p.margin(t)})
}

// followed prints a clause that ends in a block with its tail.
func (p *printer) followed(t ast.Tail, ds ...doc) doc {
	return concat{concat(ds), indent(wrapping, concat{group(p.guards(t)), p.margin(t)})}
}

// margin prints the citations of a tail next to the clause: no line of a body may begin with them.
func (p *printer) margin(t ast.Tail) doc {
	if len(t.Cites) == 0 {
		return nothing
	}
	return concat{aside, p.cites(t.Cites)}
}

// guards prints `when` and `unless`.
func (p *printer) guards(t ast.Tail) concat {
	var d concat
	if t.When != nil {
		d = append(d, space, p.keyword("when", t.When), p.expr(t.When))
	}
	if t.Unless != nil {
		unless := concat{space, p.keyword("unless", t.Unless), p.expr(t.Unless)}
		if t.When != nil && place(t.Unless) < place(t.When) {
			return append(unless, d...)
		}
		d = append(d, unless...)
	}
	return d
}
