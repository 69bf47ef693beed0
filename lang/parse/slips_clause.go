package parse

import (
	"fmt"
	"strings"

	"arbiter/lang/words"
)

// This file recognizes clauses that authors write in a form that looks natural, but belongs elsewhere.

// slipOfModifier is about what stands around the amount and the stat of a modifier.
func (p *parser) slipOfModifier(at mistake) string {
	first := p.firstToken.Value
	if first != "+" && first != "-" {
		return ""
	}
	switch {
	case at.atEnd && at.t.Value == "for":
		return "a modifier holds as long as its effect: give that a duration, `lasts for 3 rounds`"
	case versusWords[at.t.Value] || (at.atEnd || at.t.Value != "self" && strings.HasSuffix(at.before, "against ")) && beginsSituation(at):
		return "what a modifier depends on is written `when COND`; the parts of the stat's situation are names there"
	case !strings.HasPrefix(p.fault.Message, "expected `to`"):
		return ""
	case strings.ContainsAny(at.t.Value, "+-*/") && at.t.Type == tokPunct:
		return "put a computed amount in parentheses: " + first + "(A " + at.t.Value + " B) to STAT"
	case amountBefore.MatchString(at.before):
		m := amountBefore.FindStringSubmatch(at.before)
		if next := typeOfBonus.FindStringSubmatch(at.after); next != nil {
			if next[1] == "bonus" || next[1] == "penalty" {
				return fmt.Sprintf("the sign says so: `%s %s to STAT`", m[1], m[2])
			}
			return fmt.Sprintf("the type of a bonus is one name: `%s %s to STAT`, `%s %s-%s to STAT`", m[1], m[2], m[1], m[2], next[1])
		}
		return fmt.Sprintf("say what it changes: `%s to %s`, or `%s %s to STAT` if %s is the type of the bonus", m[1], m[2], m[1], m[2], m[2])
	}
	return ""
}

// beginsSituation reports whether what follows the stat of a modifier is a label, as if the stat were read, or stands
// for the only one that a modifier may have.
func beginsSituation(at mistake) bool {
	return words.Label(at.t.Value) || strings.HasSuffix(at.before, "against ")
}

// slipOfHead is about the heads of declarations.
func (p *parser) slipOfHead(at mistake) string {
	first := p.firstToken.Value
	switch {
	case at.t.Type == tokName && effectWords[first] && strings.HasSuffix(at.before, " extends "):
		return "effects do not extend each other: `includes " + at.t.Value + "` in its body gives that one as well"
	case first == "override" && strings.HasPrefix(p.fault.Message, "expected `highest`") && bonusBefore.MatchString(at.before) && wordLen(at.after) > 0 && !digit(at.after[0]):
		return "a bonus type has one of three laws: `highest`, `stacks`, `stacks by source`"
	case first == "override" && lawBefore.MatchString(at.before):
		m := lawBefore.FindStringSubmatch(at.before)
		return fmt.Sprintf("how a bonus type stacks is written after a colon: override %s: %s", m[1], m[2])
	case at.t.Value == ":" && strings.HasPrefix(p.fault.Message, "expected the name of a parameter"):
		if label := nameAtLast.FindString(strings.TrimRight(at.before, " ")); label != "" {
			return "the name of a parameter follows its label: " + label + " NAME: TYPE"
		}
	}
	return ""
}

// inTails are the words that may follow what a clause says.
var inTails = []string{"when", "unless", "while", "until", "once", "cite"}

