// Package machine runs programs: it executes actions and procedures, rolls dice, asks for choices, lets rules
// interrupt, keeps track of effects and time, and explains why a number is what it is.
//
// # The algorithm
//
// A machine holds a program and a State. The state is everything there is of a running fight: the slots of the
// creatures, their effects, the clock, how many dice have been rolled for each name, and the call stack of frames with
// their registers. Between two dice or choices nothing of a fight is on the Go stack: a machine that must ask returns,
// and what it needs to continue is in the state. The state can be copied, hashed, stored, and resumed in another
// machine of the same program.
//
// There are two kinds of code. Pure code (stats, defines, guards, amounts) cannot roll, ask or change anything, so it
// runs by plain Go calls and returns a value. Acting code (procedures, rules, plans, scripts) runs in frames. A frame
// has a register window in State.Regs, above that of its caller. One dispatch loop runs both kinds (fast.go has the
// short, common instructions, loop.go the rest). An acting instruction that asks, or leaves something other than code
// on top of the stack, makes the loop return to the driver (frames), which continues with whatever is on top then. So a
// procedure that calls, a rule that interrupts and an hour that passes are the same thing: frames.
//
// A procedure is one chunk that contains its steps in order. Where a rule waits, the compiler has emitted an
// instruction for the point. Nearly always no creature has an effect that waits there (waiting.go), or the rules'
// guards are tested in place and fail (compile/guards.go). Otherwise the waiting rules are listed in order with their
// bearers (points.go), and a point frame runs them one after the other. Each has a frame of its own that refers to the
// registers of the code it interrupts, so it reads and sets the interrupted names in place. After the last rule, the
// durations that end at this point end. Then, if the actor of the interrupted action is no longer allowed to act, the
// action is canceled: its frame continues at its `after` rules. A rule of `instead of` runs the same way, after which
// the code jumps past what was replaced; `default` runs the replaced code after all, with the registers of the
// procedure and in a frame above the rule.
//
// An action done as a command (Do, `may`, a tactic, a script, a plan) must be permitted (`act`, and its own
// permission), its needs must hold, and its first payable cost is paid. An action named inside a step or a rule is done
// as part of that: permission and needs are checked, a refusal skips it, and nothing is paid. In both cases its commit
// point comes before its steps. A refused command changes nothing. A reaction is offered only while its owner may act.
//
// Every write to a slot immediately notifies its dependents (write.go): cached stats that read the slot are
// invalidated, and derived effects that read it are reevaluated, each after those it depends on. Rules of effects that
// were gained or lost wait for the end of the statement.
//
// A choice with a single option is taken without asking. An offer is always asked.
//
// Resume takes the answer to a question: the face of a die, the index of an option, or the value of a ruling.
//
// An error leaves the state in the middle of a command. A caller that may get one keeps a copy of the state from before
// it and restores it with CopyFrom and StateChanged; the machine makes no copy, because most commands of a simulation
// do not need one.
//
// The package must never know what a stat, an effect or a bonus means, nor where answers come from.
package machine

import (
	"fmt"

	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/lang/ast"
	"arbiter/stdlib/dice"
	"arbiter/stdlib/journal"
	"arbiter/stdlib/modifier"
)

// Status of a command.
type Status uint8

const (
	Done Status = iota
	NeedDie
	NeedChoice
	Refused
	Failed
)

var statusNames = [...]string{"done", "needs a die", "needs a choice", "refused", "failed"}

func (s Status) String() string { return statusNames[s] }

// ChoiceKind says what has to be decided.
type ChoiceKind uint8

const (
	OptionChoice   ChoiceKind = iota // one of several options
	ElementChoice                    // one element of a list
	OfferChoice                      // whether to do what is offered: 0 no, 1 yes
	ReactionChoice                   // whether to react: 0 no, 1 yes
	RulingChoice                     // the game master gives a value
)

// Advice is the default answer in the rules to an offer or a reaction (`by default when COND`).
type Advice uint8

const (
	NoAdvice Advice = iota
	Decline
	Accept
)

