package dice

import (
	"fmt"
	"strings"

	"arbiter/stdlib/pattern"
)

// Parse parses an expression in dice notation; see the package comment. Its error is an *Error.
func Parse(s string) (*Expr, error) {
	text, comment, _ := strings.Cut(s, "#")
	if len(s) > MaxLength {
		return nil, &Error{MaxLength + 1, fmt.Sprintf("longer than %d bytes", MaxLength), "roll the parts one by one"}
	}
	p := &parser{text: text, decimals: decimalNumber().MatchString(text)}
	p.exact = p.decimals
	root, err := p.compared()
	if err == nil {
		err = p.end()
	}
	if err == nil && repeatedRoll().MatchString(s) {
		err = p.fail(len(text), "a # starts a comment", "")
	}
	if err != nil {
		return nil, withHint(s, err)
	}
	if root, err = p.whole(root); err != nil {
		return nil, err
	}
	e := &Expr{root: root, comment: strings.TrimSpace(comment)}
	var column int32
	var ok bool
	if e.bounds, column, ok = boundsOf(root); !ok {
		return nil, p.overflowError(column)
	}
	e.plain, e.flat = plainOf(root)
	return e, nil
}

// A parser is a recursive descent parser for this grammar. Spaces are ignored, except before a comparison: one that
// touches dice or braces is about each of them, any other about totals.
//
//	compared   = expression [ relation expression ] .
//	expression = product { ("+" | "-") product } .
//	product    = factor { ("*" | "/" | "//" | "%") factor } .
//	factor     = ("-" | "+") factor | "(" compared ")" | group | function | decimal | pool .
//	group      = ( "{" compared { "," compared } "}" | "(" compared "," compared { "," compared } ")" ) { scoring }
//	           | ( "min" | "max" ) "(" compared { "," compared } ")" .
//	function   = ( "abs" | "ceil" | "floor" | "round" ) "(" compared ")" .
//	pool       = [ number ] "d" ( number | "%" | "F" ) { modifier | scoring } .
//	modifier   = "!" [ "!" ] [ "p" ] [ comparison | number ] | "r" [ "o" ] [ comparison | number ] | "u" [ "o" ]
//	           | ( "mi" | "ma" ) integer | ( "cs" | "cf" ) [ comparison | number ] | "s" | "sa" | "sd" .
//	scoring    = ( "kh" | "kl" | "k" | "dh" | "dl" | "d" ) [ number ] | comparison [ "f" ( comparison | number ) ] .
//	comparison = relation integer .
//	relation   = "=" | "==" | "<>" | "!=" | "<" | ">" | "<=" | ">=" .
type parser struct {
	text     string
	at       int // the next byte
	depth    int
	dice     int64 // dice rolled so far, without rerolls and explosions
	decimals bool  // there are numbers such as 1.5: fractions are exact, and what is made of them is rounded down
	exact    bool  // the exact fraction is kept here
}

// decimalNumber matches a number with decimals.
var decimalNumber = pattern.New(`[0-9]\.[0-9]`)

// compared parses an expression, and the one that it is compared with, if there is one.
func (p *parser) compared() (node, error) {
	left, err := p.expression()
	if err != nil {
		return nil, err
	}
	p.peek()
	at := p.at
	op := p.relation()
	if op == never {
		return left, nil
	}
	right, err := p.expression()
	if err != nil {
		return nil, err
	}
	p.peek()
	if from := p.at; p.relation() != never {
		return nil, p.fail(from, "comparisons do not chain", "compare two totals at a time: (2d6 >= 7) + (1d8 >= 5)")
	}
	n := &test{column: column(at), op: op, left: left, right: right, over: left, other: right, under: 1}
	if !p.exact {
		return n, nil
	}
	over, a, ok1 := fraction(left)
	other, b, ok2 := fraction(right)
	if !ok1 || !ok2 {
		return nil, p.overflowError(n.column)
	}
	common := gcd(a, b)
	var fits bool
	if n.under, fits = checkedProduct(a, b/common); !fits {
		return nil, p.overflowError(n.column)
	}
	n.over, n.other = multiplyNode(over, b/common, n.column), multiplyNode(other, a/common, n.column)
	return n, nil
}

