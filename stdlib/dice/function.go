package dice

import "arbiter/stdlib/exact"

// This file handles how a fraction becomes a whole number.

// applyTo applies the function to a value.
func (f *function) applyTo(over int64) int64 {
	switch f.name {
	case "abs":
		return max(over, -over)
	case "ceil":
		return -floorDiv(-over, f.denominator)
	case "round": // halves go up
		return floorDiv(2*over+f.denominator, 2*f.denominator)
	}
	return floorDiv(over, f.denominator)
}

func floorDiv(a, b int64) int64 {
	quotient, _ := exact.FloorDiv(a, b)
	return quotient
}

// fraction returns n as the quotient of a whole node and a positive number, without rounding any division in n. It
// rolls the same dice in the same order. fits is false if the divisor exceeds MaxTotal.
func fraction(n node) (over node, under int64, fits bool) {
	switch n := n.(type) {
	case *decimal:
		return &number{n.over}, n.under, true
	case *negation:
		over, under, fits = fraction(n.operand)
		return &negation{over}, under, fits
	case *binary:
		left, a, ok1 := fraction(n.left)
		right, b, ok2 := fraction(n.right)
		if !ok1 || !ok2 {
			return n, 1, false
		}
		switch n.op {
		case '*':
			under, fits = checkedProduct(a, b)
			return &binary{'*', n.column, left, right}, under, fits
		case '/': // by a plain number, which is not zero
			by, _, ok := boundsOf(right)
			if !ok {
				return n, 1, false
			}
			if by.low < 0 {
				by.low, b = -by.low, -b
			}
			under, fits = checkedProduct(a, by.low)
			return multiplyNode(left, b, n.column), under, fits
		}
		if n.op == '%' { // by a plain number, as above
			by, _, ok := boundsOf(right)
			under, fits = checkedProduct(a, b/gcd(a, b))
			if !ok || !fits {
				return n, 1, false
			}
			if by.low, fits = exact.Mul(by.low, under/b); !fits {
				return n, 1, false
			}
			return &binary{'%', n.column, multiplyNode(left, under/a, n.column), &number{by.low}}, under, true
		}
		common := gcd(a, b)
		under, fits = checkedProduct(a, b/common)
		return &binary{n.op, n.column, multiplyNode(left, b/common, n.column), multiplyNode(right, a/common, n.column)}, under, fits
	}
	return n, 1, true
}

func multiplyNode(n node, by int64, column int32) node {
	if by == 1 {
		return n
	}
	return &binary{'*', column, n, &number{by}}
}

// checkedProduct multiplies two positive numbers.
func checkedProduct(a, b int64) (int64, bool) {
	p, ok := exact.Mul(a, b)
	return p, ok && p <= maxTotal
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
