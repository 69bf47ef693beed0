package parse

import (
	"fmt"
	"strconv"
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/words"
)

// Expressions, by precedence climbing.

// The operator levels, loosest first.
const (
	levelOr = iota + 1
	levelAnd
	levelNot
	levelCompare // = != < <= > >= is has can in within succeeds fails: they do not chain
	levelSum
	levelProduct
	levelOtherwise
)

// expr parses an expression of any kind.
func (p *parser) expr() ast.Expr { return p.binary(levelOr) }

// sum parses up to + and -, so that a comparison or an `and` needs parentheses.
func (p *parser) sum() ast.Expr { return p.binary(levelSum) }

// exprs parses EXPR, ...
func (p *parser) exprs() []ast.Expr {
	list := []ast.Expr{p.expr()}
	for p.accept(",") {
		list = append(list, p.expr())
	}
	return list
}

// operator returns the level of the next token as an operator, 0 if it is not one.
func (p *parser) operator() int {
	t := p.peek()
	switch t.Type {
	case tokWord:
		switch t.Value {
		case "or":
			return levelOr
		case "and":
			return levelAnd
		case "is", "has", "can", "in", "within", "succeeds", "fails":
			return levelCompare
		case "otherwise":
			if p.ownedLabels&ownOtherwise == 0 {
				return levelOtherwise
			}
		}
	case tokPunct:
		switch t.Value {
		case "=", "!=", "<", "<=", ">", ">=":
			return levelCompare
		case "+", "-":
			return levelSum
		case "*", "/":
			return levelProduct
		}
	}
	return 0
}

func (p *parser) binary(lowest int) ast.Expr {
	start := p.pos()
	x := p.unary(lowest)
	highest := levelOtherwise // an expression joined at one level is no operand of a tighter one
	for n := 0; ; n++ {
		level := p.operator()
		if level < lowest || level == 0 || level > highest {
			return x
		}
		if level == levelCompare && highest == levelCompare {
			t := p.peek()
			p.fail(p.spanOf(t), codeChained, fmt.Sprintf("comparisons cannot be chained: `%s` follows another one", t.Value),
				"join them with `and`, or put parentheses around the first")
			return x
		}
		if n == maxChain {
			p.fail(p.spanOf(p.peek()), codeDeep, fmt.Sprintf("more than %d operators in a row", maxChain), "give parts of it a name with `let` or `define`")
			return x
		}
		highest = level
		if level == levelCompare && p.peek().Type == tokWord {
			x = p.comparison(start, x)
			continue
		}
		op := p.word()
		y := p.binary(level + 1)
		x = &ast.Binary{Span: p.from(start), Op: op, X: x, Y: y}
	}
}

// comparison parses what follows X in a comparison whose operator is a word.
func (p *parser) comparison(start ast.Pos, x ast.Expr) ast.Expr {
	verb := p.word()
	switch verb.Name {
	case "in":
		y := p.sum()
		return &ast.Binary{Span: p.from(start), Op: verb, X: x, Y: y}
	case "within":
		distance := p.owning(ownOf, p.sum)
		p.expectIn("of", "within ... of")
		of := p.sum()
		return &ast.Within{Span: p.from(start), X: x, Distance: distance, Of: of}
	case "succeeds", "fails":
		v := &ast.Verdict{X: x, Verb: verb}
		if p.accept("by") {
			v.By = p.sum()
		}
		v.Span = p.from(start)
		return v
	}
	is := &ast.IsTest{X: x, Verb: verb}
	if verb.Name != "can" {
		is.Not = p.accept("not")
	}
	if p.is("(") {
		outer := p.enter()
		is.Words = append(is.Words, p.testWord(verb))
		for p.accept("or") {
			is.Words = append(is.Words, p.testWord(verb))
		}
		p.leave(")", "`or` or `)`", outer)
	} else {
		is.Words = []ast.Expr{p.testWord(verb)}
	}
	is.Span = p.from(start)
	return is
}

