// Package program is the format of a compiled ruleset: typed register bytecode and the tables that it refers to, as
// plain data.
//
// A program holds no pointer into the syntax tree or the checked ruleset, so it can be stored, compared, hashed and
// shared by any number of machines. Every value is one int64. Its type is settled when the rules are checked, so an
// instruction never tests it. The package also says how values are packed (value.go), defines the instructions (op.go)
// and prints them (disassemble.go). It must never know how the source is written nor what a rule is about.
package program

import (
	"arbiter/interp/ir"
	"arbiter/stdlib/modifier"
)

// Program is a compiled and linked ruleset.
type Program struct {
	Files  []string
	Code   []Instr
	Pos    Positions // of each instruction
	Quiet  []int32   // instructions whose change the transcript leaves out, ascending
	Chunks []Chunk
	Consts []int64
	Heap   []int64 // constant lists; Heap[0] is the empty one
	Texts  []string
	Labels []Label
	Dice   []string // notations

	Types       []Type
	Enums       []Enum
	Kinds       []Kind // Kinds[0] is creature
	Templates   []Template
	Bonuses     []string
	Globals     []Global
	BonusParts  []int32
	Laws        []modifier.Law
	Rolls       []Roll
	Tables      []Table
	Stats       []Stat
	Defines     []Define
	Resources   []Resource
	Effects     []Effect
	Procs       []Proc
	Rules       []Rule
	Points      []Point
	Permissions []Permission
	Tactics     []Tactics

	Checks        []Check
	Gains         []Gain
	Durations     []Duration
	Choices       []Choice
	Offers        []Offer
	Notes         []Note
	Plans         []Plan
	Refusals      []Refusal
	Picks         []Pick
	Moves         []Move
	Leave         Announcement // announces a square that a creature leaves
	Enter         Announcement // announces a square that a creature has entered
	Natives       []string     // functions that the host answers
	Hooks         []Hook
	Sites         []Site
	ClockDuration int32 // a duration that only the clock ends, and a pick among texts: for acting hooks
	TextPick      int32
	Parts         []*ir.Part

	Properties       []string // names of the properties of actions, by number
	PropertyDefaults []int64  // the value of a property where an action does not state it

	Nodes        []Node       // derived effects and includes, each after what it depends on
	Slots        Layout       // of a creature
	Deps         []Dependents // by slot: what depends on it
	WeightedSums [][]SumPart  // weighted sums of slots, from 1; 0 is a single slot
	Stride       int32        // slots of a creature

	Moments         [2][3]int32               // start, end by turn, round, fight: a point, or -1
	Ticks           []Tick                    // rules of `every`
	TickPoint       int32                     // the point at which rules of `every` run
	ActPermission   int32                     // the permission to act, or -1
	CoreDefines     [ir.CoreDefineCount]int32 // the defines that the core asks for, or -1
	Everyone        []int32                   // effects that all creatures have
	RecordsCoverage bool                      // compiled with instructions that mark every part as run, each time
	Marked          map[int32]bool            // parts that are marked the first time
	Neutral         map[int32]bool            // omitted parts

	finished     bool           // see Finish
	sharesPoints bool           // with what it was copied from; see OwnPoints
	common       func() *common // what a finished program and its copies have in common; a function, which is not written
}

// Chunk is a piece of code with its own registers. The first Params registers are its parameters.
type Chunk struct {
	Name       string
	Start, End int32
	Params     int32
	Regs       int32
	Shape      Shape // of the result
}

// NoChunk means no chunk.
const NoChunk int32 = -1

// Label names a die or a choice. Hash is what its random draws are derived from. Added is one more than the stat that is
// added to its dice, for explaining their sum; 0 or less if there is none.
type Label struct {
	Name  string
	Hash  uint64
	Added int32
}

// Type of a value, for displaying it. Of is an index into Enums, Kinds, Procs or, for a list, Types; Name is the
// dimension.
type Type struct {
	Kind   ir.TypeKind
	Of     int32
	Name   string
	OrNone bool
}

// Enum is a closed list of values.
type Enum struct {
	Members []string
}

// Kind is the layout of a thing.
type Kind struct {
	Name   string
	Fields []Field
}

