package program

import (
	"encoding/binary"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// Positions are the source positions of instructions, seldom asked for and many: a program keeps them as differences
// between one and the next. Copies of a program share those that it has; each adds those of its loose code.
type Positions struct {
	shared []stretch // in order, none is empty
	own    stretch
}

// stretch holds the positions of consecutive instructions. One that is shared is only read.
type stretch struct {
	First  int32   // number of the first instruction
	Count  int32   // of instructions
	Blocks []int32 // where each block starts in Bytes
	Bytes  []byte
	Last   ir.Pos // of the last instruction
}

// blockSize is how many positions are a block: within one, each is a difference from the one before.
const blockSize = 32

// positionParts is how many numbers a position is.
const positionParts = 7

// noChange is the difference between a position and itself.
var noChange [positionParts]byte

// numbers lists the parts of a position.
func numbers(p *ir.Pos) [positionParts]int {
	s, e := p.Span.Start, p.Span.End
	return [...]int{int(p.File), s.Line, s.Column, s.Offset, e.Line - s.Line, e.Column - s.Column, e.Offset - s.Offset}
}

// Append adds the positions of the next instructions.
func (x *Positions) Append(list []ir.Pos) {
	o := &x.own
	if o.Count == 0 {
		o.First = x.start()
	}
	count, text, last := o.Count, o.Bytes, o.Last
	for _, pos := range list {
		if count%blockSize == 0 {
			o.Blocks, last = append(o.Blocks, int32(len(text))), ir.Pos{}
		}
		count++
		if pos == last { // as most are
			text = append(text, noChange[:]...)
			continue
		}
		before, now := numbers(&last), numbers(&pos)
		for k, n := range now {
			text = binary.AppendVarint(text, int64(n-before[k]))
		}
		last = pos
	}
	o.Count, o.Bytes, o.Last = count, text, last
}

// start is the number of the first instruction whose position is not shared.
func (x *Positions) start() int32 {
	if n := len(x.shared); n > 0 {
		return x.shared[n-1].First + x.shared[n-1].Count
	}
	return 0
}

// Of returns the position of an instruction, the zero one if there is none.
func (x *Positions) Of(at int32) ir.Pos {
	in := &x.own
	for i := range x.shared {
		if at < x.shared[i].First+x.shared[i].Count {
			in = &x.shared[i]
			break
		}
	}
	if at -= in.First; at < 0 || at >= in.Count {
		return ir.Pos{}
	}
	rest := in.Bytes[in.Blocks[at/blockSize]:]
	var v [positionParts]int
	for range at%blockSize + 1 {
		for k := range v {
			n, size := binary.Varint(rest)
			v[k] += int(n)
			rest = rest[size:]
		}
	}
	start := ast.Pos{Line: v[1], Column: v[2], Offset: v[3]}
	return ir.Pos{File: int32(v[0]), Span: ast.Span{Start: start, End: ast.Pos{Line: start.Line + v[4], Column: start.Column + v[5], Offset: start.Offset + v[6]}}}
}

// share makes the positions so far those that copies share.
func (x *Positions) share() {
	if x.own.Count > 0 {
		x.shared = append(x.shared[:len(x.shared):len(x.shared)], x.own)
		x.own = stretch{}
	}
}

// takeRoom lets positions that are all shared be followed by own ones in the memory of those of another copy.
func (x *Positions) takeRoom(spare *Positions) {
	x.own = stretch{Blocks: spare.own.Blocks[:0], Bytes: spare.own.Bytes[:0]}
}