// testWord parses NAME [(ARGS)] [LABEL EXPR], or none, after is, has, can.
func (p *parser) testWord(verb ast.Ident) ast.Expr {
	t := p.peek()
	switch {
	case t.Type == tokName:
		x := p.withLabels(p.postfix())
		switch x.(type) {
		case *ast.Name, *ast.Field, *ast.Call:
			return x
		}
		p.fail(p.from(toPos(t.Pos)), codeExpected, fmt.Sprintf("expected a name after `%s`", verb.Name), "compare values with =")
	case t.Value == "none" || t.Value == "yes" || t.Value == "no":
		return p.literal()
	case t.Type == tokNumber || t.Type == tokDice || t.Type == tokText:
		p.fail(p.spanOf(t), codeExpected, fmt.Sprintf("expected a name after `%s`, found %s", verb.Name, describe(t)), "compare values with =")
	case t.Type == tokWord:
		p.reserved(t)
	default:
		p.want("a name after `" + verb.Name + "`")
	}
	return nil
}

// unary parses `not X`, `-X`, and an operand with the arguments after it.
func (p *parser) unary(lowest int) ast.Expr {
	t := p.peek()
	switch {
	case t.Type == tokWord && t.Value == "not":
		if lowest > levelNot {
			p.fail(p.spanOf(t), codeExpected, "`not` is not allowed after this operator", "put parentheses around it: (not ...)")
			return nil
		}
		op := p.word()
		x := p.binary(levelCompare)
		return &ast.Unary{Span: p.from(op.Start), Op: op, X: x}
	case t.Type == tokPunct && t.Value == "-":
		if !p.deeper() {
			return nil
		}
		defer p.shallower()
		op := p.word()
		x := p.binary(levelOtherwise)
		return &ast.Unary{Span: p.from(op.Start), Op: op, X: x}
	}
	return p.withLabels(p.postfix())
}

// argument parses the value of a label: an operand that takes no labels itself.
func (p *parser) argument() ast.Expr {
	if p.is("-") {
		op := p.word()
		x := p.postfix()
		return &ast.Unary{Span: p.from(op.Start), Op: op, X: x}
	}
	return p.postfix()
}

// withLabels parses the labeled arguments after a name, a field or a call.
func (p *parser) withLabels(x ast.Expr) ast.Expr {
	if !p.takesLabel() {
		return x
	}
	switch fn := x.(type) {
	case *ast.Call:
		fn.Labelled = p.args()
		fn.End = p.end()
		return fn
	case *ast.Name, *ast.Field:
		args := p.args()
		return &ast.Call{Span: p.from(x.Extent().Start), Fn: x, Labelled: args}
	}
	return x
}

// postfix parses an operand and the fields, keys and arguments in parentheses that follow it.
func (p *parser) postfix() ast.Expr {
	start := p.pos()
	x := p.primary()
	for n := 0; ; n++ {
		t := p.peek()
		if t.Type != tokPunct {
			return x
		}
		if n == maxDepth {
			p.fail(p.spanOf(t), codeDeep, fmt.Sprintf("more than %d fields and brackets in a row", maxDepth), "")
			return x
		}
		switch {
		case t.Value == ".":
			p.next()
			name := p.name("a name after the dot")
			x = &ast.Field{Span: p.from(start), X: x, Name: name}
		case t.Value == "[" && p.touches():
			keys := p.keys()
			x = &ast.Index{Span: p.from(start), X: x, Keys: keys}
		case t.Value == "(" && p.touches() && callable(x):
			args := p.callArgs()
			x = &ast.Call{Span: p.from(start), Fn: x, Bracketed: true, Args: args}
		default:
			return x
		}
	}
}

func callable(x ast.Expr) bool {
	switch x.(type) {
	case *ast.Name, *ast.Field:
		return true
	}
	return false
}

// callArgs parses `(EXPR, NAME: EXPR, ...)`.
func (p *parser) callArgs() (args []ast.Arg) {
	outer := p.enter()
	for !p.is(")") && p.fault == nil {
		start := p.pos()
		var arg ast.Arg
		if p.peek().Type == tokName && p.peekAt(1).Value == ":" {
			arg.Label = p.word()
			p.next()
		}
		arg.Value = p.expr()
		arg.Span = p.from(start)
		args = append(args, arg)
		if !p.accept(",") {
			break
		}
	}
	p.leave(")", "`,` or `)`", outer)
	return args
}

