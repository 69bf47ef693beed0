package session

import (
	"arbiter/interp/build"
	"arbiter/interp/check"
	"arbiter/interp/ir"
	"arbiter/lang/parse"
)

// Oracle answers questions about the definitions of a ruleset, where nobody fights: what a field of a thing says, what
// a table has, whether something exists.
type Oracle struct {
	p       *player
	answers map[string]answered
}

type answered struct {
	text string
	ok   bool
}

// maxAnswers limits how many answers an Oracle remembers.
const maxAnswers = 20_000

// NewOracle returns an Oracle for the rules of a script.
func NewOracle(s *build.Script) *Oracle {
	return &Oracle{p: newPlayer(s, Options{}), answers: map[string]answered{}}
}

// Ask returns the value of an expression, as text. ok is false if the expression is no expression, speaks of what does
// not exist, or fails.
func (o *Oracle) Ask(expr string) (text string, ok bool) {
	if a, known := o.answers[expr]; known {
		return a.text, a.ok
	}
	var a answered
	if e, diags := parse.Expression(Question, expr); len(diags) == 0 {
		a.text, a.ok = o.p.tryFormat(e)
	}
	if len(o.answers) < maxAnswers {
		o.answers[expr] = a
	}
	return a.text, a.ok
}

// KindOf returns the word with which a name is declared, such as the kind of a thing; "" if nothing has that name.
func (o *Oracle) KindOf(name string) string { return kindOf(o.p.checked, name) }

// ChainOf lists the templates that a thing is made of, from its own to the most general; nil if there is no such thing.
func (o *Oracle) ChainOf(name string) []string {
	t, _ := o.p.checked.Lookup(name).(*ir.Template)
	return chainOf(t)
}

// FromOf returns the ruleset that declares a thing; "" if there is no such thing.
func (o *Oracle) FromOf(name string) string {
	if t, ok := o.p.checked.Lookup(name).(*ir.Template); ok && t.Part != nil {
		return t.Part.From
	}
	return ""
}

func kindOf(k *check.Checked, name string) string {
	switch x := k.Lookup(name).(type) {
	case nil:
		return ""
	case *ir.Template:
		return x.Kind.Name
	case *ir.Effect:
		return x.Word
	case *ir.Stat:
		return "stat"
	case *ir.BonusType:
		return "bonus"
	case *ir.Table:
		return "table"
	}
	return "other"
}
