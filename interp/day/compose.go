package day

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/format"
	"arbiter/lang/parse"
)

// This file composes an adventure from encounters: one fight after the other, with something in between. The first side
// of the first encounter is the party. It is an adventure like any other, that can be read, changed and played.

// Stage is an encounter, or what comes between two.
type Stage struct {
	Name string // of the file, or of the pause as it was given
	Head *ast.Header
	Body []ast.Clause // of an encounter
	Rest *Rest        // nil: it is an encounter
}

// Rest is a pause: everybody of the party does something, time passes, or both.
type Rest struct {
	Does string // a command without who does it; "": nobody does anything
	Time string // a duration; "": no time passes
}

// ParseRest reads a pause: `COMMAND`, `COMMAND / DURATION` or `/ DURATION`.
func ParseRest(text string) (*Rest, error) {
	does, time, _ := strings.Cut(text, "/")
	r := &Rest{Does: strings.TrimSpace(does), Time: strings.TrimSpace(time)}
	if strings.ContainsAny(text, "{}\"#\n;") {
		return nil, fmt.Errorf("%q is no pause: it is what each of the party does, and how long it takes, such as `COMMAND / 8 hours`", text)
	}
	if r.Does == "" && r.Time == "" {
		return nil, fmt.Errorf("a pause needs what each of the party does, or how long it takes: `COMMAND / 8 hours`, `/ 15 minutes`")
	}
	return r, nil
}

// The endings of a composed adventure.
const (
	Through = "survived"
	Lost    = "defeat"
)

// Composed is an adventure as text.
type Composed struct {
	Text   []byte
	Party  string   // the name of the side
	Fights []string // what each battle of the story is called
	Notes  []string // what was decided
}

// composer is an adventure in the making.
type composer struct {
	*Composed
	rulesets, prefers []string
	without           []string
	title             []string
	declared          []declared
	party             []*ast.Member
	partySide         string   // as text
	scenes            []string // as text
	began             []*ast.Follows
}

// declared is a declaration with the file that it is from.
type declared struct {
	name, text, file string
}

// Compose makes an adventure of encounters and what is between them. An error says what of which file cannot be part of
// one.
func Compose(stages []Stage) (*Composed, error) {
	c := &composer{Composed: &Composed{}}
	fights := 0
	for _, s := range stages {
		if s.Rest == nil && fightOn(s.Body) != nil {
			fights++
		}
	}
	last, since := 0, []string{} // pauses since the last fight
	for i := range stages {
		s := &stages[i]
		switch {
		case s.Rest != nil && c.party == nil:
			return nil, fmt.Errorf("%s: a pause comes after a party, which is the first side of the first encounter", s.Name)
		case s.Rest != nil:
			since = append(since, c.rest(s.Rest)...)
			continue
		}
		if err := c.declare(s); err != nil {
			return nil, err
		}
		if c.party == nil {
			if err := c.takeParty(s); err != nil {
				return nil, err
			}
			if fightOn(s.Body) == nil { // only the party
				continue
			}
		}
		last++
		if err := c.fight(s, last, last < fights || restAfter(stages[i+1:]), since); err != nil {
			return nil, err
		}
		since = nil
	}
	if last == 0 {
		return nil, fmt.Errorf("there is no fight: no encounter says `fight on`")
	}
	if len(since) > 0 { // a rest at the end of the day
		c.scenes = append(c.scenes, fmt.Sprintf("scene day-%d {\n%s\nfinish %s\n}", last+1, strings.Join(since, "\n"), Through))
	}
	c.write()
	return c.Composed, nil
}

// restAfter reports whether a pause is all that follows, and there is one.
func restAfter(rest []Stage) bool {
	return len(rest) > 0 && !slices.ContainsFunc(rest, func(s Stage) bool { return s.Rest == nil })
}

// fightOn is the statement that lets tactics play; nil if there is none.
func fightOn(body []ast.Clause) *ast.Directive {
	for _, cl := range body {
		if d, ok := cl.(*ast.Directive); ok && d.Word.Name == "fight" {
			return d
		}
	}
	return nil
}

// declare adds what an encounter declares. The same declaration may stand in several of them.
func (c *composer) declare(s *Stage) error {
	if t := s.Head.Title; t != nil {
		c.title = append(c.title, t.Value)
	}
	for _, x := range []struct {
		to   *[]string
		from []ast.Ident
	}{{&c.rulesets, s.Head.With}, {&c.without, s.Head.Without}, {&c.prefers, s.Head.Prefers}} {
		for _, id := range x.from {
			if !slices.Contains(*x.to, id.Name) {
				*x.to = append(*x.to, id.Name)
			}
		}
	}
	fights := 0
	for _, cl := range s.Body {
		if why := unfit(cl); why != "" {
			return fmt.Errorf("%s:%d: %s: such a day is written as an adventure, with a fight in each scene", s.Name, cl.Extent().Start.Line, why)
		}
		if d, ok := cl.(*ast.Directive); ok && d.Word.Name == "fight" {
			if fights++; fights > 1 {
				return fmt.Errorf("%s:%d: it has several fights: give each an encounter of its own, or write the day as an adventure", s.Name, cl.Extent().Start.Line)
			}
		}
		if _, head := cl.(*ast.Header); head || isPlayed(cl) {
			continue
		}
		x := declared{declaredName(cl), format.Node(cl), s.Name}
		at := slices.IndexFunc(c.declared, func(y declared) bool { return y.text == x.text || x.name != "" && y.name == x.name })
		switch {
		case at < 0:
			c.declared = append(c.declared, x)
		case c.declared[at].text != x.text:
			return fmt.Errorf("%s:%d: %s is not what it is in %s: give one of them another name", s.Name, cl.Extent().Start.Line, x.name, c.declared[at].file)
		}
	}
	return nil
}

