package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/lang/words"
	"arbiter/stdlib/grid"
	"arbiter/stdlib/pattern"
)

// This file completes input at the prompt, given the current state.

// Candidate is one possible completion.
type Candidate struct {
	Text  string
	About string // a short description; may be empty
}

// Complete returns the candidates at byte offset at of a line, and the offset of the word that they replace.
func (l *Live) Complete(line string, at int) (from int, list []Candidate) {
	before := line[:min(at, len(line))]
	inSide := false
	if i := strings.LastIndexAny(before, "\n;{}"); i >= 0 {
		open := strings.LastIndexByte(before, '{')
		inSide = open > strings.LastIndexByte(before, '}') && sideHead.MatchString(before[:open])
		before, from = before[i+1:], i+1
	}
	words, part, offset := splitWords(before)
	c := completer{p: l.p, words: words, part: part}
	if len(words) > 0 && (words[0] == "dice" || words[0] == "answer") {
		c.start() // a label is completed as a whole
	} else if thing, property, ok := cutLast(part, '.'); ok {
		c.properties(thing)
		part, offset = property, offset+len(thing)+1
	} else if inSide {
		c.members()
	} else {
		c.start()
	}
	list = beginningWith(c.list, part)
	slices.SortStableFunc(list, func(a, b Candidate) int { return cmp.Compare(a.Text, b.Text) })
	list = slices.CompactFunc(list, func(a, b Candidate) bool { return a.Text == b.Text })
	if from > 0 {
		return from + offset, list
	}
	return l.prependChoices(before, offset, list)
}

