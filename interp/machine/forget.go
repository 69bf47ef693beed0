package machine

import (
	"slices"

	"arbiter/stdlib/journal"
)

// This file forgets what happened long ago, so that a long fight takes no more memory than a short one.

// HistoryMark is a place in the history of a fight: its events, with their texts and the explanations of its rolls.
type HistoryMark struct {
	Events journal.Mark
	texts  int
}

// HistoryMark returns the present end of the history.
func (m *Machine) HistoryMark() HistoryMark {
	return HistoryMark{m.Journal.Mark(), m.textsForgotten + len(m.EventTexts)}
}

// Forget forgets the history before a mark. What comes after it keeps the numbers of its events.
func (m *Machine) Forget(to HistoryMark) {
	m.Journal.Forget(to.Events)
	if n := to.texts - m.textsForgotten; n > 0 && n <= len(m.EventTexts) {
		m.EventTexts, m.textsForgotten = slices.Clone(m.EventTexts[n:]), to.texts
	}
	at, _ := slices.BinarySearchFunc(m.explanations, int32(to.Events)+1, func(x RollExplanation, id int32) int { return int(x.Event - id) })
	m.explanations = slices.Clone(m.explanations[at:])
}