// declaredName is the name of a declaration that there can be only once, with its word; "" for others.
func declaredName(cl ast.Clause) string {
	switch n := cl.(type) {
	case *ast.Template:
		return n.Kind.Name + " " + n.Name.Name
	case *ast.Tactics:
		return "tactics " + n.Name.Name
	}
	return ""
}

// isPlayed reports whether a clause is played, and not declared.
func isPlayed(cl ast.Clause) bool {
	switch cl.(type) {
	case *ast.Side, *ast.Map, *ast.Follows, *ast.Directive, *ast.Expect, *ast.Simple:
		return true
	}
	return false
}

// unfit says what of a clause of an encounter cannot be part of a day; "" if nothing.
func unfit(cl ast.Clause) string {
	switch n := cl.(type) {
	case *ast.Directive:
		switch n.Word.Name {
		case "seed", "begin", "explain", "transcript":
		case "fight":
			if n.Turns {
				return "`fight on` for a number of turns"
			}
		default:
			return "`" + n.Word.Name + "`"
		}
	case *ast.Scripted:
		return "scripted dice or answers"
	case *ast.Simple:
		if n.Word.Name != "note" {
			return "`" + n.Word.Name + "`"
		}
	default:
		if ast.IsStatement(cl) {
			return "`" + firstWords(format.Node(cl)) + "` does more than set up a fight"
		}
	}
	return ""
}

func firstWords(text string) string {
	line, _, cut := strings.Cut(text, "\n")
	if cut {
		line += " ..."
	}
	return line
}

// takeParty makes the first side of an encounter the party. Where it stands is a matter of its fight.
func (c *composer) takeParty(s *Stage) error {
	for _, cl := range s.Body {
		side, ok := cl.(*ast.Side)
		if !ok || c.party != nil && side.Name.Name != c.Party {
			continue
		}
		c.Party = side.Name.Name
		placeless, block := *side, *side.Body
		block.Clauses = nil
		for m := range ast.Members(side) {
			x := *m
			x.At, x.Near = nil, false
			block.Clauses = append(block.Clauses, &x)
			c.party = append(c.party, m)
		}
		placeless.Body = &block
		c.partySide += format.Node(&placeless) + "\n"
	}
	if len(c.party) == 0 {
		return fmt.Errorf("%s has no side: the first side of the first encounter is the party", s.Name)
	}
	for _, cl := range s.Body {
		if f, ok := cl.(*ast.Follows); ok && fightOn(s.Body) == nil {
			c.began = append(c.began, f) // it is said in the first fight
		}
	}
	return nil
}

func (c *composer) isParty(name string) bool {
	return slices.ContainsFunc(c.party, func(m *ast.Member) bool { return m.Name.Name == name })
}

// rest is a pause as statements.
func (c *composer) rest(r *Rest) (list []string) {
	if r.Does != "" {
		list = append(list, fmt.Sprintf("for each hero in %s { hero: %s }", c.Party, r.Does))
	}
	if r.Time != "" {
		list = append(list, "pass "+r.Time)
	}
	return list
}

