package session

import (
	"errors"

	"arbiter/interp/build"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/view"
	"arbiter/lang/ast"
	"arbiter/lang/parse"
)

// This file lets somebody watch a script while it is played: a debugger.

// Attendant watches a script, its statements, its dice, and the machine. All calls come from the goroutine that plays.
type Attendant interface {
	machine.Observer
	// Begin is called before the first statement.
	Begin(s *Stage)
	// Statement is about to be carried out; false ends the script before it.
	Statement(file string, span ast.Span) bool
	// End is called after the last statement, unless the script was ended before it.
	End()
	// Die falls: who rolls it, for what, and its face, by the seed or as the script states it. It returns the face.
	Die(who string, r *machine.Result, face int64) int64
}

// Stage is a script that is being played, for its attendant. It may be used by the attendant only, while it is called.
type Stage struct{ p *player }

// Machine returns the machine; read it with Aside.
func (s *Stage) Machine() *machine.Machine { return s.p.m }

// Members lists the names of the combatants, by number.
func (s *Stage) Members() (names []string) {
	for i := range s.p.members {
		names = append(names, s.p.members[i].name)
	}
	return names
}

// NameOf returns the name of a combatant.
func (s *Stage) NameOf(who int64) string { return s.p.nameOf(who) }

// Bound is a name of running code, with its value.
type Bound struct {
	Name  string
	Type  ir.Type
	Value int64
}

// Value is the value of an expression.
type Value struct {
	Text  string
	Type  ir.Type
	Value int64
	Stat  *Explanation // of a stat
}

// Evaluate computes an expression in the middle of anything, with the names of running code, and for a creature whose
// stats can be named without it (program.None: none). It leaves no trace.
func (s *Stage) Evaluate(text string, self int64, names []Bound) (out Value, err error) {
	s.p.m.Aside(func() { out, err = s.p.evaluateAside(text, self, names) })
	return out, err
}

func (p *player) evaluateAside(text string, self int64, bound []Bound) (out Value, err error) {
	defer p.muteJournal()()
	failures, stopped, script, known := len(p.result.Failures), p.stopped, p.script, p.names
	since := p.compiler.Checkpoint()
	p.names = known.Clone().WithFile(Question).AtRunTime()
	p.script = &build.Script{Path: Question, File: script.File, Head: script.Head, Rules: script.Rules}
	defer func() {
		if more := p.result.Failures[failures:]; len(more) > 0 && err == nil {
			err = errors.New(more[0].Message)
		}
		p.result.Failures, p.stopped, p.script, p.names = p.result.Failures[:failures], stopped, script, known
		p.compiler.Rollback(since)
	}()
	e, diags := parse.Expression(Question, text)
	if len(diags) > 0 {
		return out, errors.New(diags[0].Message)
	}
	if p.m.State() != nil && self >= 0 && self < int64(len(p.m.State().Entities)) {
		p.names.SetSelf(self)
	}
	values := append([]int64{}, p.m.Vars()...)
	var mine []*ir.Var
	for _, b := range bound {
		v := &ir.Var{Name: b.Name, Type: b.Type, Kind: ir.VarLocal}
		p.names.BindVariable(b.Name, v)
		mine = append(mine, v)
	}
	x, vars, diags := p.names.Expr(e, ir.Type{})
	if len(diags) > 0 {
		return out, errors.New(diags[0].Message)
	}
	piece, err := p.compiler.Expression(x, append(vars, mine...))
	if err != nil {
		return out, err
	}
	p.m.LinkAside()
	before := 1 + len(piece.VarShapes) - len(bound) // registers of the script, and of the expression itself
	for len(values) < before {
		values = append(values, ir.None)
	}
	values = values[:before]
	for _, b := range bound {
		values = append(values, b.Value)
	}
	out.Type = x.Type
	if out.Value, err = p.m.Eval(piece.Chunk, values...); err != nil {
		return out, err
	}
	if out.Text, err = p.m.EvalText(piece.Chunk, piece.Type, values...); err != nil || x.Op != ir.OpStat {
		return out, err
	}
	var args []int64
	for _, a := range x.Args {
		piece, err := p.compiler.Expression(a, mine)
		if err != nil {
			return out, err
		}
		p.m.LinkAside()
		v, err := p.m.Eval(piece.Chunk, values...)
		if err != nil {
			return out, err
		}
		args = append(args, v)
	}
	if why, err := p.m.Explain(int32(args[0]), int32(x.Stat.Index), args[1:]...); err == nil {
		out.Stat = p.explanation(why, UsualDepth)
		out.Stat.Title = text + " = " + out.Text
	}
	return out, nil
}

// Format formats a value of a type.
func (s *Stage) Format(t ir.Type, v int64) string {
	return s.p.m.Format(s.p.compiler.TypeOf(t), v)
}

// Sheet returns everything about a combatant, nil if nobody has that name.
func (s *Stage) Sheet(name string) (x *view.Sheet) {
	s.p.m.Aside(func() { x = s.p.sheet(name) })
	return x
}

// Ruleset is the checked form of the rules.
func (s *Stage) Ruleset() *ir.Ruleset { return s.p.checked.Ruleset }
