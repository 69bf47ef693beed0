package ast

// This file defines the clauses of effects, actions and procedures.

// Documentation is a string or `cite IDS` that documents the owner of the body.
type Documentation struct {
	Span
	Doc   *Text
	Cites []Cite
}

// Modifier changes a stat. Op is one of + - times becomes floor ceiling.
//
//	+2 dodge to armor-class when COND        -4 to attack-bonus, armor-class against self
//	speed times 1/2                          armor-class at most 10
type Modifier struct {
	Span
	Op      Ident // "+", "-", "times", "becomes", "floor", "ceiling"
	Amount  Expr
	Bonus   *Ident
	Stats   []Ident
	Against bool // it applies to creatures that target the one with the effect
	Tail
}

// Denied is `denied grace, luck to vigor`.
type Denied struct {
	Span
	Names []Ident
	Stats []Ident
	Tail
}

// Cannot is `cannot NAME, ... ["why not"]`.
type Cannot struct {
	Span
	Names []Ident
	Why   *Text
	Tail
}

// Must is `must COMMAND`.
type Must struct {
	Span
	Command *Command
	Tail
}

// Includes is `includes EFFECT, ...`.
type Includes struct {
	Span
	Names []Ident
	Tail
}

// Keep is `keep NAME: TYPE = EXPR`.
type Keep struct {
	Span
	Name  Ident
	Type  *Type
	Value Expr
	Tail
}

// Lasts is `lasts DURATION`.
type Lasts struct {
	Span
	Duration Duration
	Tail
}

// Step is `step NAME [before X | after X] [when COND] META { }`.
type Step struct {
	Span
	Name  Ident
	Where Ident // before, after; "" if not written
	Other Ident
	Tail
	Meta
	Body *Block
}

// Cost is `cost ALT, or ALT`; `cost none` has no alternatives.
type Cost struct {
	Span
	Alternatives []CostAlternative
	Tail
}

// CostAlternative is `1 standard-action and 1 move-action when COND`.
type CostAlternative struct {
	Span
	Parts []CostPart
	When  Expr
}

// CostPart is `[N] RESOURCE`; Amount is nil for 1.
type CostPart struct {
	Span
	Amount   Expr
	Resource Ident
}

// Needs is `needs COND "why not"`.
type Needs struct {
	Span
	Cond Expr
	Why  *Text
	Tail
}

// Property is NAME: EXPR, ... : a field of a template, a property of an action, or a term of a stat in an `extend`. As
// is set for a term.
type Property struct {
	Span
	Name   Ident
	Values []Expr
	As     *Ident
	Tail
}

// Way is how a thing does a procedure of its kind: `works { target: take-damage of 3 }`.
type Way struct {
	Span
	Name Ident
	Meta
	Body *Block
}

// Is sets flags of a template: `is light, thrown`.
type Is struct {
	Span
	Names []Ident
	Tail
}

// Has gives effects to a template: `has dodge, weapon-focus with longsword`.
type Has struct {
	Span
	Effects []GivenEffect
	Tail
}

// GivenEffect is an effect with its arguments.
type GivenEffect struct {
	Name Ident
	Args []Arg
}

// Printed is `printed { COND; ... }` in a template: what must hold of a newly created creature. Each clause is a
// *Claim.
type Printed struct {
	Span
	Body *Block
}

// Claim is one line of Printed.
type Claim struct {
	Span
	Cond Expr
}
