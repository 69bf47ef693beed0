package story

import (
	"slices"

	"arbiter/interp/check"
	"arbiter/lang/ast"
)

// This file compiles what makes a scene branch: conditions, loops, checks, jumps to other scenes, and alternatives.

func (b *builder) ifElse(n *ast.If) {
	v := b.value(n.Cond, check.YesNo)
	test := b.emit(Op{Kind: Test, A: v, B: -1, Span: n.Cond.Extent()})
	undo := b.assume(v, true)
	b.block(n.Then)
	undo()
	if n.Else == nil {
		b.story.Code[test].B = b.here()
		return
	}
	jump := b.emit(Op{Kind: Jump, Span: n.Span})
	b.story.Code[test].B = b.here()
	undo = b.assume(v, false)
	b.block(n.Else)
	undo()
	b.story.Code[jump].A = b.here()
}

// forEach iterates over a list that is computed before the loop.
func (b *builder) forEach(n *ast.ForEach) {
	names := b.names
	b.names = names.Clone()
	span := n.Query.Extent()
	if span == (ast.Span{}) {
		span = n.Span
	}
	list, at := b.hiddenName("list", span), b.hiddenName("at", span)
	each := &ast.Quantified{Span: span, Word: ast.Ident{Span: span, Name: "each"}, Query: n.Query}
	b.emitHidden(&ast.Let{Span: span, Name: list, Value: each})
	b.emitHidden(&ast.Let{Span: span, Name: at, Value: number(0, span)})
	top := b.here()
	length := &ast.Field{Span: span, X: name(list), Name: ast.Ident{Span: span, Name: "length"}}
	test := b.emit(Op{Kind: Test, A: b.value(binary("<", name(at), length), check.YesNo), B: -1, Loop: true, Span: span})
	b.emitHidden(&ast.Set{Span: span, Target: name(at), Value: binary("+", name(at), number(1, span))})
	b.emitHidden(&ast.Let{Span: span, Name: n.Query.Var, Value: &ast.Index{Span: span, X: name(list), Keys: []ast.Expr{name(at)}}})
	b.block(n.Body)
	b.emit(Op{Kind: Jump, A: top, Span: n.Span})
	b.story.Code[test].B = b.here()
	b.names = names
}

func (b *builder) repeat(n *ast.Repeat) {
	names := b.names
	b.names = names.Clone()
	span := n.Times.Extent()
	left := b.hiddenName("left", span)
	b.emitHidden(&ast.Let{Span: span, Name: left, Value: n.Times})
	top := b.here()
	test := b.emit(Op{Kind: Test, A: b.value(binary(">", name(left), number(0, span)), check.YesNo), B: -1, Loop: true, Span: span})
	b.emitHidden(&ast.Set{Span: span, Target: name(left), Value: binary("-", name(left), number(1, span))})
	b.block(n.Body)
	b.emit(Op{Kind: Jump, A: top, Span: n.Span})
	b.story.Code[test].B = b.here()
	b.names = names
}

// branch rolls a check, or makes another decision, and records which arm is taken; the story then continues there.
func (b *builder) branch(n *ast.Branch) {
	arm := b.hiddenName("arm", n.Span)
	b.emitHidden(&ast.Let{Span: n.Span, Name: arm, Value: number(0, n.Span)})
	x := *n
	x.Arms = slices.Clone(n.Arms)
	for i := range x.Arms {
		x.Arms[i].Short = false
		x.Arms[i].Body = &ast.Block{Span: n.Arms[i].Span, Clauses: []ast.Clause{&ast.Set{Span: n.Arms[i].Span, Target: name(arm), Value: number(int64(i)+1, n.Arms[i].Span)}}}
	}
	b.emitStatements(&x)
	at := b.emit(Op{Kind: Switch, A: b.value(name(arm), check.Number), Span: n.Span})
	var ends []int32
	if exhaustive(n) {
		b.story.Code[at].B = 1
	} else {
		ends = append(ends, b.emit(Op{Kind: Jump, Span: n.Span}))
	}
	for i := range n.Arms {
		b.story.Code[at].To, b.story.Code[at].Arms = append(b.story.Code[at].To, b.here()), append(b.story.Code[at].Arms, headOf(&n.Arms[i]))
		b.block(n.Arms[i].Body)
		ends = append(ends, b.emit(Op{Kind: Jump, Span: n.Arms[i].Span}))
	}
	for _, e := range ends {
		b.story.Code[e].A = b.here()
	}
}

