package machine

import (
	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/stdlib/exact"
	"arbiter/stdlib/grid"
)

// This file reads the state without changing it, for hosts and for the functions that rules may use.

// hostRead is what a read of the host must leave as it was, for the code that runs around it.
type hostRead struct {
	err             *Error
	depth, hostBase int
}

// beginHostRead begins a read above the registers in use, which end at top.
func (m *Machine) beginHostRead() (outer hostRead, top int) {
	outer = hostRead{m.err, m.depth, m.hostBase}
	m.err = nil
	return outer, max(m.s.top(), m.hostBase)
}

// endHostRead ends a read and returns its error.
func (m *Machine) endHostRead(outer hostRead) error {
	err := m.err
	m.err, m.depth, m.hostBase = outer.err, outer.depth, outer.hostBase
	if err == nil {
		return nil
	}
	return err
}

// readPure runs a read from outside any command, above what is running. It frees what the read makes in the arena.
func (m *Machine) readPure(read func(top int) int64) (v int64, err error) {
	arena := len(m.s.Arena)
	v, err = m.readKeeping(read)
	m.s.Arena = m.s.Arena[:arena]
	return v, err
}

// readKeeping is like readPure, but what the read makes stays until the next command ends.
func (m *Machine) readKeeping(read func(top int) int64) (v int64, err error) {
	defer m.recoverPanic(&err)
	s := m.s
	budget := s.Budget
	s.Budget = m.maxSteps()
	outer, top := m.beginHostRead()
	s.reserve(top)
	v = read(top)
	s.Budget = budget
	return v, m.endHostRead(outer)
}

// TryDefine evaluates a define cheaply for a host that is answering a question; what it makes in the arena is freed, and
// an error is not reported.
func (m *Machine) TryDefine(define int32, self, other int64) (v int64, ok bool) {
	s := m.s
	arena, budget := len(s.Arena), s.Budget
	outer, top := m.beginHostRead()
	v = m.eval2(m.p.Defines[define].Chunk, top, self, other)
	s.Arena, s.Budget = s.Arena[:arena], budget
	return v, m.endHostRead(outer) == nil
}

// Stat returns a stat of a creature in a situation; missing parts of the situation are none.
func (m *Machine) Stat(who, stat int32, situation ...int64) (int64, error) {
	if stat < 0 || int(stat) >= len(m.p.Stats) {
		return 0, &Error{Message: "there is no such stat"}
	}
	return m.readPure(func(top int) int64 {
		n := m.pushSituation(int64(who), stat, situation, top)
		return m.stat(stat, top, top+n, -1)
	})
}

// pushSituation puts a creature and its situation into registers and returns how many registers that takes.
func (m *Machine) pushSituation(who int64, stat int32, situation []int64, top int) int {
	n := 1 + len(m.p.Stats[stat].Params)
	m.s.reserve(top + n)
	m.s.Regs[top] = who
	for i := 1; i < n; i++ {
		m.s.Regs[top+i] = program.None
		if i-1 < len(situation) {
			m.s.Regs[top+i] = situation[i-1]
		}
	}
	return n
}

// Define evaluates a define of self and its parameters.
func (m *Machine) Define(define int32, args ...int64) (int64, error) {
	if define < 0 || int(define) >= len(m.p.Defines) {
		return 0, &Error{Message: "there is no such define"}
	}
	return m.Eval(m.p.Defines[define].Chunk, args...)
}

// Eval evaluates a pure chunk with the given arguments. A list or a record that it makes is freed; EvalList keeps a
// list.
func (m *Machine) Eval(chunk int32, args ...int64) (int64, error) {
	return m.readPure(func(top int) int64 { return m.evalArgs(chunk, top, args) })
}

// EvalKeeping is like Eval, but a list or a plan that it makes stays until the next command ends: it is an argument of
// that command.
func (m *Machine) EvalKeeping(chunk int32, args ...int64) (int64, error) {
	return m.readKeeping(func(top int) int64 { return m.evalArgs(chunk, top, args) })
}

