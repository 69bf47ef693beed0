package dice

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Parse parses an expression in dice notation; see the package comment. Its error is an *Error.
func Parse(s string) (*Expr, error) {
	text, comment, _ := strings.Cut(s, "#")
	if len(s) > MaxLength {
		return nil, &Error{MaxLength + 1, fmt.Sprintf("longer than %d bytes", MaxLength), "roll the parts one by one"}
	}
	p := &parser{text: text}
	root, err := p.expression()
	if err == nil {
		err = p.end()
	}
	if err == nil && repeatedRoll.MatchString(s) {
		err = p.fail(len(text), "a # starts a comment", "")
	}
	if err != nil {
		return nil, withHint(s, err)
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

// A parser is a recursive descent parser for this grammar, ignoring spaces:
//
//	expression = product { ("+" | "-") product } .
//	product    = factor { ("*" | "/") factor } .
//	factor     = ("-" | "+") factor | "(" expression ")" | group | function | number | pool .
//	group      = "{" expression { "," expression } "}" { scoring }
//	           | ( "min" | "max" ) "(" expression { "," expression } ")" .
//	function   = ( "abs" | "ceil" | "floor" | "round" ) "(" expression ")" .
//	pool       = [ number ] "d" ( number | "%" | "F" ) { modifier | scoring } .
//	modifier   = "!" [ "!" ] [ "p" ] [ comparison | number ] | "r" [ "o" ] [ comparison | number ]
//	           | "u" | ( "mi" | "ma" ) integer | ( "cs" | "cf" ) [ comparison | number ] .
//	scoring    = ( "kh" | "kl" | "k" | "dh" | "dl" | "d" ) [ number ] | comparison .
//	comparison = ( "=" | "<>" | "<" | ">" | "<=" | ">=" ) integer .
type parser struct {
	text  string
	at    int // the next byte
	depth int
	dice  int64 // dice rolled so far, without rerolls and explosions
	exact bool  // inside a function that rounds the exact fraction
}

func (p *parser) expression() (node, error) {
	if p.depth++; p.depth > MaxNesting {
		return nil, p.fail(p.at, fmt.Sprintf("nested deeper than %d", MaxNesting), "")
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
		if op != '*' && op != '/' {
			break
		}
		p.at++
		p.peek()
		from := p.at
		var right node
		if right, err = p.factor(); err == nil && op == '/' {
			err = p.divisor(right, from)
		}
		if err == nil {
			left = &binary{op, column(at), left, right}
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
		if p.depth++; p.depth > MaxNesting {
			return nil, p.fail(at, fmt.Sprintf("nested deeper than %d", MaxNesting), "")
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
	case c == '(':
		p.at++
		n, err := p.expression()
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
		if p.peek() != 'd' {
			return &number{v}, nil
		}
		return p.pool(v, at)
	case 'a' <= c && c <= 'z':
		return p.function()
	}
	return nil, p.unexpected("a number or dice", "for example 2d6+3")
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
		p.exact = name != "abs"
		of, err := p.expression()
		p.exact = around
		if err == nil {
			err = p.close(')', opened)
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
	p.exact = false // each part is a whole number
	g, at := &group{column: column(p.at), name: name}, p.at
	for {
		p.at++ // the brace, or the comma
		part, err := p.expression()
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

func (p *parser) pool(count int64, at int) (node, error) {
	p.at++ // the d
	n := &pool{column: column(at), count: int32(min(count, MaxDice+1))}
	if p.dice += count; count < 1 {
		return nil, p.fail(at, "no dice to roll", "")
	} else if p.dice > MaxDice {
		return nil, p.fail(at, fmt.Sprintf("more than %d dice", MaxDice), "")
	}
	c, from := p.peek(), p.at
	switch {
	case c == '%':
		p.at++
		n.sides = 100
	case c == 'f':
		p.at++
		n.sides, n.offset = 3, -2
	case digit(c):
		sides, err := p.number()
		switch {
		case err != nil:
			return nil, err
		case sides < 1:
			return nil, p.fail(from, "a die without sides", "")
		case sides > MaxSides:
			return nil, p.fail(from, fmt.Sprintf("more than %d sides", MaxSides), "")
		}
		n.sides = int32(sides)
	default:
		return nil, p.unexpected("the sides of a die", "d20, d% or dF")
	}
	for {
		found, err := p.modifier(n)
		if err == nil && !found {
			most := int(n.count)
			if n.explode.op != never && !n.compound {
				most *= MaxChain
			}
			found, err = p.scoring(&n.scoring, most)
		}
		if err != nil {
			return nil, err
		}
		if !found {
			return n, p.checkRests(n)
		}
	}
}

// checkRests refuses dice that would hardly ever come to rest, so that MaxChain is not reached in practice: with one
// face in MinRest the probability is below 10^-22.
func (p *parser) checkRests(n *pool) error {
	fail := func(message, hint string) error { return p.fail(int(n.column)-1, message, hint) }
	if n.unique && n.explode.op != never {
		return fail("dice cannot be unique and explode", "")
	}
	if n.unique && n.count > n.sides {
		return fail(fmt.Sprintf("%d dice of %d sides cannot all show something else", n.count, n.sides), "")
	}
	rest := countResting(n)
	if n.unique {
		rest = max(rest-int64(n.count)+1, 0) // the faces left for the last die
	}
	if rest*MinRest < int64(n.sides) {
		few := fmt.Sprintf("only %d of %d faces end the roll", rest, n.sides)
		if rest == 0 {
			few = "no face ends the roll"
		}
		return fail(few, fmt.Sprintf("at least one face in %d must neither be rerolled nor explode", MinRest))
	}
	return nil
}

// modifier parses one modifier of a pool, if one is next.
func (p *parser) modifier(n *pool) (found bool, err error) {
	low, high := 1+int64(n.offset), int64(n.sides)+int64(n.offset)
	if c := p.peek(); c != '!' && (c < 'a' || c > 'z') {
		return false, nil
	}
	at, twice := p.at, false
	switch {
	case p.word("!"):
		twice = n.explode.op != never
		n.compound, n.penetrate = p.word("!"), p.word("p")
		n.explode, n.highest, err = p.point(high)
	case p.word("r"):
		twice = n.reroll.op != never
		n.once = p.word("o")
		n.reroll, _, err = p.point(low)
	case p.word("cs"):
		twice = n.critical.op != never
		n.critical, _, err = p.point(high)
	case p.word("cf"):
		twice = n.fumble.op != never
		n.fumble, _, err = p.point(low)
	case p.word("u"):
		twice = n.unique
		n.unique = true
	case p.word("min"), p.word("mi"):
		twice = n.floor.set
		n.floor.set = true
		n.floor.value, err = p.integer()
	case p.word("max"), p.word("ma"):
		twice = n.ceiling.set
		n.ceiling.set = true
		n.ceiling.value, err = p.integer()
	default:
		return false, nil
	}
	if err == nil && twice {
		hint := ""
		if strings.IndexByte("!rc", lower(p.text[at])) >= 0 {
			hint = "one comparison may hold for several faces: <3"
		}
		err = p.fail(at, fmt.Sprintf("%q is given twice", p.text[at:p.at]), hint)
	}
	if err == nil && n.floor.set && n.ceiling.set && n.floor.value > n.ceiling.value {
		err = p.fail(at, fmt.Sprintf("at least %d and at most %d", n.floor.value, n.ceiling.value), "")
	}
	return true, err
}

// point parses the comparison of an explosion or a reroll; without one it is the given face.
func (p *parser) point(face int64) (c comparison, implied bool, err error) {
	if digit(p.peek()) {
		c.op = equal
		c.value, err = p.number()
		return c, false, err
	}
	if c, err = p.comparison(); c.op == never && err == nil {
		return comparison{equal, face}, true, nil
	}
	return c, false, err
}

// comparison parses a comparison, if one is next.
func (p *parser) comparison() (c comparison, err error) {
	switch {
	case p.word("<>"):
		c.op = unequal
	case p.word("<="):
		c.op = atMost
	case p.word(">="):
		c.op = atLeast
	case p.word("<"):
		c.op = less
	case p.word(">"):
		c.op = more
	case p.word("="):
		c.op = equal
	default:
		return c, nil
	}
	c.value, err = p.integer()
	return c, err
}

// scoring parses one selection or the count, if one is next; most is the maximum number of values to choose from.
func (p *parser) scoring(s *scoring, most int) (found bool, err error) {
	c := p.peek()
	if (c < 'a' || c > 'z') && (c < '<' || c > '>') {
		return false, nil
	}
	at := p.at
	var sel selection
	switch {
	case p.word("kh"):
		sel = selection{keep: true, highest: true}
	case p.word("kl"):
		sel = selection{keep: true}
	case p.word("dh"):
		sel = selection{highest: true}
	case p.word("dl"):
		sel = selection{}
	case p.word("k"):
		sel = selection{keep: true, highest: true}
	case p.word("d"):
		sel = selection{}
	default:
		c, err := p.comparison()
		if c.op == never || err != nil {
			return false, err
		}
		if s.counts.op != never {
			return true, p.fail(at, "counted twice", "")
		}
		s.counts = c
		return true, nil
	}
	n := int64(1)
	if digit(p.peek()) {
		if n, err = p.number(); err != nil {
			return true, err
		}
	}
	sel.n = int32(n)
	for _, other := range s.selects {
		if other.word() == sel.word() {
			return true, p.fail(at, fmt.Sprintf("%q is given twice", sel.word()), "")
		}
		most -= other.dropped(most)
	}
	switch {
	case sel.keep && n == 0:
		return true, p.fail(at, "none is kept", "")
	case !sel.keep && n >= int64(most):
		return true, p.fail(at, fmt.Sprintf("%d of %d dropped: none is left", n, most), "to roll other dice too, add them with +")
	}
	s.selects = append(s.selects, sel)
	return true, nil
}

// number parses digits.
func (p *parser) number() (v int64, err error) {
	p.peek()
	at := p.at
	for ; p.at < len(p.text) && digit(p.text[p.at]); p.at++ {
		if v = v*10 + int64(p.text[p.at]-'0'); v > MaxNumber {
			return 0, p.fail(at, fmt.Sprintf("a number above %d", MaxNumber), "")
		}
	}
	if p.at == at {
		return 0, p.unexpected("a number", "")
	}
	return v, nil
}

// integer parses a number that may have a sign.
func (p *parser) integer() (int64, error) {
	c := p.peek()
	if c == '-' || c == '+' {
		p.at++
	}
	v, err := p.number()
	if c == '-' {
		v = -v
	}
	return v, err
}

// peek skips spaces and returns the next byte in lower case, 0 at the end.
func (p *parser) peek() byte {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	return lower(p.text[p.at])
}

// word skips w, if it is next, and reports whether it was.
func (p *parser) word(w string) bool {
	p.peek()
	rest := p.text[p.at:]
	if len(rest) < len(w) {
		return false
	}
	for i := range len(w) {
		if lower(rest[i]) != w[i] {
			return false
		}
	}
	p.at += len(w)
	return true
}

func (p *parser) close(c byte, opened int) error {
	if p.peek() != c {
		return p.unexpected(fmt.Sprintf("%q", c), fmt.Sprintf("%q opens in column %d", p.text[opened], column(opened)))
	}
	p.at++
	return nil
}

func (p *parser) end() error {
	switch c := p.peek(); {
	case c == 0 && p.at == len(p.text):
		return nil
	case digit(c) || c == '(' || c == '{' || c == 'd':
		return p.unexpected("an operator", "add rolls with + or list them in braces: {2d6, 1d8}")
	case c == ')' || c == '}':
		return p.unexpected("the end", fmt.Sprintf("there is no %q for it to close", opening[c]))
	case c == ',':
		return p.unexpected("the end", "list rolls in braces: {2d6, 1d8}")
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	hint, known := foreignRunes[r]
	if !known {
		hint = "after dice: kh kl dh dl ! !! !p r ro u mi ma cs cf = < >"
	}
	return p.unexpected("the end", hint)
}

// opening are the brackets that the closing ones belong to.
var opening = map[byte]byte{')': '(', '}': '{'}

// foreignRunes are characters used in other notations, with what to write instead.
var foreignRunes = map[rune]string{
	'.': "numbers are whole; a half is /2", '^': "the operators are + - * /", '%': "the operators are + - * /; d% is a die",
	'–': "minus is -", '−': "minus is -", '×': "times is *", '·': "times is *", '÷': "divided by is /",
	'[': "a # starts a comment", '"': "a # starts a comment", ';': "a # starts a comment",
	'≥': "write >=", '≤': "write <=", '≠': "write <>",
}

func (p *parser) overflowError(column int32) error {
	return p.fail(int(column)-1, fmt.Sprintf("the total can exceed %d", int64(MaxTotal)), "")
}

func (p *parser) unexpected(want, hint string) error {
	if p.peek(); p.at == len(p.text) {
		return p.fail(p.at, "expected "+want+", found the end", hint)
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	return p.fail(p.at, fmt.Sprintf("expected %s, found %q", want, r), hint)
}

func (p *parser) fail(at int, message, hint string) error {
	return &Error{Column: int(column(at)), Message: message, Hint: hint}
}

func column(at int) int32 { return int32(at) + 1 }
func digit(c byte) bool   { return '0' <= c && c <= '9' }

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