// primary parses an operand.
func (p *parser) primary() ast.Expr {
	t := p.peek()
	switch t.Type {
	case tokName:
		if t.Value == "plan" && startsTrigger(p.peekAt(1)) {
			return p.plan()
		}
		p.next()
		return &ast.Name{Ident: ast.Ident{Span: p.spanOf(t), Name: t.Value}}
	case tokNumber:
		return p.number()
	case tokDice:
		p.next()
		return &ast.Dice{Span: p.spanOf(t), Notation: t.Value}
	case tokText, tokBlock:
		return &ast.String{Text: p.text("a text")}
	case tokPunct:
		switch t.Value {
		case "(":
			return p.bracketed()
		case "[":
			return p.list()
		}
	case tokWord:
		switch {
		case t.Value == "yes" || t.Value == "none" || t.Value == "no" && !(p.peekAt(1).Type == tokName && p.peekAt(2).Value == "in"):
			return p.literal()
		case words.Quantifier(t.Value):
			return p.quantified()
		case t.Value == "if":
			return p.conditional()
		case t.Value == "roll":
			if !p.deeper() {
				return nil
			}
			defer p.shallower()
			word := p.word()
			dice := p.withLabels(p.postfix())
			return &ast.RollExpr{Span: p.from(word.Start), Dice: dice}
		case t.Value == "spent":
			word := p.word()
			resource := p.name("a resource")
			return &ast.Spent{Span: p.from(word.Start), Resource: resource}
		}
	}
	p.want("a value")
	return nil
}

func (p *parser) literal() ast.Expr {
	w := p.word()
	return &ast.Literal{Span: w.Span, Word: w.Name}
}

// number parses 15, 30 ft, 25%.
func (p *parser) number() ast.Expr {
	t := p.peek()
	if t.Type != tokNumber {
		p.want("a number")
		return nil
	}
	p.next()
	n := &ast.Number{Span: p.spanOf(t)}
	size := digits(t.Value)
	if unit := strings.TrimLeft(t.Value[size:], " "); unit != "" {
		n.Unit = ast.Ident{Span: n.Span, Name: unit}
		skip := len(t.Value) - len(unit)
		n.Unit.Start.Column, n.Unit.Start.Offset = n.Start.Column+skip, n.Start.Offset+skip
	}
	value, err := strconv.ParseInt(t.Value[:size], 10, 64)
	if err != nil {
		p.fail(n.Span, codeLarge, fmt.Sprintf("`%s` is too large a number", t.Value[:size]), "numbers are from -9223372036854775800 to 9223372036854775807")
	}
	n.Value = value
	return n
}

// bracketed parses (X), the square (X, Y), and (X) rounds.
func (p *parser) bracketed() ast.Expr {
	start := p.pos()
	outer := p.enter()
	items := p.exprs()
	p.leave(")", "`,` or `)`", outer)
	if len(items) > 1 {
		return &ast.Tuple{Span: p.from(start), Items: items}
	}
	x := &ast.Paren{Span: p.from(start), X: items[0]}
	if t := p.peek(); t.Type == tokName && words.IsUnit(t.Value) {
		unit := p.word()
		return &ast.Quantity{Span: p.from(start), X: x, Unit: unit}
	}
	return x
}

// list parses [EXPR, ...].
func (p *parser) list() ast.Expr {
	start := p.pos()
	list := &ast.List{}
	outer := p.enter()
	if !p.is("]") {
		list.Items = p.exprs()
	}
	p.leave("]", "`,` or `]`", outer)
	list.Span = p.from(start)
	return list
}

// conditional parses if C then A else B.
func (p *parser) conditional() ast.Expr {
	if !p.deeper() {
		return nil
	}
	defer p.shallower()
	word := p.word()
	c := &ast.Cond{If: p.expr()}
	p.expectIn("then", "if then else")
	c.Then = p.expr()
	p.expectIn("else", "if then else")
	c.Else = p.expr()
	c.Span = p.from(word.Start)
	return c
}

