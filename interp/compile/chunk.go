package compile

import (
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file builds one chunk: registers, instructions, jumps.

// maxRegs is how many registers a chunk can name; the number NoReg is not one.
const maxRegs = 250

// maxPasses limits how often removeRedundant and removeUnused run over a chunk: what one of them removes gives the
// other new opportunities. They skip a chunk longer than maxOptimized.
const (
	maxPasses    = 4
	maxOptimized = 4000
)

type chunkBuilder struct {
	c        *compiler
	name     string
	code     []program.Instr
	pos      []ir.Pos // of each instruction
	at       ir.Pos   // of the code being compiled
	vars     map[*ir.Var]int
	next     int // the first free register
	peakRegs int // maximum number of registers in use
	params   int // number of parameters

	inlineStack []*ir.Define // defines being inlined
	inlining    int          // the call being inlined, as numbered by inlinings
	inlinings   map[occurrence]int
	invariants  map[occurrence]int     // registers of what the enclosing loops compute once
	tracked     []*int32               // positions of instructions to be kept up to date
	hushed      []*int32               // of those, instructions whose change the transcript leaves out
	assigned    map[*ir.Var][]*ir.Expr // what numbers have been set to so far

	readBuf, writeBuf []uint8 // buffers for the registers of an instruction

	self, actor, inst int  // registers, or -1
	interrupted       int  // first register of the interrupted names if they are in this chunk, or -1
	interruptsCheck   bool // the interrupted variables are those of a check
	callsAreCommands  bool // calls are commands
	mayAct            bool // may roll dice and ask
	runsOnce          bool // of a rule that runs once in a turn or the like

	probing ir.Pos // the condition inside which code is compiled, if conditions are marked
}

// newChunk begins a chunk with args parameters, of which the first is self.
func (c *compiler) newChunk(name string, args int) *chunkBuilder {
	f := &chunkBuilder{c: c, name: name, vars: map[*ir.Var]int{}, next: args, peakRegs: args, params: args, self: 0, actor: -1, inst: -1, interrupted: -1}
	if n := len(c.spareBuffers); n > 0 { // reuse the buffers of a finished chunk
		f.code, f.pos = c.spareBuffers[n-1].code[:0], c.spareBuffers[n-1].pos[:0]
		c.spareBuffers = c.spareBuffers[:n-1]
	}
	return f
}

// emit appends an instruction and returns its position in the chunk.
func (f *chunkBuilder) emit(op program.Op, a, b, c int, d int32) int {
	f.code = append(f.code, program.Instr{Op: op, A: uint8(a), B: uint8(b), C: uint8(c), D: d})
	f.pos = append(f.pos, f.at)
	return len(f.code) - 1
}

// here is the position of the next instruction.
func (f *chunkBuilder) here() int32 { return int32(len(f.code)) }

// recordPosition records the position of the next instruction in place, and keeps it up to date; when the chunk is
// finished, that is its position in the program.
func (f *chunkBuilder) recordPosition(place *int32) {
	*place = f.here()
	f.tracked = append(f.tracked, place)
}

// hush marks the next instruction, which does what the statement says, as one whose change the transcript leaves out, if
// the statement says so.
func (f *chunkBuilder) hush(s *ir.Stmt) {
	if s.Quiet {
		place := new(int32)
		f.recordPosition(place)
		f.hushed = append(f.hushed, place)
	}
}

// patch makes jumps lead here.
func (f *chunkBuilder) patch(jumps []int) {
	for _, j := range jumps {
		f.code[j].D = f.here()
	}
}

// temp allocates a register; resetting next frees it.
func (f *chunkBuilder) temp() int { return f.block(1) }

// block allocates adjacent registers.
func (f *chunkBuilder) block(n int) int {
	r := f.next
	f.next += n
	if f.next > maxRegs {
		f.c.fail(f.at, "%s needs more than %d names and intermediate values at once", f.name, maxRegs)
		f.next = f.params
		return 0
	}
	f.peakRegs = max(f.peakRegs, f.next)
	return r
}

// declare allocates a register for a variable.
func (f *chunkBuilder) declare(v *ir.Var) {
	if v == nil || v.Kind != ir.VarLocal && v.Kind != ir.VarParam {
		return
	}
	if _, ok := f.vars[v]; !ok {
		f.vars[v] = f.temp()
	}
}

// declareExprs and declareStmts allocate registers for all variables that the code binds, so that no temporary value
// ever overwrites one.
func (f *chunkBuilder) declareExprs(es ...*ir.Expr) {
	for _, e := range es {
		ir.WalkExpr(e, func(e *ir.Expr) {
			if e.Query != nil {
				f.declare(e.Query.Var)
			}
		})
	}
}

func (f *chunkBuilder) declareStmts(body []*ir.Stmt) {
	ir.WalkStmts(body, func(s *ir.Stmt) {
		if s.Var != nil && s.Var.Kind == ir.VarLocal {
			f.declare(s.Var)
		}
		if s.Query != nil {
			f.declare(s.Query.Var)
		}
		if s.Check != nil && s.Check.Var != nil && s.Check.Var.Kind == ir.VarLocal {
			f.declare(s.Check.Var)
		}
	}, func(e *ir.Expr) {
		if e.Query != nil {
			f.declare(e.Query.Var)
		}
	})
}

// finish appends the chunk to the program and returns its index.
func (f *chunkBuilder) finish(shape program.Shape) int32 {
	f.inlineReturns()
	f.shorten()
	for round := 0; round < maxPasses && f.mayOptimize(); round++ {
		redundant := f.removeRedundant()
		if unused := f.removeUnused(); !redundant && !unused {
			break
		}
		f.shorten()
	}
	p := f.c.p
	start := int32(len(p.Code))
	for _, place := range f.tracked {
		*place += start
	}
	for _, in := range f.code {
		if in.Op.Jumps() {
			in.D += start
		}
		p.Code = append(p.Code, in)
	}
	p.Pos.Append(f.pos)
	for _, place := range f.hushed {
		p.Quiet = append(p.Quiet, *place)
	}
	p.Chunks = append(p.Chunks, program.Chunk{
		Name: f.name, Start: start, End: int32(len(p.Code)), Params: int32(f.params), Regs: int32(f.peakRegs), Shape: shape,
	})
	f.c.spareBuffers = append(f.c.spareBuffers, codeBuffer{f.code, f.pos})
	f.code, f.pos = nil, nil
	if f.c.opts.Named != nil {
		f.c.opts.Named(int32(len(p.Chunks)-1), f.vars)
	}
	return int32(len(p.Chunks) - 1)
}

func (f *chunkBuilder) mayOptimize() bool {
	return len(f.code) <= maxOptimized && !f.c.opts.Unoptimized && f.c.err == nil
}

// codeBuffer is a buffer for a chunk's code before it goes into the program.
type codeBuffer struct {
	code []program.Instr
	pos  []ir.Pos
}

// returnInt ends the chunk with a number.
func (f *chunkBuilder) returnInt(v int64) {
	r := f.temp()
	f.load(r, v)
	f.emit(program.OpReturn, r, 0, 0, 0)
}

// returnExpr ends the chunk with the value of an expression.
func (f *chunkBuilder) returnExpr(e *ir.Expr) {
	if f.computedByJumps(e) {
		f.returnYes(f.jump(e, false))
		return
	}
	r := f.temp()
	f.expr(e, r)
	f.emit(program.OpReturn, r, 0, 0, 0)
}

// computedByJumps says whether a yes-no is computed by jumps, so that it is in no register.
func (f *chunkBuilder) computedByJumps(e *ir.Expr) bool {
	switch e.Op {
	case ir.OpAnd, ir.OpOr:
		return true
	case ir.OpDefine:
		return f.canInline(e.Define) && f.computedByJumps(e.Define.Func.Body)
	case ir.OpQuery:
		return e.Query.Word == "some" || e.Query.Word == "no"
	}
	return false
}

// returnYes ends a chunk that returns yes, or no at the given jumps.
func (f *chunkBuilder) returnYes(no []int) {
	f.returnInt(1)
	f.patch(no)
	f.returnInt(0)
}

// load loads a constant into a register.
func (f *chunkBuilder) load(r int, v int64) {
	switch {
	case v == program.None:
		f.emit(program.OpLoadNone, r, 0, 0, 0)
	case v == int64(int32(v)):
		f.emit(program.OpInt, r, 0, 0, int32(v))
	default:
		f.emit(program.OpConst, r, 0, 0, f.c.constIndex(v))
	}
}

// initialValues returns the nonzero initial values of variables.
func (f *chunkBuilder) initialValues() []program.InitialValue {
	var z []program.InitialValue
	for v, r := range f.vars {
		if x := program.ZeroOf(v.Type); x != 0 && r >= f.params {
			z = append(z, program.InitialValue{Reg: int32(r), Value: x})
		}
	}
	slices.SortFunc(z, func(a, b program.InitialValue) int { return int(a.Reg - b.Reg) })
	return z
}
