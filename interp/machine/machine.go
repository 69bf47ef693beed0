// Package machine runs programs: it does actions and procedures, throws dice, asks for choices, lets rules interrupt,
// keeps effects and time, and says why a number is what it is.
//
// # The algorithm
//
// A machine holds a program and a State. The state is all there is of a running fight: the slots of the creatures, the
// effects that they bear, the clock, how many dice have been thrown for each name, and the stack of frames with their
// registers. Nothing of a fight lies on the stack of Go between two dice or choices: a machine that must ask returns,
// and what it needs to go on is in the state, which can be copied, hashed, kept for later, and resumed in another
// machine of the same program.
//
// Code is of two colours. Pure code (stats, defines, guards, amounts) can neither throw nor ask nor change anything, so
// it runs by plain calls within Go and returns a value. Acting code (procedures, rules, plans, scripts) runs in frames.
// A frame has a window of registers in State.Regs, above those of its caller. One loop runs both (straight.go for what is
// common and short, loop.go for the rest); an acting instruction that leaves something else than code on top, or asks,
// makes the loop return to the driver (frames), which goes on with whatever is on top then. So a procedure that calls, a rule that interrupts, an hour that passes are the same
// thing: frames.
//
// A procedure is one chunk with its steps in line. Where a rule waits, the compiler has put an instruction for the
// point. Nearly always nobody bears anything that waits there (quiet.go), and what else waits asks in place and does not
// hold (compile/guards.go). If there may be something, the rules that wait are listed with their bearers, in order
// (points.go), and a point frame runs them one after the other, each in a frame of its own that names the registers of
// what it interrupts, so it reads and sets the interrupted names in place. When the last has run, the durations that end at this point end; then, if whoever does
// the interrupted action is forbidden to act, the action is broken off: its frame goes on at its `after` rules. A rule
// of `instead of` runs the same way, after which the code jumps past what was replaced; `default` runs that stretch
// after all, in the registers of the procedure and in a frame above the rule.
//
// Actions. Done as a command (Do, `may`, a tactic, a script, a plan) an action must be permitted (`act`, and its own
// permission), its needs must hold and its first payable cost is paid. Named inside a step or a rule it is done as part
// of that: permission and needs are asked, and when they refuse it is left out; nothing is paid. In both cases its
// commit point comes before its steps. A refused command changes nothing. A reaction is offered only while its owner may
// act.
//
// Every write to a slot is heard at once (write.go): remembered stats that read the slot grow old, and derived effects
// that read it are judged anew, each after what it depends on. Rules of effects that came or went wait for the end of
// the statement.
//
// A choice with one way is no choice: it is taken without asking. An offer is always asked.
//
// What is asked is answered by Resume: the face of a die, the index of an option, or the value of a ruling.
//
// An error leaves the state in the middle of a command. Whoever may meet one keeps a copy from before it and puts it
// back with CopyFrom and Restored; the machine does not copy, because most commands of a simulation need it not.
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

// ChoiceKind says what is to be decided.
type ChoiceKind uint8

const (
	Chosen   ChoiceKind = iota // one way of several
	Picked                     // one of a list
	Offered                    // whether to do what is offered: 0 no, 1 yes
	Reaction                   // whether to react: 0 no, 1 yes
	Ruling                     // the game master gives a value
)

// Advice is what the rules say of an offer or a reaction that nobody decides (`by default when COND`).
type Advice uint8

const (
	Unadvised Advice = iota
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
	Status  Status
	Who     int64 // who throws or decides; none is the game master
	Label   string
	Sides   int32 // 0: not one die is asked for, but what all of them come to (Machine.Totals)
	Kind    ChoiceKind
	Default Advice   // of an offer or a reaction
	Options []string // the answer is an index; the indexes of a choice with ways left out are those of the ways left
	Part    int32    // of a refusal
	Why     string
	Err     error
}

// Error is what went wrong in running code, and where.
type Error struct {
	Pos     ir.Pos
	File    string
	Message string
	Hint    string // what to do about it
	Calls   []Call // what led to the place, the innermost last
	Panic   bool   // a fault of this package and not of the rules
}

// Call is a place in the rules, or in a file of Starlark, where something was called.
type Call struct {
	File string
	Span ast.Span
	Name string // of the procedure, rule or function in which it stands
}

func (e *Error) Error() string {
	if e.File == "" {
		return e.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Pos.Span.Start.Line, e.Pos.Span.Start.Column, e.Message)
}

// Native is a function of the host: geometry, or a function of a script. It only reads. Its arguments are good until
// it reads a stat or a define.
type Native func(m *Machine, args []int64) (int64, error)

// Pair is a quick way to answer a function of the host that has two arguments. It may not know; then the function is asked.
type Pair func(m *Machine, a, b int64) (v int64, known bool)

