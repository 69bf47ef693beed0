// Package ir is the intermediate representation of a checked ruleset: names resolved, expressions typed, syntactic
// sugar removed.
//
// The checker builds it from linked syntax trees. The compiler turns it into a program; coverage, documentation and
// explanations read it. It is data without behavior. It must never know how code runs or how the source was written,
// but it keeps source positions.
package ir

import (
	"slices"
	"strings"
	"sync/atomic"

	"arbiter/lang/ast"
)

// Pos is a source position. File indexes Ruleset.Files.
type Pos struct {
	File int32
	Span ast.Span
}

// Part is a piece of a rule that can be cited, covered, explained and neutralized: a term, a modifier, a step, a
// statement with a `cite`, a whole definition. Parts are numbered consecutively through the ruleset.
type Part struct {
	ID    int32
	Path  string   // swing.confirm, vigor.base; unique for named parts
	Doc   string   // one sentence
	Cites []string // catalogue ids, ranges expanded
	Pos   Pos
	From  string // the ruleset it comes from
}

// TypeKind is a type without its name.
type TypeKind uint8

const (
	Invalid   TypeKind = iota // the checker has reported it
	Nothing                   // the type of `none`
	Number                    // int64
	YesNo                     // 0 or 1
	Text                      // index into Ruleset.Texts
	Dice                      // packed: see DiceValue
	Quantity                  // int64 in the base unit of Name: distance ft, duration seconds, weight lb, money cp, speed mph, temperature F, chance %
	EnumType                  // index of the member in Enum Name
	Ref                       // a thing of kind Name: an entity, a template or a record
	List                      // handle of a list of Elem
	Outcome                   // handle of the outcome of a check
	Record                    // handle of the record of procedure Name
	Square                    // x, y, z packed
	PathType                  // handle of a list of squares
	Place                     // a square, or a creature for the squares it fills
	ActionRef                 // index of a procedure that is an action
	PlanType                  // handle of a captured plan
	EffectRef                 // index of an effect
)

// Type is the type of a value. Every value is one int64; None means none in any type with OrNone.
type Type struct {
	Kind   TypeKind
	Name   string // of the enum, kind, dimension or procedure
	Elem   *Type  // of a list
	OrNone bool
}

// None is the value of `none` in every type.
const None = -1 << 63

// DiceValue packs a dice value: Expr (an index into Ruleset.DiceExprs) rolled Times times, plus Flat. Layout of the
// int64: Expr in bits 48..62, Times in bits 32..47, Flat as a signed int32 in bits 0..31.
type DiceValue struct {
	Expr  uint16
	Times uint16
	Flat  int32
}

// Pack encodes d as a value.
func (d DiceValue) Pack() int64 {
	return int64(d.Expr)<<48 | int64(d.Times)<<32 | int64(uint32(d.Flat))
}

// UnpackDice decodes a value packed by DiceValue.Pack.
func UnpackDice(v int64) DiceValue {
	return DiceValue{Expr: uint16(v >> 48), Times: uint16(v >> 32), Flat: int32(uint32(v))}
}

// Ruleset is a complete checked ruleset: everything that was linked together.
type Ruleset struct {
	Name  string
	Files []string // paths as given
	Parts []*Part

	Enums       []*Enum
	Kinds       []*Kind // Kinds[0] is creature
	Templates   []*Template
	Bonuses     []*BonusType // names of bonus types; at most 64
	Rolls       []*Roll
	Options     []*Option
	Globals     []*Global
	Tables      []*Table
	Stats       []*Stat // includes views: stats with Of
	Defines     []*Define
	Resources   []*Resource
	Effects     []*Effect
	Procs       []*Proc
	Rules       []*Rule       // of the top level, of effects and of resources
	Permissions []*Permission // the actions in the order of Procs, then the declared ones
	Tactics     []*Tactics
	Hooks       []*Hook
	Texts       []string
	DiceExprs   []string // notations

	Ways  map[*Proc][]*Proc // of procedures of a kind, by template: the way that runs instead, nil for itself
	Given map[int32]int64   // options that a script gives another value, by part: code holds the value of the rules below

	ActPermission int                      // index of the permission `act`, -1 if undeclared
	Leave         *Proc                    // announces that a square is left, nil if undeclared
	Enter         *Proc                    // announces that a square has been entered, nil if undeclared
	CoreDefines   [CoreDefineCount]*Define // the defines that the core calls, nil where undeclared
}

// Enum is an enumeration. The members of an ordered one can be compared, and a number can be added to them.
type Enum struct {
	Name    string
	Ordered bool
	Members []string
	Part    *Part
}

