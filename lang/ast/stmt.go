package ast

import "iter"

// This file defines the statements of the tree; those that only scripts have come last.

// Let is `let NAME = EXPR` or `let NAME = COMMAND`; one of Value and Command is set.
type Let struct {
	Span
	Name    Ident
	Value   Expr
	Command *Command
	Tail
}

// Set is `set PATH to EXPR [quietly]`; Target is a Name, a Field or an Index.
type Set struct {
	Span
	Target  Expr
	Value   Expr
	Quietly *Ident
	Tail
}

// If is `if COND { } else ...`. Else holds a single *If for `else if`.
type If struct {
	Span
	Cond Expr
	Then *Block
	Else *Block
	Tail
}

// ForEach is `for each X in LIST where C sorted by K descending { }`.
type ForEach struct {
	Span
	Query Query
	Body  *Block
	Tail
}

// Repeat is `repeat N times { }`.
type Repeat struct {
	Span
	Times Expr
	Body  *Block
	Tail
}

// Branch is a statement with arms: check, chance, roll, case.
//
//	check attack-bonus vs target.armor-class as blow { success: ... }
//	chance 25% { ... }     roll d10 as oddity { 1: ... }     case how { unmoved { stop } }
type Branch struct {
	Span
	Word    Ident // check, chance, roll, case
	Subject Expr  // bonus, percentage, dice, value
	Versus  Ident // check: dc, vs, opposed
	Target  Expr  // check
	Rolled  *Ident
	As      *Ident
	Open    bool // arms were written
	Arms    []Arm
	Tail
}

// Arm is `LABEL: STATEMENT` or `LABEL { STATEMENTS }`.
type Arm struct {
	Span
	Label  Ident // success, failure, natural, otherwise, "" for values
	By     Expr  // success by N, natural N
	Values []Cell
	Body   *Block // also holds the single statement of `LABEL: STATEMENT`; Short is then set
	Short  bool
}

// Choose is `choose [by WHO] { "label" [when C] { } ... }`.
type Choose struct {
	Span
	By      Expr
	Options []Choice
	Tail
}

// Choice is one option of a Choose.
type Choice struct {
	Span
	Label Text
	Tail
	Body *Block
}

// Gain is `WHO gains ... [quietly]` or `WHO loses ... [quietly]`.
type Gain struct {
	Span
	Who      Expr
	Word     Ident // gains, loses
	Amount   Expr  // set for a resource, nil for effects and `all`
	All      bool
	Resource Ident
	Leaving  *Ident
	Effects  []Ident
	Args     []Arg
	Memory   *Block // *Property clauses
	Duration *Duration
	Quietly  *Ident
	Tail
}

// May is `WHO may COMMAND [by default when COND]` or `WHO may "label" [by default when COND] { } else { }`.
type May struct {
	Span
	Who     Expr
	Command *Command
	Label   *Text
	Default Expr // when it is taken if no one answers; nil: as for all offers
	Body    *Block
	Else    *Block
	Tail
}

// ActsAt is `WHO acts at EXPR, ...`, `WHO acts before|after WHO`.
type ActsAt struct {
	Span
	Who  Expr
	Side string // at, before, after
	Keys []Expr // one creature after before and after
	Tail
}

// Moves is `WHO moves along|to|away|toward ...`.
type Moves struct {
	Span
	Who    Expr
	Word   Ident // along, to, away, toward
	Amount Expr  // away, toward
	To     Expr
	By     *Ident
	Tail
}

// Simple is `stop`, `cancel "why"`, `default`, `note "text"`.
type Simple struct {
	Span
	Word Ident
	Text *Text
	Tail
}

// Command calls a procedure or does an action: `Alia: strike g1 with longsword`.
type Command struct {
	Span
	Who  Expr // before the colon
	Name Ident
	Args []Arg
	Tail
}

// --- statements of scripts ----------------------------------------------------------------------------

// Side is `side NAME [follows TACTICS] { members }`; its clauses are *Member.
type Side struct {
	Span
	Name    Ident
	Follows *TacticsName // what those of its members follow that have no tactics of their own
	Body    *Block
}

