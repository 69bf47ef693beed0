package compile

import "arbiter/interp/ir"

// This file visits every expression and statement of a piece of code, in source order.

func walkExpr(e *ir.Expr, visit func(*ir.Expr)) {
	if e == nil {
		return
	}
	visit(e)
	for _, a := range e.Args {
		walkExpr(a, visit)
	}
	if q := e.Query; q != nil {
		walkQuery(q, visit)
	}
	if e.Call != nil {
		walkCall(e.Call, visit)
	}
}

func walkQuery(q *ir.Query, visit func(*ir.Expr)) {
	for _, x := range []*ir.Expr{q.In, q.Where, q.Sort, q.Of} {
		walkExpr(x, visit)
	}
}

func walkCall(k *ir.Call, visit func(*ir.Expr)) {
	walkExpr(k.Who, visit)
	for _, a := range k.Args {
		walkExpr(a, visit)
	}
}

func walkTrigger(t *ir.Trigger, visit func(*ir.Expr)) {
	if t == nil {
		return
	}
	walkExpr(t.Of, visit)
	for _, a := range t.Args {
		walkExpr(a.Value, visit)
	}
}

func walkDuration(d *ir.Duration, visit func(*ir.Expr)) {
	if d == nil {
		return
	}
	walkExpr(d.Rounds, visit)
	walkExpr(d.Seconds, visit)
	for _, t := range d.Until {
		walkTrigger(t, visit)
	}
}

// walkStmts visits the statements and their expressions; the bodies of plans are separate code and not visited.
func walkStmts(body []*ir.Stmt, stmt func(*ir.Stmt), visit func(*ir.Expr)) {
	for _, s := range body {
		if s == nil {
			continue
		}
		stmt(s)
		for _, x := range []*ir.Expr{s.Guard, s.X, s.Y} {
			walkExpr(x, visit)
		}
		for _, x := range s.Args {
			walkExpr(x, visit)
		}
		if s.Query != nil {
			walkQuery(s.Query, visit)
		}
		if k := s.Check; k != nil {
			for _, x := range []*ir.Expr{k.Roller, k.Foe, k.Bonus, k.Target} {
				walkExpr(x, visit)
			}
		}
		if k := s.Choose; k != nil {
			walkExpr(k.By, visit)
			for _, o := range k.Options {
				walkExpr(o.Guard, visit)
				walkStmts(o.Body, stmt, visit)
			}
		}
		if g := s.Gain; g != nil {
			for _, x := range g.Args {
				walkExpr(x, visit)
			}
			for _, x := range g.Memory {
				walkExpr(x, visit)
			}
			walkDuration(g.Duration, visit)
		}
		if m := s.May; m != nil {
			walkExpr(m.Who, visit)
			walkExpr(m.Default, visit)
			if m.Call != nil {
				walkCall(m.Call, visit)
			}
			walkStmts(m.Body, stmt, visit)
			walkStmts(m.Else, stmt, visit)
		}
		for _, n := range s.Note {
			walkExpr(n.Value, visit)
		}
		if s.Call != nil {
			walkCall(s.Call, visit)
		}
		walkStmts(s.Body, stmt, visit)
		walkStmts(s.Else, stmt, visit)
	}
}