func (m *Machine) evalArgs(chunk int32, top int, args []int64) int64 {
	paramCount := int(m.p.Chunks[chunk].Params)
	m.s.reserve(top + paramCount)
	for i := range paramCount {
		m.s.Regs[top+i] = program.None
		if i < len(args) {
			m.s.Regs[top+i] = args[i]
		}
	}
	return m.evalAt(chunk, top, -1)
}

// EvalScript evaluates a pure chunk whose parameters are the script's variables.
func (m *Machine) EvalScript(chunk int32) (v int64, err error) {
	return m.readPure(func(top int) int64 {
		s := m.s
		paramCount := int(m.p.Chunks[chunk].Params)
		s.reserve(top + paramCount)
		if paramCount > 0 {
			s.Regs[top] = program.None
			n := copy(s.Regs[top+1:top+paramCount], s.Vars)
			for i := top + 1 + n; i < top+paramCount; i++ {
				s.Regs[i] = program.None
			}
		}
		return m.evalAt(chunk, top, -1)
	})
}

// EvalList returns the elements of the list that a pure chunk makes.
func (m *Machine) EvalList(chunk int32, args ...int64) (list []int64, err error) {
	_, err = m.readPure(func(top int) int64 {
		v := m.evalArgs(chunk, top, args)
		if m.err == nil {
			list = append(list, m.list(v)...)
		}
		return v
	})
	return list, err
}

// EvalText evaluates a pure chunk and formats its value.
func (m *Machine) EvalText(chunk, typ int32, args ...int64) (text string, err error) {
	_, err = m.readPure(func(top int) int64 {
		v := m.evalArgs(chunk, top, args)
		if m.err == nil {
			text = m.Format(typ, v)
		}
		return v
	})
	return text, err
}

// Vars returns the variables of the script, as arguments for loose code.
func (m *Machine) Vars() []int64 { return append([]int64{program.None}, m.s.Vars...) }

// Legal says whether a creature may do an action now, its cost included; if not, it returns the part that forbids it
// and the reason.
func (m *Machine) Legal(actor, proc int32, args []int64) (ok bool, part int32, why string) {
	if proc < 0 || int(proc) >= len(m.p.Procs) || actor < 0 || int(actor) >= len(m.s.Entities) {
		return false, -1, "there is no such creature or command"
	}
	v, err := m.readPure(func(top int) int64 { return m.refusal(proc, m.putArgs(actor, proc, args, top), top) })
	switch {
	case err != nil:
		return false, -1, err.Error()
	case v < 0:
		return true, -1, ""
	}
	part, why = m.refusalReason(proc, v)
	return false, part, why
}

// FillArgs returns a creature and the arguments with which it would do a procedure, with defaults for those that are
// absent.
func (m *Machine) FillArgs(actor, proc int32, args []int64) (filled []int64, err error) {
	_, err = m.readPure(func(top int) int64 {
		at, p := m.putArgs(actor, proc, args, top), &m.p.Procs[proc]
		if n := 1 + len(p.Params); p.DefaultsChunk != program.NoChunk {
			m.s.reserve(top + 2*n)
			m.evalAt(p.DefaultsChunk, at, -1)
		}
		filled = append(filled, m.s.Regs[at:at+1+len(p.Params)]...)
		return 0
	})
	return filled, err
}

// refusal returns why an action with its actor and parameters at args is refused, or -1.
func (m *Machine) refusal(proc int32, args, top int) int64 {
	s, p := m.s, &m.p.Procs[proc]
	n := 1 + len(p.Params)
	s.reserve(top + n)
	copy(s.Regs[top:top+n], s.Regs[args:args+n])
	if p.DefaultsChunk != program.NoChunk {
		m.evalAt(p.DefaultsChunk, top, -1)
	}
	if !p.Action || p.Legal == program.NoChunk || m.err != nil {
		return -1
	}
	return m.checkLegal(p, top, top+n, true)
}