// headOf returns the span of an arm up to its statements.
func headOf(a *ast.Arm) ast.Span {
	span := a.Span
	if a.Body != nil {
		span.End = a.Body.Start
	}
	return span
}

// exhaustive reports whether one of the arms is always taken.
func exhaustive(n *ast.Branch) bool {
	if n.When != nil || n.Unless != nil {
		return false
	}
	has := map[string]bool{}
	for i := range n.Arms {
		if a := &n.Arms[i]; a.By == nil {
			has[a.Label.Name] = true
		}
	}
	return has["otherwise"] || has["success"] && has["failure"] || n.Word.Name == "case" // `case` is complete, or has been reported
}

func (b *builder) divert(n *ast.Divert) {
	switch n.Word.Name {
	case "back":
		b.emit(Op{Kind: Back, Span: n.Span})
	case "again":
		if len(b.offers) == 0 {
			b.fail(n.Span, "misplaced", "this is not inside choices", "`again` repeats the choices that it is in; `go to SCENE` starts a scene again")
			return
		}
		b.emit(Op{Kind: Jump, A: b.offers[len(b.offers)-1], Span: n.Span})
	default:
		kind := Go
		if n.Word.Name == "visit" {
			kind = Visit
		}
		if id := b.find(&n.To); id >= 0 {
			b.emit(Op{Kind: kind, A: id, Span: n.Span})
		} else {
			b.emit(Op{Kind: Finish, A: 0, B: -1, Span: n.Span}) // already reported; avoids follow-up errors
		}
	}
}

func (b *builder) finish(n *ast.Finish) {
	ending := ""
	if n.Ending != nil {
		ending = n.Ending.Name
	}
	id, ok := b.endings[ending]
	if !ok {
		id = int32(len(b.story.Endings))
		b.endings[ending] = id
		b.story.Endings = append(b.story.Endings, ending)
	}
	text := int32(-1)
	if n.Text != nil {
		text = b.text(n.Text)
	}
	b.emit(Op{Kind: Finish, A: id, B: text, Span: n.Span})
}

func (b *builder) counter(word string, ways int) int32 {
	name := word
	if b.scene >= 0 {
		name = b.story.Scenes[b.scene].Path + "." + word
	}
	if word == "shuffle" {
		b.checked.AddRoll(name)
	}
	b.story.Counters = append(b.story.Counters, Counter{Word: word, Ways: int32(ways), Name: name})
	return int32(len(b.story.Counters) - 1)
}

func (b *builder) alternation(n *ast.Alternation) {
	ways := len(n.Ways)
	if n.Word.Name == "first" && ways == 1 {
		ways = 2
	}
	b.checkVariants(n.Word.Name, ways, n.Word.Span)
	at := b.emit(Op{Kind: Alternate, A: b.counter(n.Word.Name, ways), Span: n.Span})
	var ends []int32
	for _, w := range n.Ways {
		b.story.Code[at].To = append(b.story.Code[at].To, b.here())
		b.block(w)
		ends = append(ends, b.emit(Op{Kind: Jump, Span: n.Span}))
	}
	if ways > len(n.Ways) {
		b.story.Code[at].To = append(b.story.Code[at].To, b.here())
	}
	for _, e := range ends {
		b.story.Code[e].A = b.here()
	}
}
