package compile

import (
	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file compiles statements. Each change of the state is one instruction, after which the machine runs the rules of
// effects that were gained or lost.

func (f *chunkBuilder) body(stmts []*ir.Stmt) {
	for _, s := range stmts {
		f.stmt(s)
	}
}

func (f *chunkBuilder) stmt(s *ir.Stmt) {
	if s == nil || f.c.isNeutral(s.Part) {
		return
	}
	saved, mark := f.at, f.next
	f.at = s.Pos
	var skip []int
	if s.Guard != nil {
		skip = f.jump(s.Guard, false)
	}
	f.cover(s.Part)
	f.coverStatement(s)
	f.do(s)
	f.patch(skip)
	f.at, f.next = saved, mark
}

// do compiles a statement by its kind; stmt has compiled its guard and frees the registers.
func (f *chunkBuilder) do(s *ir.Stmt) {
	c := f.c
	switch s.Op {
	case ir.DoSet:
		f.set(s.Var, s.X)
	case ir.DoSetField:
		f.setField(s)
	case ir.DoSetResource:
		x := f.value(s.X)
		y := f.value(s.Y)
		f.hush(s)
		f.emit(program.OpSetResource, x, y, 0, int32(s.Resource.Index))
	case ir.DoSetMemory:
		x := f.value(s.X)
		y := f.value(s.Y)
		f.emit(program.OpSetMemory, x, y, int(s.Int), int32(s.Effect.Index))
	case ir.DoIf:
		no := f.jump(s.X, false)
		f.body(s.Body)
		f.elseBranch(no, s.Else)
	case ir.DoForEach:
		f.forEach(s)
	case ir.DoRepeat:
		f.repeat(s)
	case ir.DoCheck:
		f.compileCheck(s.Check)
	case ir.DoChoose:
		f.choose(s.Choose)
	case ir.DoGainEffect:
		f.gain(s)
	case ir.DoLoseEffect:
		base := f.block(1 + len(s.Args))
		f.expr(s.X, base)
		for i, a := range s.Args {
			f.exprOrAbsent(a, base+1+i)
		}
		f.hush(s)
		f.emit(program.OpLoseEffect, base, 0, len(s.Args), int32(s.Effect.Index))
	case ir.DoGainResource, ir.DoLoseResource:
		f.changeResource(s)
	case ir.DoMay:
		f.may(s.May)
	case ir.DoActsAt:
		x := f.value(s.X)
		base := f.block(len(s.Args))
		for i, a := range s.Args {
			f.expr(a, base+i)
		}
		f.emit(program.OpActsAt, x, base, len(s.Args), actsAt(s.Name))
	case ir.DoMoves:
		base := f.block(3)
		f.expr(s.X, base)
		f.arg(s.Args, 0, base+1)
		f.arg(s.Args, 1, base+2)
		c.p.Moves = append(c.p.Moves, program.Move{Kind: s.Name, Mode: s.Int})
		f.emit(program.OpMove, base, base+1, base+2, int32(len(c.p.Moves)-1))
	case ir.DoStop:
		f.emit(program.OpStop, 0, 0, 0, 0)
	case ir.DoCancel:
		f.emit(program.OpCancel, 0, 0, 0, c.text(s.Text))
	case ir.DoPlan:
		f.emit(program.OpDoPlan, f.value(s.X), 0, 0, 0)
	case ir.DoHook:
		f.hookDo(s.X, -1)
	case ir.DoDefault:
		f.emit(program.OpDefault, 0, 0, 0, 0)
	case ir.DoNote:
		f.note(s.Note)
	case ir.DoCall:
		f.call(s.Call, program.NoReg)
	default:
		c.fail(s.Pos, "a statement that was not checked (%d)", s.Op)
	}
}

// set assigns a variable: of this code, of the interrupted code, or the memory of the instance.
func (f *chunkBuilder) set(v *ir.Var, x *ir.Expr) {
	if v == nil {
		f.value(x)
		return
	}
	f.noteAssignment(v, x)
	if r := f.regOf(v); r >= 0 {
		f.expr(x, r)
		return
	}
	r := f.value(x)
	switch v.Kind {
	case ir.VarOuter:
		if i, ok := f.outerIndex(v); ok {
			f.emit(program.OpSetOuter, r, 0, 0, i)
			return
		}
	case ir.VarWithin:
		if i, ok := f.withinIndex(v); ok {
			f.emit(program.OpSetWithin, r, 0, 0, i)
			return
		}
	case ir.VarMemory:
		if f.inst >= 0 {
			f.emit(program.OpSetValue, f.inst, r, v.Index, 0)
			return
		}
	case ir.VarGlobal:
		f.emit(program.OpSetGlobal, r, 0, 0, int32(v.Index))
		return
	}
	f.c.fail(f.at, "%s cannot be set in %s", v.Name, f.name)
}

// setField assigns a field of a thing, or a number of an outcome.
func (f *chunkBuilder) setField(s *ir.Stmt) {
	x := f.value(s.X)
	y := f.value(s.Y)
	if s.X.Type.Kind == ir.Outcome {
		f.emit(program.OpSetPart, x, y, 0, int32(s.Int))
		return
	}
	shape := program.Scalar
	if s.Kind != nil && s.Int >= 0 && s.Int < int64(len(s.Kind.Fields)) {
		shape = program.ShapeOf(s.Kind.Fields[s.Int].Type)
	}
	f.emit(program.OpSetField, x, y, int(shape), int32(s.Int))
}

// repeat runs a body a number of times, which is computed before the first.
func (f *chunkBuilder) repeat(s *ir.Stmt) {
	n, i := f.temp(), f.temp()
	f.expr(s.X, n)
	f.load(i, 0)
	none := f.emit(program.OpJumpLeC, n, 0, 0, 0)
	top := f.here()
	f.body(s.Body)
	f.emit(program.OpLoop, i, n, 0, top)
	f.patch([]int{none})
}

// forEach runs a body for the elements of a list, filtered and sorted beforehand.
func (f *chunkBuilder) forEach(s *ir.Stmt) {
	q := s.Query
	where := q.Where
	if q.Sort == nil && where == nil && isRange(q.In) {
		f.eachNumber(q, func() { f.body(s.Body) })
		return
	}
	list := f.temp()
	f.expr(q.In, list)
	if q.Sort != nil || q.Where != nil {
		// The list is made before the first iteration, so that an iteration cannot change which elements follow.
		all := *q
		all.Of = nil
		t := ir.Type{Kind: ir.List}
		list = f.gather(&all, list, t)
		where = nil
	}
	f.each(list, q.Var, where, func(int) { f.body(s.Body) })
}

// compileCheck compiles a check: a block of registers named by ir.CheckVars, filled in step by step, with the points of
// `check` between the steps if a rule waits there.
func (f *chunkBuilder) compileCheck(k *ir.Check) {
	c := f.c
	if c.isNeutral(k.Part) {
		return
	}
	f.cover(k.Part)
	block := f.block(program.CheckBlock)
	f.arg([]*ir.Expr{k.Roller}, 0, block+program.CheckRoller)
	f.arg([]*ir.Expr{k.Foe}, 0, block+program.CheckFoe)
	isWatched := c.isWatched(k.Roll)
	if isWatched {
		f.load(block+program.CheckKind, int64(k.Roll.Index))
		if k.Stat != nil {
			f.load(block+program.CheckStat, int64(k.Stat.Index))
		} else {
			f.emit(program.OpLoadNone, block+program.CheckStat, 0, 0, 0)
		}
	}
	x := program.Check{
		Roll: int32(k.Roll.Index), Opposed: -1, Label: c.label(k.Label), OpposedLabel: -1, Open: k.Open,
		ResultOnly: c.isResultOnly(k),
	}
	if k.Opposed != nil {
		x.Opposed, x.OpposedLabel = int32(k.Opposed.Index), c.label(k.Label+".opposed")
	}
	c.p.Checks = append(c.p.Checks, x)
	id := int32(len(c.p.Checks) - 1)
	// Every part of a check is announced to the rules on `check`, which see the block as the interrupted names.
	part := func(point string, do func()) {
		at := func(word string) pointKey { return pointKey{word: word, roll: k.Roll, point: point} }
		f.announce(at("before"), block, block+program.CheckRoller)
		past := f.beginInstead(at("instead"), block, block+program.CheckRoller)
		do()
		f.endInstead(past)
		var foregone []int
		if point == "face" && x.ResultOnly && c.findPoint(at("after")) >= 0 { // no die, no rules on its face
			foregone = []int{f.emit(program.OpJumpEqC, block+program.CheckNatural, 0, 0, 0)}
		}
		f.announce(at("after"), block, block+program.CheckRoller)
		f.patch(foregone)
	}
	if isWatched { // clear what an earlier check left there, so that no rule sees it
		f.emit(program.OpClear, block+program.CheckBonus, 0, program.CheckBlock-program.CheckBonus, 0)
	}
	part("", func() {
		bonus := f.checkSum(k.Bonus, block+program.CheckBonus, block)
		difficulty := f.checkSum(k.Target, block+program.CheckDifficulty, block)
		if c.p.Checks[id].Bonus = bonus; !k.Open {
			c.p.Checks[id].Difficulty = difficulty
		}
		if !isWatched { // a fast path for what follows, if the dice are seeded and there is no journal
			f.emit(program.OpCheck, block, 0, 0, id)
		}
		part("face", func() { f.emit(program.OpRollCheck, block, 0, 0, id) })
		part("outcome", func() { f.emit(program.OpJudge, block, 0, 0, id) })
	})
	if k.Var == nil {
		return
	}
	if r := f.regOf(k.Var); r >= 0 {
		f.emit(program.OpMakeOutcome, r, block, 0, id)
		return
	}
	r := f.temp()
	f.emit(program.OpMakeOutcome, r, block, 0, id)
	if i, ok := f.outerIndex(k.Var); ok && k.Var.Kind == ir.VarOuter {
		f.emit(program.OpSetOuter, r, 0, 0, i)
		return
	}
	c.fail(f.at, "%s has no place in %s", k.Var.Name, f.name)
}

// isWatched says whether anything waits at the checks of a roll.
func (c *compiler) isWatched(r *ir.Roll) bool {
	for _, word := range []string{"before", "after", "instead"} {
		for _, point := range []string{"", "face", "outcome"} {
			if c.findPoint(pointKey{word: word, roll: r, point: point}) >= 0 {
				return true
			}
		}
	}
	return false
}

// statOf returns which stat an expression is, for explanations; -1 if it is none.
func statOf(e *ir.Expr) int32 {
	if e != nil && e.Op == ir.OpStat && e.Stat != nil {
		return int32(e.Stat.Index)
	}
	return -1
}

// maxOptions is how many bits a value has for the options of a choice, without the sign and the bit of none.
const maxOptions = 62

// choose collects the available options as bits, asks, and runs the chosen one.
func (f *chunkBuilder) choose(k *ir.Choose) {
	c := f.c
	if len(k.Options) > maxOptions {
		c.fail(f.at, "a choice has at most %d options", maxOptions)
		return
	}
	options, who, answer := f.temp(), f.temp(), f.temp()
	by := []*ir.Expr(nil)
	if k.By != nil {
		by = []*ir.Expr{k.By}
	}
	f.load(options, 0)
	choice := program.Choice{Label: c.label(k.Label)}
	for i, o := range k.Options {
		choice.Options = append(choice.Options, o.Text)
		var no []int
		if o.Guard != nil {
			no = f.jump(o.Guard, false)
		}
		if bit := int64(1) << i; bit == int64(int32(bit)) {
			f.emit(program.OpAddInt, options, options, 0, int32(bit))
		} else {
			mark := f.next
			t := f.temp()
			f.load(t, bit)
			f.emit(program.OpAdd, options, options, t, 0)
			f.next = mark
		}
		f.patch(no)
	}
	f.emit(program.OpCopy, who, f.creatureReg(by), 0, 0)
	c.p.Choices = append(c.p.Choices, choice)
	f.emit(program.OpChoose, answer, options, who, int32(len(c.p.Choices)-1))
	var ends []int
	for i, o := range k.Options {
		no := f.emit(program.OpJumpNeC, answer, 0, i, 0)
		f.body(o.Body)
		ends = append(ends, f.emit(program.OpJump, 0, 0, 0, 0))
		f.patch([]int{no})
	}
	f.patch(ends)
}

// gain compiles the creature, the values and the duration into adjacent registers.
func (f *chunkBuilder) gain(s *ir.Stmt) {
	c, g := f.c, s.Gain
	n := len(g.Effect.Values)
	base := f.block(n + 2)
	f.expr(s.X, base)
	for i, v := range g.Effect.Values {
		var x *ir.Expr
		if i < g.Effect.NParams {
			if i < len(g.Args) {
				x = g.Args[i]
			}
			if x == nil {
				f.load(base+1+i, program.ZeroOf(v.Type))
				continue
			}
		} else if m := i - g.Effect.NParams; m < len(g.Memory) {
			x = g.Memory[m]
		}
		f.exprOrAbsent(x, base+1+i)
	}
	gain := program.Gain{Effect: int32(g.Effect.Index), Duration: -1}
	if g.Duration != nil {
		gain.Duration = c.durations[g.Duration]
		f.captureDuration(g.Duration, base+n+1)
	} else {
		f.load(base+n+1, program.None)
	}
	c.p.Gains = append(c.p.Gains, gain)
	f.hush(s)
	f.emit(program.OpGainEffect, base, 0, 0, int32(len(c.p.Gains)-1))
}

// captureDuration leaves in dst the captured values of a duration: rounds, seconds, the captured variables, then the
// values of its triggers.
func (f *chunkBuilder) captureDuration(d *ir.Duration, dst int) {
	mark := f.next
	values := capturedValues(d)
	base := f.block(len(values))
	for i, v := range values {
		switch {
		case v.x != nil:
			f.expr(v.x, base+i)
		case v.v != nil:
			f.variable(v.v, base+i)
		default:
			f.load(base+i, program.None)
		}
	}
	f.emit(program.OpCapture, dst, base, len(values), f.c.durations[d])
	f.next = mark
}

// changeResource compiles gains and losses of a resource, and the variable for the remainder.
func (f *chunkBuilder) changeResource(s *ir.Stmt) {
	x := f.value(s.X)
	left := program.NoReg
	if s.Var != nil {
		if left = f.regOf(s.Var); left < 0 {
			left = f.temp()
		}
	}
	amount := 0
	if s.Y != nil {
		amount = f.value(s.Y)
	}
	f.hush(s)
	switch {
	case s.Op == ir.DoGainResource:
		f.emit(program.OpGainAmount, x, amount, left, int32(s.Resource.Index))
	case s.Y == nil:
		f.emit(program.OpLoseAll, x, 0, 0, int32(s.Resource.Index))
		if left != program.NoReg {
			f.load(left, 0)
		}
	default:
		f.emit(program.OpLoseAmount, x, amount, left, int32(s.Resource.Index))
	}
	if s.Var != nil && s.Var.Kind == ir.VarOuter {
		if i, ok := f.outerIndex(s.Var); ok {
			f.emit(program.OpSetOuter, left, 0, 0, i)
		}
	}
}

// may compiles the offer of a command, which is only offered if it is legal, or of a body.
func (f *chunkBuilder) may(m *ir.May) {
	c := f.c
	yes := f.temp()
	offer := program.Offer{Label: c.label(m.Label), Text: m.Text, Proc: -1}
	if m.Call != nil {
		offer.Proc = int32(m.Call.Proc.Index)
		k := *m.Call
		if m.Who != nil {
			k.Who = m.Who
		}
		base := f.callArgs(&k)
		f.emit(program.OpAllowed, yes, base, 0, offer.Proc)
		no := f.emit(program.OpJumpNot, yes, 0, 0, 0)
		c.p.Offers = append(c.p.Offers, offer)
		f.emit(program.OpMayDo, yes, base, f.defaultAnswer(m.Default), int32(len(c.p.Offers)-1))
		f.patch([]int{no})
		f.settleRun(yes, m)
		otherwise := f.emit(program.OpJumpNot, yes, 0, 0, 0)
		f.emit(program.OpCall, program.NoReg, base, 1, offer.Proc)
		f.elseBranch([]int{otherwise}, m.Else)
		return
	}
	who, answer := f.value(m.Who), f.defaultAnswer(m.Default)
	c.p.Offers = append(c.p.Offers, offer)
	f.emit(program.OpMayDo, yes, who, answer, int32(len(c.p.Offers)-1))
	f.settleRun(yes, m)
	otherwise := f.emit(program.OpJumpNot, yes, 0, 0, 0)
	f.body(m.Body)
	f.elseBranch([]int{otherwise}, m.Else)
}

// settleRun records whether the rule has run that makes an offer: not if that was declined and nothing is done instead.
func (f *chunkBuilder) settleRun(yes int, m *ir.May) {
	if f.runsOnce && len(m.Else) == 0 {
		f.emit(program.OpUsedUp, yes, 0, 0, 0)
	}
}

// defaultAnswer returns the register of the default answer to an offer, NoReg if the rules have none.
func (f *chunkBuilder) defaultAnswer(e *ir.Expr) int {
	if e == nil {
		return program.NoReg
	}
	r := f.temp()
	f.expr(e, r)
	return r
}

// elseBranch compiles the other branch, if there is one, to which the jumps lead.
func (f *chunkBuilder) elseBranch(no []int, body []*ir.Stmt) {
	if len(body) == 0 {
		f.patch(no)
		return
	}
	end := f.emit(program.OpJump, 0, 0, 0, 0)
	f.patch(no)
	f.body(body)
	f.patch([]int{end})
}

// note compiles a text that contains values.
func (f *chunkBuilder) note(pieces []ir.NotePiece) {
	n := 0
	for _, p := range pieces {
		if p.Value != nil {
			n++
		}
	}
	base := f.block(n)
	note := program.Note{}
	i := 0
	for _, p := range pieces {
		piece := program.NotePiece{Text: p.Text, Type: -1}
		if p.Value != nil {
			f.expr(p.Value, base+i)
			piece.Value, piece.Type = true, f.c.typeOf(p.Value.Type)
			i++
		}
		note.Pieces = append(note.Pieces, piece)
	}
	f.c.p.Notes = append(f.c.p.Notes, note)
	f.emit(program.OpNote, base, 0, n, int32(len(f.c.p.Notes)-1))
}

// actsAt says how OpActsAt places a creature, by the word of the statement.
func actsAt(side string) int32 {
	switch side {
	case "before":
		return program.ActsBefore
	case "after":
		return program.ActsAfter
	}
	return program.ActsAtKeys
}