// Field of a kind. Its index is the slot in an entity, a template or a record.
type Field struct {
	Name    string
	Type    int32
	Default int64
	Shape   Shape

	Internal bool // kept out of sight
}

// Template is a thing defined in the rules.
type Template struct {
	Name    string
	Kind    int32
	Values  []int64
	Effects []InitialEffect
	From    int32 // the template that it extends, or -1
}

// InitialEffect is an effect that a creature has from the start.
type InitialEffect struct {
	Effect int32
	Vals   []int64 // of its parameters
}

// Roll is a way to roll a check.
type Roll struct {
	Die      int64
	Verdicts []Verdict
	Says     [2]string // the words for success and failure, "" for the default ones
	Part     int32
	DiePart  int32 // part of the die, -1 if it has no citation
}

// Verdict of a natural face. When is a chunk with the parameters roller and foe, or NoChunk.
type Verdict struct {
	Natural  int64
	Succeeds bool
	When     int32
	Part     int32
}

// Global is a memory that belongs to the whole game.
type Global struct {
	Initial int64
	Shape   Shape
}

// Table is a lookup by ranges of one or two keys.
type Table struct {
	Name     string
	KeyCount int32
	Rows     []ir.Range
	Columns  []ir.Range // empty: one column
	Cells    []Cell     // row by row
	Part     int32
}

// Cell of a table: a value, a chunk that computes it, or the mark that the game master decides.
type Cell struct {
	Value int64
	Chunk int32
	Part  int32
}

// Stat is a number of a creature in a situation. Terms and modifiers are chunks whose parameters are self, the
// situation and, for modifiers, the instance; they return Absent when they do not apply.
type Stat struct {
	Name       string
	Type       int32
	Params     []Param
	Against    int32 // index of the opponent in the situation, or -1
	Terms      []Term
	TermsChunk int32 // a chunk that enters all terms, or NoChunk: each is evaluated separately
	Mods       []Modifier
	Denials    []Denial
	ViewOf     int32 // of a view: the stat; else -1
	Without    modifier.Loss
	Denied     modifier.Loss
	Volatile   bool // it reads something that no slot tracks, so it is never cached
	Part       int32
}

// Param of a stat, a define or a procedure.
type Param struct {
	Name, Label string
	Type        int32
	Shape       Shape
}

// Term is a part of a stat's base.
type Term struct {
	Name  string
	Bonus int16
	Chunk int32
	Part  int32
}

// Modifier of a stat, for creatures with Effect or, if Against, for those who target one.
type Modifier struct {
	Effect  int32
	Op      modifier.Op
	Den     int32
	Bonus   int16
	Against bool
	Hooked  bool // its amount is a hook, which may add other modifiers
	Chunk   int32
	Part    int32
}

// Denial takes bonuses away from a stat of creatures with Effect while Guard (or NoChunk) holds.
type Denial struct {
	Effect int32
	Loss   modifier.Loss
	Guard  int32
	Part   int32
}

// Define is a pure function of self and its parameters.
type Define struct {
	Name      string
	Cacheable Cacheable
	Chunk     int32
	Params    []Param
	Type      int32
}

// Cacheable says which part of a define's result may be cached while the state does not change.
type Cacheable uint8

const (
	CacheNothing Cacheable = iota
	CacheValue
	CacheList // its elements
)

// MaxCachedParams is the maximum number of parameters, including self, of a define whose results are cached.
const MaxCachedParams = 4

// Resource of a creature. A bound is a chunk of self or, with NoChunk, the corresponding constant; None means no bound.
type Resource struct {
	Name                              string
	Type                              int32
	LowChunk, HighChunk, InitialChunk int32
	Low, High, Initial                int64
	Internal                          bool         // kept out of sight
	Counted                           bool         // counted elsewhere
	Share                             ir.TurnShare // what it is of a turn
}

