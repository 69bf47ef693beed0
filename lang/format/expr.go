package format

import (
	"strconv"
	"strings"

	"arbiter/lang/ast"
)

// This file prints expressions. Parentheses are the author's (ast.Paren); operators end a line, since a sign at the
// start of a line would begin a modifier.

func (p *printer) expr(e ast.Expr) doc {
	switch e := e.(type) {
	case nil:
		return nothing
	case *ast.Number:
		return text{number(e), e.Start.Offset}
	case *ast.Quantity:
		return concat{p.expr(e.X), word(" "), ident(e.Unit)}
	case *ast.Dice:
		return text{e.Notation, e.Start.Offset}
	case *ast.String:
		return p.text(&e.Text)
	case *ast.Literal:
		return text{e.Word, e.Start.Offset}
	case *ast.Name:
		return ident(e.Ident)
	case *ast.Field:
		return concat{p.expr(e.X), word("."), ident(e.Name)}
	case *ast.Index:
		return concat{p.expr(e.X), word("["), p.exprs(e.Keys), p.closingBracket("]", e)}
	case *ast.Call:
		return p.call(e)
	case *ast.Unary:
		if e.Op.Name == "not" {
			return concat{ident(e.Op), word(" "), p.expr(e.X)}
		}
		return concat{ident(e.Op), p.expr(e.X)}
	case *ast.Binary:
		return p.binary(e)
	case *ast.IsTest:
		return p.isTest(e)
	case *ast.Within:
		return group(p.expr(e.X), space, p.keyword("within", e.Distance), p.expr(e.Distance), word(" of "), p.expr(e.Of))
	case *ast.Verdict:
		d := concat{p.expr(e.X), word(" "), ident(e.Verb)}
		if e.By != nil {
			d = append(d, word(" by "), p.expr(e.By))
		}
		return d
	case *ast.Cond:
		return p.cond(e)
	case *ast.Quantified:
		return p.quantified(e)
	case *ast.RollExpr:
		return concat{text{"roll ", e.Start.Offset}, p.expr(e.Dice)}
	case *ast.Spent:
		return concat{text{"spent ", e.Start.Offset}, ident(e.Resource)}
	case *ast.List:
		return concat{text{"[", e.Start.Offset}, p.exprs(e.Items), p.closingBracket("]", e)}
	case *ast.Tuple:
		return concat{text{"(", e.Start.Offset}, p.exprs(e.Items), p.closingBracket(")", e)}
	case *ast.Paren:
		return concat{text{"(", e.Start.Offset}, indent(wrapIndent, group(p.expr(e.X))), p.closingBracket(")", e)}
	case *ast.Plan:
		return concat{text{"plan ", e.Start.Offset}, p.trigger(&e.Trigger, true), p.trailer(e.Body)}
	default:
		return p.verbatim(e.Extent())
	}
}

func ident(n ast.Ident) doc { return text{n.Name, n.Start.Offset} }

// keyword is a word directly before an expression, and a space.
func (p *printer) keyword(w string, before ast.Node) doc {
	return text{w + " ", p.wordBefore(w, offsetOf(before))}
}

// closingBracket is the closing bracket of a node.
func (p *printer) closingBracket(bracket string, n ast.Node) doc {
	return text{bracket, max(n.Extent().End.Offset-1, 0)}
}

// offsetOf returns the offset where a node starts, 0 for none.
func offsetOf(n ast.Node) int {
	if n == nil {
		return 0
	}
	return n.Extent().Start.Offset
}

func number(n *ast.Number) string {
	s := strconv.FormatInt(n.Value, 10)
	switch n.Unit.Name {
	case "":
		return s
	case "%":
		return s + "%"
	}
	return s + " " + n.Unit.Name
}

// commaList fills lines with documents separated by commas.
func commaList(ds []doc) doc {
	var all concat
	for i, d := range ds {
		if i < len(ds)-1 {
			d = concat{d, word(",")}
		}
		if i > 0 {
			d = group(space, d)
		}
		all = append(all, d)
	}
	return all
}

func (p *printer) exprs(es []ast.Expr) doc {
	ds := make([]doc, len(es))
	for i, e := range es {
		ds[i] = p.expr(e)
	}
	return commaList(ds)
}

func idents(ns []ast.Ident) doc {
	ds := make([]doc, len(ns))
	for i, n := range ns {
		ds[i] = ident(n)
	}
	return commaList(ds)
}

func (p *printer) call(e *ast.Call) doc {
	d := concat{p.expr(e.Fn)}
	switch {
	case e.Bracketed && len(e.Labelled) > 0:
		d = append(d, p.bracketed(e.Args, word(")")))
	case e.Bracketed:
		d = append(d, p.bracketed(e.Args, p.closingBracket(")", e)))
	}
	return append(d, p.args(e.Labelled))
}