// allowed is like refusal, for code: a creature of the fight may do the action.
func (m *Machine) allowed(proc int32, args, top int) bool {
	return m.isEntity(m.s.Regs[args]) && m.refusal(proc, args, top) < 0 && m.err == nil
}

// Has says whether a creature has an effect with these parameters (program.Absent: any).
func (m *Machine) Has(who, effect int32, params ...int64) bool {
	if effect < 0 || int(effect) >= len(m.p.Effects) {
		return false
	}
	return m.has(int64(who), effect, append([]int64{int64(who)}, params...))
}

// Resource returns the current amount of a creature's resource.
func (m *Machine) Resource(who, resource int32) int64 {
	return m.s.Slots[int(who)*m.stride+int(m.p.Slots.Resources+resource)]
}

// Bounds returns the minimum and the maximum of a creature's resource.
func (m *Machine) Bounds(who, id int32) (low, high int64, err error) {
	_, err = m.readPure(func(int) int64 {
		low, high = m.bounds(int64(who), id)
		return 0
	})
	return low, high, err
}

// Defeated and CanTurn evaluate the defines that the core knows; without them no creature is defeated and every
// creature can take its turn.
func (m *Machine) Defeated(who int32) (bool, error) {
	if m.p.CoreDefines[ir.CoreDefeated] < 0 {
		return false, nil
	}
	return m.yesNoDefine(m.p.CoreDefines[ir.CoreDefeated], who)
}

func (m *Machine) CanTurn(who int32) (bool, error) {
	if m.s.Entities[who].Away || who == m.s.Order.Current() && m.PutOff() {
		return false, nil
	}
	if m.p.CoreDefines[ir.CoreCanTurn] < 0 {
		return true, nil
	}
	return m.yesNoDefine(m.p.CoreDefines[ir.CoreCanTurn], who)
}

// PutOff reports whether the creature whose turn it is has put the turn off, to resume it later in the round.
func (m *Machine) PutOff() bool {
	o := &m.s.Order
	return o.Sunk() && m.TryYesNo(m.p.CoreDefines[ir.CoreResumes], o.Current(), false)
}

// FightContinues reports whether the rules let a fight go on although at most one side is left.
func (m *Machine) FightContinues() bool {
	if m.p.CoreDefines[ir.CoreContinues] < 0 {
		return false
	}
	yes, err := m.Define(m.p.CoreDefines[ir.CoreContinues], program.None)
	return yes != 0 && err == nil
}

// yesNoDefine evaluates a yes-no define of a creature, and evaluates it again on failure to get the error.
func (m *Machine) yesNoDefine(define, who int32) (bool, error) {
	if v, ok := m.TryDefine(define, int64(who), program.None); ok {
		return v != 0, nil
	}
	v, err := m.Define(define, int64(who))
	return v != 0, err
}

// ChooseByTactics returns the first command of tactics that is legal now, or proc -1 if there is none. Its arguments
// are valid until the next call.
func (m *Machine) ChooseByTactics(who, tactics int32) (proc int32, args []int64, err error) {
	if tactics < 0 || int(tactics) >= len(m.p.Tactics) {
		return -1, nil, nil
	}
	m.tacticsCreature[0], m.tacticsID = int64(who), tactics
	at, err := m.readKeeping(m.boundFirstLegal)
	if err != nil || at < 0 {
		return -1, nil, err
	}
	return int32(at), m.chosenArgs[1:], nil
}

// firstLegal is the procedure of that command, -1 if there is none; it leaves the arguments in chosenArgs. What an
// effect of the creature says that it must do comes first.
func (m *Machine) firstLegal(top int) int64 {
	who := m.tacticsCreature[0]
	if len(m.mustEffects) > 0 {
		if proc := m.mustCommand(top, who); proc >= 0 {
			return proc
		}
	}
	return m.firstLegalOf(&m.p.Tactics[m.tacticsID], top, who, program.None)
}

