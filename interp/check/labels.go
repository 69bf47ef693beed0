package check

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/words"
)

// This file knows the labels of all rolls and choices, so that a script cannot set a die that is never rolled.

// labelUse is what code asks for with a label: a function in Starlark may ask for both.
type labelUse uint8

const (
	rolled labelUse = 1 << iota
	chosen
)

// ScriptLabel is the label of code outside of procedures: that of scripts.
const ScriptLabel = "script"

// labelHere is the path of a roll or a choice at this place.
func (s *scope) labelHere() string {
	if s.step != "" {
		return s.label + "." + s.step
	}
	return s.label
}

// labelOf is the label of a roll or a choice at this place, which is then known.
func (s *scope) labelOf(use labelUse) string {
	label := s.labelHere()
	s.asks(label, use)
	return label
}

// maxOfferWords is how many words of an offer make a name; a longer one is a sentence.
const maxOfferWords = 5

// offerLabel is the label of an offer: in a step it ends in what is offered, so that `answer` can name one of several.
func (s *scope) offerLabel(n *ast.May) string {
	name := ""
	switch {
	case n.Command != nil:
		name = n.Command.Name.Name
	case n.Label != nil && !strings.ContainsAny(n.Label.Value, "{}"):
		name = nameOfText(n.Label.Value)
	}
	if s.step == "" || name == "" {
		return s.labelOf(chosen)
	}
	label := s.label + "." + name
	s.asks(label, chosen)
	return label
}

// nameOfText makes a name of a short text, "" if that would be none.
func nameOfText(text string) string {
	parts := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	if len(parts) == 0 || len(parts) > maxOfferWords || parts[0][0] < 'a' {
		return ""
	}
	return strings.Join(parts, "-")
}

// asks records that code asks for something with a label.
func (s *scope) asks(label string, use labelUse) {
	if !s.atRunTime {
		s.c.labels[label] |= use
	}
}

// AddRoll makes a label known that something other than statements rolls.
func (k *Checked) AddRoll(label string) { k.c.labels[label] |= rolled }

// Labels lists the labels of all rolls, or else of all choices, that are known, sorted.
func (k *Checked) Labels(dice bool) (list []string) {
	for _, l := range slices.Sorted(maps.Keys(k.c.labels)) {
		if k.c.labels[l]&useOf(dice) != 0 {
			list = append(list, l)
		}
	}
	return list
}

// UnknownLabel returns what is wrong with a label of `dice`, or else of `answer`, that no code of the rules and of the
// scripts checked so far asks for. It returns "" for any other.
func (k *Checked) UnknownLabel(label string, dice bool) string {
	switch use := useOf(dice); {
	case k.c.labels[label]&use != 0:
		return ""
	case use == chosen:
		return "nothing asks for " + label
	}
	return "nothing rolls " + label
}

// LabelHint returns what to write in place of an unknown label.
func (k *Checked) LabelHint(label string, dice bool) string {
	switch have := k.c.labels[label]; {
	case have == 0:
		return cmp.Or(k.c.labelHint(label, useOf(dice)), "the form is PROCEDURE.NAME, where NAME is that of its `let`, its `as` or its step")
	case have == chosen:
		return "it is a choice: write `answer`"
	}
	return "it is a roll: write `dice`"
}

func useOf(dice bool) labelUse {
	if dice {
		return rolled
	}
	return chosen
}

// labelHint suggests the labels that were probably meant: a similar one of the same procedure; one of the same name in
// another, preferably in one that the procedure or the script calls; those of the procedure; or any similar one.
func (c *checker) labelHint(label string, use labelUse) string {
	if !c.wantsHints() {
		return ""
	}
	dot := strings.LastIndexByte(label, '.')
	owner, name := label[:max(dot, 0)], label[dot+1:]
	var all, siblings, siblingNames, namesakes, longer []string
	for _, l := range slices.Sorted(maps.Keys(c.labels)) {
		if c.labels[l]&use == 0 {
			continue
		}
		all = append(all, l)
		if part, ok := strings.CutPrefix(l, owner+"."); ok {
			siblings, siblingNames = append(siblings, l), append(siblingNames, part)
		}
		switch last := l[strings.LastIndexByte(l, '.')+1:]; {
		case last == name:
			namesakes = append(namesakes, l)
		case extensions(name, []string{last}) != nil:
			longer = append(longer, l)
		}
	}
	if n := words.Nearest(name, siblingNames); n != "" {
		return anyOf([]string{owner + "." + n})
	}
	if n := words.Nearest(label, namesakes); n != "" {
		return anyOf([]string{n})
	}
	found := cmp.Or(anyOf(c.labelsReached(cmp.Or(owner, ScriptLabel), namesakes)), anyOf(c.labelsReached(label, all)),
		anyOf(namesakes), anyOf(siblings), anyOf(longer))
	if found == "" && siblings == nil {
		found = c.nearestHint(label, all)
	}
	return found
}

// labelsReached returns those of the labels that are in a procedure, or else in the procedures that it calls, or in
// those that they call, and so on.
func (c *checker) labelsReached(procedure string, labels []string) (found []string) {
	level, seen := []string{procedure}, map[string]bool{procedure: true}
	for len(level) > 0 && found == nil {
		var next []string
		for _, p := range level {
			for _, l := range labels {
				if strings.HasPrefix(l, p+".") {
					found = append(found, l)
				}
			}
			for _, q := range c.calls[p] {
				if !seen[q] {
					seen[q] = true
					next = append(next, q)
				}
			}
		}
		level = next
	}
	slices.Sort(found)
	return found
}
