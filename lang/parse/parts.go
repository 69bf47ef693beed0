package parse

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"arbiter/lang/ast"
	"arbiter/lang/words"
)

// This file parses the parts shared by many constructs: texts, documentation, tails, parameters, types, paths, triggers
// and durations.

// text takes "..." or """...""".
func (p *parser) text(what string) ast.Text {
	t := p.peek()
	if t.Type != tokText && t.Type != tokBlock {
		p.want(what)
		return ast.Text{}
	}
	p.next()
	if i := strings.IndexFunc(t.Value, isControl); i >= 0 {
		p.fail(p.spanWithin(t, i), codeIllegal, fmt.Sprintf("the character %q in a text would meddle with the terminal that shows it", []rune(t.Value[i:])[0]), "remove it")
	}
	text := ast.Text{Span: p.spanOf(t), Block: t.Type == tokBlock, Raw: t.Value}
	if text.Block {
		text.Value = unindent(t.Value[3 : len(t.Value)-3])
	} else {
		text.Value = p.unescape(t)
	}
	return text
}

// isControl reports whether a character is a control character other than a tab or line end.
func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' }

// spanWithin returns the span of one character of a token.
func (p *parser) spanWithin(t *token, i int) ast.Span {
	before := token{Type: t.Type, Value: t.Value[:i], Pos: t.Pos}
	start := endOf(&before)
	end := start
	end.Column, end.Offset = end.Column+1, end.Offset+1
	return ast.Span{Start: start, End: end}
}

// unindent removes the line end after the opening quotes, the line of the closing quotes, and the indentation of the
// latter from each line.
func unindent(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = strings.TrimPrefix(s, "\n")
	last := strings.LastIndexByte(s, '\n') + 1
	indent := s[last:]
	if strings.Trim(indent, " \t") != "" {
		return s
	}
	if last == 0 {
		return ""
	}
	lines := strings.Split(s[:last-1], "\n")
	for i, line := range lines {
		n := 0
		for n < len(indent) && n < len(line) && (line[n] == ' ' || line[n] == '\t') {
			n++
		}
		lines[i] = line[n:]
	}
	return strings.Join(lines, "\n")
}

// unescape resolves \" \\ and \n.
func (p *parser) unescape(t *token) string {
	s := t.Value[1 : len(t.Value)-1]
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++ // a text never ends in a single backslash: that would have escaped the closing quote
		switch s[i] {
		case '"', '\\':
			b.WriteByte(s[i])
		case 'n':
			b.WriteByte('\n')
		default:
			start := toPos(t.Pos)
			start.Column, start.Offset = start.Column+i, start.Offset+i
			end := start
			end.Column, end.Offset = end.Column+2, end.Offset+2
			r, _ := utf8.DecodeRuneInString(s[i:])
			p.fail(ast.Span{Start: start, End: end}, codeEscape, fmt.Sprintf(`\%c means nothing in a text`, r), `a text knows \" \\ and \n`)
		}
	}
	return b.String()
}

// onNextLine reports whether a line ends here and the next one begins with such a token: the sentence and the citations
// of a declaration may be on their own lines.
func (p *parser) onNextLine(ok func(*token) bool) bool {
	t := p.peek()
	if t.Type == tokLine && t.Value == "\n" && ok(p.peekAt(1)) {
		p.next()
		return true
	}
	return ok(t)
}

func isText(t *token) bool { return t.Type == tokText || t.Type == tokBlock }
func isCite(t *token) bool { return t.Type == tokName && t.Value == "cite" }

// meta parses the sentence and the citations of a declaration.
func (p *parser) meta() (m ast.Meta) {
	if p.onNextLine(isText) {
		text := p.text("a sentence")
		m.Doc = &text
	}
	for p.onNextLine(isCite) {
		m.Cites = append(m.Cites, p.cites()...)
	}
	return m
}

func isQuietly(t *token) bool { return t.Type == tokName && t.Value == "quietly" }

// quietly parses the word that keeps a change out of the transcript, if it is there.
func (p *parser) quietly() *ast.Ident {
	if !isQuietly(p.peek()) {
		return nil
	}
	quietly := p.word()
	return &quietly
}

// cites parses `cite ID [to N], ...`.
func (p *parser) cites() (list []ast.Cite) {
	p.expect("cite")
	for {
		t := p.peek()
		if t.Type != tokCite {
			p.want("an id of the catalogue such as `BOOK.TOPIC.01`")
			return list
		}
		p.next()
		cite := ast.Cite{Span: p.spanOf(t), ID: t.Value}
		if p.is("to") && p.peekAt(1).Type == tokCite {
			p.next()
			cite.To = p.next().Value
			cite.End = p.end()
		}
		list = append(list, cite)
		if !p.accept(",") {
			return list
		}
	}
}

