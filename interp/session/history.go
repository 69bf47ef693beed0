package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/machine"
	"arbiter/interp/view"
	"arbiter/stdlib/journal"
)

// This file explains the amount of a resource by what has changed it.

// Change is one change of a resource.
type Change struct {
	Round int    `json:"round"` // 0: before the first
	From  int64  `json:"from"`
	To    int64  `json:"to"`
	By    string `json:"by,omitempty"` // what was done, as the transcript says, or the rule that did it
}

// maxChanges is how many changes are shown as text.
const maxChanges = 20

// changesOf returns the changes of a creature's resource, oldest first.
func (p *player) changesOf(who int64, resource string) []Change {
	var list []Change
	for i := range p.result.Events {
		e := &p.result.Events[i]
		if e.Kind != "resource" || e.Name != resource || e.Who != p.nameOf(who) {
			continue
		}
		if x := p.m.Journal.ByID(e.ID); x != nil {
			list = append(list, Change{Round: e.Round, From: x.A, To: x.B, By: p.doneBy(x)})
		}
	}
	return list
}

// doneBy says what caused a change: the line of the nearest action that has been told, or else the name of the procedure
// or the rule that began it; for what nothing caused, that it was a statement. What somebody else did in the middle of
// the creature's own action is named instead of that action.
func (p *player) doneBy(change *journal.Event) string {
	begun, byOther := "", ""
	for e := p.m.Journal.ByID(change.Cause); e != nil; e = p.m.Journal.ByID(e.Cause) {
		if e.Kind == machine.RuleRan {
			begun = p.m.Program().Rules[e.Code].Name
		}
		if e.Kind != machine.ProcBegan {
			continue
		}
		if i := slices.IndexFunc(p.result.Events, func(told view.Event) bool { return told.ID == e.ID }); i >= 0 {
			if e.Who == change.Who && byOther != "" {
				return byOther
			}
			return strings.TrimSpace(p.result.Events[i].Text)
		}
		begun = p.m.Program().Procs[e.Code].Name
		if e.Who != change.Who && e.Who >= 0 {
			byOther = p.nameOf(int64(e.Who)) + ": " + begun
		}
	}
	return cmp.Or(begun, "a statement")
}

// writeChanges writes the latest changes, a line each.
func writeChanges(b *strings.Builder, indent string, list []Change) {
	if more := len(list) - maxChanges; more > 1 {
		fmt.Fprintf(b, "%s  %d earlier changes\n", indent, more)
		list = list[more:]
	}
	var whens, tos []string
	when, from, to := 0, 0, 0
	for i, c := range list {
		whens, tos = append(whens, ""), append(tos, fmt.Sprint(c.To))
		if c.Round > 0 {
			whens[i] = fmt.Sprintf("round %d", c.Round)
		}
		when, from, to = max(when, len(whens[i])), max(from, len(fmt.Sprint(c.From))), max(to, len(tos[i]))
	}
	for i, c := range list {
		line := fmt.Sprintf("%s  %-*s  %*d -> %-*s  %s", indent, when, whens[i], from, c.From, to, tos[i], c.By)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}