// slipOfStatement is about assignments, loops and texts.
func (p *parser) slipOfStatement(at mistake) string {
	first := p.firstToken.Value
	switch {
	case at.atEnd && at.t.Value == "if" && elseAhead.MatchString(at.after):
		return "choose between two values by `if COND then EXPR else EXPR`"
	case p.level > 0 && pathAtEnd.MatchString(at.before) && assignment.MatchString(at.after):
		path, m := pathAtEnd.FindStringSubmatch(at.before)[1], assignment.FindStringSubmatch(at.after)
		if m[1] != "" {
			return fmt.Sprintf("change a value with `set %s to %s %s %s`", path, path, m[1], m[2])
		}
		return fmt.Sprintf("change a value with `set %s to %s`", path, m[2])
	case declaringWords[first] && at.t.Value == "=":
		return "`let NAME = EXPR` binds a name"
	case (first == "note" || first == "cancel") && at.atEnd && strings.HasSuffix(strings.TrimRight(at.before, " "), `"`):
		return "a text shows values in braces: note \"... {EXPR} ...\""
	case at.t.Value == ":" && (first == "if" || first == "for" || first == "repeat"):
		return "put what happens in braces: { STATEMENTS }"
	case p.level > 0 && at.t.Value == "while" && whileAhead.MatchString(at.after):
		return "there is no loop of this kind: write `repeat N times { }` or `for each NAME in LIST { }`, with an `if` inside"
	case first == "for" && strings.HasPrefix(p.fault.Message, "expected `{`") && loopBefore.MatchString(at.before) && at.t.Value != "where" && (at.t.Type == tokWord || at.t.Value == "="):
		m := loopBefore.FindStringSubmatch(at.before)
		cond, _, _ := strings.Cut(at.after, " {")
		return fmt.Sprintf("what they are chosen by follows `where`: for each %s in %s where %s %s", m[1], m[2], m[1], cond)
	case first == "cost" && strings.HasPrefix(p.fault.Message, "expected `or`"):
		return "costs that are paid together are joined by `and`, alternatives by `, or`"
	case p.level > 0 && strings.HasPrefix(p.fault.Message, "expected `:`, `gains`") && words.Nearest(at.t.Value, verbs) != "":
		return "did you mean `" + words.Nearest(at.t.Value, verbs) + "`?"
	case at.atEnd && at.t.Type == tokName && words.Nearest(at.t.Value, inTails) != "":
		return "did you mean `" + words.Nearest(at.t.Value, inTails) + "`?"
	case at.atEnd && at.t.Type == tokName && asksConditions[first] && operators[at.t.Value] == "" && relationAhead.MatchString(at.after) && nameBefore.MatchString(at.before):
		who, m := strings.TrimSpace(nameBefore.FindString(at.before)), relationAhead.FindStringSubmatch(at.after)
		if words.Reserved(m[2]) {
			return fmt.Sprintf("the words of a name are joined by hyphens: `%s-%s`", who, m[1])
		}
		return fmt.Sprintf("what is asked of two is written `%s.%s(%s)`, or `%s(%s, %s)` if it is a function", who, m[1], m[2], m[1], who, m[2])
	case at.t.Value == "/" && strings.HasSuffix(at.before, "/") && p.fault.Code == codeExpected:
		return "`/` rounds down already; a comment starts with #"
	}
	return ""
}

// computedAmount says how a sum is written where only an amount may be: after the label before it, if there is one.
func computedAmount(at mistake) string {
	in := "(A " + at.t.Value + " B)"
	fields := strings.Fields(at.before[strings.LastIndexAny(at.before, "\n;{}")+1:])
	for i := len(fields) - 1; i > 0; i-- {
		if words.Label(fields[i]) {
			return fields[i] + " " + in
		}
	}
	return in
}

// effectWords begin declarations of effects.
var effectWords = map[string]bool{"condition": true, "feat": true, "trait": true, "effect": true, "everyone": true}

// declaringWords begin declarations of variables in other languages.
var declaringWords = map[string]bool{"var": true, "const": true, "int": true, "local": true, "number": true, "my": true}

// asksConditions begin clauses that consist of an expression, or end in a condition.
var asksConditions = map[string]bool{
	"override": true, "define": true, "stat": true, "needs": true, "if": true, "condition": true, "feat": true, "trait": true, "effect": true,
	"rule": true, "reaction": true, "for": true, "let": true, "set": true, "+": true, "-": true, "expect": true, "cannot": true,
}

var (
	// relationAhead is a verb and an object.
	relationAhead = newPattern(`^([a-z][a-z0-9-]*) ([A-Za-z][A-Za-z0-9-]*)\b`)
	// typeOfBonus is one more name before the `to` of a modifier.
	typeOfBonus = newPattern(`^([a-z][a-z0-9-]*) +to\b`)
	// bonusBefore is an override of what may be a bonus type: of a name without a dot.
	bonusBefore = newPattern(`\boverride [a-z][a-z0-9-]*: *$`)
	// lawBefore is an override of a bonus type as if it were a value.
	lawBefore = newPattern(`\boverride ([a-z][a-z0-9-]*) *= *(highest|stacks)\s*$`)
	// nameAtLast is a name at the end.
	nameAtLast = newPattern(`[a-z][a-z0-9-]*$`)
	// elseAhead is a choice between two values in the order of other languages.
	elseAhead = newPattern(`^if [^\n{}]* else `)
	// whileAhead is a loop of other languages.
	whileAhead = newPattern(`^while [^\n{}]*\{`)
	// pathAtEnd is a path with a dot, and nothing else in its clause.
	pathAtEnd = newPattern(`(?:^|[\n;{])\s*([A-Za-z][A-Za-z0-9-]*(?:\.[a-z][a-z0-9-]*)+) *$`)
	// loopBefore is the head of a loop without a condition.
	loopBefore = newPattern(`\bfor each ([a-z][a-z0-9-]*) in ([^\n{}]*[^\n{} ]) *$`)
)
