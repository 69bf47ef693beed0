package story

import (
	"maps"
	"slices"
	"strings"

	"arbiter/interp/check"
	"arbiter/interp/ir"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/format"
	"arbiter/lang/words"
)

// This file compiles choices and fights into operations.

// choices emits an offer, followed by the body of each choice.
func (b *builder) choices(n *ast.Choices) {
	id := int32(len(b.story.Choices))
	b.story.Choices = append(b.story.Choices, Choices{Otherwise: -1})
	offer := b.emit(Op{Kind: Offer, A: id, Span: n.Span})
	b.offers = append(b.offers, offer)
	c := Choices{Otherwise: -1}
	var ends []int32
	for i := range n.Ways {
		w := &n.Ways[i]
		if w.Otherwise {
			if i != len(n.Ways)-1 || c.Otherwise >= 0 {
				b.fail(w.Span, "misplaced", "`otherwise` comes last, once", "it is taken when no choice above it is available")
			}
			c.Otherwise, c.Else = b.here(), w.Span
			b.block(w.Body)
		} else {
			b.checkLabel(n.Ways[:i], w)
			c.Ways = append(c.Ways, b.way(w))
		}
		ends = append(ends, b.emit(Op{Kind: Jump, Span: w.Span}))
	}
	if len(n.Ways) == 0 && !b.broken {
		b.fail(n.Span, "no-way", "there is nothing to choose here", `write the choices: "label" { ... }`)
	}
	b.offers = b.offers[:len(b.offers)-1]
	c.After = b.here()
	for _, e := range ends {
		b.story.Code[e].A = c.After
	}
	b.story.Choices[id] = c
}

// checkLabel reports a choice without a label, and one with the same label as another, since a label must identify the
// choice. Choices that are not always open, or whose label has alternatives, may share one.
func (b *builder) checkLabel(before []ast.StoryWay, w *ast.StoryWay) {
	if !w.Otherwise && w.Label.Value == "" {
		b.fail(w.Label.Span, "no-way", "this choice has no label", "write what the player can choose")
		return
	}
	always := func(w *ast.StoryWay) bool { return !w.Otherwise && !w.Once && w.When == nil && w.Unless == nil }
	if !always(w) || strings.Contains(w.Label.Value, "{") {
		return
	}
	for i := range before {
		if always(&before[i]) && before[i].Label.Value == w.Label.Value {
			b.failDuplicate(w.Label.Span, before[i].Label.Span, "there already is a choice \""+w.Label.Value+"\"", "give one of them another label")
			return
		}
	}
}

func (b *builder) way(w *ast.StoryWay) Way {
	x := Way{Open: -1, Once: -1, Check: Check{DC: -1}, File: b.file.Path, Span: w.Label.Span}
	names := b.names
	b.names = names.Clone()
	undo := func() {}
	if cond := tailCondition(w.Tail); cond != nil {
		x.Open = b.value(cond, check.YesNo)
		undo = b.assume(x.Open, true)
	}
	x.Label = b.text(&w.Label)
	if w.Once {
		x.Once = b.counter("once", 2)
	}
	for i := range w.Costs {
		x.Costs = append(x.Costs, b.cost(&w.Costs[i]))
	}
	x.To = b.here()
	if w.Check != nil {
		x.Check = b.announcedCheck(w.Check)
		b.branch(w.Check)
	} else {
		b.block(w.Body)
	}
	undo()
	b.names = names
	return x
}

// tailCondition combines `when` and `unless` into one condition.
func tailCondition(t ast.Tail) ast.Expr {
	cond := t.When
	if t.Unless != nil {
		span := t.Unless.Extent()
		var not ast.Expr = &ast.Unary{Span: span, Op: ast.Ident{Span: span, Name: "not"}, X: &ast.Paren{Span: span, X: t.Unless}}
		if cond == nil {
			return not
		}
		cond = binary("and", &ast.Paren{Span: cond.Extent(), X: cond}, not)
	}
	return cond
}

