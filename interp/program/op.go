package program

// Instr is one instruction of eight bytes. A, B and C are registers unless the operation says otherwise.
type Instr struct {
	Op      Op
	A, B, C uint8
	D       int32
}

// NoReg means no register.
const NoReg = 255

// Op is an operation.
type Op uint8

const (
	OpNop Op = iota

	// Pure operations.
	OpConst     // A = Consts[D]
	OpInt       // A = D
	OpLoadNone  // A = none
	OpCopy      // A = B
	OpClear     // clear C registers from A
	OpOuter     // A = variable D of the interrupted code
	OpSetOuter  // variable D of the interrupted code = A
	OpWithin    // A = variable D of the running procedure that contains this rule
	OpSetWithin // variable D of that procedure = A
	OpGetField  // A = field D of the thing B
	OpFieldOr   // A = field D of the thing B, or if that is none, the signed constant C
	OpGetSlot   // A = slot D of the creature B
	OpGetStat   // A = stat D of the creature B; its situation is the C registers from B+1
	OpApply     // A = define D of the C registers from B
	OpLookup    // A = table D at key B (and C)
	OpHasAny    // A = whether B has effect D with C parameters equal to B+1... (Absent: any)
	OpMemory    // A = value C of B's first instance of effect D
	OpOwnValue  // A = value C of instance B
	OpGlobal    // A = memory D of the game
	OpCan       // A = whether B may use permission D; C > 0: as an action with the C-1 parameters from B+1
	OpProperty  // A = property D of the action B, or of the running one if B is NoReg
	OpSpent     // A = how much of resource D was paid for the running action
	OpAction    // A = the running action
	OpList      // A = list of the C registers from B; D is the shape of an element
	OpRecord    // A = thing of kind D from the C registers from B
	OpPart      // A = value C of the object B; if B is none: 0, or none if D is 1
	OpAdd       // A = B + C
	OpSub       // A = B - C
	OpMul       // A = B * C
	OpDiv       // A = B / C, rounded down
	OpAddInt    // A = B + D
	OpMin       // A = the smaller of B and C
	OpMax       // A = the larger of B and C
	OpNeg       // A = -B
	OpNot       // A = not B
	OpEq        // A = whether B = C
	OpNe        // A = whether B != C
	OpLt        // A = whether B < C
	OpLe        // A = whether B <= C
	OpEnumAdd   // A = B + C, clamped to 0..D
	OpDiceAdd   // A = dice B + C
	OpDiceMul   // A = dice B * C
	OpConcat    // A = lists B and C, concatenated
	OpListDiff  // A = list B without the elements of list C
	OpIn        // A = whether B is an element of list C
	OpListEq    // A = whether the lists B and C are equal, element by element
	OpIndex     // A = element C of list B, counted from 1
	OpLength    // A = length of list B
	OpNewList   // A = empty list with capacity B; D is the shape of an element
	OpPush      // append B to list A, which OpNewList made
	OpSort      // sort list A by the list of keys B; D 1: descending
	OpBuiltin   // A = function D of the C registers from B
	OpNative    // A = the host's function D of the C registers from B
	OpHook      // A = the answer of the hook at site D, given the C registers from B
	OpMakePlan  // A = plan D with the C captured values from B
	OpCapture   // A = the state that duration D needs, from the C registers from B
	OpTerm      // adds A as the value of term B of stat D
	OpCover     // marks part D as run, if A is 1 as considered
	OpFail      // error with text D

	// Short forms of the most frequent ones, whose arguments may be in any registers.
	OpApply2  // A = define D of B and C
	OpApply3  // A = define D & 0xffff of B, C and the register D >> 16
	OpNative2 // A = the host's function D of B and C
	OpStatOf  // A = stat D & 0xffff of the creature B in the situation of C and the registers D >> 16 & 0xff and D >> 24 & 0xff

	// Jumps to D if the condition holds.
	OpJump
	OpJumpIf    // if A
	OpJumpNot   // if not A
	OpJumpNone  // if A is none
	OpJumpSome  // if A is not none
	OpJumpGiven // if A is not Absent
	OpJumpFixed // if A is not MasterDecides
	OpJumpEq    // if A = B
	OpJumpNe    // if A != B
	OpJumpLt    // if A < B
	OpJumpLe    // if A <= B
	OpJumpEqC   // if A = the signed constant B<<8 | C
	OpJumpNeC   // if A != constant
	OpJumpLtC   // if A < constant
	OpJumpGtC   // if A > constant
	OpJumpLeC   // if A <= constant
	OpJumpGeC   // if A >= constant

	OpJumpField     // if field B<<8 | C of the thing A
	OpJumpNoField   // if not
	OpJumpPart      // if value C of the object A
	OpJumpNoPart    // if not
	OpJumpIs        // if field B of the thing A = the signed constant C
	OpJumpIsNot     // if field B of the thing A != the signed constant C
	OpJumpFieldNone // if field B<<8 | C of the thing A is none
	OpJumpFieldSome // if it is not none
	OpJumpHas       // if A has effect B<<8 | C
	OpJumpHasNo     // if not

	OpJumpAwaited // if some creature has an effect that waits at point B<<8 | C

	OpJumpMapped // if there is a map
	OpJumpNoMap  // if there is none

	OpJumpTooDear // if the creature A certainly cannot pay for procedure B<<8 | C

	OpLoop // A += 1; jump if A < B
	OpEach // A = length of list C, A+1 = 0; B = its first element, or jump if it is empty
	OpNext // A+1 += 1; if A+1 < A, B = that element of list C, counted from 0, and jump

	OpFrom // B = A+1, the first of the numbers up to A; jump if there are none
	OpTo   // A+1 += 1; if A+1 <= A, B = A+1, and jump

	OpReturn      // the chunk returns A
	OpReturnInt   // it returns D
	OpReturnConst // it returns constant D

	// Acting operations.
	OpRoll        // A = sum of the dice B rolled by C; label D
	OpCheck       // if possible, a fast path for the following instructions, which it skips: roll, judge, outcome of check D
	OpRollCheck   // rolls check D and puts the faces into the block at A
	OpJudge       // total, margin, success of check D in the block at A
	OpMakeOutcome // A = outcome of the block at B; check D, or -1
	OpSetField    // field D of the thing A = B; C is its shape
	OpSetPart     // part D of the record or outcome A = B
	OpSetResource // resource D of A = B
	OpSetMemory   // value C of A's first instance of effect D = B
	OpSetValue    // value C of instance A = B
	OpSetGlobal   // memory D of the game = A
	OpGainAmount  // A gains B of resource D; C = what did not fit, or NoReg
	OpLoseAmount  // A loses B of resource D; C = what could not be taken, or NoReg
	OpLoseAll     // A loses all of resource D
	OpGainEffect  // gain D, from the registers from A
	OpLoseEffect  // A loses effect D with C parameters equal to A+1...
	OpAllowed     // A = whether B may do action D with the parameters B+1..., cost included
	OpChoose      // A = the option of choice D that C chooses among the bits of B
	OpPickOne     // A = the element of list B that C picks; pick D
	OpAskMaster   // A = what the game master answers; label D
	OpMayDo       // A = whether B accepts offer D; C: the default answer, NoReg: none
	OpUsedUp      // the running rule, which runs once in a turn or the like, has done so if A; if not, its offer was declined
	OpCall        // A (or NoReg) = record of procedure D done by B with B+1...; C 1: as a command, which costs
	OpPay         // pays for the running procedure or reaction
	OpAt          // runs the rules of point D; interrupted names from register A, actor B; C 1: some wait there without an effect
	OpInstead     // like OpAt, for rules that replace the code after the next instruction, a jump past that code
	OpEndInstead  // ends the code that may be replaced; D - 1 is the next point, if there is one that may be quiet
	OpActsAt      // A takes its place in the order by the C keys from B; D: or beside the creature B
	OpMove        // movement D of the creature A: amount B, goal C
	OpNote        // note D with the registers from A
	OpHookDo      // runs the acting hook at site D with the block at A
	OpDoPlan      // runs the commands of plan A
	OpDefault     // runs the code that this rule replaces
	OpStop        // ends the running procedure or rule
	OpCancel      // cancels what this rule interrupts; text D
	OpEnd         // ends acting code
	OpReport      // stands for an instruction of a machine that is observed; no program contains it
	opCount
)

