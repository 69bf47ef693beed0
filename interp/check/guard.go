package check

import (
	"fmt"
	"strconv"
	"strings"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file tracks what guards prove: after `X is not none`, X can be used.

// provedNotNone reports whether a guard has proved that x is not none.
func (s *scope) provedNotNone(x *ir.Expr) bool {
	if len(s.facts) == 0 {
		return false
	}
	k := exprKey(x)
	return k != "" && s.facts[k] > 0
}

// assume adds the facts that follow from x being true (or false), until undone.
func (s *scope) assume(x *ir.Expr, truth bool) (undo func()) {
	var found []string
	collectNotNone(x, truth, &found)
	if len(found) == 0 {
		return func() {}
	}
	if s.facts == nil {
		s.facts = map[string]int{}
	}
	for _, k := range found {
		s.facts[k]++
	}
	return func() {
		for _, k := range found {
			if s.facts[k] > 0 { // else it was forgotten
				s.facts[k]--
			}
		}
	}
}

// assumeGuard assumes that the guard of a clause holds for the rest of this scope, which has the same parameters.
func (s *scope) assumeGuard(f *ir.Func) {
	if f != nil && f.Body != nil {
		s.assume(f.Body, true)
	}
}

// forget drops the facts about a variable that is set.
func (s *scope) forget(v *ir.Var) {
	if len(s.facts) == 0 {
		return
	}
	k := exprKey(&ir.Expr{Op: ir.OpVar, Var: v})
	for fact := range s.facts {
		if strings.Contains(fact, k) {
			delete(s.facts, fact)
		}
	}
}

// forgetField drops the facts about a field, of any thing: two names may be aliases.
func (s *scope) forgetField(k *ir.Kind, field int) {
	for fact := range s.facts {
		if strings.Contains(fact, fieldKey(k, field)) {
			delete(s.facts, fact)
		}
	}
}

// forgetSet drops, before the body of a loop, the facts about what the body sets, since it may run a second time.
func (s *scope) forgetSet(body *ast.Block) {
	if len(s.facts) == 0 {
		return
	}
	within := map[string]bool{} // names bound in the body
	ast.Contains(body, func(node any) bool {
		switch n := node.(type) {
		case *ast.Let:
			within[n.Name.Name] = true
		case *ast.Set:
			switch t := n.Target.(type) {
			case *ast.Name:
				if v := s.lookup(t.Name); v != nil {
					s.forget(v)
				} else if !within[t.Name] {
					s.forgetNamed(t.Name)
				}
			case *ast.Field:
				s.forgetNamed(t.Name.Name)
			}
		}
		return false
	})
}

// forgetNamed drops the facts about the fields of a name, of any kind.
func (s *scope) forgetNamed(field string) {
	for _, k := range s.c.rs.Kinds {
		if i := k.Field(field); i >= 0 {
			s.forgetField(k, i)
		}
	}
}

// collectNotNone collects the keys of the expressions that are not none if x is true (or false).
func collectNotNone(x *ir.Expr, truth bool, found *[]string) {
	switch x.Op {
	case ir.OpNot:
		collectNotNone(x.Args[0], !truth, found)
	case ir.OpAnd:
		if truth {
			collectNotNone(x.Args[0], true, found)
			collectNotNone(x.Args[1], true, found)
		}
	case ir.OpOr:
		if !truth {
			collectNotNone(x.Args[0], false, found)
			collectNotNone(x.Args[1], false, found)
		}
	case ir.OpEq, ir.OpNe:
		if truth == (x.Op == ir.OpNe) {
			a, b := x.Args[0], x.Args[1]
			if isNone(b) {
				*found = append(*found, exprKey(a))
			} else if isNone(a) {
				*found = append(*found, exprKey(b))
			}
		} else if x.Op == ir.OpEq && truth {
			// equal to something that is never none
			if !x.Args[1].Type.OrNone {
				*found = append(*found, exprKey(x.Args[0]))
			}
		}
	}
}

func isNone(x *ir.Expr) bool { return x.Op == ir.OpConst && x.Type.Kind == ir.Nothing }

// exprKey returns a key that is equal for equal pure expressions; "" for expressions whose value may differ.
func exprKey(x *ir.Expr) string {
	key, same := appendKey(nil, x)
	if !same {
		return ""
	}
	return string(key)
}

// fieldKey is the prefix of the keys of a field, of any thing.
func fieldKey(k *ir.Kind, field int) string {
	return strings.TrimSuffix(exprKey(&ir.Expr{Op: ir.OpField, Kind: k, Int: int64(field)}), ")")
}

// appendKey appends the key of an expression, and says whether its value is the same wherever it is written.
func appendKey(key []byte, x *ir.Expr) ([]byte, bool) {
	switch x.Op {
	case ir.OpHook, ir.OpHookRoll, ir.OpRoll, ir.OpPick, ir.OpCall, ir.OpPlan, ir.OpQuery, ir.OpBad:
		return nil, false
	case ir.OpVar:
		v := x.Var
		for v.Outer != nil {
			v = v.Outer
		}
		return append(appendRef(key, 'V', v), ';'), true
	}
	key = strconv.AppendInt(append(key, '('), int64(x.Op), 10)
	key = strconv.AppendInt(append(key, ' '), x.Int, 10)
	key = appendRef(appendRef(appendRef(key, 'K', x.Kind), 'S', x.Stat), 'D', x.Define)
	key = appendRef(appendRef(key, 'T', x.Table), 'E', x.Effect)
	key = append(append(key, ' '), x.Name...)
	for _, a := range x.Args {
		var same bool
		if key, same = appendKey(key, a); !same {
			return nil, false
		}
	}
	return append(key, ')'), true
}

// appendRef appends what an expression refers to, if that is something.
func appendRef[T any](key []byte, word byte, to *T) []byte {
	if to == nil {
		return key
	}
	return fmt.Appendf(append(key, word), "%p", to)
}