// Kind is a type of thing. Field i of a thing is slot i of its record.
type Kind struct {
	Name   string
	Fields []*FieldDef
	Part   *Part
}

// FieldDef is a field with its default value.
type FieldDef struct {
	Name        string
	Type        Type
	Default     int64 // a constant (for a list or a dice value: its handle or packed form); see Const
	Const       *Const
	DefaultFrom string // of a property of actions: the property whose value it takes where an action does not state it
	Internal    bool   // kept out of sight
	Part        *Part
}

// Const is a compile-time constant: either Value or List is used.
type Const struct {
	Value  int64    // scalars, packed dice, index of a template for a Ref, None
	List   []*Const // lists
	IsList bool
}

// Template is a thing defined in the rules: Values by field of its kind, and (for creatures) the effects it starts
// with.
type Template struct {
	Index   int
	Name    string
	Kind    *Kind
	Extends *Template
	Values  []*Const
	Parts   []*Part // by field: the part that sets it here; nil if inherited
	Effects []InitialEffect
	Part    *Part
}

// InitialEffect is an effect that a creature has from the start, with the values of its parameters.
type InitialEffect struct {
	Effect *Effect
	Args   []*Const
}

// BonusType is a bonus type with its stacking law: how several on one stat combine.
type BonusType struct {
	Name string
	Law  string // highest, stacks, stacks by source
	Part *Part
}

// Roll is a way to roll a check. Verdicts are applied before the total is compared.
type Roll struct {
	Index    int
	Name     string
	Die      DiceValue
	Verdicts []RollVerdict
	Says     [2]string // for success and failure, "" for the default words
	DiePart  *Part     // of the die, when it has citations
	Part     *Part
}

// RollVerdict decides a check by the natural roll alone: on this roll it succeeds, or fails.
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
	fixed uint32 // see Fix; scripts that are checked at once on the same rules share it
}

// Fix notes that something was computed from the value of an option: it cannot be another one in a program.
func (o *Option) Fix() {
	if !o.IsFixed() {
		atomic.StoreUint32(&o.fixed, 1)
	}
}

// IsFixed reports whether something was computed from the value of an option.
func (o *Option) IsFixed() bool { return atomic.LoadUint32(&o.fixed) != 0 }

// Table has one or two keys. A lookup finds the range of each key in Rows and Columns, then the cell. With Names the
// second key is the name of a column, resolved by the checker (`table[key, column]` or `table[key].column`).
type Table struct {
	Index   int
	Name    string
	Keys    []Type
	Rows    []Range
	Columns []Range  // two keys; or one Range{Lo: i, Hi: i} per named column
	Names   []string // of the columns, when they are named
	Types   []Type   // by named column; one for all with two keys
	Cells   [][]Cell // [row][column]
	Part    *Part
}

// HasGMCells reports whether a table has cells that the game master decides.
func (t *Table) HasGMCells() bool {
	for _, row := range t.Cells {
		if slices.ContainsFunc(row, func(c Cell) bool { return c.GM }) {
			return true
		}
	}
	return false
}

// Range is a range of keys, both ends included. Lo above Hi stands for all other keys.
type Range struct{ Lo, Hi int64 }

// Cell is a cell of a table.
type Cell struct {
	Value *Expr // constant, or pure without inputs; nil for a mark
	GM    bool  // the game master decides; if unset, a nil Value is none
	Part  *Part // size-modifier[large]
}

// Var is a variable.
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
	VarSelf     VarKind = iota // who acts, has the effect or reacts
	VarParam                   // of a procedure, a define or a stat's situation (None when absent)
	VarLocal                   // a `let` or a loop variable
	VarMemory                  // a parameter or memory of the effect whose rule or modifier runs
	VarOuter                   // in a rule: the variable Outer of the interrupted procedure
	VarActor                   // in a rule: who performs the interrupted procedure
	VarWithin                  // in a rule of a procedure's body: the variable Outer of that running procedure
	VarInstance                // in an effect's code: the id of the instance
	VarGlobal                  // a memory of the whole game; Index is its index in Ruleset.Globals
)

// Global is a memory of the whole game: a `keep` at the top level.
type Global struct {
	Name    string
	Var     *Var
	Initial *Const // initial value
	Part    *Part
}

// Func is pure code: parameters and an expression. Params[0] is always self (None in a define without a kind). Needs
// are the situation parameters that must be present (not None) for the code to apply.
type Func struct {
	Params []*Var
	Needs  []*Var
	Body   *Expr
	Pos    Pos
	Part   *Part // of a bound, condition, memory or property that is a part of its own; else nil
	Small  Smallness
}