// bracketed prints `(EXPR, NAME: EXPR, ...)`.
func (p *printer) bracketed(as []ast.Arg, shut doc) doc {
	ds := make([]doc, len(as))
	for i, a := range as {
		if a.Label.Name == "" {
			ds[i] = p.expr(a.Value)
		} else {
			ds[i] = concat{ident(a.Label), word(": "), p.expr(a.Value)}
		}
	}
	return concat{word("("), indent(wrapIndent, commaList(ds)), shut}
}

// args are arguments. A line may break before each label; the object of a command has none and stays on the command's
// line.
func (p *printer) args(as []ast.Arg) doc {
	var d concat
	for _, a := range as {
		if a.Label.Name == "" {
			d = append(d, word(" "), p.expr(a.Value))
		} else {
			d = append(d, group(space, ident(a.Label), word(" "), p.expr(a.Value)))
		}
	}
	return d
}

// binary prints a chain of operators of the same precedence. Conjunctions go on one line or each conjunct on its own;
// sums and products fill their lines.
func (p *printer) binary(e *ast.Binary) doc {
	r := precedence(e.Op.Name)
	var links []*ast.Binary // from the right
	var first ast.Expr = e
	for {
		b, ok := first.(*ast.Binary)
		if !ok || precedence(b.Op.Name) != r {
			break
		}
		links = append(links, b)
		first = b.X
	}
	all := concat{p.expr(first)}
	for i := len(links) - 1; i >= 0; i-- {
		b := links[i]
		all = append(all, word(" "), ident(b.Op))
		if r <= 2 {
			all = append(all, space, p.expr(b.Y))
		} else {
			all = append(all, group(space, p.expr(b.Y)))
		}
	}
	return group(all)
}

// precedence returns the precedence of an operator, the loosest first.
func precedence(op string) int {
	switch op {
	case "or":
		return 1
	case "and":
		return 2
	case "+", "-":
		return 4
	case "*", "/":
		return 5
	case "otherwise":
		return 6
	}
	return 3
}

func (p *printer) isTest(e *ast.IsTest) doc {
	d := concat{p.expr(e.X), word(" "), ident(e.Verb), word(" ")}
	if e.Not {
		d = append(d, word("not "))
	}
	if len(e.Words) == 1 && e.Words[0] != nil && e.End.Offset <= e.Words[0].Extent().End.Offset {
		return append(d, p.expr(e.Words[0]))
	}
	var words concat
	for i, w := range e.Words {
		if i > 0 {
			words = append(words, word(" or"), space)
		}
		words = append(words, p.expr(w))
	}
	return append(d, word("("), indent(wrapIndent, group(words)), p.closingBracket(")", e))
}

// cond prints a chain of conditions as a unit: each `else` on its own line, unless the whole chain fits on one.
func (p *printer) cond(e *ast.Cond) doc {
	var chain concat
	for {
		chain = append(chain, group(text{"if ", e.Start.Offset}, p.expr(e.If), space, p.keyword("then", e.Then), p.expr(e.Then)),
			space, p.keyword("else", e.Else))
		next, ok := e.Else.(*ast.Cond)
		if !ok {
			return group(chain, p.expr(e.Else))
		}
		e = next
	}
}

func (p *printer) query(q *ast.Query) doc {
	d := concat{ident(q.Var), word(" in "), p.expr(q.In)}
	if q.Where != nil {
		d = append(d, space, p.keyword("where", q.Where), p.expr(q.Where))
	}
	if q.Sort != nil {
		d = append(d, space, word("sorted by "), p.expr(q.Sort))
		if q.Descending {
			d = append(d, word(" descending"))
		}
	}
	return d
}

func (p *printer) quantified(e *ast.Quantified) doc {
	d := concat{ident(e.Word), word(" "), p.query(&e.Query)}
	if e.Of != nil {
		d = append(d, space, p.keyword("of", e.Of), p.expr(e.Of))
	}
	if e.By != nil {
		d = append(d, space, p.keyword("by", e.By), p.expr(e.By))
	}
	return group(d)
}

// text prints a string as it was written; without a source it is quoted again.
func (p *printer) text(t *ast.Text) doc {
	if t.Block {
		return textBlock{t.Value, t.Start.Offset, t.End.Offset}
	}
	s := p.source(t.Span)
	if len(s) < 2 || s[0] != '"' {
		s = Quoted(t.Value)
	}
	return text{s, t.Start.Offset}
}

// Quoted returns a text in quotes.
func Quoted(text string) string { return `"` + quoting.Replace(text) + `"` }

var quoting = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// verbatim is the source of a span that could not be parsed.
func (p *printer) verbatim(s ast.Span) doc {
	t := strings.TrimRight(p.source(s), " \t\r\n")
	if t == "" {
		return nothing
	}
	return verbatim{strings.Split(t, "\n"), s.Start.Offset, s.Start.Offset + len(t)}
}
