package repl

import (
	"cmp"
	"fmt"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/session"
	"arbiter/lang/diag"
)

// This file is the questions that start with a question mark, and the explanations of numbers and refusals.

// answerQuestion answers ?TEXT: a command, a name of the rules or of a creature, a number, or a topic.
func (t *repl) answerQuestion(text string) {
	if text == "" {
		t.showHelp("")
		return
	}
	if !strings.ContainsAny(text, " .#:") {
		page, known := t.topicText(cmp.Or(t.creatureNamed(text), text))
		if t.Live.IsGameVariable(text) {
			if variable, diags, err := t.Live.Explain(text, session.UsualDepth); err == nil && len(diags) == 0 {
				t.showExplanation(variable)
				if t.JSON != nil {
					return
				}
			}
		}
		if known {
			t.page(page)
			return
		}
	}
	text, depth := depthOf(text)
	command, diags := t.Live.Inquire(text)
	if len(diags) == 0 {
		t.showInquiry(command)
		return
	}
	explanation, explainDiags, err := t.Live.Explain(text, depth)
	if err == nil && len(explainDiags) == 0 {
		t.showExplanation(explanation)
		return
	}
	if err == nil && explainDiags[0].Code == "failed" { // it was understood, and has no value: ?1/0
		t.mistakes++
		t.show(t.failureText(explainDiags))
		return
	}
	hint := t.foreignHint(text) // a topic is not meant
	if hint == "" && !t.Live.Begins(text) {
		if page, known := t.Help(text); known {
			t.page(page)
			return
		}
	}
	x, numberDiags, isQuestion := t.plainQuestion(text, depth)
	if x != nil {
		t.showExplanation(x)
		return
	}
	t.mistakes++
	switch {
	case err != nil:
		t.showLine("%s", err)
	case !strings.ContainsAny(text, " .#:") && !t.Live.Begins(text):
		t.showLine("The rules do not mention %s, and no creature here has that name.", term.Clean(text))
	case strings.Contains(strings.Fields(text)[0], "."): // a number of a creature
		t.show(t.failureText(explainDiags))
	case isQuestion && (diags[0].Code == "unknown-command" || diags[0].Code == "illegal-character"):
		t.show(t.failureText(numberDiags))
	default:
		t.show(t.failureText(t.improveHints(text, diags)))
	}
}

// depthOf takes the depth from the end of a question: Alia.attack-bonus depth 2.
func depthOf(text string) (question string, depth session.Depth) {
	if before, after, found := strings.Cut(text, " depth "); found {
		if depth, err := session.ParseDepth(strings.TrimSpace(after)); err == nil {
			return strings.TrimSpace(before), depth
		}
	}
	return text, session.UsualDepth
}

// plainQuestion answers questions for a creature's number in plain words: armor class of Bron, Bron's armor-class.
// isQuestion says whether text is such a question; then diags may say that there is no such number.
func (t *repl) plainQuestion(text string, depth session.Depth) (x *session.Explanation, diags diag.List, isQuestion bool) {
	who, what := "", []string(nil)
	for _, w := range strings.Fields(text) {
		if name := t.creatureNamed(strings.TrimSuffix(w, "'s")); name != "" && who == "" {
			who = name
		} else if w != "of" {
			what = append(what, strings.ToLower(w))
		}
	}
	if who == "" || len(what) == 0 {
		return nil, nil, false
	}
	x, diags, err := t.Live.Explain(who+"."+strings.Join(what, "-"), depth)
	if err != nil || len(diags) > 0 {
		return nil, diags, err == nil
	}
	return x, nil, true
}

// creatureNamed is the creature of that name, ignoring case, or "".
func (t *repl) creatureNamed(name string) string {
	for _, n := range t.Live.Names() {
		if strings.EqualFold(n, name) {
			return n
		}
	}
	return ""
}

func (t *repl) showInquiry(x *session.Inquiry) {
	if t.JSON != nil {
		t.encode(x)
		return
	}
	var b strings.Builder
	b.WriteString(t.Bold(x.Command) + "\n")
	if x.Legal {
		b.WriteString("  allowed")
	} else {
		fmt.Fprintf(&b, "  not allowed: %s", x.Why)
		if x.Where != "" {
			fmt.Fprintf(&b, "  %s", x.Where)
		}
	}
	b.WriteString("\n")
	if len(x.Costs) > 0 {
		fmt.Fprintf(&b, "  costs %s\n", strings.Join(x.Costs, ", or "))
	}
	if len(x.Is) > 0 {
		fmt.Fprintf(&b, "  %s\n", strings.Join(x.Is, ", "))
	}
	if len(x.Triggers) > 0 {
		fmt.Fprintf(&b, "  may provoke: %s\n", strings.Join(x.Triggers, ", "))
	}
	for _, o := range x.Odds {
		made := ""
		if o.Made < 0.9999 {
			made = fmt.Sprintf(", rolled in %s", percent(o.Made))
		}
		fmt.Fprintf(&b, "  %-32s succeeds in %s%s\n", o.Roll, percent(o.Success), made)
	}
	for _, m := range x.Means {
		if m.Name == "" {
			fmt.Fprintf(&b, "  %-32s falls in %s\n", m.Who, percent(m.Mean))
		} else {
			fmt.Fprintf(&b, "  %-32s %.0f -> %.1f on average\n", m.Who+" "+m.Name, m.Now, m.Mean)
		}
	}
	if x.TooMany {
		b.WriteString("  too many outcomes to compute the odds\n")
	}
	t.show(b.String())
}

func percent(v float64) string { return term.Percent(v, 1) }

func (t *repl) explain(arg string) error {
	if arg == "" {
		return t.showUsage("explain")
	}
	arg, depth := depthOf(arg)
	x, diags, err := t.Live.Explain(arg, depth)
	switch {
	case err != nil:
		t.showLine("%s", err)
	case len(diags) > 0:
		if plain, _, isQuestion := t.plainQuestion(arg, depth); isQuestion && plain != nil {
			t.showExplanation(plain)
			break
		}
		t.mistakes++
		t.show(t.failureText(diags))
	default:
		t.showExplanation(x)
	}
	return nil
}

func (t *repl) showExplanation(x *session.Explanation) {
	if t.JSON != nil {
		t.encode(x)
		return
	}
	t.page(x.Text())
}

func (t *repl) explainRefusal(arg string) error {
	rest := strings.TrimSpace(strings.TrimPrefix(arg, "not "))
	if rest == "" || arg == "not" {
		return t.showUsage("why")
	}
	x, diags := t.Live.Inquire(rest)
	if len(diags) > 0 {
		t.mistakes++
		t.show(t.failureText(t.improveHints(rest, diags)))
		return nil
	}
	t.showInquiry(x)
	return nil
}
