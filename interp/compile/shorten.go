package compile

import (
	"slices"

	"arbiter/interp/program"
)

// This file shortens the code of a chunk: it replaces jumps to returns by returns, threads jumps to jumps, and removes
// jumps to the next instruction and unreachable code.

// inlineReturns replaces jumps to a return by the return, and loads before a return by a return of the constant.
func (f *chunkBuilder) inlineReturns() {
	for i := len(f.code) - 1; i >= 0; i-- {
		in := &f.code[i]
		if in.Op == program.OpJump && f.code[in.D].Op == program.OpReturn {
			*in = f.code[in.D]
		}
		if i+1 == len(f.code) || f.code[i+1].Op != program.OpReturn || f.code[i+1].A != in.A {
			continue
		}
		switch in.Op {
		case program.OpInt:
			in.Op, in.A = program.OpReturnInt, 0
		case program.OpConst:
			in.Op, in.A = program.OpReturnConst, 0
		case program.OpLoadNone:
			in.Op, in.A, in.D = program.OpReturnConst, 0, f.c.constIndex(program.None)
		case program.OpCopy:
			in.Op, in.A = program.OpReturn, in.B
		}
	}
}

// shorten removes what has no effect, and closes the gaps.
func (f *chunkBuilder) shorten() {
	for f.thread(); f.drop(f.findIdle()); f.thread() {
	}
}

// thread replaces the target of a jump to a jump that is taken by the final target, or the jump by a return. A loop keeps
// its target, by which steps are counted.
func (f *chunkBuilder) thread() {
	for i := range f.code {
		in := &f.code[i]
		if !in.Op.Jumps() || in.Op == program.OpLoop || in.Op == program.OpNext || in.Op == program.OpTo {
			continue
		}
		for hops := 0; hops < len(f.code) && f.taken(in); hops++ {
			in.D = f.code[in.D].D
		}
		if to := f.code[in.D]; in.Op == program.OpJump && to.Op >= program.OpReturn && to.Op <= program.OpReturnConst {
			*in = to
		}
	}
}

// taken says whether the target of a jump is a jump that is certainly taken, too: one without a condition, or with the
// same one, of the price of an action.
func (f *chunkBuilder) taken(in *program.Instr) bool {
	to := &f.code[in.D]
	return to.Op == program.OpJump || to.Op == program.OpJumpTooDear && in.Op == to.Op && in.A == to.A && in.B == to.B && in.C == to.C
}

// findIdle marks what has no effect: unreachable code, and jumps to the next instruction.
func (f *chunkBuilder) findIdle() []bool {
	reached := make([]bool, len(f.code)+1)
	var next []int32
	reach := func(i int32) {
		if !reached[i] {
			reached[i] = true
			next = append(next, i)
		}
	}
	reach(0)
	if last := len(f.code) - 1; f.code[last].Op == program.OpEnd { // where a script continues when it is stopped
		reach(int32(last))
	}
	for _, place := range f.tracked {
		reach(*place)
	}
	for i := range f.code {
		if op := f.code[i].Op; op == program.OpInstead || op == program.OpEndInstead { // the machine expects them in pairs
			reach(int32(i))
		}
	}
	for len(next) > 0 {
		i := next[len(next)-1]
		next = next[:len(next)-1]
		in := &f.code[i]
		if in.Op.Jumps() {
			reach(in.D)
		}
		switch {
		case in.Op.Leaves():
		case in.Op == program.OpInstead:
			reach(i + 1)
			reach(i + 2)
		default:
			reach(i + 1)
		}
	}
	idle := make([]bool, len(f.code))
	for i := range f.code {
		in := &f.code[i]
		replaces := i > 0 && f.code[i-1].Op == program.OpInstead // the jump after an OpInstead must stay
		idle[i] = !reached[i] || in.Op >= program.OpJump && in.Op <= program.OpJumpGeC && int(in.D) == i+1 && !replaces
	}
	return idle
}

// drop removes instructions and says whether there were any.
func (f *chunkBuilder) drop(idle []bool) bool {
	if !slices.Contains(idle, true) {
		return false
	}
	to := make([]int32, len(f.code)+1) // new position of each, or of the next one that stays
	n := int32(0)
	for i := range f.code {
		to[i] = n
		if idle[i] {
			continue
		}
		f.code[n], f.pos[n] = f.code[i], f.pos[i]
		n++
	}
	to[len(f.code)] = n
	f.code, f.pos = f.code[:n], f.pos[:n]
	for i := range f.code {
		if in := &f.code[i]; in.Op.Jumps() {
			in.D = to[in.D]
		}
	}
	for _, place := range f.tracked {
		*place = to[*place]
	}
	return true
}
