package compile

import (
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file compiles the things and tactics that a script adds to rules that were compiled without it.

// With returns a copy of a program with the things and tactics that a script adds. rs is the ruleset of the program
// with those at the end of its tables; opts are those that the program was compiled with. The program itself remains as
// it is, and several scripts can be added to it at once, each to a copy of its own.
//
// Code that the program contains cannot name what is added, so none of it changes. With coverage recorded, a thing
// without citations marks nothing.
func With(p *program.Program, rs *ir.Ruleset, opts Options) (*program.Program, error) {
	q := p.Clone()
	c := NewScript(q, rs).c
	c.opts = opts
	q.Files, q.Parts = rs.Files, rs.Parts
	q.Dice = append(q.Dice, rs.DiceExprs[len(q.Dice):]...)
	for _, t := range rs.Templates[len(q.Templates):] {
		q.Templates = append(q.Templates, c.template(t))
	}
	q.Procs = slices.Clone(q.Procs)
	for i := range q.Procs {
		if ways := q.Procs[i].Ways; ways != nil {
			q.Procs[i].Ways = inheritWays(ways, int32(i), q.Templates)
		}
	}
	for _, t := range rs.Tactics[len(q.Tactics):] {
		q.Tactics = append(q.Tactics, c.tactics(t))
	}
	c.addPropertyDefaults()
	if c.err != nil {
		return nil, c.err
	}
	q.Finish()
	return q, nil
}

// inheritWays returns the ways of procedure proc of a kind, continued for things without ways of their own: those of
// the things that they extend.
func inheritWays(ways []int32, proc int32, templates []program.Template) []int32 {
	known := len(ways)
	ways = slices.Clip(ways) // other scripts are added to the same program, maybe at the same time
	for i := known; i < len(templates); i++ {
		way, from := proc, int32(i)
		for int(from) >= known {
			from = templates[from].From
		}
		if from >= 0 {
			way = ways[from]
		}
		ways = append(ways, way)
	}
	return ways
}
