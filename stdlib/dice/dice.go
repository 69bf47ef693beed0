// Package dice rolls dice: it parses the usual notation, says which die to roll next, totals the faces, and derives
// faces by name from a seed. An expression is a pure function of the faces so far, so any source can drive it: a seed,
// a script, a person, or an enumeration of all outcomes. The package must never know who rolls, or for what.
//
// The notation, in any case and with spaces anywhere:
//
//	2d6+3  4*(1d4-1)  7/2    arithmetic; division rounds down, by a number only
//	7//2  7%2                the same division, and what it leaves over
//	2d6*1.5                  with decimals fractions are exact, and only the result is rounded down
//	1d20+5 >= 15             1 if it holds, and otherwise 0
//	d20  d%  4dF             one die; of a hundred sides; Fate dice, -1 to +1
//	4d6kh3  kl  dh  dl       keep or drop the highest or lowest (k is kh1, d is dl1)
//	3d6!  !!  !p  !!p        exploding: each highest face adds another die; added to its own
//	                         die; less one; both
//	2d6r  ro                 reroll a 1 until it is none; once
//	5d6u  uo                 unique: reroll what another die shows; once
//	4d6mi2ma5                a die counts at least 2, at most 5
//	d20cs>=19cf              marks a 19 or 20 as critical, a 1 as fumbled
//	6d10>=8                  the number of dice that show 8 or more
//	6d10>=8f1                less the number of those that show 1
//	4d6sa  sd                shown in ascending or descending order (s is sa)
//	{2d6, 1d8+1}kh1          the same keep, drop and count for whole totals; without
//	                         them the sum; (2d6, 1d8+1)kh1 is the same
//	min(2d6, 7)  max         the lowest, the highest of several totals
//	ceil(2d6/2)  round floor how a fraction becomes whole: see function
//	abs(1d6-1d6)             the absolute value
//	1d8 # longsword          a comment
//
// !, r, cs and cf take a comparison: !>=5, r<3, ro=2, or r2 for short; given again they hold for either: r1r3.
// Comparisons are = <> < > <= >=, and == and != where totals are compared. A comparison that touches dice or braces counts
// them; one after a blank, or after anything else, compares totals. Whatever the order in which modifiers are written, a die is first rerolled (r,
// then u), then limited to its bounds (mi, ma); the face it shows then decides whether it explodes or is marked. Dice
// are kept and dropped in the order written, and counted last.
package dice

import (
	"math/big"
	"slices"
)

// Limits of an expression. A text that exceeds one is refused. MaxChain alone is a limit on rolling: a die that has led
// to that many rolls stays as it is.
const (
	MaxLength  = 1000                  // bytes of text
	maxDice    = 1000                  // dice rolled, without rerolls and explosions
	maxSides   = 1_000_000             // sides of a die
	maxNesting = 32                    // nested parentheses, braces and signs
	maxChain   = 1000                  // rolls that one die leads to, rerolls and explosions together
	minRest    = 20                    // at least one face in 20 is neither rerolled nor explodes
	maxNumber  = 1_000_000_000         // a literal number
	maxTotal   = 1_000_000_000_000_000 // absolute value of any part
)

// An Expr is a parsed expression. It is immutable and may be shared.
type Expr struct {
	root    node
	comment string
	bounds  bounds
	plain   plain
	flat    bool // plain is set
}

// Next returns the sides of the die to roll next, given the faces so far, or done if there is none. The faces of an
// n-sided die are 1..n; those of a Fate die are 1..3 and stand for -1..+1.
func (e *Expr) Next(faces []int32) (sides int32, done bool) {
	if e.flat {
		if len(faces) < int(e.plain.n) {
			return e.plain.sides, false
		}
		return 0, true
	}
	t := newEvaluation(faces)
	defer t.release()
	t.eval(e.root)
	return t.wanted, t.wanted == 0
}

