package session

import (
	"strings"

	"arbiter/interp/machine"
	"arbiter/interp/odds"
)

// This file is about several commands in a row, and whole rounds of them.

// commandsIn splits commands at the semicolons between them. There is at least one. Each is preceded by as many spaces as
// there is text before it, so that the places of its mistakes are those in the whole text.
func commandsIn(text string) (list []string) {
	from, quoted := 0, false
	end := func(to int) {
		if strings.TrimSpace(text[from:to]) != "" {
			list = append(list, strings.Repeat(" ", from)+strings.TrimRight(text[from:to], " \t\n"))
		}
		from = to + 1
	}
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == ';' && !quoted:
			end(i)
		}
	}
	if end(len(text)); list == nil {
		return []string{text}
	}
	return list
}

// seriesOf does commands one after the other, and again in each round. In a fight, everybody acts in their own turn, and
// the turns of the others pass. Who is out of the fight does nothing, nor does anybody once a side has lost all that it
// had at first.
func (l *Live) seriesOf(list []*question) odds.Series {
	p := l.p
	had := p.sidesStanding()
	var s odds.Series
	for n, q := range list {
		s.Steps = append(s.Steps, func(round, tries int) (machine.Result, odds.Onward) {
			order := &p.m.State().Order
			newTurn := n == 0 && round > 0 && tries == 0
			for side, stands := range p.sidesStanding() {
				if had[side] && !stands {
					return machine.Result{Status: machine.Refused}, odds.Over
				}
			}
			if p.m.State().InFight && (newTurn || order.Current() != q.who) {
				if tries > order.Len() { // no turn of theirs comes
					return machine.Result{Status: machine.Refused}, odds.Next
				}
				return p.m.NextTurn(), odds.Again
			}
			switch down, err := p.m.Defeated(q.who); {
			case err != nil:
				return machine.Result{Status: machine.Failed, Err: err}, odds.Next
			case down:
				return machine.Result{Status: machine.Refused}, odds.Next
			}
			return p.m.Do(q.who, q.proc, q.args), odds.Next
		})
	}
	return s
}

// sidesStanding reports for each side whether somebody of it is not defeated.
func (p *player) sidesStanding() []bool {
	list := make([]bool, len(p.sides))
	for i := range p.members {
		if down, err := p.m.Defeated(int32(i)); !down && err == nil && !p.m.State().Entities[i].Away {
			list[p.members[i].side] = true
		}
	}
	return list
}