func advice(accept bool) Advice {
	if accept {
		return Accept
	}
	return Decline
}

// Result of a command, so far.
type Result struct {
	Status     Status
	Who        int64 // who rolls or decides; None is the game master
	Label      string
	Sides      int32 // 0: not a single die is asked for but the total of the roll (Machine.AskTotal)
	ChoiceKind ChoiceKind
	Default    Advice   // of an offer or a reaction
	Options    []string // the answer is an index; if a choice leaves options out, the index counts only those that are left
	Part       int32    // of a refusal
	Why        string
	Err        error
}

// Error is an error in running code, and its position.
type Error struct {
	Pos     ir.Pos
	File    string
	Message string
	Hint    string // what to do about it
	Calls   []Call // the calls that led to it, innermost last
	Panic   bool   // a bug in this package, not in the rules
}

// Call is a place in the rules, or in a Starlark file, where something was called.
type Call struct {
	File string
	Span ast.Span
	Name string // the procedure, rule or function that contains it
}

func (e *Error) Error() string {
	if e.File == "" {
		return e.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Pos.Span.Start.Line, e.Pos.Span.Start.Column, e.Message)
}

// Native is a function of the host: geometry, or a function of a script. It only reads. Its arguments are valid until
// it reads a stat or a define.
type Native func(m *Machine, args []int64) (int64, error)

// FastNative is a fast path for a host function of two arguments. If it does not know the answer, the Native is called.
type FastNative func(m *Machine, a, b int64) (v int64, known bool)

// Ground is the map that creatures stand on. The host implements it and knows how far they get.
type Ground interface {
	// Path appends the squares that a creature enters, in order, in a movement of the given kind.
	Path(m *Machine, who int64, way string, amount, goal int64, into []int64) ([]int64, error)
	// CanEnter says whether a creature can now enter square, the next of its way, and end there if it is the last.
	CanEnter(m *Machine, who, square int64, last bool) bool
}

// phase says whether the loops continue. A question or a refusal halts them; errors are tracked separately.
type phase uint8

const (
	running phase = iota
	halted
)

