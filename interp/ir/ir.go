// Package ir is a checked ruleset: every name resolved, every expression typed, sugar taken away.
//
// The checker makes it from linked syntax trees, the compiler makes a program of it, and coverage, documentation and
// explanation read it. It is data without behaviour. It must never know how code runs nor how it was spelt, but it
// keeps where everything stood.
package ir

import "arbiter/lang/ast"

// Pos is where something was written. File indexes Ruleset.Files.
type Pos struct {
	File int32
	Span ast.Span
}

// Part is a piece of a rule that may be cited, covered, explained and neutralised: a term, a modifier, a step, a
// statement with a `cite`, a whole definition. Parts are numbered through the ruleset.
type Part struct {
	ID    int32
	Path  string   // swing.confirm, vigor.base; unique for named parts
	Doc   string   // one sentence
	Cites []string // catalogue ids, runs spelt out
	Pos   Pos
	From  string // the ruleset it comes from
}

// TypeKind is what a type is before its name.
type TypeKind uint8

const (
	Invalid   TypeKind = iota // the checker has reported it
	Nothing                   // of `none` alone
	Number                    // int64
	YesNo                     // 0 or 1
	Text                      // index into Ruleset.Texts
	Dice                      // packed: see DiceValue
	Quantity                  // int64 in the base unit of Name: distance ft, duration seconds, weight lb, money cp, speed mph, temperature F, chance %
	EnumType                  // index of the member in Enum Name
	Ref                       // a thing of kind Name: an entity, a template or a record
	List                      // handle of a list of Elem
	Outcome                   // handle of a check's record
	Record                    // handle of the record of procedure Name
	Square                    // x, y, z packed
	PathType                  // handle of a list of squares
	Place                     // a square, or a creature that fills its own
	ActionRef                 // index of a procedure that is an action
	PlanType                  // handle of a captured plan
	EffectRef                 // index of an effect
)

// Type of a value. Every value is one int64; None is the one value that means none in any type with OrNone.
type Type struct {
	Kind   TypeKind
	Name   string // of the enum, kind, dimension or procedure
	Elem   *Type  // of a list
	OrNone bool
}

// None is the none of every type.
const None = -1 << 63

// DiceValue packs a dice value: Expr is an index into Ruleset.DiceExprs, thrown Times times, plus Flat.
// Layout of the int64: Expr in bits 48..62, Times in bits 32..47, Flat as a signed int32 in bits 0..31.
type DiceValue struct {
	Expr  uint16
	Times uint16
	Flat  int32
}

// Pack gives the dice value as a value.
func (d DiceValue) Pack() int64 {
	return int64(d.Expr)<<48 | int64(d.Times)<<32 | int64(uint32(d.Flat))
}

// UnpackDice takes a dice value apart.
func UnpackDice(v int64) DiceValue {
	return DiceValue{Expr: uint16(v >> 48), Times: uint16(v >> 32), Flat: int32(uint32(v))}
}

// Ruleset is everything that was linked together.
type Ruleset struct {
	Name  string
	Files []string // paths as given
	Parts []*Part

	Enums       []*Enum
	Kinds       []*Kind // Kinds[0] is creature
	Templates   []*Template
	Bonuses     []*Bonus // names of bonus types; at most 64
	Rolls       []*Roll
	Options     []*Option
	Globals     []*Global
	Tables      []*Table
	Stats       []*Stat // views are stats with Of
	Defines     []*Define
	Resources   []*Resource
	Effects     []*Effect
	Procs       []*Proc
	Rules       []*Rule       // of the top level, of effects and of resources alike
	Permissions []*Permission // actions come first in the order of Procs, then the declared ones
	Tactics     []*Tactics
	Hooks       []*Hook
	Texts       []string
	DiceExprs   []string // notations

	Act   int                 // index of the permission `act`, -1 if not declared
	Leave *Proc               // announces that a square is left, nil if not declared
	Enter *Proc               // announces that one has been entered
	Asked [AskedCount]*Define // what the core asks for, nil where a ruleset does not say
}

// Enum is a list of words. Ordered ones may be compared and counted along.
type Enum struct {
	Name    string
	Ordered bool
	Members []string
	Part    *Part
}

