// Package ast is the syntax tree of the language: plain data with exact positions, no behaviour.
//
// A file is a body of clauses; declarations, clauses of effects and statements are all clauses, because
// one parser dispatches on the first word and the checker, not the parser, decides what may stand where.
// Nodes hold what was written and nothing derived: resolving, checking, formatting and compiling are
// passes of other packages. The package must never know combat, files or Starlark.
package ast

// Pos is a place in a file. Line and Column count from 1, Column in bytes; Offset counts bytes from 0.
type Pos struct{ Line, Column, Offset int }

// Span reaches from Start up to, not including, End.
type Span struct{ Start, End Pos }

// Extent returns the span itself, so that every node that embeds a Span is a Node.
func (s Span) Extent() Span { return s }

// Node is anything with a place.
type Node interface{ Extent() Span }

// Ident is a name as written, or a word of the language in its place.
type Ident struct {
	Span
	Name string
}

// Cite is one id of the catalogue, or a run of them: `book.topic.01 to 04`.
type Cite struct {
	Span
	ID string // book.topic.01
	To string // "04", or "" for a single id
}

// Text is a quoted string without its quotes, escapes resolved. Block is true for """...""".
// In a block the indentation of the closing quotes is taken off each line.
type Text struct {
	Span
	Value string
	Block bool
	Raw   string // as it is written, with its quotes
}

// Comment is `# ...`, without the line end. Own is true when nothing else stands on its line.
type Comment struct {
	Span
	Text string // with the #
	Own  bool
}

// Meta is the documentation of a declaration: one sentence and citations.
type Meta struct {
	Doc   *Text
	Cites []Cite
}

// Tail ends any clause: `when C`, `unless C`, `cite IDS`.
type Tail struct {
	When, Unless Expr
	Cites        []Cite
}

// File is a parsed file. Its header is the first clause of Body, a *Header, when it has one.
type File struct {
	Span
	Path     string
	Body     []Clause
	Comments []Comment // in order of position
	Unread   []string  // names that clauses may have declared which could not be read
}

// Clause is a declaration, a clause of a body, or a statement.
//
//sumtype:decl
type Clause interface {
	Node
	clause()
}

// Block is `{ ... }`, with the positions of its brackets. A nil *Block means that none was written.
type Block struct {
	Span
	Clauses []Clause
}

// Param is a parameter: `target`, `with weapon`, `at penalty: number = 0`.
type Param struct {
	Span
	Label   Ident // "" for the one that follows the name
	Name    Ident
	Type    *Type
	Default Expr
}

// Type is written `number`, `list of creature`, `distance or none`.
type Type struct {
	Span
	List   bool
	Name   Ident
	OrNone bool
}

// Path names a part of a definition: `attack.confirm`, `size-modifier[large]`, `xp-award[3, 5]`.
type Path struct {
	Span
	Parts []PathPart
}

// PathPart is a name, or the keys of a cell in brackets (Name is then empty).
type PathPart struct {
	Name Ident
	Keys []Expr
}

// Trigger says when a rule runs.
//
//	before attack.roll by self        after take-damage to self      instead of attack.confirm
//	at start of turn                  at end of turn of caster       every 1 hour
//	on gaining dying                  on losing
type Trigger struct {
	Span
	Word   Ident  // before, after, instead, start, end, every, gaining, losing
	Path   *Path  // before, after, instead
	Args   []Arg  // before, after, instead: constraints on its parameters; `by` is the doer
	Next   bool   // `until end of next turn`
	Moment Ident  // start, end: turn, round, fight
	Of     Expr   // start, end: whose
	Every  Expr   // every
	Effect *Ident // gaining, losing
}

// Duration ends an effect: `for 3 rounds`, `until before turn by actor, after strike`, `while COND`.
type Duration struct {
	Span
	For   Expr
	Until []Trigger
	While Expr
}

// Arg is an argument with the label before it; the label of the object of a command is empty.
type Arg struct {
	Span
	Label Ident
	Value Expr
}

// Bad stands where a clause could not be parsed; its diagnostic has been reported.
type Bad struct{ Span }