// Field is the ground that creatures stand on: the host that knows how far they come.
type Field interface {
	// Way appends the squares that a creature enters one after the other, by a sentence of movement.
	Way(m *Machine, who int64, way string, amount, goal int64, into []int64) ([]int64, error)
	// Enters says whether a creature can take the next step now, and whether it may end there.
	Enters(m *Machine, who, square int64, last bool) bool
}

// phase says whether the loops go on; a question and a refusal halt them, an error does by itself.
type phase uint8

const (
	running phase = iota
	halted
)

// Machine runs one program on one state. It is not to be used by several goroutines at once; a program may be.
type Machine struct {
	Asked     bool                  // stop at every die, instead of taking seeded ones
	Totals    func(dice int64) bool // whether, of dice that are asked for, what they come to is asked for at once; nil: their faces are
	Journal   *journal.Journal      // nil: nothing is recorded
	Notes     []string              // the texts of the journal
	Ledger    *Ledger               // nil: no accounts are kept
	Covered   Bits                  // parts that ran, of a program compiled to mark them
	Forgetful bool                  // nothing is remembered: what is makes no difference but of speed
	Natives   map[string]Native
	Pairs     map[string]Pair // of those that have two arguments the quick ways
	Field     Field           // nil: there is no map
	Hooks     Hooks           // nil: there is no Starlark

	p *program.Program
	s *State

	// What is worked out of the program once (Relink).
	stride         int // slots of a creature
	creatureFields []program.Field
	dice           []*dice.Expr // nil: no notation
	plain          []plainDice
	singles        []singleDie // by check
	stats          []statInfo
	defines        []defineInfo
	forbids        [][]forbid      // by permission
	prices         [][]price       // by procedure
	forbade        *program.Cannot // what forbade what was refused last
	natives        []Native
	pairs          []Pair // by native; nil

	// What is remembered of the state, and room that is used again.
	cache      *[1 << cacheBits]cached
	remembered []remembered
	own        []answer         // of defines that are asked of a creature alone, by creature
	owned      int              // how many of those there are
	judged     []stood          // by creature and node
	versions   []uint32         // of stats, then of defines, by creature
	common     []uint32         // and what of them concerns everybody's
	seen       Seen             // by what is being reckoned
	moveCount  uint32           // of creatures and the clock, counted
	wentAt     [seenBits]uint32 // by bit of Seen: when it moved last
	grounds    uint64           // changes of what the host of the ground asks, counted
	hushes     []hush           // by point
	stirs      []bool           // by effect: whether points have to do with it
	entries    []modifier.Entry
	said       string // a reason that a hook gave last, and the source that it stands for
	saidSource int32
	explained  int // the first entry of the stat that is being explained
	spare      []int64
	index      index
	lasting    int     // how much of the arena outlives a command, -1: it is to be found out (collect)
	way        []int64 // squares of a movement that begins
	followed   []int64 // the command of tactics that was found
	following  int32
	follow     func(top int) int64 // firstLegal, made once
	self       [1]int64

	// The command that runs.
	status     phase
	err        *Error
	result     Result
	depth      int      // pure chunks within one another
	above      int      // registers below are in use while the host answers
	settling   bool     // nodes are being judged
	placing    bool     // a creature enters: nothing is announced or recorded
	checkWhile bool     // a `while` of a duration may have ceased to hold
	whiles     int      // how many of the holds have one
	dirty      []uint64 // node and creature yet to be judged, the first last
	recent     []statRead
	checks     []CheckExplanation
	sums       []*Sum  // that hooks add to, those in use first
	summing    int     // how many are in use
	sum        *Sum    // what the hook that is asked next may add to
	told       []int64 // what a hook has been told
}

// statInfo is what the loop asks of a stat each time.
type statInfo struct {
	params    uint8
	cacheable bool
}

// defineInfo is what the loop asks of a define each time.
type defineInfo struct {
	start, length int32 // of its code
	regs          int32
	version       int32 // which one its answers have
	own           int32 // place of its answers among those of a creature, -1: it is asked of more than a creature
	keeps         program.Keeps
}

// forbid is a Cannot of an effect, by its index.
type forbid struct{ effect, index int32 }

// New makes a machine with an empty state.
func New(p *program.Program) *Machine {
	m := &Machine{p: p, cache: new([1 << cacheBits]cached), remembered: make([]remembered, 1<<rememberedBits)}
	m.follow = m.firstLegal
	m.Relink()
	m.s = new(State)
	for i := range p.Globals {
		m.s.Globals = append(m.s.Globals, p.Globals[i].First)
	}
	m.Restored()
	m.s.Budget = MaxSteps
	for i := range p.Ticks {
		if p.Ticks[i].Effect < 0 {
			m.startTick(int32(i), 0, 0)
		}
	}
	return m
}

