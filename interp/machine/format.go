package machine

import (
	"fmt"
	"strconv"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/lang/words"
	"arbiter/stdlib/grid"
)

// This file formats values.

// Format formats a value of a type.
func (m *Machine) Format(typ int32, v int64) string {
	if typ < 0 || int(typ) >= len(m.p.Types) {
		return formatNumber(v)
	}
	t := &m.p.Types[typ]
	switch {
	case v == program.None && t.Kind != ir.Number:
		return "none"
	case v == program.Absent:
		return "nothing"
	}
	switch t.Kind {
	case ir.YesNo:
		if v != 0 {
			return "yes"
		}
		return "no"
	case ir.Text:
		return m.Text(v)
	case ir.Dice:
		return m.FormatDice(v)
	case ir.Quantity:
		return words.Quantity(t.Name, v)
	case ir.EnumType:
		if t.Of >= 0 && v >= 0 && v < int64(len(m.p.Enums[t.Of].Members)) {
			return m.p.Enums[t.Of].Members[v]
		}
	case ir.Ref:
		return m.FormatThing(v)
	case ir.List:
		var parts []string
		for _, x := range m.list(v) {
			parts = append(parts, m.Format(t.Of, x))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case ir.Outcome:
		if o := m.object(v); len(o) == outcomeSize {
			word := "failure"
			if o[outcomeSuccess] != 0 {
				word = "success"
			}
			return fmt.Sprintf("%d against %d, %s", o[2], o[3], word)
		}
	case ir.Record:
		return m.formatRecord(v)
	case ir.ActionRef:
		if v >= 0 && v < int64(len(m.p.Procs)) {
			return m.p.Procs[v].Name
		}
	case ir.EffectRef:
		if v >= 0 && v < int64(len(m.p.Effects)) {
			return m.p.Effects[v].Name
		}
	case ir.PlanType:
		return "a plan"
	case ir.Square:
		return FormatSquare(v)
	case ir.Place:
		if m.isEntity(v) {
			return m.FormatThing(v)
		}
		return FormatSquare(v)
	case ir.PathType:
		if path := m.list(v); len(path) > 0 {
			return "a way to " + FormatSquare(path[len(path)-1])
		}
		return "a way"
	}
	return formatNumber(v)
}

func (m *Machine) formatRecord(v int64) string {
	o := m.object(v)
	if len(o) == 0 {
		return "none"
	}
	kind, of, _ := program.UnpackHeader(o[0])
	if kind != program.ProcObject {
		return formatNumber(v)
	}
	var parts []string
	for i, f := range m.p.Procs[of].Record {
		if i+1 < len(o) {
			parts = append(parts, f.Name+": "+m.Format(f.Type, o[i+1]))
		}
	}
	return m.p.Procs[of].Name + "(" + strings.Join(parts, ", ") + ")"
}

func formatNumber(v int64) string {
	if v == program.None {
		return "none"
	}
	return strconv.FormatInt(v, 10)
}

// FormatSquare formats a square as a script writes it.
func FormatSquare(v int64) string {
	at, ok := grid.Unpack(v)
	switch {
	case !ok:
		return "nowhere"
	case at.Z != 0:
		return fmt.Sprintf("(%d, %d, %d)", at.X, at.Y, at.Z)
	}
	return fmt.Sprintf("(%d, %d)", at.X, at.Y)
}

// FormatThing returns the name of a creature, a template or a record.
func (m *Machine) FormatThing(v int64) string {
	switch {
	case v == program.None:
		return "none"
	case m.isEntity(v):
		return m.s.Entities[v].Name
	case v < 0 && -v-1 < int64(len(m.p.Templates)):
		return m.p.Templates[-v-1].Name
	case v >= program.RecordTag:
		if o := m.object(v &^ program.RecordTag); len(o) > 0 {
			if kind, of, _ := program.UnpackHeader(o[0]); kind == program.RecordObject && int(of) < len(m.p.Kinds) {
				return "a " + m.p.Kinds[of].Name
			}
		}
	}
	return "something unknown"
}

// nameText returns the text value that is the name of a thing.
func (m *Machine) nameText(v int64) int64 {
	if v == program.None {
		return program.None
	}
	return program.EntityText | v&^(-1<<41)
}

// Text returns the string of a text: one of the program, or the name of a thing.
func (m *Machine) Text(v int64) string {
	if v >= program.EntityText {
		v &^= program.EntityText
		if v >= 1<<40 { // the number of a template is negative
			v |= -1 << 41
		}
		return m.FormatThing(v)
	}
	if v >= 0 && v < int64(len(m.p.Texts)) {
		return m.p.Texts[v]
	}
	return ""
}

// FormatDice formats a dice value as it is typed.
func (m *Machine) FormatDice(v int64) string {
	d := ir.UnpackDice(v)
	text := ""
	if d.Times > 0 && int(d.Expr) < len(m.p.Dice) {
		text = m.p.Dice[d.Expr]
		if d.Times > 1 {
			text = fmt.Sprintf("%d*(%s)", d.Times, text)
		}
	}
	switch {
	case text == "":
		return strconv.Itoa(int(d.Flat))
	case d.Flat > 0:
		return fmt.Sprintf("%s+%d", text, d.Flat)
	case d.Flat < 0:
		return fmt.Sprintf("%s%d", text, d.Flat)
	}
	return text
}