// Kind is a sort of thing. Field i of a thing is slot i of its record.
type Kind struct {
	Name   string
	Fields []*FieldDef
	Part   *Part
}

// FieldDef is a field with what it holds unless a thing says otherwise.
type FieldDef struct {
	Name    string
	Type    Type
	Default int64 // a constant (for a list or a dice value: its handle or packed form); see Const
	Const   *Const
	Like    string // of a property of actions: which one it follows where an action does not state it
	Part    *Part
}

// Const is a value known before anything runs. Exactly one form is used.
type Const struct {
	Value  int64    // scalars, packed dice, index of a template for a Ref, None
	List   []*Const // lists
	IsList bool
}

// Template is a thing written in the rules: Values by field of its kind, and effects that it starts with (creatures).
type Template struct {
	Index   int
	Name    string
	Kind    *Kind
	Extends *Template
	Values  []*Const
	Parts   []*Part // by field: what gives it here; nil of what is inherited
	Has     []Given
	Part    *Part
}

// Given is an effect that a creature bears from the start, with the values of its parameters.
type Given struct {
	Effect *Effect
	Args   []*Const
}

// Bonus is a bonus type with its law: how several on one stat go together.
type Bonus struct {
	Name string
	Law  string // highest, stacks, stacks by source
	Part *Part
}

// Roll is a way to throw a check. Verdicts decide before the total is compared.
type Roll struct {
	Index    int
	Name     string
	Die      DiceValue
	Verdicts []RollVerdict
	Says     [2]string // for success and failure, "" for the plain words
	DiePart  *Part     // of the die, when something cites for it
	Part     *Part
}

// RollVerdict decides a check by the face alone: on this natural throw it succeeds, or fails.
type RollVerdict struct {
	Natural  int64
	Succeeds bool
	When     *Func // nil: always; parameters: roller, foe (or none)
	Part     *Part
}

// Option is a constant of the linked ruleset.
type Option struct {
	Name  string
	Type  Type
	Value int64
	Part  *Part
}

// Table has one or two keys. Ranges[k] are the bounds of key k in order; a lookup finds the range of each key, then the cell.
// With Columns the second key is the name of a column, known when checked (`table[key, column]` or `table[key].column`).
type Table struct {
	Index   int
	Name    string
	Keys    []Type
	Rows    []Range
	Columns []Range  // two keys; or one Range{Lo:i, Hi:i} a named column
	Names   []string // of the columns when they are named
	Types   []Type   // by named column; one for all with two keys
	Cells   [][]Cell // [row][column]
	Part    *Part
}

// Range of a key, both ends included. Lo above Hi is the row of all other keys.
type Range struct{ Lo, Hi int64 }

// Cell of a table.
type Cell struct {
	Value *Expr // constant or pure of nothing; nil for a mark
	GM    bool  // the game master decides; without it a nil Value is none
	Part  *Part // size-modifier[large]
}

// Var is a name for a value.
type Var struct {
	Name     string
	Type     Type
	Kind     VarKind
	Index    int    // VarParam: position in Func.Params; VarMemory: index into the effect's values
	Label    string // of a parameter
	Default  *Expr  // of a parameter of a procedure
	Exported bool   // a `let` of a step: part of the record, visible to rules
	Owner    *Proc  // of VarParam and VarLocal of procedures
	Outer    *Var   // of VarOuter and VarWithin: the variable of that procedure
}

// VarKind is where a variable lives.
type VarKind uint8

const (
	VarSelf     VarKind = iota // who acts, bears or reacts
	VarParam                   // of a procedure, define, or a stat's situation (None when absent)
	VarLocal                   // let, loop variable
	VarMemory                  // parameter or memory of the effect whose rule or modifier runs
	VarOuter                   // in a rule: the variable Outer of the interrupted procedure
	VarActor                   // in a rule: who does the interrupted procedure
	VarWithin                  // in a rule of a procedure's body: the variable Outer of that running procedure
	VarInstance                // in an effect's code: the id of the instance
	VarGlobal                  // a memory of the whole game; Index is its place in Ruleset.Globals
)

// Global is a memory of the whole game: a `keep` at the top level.
type Global struct {
	Name  string
	Var   *Var
	First *Const // what it begins with
	Part  *Part
}