// tail parses what any clause may end with.
func (p *parser) tail() (t ast.Tail) {
	if p.accept("when") {
		t.When = p.expr()
	}
	if p.accept("unless") {
		t.Unless = p.expr()
	}
	for p.level == 0 && p.onNextLine(isCite) || isCite(p.peek()) {
		t.Cites = append(t.Cites, p.cites()...)
	}
	return t
}

// params parses [NAME[: TYPE] [= EXPR]] { LABEL NAME[: TYPE] [= EXPR] }.
func (p *parser) params() (list []ast.Param) {
	if t := p.peek(); t.Type == tokName && !endsParams(t.Value) {
		list = append(list, p.param(afterEquals))
	}
	return append(list, p.labeledParams(afterEquals)...)
}

// defaults is how the defaults of parameters begin.
type defaults uint8

const (
	noDefaults   defaults = iota
	afterEquals           // = EXPR
	afterUsually          // usually EXPR, where `=` begins a value
)

// labeledParams parses { LABEL NAME[: TYPE] [DEFAULT] }.
func (p *parser) labeledParams(begin defaults) (list []ast.Param) {
	for t := p.peek(); t.Type == tokWord && words.Label(t.Value); t = p.peek() {
		list = append(list, p.param(begin))
	}
	return list
}

func (p *parser) param(begin defaults) ast.Param {
	start := p.pos()
	var param ast.Param
	if p.peek().Type == tokWord && words.Label(p.peek().Value) {
		param.Label = p.word()
	}
	param.Name = p.name("the name of a parameter")
	if p.accept(":") {
		typ := p.typ()
		param.Type = &typ
	}
	if begin == afterEquals && p.accept("=") || begin == afterUsually && p.accept("usually") {
		param.Default = p.owning(allLabels, p.sum)
	}
	param.Span = p.from(start)
	return param
}

// endsParams: these words follow the parameters in some headers.
func endsParams(word string) bool { return word == "while" || word == "cite" }

// typ parses [list of] NAME [or none].
func (p *parser) typ() ast.Type {
	start := p.pos()
	var typ ast.Type
	if p.is("list") && p.peekAt(1).Value == "of" {
		p.next()
		p.next()
		typ.List = true
	}
	typ.Name = p.name("a type")
	if p.is("or") && p.peekAt(1).Value == "none" {
		p.next()
		p.next()
		typ.OrNone = true
	}
	typ.Span = p.from(start)
	return typ
}

// path parses NAME { .NAME | [KEY, ...] }.
func (p *parser) path() ast.Path {
	start := p.pos()
	var path ast.Path
	if t := p.peek(); t.Type == tokWord && !words.Label(t.Value) {
		path.Parts = append(path.Parts, ast.PathPart{Name: p.word()}) // a step may be named `roll`
	} else {
		path.Parts = append(path.Parts, ast.PathPart{Name: p.name("a name")})
	}
	for {
		switch {
		case p.accept("."):
			path.Parts = append(path.Parts, ast.PathPart{Name: p.name("a name after the dot")})
		case p.is("[") && p.touches():
			path.Parts = append(path.Parts, ast.PathPart{Keys: p.keys()})
		default:
			path.Span = p.from(start)
			return path
		}
	}
}

// keys parses [EXPR, ...] after the name of a table or list.
func (p *parser) keys() (keys []ast.Expr) {
	outer := p.enter()
	keys = p.exprs()
	p.leave("]", "`,` or `]`", outer)
	return keys
}

