package build

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"arbiter/interp/check"
	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/interp/machine"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/words"
)

// This file checks a script statically, statement by statement: creatures, commands, expectations.

// checkStatements checks an encounter, or every test in a file of tests with its givens.
func (s *Script) checkStatements() diag.List {
	_, wrong := s.Rules.Checked.ExpandCites(s.Path, s.Head.Cites)
	switch s.Head.Word.Name {
	case "encounter":
		var all []ast.Clause
		for _, cl := range s.File.Body {
			if link.ScriptOnly(cl) && s.misplacedReason(cl) == nil {
				all = append(all, cl)
			}
		}
		return append(wrong, s.checkClauses(all)...)
	case "tests":
		return append(wrong, s.checkTests()...)
	}
	return wrong
}

// checkTests checks each test separately, its givens first, in the order of execution.
func (s *Script) checkTests() diag.List {
	var list diag.List
	givens, titles := Givens(s.File), map[string]ast.Span{}
	reportDuplicate := func(span, first ast.Span, what string) {
		list = append(list, diag.Diagnostic{File: s.Path, Span: span, Severity: diag.Error, Code: "declared-twice", Message: "there is " + what + " already",
			Hint: "give one of them another name", Related: []diag.Related{{File: s.Path, Span: first, Message: "first declared here"}}})
	}
	for _, cl := range s.File.Body {
		if g, ok := cl.(*ast.Given); ok && givens[g.Name.Name] != g {
			reportDuplicate(g.Name.Span, givens[g.Name.Name].Name.Span, "a given "+g.Name.Name)
		}
		n, ok := cl.(*ast.Test)
		if !ok {
			continue
		}
		if first, twice := titles[n.Title.Value]; twice {
			reportDuplicate(n.Title.Span, first, `a test "`+n.Title.Value+`"`)
		} else {
			titles[n.Title.Value] = n.Title.Span
		}
		var all []ast.Clause
		understood := true
		for _, id := range n.Given {
			g := givens[id.Name]
			if g == nil {
				understood = false
				list = append(list, diag.Diagnostic{File: s.Path, Span: id.Span, Severity: diag.Error, Code: "unknown-given",
					Message: "there is no given " + id.Name, Hint: nearest(id.Name, givens, "declare it: given "+id.Name+" { side ... }")})
				continue
			}
			if g.Body != nil {
				all = append(all, g.Body.Clauses...)
			}
		}
		if n.Body != nil {
			all = append(all, n.Body.Clauses...)
		}
		found := s.checkClauses(all)
		if !understood { // its names are unknown
			found = slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return d.Code == "unknown-name" })
		}
		list = append(list, found...)
		list = append(list, s.futile(n, all)...)
	}
	return dedupe(list)
}

// Givens returns the situations that the tests of a file share, by name.
func Givens(f *ast.File) map[string]*ast.Given {
	givens := map[string]*ast.Given{}
	for _, cl := range f.Body {
		if g, ok := cl.(*ast.Given); ok && givens[g.Name.Name] == nil {
			givens[g.Name.Name] = g
		}
	}
	return givens
}

// nearest is the hint for an unknown name: the one that was probably meant, else otherwise.
func nearest[V any](name string, known map[string]V, otherwise string) string {
	if n := words.Nearest(name, slices.Sorted(maps.Keys(known))); n != "" {
		return "did you mean `" + n + "`?"
	}
	return otherwise
}

// misplaced reports clauses at the top level of an encounter or of a file of tests that belong in another kind of
// script. It reports each kind once, since the mistake is the header. Adventures are checked elsewhere.
func (s *Script) misplaced() (list diag.List) {
	if s.Head.Word.Name == "adventure" {
		return nil
	}
	reported := map[string]bool{}
	for _, cl := range s.File.Body {
		if why := s.misplacedReason(cl); why != nil && !reported[why.Message] {
			reported[why.Message] = s.Head.Word.Name != "tests" || isStoryClause(cl)
			why.File, why.Span = s.Path, cl.Extent()
			list = append(list, *why)
		}
	}
	return list
}

