package dice

import (
	"fmt"
	"strings"
)

// A node is part of an expression: *number, *decimal, *pool, *group, *negation, *binary, *function or *test.
type node interface{ node() }

// A number is 3.
type number struct{ value int64 }

// A decimal is 1.5, the quotient of two numbers. It stands only where the exact fraction is kept, and what is made of it
// there is rounded: see parser.whole.
type decimal struct {
	over, under int64
	text        string
}

// A pool is 4d6 and everything that is done with these dice.
type pool struct {
	column     int32
	count      int32
	sides      int32
	offset     int32 // added to each face: -2 for Fate dice
	reroll     match
	once       bool // reroll once only
	unique     bool
	uniqueOnce bool // unique, but what is rolled instead of a face that is taken stays
	floor      bound
	ceiling    bound
	explode    match
	compound, penetrate,
	highest bool // explode has no written comparison: it is the highest face
	critical, fumble match
	order            order
	scoring
}

// A group is {2d6, 1d8}kh1. With a name it is min(2d6, 1d8) or max(...), which keep one.
type group struct {
	column int32
	name   string
	parts  []node
	scoring
}

// A negation is -1d4; its operand is never a negation.
type negation struct{ operand node }

// A binary is 2d6+3.
type binary struct {
	op          byte // + - * / %
	column      int32
	left, right node
}

// A function transforms a total: abs, or floor, ceil and round. These round the exact fraction of all divisions inside
// them: ceil(1d6/2+1/2) rounds once. Inside braces and nested functions division rounds down as elsewhere.
type function struct {
	column      int32
	name        string
	operand     node // as written
	numerator   node // the whole numerator; the value is over/under
	denominator int64
	implied     bool // floor, of an expression with decimals: nothing is written
}

// A test is 1d20+5 >= 15: 1 if it holds, and otherwise 0. It compares exact fractions.
type test struct {
	column      int32
	op          relation
	left, right node // as written
	over, other node // the whole numerators of both
	under       int64
}

func (*number) node()   {}
func (*pool) node()     {}
func (*group) node()    {}
func (*negation) node() {}
func (*binary) node()   {}
func (*function) node() {}
func (*decimal) node()  {}
func (*test) node()     {}

// An order is how the dice of a pool are shown.
type order int8

const (
	asRolled order = iota
	ascending
	descending
)

// A scoring says which of several values count, and whether they are added or counted.
type scoring struct {
	selects []selection
	counts  comparison
	fails   comparison // each of these is one less; only with counts
}

// A selection is kh3.
type selection struct {
	keep, highest bool
	n             int32
}

// dropped returns how many of n values are dropped.
func (s selection) dropped(n int) int {
	if s.keep {
		return max(n-int(s.n), 0)
	}
	return min(int(s.n), n)
}

// A comparison is >=5; the zero comparison is never true.
type comparison struct {
	op    relation
	value int64
}

// A match is several comparisons, of which one must hold: r1r3.
type match []comparison

func (m match) holds(v int64) bool {
	for _, c := range m {
		if c.holds(v) {
			return true
		}
	}
	return false
}

type relation uint8

const (
	never relation = iota
	equal
	unequal
	less
	more
	atMost
	atLeast
)

var relations = [...]string{"", "=", "<>", "<", ">", "<=", ">="}

func (c comparison) holds(v int64) bool { return c.op.holds(v, c.value) }

// holds reports whether x stands in the relation to y.
func (r relation) holds(x, y int64) bool {
	switch r {
	case equal:
		return x == y
	case unequal:
		return x != y
	case less:
		return x < y
	case more:
		return x > y
	case atMost:
		return x <= y
	case atLeast:
		return x >= y
	}
	return false
}

func (c comparison) String() string { return fmt.Sprintf("%s%d", relations[c.op], c.value) }

// A bound is the 2 of mi2.
type bound struct {
	set   bool
	value int64
}

// value returns the value of a face before penetration.
func (p *pool) value(face int64) int64 {
	if p.floor.set {
		face = max(face, p.floor.value)
	}
	if p.ceiling.set {
		face = min(face, p.ceiling.value)
	}
	return face
}

// bare reports whether the pool is only the sum of its dice.
func (p *pool) bare() bool {
	return len(p.reroll) == 0 && !p.unique && !p.floor.set && !p.ceiling.set &&
		len(p.explode) == 0 && len(p.selects) == 0 && p.counts.op == never && p.order == asRolled
}

