package compile

import (
	"arbiter/interp/ir"
)

// This file finds the stat that is added to dice, so that the sum can be explained: in `roll (1d8 + damage-bonus)`, and
// in `let bonus = damage-bonus` and `roll (1d8 + bonus)`.

// noteAssignment remembers what a variable is set to.
func (f *chunkBuilder) noteAssignment(v *ir.Var, x *ir.Expr) {
	if x.Type.Kind != ir.Number {
		return
	}
	if f.assigned == nil {
		f.assigned = map[*ir.Var][]*ir.Expr{}
	}
	f.assigned[v] = append(f.assigned[v], x)
}

// addedStat returns the stat that is added to dice, nil if there is none or if it is not certain which.
func (f *chunkBuilder) addedStat(e *ir.Expr) *ir.Stat {
	switch e.Op {
	case ir.OpDiceMul:
		return f.addedStat(e.Args[0])
	case ir.OpDiceAdd:
		if e.Args[0].Op == ir.OpDiceAdd {
			return nil // there are two
		}
		stats := map[*ir.Stat]bool{}
		f.collectStats(e.Args[1], stats, map[*ir.Var]bool{})
		if len(stats) == 1 {
			for st := range stats {
				return st
			}
		}
	}
	return nil
}

// collectStats collects the stats that an expression can be the value of; nil stands for anything else that is not a
// constant.
func (f *chunkBuilder) collectStats(e *ir.Expr, stats map[*ir.Stat]bool, seen map[*ir.Var]bool) {
	switch e.Op {
	case ir.OpConst:
	case ir.OpStat:
		stats[e.Stat] = true
	case ir.OpVar:
		if len(f.assigned[e.Var]) == 0 {
			stats[nil] = true
		}
		if seen[e.Var] {
			return
		}
		seen[e.Var] = true
		for _, x := range f.assigned[e.Var] {
			f.collectStats(x, stats, seen)
		}
	default:
		stats[nil] = true
	}
}

// explainLabel records which stat is added to the rolls of a label. If it is not always the same, none is.
func (c *compiler) explainLabel(label int32, st *ir.Stat) {
	l := &c.p.Labels[label]
	switch added := int32(st.Index) + 1; l.Added {
	case 0:
		l.Added = added
	case added:
	default:
		l.Added = -1
	}
}
