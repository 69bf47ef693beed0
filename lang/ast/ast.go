// Package ast defines the syntax tree of the language: plain data with exact positions and no behavior.
//
// A file is a body of clauses. Declarations, clauses of effects and statements are all clauses: one parser dispatches
// on the first word, and the checker, not the parser, decides which clause is allowed where. Nodes hold what was
// written and nothing derived; resolving, checking, formatting and compiling are passes in other packages. The package
// must never know about combat, files or Starlark.
package ast

// Pos is a position in a file. Line and Column count from 1, Column in bytes; Offset counts bytes from 0.
type Pos struct{ Line, Column, Offset int }

// Span is the half-open range from Start to End.
type Span struct{ Start, End Pos }

// Extent returns the span itself, so every type that embeds a Span is a Node.
func (s Span) Extent() Span { return s }

// Place sets the span of what was parsed, once its end is known.
func (s *Span) Place(at Span) { *s = at }

// Node is anything with a position.
type Node interface{ Extent() Span }

// Ident is a name or a word of the language, as written.
type Ident struct {
	Span
	Name string
}

// Cite is a catalogue id, or a run of them: `book.topic.01 to 04`.
type Cite struct {
	Span
	ID string // book.topic.01
	To string // "04", or "" for a single id
}

// Text is a quoted string without its quotes, escapes resolved. Block is true for """...""".
// In a block the indentation of the closing quotes is removed from each line.
type Text struct {
	Span
	Value string
	Block bool
	Raw   string // as written, with its quotes
}

// Comment is `# ...`, without the line end. Own is true when nothing else is on its line.
type Comment struct {
	Span
	Text    string // with the #
	OwnLine bool
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

func (t *Tail) tail() *Tail { return t }

// TailOf returns the tail of a clause or of a part of one, nil if its kind has none.
func TailOf(n any) *Tail {
	if x, ok := n.(interface{ tail() *Tail }); ok {
		return x.tail()
	}
	return nil
}

// File is a parsed file. Its header is the first clause of Body, a *Header, when it has one.
type File struct {
	Span
	Path          string
	Body          []Clause
	Comments      []Comment // in order of position
	UnparsedNames []string  // names possibly declared by clauses that could not be parsed
}

// Clause is a declaration, a clause of a body, or a statement.
//
//sumtype:decl
type Clause interface {
	Node
	Place(Span)
	clause()
}

// Block is `{ ... }`, with the positions of its braces. A nil *Block means that none was written.
type Block struct {
	Span
	Clauses []Clause
}

// Param is a parameter: `target`, `with weapon`, `at penalty: number = 0`.
type Param struct {
	Span
	Label   Ident // "" for the parameter directly after the name
	Name    Ident
	Type    *Type
	Default Expr // of a stat: what a question assumes
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

// PathPart is a name, or the keys of a table cell in brackets (Name is then empty).
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
	Args   []Arg  // before, after, instead: constraints on its parameters; `by` names the actor
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

// Arg is an argument with the label before it; the label of a command's object is empty.
type Arg struct {
	Span
	Label Ident
	Value Expr
}

// Bad replaces a clause that could not be parsed; its diagnostic has been reported.
type Bad struct{ Span }
