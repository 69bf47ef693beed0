package machine

import (
	"arbiter/interp/program"
	"arbiter/stdlib/exact"
)

// This file quickly rules out commands of tactics that cannot be paid for: most tactics are evaluated when the turn's
// actions are already spent.

// pricePart is a part of a way to pay for an action, as far as the program alone determines it. The parts of a way
// follow each other, and so do the ways.
type pricePart struct {
	slot  int32
	next  int32 // where the next way begins
	least int64 // value of the slot needed to pay
}

// pricesOf returns the ways to pay for an action, or nil if it may cost nothing or an amount that depends on the fight.
func pricesOf(p *program.Program, q *program.Proc) (prices []pricePart) {
	if !q.Action {
		return nil
	}
	for i := range q.Costs {
		first := len(prices)
		for _, c := range q.Costs[i].Parts {
			r := &p.Resources[c.Resource]
			if c.Amount != program.NoChunk || r.LowChunk != program.NoChunk || r.Low == program.None {
				continue
			}
			if least, ok := exact.Add(r.Low, c.Count); ok {
				prices = append(prices, pricePart{slot: p.Slots.Resources + c.Resource, least: least})
			}
		}
		if len(prices) == first {
			return nil
		}
		for k := range prices[first:] {
			prices[first+k].next = int32(len(prices))
		}
	}
	return prices
}

// isTooDear says whether a creature with these slots can pay in none of the ways, whatever the guards and arguments of
// the action; it may be false for what is too dear.
func isTooDear(slots []int64, ways []pricePart) bool {
	for i := 0; i < len(ways); {
		x := &ways[i]
		i++
		if slots[x.slot] < x.least {
			i = int(x.next)
		} else if i == int(x.next) {
			return false
		}
	}
	return len(ways) > 0
}
