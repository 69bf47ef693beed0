package check

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
	"arbiter/stdlib/dice"
)

// This file types dice: in the language's own notation, as a text in any notation that the dice package reads, and
// combined by operators into one roll.

// dice types dice, given in dice notation.
func (s *scope) dice(notation string, span ast.Span) *ir.Expr {
	if _, err := dice.Parse(notation); err != nil {
		why, hint := err.Error(), ""
		if e := (*dice.Error)(nil); errors.As(err, &e) {
			why, hint = e.Message, e.Hint
		}
		s.errHint(span, "bad-dice", why, cmp.Or(hint, "dice are written 2d6, d20, d%, 4d6kh3; `arbiter help roll` lists everything"))
		return s.bad(span)
	}
	if _, known := s.c.notations[notation]; !known && len(s.c.rs.DiceExprs) >= maxDice {
		s.errHint(span, "limit", fmt.Sprintf("more than %d kinds of dice", maxDice), "roll some of them with `roll` and arithmetic")
		return s.bad(span)
	}
	return s.constant(diceType, s.c.internDice(notation), span)
}

// combinedDice types an operation on constant dice that rolls all of them at once and computes with the totals:
// `2d6 + 1d8`. It returns nil if there are no dice or something is not constant. format is the operation in dice
// notation, with a verb for each operand.
func (s *scope) combinedDice(span ast.Span, format string, operands ...*ir.Expr) *ir.Expr {
	var texts []any
	rolls := false
	for _, x := range operands {
		text, ok := s.diceText(x)
		if !ok {
			return nil
		}
		rolls = rolls || x.Type.Kind == ir.Dice
		texts = append(texts, text)
	}
	if !rolls {
		return nil
	}
	notation := fmt.Sprintf(format, texts...)
	if e, err := dice.Parse(notation); err == nil {
		notation = e.String() // without brackets that are not needed
	}
	return s.dice(notation, span)
}

// diceText returns a constant number or constant dice in dice notation, in parentheses where it has several parts.
func (s *scope) diceText(x *ir.Expr) (text string, ok bool) {
	if x.Type.OrNone {
		return "", false
	}
	switch {
	case x.Op == ir.OpConst && x.Type.Kind == ir.Number:
		return fmt.Sprintf("(%d)", x.Int), true
	case x.Op == ir.OpNeg:
		if text, ok = s.diceText(x.Args[0]); ok {
			return "(-" + text + ")", true
		}
	case x.Op == ir.OpConst && x.Type.Kind == ir.Dice:
		d := ir.UnpackDice(x.Int)
		if int(d.Expr) >= len(s.c.rs.DiceExprs) {
			return "", false
		}
		if text, ok = repeatedDice("("+s.c.rs.DiceExprs[d.Expr]+")", int64(d.Times)); ok && d.Flat != 0 {
			text = fmt.Sprintf("(%s+(%d))", text, d.Flat)
		}
		return text, ok
	case x.Op == ir.OpDiceAdd:
		a, ok1 := s.diceText(x.Args[0])
		b, ok2 := s.diceText(x.Args[1])
		return "(" + a + "+" + b + ")", ok1 && ok2
	case x.Op == ir.OpDiceMul:
		if text, ok = s.diceText(x.Args[0]); ok && x.Args[1].Op == ir.OpConst {
			return repeatedDice(text, x.Args[1].Int)
		}
	}
	return "", false
}

// repeatedDice is the notation of dice that are rolled several times, if that can be written.
func repeatedDice(text string, times int64) (string, bool) {
	switch {
	case times < 1 || times > dice.MaxLength/int64(len(text)):
		return "", false
	case times == 1:
		return text, true
	}
	return "{" + strings.Repeat(text+",", int(times)-1) + text + "}", true
}

// boundedDice types min and max of constant dice and numbers, of which the first is typed already; nil if they are
// something else.
func (s *scope) boundedDice(name string, n *ast.Call, first *ir.Expr) *ir.Expr {
	if k := first.Type.Kind; k != ir.Dice && k != ir.Number {
		return nil
	}
	rolls := first.Type.Kind == ir.Dice
	for _, a := range n.Args[1:] {
		_, isDice := unparen(a.Value).(*ast.Dice)
		rolls = rolls || isDice
	}
	if !rolls {
		return nil
	}
	operands, verbs := []*ir.Expr{first}, []string{"%s"}
	for _, a := range n.Args[1:] {
		operands, verbs = append(operands, s.expr(a.Value, nil)), append(verbs, "%s")
	}
	return s.combinedDice(n.Span, name+"("+strings.Join(verbs, ",")+")", operands...)
}

// diceHint says how dice are compared: after they are rolled; "" if nothing is dice.
func diceHint(n *ast.Binary, x, y ir.Type) string {
	side := func(t ir.Type) string {
		if t.Kind == ir.Dice {
			return "roll (DICE)"
		}
		return "NUMBER"
	}
	if x.Kind != ir.Dice && y.Kind != ir.Dice {
		return ""
	}
	return "compare what is rolled: `" + side(x) + " " + n.Op.Name + " " + side(y) + "`"
}
