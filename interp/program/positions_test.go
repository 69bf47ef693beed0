package program

import (
	"testing"

	"arbiter/interp/ir"
)

// A copy of a program sees the positions of the original, and neither sees what is added to the other later.
func TestPositionsOfCopies(t *testing.T) {
	pos := func(files ...int32) (list []ir.Pos) {
		for _, f := range files {
			list = append(list, ir.Pos{File: f})
		}
		return list
	}
	p := &Program{}
	p.Pos.Append(pos(1, 2))
	p.Finish()
	first := p.Clone()
	first.Pos.Append(pos(3))
	second := first.Clone()
	first.Pos.Append(pos(4))
	second.Pos.Append(pos(5, 6))
	for _, x := range []struct {
		of   *Program
		want []int32
	}{{p, []int32{1, 2, 0}}, {first, []int32{1, 2, 3, 4, 0}}, {second, []int32{1, 2, 3, 5, 6, 0}}} {
		for at, want := range x.want {
			if got := x.of.Pos.Of(int32(at)).File; got != want {
				t.Errorf("instruction %d of %v is in file %d, not %d", at, x.want, got, want)
			}
		}
	}
	if p.Pos.Of(-1) != (ir.Pos{}) {
		t.Error("a position before the first instruction")
	}
}