// quantified parses some, no, every, count, sum, highest, lowest, first, each, pick over a query.
func (p *parser) quantified() ast.Expr {
	if !p.deeper() {
		return nil
	}
	defer p.shallower()
	q := &ast.Quantified{Word: p.word()}
	outer := p.ownedLabels
	of, by := false, false
	switch q.Word.Name {
	case "sum", "each":
		of = true
	case "highest", "lowest":
		of = true
		p.ownedLabels |= ownOtherwise // `otherwise` applies when the whole is none
	case "first":
		p.ownedLabels |= ownOtherwise
	case "pick":
		by = true
		p.ownedLabels |= ownOtherwise
	}
	if of {
		p.ownedLabels |= ownOf
	}
	if by {
		p.ownedLabels |= ownBy
	}
	q.Query = p.query(levelAnd, q.Word.Name)
	switch q.Word.Name {
	case "first", "each", "pick":
		p.sorting(&q.Query)
	}
	if of && p.accept("of") {
		q.Of = p.sum()
	}
	if by && p.accept("by") {
		q.By = p.argument()
	}
	p.ownedLabels = outer
	q.Span = p.from(q.Word.Start)
	return q
}

// sorting parses [sorted by EXPR [descending]] after a query.
func (p *parser) sorting(q *ast.Query) {
	if p.accept("sorted") {
		p.expect("by")
		q.Sort = p.sum()
		q.Descending = p.accept("descending")
		q.Span = p.from(q.Start)
	}
}

// query parses X in LIST [where COND]. In an expression the condition extends over `and`, but not `or`; in `for each`,
// which a { ends, over everything.
func (p *parser) query(reach int, word string) ast.Query {
	start := p.pos()
	q := ast.Query{Var: p.name("a name for the element")}
	p.expectIn("in", word)
	q.In = p.sum()
	if p.accept("where") {
		q.Where = p.binary(reach)
	}
	q.Span = p.from(start)
	return q
}

// plan parses plan TRIGGER { COMMANDS }.
func (p *parser) plan() ast.Expr {
	word := p.word()
	outer := p.ownedLabels
	p.ownedLabels = 0
	plan := &ast.Plan{Trigger: p.trigger()}
	plan.Body = p.block(inStatements)
	p.ownedLabels = outer
	plan.Span = p.from(word.Start)
	return plan
}

func startsTrigger(t *token) bool {
	switch t.Value {
	case "before", "after", "instead", "at", "every", "on":
		return t.Type == tokName || t.Type == tokWord
	}
	return false
}

// enter takes an opening bracket; inside it no label is owned from outside.
func (p *parser) enter() (outer frame) {
	outer = frame{p.ownedLabels, p.spanOf(p.peek())}
	p.next()
	p.ownedLabels = 0
	return outer
}

// leave takes the closing bracket.
func (p *parser) leave(close, wanted string, outer frame) {
	p.ownedLabels = outer.owned
	if p.accept(close) || p.fault != nil {
		return
	}
	p.want(wanted)
	if t := p.lex.Peek(); t.Type == tokLine || t.Type == tokEOF || t.Pos.Line != outer.open.Start.Line {
		p.fault.Related = append(p.fault.Related, diag.Related{File: p.file, Span: outer.open, Message: "the bracket opens here"})
	}
}

// frame is what an opening bracket suspends.
type frame struct {
	owned labels
	open  ast.Span
}

// deeper counts nesting without brackets; the scanner counts brackets.
func (p *parser) deeper() bool {
	if p.depth == maxDepth {
		p.fail(p.spanOf(p.lex.Peek()), codeDeep, fmt.Sprintf("the expression nests more than %d deep", maxDepth),
			"give parts of it a name with `let` or `define`")
	}
	if p.fault != nil {
		return false
	}
	p.depth++
	return true
}

func (p *parser) shallower() { p.depth-- }
