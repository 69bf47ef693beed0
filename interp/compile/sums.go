package compile

import (
	"cmp"
	"math"
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/stdlib/exact"
)

// This file finds the sums of a creature's numbers that comparisons test against a constant: `hit-points +
// temporary-hit-points < 0` tests whether a sum of two slots is below 0, whatever defines it is written with. Listeners
// only need to be notified of writes that make the sum cross the constant.

// slotSum is a weighted sum of slots of one creature, plus a constant.
type slotSum struct {
	of       *ir.Expr // whose slots; nil: self's
	parts    []program.SumPart
	constant int64
	covered  []*ir.Expr // the subexpressions that it replaces, whose reads are covered by the sum
}

// No rule has larger sums; they are left to the code, which reports an overflow.
const (
	maxSumFactor = 1 << 10
	maxSumParts  = 4
)

// sumCondition converts a comparison to a condition on a sum of slots: that it is in a range, or for `!=`, that it is
// not. ok is false for other comparisons.
func (c *compiler) sumCondition(e *ir.Expr, self *ir.Var) (s slotSum, within program.Range, ok bool) {
	if e.Op != ir.OpEq && e.Op != ir.OpNe && e.Op != ir.OpLt && e.Op != ir.OpLe {
		return s, within, false
	}
	if !s.add(c, e.Args[0], self, nil, 1, 0) || !s.add(c, e.Args[1], self, nil, -1, 0) || !s.normalize() {
		return s, within, false
	}
	within = program.Range{Slot: s.parts[0].Slot, Low: math.MinInt64, High: math.MaxInt64}
	limit, low, high := -s.constant, &within.Low, &within.High
	if s.parts[0].Times < 0 { // negate all
		for i := range s.parts {
			s.parts[i].Times = -s.parts[i].Times
		}
		limit, low, high = -limit, high, low
	}
	if limit == math.MaxInt64 {
		return s, within, false
	}
	strictly := int64(1)
	if high == &within.Low {
		strictly = -1
	}
	switch e.Op {
	case ir.OpEq, ir.OpNe:
		*low, *high = limit, limit
	case ir.OpLt:
		*high = limit - strictly
	case ir.OpLe:
		*high = limit
	}
	within.WeightedSum = c.sumIndex(s.parts)
	return s, within, true
}

// rangeThresholds are the thresholds at which a number enters or leaves a range.
func rangeThresholds(within program.Range) program.Thresholds {
	x := program.Thresholds{Low: within.Low, High: within.High + 1, WeightedSum: within.WeightedSum}
	if within.Low == math.MinInt64 {
		x.Low = x.High
	} else if within.High == math.MaxInt64 {
		x.High = x.Low
	}
	return x
}

// add adds a weighted expression; it returns false if that is not a sum of slots. self is the creature of the code that
// contains the expression; inside a define, that is the argument of.
func (s *slotSum) add(c *compiler, e *ir.Expr, self *ir.Var, of *ir.Expr, times int64, depth int) (ok bool) {
	e = c.foldIf(e)
	if c.isConstant(e) {
		s.constant, ok = exact.Add(s.constant, times*e.Int)
		return ok && e.Int != math.MinInt64 && s.constant != math.MinInt64
	}
	if depth == 0 {
		s.covered = append(s.covered, e)
	}
	switch e.Op {
	case ir.OpAdd:
		return s.add(c, e.Args[0], self, of, times, depth) && s.add(c, e.Args[1], self, of, times, depth)
	case ir.OpSub:
		return s.add(c, e.Args[0], self, of, times, depth) && s.add(c, e.Args[1], self, of, -times, depth)
	case ir.OpNeg:
		return s.add(c, e.Args[0], self, of, -times, depth)
	case ir.OpResource, ir.OpField, ir.OpDefine:
	default:
		return false
	}
	if len(e.Args) != 1 || e.Args[0] == nil {
		return false
	}
	whose := e.Args[0]
	if whose.Op == ir.OpVar && (whose.Var == self || whose.Var != nil && whose.Var.Kind == ir.VarSelf) {
		whose = of
	} else if depth > 0 {
		return false
	}
	switch e.Op {
	case ir.OpResource:
		return s.addPart(whose, c.p.Slots.Resources+int32(e.Resource.Index), times)
	case ir.OpField:
		return c.kinds[e.Kind] == 0 && s.addPart(whose, int32(e.Int), times)
	}
	d := e.Define
	if depth >= maxInlineDepth || c.marks(d.Part) || c.isNeutral(d.Part) || d.Func == nil || d.Func.Body == nil || len(d.Func.Params) != 1 {
		return false
	}
	return s.add(c, d.Func.Body, d.Func.Params[0], whose, times, depth+1)
}