// Members iterates over the members of a side.
func Members(s *Side) iter.Seq[*Member] {
	return func(yield func(*Member) bool) {
		if s.Body == nil {
			return
		}
		for _, cl := range s.Body.Clauses {
			if m, ok := cl.(*Member); ok && !yield(m) {
				return
			}
		}
	}
}

// IsStatement reports whether a clause is a statement: what the bodies of rules consist of, and scripts as well.
func IsStatement(cl Clause) bool {
	switch cl.(type) {
	case *Let, *Set, *If, *ForEach, *Repeat, *Branch, *Choose, *Gain, *May, *ActsAt, *Moves, *Simple, *Command:
		return true
	}
	return false
}

// WithNested iterates over clauses of a script and, after each `if`, `for each` and `repeat`, over those inside it.
func WithNested(list ...Clause) iter.Seq[Clause] {
	return func(yield func(Clause) bool) { walkNested(list, yield) }
}

func walkNested(list []Clause, yield func(Clause) bool) bool {
	for _, cl := range list {
		if !yield(cl) {
			return false
		}
		var blocks []*Block
		switch n := cl.(type) {
		case *Repeat:
			blocks = []*Block{n.Body}
		case *ForEach:
			blocks = []*Block{n.Body}
		case *If:
			blocks = []*Block{n.Then, n.Else}
		}
		for _, b := range blocks {
			if b != nil && !walkNested(b.Clauses, yield) {
				return false
			}
		}
	}
	return true
}

// Member is `fighter Alia at (1, 1) follows brute { fields }`, or `near (1, 1)`.
type Member struct {
	Span
	Template Ident
	Name     Ident
	At       Expr
	Near     bool // At is only where the search for a free square starts
	Follows  *TacticsName
	Body     *Block
}

// Follows is `NAME follows TACTICS`.
type Follows struct {
	Span
	Who     Ident
	Tactics TacticsName
}

// TacticsName is what somebody follows: tactics by name, or `best of N`, the best of what N playouts try. The name is
// then "best".
type TacticsName struct {
	Ident
	BestOf *Number // nil: tactics
}

// Map is `map """ROWS""" { "#": wall ... }`.
type Map struct {
	Span
	Rows   Text
	Legend *Block // *LegendEntry
}

// LegendEntry is `"#": wall, blocking`.
type LegendEntry struct {
	Span
	Mark  Text
	Names []Ident
}

// Given is `given NAME { }`.
type Given struct {
	Span
	Name Ident
	Body *Block
}

// Test is `test "sentence" given NAME { }`.
type Test struct {
	Span
	Title Text
	Given []Ident
	Body  *Block
}

// Scripted is `dice ...` or `answer ...`.
type Scripted struct {
	Span
	Word   Ident // dice, answer
	Who    *Ident
	Path   *Path
	Values []Expr
}

// Expect is `expect COND`, or `expect refused "text" { COMMAND }` when Refused. For a story it is
// `expect told "text", ...`, `expect offered "label", ...`, `expect withheld "label", ...`, `expect at SCENE`,
// `expect finished [ENDING]`.
type Expect struct {
	Span
	Cond    Expr
	Refused bool
	Text    *Text
	Body    *Block
	Story   Ident  // told, offered, withheld, at, finished; else ""
	Texts   []Text // told, offered, withheld
	Scene   *Path  // at
	Ending  *Ident // finished
	Tail
}

// Directive is `seed N`, `begin`, `next turn [of X]`, `pass DURATION`, `fight on [for N rounds | for N turns | until
// COND]`, `start [at SCENE]`, `take "label"`, `take N`, `explain EXPR`, `transcript """..."""`, `place WHO at SQUARE`,
// `place WHO near PLACE`, `place WHO back`, `ground NAME, ... at SQUARE, ...`. Word is the first word.
type Directive struct {
	Span
	Word  Ident // seed, begin, next, pass, fight, explain, transcript, place, ground, start, take
	Value Expr
	Turns bool    // Value counts turns
	Until Expr    // ends the fight
	Names []Ident // what is on the ground; empty: nothing
	At    []Expr  // squares of place and ground; none: `place WHO back`
	Near  bool    // At is only where the search for a free square starts
	Text  *Text   // transcript, take
	Scene *Path   // start
	Tail
}
