package compile

import "arbiter/interp/program"

// This file says which registers an instruction reads and writes, for the optimizations of a chunk (redundant.go,
// unused.go). Instructions that it does not know, above all acting ones, may read and write anything: rules that
// interrupt a procedure see its variables.

// shape says what the operands of an instruction are.
type shape uint8

const (
	setsA  shape = 1 << iota // it sets A
	readsA                   // it reads register A
	readsB
	readsC
	readsBlock // it reads the C registers from B
	other      // it has others: see operandsOf
)

// shapes of operations; those without one may read and write anything.
var shapes = [256]shape{
	program.OpConst: setsA, program.OpInt: setsA, program.OpLoadNone: setsA, program.OpOuter: setsA, program.OpGlobal: setsA,
	program.OpSpent: setsA, program.OpAction: setsA, program.OpWithin: setsA | other,

	program.OpCopy: setsA | readsB, program.OpGetField: setsA | readsB, program.OpFieldOr: setsA | readsB, program.OpGetSlot: setsA | readsB,
	program.OpMemory: setsA | readsB, program.OpOwnValue: setsA | readsB, program.OpPart: setsA | readsB, program.OpAddInt: setsA | readsB,
	program.OpNeg: setsA | readsB, program.OpNot: setsA | readsB, program.OpLength: setsA | readsB, program.OpNewList: setsA | readsB,

	program.OpLookup: setsA | readsB | readsC, program.OpAdd: setsA | readsB | readsC, program.OpSub: setsA | readsB | readsC,
	program.OpMul: setsA | readsB | readsC, program.OpDiv: setsA | readsB | readsC, program.OpMin: setsA | readsB | readsC,
	program.OpMax: setsA | readsB | readsC, program.OpEq: setsA | readsB | readsC, program.OpNe: setsA | readsB | readsC,
	program.OpLt: setsA | readsB | readsC, program.OpLe: setsA | readsB | readsC, program.OpEnumAdd: setsA | readsB | readsC,
	program.OpDiceAdd: setsA | readsB | readsC, program.OpDiceMul: setsA | readsB | readsC, program.OpConcat: setsA | readsB | readsC,
	program.OpListDiff: setsA | readsB | readsC, program.OpIn: setsA | readsB | readsC, program.OpListEq: setsA | readsB | readsC, program.OpIndex: setsA | readsB | readsC,
	program.OpApply2: setsA | readsB | readsC, program.OpNative2: setsA | readsB | readsC,
	program.OpApply3: setsA | readsB | readsC | other, program.OpStatOf: setsA | readsB | readsC | other,

	program.OpApply: setsA | readsBlock, program.OpBuiltin: setsA | readsBlock, program.OpNative: setsA | readsBlock,
	program.OpList: setsA | readsBlock, program.OpRecord: setsA | readsBlock, program.OpMakePlan: setsA | readsBlock, program.OpCapture: setsA | readsBlock,
	program.OpGetStat: setsA | other, program.OpHasAny: setsA | other, program.OpCan: setsA | other,

	program.OpPush: setsA | readsA | readsB, program.OpSort: setsA | readsA | readsB, // they modify the list in A
	program.OpNop: other, program.OpCover: other, program.OpFail: other, program.OpTerm: readsA,
	program.OpReturn: readsA, program.OpReturnInt: other, program.OpReturnConst: other,

	program.OpJump: other, program.OpJumpAwaited: other, program.OpJumpMapped: other, program.OpJumpNoMap: other, program.OpJumpTooDear: readsA,
	program.OpJumpIf: readsA, program.OpJumpNot: readsA, program.OpJumpNone: readsA, program.OpJumpSome: readsA, program.OpJumpGiven: readsA,
	program.OpJumpFixed: readsA, program.OpJumpEqC: readsA, program.OpJumpNeC: readsA, program.OpJumpLtC: readsA, program.OpJumpGtC: readsA,
	program.OpJumpLeC: readsA, program.OpJumpGeC: readsA, program.OpJumpField: readsA, program.OpJumpNoField: readsA, program.OpJumpPart: readsA,
	program.OpJumpNoPart: readsA, program.OpJumpIs: readsA, program.OpJumpIsNot: readsA, program.OpJumpFieldNone: readsA, program.OpJumpFieldSome: readsA,
	program.OpJumpHas: readsA, program.OpJumpHasNo: readsA,
	program.OpJumpEq: readsA | readsB, program.OpJumpNe: readsA | readsB, program.OpJumpLt: readsA | readsB, program.OpJumpLe: readsA | readsB,
	program.OpLoop: setsA | readsA | readsB, program.OpEach: other, program.OpNext: other, program.OpFrom: other, program.OpTo: other,
}

// operands are the registers that an instruction reads and writes.
type operands struct {
	reads  []uint8
	writes []uint8
	any    bool // it may read and write anything, and change the state
}

// operandsOf returns the registers of an instruction. They are valid until the next call.
func (f *chunkBuilder) operandsOf(in *program.Instr) operands {
	is := shapes[in.Op]
	reads, writes := f.readBuf[:0], f.writeBuf[:0]
	block := func(first uint8, n int) {
		for i := range n {
			reads = append(reads, first+uint8(i))
		}
	}
	if is&readsA != 0 {
		reads = append(reads, in.A)
	}
	if is&readsB != 0 {
		reads = append(reads, in.B)
	}
	if is&readsC != 0 {
		reads = append(reads, in.C)
	}
	if is&readsBlock != 0 {
		block(in.B, int(in.C))
	}
	if is&setsA != 0 {
		writes = append(writes, in.A)
	}
	switch in.Op {
	case program.OpWithin:
		reads = append(reads, program.RuleParams-1)
	case program.OpApply3:
		reads = append(reads, uint8(in.D>>16))
	case program.OpStatOf:
		reads = append(reads, uint8(in.D>>16), uint8(in.D>>24))
	case program.OpGetStat:
		block(in.B, 1+max(int(in.C), f.c.situationSize(in.D)))
	case program.OpHasAny:
		block(in.B, 1+int(in.C))
	case program.OpCan:
		block(in.B, max(1, int(in.C)))
	case program.OpProperty:
		if in.B != program.NoReg { // else the running action may be this one, with all its variables
			is, reads, writes = setsA|readsB, append(reads, in.B), append(writes, in.A)
		}
	case program.OpEach:
		reads, writes = append(reads, in.C), append(writes, in.A, in.A+1, in.B)
	case program.OpNext:
		reads, writes = append(reads, in.A, in.A+1, in.B, in.C), append(writes, in.A+1, in.B)
	case program.OpFrom, program.OpTo:
		reads, writes = append(reads, in.A, in.A+1, in.B), append(writes, in.A+1, in.B)
	}
	f.readBuf, f.writeBuf = reads[:0], writes[:0]
	return operands{reads: reads, writes: writes, any: is == 0}
}

// situationSize is how many registers after the creature are accessed to read a stat; a view accesses those of its
// stat.
func (c *compiler) situationSize(stat int32) (n int) {
	for s := c.rs.Stats[stat]; s != nil; s = s.ViewOf {
		n = max(n, len(s.Params))
	}
	return n
}