// fight adds a scene with the fight of an encounter, after what comes before it.
func (c *composer) fight(s *Stage, n int, hasNext bool, before []string) error {
	title := s.Name
	if s.Head.Title != nil {
		title = s.Head.Title.Value
	}
	c.Fights = append(c.Fights, title)
	own := c.ownSide(s.Body)
	var fight, places, follows []string
	for _, f := range c.began {
		follows = append(follows, format.Node(f))
	}
	c.began = nil
	squares := 0 // of the party
	place := func(name string, m *ast.Member) {
		if m.At == nil {
			return
		}
		word := "at"
		if squares++; m.Near {
			word = "near"
		}
		places = append(places, fmt.Sprintf("place %s %s %s", name, word, format.Expr(m.At)))
	}
	needsSquares := false
	givenWay := []*ast.Member{}
	for _, cl := range s.Body {
		switch x := cl.(type) {
		case *ast.Map:
			fight, needsSquares = append(fight, format.Node(x)), true
		case *ast.Follows:
			if own == "" || c.isParty(x.Who.Name) || !memberOf(s.Body, own, x.Who.Name) {
				follows = append(follows, format.Node(x))
			}
		case *ast.Side:
			if x.Body == nil {
				continue
			}
			if x.Name.Name == own && own != c.Party && !c.anyParty(x) { // it gives way
				for m := range ast.Members(x) {
					givenWay = append(givenWay, m)
				}
				continue
			}
			others, block := *x, *x.Body
			block.Clauses = nil
			if x.Name.Name == own {
				others.Name.Name = c.Party
			}
			for m := range ast.Members(x) {
				if x.Name.Name == own && c.isParty(m.Name.Name) {
					if place(m.Name.Name, m); m.Follows != nil && len(c.scenes) > 0 {
						follows = append(follows, format.Node(&ast.Follows{Who: m.Name, Tactics: *m.Follows}))
					}
					continue
				}
				needsSquares = needsSquares || m.At != nil
				block.Clauses = append(block.Clauses, m)
			}
			if others.Body = &block; len(block.Clauses) > 0 {
				fight = append(fight, format.Node(&others))
			}
		}
	}
	if len(givenWay) > 0 {
		if note := fmt.Sprintf("%s of %s give way to %s", own, s.Name, c.Party); !slices.Contains(c.Notes, note) {
			c.Notes = append(c.Notes, note)
		}
		for i, m := range c.party {
			if i < len(givenWay) {
				place(m.Name.Name, givenWay[i])
			} else if last := givenWay[len(givenWay)-1]; last.At != nil {
				beside := *last
				beside.Near = true
				place(m.Name.Name, &beside)
			}
		}
	}
	if needsSquares && squares < len(c.party) {
		return fmt.Errorf("%s has squares, but not for all of %s: name each in a side %s there, with its square", s.Name, c.Party, c.Party)
	}
	if d := fightOn(s.Body); d == nil {
		return fmt.Errorf("%s sets up a fight, but nothing happens in it: end it with `fight on`", s.Name)
	} else if d.Until != nil {
		places = append(places, "break off when "+format.Expr(d.Until))
	} else if d.Value != nil {
		places = append(places, fmt.Sprintf("break off when current-round > %s", roundsOf(d.Value)))
	}
	after := "finish " + Through
	if hasNext {
		after = "go to day-" + strconv.Itoa(n+1)
	}
	c.scenes = append(c.scenes, fmt.Sprintf("scene day-%d {\n%s\nfight %s {\n%s\nlost { finish %s }\n}\n%s\n}",
		n, strings.Join(before, "\n"), strconv.Quote(title), strings.Join(slices.Concat(fight, places, follows), "\n"), Lost, after))
	return nil
}

// roundsOf is the number of rounds without its unit.
func roundsOf(e ast.Expr) string {
	if n, ok := e.(*ast.Number); ok {
		return strconv.FormatInt(n.Value, 10)
	}
	return strings.TrimSuffix(strings.TrimSuffix(format.Expr(e), " rounds"), " round")
}

// ownSide is the side of an encounter that the party takes: the one with its name, or with any of its members; else the
// first, if there are others. "" means that all are foes.
func (c *composer) ownSide(body []ast.Clause) string {
	var names []string
	for _, cl := range body {
		side, ok := cl.(*ast.Side)
		switch {
		case !ok:
		case side.Name.Name == c.Party || c.anyParty(side):
			return side.Name.Name
		case !slices.Contains(names, side.Name.Name):
			names = append(names, side.Name.Name)
		}
	}
	if len(names) > 1 {
		return names[0]
	}
	return ""
}

func (c *composer) anyParty(side *ast.Side) bool {
	for m := range ast.Members(side) {
		if c.isParty(m.Name.Name) {
			return true
		}
	}
	return false
}

// memberOf reports whether a name is that of a member of a side.
func memberOf(body []ast.Clause, side, name string) bool {
	for _, cl := range body {
		if s, ok := cl.(*ast.Side); ok && s.Name.Name == side {
			for m := range ast.Members(s) {
				if m.Name.Name == name {
					return true
				}
			}
		}
	}
	return false
}

// write writes the adventure in canonical form.
func (c *composer) write() {
	var b strings.Builder
	fmt.Fprintf(&b, "adventure %s with %s", strconv.Quote(strings.Join(c.title, ", ")), strings.Join(c.rulesets, ", "))
	for _, x := range []struct {
		word  string
		names []string
	}{{"without", c.without}, {"prefers", c.prefers}} {
		if len(x.names) > 0 {
			fmt.Fprintf(&b, " %s %s", x.word, strings.Join(x.names, ", "))
		}
	}
	fmt.Fprintln(&b)
	for _, d := range c.declared {
		fmt.Fprintf(&b, "\n%s\n", d.text)
	}
	fmt.Fprintf(&b, "\n%s", c.partySide)
	for _, s := range c.scenes {
		fmt.Fprintf(&b, "\n%s\n", s)
	}
	text := []byte(b.String())
	if f, diags := parse.File("", text); len(diags) == 0 {
		text = format.Format(f, text)
	}
	c.Text = text
}