// Stat is a number of a creature. The parameters of its Funcs are self, then Params (the situation); code of an
// effect's modifier also gets the instance, as VarInstance.
type Stat struct {
	Index  int
	Name   string
	Type   Type
	Params []*Var  // situation: label, name, type; the one labeled `against` is a creature
	Usual  []*Func // by parameter: what a question assumes if it does not say, a function of self and the parameters before; nil: nothing
	Roll   *Roll
	Terms  []*Term
	// a view:
	ViewOf  *Stat
	Without *NameSet
	Denied  *NameSet
	Part    *Part
}

// NameSet is a set of bonus types and terms of a stat.
type NameSet struct {
	Bonuses []int // indexes into Ruleset.Bonuses
	Terms   []int // indexes into the terms of the stat (of Of for a view)
}

// Term is a named summand of a stat.
type Term struct {
	Name  string
	Value *Func
	Guard *Func // nil: always
	Bonus int   // -1: none
	Part  *Part
}

// Define is a pure function. If Kind is not nil, it is read as a property of that kind, and Params[0] of the Func is
// the thing.
type Define struct {
	Index int
	Name  string // with the kind: weapon.ranged
	Kind  *Kind  // or
	Enum  *Enum
	Func  *Func // Params[0] is self, then the declared ones
	Type  Type
	Part  *Part
}

// Resource is a resource of a creature. The bounds are pure functions of self; nil is unbounded.
type Resource struct {
	Index    int
	Name     string
	Type     Type
	From, To *Func
	Starts   *Func     // nil: To if bounded above, else From if bounded below, else 0
	Internal bool      // kept out of sight
	Counted  bool      // counted elsewhere: what changes it changes another resource as well
	Share    TurnShare // what it is of a turn
	Part     *Part
}

// TurnShare is how a resource that returns each turn stands to the others that do.
type TurnShare uint8

const (
	OneAction     TurnShare = iota // one of the actions of a turn
	BesideActions                  // it comes besides, also for whoever is limited to one action
	WholeTurn                      // it takes the place of all others
)

// Effect is a condition, feat, trait, effect or `everyone`. The values of an instance are its parameters, then its
// memory; at most 8.
type Effect struct {
	Index     int
	Name      string
	Word      string
	Values    []*Var // VarMemory; the first NParams are parameters
	NParams   int
	Initial   []*Func // of the memory; parameters of the Func: self, instance
	While     *Func   // derived: parameters: self
	Internal  bool    // kept out of sight
	Modifiers []*Modifier
	Denials   []*Denial
	Cannots   []*Cannot
	Includes  []*Include
	Lasts     *Duration
	Musts     []*Must
	Part      *Part
}

// Modifier is a modifier of one stat; a clause with several stats makes several. Amount and Guard have the parameters
// self (the creature with the effect), the stat's situation, and the instance. With Against, self is the stat's
// `against` creature, and the situation parameter `against` holds the stat's owner instead.
type Modifier struct {
	Stat    *Stat
	Op      string // +, times, becomes, floor or ceiling; a `-` clause is + of a negative amount
	Amount  *Func
	Den     int64 // of `times N/D`: the denominator, else 1
	Bonus   int   // -1: none
	Against bool
	Guard   *Func
	Part    *Part
}

// Denial removes the bonuses of Set from Stat.
type Denial struct {
	Stat  *Stat
	Set   NameSet
	Guard *Func // self, situation, instance
	Part  *Part
}

// Cannot forbids a permission. Guard has the parameters self, instance and, when the permission is an action, that
// action's parameters (None when the question is general).
type Cannot struct {
	Permission int
	Guard      *Func
	Why        string // empty: the permission and the effect are named
	Part       *Part
}

// Must is the only command left to a creature with the effect. Cannots forbid all others; tactics follow it.
type Must struct {
	Call  *Call
	Guard *Func // self, instance
	Part  *Part
}

// Include gives another effect to the creatures that have this one.
type Include struct {
	Effect *Effect
	Guard  *Func // self, instance
	Part   *Part
}

// Permission is what a Cannot can forbid: an action, or a name that rules test.
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
	Vars       []*Var             // all variables: self, parameters, locals
	Record     []*Var             // parameters and exported locals: the layout of its record
	Costs      []*CostAlternative // the first affordable one whose Guard holds is paid; nil: free
	Needs      []*Need
	Steps      []*Step
	Properties map[string]*Func // parameters: self, the procedure's; missing properties take the default of `kind action`
	Of         *Kind            // of a procedure of a kind: its first parameter is the thing; for creatures it is self
	KindProc   *Proc            // of a thing's way: the procedure of its kind, with the same parameters
	Part       *Part
}

