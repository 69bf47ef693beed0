package parse

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"arbiter/lang/words"
)

// This file finds the hint of a diagnostic: the word that was meant, or the form of the construct.

// advise adds a hint to the error of the current clause, if it has none.
func (p *parser) advise() {
	if p.fault.Hint != "" {
		return
	}
	if p.fault.Hint = p.slip(); p.fault.Hint != "" {
		return
	}
	groups := []words.Group{words.Clause, words.Statement, words.Script, words.Declaration}
	if p.level == 0 {
		groups = []words.Group{words.Declaration, words.Script, words.Statement, words.Clause}
	}
	if p.told {
		groups = append([]words.Group{words.Story}, groups...)
	}
	form := words.Forms(p.form, words.Part, words.Statement, words.Clause, words.Script)
	if form == nil && (p.told || p.first.Value == "scene" || p.first.Value == "include") {
		form = words.Forms(storyKey(p.first.Value), words.Story)
	}
	if form == nil {
		form = words.Forms(formKey(p.first.Value), groups...)
	}
	if near := p.near(groups); form == nil && near != "" {
		p.fault.Hint = meant(near, groups)
		return
	}
	if form == nil && p.first.Type == tokName {
		key := "COMMAND"
		if p.level == 0 && !p.script {
			key = "KIND"
		}
		form = words.Forms(key, words.Declaration, words.Statement)
	}
	if form != nil {
		p.fault.Hint = formHint(form)
	}
	if t := p.lex.Peek(); p.fault.Code == codeExpectedEnd && t.Type == tokName && p.level > 0 {
		apart := "separate clauses on one line with `;`"
		if p.fault.Hint != "" {
			apart += ". " + capital(p.fault.Hint)
		}
		p.fault.Hint = apart
	}
}

