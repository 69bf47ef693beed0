package odds

import (
	"math/big"
	"unsafe"
)

// share is a part of all outcomes, as a fraction that is not reduced: all branches that have rolled the same dice have
// the same denominator, so they are added without looking for common divisors, which takes most of the time when there
// are many dice. Its numbers are never changed.
type share struct{ ways, of *big.Int }

var (
	nothing = newShare(0, 1)
	whole   = newShare(1, 1)
)

func newShare(ways, of int64) share { return share{big.NewInt(ways), big.NewInt(of)} }

// times returns the product of two shares.
func (s share) times(t share) share {
	return share{new(big.Int).Mul(s.ways, t.ways), new(big.Int).Mul(s.of, t.of)}
}

func (s share) plus(t share) share {
	x, y, of := s.expand(t)
	return share{new(big.Int).Add(x, y), of}
}

func (s share) minus(t share) share {
	x, y, of := s.expand(t)
	return share{new(big.Int).Sub(x, y), of}
}

// expand returns the ways of both shares out of the same number.
func (s share) expand(t share) (x, y, of *big.Int) {
	switch s.of.Cmp(t.of) {
	case 0:
		return s.ways, t.ways, s.of
	case 1:
		y, x, of = t.expand(s)
		return x, y, of
	}
	quotient, rest := new(big.Int).QuoRem(t.of, s.of, new(big.Int))
	if rest.Sign() == 0 {
		return quotient.Mul(quotient, s.ways), t.ways, t.of
	}
	common := new(big.Int).GCD(nil, nil, s.of, t.of)
	forS := new(big.Int).Quo(t.of, common)
	forT := common.Quo(s.of, common)
	return new(big.Int).Mul(s.ways, forS), new(big.Int).Mul(t.ways, forT), new(big.Int).Mul(s.of, forS)
}

func (s share) rat() *big.Rat { return new(big.Rat).SetFrac(s.ways, s.of) }

// bytes is the memory of the share besides itself, approximately.
func (s share) bytes() int {
	return int(unsafe.Sizeof(*s.ways)) + 8*(len(s.ways.Bits())+len(s.of.Bits()))
}
