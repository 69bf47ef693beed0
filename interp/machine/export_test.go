package machine

import (
	"fmt"
	"strings"

	"arbiter/stdlib/modifier"
)

// This file formats explanations for the golden files of the tests. Players read them in the words of the session.

// ExplanationText formats an explanation, one line per term or modifier.
func (m *Machine) ExplanationText(x *Explanation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.%s = %d\n", m.FormatThing(int64(x.Who)), m.p.Stats[x.Stat].Name, x.Total)
	for _, l := range x.Lines {
		b.WriteString("  " + m.lineText(x, &l) + "\n")
	}
	return b.String()
}

func (m *Machine) lineText(x *Explanation, l *Line) string {
	value := fmt.Sprintf("%+d", l.Value)
	switch {
	case l.Kind == DenialLine:
		value = "denies"
	case l.Op == modifier.Times:
		value = fmt.Sprintf("times %d/%d", l.Value, l.Den)
	case l.Op == modifier.Becomes:
		value = fmt.Sprintf("becomes %d", l.Value)
	case l.Op == modifier.Floor:
		value = fmt.Sprintf("at least %d", l.Value)
	case l.Op == modifier.Ceiling:
		value = fmt.Sprintf("at most %d", l.Value)
	}
	text := value
	if l.Bonus >= 0 && int(l.Bonus) < len(m.p.Bonuses) {
		text += " " + m.p.Bonuses[l.Bonus]
	}
	text += " " + l.Name
	switch {
	case !l.Holds:
		return text + ": does not hold"
	case l.Kind == DenialLine || l.Counted:
	case l.DeniedBy >= 0:
		text += fmt.Sprintf(": %s by %s", l.Reason, m.p.Parts[l.DeniedBy].Path)
	case l.OverriddenBy >= 0:
		text += fmt.Sprintf(": %s by %s", l.Reason, x.Lines[l.OverriddenBy].Name)
	default:
		text += ": " + l.Reason.String()
	}
	return text
}

// CheckAt finds the explanation of a check by its roller, label and ordinal from 1.
func (m *Machine) CheckAt(roller int32, label string, n int) *RollExplanation {
	for i := range m.explanations {
		e := m.Journal.ByID(m.explanations[i].Event)
		if e.Who != roller || m.p.Labels[m.p.Checks[e.Code].Label].Name != label {
			continue
		}
		if n--; n == 0 {
			return &m.explanations[i]
		}
	}
	return nil
}

// Sorted returns values in the order of their keys, as rules sort lists.
func (m *Machine) Sorted(values, keys []int64, descending bool) []int64 {
	list := m.MakeList(values)
	m.sortList(list, m.MakeList(keys), descending)
	return m.list(list)
}

// WronglyQuiet names the points that are considered quiet although a creature has an effect that waits there.
func (m *Machine) WronglyQuiet() (names []string) {
	for i := range m.p.Points {
		if m.pointStates[i] == pointQuiet && m.isAwaited(int32(i)) {
			names = append(names, m.p.Points[i].Name)
		}
	}
	return names
}

// Stale names the derived effects that a creature has although their condition does not hold, or lacks although it
// does.
func (m *Machine) Stale() (names []string) {
	for i := range m.p.Nodes {
		n := &m.p.Nodes[i]
		for e := range m.s.Entities {
			if n.Includer >= 0 || m.s.Entities[e].Away {
				continue
			}
			if holds := m.eval1(n.Guard, m.s.top(), int64(e)) != 0; holds != (m.instanceFrom(int32(e), n.Effect, originDerived) != 0) {
				names = append(names, fmt.Sprintf("%s of %s", m.p.Effects[n.Effect].Name, m.s.Entities[e].Name))
			}
		}
	}
	return names
}
