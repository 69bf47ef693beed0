// Package program is a compiled ruleset: typed register bytecode and the tables that it refers to, as plain data.
//
// A program holds no pointer into the tree or the checked ruleset, so it may be kept, compared, hashed and shared by
// any number of machines. Every value is one int64; what the bits mean is settled when the rules are checked, so an
// instruction never asks. This package also says how values are packed (value.go), what the instructions are (op.go)
// and prints them (disassemble.go). It must never know how the source is spelt nor what a rule is about.
package program

import (
	"math"

	"arbiter/interp/ir"
	"arbiter/stdlib/modifier"
)

// Program is a linked ruleset, compiled.
type Program struct {
	Files  []string
	Code   []Instr
	Pos    []ir.Pos // of each instruction
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

	Checks    []Check
	Gains     []Gain
	Durations []Duration
	Choices   []Choice
	Offers    []Offer
	Notes     []Note
	Plans     []Plan
	Refusals  []Refusal
	Picks     []Pick
	Moves     []Move
	Leave     Announcement // of a square that is left
	Enter     Announcement // of one that has been entered
	Natives   []string     // functions that the host answers
	Hooks     []Hook
	Sites     []Site
	ByClock   int32 // a duration that only the clock ends, and a pick of a text: for hooks that act
	OfTexts   int32
	Parts     []ir.Part

	Properties []string // names of the properties of actions, by number
	Unstated   []int64  // what a property is where an action does not state it

	Nodes  []Node      // derived effects and includes, each after what it depends on
	Slots  Layout      // of a creature
	Deps   []Depend    // by slot: what must hear of a write
	Sums   [][]SumPart // of slots that are weighed together, from 1; 0 is a slot by itself
	Stride int32       // slots of a creature

	Moments  [2][3]int32          // start, end by turn, round, fight: a point or -1
	Ticks    []Tick               // rules of `every`
	Beat     int32                // the point at which rules of `every` run
	Act      int32                // the permission, -1
	Asked    [ir.AskedCount]int32 // the defines that the core asks for, -1
	Everyone []int32              // effects that all creatures bear
	Covers   bool                 // compiled with instructions that mark parts as run
	Neutral  map[int32]bool       // parts that were left out
}

// Chunk is a piece of code that runs in its own registers. The first Params registers are given.
type Chunk struct {
	Name       string
	Start, End int32
	Params     int32
	Regs       int32
	Shape      Shape // of the result
}

// NoChunk stands for an absent chunk.
const NoChunk int32 = -1

// Label names a die or a choice. Hash is the one that draws are made of.
type Label struct {
	Name string
	Hash uint64
}

// Type of a value, for showing it. Of indexes Enums, Kinds, Procs or, for a list, Types; Name is the dimension.
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

// Field of a kind: slot i of an entity, a template or a record.
type Field struct {
	Name    string
	Type    int32
	Default int64
	Shape   Shape
}

// Template is a thing written in the rules.
type Template struct {
	Name   string
	Kind   int32
	Values []int64
	Has    []Given
	From   int32 // the template that it extends, -1
}

// Given is an effect that a creature bears from the start.
type Given struct {
	Effect int32
	Vals   []int64 // of its parameters
}

// Roll is a way to throw a check.
type Roll struct {
	Die      int64
	Verdicts []Verdict
	Says     [2]string // the words for success and failure, "" for the plain ones
	Part     int32
	DiePart  int32 // of the die, -1 when nothing cites for it
}

// Verdict of a natural face. When is a chunk of roller and foe, or NoChunk.
type Verdict struct {
	Natural  int64
	Succeeds bool
	When     int32
	Part     int32
}

// Global is a memory of the whole game.
type Global struct {
	First int64
	Shape Shape
}

// Table is a lookup by ranges in one or two keys.
type Table struct {
	Name    string
	Keys    int32
	Rows    []ir.Range
	Columns []ir.Range // empty: one column
	Cells   []Cell     // row by row
	Part    int32
}

// Cell of a table: a value, or a chunk that gives it, or the mark of the game master.
type Cell struct {
	Value int64
	Chunk int32
	Part  int32
}

