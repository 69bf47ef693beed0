package repl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"arbiter/interp/program"
	"arbiter/interp/session"
	"arbiter/lang/diag"
	"arbiter/lang/words"
	"arbiter/stdlib/pattern"
)

// This file is the hints that only a prompt can give: the input is no valid script, but close to something that can be
// typed here.

// foreignCommands are commands of other prompts, and their equivalents here.
var foreignCommands = map[string]string{
	"exit": ":quit", "bye": ":quit", "load": ":back to NAME", "end": "next turn", "done": "next turn", "skip": "next turn", "wait": "next turn",
	"list": ":status", "stats": ":who NAME", "items": ":inventory", "where": ":map",
}

// foreignForms are such commands with an argument, NAME, which is a creature or, for COMMAND, anything.
var foreignForms = map[string]string{
	"odds": "?COMMAND", "chances": "?COMMAND", "remove": "place NAME at none", "delete": "place NAME at none",
}

// joiningWords are words with which people bring creatures in.
var joiningWords = []string{"add", "spawn", "create", "summon", "join", "insert"}

// askingForActions are words with which people ask what they can do.
var askingForActions = []string{"what", "actions", "options", "choices"}

// commandForm is the hint to a line that is neither a command nor anything else.
var commandForm = "the form is: " + words.Forms("COMMAND", words.Statement)[0]

var someDice = pattern.New(`(^|[^a-zA-Z-])[0-9]*d([0-9]+|%)`)

// maxValueLength is the length up to which a line is tried as a value.
const maxValueLength = 200

// correctable are the codes of mistakes of which several may have one cause: the way in which a line is put.
var correctable = []string{"unknown-command", "expected", "expected-end", "unexpected", "wrong-arguments", "wrong-type", "unknown-resource"}

// improveHints improves the hint of the first mistake in what was typed, if possible. One that corrects the whole line
// stands for all mistakes.
func (t *repl) improveHints(text string, list diag.List) diag.List {
	if hint := t.joiningHint(text); len(list) > 0 && hint != "" {
		list[0].Hint = hint
		return list[:1]
	}
	if hint := t.foreignHint(text); len(list) > 0 && hint != "" {
		list[0].Hint = hint
		return list[:1]
	}
	if len(list) > 1 && list[0].Code == "unknown-name" || len(list) > 0 && slices.Contains(correctable, list[0].Code) {
		if line := t.reworded(text); line != "" {
			list = list[:1]
			list[0].Hint = "did you mean `" + line + "`?"
			return list
		}
	}
	if len(list) > 0 {
		t.improveHint(text, &list[0])
	}
	return list
}

// foreignHint is the equivalent of a command of other prompts that has an argument, or "".
func (t *repl) foreignHint(text string) string {
	word, rest, _ := strings.Cut(text, " ")
	form, known := foreignForms[strings.ToLower(word)]
	rest = strings.TrimSpace(rest)
	if name := t.creatureNamed(rest); name != "" {
		form = strings.Replace(form, "NAME", name, 1)
	} else if strings.Contains(form, "at none") { // the word has another meaning
		return ""
	}
	if !known || rest == "" || strings.Contains(rest, "\n") {
		return ""
	}
	return "did you mean `" + strings.Replace(form, "COMMAND", rest, 1) + "`?"
}

// joiningHint says how a creature is brought in, if a line begins with a word for that and names a template of the rules
// or of rules that can be added; otherwise "".
func (t *repl) joiningHint(text string) string {
	list := strings.Fields(strings.ToLower(text))
	if len(list) < 2 || !slices.Contains(joiningWords, list[0]) || t.isAction(list[0]) {
		return ""
	}
	for _, w := range list[1:] {
		for _, name := range []string{w, strings.TrimSuffix(w, "s")} {
			how := fmt.Sprintf("a creature joins by `side NAME { %s NAME }`", name)
			if slices.ContainsFunc(t.Live.Rules().Program.Templates, func(x program.Template) bool { return x.Name == name }) {
				return how
			}
			if t.RulesetWith == nil {
				continue
			}
			if ruleset := t.RulesetWith(name); ruleset != "" {
				return fmt.Sprintf("%s, after `:with %s`, which has one", how, ruleset)
			}
		}
	}
	return ""
}

// amountHint says how the amounts of a creature are changed, if a line has a number and a creature's name.
func (t *repl) amountHint(text string) string {
	who, amount := "", ""
	for _, w := range strings.Fields(text) {
		if n, err := strconv.Atoi(w); err == nil {
			amount = strconv.Itoa(max(n, -n))
		} else if name := t.creatureNamed(w); name != "" {
			who = name
		}
	}
	if who == "" || amount == "" {
		return ""
	}
	return fmt.Sprintf("change a creature's amounts with `%s gains %s RESOURCE`, `%s loses %s RESOURCE`", who, amount, who, amount)
}

