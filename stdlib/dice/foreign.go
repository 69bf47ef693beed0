package dice

import (
	"regexp"

	"arbiter/stdlib/pattern"
)

// This file recognizes notations of other tools and suggests the equivalent here.

// otherForms are forms of other notations, recognized in a text that cannot be parsed; the first match counts.
var otherForms = []struct {
	form func() *regexp.Regexp
	hint string
}{
	{pattern.New(`(?i)^\s*([/!]\s*(r|roll|gmr|gmroll)\b|\[\[)`), "write just the dice: 1d20+5"},
	{pattern.New(`(?i)[0-9%]\s*(with\s+)?dis(adv(antage)?)?\b`), "disadvantage is 2d20kl1"},
	{pattern.New(`(?i)[0-9%]\s*(with\s+)?adv(antage)?\b`), "advantage is 2d20kh1"},
	{pattern.New(`(?i)^\s*[0-9]+\s*[x#]\s*[({]?\s*[0-9]*d[0-9%f]`), "put several rolls in braces: {4d6kh3, 4d6kh3}"},
	{pattern.New(`(?i)d[0-9].*\bx\s*[0-9]+\s*$`), "put several rolls in braces: {4d6kh3, 4d6kh3}"},
	{pattern.New(`(?i)d[0-9]+\s*x\s*[0-9]`), "multiply with *; explode with !"},
	{pattern.New(`(?i)[0-9]\s*(vs\.?|versus|against|dc)\s*[0-9]`), "compare with >=: 1d20+5 >= 15"},
	{pattern.New(`(^|[^0-9a-zA-Z])\.[0-9]`), "a decimal number has digits before and after the point: 0.5"},
	{pattern.New(`=[<>]`), "the comparisons are = <> < > <= >="},
	{pattern.New(`\*\*|\bmod\b`), "the operators are + - * / // %"},
	{pattern.New(`(?i)df\.[0-9]`), "dF shows -1, 0 or +1, each as often as the others"},
	{pattern.New(`(?i)d[0-9]+\s*t[0-9]`), "count successes with a comparison: 8d10>=8"},
	{pattern.New(`[@$]`), "write the value from the sheet as a number"},
	{pattern.New(`(?i)d[0-9]+\s*rr`), "r rerolls until it is none of them, ro once"},
	{pattern.New(`(?i)d[0-9]+\s*ra`), "!p and ! add dice, r and ro reroll them"},
	{pattern.New(`(?i)d[0-9]+\s*e[0-9]`), "explode with !"},
	{pattern.New(`(?i)^\s*[0-9]*[wt][0-9]`), "dice are written with a d: 2d6"},
}

// repeatedRoll matches dice rolled several times in a notation such as 6#4d6kh3. Here a # begins a comment.
var repeatedRoll = pattern.New(`(?i)^\s*[0-9]+#[({]?[0-9]*d[0-9%f]`)

// withHint adds a hint to an error in a text that uses another tool's notation.
func withHint(s string, err error) error {
	e, ok := err.(*Error)
	if !ok {
		return err
	}
	for _, x := range otherForms {
		if x.form().MatchString(s) {
			e.Hint = x.hint
			break
		}
	}
	return e
}