// Effect is the definition that instances are made from.
type Effect struct {
	Name, Word   string
	Values       []Param
	NParams      int32
	Initial      []int32 // chunks of self and instance, by memory value
	While        int32   // chunk of self; NoChunk
	Cannots      []Cannot
	Musts        Tactics // all that creatures with it do by tactics
	Duration     int32   // index of a duration, or -1
	CaptureChunk int32   // chunk of self and instance that computes the state that Lasts needs; NoChunk
	Nodes        []int32 // its includes
	GainPoint    int32   // points, or -1
	LosePoint    int32
	Ticks        []int32
	Internal     bool // kept out of sight
	Part         int32
}

// Cannot forbids Permission to creatures with its effect. Guard is a chunk of self, instance and the action's
// parameters; it can hold only if Argument does.
type Cannot struct {
	Permission int32
	Guard      int32
	Argument   ArgumentRange
	Why        string
	Part       int32
}

// ArgumentRange is the condition that a parameter of an action (from 0; -1: no condition) is between Low and High.
type ArgumentRange struct {
	Param     int32
	Low, High int64
}

// Proc is a procedure or an action. Its registers are self, its parameters, then all others.
type Proc struct {
	Name            string
	Action          bool
	Params          []Param
	Chunk           int32
	Legal           int32 // chunk of self, parameters and whether the cost is checked; returns -1 or the index of a refusal
	DefaultsChunk   int32 // chunk that gives missing parameters their defaults; NoChunk
	Defaults        []Default
	InitialValues   []InitialValue
	Record          []RecordField
	Costs           []Cost
	Properties      []int32 // chunks of self and parameters, by number of the property; NoChunk
	CancelPC        int32   // where the code continues when the procedure is canceled
	Ways            []int32 // of a procedure of a kind: by template, the procedure that runs instead
	SelectedByActor bool    // the template that selects it is the actor's, not the first parameter's
	Part            int32
}

// Default of a parameter: a constant or, if Absent, the value that DefaultsChunk computes from Start on. A Required
// one has no default: rules always give it.
type Default struct {
	Value    int64
	Start    int32
	Required bool
}

// InitialValue is the initial value of a register, if it is not 0.
type InitialValue struct {
	Reg   int32
	Value int64
}

// RecordField says where a name of a procedure's record comes from.
type RecordField struct {
	Name  string
	Reg   int32
	Type  int32
	Shape Shape
}

// Cost is one way to pay for an action.
type Cost struct {
	Guard int32 // chunk of self, parameters; NoChunk
	Parts []CostPart
}

// CostPart is an amount of a resource: a chunk of self and parameters or, with NoChunk, Count.
type CostPart struct {
	Resource int32
	Amount   int32
	Count    int64
}

// Refusal is the reason why an action may not be done.
type Refusal struct {
	Part      int32
	Why       string
	Forbidden bool // by a `cannot`, whose part and words are known only at run time
}

// Rule is a reaction. Its registers are self, actor, instance, then its locals. Guard includes the conditions of the
// trigger.
type Rule struct {
	Name          string
	Effect        int32 // -1: of the top level
	Within        int32 // procedure whose body contains it, or -1; then the instance is the number of its frame
	Guard         int32 // chunk of self, actor, instance; NoChunk
	Chunk         int32
	EveryCreature bool  // every creature has it
	Bearer        int32 // whose rule it can be: ActorBearer, the creature in that outer register, or AnyBearer
	Reaction      bool
	Permission    int32 // permission that its owner needs, or -1
	Costs         []Cost
	Legal         int32 // chunk of self, actor, instance; returns -1 or the index of a refusal; NoChunk
	Default       int32 // of a reaction: chunk of the same parameters, whether it is taken if nobody decides; NoChunk: it is
	Once          string
	RulesetDepth  int32
	Order         int32 // position among all rules, sorted by path
	InitialValues []InitialValue
	CancelPC      int32 // its last instruction
	Label         int32
	Part          int32
}

// Values of Bearer. A rule whose trigger names one creature is tested for that creature only.
const (
	AnyBearer   int32 = -1
	ActorBearer int32 = -2 // the actor of the interrupted code, or the creature whose turn or moment it is
)

// RuleParams is the number of parameters of a rule: self, the actor of the interrupted code, the instance.
const RuleParams = 3

// Point is a place in the code where rules run.
type Point struct {
	Name    string
	Check   CheckPhase // of a point of checks
	Rules   []int32
	Endings []Ending
	Plans   []PlanRule
}

