package session

import (
	"slices"
	"strings"

	"arbiter/interp/check"
	"arbiter/interp/ir"
	"arbiter/lang/ast"

	"github.com/rogpeppe/go-internal/diff"
)

// This file compares what a script expects with what happened.

func (p *player) expect(n *ast.Expect) {
	switch {
	case n.Refused:
		p.expectRefused(n)
		return
	case n.Story.Name != "":
		p.expectStory(n)
		return
	}
	x, vars, diags := p.names.Expr(n.Cond, check.YesNo)
	if len(diags) > 0 {
		p.result.Failures = append(p.result.Failures, diags...)
		return
	}
	v, ok := p.eval(n.Span, x, vars)
	if !ok || v != 0 || p.o.Unchecked {
		return
	}
	p.fail(n.Cond.Extent(), "expectation", "this does not hold")
	if values := p.operands(n.Cond); values != "" {
		p.addHint(values)
	}
}

func (p *player) expectRefused(n *ast.Expect) {
	if n.Body == nil {
		return
	}
	for _, cl := range n.Body.Clauses {
		why, ok := p.do(cl)
		if p.stopped {
			p.notRefused()
			return
		}
		if p.o.Unchecked {
			continue
		}
		if ok {
			p.fail(cl.Extent(), "expectation", "this was not refused")
			return
		}
		if n.Text != nil && !strings.Contains(strings.ToLower(why), strings.ToLower(n.Text.Value)) {
			p.fail(n.Text.Span, "expectation", "it was refused for another reason: %s", why)
		}
	}
}

// notRefused says that a command was not refused, if it only stopped because its first die is not scripted.
func (p *player) notRefused() {
	if last := len(p.result.Failures) - 1; last >= 0 && p.result.Failures[last].Code == "no-die" {
		d := &p.result.Failures[last]
		rolls, _, _ := strings.Cut(d.Message, ", but")
		d.Code, d.Message, d.Hint = "expectation", "this was not refused: "+rolls, ""
	}
}

// operands lists the values of the operands of a failed condition.
func (p *player) operands(e ast.Expr) string {
	var lines []string
	var walk func(e ast.Expr)
	show := func(e ast.Expr) {
		switch n := e.(type) {
		case *ast.Number, *ast.Literal, *ast.String:
			return
		case *ast.Unary:
			if _, constant := n.X.(*ast.Number); constant {
				return
			}
		}
		if v, ok := p.tryFormat(e); ok {
			lines = append(lines, p.text(e)+" is "+v+p.assumptions(e))
		}
	}
	walk = func(e ast.Expr) {
		switch n := e.(type) {
		case *ast.Paren:
			walk(n.X)
		case *ast.Unary:
			if n.Op.Name == "not" {
				walk(n.X)
				return
			}
			show(e)
		case *ast.Binary:
			switch n.Op.Name {
			case "and", "or":
				walk(n.X)
				walk(n.Y)
			case "=", "!=", "<", "<=", ">", ">=", "in":
				show(n.X)
				show(n.Y)
			default:
				show(e)
			}
		case *ast.IsTest:
			show(e)
			if x, ok := p.conditions(n.X); ok {
				lines = append(lines, x)
			}
		default:
			show(e)
		}
	}
	walk(e)
	return strings.Join(lines, "; ")
}

// assumptions says what the stats in an expression were asked with although the expression does not say so.
func (p *player) assumptions(e ast.Expr) (text string) {
	x, vars, diags := p.names.Expr(e, ir.Type{})
	if len(diags) > 0 {
		return ""
	}
	var all []string
	ir.WalkExpr(x, func(x *ir.Expr) {
		if x.Op != ir.OpStat || x.Int == 0 {
			return
		}
		args := make([]int64, len(x.Args))
		for i, a := range x.Args {
			args[i] = p.argument(e.Extent(), a, vars)
		}
		if assumed := p.assumed(x, args); assumed != "" && !slices.Contains(all, assumed) {
			all = append(all, assumed)
		}
	})
	if all == nil {
		return ""
	}
	return " (" + strings.Join(all, "; ") + ")"
}

// conditions lists the conditions of a creature, for an `is` that failed.
func (p *player) conditions(e ast.Expr) (string, bool) {
	n, ok := e.(*ast.Name)
	if !ok {
		return "", false
	}
	for i := range p.members {
		if p.members[i].name == n.Name {
			list := p.conditionsOf(int64(i))
			if len(list) == 0 {
				return n.Name + " has no effects", true
			}
			return n.Name + " bears " + strings.Join(list, ", "), true
		}
	}
	return "", false
}

// tryFormat evaluates and formats an expression, if possible.
func (p *player) tryFormat(e ast.Expr) (string, bool) {
	x, vars, diags := p.names.Expr(e, ir.Type{})
	if len(diags) > 0 {
		return "", false
	}
	text, err := p.format(x, vars)
	return text, err == nil
}

// format evaluates and formats a checked expression.
func (p *player) format(x *ir.Expr, vars []*ir.Var) (string, error) {
	piece, err := p.compiler.Expression(x, vars)
	if err != nil {
		return "", err
	}
	p.m.Relink()
	return p.m.EvalText(piece.Chunk, piece.Type, p.m.Vars()...)
}

// text returns the source of an expression of the script, on one line.
func (p *player) text(e ast.Expr) string {
	src := p.script.Rules.Sources[p.script.Path]
	span := e.Extent()
	if span.End.Offset > len(src) || span.Start.Offset >= span.End.Offset {
		return "it"
	}
	return strings.Join(strings.Fields(string(src[span.Start.Offset:span.End.Offset])), " ")
}

func (p *player) transcript(n *ast.Directive) {
	got := p.narrator.newText()
	if n.Text == nil || dedent(got) == dedent(n.Text.Value) {
		return
	}
	p.transcripts = append(p.transcripts, Transcript{n, got})
	if !p.o.Update && !p.o.Unchecked {
		p.fail(n.Text.Span, "transcript", "the transcript is different:\n%s", difference(dedent(n.Text.Value), dedent(got)))
		p.addHint("`arbiter test --update` updates it; read every line of the change")
		p.addOrigin(dedent(n.Text.Value), got)
	}
}

// dedent removes the common indentation, and blank lines at both ends.
func dedent(s string) string {
	lines := strings.Split(strings.Trim(s, "\n"), "\n")
	least := -1
	for _, l := range lines {
		if t := strings.TrimLeft(l, " \t"); t != "" && (least < 0 || len(l)-len(t) < least) {
			least = len(l) - len(t)
		}
	}
	for i, l := range lines {
		if least > 0 && len(l) >= least {
			l = l[least:]
		}
		lines[i] = strings.TrimRight(l, " \t")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// difference returns a diff with some lines of context: - expected, + printed.
func difference(want, got string) string {
	d := string(diff.Diff("expected", []byte(want+"\n"), "printed", []byte(got+"\n")))
	if _, rest, ok := strings.Cut(d, "\n+++ printed\n"); ok {
		d = rest
	}
	return strings.TrimRight(d, "\n")
}