// misplacedReason returns why a clause is not allowed at the top level of the script, nil if it is.
func (s *Script) misplacedReason(cl ast.Clause) *diag.Diagnostic {
	d := diag.Diagnostic{Severity: diag.Error, Code: "misplaced"}
	_, test := cl.(*ast.Test)
	_, given := cl.(*ast.Given)
	switch tests := s.Head.Word.Name == "tests"; {
	case tests == (test || given) && (tests || !isStoryClause(cl)), !link.ScriptOnly(cl):
		return nil
	case test || given:
		d.Message, d.Hint = "a test belongs in a file of tests", "it would start with: tests \"TITLE\" with NAME; an encounter uses `expect COND`"
	case isStoryClause(cl):
		d.Message, d.Hint = "this belongs in an adventure", "it would start with: adventure \"TITLE\" with NAME"
	default:
		d.Message, d.Hint = "this is not allowed outside a test", "put it into a `test`, or into a `given` that tests share"
	}
	return &d
}

// isStoryClause reports whether only an adventure can contain a clause.
func isStoryClause(cl ast.Clause) bool {
	switch cl.(type) {
	case *ast.Include, *ast.Scene, *ast.Choices, *ast.Divert, *ast.Finish, *ast.Alternation, *ast.Battle, *ast.Aftermath, *ast.BreakOff:
		return true
	}
	return false
}

// checkClauses checks statements in order. Creatures are numbered in the order in which they will be placed.
func (s *Script) checkClauses(clauses []ast.Clause) diag.List {
	w := &scriptChecker{s: s, names: s.Rules.Checked.NewScript(s.Path), placed: map[string]bool{}, placedAt: map[string]ast.Span{}, sides: map[string][]int64{}, positions: positions{file: s.Path, program: s.Rules.Program}}
	if s.Story != nil { // the party and the creatures of its fights are known
		w.names = s.Story.Names.Clone().WithFile(s.Path)
		for name, ref := range s.storyCreatures {
			w.names.BindCreature(name, ref)
			w.placed[name] = true
		}
	}
	for _, cl := range clauses {
		w.clause(cl)
	}
	return append(w.list, w.positions.list...)
}

// scriptChecker checks the statements of one encounter or test.
type scriptChecker struct {
	s         *Script
	names     *check.Script
	placed    map[string]bool
	placedAt  map[string]ast.Span // where the script itself placed a creature
	sides     map[string][]int64  // values of their members
	positions positions
	list      diag.List
}

func (c *scriptChecker) fail(span ast.Span, code, message, hint string) {
	c.list = append(c.list, diag.Diagnostic{File: c.s.Path, Span: span, Severity: diag.Error, Code: code, Message: message, Hint: hint})
}

func (c *scriptChecker) clause(cl ast.Clause) {
	switch n := cl.(type) {
	case *ast.Side:
		c.add(c.names.SideTactics(n))
		for m := range ast.Members(n) {
			c.member(m, n.Name.Name)
		}
		if c.s.Story == nil { // a story knows the members of a side in advance
			c.names.BindSideIfFree(n.Name.Name, c.sides[n.Name.Name])
		}
	case *ast.Map:
		c.positions.readMap(n)
	case *ast.Follows:
		_, diags := c.names.Followed(&n.Tactics)
		c.add(diags)
		if !c.placed[n.Who.Name] {
			c.fail(n.Who.Span, "unknown-name", "nobody is named "+n.Who.Name, c.nearestHint(n.Who.Name))
		}
	case *ast.Scripted:
		if n.Who != nil && !c.placed[n.Who.Name] {
			c.fail(n.Who.Span, "unknown-name", "nobody is named "+n.Who.Name, c.nearestHint(n.Who.Name))
		}
		for _, v := range n.Values {
			c.scriptedValue(v, n.Word.Name == "dice")
		}
		if n.Path != nil {
			c.s.labeled = append(c.s.labeled, n)
		}
	case *ast.Expect:
		c.unguarded(n.Tail)
		switch {
		case n.Refused:
			c.block(n.Body)
			return
		case n.Story.Name != "":
			c.checkStoryExpectation(n)
			return
		}
		if text, ok := n.Cond.(*ast.String); ok {
			c.fail(text.Span, "wrong-type", "this is text, but a condition is expected", "write the condition without quotes: expect COND")
			return
		}
		c.expr(n.Cond, check.YesNo)
	case *ast.Directive:
		c.unguarded(n.Tail)
		switch n.Word.Name {
		case "start", "take":
			c.checkStoryDirective(n)
		case "explain":
			c.expr(n.Value, ir.Type{})
		case "pass":
			c.expr(n.Value, check.Seconds)
		case "seed":
			c.expr(n.Value, check.Number)
		case "fight":
			if n.Turns {
				c.expr(n.Value, check.Number)
			} else {
				c.expr(n.Value, check.Seconds)
			}
			c.expr(n.Until, check.YesNo)
		case "next":
			c.expr(n.Value, ir.Type{Kind: ir.Ref, Name: "creature"})
		case "place":
			c.expr(n.Value, ir.Type{Kind: ir.Ref, Name: "creature"})
			if !IsNowhere(n) {
				c.squares(n)
			}
		case "ground":
			c.squares(n)
		}
	case *ast.Repeat:
		if !HasDirectives(n) {
			c.statement(cl)
			return
		}
		c.expr(n.Times, check.Number)
		c.block(n.Body)
	case *ast.If:
		if !HasDirectives(n) {
			c.statement(cl)
			return
		}
		c.expr(n.Cond, check.YesNo)
		c.block(n.Then)
		c.block(n.Else)
	case *ast.ForEach:
		if !HasDirectives(n) {
			c.statement(cl)
			return
		}
		list, _, diags := c.names.Expr(check.Elements(n), ir.Type{})
		c.add(diags)
		undo := c.names.BindElement(n, list, nil)
		c.block(n.Body)
		undo()
	case *ast.Documentation:
		_, wrong := c.s.Rules.Checked.ExpandCites(c.s.Path, n.Cites)
		c.list = append(c.list, wrong...)
	case *ast.Bad:
	default:
		c.statement(cl)
	}
}

