package ast

// This file defines the declarations of the tree.

// Header is the first line of a file.
//
//	ruleset gritty extends book, bundle without grim prefers other language 1 "One sentence." cite ...
//	encounter "The duel" with book, gritty
//	tests "The bridge" of "bridge.adventure"
type Header struct {
	Span
	Word     Ident // ruleset, encounter, tests, adventure
	Name     Ident // of a ruleset
	Title    *Text // of the others
	Of       *Text // of tests: the file of their adventure
	Extends  []Ident
	With     []Ident
	Without  []Ident // rulesets left out, though another ruleset extends them
	Prefers  []Ident
	Language int // 0 when not stated
	Meta
}

// Use is `use hooks "file.star"`, `use NAME from "file.star"` or `use NAME(PARAMS): TYPE from "file.star"`. Without a
// Result the function receives what is in scope where it is named.
type Use struct {
	Span
	Hooks    bool
	Name     Ident
	Function string // its name in the file, if not Name: no source can say so, only a hook that registers itself
	Params   []Param
	Result   *Type
	File     Text
}

// Option is `option NAME = EXPR`.
type Option struct {
	Span
	Name  Ident
	Value Expr
	Meta
}

// Enum is `enum NAME [ordered]: NAME, ...`.
type Enum struct {
	Span
	Name    Ident
	Ordered bool
	Members []Ident
	Meta
}

// Bonus is `bonus NAME, ...: LAW`; Law is "highest", "stacks" or "stacks by source".
type Bonus struct {
	Span
	Names []Ident
	Law   Ident
	Meta
}

// Role is `role NAME, ...: TYPE`.
type Role struct {
	Span
	Names []Ident
	Type  Type
}

// Permission is `permission NAME`.
type Permission struct {
	Span
	Name Ident
	Meta
}

// Kind is `kind NAME { fields }`; each clause of the body is a *FieldDecl, or `is internal`.
type Kind struct {
	Span
	Name Ident
	Meta
	Body *Block
}

// FieldDecl declares fields of a kind: `light, thrown: flag`, `threat: number = 20`.
type FieldDecl struct {
	Span
	Names   []Ident
	Type    Type
	Default Expr
	Tail
}

// Template is a thing of a kind: `weapon longsword extends sword { damage: 1d8 }`.
type Template struct {
	Span
	Kind    Ident
	Name    Ident
	Extends *Ident
	Meta
	Body *Block
}

// Roll is `roll NAME { die DICE  natural N fails ... }`; the clauses are *RollClause.
type Roll struct {
	Span
	Name Ident
	Meta
	Body *Block
}

// RollClause is `die d20` (Die set), `natural 20 succeeds`, or `says "hits" or "misses"` (Says set).
type RollClause struct {
	Span
	Says    []Text // for success and failure
	Die     Expr
	Natural Expr
	Verdict Ident // fails, succeeds
	Tail
}

// Stat is `stat NAME against foe with weapon rolled as ROLL = EXPR` or `{ TERMS }`; the clauses are *Term or *Documentation.
type Stat struct {
	Span
	Name   Ident
	Params []Param
	Rolled *Ident
	Meta
	Value Expr // the short form
	Body  *Block
}

// Term is a named term of a stat: `armor: worn-armor.bonus as armor when COND cite IDS`.
type Term struct {
	Span
	Name  Ident
	Value Expr
	As    *Ident
	Tail
}

// View is `view NAME of STAT [without NAMES]` or `... denied NAMES`.
type View struct {
	Span
	Name   Ident
	Of     Ident
	Word   Ident // without, denied; empty if nothing is lost
	Losing []Ident
	Meta
}

// Define is `define [KIND.]NAME[(PARAMS)] [LABEL PARAM ...] = EXPR`.
type Define struct {
	Span
	Kind   *Ident
	Name   Ident
	Params []Param // those in parentheses first, then the labeled ones
	Meta
	Value Expr
}

// Table is `table NAME by KEY, KEY { rows }`. The first row names the columns.
type Table struct {
	Span
	Name Ident
	Keys []Ident
	Meta
	Rows []Row
}

// Row is one line of a table. Its first cell is the key.
type Row struct {
	Span
	Cells []Cell
}

// RowClause is a row on its own, in the body of `extend TABLE { }`.
type RowClause struct{ Row }

// Cell is a value, a range or a mark.
type Cell struct {
	Span
	Mark string // "", "-", "gm", "others"
	From Expr   // the value, or the lower end
	To   Expr   // `1 to 3`
	Open string // "", "more" (22 or more), "less" (0 or less)
}

// Resource is `resource NAME from A to B starts C { clauses }`.
type Resource struct {
	Span
	Name             Ident
	From, To, Starts Expr
	Meta
	Body *Block
}

// Effect is a `condition`, `feat`, `trait`, `effect` or `everyone`.
type Effect struct {
	Span
	Word   Ident
	Name   Ident
	Params []Param
	While  Expr
	Meta
	Body *Block
}

// Procedure is a procedure or an action. `procedure KIND.NAME` belongs to a kind, whose things may do it in their own
// way.
type Procedure struct {
	Span
	Word   Ident
	Kind   *Ident
	Name   Ident
	Params []Param
	Meta
	Body *Block
}

// Rule is a rule or a reaction, at the top level or in the body of an effect, resource or procedure.
type Rule struct {
	Span
	Word    Ident // rule, reaction
	Name    Ident
	Trigger Trigger
	Tail          // the guard
	Once    Ident // round, turn, fight; "" if not limited
	Default Expr  // of a reaction: when it is taken if no one answers; nil: always
	Meta
	Body *Block
}

// Change is `override PATH = EXPR`, `override PATH: LAW`, `override PATH { }`, `extend PATH { }`, `remove PATH`.
type Change struct {
	Span
	Word  Ident
	Path  Path
	Value Expr
	Law   Ident // of a bonus type
	Body  *Block
	Meta
}

// Tactics is `tactics NAME { COMMAND when COND ... }`.
type Tactics struct {
	Span
	Name Ident
	Meta
	Body *Block
}
