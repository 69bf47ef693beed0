package ir

// This file visits every expression and statement of a piece of code, in source order.

func WalkExpr(e *Expr, visit func(*Expr)) {
	if e == nil {
		return
	}
	visit(e)
	for _, a := range e.Args {
		WalkExpr(a, visit)
	}
	if q := e.Query; q != nil {
		walkQuery(q, visit)
	}
	if e.Call != nil {
		WalkCall(e.Call, visit)
	}
}

func walkQuery(q *Query, visit func(*Expr)) {
	for _, x := range []*Expr{q.In, q.Where, q.Sort, q.Of} {
		WalkExpr(x, visit)
	}
}

func WalkCall(k *Call, visit func(*Expr)) {
	WalkExpr(k.Who, visit)
	for _, a := range k.Args {
		WalkExpr(a, visit)
	}
}

func WalkTrigger(t *Trigger, visit func(*Expr)) {
	if t == nil {
		return
	}
	WalkExpr(t.Of, visit)
	for _, a := range t.Args {
		WalkExpr(a.Value, visit)
	}
}

func WalkDuration(d *Duration, visit func(*Expr)) {
	if d == nil {
		return
	}
	WalkExpr(d.Rounds, visit)
	WalkExpr(d.Seconds, visit)
	for _, t := range d.Until {
		WalkTrigger(t, visit)
	}
}

// WalkStmts visits the statements and their expressions; the bodies of plans are separate code and not visited.
func WalkStmts(body []*Stmt, stmt func(*Stmt), visit func(*Expr)) {
	for _, s := range body {
		if s == nil {
			continue
		}
		stmt(s)
		for _, x := range []*Expr{s.Guard, s.X, s.Y} {
			WalkExpr(x, visit)
		}
		for _, x := range s.Args {
			WalkExpr(x, visit)
		}
		if s.Query != nil {
			walkQuery(s.Query, visit)
		}
		if k := s.Check; k != nil {
			for _, x := range []*Expr{k.Roller, k.Foe, k.Bonus, k.Target} {
				WalkExpr(x, visit)
			}
		}
		if k := s.Choose; k != nil {
			WalkExpr(k.By, visit)
			for _, o := range k.Options {
				WalkExpr(o.Guard, visit)
				WalkStmts(o.Body, stmt, visit)
			}
		}
		if g := s.Gain; g != nil {
			for _, x := range g.Args {
				WalkExpr(x, visit)
			}
			for _, x := range g.Memory {
				WalkExpr(x, visit)
			}
			WalkDuration(g.Duration, visit)
		}
		if m := s.May; m != nil {
			WalkExpr(m.Who, visit)
			WalkExpr(m.Default, visit)
			if m.Call != nil {
				WalkCall(m.Call, visit)
			}
			WalkStmts(m.Body, stmt, visit)
			WalkStmts(m.Else, stmt, visit)
		}
		for _, n := range s.Note {
			WalkExpr(n.Value, visit)
		}
		if s.Call != nil {
			WalkCall(s.Call, visit)
		}
		WalkStmts(s.Body, stmt, visit)
		WalkStmts(s.Else, stmt, visit)
	}
}
