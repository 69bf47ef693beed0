package parse

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/lang/words"
)

// This file finds the hint of a diagnostic: the word that was meant, or the form of the construct.

// breaksOff reports whether the error is that a declaration ends with its line, while the next line, indented further,
// seems to go on with it.
func (p *parser) breaksOff() bool {
	if p.scan == nil || p.level > 0 || p.lex.Peek().Type != tokLine || !p.scan.holding { // a head's own parser has no scanner
		return false
	}
	next := &p.scan.held
	return inHeads[next.Value] && next.Pos.Column > p.firstToken.Pos.Column
}

// inHeads are words within the head of a declaration, where the next line may go on with it.
var inHeads = map[string]bool{"before": true, "after": true, "instead": true, "at": true, "on": true, "every": true, "while": true,
	"when": true, "unless": true, "once": true, "extends": true, "by": true, "from": true, "to": true, "with": true}

// addHint adds a hint to the error of the current clause, if it has none.
func (p *parser) addHint() {
	if p.breaksOff() {
		p.fault.Hint = "the end of a line ends a clause: write what is indented below it behind it, on the same line"
		return
	}
	if hint := p.slipOfStraySign(); hint != "" {
		p.fault.Hint = hint
		return
	}
	if t := p.lex.Peek(); t.Type == tokMalformed {
		if hint := p.slip(); hint != "" {
			p.fault.Hint = hint
			return
		}
	}
	if p.fault.Hint != "" && p.fault.Code != codeIllegal {
		return
	}
	given := p.fault.Hint
	if p.fault.Hint = p.slip(); p.fault.Hint == "" {
		p.fault.Hint = given
	}
	if p.fault.Hint != "" {
		return
	}
	groups := []words.Group{words.Clause, words.Statement, words.Script, words.Declaration}
	switch {
	case p.level == 0 && p.script && p.firstToken.Value == "roll": // what is rolled much more often than a declaration
		groups = []words.Group{words.Statement}
	case p.level == 0 && p.script: // clauses of effects and actions are never here
		groups = []words.Group{words.Declaration, words.Script, words.Statement}
	case p.level == 0:
		groups = []words.Group{words.Declaration, words.Script, words.Statement, words.Clause}
	}
	if p.inScene {
		groups = append([]words.Group{words.Story}, groups...)
	}
	form := words.Forms(p.form, words.Part, words.Statement, words.Clause, words.Script)
	if form == nil && (p.inScene || p.firstToken.Value == "scene" || p.firstToken.Value == "include") {
		form = words.Forms(storyKey(p.firstToken.Value), words.Story)
	}
	if form == nil {
		form = words.Forms(formKey(p.firstToken.Value), groups...)
	}
	if near := p.nearestWord(groups); form == nil && near != "" {
		p.fault.Hint = suggestion(near, groups)
		return
	}
	if form == nil && p.firstToken.Type == tokName {
		key := "COMMAND"
		if p.level == 0 && (!p.script || p.pendingBody == inTemplate) {
			key = "KIND"
		}
		form = words.Forms(key, words.Declaration, words.Statement)
	}
	if form != nil {
		p.fault.Hint = words.FormHint(form)
	}
	if t := p.lex.Peek(); p.fault.Code == codeExpectedEnd && t.Type == tokName && p.level > 0 {
		if verb := p.misspeltVerb(); verb != "" {
			p.fault.Hint = "did you mean `" + p.firstToken.Value + " " + verb + " ...`?"
			return
		}
		hint := "separate clauses on one line with `;`"
		if p.fault.Hint != "" {
			hint += ". " + capital(p.fault.Hint)
		}
		p.fault.Hint = hint
	}
}

// verbs are the words of statements that come after a name.
var verbs = []string{"gains", "loses", "moves"}

// misspeltVerb returns the word that the second word of the clause resembles, if it is to be one of the verbs.
func (p *parser) misspeltVerb() string {
	if p.scan == nil || p.firstToken.Type != tokName {
		return ""
	}
	second := strings.Fields(p.sourceAfter(&p.firstToken))
	if len(second) == 0 || slices.Contains(verbs, second[0]) {
		return ""
	}
	return words.Nearest(second[0], verbs)
}

