// Package story compiles the scenes of an adventure into a flat list of operations: tell a text, run statements, test a
// condition, offer choices, go to a scene, fight. The position in a story is then a number, so that a story can be
// paused, copied, rewound and resumed anywhere, like a fight.
//
// Statements and expressions are kept as they are, checked and typed; the narrator compiles them against its program.
// This package must never know how anything is shown, nor who makes the choices.
package story

import (
	"arbiter/interp/check"
	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// Story is an adventure that can be told. Telling it does not change it.
type Story struct {
	Title      string
	Code       []Op
	Scenes     []Scene
	Texts      []Text
	Values     []Value
	Statements []Statements
	Choices    []Choices
	Battles    []Battle
	Endings    []string // by name; "" for an ending without a name
	Counters   []Counter
	Party      []*ast.Side // who is there from the start, the party first
	Names      *check.Script

	Spots map[*ast.Member]Spot // the members to whom a `side` of a fight assigns a square
}

// Kind is the kind of an operation.
type Kind uint8

// The operations and their operands A, B and To. An address is an index into Code.
const (
	Tell          Kind = iota // text A; if B is 1, in the same paragraph
	Do                        // statements A
	Jump                      // to address A
	Test                      // continues if value A holds, or jumps to address B; Loop: the test at the head of a loop
	Switch                    // jumps to one of To by value A, from 1; 0 continues, but never occurs if B is 1
	Offer                     // choices A
	Go                        // to scene A
	Visit                     // scene A, and come back
	Back                      // returns from a visit
	End                       // of scene A: returns from a visit
	Finish                    // ending A; B is the text, or -1
	Alternate                 // counter A: jumps to one of To
	PassTime                  // value A: the time that passes
	BeginBattle               // battle A begins
	SetMap                    // the map of battle A
	AddSide                   // side B of battle A
	PlaceCreature             // placing B of battle A
	Follow                    // index A of Follows of battle B
	Fight                     // battle A; To: won, lost, otherwise; B is the address after them
	EndBattle                 // battle A is over
)

// Op is one operation and its position in the source.
type Op struct {
	Kind Kind
	A, B int32
	To   []int32
	Arms []ast.Span // for Switch and Fight: the source of each of To; the zero Span if it has none
	Loop bool
	File string
	Span ast.Span
}

// Scene is a scene of a story. Its path consists of the names of the enclosing scenes and its own.
type Scene struct {
	Path  string
	Title string // "" if it has none
	Entry int32
	Count int32 // index of the global of the ruleset that counts its visits
	File  string
	Span  ast.Span // its name
	Whole ast.Span
}

// Text is the pieces of a told text, in order.
type Text []Piece

// Piece is a piece of a text: words, a value, or alternatives.
type Piece struct {
	Words   string
	Value   int32 // the condition if If is set; -1 if there is no value
	If      bool
	Counter int32 // chooses among the alternatives, or -1
	Ways    []Text
}

// Value is an expression, which has no side effects.
type Value struct {
	X    *ir.Expr
	Vars []*ir.Var
	Node ast.Expr
	File string
}

// Statements is a list of statements that run together.
type Statements struct {
	Stmts  []*ir.Stmt
	Vars   []*ir.Var
	Node   ast.Clause
	File   string
	Hidden bool // internal bookkeeping, never reported
}

// Counter keeps track of alternatives that come in turn, or marks a choice that was taken once.
type Counter struct {
	Word string // sequence, cycle, shuffle, first or once
	Ways int32
	Name string // the name of its random draws
}

// MostShuffled is the limit on the alternatives of a shuffle: one number of the state holds the set of those already
// used.
const MostShuffled = 40

// Choices is an offer of choices.
type Choices struct {
	Ways      []Way
	Otherwise int32    // address, or -1 if there is none
	After     int32    // the address after all of them
	Else      ast.Span // its `otherwise`
}

// Way is one of the choices.
type Way struct {
	Label int32 // a text
	Open  int32 // a value, or -1 if it is always open
	Once  int32 // a counter, or -1 if it can be taken again
	Costs []Cost
	Check Check
	To    int32
	File  string
	Span  ast.Span
}

// Cost is the price of a choice: the choice is open if Afford holds, and Pay pays.
type Cost struct {
	Amount int32  // a value
	Of     string // what is paid if the amount does not say so, e.g. torches
	Afford int32  // a value
	Pay    int32  // statements
}

// Check is a check announced with a choice, e.g. climb, DC 15.
type Check struct {
	Name string // "" if it has none
	Who  string
	DC   int32 // a value, or -1
}

// Battle is a fight of a story.
type Battle struct {
	Title    string
	Scene    int32
	Map      *ast.Map
	Sides    []*ast.Side
	Places   []Placing
	Follows  []*ast.Follows
	BreakOff int32 // a value, or -1
}

// Placing puts a creature on a square: `place WHO at SQUARE`, `place WHO near PLACE`.
type Placing struct {
	Who  int32 // a value
	At   Spot
	Node *ast.Directive
}

// Spot is the square of a creature: a mark of the map, coordinates, or a value.
type Spot struct {
	Node   ast.Expr
	Square []int32 // the coordinates as values, or the one value; if there are none, Node is a mark
	Near   bool    // Node is only where the search for a free square begins
}

// Scene returns the index of the scene with this path, or -1.
func (s *Story) Scene(path string) int32 {
	for i := range s.Scenes {
		if s.Scenes[i].Path == path {
			return int32(i)
		}
	}
	return -1
}

// Where returns the scene that contains an address.
func (s *Story) Where(at int32) int32 {
	in := int32(0)
	for i := range s.Scenes {
		if e := s.Scenes[i].Entry; e >= 0 && e <= at {
			in = int32(i)
		}
	}
	return in
}
