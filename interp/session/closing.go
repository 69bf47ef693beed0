package session

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/view"
	"arbiter/lang/ast"
	"arbiter/stdlib/journal"
)

// This file tells how a fight ended, and whose turns have been passed over.

// The outcome of a fight that ended without a winner, and of one that nobody has survived.
const (
	outcomeUndecided = "undecided"
	outcomeNobody    = "nobody"
)

// outcome is the side that has won, or one of the words above.
func (p *player) outcome() string {
	switch side, n := p.standing(); n {
	case 0:
		return outcomeNobody
	case 1:
		return p.sides[side]
	}
	return outcomeUndecided
}

// endDecided ends a fight that has been decided, and tells who has won it.
func (p *player) endDecided(span ast.Span) bool {
	rounds := int(p.m.State().Order.Round())
	if !p.must(span, p.m.EndFight) {
		return false
	}
	if !p.quiet {
		text, left := p.closing(rounds)
		p.narrator.writeEvents()
		p.narrator.show(LookRound, 0, text, text)
		p.narrator.recordHostEvent(view.Event{Kind: "ended", Text: text, Name: p.outcome(), Left: left})
	}
	return true
}

// closing is the line that tells how a fight ended: who has won, after how many rounds, and who is left.
func (p *player) closing(rounds int) (text string, left []string) {
	text = "The fight is over"
	switch {
	case rounds == 1:
		text += " after 1 round"
	case rounds > 1:
		text += fmt.Sprintf(" after %d rounds", rounds)
	}
	side, n := p.standing()
	switch {
	case n == 0:
		return text + ": nobody is left.", nil
	case n > 1:
		return text + ".", nil
	}
	for i := range p.members {
		if p.members[i].side == side && !p.m.State().Entities[i].Away && !p.defeated(int32(i)) {
			left = append(left, p.members[i].name)
		}
	}
	verb := " are left."
	if len(left) == 1 {
		verb = " is left."
	}
	return text + ", won by " + p.sides[side] + ": " + enumerateSome(left) + verb, left
}

// maxEnumerated is how many names a line lists.
const maxEnumerated = 8

// enumerateSome joins names as in speech; of many, the first ones.
func enumerateSome(names []string) string {
	if more := len(names) - maxEnumerated; more > 1 {
		names = append(names[:maxEnumerated:maxEnumerated], fmt.Sprintf("%d more", more))
	}
	return enumerate(names)
}

// passedOver returns those whose turns have begun since a mark, but not the current one, in order.
func (p *player) passedOver(since journal.Mark) (list []int32) {
	for _, e := range p.m.Journal.Since(since) {
		if e.Kind == machine.MomentBegan && e.Code == machine.StartOf*3+machine.OfTurn && e.Who >= 0 && !slices.Contains(list, e.Who) {
			list = append(list, e.Who)
		}
	}
	current := p.m.State().Order.Current()
	return slices.DeleteFunc(list, func(who int32) bool { return who == current || int(who) >= len(p.members) })
}

// tellPassedOver tells who had a turn and could not take it, and why, and whose turn has gone by unused.
func (p *player) tellPassedOver(since journal.Mark) {
	if p.quiet || p.stopped {
		return
	}
	var unable, idle []string
	for _, who := range p.passedOver(since) {
		switch why := p.whyNoTurn(who); {
		case p.canTurn(who):
			idle = append(idle, p.nameOf(int64(who)))
		case why == "":
			unable = append(unable, p.nameOf(int64(who)))
		default:
			unable = append(unable, p.nameOf(int64(who))+" ("+why+")")
		}
	}
	if len(unable) > 0 {
		p.narrator.line(0, enumerateSome(unable)+" cannot act.")
	}
	if len(idle) > 0 {
		p.narrator.line(0, enumerateSome(idle)+does(idle, " lets the turn go by.", " let their turns go by."))
	}
}

func does(names []string, one, many string) string {
	if len(names) == 1 {
		return one
	}
	return many
}

// whyNoTurn names the conditions that keep a creature from acting.
func (p *player) whyNoTurn(who int32) string {
	var names, limiting []string
	for k, e := range p.m.Program().Effects {
		if e.Word != ir.ConditionWord || e.Internal || !p.m.Has(who, int32(k)) {
			continue
		}
		names = append(names, e.Name)
		if len(e.Cannots) > 0 {
			limiting = append(limiting, e.Name)
		}
	}
	if len(limiting) > 0 {
		names = limiting
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