func (t *repl) improveHint(text string, d *diag.Diagnostic) {
	general := d.Hint == "" || d.Hint == commandForm || strings.HasPrefix(d.Hint, "declare it") || strings.HasPrefix(d.Hint, "`keep ") // advice for authors
	word, _, _ := strings.Cut(strings.ToLower(text), " ")
	switch d.Code {
	case "unknown-template":
		name := d.Message[strings.LastIndexByte(d.Message, ' ')+1:]
		if t.RulesetWith == nil {
			return
		}
		if ruleset := t.RulesetWith(name); ruleset != "" {
			d.Hint = fmt.Sprintf("%s has one: `:with %s` adds it to the game", ruleset, ruleset)
		}
		return
	case "unknown-name":
		if general {
			d.Hint = t.nameHint(d.Message[strings.LastIndexByte(d.Message, ' ')+1:])
		}
		return
	case "unknown-command", "expected", "expected-end", "unexpected":
	default:
		return
	}
	begins := slices.Contains(words.LeadingWords(words.Declaration, words.Statement, words.Script), word)
	switch {
	case d.Code == "unknown-command" && d.Span.Start.Column > 1:
		if general {
			d.Hint = "`:help` lists what you can type, and Tab completes it"
		}
	case slices.Contains(askingForActions, word):
		d.Hint = "Tab at the beginning of a line lists what can be done now"
	case foreignCommands[word] != "":
		d.Hint = "did you mean `" + foreignCommands[word] + "`?"
	case t.joinTwoWords(text) != "":
		d.Hint = "did you mean `" + t.joinTwoWords(text) + "`?"
	case d.Code == "unknown-command" && !t.isAction(word) && t.amountHint(text) != "":
		d.Hint = t.amountHint(text)
	case d.Code == "unknown-command" && strings.HasPrefix(d.Hint, "did you mean `"+word+"-") && !strings.Contains(d.Hint, "` or `") && !t.isAction(strings.Trim(strings.TrimPrefix(d.Hint, "did you mean "), "`?")):
		d.Hint = "Tab at the beginning of a line lists what can be done now" // a procedure that only rules call is not meant
	case d.Code == "expected-end" && !begins && t.isAction(word):
		d.Hint = "the words of a name are joined by hyphens, and most arguments have a label: `?" + word + "` shows the form"
	case general && someDice.MatchString(text):
		d.Hint = "dice are rolled by `roll`"
	case t.creatureNamed(text) != "":
		d.Hint = "`?" + t.creatureNamed(text) + "` shows everything about " + t.creatureNamed(text)
	case len(text) <= maxValueLength && !begins && t.isValue(text):
		explains := "`?" + text + "` explains it"
		if strings.HasPrefix(d.Hint, "did you mean `set ") {
			explains = d.Hint + " " + explains
		}
		d.Hint = explains
	case d.Code == "unknown-command" && t.isStat(word):
		about, isAbout := strings.CutPrefix(d.Hint, "it is a number; ")
		d.Hint = "`?WHO." + word + "` explains it"
		if isAbout && strings.Contains(text, " ") { // somebody wants to do it
			d.Hint = about
		}
	case general && !strings.Contains(text, " ") && words.Nearest(word, commandNames()) != "":
		d.Hint = "did you mean `:" + words.Nearest(word, commandNames()) + "`?"
	case general:
		d.Hint = "`:help` lists what you can type, and Tab completes it"
	}
}

// commandNames lists the names of the commands that start with a colon.
func commandNames() (names []string) {
	for _, c := range commands {
		names = append(names, c.name)
	}
	return names
}

// joinTwoWords joins the first two words of a line if that gives an action, and returns the line; otherwise "".
func (t *repl) joinTwoWords(text string) string {
	actor, command, addressed := strings.Cut(text, ": ")
	if !addressed {
		actor, command = "", text
	}
	first, rest, _ := strings.Cut(command, " ")
	second, rest, _ := strings.Cut(rest, " ")
	name := strings.ToLower(first + "-" + second)
	if !t.isAction(name) {
		return ""
	}
	if addressed {
		actor += ": "
	}
	return strings.TrimSpace(actor + name + " " + rest)
}

// isAction reports whether a name is that of an action.
func (t *repl) isAction(name string) bool {
	return slices.ContainsFunc(t.Live.Rules().Program.Procs, func(p program.Proc) bool { return p.Action && p.Name == name })
}

// isProcedure reports whether a name is that of an action or a procedure.
func (t *repl) isProcedure(name string) bool {
	return slices.ContainsFunc(t.Live.Rules().Program.Procs, func(p program.Proc) bool { return p.Name == name })
}

// isStat reports whether a name is that of a stat.
func (t *repl) isStat(name string) bool {
	return slices.ContainsFunc(t.Live.Rules().Program.Stats, func(s program.Stat) bool { return s.Name == name })
}

// isValue reports whether a line is a valid expression.
func (t *repl) isValue(text string) bool {
	if strings.Contains(text, "\n") {
		return false
	}
	_, diags, err := t.Live.Explain(text, session.UsualDepth)
	return err == nil && len(diags) == 0
}

// isStatement reports whether a line may begin with the word: one of the language, or an action of the rules.
func (t *repl) isStatement(word string) bool {
	return slices.Contains(words.LeadingWords(words.Declaration, words.Statement, words.Script), word) || t.isAction(word)
}

// nameHint is the hint for an unknown name: a similar one, or those that exist.
func (t *repl) nameHint(name string) string {
	all := t.Live.Names()
	var matches []string
	for _, n := range all {
		if len(n) > len(name) && strings.EqualFold(n[:len(name)], name) {
			matches = append(matches, n)
		}
	}
	switch {
	case len(matches) == 1:
		return "did you mean `" + matches[0] + "`?"
	case words.Nearest(name, all) != "":
		return "did you mean `" + words.Nearest(name, all) + "`?"
	case len(all) > 0 && len(all) <= maxHintNames && name != strings.ToLower(name):
		return "here are " + strings.Join(all, ", ")
	}
	return "Tab completes names"
}

// maxHintNames is how many names a hint may list.
const maxHintNames = 10
