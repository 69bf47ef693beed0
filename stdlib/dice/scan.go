package dice

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// This file reads the text of an expression: numbers, words and signs, and says what is wrong at a place.

// number parses digits.
func (p *parser) number() (v int64, err error) {
	p.peek()
	at := p.at
	for ; p.at < len(p.text) && digit(p.text[p.at]); p.at++ {
		if v = v*10 + int64(p.text[p.at]-'0'); v > maxNumber {
			return 0, p.fail(at, fmt.Sprintf("a number above %d", maxNumber), "")
		}
	}
	if p.at == at {
		return 0, p.unexpected("a number", "")
	}
	return v, nil
}

// integer parses a number that may have a sign.
func (p *parser) integer() (int64, error) {
	c := p.peek()
	if c == '-' || c == '+' {
		p.at++
	}
	v, err := p.number()
	if err == nil && p.at < len(p.text) && p.text[p.at] == '.' {
		return 0, p.fail(p.at, "dice show whole numbers", "compare with one of those")
	}
	if c == '-' {
		v = -v
	}
	return v, err
}

// peek skips spaces and returns the next byte in lower case, 0 at the end.
func (p *parser) peek() byte {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	return lower(p.text[p.at])
}

// word skips w, if it is next, and reports whether it was.
func (p *parser) word(w string) bool {
	p.peek()
	rest := p.text[p.at:]
	if len(rest) < len(w) {
		return false
	}
	for i := range len(w) {
		if lower(rest[i]) != w[i] {
			return false
		}
	}
	p.at += len(w)
	return true
}

func (p *parser) close(c byte, opened int) error {
	if p.peek() != c {
		return p.unexpected(fmt.Sprintf("%q", c), fmt.Sprintf("%q opens in column %d", p.text[opened], column(opened)))
	}
	p.at++
	return nil
}

func (p *parser) end() error {
	switch c := p.peek(); {
	case c == 0 && p.at == len(p.text):
		return nil
	case p.after(')') && (c == '!' || 'a' <= c && c <= 'z' && c != 'd' && c != 'x'):
		return p.unexpected("an operator", "what is done with dice follows them: (4d6kh3 + 2); of several totals: {2d6, 1d8}kh1")
	case p.after(')') && c == 'd':
		return p.unexpected("an operator", "the number of dice cannot be rolled or computed: roll that first")
	case c == '(' || p.after(')') && digit(c):
		return p.unexpected("an operator", "multiply with *: 2*(3+1d6)")
	case digit(c) || c == '{' || c == 'd':
		return p.unexpected("an operator", "add rolls with + or list them in braces: {2d6, 1d8}")
	case c == ')' || c == '}':
		return p.unexpected("the end", fmt.Sprintf("there is no %q for it to close", opening[c]))
	case c == ',':
		return p.unexpected("the end", "braces add several rolls, {2d6, 1d8}; for the total of each, roll one after the other")
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	hint, known := foreignRunes[r]
	if !known {
		hint = "after dice: kh kl dh dl ! !! !p r ro u uo mi ma cs cf sa sd = < > f"
	}
	return p.unexpected("the end", hint)
}

// after reports whether c is the last before what is next.
func (p *parser) after(c byte) bool {
	before := strings.TrimRight(p.text[:p.at], " \t")
	return before != "" && before[len(before)-1] == c
}

// foreignSides are characters after the d of a die, with what to write instead.
var foreignSides = map[byte]string{
	'(': "the sides cannot be rolled or computed: roll that first",
	'{': "a die shows 1 and more: 2*1d3-1 is 1, 3 or 5", '[': "a die shows 1 and more: 2*1d3-1 is 1, 3 or 5",
}

// opening are the brackets that the closing ones belong to.
var opening = map[byte]byte{')': '(', '}': '{'}

// foreignRunes are characters used in other notations, with what to write instead.
var foreignRunes = map[rune]string{
	'.': "a decimal number has digits before and after the point: 0.5", '^': "the operators are + - * / // %",
	'–': "minus is -", '−': "minus is -", '×': "times is *", '·': "times is *", '÷': "divided by is /",
	'[': "a # starts a comment", '"': "a # starts a comment", ';': "a # starts a comment",
	'≥': "write >=", '≤': "write <=", '≠': "write <>",
}

func (p *parser) overflowError(column int32) error {
	return p.fail(int(column)-1, fmt.Sprintf("the total can exceed %d", int64(maxTotal)), "")
}

func (p *parser) unexpected(want, hint string) error {
	if p.peek(); p.at == len(p.text) {
		return p.fail(p.at, "expected "+want+", found the end", hint)
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	return p.fail(p.at, fmt.Sprintf("expected %s, found %q", want, r), hint)
}

func (p *parser) fail(at int, message, hint string) error {
	return &Error{Column: int(column(at)), Message: message, Hint: hint}
}

func column(at int) int32 { return int32(at) + 1 }
func digit(c byte) bool   { return '0' <= c && c <= '9' }

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
