package program

// Instr is one instruction: eight bytes. A, B and C are registers unless the operation says otherwise.
type Instr struct {
	Op      Op
	A, B, C uint8
	D       int32
}

// NoReg stands for no register.
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
	OpClear     // the C registers from A = 0
	OpOuter     // A = variable D of the interrupted
	OpSetOuter  // variable D of the interrupted = A
	OpWithin    // A = variable D of the running procedure whose rule this is
	OpSetWithin // variable D of that procedure = A
	OpGetField  // A = field D of the thing B
	OpFieldOr   // A = field D of the thing B, or if that is none the constant C, signed
	OpGetSlot   // A = slot D of the creature B
	OpGetStat   // A = stat D of the creature B in the situation of the C registers from B+1
	OpApply     // A = define D of the C registers from B
	OpLookup    // A = table D at key B (and C)
	OpHasAny    // A = does B bear effect D with C parameters equal to B+1... (Absent: any)
	OpMemory    // A = value C of B's first instance of effect D
	OpOwnValue  // A = value C of instance B
	OpGlobal    // A = memory D of the game
	OpCan       // A = may B do permission D
	OpProperty  // A = property D of the action B, or with NoReg of the running one
	OpSpent     // A = how much of resource D the running action has paid
	OpAction    // A = the running action
	OpList      // A = list of the C registers from B; D is the shape of an element
	OpRecord    // A = thing of kind D out of the C registers from B
	OpPart      // A = value C of the object B; D is what stands for it when B is none: 0, or 1 for none
	OpAdd       // A = B + C
	OpSub       // A = B - C
	OpMul       // A = B * C
	OpDiv       // A = B / C rounded down
	OpAddInt    // A = B + D
	OpMin       // A = the lower of B and C
	OpMax       // A = the higher of B and C
	OpNeg       // A = -B
	OpNot       // A = not B
	OpEq        // A = B = C
	OpNe        // A = B != C
	OpLt        // A = B < C
	OpLe        // A = B <= C
	OpEnumAdd   // A = B + C, held within 0..D
	OpDiceAdd   // A = dice B + C
	OpDiceMul   // A = dice B * C
	OpConcat    // A = lists B and C
	OpLess      // A = list B less the elements of list C
	OpIn        // A = is B an element of list C
	OpSame      // A = are the lists B and C equal, element by element
	OpIndex     // A = element C of list B, from 1
	OpLength    // A = length of list B
	OpNewList   // A = empty list with room for B elements of shape D
	OpPush      // append B to list A, which NewList made
	OpSort      // sort list A by the list of keys B; D 1: descending
	OpBuiltin   // A = function D of the C registers from B
	OpNative    // A = the host's function D of the C registers from B
	OpHook      // A = what site D says of the C registers from B
	OpMakePlan  // A = plan D with the C captured values from B
	OpHold      // A = what duration D needs to know: the C registers from B
	OpTerm      // A is the value of term B of stat D
	OpCover     // part D has run
	OpFail      // error: text D

	// The most frequent ones with their arguments where they lie.
	OpApply2  // A = define D of B and C
	OpApply3  // A = define D & 0xffff of B, C and the register D >> 16
	OpNative2 // A = the host's function D of B and C
	OpStatOf  // A = stat D & 0xffff of the creature B in the situation of C and the registers D >> 16 & 0xff and D >> 24 & 0xff

	// Jumps to D.
	OpJump
	OpJumpIf   // A
	OpJumpNot  // not A
	OpJumpNone // A is none
	OpJumpSome // A is not none
	OpJumpHere // A is not Absent
	OpJumpReal // A is not Marked
	OpJumpEq   // A = B
	OpJumpNe   // A != B
	OpJumpLt   // A < B
	OpJumpLe   // A <= B
	OpJumpEqC  // A = the constant B<<8 | C, signed
	OpJumpNeC  // A != constant
	OpJumpLtC  // A < constant
	OpJumpGtC  // A > constant
	OpJumpLeC  // A <= constant
	OpJumpGeC  // A >= constant

	OpJumpField   // field B<<8 | C of the thing A
	OpJumpNoField // not that
	OpJumpPart    // value C of the object A
	OpJumpNoPart  // not that
	OpJumpIs      // field B of the thing A = the constant C, signed
	OpJumpIsNot   // field B of the thing A != the constant C, signed
	OpJumpLacks   // field B<<8 | C of the thing A is none
	OpJumpGives   // it is not none
	OpJumpHas     // A bears effect B<<8 | C
	OpJumpHasNo   // not that

	OpJumpAwaited // somebody bears something that waits at point B<<8 | C

	OpJumpMapped // there is a map
	OpJumpNoMap  // there is none

	OpLoop // A += 1; jump if A < B
	OpEach // A = length of list C, A+1 = 0; B = its first element, or jump if there is none
	OpNext // A+1 += 1; if that is less than A, B = that element of list C, from 0, and jump

	OpFrom // B = A+1, the first of the numbers to A; or jump if there is none
	OpTo   // A+1 += 1; if that is not more than A, B = A+1, and jump

	OpReturn      // the chunk's value is A
	OpReturnInt   // it is D
	OpReturnConst // it is constant D

	// Acting operations.
	OpRoll        // A = sum of the dice B thrown by C; label D
	OpCheck       // throws check D, judges it and makes its outcome at once, and goes on past the instructions that do so; if it can
	OpThrow       // the faces of check D fall into the block at A
	OpJudge       // total, margin, success of check D in the block at A
	OpMakeOutcome // A = outcome of the block at B, check D or -1
	OpSetField    // field D of the thing A = B; C is its shape
	OpSetPart     // part D of the record or outcome A = B
	OpSetResource // resource D of A = B
	OpSetMemory   // value C of A's first instance of effect D = B
	OpSetValue    // value C of instance A = B
	OpSetGlobal   // memory D of the game = A
	OpGainAmount  // A gains B of resource D; C = what did not fit, or NoReg
	OpLoseAmount  // A loses B of resource D; C = what could not be taken, or NoReg
	OpLoseAll     // A loses all of resource D
	OpGainEffect  // gain D of the registers from A
	OpLoseEffect  // A loses effect D with C parameters equal to A+1...
	OpAllowed     // A = may B do action D with the parameters B+1..., paying
	OpChoose      // A = which option of choice D, of the bits of B; by C
	OpPickOne     // A = one of list B by C; pick D
	OpAskMaster   // A = what the game master says; label D
	OpMayDo       // A = does B accept offer D; C: whether by default, NoReg: that is open
	OpCall        // A (or NoReg) = record of procedure D done by B with B+1...; C 1: as a command, which pays
	OpPay         // the running procedure or reaction pays
	OpAt          // the rules of point D run; the names from register A are the interrupted one's, B is who does it; C 1: some wait there whoever bears what
	OpInstead     // as At, for rules that replace what follows the next instruction, which jumps past it
	OpEndInstead  // what may be replaced ends here; D - 1 is the point that comes next, if there is one that may be quiet
	OpActsAt      // A takes its place by the C keys from B
	OpMove        // movement D of the creature A: amount B, goal C
	OpNote        // note D of the registers from A
	OpHookDo      // site D acts, on the block at A
	OpDoPlan      // the commands of plan A
	OpDefault     // does what this rule replaces
	OpStop        // ends the procedure or rule
	OpCancel      // breaks off what runs around this rule; text D
	OpEnd         // the end of acting code
	opCount
)

