package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/stdlib/dice"
	"arbiter/stdlib/journal"
)

// This file puts rolls into words: every face that was rolled, what rules made of it, and the result.

// checkText describes a check: die, bonus, and total against the target number. What a rule has changed on the way
// stands where it was changed, with the name of the rule.
func (t *narrator) checkText(e *journal.Event) string {
	pr := t.p.m.Program()
	return t.judgedText(t.address(pr.Labels[pr.Checks[e.Code].Label].Name, e.ID), e)
}

// latestCheck describes the latest check of the running command, "" if there is none.
func (t *narrator) latestCheck() string {
	pr := t.p.m.Program()
	for _, e := range slices.Backward(t.p.m.Journal.Since(t.position)) {
		if e.Kind == machine.CheckRolled {
			name := pr.Labels[pr.Checks[e.Code].Label].Name
			return strings.TrimSpace(t.p.nameOf(int64(e.Who)) + " " + t.judgedText(name, &e))
		}
	}
	return ""
}

// judgedText is checkText with the name of the roll.
func (t *narrator) judgedText(name string, e *journal.Event) string {
	pr := t.p.m.Program()
	c, x := &pr.Checks[e.Code], t.p.m.ExplanationOf(e.ID)
	if x == nil {
		x = &machine.RollExplanation{Dice: -1, Opposed: -1}
	}
	if c.IsForegone(e.A) {
		return t.foregoneText(name, c, e)
	}
	text := fmt.Sprintf("%s: %s %s%s = %d", name, t.naturalText(e.A, x),
		signed(x.Before(program.CheckBonus, e.B)), t.addedText(x, program.CheckBonus), e.C)
	if c.Open {
		return text
	}
	target := fmt.Sprint(e.D)
	if added := t.addedText(x, program.CheckDifficulty); added != "" {
		target = fmt.Sprintf("%d%s = %d", e.D-x.Added(program.CheckDifficulty), added, e.D)
	}
	return fmt.Sprintf("%s against %s, %s", text, target, t.resultText(c, e))
}

// foregoneText describes a check that was certain: `climb.grip: +12 against 5, success whatever is rolled`.
func (t *narrator) foregoneText(name string, c *program.Check, e *journal.Event) string {
	against := fmt.Sprint(e.D)
	if c.Opposed >= 0 {
		against = fmt.Sprintf("%+d", e.D)
	}
	return fmt.Sprintf("%s: %+d against %s, %s whatever is rolled", name, e.B, against, t.verdict(c, e.Text == 1))
}

// replacedText describes a check that a rule decided: `hits without a roll (sure-shot)`, or `rolls 3, hits (sure-shot)`.
func (t *narrator) replacedText(e *journal.Event) string {
	pr := t.p.m.Program()
	c := &pr.Checks[e.Code]
	result := fmt.Sprint(e.A)
	if !c.Open {
		result = t.verdict(c, e.Text == 1)
	}
	if e.C == 1 {
		result = fmt.Sprintf("rolls %d, %s", e.D, result)
	} else {
		result += " without a roll"
	}
	return fmt.Sprintf("%s: %s (%s)", pr.Labels[c.Label].Name, result, t.ruleName(int32(e.B)))
}

// resultText is the word for the result of a check, and by how much, or the face that decided it.
func (t *narrator) resultText(c *program.Check, e *journal.Event) string {
	verdict, margin := t.verdict(c, e.Text == 1), e.C-e.D
	switch {
	case (e.Text == 1) != (margin >= 0):
		return t.faceVerdict(c, e)
	case margin == 0:
		return verdict
	}
	return fmt.Sprintf("%s by %d", verdict, max(margin, -margin))
}

// faceVerdict says that the face decides: `natural 20 hits`.
func (t *narrator) faceVerdict(c *program.Check, e *journal.Event) string {
	says := t.p.m.Program().Rolls[c.Roll].Says
	if says[0] == "" || says[1] == "" {
		return fmt.Sprintf("natural %d: %s", e.A, t.verdict(c, e.Text == 1))
	}
	return fmt.Sprintf("natural %d %s", e.A, t.verdict(c, e.Text == 1))
}