// CostAlternative is one way to pay: all Parts are due.
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

// Need is a condition without which the action is refused; Why tells the player the reason.
type Need struct {
	Cond *Func // self, params
	Why  string
	Part *Part
}

// Step is a step of a procedure; statements outside of steps are collected in steps named main (main-2, ...).
type Step struct {
	Name  string
	Guard *Expr
	Body  []*Stmt
	Part  *Part
}

// Rule is a reaction to a trigger, of an effect or of the top level (Effect nil: every creature has it).
type Rule struct {
	Index        int
	Name         string // path: dying.bleeding
	Effect       *Effect
	Resource     *Resource // of a rule in a resource's body; it runs like one of the top level
	Within       *Proc     // of a rule in a procedure's body: active while that procedure runs, for the creature performing it
	Trigger      *Trigger
	Guard        *Expr // in the rule's scope
	Reaction     bool  // offered
	Costs        []*CostAlternative
	Needs        []*Need
	Once         string // "", round, turn, fight
	Default      *Expr  // of a reaction: whether it is taken when nobody decides; nil: it is
	Vars         []*Var // self, instance, actor, outer ones, locals
	Body         []*Stmt
	RulesetDepth int // depth of its ruleset in the chain of `extends`
	Part         *Part
}

// Trigger is when a rule runs. Word is before, after, instead, start, end, every, gaining, losing, or ending (of a
// duration: the rule ends its instance).
type Trigger struct {
	Word   string
	Proc   *Proc  // before, after, instead; nil with Any
	Step   int    // index of the step, -1 for the whole procedure
	Any    string // "action", "check", or ""
	Point  string // for Any: "", "commit"; for check "", "face", "outcome"
	Plan   *Var   // before, after: the effect's plan, for whose trigger it waits
	Moment string // start, end: turn, round, fight
	Of     *Expr  // whose turn; nil: in an effect, of the creature that has it; at the top level, anybody's
	Next   bool
	Every  *Func   // duration in seconds: self, instance
	Effect *Effect // gaining, losing; nil: this one
	Args   []TriggerArg
}

// String puts a trigger into words, without its arguments.
func (t *Trigger) String() string {
	switch {
	case t.Moment != "":
		return t.Word + " of " + t.Moment
	case t.Effect != nil:
		return t.Word + " " + t.Effect.Name
	case t.Proc == nil:
		return strings.TrimSpace(strings.TrimSuffix(t.Word+" "+t.Any+"."+t.Point, "."))
	case t.Step >= 0 && t.Step < len(t.Proc.Steps):
		return t.Word + " " + t.Proc.Name + "." + t.Proc.Steps[t.Step].Name
	}
	return t.Word + " " + t.Proc.Name
}

// TriggerArg narrows a trigger: the variable Param of the interrupted procedure (nil: its actor) must equal Value.
type TriggerArg struct {
	Param *Var
	Value *Expr
}

// Duration is the duration of an effect.
type Duration struct {
	Rounds   *Expr // number of rounds, if given in rounds; else nil
	Seconds  *Expr
	Until    []*Trigger // Value and Of expressions are evaluated when the effect is gained
	While    *Func      // self, then captured variables as parameters: Captured
	Captured []*Var     // variables of the code that gains the effect, in the order of While.Params[1:]
	Part     *Part      // of an effect's own duration, when it has citations
}

// Tactics is a list of commands, of which the first legal one is carried out.
type Tactics struct {
	Index    int
	Name     string
	Commands []*TacticCommand
	Part     *Part
	Playouts int // of `best of N`, which searches, and plays on by these tactics; 0: these tactics are followed
}

// Playouts of one decision of `best of N`.
const (
	MinPlayouts = 10
	MaxPlayouts = 100_000
)

// TacticCommand is a command of tactics, tried when its Guard holds.
type TacticCommand struct {
	Vars  []*Var // self
	Guard *Expr
	Call  *Call
	Part  *Part
}

// CheckVars are the names that rules on `check` can read; kind is its roll and stat what is checked; natural, bonus, difficulty, total, margin and success can
// also be set.
var CheckVars = []string{"roller", "foe", "kind", "stat", "bonus", "difficulty", "natural", "total", "margin", "success"}

// Field returns the index of the named field, -1 if there is none.
func (k *Kind) Field(name string) int {
	for i, f := range k.Fields {
		if f.Name == name {
			return i
		}
	}
	return -1
}

// Member returns the index of the named member, -1 if there is none.
func (e *Enum) Member(name string) int {
	for i, m := range e.Members {
		if m == name {
			return i
		}
	}
	return -1
}