// opNames are the names that Disassemble prints.
var opNames = [opCount]string{
	OpNop: "nop", OpConst: "const", OpInt: "int", OpLoadNone: "none", OpCopy: "copy", OpClear: "clear", OpOuter: "outer", OpSetOuter: "set-outer", OpWithin: "within", OpSetWithin: "set-within", OpGetField: "field", OpFieldOr: "field-or",
	OpGetSlot: "slot", OpGetStat: "stat", OpApply: "apply", OpLookup: "lookup", OpHasAny: "has", OpMemory: "memory", OpOwnValue: "own",
	OpCan: "can", OpProperty: "property", OpSpent: "spent", OpAction: "action", OpList: "list", OpRecord: "record", OpPart: "part",
	OpAdd: "add", OpSub: "sub", OpMul: "mul", OpDiv: "div", OpAddInt: "add-int", OpMin: "min", OpMax: "max", OpNeg: "neg", OpNot: "not", OpEq: "eq", OpNe: "ne", OpLt: "lt", OpLe: "le",
	OpEnumAdd: "enum-add", OpDiceAdd: "dice-add", OpDiceMul: "dice-mul", OpConcat: "concat", OpListDiff: "list-diff", OpIn: "in", OpListEq: "list-eq", OpIndex: "index", OpLength: "length",
	OpNewList: "new-list", OpPush: "push", OpSort: "sort", OpBuiltin: "builtin", OpNative: "native", OpHook: "hook", OpHookDo: "hook-do", OpMakePlan: "plan", OpCapture: "hold",
	OpTerm: "term", OpCover: "cover", OpFail: "fail", OpApply2: "apply-2", OpApply3: "apply-3", OpNative2: "native-2", OpStatOf: "stat-of", OpJump: "jump", OpJumpIf: "jump-if", OpJumpNot: "jump-not", OpJumpNone: "jump-none", OpJumpSome: "jump-some",
	OpJumpGiven: "jump-given", OpJumpFixed: "jump-fixed", OpJumpEq: "jump-eq", OpJumpNe: "jump-ne", OpJumpLt: "jump-lt", OpJumpLe: "jump-le",
	OpJumpEqC: "jump-eq-c", OpJumpNeC: "jump-ne-c", OpJumpLtC: "jump-lt-c", OpJumpGtC: "jump-gt-c", OpJumpLeC: "jump-le-c", OpJumpGeC: "jump-ge-c",
	OpJumpField: "jump-field", OpJumpNoField: "jump-no-field", OpJumpPart: "jump-part", OpJumpNoPart: "jump-no-part", OpJumpIs: "jump-is", OpJumpIsNot: "jump-is-not", OpJumpFieldNone: "jump-unset", OpJumpFieldSome: "jump-set", OpJumpHas: "jump-has", OpJumpHasNo: "jump-has-no", OpJumpAwaited: "jump-awaited", OpJumpMapped: "jump-mapped", OpJumpNoMap: "jump-no-map", OpJumpTooDear: "jump-too-dear",
	OpLoop: "loop", OpEach: "each", OpNext: "next", OpFrom: "from", OpTo: "to", OpReturn: "return", OpReturnInt: "return-int", OpReturnConst: "return-const", OpRoll: "roll", OpCheck: "check", OpRollCheck: "roll-check", OpJudge: "judge", OpMakeOutcome: "outcome", OpSetField: "set-field", OpSetPart: "set-part",
	OpSetResource: "set-resource", OpSetMemory: "set-memory", OpSetValue: "set-own", OpGlobal: "global", OpSetGlobal: "set-global", OpGainAmount: "gain-amount", OpLoseAmount: "lose-amount",
	OpLoseAll: "lose-all", OpGainEffect: "gain", OpLoseEffect: "lose", OpAllowed: "allowed", OpChoose: "choose", OpPickOne: "pick",
	OpAskMaster: "ask-master", OpMayDo: "may", OpUsedUp: "used-up", OpCall: "call", OpPay: "pay", OpAt: "at", OpInstead: "instead", OpEndInstead: "end-instead",
	OpActsAt: "acts-at", OpMove: "move", OpNote: "note", OpDoPlan: "do-plan", OpDefault: "default", OpStop: "stop", OpCancel: "cancel", OpEnd: "end", OpReport: "report",
}

