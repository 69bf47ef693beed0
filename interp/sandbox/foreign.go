package sandbox

import (
	"regexp"
	"strings"
)

// This file says what Starlark has for what other languages have, or the rules.

// slips are what the parser says about a construct, what its line contains, and what to write in its place.
var slips = []struct {
	message string // the beginning of the message
	line    *regexp.Regexp
	hint    string // $0 is what the line contains
}{
	{"got import,", nil, `there is no import; load("FILE.star", "NAME") loads a definition from a file next to this one`},
	{"got from,", nil, `there is no import; load("FILE.star", "NAME") loads a definition from a file next to this one`},
	{"got try,", nil, "there are no exceptions: test with `if` before it could fail"},
	{"got except,", nil, "there are no exceptions: test with `if` before it could fail"},
	{"got raise,", nil, `fail("why") stops everything; a function that acts ends by ctx.stop()`},
	{"got assert,", nil, `fail("why") stops everything`},
	{"got class,", nil, "there are no classes: write functions, and dicts or tuples for what they share"},
	{"got global,", nil, "a function has no memory: let a `keep` of the rules remember it, which ctx.set or ctx.bind changes"},
	{"got nonlocal,", nil, "a function has no memory: let a `keep` of the rules remember it, which ctx.set or ctx.bind changes"},
	{"got is,", nil, "equality is =="},
	{"not an identifier", regexp.MustCompile(`\.is\(`), "ask with `.has(\"NAME\")`"},
	{"got identifier,", regexp.MustCompile(`\b[0-9]+d[0-9]+\b`), `dice are texts: "$0"`},
	{"got string literal,", regexp.MustCompile(`\b[fF]["']`), `write values into a text by %: "%s of %d" % (A, B)`},
	{"got '&',", regexp.MustCompile(`&&`), "the words are `and`, `or`, `not`"},
	{"got '|',", regexp.MustCompile(`\|\|`), "the words are `and`, `or`, `not`"},
	{"unexpected input character '!'", nil, "the words are `and`, `or`, `not`"},
	{"unexpected input character '?'", nil, "write A if CONDITION else B"},
	{"got '=', want ':'", nil, "equality is =="},
	{"got '{',", regexp.MustCompile(`\{\s*$`), "a block begins with a colon, and its lines are indented"},
	{"unexpected input character '$'", nil, `write values into a text by %: "%s of %d" % (A, B)`},
}

// foreignHint is the hint for a message of the parser about a line, "" if there is none.
func foreignHint(message, line string) string {
	for _, s := range slips {
		if !strings.HasPrefix(message, s.message) {
			continue
		}
		if s.line == nil {
			return s.hint
		}
		if found := s.line.FindString(line); found != "" {
			return strings.ReplaceAll(s.hint, "$0", found)
		}
	}
	if strings.HasSuffix(message, "want indent") {
		return "indent what belongs to the line before it"
	}
	return ""
}

// calledTooEarly is the message for a function that is called without its context while the file is loaded.
var calledTooEarly = regexp.MustCompile(`^function (\w+) missing 1 argument \(\w+\)$`)