// CheckPhase says how far a check is at a point.
type CheckPhase uint8

const (
	NoCheck     CheckPhase = iota
	CheckBegins            // its numbers are not known yet
	CheckStands            // they are, but not its result
	CheckJudged
)

// Ending is a trigger of a duration; it fires when all Args match.
type Ending struct {
	Duration int32
	Args     []EndingArg
	Skip     int32 // index of the captured mark that says whether to skip one such moment, or -1
}

// EndingArg compares an outer register (-1: the actor) with a captured value (-1: the creature with the effect).
type EndingArg struct{ Outer, Captured int32 }

// PlanRule is a rule that waits at a point for the plan in value Value of its effect. Guard is the condition of the
// plan's trigger: a chunk of self, actor, plan.
type PlanRule struct {
	Rule, Value, Plan int32
	Guard             int32
}

// Tick is a rule of `every`. Period is a chunk of self and instance. Effect is -1 for the top level.
type Tick struct {
	Rule   int32
	Period int32
	Effect int32
}

// Permission is something that `cannot` can forbid.
type Permission struct {
	Name string
	Proc int32
}

// Tactics are commands in order of preference. Chunk, of self and for an effect its instance, returns the first command
// that is affordable and whose guard holds, as a list of its index and its arguments, or none. It may be entered at any
// command, after one that turns out not to be legal.
type Tactics struct {
	Chunk    int32
	Commands []TacticCommand
}

// TacticCommand is a command of Proc. Start is where its code begins.
type TacticCommand struct {
	Proc  int32
	Start int32
}

// Check is a roll. Its block of registers begins with ir.CheckVars, then the natural face of the opposed roll.
type Check struct {
	Roll, Opposed int32 // Opposed -1: against a difficulty
	Label         int32
	OpposedLabel  int32
	Open          bool // no difficulty
	ResultOnly    bool // only the result matters: no die is rolled if all faces give the same

	// The numbers that these are the sum of, for explanations; none if there is no difficulty.
	Bonus, Difficulty []Addend
}

// IsForegone says whether a check with this natural roll was certain, so that no die was rolled.
func (k *Check) IsForegone(natural int64) bool { return k.ResultOnly && natural == 0 }

// Addend is a number of the bonus or the difficulty of a check.
type Addend struct {
	Pos        ir.Pos   // of its expression
	Reads      []ir.Pos // of the expressions that read the stats it was computed from
	Stat       int32    // the stat that it is, -1 if it is not one
	Subtracted bool
	Reg        int32 // its register, relative to the block of the check; NoAddendReg: it is Const, or the only one
	Const      int64
}

// NoAddendReg is for an addend without a register of its own.
const NoAddendReg = -1

// Registers of a check's block.
const (
	CheckRoller = iota
	CheckFoe
	CheckKind
	CheckStat
	CheckBonus
	CheckDifficulty
	CheckNatural
	CheckTotal
	CheckMargin
	CheckSuccess
	CheckOpposed
	CheckBlock // number of registers
)

// Gain of an effect. The registers from the base are the creature, the parameters, the memory (Absent: its initial
// value), then the object that OpCapture made for the duration, or none.
type Gain struct {
	Effect   int32
	Duration int32 // -1: the duration of the effect
}

// Duration of an effect. Its values are rounds or none, seconds or none, then the captured ones.
type Duration struct {
	Shapes      []Shape
	While       int32 // chunk of self and the first NWhile captured values; NoChunk
	WhileParams int32
	Skips       []Skip // triggers that skip the current turn
	HasTriggers bool
	At          ir.Pos    // where the condition of its `while` is
	Triggers    []Trigger // what ends it, for displaying it
}

// Trigger is an event or a moment in words: `start of turn`, `strike.roll`. At is the index of the captured mark that
// says whether to skip one.
type Trigger struct {
	Text   string
	Moment bool // of the clock
	Skip   int32
	Args   []TriggerArg
}

// TriggerArg narrows a trigger: the word before it, the index of the captured value (-1: the creature with the effect),
// and its type.
type TriggerArg struct {
	Label          string
	Captured, Type int32
}

