// Package journal records events, each with the event that caused it. A nil journal is off and costs nothing. The
// package must never know what a kind, a code or a number means: the words are in tables elsewhere.
package journal

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
type Journal struct{ events []Event }

// Append records an event, gives it the next ID, starting at 1, and returns that. A cause that is not an earlier event
// becomes None, so every chain of causes ends. A journal that is off returns None.
func (j *Journal) Append(e Event) int32 {
	if j == nil {
		return None
	}
	e.ID = int32(len(j.events)) + 1
	if e.Cause < 0 || e.Cause >= e.ID {
		e.Cause = None
	}
	j.events = append(j.events, e)
	return e.ID
}

// On reports whether the journal records.
func (j *Journal) On() bool { return j != nil }

// Mark returns the current length.
func (j *Journal) Mark() Mark {
	if j == nil {
		return 0
	}
	return Mark(len(j.events))
}

// Truncate removes the events recorded since the mark; their IDs are reused.
func (j *Journal) Truncate(m Mark) {
	if j != nil && m >= 0 && int(m) < len(j.events) {
		j.events = j.events[:m]
	}
}

// Since returns the events recorded since the mark. The slice belongs to the journal and is valid until the next
// change.
func (j *Journal) Since(m Mark) []Event {
	if j == nil || m < 0 || int(m) > len(j.events) {
		return nil
	}
	return j.events[m:len(j.events):len(j.events)]
}

// ByID returns an event, or nil. The pointer is valid until the next change.
func (j *Journal) ByID(id int32) *Event {
	if j == nil || id <= 0 || int(id) > len(j.events) {
		return nil
	}
	return &j.events[id-1]
}
