package compile

import "arbiter/interp/program"

// This file eliminates dead values from a chunk: values in a register that are overwritten before they are read. They
// are left over from eliminated tests, and from loops that stop early. Only what cannot fail is removed, so that errors
// stay where they are.

// regSet is a set of registers.
type regSet [4]uint64

func (s *regSet) add(r uint8)      { s[r>>6] |= 1 << (r & 63) }
func (s *regSet) remove(r uint8)   { s[r>>6] &^= 1 << (r & 63) }
func (s *regSet) has(r uint8) bool { return s[r>>6]>>(r&63)&1 != 0 }

func (s *regSet) join(x *regSet) {
	for i := range s {
		s[i] |= x[i]
	}
}

// removeUnused removes dead values, and says whether there were any.
func (f *chunkBuilder) removeUnused() bool {
	live := make([]regSet, len(f.code)+2) // registers live before each instruction
	loops := f.hasLoops()                 // without any, a single pass from the end suffices
	for changed := true; changed; {
		changed = false
		for at := len(f.code) - 1; at >= 0; at-- {
			if set := f.liveBefore(at, live); set != live[at] {
				live[at], changed = set, loops
			}
		}
	}
	any := false
	for at := range f.code {
		in := &f.code[at]
		if !isRemovable(in.Op) {
			continue
		}
		if after := f.liveAfter(at, live); !after.has(in.A) {
			*in, any = program.Instr{Op: program.OpJump, D: int32(at + 1)}, true
		}
	}
	return any
}

// hasLoops says whether some jump leads back.
func (f *chunkBuilder) hasLoops() bool {
	for at := range f.code {
		if in := &f.code[at]; in.Op.Jumps() && int(in.D) <= at {
			return true
		}
	}
	return false
}

// liveAfter is the set of registers live after an instruction, wherever it continues. Parameters are always live, since
// the caller may read what is left in them: that is how the parameters of a procedure get their defaults.
func (f *chunkBuilder) liveAfter(at int, live []regSet) (set regSet) {
	for r := range f.params {
		set.add(uint8(r))
	}
	in := &f.code[at]
	if in.Op.Jumps() {
		set.join(&live[in.D])
	}
	switch {
	case in.Op.Leaves():
	case in.Op == program.OpInstead:
		set.join(&live[at+2])
		fallthrough
	default:
		set.join(&live[at+1])
	}
	return set
}

// liveBefore is the set of registers live before an instruction.
func (f *chunkBuilder) liveBefore(at int, live []regSet) regSet {
	o := f.operandsOf(&f.code[at])
	if o.any {
		return regSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	}
	set := f.liveAfter(at, live)
	for _, r := range o.writes {
		set.remove(r)
	}
	for _, r := range o.reads {
		set.add(r)
	}
	return set
}

// isRemovable says whether an operation only leaves a value in A and cannot fail.
func isRemovable(op program.Op) bool {
	switch op {
	case program.OpConst, program.OpInt, program.OpLoadNone, program.OpCopy, program.OpNot, program.OpEq, program.OpNe, program.OpLt, program.OpLe,
		program.OpMin, program.OpMax:
		return true
	}
	return false
}
