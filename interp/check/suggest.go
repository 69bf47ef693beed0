package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
	"arbiter/lang/words"
)

// This file suggests corrections of misspelled names.

// MaxHintedMistakes is the number of mistakes after which the search for similar names is not worth its time.
const MaxHintedMistakes = 100

// wantsHints reports whether it is worth collecting names for a hint.
func (c *checker) wantsHints() bool {
	return c.muted == 0 && c.earlierDiags+len(c.diags) <= MaxHintedMistakes
}

// nearestHint returns a hint with the most similar name, "" if none is similar.
func (c *checker) nearestHint(name string, names []string) string {
	if !c.wantsHints() {
		return ""
	}
	slices.Sort(names) // map order must not matter
	if n := words.Nearest(name, names); n != "" {
		return "did you mean `" + n + "`?"
	}
	if all := extensions(name, names); len(all) == 1 {
		return anyOf(all)
	}
	return anyOf(shortenings(name, names))
}

// shortenings are the names that are a word without its first or its last part: vigor for vigor-points. names are
// sorted.
func shortenings(word string, names []string) (found []string) {
	first, last := strings.IndexByte(word, '-'), strings.LastIndexByte(word, '-')
	if first < 0 {
		return nil
	}
	for _, n := range []string{word[:last], word[first+1:]} {
		if _, known := slices.BinarySearch(names, n); known && len(n) > 3 && !slices.Contains(found, n) {
			found = append(found, n)
		}
	}
	return found
}

// maxHintAlternatives is how many names a hint may suggest.
const maxHintAlternatives = 6

// alternativesHint is the hint that lists the things of a type whose names contain a word: the longsword and others for
// sword.
func (c *checker) alternativesHint(word string, want *ir.Type) string {
	if want == nil || want.Kind != ir.Ref || len(word) < 3 {
		return ""
	}
	var names []string
	for _, t := range c.rs.Templates {
		if t.Kind != nil && t.Kind.Name == want.Name && strings.Contains(t.Name, strings.ToLower(word)) {
			names = append(names, t.Name)
		}
	}
	if len(names) < 2 {
		return ""
	}
	// Of too many, those that add the least to the word are the likeliest.
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	names = names[:min(len(names), maxHintAlternatives-1)]
	slices.Sort(names)
	return anyOf(names)
}

// declareThingHint says how a thing of the expected kind is declared, and where those that there are are listed.
func (c *checker) declareThingHint(name string, want *ir.Type) string {
	if want == nil || want.Kind != ir.Ref || want.Name == "creature" || c.kinds[want.Name] == nil {
		return ""
	}
	return fmt.Sprintf("declare it: `%s %s { ... }`; `arbiter rules list RULESET --kind %s` lists what there is", want.Name, name, want.Name)
}

// anyOf is the hint that one of these names may be meant, "" if there are none, or too many.
func anyOf(names []string) string {
	if len(names) == 0 || len(names) > maxHintAlternatives {
		return ""
	}
	return "did you mean " + quotedList(names) + "?"
}

// quotedList quotes alternatives and joins them: `a`, `b` or `c`.
func quotedList(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return "`" + names[0] + "`"
	}
	return "`" + strings.Join(names[:last], "`, `") + "` or `" + names[last] + "`"
}

// maxListed is how many names a hint may list when none is similar.
const maxListed = 20

// listHint is the hint that lists all names there are, "" if there are none, or too many.
func listHint(what string, names []string) string {
	if len(names) == 0 || len(names) > maxListed {
		return ""
	}
	return what + " " + strings.Join(names, ", ")
}

// nearestMemberHint is nearest for what a thing of a type has. For creatures, fields and numbers come first, since
// these are often abbreviated.
func (s *scope) nearestMemberHint(t ir.Type, name string) string {
	c := s.c
	if t.Kind == ir.Ref && t.Name == "creature" && c.wantsHints() {
		if near := c.nearestHint(name, append(c.numberNames(), fieldNames(c.kinds[t.Name])...)); near != "" {
			return near
		}
	}
	return c.nearestHint(name, s.propertyNames(t))
}

// errNoMember reports that a thing of a type has nothing with that name.
func (s *scope) errNoMember(name ast.Ident, t ir.Type) {
	hint := s.nearestMemberHint(t, name.Name)
	switch {
	case t.Kind == ir.List && slices.Contains(s.propertyNames(*t.Elem), name.Name):
		hint = "a list has many: name one of them, `WHO." + name.Name + "`, or ask for all: `highest one in LIST of one." + name.Name + "`, `every one in LIST where ...`"
	case hint == "" && (t.Kind == ir.Record || t.Kind == ir.Outcome):
		hint = listHint("it has", s.propertyNames(t))
	case hint == "" && t.Kind == ir.Ref:
		hint = "declare it: `define " + t.Name + "." + name.Name + " = EXPR`, or a field in `kind " + t.Name + "`"
	}
	s.errHint(name.Span, "unknown-name", article(typeName(t))+" has nothing named "+name.Name, hint)
}

