package ast

// This file defines what only adventures have. Narration is a *Documentation with a sentence, in the body of a scene.

// Include is `include "chapter.adventure"`: the scenes and declarations of a file in the same folder.
type Include struct {
	Span
	File Text
}

// Scene is `scene NAME "title" { STATEMENTS }`. Its clauses are what happens there, and nested scenes.
type Scene struct {
	Span
	Name Ident
	Meta
	Body *Block
}

// Choices is `choices { WAYS }`: what the players may do next.
type Choices struct {
	Span
	Ways []StoryWay
}

// StoryWay is one of the choices: `[once] "label" [when C] [cost EXPR of PATH, ...] [check ...] { }`, or `otherwise {
// }`.
type StoryWay struct {
	Span
	Once      bool
	Otherwise bool // has no label; taken when no other choice is open
	Label     Text
	Tail
	Costs []Price
	Check *Branch // shown to the players; its arms are the body
	Body  *Block
}

// Price is `EXPR of PATH`: what a choice costs, and where it is taken from.
type Price struct {
	Span
	Amount Expr
	Of     Expr // a Name or a Field
}

// Divert goes to another place of the story: `go to SCENE`, `visit SCENE`, `back`, `again`.
type Divert struct {
	Span
	Word Ident // go, visit, back, again
	To   Path  // go, visit
	Tail
}

// Finish is `finish [ENDING] ["last words"]`.
type Finish struct {
	Span
	Ending *Ident
	Text   *Text
	Tail
}

// Alternation runs another of its ways each time: `sequence { then { } then { } }`, `cycle { }`, `shuffle { }`,
// `first time { } [else { }]`.
type Alternation struct {
	Span
	Word Ident // sequence, cycle, shuffle, first
	Ways []*Block
}

// Battle is `fight ["title"] { SET-UP; won { } lost { } otherwise { } }` in a scene.
type Battle struct {
	Span
	Title *Text
	Body  *Block
}

// Aftermath is `won { }`, `lost { }` or `otherwise { }` in a Battle.
type Aftermath struct {
	Span
	Word Ident
	Body *Block
}

// BreakOff is `break off when COND` in a Battle.
type BreakOff struct {
	Span
	Cond Expr
}

// TextPiece is a piece of narrated text.
type TextPiece struct {
	Span
	Text  string        // literal text
	Value Expr          // {EXPR}: the value shown; {if COND: ...}: the condition
	Word  string        // of variable text: if, sequence, cycle, shuffle, first; else ""
	Ways  [][]TextPiece // of variable text
}

// VisitBlocks calls visit for each block directly inside a clause of a story.
func VisitBlocks(cl Clause, visit func(*Block)) {
	visitAll := func(list ...*Block) {
		for _, b := range list {
			if b != nil {
				visit(b)
			}
		}
	}
	switch n := cl.(type) {
	case *Scene:
		visitAll(n.Body)
	case *If:
		visitAll(n.Then, n.Else)
	case *ForEach:
		visitAll(n.Body)
	case *Repeat:
		visitAll(n.Body)
	case *Alternation:
		visitAll(n.Ways...)
	case *Battle:
		visitAll(n.Body)
	case *Aftermath:
		visitAll(n.Body)
	case *Branch:
		for i := range n.Arms {
			visitAll(n.Arms[i].Body)
		}
	case *Choose:
		for i := range n.Options {
			visitAll(n.Options[i].Body)
		}
	case *May:
		visitAll(n.Body, n.Else)
	case *Choices:
		for i := range n.Ways {
			visitAll(n.Ways[i].Body)
			if c := n.Ways[i].Check; c != nil {
				for k := range c.Arms {
					visitAll(c.Arms[k].Body)
				}
			}
		}
	}
}