// Func is pure code: parameters and an expression. Params[0] is always self (None in a define without a kind).
// Needs are the situation parameters that must be present (not None), else the code does not apply.
type Func struct {
	Params []*Var
	Needs  []*Var
	Body   *Expr
	Pos    Pos
	Part   *Part // of a bound, a condition, a memory, a property that is a part by itself; else nil
}

// Stat is a number of a creature. Its Func parameters everywhere are: self, then Params (the situation), and for code of an effect's
// modifier additionally the instance, as VarInstance.
type Stat struct {
	Index  int
	Name   string
	Type   Type
	Params []*Var // situation: label, name, type; the one labelled `against` is a creature
	Rolled *Roll
	Terms  []*Term
	// a view:
	Of      *Stat
	Without *NameSet
	Denied  *NameSet
	Part    *Part
}

// NameSet is a set of bonus types and of terms of a stat.
type NameSet struct {
	Bonuses []int // indexes into Ruleset.Bonuses
	Terms   []int // indexes into the terms of the stat (Of's for a view)
}

// Term is a named part of a stat's sum.
type Term struct {
	Name  string
	Value *Func
	Guard *Func // nil: always
	Bonus int   // -1: none
	Part  *Part
}

// Define is a pure function. Kind != nil: it reads as a property of that kind, and Params[0] of the Func is the thing.
type Define struct {
	Index int
	Name  string // with the kind: weapon.ranged
	Kind  *Kind  // or
	Enum  *Enum
	Func  *Func // Params[0] is self, then the declared ones
	Type  Type
	Part  *Part
}

// Resource of a creature. Bounds are pure of self; nil is unbounded.
type Resource struct {
	Index    int
	Name     string
	Type     Type
	From, To *Func
	Starts   *Func // nil: To if bounded above, else From, else 0
	Part     *Part
}

// Effect: condition, feat, trait, effect, everyone. Values of an instance: its parameters, then its memory; at most 8.
type Effect struct {
	Index     int
	Name      string
	Word      string
	Values    []*Var // VarMemory; the first NParams are parameters
	NParams   int
	Initial   []*Func // of the memory; parameters of the Func: self, instance
	While     *Func   // derived: parameters: self
	Modifiers []*Modifier
	Denials   []*Denial
	Cannots   []*Cannot
	Includes  []*Include
	Lasts     *Duration
	Musts     []*Must
	Part      *Part
}

// Modifier of one stat (a clause with several stats makes several). Amount and Guard have the parameters
// self (the bearer), the stat's situation, and the instance. With Against the bearer is the stat's `against` creature, and the
// situation parameter `against` holds the stat's owner instead.
type Modifier struct {
	Stat    *Stat
	Op      string // + times becomes floor ceiling; a `-` clause is + of a negative amount
	Amount  *Func
	Den     int64 // of `times N/D`: the denominator, else 1
	Bonus   int   // -1: none
	Against bool
	Guard   *Func
	Part    *Part
}

// Denial takes the bonuses of Set away from Stat.
type Denial struct {
	Stat  *Stat
	Set   NameSet
	Guard *Func // self, situation, instance
	Part  *Part
}

// Cannot forbids. Guard has the parameters self, instance, and when the permission is an action, that action's parameters (None when asked in general).
type Cannot struct {
	Permission int
	Guard      *Func
	Why        string // empty: what is forbidden says it
	Part       *Part
}

// Must is the only command left to a creature with the effect. Cannots forbid all others; tactics follow it.
type Must struct {
	Call  *Call
	Guard *Func // self, instance
	Part  *Part
}

// Include gives another effect to whoever bears this one.
type Include struct {
	Effect *Effect
	Guard  *Func // self, instance
	Part   *Part
}

// Permission is what a Cannot may forbid: an action, or a name that rules ask for.
type Permission struct {
	Name string
	Proc *Proc // an action
	Part *Part
}