// Total returns the total of the faces. It is 0 while Next wants another; surplus faces are ignored.
func (e *Expr) Total(faces []int32) int64 {
	if e.flat {
		if len(faces) < int(e.plain.n) {
			return 0
		}
		total := e.plain.flat
		for _, face := range faces[:e.plain.n] {
			total += int64(face)
		}
		return total
	}
	t := newEvaluation(faces)
	defer t.release()
	total := t.eval(e.root)
	if t.wanted != 0 {
		return 0
	}
	return total
}

// Roll rolls all dice: draw returns the face of the nth die, counted from 0, with the given sides. The faces are
// appended to those given, which may be nil.
func (e *Expr) Roll(draw func(n int, sides int32) int32, faces []int32) (thrown []int32, total int64) {
	if e.flat {
		total = e.plain.flat
		for n := range int(e.plain.n) {
			face := draw(n, e.plain.sides)
			faces, total = append(faces, face), total+int64(face)
		}
		return faces, total
	}
	t := newEvaluation(nil)
	defer t.release()
	t.draw = draw
	total = t.eval(e.root)
	return append(faces, t.faces...), total
}

// Compares reports whether the expression compares two totals, as 1d20+5 >= 15 does: its own total is then 1 or 0.
func (e *Expr) Compares() bool {
	_, ok := e.root.(*test)
	return ok
}

// Compared returns both sides of an expression that compares two totals, as exact fractions; nil, nil for any other.
func (e *Expr) Compared(faces []int32) (left, right *big.Rat) {
	n, ok := e.root.(*test)
	if !ok {
		return nil, nil
	}
	t := newEvaluation(faces)
	defer t.release()
	x := t.eval(n.over)
	y := t.eval(n.other)
	if t.wanted != 0 {
		return nil, nil
	}
	return big.NewRat(x, n.under), big.NewRat(y, n.under)
}

// Trace returns the dice that the faces were rolled with, one for each face, in order. It also works for an unfinished
// roll; which dice are dropped and counted may still change then.
func (e *Expr) Trace(faces []int32) []Die {
	t := newEvaluation(faces)
	defer t.release()
	t.eval(e.root)
	return slices.Clone(t.dice)
}

// Plain returns n, sides and flat of an expression that is only the sum of n equal dice and a number.
func (e *Expr) Plain() (n, sides int32, flat int64, ok bool) {
	return e.plain.n, e.plain.sides, e.plain.flat, e.flat
}

// Min returns a lower bound of the total. It is the lowest total, except that for unique, exploding and counted dice
// the lowest may be higher. Faces that are rerolled are ignored, though MaxChain may leave one in place.
func (e *Expr) Min() int64 { return e.bounds.low }

// Max returns an upper bound of the total; see Min.
func (e *Expr) Max() int64 { return e.bounds.high }

// Comment returns the text after #, without the spaces around it.
func (e *Expr) Comment() string { return e.comment }

// plain is n dice of equal sides plus a flat number.
type plain struct {
	n, sides int32
	flat     int64
}

// plainOf reduces n to the plain form, if it has one.
func plainOf(n node) (plain, bool) {
	if !rolls(n) {
		b, _, _ := boundsOf(n)
		return plain{flat: b.low}, true
	}
	switch n := n.(type) {
	case *pool:
		if !n.bare() {
			return plain{}, false
		}
		return plain{n.count, n.sides, int64(n.count) * int64(n.offset)}, true
	case *binary:
		left, ok1 := plainOf(n.left)
		right, ok2 := plainOf(n.right)
		switch {
		case !ok1 || !ok2:
		case n.op == '+' && (left.n == 0 || right.n == 0 || left.sides == right.sides):
			return plain{left.n + right.n, max(left.sides, right.sides), left.flat + right.flat}, true
		case n.op == '-' && right.n == 0:
			left.flat -= right.flat
			return left, true
		}
	}
	return plain{}, false
}