// Stat is a number of a creature in its situation. Terms and modifiers are chunks of self, the situation, and (for
// modifiers) the instance; they give Absent when they do not hold.
type Stat struct {
	Name     string
	Type     int32
	Params   []Param
	Against  int32 // position of the situation's opponent, -1
	Terms    []Term
	Sum      int32 // a chunk that enters all terms, or NoChunk: each is asked by itself
	Mods     []Modifier
	Denials  []Denial
	Of       int32 // of a view: the stat, else -1
	Without  modifier.Loss
	Denied   modifier.Loss
	Volatile bool // reads what no slot tells of, so it is never cached
	Part     int32
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

// Modifier of a stat that the bearers of Effect have, or (Against) those who aim at a bearer.
type Modifier struct {
	Effect  int32
	Op      modifier.Op
	Den     int32
	Bonus   int16
	Against bool
	Hooked  bool // its amount is a hook, which may add others
	Chunk   int32
	Part    int32
}

// Denial takes bonuses away from a stat of the bearers of Effect while Guard (or NoChunk) holds.
type Denial struct {
	Effect int32
	Loss   modifier.Loss
	Guard  int32
	Part   int32
}

// Define is a pure function of self and its parameters.
type Define struct {
	Name   string
	Keeps  Keeps
	Chunk  int32
	Params []Param
	Type   int32
}

// Keeps says what of a define's answer may be remembered as long as the state does not change.
type Keeps uint8

const (
	KeepsNothing Keeps = iota
	KeepsValue
	KeepsList // its elements
)

// KeptParams is how many parameters, self among them, a define may have whose answers are remembered.
const KeptParams = 4

// Resource of a creature. A bound is a chunk of self or, with NoChunk, the constant beside it, None for no bound.
type Resource struct {
	Name             string
	Type             int32
	From, To, Starts int32
	Low, High, First int64
}

// Effect is what instances are of.
type Effect struct {
	Name, Word string
	Values     []Param
	NParams    int32
	Initial    []int32 // chunks of self and instance, by memory value
	While      int32   // chunk of self, or NoChunk
	Cannots    []Cannot
	Lasts      int32   // index of a duration, -1
	LastsCode  int32   // chunk of self and instance that holds what Lasts needs to know; NoChunk
	Nodes      []int32 // its includes
	Gaining    int32   // points, -1
	Losing     int32
	Ticks      []int32
	Part       int32
}

// Cannot forbids Permission to the bearers of its effect; Guard is a chunk of self, instance and the action's parameters.
type Cannot struct {
	Permission int32
	Guard      int32
	Why        string // empty: the refusal's own words
	Part       int32
}

// Proc is a procedure or an action. Its registers are self, parameters, then the rest.
type Proc struct {
	Name       string
	Action     bool
	Params     []Param
	Chunk      int32
	Legal      int32 // chunk of self, parameters and whether the cost is asked: -1, or the index of a refusal
	Fill       int32 // chunk that gives absent parameters their defaults, or NoChunk
	Defaults   []Default
	Zeros      []Zero
	Record     []RecordField
	Costs      []Cost
	Properties []int32 // chunks of self and parameters, by number of the property; NoChunk
	Leave      int32   // where the code goes on when the procedure is broken off
	Ways       []int32 // of a procedure of a kind: by template, the procedure that runs in place of this one
	OfDoer     bool    // likewise: it is who acts whose template counts, not the first parameter's
	Part       int32
}

// Default of a parameter: a constant or, with Absent, what the code of Fill says from Start on. One that is Wanted has none of its own:
// rules always give it.
type Default struct {
	Value  int64
	Start  int32
	Wanted bool
}

// Zero is a register that does not begin as 0.
type Zero struct {
	Reg   int32
	Value int64
}

// RecordField is where a name of a procedure's record comes from.
type RecordField struct {
	Name  string
	Reg   int32
	Type  int32
	Shape Shape
}

// Cost is one way to pay.
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

// Refusal is why an action may not be done.
type Refusal struct {
	Part      int32
	Why       string
	Forbidden bool // by a `cannot`, whose part is known only in play
}

// Rule is a reaction. Registers: self, actor, instance, then its locals. Guard includes what the trigger asks.
type Rule struct {
	Name     string
	Effect   int32 // -1: of the top level
	Within   int32 // procedure in whose body it stands, -1; then the instance is the number of its frame
	Guard    int32 // chunk of self, actor, instance; NoChunk
	Chunk    int32
	Each     bool  // borne by every creature
	Only     int32 // whose it can be at all: OnlyActor, the creature in that outer register, or OnlyAny
	Reaction bool
	Permit   int32 // permission that its owner needs, -1
	Costs    []Cost
	Legal    int32 // chunk of self, actor, instance: -1, or the index of a refusal; NoChunk
	Default  int32 // of a reaction: chunk of the same: whether it is taken when nobody says; NoChunk: it is
	Once     string
	Depth    int32
	Order    int32 // place among all rules by path
	Zeros    []Zero
	Leave    int32 // its last instruction
	Label    int32
}

// Of a rule that says whose moment it waits for, nobody else's is asked.
const (
	OnlyAny   int32 = -1
	OnlyActor int32 = -2 // who does the interrupted, or whose moment it is
)

// RuleParams are the registers that a rule is given: self, who does the interrupted, the instance.
const RuleParams = 3

// Point is a place where rules run.
type Point struct {
	Name    string
	Rules   []int32
	Endings []Ending
	Plans   []PlanHook
}

// Ending is a trigger of a duration: what it waits for has come when all Args agree.
type Ending struct {
	Duration int32
	Args     []EndingArg
	Next     int32 // place of the captured mark whether one such moment is to be let by; -1
}

// EndingArg compares an outer register (-1: who acts) with a held value (-1: the bearer).
type EndingArg struct{ Outer, At int32 }

// PlanHook is a rule that waits at a point for the plan that value Value of its effect holds. Guard is what the plan's
// trigger asks: a chunk of self, actor, plan.
type PlanHook struct {
	Rule, Value, Plan int32
	Guard             int32
}

// Tick is a rule of `every`: Period is a chunk of self and instance. Effect is -1 for the top level.
type Tick struct {
	Rule   int32
	Period int32
	Effect int32
}

// Permission may be forbidden.
type Permission struct {
	Name string
	Proc int32
}

// Tactics are commands in order of preference.
type Tactics struct {
	Commands []TacticCommand
}

// TacticCommand gives the arguments of Proc: Args is a chunk of self that makes a record of them, or none when the
// guard does not hold.
type TacticCommand struct {
	Proc int32
	Args int32
}

// Check throws. Its block of registers begins with ir.CheckVars, then the natural face of the opposed roll.
type Check struct {
	Roll, Opposed int32 // Opposed -1: against a difficulty
	Label         int32
	OpposedLabel  int32
	Open          bool  // no difficulty
	Stat, Foe     int32 // stats that bonus and difficulty are, for explaining; -1
}

// Registers of a check's block.
const (
	CheckRoller = iota
	CheckFoe
	CheckKind
	CheckBonus
	CheckDifficulty
	CheckNatural
	CheckTotal
	CheckMargin
	CheckSuccess
	CheckOpposed
	CheckBlock // how many
)

// Gain of an effect: registers from the base are who, parameters, memory (Absent: its initial value), then what OpHold
// made of the duration, or none.
type Gain struct {
	Effect   int32
	Duration int32 // -1: as long as the effect lasts
}

// Duration of an effect. Its values are rounds or none, seconds or none, then the captured ones.
type Duration struct {
	Shapes []Shape
	While  int32 // chunk of self and the captured values it begins with; NoChunk
	NWhile int32
	Nexts  []Next // triggers that let the running turn by
	Until  bool
	At     ir.Pos    // where the condition of its `while` stands
	Says   []Trigger // what ends it, for saying it
}

// Trigger is an event or a moment in words: `start of turn`, `strike.blow`. At is where it keeps whether one more is to be let by.
type Trigger struct {
	Text   string
	Moment bool // of the clock
	At     int32
	Args   []TriggerArg
}

// TriggerArg is what narrows a trigger: the word before it, the place of the held value (-1: the bearer), and its type.
type TriggerArg struct {
	Label    string
	At, Type int32
}

// Next says that the held value at At counts how many moments are to be let by: one when an effect that lasts to the
// end of the next turn is gained in the turn of the creature held at Of (-1: the bearer).
type Next struct {
	At, Of int32
	End    bool
}

// Choice is what somebody decides.
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
	Chance bool // a die picks
}

