package parse

import (
	"cmp"
	"fmt"
	"strings"

	"arbiter/lang/words"
)

// This file recognizes comments, contractions, choices and names that other languages allow.

// slipOfForeign is about what other languages write differently, wherever it stands.
func (p *parser) slipOfForeign(at mistake) string {
	if text := foreignComment(at); text != "" {
		return "a comment starts with #: `# " + text + "`"
	}
	if hint := contraction(at); hint != "" {
		return hint
	}
	first := p.firstToken.Value
	switch {
	case p.firstToken.Type == tokName && diceLikeName.MatchString(p.sourceAfter(&p.firstToken)):
		name := diceLikeName.FindStringSubmatch(p.sourceAfter(&p.firstToken))[1]
		die := name[:1+digits(name[1:])]
		return fmt.Sprintf("a name cannot begin like dice: `%s` is a die; write another word before it, such as `%s-%s`", die, strings.Trim(name[len(die):], "-"), die)
	case first == "keep" && strings.HasPrefix(p.fault.Message, "expected `=`"):
		return "a memory begins with a value. " + capital(words.FormHint(words.Forms("keep", words.Clause)))
	case p.script && p.firstToken.Type == tokName && takesBefore.MatchString(at.before) && (at.t.Type == tokDice || at.t.Type == tokNumber):
		return changeHint(first, changeWords[takesBefore.FindStringSubmatch(at.before)[1]], at.t.Value)
	case (p.form == "choice" || p.form == "option") && at.t.Value == "if":
		cond, _, _ := strings.Cut(strings.TrimPrefix(at.after, "if"), "{")
		cond, _, _ = strings.Cut(cond, "\n")
		return "a condition of a choice follows `when`: \"label\" when " + cmp.Or(strings.TrimSpace(cond), "COND") + " { ... }"
	}
	if !p.inScene {
		return ""
	}
	if m := choiceAlone.FindStringSubmatch(first + p.sourceAfter(&p.firstToken)); m != nil && p.form != "choice" && p.form != "option" {
		return fmt.Sprintf("choices are written `choices { %s { ... } }`", m[1])
	}
	line := strings.TrimSpace(at.before[strings.LastIndexByte(at.before, '\n')+1:]) // it may seem to continue the clause above
	for _, text := range []string{first + p.sourceAfter(&p.firstToken), line + at.after} {
		m := foreignChoice.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		return fmt.Sprintf("choices are written `choices { %q { go to %s } }`", cmp.Or(strings.TrimSpace(m[1]), "label"), cmp.Or(m[2], "SCENE"))
	}
	return ""
}

// foreignComment returns the text of a comment as other languages write it, which begins at the mistake or just before
// it; "" if there is none.
func foreignComment(at mistake) string {
	line := at.before[strings.LastIndexByte(at.before, '\n')+1:]
	for _, sign := range []string{"//", "/*", "--", "<!--"} {
		for read := range len(sign) {
			before, begun := strings.CutSuffix(line, sign[:read])
			rest, continued := strings.CutPrefix(at.after, sign[read:])
			apart := strings.TrimSpace(before) == "" || strings.HasSuffix(before, " ") && (sign != "--" && sign != "//" || closed.MatchString(before))
			if !begun || !continued || !apart || sign == "--" && !strings.HasPrefix(rest, " ") {
				continue
			}
			for _, end := range []string{"\n", "*/", "-->"} {
				rest, _, _ = strings.Cut(rest, end)
			}
			return cmp.Or(strings.TrimSpace(rest), "...")
		}
	}
	return ""
}

// contraction says how a contracted `not` is written, if the mistake stands in it: `isn't`, `can’t`.
func contraction(at mistake) string {
	from := len(at.before)
	for from > 0 && (letter(at.before[from-1]) || at.before[from-1] == '\'') {
		from--
	}
	m := contracted.FindStringSubmatch(at.before[from:] + at.after)
	if m == nil {
		return ""
	}
	switch strings.ToLower(m[1]) {
	case "is", "are", "was", "were":
		return "write `is not`"
	case "has", "have", "had", "does", "do", "did":
		return "write `has not`, or `is not`"
	case "can", "could", "must", "wo", "may":
		return "write `not (WHO can NAME)`"
	}
	return ""
}

var (
	// contracted is a verb with a contracted `not`, with either apostrophe.
	contracted = newPattern(`^(is|are|was|were|has|have|had|does|do|did|can|could|may|must|wo)n?['’]t\b`)
	// diceLikeName is a name that the scanner takes for dice, after the first word of a declaration.
	diceLikeName = newPattern(`^ +(d[0-9]+[a-z-]*[a-z][a-z0-9-]*)(?: *[{"]| +extends\b| *\n| *=)`)
	// closed is the end of a clause that cannot be continued by an operator.
	closed = newPattern(`(?:[;"}]|  ) *$`)
	// choiceAlone is a choice that stands by itself, perhaps with a word or a condition.
	choiceAlone = newPattern(`^(?:choice|option|button)? *("[^"\n]*")(?: *(?:if|when) [^{}\n]*)? *\{`)
	// foreignChoice is a choice as other tools for stories write it: `* [Label] -> scene`, `+ Label`, `[[Label->scene]]`.
	foreignChoice = newPattern(`^(?:[*+-] *\[?|\[\[)([A-Za-z][^\]\n>|-]*)\]?(?: *(?:->|\|) *([A-Za-z][A-Za-z0-9-]*))?`)
)
