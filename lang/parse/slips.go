package parse

import (
	"cmp"
	"fmt"
	"strings"

	"arbiter/lang/words"
)

// This file recognizes what is written as in another language, or as in English, and says what this language has in its
// place.

// mistake is where a mistake was noticed.
type mistake struct {
	t             *token
	before, after string // the source up to it, and from it on
	atEnd         bool   // the end of a clause was expected
}

// slip returns what this language has in place of the syntax at the mistake, "" if that is not known.
func (p *parser) slip() string {
	if p.scan == nil { // the parser of a head's part
		return ""
	}
	t := p.lex.Peek()
	i := min(p.spanOf(t).Start.Offset-p.scan.base, len(p.scan.src))
	at := mistake{t, p.scan.src[:i], p.scan.src[i:], p.fault.Code == codeExpectedEnd}
	for _, known := range []func(mistake) string{p.slipOfDice, p.slipOfForeign, p.slipOfWriting, p.slipOfCommand, p.slipOfModifier, p.slipOfHead, p.slipOfStatement, p.slipOfSign, p.slipOfStory, p.slipOfActor, p.slipOfRule, p.slipOfRulebook} {
		if hint := known(at); hint != "" {
			return hint
		}
	}
	return ""
}

// slipOfWriting is about letter case, quotation marks and missing keywords.
func (p *parser) slipOfWriting(at mistake) string {
	switch {
	case p.fault.Code == codeExpected && strings.ToLower(at.t.Value) != at.t.Value && strings.Contains(p.fault.Message, "`"+strings.ToLower(at.t.Value)+"`"):
		return "keywords are lower case: `" + strings.ToLower(at.t.Value) + "`"
	case at.atEnd && at.t.Type != tokLine && strings.HasSuffix(at.before, `"`):
		return `write a quotation mark inside a text as \"`
	case p.inScene && p.looksLikeProse():
		return `text to be told is in quotes: "..."`
	case p.script && !p.inScene && p.level > 0 && at.atEnd && at.t.Value == "{" && p.form == "" && twoNames.MatchString(at.before):
		return "if this is a declaration, write it at the top level, outside of every block"
	case p.level == 0 && at.atEnd && at.t.Value == "{" && p.script && p.firstToken.Type == tokName && strings.HasSuffix(strings.TrimRight(at.before, " "), p.firstToken.Value):
		return "a keyword is missing: side " + p.firstToken.Value + " { ... }"
	}
	return ""
}

// slipOfCommand is about what is typed as in English: `Alia speed 40`, `move to 3 4`, `Alia lose prone`.
func (p *parser) slipOfCommand(at mistake) string {
	switch {
	case p.script && at.atEnd && p.firstToken.Value == "expect" && wordAlone.MatchString(at.after) && nameAtEnd.MatchString(at.before):
		who := nameAtEnd.FindStringSubmatch(at.before)[1]
		return fmt.Sprintf("did you mean `expect %s is %s`?", who, at.t.Value)
	case p.script && at.atEnd && p.firstToken.Value == "expect" && at.t.Type == tokName && !refusedBefore.MatchString(at.before):
		return "ask for what is so afterwards: `expect WHO is CONDITION`, `expect WHO.NUMBER < 5`"
	case p.form == "member" && at.t.Type == tokNumber:
		creature := "CREATURE"
		if p.firstToken.Type == tokName {
			creature = p.firstToken.Value
		}
		return fmt.Sprintf("each has a name of its own: `%s NAME; %s NAME`", creature, creature)
	case p.script && at.atEnd && expectWords[p.firstToken.Value]:
		return "did you mean `expect`?"
	case p.script && !p.inScene && setBefore.MatchString(at.before) && !verbAtEnd.MatchString(at.before) && (at.t.Value == "=" || numberAlone.MatchString(at.after)):
		m := setBefore.FindStringSubmatch(at.before)
		value, _, _ := strings.Cut(strings.TrimPrefix(at.after, "="), "\n")
		return fmt.Sprintf("did you mean `set %s.%s to %s`?", m[1], m[2], cmp.Or(strings.TrimSpace(value), "EXPR"))
	case p.script && p.firstToken.Value != "dice" && numberBefore.MatchString(at.before) && numberAfter.MatchString(at.after):
		x, y := numberBefore.FindStringSubmatch(at.before), numberAfter.FindStringSubmatch(at.after)
		return fmt.Sprintf("write a square as (%s, %s)", x[1], y[1])
	case p.script && !p.inScene && (at.t.Type == tokName || at.t.Type == tokNumber) && verbBefore.MatchString(at.before):
		m := verbBefore.FindStringSubmatch(at.before)
		what, _, _ := strings.Cut(at.after, "\n")
		return fmt.Sprintf("did you mean `%s %s %s`?", m[1], verbForms[m[2]], strings.TrimSpace(what))
	case p.script && at.t.Value == "=" && at.atEnd && p.firstToken.Type == tokName && wordLen(strings.TrimLeft(p.sourceAfter(&p.firstToken), " ")) > 0:
		name := strings.TrimLeft(p.sourceAfter(&p.firstToken), " ")
		name = name[:wordLen(name)]
		return fmt.Sprintf("`let %s = EXPR` binds a name, `keep %s = EXPR` remembers a value that changes", name, name)
	}
	return ""
}