// Machine runs one program on one state. It is not safe for concurrent use; a program may be shared.
type Machine struct {
	AskDice     bool                    // stop at every die instead of rolling seeded ones
	AskTotal    func(dice int64) bool   // whether to ask for the total of these dice, not for the faces; nil: never
	Journal     *journal.Journal        // nil: no journal
	EventTexts  []string                // the texts of the journal, without those forgotten
	PlanText    func(plan int32) string // the words of a plan; nil: not known
	Ledger      *Ledger                 // nil: no ledger
	Covered     PartSet                 // parts that ran, if the program was compiled to mark them
	Considered  PartSet                 // parts that were considered, of those that it marks the first time
	NoCache     bool                    // disables all caches, which only affect speed
	Limits      Limits                  // of each command; DefaultLimits
	Natives     map[string]Native
	FastNatives map[string]FastNative // fast paths of those with two arguments
	Ground      Ground                // nil: there is no map
	Hooks       Hooks                 // nil: there is no Starlark

	p     *program.Program
	code  []program.Instr // what is carried out: the program's, or what reports it (observe.go)
	watch *watch          // nil: nobody observes
	s     *State

	rulebook      // computed from the program once
	marks    bool // the program marks parts

	// Computed from the program and the loose code that has been added (Relink).
	dice        []*dice.Expr // nil: not a notation
	plainDice   []plainDice
	singleDice  []singleDie // by check
	natives     []Native
	fastNatives []FastNative // by native; may be nil

	tables     []tableKeys     // by table
	lastCannot *program.Cannot // what forbade the action refused last

	// Caches of what the state implies, and buffers that are reused.
	cache            *[1 << cacheBits]cachedStat
	memo             []memoEntry
	ownDefines       []cachedDefine   // results of defines that take only a creature, by creature
	nodeStamps       []readStamp      // by creature and node
	versions         []uint32         // of stats, then of defines, by creature
	sharedVersions   []uint32         // the part of the versions that all creatures share
	reads            Reads            // what the current computation has read
	moveCount        uint32           // number of moves of creatures and the clock
	lastMoves        [readBits]uint32 // by bit of Reads: the move count of its last move
	groundChanges    uint64           // number of changes to what the host of the ground asks for
	pointStates      []pointState     // by point
	entries          []modifier.Entry
	hookReason       string // the last reason that a hook gave, and the source it is for
	hookReasonSource int32
	explainedFrom    int // index of the first entry of the stat being explained
	buffer           []int64
	index            index
	explanationCache map[explanationKey]*keptExplanation
	keptWords        int     // how much of the arena outlives a command, -1: not known yet (see collectArena)
	keptRefs         int     // how much of it is what fields and effects refer to, -1: not known yet
	pathBuffer       []int64 // squares of a movement about to begin
	chosenArgs       []int64 // the command that the tactics chose
	tacticsID        int32
	boundFirstLegal  func(top int) int64 // firstLegal, bound once
	tacticsCreature  [1]int64

	// The running command.
	phase           phase
	err             *Error
	result          Result
	depth           int       // nesting depth of pure chunks
	hostBase        int       // registers below it are in use while the host answers
	evaluatingNodes bool      // nodes are being evaluated
	paying          bool      // a cost is being paid
	quietly         bool      // the running instruction's change is left out of the transcript
	placing         bool      // a creature is being placed: nothing is announced or recorded
	placingMany     bool      // see PlaceMany
	placed          int32     // the first creature that is being placed or removed
	mustCheckWhiles bool      // a `while` of a duration may have become false
	whileCount      int       // number of holds with a `while`
	dirtyNodes      numberSet // nodes to be evaluated, each of one creature, in order
	noExplanations  bool      // the journal keeps no explanations of its rolls
	rolls           rollRecord
	explanations    []RollExplanation
	textsForgotten  int        // how many texts were before those of EventTexts
	tracer          *tracer    // of the stat that is being explained
	sums            []*StatSum // sums that hooks add to, those in use first
	sumsInUse       int        // number of sums in use
	hookSum         *StatSum   // the sum that the next hook may add to
	hookAnswers     []int64    // answers that a hook has received
}

// New returns a machine with an empty state.
func New(p *program.Program) *Machine {
	m := &Machine{
		p: p, rulebook: rulebookOf(p), marks: p.RecordsCoverage || len(p.Marked) > 0, Limits: DefaultLimits,
		tables: make([]tableKeys, len(p.Tables)), pointStates: make([]pointState, len(p.Points)),
	}
	m.swapMemory(newMemory())
	m.boundFirstLegal = m.firstLegal
	m.Relink()
	m.s = new(State)
	for i := range p.Globals {
		m.s.Globals = append(m.s.Globals, p.Globals[i].Initial)
	}
	m.StateChanged()
	m.s.Budget = m.maxSteps()
	m.allowEvents()
	for i := range p.Ticks {
		if p.Ticks[i].Effect < 0 {
			m.scheduleTick(int32(i), 0, 0)
		}
	}
	return m
}

// Close says that the machine runs no more, so that others use its memory. Its state and its journal remain.
func (m *Machine) Close() { spareMemory.Put(new(m.swapMemory(memory{}))) }

// Relink takes over loose code that has been added to the program since.
func (m *Machine) Relink() {
	m.LinkAside()
	m.linkCode()
	m.bumpAllVersions() // there may be a map now
	if m.s != nil {
		m.recount() // and more durations
	}
}

// LinkAside takes over loose code that is evaluated Aside, and never by a command. Nothing that is remembered is dropped.
func (m *Machine) LinkAside() {
	p := m.p
	m.code = withEnd(p.Code)
	for i := len(m.dice); i < len(p.Dice); i++ {
		x, err := dice.Parse(p.Dice[i])
		plain := plainDice{}
		if err == nil {
			plain.count, plain.sides, plain.flat, plain.ok = x.Plain()
		} else {
			x = nil
		}
		m.dice, m.plainDice = append(m.dice, x), append(m.plainDice, plain)
	}
	for i := len(m.singleDice); i < len(p.Checks); i++ {
		m.singleDice = append(m.singleDice, m.singleDieOf(&p.Checks[i]))
	}
	m.natives, m.fastNatives = make([]Native, len(p.Natives)), make([]FastNative, len(p.Natives))
	for i, name := range p.Natives {
		m.natives[i], m.fastNatives[i] = m.Natives[name], m.FastNatives[name]
	}
}

