package repl

import (
	"slices"
	"strings"

	"arbiter/stdlib/pattern"
)

// This file guesses the command that somebody in a hurry meant: alia attacks snik, longsword.

// reworded returns a command that says what a line probably means, or "". It tries what people get wrong: letter case,
// names of several words, articles and commas, the actor's colon, the form of the verb, the label before an argument.
func (t *repl) reworded(text string) string {
	if len(text) > maxValueLength || strings.ContainsAny(text, "\n{}\";?") {
		return ""
	}
	if line := t.rewordedCommand(text); line != "" {
		return line
	}
	if line := t.changed(text); line != text {
		return line
	}
	return ""
}

// rewordedCommand is reworded for what somebody does, or becomes.
func (t *repl) rewordedCommand(text string) string {
	known := map[string]string{} // by lower case
	for _, name := range slices.Concat(t.Live.Vocabulary(), t.Live.Names()) {
		known[strings.ToLower(name)] = name
	}
	list := knownWords(text, known)
	if len(list) < 2 || len(list) > maxRewordedWords {
		return ""
	}
	names := t.Live.Names()
	actor, rest := []string(nil), list
	if slices.Contains(names, list[0]) {
		actor, rest = []string{list[0], ":"}, list[1:]
		if rest[0] == ":" {
			rest = rest[1:]
		}
	}
	if len(rest) > 0 {
		rest = slices.Concat([]string{t.actionOf(rest[0])}, rest[1:])
		if found := t.withLabel(slices.Concat(actor, rest), known); found != "" && found != text {
			return found
		}
	}
	if i := slices.IndexFunc(list, func(w string) bool { return slices.Contains(names, w) }); i >= 0 { // Bo is prone, give Bo prone
		verb := " gains "
		if slices.ContainsFunc(list, func(w string) bool { return w == "lose" || w == "loses" || w == "not" }) {
			verb = " loses "
		}
		for _, effect := range []string{list[len(list)-1], list[0]} {
			if line := list[i] + verb + effect; t.Live.Understands(line) {
				return line
			}
		}
	}
	return ""
}

// maxRewordedWords is the length of a line, in words, up to which it is reworded: each way to read it is checked.
const maxRewordedWords = 10

// withLabel returns the line if it is understood, as it is, or with a label of its action put before one of the
// arguments, or in place of an unknown word, or without that word; otherwise "".
func (t *repl) withLabel(form []string, known map[string]string) string {
	if line := joined(form); t.Live.Understands(line) {
		return line
	}
	action := slices.Index(form, ":") + 1
	for i := action + 1; i < len(form); i++ {
		tries := [][]string{}
		unknown := i+1 < len(form) && known[strings.ToLower(form[i])] == ""
		for _, label := range t.labelsOf(form[action]) {
			tries = append(tries, slices.Insert(slices.Clone(form), i, label))
			if unknown {
				tries = append(tries, slices.Concat(form[:i], []string{label}, form[i+1:]))
			}
		}
		if unknown {
			tries = append(tries, slices.Concat(form[:i], form[i+1:]))
		}
		for _, words := range tries {
			if line := joined(words); t.Live.Understands(line) {
				return line
			}
		}
	}
	return ""
}

// joined is a line of these words.
func joined(list []string) string { return strings.ReplaceAll(strings.Join(list, " "), " : ", ": ") }

// labelsOf lists the labels of an action's arguments.
func (t *repl) labelsOf(action string) (labels []string) {
	for _, p := range t.Live.Rules().Program.Procs {
		if p.Name == action {
			for _, x := range p.Params {
				if x.Label != "" {
					labels = append(labels, x.Label)
				}
			}
		}
	}
	return labels
}

// actionOf is the action that a verb in the third person names, or the verb itself.
func (t *repl) actionOf(verb string) string {
	for _, ending := range []string{"s", "es"} {
		base, cut := strings.CutSuffix(verb, ending)
		for _, p := range t.Live.Rules().Program.Procs {
			if cut && p.Action && p.Name == base {
				return base
			}
		}
	}
	return verb
}

// squareInWords is a square as people write it.
var squareInWords = pattern.New(`\(? *\b([0-9]+)(?: *, *| +)([0-9]+)\b *\)?`)

// knownWords splits a line into its words: combatants and definitions as they are spelled, even if their parts are
// separate, squares as one word. Articles and commas are left out.
func knownWords(text string, known map[string]string) (list []string) {
	const square = "\x00"
	var squares []string
	text = squareInWords().ReplaceAllStringFunc(text, func(s string) string {
		m := squareInWords.FindStringSubmatch(s)
		squares = append(squares, "("+m[1]+", "+m[2]+")")
		return " " + square + " "
	})
	words := strings.Fields(strings.NewReplacer(",", " ", ":", " : ").Replace(text))
	for i := 0; i < len(words); {
		n := min(3, len(words)-i)
		for ; n > 1 && known[strings.ToLower(strings.Join(words[i:i+n], "-"))] == ""; n-- {
		}
		word := strings.Join(words[i:i+n], "-")
		i += n
		switch small := strings.ToLower(word); {
		case word == square:
			list, squares = append(list, squares[0]), squares[1:]
		case known[small] != "":
			list = append(list, known[small])
		case small == "the" || small == "a" || small == "an":
		default:
			list = append(list, small)
		}
	}
	return list
}

// changeVerbs are what people call a change of an amount, and the word for it.
var changeVerbs = map[string]string{
	"take": "loses", "takes": "loses", "suffers": "loses", "lose": "loses", "loses": "loses", "damage": "loses", "deal": "loses", "deals": "loses", "hurt": "loses", "hit": "loses",
	"heal": "gains", "give": "gains", "gives": "gains", "heals": "gains", "regains": "gains", "recovers": "gains", "gain": "gains", "gains": "gains",
}

// fillers are words beside the verb of such a change.
var fillers = []string{"damage", "hp", "hit", "points", "point", "of", "for", "to", "by", "health", "back", "from"}

// changed rewords `Bo takes 5 damage`, `heal Bo 5`: as a change of the first amount that the creature starts with in
// full; "" if it is nothing of the kind.
func (t *repl) changed(text string) string {
	who, verb, amount := "", "", ""
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == ':' || r == ',' }) {
		lower := strings.ToLower(word)
		named := slices.IndexFunc(t.Live.Names(), func(name string) bool { return strings.EqualFold(name, word) })
		switch {
		case who == "" && named >= 0:
			who = t.Live.Names()[named]
		case verb == "" && changeVerbs[lower] != "":
			verb = changeVerbs[lower]
		case amount == "" && amountWord.MatchString(lower):
			amount = lower
		case !slices.Contains(fillers, lower):
			return ""
		}
	}
	if who == "" || verb == "" || amount == "" {
		return ""
	}
	for _, f := range t.Live.View().Fighters {
		if f.Name == who && len(f.Pools) > 0 {
			if line := who + " " + verb + " " + amount + " " + f.Pools[0].Name; t.Live.Understands(line) {
				return line
			}
		}
	}
	return ""
}

// amountWord is a number, or dice.
var amountWord = pattern.New(`^[0-9]+$|^[0-9]*d[0-9]+$`)
