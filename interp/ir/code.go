package ir

// This file is the code of a ruleset: expressions, statements, and what they are made of.

// Op says what an expression does. The comment behind each tells what it reads beside Args.
type Op uint8

const (
	OpBad       Op = iota
	OpConst        // Int
	OpVar          // Var
	OpField        // Args[0].Int of a Ref: field Int of Kind
	OpResource     // Args[0].Resource: current value
	OpStat         // Args[0] is the creature, then the situation (OpConst None when absent): Stat
	OpDefine       // Args: self (OpConst None without a kind), then parameters: Define
	OpTable        // Args: one or two keys (a named column is an OpConst with its index): Table
	OpHas          // Args[0] bears Effect (any instance); further Args: parameters to equal (None: any)
	OpMemory       // Args[0] bears Effect: value Int of its first instance, None if it has none
	OpCan          // Args[0]: Int is the permission
	OpProperty     // property Name of the running action (VarOuter context), or of Args[0] an ActionRef
	OpSpent        // how much of Resource the running (interrupted) action has paid
	OpList         // Args
	OpRecord       // Args: every field of Kind in order
	OpOutcome      // acting: an outcome that nobody threw for; Args: the values of OutcomeFields in order
	OpRecordGet    // Args[0] a Record (of Proc) or Outcome; Int is the index (Outcome: see OutcomeFields)
	OpAdd          // numbers, quantities
	OpSub
	OpMul
	OpDiv // floor
	OpNeg
	OpNot
	OpEq
	OpNe
	OpLt
	OpLe
	OpAnd // short circuit
	OpOr
	OpIf        // Args: condition, then, else
	OpOtherwise // Args[0] unless it is None, else Args[1]
	OpEnumAdd   // Args[0] an enum value plus a number, staying at the ends: Enum
	OpDiceAdd   // dice + number
	OpDiceMul   // dice * number
	OpConcat    // two lists
	OpLess      // a list less the elements of another
	OpIn        // Args[0] element of list Args[1]
	OpSame      // are two lists equal, element by element
	OpIndex     // list Args[0], number Args[1] (1-based); an error outside
	OpQuery     // Query
	OpBuiltin   // Name, Args
	OpRoll      // acting: Args[0] dice; Label
	OpPick      // acting: Query gives the list, Args[0] who picks; Label; None if the list is empty
	OpCall      // acting: Call; the value is the record of the procedure
	OpPlan      // Plan
	OpHook      // Args given to Hook at Site
	OpHookRoll  // acting: the same, and the hook may throw dice
)

// OutcomeFields is the layout of an outcome: what OpRecordGet indexes.
var OutcomeFields = []string{"natural", "total", "difficulty", "margin", "success", "bonus"}

// Expr is a typed expression.
type Expr struct {
	Op   Op
	Type Type
	Pos  Pos
	Args []*Expr
	Int  int64

	Var      *Var
	Kind     *Kind
	Stat     *Stat
	Define   *Define
	Table    *Table
	Effect   *Effect
	Resource *Resource
	Enum     *Enum
	Query    *Query
	Call     *Call
	Plan     *Plan
	Hook     *Hook
	Site     *Site
	Option   *Option // OpConst: it is the value of this one
	Name     string  // OpBuiltin, OpProperty
	Ways     bool    // OpBuiltin: its answer hangs on who may pass whom
	Label    string  // of a die or a choice: strike.blow
}

// Query over a list: Word is some, no, every, count, sum, highest, lowest, first, each.
// Of is nil for some, no, every, count, first, and for each without `of`. highest, lowest, first give None on an empty list.
type Query struct {
	Word       string
	Var        *Var
	In         *Expr
	Where      *Expr
	Sort       *Expr
	Descending bool
	Of         *Expr
}

// Call of a procedure or action. Who is the doer (nil: self of the caller).
type Call struct {
	Proc *Proc
	Who  *Expr
	Args []*Expr // by parameter; nil: the default
	Pos  Pos
}

// Plan is a trigger and commands as a value; Captured variables are copied when it is made.
type Plan struct {
	Trigger  *Trigger
	Captured []*Var
	Body     []*Stmt
	Pos      Pos
}

// StmtOp says what a statement does. The comment behind each tells what it reads of the Stmt.
type StmtOp uint8

const (
	_              StmtOp = iota
	DoSet                 // Var = X  (let, set of a name; VarOuter too; VarMemory sets the memory of the instance)
	DoSetField            // X.field Int of Kind = Y
	DoSetResource         // X.Resource = Y, held within its bounds
	DoSetMemory           // memory Int of X's first instance of Effect = Y
	DoIf                  // X, Body, Else
	DoForEach             // Query (each, without Of), Body; the list is made before the first turn
	DoRepeat              // X times, Body
	DoCheck               // Check
	DoChoose              // Choose
	DoGainEffect          // Gain
	DoLoseEffect          // X loses Effect: all its instances; Args: parameters to equal
	DoGainResource        // X gains Y of Resource; Var (if set) gets what did not fit
	DoLoseResource        // X loses Y (nil: all) of Resource; Var (if set) gets what it could not take
	DoMay                 // May
	DoActsAt              // X acts at Args
	DoMoves               // X moves: Name is along, to, away, toward; Args: amount or none, target; Int: mode or None
	DoStop
	DoCancel  // Text
	DoDefault // inside instead of
	DoNote    // Note
	DoCall    // Call
	DoPlan    // X: the commands of a plan
	DoHook    // X: OpHookRoll, whose value nobody wants
)

// Stmt is a statement. Guard (when, unless) is nil if there is none. Part is set when the statement is cited.
type Stmt struct {
	Op    StmtOp
	Pos   Pos
	Part  *Part
	Guard *Expr

	X, Y     *Expr
	Args     []*Expr
	Var      *Var
	Int      int64
	Name     string
	Text     string
	Kind     *Kind
	Resource *Resource
	Effect   *Effect
	Query    *Query
	Body     []*Stmt
	Else     []*Stmt
	Check    *Check
	Choose   *Choose
	Gain     *Gain
	May      *May
	Note     []NotePiece
	Call     *Call
}

// Check throws. The outcome is bound to Var. Opposed throws Roller2's roll too and compares the totals (the roller's face falls first);
// a roll of the opposed side has the label with `.opposed` behind it.
type Check struct {
	Var     *Var
	Roll    *Roll
	Roller  *Expr
	Foe     *Expr // who the other stat belongs to, or OpConst None
	Bonus   *Expr
	Target  *Expr // the difficulty, or the other's bonus when Opposed
	Opposed *Roll
	Open    bool // there is no difficulty: only the total counts
	Label   string
	Part    *Part
}

// Choose asks By for one of the alternatives whose guards hold.
type Choose struct {
	By      *Expr
	Label   string
	Options []Alternative
}

// Alternative is one way of a choice.
type Alternative struct {
	Text  string
	Guard *Expr
	Body  []*Stmt
}

// Gain of an effect by X.
type Gain struct {
	Effect   *Effect
	Args     []*Expr // parameters
	Memory   []*Expr // by memory value; nil: its initial value
	Duration *Duration
}

// May is an offer to Who: a command (only when it is legal) or a labelled block.
type May struct {
	Who     *Expr
	Text    string
	Label   string
	Default *Expr // whether it is taken when nobody says; nil: as for all offers
	Call    *Call // as a command; Body is nil
	Body    []*Stmt
	Else    []*Stmt
}

// NotePiece is literal text or a value.
type NotePiece struct {
	Text  string
	Value *Expr
}
