package session

import (
	"slices"
	"strings"

	"arbiter/interp/story"
)

// This file offers and takes the choices of a story.

// offer opens choices, or continues if none is available.
func (p *player) offer(o *story.Op) {
	c := &p.story.Choices[o.A]
	open := p.openChoices(c)
	switch {
	case p.stopped:
	case len(open) > 0:
		p.enter(choosing)
		if t := p.story; t.points != nil {
			for _, way := range open {
				t.counts[t.points.OfOffer(t.Story, int32(p.m.State().Story[storyAt]), way)]++
			}
		}
		p.narrator.showChoices(p.choiceLabels(c, open))
	case c.Otherwise >= 0:
		p.countBranch(p.m.State().Story[storyAt], len(c.Ways))
		p.m.State().Story[storyAt] = int64(c.Otherwise)
	default:
		p.m.State().Story[storyAt] = int64(c.After)
	}
}

// openChoices lists the choices that can be taken; the list is valid until the next call.
func (p *player) openChoices(c *story.Choices) []int {
	list := p.story.openChoices[:0]
	for i := range c.Ways {
		if p.isOpen(&c.Ways[i]) {
			list = append(list, i)
		}
	}
	p.story.openChoices = list
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

// choiceLabels returns the labels of the open choices as shown.
func (p *player) choiceLabels(c *story.Choices, open []int) (labels []string) {
	if p.quiet {
		return nil
	}
	for _, i := range open {
		w := &c.Ways[i]
		label := p.label(w)
		if sight := p.announcedTerms(w); sight != "" {
			label += " [" + sight + "]"
		}
		labels = append(labels, label)
	}
	return labels
}

// label returns the label of a choice. It advances no counter: alternatives in a label advance when one of the choices
// is taken.
func (p *player) label(w *story.Way) string {
	if !p.story.changingLabels {
		label, _ := p.tellText(nil, p.story.Texts[w.Label])
		return label
	}
	counters, dice := slices.Clone(p.m.State().Globals[p.story.counters:]), p.dice.mark()
	label, _ := p.tellText(nil, p.story.Texts[w.Label])
	copy(p.m.State().Globals[p.story.counters:], counters)
	p.dice.reset(dice)
	return label
}

// announcedTerms returns the costs of a choice and the check it calls for.
func (p *player) announcedTerms(w *story.Way) string {
	text := ""
	add := func(s string) {
		if text != "" {
			text += "; "
		}
		text += s
	}
	say := func(id int32) string {
		piece := p.story.values[id]
		s, _ := p.m.EvalText(piece.Chunk, piece.Type, p.m.Vars()...)
		return s
	}
	for i := range w.Costs {
		c := &w.Costs[i]
		s := say(c.Amount)
		switch {
		case s == "1":
			s += " " + singular(c.Of)
		case c.Of != "":
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

// singular is a name in the plural, as authors give it to what is counted, for one of it.
func singular(name string) string {
	one, plural := strings.CutSuffix(name, "s")
	if !plural || strings.HasSuffix(one, "s") || strings.HasSuffix(one, "u") || strings.HasSuffix(one, "i") {
		return name
	}
	return one
}

// takeChoice takes a choice, by its index among all of them.
func (p *player) takeChoice(way int) {
	o := p.currentOp()
	c := &p.story.Choices[o.A]
	w := &c.Ways[way]
	p.story.latestStart = p.narrator.output.Len()
	p.story.trail.restart()
	p.narrator.turnOver()
	if !p.quiet {
		p.narrator.took(p.label(w))
	}
	if p.story.changingLabels {
		for _, i := range p.openChoices(c) {
			p.skipText(p.story.Texts[c.Ways[i].Label])
		}
	}
	p.countBranch(p.m.State().Story[storyAt], way)
	for i := range w.Costs {
		if p.runStatements(w.Costs[i].Pay); p.stopped {
			return
		}
	}
	if w.Once >= 0 {
		*p.counter(w.Once) = 1
	}
	p.m.State().Story[storyAt] = int64(w.To)
	p.enter(running)
	p.advance()
}