// numberNames lists the names of all stats and resources.
func (c *checker) numberNames() []string {
	var names []string
	for n, x := range c.names {
		switch x.(type) {
		case *ir.Resource, *ir.Stat:
			names = append(names, n)
		}
	}
	return names
}

// extensions are the names that start or end with a form of the word, sorted: move-action for move, moves or moving.
func extensions(word string, names []string) (found []string) {
	stem := words.Stem(word)
	for _, n := range names {
		first, last := strings.IndexByte(n, '-'), strings.LastIndexByte(n, '-')
		if strings.HasPrefix(n, word+"-") || strings.HasSuffix(n, "-"+word) ||
			first > 0 && (words.Stem(n[:first]) == stem || words.Stem(n[last+1:]) == stem) {
			found = append(found, n)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// stepHint suggests a step for a name that no step has: the one that binds it, one of a similar name, or all.
func (c *checker) stepHint(p *ir.Proc, name string, steps []string) string {
	for _, st := range p.Steps {
		if binds(st.Body, name) {
			return "the step " + st.Name + " binds it: `" + p.Name + "." + st.Name + "`"
		}
	}
	if near := c.nearestHint(name, slices.Clone(steps)); near != "" {
		return near
	}
	return listHint("its steps are", steps)
}

// binds reports whether one of the statements binds the name.
func binds(list []*ir.Stmt, name string) (found bool) {
	ir.WalkStmts(list, func(x *ir.Stmt) {
		if x.Var != nil && x.Var.Name == name || x.Check != nil && x.Check.Var != nil && x.Check.Var.Name == name {
			found = true
		}
	}, func(*ir.Expr) {})
	return found
}

// causesOf lists the resources and effects in the condition of a derived effect, for a hint; "" if there are none.
func (c *checker) causesOf(while ast.Expr) string {
	var names []string
	ast.Contains(while, func(node any) bool {
		if n, ok := node.(*ast.Name); ok && !slices.Contains(names, n.Name) {
			switch c.names[n.Name].(type) {
			case *ir.Resource, *ir.Effect:
				names = append(names, n.Name)
			}
		}
		return false
	})
	if list := listHint("", names); list != "" {
		return ":" + list
	}
	return ""
}

// labelHint says what can be asked of an event instead of a label that it does not have.
func labelHint(p *ir.Proc, label string) string {
	if p == nil {
		return "`by` is the actor; nothing else can be asked of this event here"
	}
	var labels []string
	for _, v := range p.Params {
		if v.Label != "" {
			labels = append(labels, "`"+v.Label+"`")
		}
	}
	hint := ""
	if label == "to" {
		hint = p.Name + " has no object: what a creature itself does is `by self`"
	} else {
		hint = "`by` is who does it"
	}
	if len(labels) > 0 {
		hint += "; its labels are " + strings.Join(labels, ", ")
	}
	return hint
}

// maxAbout is how many commands a hint names that are about a word.
const maxAbout = 4

// commandsAbout is the hint for a word that is no command: the commands that are about it, by a part of their names or
// by their sentences, actions first. It is "" if there are none.
func (c *checker) commandsAbout(word string) string {
	if len(word) < 4 || !c.wantsHints() {
		return ""
	}
	about := func(text string) bool {
		for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
			if sameStem(w, strings.ToLower(word)) {
				return true
			}
		}
		return false
	}
	var ranks [3][]string
	for _, p := range c.rs.Procs {
		switch named := about(p.Name); {
		case p.Of != nil || p.KindProc != nil || !named && !about(p.Part.Doc):
		case p.Action && named:
			ranks[0] = append(ranks[0], p.Name)
		case p.Action:
			ranks[1] = append(ranks[1], p.Name)
		default:
			ranks[2] = append(ranks[2], p.Name)
		}
	}
	all := slices.Concat(ranks[:]...)
	if len(all) == 0 {
		return ""
	}
	few := quotedList(all[:min(len(all), maxAbout)])
	if len(all) > maxAbout {
		return "commands about it are " + few + fmt.Sprintf(", and %d more: `arbiter rules list RULESET %s`", len(all)-maxAbout, word)
	}
	return anyOf(all)
}

// sameStem reports whether a word is another one with an ending: shoots, shooting for shoot.
func sameStem(a, b string) bool {
	for _, ending := range []string{"", "s", "es", "ed", "d", "ing", "er", "ers"} {
		if a == b+ending || b == a+ending || a == strings.TrimSuffix(b, "e")+ending {
			return true
		}
	}
	return false
}