// slip returns what this language has in place of the other language's syntax at the error.
func (p *parser) slip() string {
	if p.scan == nil { // the parser of a head's part
		return ""
	}
	t := p.lex.Peek()
	at := min(p.spanOf(t).Start.Offset-p.scan.base, len(p.scan.src))
	before, behind := p.scan.src[:at], p.scan.src[at:]
	end := p.fault.Code == codeExpectedEnd
	switch {
	case p.fault.Code == codeExpected && strings.ToLower(t.Value) != t.Value && strings.Contains(p.fault.Message, "`"+strings.ToLower(t.Value)+"`"):
		return "keywords are lower case: `" + strings.ToLower(t.Value) + "`"
	case end && t.Type != tokLine && strings.HasSuffix(before, `"`):
		return `write a quotation mark inside a text as \"`
	case p.told && p.prose():
		return `text to be told is in quotes: "..."`
	case p.level == 0 && end && t.Value == "{" && p.script && p.first.Type == tokName && strings.HasSuffix(strings.TrimRight(before, " "), p.first.Value):
		return "a keyword is missing: side " + p.first.Value + " { ... }"
	case p.script && !p.told && setBefore.MatchString(before) && !verbAtEnd.MatchString(before) && (t.Value == "=" || numberAlone.MatchString(behind)):
		m := setBefore.FindStringSubmatch(before)
		value, _, _ := strings.Cut(strings.TrimPrefix(behind, "="), "\n")
		return fmt.Sprintf("did you mean `set %s.%s to %s`?", m[1], m[2], cmp.Or(strings.TrimSpace(value), "EXPR"))
	case p.script && p.first.Value != "dice" && numberBefore.MatchString(before) && numberBehind.MatchString(behind):
		x, y := numberBefore.FindStringSubmatch(before), numberBehind.FindStringSubmatch(behind)
		return fmt.Sprintf("write a square as (%s, %s)", x[1], y[1])
	case p.script && !p.told && (t.Type == tokName || t.Type == tokNumber) && verbBefore.MatchString(before):
		m := verbBefore.FindStringSubmatch(before)
		what, _, _ := strings.Cut(behind, "\n")
		return fmt.Sprintf("did you mean `%s %s %s`?", m[1], verbs[m[2]], strings.TrimSpace(what))
	case p.script && t.Value == "=" && end && p.first.Type == tokName && wordLen(strings.TrimLeft(p.behind(&p.first), " ")) > 0:
		name := strings.TrimLeft(p.behind(&p.first), " ")
		name = name[:wordLen(name)]
		return fmt.Sprintf("`let %s = EXPR` binds a name, `keep %s = EXPR` remembers a value that changes", name, name)
	case strings.HasPrefix(behind, "//"):
		return "a comment starts with #"
	case t.Value == "=" && strings.HasSuffix(before, "="):
		return "write equality with a single `=`"
	case t.Value == "=" && end && p.first.Type == tokName && strings.HasSuffix(strings.TrimRight(before, " "), p.first.Value):
		return fmt.Sprintf("`let %s = EXPR` binds a name, `set %s to EXPR` changes one", p.first.Value, p.first.Value)
	case p.first.Value == "override" && t.Type != tokName && strings.HasSuffix(strings.TrimRight(before, " "), ":"):
		return "put the new value after `=`. " + capital(formHint(words.Forms("override", words.Declaration)))
	case p.first.Value == "bonus" && p.level > 0: // bonus types are declared at the top level
		return "a bonus to a stat starts with its sign. " + capital(formHint(words.Forms("+", words.Clause)))
	case end && (t.Value == "+" || t.Value == "-") && strings.HasPrefix(behind[1:], "=") && p.first.Type == tokName:
		return fmt.Sprintf("change a value with `set %s to %s %s ...`", p.first.Value, p.first.Value, t.Value)
	case end && (t.Value == "+" || t.Value == "-") && p.script && p.first.Type == tokName && strings.TrimSpace(before) == p.first.Value:
		word := map[string]string{"+": "gains", "-": "loses"}[t.Value]
		return fmt.Sprintf("change a creature's amounts with `%s %s AMOUNT RESOURCE`", p.first.Value, word)
	case end && (t.Value == "*" || t.Value == "/" || t.Value == "+" || t.Value == "-") && changeBefore.MatchString(before):
		return "put a computed amount in parentheses: " + changeBefore.FindStringSubmatch(before)[1] + " (A " + t.Value + " B) RESOURCE"
	case end && (t.Value == "*" || t.Value == "/" || t.Value == "+" || t.Value == "-"):
		return "put a computed amount in parentheses: of (A " + t.Value + " B)"
	case p.told && (t.Value == "-" && strings.HasPrefix(behind, "->") || t.Value == ">" && strings.HasSuffix(before, "-")):
		if t.Value == ">" { // the arrow begins before it
			p.fault.Span.Start.Column, p.fault.Span.Start.Offset = p.fault.Span.Start.Column-1, p.fault.Span.Start.Offset-1
		}
		p.fault.Message = "`->` means nothing here"
		scene := "SCENE"
		if word := strings.TrimLeft(behind[strings.IndexByte(behind, '>')+1:], " "); wordLen(word) > 0 {
			scene = word[:wordLen(word)]
		}
		if p.form == "choice" {
			return "put what a choice leads to in braces: \"label\" { go to " + scene + " }"
		}
		return "go to another scene with `go to " + scene + "`"
	case t.Type == tokNumber && p.level > 0 && strings.HasPrefix(p.fault.Message, "expected a clause"):
		return "put a new value after `=`: override PATH = EXPR; an amount after its sign: +AMOUNT to STAT"
	case t.Type == tokText && (strings.HasSuffix(before, "go to ") || strings.HasSuffix(before, "visit ")):
		return "name a scene without quotes: go to SCENE"
	case t.Type == tokText && p.first.Value == "scene":
		return "put the name before the title. " + capital(formHint(words.Forms("scene", words.Story)))
	case p.script && p.first.Type == tokName && len(words.Forms(formKey(p.first.Value), words.Script)) == 0 && !p.told && (end || strings.HasPrefix(p.fault.Message, "expected `:`, ")) && (t.Type == tokName || t.Type == tokNumber):
		who, _, _ := strings.Cut(p.first.Value, ".")
		if who == strings.ToLower(who) { // most likely a command without its actor
			if m := nameAtEnd.FindStringSubmatch(before); m != nil && t.Type == tokNumber {
				return fmt.Sprintf("change a creature's amounts with `%s gains %s RESOURCE`, `%s loses %s RESOURCE`", m[1], t.Value, m[1], t.Value)
			}
			return ""
		}
		what := "COMMAND"
		if m := actorBefore.FindStringSubmatch(before); m != nil && t.Type == tokName && !strings.HasSuffix(m[1], "s") { // not a verb like attacks
			what = m[1]
		}
		hint := "put the actor before a colon: `" + who + ": " + what + " ...`"
		if t.Type == tokNumber {
			hint += fmt.Sprintf("; change a creature's amounts with `WHO gains %s RESOURCE`, `WHO loses %s RESOURCE`", t.Value, t.Value)
		}
		return hint
	case p.told && t.Value == "{" && aftermaths[p.first.Value] != "":
		return "write the result of a fight as `" + aftermaths[p.first.Value] + " { }`"
	case p.told && t.Value == "else" && p.form == "choice":
		return "write the choice for when no other is available as `otherwise { }`"
	case strings.HasSuffix(before, "seen ") || strings.HasSuffix(before, "visits "):
		return "put the scene in parentheses: seen(SCENE), visits(SCENE)"
	case (t.Value == "gains" || t.Value == "loses" || t.Value == "becomes") && p.first.Value == "rule":
		trigger, effect := "on gaining", strings.TrimLeft(p.behind(t), " ")
		if t.Value == "loses" {
			trigger = "on losing"
		}
		if effect = effect[:wordLen(effect)]; effect == "" {
			effect = "EFFECT"
		}
		return fmt.Sprintf("write the trigger as: rule NAME %s %s { }", trigger, effect)
	case t.Value == "where" && p.first.Value == "for" && strings.Contains(before[strings.LastIndexByte(before, '\n')+1:], "sorted by"):
		return "`where` comes before `sorted by`. " + capital(formHint(words.Forms("for each", words.Statement)))
	case p.first.Value == "for" && t.Type == tokName && strings.HasPrefix(p.fault.Message, "expected `{`") && nameBefore.MatchString(before):
		return "put the arguments of a function in parentheses: " + strings.TrimSpace(nameBefore.FindString(before)) + "(" + t.Value + " ...)"
	case end && words.IsUnit(t.Value) && diceBefore.MatchString(before):
		die := strings.TrimSpace(diceBefore.FindString(before))
		return fmt.Sprintf("put a rolled duration in parentheses: (roll %s) %s", die, t.Value)
	case end && p.first.Value == "dice" && t.Type == tokNumber:
		return "separate the faces with commas: dice 12, 3"
	case end && t.Value == "per" && strings.HasSuffix(before, "once ") && p.level > 0:
		return "`once per` belongs in the head of a rule; for an action, use a resource as its cost: resource NAME from 0 to 1 starts 1"
	case t.Value == "if" && end:
		return "a condition at the end of a clause is written `when COND`"
	case end:
		return operators[t.Value]
	}
	return ""
}