// sourceAfter is the source after a token.
func (p *parser) sourceAfter(t *token) string {
	return p.scan.src[min(max(p.spanOf(t).End.Offset-p.scan.base, 0), len(p.scan.src)):]
}

var amountAfter = newPattern(`^\s*([+-])=?\s*([0-9]+)`)

// asModifier rewrites `NAME += 2` and `NAME -2` as a modifier; it returns "" for anything else.
func (p *parser) asModifier(name *token) string {
	if p.scan == nil {
		return ""
	}
	at := p.spanOf(name).End.Offset - p.scan.base
	if at < 0 || at > len(p.scan.src) {
		return ""
	}
	if m := amountAfter.FindStringSubmatch(p.scan.src[at:]); m != nil {
		return m[1] + m[2] + " to " + name.Value
	}
	return ""
}

// asStatModifier says how `NAME = VALUE` and `NAME * N` are written as changes of a stat, "" if it is neither.
func (p *parser) asStatModifier(name *token) string {
	if p.scan == nil {
		return ""
	}
	rest := strings.TrimLeft(p.sourceAfter(name), " ")
	switch {
	case strings.HasPrefix(rest, "="):
		return "`" + name.Value + " becomes EXPR` replaces what the stat sums up; `+AMOUNT to " + name.Value + "` adds to it"
	case strings.HasPrefix(rest, "*") || strings.HasPrefix(rest, "/"):
		return "`" + name.Value + " times N` or `times N/M` multiplies the stat"
	}
	return ""
}

// nearestWord returns the word of the language that the clause's first word resembles.
func (p *parser) nearestWord(groups []words.Group) string {
	if p.firstToken.Type != tokName {
		return ""
	}
	return words.Nearest(p.firstToken.Value, words.LeadingWords(groups...))
}

// suggestion suggests a word and its form.
func suggestion(word string, groups []words.Group) string {
	hint := fmt.Sprintf("did you mean `%s`?", word)
	form := words.Forms(formKey(word), groups...)
	if form == nil {
		form = words.Forms(storyKey(word), groups...)
	}
	if form != nil {
		hint += " " + capital(words.FormHint(form))
	}
	return hint
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// formKey returns the entry of the word table that has the form for a first word.
func formKey(word string) string {
	switch word {
	case "for":
		return "for each"
	case "next":
		return "next turn"
	case "fight":
		return "fight on"
	case "acts":
		return "acts at"
	}
	return word
}

// storyKey is formKey for the words of scenes.
func storyKey(word string) string {
	switch word {
	case "go":
		return "go to"
	case "first":
		return "first time"
	case "won", "lost", "otherwise", "break":
		return "fight"
	}
	return word
}

// expectIn is expect inside an expression or a trigger, with its form as the hint.
func (p *parser) expectIn(value, word string) {
	if !p.accept(value) {
		p.wantIn("`"+value+"`", word)
	}
}

func (p *parser) wantIn(what, word string) {
	if p.fault == nil {
		p.want(what)
		if p.fault.Hint == "" && p.fault.Code == codeExpected {
			p.fault.Hint = words.FormHint(words.Forms(word, words.Expression, words.Trigger))
		}
	}
}

// equivalentOf returns what the language has for a character of other languages.
func equivalentOf(char string) string {
	switch char {
	case "&":
		return "the word is `and`"
	case "!":
		return "the word is `not`"
	case "?":
		return words.FormHint(words.Forms("if then else", words.Expression))
	case "%":
		return "the sign of a percentage touches its number: 25%; one that is computed is `(NUMBER) * 1%`"
	case "'", "“", "”", "„", "‘", "’", "`":
		return `a text is between straight double quotes: "..."`
	case "–", "—", "−":
		return "the minus is a plain hyphen: -"
	case "×":
		return "the sign of multiplication is *"
	}
	return ""
}
