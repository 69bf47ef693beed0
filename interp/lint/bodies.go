package lint

import (
	"fmt"
	"slices"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file has the rules about the statements of a body.

const codeDeepNesting, codeLongBody = "deep-nesting", "long-body"

var bodyRules = []*Rule{
	{Code: "empty-block", Severity: diag.Warning, check: emptyBlock,
		Summary: "A block of an `if`, a loop, an offer, or a rule before or after something, is empty.",
		Why:     "Nothing happens there: something is missing, or everything around it is left over.",
		How:     "Write what should happen, or remove it. (An empty `instead of` is right where nothing should happen.)"},
	{Code: "stop-at-end", Severity: diag.Warning, check: stopAtEnd, Fixes: true,
		Summary: "The last statement of a rule, or of the last step of a procedure, is a `stop`.",
		Why:     "It ends there anyway.",
		How:     "Remove it."},
	{Code: "set-to-itself", Severity: diag.Warning, check: setToItself,
		Summary: "`set X to X`.",
		Why:     "It changes nothing: one of the two should be something else.",
		How:     "Correct one side, or remove the line."},
	{Code: "overwritten-set", Severity: diag.Warning, check: overwrittenSet,
		Summary: "A name is set twice in a row, and the first value is not read.",
		Why:     "The first line has no effect: the second was to set something else, or to have a condition.",
		How:     "Correct one of them, or remove the first."},
	{Code: "repeated-statement", Severity: diag.Warning, check: repeatedStatement,
		Summary: "The same effect is given or taken twice in a row.",
		Why:     "A line was copied and not changed.",
		How:     "Correct one of them, or remove it."},
	{Code: "repeat-once", Severity: diag.Warning, check: repeatOnce,
		Summary: "`repeat 1 times`, or `repeat 0 times`.",
		Why:     "The one is no loop, and the other does nothing.",
		How:     "Write the statements alone, or correct the number."},
	{Code: codeDeepNesting, Severity: diag.Note, check: deepNesting,
		Summary: "Blocks are nested deeper than four (or than the settings say).",
		Why:     "Nobody keeps that many conditions in mind.",
		How:     "Leave early with `stop when`, join conditions with `and`, or move the inner part into a procedure or a define."},
	{Code: codeLongBody, Severity: diag.Note, check: longBody,
		Summary: "A step or a rule is longer than 60 statements (or than the settings say).",
		Why:     "Rules that build on it can interrupt it only as a whole.",
		How:     "Divide it into steps."},
}

func emptyBlock(p *pass) {
	tell := func(b *ast.Block, what string) {
		if b != nil && len(b.Clauses) == 0 && !p.hasComment(b.Span) {
			p.report(b.Span, what+" is empty", "write what should happen, or remove it")
		}
	}
	for _, n := range each[ast.If](p.file) {
		tell(n.Then, "this block")
		tell(n.Else, "this `else`")
	}
	for _, n := range each[ast.ForEach](p.file) {
		tell(n.Body, "this loop")
	}
	for _, n := range each[ast.Repeat](p.file) {
		tell(n.Body, "this loop")
	}
	for _, n := range each[ast.May](p.file) {
		if n.Label != nil && (n.Else == nil || len(n.Else.Clauses) == 0) {
			tell(n.Body, "what is offered")
		}
	}
	for _, n := range each[ast.Rule](p.file) {
		if n.Trigger.Word.Name != "instead" {
			tell(n.Body, "this "+n.Word.Name)
		}
	}
}

// hasComment reports whether a comment stands in a range.
func (p *pass) hasComment(s ast.Span) bool {
	for _, c := range p.Parsed.Comments {
		if c.Start.Offset >= s.Start.Offset && c.End.Offset <= s.End.Offset {
			return true
		}
	}
	return false
}

func stopAtEnd(p *pass) {
	tell := func(b *ast.Block) {
		if b == nil || len(b.Clauses) < 2 {
			return
		}
		last, ok := b.Clauses[len(b.Clauses)-1].(*ast.Simple)
		if !ok || last.Word.Name != "stop" || last.When != nil || last.Unless != nil || len(last.Cites) > 0 {
			return
		}
		before := b.Clauses[len(b.Clauses)-2].Extent().End
		f := p.report(last.Span, "it ends here anyway", "remove the `stop`")
		if cut := (ast.Span{Start: before, End: last.End}); !p.hasComment(cut) {
			f.Fix = []Edit{{cut, ""}}
		}
	}
	for _, n := range each[ast.Rule](p.file) {
		tell(n.Body)
	}
	for _, n := range each[ast.Procedure](p.file) {
		if n.Body == nil || len(n.Body.Clauses) == 0 {
			continue
		}
		if s, ok := n.Body.Clauses[len(n.Body.Clauses)-1].(*ast.Step); ok && s.Where.Name == "" {
			tell(s.Body)
		}
	}
}

func setToItself(p *pass) {
	for _, n := range each[ast.Set](p.file) {
		if p.source(n.Target) == p.source(bare(n.Value)) {
			p.report(n.Span, "this changes nothing", "correct one side, or remove the line")
		}
	}
}

// pairs iterates over the neighbouring clauses of each block.
func (p *pass) pairs(visit func(a, b ast.Clause)) {
	for _, n := range each[ast.Block](p.file) {
		for i := 1; i < len(n.Clauses); i++ {
			visit(n.Clauses[i-1], n.Clauses[i])
		}
	}
}

func overwrittenSet(p *pass) {
	p.pairs(func(a, b ast.Clause) {
		x, ok := a.(*ast.Set)
		y, also := b.(*ast.Set)
		if !ok || !also || y.When != nil || y.Unless != nil || p.source(x.Target) != p.source(y.Target) {
			return
		}
		for _, w := range word().FindAllString(p.source(y.Value), -1) { // the value may be read, in whatever way
			if slices.Contains(word().FindAllString(p.source(x.Target), -1), w) {
				return
			}
		}
		p.report(x.Span, "the next line sets it again, and nothing reads this value", "correct one of them, or remove this one").relate(y.Span, "the next line")
	})
}

func repeatedStatement(p *pass) {
	p.pairs(func(a, b ast.Clause) {
		x, ok := a.(*ast.Gain)
		y, also := b.(*ast.Gain)
		if ok && also && x.Amount == nil && p.source(x) == p.source(y) {
			p.report(y.Span, "this is the same as the line before it", "correct one of them, or remove it").relate(x.Span, "the line before it")
		}
	})
}

func repeatOnce(p *pass) {
	for _, n := range each[ast.Repeat](p.file) {
		if k, ok := bare(n.Times).(*ast.Number); ok && k.Value < 2 {
			p.report(n.Times.Extent(), fmt.Sprintf("this runs %d times", k.Value), "write the statements alone, or correct the number")
		}
	}
}

func deepNesting(p *pass) {
	limit := p.number()
	for i, n := range each[ast.If](p.file) {
		depth := 1
		if p.isElse(i) {
			continue
		}
		for k := p.nodes[i].parent; k >= 0; k = p.nodes[k].parent {
			switch p.nodes[k].at.(type) {
			case *ast.If:
				if !p.isElse(k) {
					depth++
				}
			case *ast.ForEach, *ast.Repeat, *ast.Arm, *ast.Choice, *ast.May:
				depth++
			}
		}
		if depth == limit+1 {
			p.report(n.Cond.Extent(), fmt.Sprintf("this is the level %d of nested blocks", depth), "leave early with `stop when`, or move the inner part into a procedure")
		}
	}
}

func longBody(p *pass) {
	tell := func(i int32, at ast.Span, name string) {
		count := 0
		for _, b := range inside[ast.Block](p.file, i) {
			count += len(b.Clauses)
		}
		if count > p.number() {
			p.report(at, fmt.Sprintf("%s has %d statements", name, count), "divide it into steps")
		}
	}
	for i, n := range each[ast.Step](p.file) {
		tell(i, n.Name.Span, n.Name.Name)
	}
	for i, n := range each[ast.Rule](p.file) {
		tell(i, n.Name.Span, n.Name.Name)
	}
}
