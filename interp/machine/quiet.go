package machine

// This file notes at which points nobody bears anything that waits there. A blow passes a dozen points and rules wait at
// most of them, but nearly all in effects that nobody has.
//
// What has been found of a point is good until an effect comes that has to do with points. That something has gone may
// leave a point that is taken for awaited and is not; its rules are then looked through, and none is found.

// hush is what is known of a point.
type hush uint8

const (
	unknown hush = iota
	isQuiet
	isAwaited
)

// quiet says whether nobody bears an effect whose rules or plans wait at a point, or whose duration may end there. Rules
// that no effect brings are another matter.
func (m *Machine) quiet(point int32) bool {
	if m.hushes[point] == unknown {
		m.hushes[point] = isQuiet
		if m.awaited(point) {
			m.hushes[point] = isAwaited
		}
	}
	return m.hushes[point] == isQuiet
}

// awaited looks whether somebody does.
func (m *Machine) awaited(point int32) bool {
	pt := &m.p.Points[point]
	for _, id := range pt.Rules {
		if x := &m.p.Rules[id]; x.Effect >= 0 && m.index.borne[x.Effect] > 0 {
			return true
		}
	}
	for i := range pt.Plans {
		if m.index.borne[m.p.Rules[pt.Plans[i].Rule].Effect] > 0 {
			return true
		}
	}
	return m.ends(pt)
}

// stirred tells that what was known of points is so no more: an effect comes that some point has to do with.
func (m *Machine) stirred() { clear(m.hushes) }

// stirring finds the effects that points have to do with; those of plans have rules too.
func (m *Machine) stirring() {
	p := m.p
	m.stirs = make([]bool, len(p.Effects))
	for i := range p.Rules {
		if e := p.Rules[i].Effect; e >= 0 {
			m.stirs[e] = true
		}
	}
	m.hushes = make([]hush, len(p.Points))
}