// How OpActsAt places a creature.
const (
	ActsAtKeys int32 = iota
	ActsBefore
	ActsAfter
)

func (o Op) String() string {
	if o < opCount {
		return opNames[o]
	}
	return "unknown"
}

// Jumps says whether D is a jump target.
func (o Op) Jumps() bool { return o >= OpJump && o <= OpTo }

// Leaves says whether the next instruction is never the one that follows in the code.
func (o Op) Leaves() bool {
	switch o {
	case OpJump, OpReturn, OpReturnInt, OpReturnConst, OpFail, OpEnd:
		return true
	}
	return false
}

// BeginsCode says whether other code may run before the next instruction is carried out.
func (o Op) BeginsCode() bool {
	switch o {
	case OpCall, OpAt, OpInstead, OpEndInstead, OpDoPlan, OpDefault, OpMove, OpHookDo, OpGainEffect, OpLoseEffect:
		return true
	}
	return false
}

// Built-in functions of the machine; the number is the D of OpBuiltin.
const (
	FnAbs int32 = iota
	FnCreatures
	FnEnemies
	FnAllies
	FnTied
	FnRound
	FnInFight
	FnRoundUp
	FnHalfUp
	FnName
	FnTakingTurn
	FnNow
	FnHostile
	FnTurn
	FnAverage
	FnFirst
	FnDistinct
	FnRange
	FnPlanActions
	FnPlanComesAfter
	FnMadeFrom
	FnSquareOf
	FnSquare
	FnPathEnd
	FnSquaresCrossed
	FnMapped
)

// BuiltinFuncs maps the names of built-in functions to their numbers; all others are asked of the host.
var BuiltinFuncs = map[string]int32{
	"abs": FnAbs, "creatures": FnCreatures, "enemies": FnEnemies, "allies": FnAllies,
	"tied-creatures": FnTied, "current-round": FnRound, "in-fight": FnInFight, "round-up": FnRoundUp, "half-up": FnHalfUp,
	"name": FnName, "taking-turn": FnTakingTurn, "now": FnNow, "hostile": FnHostile,
	"current-turn": FnTurn, "average": FnAverage, "first-of": FnFirst, "distinct": FnDistinct, "range": FnRange, "plan-actions": FnPlanActions, "plan-comes-after": FnPlanComesAfter,
	"made-from": FnMadeFrom, "square-of": FnSquareOf, "square": FnSquare, "path-end": FnPathEnd, "squares-crossed": FnSquaresCrossed, "mapped": FnMapped,
}