// opNames are what Disassemble prints.
var opNames = [opCount]string{
	OpNop: "nop", OpConst: "const", OpInt: "int", OpLoadNone: "none", OpCopy: "copy", OpClear: "clear", OpOuter: "outer", OpSetOuter: "set-outer", OpWithin: "within", OpSetWithin: "set-within", OpGetField: "field", OpFieldOr: "field-or",
	OpGetSlot: "slot", OpGetStat: "stat", OpApply: "apply", OpLookup: "lookup", OpHasAny: "has", OpMemory: "memory", OpOwnValue: "own",
	OpCan: "can", OpProperty: "property", OpSpent: "spent", OpAction: "action", OpList: "list", OpRecord: "record", OpPart: "part",
	OpAdd: "add", OpSub: "sub", OpMul: "mul", OpDiv: "div", OpAddInt: "add-int", OpMin: "min", OpMax: "max", OpNeg: "neg", OpNot: "not", OpEq: "eq", OpNe: "ne", OpLt: "lt", OpLe: "le",
	OpEnumAdd: "enum-add", OpDiceAdd: "dice-add", OpDiceMul: "dice-mul", OpConcat: "concat", OpLess: "less", OpIn: "in", OpSame: "same", OpIndex: "index", OpLength: "length",
	OpNewList: "new-list", OpPush: "push", OpSort: "sort", OpBuiltin: "builtin", OpNative: "native", OpHook: "hook", OpHookDo: "hook-do", OpMakePlan: "plan", OpHold: "hold",
	OpTerm: "term", OpCover: "cover", OpFail: "fail", OpApply2: "apply-2", OpApply3: "apply-3", OpNative2: "native-2", OpStatOf: "stat-of", OpJump: "jump", OpJumpIf: "jump-if", OpJumpNot: "jump-not", OpJumpNone: "jump-none", OpJumpSome: "jump-some",
	OpJumpHere: "jump-here", OpJumpReal: "jump-real", OpJumpEq: "jump-eq", OpJumpNe: "jump-ne", OpJumpLt: "jump-lt", OpJumpLe: "jump-le",
	OpJumpEqC: "jump-eq-c", OpJumpNeC: "jump-ne-c", OpJumpLtC: "jump-lt-c", OpJumpGtC: "jump-gt-c", OpJumpLeC: "jump-le-c", OpJumpGeC: "jump-ge-c",
	OpJumpField: "jump-field", OpJumpNoField: "jump-no-field", OpJumpPart: "jump-part", OpJumpNoPart: "jump-no-part", OpJumpIs: "jump-is", OpJumpIsNot: "jump-is-not", OpJumpLacks: "jump-lacks", OpJumpGives: "jump-gives", OpJumpHas: "jump-has", OpJumpHasNo: "jump-has-no", OpJumpAwaited: "jump-awaited", OpJumpMapped: "jump-mapped", OpJumpNoMap: "jump-no-map",
	OpLoop: "loop", OpEach: "each", OpNext: "next", OpFrom: "from", OpTo: "to", OpReturn: "return", OpReturnInt: "return-int", OpReturnConst: "return-const", OpRoll: "roll", OpCheck: "check", OpThrow: "throw", OpJudge: "judge", OpMakeOutcome: "outcome", OpSetField: "set-field", OpSetPart: "set-part",
	OpSetResource: "set-resource", OpSetMemory: "set-memory", OpSetValue: "set-own", OpGlobal: "global", OpSetGlobal: "set-global", OpGainAmount: "gain-amount", OpLoseAmount: "lose-amount",
	OpLoseAll: "lose-all", OpGainEffect: "gain", OpLoseEffect: "lose", OpAllowed: "allowed", OpChoose: "choose", OpPickOne: "pick",
	OpAskMaster: "ask-master", OpMayDo: "may", OpCall: "call", OpPay: "pay", OpAt: "at", OpInstead: "instead", OpEndInstead: "end-instead",
	OpActsAt: "acts-at", OpMove: "move", OpNote: "note", OpDoPlan: "do-plan", OpDefault: "default", OpStop: "stop", OpCancel: "cancel", OpEnd: "end",
}

