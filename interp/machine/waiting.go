package machine

import "arbiter/interp/program"

// This file caches at which points no creature has an effect that waits there. An attack passes a dozen points and
// rules wait at most of them, but nearly all are in effects that no creature has.
//
// An entry is valid until an effect that has rules or a duration is gained. Losing an effect does not invalidate it: a
// point may then be considered awaited when it is not, and its rules are examined and none is found.

// pointState is what is known about a point.
type pointState uint8

const (
	pointUnknown pointState = iota
	pointQuiet
	pointAwaited
)

// isQuiet says whether no creature has an effect whose rules or plans wait at a point, or whose duration may end there.
// It does not consider rules outside effects.
func (m *Machine) isQuiet(point int32) bool {
	if m.pointStates[point] == pointUnknown {
		m.pointStates[point] = pointQuiet
		if m.isAwaited(point) {
			m.pointStates[point] = pointAwaited
		}
	}
	return m.pointStates[point] == pointQuiet
}

// isAwaited computes whether a rule of an effect that somebody has waits at a point.
func (m *Machine) isAwaited(point int32) bool {
	pt := &m.p.Points[point]
	for _, id := range pt.Rules {
		if x := &m.p.Rules[id]; x.Effect >= 0 && m.index.counts[x.Effect] > 0 {
			return true
		}
	}
	for i := range pt.Plans {
		if m.index.counts[m.p.Rules[pt.Plans[i].Rule].Effect] > 0 {
			return true
		}
	}
	return m.mayEndDuration(pt)
}

// resetPointStates invalidates what is known of all points.
func (m *Machine) resetPointStates() { clear(m.pointStates) }

// affectingPoints tells the effects that have rules; those of plans have rules too.
func affectingPoints(p *program.Program) []bool {
	affects := make([]bool, len(p.Effects))
	for i := range p.Rules {
		if e := p.Rules[i].Effect; e >= 0 {
			affects[e] = true
		}
	}
	return affects
}
