package session

import (
	"slices"

	"arbiter/interp/story"
)

// This file offers and takes the choices of a story.

// offer opens choices, or continues if none is available.
func (p *player) offer(o *story.Op) {
	c := &p.tale.Choices[o.A]
	open := p.open(c)
	switch {
	case p.stopped:
	case len(open) > 0:
		p.enter(choosing)
		if t := p.tale; t.points != nil {
			for _, way := range open {
				t.counts[t.points.OfOffer(t.Story, int32(p.m.State().Tale[taleAt]), way)]++
			}
		}
		p.out.offer(p.offered(c, open))
	case c.Otherwise >= 0:
		p.branch(p.m.State().Tale[taleAt], len(c.Ways))
		p.m.State().Tale[taleAt] = int64(c.Otherwise)
	default:
		p.m.State().Tale[taleAt] = int64(c.After)
	}
}

// open lists the choices that can be taken; the list is valid until the next call.
func (p *player) open(c *story.Choices) []int {
	list := p.tale.ways[:0]
	for i := range c.Ways {
		if p.isOpen(&c.Ways[i]) {
			list = append(list, i)
		}
	}
	p.tale.ways = list
	return list
}

func (p *player) isOpen(w *story.Way) bool {
	if w.Once >= 0 && *p.counter(w.Once) != 0 {
		return false
	}
	if w.Open >= 0 {
		if holds, ok := p.valueOf(w.Open); !ok || holds == 0 {
			return false
		}
	}
	for i := range w.Costs {
		if can, ok := p.valueOf(w.Costs[i].Afford); !ok || can == 0 {
			return false
		}
	}
	return true
}

// offered returns the labels of the open choices as shown.
func (p *player) offered(c *story.Choices, open []int) (labels []string) {
	if p.quiet {
		return nil
	}
	for _, i := range open {
		w := &c.Ways[i]
		label := p.label(w)
		if sight := p.inSight(w); sight != "" {
			label += " [" + sight + "]"
		}
		labels = append(labels, label)
	}
	return labels
}

// label returns the label of a choice. It advances no counter: alternatives in a label advance when one of the choices
// is taken.
func (p *player) label(w *story.Way) string {
	if !p.tale.fickle {
		label, _ := p.tellText(nil, p.tale.Texts[w.Label])
		return label
	}
	counters, dice := slices.Clone(p.m.State().Globals[p.tale.counters:]), p.dice.mark()
	label, _ := p.tellText(nil, p.tale.Texts[w.Label])
	copy(p.m.State().Globals[p.tale.counters:], counters)
	p.dice.reset(dice)
	return label
}

// inSight returns the costs of a choice and the check it calls for.
func (p *player) inSight(w *story.Way) string {
	text := ""
	add := func(s string) {
		if text != "" {
			text += "; "
		}
		text += s
	}
	say := func(id int32) string {
		piece := p.tale.values[id]
		s, _ := p.m.EvalText(piece.Chunk, piece.Type, p.m.Vars()...)
		return s
	}
	for i := range w.Costs {
		c := &w.Costs[i]
		s := say(c.Amount)
		if c.Of != "" {
			s += " " + c.Of
		}
		add(s)
	}
	if w.Check.Name != "" {
		s := w.Check.Name
		if w.Check.Who != "" {
			s = w.Check.Who + ": " + s
		}
		if w.Check.DC >= 0 {
			s += ", DC " + say(w.Check.DC)
		}
		add(s)
	}
	return text
}

// takeWay takes a choice, by its index among all of them.
func (p *player) takeWay(way int) {
	o := p.op()
	c := &p.tale.Choices[o.A]
	w := &c.Ways[way]
	p.tale.began = len(p.out.all)
	p.out.turnOver()
	if !p.quiet {
		p.out.took(p.label(w))
	}
	if p.tale.fickle {
		for _, i := range p.open(c) {
			p.passOver(p.tale.Texts[c.Ways[i].Label])
		}
	}
	p.branch(p.m.State().Tale[taleAt], way)
	for i := range w.Costs {
		if p.doDeed(w.Costs[i].Pay); p.stopped {
			return
		}
	}
	if w.Once >= 0 {
		*p.counter(w.Once) = 1
	}
	p.m.State().Tale[taleAt] = int64(w.To)
	p.enter(telling)
	p.advance()
}