// mustCommand is firstLegal for what the effects of a creature say that it must do.
func (m *Machine) mustCommand(top int, who int64) int64 {
	presence := int(who)*m.stride + int(m.p.Slots.Effects)
	for _, e := range m.mustEffects {
		if m.s.Slots[presence+int(e)] == 0 {
			continue
		}
		list := m.s.Effects.OfBearer(int32(who))
		m.chargeScan(len(list))
		for i := 0; i < len(list) && m.err == nil; i++ {
			if list[i].Def != e {
				continue
			}
			if proc := m.firstLegalOf(&m.p.Effects[e].Musts, top, who, int64(list[i].ID)); proc >= 0 {
				return proc
			}
		}
	}
	return -1
}

// firstLegalOf is firstLegal for the commands of tactics, or of an effect's instance.
func (m *Machine) firstLegalOf(t *program.Tactics, top int, who, instance int64) int64 {
	for i := 0; i < len(t.Commands) && m.err == nil; i++ {
		m.s.Budget = m.maxSteps()
		list := m.evalTactics(t, i, top, who, instance)
		if list == program.None || m.err != nil {
			break
		}
		command := m.list(list)
		i = int(command[0])
		m.chosenArgs = append(m.chosenArgs[:0], command[1:]...)
		proc := t.Commands[i].Proc
		if m.isEntity(m.chosenArgs[0]) && m.refusal(proc, m.putArgs(int32(m.chosenArgs[0]), proc, m.chosenArgs[1:], top), top) < 0 && m.err == nil {
			return int64(proc)
		}
	}
	return -1
}

// evalTactics returns the first command from the given one on whose guard holds: its index and its arguments, or none.
func (m *Machine) evalTactics(t *program.Tactics, from, top int, who, instance int64) int64 {
	ch := &m.p.Chunks[t.Chunk]
	m.s.reserve(top + int(ch.Regs))
	m.s.Regs[top], m.s.Regs[top+1] = who, instance
	m.depth++
	list := m.exec(t.Commands[from].Start, top, top+int(ch.Regs), -1)
	m.depth--
	return list
}