// wordBeforeCondition is the end of a text that a condition follows.
var wordBeforeCondition = newPattern(`\b(when|unless|while|where|if|and|or|not|expect)\s+$`)

// slipOfSign is about equality and arithmetic.
func (p *parser) slipOfSign(at mistake) string {
	switch {
	case (at.t.Value == "is" || at.t.Value == "has") && strings.HasPrefix(p.fault.Message, "expected a value") && wordBeforeCondition.MatchString(at.before):
		what, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(at.after, at.t.Value)), " ")
		who := "self"
		if p.script {
			who = "WHO"
		}
		return "say who: `" + who + " " + at.t.Value + " " + cmp.Or(what[:wordLen(what)], "NAME") + "`"
	case at.t.Value == "=" && strings.HasSuffix(at.before, "="):
		return "write equality with a single `=`"
	case at.t.Value == "=" && at.atEnd && p.firstToken.Type == tokName && strings.HasSuffix(strings.TrimRight(at.before, " "), p.firstToken.Value):
		return fmt.Sprintf("`let %s = EXPR` binds a name, `set %s to EXPR` changes one", p.firstToken.Value, p.firstToken.Value)
	case p.firstToken.Value == "override" && at.t.Type != tokName && strings.HasSuffix(strings.TrimRight(at.before, " "), ":"):
		return "put the new value after `=`. " + capital(words.FormHint(words.Forms("override", words.Declaration)))
	case p.firstToken.Value == "bonus" && p.level > 0: // bonus types are declared at the top level
		return "a bonus to a stat starts with its sign. " + capital(words.FormHint(words.Forms("+", words.Clause)))
	case at.atEnd && (at.t.Value == "+" || at.t.Value == "-") && strings.HasPrefix(at.after[1:], "=") && p.firstToken.Type == tokName:
		return fmt.Sprintf("change a value with `set %s to %s %s ...`", p.firstToken.Value, p.firstToken.Value, at.t.Value)
	case at.atEnd && (at.t.Value == "+" || at.t.Value == "-") && p.script && p.firstToken.Type == tokName && strings.TrimSpace(at.before) == p.firstToken.Value:
		word := map[string]string{"+": "gains", "-": "loses"}[at.t.Value]
		return fmt.Sprintf("change a creature's amounts with `%s %s AMOUNT RESOURCE`", p.firstToken.Value, word)
	case at.atEnd && (at.t.Value == "*" || at.t.Value == "/" || at.t.Value == "+" || at.t.Value == "-") && changeBefore.MatchString(at.before):
		return "put a computed amount in parentheses: " + changeBefore.FindStringSubmatch(at.before)[1] + " (A " + at.t.Value + " B) RESOURCE"
	case at.atEnd && (at.t.Value == "*" || at.t.Value == "/" || at.t.Value == "+" || at.t.Value == "-" && !strings.HasPrefix(at.after, "->")):
		return "put a computed amount in parentheses: " + computedAmount(at)
	case at.t.Type == tokNumber && p.level > 0 && strings.HasPrefix(p.fault.Message, "expected a clause"):
		return "put a new value after `=`: override PATH = EXPR; an amount after its sign: +AMOUNT to STAT"
	}
	return ""
}