// trigger parses before, after, instead of, at, every or on, and what follows it.
func (p *parser) trigger() ast.Trigger {
	start := p.pos()
	var t ast.Trigger
	switch {
	case p.is("before"), p.is("after"):
		t.Word = p.word()
		p.occurrence(&t)
	case p.is("instead"):
		t.Word = p.word()
		p.expectIn("of", "instead of")
		p.occurrence(&t)
	case p.accept("at"):
		if !p.is("start") && !p.is("end") {
			p.wantIn("`start of` or `end of`", "at start of")
		}
		p.moment(&t)
	case p.is("start"), p.is("end"):
		p.moment(&t)
	case p.is("every"):
		t.Word = p.word()
		if t := p.peek(); words.IsUnit(t.Value) {
			p.want("a number")
			p.fault.Hint = "write `every 1 " + t.Value + "`"
		}
		t.Every = p.sum()
	case p.accept("on"):
		if !p.is("gaining") && !p.is("losing") {
			p.wantIn("`gaining` or `losing`", "on gaining")
			p.fault.Hint += "; what is done triggers `before NAME` or `after NAME`"
		}
		t.Word = p.word()
		if next := p.peek(); next.Type == tokName && !endsTrigger(next.Value) {
			effect := p.name("an effect")
			t.Effect = &effect
		}
	default:
		p.want("a trigger")
		if p.fault.Hint == "" {
			p.fault.Hint = "a trigger starts with `before`, `after`, `instead of`, `at start of`, `at end of`, `every`, `on gaining` or `on losing`"
			if p.lex.Peek().Value == "when" {
				p.fault.Hint += "; what is so while something holds is a `condition NAME while COND { }`"
			}
		}
	}
	t.Span = p.from(start)
	return t
}

// occurrence parses the PATH and the constraints of a trigger.
func (p *parser) occurrence(t *ast.Trigger) {
	path := p.path()
	t.Path = &path
	t.Args = p.args()
}

// moment parses `start of [next] turn [of EXPR]`.
func (p *parser) moment(t *ast.Trigger) {
	t.Word = p.word()
	p.expectIn("of", "at start of")
	if p.is("next") {
		p.next()
		t.Next = true
	}
	if !p.is("turn") && !p.is("round") && !p.is("fight") {
		p.wantIn("`turn`, `round` or `fight`", "at start of")
	}
	t.Moment = p.word()
	if p.accept("of") {
		t.Of = p.argument()
	}
}

// endsTrigger: these words follow a trigger in some forms.
func endsTrigger(word string) bool { return word == "once" || word == "cite" }

// duration parses for, until and while, in this order.
func (p *parser) duration() ast.Duration {
	start := p.pos()
	var d ast.Duration
	if p.accept("for") {
		d.For = p.sum()
	}
	if p.accept("until") {
		d.Until = append(d.Until, p.trigger())
		for p.accept(",") {
			d.Until = append(d.Until, p.trigger())
		}
	}
	if p.accept("while") {
		d.While = p.expr()
	}
	d.Span = p.from(start)
	return d
}

func (p *parser) startsDuration() bool { return p.is("for") || p.is("until") || p.is("while") }

// args parses { LABEL EXPR }: each value is a name, a call, a literal or in parentheses.
func (p *parser) args() (list []ast.Arg) {
	for p.takesLabel() {
		arg := ast.Arg{Label: p.word()}
		arg.Value = p.argument()
		arg.Span = p.from(arg.Label.Start)
		list = append(list, arg)
	}
	return list
}

// takesLabel reports whether the next token is a label that no enclosing construct claims.
func (p *parser) takesLabel() bool {
	t := p.peek()
	return t.Type == tokWord && words.Label(t.Value) && (p.ownedLabels == 0 || p.ownedLabels&labelBits[t.Value] == 0) && !p.byDefaultAhead()
}

// byDefaultAhead reports whether `by default` follows; its `by` is not a label.
func (p *parser) byDefaultAhead() bool { return p.is("by") && p.peekAt(1).Value == "default" }

// byDefault parses [by default when COND].
func (p *parser) byDefault() ast.Expr {
	if !p.byDefaultAhead() {
		return nil
	}
	p.next()
	p.next()
	p.expect("when")
	return p.expr()
}

// labels is a set of labels, and `otherwise`. The enclosing construct may own some: in `set X to Y` the `to` is not an
// argument of X, and in `first x in LIST otherwise Y` the list does not take the `otherwise`.
type labels uint32

var (
	labelBits = func() map[string]labels {
		bits := map[string]labels{}
		for i, l := range words.Labels() {
			bits[l] = 1 << i
		}
		return bits
	}()
	allLabels    = labels(1)<<len(labelBits) - 1
	ownBy        = labelBits["by"]
	ownOf        = labelBits["of"]
	ownTo        = labelBits["to"]
	ownFrom      = labelBits["from"]
	ownFor       = labelBits["for"]
	ownOtherwise = allLabels + 1
)

// owning parses an expression in which these labels belong to the current construct.
func (p *parser) owning(own labels, parse func() ast.Expr) ast.Expr {
	outer := p.ownedLabels
	p.ownedLabels |= own
	x := parse()
	p.ownedLabels = outer
	return x
}