// scriptedValue checks the face of a die, or an answer.
func (c *scriptChecker) scriptedValue(e ast.Expr, die bool) {
	switch n := e.(type) {
	case *ast.Number:
		return
	case *ast.Paren:
		c.scriptedValue(n.X, die)
		return
	case *ast.Name, *ast.String, *ast.Literal:
		if !die {
			return
		}
	case *ast.Tuple: // a square
		if !die {
			c.expr(n, check.PlaceAt(false))
			return
		}
	}
	if die {
		c.fail(e.Extent(), "wrong-type", "a die shows a number", "write the face that it shows, or several: dice 12, 3")
		return
	}
	c.fail(e.Extent(), "wrong-type", "an answer is yes, no, a number, a name, a text or a square", "computed answers are not possible")
}

// checkLabels reports dice and answers for a roll or a choice that no code has. broken says that there are mistakes in
// statements, so that those of the script may be missing.
func (s *Script) checkLabels(broken bool) (list diag.List) {
	for _, n := range s.labeled {
		if broken && n.Path.Parts[0].Name.Name == check.ScriptLabel {
			continue
		}
		label, dice := link.PathText(n.Path), n.Word.Name == "dice"
		wrong, hint := s.Rules.Checked.UnknownLabel(label, dice), ""
		if wrong == "" {
			continue
		}
		if len(list) < check.MaxHintedMistakes {
			hint = s.Rules.Checked.LabelHint(label, dice)
		}
		list = append(list, diag.Diagnostic{File: s.Path, Span: n.Path.Span, Severity: diag.Error, Code: "unknown-label", Message: wrong, Hint: hint})
	}
	return dedupe(list)
}

// nearestHint is the hint for a creature that has not been placed.
func (c *scriptChecker) nearestHint(name string) string {
	for _, cl := range c.s.File.Body {
		if g, ok := cl.(*ast.Given); ok && g.Body != nil && slices.ContainsFunc(g.Body.Clauses, placesCreature(name)) {
			return "`given " + g.Name.Name + "` places " + name + ": write test \"TITLE\" given " + g.Name.Name + " { ... }"
		}
	}
	return nearest(name, c.placed, "place them first: side NAME { CREATURE "+name+" }")
}

// placesCreature returns a function that reports whether a clause places a creature of that name.
func placesCreature(name string) func(ast.Clause) bool {
	return func(cl ast.Clause) bool {
		side, ok := cl.(*ast.Side)
		if !ok {
			return false
		}
		for m := range ast.Members(side) {
			if m.Name.Name == name {
				return true
			}
		}
		return false
	}
}

func (c *scriptChecker) block(b *ast.Block) {
	if b == nil {
		return
	}
	for _, cl := range b.Clauses {
		c.clause(cl)
	}
}

