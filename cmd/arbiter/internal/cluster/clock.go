package cluster

import (
	"sync"
	"time"
)

// This file is the time of day, which is shown and measured but decides nothing: a clock that jumps changes no result.

// A Clock tells the time.
type Clock func() time.Time

// meter estimates how much is done per second, from what was done lately. A clock that jumps spoils an estimate for a
// while, and nothing else.
type meter struct {
	mu    sync.Mutex
	clock Clock
	marks []mark // oldest first
}

type mark struct {
	at   time.Time
	done float64
}

// meterSpan is over how much time a rate is measured.
const meterSpan = 30 * time.Second

// note notes how much has been done in all.
func (m *meter) note(done float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.clock()
	if n := len(m.marks); n > 0 && (now.Before(m.marks[n-1].at) || now.Sub(m.marks[n-1].at) > 2*meterSpan) {
		m.marks = m.marks[:0] // the clock has jumped, or nothing was done for long
	}
	if n := len(m.marks); n > 1 && now.Sub(m.marks[n-2].at) < meterSpan/64 {
		m.marks[n-1] = mark{now, done}
		return
	}
	m.marks = append(m.marks, mark{now, done})
	for len(m.marks) > 2 && now.Sub(m.marks[1].at) > meterSpan {
		m.marks = m.marks[1:]
	}
}

// rate returns how much is done per second, 0 if that is not known.
func (m *meter) rate() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.marks) < 2 {
		return 0
	}
	first, last := m.marks[0], m.marks[len(m.marks)-1]
	spent := last.at.Sub(first.at).Seconds()
	if spent <= 0 || last.done < first.done {
		return 0
	}
	return (last.done - first.done) / spent
}