// addPart adds a weighted slot.
func (s *slotSum) addPart(of *ir.Expr, slot int32, times int64) bool {
	if len(s.parts) > 0 && !sameVar(s.of, of) {
		return false
	}
	s.of = of
	for i := range s.parts {
		if s.parts[i].Slot == slot {
			s.parts[i].Times += times
			return true
		}
	}
	s.parts = append(s.parts, program.SumPart{Slot: slot, Times: times})
	return true
}

// sameVar says whether two expressions, of which nil is self, are certainly the same creature.
func sameVar(a, b *ir.Expr) bool {
	return a == b || a != nil && b != nil && a.Op == ir.OpVar && b.Op == ir.OpVar && a.Var == b.Var
}

// normalize sorts the parts, so that equal sums are recognized.
func (s *slotSum) normalize() bool {
	s.parts = slices.DeleteFunc(s.parts, func(x program.SumPart) bool { return x.Times == 0 })
	slices.SortFunc(s.parts, func(a, b program.SumPart) int { return cmp.Compare(a.Slot, b.Slot) })
	tooLarge := slices.ContainsFunc(s.parts, func(x program.SumPart) bool { return x.Times > maxSumFactor || x.Times < -maxSumFactor })
	return len(s.parts) > 0 && len(s.parts) <= maxSumParts && !tooLarge
}

// sumIndex numbers a sum of slots; 0 is a single slot.
func (c *compiler) sumIndex(parts []program.SumPart) int32 {
	if len(parts) == 1 && parts[0].Times == 1 {
		return 0
	}
	if len(c.p.WeightedSums) == 0 {
		c.p.WeightedSums = append(c.p.WeightedSums, nil)
	}
	for i, x := range c.p.WeightedSums {
		if slices.Equal(x, parts) {
			return int32(i)
		}
	}
	c.p.WeightedSums = append(c.p.WeightedSums, parts)
	return int32(len(c.p.WeightedSums) - 1)
}

// necessaryRange finds a range in which a number of self must be for a condition to hold. Most conditions of most
// creatures fail that test, and need not be evaluated.
func (c *compiler) necessaryRange(fn *ir.Func) program.Range {
	if len(fn.Params) > 0 && c.opts.Branches == nil { // where conditions are marked, they are tested
		if within, ok := c.bounds(fn.Body, fn.Params[0]); ok {
			return within
		}
	}
	return program.Range{Slot: -1}
}

// necessaryArgument returns the range in which an argument of the action that a `cannot` is about must be for its guard
// to hold, as in `when PARAMETER = VALUE and ...`.
func necessaryArgument(guard *ir.Func) program.ArgumentRange {
	none := program.ArgumentRange{Param: -1}
	if guard == nil {
		return none
	}
	var params []*ir.Var
	for i, v := range guard.Params {
		if i > 0 && v.Kind != ir.VarSelf && v.Kind != ir.VarInstance && v.Kind != ir.VarActor {
			params = append(params, v)
		}
	}
	var within func(e *ir.Expr) program.ArgumentRange
	within = func(e *ir.Expr) program.ArgumentRange {
		switch e.Op {
		case ir.OpAnd:
			if a := within(e.Args[0]); a.Param >= 0 {
				return a
			}
			return within(e.Args[1])
		case ir.OpOr:
			a, b := within(e.Args[0]), within(e.Args[1])
			if a.Param != b.Param {
				return none
			}
			return program.ArgumentRange{Param: a.Param, Low: min(a.Low, b.Low), High: max(a.High, b.High)}
		case ir.OpEq:
			x, y := e.Args[0], e.Args[1]
			if x.Op == ir.OpConst {
				x, y = y, x
			}
			if i := slices.Index(params, x.Var); x.Op == ir.OpVar && y.Op == ir.OpConst && y.Option == nil && i >= 0 {
				return program.ArgumentRange{Param: int32(i), Low: y.Int, High: y.Int}
			}
		}
		return none
	}
	return within(guard.Body)
}

// bounds returns the range in which a number of self must be for a condition to hold. For `and` it takes the first one
// found; for `or` it joins both ranges, if both are of the same number.
func (c *compiler) bounds(e *ir.Expr, self *ir.Var) (within program.Range, ok bool) {
	switch e.Op {
	case ir.OpAnd:
		if within, ok = c.bounds(e.Args[0], self); !ok {
			within, ok = c.bounds(e.Args[1], self)
		}
		return within, ok
	case ir.OpOr:
		a, is := c.bounds(e.Args[0], self)
		b, so := c.bounds(e.Args[1], self)
		if !is || !so || a.Slot != b.Slot || a.WeightedSum != b.WeightedSum {
			return within, false
		}
		a.Low, a.High = min(a.Low, b.Low), max(a.High, b.High)
		return a, a.Low > math.MinInt64 || a.High < math.MaxInt64
	case ir.OpNe:
		return within, false
	}
	s, within, ok := c.sumCondition(e, self)
	return within, ok && s.of == nil
}