// builtin evaluates a function of the core.
func (m *Machine) builtin(id int32, args []int64, at int32) int64 {
	s := m.s
	switch id {
	case program.FnAbs:
		if args[0] >= 0 {
			return args[0]
		}
		v, ok := exact.Sub(0, args[0])
		if !ok {
			m.failOverflow(at)
		}
		return v
	case program.FnCreatures:
		m.buffer = m.buffer[:0]
		for e := range s.Entities {
			if !s.Entities[e].Away {
				m.buffer = append(m.buffer, int64(e))
			}
		}
		return m.MakeList(m.buffer)
	case program.FnHostile:
		return int64(bit(m.checkCreature(args[0], at) && m.checkCreature(args[1], at) && s.Entities[args[0]].Side != s.Entities[args[1]].Side))
	case program.FnEnemies, program.FnAllies:
		if !m.checkCreature(args[0], at) {
			return 0
		}
		return m.alliesOrFoes(args[0], id == program.FnAllies)
	case program.FnTied:
		m.reads |= TheClock
		list := m.newList(int32(program.Scalar), int64(s.Order.Len()))
		for group := range s.Order.Tied() {
			for _, e := range group {
				m.pushElement(list, int64(e.Who))
			}
		}
		return list
	case program.FnRound:
		m.reads |= TheClock
		return int64(s.Order.Round())
	case program.FnInFight:
		m.reads |= TheClock
		return int64(bit(s.InFight))
	case program.FnRoundUp, program.FnHalfUp:
		return m.divideRounded(id, args, at)
	case program.FnName:
		return m.nameText(args[0])
	case program.FnTakingTurn:
		m.reads |= TheClock
		return int64(bit(s.InFight && args[0] >= 0 && int64(s.Order.Current()) == args[0]))
	case program.FnTurn:
		m.reads |= TheClock
		if who := s.Order.Current(); s.InFight && who >= 0 {
			return int64(who)
		}
		m.fail(at, "it is nobody's turn")
	case program.FnNow:
		m.reads |= TheClock
		return int64(s.Time)
	case program.FnAverage:
		return m.average(args[0], at)
	case program.FnFirst:
		if list := m.list(args[0]); len(list) > 0 {
			return list[0]
		}
		return program.None
	case program.FnDistinct:
		return m.distinct(args[0])
	case program.FnRange:
		n, ok := m.rangeLength(args[0], args[1], at)
		if !ok {
			return 0
		}
		list := m.newList(int32(program.Scalar), n+1)
		for i := int64(0); i <= n && m.err == nil; i++ {
			m.pushElement(list, args[0]+i)
		}
		return list
	case program.FnPlanActions:
		if _, of, ok := m.planObject(args[0]); ok {
			return m.p.Plans[of].Actions
		}
		return 0
	case program.FnPlanComesAfter:
		_, of, ok := m.planObject(args[0])
		return int64(bit(ok && m.p.Plans[of].ComesAfter))
	case program.FnMadeFrom:
		return int64(bit(m.isMadeFrom(args[0], args[1])))
	case program.FnSquareOf:
		if !m.isEntity(args[0]) || s.Squares[args[0]] == program.None {
			m.fail(at, "%s is not on a map", m.FormatThing(args[0]))
			return 0
		}
		m.reads |= ReadsOf(args[0])
		return s.Squares[args[0]]
	case program.FnSquare:
		return m.makeSquare(args, at)
	case program.FnMapped:
		return int64(bit(m.Ground != nil))
	case program.FnPathEnd:
		if path := m.list(args[0]); len(path) > 0 {
			return path[len(path)-1]
		}
		m.fail(at, "there is no way there")
	case program.FnSquaresCrossed:
		if path := m.list(args[0]); len(path) > 1 {
			return m.makeObject(program.ListObject, int32(program.Scalar), path[1:])
		}
	}
	return 0
}

// maxRange is the maximum length of a range.
const maxRange = 10_000

// rangeLength is the distance from the first number of a range to the last, negative if the range is empty.
func (m *Machine) rangeLength(first, last int64, at int32) (n int64, ok bool) {
	n, ok = exact.Sub(last, first)
	if ok = ok && n < maxRange; !ok {
		m.fail(at, "a range has at most 10,000 numbers")
	}
	return n, ok
}

// nativeSteps is the minimum cost of a host function, in steps of the command.
const nativeSteps = 10

// ChargeSteps counts steps of the host against those of the command.
func (m *Machine) ChargeSteps(steps int) { m.s.Budget -= int64(steps) }

// makeSquare packs coordinates.
func (m *Machine) makeSquare(args []int64, at int32) int64 {
	var xyz [3]int64
	copy(xyz[:], args)
	for _, v := range xyz {
		if v < -maxCoordinate || v > maxCoordinate {
			m.fail(at, "a square's coordinates are %d at most, not %d", maxCoordinate, v)
			return 0
		}
	}
	return grid.Square{X: int16(xyz[0]), Y: int16(xyz[1]), Z: int16(xyz[2])}.Pack()
}

// MakeList makes a list of plain values for a host's answer; ListElements returns the elements of one, or the squares
// of a way.
func (m *Machine) MakeList(values []int64) int64 {
	return m.makeObject(program.ListObject, int32(program.Scalar), values)
}
func (m *Machine) ListElements(v int64) []int64 { return m.list(v) }