// relation parses what stands between two totals that are compared, if it is next.
func (p *parser) relation() relation {
	switch {
	case p.word("<>"), p.word("!="):
		return unequal
	case p.word("<="):
		return atMost
	case p.word(">="):
		return atLeast
	case p.word("<"):
		return less
	case p.word(">"):
		return more
	case p.word("=="), p.word("="):
		return equal
	}
	return never
}

// whole rounds an expression down in which fractions were kept.
func (p *parser) whole(n node) (node, error) {
	if !p.decimals {
		return n, nil
	}
	over, under, fits := fraction(n)
	switch {
	case !fits:
		return nil, p.overflowError(1)
	case under == 1 && over == n:
		return n, nil
	}
	return &function{column: 1, name: "floor", operand: n, numerator: over, denominator: under, implied: true}, nil
}

func (p *parser) expression() (node, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, p.fail(p.at, fmt.Sprintf("nested deeper than %d", maxNesting), "")
	}
	defer func() { p.depth-- }()
	left, err := p.product()
	for err == nil {
		op, at := p.peek(), p.at
		if op != '+' && op != '-' {
			break
		}
		p.at++
		var right node
		if right, err = p.product(); err == nil {
			left = &binary{op, column(at), left, right}
		}
	}
	return left, err
}

func (p *parser) product() (node, error) {
	left, err := p.factor()
	for err == nil {
		op, at := p.peek(), p.at
		if op != '*' && op != '/' && op != '%' {
			break
		}
		p.at++
		floor := op == '/' && p.at < len(p.text) && p.text[p.at] == '/'
		if floor {
			p.at++
		}
		p.peek()
		from := p.at
		var right node
		if right, err = p.factor(); err == nil && op != '*' {
			err = p.divisor(right, from)
		}
		if err != nil {
			break
		}
		n := &binary{op, column(at), left, right}
		if left = n; floor && p.exact {
			over, under, fits := fraction(n)
			if !fits {
				return nil, p.overflowError(n.column)
			}
			left = &function{column: n.column, name: "floor", operand: n, numerator: over, denominator: under}
		}
	}
	return left, err
}

// divisor refuses a divisor that could be zero.
func (p *parser) divisor(n node, at int) error {
	if rolls(n) {
		return p.fail(at, "a divisor cannot be rolled", "divide by a plain number")
	}
	whole := n
	if p.exact {
		whole, _, _ = fraction(n)
	}
	b, column, ok := boundsOf(whole)
	switch {
	case !ok:
		return p.overflowError(column)
	case b.low == 0:
		return p.fail(at, "division by zero", "")
	}
	return nil
}

// rolls reports whether n contains dice.
func rolls(n node) bool {
	switch n := n.(type) {
	case *pool, *group:
		return true
	case *test:
		return rolls(n.left) || rolls(n.right)
	case *negation:
		return rolls(n.operand)
	case *function:
		return rolls(n.operand)
	case *binary:
		return rolls(n.left) || rolls(n.right)
	}
	return false
}

func (p *parser) factor() (node, error) {
	c, at := p.peek(), p.at
	switch {
	case c == '-' || c == '+':
		p.at++
		if p.depth++; p.depth > maxNesting {
			return nil, p.fail(at, fmt.Sprintf("nested deeper than %d", maxNesting), "")
		}
		defer func() { p.depth-- }()
		of, err := p.factor()
		if err != nil || c == '+' {
			return of, err
		}
		if twice, ok := of.(*negation); ok {
			return twice.operand, nil
		}
		return &negation{of}, nil
	case c == '(' && p.lists():
		return p.group("", ')')
	case c == '(':
		p.at++
		n, err := p.compared()
		if err != nil {
			return nil, err
		}
		return n, p.close(')', at)
	case c == '{':
		return p.group("", '}')
	case c == 'd':
		return p.pool(1, at)
	case digit(c):
		v, err := p.number()
		if err != nil {
			return nil, err
		}
		if p.at+1 < len(p.text) && p.text[p.at] == '.' && digit(p.text[p.at+1]) {
			return p.decimal(v, at)
		}
		if p.peek() != 'd' {
			return &number{v}, nil
		}
		return p.pool(v, at)
	case 'a' <= c && c <= 'z':
		return p.function()
	}
	return nil, p.unexpected("a number or dice", "for example 2d6+3")
}