// slipOfStory is about scenes and choices.
func (p *parser) slipOfStory(at mistake) string {
	switch {
	case p.inScene && (at.t.Value == "-" && strings.HasPrefix(at.after, "->") || at.t.Value == ">" && strings.HasSuffix(at.before, "-")):
		if at.t.Value == ">" { // the arrow begins before it
			p.fault.Span.Start.Column, p.fault.Span.Start.Offset = p.fault.Span.Start.Column-1, p.fault.Span.Start.Offset-1
		}
		p.fault.Message = "`->` means nothing here"
		scene := "SCENE"
		if word := strings.TrimLeft(at.after[strings.IndexByte(at.after, '>')+1:], " "); wordLen(word) > 0 {
			scene = word[:wordLen(word)]
		}
		if p.form == "choice" {
			return "put what a choice leads to in braces: \"label\" { go to " + scene + " }"
		}
		return "go to another scene with `go to " + scene + "`"
	case at.t.Type == tokText && (strings.HasSuffix(at.before, "go to ") || strings.HasSuffix(at.before, "visit ")):
		return "name a scene without quotes: go to SCENE"
	case at.t.Type == tokText && p.firstToken.Value == "scene":
		return "put the name before the title. " + capital(words.FormHint(words.Forms("scene", words.Story)))
	case p.inScene && at.t.Value == "{" && aftermathWords[p.firstToken.Value] != "":
		return "write the result of a fight as `" + aftermathWords[p.firstToken.Value] + " { }`"
	case p.form == "choice" && strings.HasPrefix(p.fault.Message, "expected `of`") && priceBefore.MatchString(at.before):
		return "say what it is paid from: cost " + priceBefore.FindStringSubmatch(at.before)[1] + " of " + cmp.Or(at.after[:wordLen(at.after)], "PATH")
	case p.form == "choice" && at.t.Value == "once":
		return "put `once` before the label: once \"label\" { }"
	case p.inScene && at.atEnd && elseIfWords[at.t.Value]:
		return "write `else if COND { }`"
	case p.firstToken.Value == "finish" && at.t.Type == tokText && at.atEnd:
		return "put the condition after the last words: finish [ENDING] [\"last words\"] when COND"
	case p.inScene && at.t.Value == "else" && p.form == "choice":
		return "write the choice for when no other is available as `otherwise { }`"
	case p.form == "choice" && strings.HasPrefix(p.fault.Message, "expected the label"):
		return "a choice begins with its label: \"label\" { }, once \"label\" { }"
	case strings.HasSuffix(at.before, "seen ") || strings.HasSuffix(at.before, "visits "):
		return "put the scene in parentheses: seen(SCENE), visits(SCENE)"
	}
	return ""
}

// slipOfActor is about a command without the colon after its actor, and about amounts.
func (p *parser) slipOfActor(at mistake) string {
	if !p.script || p.inScene || p.firstToken.Type != tokName || len(words.Forms(formKey(p.firstToken.Value), words.Script)) > 0 {
		return ""
	}
	amount := at.t.Type == tokNumber
	if !amount && at.t.Type != tokName || !at.atEnd && !strings.HasPrefix(p.fault.Message, "expected `:`, ") {
		return ""
	}
	if m := argumentsBefore.FindStringSubmatch(at.before); m != nil {
		return slipOfArgument(at, m[1])
	}
	who, _, _ := strings.Cut(p.firstToken.Value, ".")
	if who == strings.ToLower(who) { // most likely a command without its actor
		if m := nameAtEnd.FindStringSubmatch(at.before); m != nil && amount {
			return fmt.Sprintf("change a creature's amounts with `%s gains %s RESOURCE`, `%s loses %s RESOURCE`", m[1], at.t.Value, m[1], at.t.Value)
		}
		return ""
	}
	what := "COMMAND"
	if m := actorBefore.FindStringSubmatch(at.before); m != nil && !amount {
		if what = m[1]; !strings.HasSuffix(what, "ss") { // commands have no ending: attack, not attacks
			what = strings.TrimSuffix(what, "s")
		}
		what += " " + at.t.Value
	}
	hint := "put the actor before a colon: `" + who + ": " + what + " ...`"
	if amount {
		hint += fmt.Sprintf("; change a creature's amounts with `WHO gains %s RESOURCE`, `WHO loses %s RESOURCE`", at.t.Value, at.t.Value)
	}
	return hint
}