// Relink takes in what has been added to the program since: loose code.
func (m *Machine) Relink() {
	p := m.p
	m.stride = int(p.Stride)
	if len(p.Kinds) > 0 {
		m.creatureFields = p.Kinds[0].Fields
	}
	for i := len(m.dice); i < len(p.Dice); i++ {
		x, err := dice.Parse(p.Dice[i])
		plain := plainDice{}
		if err == nil {
			plain.n, plain.sides, plain.flat, plain.ok = x.Plain()
		} else {
			x = nil
		}
		m.dice, m.plain = append(m.dice, x), append(m.plain, plain)
	}
	for i := len(m.singles); i < len(p.Checks); i++ {
		m.singles = append(m.singles, m.dieOf(&p.Checks[i]))
	}
	if len(m.stats) == 0 {
		for i := range p.Stats {
			st := &p.Stats[i]
			m.stats = append(m.stats, statInfo{params: uint8(len(st.Params)), cacheable: !st.Volatile && len(st.Params) <= maxSituation && !p.Covers})
		}
		for i := range p.Defines {
			d := &p.Defines[i]
			ch := &p.Chunks[d.Chunk]
			x := defineInfo{start: ch.Start, length: ch.End - ch.Start, regs: ch.Regs, version: int32(len(p.Stats) + i), own: -1, keeps: d.Keeps}
			switch {
			case p.Covers || ch.Params > program.KeptParams:
				x.keeps = program.KeepsNothing
			case x.keeps != program.KeepsNothing && ch.Params == 1:
				x.own = int32(m.owned)
				m.owned++
			}
			m.defines = append(m.defines, x)
		}
		m.stirring()
		for i := range p.Procs {
			m.prices = append(m.prices, m.pricesOf(&p.Procs[i]))
		}
		m.forbids = make([][]forbid, len(p.Permissions))
		for e := range p.Effects {
			for i, k := range p.Effects[e].Cannots {
				m.forbids[k.Permission] = append(m.forbids[k.Permission], forbid{int32(e), int32(i)})
			}
		}
	}
	m.outdate() // there may be a map now
	if m.s != nil {
		m.count() // and more durations
	}
	m.natives, m.pairs = make([]Native, len(p.Natives)), make([]Pair, len(p.Natives))
	for i, name := range p.Natives {
		m.natives[i], m.pairs[i] = m.Natives[name], m.Pairs[name]
	}
}

// Program returns the program; State the state, which must be told of by Restored when it is changed from outside.
func (m *Machine) Program() *program.Program { return m.p }
func (m *Machine) State() *State             { return m.s }

// Grounds counts the changes of what the host of the ground asks rulesets, Moves those of where creatures stand: what the
// host has made of either stays true until its count differs.
func (m *Machine) Grounds() uint64 { return m.grounds }
func (m *Machine) Moves() uint64   { return uint64(m.wentAt[everybodyBit]) }

// Restored forgets what was remembered of the state: it has been put back, or changed from outside.
func (m *Machine) Restored() {
	s := m.s
	m.forget()
	m.count()
	m.lasting, m.whiles = -1, 0
	for _, h := range s.Holds {
		if m.p.Durations[h.Duration].While != program.NoChunk {
			m.whiles++
		}
	}
	m.status, m.err, m.depth, m.settling, m.checkWhile = running, nil, 0, false, false
	m.dirty, m.entries = m.dirty[:0], m.entries[:0]
	s.reserve(s.top())
}

// Snapshot copies the state; Restore puts a copy back.
func (m *Machine) Snapshot(into *State) { into.CopyFrom(m.s) }

// Restore puts the state back as it was when it was copied.
func (m *Machine) Restore(from *State) {
	m.s.CopyFrom(from)
	m.Restored()
}

// recover turns a fault of this package into an error.
func (m *Machine) recover(err *error) {
	if x := recover(); x != nil {
		*err = m.crashed(x)
	}
}

func (m *Machine) crashed(x any) error {
	return &Error{Message: fmt.Sprintf("a fault of the machine: %v", x), Panic: true}
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

// here is the instruction that the topmost frame with code stands at, -1 if no code runs.
func (m *Machine) here() int32 {
	for i := len(m.s.Frames) - 1; i >= 0; i-- {
		if f := &m.s.Frames[i]; f.Kind == codeFrame || f.Kind == insteadFrame {
			return f.PC - 1
		}
	}
	return -1
}

// top is the frame on top, or nil.
func (m *Machine) top() *Frame {
	if len(m.s.Frames) == 0 {
		return nil
	}
	return &m.s.Frames[len(m.s.Frames)-1]
}

// cause is the event that what happens now is owed to.
func (m *Machine) cause() int32 {
	if f := m.top(); f != nil {
		return f.Event
	}
	return journal.None
}

// Bits is a set of parts.
type Bits []uint64

// Set puts a part into the set.
func (b *Bits) Set(i int32) {
	for int(i>>6) >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[i>>6] |= 1 << (uint(i) & 63)
}

// Has says whether a part is in the set.
func (b Bits) Has(i int32) bool { return i >= 0 && int(i>>6) < len(b) && b[i>>6]>>(uint(i)&63)&1 != 0 }
