package debug

import (
	"errors"
	"fmt"
	"strings"

	"arbiter/interp/check"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/interp/session"
	"arbiter/interp/view"
)

// View reads a script that has stopped. It may be used only in the function that Debugger.While runs.
type View struct{ r *run }

// Frame is a piece of code under way. Frame 0 is the innermost.
type Frame struct {
	Name        string // strike.confirm, armor-class, a function in Starlark
	Kind        string // procedure, rule, stat and so on; script for the statement
	File        string
	Line        int // 0: not known
	Column      int
	Interrupted bool   // a rule above it has interrupted it
	Who         string // whose code it is, "" if nobody's

	self  int64
	chunk int32
	base  int32
	outer int32
	under int32 // of a rule: the frame of the machine that it interrupts, -1: none
}

// Variable is a name with its value, as text.
type Variable struct {
	Name, Value, Type string
}

// Die returns the die that is about to fall, nil if none is.
func (v *View) Die() *Die { return v.r.die }

// Moment is the number of the present moment, and Dice how many dice have fallen before it.
func (v *View) Moment() int64 { return v.r.moment }
func (v *View) Dice() int     { return v.r.dice }

// Stack lists the code under way, innermost first, down to the statement of the script.
func (v *View) Stack() (list []Frame) {
	r := v.r
	m, x := r.m, r.d.places
	p := m.Program()
	evaluations := m.Evaluations()
	for i := len(evaluations) - 1; i >= 0; i-- {
		e := &evaluations[i]
		f := Frame{chunk: -1, base: e.Base, outer: e.Outer, under: -1, self: program.None}
		if int(e.Base) < len(m.State().Regs) {
			f.self = m.State().Regs[e.Base]
		}
		switch e.Kind {
		case machine.StatEvaluation:
			f.Kind, f.Name = program.StatOwner.String(), p.Stats[e.ID].Name
			v.locate(&f, p.StartOf(program.Owner{Kind: program.StatOwner, ID: e.ID}))
		case machine.HookEvaluation:
			f.Kind = "function"
			name, file, _ := strings.Cut(p.Hooks[p.Sites[e.ID].Hook].Name, " ")
			f.Name, f.File, f.Line = name, file, 1
		default:
			f.chunk = e.ID
			f.Kind, f.Name = v.ownerOf(e.ID)
			v.locate(&f, p.Pos.Of(e.PC))
		}
		list = append(list, f)
	}
	frames := m.State().Frames
	interrupted := map[int32]bool{}
	for i := len(frames) - 1; i >= 0; i-- {
		y := &frames[i]
		if y.Interrupted >= 0 {
			interrupted[y.Interrupted] = true
		}
		if !y.HasCode() {
			continue
		}
		pc := max(y.PC-1, 0)
		if i == len(frames)-1 && r.die == nil {
			if at := m.ObservedPC(); m.ChunkAt(at) == m.ChunkAt(y.PC) || m.ChunkAt(at) == m.ChunkAt(pc) {
				pc = at
			}
		}
		if int(pc) >= len(x.lines) {
			continue // the statement, which comes below
		}
		f := Frame{chunk: m.ChunkAt(pc), base: y.Base, outer: y.Outer, under: y.Interrupted, self: m.State().Regs[y.Base], Interrupted: interrupted[int32(i)]}
		f.Kind, f.Name = v.ownerOf(f.chunk)
		if o := x.owners[f.chunk]; o.Kind == program.ProcOwner {
			if step := x.stepAt(x.rs.Procs[o.ID], pc); step != "" {
				f.Name += "." + step
			}
		}
		v.locate(&f, p.Pos.Of(pc))
		list = append(list, f)
	}
	if r.file != "" {
		start := r.span.Start
		list = append(list, Frame{Name: "script", Kind: "script", File: r.file, Line: start.Line, Column: start.Column, self: program.None, chunk: -1, base: -1, outer: -1, under: -1})
	}
	for i := range list {
		if f := &list[i]; f.self >= 0 && f.self < int64(len(m.State().Entities)) {
			f.Who = r.stage.NameOf(f.self)
		}
	}
	return list
}

