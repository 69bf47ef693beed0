package sandbox

import (
	"regexp"
	"strings"

	"arbiter/stdlib/pattern"
)

// This file says what Starlark has for what other languages have, or the rules.

// slips are what the parser says about a construct, what its line contains, and what to write in its place.
var slips = []struct {
	message string // the beginning of the message
	line    string // a regular expression; "": any line
	hint    string // $0 is what the line contains
}{
	{"got import,", "", `there is no import; load("FILE.star", "NAME") loads a definition from a file next to this one`},
	{"got from,", "", `there is no import; load("FILE.star", "NAME") loads a definition from a file next to this one`},
	{"got try,", "", "there are no exceptions: test with `if` before it could fail"},
	{"got except,", "", "there are no exceptions: test with `if` before it could fail"},
	{"got raise,", "", `fail("why") stops everything; a function that acts ends by ctx.stop()`},
	{"got assert,", "", `fail("why") stops everything`},
	{"got class,", "", "there are no classes: write functions, and dicts or tuples for what they share"},
	{"got global,", "", "a function has no memory: let a `keep` of the rules remember it, which ctx.set or ctx.bind changes"},
	{"got nonlocal,", "", "a function has no memory: let a `keep` of the rules remember it, which ctx.set or ctx.bind changes"},
	{"got is,", "", "equality is =="},
	{"not an identifier", `\.is\(`, "ask with `.has(\"NAME\")`"},
	{"got identifier,", `\b[0-9]+d[0-9]+\b`, `dice are texts: "$0"`},
	{"got string literal,", `\b[fF]["']`, `write values into a text by %: "%s of %d" % (A, B)`},
	{"got '&',", `&&`, "the words are `and`, `or`, `not`"},
	{"got '|',", `\|\|`, "the words are `and`, `or`, `not`"},
	{"unexpected input character '!'", "", "the words are `and`, `or`, `not`"},
	{"unexpected input character '?'", "", "write A if CONDITION else B"},
	{"got '=', want ':'", "", "equality is =="},
	{"got '{',", `\{\s*$`, "a block begins with a colon, and its lines are indented"},
	{"unexpected input character '$'", "", `write values into a text by %: "%s of %d" % (A, B)`},
}

// foreignHint is the hint for a message of the parser about a line, "" if there is none.
func foreignHint(message, line string) string {
	for _, s := range slips {
		if !strings.HasPrefix(message, s.message) {
			continue
		}
		if s.line == "" {
			return s.hint
		}
		if found := regexp.MustCompile(s.line).FindString(line); found != "" {
			return strings.ReplaceAll(s.hint, "$0", found)
		}
	}
	if strings.HasSuffix(message, "want indent") {
		return "indent what belongs to the line before it"
	}
	return ""
}

// calledTooEarly is the message for a function that is called without its context while the file is loaded.
var calledTooEarly = pattern.New(`^function (\w+) missing 1 argument \(\w+\)$`)