// HasDirectives reports whether a `repeat`, a `for each` or an `if` contains clauses that only the runner of scripts executes: turns,
// expectations, dice.
func HasDirectives(cl ast.Clause) bool {
	for x := range ast.WithNested(cl) {
		switch x.(type) {
		case *ast.Directive, *ast.Expect, *ast.Scripted, *ast.Side, *ast.Follows:
			return true
		}
	}
	return false
}

// statement checks a statement that rules could also contain.
func (c *scriptChecker) statement(cl ast.Clause) {
	if !ast.IsStatement(cl) {
		c.misplaced(cl)
		return
	}
	stmts, _, diags := c.names.Statements(cl)
	c.add(diags)
	c.names.BindResult(cl, stmts)
}

// misplaced reports a clause that is not allowed among the statements of a script.
func (c *scriptChecker) misplaced(cl ast.Clause) {
	if isStoryClause(cl) {
		c.fail(cl.Extent(), "misplaced", "this belongs in an adventure", "it would start with: adventure \"TITLE\" with NAME")
		return
	}
	c.fail(cl.Extent(), "misplaced", "this is not allowed among the statements of a script", "`test`, `given` and declarations belong at the top level, outside all braces")
}

func (c *scriptChecker) member(m *ast.Member, side string) {
	if c.placed[m.Name.Name] {
		c.fail(m.Name.Span, "declared-twice", m.Name.Name+" has been placed already", "")
		if first, here := c.placedAt[m.Name.Name]; here {
			c.list[len(c.list)-1].Related = []diag.Related{{File: c.s.Path, Span: first, Message: "first placed here"}}
		}
		return
	}
	if len(c.placed) >= machine.MaxCreatures {
		if len(c.placed) == machine.MaxCreatures {
			c.fail(m.Name.Span, "limit", fmt.Sprintf("more than %d creatures in one game", machine.MaxCreatures), "let one creature stand for several, or play several fights")
		}
		c.placed[m.Name.Name] = true
		return
	}
	c.placedAt[m.Name.Name] = m.Name.Span
	_, diags := c.names.Member(m)
	c.list = append(c.list, diags...)
	c.positions.member(m)
	if m.At != nil {
		c.coordinates(m.At, m.Near)
	}
	ref := int64(len(c.placed))
	c.names.BindCreature(m.Name.Name, ref)
	c.sides[side] = append(c.sides[side], ref)
	c.placed[m.Name.Name] = true
}

// squares checks the squares of a directive.
func (c *scriptChecker) squares(n *ast.Directive) {
	for _, e := range n.At {
		c.positions.square(e)
		c.coordinates(e, n.Near)
	}
}

// unguarded reports the condition of a statement that a script always runs.
func (c *scriptChecker) unguarded(t ast.Tail) {
	cond := t.When
	if cond == nil {
		cond = t.Unless
	}
	if cond != nil {
		c.fail(cond.Extent(), "misplaced", "a statement of scripts has no condition", "write `if COND { }` around it")
	}
}

// IsNowhere reports whether `none` is written where a square could be: `place Bron at none`.
func IsNowhere(n *ast.Directive) bool {
	if len(n.At) == 0 {
		return false
	}
	x, ok := n.At[0].(*ast.Literal)
	return ok && x.Word == "none"
}

// coordinates checks that the coordinates of a square are numbers, and that any other value is a place.
func (c *scriptChecker) coordinates(at ast.Expr, near bool) {
	if t, ok := at.(*ast.Tuple); ok {
		for _, x := range t.Items {
			c.expr(x, check.Number)
		}
	} else if !check.IsSquareLiteral(at) {
		c.expr(at, check.PlaceAt(near))
	}
}

func (c *scriptChecker) expr(e ast.Expr, want ir.Type) {
	if e == nil {
		return
	}
	_, _, diags := c.names.Expr(e, want)
	c.add(diags)
}

// add adds diagnostics of the checker. Where nothing has a name that looks like that of a creature, the hint says how
// the creature gets there.
func (c *scriptChecker) add(diags diag.List) {
	for _, d := range diags {
		name, nothing := strings.CutPrefix(d.Message, "there is nothing here named ")
		if nothing && len(c.list) < check.MaxHintedMistakes && name != strings.ToLower(name) && !strings.HasPrefix(d.Hint, "did you mean") {
			d.Hint = c.nearestHint(name)
		}
		c.list = append(c.list, d)
	}
}
