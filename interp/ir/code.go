package ir

// This file represents code: expressions, statements and their parts.

// Op is the operation of an expression. The comment after each says which fields of the Expr it reads.
type Op uint8

const (
	OpBad       Op = iota
	OpConst        // Int
	OpVar          // Var
	OpField        // Args[0].Int of a Ref: field Int of Kind
	OpResource     // Args[0].Resource: current value
	OpStat         // Stat of Args[0], a creature; then the situation (OpConst None when absent); Int: a bit for each part that a question assumed
	OpDefine       // Define; Args: self (OpConst None without a kind), then parameters
	OpTable        // Table; Args: one or two keys (a named column is an OpConst with its index)
	OpHas          // Args[0] has Effect (any instance); further Args: parameters to match (None: any)
	OpMemory       // value Int of the first instance of Effect on Args[0], None if there is none
	OpCan          // does Args[0] have permission Int?
	OpProperty     // property Name of the running action (VarOuter context), or of Args[0] an ActionRef
	OpSpent        // how much of Resource was paid for the running (interrupted) action
	OpList         // Args
	OpRecord       // Args: every field of Kind in order
	OpOutcome      // acting: an outcome without a roll; Args: the values of OutcomeFields in order
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
	OpListDiff  // a list without the elements of another
	OpIn        // Args[0] element of list Args[1]
	OpListEq    // are two lists equal, element by element?
	OpIndex     // list Args[0], number Args[1] (1-based); out of range is an error
	OpQuery     // Query
	OpBuiltin   // Name, Args
	OpRoll      // acting: Args[0] dice; Label
	OpPick      // acting: Query gives the list, Args[0] is who picks; Label; None if the list is empty
	OpCall      // acting: Call; the value is the record of the procedure
	OpPlan      // Plan
	OpHook      // call of Hook at Site with Args
	OpHookRoll  // acting: the same, and the hook may roll dice
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

	Var              *Var
	Kind             *Kind
	Stat             *Stat
	Define           *Define
	Table            *Table
	Effect           *Effect
	Resource         *Resource
	Enum             *Enum
	Query            *Query
	Call             *Call
	Plan             *Plan
	Hook             *Hook
	Site             *Site
	Option           *Option // OpConst: the option whose value this is
	Name             string  // OpBuiltin, OpProperty
	DependsOnPassing bool    // OpBuiltin: its result depends on who may pass whom
	Label            string  // of a roll or a choice: strike.to-hit
}

// Query is a query over a list. Word is some, no, every, count, sum, highest, lowest, first or each. Of is nil for
// some, no, every, count, first, and for each without `of`. highest, lowest and first give None on an empty list.
type Query struct {
	Word       string
	Var        *Var
	In         *Expr
	Where      *Expr
	Sort       *Expr
	Descending bool
	Of         *Expr
}

// Call is a call of a procedure or action. Who is the actor (nil: self of the caller).
type Call struct {
	Proc *Proc
	Who  *Expr
	Args []*Expr // by parameter; nil: the default
	Pos  Pos
}

// Plan is a trigger and commands as a value; the Captured variables are copied when it is created.
type Plan struct {
	Trigger  *Trigger
	Captured []*Var
	Body     []*Stmt
	Pos      Pos
}

// StmtOp is the operation of a statement. The comment after each says which fields of the Stmt it reads.
type StmtOp uint8

const (
	_              StmtOp = iota
	DoSet                 // Var = X (let, set of a name; also VarOuter; VarMemory sets the memory of the instance)
	DoSetField            // X.field Int of Kind = Y
	DoSetResource         // X.Resource = Y, clamped to its bounds
	DoSetMemory           // memory Int of X's first instance of Effect = Y
	DoIf                  // X, Body, Else
	DoForEach             // Query (each, without Of), Body; the list is computed before the first iteration
	DoRepeat              // X times, Body
	DoCheck               // Check
	DoChoose              // Choose
	DoGainEffect          // Gain
	DoLoseEffect          // X loses all instances of Effect; Args: parameters to match
	DoGainResource        // X gains Y of Resource; Var (if set) gets the excess
	DoLoseResource        // X loses Y (nil: all) of Resource; Var (if set) gets the shortfall
	DoMay                 // May
	DoActsAt              // X acts Name (at, before, after) Args
	DoMoves               // X moves: Name is along, to, away, toward; Args: amount or none, target; Int: mode or None
	DoStop
	DoCancel  // Text
	DoDefault // inside `instead of`
	DoNote    // Note
	DoCall    // Call
	DoPlan    // X: the commands of a plan
	DoHook    // X: OpHookRoll, whose value is discarded
)

// Stmt is a statement. Guard (when, unless) is nil if there is none. Part is set when the statement has a `cite`.
type Stmt struct {
	Op    StmtOp
	Pos   Pos
	Part  *Part
	Guard *Expr
	Quiet bool // the transcript leaves out what the statement changes

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

// Check is a check; its outcome is bound to Var. With Opposed, Foe rolls too, after Roller, and the totals are
// compared; the label of the opposing roll ends in `.opposed`.
type Check struct {
	Var     *Var
	Roll    *Roll
	Stat    *Stat // the stat that is rolled, nil if it is only a number
	Roller  *Expr
	Foe     *Expr // the creature the other stat belongs to, or OpConst None
	Bonus   *Expr
	Target  *Expr // the difficulty, or the other's bonus when Opposed
	Opposed *Roll
	Open    bool // no difficulty: only the total counts
	Label   string
	Part    *Part
}

// Choose asks By for one of the alternatives whose guards hold.
type Choose struct {
	By      *Expr
	Label   string
	Options []Alternative
}

// Alternative is one option of a choice.
type Alternative struct {
	Text  string
	Guard *Expr
	Body  []*Stmt
}

// Gain is the gaining of an effect by the X of its statement.
type Gain struct {
	Effect   *Effect
	Args     []*Expr // parameters
	Memory   []*Expr // by memory value; nil: the initial value
	Duration *Duration
}

// May is an offer to Who: a command (only when it is legal) or a labeled block.
type May struct {
	Who     *Expr
	Text    string
	Label   string
	Default *Expr // whether it is taken when nobody decides; nil: as for all offers
	Call    *Call // as a command; Body is nil
	Body    []*Stmt
	Else    []*Stmt
}

// NotePiece is literal text or a value.
type NotePiece struct {
	Text  string
	Value *Expr
}
