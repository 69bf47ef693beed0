package session

import (
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/lang/diag"
)

// This file finds the rule that made a line of the transcript.

// lineOrigin says that the output from an offset on tells of an event.
type lineOrigin struct {
	from  int
	event int32
}

// noteOrigin notes which event the next line tells.
func (t *narrator) noteOrigin() {
	if t.p.o.Origins {
		t.origins = append(t.origins, lineOrigin{t.output.Len(), t.telling})
	}
}

// addOrigin adds to the latest failure which rule made the first line of a transcript that is not as expected.
func (p *player) addOrigin(want, got string) {
	if !p.o.Origins {
		return
	}
	expected := strings.Split(want, "\n")
	offset, n := p.narrator.from, 0
	for line := range strings.Lines(got) {
		text := strings.TrimSpace(line)
		if text == "" && n == 0 { // dropped by dedent
			offset += len(line)
			continue
		}
		if n >= len(expected) || strings.TrimSpace(expected[n]) != text {
			break
		}
		offset += len(line)
		n++
	}
	var event int32
	for _, o := range p.narrator.origins {
		if o.from > offset {
			break
		}
		event = o.event
	}
	part, name := p.partBehind(event)
	if part == nil {
		return
	}
	f := &p.result.Failures[len(p.result.Failures)-1]
	file, _, _ := p.script.Rules.Where(part.Pos)
	f.Related = append(f.Related, diag.Related{File: file, Span: part.Pos.Span, Message: name + " made the first line that differs"})
}

// partBehind returns the innermost rule or procedure in which an event happened, and what it is called; nil if there is
// none.
func (p *player) partBehind(id int32) (part *ir.Part, name string) {
	for e := p.m.Journal.ByID(id); e != nil; e = p.m.Journal.ByID(e.Cause) {
		switch e.Kind {
		case machine.RuleRan:
			if r := p.checked.Rules; int(e.Code) < len(r) {
				return r[e.Code].Part, r[e.Code].Part.Path
			}
		case machine.ProcBegan:
			if q := p.checked.Procs; int(e.Code) < len(q) {
				return q[e.Code].Part, q[e.Code].Name
			}
		}
		if e.Cause == 0 {
			return nil, ""
		}
	}
	return nil, ""
}