// beginningWith returns the candidates that begin with a text or, if there are none, those that do so in other letter
// case.
func beginningWith(list []Candidate, text string) []Candidate {
	for _, begins := range []func(s, prefix string) bool{strings.HasPrefix, hasPrefixFold} {
		var found []Candidate
		for _, x := range list {
			if begins(x.Text, text) {
				found = append(found, x)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// sideHead matches what precedes the braces in which combatants are placed.
var sideHead = pattern.New(`(^|[\n;{}])\s*side\s+\S+\s*$`)

// splitWords splits a line into its words and the unfinished word. A colon after a word is a word of its own; a square,
// including its parentheses, is one word.
func splitWords(line string) (words []string, part string, offset int) {
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == ' ' || c == '\t' || c == ',':
			i++
			offset = i
		case c == ':':
			words = append(words, ":")
			i++
			offset = i
		default:
			n := strings.IndexAny(line[i:], " \t,:")
			if c == '(' {
				if n = strings.IndexByte(line[i:], ')') + 1; n == 0 {
					n = -1
				}
			}
			if n < 0 {
				return words, line[i:], i
			}
			words = append(words, line[i:i+n])
			i += n
			offset = i
		}
	}
	return words, "", offset
}

func cutLast(s string, sep byte) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// completer collects candidates.
type completer struct {
	p     *player
	words []string // before the unfinished word
	part  string   // the unfinished word
	list  []Candidate
}

func (c *completer) add(text, about string) { c.list = append(c.list, Candidate{text, about}) }

// start collects candidates according to the words before the unfinished one.
func (c *completer) start() {
	w, current := c.words, int32(-1)
	if c.p.m.State().InFight {
		current = c.p.m.State().Order.Current()
	}
	switch {
	case len(w) == 0:
		c.first(current)
	case c.misplaced(w[0]):
	case slices.Contains(w, "plan"):
		c.trigger(w[len(w)-1])
	default:
		if who := c.member(w[0]); who >= 0 {
			c.afterMember(who)
		} else {
			c.afterWord(current)
		}
	}
}

// first adds what a line can begin with. current is the creature whose turn it is, or -1.
func (c *completer) first(current int32) {
	for _, e := range words.LeadingEntries(words.Script, words.Statement) {
		if !c.misplaced(e.Word) {
			c.add(e.Word, e.Meaning)
		}
	}
	for i := range c.p.members {
		c.add(c.p.members[i].name, "")
	}
	if current >= 0 {
		c.actions(current)
	}
}

// afterMember adds what follows the name of a creature.
func (c *completer) afterMember(who int32) {
	w := c.words
	switch {
	case len(w) == 1:
		c.add(":", "does something")
		c.add("gains", "a condition, or an amount of something")
		c.add("loses", "likewise")
		c.add("follows", "tactics")
	case w[1] == ":" && len(w) == 2:
		c.actions(who)
	case w[1] == ":":
		c.arguments(who, w[2], w[3:])
	case len(w) == 2 && (w[1] == "gains" || w[1] == "loses"):
		c.effects(who, w[1] == "loses")
	case len(w) == 2 && w[1] == "follows":
		for _, t := range c.p.checked.Ruleset.Tactics {
			c.add(t.Name, t.Part.Doc)
		}
	case w[len(w)-1] == "by":
		c.creatures()
	case len(w) > 2:
		for _, word := range []string{"by", "for", "until", "while"} {
			c.add(word, "")
		}
	}
}

// afterWord adds what follows a word of the language, or the name of an action of the creature whose turn it is.
func (c *completer) afterWord(current int32) {
	w, p := c.words, c.p
	switch w[0] {
	case "next":
		switch len(w) {
		case 1:
			c.add("turn", "the next one")
		case 2:
			c.add("of", "somebody")
		case 3:
			c.creatures()
		}
	case "fight":
		if len(w) == 1 {
			c.add("on", "until it is decided")
		} else if len(w) == 2 {
			c.add("until", "a condition holds")
		}
	case "set", "explain", "expect":
		if len(w) == 1 || w[0] != "set" {
			c.creatures()
		} else if len(w) == 2 {
			c.add("to", "")
		}
	case "place":
		switch len(w) {
		case 1:
			c.creatures()
		case 2:
			if who := c.member(w[1]); who >= 0 && p.isAway(int64(who)) {
				c.add("back", "brings it back into the fight")
			}
			c.placeWords()
		case 3:
			if w[2] == "at" {
				c.add("none", "takes it out of the fight")
			} else {
				c.creatures()
			}
			if who := c.member(w[1]); who >= 0 && p.field != nil {
				for _, at := range c.neighbors(who) {
					c.add(squareText(at), "")
				}
			}
		}
	case "ground":
		if len(w) == 1 {
			c.things(max(current, 0), "terrain")
			c.add("none", "nothing lies there any more")
		} else {
			c.add("at", "a square, (x, y)")
		}
	case "dice", "answer":
		if len(w) == 1 {
			c.creatures()
		}
		if len(w) == 1 && c.part != "" || len(w) == 2 && c.member(w[1]) >= 0 {
			q := &p.dice
			if w[0] == "answer" {
				q = &p.answers
			}
			for _, asked := range q.requested {
				if who, path, _ := strings.Cut(asked, " "); who == w[len(w)-1] {
					c.add(path, "asked for before")
				}
			}
			for _, label := range p.checked.Labels(w[0] == "dice") {
				c.add(label, "")
			}
		}
	case "side":
		switch len(w) {
		case 1:
			for _, s := range p.sides {
				c.add(s, "")
			}
		case 2:
			c.words = nil
			c.members()
		}
	default:
		if current >= 0 {
			c.arguments(current, w[0], w[1:])
		}
	}
}

// trigger adds what follows a word of the trigger of a plan.
func (c *completer) trigger(last string) {
	switch last {
	case "plan":
		c.add("before", "an action")
		c.add("after", "an action")
	case "before", "after":
		for _, x := range c.p.checked.Procs {
			if x.Action && x.Part != nil {
				c.add(x.Name, x.Part.Doc)
			}
		}
	case "by":
		c.creatures()
	default:
		c.add("by", "somebody")
	}
}

// misplaced reports whether a word can only lead to statements that would be refused now.
func (c *completer) misplaced(word string) bool {
	p := c.p
	first, rest, _ := strings.Cut(word, " ")
	switch first {
	case "given", "test", "cancel", "default": // only in files or in rules
		return true
	case "start":
		return p.story == nil
	case "take":
		return p.story == nil || p.phase() != choosing
	case "expect":
		return p.story == nil && slices.Contains([]string{"told", "offered", "withheld", "at", "finished"}, rest)
	}
	if p.story != nil && p.phase() != fighting && slices.Contains(fightWords, first) {
		return true
	}
	return first == "next" && !p.m.State().InFight
}

// member returns the number of a combatant, or -1.
func (c *completer) member(name string) int32 {
	return int32(slices.IndexFunc(c.p.members, func(m member) bool { return m.name == name }))
}

// placeWords adds the words before the square of a combatant.
func (c *completer) placeWords() {
	c.add("at", "a square, (x, y)")
	c.add("near", "a creature or a square: the nearest free one")
}

// members adds the creatures that can be placed.
func (c *completer) members() {
	switch len(c.words) {
	case 0:
	case 1: // a new name comes next
		return
	default:
		if c.words[len(c.words)-1] == "near" {
			c.creatures()
		} else {
			c.placeWords()
		}
		return
	}
	for _, t := range c.p.checked.Templates {
		if t.Kind != nil && t.Kind == c.p.checked.Kinds[0] {
			c.add(t.Name, t.Part.Doc)
		}
	}
}

func (c *completer) creatures() {
	for i := range c.p.members {
		c.add(c.p.members[i].name, "")
	}
}

// actions adds the actions that a creature is not forbidden to take now.
func (c *completer) actions(who int32) {
	p := c.p
	for i, x := range p.checked.Procs {
		if !x.Action || c.forbidden(who, int32(i)) {
			continue
		}
		about := ""
		if x.Part != nil {
			about = x.Part.Doc
		}
		c.add(x.Name, about)
	}
}

// forbidden reports whether a creature may not take an action now, whatever its arguments. If that depends on the
// arguments, the action counts as allowed.
func (c *completer) forbidden(who, proc int32) bool {
	pr := c.p.m.Program()
	for i := range pr.Permissions {
		if x := &pr.Permissions[i]; x.Proc == proc || x.Name == pr.Procs[proc].Name {
			can, err := c.p.m.ReadCan(int32(i), int64(who))
			if err == nil && !can {
				return true
			}
		}
	}
	wants := false
	for _, x := range c.p.checked.Procs[proc].Params {
		if x.Default == nil && x.Type.Kind == ir.Square && c.p.field == nil {
			return true // there are no squares
		}
		wants = wants || x.Default == nil
	}
	if wants {
		return false
	}
	ok, _, _ := c.p.m.Legal(who, proc, c.absentArgs(proc))
	return !ok
}

func (c *completer) absentArgs(proc int32) []int64 {
	args := make([]int64, len(c.p.m.Program().Procs[proc].Params))
	for i := range args {
		args[i] = program.Absent
	}
	return args
}

// arguments adds the arguments of an action that is being typed.
func (c *completer) arguments(who int32, name string, given []string) {
	p := c.p
	x, ok := p.checked.Lookup(name).(*ir.Proc)
	if !ok {
		return
	}
	if n := len(given); n > 0 {
		for i, v := range x.Params {
			if v.Label == given[n-1] {
				c.values(who, x, i)
				return
			}
		}
	}
	for i, v := range x.Params {
		switch {
		case v.Label == "" && len(given) == 0:
			c.values(who, x, i)
			if v.Default == nil {
				return
			}
		case v.Label != "" && !slices.Contains(given, v.Label):
			c.add(v.Label, v.Name)
		}
	}
}

// values adds the values that a parameter of an action can have: the legal ones, if there are any.
func (c *completer) values(who int32, x *ir.Proc, param int) {
	p := c.p
	v := x.Params[param]
	switch v.Type.Kind {
	case ir.YesNo:
		c.add("yes", "")
		c.add("no", "")
	case ir.EnumType:
		for _, e := range p.checked.Enums {
			if e.Name != v.Type.Name {
				continue
			}
			for _, m := range e.Members {
				c.add(m, "")
			}
		}
	case ir.ActionRef:
		c.actions(who)
	case ir.PlanType:
		c.add("plan", "what to do, and when: plan before move by X { attack X }")
	case ir.Square:
		c.squares(who, x, param)
	case ir.Ref, ir.Place:
		if v.Type.Kind == ir.Ref && v.Type.Name != p.checked.Kinds[0].Name {
			c.things(who, v.Type.Name)
			return
		}
		n := len(c.list)
		var why string
		for i := range p.members {
			args := c.absentArgs(int32(x.Index))
			args[param] = int64(i)
			if ok, _, reason := p.m.Legal(who, int32(x.Index), args); ok {
				c.add(p.members[i].name, "")
			} else {
				why = reason
			}
		}
		if len(c.list) == n {
			for i := range p.members {
				c.add(p.members[i].name, why)
			}
		}
	}
}

// squares adds the squares that are legal for an action.
func (c *completer) squares(who int32, x *ir.Proc, param int) {
	for _, at := range c.legalSquares(who, x, param) {
		c.add(squareText(at), "")
	}
}

// legalSquares lists the squares that are legal for an action and begin like the unfinished word, among those that one
// move reaches, those around the creature, and those occupied by anyone. Checking a square can require pathfinding.
// Therefore, if the first and the last square within reach are legal, exactly those within reach are listed, without
// checking each.
func (c *completer) legalSquares(who int32, x *ir.Proc, param int) (list [][3]int) {
	p := c.p
	if p.field == nil || p.position(who) == nil {
		return nil
	}
	args := c.absentArgs(int32(x.Index))
	legal := func(at [3]int) bool {
		args[param] = squareAt(at).Pack()
		ok, _, _ := p.m.Legal(who, int32(x.Index), args)
		return ok
	}
	known := map[[3]int]bool{*p.position(who): true}
	reach := p.reach(who)
	if n := len(reach); n > 0 && legal(reach[n-1]) && legal(reach[0]) {
		return reach
	}
	near := c.neighbors(who)
	for i := range p.members {
		if at := p.position(int32(i)); at != nil {
			near = append(near, *at)
		}
	}
	for _, at := range near {
		if known[at] || !strings.HasPrefix(squareText(at), c.part) {
			continue
		}
		if known[at] = true; legal(at) {
			list = append(list, at)
		}
	}
	return list
}

// reach lists the squares that one move of a creature reaches.
func (p *player) reach(who int32) [][3]int {
	defer p.muteJournal()()
	list, _ := p.squaresFor(ir.CoreMoveRange, who)
	return list
}

// neighbors lists the squares next to a creature, and its own, as far as they are on the map.
func (c *completer) neighbors(who int32) (list [][3]int) {
	p := c.p
	if p.position(who) == nil {
		return nil
	}
	at, side, _ := p.field.Footprint(p.m, who)
	for y := int(at.Y) - 1; y <= int(at.Y)+side; y++ {
		for x := int(at.X) - 1; x <= int(at.X)+side; x++ {
			if s := [3]int{x, y, int(at.Z)}; p.field.Has(squareAt(s)) {
				list = append(list, s)
			}
		}
	}
	return list
}

func squareAt(at [3]int) grid.Square {
	return grid.Square{X: int16(at[0]), Y: int16(at[1]), Z: int16(at[2])}
}

func squareText(at [3]int) string {
	if at[2] == 0 {
		return fmt.Sprintf("(%d, %d)", at[0], at[1])
	}
	return fmt.Sprintf("(%d, %d, %d)", at[0], at[1], at[2])
}

// things adds the things of a kind that a creature has, or if it has none, all that exist.
func (c *completer) things(who int32, kind string) {
	p := c.p
	m := p.m
	has := map[int64]bool{}
	for i, f := range m.Program().Kinds[0].Fields {
		v, ok := m.ReadField(int64(who), int32(i))
		if !ok {
			continue
		}
		if f.Shape.IsAddress() {
			list, _ := m.Values(v)
			for _, x := range list {
				has[x] = true
			}
		} else {
			has[v] = true
		}
	}
	n := len(c.list)
	for pass := range 2 {
		for i, t := range p.checked.Templates {
			if t.Kind != nil && t.Kind.Name == kind && (pass == 1 || has[-int64(i)-1]) {
				c.add(t.Name, t.Part.Doc)
			}
		}
		if len(c.list) > n {
			return
		}
	}
}

// effects adds the effects that a creature can gain, or has, and the resources.
func (c *completer) effects(who int32, borne bool) {
	p := c.p
	for i, e := range p.checked.Effects {
		if e.Word == "everyone" || e.Word == "effect" || e.While != nil || borne && !p.m.Has(who, int32(i)) {
			continue
		}
		c.add(e.Name, e.Part.Doc)
	}
	for _, r := range p.checked.Resources {
		c.add(r.Name, "")
	}
}

// properties adds what can be read from a creature: stats, resources, fields and definitions.
func (c *completer) properties(name string) {
	p := c.p
	if c.member(name) < 0 {
		return
	}
	for _, s := range p.checked.Stats {
		c.add(s.Name, "")
	}
	for _, r := range p.checked.Resources {
		c.add(r.Name, "")
	}
	for _, f := range p.checked.Kinds[0].Fields {
		c.add(f.Name, "")
	}
	for _, d := range p.checked.Defines {
		if own, ok := strings.CutPrefix(d.Name, "creature."); ok {
			c.add(own, "")
		}
	}
}
