package lint

import (
	"fmt"
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file has the rules about tests.

var testRules = []*Rule{
	{Code: "uncited-test", Severity: diag.Warning, check: uncitedTest,
		Summary: "A test cites nothing, in a file of which at least three quarters of the tests do.",
		Why:     "Nobody knows which rule of the book it proves, and it counts for no coverage.",
		How:     "Write `cite` with the entry of the catalogue. If the test is about something else, allow it with a comment that says about what."},
	{Code: "no-expectation", Severity: diag.Note, check: noExpectation,
		Summary: "A test plays something and expects nothing.",
		Why:     "It passes whatever happens, as long as the dice come out even.",
		How:     "Write `expect`, or a `transcript`."},
	{Code: "expects-what-was-set", Severity: diag.Warning, check: expectsWhatWasSet,
		Summary: "An `expect` repeats a value that the line before has set.",
		Why:     "It says that `set` works, and cannot fail whatever the rules do.",
		How:     "Expect what follows from it, or remove the line."},
	{Code: "repeated-test", Severity: diag.Warning, check: repeatedTest,
		Summary: "Two tests of a file do the same.",
		Why:     "One was copied, and not changed: what its title says is not tested.",
		How:     "Change one of them, or remove it."},
	{Code: "any-refusal", check: anyRefusal,
		Summary: "`expect refused` without a text.",
		Why:     "It holds for whatever reason the command is refused, such as an action that is spent already.",
		How:     "Name the reason: `expect refused \"too far away\" { ... }`."},
	{Code: "repeated-expectation", Severity: diag.Warning, check: repeatedExpectation,
		Summary: "Two neighbouring lines expect the same.",
		Why:     "One was copied, and not changed.",
		How:     "Correct one of them, or remove it."},
}

// citesOf returns whether a test cites something.
func cites(t *ast.Test) bool {
	if t.Body != nil {
		for _, cl := range t.Body.Clauses {
			if d, ok := cl.(*ast.Documentation); ok && len(d.Cites) > 0 {
				return true
			}
		}
	}
	return false
}

func uncitedTest(p *pass) {
	citing, all := 0, 0
	for _, t := range each[ast.Test](p.file) {
		all++
		if cites(t) {
			citing++
		}
	}
	for _, t := range each[ast.Test](p.file) {
		if 4*citing >= 3*all && !cites(t) {
			p.report(t.Title.Span, "this test cites no rule, as the others of the file do", "write `cite` with the entry that it proves")
		}
	}
}

// expects reports whether something in a node states what must hold.
func (p *pass) expects(i int32) bool {
	for range inside[ast.Expect](p.file, i) {
		return true
	}
	for _, d := range inside[ast.Directive](p.file, i) {
		if d.Word.Name == "transcript" {
			return true
		}
	}
	return false
}

func noExpectation(p *pass) {
	for i, t := range each[ast.Test](p.file) {
		if t.Body == nil || p.expects(i) {
			continue
		}
		plays, scripted, given := false, false, false
		for _, s := range inside[ast.Scripted](p.file, i) {
			scripted = scripted || s.Word.Name == "dice" || s.Word.Name == "answer"
		}
		for range inside[ast.Command](p.file, i) {
			plays = true
		}
		for k, g := range each[ast.Given](p.file) {
			for _, id := range t.Given {
				given = given || id.Name == g.Name.Name && p.expects(k)
			}
		}
		if !given && plays && scripted { // with other dice, `arbiter check` reports it
			p.report(t.Title.Span, "this test expects nothing", "write `expect`, or a `transcript`")
		}
	}
}

func expectsWhatWasSet(p *pass) {
	p.pairs(func(a, b ast.Clause) {
		s, ok := a.(*ast.Set)
		e, also := b.(*ast.Expect)
		if !ok || !also || e.Cond == nil || s.When != nil || s.Unless != nil {
			return
		}
		for _, x := range operands(e.Cond, "and") {
			c, ok := bare(x).(*ast.Binary)
			if ok && c.Op.Name == "=" && p.source(bare(c.X)) == p.source(s.Target) && p.source(bare(c.Y)) == p.source(bare(s.Value)) {
				p.report(c.Span, "the line before has set this value", "expect what follows from it").relate(s.Span, "it was set here")
			}
		}
	})
}

func repeatedTest(p *pass) {
	seen := map[string]*ast.Test{}
	for _, t := range each[ast.Test](p.file) {
		if t.Body == nil || len(t.Body.Clauses) == 0 {
			continue
		}
		text := ""
		for _, id := range t.Given {
			text += id.Name + ","
		}
		for _, cl := range t.Body.Clauses {
			if _, isCite := cl.(*ast.Documentation); !isCite {
				text += p.source(cl) + ";"
			}
		}
		if first := seen[text]; first != nil {
			p.report(t.Title.Span, fmt.Sprintf("this test does the same as %q", first.Title.Value), "change one of them, or remove it").relate(first.Title.Span, "the other one")
		} else {
			seen[text] = t
		}
	}
}

func anyRefusal(p *pass) {
	for _, e := range each[ast.Expect](p.file) {
		if e.Refused && e.Text == nil {
			p.report(ast.Span{Start: e.Start, End: firstEnd(e.Span, e.Body)}, "this holds for whatever reason the command is refused", "name the reason: expect refused \"TEXT\" { ... }")
		}
	}
}

// firstEnd is where the head of a clause with a body ends.
func firstEnd(s ast.Span, b *ast.Block) ast.Pos {
	if b != nil {
		return b.Start
	}
	return s.End
}

func repeatedExpectation(p *pass) {
	p.pairs(func(a, b ast.Clause) {
		x, ok := a.(*ast.Expect)
		y, also := b.(*ast.Expect)
		if ok && also && x.Cond != nil && y.Cond != nil && strings.TrimSpace(p.source(x)) == p.source(y) {
			p.report(y.Span, "the line before expects the same", "correct one of them, or remove it").relate(x.Span, "the line before")
		}
	})
}