// String returns the canonical form of the expression, without the comment. Parsing it gives an equivalent expression.
func (e *Expr) String() string {
	var b strings.Builder
	write(&b, e.root)
	return b.String()
}

func write(b *strings.Builder, n node) {
	switch n := n.(type) {
	case *number:
		fmt.Fprintf(b, "%d", n.value)
	case *pool:
		writePool(b, n)
	case *group:
		open, end := "{", "}"
		if n.name != "" {
			open, end = n.name+"(", ")"
		}
		b.WriteString(open)
		for i, part := range n.parts {
			if i > 0 {
				b.WriteString(", ")
			}
			write(b, part)
		}
		b.WriteString(end)
		if n.name == "" {
			writeScoring(b, &n.scoring)
		}
	case *decimal:
		b.WriteString(n.text)
	case *function:
		if n.implied {
			write(b, n.operand)
			return
		}
		b.WriteString(n.name)
		writeOperand(b, n.operand, false)
	case *test:
		writeOperand(b, n.left, precedence(n.left) > comparing)
		b.WriteString(" " + relations[n.op] + " ") // without the blanks it would belong to dice before it
		writeOperand(b, n.right, precedence(n.right) > comparing)
	case *negation:
		b.WriteByte('-')
		writeOperand(b, n.operand, precedence(n.operand) == atom)
	case *binary:
		writeOperand(b, n.left, precedence(n.left) >= precedence(n))
		b.WriteByte(n.op)
		writeOperand(b, n.right, precedence(n.right) > precedence(n))
	}
}

// Precedence levels, loosest first.
const (
	comparing = iota
	sum
	product
	sign
	atom
)

func precedence(n node) int {
	switch n := n.(type) {
	case *negation:
		return sign
	case *test:
		return comparing
	case *function:
		if n.implied {
			return precedence(n.operand)
		}
	case *binary:
		if n.op == '+' || n.op == '-' {
			return sum
		}
		return product
	}
	return atom
}

func writeOperand(b *strings.Builder, n node, bare bool) {
	if bare {
		write(b, n)
		return
	}
	b.WriteByte('(')
	write(b, n)
	b.WriteByte(')')
}

func writePool(b *strings.Builder, p *pool) {
	if p.offset != 0 {
		fmt.Fprintf(b, "%ddF", p.count)
	} else {
		fmt.Fprintf(b, "%dd%d", p.count, p.sides)
	}
	again := "r"
	if p.once {
		again = "ro"
	}
	writeMatch(b, again, p.reroll)
	if p.unique {
		b.WriteByte('u')
		if p.uniqueOnce {
			b.WriteByte('o')
		}
	}
	if p.floor.set {
		fmt.Fprintf(b, "mi%d", p.floor.value)
	}
	if p.ceiling.set {
		fmt.Fprintf(b, "ma%d", p.ceiling.value)
	}
	writeMatch(b, "cs", p.critical)
	writeMatch(b, "cf", p.fumble)
	switch sign := p.explosion(); {
	// A counting comparison would be parsed as that of the explosion.
	case p.highest && (p.counts.op == never || len(p.selects) > 0):
		b.WriteString(sign)
	default:
		writeMatch(b, sign, p.explode)
	}
	writeScoring(b, &p.scoring)
	b.WriteString([...]string{"", "sa", "sd"}[p.order])
}

// explosion is the sign of how the dice explode: ! !! !p !!p.
func (p *pool) explosion() string {
	sign := "!"
	if p.compound {
		sign += "!"
	}
	if p.penetrate {
		sign += "p"
	}
	return sign
}

// writeMatch writes the word with each comparison.
func writeMatch(b *strings.Builder, word string, m match) {
	for _, c := range m {
		b.WriteString(word + c.String())
	}
}

func writeScoring(b *strings.Builder, s *scoring) {
	for _, sel := range s.selects {
		fmt.Fprintf(b, "%s%d", sel.word(), sel.n)
	}
	if s.counts.op != never {
		b.WriteString(s.counts.String())
	}
	if s.fails.op != never {
		b.WriteString("f" + s.fails.String())
	}
}

func (s selection) word() string {
	switch {
	case s.keep && s.highest:
		return "kh"
	case s.keep:
		return "kl"
	case s.highest:
		return "dh"
	}
	return "dl"
}
