package parse

import (
	"strings"

	"arbiter/lang/words"
)

// The line rule: the end of a line ends a clause unless the line obviously continues, because a ( or [ is open, its
// last token requires more, or the next token cannot begin a clause.

// endsClause reports whether the line end between the last token and t ends a clause.
func (s *scanner) endsClause(t *token) bool {
	switch t.Type {
	case tokEOF, tokLine:
		return false
	}
	if s.last.Type == tokLine || s.last.Type == tokPunct && s.last.Value == "{" {
		return false
	}
	if s.mustBeginClause(t) {
		return true
	}
	switch s.last.Type {
	case tokPunct:
		switch s.last.Value {
		case "}", ")", "]", "|":
		default:
			return false // a bracket, an operator, a comma, a colon, a dot
		}
	case tokWord:
		if wantsMore(s.last.Value) {
			return false
		}
	case tokName:
		if s.last.Value == "while" || s.last.Value == "until" {
			return false
		}
	}
	if n := len(s.nest); n > 0 && s.nest[n-1] != '{' && continuesInside(t) {
		return false
	}
	return !s.continues(t)
}

// mustBeginClause reports whether t can only be the first word of a clause. The line before is then unfinished, and its
// error must not swallow the clause that begins here.
func (s *scanner) mustBeginClause(t *token) bool {
	if t.Type != tokName || !(t.Pos.Column == 1 && beginsDeclaration(t.Value)) && !alwaysBeginsClause(t.Value) {
		return false
	}
	rest := s.ahead()
	n := wordLen(rest)
	return n > 0 && !words.Reserved(rest[:n]) || strings.HasPrefix(rest, `"`)
}

// alwaysBeginsClause reports whether a word followed by a name begins a clause anywhere.
func alwaysBeginsClause(word string) bool {
	switch word {
	case "let", "set", "step", "rule", "reaction", "keep", "cannot", "denied", "includes", "needs", "note", "cancel":
		return true
	}
	return false
}

// wantsMore: a clause cannot end in one of these words.
func wantsMore(word string) bool {
	switch word {
	case "no", "yes", "none", "succeeds", "fails", "roll", "count", "sum", "highest", "lowest", "first", "each", "pick", "spent":
		return false // values, and words that are also names of steps and laws
	}
	return true
}

// continuesInside: inside ( or [ these cannot begin a clause either. Anything that could means that the bracket was
// never closed, since two values in a row are not valid inside brackets.
func continuesInside(t *token) bool {
	switch t.Value {
	case "+", "-", "is", "has":
		return true
	}
	return false
}

// continues reports whether t cannot begin a clause.
func (s *scanner) continues(t *token) bool {
	switch t.Type {
	case tokPunct:
		switch t.Value {
		case "+", "-", "(", "[", "|":
			return false
		}
		return true
	case tokWord:
		rest := s.ahead()
		switch t.Value {
		case "and", "or", "when", "unless", "where", "else", "in", "within", "can", "succeeds", "fails", "as":
			return !strings.HasPrefix(rest, ":")
		case "otherwise", "then": // begins an arm, or a way
			return !strings.HasPrefix(rest, ":") && !strings.HasPrefix(s.aheadPastLines(), "{")
		case "for": // also begins a statement
			return !startsWithWord(rest, "each")
		}
		return words.Label(t.Value) && !strings.HasPrefix(rest, ":")
	case tokName:
		switch t.Value {
		case "until", "while", "leaving", "extends", "prefers", "without", "vs", "dc", "starts", "away", "toward", "ordered":
			rest := s.ahead()
			return !strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, ".")
		case "sorted", "opposed":
			return startsWithWord(s.ahead(), "by")
		case "rolled":
			return startsWithWord(s.ahead(), "as")
		case "once":
			return startsWithWord(s.ahead(), "per")
		case "language":
			rest := s.ahead()
			return rest != "" && digit(rest[0])
		}
	}
	return false
}

// ahead returns the source after the current token and spaces.
func (s *scanner) ahead() string {
	i := s.off
	for i < len(s.src) && s.src[i] == ' ' {
		i++
	}
	return s.src[i:]
}

// aheadPastLines returns the source after the current token and white space, comments and line ends.
func (s *scanner) aheadPastLines() string {
	rest := s.ahead()
	for {
		if strings.HasPrefix(rest, "#") {
			rest = rest[max(strings.IndexByte(rest, '\n'), 0):]
		}
		left := strings.TrimLeft(rest, " \t\r\n")
		if len(left) == len(rest) {
			return rest
		}
		rest = left
	}
}

func startsWithWord(src, word string) bool {
	return strings.HasPrefix(src, word) && wordLen(src) == len(word)
}