// Proc is a procedure or an action. Self is Vars[0].
type Proc struct {
	Index      int
	Name       string
	Action     bool
	Self       *Var
	Params     []*Var
	Vars       []*Var             // every variable: self, parameters, locals
	Record     []*Var             // parameters and exported locals, in order: the layout of its record
	Costs      []*CostAlternative // the first payable one whose Guard holds; nil: free
	Needs      []*Need
	Steps      []*Step
	Properties map[string]*Func // parameters as the procedure's: self, params; missing ones are the default of `kind action`
	Of         *Kind            // of a procedure of a kind: its first parameter is the thing; of creatures it is self
	Ways       []*Proc          // likewise, by template: what is done in place of this one, nil for itself
	For        *Proc            // of a thing's way: the procedure of its kind, with the same parameters
	Part       *Part
}

// CostAlternative is one way to pay: all of its parts.
type CostAlternative struct {
	Parts []CostPart
	Guard *Func // self, params
	Part  *Part
}

// CostPart is an amount of one resource.
type CostPart struct {
	Resource *Resource
	Amount   *Func // self, params
}

// Need must hold, or the deed is refused, with Why for the player.
type Need struct {
	Cond *Func // self, params
	Why  string
	Part *Part
}

// Step of a procedure; statements outside of steps are gathered in steps named main (main-2, ...).
type Step struct {
	Name  string
	Guard *Expr
	Body  []*Stmt
	Part  *Part
}

// Rule is a reaction to a trigger: of the top level (Effect nil: it is borne by everybody), or of an effect.
type Rule struct {
	Index    int
	Name     string // path: dying.bleeding
	Effect   *Effect
	Resource *Resource // of a resource's body: as of the top level
	Within   *Proc     // of a procedure's body: it stands while that procedure runs, borne by who does it
	Trigger  *Trigger
	Guard    *Expr // in the rule's scope
	Reaction bool  // offered
	Costs    []*CostAlternative
	Needs    []*Need
	Once     string // "", round, turn, fight
	Default  *Expr  // of a reaction: whether it is taken when nobody says; nil: it is
	Vars     []*Var // self, instance, actor, outer ones, locals
	Body     []*Stmt
	Depth    int // of its ruleset in the chain of `extends`
	Part     *Part
}

// Trigger is when a rule runs. Word: before, after, instead, start, end, every, gaining, losing, and ending (of a duration: the rule ends its instance).
type Trigger struct {
	Word   string
	Proc   *Proc  // before, after, instead; nil with AnyAction or AnyCheck
	Step   int    // index of the step, -1 for the whole
	Any    string // "action", "check", or ""
	Point  string // for Any: "", "commit"; for check "", "face", "outcome"
	Plan   *Var   // before, after: the effect's plan, whose trigger it waits for
	Moment string // start, end: turn, round, fight
	Of     *Expr  // whose turn; nil: the bearer's in an effect, anybody's at the top level
	Next   bool
	Every  *Func   // duration in seconds: self, instance
	Effect *Effect // gaining, losing; nil: this one
	Args   []TriggerArg
}

// TriggerArg narrows a trigger: the variable Param of the interrupted procedure (nil: who does it) must equal Value.
type TriggerArg struct {
	Param *Var
	Value *Expr
}

// Duration of an effect.
type Duration struct {
	Rounds   *Expr // number of rounds, when the unit was rounds; nil otherwise
	Seconds  *Expr
	Until    []*Trigger // Value and Of expressions are evaluated when the effect is gained
	While    *Func      // self, then captured variables as parameters: Captured
	Captured []*Var     // variables of the gaining code, in the order of While.Params[1:]
	Part     *Part      // of an effect's own, when something cites for it
}

// Tactics: the first legal command is done.
type Tactics struct {
	Index    int
	Name     string
	Commands []*TacticCommand
	Part     *Part
}

// TacticCommand is tried when its guard holds.
type TacticCommand struct {
	Vars  []*Var // self
	Guard *Expr
	Call  *Call
	Part  *Part
}

// CheckVars are the names that rules on `check` may read; natural, bonus, difficulty, total, margin and success may be set.
var CheckVars = []string{"roller", "foe", "kind", "bonus", "difficulty", "natural", "total", "margin", "success"}

// Field returns the index of the field of that name, -1 if there is none.
func (k *Kind) Field(name string) int {
	for i, f := range k.Fields {
		if f.Name == name {
			return i
		}
	}
	return -1
}

// Member returns the index of the value of that name, -1 if there is none.
func (e *Enum) Member(name string) int {
	for i, m := range e.Members {
		if m == name {
			return i
		}
	}
	return -1
}