// cost checks the price of a choice and makes the statement that pays it.
func (b *builder) cost(p *ast.Price) Cost {
	x := Cost{Amount: b.value(p.Amount, ir.Type{})}
	if v := b.story.Values[x.Amount].X; v != nil && v.Type.Kind == ir.Number {
		switch of := p.Of.(type) {
		case *ast.Name:
			x.Of = of.Name
		case *ast.Field:
			x.Of = of.Name.Name
		}
	}
	amount := &ast.Paren{Span: p.Amount.Extent(), X: p.Amount}
	before := len(b.list)
	x.Afford = b.value(binary(">=", p.Of, amount), check.YesNo)
	if len(b.list) > before { // paying would report the same errors
		amount := b.story.Values[x.Amount].X
		of, _, wrong := b.names.Expr(p.Of, ir.Type{})
		if len(wrong) == 0 && amount != nil && amount.Type.Kind == ir.Quantity && of.Type.Kind == ir.Number {
			path, price := format.Expr(p.Of), format.Expr(p.Amount)
			b.list[before].Hint = "`" + path + "` has no unit: give it the unit of the price where it is declared, as in `keep " + path + " = " + price + "`"
		}
		return x
	}
	x.Pay = b.addStatements(false, &ast.Set{Span: p.Span, Target: p.Of, Value: binary("-", p.Of, amount)})
	return x
}

// announcedCheck returns what a check announces before it is rolled.
func (b *builder) announcedCheck(n *ast.Branch) Check {
	c := Check{Name: n.Word.Name, DC: -1}
	subject, of := n.Subject, ""
	if call, ok := subject.(*ast.Call); ok { // Mira.skill-check of climb
		subject = call.Fn
		for _, a := range call.Labelled {
			if what, ok := a.Value.(*ast.Name); ok && a.Label.Name == "of" {
				of = what.Name
			}
		}
	}
	switch x := subject.(type) {
	case *ast.Name:
		c.Name = x.Name
	case *ast.Field:
		c.Name = x.Name.Name
		if who, ok := x.X.(*ast.Name); ok {
			c.Who = who.Name
		}
	}
	if of != "" {
		c.Name = of
	}
	if n.Versus.Name == "dc" && n.Target != nil {
		c.DC = b.value(n.Target, check.Number)
	}
	return c
}

// fight emits a fight: its sides and placement, the fight itself, and its aftermath.
func (b *builder) fight(n *ast.Battle) {
	if b.battle >= 0 {
		b.fail(n.Span, "misplaced", "there is a fight around this one", "go to another scene, and fight there")
		return
	}
	id := int32(len(b.story.Battles))
	x := Battle{Scene: b.scene, BreakOff: -1}
	if n.Title != nil {
		x.Title = n.Title.Value
	}
	b.story.Battles = append(b.story.Battles, x)
	at := func() *Battle { return &b.story.Battles[id] }
	if n.Body == nil {
		return
	}
	names, placed := b.names, b.placed
	b.names, b.battle = names.Clone(), id
	b.placed = map[string]diag.Related{}
	maps.Copy(b.placed, placed)
	b.emit(Op{Kind: BeginBattle, A: id, Span: n.Span})
	var arms []*ast.Aftermath
	for _, cl := range n.Body.Clauses {
		switch c := cl.(type) {
		case *ast.Aftermath:
			arms = append(arms, c)
			continue
		case *ast.BreakOff:
			at().BreakOff = b.value(c.Cond, check.YesNo)
			continue
		}
		if len(arms) > 0 {
			b.fail(cl.Extent(), "misplaced", "the results of a fight come last", "put this before `"+arms[0].Word.Name+"`")
			continue
		}
		switch c := cl.(type) {
		case *ast.Map:
			if at().Map != nil {
				b.fail(c.Span, "declared-twice", "there is a map already", "draw a single map")
				continue
			}
			at().Map = c
			b.emit(Op{Kind: SetMap, A: id, Span: c.Span})
		case *ast.Side:
			b.side(c, id)
			at().Sides = append(at().Sides, c)
			b.emit(Op{Kind: AddSide, A: id, B: int32(len(at().Sides) - 1), Span: c.Span})
		case *ast.Follows:
			_, diags := b.names.Followed(&c.Tactics)
			b.list = append(b.list, diags...)
			if _, known := b.placed[c.Who.Name]; !known {
				hint := "first give the opponents: side NAME { CREATURE " + c.Who.Name + " }"
				if near := words.Nearest(c.Who.Name, slices.Sorted(maps.Keys(b.placed))); near != "" {
					hint = "did you mean `" + near + "`?"
				}
				b.fail(c.Who.Span, "unknown-name", "nobody is named "+c.Who.Name, hint)
			}
			at().Follows = append(at().Follows, c)
			b.emit(Op{Kind: Follow, A: int32(len(at().Follows) - 1), B: id, Span: c.Span})
		default:
			b.clause(cl)
		}
	}
	if !slices.ContainsFunc(at().Sides, hasMembers) && !b.broken {
		b.fail(n.Span, "nobody", "who is the opponent?", "give the opponents: side NAME { CREATURE NAME }")
	}
	b.outcomes(id, n, arms)
	b.names, b.placed, b.battle = names, placed, -1
}

