package program

import (
	"slices"

	"arbiter/interp/ir"
)

// Positions are the source positions of instructions. Copies of a program share those that it has; each adds those of
// its loose code.
type Positions struct{ shared, own []ir.Pos }

// Append adds the positions of the next instructions.
func (x *Positions) Append(list []ir.Pos) { x.own = append(x.own, list...) }

// Of returns the position of an instruction, the zero one if there is none.
func (x *Positions) Of(at int32) ir.Pos {
	switch n := int(at) - len(x.shared); {
	case at < 0 || n >= len(x.own):
		return ir.Pos{}
	case n < 0:
		return x.shared[at]
	default:
		return x.own[n]
	}
}

// share makes the positions so far those that copies share.
func (x *Positions) share() {
	switch {
	case len(x.shared) == 0:
		x.shared, x.own = x.own, nil
	case len(x.own) > 0:
		x.shared, x.own = slices.Concat(x.shared, x.own), nil
	}
}