// Skip says that the captured value at Counter counts the moments to skip. With AtEnd, for an effect that lasts to the
// end of the next turn, that is one when the effect is gained in the turn of the creature captured at Creature (-1: the
// creature with the effect).
type Skip struct {
	Counter, Creature int32
	AtEnd             bool
}

// Choice is a decision between options.
type Choice struct {
	Label   int32
	Options []string
}

// Offer of a command or a block.
type Offer struct {
	Label int32
	Text  string
	Proc  int32
}

// Pick from a list.
type Pick struct {
	Label  int32
	Type   int32
	Chance bool // decided by a die
}

// Note is a text made of literal pieces and registers.
type Note struct{ Pieces []NotePiece }

// NotePiece is literal text, or the value of the next register.
type NotePiece struct {
	Text  string
	Type  int32
	Value bool
}

// Plan is a trigger and commands. Its registers begin like those of a rule, then come the captured ones.
type Plan struct {
	Chunk         int32
	Shapes        []Shape
	InitialValues []InitialValue
	CancelPC      int32
	Name          string
	Actions       int64 // list of the actions among its commands
	ComesAfter    bool  // its trigger is `after` something
	Pos           ir.Pos
}

// Announcement is a procedure that announces a step of a movement. Params says what each of its parameters is.
type Announcement struct {
	Proc   int32 // -1: none
	Params []uint8
}

// Parameters of an announcement: the square that is left or has been entered, the next one, the mode.
const (
	AnnounceAt uint8 = iota
	AnnounceTo
	AnnounceMode
)

// Hook is a Starlark function that the host runs.
type Hook struct {
	Name string // as written in the rules
}

// Site is a place where rules name a hook: what it receives and what it must return.
type Site struct {
	Hook        int32
	Names       []string // of the registers that it receives
	Types       []int32
	Type        int32     // of its value
	Modifies    bool      // it may add several modifiers
	Optional    bool      // its value may be none
	ValueUnused bool      // its value is not used
	Label       int32     // for dice and choices without a name of their own
	LabelNames  []string  // names of dice and choices
	Labels      []int32   // and their labels
	Vars        []HookVar // where the names are stored, for an acting hook; their values may change while it runs
}

// HookVar is where a name is stored that a hook can read again and assign.
type HookVar struct {
	Name       string
	Type       int32
	Scope      Scope
	Index      int32 // register, or index of the memory
	Assignable bool  // it may be assigned
}

// Scope says which code or effect a name belongs to.
type Scope uint8

const (
	InCode   Scope = iota // of the code itself
	InOuter               // of the code that the rule interrupts
	InWithin              // of the procedure whose body contains the rule
	InMemory              // of the rule's effect
)

// Registers of an acting hook, before those that it receives.
const (
	HookAnswers = iota // list of the answers so far, at first none
	HookValue          // its final value; until then what it waits for
	HookWaitsAt        // whether it waits for a value: if not 0, the place in its file where it asked
	HookArgs           // first of the registers that it receives
)

// Move is a statement of movement, by ways that the host knows.
type Move struct {
	Kind string // along, to, away, toward
	Mode int64
}

// Layout says where the slots of a creature begin: fields from 0, then resources, then one presence counter per effect.
// Beyond Stride are slots that hold no value but notify their listeners: the fields of the other kinds, the clock, the
// world of the host, the memories of the game. Only nodes listen to the clock and the world; cached values keep track
// of the creatures whose places they read (machine/reads.go).
type Layout struct {
	Resources, Effects int32
	KindFields         []int32 // where the fields of each kind begin
	Clock, World       int32
	Globals            int32 // the first memory of the game
	Count              int32
}

// Node maintains something derived: an effect while its condition holds (Include -1), or an included one.
type Node struct {
	Effect       int32 // the derived or included effect
	Includer     int32 // the effect that includes it, or -1
	Include      int32
	Guard        int32 // chunk of self, or of self and instance; NoChunk: always
	Precondition Range // a necessary condition of a derived effect, for a quick test
}

// Range is the condition that a slot (-1: no condition) or, with a WeightedSum, that sum of slots is between Low and
// High.
type Range struct {
	Slot, WeightedSum int32
	Low, High         int64
}
