package check

import (
	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file warns about rules of effects that have nothing to do with whoever has the effect.

// warnAnybodys warns about a rule of an effect that responds to what anybody does and mentions neither its bearer nor a
// value of the effect: two creatures that have the effect respond to each other.
func (c *checker) warnAnybodys(n *ast.Rule, r *ir.Rule, s *scope) {
	t := r.Trigger
	if r.Effect == nil || t == nil || t.Proc == nil && t.Any == "" || t.Plan != nil || len(n.Trigger.Args) > 0 {
		return
	}
	mentions := false
	see := func(e *ir.Expr) {
		if e.Op == ir.OpHook || e.Op == ir.OpVar && (e.Var == s.self || e.Var.Kind == ir.VarMemory) {
			mentions = true
		}
	}
	stmt := func(x *ir.Stmt) { // a command without an actor is the bearer's
		mentions = mentions || x.Var != nil && x.Var.Kind == ir.VarMemory || x.Call != nil && x.Call.Who == nil
	}
	if r.Guard != nil {
		ir.WalkExpr(r.Guard, see)
	}
	ir.WalkStmts(r.Body, stmt, see)
	if !mentions {
		c.warn(s.file, n.Trigger.Span, "anybodys", "this is done by anybody, and nothing here is about whoever has "+r.Effect.Name,
			"write whose it is, such as `"+n.Trigger.Word.Name+" "+link.PathText(n.Trigger.Path)+" by self`, or `to self`")
	}
}
