package machine

import (
	"arbiter/interp/program"
	"arbiter/stdlib/exact"
)

// This file tells early which commands of tactics nobody need ask about, for they cannot be paid: most of a turn's
// questions are asked when its actions are spent.

// price is a way to pay for an action as far as the program alone says: each part asks for a number in a slot.
type price []part

type part struct {
	slot  int32
	least int64 // with which it can be paid
}

// pricesOf works out what an action costs; none if that may be nothing, or hangs on the fight.
func (m *Machine) pricesOf(p *program.Proc) (prices []price) {
	if !p.Action {
		return nil
	}
	for i := range p.Costs {
		var x price
		for _, c := range p.Costs[i].Parts {
			r := &m.p.Resources[c.Resource]
			if c.Amount != program.NoChunk || r.From != program.NoChunk || r.Low == program.None {
				continue
			}
			if least, ok := exact.Add(r.Low, c.Count); ok {
				x = append(x, part{m.p.Slots.Resources + c.Resource, least})
			}
		}
		if len(x) == 0 {
			return nil
		}
		prices = append(prices, x)
	}
	return prices
}

// affordable says whether some cost of an action might be paid; no is certain, whatever guards and arguments say.
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
