// Package story turns the scenes of an adventure into a flat list of operations: tell a text, do statements, test a
// condition, offer choices, go to a scene, fight. Where somebody is in a story is then a number, so that a story can be
// stopped, copied, taken back and gone on with anywhere, like a fight.
//
// Statements and expressions stay what they are, checked and typed; whoever tells the story compiles them against its
// program. The package must never know how anything is shown, nor who chooses.
package story

import (
	"arbiter/interp/check"
	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// Story is an adventure that can be told. It is not changed by being told.
type Story struct {
	Title    string
	Code     []Op
	Scenes   []Scene
	Texts    []Text
	Values   []Value
	Deeds    []Deed
	Choices  []Choices
	Battles  []Battle
	Endings  []string // by name; what ends nameless is ""
	Counters []Counter
	Party    []*ast.Side // who is there from the beginning, the party first
	Names    *check.Script

	Spots map[*ast.Member]Spot // of those whom a fight's `side` gives a square
}

// Kind of an operation.
type Kind uint8

// The operations. A, B and To are what stands behind each; a place is an index of Code.
const (
	Tell   Kind = iota // text A; B 1: in the same paragraph
	Do                 // deed A
	Jump               // to place A
	Test               // value A, or jump to place B; Loop: each time a loop begins anew
	Arm                // by value A, from 1: to one of To; 0 goes on, but not with B 1
	Offer              // choices A
	Go                 // to scene A
	Visit              // scene A, and come back
	Back               // from a visit
	End                // of scene A: back, from a visit
	Finish             // ending A; B is the text, -1 for none
	Turn               // counter A: to one of To
	Pass               // value A: time
	Meet               // battle A begins
	Chart              // the map of battle A
	Muster             // side B of battle A
	Stand              // placing B of battle A
	Follow             // A, an index of Follows of battle B
	Fight              // battle A; To: won, lost, otherwise; B is the place behind them
	Part               // battle A is over
)

// Op is one operation, and where it stands.
type Op struct {
	Kind Kind
	A, B int32
	To   []int32
	Arms []ast.Span // of Arm and Fight: where each of To is written; the zero Span: nowhere
	Loop bool
	File string
	Span ast.Span
}

// Scene of a story. Its path is that of the scenes around it and its own name.
type Scene struct {
	Path  string
	Title string // "" for none
	Entry int32
	Count int32 // of the ruleset's globals: how often it was entered
	File  string
	Span  ast.Span // of its name
	Whole ast.Span
}

// Text is what is told: pieces, one after the other.
type Text []Piece

// Piece of a text: words, a value, or what changes.
type Piece struct {
	Words   string
	Value   int32 // -1: none; of If the condition
	If      bool
	Counter int32 // of what changes each time, -1
	Ways    []Text
}

// Value is an expression that only reads.
type Value struct {
	X    *ir.Expr
	Vars []*ir.Var
	Node ast.Expr
	File string
}

// Deed is statements that are done together.
type Deed struct {
	Stmts  []*ir.Stmt
	Vars   []*ir.Var
	Node   ast.Clause
	File   string
	Hidden bool // it keeps the books of the story, and is never told
}

// Counter counts what comes in turn, or marks what was taken once.
type Counter struct {
	Word string // sequence, cycle, shuffle, first; once
	Ways int32
	Name string // what its draws are called
}

// MostShuffled are the ways of a shuffle: one number of the state holds which of them have come.
const MostShuffled = 40

// Choices are what may be done next.
type Choices struct {
	Ways      []Way
	Otherwise int32    // a place, -1: there is none
	After     int32    // the place behind them
	Else      ast.Span // of `otherwise`
}

// Way is one of them.
type Way struct {
	Label int32 // a text
	Open  int32 // a value, -1: always
	Once  int32 // a counter, -1: it stays
	Costs []Cost
	Check Check
	To    int32
	File  string
	Span  ast.Span
}

// Cost is what a way takes: it is open when Afford holds, and Pay pays.
type Cost struct {
	Amount int32  // a value
	Of     string // what is paid, where the amount does not say it: torches
	Afford int32  // a value
	Pay    int32  // a deed
}

// Check is a check that stands in sight: climb, DC 15.
type Check struct {
	Name string // "" for none
	Who  string
	DC   int32 // a value, -1
}

// Battle is a fight of a story.
type Battle struct {
	Title    string
	Scene    int32
	Map      *ast.Map
	Sides    []*ast.Side
	Places   []Placing
	Follows  []*ast.Follows
	BreakOff int32 // a value, -1
}

// Placing puts somebody somewhere: `place WHO at SQUARE`, `place WHO near SQUARE`.
type Placing struct {
	Who  int32 // a value
	At   Spot
	Node *ast.Directive
}

// Spot is where somebody is to stand: a mark of the map, or coordinates.
type Spot struct {
	Node   ast.Expr
	Square []int32 // the coordinates: values; none: Node is a mark
	Near   bool    // Node is only where to look for a free square
}

// Scene finds a scene by its path, -1 if there is none.
func (s *Story) Scene(path string) int32 {
	for i := range s.Scenes {
		if s.Scenes[i].Path == path {
			return int32(i)
		}
	}
	return -1
}

// Where is the scene in which a place of the code stands.
func (s *Story) Where(at int32) int32 {
	in := int32(0)
	for i := range s.Scenes {
		if e := s.Scenes[i].Entry; e >= 0 && e <= at {
			in = int32(i)
		}
	}
	return in
}
