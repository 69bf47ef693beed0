package parse

import (
	"fmt"
	"strings"

	"arbiter/lang/words"
)

// This file recognizes signs that other languages, and English, put where this one has none: before a condition, before
// a brace, at the end of a line; and dice as the rollers of other tools write them.

// slipOfStraySign is about a sign to remove. It comes before the hints that are given with an error, since with the sign
// gone the rest may be right.
func (p *parser) slipOfStraySign() string {
	if p.scan == nil {
		return ""
	}
	t := p.lex.Peek()
	i := min(max(p.spanOf(t).Start.Offset-p.scan.base, 0), len(p.scan.src))
	before, after := p.scan.src[:i], p.scan.src[i:]
	if m := signBefore.FindStringSubmatch(before); m != nil && continues(t) {
		if t.Value == "and" || t.Value == "or" {
			return fmt.Sprintf("no `%s` after `%s`: remove it", t.Value, m[1])
		}
		return p.withoutSign(m[1], t.Value)
	}
	if m := wordAfterSign.FindStringSubmatch(before); m != nil && continuation[m[1]] {
		return p.withoutSign(",", m[1])
	}
	if lineBefore := continuedLine.FindStringSubmatch(before); lineBefore != nil && p.fault.Code == codeExpectedEnd {
		return fmt.Sprintf("the line before ends in `%s`, so this one continues it: remove that", lineBefore[1])
	}
	if t.Value == "and" && p.fault.Code == codeExpectedEnd && listBefore.MatchString(before) {
		return "a list has commas in place of `and`"
	}
	if t.Type != tokPunct || !strings.Contains(",:.-(", t.Value) {
		return ""
	}
	rest := strings.TrimLeft(after[1:], " ")
	word := rest[:wordLen(rest)]
	switch {
	case p.firstToken.Value == "let" && t.Value == "," && secondName.MatchString(rest):
		return "bind each name by itself: `let " + word + " = ...` on a line of its own"
	case p.form == "member" && t.Value == "," && word != "":
		return "separate creatures by `;`, or write each on a line of its own"
	case strings.HasPrefix(rest, "{") && t.Value != "(" && t.Value != "-":
		return p.withoutSign(t.Value, "{")
	case strings.HasPrefix(p.fault.Message, "expected the name"):
		return ""
	case continuation[word], (t.Value == "," || t.Value == ".") && words.Label(word) && p.firstToken.Type != tokWord:
		return p.withoutSign(t.Value, word)
	}
	return ""
}

// withoutSign says that a sign is to be removed before a word.
func (p *parser) withoutSign(sign, word string) string {
	switch {
	case sign == "(":
		return fmt.Sprintf("`%s` takes no parentheses around it: remove them", word)
	case word == "if" && p.firstToken.Value != "else":
		return "a condition at the end of a clause is written `when COND`, without a `" + sign + "` before it"
	}
	return fmt.Sprintf("no `%s` before `%s`: remove it", sign, word)
}

// continues reports whether a token cannot begin a clause or a name, so that a sign before it is one too many.
func continues(t *token) bool {
	return t.Type == tokWord && (continuation[t.Value] || words.Label(t.Value))
}

// continuation are the words, beside the labels, that continue a clause.
var continuation = map[string]bool{
	"when": true, "unless": true, "where": true, "while": true, "until": true, "if": true, "cite": true, "dc": true, "vs": true, "opposed": true,
	"as": true, "and": true, "or": true, "before": true, "after": true, "instead": true, "follows": true, "extends": true, "sorted": true,
	"leaving": true, "quietly": true, "otherwise": true, "then": true,
}

var (
	// signBefore is a sign at the end of what was read so far.
	signBefore = newPattern(`([,:;]) *$`)
	// wordAfterSign is a word after a comma, at the end of what was read so far.
	wordAfterSign = newPattern(`, *([a-z]+) +$`)
	// listBefore is a clause with a list that has no condition yet.
	listBefore = newPattern(`(?:^|[\n{;])\s*(?:[+-][^\n;]*\bto |cannot |includes |[A-Za-z][A-Za-z0-9-]* (?:gains|loses) )[A-Za-z0-9, -]*$`)
	// continuedLine is a line that ends in a sign, and one word of the next.
	continuedLine = newPattern(`([.,]) *\n+ *[A-Za-z][A-Za-z0-9-]* +$`)
	// secondName is a name that gets a value.
	secondName = newPattern(`^[A-Za-z][A-Za-z0-9-]* *=`)
	// rollBefore is `roll` and a part of its dice, at the end of what was read so far.
	rollBefore = newPattern(`(?:^|[^A-Za-z0-9-])roll +([^\n;"]*)$`)
)

// slipOfDice is about dice as `arbiter roll` and other tools write them.
func (p *parser) slipOfDice(at mistake) string {
	m := rollBefore.FindStringSubmatch(at.before)
	if m == nil || p.level == 0 && !p.script {
		return ""
	}
	rest, _, _ := strings.Cut(at.after, "\n")
	notation := strings.TrimSpace(m[1] + rest)
	if strings.Contains(notation, ",") && !strings.ContainsAny(notation, "{(") {
		notation = "{" + notation + "}"
	}
	if at.t.Type == tokMalformed && strings.Contains(at.t.Value, ".") {
		return rolledInQuotes(notation)
	}
	switch at.t.Value {
	case "=", "<", ">", "<=", ">=", "!=":
		if at.atEnd && p.firstToken.Value == "roll" {
			return fmt.Sprintf("to compare a roll, give what it comes to a name: `let NAME = roll %s`", notation)
		}
	case ",", "{", "%", "/", "^", "!":
		return rolledInQuotes(notation)
	}
	return ""
}

func rolledInQuotes(notation string) string {
	return fmt.Sprintf("anything that `arbiter roll` takes is rolled in quotes: roll %q", notation)
}
