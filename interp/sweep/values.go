package sweep

import (
	"fmt"
	"strconv"
	"strings"

	"arbiter/lang/diag"
	"arbiter/stdlib/pattern"
)

// This file parses the values of a sweep: single values and ranges, separated by commas.

// ranged matches LOW..HIGH [by STEP], each a whole number with or without a unit.
var ranged = pattern.New(`^(-?[0-9]+) *([A-Za-z]+|%)? *\.\. *(-?[0-9]+) *([A-Za-z]+|%)?(?: +by +([0-9]+) *([A-Za-z]+|%)?)?$`)

// difference matches what a user may write for a range, but what would be a single number.
var difference = pattern.New(`^(-?[0-9]+) *(?:-|–|—|to) *([0-9]+)$`)

// farthest is the largest absolute value in a range.
const farthest int64 = 1_000_000_000_000

// values parses what follows the equals sign.
func (s *Sweep) values(from int) (list []Value, diags diag.List) {
	for _, p := range parts(s.Text, from) {
		text := s.Text[p.from:p.to]
		switch {
		case text == "":
			return nil, s.wrong(p.from, p.to, "a value is missing here", form)
		case meansRange(text):
			m := difference().FindStringSubmatch(text)
			return nil, s.wrong(p.from, p.to, text+" is not a range", fmt.Sprintf("write %s..%s", m[1], m[2]))
		case !strings.Contains(text, ".."):
			list = append(list, Value{text, p.from})
		default:
			more, wrong := s.steps(text, p.from, MostValues-len(list))
			if wrong != nil {
				return nil, wrong
			}
			list = append(list, more...)
		}
		if len(list) > MostValues {
			return nil, s.wrong(from, len(s.Text), fmt.Sprintf("more than %d values", MostValues), "use larger steps: 1..1000 by 100")
		}
	}
	seen := map[string]bool{}
	for _, v := range list {
		if seen[v.Text] {
			return nil, s.wrong(v.at, v.at+len(v.Text), v.Text+" is listed twice", "")
		}
		seen[v.Text] = true
	}
	return list, nil
}

// meansRange reports whether a value looks like an ascending range.
func meansRange(text string) bool {
	m := difference().FindStringSubmatch(text)
	if m == nil {
		return false
	}
	low, _ := strconv.ParseInt(m[1], 10, 64)
	high, _ := strconv.ParseInt(m[2], 10, 64)
	return low < high
}

// steps expands a range.
func (s *Sweep) steps(text string, at, most int) ([]Value, diag.List) {
	wrong := func(message, hint string) ([]Value, diag.List) { return nil, s.wrong(at, at+len(text), message, hint) }
	m := ranged().FindStringSubmatch(text)
	if m == nil {
		return wrong("this is not a range of whole numbers", "write LOW..HIGH or LOW..HIGH by STEP, with or without a unit: 5 ft..30 ft by 5 ft; list other values with commas")
	}
	low, high, step := int64(0), int64(0), int64(1)
	for i, to := range map[int]*int64{1: &low, 3: &high, 5: &step} {
		if m[i] == "" {
			continue
		}
		n, err := strconv.ParseInt(m[i], 10, 64)
		if err != nil || n > farthest || n < -farthest {
			return wrong(fmt.Sprintf("%s is too far from 0 for a range", m[i]), fmt.Sprintf("a range goes from %d to %d", -farthest, farthest))
		}
		*to = n
	}
	unit := m[4]
	for _, u := range []string{m[2], m[6]} {
		if u == "" {
			continue
		}
		if unit == "" {
			unit = u
		}
		if strings.TrimSuffix(u, "s") != strings.TrimSuffix(unit, "s") {
			return wrong("a range has one unit, but here are "+u+" and "+unit, "write it once, after the highest number")
		}
	}
	switch {
	case step == 0:
		return wrong("a step of 0 never ends", "a step is at least 1")
	case high < low:
		return wrong("a range goes up, from the lowest to the highest", fmt.Sprintf("write %d..%d", high, low))
	case (high-low)/step >= int64(most):
		return wrong(fmt.Sprintf("more than %d values", MostValues), fmt.Sprintf("use larger steps: by %d", (high-low)/(MostValues-1)+1))
	}
	var list []Value
	for n := low; n <= high; n += step {
		text := strconv.FormatInt(n, 10)
		switch {
		case unit == "%":
			text += unit
		case unit != "":
			text += " " + unit
		}
		list = append(list, Value{text, at})
	}
	return list, nil
}

// part is a part of a text, from offset to offset.
type part struct{ from, to int }

// parts splits a text at its commas, except inside brackets, and trims the spaces around each part.
func parts(text string, from int) (list []part) {
	depth, begun := 0, from
	add := func(to int) {
		p := part{begun, to}
		for p.from < p.to && text[p.from] == ' ' {
			p.from++
		}
		for p.to > p.from && text[p.to-1] == ' ' {
			p.to--
		}
		list = append(list, p)
		begun = to + 1
	}
	for i := from; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth <= 0 {
				add(i)
			}
		}
	}
	add(len(text))
	return list
}
