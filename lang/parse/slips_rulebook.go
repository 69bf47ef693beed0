package parse

import (
	"cmp"
	"fmt"
	"strings"
)

// This file recognizes what is written as a printed rulebook would say it.

// slipOfRulebook is about durations, requirements, costs, difficulties and chances in the words of rulebooks.
func (p *parser) slipOfRulebook(at mistake) string {
	first := p.firstToken.Value
	switch {
	case p.form == "legend" && at.t.Type == tokText && strings.HasSuffix(strings.TrimRight(at.before, " "), ","):
		return "separate the marks by `;` or lines: { \"#\": NAME; \"T\": NAME }"
	case p.form == "choice" && requirementWords[at.t.Value]:
		cond, _, _ := strings.Cut(strings.TrimPrefix(at.after, at.t.Value), "{")
		return "a condition of a choice follows `when`: \"label\" when " + cmp.Or(strings.TrimSpace(cond), "COND") + " { ... }"
	case giftWords[first] && giftBefore.MatchString(at.before):
		what, _, _ := strings.Cut(at.after, "\n")
		return fmt.Sprintf("write `%s gains %s`", giftBefore.FindStringSubmatch(at.before)[1], strings.TrimSpace(what))
	case changeVerbs[first] != "" && changedBefore.MatchString(at.before) && (at.t.Type == tokDice || at.t.Type == tokNumber):
		return changeHint(changedBefore.FindStringSubmatch(at.before)[1], changeVerbs[first], at.t.Value)
	case first == "set" && strings.HasPrefix(p.fault.Message, "expected `to`") && assignment.MatchString(at.after) && pathBefore.MatchString(at.before):
		path, m := pathBefore.FindStringSubmatch(at.before)[1], assignment.FindStringSubmatch(at.after)
		if m[1] != "" {
			return fmt.Sprintf("write `set %s to %s %s %s`", path, path, m[1], m[2])
		}
		return fmt.Sprintf("write `set %s to %s`", path, m[2])
	case p.level > 0 && clauseOfRulebook(first) != "":
		return clauseOfRulebook(first)
	case p.level > 0 && p.fault.Code == codeExpectedEnd && first == "cost" && at.t.Type == tokName && nameBefore.MatchString(at.before):
		return "join the words of a name by hyphens: " + strings.TrimSpace(nameBefore.FindString(at.before)) + "-" + at.t.Value
	case strings.HasSuffix(at.before, " vs dc "):
		return "`vs` is for a stat of somebody, `dc` for a number: check BONUS dc " + at.t.Value
	case chanceAhead.MatchString(at.after):
		return "write `chance " + chanceAhead.FindStringSubmatch(at.after)[1] + " { success { ... } }`"
	case at.t.Value == "then" && first == "if":
		return "put what happens in braces, without `then`: if COND { ... }"
	case p.level > 0 && !p.script && changeWords[at.t.Value] != "" && amountOfChange.MatchString(at.after):
		much, verb := amountOfChange.FindStringSubmatch(at.after)[1], changeWords[at.t.Value]
		return changeHint(first, verb, much)
	case p.level > 0 && !p.script && takesBefore.MatchString(at.before) && (at.t.Type == tokDice || at.t.Type == tokNumber):
		return changeHint(first, changeWords[takesBefore.FindStringSubmatch(at.before)[1]], at.t.Value)
	}
	return ""
}

// changeHint says how somebody gains or loses an amount.
func changeHint(who, verb, much string) string {
	return fmt.Sprintf("write `%s %s %s RESOURCE` for an amount, or a command: `%s: COMMAND of %s`", who, verb, much, who, much)
}

// clauseOfRulebook returns what the language has for the first word of a clause of a rulebook, "" for any other word.
func clauseOfRulebook(word string) string {
	switch {
	case durationWords[word]:
		return "an effect ends by itself: `lasts for 3 rounds`, `lasts until end of turn`, `lasts while COND`"
	case requirementWords[word]:
		return "an action states what it needs with `needs COND \"why not\"`; the modifiers of an effect have a `when COND` of their own"
	}
	return ""
}

var (
	durationWords    = map[string]bool{"ends": true, "expires": true, "duration": true, "lasting": true}
	requirementWords = map[string]bool{"requires": true, "require": true, "requirement": true, "requirements": true, "prerequisite": true, "prerequisites": true}
	giftWords        = map[string]bool{"give": true, "gives": true, "grant": true, "award": true}
	changeWords      = map[string]string{"takes": "loses", "suffers": "loses", "heals": "gains", "regains": "gains"}
	changeVerbs      = map[string]string{"heal": "gains", "damage": "loses", "wound": "loses"}
	versusWords      = map[string]bool{"vs": true, "versus": true}
)

var (
	// chanceAhead is a chance in percent before its word.
	chanceAhead = newPattern(`^([0-9]+%) +chance\b`)
	// amountBefore is an amount with its sign and the stat that it changes, at the end of what was read so far.
	amountBefore = newPattern(`([+-] ?[a-z0-9-]+) ([a-z][a-z0-9-]*) *$`)
	// giftBefore is who is given something, at the end of what was read so far.
	giftBefore = newPattern(`\b(?:give|gives|grant|award) ([A-Za-z][A-Za-z0-9-]*) $`)
	// pathBefore is what is set, at the end of what was read so far.
	pathBefore = newPattern(`\bset ([A-Za-z][A-Za-z0-9.-]*) *$`)
	// assignment is the rest of an assignment in other languages.
	assignment = newPattern(`^([-+*/]?)= *([^\n;{}]*[^\n;{} ])`)
	// takesBefore is a word for what somebody takes or regains, before the amount.
	takesBefore = newPattern(`\b(takes|suffers|heals|regains) $`)
	// changedBefore is a verb for what is done to somebody, with who it is done to, before the amount.
	changedBefore = newPattern(`\b(?:heal|damage|wound) ([A-Za-z][A-Za-z0-9-]*)(?: (?:by|for))? $`)
	// amountOfChange is how much somebody takes or regains.
	amountOfChange = newPattern(`^[a-z]+ ([0-9]+d?[0-9]*)\b`)
)