// naturalText shows the face of a check: the dice if it is not a single one, and which rules set it instead of what.
func (t *narrator) naturalText(natural int64, x *machine.RollExplanation) string {
	rolled := ""
	if x.Dice >= 0 {
		die := t.p.m.Journal.ByID(x.Dice)
		rolled = fmt.Sprint(die.A)
		if faces := t.facesText(die); faces != "" {
			rolled += fmt.Sprintf(" (%s)", faces)
		}
	}
	var rules []string
	for _, c := range slices.Backward(x.Changes) {
		switch {
		case c.Part != program.CheckNatural:
		case len(rules) == 0:
			rules = append(rules, t.ruleName(c.Rule))
		default:
			rules = append(rules, fmt.Sprintf("instead of %d by %s", c.To, t.ruleName(c.Rule)))
		}
	}
	switch {
	case rolled == "" && len(rules) == 0:
		return fmt.Sprint(natural)
	case len(rules) == 0:
		return rolled
	case rolled != "":
		rules = append(rules, "instead of "+rolled)
	}
	return fmt.Sprintf("%d (%s)", natural, strings.Join(rules, ", "))
}

// addedText shows what rules have added to a number of a check: ` + 5 (action-point)`.
func (t *narrator) addedText(x *machine.RollExplanation, part int32) (text string) {
	for _, c := range x.Changes {
		if c.Part == part {
			text += fmt.Sprintf(" %s (%s)", signed(c.To-c.From), t.ruleName(c.Rule))
		}
	}
	return text
}

func (t *narrator) ruleName(rule int32) string { return t.p.m.Program().Rules[rule].Name }

// changeText describes a change of a check after it was judged: what rule or procedure made it is named.
func (t *narrator) changeText(e *journal.Event) string {
	pr := t.p.m.Program()
	text := fmt.Sprintf("%s: %s %d -> %d", pr.Labels[pr.Checks[e.Code].Label].Name, ir.CheckVars[e.C], e.A, e.B)
	if by := t.causeName(e); by != "" {
		text += fmt.Sprintf(" (%s)", by)
	}
	return text
}

// causeName is the name of the rule or the procedure that did something, "" if it was a script.
func (t *narrator) causeName(e *journal.Event) string {
	j, pr := t.p.m.Journal, t.p.m.Program()
	for e = j.ByID(e.Cause); e != nil; e = j.ByID(e.Cause) {
		switch e.Kind {
		case machine.RuleRan:
			return pr.Rules[e.Code].Name
		case machine.ProcBegan:
			return pr.Procs[e.Code].Name
		}
	}
	return ""
}

// totalText shows the die of a check's opponent, what is added, and the total.
func (t *narrator) totalText(label string, e *journal.Event) string {
	die := fmt.Sprint(e.A)
	if faces := t.facesText(e); faces != "" {
		die += fmt.Sprintf(" (%s)", faces)
	}
	return fmt.Sprintf("%s: %s %s = %d", t.address(label, e.ID), die, signed(e.D), e.A+e.D)
}

// verdict is the word for the result of a check.
func (t *narrator) verdict(c *program.Check, success bool) string {
	says := t.p.m.Program().Rolls[c.Roll].Says // for success and failure
	if success {
		return cmp.Or(says[0], "success")
	}
	return cmp.Or(says[1], "failure")
}

// facesOf returns the faces of the dice of a roll, in the order in which they fell.
func (t *narrator) facesOf(e *journal.Event) (faces []int32) {
	for id := e.ID - 1; id > 0; id-- {
		d := t.p.m.Journal.ByID(id)
		if d == nil || d.Kind == machine.QuestionAsked {
			continue
		}
		if d.Kind != machine.DieRolled || d.Code != e.Code || d.Who != e.Who {
			break
		}
		faces = append(faces, int32(d.A))
	}
	slices.Reverse(faces)
	return faces
}

// facesText lists the dice of a roll, with what happened to each, unless a single die is the whole result.
func (t *narrator) facesText(e *journal.Event) string {
	faces := t.facesOf(e)
	d, notations := ir.UnpackDice(e.B), t.p.m.Program().Dice
	if len(faces) == 1 && int64(faces[0]) == e.A || d.Times == 0 || int(d.Expr) >= len(notations) {
		return ""
	}
	x, err := dice.Parse(notations[d.Expr])
	if err != nil {
		return ""
	}
	var texts []string
	for len(faces) > 0 { // the same dice may be rolled several times
		thrown := x.Trace(faces)
		if len(thrown) == 0 {
			return ""
		}
		for _, die := range thrown {
			texts = append(texts, die.String())
		}
		faces = faces[len(thrown):]
	}
	return strings.Join(texts, ", ")
}
