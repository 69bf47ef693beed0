package lint

import (
	"fmt"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file has the rules about the ways of a decision: the blocks of an `if`, the arms of a check or a case.

var branchRules = []*Rule{
	{Code: "asked-before", Severity: diag.Warning, check: repeatedInChain,
		Summary: "A condition of an `if ... else if` was asked before in the same chain.",
		Why:     "Its block never runs: the first one is taken.",
		How:     "Correct the condition, or remove the block."},
	{Code: "same-ways", Severity: diag.Warning, check: sameWays,
		Summary: "Both blocks of an `if`, both values of an `if then else`, or all arms do the same.",
		Why:     "The decision decides nothing: one of them was to be changed after copying.",
		How:     "Correct one of them, or leave the decision out."},
	{Code: "repeated-arm", Severity: diag.Note, check: repeatedArm,
		Summary: "Two neighbouring arms of a case do the same.",
		Why:     "What belongs together is said twice, and may be changed once.",
		How:     "Name both values before one body: `red, blue: stop`."},
	{Code: "negated-if", Severity: diag.Note, check: negatedIf,
		Summary: "`if not C { } else { }`.",
		Why:     "The `else` is read as `if not not C`.",
		How:     "Swap the blocks, and ask C."},
	{Code: "nested-if", Severity: diag.Note, check: nestedIf,
		Summary: "An `if` with nothing in it but another `if`.",
		Why:     "It is one condition, in two places and one level deeper.",
		How:     "Write `if A and B { }`."},
	{Code: "case-without-values", Severity: diag.Note, check: idleBranch,
		Summary: "A case that has only `otherwise`.",
		Why:     "It asks for a value that does not matter.",
		How:     "Write the statements alone."},
}

func repeatedInChain(p *pass) {
	for i, n := range each[ast.If](p.file) {
		if p.isElse(i) || p.rolls(i) {
			continue
		}
		seen := map[string]ast.Expr{}
		for n != nil {
			text := p.source(bare(n.Cond))
			if first := seen[text]; first != nil {
				p.report(n.Cond.Extent(), "this was asked before in the same chain: the block never runs", "correct the condition, or remove the block").
					relate(first.Extent(), "it was asked here")
			} else {
				seen[text] = n.Cond
			}
			n = elseIf(n)
		}
	}
}

// elseIf is the `if` directly after an `else`.
func elseIf(n *ast.If) *ast.If {
	if n.Else == nil || len(n.Else.Clauses) != 1 {
		return nil
	}
	next, _ := n.Else.Clauses[0].(*ast.If)
	return next
}

// isElse reports whether an `if` stands after an `else`.
func (p *pass) isElse(i int32) bool {
	b, at := around[ast.Block](p.file, i)
	if at < 0 {
		return false
	}
	outer, ok := p.parent(at).(*ast.If)
	return ok && outer.Else == b && len(b.Clauses) == 1
}

func sameWays(p *pass) {
	for _, n := range each[ast.If](p.file) {
		if n.Then != nil && n.Else != nil && elseIf(n) == nil && p.inner(n.Then) == p.inner(n.Else) {
			p.report(n.Cond.Extent(), "both blocks do the same", "correct one of them, or leave the `if` out")
		}
	}
	for _, n := range each[ast.Cond](p.file) {
		if p.source(bare(n.Then)) == p.source(bare(n.Else)) {
			p.report(n.Span, "both values are the same", "correct one of them, or leave the `if` out")
		}
	}
	for _, n := range each[ast.Branch](p.file) {
		if len(n.Arms) < 2 {
			continue
		}
		same := n.Arms[0].Body != nil
		for i := range n.Arms {
			same = same && n.Arms[i].Body != nil && p.inner(n.Arms[i].Body) == p.inner(n.Arms[0].Body)
		}
		if last := n.Arms[len(n.Arms)-1].Label.Name; same && (last == "otherwise" || last == "failure" || n.Word.Name == "case") {
			p.report(n.Word.Span, "all arms do the same", "correct one of them, or write the statements alone")
		}
	}
}

// inner is the text of the statements of a block.
func (p *pass) inner(b *ast.Block) string {
	text := ""
	for _, cl := range b.Clauses {
		text += p.source(cl) + ";"
	}
	return text
}

func repeatedArm(p *pass) {
	for _, n := range each[ast.Branch](p.file) {
		if n.Word.Name != "case" {
			continue
		}
		for i := 1; i < len(n.Arms); i++ {
			a, b := &n.Arms[i-1], &n.Arms[i]
			if a.Label.Name == "" && b.Label.Name == "" && a.Body != nil && b.Body != nil && len(a.Body.Clauses) > 0 && p.inner(a.Body) == p.inner(b.Body) {
				p.report(b.Span, "this arm does the same as the one before it", "name both values before one body").relate(a.Span, "the one before it")
			}
		}
	}
}

func negatedIf(p *pass) {
	for _, n := range each[ast.If](p.file) {
		u, ok := bare(n.Cond).(*ast.Unary)
		if ok && u.Op.Name == "not" && n.Else != nil && elseIf(n) == nil {
			p.report(n.Cond.Extent(), "the `else` of this is a negation of a negation", fmt.Sprintf("swap the blocks, and ask %s", p.source(u.X)))
		}
	}
}

func nestedIf(p *pass) {
	for _, n := range each[ast.If](p.file) {
		if n.Then == nil || n.Else != nil || len(n.Then.Clauses) != 1 {
			continue
		}
		if in, ok := n.Then.Clauses[0].(*ast.If); ok && in.Else == nil {
			p.report(in.Cond.Extent(), "this is the only thing in another `if`", "join the two conditions with `and`").relate(n.Cond.Extent(), "the other condition")
		}
	}
}

func idleBranch(p *pass) {
	for _, n := range each[ast.Branch](p.file) {
		if n.Word.Name == "case" && len(n.Arms) == 1 && n.Arms[0].Label.Name == "otherwise" {
			p.report(n.Word.Span, "this case has only `otherwise`", "write the statements alone")
		}
	}
}
