package dice

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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

func (p *parser) pool(count int64, at int) (node, error) {
	p.at++ // the d
	n := &pool{column: column(at), count: int32(min(count, maxDice+1))}
	if p.dice += count; count < 1 {
		return nil, p.fail(at, "no dice to roll", "")
	} else if p.dice > maxDice {
		return nil, p.fail(at, fmt.Sprintf("more than %d dice", maxDice), "")
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
		case sides > maxSides:
			return nil, p.fail(from, fmt.Sprintf("more than %d sides", maxSides), "")
		}
		n.sides = int32(sides)
	default:
		hint, known := foreignSides[c]
		if !known {
			hint = "d20, d% or dF"
		}
		return nil, p.unexpected("the sides of a die", hint)
	}
	for {
		found, err := p.modifier(n)
		if err == nil && !found {
			most := int(n.count)
			if len(n.explode) > 0 && !n.compound {
				most *= maxChain
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
	if n.unique && len(n.explode) > 0 {
		return fail("dice cannot be unique and explode", "roll some of them by themselves: {3d6u, 2d6!}")
	}
	if n.unique && !n.uniqueOnce && n.count > n.sides {
		return fail(fmt.Sprintf("%d dice of %d sides cannot all show something else", n.count, n.sides), "uo rerolls each of them once only")
	}
	rest := countResting(n)
	if n.unique && !n.uniqueOnce {
		rest = max(rest-int64(n.count)+1, 0) // the faces left for the last die
	}
	if rest*minRest < int64(n.sides) {
		few := fmt.Sprintf("only %d of %d faces end the roll", rest, n.sides)
		if rest == 0 {
			few = "no face ends the roll"
		}
		return fail(few, fmt.Sprintf("at least one face in %d must neither be rerolled nor explode", minRest))
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
	case p.apart() && strings.HasPrefix(p.text[p.at:], "!="):
		return false, nil // the total is compared
	case p.word("!"):
		before := n.explosion()
		n.compound, n.penetrate = p.word("!"), p.word("p")
		if len(n.explode) > 0 && n.explosion() != before {
			return true, p.fail(at, fmt.Sprintf("dice explode by %s or by %s, not by both", before, n.explosion()), "roll some of them by themselves: {2d6!, 2d6!!}")
		}
		twice, n.highest, err = p.point(&n.explode, high)
	case p.word("r"):
		once := p.word("o")
		if len(n.reroll) > 0 && once != n.once {
			return true, p.fail(at, "dice are rerolled by r or by ro, not by both", "r rerolls until none is left, ro once")
		}
		n.once = once
		twice, _, err = p.point(&n.reroll, low)
	case p.word("cs"):
		twice, _, err = p.point(&n.critical, high)
	case p.word("cf"):
		twice, _, err = p.point(&n.fumble, low)
	case p.word("sa"):
		twice, n.order = n.order != asRolled, ascending
	case p.word("sd"):
		twice, n.order = n.order != asRolled, descending
	case p.word("s"):
		twice, n.order = n.order != asRolled, ascending
	case p.word("u"):
		twice = n.unique
		n.unique, n.uniqueOnce = true, p.word("o")
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
		err = p.fail(at, fmt.Sprintf("%q is given twice", p.text[at:p.at]), "once is enough")
	}
	if err == nil && n.floor.set && n.ceiling.set && n.floor.value > n.ceiling.value {
		err = p.fail(at, fmt.Sprintf("at least %d and at most %d", n.floor.value, n.ceiling.value), "")
	}
	return true, err
}

// point parses the comparison of an explosion or a reroll, of which there may be several; without one it is the given
// face. twice reports whether this one was there before.
func (p *parser) point(m *match, face int64) (twice, implied bool, err error) {
	var c comparison
	if digit(p.peek()) {
		c.op = equal
		c.value, err = p.number()
	} else if c, err = p.comparison(); c.op == never {
		c, implied = comparison{equal, face}, len(*m) == 0
	}
	if twice = slices.Contains(*m, c); !twice {
		*m = append(*m, c)
	}
	return twice, implied, err
}

// comparison parses a comparison of single dice or parts, if one is next. After a blank it is one of totals.
func (p *parser) comparison() (c comparison, err error) {
	if p.apart() || strings.HasPrefix(p.text[p.at:], "!=") {
		return c, nil
	}
	if c.op = p.relation(); c.op != never {
		c.value, err = p.integer()
	}
	return c, err
}

// apart reports whether there is a blank before what is next.
func (p *parser) apart() bool {
	from := p.at
	p.peek()
	return p.at > from || p.at > 0 && (p.text[p.at-1] == ' ' || p.text[p.at-1] == '\t')
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
	case p.word("f"):
		switch {
		case s.counts.op == never:
			return true, p.fail(at, "f says what fails, but nothing says what succeeds", "write that first: 6d10>=8f1")
		case s.fails.op != never:
			return true, p.fail(at, "\"f\" is given twice", "one comparison may hold for several faces: f<3")
		case digit(p.peek()):
			s.fails.op = equal
			s.fails.value, err = p.number()
			return true, err
		}
		if s.fails, err = p.comparison(); s.fails.op == never && err == nil {
			err = p.unexpected("what fails", "for example f1, or f<3")
		}
		return true, err
	default:
		c, err := p.comparison()
		if c.op == never || err != nil {
			return false, err
		}
		if s.counts.op != never {
			return true, p.fail(at, "counted twice", "one comparison says which count, and f which of them are taken off: 6d10>=8f1")
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
			return true, p.fail(at, fmt.Sprintf("%q is given twice", sel.word()), fmt.Sprintf("%s%d says how many at once", sel.word(), max(sel.n, other.n, 2)))
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
		if v = v*10 + int64(p.text[p.at]-'0'); v > maxNumber {
			return 0, p.fail(at, fmt.Sprintf("a number above %d", maxNumber), "")
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
	if err == nil && p.at < len(p.text) && p.text[p.at] == '.' {
		return 0, p.fail(p.at, "dice show whole numbers", "compare with one of those")
	}
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
	case p.after(')') && (c == '!' || 'a' <= c && c <= 'z' && c != 'd' && c != 'x'):
		return p.unexpected("an operator", "what is done with dice follows them: (4d6kh3 + 2); of several totals: {2d6, 1d8}kh1")
	case p.after(')') && c == 'd':
		return p.unexpected("an operator", "the number of dice cannot be rolled or computed: roll that first")
	case c == '(' || p.after(')') && digit(c):
		return p.unexpected("an operator", "multiply with *: 2*(3+1d6)")
	case digit(c) || c == '{' || c == 'd':
		return p.unexpected("an operator", "add rolls with + or list them in braces: {2d6, 1d8}")
	case c == ')' || c == '}':
		return p.unexpected("the end", fmt.Sprintf("there is no %q for it to close", opening[c]))
	case c == ',':
		return p.unexpected("the end", "braces add several rolls, {2d6, 1d8}; for the total of each, roll one after the other")
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	hint, known := foreignRunes[r]
	if !known {
		hint = "after dice: kh kl dh dl ! !! !p r ro u uo mi ma cs cf sa sd = < > f"
	}
	return p.unexpected("the end", hint)
}

// after reports whether c is the last before what is next.
func (p *parser) after(c byte) bool {
	before := strings.TrimRight(p.text[:p.at], " \t")
	return before != "" && before[len(before)-1] == c
}

// foreignSides are characters after the d of a die, with what to write instead.
var foreignSides = map[byte]string{
	'(': "the sides cannot be rolled or computed: roll that first",
	'{': "a die shows 1 and more: 2*1d3-1 is 1, 3 or 5", '[': "a die shows 1 and more: 2*1d3-1 is 1, 3 or 5",
}

// opening are the brackets that the closing ones belong to.
var opening = map[byte]byte{')': '(', '}': '{'}

// foreignRunes are characters used in other notations, with what to write instead.
var foreignRunes = map[rune]string{
	'.': "a decimal number has digits before and after the point: 0.5", '^': "the operators are + - * / // %",
	'–': "minus is -", '−': "minus is -", '×': "times is *", '·': "times is *", '÷': "divided by is /",
	'[': "a # starts a comment", '"': "a # starts a comment", ';': "a # starts a comment",
	'≥': "write >=", '≤': "write <=", '≠': "write <>",
}

func (p *parser) overflowError(column int32) error {
	return p.fail(int(column)-1, fmt.Sprintf("the total can exceed %d", int64(maxTotal)), "")
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
