package lint

import (
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file has the rules about tactics: commands in order of preference, of which the first is done that is legal.

var tacticsRules = []*Rule{
	{Code: "unreachable-tactic", Severity: diag.Warning, check: unreachableTactic,
		Summary: "A command of tactics is never reached: the same command stands before it, with no condition or with one that holds whenever this one's does.",
		Why:     "Where the first is not done, the second cannot be done either.",
		How:     "Put the one with more conditions first, or correct the conditions."},
	{Code: "empty-tactics", Severity: diag.Warning, check: emptyTactics,
		Summary: "Tactics have no command.",
		Why:     "Whoever follows them does nothing, and a fight of such creatures is broken off.",
		How:     "Write commands. For a creature that only stands there, say so in the sentence of the tactics, and allow it with a comment."},
}

// command is the text of a command without its conditions.
func (p *pass) command(n *ast.Command) string {
	text := n.Name.Name
	if n.Who != nil {
		text = p.source(n.Who) + ": " + text
	}
	for _, a := range n.Args {
		text += " " + a.Label.Name + " " + p.source(a.Value)
	}
	return text
}

// implied reports whether each condition of an earlier command is also one of a later command.
func (p *pass) implied(earlier, later *ast.Tail) bool {
	if e, l := p.sourceOf(earlier.Unless), p.sourceOf(later.Unless); e != "" && e != l {
		return false
	}
	if earlier.When == nil {
		return true
	}
	if later.When == nil {
		return false
	}
	have := map[string]bool{}
	for _, x := range operands(later.When, "and") {
		have[p.source(bare(x))] = true
	}
	for _, x := range operands(earlier.When, "and") {
		if !have[p.source(bare(x))] {
			return false
		}
	}
	return true
}

func unreachableTactic(p *pass) {
	for _, n := range each[ast.Tactics](p.file) {
		if n.Body == nil {
			continue
		}
		var before []*ast.Command
		for _, cl := range n.Body.Clauses {
			c, ok := cl.(*ast.Command)
			if !ok {
				continue
			}
			for _, b := range before {
				if p.command(b) == p.command(c) && p.implied(&b.Tail, &c.Tail) {
					p.report(c.Span, "this is never reached", "put the one with more conditions first, or correct the conditions").relate(b.Span, "whenever this is possible, that is done")
					break
				}
			}
			before = append(before, c)
		}
	}
}

func emptyTactics(p *pass) {
	for _, n := range each[ast.Tactics](p.file) {
		if n.Body == nil || len(n.Body.Clauses) == 0 {
			p.report(n.Name.Span, "these tactics have no command", "write commands")
		}
	}
}
