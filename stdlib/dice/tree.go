package dice

import (
	"fmt"
	"strings"
)

// A node is part of an expression: *number, *pool, *group, *negation, *binary or *function.
type node interface{ node() }

// A number is 3.
type number struct{ value int64 }

// A pool is 4d6 and everything that is done with these dice.
type pool struct {
	column  int32
	count   int32
	sides   int32
	offset  int32 // added to each face: -2 for Fate dice
	reroll  comparison
	once    bool // reroll once only
	unique  bool
	floor   bound
	ceiling bound
	explode comparison
	compound, penetrate,
	highest bool // explode has no written comparison: it is the highest face
	critical, fumble comparison
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
	op          byte // + - * /
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
}

func (*number) node()   {}
func (*pool) node()     {}
func (*group) node()    {}
func (*negation) node() {}
func (*binary) node()   {}
func (*function) node() {}

// A scoring says which of several values count, and whether they are added or counted.
type scoring struct {
	selects []selection
	counts  comparison
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

func (c comparison) holds(v int64) bool {
	switch c.op {
	case equal:
		return v == c.value
	case unequal:
		return v != c.value
	case less:
		return v < c.value
	case more:
		return v > c.value
	case atMost:
		return v <= c.value
	case atLeast:
		return v >= c.value
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
	return p.reroll.op == never && !p.unique && !p.floor.set && !p.ceiling.set &&
		p.explode.op == never && len(p.selects) == 0 && p.counts.op == never
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
	case *function:
		b.WriteString(n.name)
		writeOperand(b, n.operand, false)
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
	sum = iota
	product
	sign
	atom
)

func precedence(n node) int {
	switch n := n.(type) {
	case *negation:
		return sign
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
	if p.reroll.op != never {
		b.WriteByte('r')
		if p.once {
			b.WriteByte('o')
		}
		b.WriteString(p.reroll.String())
	}
	if p.unique {
		b.WriteByte('u')
	}
	if p.floor.set {
		fmt.Fprintf(b, "mi%d", p.floor.value)
	}
	if p.ceiling.set {
		fmt.Fprintf(b, "ma%d", p.ceiling.value)
	}
	if p.critical.op != never {
		b.WriteString("cs" + p.critical.String())
	}
	if p.fumble.op != never {
		b.WriteString("cf" + p.fumble.String())
	}
	if p.explode.op != never {
		b.WriteByte('!')
		if p.compound {
			b.WriteByte('!')
		}
		if p.penetrate {
			b.WriteByte('p')
		}
		// A counting comparison would be parsed as that of the explosion.
		if !p.highest || p.counts.op != never && len(p.selects) == 0 {
			b.WriteString(p.explode.String())
		}
	}
	writeScoring(b, &p.scoring)
}

func writeScoring(b *strings.Builder, s *scoring) {
	for _, sel := range s.selects {
		fmt.Fprintf(b, "%s%d", sel.word(), sel.n)
	}
	if s.counts.op != never {
		b.WriteString(s.counts.String())
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
