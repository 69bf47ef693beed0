package lint

import (
	"fmt"
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/stdlib/dice"
)

// This file has the rules about numbers, dice and units.

const codeRepeatedNumber, codeRepeatedCondition = "repeated-number", "repeated-condition"

var numberRules = []*Rule{
	{Code: "early-rounding", Severity: diag.Warning, check: earlyRounding,
		Summary: "A quotient is multiplied.",
		Why:     "Division rounds down: `level / 2 * 3` of 5 is 6, and `level * 3 / 2` is 7. (To divide by a quantity, as in `height / 10 ft * 2`, counts whole ones, and is not meant.)",
		How:     "Multiply first. If the book rounds first, put the quotient into parentheses: `(level / 2) * 3`."},
	{Code: "division-by-zero", Severity: diag.Error, check: divisionByZero,
		Summary: "A division by 0.",
		Why:     "It fails whenever it is computed.",
		How:     "Correct the divisor."},
	{Code: "sure-chance", Severity: diag.Warning, check: sureChance,
		Summary: "A chance of 0% or of 100% and more.",
		Why:     "Nothing is rolled: it always fails, or cannot fail.",
		How:     "Correct the number, or write the statements alone."},
	{Code: "sure-roll", Severity: diag.Warning, check: sureRoll,
		Summary: "A roll is compared with a number that all its faces reach, or none.",
		Why:     "The roll decides nothing: `roll d6 >= 1` cannot fail.",
		How:     "Correct the dice or the number."},
	{Code: "impossible-face", Severity: diag.Warning, check: impossibleFace,
		Summary: "An arm of a roll is for a sum that its dice cannot show.",
		Why:     "The arm never runs.",
		How:     "Correct the number or the dice."},
	{Code: "unit-form", Severity: diag.Warning, check: unitForm, Fixes: true,
		Summary: "A unit has the wrong number, or is written out where rulebooks abbreviate it.",
		Why:     "`1 rounds` and `5 feet` are understood, and stand beside `1 round` and `5 ft` in the same book.",
		How:     "Write the singular after 1, the plural after everything else, and `ft`."},
	{Code: codeRepeatedNumber, check: repeatedNumber,
		Summary: "The same unusual number stands in four or more places of a file of rules (or in as many as the settings say).",
		Why:     "A house rule that changes it has to change all of them, and will miss one.",
		How:     "Declare an option, a define or a table."},
	{Code: codeRepeatedCondition, check: repeatedCondition,
		Summary: "The same condition of three parts or more stands in three or more places of a file of rules (or in as many as the settings say).",
		Why:     "It is one idea, which has no name, and no house rule can change it in one place.",
		How:     "Declare a define."},
}

func earlyRounding(p *pass) {
	for _, n := range each[ast.Binary](p.file) {
		q, ok := n.X.(*ast.Binary)
		if !ok || n.Op.Name != "*" || q.Op.Name != "/" {
			continue
		}
		// How many tens of feet there are is a whole number, and down to a multiple of ten is meant to be rounded.
		k, ok := bare(q.Y).(*ast.Number)
		if by, quantity := bare(n.Y).(*ast.Number); quantity && by.Unit.Name != "" {
			continue // so many squares of 5 ft
		}
		if ok && k.Unit.Name == "" && p.source(bare(q.Y)) != p.source(bare(n.Y)) {
			p.report(n.Span, "the quotient is rounded down before it is multiplied", "multiply first, or put the quotient into parentheses if it is meant")
		}
	}
}

func divisionByZero(p *pass) {
	for _, n := range each[ast.Binary](p.file) {
		if k, ok := bare(n.Y).(*ast.Number); ok && n.Op.Name == "/" && k.Value == 0 {
			p.report(n.Span, "this fails whenever it is computed", "correct the divisor")
		}
	}
}

func sureChance(p *pass) {
	for _, n := range each[ast.Branch](p.file) {
		if k, ok := bare(n.Subject).(*ast.Number); ok && n.Word.Name == "chance" && (k.Value <= 0 || k.Value >= 100) {
			p.report(n.Subject.Extent(), "nothing is rolled for this chance", "correct the number, or write the statements alone")
		}
	}
}

// diceOf returns the dice of an expression, nil if they are computed.
func diceOf(x ast.Expr) *dice.Expr {
	if r, ok := bare(x).(*ast.RollExpr); ok {
		x = r.Dice
	}
	d, ok := bare(x).(*ast.Dice)
	if !ok {
		return nil
	}
	e, err := dice.Parse(d.Notation)
	if err != nil || e.Min() > e.Max() {
		return nil
	}
	return e
}

