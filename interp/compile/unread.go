package compile

import "arbiter/interp/program"

// This file takes out of a chunk what nobody reads: values that lie in a register until another is put there. They are
// what is left of questions that are not asked any more, and of loops that stop early. Only what cannot fail is taken out,
// so that errors stay where they are.

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

// unread takes out what nobody reads, and says whether that was anything.
func (f *fn) unread() bool {
	before := make([]regSet, len(f.code)+2) // what is read from an instruction on, before something else is put there
	for changed := true; changed; {
		changed = false
		for at := len(f.code) - 1; at >= 0; at-- {
			if set := f.readFrom(at, before); set != before[at] {
				before[at], changed = set, true
			}
		}
	}
	any := false
	for at := range f.code {
		in := &f.code[at]
		if after := f.readAfter(at, before); idleWhenUnread(in.Op) && !after.has(in.A) {
			*in, any = program.Instr{Op: program.OpJump, D: int32(at + 1)}, true
		}
	}
	return any
}

// readAfter is what is read after an instruction, wherever it goes on. What was given is whoever's who gave it, to read as it
// is left: the parameters of a procedure are filled in so.
func (f *fn) readAfter(at int, before []regSet) (set regSet) {
	for r := range f.given {
		set.add(uint8(r))
	}
	in := &f.code[at]
	if in.Op.Jumps() {
		set.join(&before[in.D])
	}
	switch in.Op {
	case program.OpJump, program.OpReturn, program.OpReturnInt, program.OpReturnConst, program.OpFail, program.OpEnd:
	case program.OpInstead:
		set.join(&before[at+2])
		fallthrough
	default:
		set.join(&before[at+1])
	}
	return set
}

// readFrom is what is read from an instruction on.
func (f *fn) readFrom(at int, before []regSet) regSet {
	o := f.operandsOf(&f.code[at])
	if o.any {
		return regSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	}
	set := f.readAfter(at, before)
	for _, r := range o.writes {
		set.remove(r)
	}
	for _, r := range o.reads {
		set.add(r)
	}
	return set
}

// idleWhenUnread says whether an operation does nothing but leave a value in A.
func idleWhenUnread(op program.Op) bool {
	switch op {
	case program.OpConst, program.OpInt, program.OpLoadNone, program.OpCopy, program.OpNot, program.OpEq, program.OpNe, program.OpLt, program.OpLe,
		program.OpMin, program.OpMax:
		return true
	}
	return false
}