// behind is the source after a token.
func (p *parser) behind(t *token) string {
	return p.scan.src[min(max(p.spanOf(t).End.Offset-p.scan.base, 0), len(p.scan.src)):]
}

// prose reports whether the current clause reads like a sentence without quotes: words, and after the last one either
// the end of a sentence or the closing quotation mark.
func (p *parser) prose() bool {
	if p.first.Type != tokName && p.first.Type != tokWord {
		return false
	}
	line, _, _ := strings.Cut(p.behind(&p.first), "\n")
	line = strings.TrimSpace(line)
	behind := strings.TrimLeft(p.behind(&p.first), ",.")
	return strings.HasPrefix(behind, " ") && strings.Contains(line, " ") && line != "" && strings.ContainsRune(".!?\"", rune(line[len(line)-1])) && strings.Count(line, `"`) < 2
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

var amountBehind = regexp.MustCompile(`^\s*([+-])=?\s*([0-9]+)`)

// changeBefore is the beginning of a sentence that changes an amount.
var changeBefore = regexp.MustCompile(`\b(gains|loses) [^\n{};]*$`)

// numberAlone is a number, perhaps with a unit, and nothing else in its line.
var numberAlone = regexp.MustCompile(`^[0-9]+(?: (?:ft|lb|rounds?|minutes?|hours?|days?))? *(?:\n|$)`)

// setBefore is a line that names a creature and a part of it, before the new value.
var setBefore = regexp.MustCompile(`(?:^|\n)\s*(?:set )?([A-Z][A-Za-z0-9-]*)[ .]([a-z][a-z0-9-]*) $`)

// actorBefore is a line with a creature and what may be its action.
var actorBefore = regexp.MustCompile(`(?:^|\n)\s*[A-Z][A-Za-z0-9-]* ([a-z][a-z0-9-]*) $`)

// verbAtEnd is a verb that does not name a part of a creature.
var verbAtEnd = regexp.MustCompile(` (?:takes|suffers|deals|heals|hits|rolls|has|gets|get|gain|lose) $`)

// nameAtEnd is what may be a creature at the end of what was read so far.
var nameAtEnd = regexp.MustCompile(`\b([A-Z][A-Za-z0-9-]*) $`)

// verbBefore is a line with a creature and the base form of a verb, which verbs maps to what the language has.
var verbBefore = regexp.MustCompile(`(?:^|\n)\s*([A-Z][A-Za-z0-9-]*) (gain|get|gets|lose|become) $`)

var verbs = map[string]string{"gain": "gains", "get": "gains", "gets": "gains", "lose": "loses", "become": "becomes"}

// numberBefore and numberBehind are two numbers around the error.
var (
	numberBefore = regexp.MustCompile(`\b([0-9]+) *$`)
	numberBehind = regexp.MustCompile(`^,? *([0-9]+)\b`)
)

// nameBefore is a name at the end of what was read so far.
var nameBefore = regexp.MustCompile(`\b[a-z][a-z0-9-]* $`)

// diceBefore is an amount in dice at the end of what was read so far.
var diceBefore = regexp.MustCompile(`\b[0-9]*d[0-9]+ $`)

// changes rewrites `NAME += 2` and `NAME -2` as a modifier; it returns "" for anything else.
func (p *parser) changes(name *token) string {
	if p.scan == nil {
		return ""
	}
	at := p.spanOf(name).End.Offset - p.scan.base
	if at < 0 || at > len(p.scan.src) {
		return ""
	}
	if m := amountBehind.FindStringSubmatch(p.scan.src[at:]); m != nil {
		return m[1] + m[2] + " to " + name.Value
	}
	return ""
}

// aftermaths maps words for the end of a fight to the word that is meant.
var aftermaths = map[string]string{"win": "won", "victory": "won", "lose": "lost", "loss": "lost", "defeat": "lost", "else": "otherwise"}

// near returns the word of the language that the clause's first word resembles.
func (p *parser) near(groups []words.Group) string {
	if p.first.Type != tokName {
		return ""
	}
	return words.Nearest(p.first.Value, words.Heads(groups...))
}

// meant suggests a word and its form.
func meant(word string, groups []words.Group) string {
	hint := fmt.Sprintf("did you mean `%s`?", word)
	form := words.Forms(formKey(word), groups...)
	if form == nil {
		form = words.Forms(storyKey(word), groups...)
	}
	if form != nil {
		hint += " " + capital(formHint(form))
	}
	return hint
}

func formHint(form []string) string {
	if len(form) == 0 {
		return ""
	}
	return "the form is: " + strings.Join(form, "  or  ")
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
			p.fault.Hint = formHint(words.Forms(word, words.Expression, words.Trigger))
		}
	}
}

// instead returns what the language has for a character of other languages.
func instead(char string) string {
	switch char {
	case "&":
		return "the word is `and`"
	case "!":
		return "the word is `not`"
	case "?":
		return formHint(words.Forms("if then else", words.Expression))
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