func (o Op) String() string {
	if o < opCount {
		return opNames[o]
	}
	return "unknown"
}

// Jumps says whether D is a place in the code.
func (o Op) Jumps() bool { return o >= OpJump && o <= OpTo }

// Functions that the machine answers itself; the number is what Builtin takes.
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
	FnMadeFrom
	FnSquareOf
	FnSquare
	FnPathEnd
	FnSquaresCrossed
	FnMapped
)

// Functions names the built-in functions; what stands in no list is asked of the host.
var Functions = map[string]int32{
	"abs": FnAbs, "creatures": FnCreatures, "enemies": FnEnemies, "allies": FnAllies,
	"tied-creatures": FnTied, "current-round": FnRound, "in-fight": FnInFight, "round-up": FnRoundUp, "half-up": FnHalfUp,
	"name": FnName, "taking-turn": FnTakingTurn, "now": FnNow, "hostile": FnHostile,
	"current-turn": FnTurn, "average": FnAverage, "first-of": FnFirst, "distinct": FnDistinct, "range": FnRange, "plan-actions": FnPlanActions,
	"made-from": FnMadeFrom, "square-of": FnSquareOf, "square": FnSquare, "path-end": FnPathEnd, "squares-crossed": FnSquaresCrossed, "mapped": FnMapped,
}