// slipOfArgument is about the arguments of a command with an actor. before is the command up to the mistake.
func slipOfArgument(at mistake, before string) string {
	if name := strings.Fields(before); len(name) == 2 && name[1] == strings.ToLower(name[1]) && at.t.Value != strings.ToLower(at.t.Value) {
		return fmt.Sprintf("the words of a name are joined by hyphens: `%s-%s %s`", name[0], name[1], at.t.Value)
	}
	return "a further argument comes after one of these words: " + strings.Join(words.Labels(), ", ")
}

// slipOfRule is about triggers, loops, dice and conditions.
func (p *parser) slipOfRule(at mistake) string {
	switch {
	case (at.t.Value == "gains" || at.t.Value == "loses" || at.t.Value == "becomes") && p.firstToken.Value == "rule":
		trigger, effect := "on gaining", strings.TrimLeft(p.sourceAfter(at.t), " ")
		if at.t.Value == "loses" {
			trigger = "on losing"
		}
		if effect = effect[:wordLen(effect)]; effect == "" {
			effect = "EFFECT"
		}
		return fmt.Sprintf("write the trigger as: rule NAME %s %s { }", trigger, effect)
	case at.t.Value == "where" && p.firstToken.Value == "for" && strings.Contains(at.before[strings.LastIndexByte(at.before, '\n')+1:], "sorted by"):
		return "`where` comes before `sorted by`. " + capital(words.FormHint(words.Forms("for each", words.Statement)))
	case p.firstToken.Value == "for" && at.t.Type == tokName && strings.HasPrefix(p.fault.Message, "expected `{`") && nameBefore.MatchString(at.before):
		return "put the arguments of a function in parentheses: " + strings.TrimSpace(nameBefore.FindString(at.before)) + "(" + at.t.Value + " ...)"
	case at.atEnd && words.IsUnit(at.t.Value) && diceBefore.MatchString(at.before):
		die := strings.TrimSpace(diceBefore.FindString(at.before))
		return fmt.Sprintf("put a rolled duration in parentheses: (roll %s) %s", die, at.t.Value)
	case at.atEnd && p.firstToken.Value == "dice" && at.t.Type == tokNumber:
		return "separate the faces with commas: dice 12, 3"
	case at.atEnd && (p.firstToken.Value == "dice" || p.firstToken.Value == "answer") && labelBefore.MatchString(at.after):
		return "put a colon after the label: " + p.firstToken.Value + " WHO " + labelBefore.FindStringSubmatch(at.after)[1] + ": ..."
	case at.atEnd && p.firstToken.Value == "expect" && at.t.Value == ",":
		return "join conditions by `and`, or write another `expect`"
	case p.firstToken.Value == "expect" && refusedBefore.MatchString(at.before):
		command, _, _ := strings.Cut(at.after, "\n")
		return "put the command in braces: expect refused { " + cmp.Or(strings.TrimSpace(command), "COMMAND") + " }"
	case at.atEnd && at.t.Value == "per" && strings.HasSuffix(at.before, "once ") && p.level > 0:
		return "`once per` belongs in the head of a rule; for an action, use a resource as its cost: resource NAME from 0 to 1 starts 1"
	case at.t.Value == "if" && at.atEnd:
		return "a condition at the end of a clause is written `when COND`"
	case at.atEnd:
		return operators[at.t.Value]
	}
	return ""
}

// looksLikeProse reports whether the current clause reads like a sentence without quotes: words, and after the last one
// either the end of a sentence or the closing quotation mark.
func (p *parser) looksLikeProse() bool {
	if p.firstToken.Type != tokName && p.firstToken.Type != tokWord {
		return false
	}
	line, _, _ := strings.Cut(p.sourceAfter(&p.firstToken), "\n")
	line = strings.TrimSpace(line)
	after := strings.TrimLeft(p.sourceAfter(&p.firstToken), ",.")
	return strings.HasPrefix(after, " ") && strings.Contains(line, " ") && line != "" && strings.ContainsRune(".!?\"", rune(line[len(line)-1])) && strings.Count(line, `"`) < 2
}

