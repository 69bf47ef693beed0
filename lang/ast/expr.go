package ast

// This file defines the expressions of the tree.

// Expr is an expression.
//
//sumtype:decl
type Expr interface {
	Node
	expr()
}

// Number is `15`, or `30 ft` with its unit; `25%` has the unit "%".
type Number struct {
	Span
	Value int64
	Unit  Ident // as written: ft, rounds, %; "" for none
}

// Quantity is a computed number with its unit: `(n) rounds`. X is a Paren.
type Quantity struct {
	Span
	X    Expr
	Unit Ident
}

// Dice is dice notation as written: `2d6`, `d20`, `d%`. It is not parsed here.
type Dice struct {
	Span
	Notation string
}

// String is a text used as a value.
type String struct{ Text }

// Literal is yes, no or none.
type Literal struct {
	Span
	Word string
}

// Name is a name, `self` included.
type Name struct{ Ident }

// Field is `X.NAME`.
type Field struct {
	Span
	X    Expr
	Name Ident
}

// Index is `TABLE[KEY, KEY]` or `LIST[N]`.
type Index struct {
	Span
	X    Expr
	Keys []Expr
}

// Call is `f(a, b)`, `x.f(a)`, and with labels `x.stat against foe with weapon`.
// Bracketed is true when ( ) was written; named arguments of a record (`part(amount: 3)`) have their name as label.
type Call struct {
	Span
	Fn        Expr // Name or Field
	Bracketed bool
	Args      []Arg // in parentheses
	Labelled  []Arg // after the parentheses
}

// Unary is `not X` or `-X`.
type Unary struct {
	Span
	Op Ident
	X  Expr
}

// Binary is an operator between two expressions: or and = != < <= > >= in + - * / otherwise.
type Binary struct {
	Span
	Op   Ident
	X, Y Expr
}

// IsTest is `X is [not] W`, `X has [not] W`, `X can W`. Words has several elements for `is (a or b)`.
// A word is a Name, Field, Call, or Literal none.
type IsTest struct {
	Span
	X     Expr
	Verb  Ident // is, has, can
	Not   bool
	Words []Expr
}

// Within is `X within D of Y`.
type Within struct {
	Span
	X, Distance, Of Expr
}

// Verdict is `OUTCOME succeeds by N`, `OUTCOME fails`.
type Verdict struct {
	Span
	X    Expr
	Verb Ident // succeeds, fails
	By   Expr
}

// Cond is `if C then A else B`.
type Cond struct {
	Span
	If, Then, Else Expr
}

// Query is `X in LIST where C sorted by K descending`.
type Query struct {
	Span
	Var        Ident
	In         Expr
	Where      Expr
	Sort       Expr
	Descending bool
}

// Quantified is some, no, every, count, sum, highest, lowest, first, each or pick, applied to a query.
type Quantified struct {
	Span
	Word  Ident
	Query Query
	Of    Expr // sum, highest, lowest, each
	By    Expr // pick
}

// RollExpr is `roll DICE`.
type RollExpr struct {
	Span
	Dice Expr
}

// Spent is `spent RESOURCE`.
type Spent struct {
	Span
	Resource Ident
}

// List is `[a, b]`.
type List struct {
	Span
	Items []Expr
}

// Tuple is `(1, 2)`, a square; Paren is `(X)`.
type Tuple struct {
	Span
	Items []Expr
}

// Paren keeps the parentheses that the author wrote.
type Paren struct {
	Span
	X Expr
}

// Plan is `plan TRIGGER { COMMANDS }`.
type Plan struct {
	Span
	Trigger Trigger
	Body    *Block
}

// BadExpr replaces an expression that could not be parsed.
type BadExpr struct{ Span }