// Program returns the program; State the state. Call Restored after changing the state from outside.
func (m *Machine) Program() *program.Program { return m.p }
func (m *Machine) State() *State             { return m.s }

// GroundChanges counts the changes of what the host of the ground asks rulesets for, MoveCount those of the creatures'
// positions. What the host has derived from either stays valid until the count changes.
func (m *Machine) GroundChanges() uint64 { return m.groundChanges }
func (m *Machine) MoveCount() uint64     { return uint64(m.lastMoves[everybodyBit]) }

// StateChanged drops everything cached: the state has been put back, or changed from outside.
func (m *Machine) StateChanged() {
	s := m.s
	m.resetCaches()
	m.recount()
	m.forgetKept()
	m.whileCount = 0
	for _, h := range s.Captures {
		if m.p.Durations[h.Duration].While != program.NoChunk {
			m.whileCount++
		}
	}
	m.phase, m.err, m.depth, m.evaluatingNodes, m.mustCheckWhiles = running, nil, 0, false, false
	m.paying, m.quietly = false, false
	m.dirtyNodes.clear()
	m.entries = m.entries[:0]
	s.reserve(s.top())
}

// Snapshot copies the state into another.
func (m *Machine) Snapshot(into *State) { into.CopyFrom(m.s) }

// Restore sets the state to a copy.
func (m *Machine) Restore(from *State) {
	m.s.CopyFrom(from)
	m.StateChanged()
}

// recoverPanic turns a panic in this package into an error.
func (m *Machine) recoverPanic(err *error) {
	if x := recover(); x != nil {
		*err = m.panicError(x)
	}
}

func (m *Machine) panicError(x any) error {
	return &Error{Message: fmt.Sprintf("internal error: %v", x), Panic: true}
}

// fail stops the command with an error at an instruction.
func (m *Machine) fail(at int32, format string, args ...any) {
	if m.err != nil {
		return
	}
	e := &Error{Pos: m.pos(at), Message: fmt.Sprintf(format, args...)}
	if int(e.Pos.File) < len(m.p.Files) {
		e.File = m.p.Files[e.Pos.File]
	}
	m.err = e
}

// advise adds a hint to the error, unless it has one.
func (m *Machine) advise(hint string) {
	if m.err != nil && m.err.Hint == "" {
		m.err.Hint = hint
	}
}

// currentInstr is the current instruction of the topmost frame with code, -1 if no code runs.
func (m *Machine) currentInstr() int32 {
	for i := len(m.s.Frames) - 1; i >= 0; i-- {
		if f := &m.s.Frames[i]; f.Kind == codeFrame || f.Kind == insteadFrame {
			return f.PC - 1
		}
	}
	return -1
}

// topFrame returns the top frame, or nil.
func (m *Machine) topFrame() *Frame {
	if len(m.s.Frames) == 0 {
		return nil
	}
	return &m.s.Frames[len(m.s.Frames)-1]
}

// causeEvent is the journal event that causes what happens now.
// Cause returns the event of the journal in which something happens now; none outside of commands.
func (m *Machine) Cause() int32 { return m.causeEvent() }

func (m *Machine) causeEvent() int32 {
	if f := m.topFrame(); f != nil {
		return f.Event
	}
	return journal.None
}

// PartSet is a set of parts.
type PartSet []uint64

// Add adds a part to the set.
func (b *PartSet) Add(i int32) {
	for int(i>>6) >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[i>>6] |= 1 << (uint(i) & 63)
}

// Has says whether a part is in the set.
func (b PartSet) Has(i int32) bool {
	return i >= 0 && int(i>>6) < len(b) && b[i>>6]>>(uint(i)&63)&1 != 0
}