// alliesOrFoes lists the creatures on the side of a creature, except itself, or those on other sides.
func (m *Machine) alliesOrFoes(who int64, allies bool) int64 {
	s, first := m.s, len(m.s.Arena)
	list, room := m.alloc(program.ListObject, int32(program.Scalar), len(m.s.Entities))
	if m.err != nil {
		return 0
	}
	n, side := 0, s.Entities[who].Side
	for e := range s.Entities {
		if (s.Entities[e].Side == side) == allies && int64(e) != who && !s.Entities[e].Away {
			room[n] = int64(e)
			n++
		}
	}
	s.Arena = s.Arena[:first+1+n]
	s.Arena[first] = program.PackHeader(program.ListObject, int32(program.Scalar), n)
	return list
}

// divideRounded divides and rounds up, or to the nearest integer with halves up.
func (m *Machine) divideRounded(id int32, args []int64, at int32) int64 {
	if len(args) < 2 {
		return args[0]
	}
	a, b := args[0], args[1]
	if b == 0 {
		m.fail(at, "division by zero")
		return 0
	}
	if id == program.FnRoundUp {
		v, ok := exact.FloorDiv(a, b)
		if !ok {
			m.failOverflow(at)
			return 0
		}
		if a%b != 0 {
			v++
		}
		return v
	}
	twice, ok1 := exact.Mul(a, 2)
	sum, ok2 := exact.Add(twice, b)
	below, ok3 := exact.Mul(b, 2)
	v, ok4 := exact.FloorDiv(sum, below)
	if !ok1 || !ok2 || !ok3 || !ok4 {
		m.failOverflow(at)
	}
	return v
}

// average of dice, rounded down.
func (m *Machine) average(packed int64, at int32) int64 {
	d := ir.UnpackDice(packed)
	if d.Times == 0 {
		return int64(d.Flat)
	}
	if int(d.Expr) >= len(m.dice) || m.dice[d.Expr] == nil {
		m.fail(at, "there are no such dice")
		return 0
	}
	x := m.dice[d.Expr]
	v, _ := exact.FloorDiv(int64(d.Times)*(x.Min()+x.Max()), 2)
	return v + int64(d.Flat)
}

// isMadeFrom says whether a thing is a template, was made from it, or was made from one that extends it.
func (m *Machine) isMadeFrom(thing, template int64) bool {
	t := m.templateOf(thing)
	for i := 0; t >= 0 && t < int64(len(m.p.Templates)) && i < 64; i++ {
		if t == -template-1 {
			return true
		}
		t = int64(m.p.Templates[t].From)
	}
	return false
}

// templateOf is the index of the template that a thing is, or that a creature was made from; -1 for none.
func (m *Machine) templateOf(thing int64) int64 {
	switch {
	case m.isEntity(thing):
		return int64(m.s.Entities[thing].Template)
	case thing < 0 && thing != program.None:
		return -thing - 1
	}
	return -1
}

// native calls a function of the host.
func (m *Machine) native(id int32, args, n, top int, at int32) int64 {
	f := Native(nil)
	if int(id) < len(m.natives) {
		f = m.natives[id]
	}
	if f == nil {
		if m.err == nil {
			m.fail(at, "%s needs a map, but there is none", m.p.Natives[id])
			m.err.Hint = "draw a `map`, or give everybody a square: `at (x, y)`"
		}
		return 0
	}
	// The host may read the state, which needs registers above the ones in use.
	oldHostBase := m.hostBase
	m.hostBase = top
	m.ChargeSteps(nativeSteps)
	v, err := f(m, m.s.Regs[args:args+n])
	m.hostBase = oldHostBase
	if m.err != nil { // report the failure of a nested read here, wherever it was
		message := m.err.Message
		m.err = nil
		m.fail(at, "%s", message)
	}
	if err != nil {
		m.fail(at, "%s: %v", m.p.Natives[id], err)
	}
	return v
}

// maxCoordinate is the limit of the coordinates of squares that rules make.
const maxCoordinate = 10_000
