package machine

import (
	"arbiter/interp/program"
)

// This file moves creatures, square by square. Each step is announced before and after it is taken, by procedures that
// a ruleset may declare. Their rules interrupt the movement; if they cancel the announcement, it ends there.

// MaxPathLength is the maximum length of a movement.
const MaxPathLength = 10_000

// Progress of a step: the PC of a moveFrame.
const (
	stepAhead   int32 = iota // nothing has happened yet
	stepLeaving              // leaving the square has been announced
	stepEntered              // the step has been taken and announced
)

// stepCost is the cost of a square, in steps of the command.
const stepCost = 20

// pathCost is the cost of the path of a movement, in addition to that of its squares.
const pathCost = 100

// execMove begins a movement.
func (m *Machine) execMove(in *program.Instr, r *[windowSize]int64, at int32) {
	x := &m.p.Moves[in.D]
	who := r[in.A]
	if !m.checkCreature(who, at) {
		return
	}
	if m.Ground == nil || m.s.Squares[who] == program.None {
		m.fail(at, "there is no map for %s to move on", m.FormatThing(who))
		return
	}
	path, err := m.Ground.Path(m, who, x.Kind, r[in.B], r[in.C], m.pathBuffer[:0])
	m.pathBuffer = path
	m.s.Budget -= pathCost + int64(len(path))
	switch {
	case m.err != nil || err == nil && len(path) == 0:
		return
	case err != nil:
		m.fail(at, "%v", err)
		return
	case len(path) > MaxPathLength:
		m.fail(at, "one movement leads over at most %d squares", MaxPathLength)
		return
	}
	list := m.MakeList(path)
	if m.err != nil {
		return
	}
	m.push(m.frameWithoutRegs(Frame{Kind: moveFrame, ID: in.D, Outer: -1, Interrupted: -1, Actor: who, Path: int32(list - program.ArenaBase)}))
}

// stepMove does the next part of a step.
func (m *Machine) stepMove() {
	s := m.s
	f := &s.Frames[len(s.Frames)-1]
	if f.PC == stepEntered {
		f.Next++
		f.PC = stepAhead
	}
	who := f.Actor
	path := m.list(program.ArenaBase + int64(f.Path))
	from := s.Squares[who]
	displaced := f.Next > 0 && int(f.Next) <= len(path) && from != path[f.Next-1]
	if f.is(flagCanceled) || displaced || int(f.Next) >= len(path) || !m.Ground.CanEnter(m, who, path[f.Next], int(f.Next) == len(path)-1) || m.err != nil {
		m.pop()
		return
	}
	next, mode := path[f.Next], m.p.Moves[f.ID].Mode
	s.Budget -= stepCost
	if f.PC == stepAhead {
		f.PC = stepLeaving
		m.announceStep(&m.p.Leave, who, from, next, mode)
		return
	}
	f.PC = stepEntered
	s.Squares[who] = next
	m.recordMove(who)
	m.recordSquare(who, int32(max(mode, -1)), from, next)
	m.announceStep(&m.p.Enter, who, next, next, mode)
	m.boundary()
}

// announceStep calls a procedure that announces movement, if the ruleset has one.
func (m *Machine) announceStep(x *program.Announcement, who, at, to, mode int64) {
	if x.Proc < 0 || m.err != nil {
		return
	}
	values := [...]int64{program.AnnounceAt: at, program.AnnounceTo: to, program.AnnounceMode: mode}
	var args [len(values)]int64
	for i, what := range x.Params {
		args[i] = values[what]
	}
	m.call(x.Proc, m.putArgs(int32(who), x.Proc, args[:len(x.Params)], m.s.top()), -1, false, asPart)
}

// Relocate puts a creature on a square, without a movement that rules could react to.
func (m *Machine) Relocate(who int32, at int64) Result {
	return m.command(func() {
		s := m.s
		if who < 0 || int(who) >= len(s.Squares) || m.Ground == nil {
			m.fail(-1, "there is no such creature, or no ground")
			return
		}
		from := s.Squares[who]
		s.Squares[who] = at
		m.recordMove(int64(who))
		m.recordSquare(int64(who), -1, from, at)
		m.boundary() // what lasted only as long as the creature stood there is over
	})
}