// Note is pieces of text and registers.
type Note struct{ Pieces []NotePiece }

// NotePiece is literal text, or the value of the next register.
type NotePiece struct {
	Text  string
	Type  int32
	Value bool
}

// Plan is a trigger and commands; its registers begin as those of a rule, then the captured ones.
type Plan struct {
	Chunk  int32
	Shapes []Shape
	Zeros  []Zero
	Leave  int32
	Name   string
	Done   int64 // the list of actions among its commands
	Pos    ir.Pos
}

// Announcement is a procedure that tells of a step. Params say what each of its parameters gets.
type Announcement struct {
	Proc   int32 // -1: none
	Params []uint8
}

// What an announcement can tell: the square that is left or has been entered, the one that comes, the mode.
const (
	AnnounceAt uint8 = iota
	AnnounceTo
	AnnounceMode
)

// Hook is a function in Starlark that the host runs.
type Hook struct {
	Name string // as rules say it
}

// Site is a place where rules name a hook: what it is given, and what it owes.
type Site struct {
	Hook     int32
	Names    []string // of the registers that it is given
	Types    []int32
	Type     int32    // of its value
	Modifies bool     // it may add several modifiers
	Optional bool     // its value may be none
	Unwanted bool     // nobody asks for its value
	Label    int32    // of dice and choices without a name of their own
	Named    []string // names of dice and choices
	Labels   []int32  // and what each stands for
	Places   []Place  // where the names live, when it acts; the values may change meanwhile
}