// decimal parses what follows the whole part of a number.
func (p *parser) decimal(whole int64, at int) (node, error) {
	under := int64(1)
	for p.at++; p.at < len(p.text) && digit(p.text[p.at]); p.at++ {
		whole, under = whole*10+int64(p.text[p.at]-'0'), under*10
		if whole > maxNumber || under > maxNumber {
			return nil, p.fail(at, fmt.Sprintf("a number of more than %d digits", len(fmt.Sprint(maxNumber))-1), "")
		}
	}
	common := gcd(whole, under)
	if under == common {
		return &number{whole / common}, nil
	}
	return &decimal{whole / common, under / common, p.text[at:p.at]}, nil
}

// lists reports whether the parenthesis that is next encloses several totals.
func (p *parser) lists() bool {
	depth := 0
	for _, c := range []byte(p.text[p.at:]) {
		switch c {
		case '(', '{':
			depth++
		case ')', '}':
			if depth--; depth == 0 {
				return false
			}
		case ',':
			if depth == 1 {
				return true
			}
		}
	}
	return false
}

// function parses a function name and its arguments in parentheses.
func (p *parser) function() (node, error) {
	at := p.at
	for _, name := range [...]string{"min", "max"} {
		if p.word(name) {
			if p.peek() != '(' {
				return nil, p.unexpected("'('", "for example "+name+"(2d6, 7)")
			}
			return p.group(name, ')')
		}
	}
	for _, name := range [...]string{"abs", "ceil", "floor", "round"} {
		if !p.word(name) {
			continue
		}
		if p.peek() != '(' {
			return nil, p.unexpected("'('", "for example "+name+"(1d6/2)")
		}
		opened := p.at
		p.at++
		around := p.exact
		p.exact = name != "abs" || p.decimals
		of, err := p.compared()
		p.exact = around
		if err == nil {
			err = p.close(')', opened)
		}
		if err == nil && name == "abs" {
			of, err = p.whole(of)
		}
		if err != nil {
			return nil, err
		}
		f := &function{column: column(at), name: name, operand: of, numerator: of, denominator: 1}
		if name != "abs" {
			var fits bool
			if f.numerator, f.denominator, fits = fraction(of); !fits {
				return nil, p.overflowError(f.column)
			}
		}
		return f, nil
	}
	return nil, p.unexpected("a number or dice", "for example 2d6+3; functions are abs ceil floor max min round")
}

// group parses totals in braces, or after the name of a function, and what is done with them.
func (p *parser) group(name string, end byte) (node, error) {
	defer func(around bool) { p.exact = around }(p.exact)
	p.exact = p.decimals // each part becomes a whole number
	g, at := &group{column: column(p.at), name: name}, p.at
	for {
		p.at++ // the brace, or the comma
		part, err := p.compared()
		if err == nil {
			part, err = p.whole(part)
		}
		if err != nil {
			return nil, err
		}
		g.parts = append(g.parts, part)
		if p.peek() != ',' {
			break
		}
	}
	if err := p.close(end, at); err != nil {
		return nil, err
	}
	if name != "" {
		g.selects = []selection{{keep: true, highest: name == "max", n: 1}}
		return g, nil
	}
	for {
		from := p.at
		found, err := p.scoring(&g.scoring, len(g.parts))
		if err != nil {
			return nil, err
		}
		if !found {
			break
		}
		if len(g.parts) == 1 && len(g.selects) > 0 {
			return nil, p.fail(from, "one total in braces leaves nothing to choose", "separate the rolls by commas: {2d6, 1d8}")
		}
	}
	return g, nil
}