// hasMembers reports whether a side has members.
func hasMembers(s *ast.Side) bool { return s.Body != nil && len(s.Body.Clauses) > 0 }

// outcomes emits the fight itself and its outcomes.
func (b *builder) outcomes(id int32, n *ast.Battle, arms []*ast.Aftermath) {
	at := b.emit(Op{Kind: Fight, A: id, Span: n.Span})
	to := []int32{-1, -1, -1}
	var ends []int32
	spans := make([]ast.Span, len(to))
	for _, a := range arms {
		which := map[string]int{"won": 0, "lost": 1, "otherwise": 2}[a.Word.Name]
		if to[which] >= 0 {
			b.failDuplicate(a.Word.Span, spans[which], "`"+a.Word.Name+"` appears twice", "remove one of them")
			continue
		}
		to[which], spans[which] = b.here(), a.Word.Span
		b.block(a.Body)
		ends = append(ends, b.emit(Op{Kind: Jump, Span: a.Span}))
	}
	for i := range to {
		if to[i] < 0 {
			if to[i] = to[2]; to[i] < 0 {
				to[i] = b.here()
			}
		}
	}
	if len(arms) > 0 && to[1] == b.here() && to[2] == b.here() && n.Body != nil {
		b.list = append(b.list, warning(b.file.Path, n.Span, "no-defeat", "nothing says what happens if the fight is lost", "write lost { ... }; without it the story continues after the fight"))
	}
	b.story.Code[at].To, b.story.Code[at].Arms, b.story.Code[at].B = to, spans, b.here()
	for _, e := range ends {
		b.story.Code[e].A = b.here()
	}
	b.emit(Op{Kind: EndBattle, A: id, Span: n.Span})
}

// placeCreature emits `place WHO at SQUARE`.
func (b *builder) placeCreature(n *ast.Directive) {
	p := Placing{Who: b.value(n.Value, ir.Type{Kind: ir.Ref, Name: "creature"}), At: b.spot(n.At[0], n.Near), Node: n}
	x := &b.story.Battles[b.battle]
	x.Places = append(x.Places, p)
	b.emit(Op{Kind: PlaceCreature, A: b.battle, B: int32(len(x.Places) - 1), Span: n.Span})
}

// spot checks the coordinates of a square; whether the map has that square is checked when the map is read.
func (b *builder) spot(e ast.Expr, near bool) Spot {
	x := Spot{Node: e, Near: near}
	if t, ok := e.(*ast.Tuple); ok {
		for _, item := range t.Items {
			x.Square = append(x.Square, b.value(item, check.Number))
		}
	} else if !check.IsSquareLiteral(e) {
		x.Square = []int32{b.value(e, check.PlaceAt(near))}
	}
	return x
}