// operators are words easily taken for operators, with what the language has instead.
var operators = map[string]string{
	"lacks":    "to ask whether an effect is missing, write `X has not NAME` or `X is not NAME`",
	"equals":   "write equality with `=`",
	"contains": "to ask whether a list contains something, write `X in LIST`",
	"plus":     "the sign is +",
	"minus":    "the sign is -",
	"times":    "the sign of multiplication is *",
}

// changeBefore is the beginning of a sentence that changes an amount.
var changeBefore = newPattern(`\b(gains|loses) [^\n{};]*$`)

// numberAlone is a number, perhaps with a unit, and nothing else in its line.
var numberAlone = newPattern(`^[0-9]+(?: (?:ft|lb|rounds?|minutes?|hours?|days?))? *(?:\n|$)`)

// priceBefore is what a choice costs, at the end of what was read so far.
var priceBefore = newPattern(`\bcost (?:[^"\n]*, )?([^",\n]*[^", \n]) *$`)

// setBefore is a line that names a creature and a part of it, before the new value.
var setBefore = newPattern(`(?:^|\n)\s*(?:set )?([A-Z][A-Za-z0-9-]*)[ .]([a-z][a-z0-9-]*) $`)

// twoNames is a line of two names, such as a kind and the name of a template.
var twoNames = newPattern(`(?:^|\n|\{)\s*[a-z][a-z0-9-]* [A-Za-z][A-Za-z0-9-]* $`)

// wordAlone is the last word of a clause.
var wordAlone = newPattern(`^[a-z][a-z0-9-]*\s*([;}\n]|$)`)

// argumentsBefore is a line with an actor, a colon and the beginning of a command.
var argumentsBefore = newPattern(`(?:^|\n)\s*[A-Za-z][A-Za-z0-9-]*:\s+([^\n]*)$`)

// actorBefore is a line with a creature and what may be its action.
var actorBefore = newPattern(`(?:^|\n)\s*[A-Z][A-Za-z0-9-]* ([a-z][a-z0-9-]*) $`)

// verbAtEnd is a verb that does not name a part of a creature.
var verbAtEnd = newPattern(` (?:takes|suffers|deals|heals|hits|rolls|has|gets|get|gain|lose) $`)

// nameAtEnd is what may be a creature at the end of what was read so far.
var nameAtEnd = newPattern(`\b([A-Z][A-Za-z0-9-]*) $`)

// verbBefore is a line with a creature and the base form of a verb, which verbs maps to what the language has.
var verbBefore = newPattern(`(?:^|\n)\s*([A-Z][A-Za-z0-9-]*) (gain|get|gets|lose|become) $`)

var verbForms = map[string]string{"gain": "gains", "get": "gains", "gets": "gains", "lose": "loses", "become": "becomes"}

// numberBefore and numberAfter are two numbers around the error.
var (
	numberBefore = newPattern(`\b([0-9]+) *$`)
	numberAfter  = newPattern(`^,? *([0-9]+)\b`)
)

// nameBefore is a name at the end of what was read so far.
var nameBefore = newPattern(`\b[a-z][a-z0-9-]* $`)

// labelBefore is the label of a roll, and anything but a colon after it.
var labelBefore = newPattern(`^([a-z][a-z0-9-]*\.[a-z0-9.-]*[a-z0-9]) *[^: ]`)

// refusedBefore is the beginning of an expected refusal.
var refusedBefore = newPattern(`\bexpect refused (?:"[^"\n]*" )?$`)

// expectWords are words of other languages for `expect`.
var expectWords = map[string]bool{"assert": true, "ensure": true, "require": true, "should": true, "verify": true}

// diceBefore is an amount in dice at the end of what was read so far.
var diceBefore = newPattern(`\b[0-9]*d[0-9]+ $`)

// elseIfWords are what other languages write for `else if`.
var elseIfWords = map[string]bool{"elseif": true, "elif": true, "elsif": true}

// aftermathWords maps words for the end of a fight to the word that is meant.
var aftermathWords = map[string]string{"win": "won", "victory": "won", "lose": "lost", "loss": "lost", "defeat": "lost", "else": "otherwise"}
