package machine

import (
	"arbiter/interp/program"
	"arbiter/stdlib/journal"
)

// This file moves creatures, square by square. Each step is announced before and after it is taken, by procedures that
// a ruleset may declare. Their rules interrupt the movement; if they cancel the announcement, it ends there.

// MaxSquares is the maximum length of a movement.
const MaxSquares = 10_000

// Progress of a step: the PC of a moveFrame.
const (
	stepAhead   int32 = iota // nothing has happened yet
	stepLeaving              // leaving the square has been announced
	stepEntered              // the step has been taken and announced
)

// stepCost is the cost of a square, in steps of the command.
const stepCost = 20

// moves begins a movement.
func (m *Machine) moves(in *program.Instr, r *[window]int64, at int32) {
	x := &m.p.Moves[in.D]
	who := r[in.A]
	if !m.creature(who, at) {
		return
	}
	if m.Field == nil || m.s.Squares[who] == program.None {
		m.fail(at, "there is no map for %s to move on", m.FormatThing(who))
		return
	}
	way, err := m.Field.Path(m, who, x.Kind, r[in.B], r[in.C], m.path[:0])
	m.path = way
	switch {
	case m.err != nil || err == nil && len(way) == 0:
		return
	case err != nil:
		m.fail(at, "%v", err)
		return
	case len(way) > MaxSquares:
		m.fail(at, "one movement leads over at most %d squares", MaxSquares)
		return
	}
	list := m.List(way)
	if m.err != nil {
		return
	}
	m.push(m.frameWithoutRegs(Frame{Kind: moveFrame, ID: in.D, Outer: -1, Within: -1, Actor: who, B: int32(list - program.ArenaBase)}))
}

// stepMove does the next part of a step.
func (m *Machine) stepMove() {
	s := m.s
	f := &s.Frames[len(s.Frames)-1]
	if f.PC == stepEntered {
		f.A++
		f.PC = stepAhead
	}
	who := f.Actor
	way := m.list(program.ArenaBase + int64(f.B))
	from := s.Squares[who]
	displaced := f.A > 0 && int(f.A) <= len(way) && from != way[f.A-1]
	if f.is(flagCanceled) || displaced || int(f.A) >= len(way) || !m.Field.CanEnter(m, who, way[f.A], int(f.A) == len(way)-1) || m.err != nil {
		m.pop()
		return
	}
	next, mode := way[f.A], m.p.Moves[f.ID].Mode
	s.Budget -= stepCost
	if f.PC == stepAhead {
		f.PC = stepLeaving
		m.announceStep(&m.p.Leave, who, from, next, mode)
		return
	}
	f.PC = stepEntered
	s.Squares[who] = next
	m.recordMove(who)
	if m.Journal != nil {
		m.note(journal.Event{Kind: Relocated, Code: int32(max(mode, -1)), Who: int32(who), A: from, B: next})
	}
	m.announceStep(&m.p.Enter, who, next, next, mode)
	m.boundary()
}

// announceStep calls a procedure that announces movement, if the ruleset has one.
func (m *Machine) announceStep(x *program.Announcement, who, at, to, mode int64) {
	if x.Proc < 0 || m.err != nil {
		return
	}
	told := [...]int64{program.AnnounceAt: at, program.AnnounceTo: to, program.AnnounceMode: mode}
	var args [len(told)]int64
	for i, what := range x.Params {
		args[i] = told[what]
	}
	m.call(x.Proc, m.putArgs(int32(who), x.Proc, args[:len(x.Params)], m.s.top()), -1, false, asPart)
}

// Relocate puts a creature on a square, without a movement that rules could react to.
func (m *Machine) Relocate(who int32, at int64) Result {
	return m.command(func() {
		s := m.s
		if who < 0 || int(who) >= len(s.Squares) || m.Field == nil {
			m.fail(-1, "there is no such creature, or no ground")
			return
		}
		from := s.Squares[who]
		s.Squares[who] = at
		m.recordMove(int64(who))
		if m.Journal != nil {
			m.note(journal.Event{Kind: Relocated, Code: -1, Who: who, A: from, B: at})
		}
	})
}
