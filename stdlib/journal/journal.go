// Package journal records events, each with the event that caused it. A nil journal is off and costs nothing. The
// package must never know what a kind, a code or a number means: the words are in tables elsewhere.
package journal

import "slices"

// None is the cause of an event without a cause; no event has this ID.
const None int32 = 0

// A Mark is a length to which the journal can be truncated.
type Mark int32

// An Event is something that happened.
type Event struct {
	ID, Cause  int32 // Cause is None, or the ID of an earlier event
	Kind       uint8
	Code       int32 // what happened, within its kind
	Who        int32
	A, B, C, D int64
	Text       int32 // index of a text stored elsewhere
}

// A Journal is a list of events in the order in which they happened. Its zero value is empty and on.
type Journal struct {
	events    []Event
	forgotten Mark // how many were before these
}

// Append records an event, gives it the next ID, starting at 1, and returns that. A cause that is not an earlier event
// becomes None, so every chain of causes ends. A journal that is off returns None.
func (j *Journal) Append(e Event) int32 {
	if j == nil {
		return None
	}
	e.ID = int32(j.Mark()) + 1
	if e.Cause < 0 || e.Cause >= e.ID {
		e.Cause = None
	}
	j.events = append(j.events, e)
	return e.ID
}

// On reports whether the journal records.
func (j *Journal) On() bool { return j != nil }

// Mark returns the current length, with what has been forgotten.
func (j *Journal) Mark() Mark {
	if j == nil {
		return 0
	}
	return j.forgotten + Mark(len(j.events))
}

// Truncate removes the events recorded since the mark; their IDs are reused.
func (j *Journal) Truncate(m Mark) {
	if j == nil || m < 0 || m >= j.Mark() {
		return
	}
	j.forgotten = min(j.forgotten, m)
	j.events = j.events[:m-j.forgotten]
}

// Forget forgets the events before the mark. The others keep their IDs.
func (j *Journal) Forget(m Mark) {
	if j == nil || m <= j.forgotten || m > j.Mark() {
		return
	}
	j.events = slices.Clone(j.events[m-j.forgotten:])
	j.forgotten = m
}

// Since returns the events recorded since the mark, without those forgotten. The slice belongs to the journal and is valid until the next
// change.
func (j *Journal) Since(m Mark) []Event {
	if j == nil || m < 0 || m > j.Mark() {
		return nil
	}
	return j.events[max(0, m-j.forgotten):len(j.events):len(j.events)]
}

// ByID returns an event, or nil if there is none or it has been forgotten. The pointer is valid until the next change.
func (j *Journal) ByID(id int32) *Event {
	if j == nil || Mark(id) <= j.forgotten || Mark(id) > j.Mark() {
		return nil
	}
	return &j.events[Mark(id)-1-j.forgotten]
}