// Place is where a name lives that a hook may read anew, and bind.
type Place struct {
	Name string
	Type int32
	In   Scope
	At   int32 // register, or number of the memory
	Set  bool  // it may be bound
}

// Scope is whose a name is.
type Scope uint8

const (
	InCode   Scope = iota // of the code itself
	InOuter               // of what the rule interrupts
	InWithin              // of the procedure in whose body the rule stands
	InMemory              // of the rule's effect
)

// Registers of a hook that acts, before those that it is given.
const (
	HookLog   = iota // the list of all that it has been told, none at first
	HookValue        // its value in the end; what it waits for until then
	HookWaits        // whether it waits for a value: not 0, and where in its file it said what it wants
	HookGiven        // where what it is given begins
)

// Move is a sentence of movement, along ways that the host knows.
type Move struct {
	Way  string // along, to, away, toward
	Mode int64
}

// Layout says where the slots of a creature begin: fields from 0, then resources, then one presence counter an effect.
// Beyond Stride lie slots that are only heard of: the fields of the other kinds, the clock, the world of the host, the memories of the game. Of
// the clock and the world only nodes hear: what is remembered notes who it was that stood somewhere (machine/places.go).
type Layout struct {
	Resources, Effects int32
	KindFields         []int32 // by kind: where its fields begin
	Clock, World       int32
	Globals            int32 // the memories of the game, one after the other
	Count              int32
}

// Depend is what hears of a write to a slot: on the creature that has it (Own), or on everybody (All). Asked is what
// the defines that the host of the ground asks for make of the slot, Whiles what the conditions of durations do; Defeats says
// whether the slot is read to tell who is defeated.
type Depend struct {
	OwnStats, AllStats     []Listener
	OwnDefines, AllDefines []Listener // those whose answers are remembered
	OwnNodes, AllNodes     []Listener
	Groups                 []Group // of OwnNodes, so that most writes need ask only them
	Asked, Whiles          Cuts
	Defeats                bool
}

// Listener is a stat, a define or a node, and which writes concern it.
type Listener struct {
	Index int32
	Cuts  Cuts
}

// Group is listeners one after the other, from First to before End, that weigh the same number, and what concerns any of them.
type Group struct {
	First, End int32
	Cuts       Cuts
}

// Cuts say what of a slot is asked: only on which side of some numbers it lies, the least and the greatest of which are
// Low and High. A slot is below a cut or at least as high. With a Sum it is that sum of slots which lies there.
type Cuts struct {
	Low, High int64
	Sum       int32
}

// SumPart is a slot that counts so many times.
type SumPart struct {
	Slot  int32
	Times int64
}

// Every reader of the number itself hears of all writes, and one that reads nothing of none.
var (
	AllCuts = Cuts{Low: math.MinInt64, High: math.MaxInt64}
	NoCuts  = Cuts{Low: math.MaxInt64, High: math.MinInt64}
)

// Join gives the cuts of both; if these are of different sums, all.
func (c Cuts) Join(d Cuts) Cuts {
	switch {
	case c == NoCuts:
		return d
	case d == NoCuts:
		return c
	case c.Sum != d.Sum:
		return AllCuts
	}
	return Cuts{min(c.Low, d.Low), max(c.High, d.High), c.Sum}
}

// Crossed says whether a write may lead across a cut.
func (c Cuts) Crossed(from, to int64) bool {
	return (from >= c.Low || to >= c.Low) && (from < c.High || to < c.High)
}

// Node keeps something derived: an effect while its condition holds (Include -1), or an included one.
type Node struct {
	Effect  int32 // the derived or included effect
	By      int32 // the effect that includes it, -1
	Include int32
	Guard   int32 // chunk of self, or of self and instance; NoChunk: always
	Within  Range // without which a derived effect cannot hold
}

// Range asks for a number from Low to High in a slot, -1: for nothing; or with a Sum for such a sum of slots.
type Range struct {
	Slot, Sum int32
	Low, High int64
}