func sureRoll(p *pass) {
	for _, n := range each[ast.Binary](p.file) {
		if mirrored[n.Op.Name] == "" {
			continue
		}
		roll, ok := bare(n.X).(*ast.RollExpr)
		k, also := bare(n.Y).(*ast.Number)
		if !ok || !also {
			continue
		}
		e := diceOf(roll)
		if e == nil {
			continue
		}
		low, high := e.Min(), e.Max()
		among := low <= k.Value && k.Value <= high
		switch atLow, atHigh := holds(low, n.Op.Name, k.Value), holds(high, n.Op.Name, k.Value); {
		case (n.Op.Name == "=" || n.Op.Name == "!=") && among:
		case atLow && atHigh:
			p.report(n.Span, fmt.Sprintf("this cannot fail: the dice show %d to %d", low, high), "correct the dice or the number")
		case !atLow && !atHigh:
			p.report(n.Span, fmt.Sprintf("this cannot hold: the dice show %d to %d", low, high), "correct the dice or the number")
		}
	}
}

func impossibleFace(p *pass) {
	for _, n := range each[ast.Branch](p.file) {
		e := diceOf(n.Subject)
		if n.Word.Name != "roll" || e == nil {
			continue
		}
		for i := range n.Arms {
			for _, c := range n.Arms[i].Values {
				from, ok := c.From.(*ast.Number)
				to, also := c.To.(*ast.Number)
				if ok && (from.Value > e.Max() && c.Open != "less" || from.Value < e.Min() && c.Open != "more" && (!also || to.Value < e.Min())) {
					p.report(c.Span, fmt.Sprintf("the dice show %d to %d", e.Min(), e.Max()), "correct the number or the dice")
				}
			}
		}
	}
}

// unitForms are the forms of a unit after 1, and after other numbers.
var unitForms = map[string][2]string{}

func init() {
	for _, pair := range [][2]string{{"square", "squares"}, {"mile", "miles"}, {"second", "seconds"}, {"round", "rounds"}, {"minute", "minutes"},
		{"hour", "hours"}, {"day", "days"}, {"week", "weeks"}, {"credit", "credits"}} {
		unitForms[pair[0]], unitForms[pair[1]] = pair, pair
	}
	unitForms["foot"], unitForms["feet"] = [2]string{"ft", "ft"}, [2]string{"ft", "ft"}
}

func unitForm(p *pass) {
	for _, n := range each[ast.Number](p.file) {
		pair, ok := unitForms[n.Unit.Name]
		if !ok {
			continue
		}
		want := pair[1]
		if n.Value == 1 || n.Value == -1 {
			want = pair[0]
		}
		if want != n.Unit.Name {
			p.report(n.Unit.Span, fmt.Sprintf("%d %s is usually written %d %s", n.Value, n.Unit.Name, n.Value, want), "write "+want, Edit{n.Unit.Span, want})
		}
	}
}

func repeatedNumber(p *pass) {
	if p.isScript() {
		return
	}
	seen := map[string][]*ast.Number{}
	for i, n := range each[ast.Number](p.file) {
		if _, cell := p.parent(i).(*ast.Cell); cell || n.Value < 13 || n.Value%10 == 0 {
			continue
		}
		if prop, _ := around[ast.Template](p.file, i); prop != nil {
			continue // its own figures
		}
		seen[p.source(n)] = append(seen[p.source(n)], n)
	}
	for text, list := range seen {
		if len(list) >= p.number() {
			f := p.report(list[0].Span, fmt.Sprintf("%s stands in %d places of this file", text, len(list)), "declare an option, a define or a table")
			for _, n := range list[1:min(len(list), 4)] {
				f.relate(n.Span, "here again")
			}
		}
	}
}

func repeatedCondition(p *pass) {
	if p.isScript() {
		return
	}
	seen := map[string][]ast.Expr{}
	p.conditions(func(x ast.Expr) {
		text := p.source(bare(x))
		if strings.Count(text, " and ")+strings.Count(text, " or ") >= 2 {
			seen[text] = append(seen[text], x)
		}
	})
	for _, list := range seen {
		if len(list) >= p.number() {
			f := p.report(list[0].Extent(), fmt.Sprintf("this condition stands in %d places of this file", len(list)), "declare a define")
			for _, x := range list[1:min(len(list), 4)] {
				f.relate(x.Extent(), "here again")
			}
		}
	}
}
