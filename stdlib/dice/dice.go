// Package dice throws dice: it reads the notation that the hobby knows, says which die comes next
// and what the faces come to, and gives faces by name out of a seed. An expression is a pure
// function of the faces so far, so any source can drive it: a seed, a script, a person, every
// outcome in turn. It must never know who throws, or what for.
//
// The notation, in any case and with spaces anywhere:
//
//	2d6+3  4*(1d4-1)  7/2    arithmetic; division rounds down, by a number only
//	d20  d%  4dF             one die; of a hundred sides; Fate dice, -1 to +1
//	4d6kh3  kl  dh  dl       keep or drop the highest or lowest (k is kh1, d is dl1)
//	3d6!  !!  !p  !!p        each highest face brings another die; added to its own die;
//	                         less one; both
//	2d6r  ro                 throw a 1 again until it is none; once
//	5d6u                     throw again what another die shows
//	4d6mi2ma5                a die counts at least 2, at most 5
//	d20cs>=19cf              marks a 19 or 20 as critical, a 1 as fumbled
//	6d10>=8                  how many dice come to 8 or more
//	{2d6, 1d8+1}kh1          the same keep, drop and count for whole totals; without
//	                         them the sum
//	min(2d6, 7)  max         the least, the greatest of some totals
//	ceil(2d6/2)  round floor how a fraction becomes whole: see function
//	abs(1d6-1d6)             without its sign
//	1d8 # longsword          a comment
//
// !, r, cs and cf take a comparison: !>=5, r<3, ro=2, or r2 for short. Comparisons are = <> < > <= >=,
// and a bare one that follows counts. In whatever order they are written, a die is thrown again
// first (r, then u), then held to its bounds, and then explodes, or is marked, by the face that lies
// there; dice are kept and dropped as written, and counted last.
package dice

import "slices"

// The limits of an expression. A text that breaks one is refused, except for MaxChain: a die that
// has led to so many throws stands as it lies.
const (
	MaxLength  = 1000                  // bytes of text
	MaxDice    = 1000                  // dice thrown outright
	MaxSides   = 1_000_000             // sides of a die
	MaxNesting = 32                    // parentheses, braces and signs within one another
	MaxChain   = 1000                  // throws that one die leads to, rerolls and explosions together
	MinRest    = 20                    // one face in so many neither is thrown again nor explodes
	MaxNumber  = 1_000_000_000         // a number written out
	MaxTotal   = 1_000_000_000_000_000 // what any part can come to
)

// An Expr is an expression ready to be thrown. It never changes and may be shared.
type Expr struct {
	root    node
	comment string
	bounds  bounds
	plain   plain
	flat    bool // plain holds
}

// Next says which die is thrown next, given the faces so far, or that none is. The faces of an
// n-sided die are 1..n; those of a Fate die are 1..3 and stand for -1..+1.
func (e *Expr) Next(faces []int32) (sides int32, done bool) {
	if e.flat {
		if len(faces) < int(e.plain.n) {
			return e.plain.sides, false
		}
		return 0, true
	}
	t := begin(faces)
	defer t.end()
	t.eval(e.root)
	return t.wanted, t.wanted == 0
}

// Total returns what the faces come to. It is 0 while Next wants another; faces beyond the last
// are ignored.
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
	t := begin(faces)
	defer t.end()
	total := t.eval(e.root)
	if t.wanted != 0 {
		return 0
	}
	return total
}

// Throw throws all dice: draw gives the face of the nth die, from 0, of so many sides. The faces are
// appended to those given, which may be nil.
func (e *Expr) Throw(draw func(n int, sides int32) int32, faces []int32) (thrown []int32, total int64) {
	if e.flat {
		total = e.plain.flat
		for n := range int(e.plain.n) {
			face := draw(n, e.plain.sides)
			faces, total = append(faces, face), total+int64(face)
		}
		return faces, total
	}
	t := begin(nil)
	defer t.end()
	t.draw = draw
	total = t.eval(e.root)
	return append(faces, t.faces...), total
}

// Trace returns the dice that the faces were thrown with, one for each face, in their order. It
// works for a throw that is not finished too; what then is dropped and counted may still change.
func (e *Expr) Trace(faces []int32) []Die {
	t := begin(faces)
	defer t.end()
	t.eval(e.root)
	return slices.Clone(t.dice)
}

// Plain returns n, sides and flat of an expression that is no more than the sum of n like dice
// and a number.
func (e *Expr) Plain() (n, sides int32, flat int64, ok bool) {
	return e.plain.n, e.plain.sides, e.plain.flat, e.flat
}

// Min returns a bound below which no total falls. It is the lowest total, except that for
// unique, exploding and counted dice the lowest may lie above it. A face that is to be thrown
// again does not enter into it, though by MaxChain one may be left lying.
func (e *Expr) Min() int64 { return e.bounds.low }

// Max returns a bound above which no total rises; see Min.
func (e *Expr) Max() int64 { return e.bounds.high }

// Comment returns the text after #, without the spaces around it.
func (e *Expr) Comment() string { return e.comment }

// plain is n dice of the same sides and a flat number.
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