// ownerOf names the declaration that a chunk belongs to.
func (v *View) ownerOf(chunk int32) (kind, name string) {
	x := v.r.d.places
	if int(chunk) >= len(x.owners) {
		return "script", "script"
	}
	o := x.owners[chunk]
	if name = x.p.NameOf(o); name == "" {
		name = x.p.Chunks[chunk].Name
	}
	return o.Kind.String(), name
}

func (v *View) locate(f *Frame, pos ir.Pos) {
	if files := v.r.m.Program().Files; pos.File >= 0 && int(pos.File) < len(files) && pos.Span.Start.Line > 0 {
		f.File, f.Line, f.Column = files[pos.File], pos.Span.Start.Line, pos.Span.Start.Column
	}
}

// names lists the names that code may use, with their values: its own, then, for a rule, those of the code that it
// interrupts.
func (v *View) names(f *Frame) (list []session.Bound) {
	regs := v.r.m.State().Regs
	seen := map[string]bool{}
	add := func(chunk, base int32) {
		for _, x := range v.r.d.places.variables[chunk] {
			if at := base + x.reg; !seen[x.name] && at >= 0 && int(at) < len(regs) && regs[at] != program.Absent {
				seen[x.name] = true
				list = append(list, session.Bound{Name: x.name, Type: x.typ, Value: regs[at]})
			}
		}
	}
	if f.chunk >= 0 && f.base >= 0 {
		add(f.chunk, f.base)
	}
	if frames := v.r.m.State().Frames; f.under >= 0 && int(f.under) < len(frames) && frames[f.under].HasCode() {
		y := &frames[f.under]
		add(v.r.m.ChunkAt(max(y.PC-1, 0)), y.Base)
	}
	return list
}

// Locals lists the names of a frame with their values.
func (v *View) Locals(frame int) (list []Variable) {
	stack := v.Stack()
	if frame < 0 || frame >= len(stack) {
		return nil
	}
	f := &stack[frame]
	if f.Who != "" {
		list = append(list, Variable{"self", f.Who, "creature"})
	}
	v.r.m.Aside(func() {
		for _, b := range v.names(f) {
			list = append(list, Variable{b.Name, v.format(b.Type, b.Value), check.NameOfType(b.Type)})
		}
	})
	return list
}

// format formats a value; one that has not been set yet may be of no use.
func (v *View) format(t ir.Type, value int64) (text string) {
	defer func() {
		if recover() != nil {
			text = "none"
		}
	}()
	return v.r.stage.Format(t, value)
}

// Evaluate computes an expression with the names of a frame.
func (v *View) Evaluate(text string, frame int) (session.Value, error) {
	return v.evaluate(text, frame)
}

func (v *View) evaluate(text string, frame int) (session.Value, error) {
	if len(text) > longestExpression {
		return session.Value{}, fmt.Errorf("an expression of more than %d characters", longestExpression)
	}
	stack := v.Stack()
	if frame < 0 || frame >= len(stack) {
		return session.Value{}, errors.New("there is no such frame")
	}
	f := &stack[frame]
	return v.r.stage.Evaluate(text, f.self, v.names(f))
}

// longestExpression is the length of a watched expression, in bytes.
const longestExpression = 2000

// Creatures lists the names of the combatants.
func (v *View) Creatures() []string { return v.r.stage.Members() }

// Sheet returns everything about a combatant, nil if nobody has that name.
func (v *View) Sheet(name string) *view.Sheet { return v.r.stage.Sheet(name) }

// Terms returns the terms of a stat of a combatant without a situation.
func (v *View) Terms(who, stat string) (session.Value, error) {
	return v.r.stage.Evaluate(who+"."+stat, program.None, nil)
}
