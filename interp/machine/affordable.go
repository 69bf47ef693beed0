package machine

import (
	"arbiter/interp/program"
	"arbiter/stdlib/exact"
)

// This file quickly rules out tactics commands that cannot be paid for: most tactics are evaluated when the turn's
// actions are already spent.

// price is a way to pay for an action, as far as the program alone determines it: each part requires a number in a
// slot.
type price []pricePart

type pricePart struct {
	slot  int32
	least int64 // value of the slot needed to pay
}

// pricesOf returns what an action costs, or nil if it may cost nothing or an amount that depends on the fight.
func (m *Machine) pricesOf(p *program.Proc) (prices []price) {
	if !p.Action {
		return nil
	}
	for i := range p.Costs {
		var x price
		for _, c := range p.Costs[i].Parts {
			r := &m.p.Resources[c.Resource]
			if c.Amount != program.NoChunk || r.LowChunk != program.NoChunk || r.Low == program.None {
				continue
			}
			if least, ok := exact.Add(r.Low, c.Count); ok {
				x = append(x, pricePart{m.p.Slots.Resources + c.Resource, least})
			}
		}
		if len(x) == 0 {
			return nil
		}
		prices = append(prices, x)
	}
	return prices
}

// affordable says whether some cost of an action might be payable; false is certain, whatever the guards and arguments.
func (m *Machine) affordable(who int64, proc int32) bool {
	prices := m.prices[proc]
	if len(prices) == 0 || !m.isEntity(who) {
		return true
	}
	slots := m.s.Slots[int(who)*m.stride:]
	for _, x := range prices {
		paid := true
		for k := 0; k < len(x) && paid; k++ {
			paid = slots[x[k].slot] >= x[k].least
		}
		if paid {
			return true
		}
	}
	return false
}
