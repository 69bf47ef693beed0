package machine

import (
	"slices"
	"sync"

	"arbiter/interp/program"
)

// This file shows the machine at work to an observer: a debugger, or a profiler.
//
// A machine that nobody observes runs the program's own code, and pays nothing. One that is observed runs code of its own
// in which an instruction that reports stands for each. It is then carried out (loop.go).
//
// Acting code is in frames, and so in the state. Pure code runs by calls of Go, so its evaluations are kept here while
// they last.

// Observer is told what a machine does, while it does it. It may read the machine with Aside, and make the command fail
// with Interrupt.
type Observer interface {
	// Instruction is about to be carried out.
	Instruction(m *Machine, pc int32)
	// Enter begins an evaluation, the last of Evaluations; Leave ends it, with its value.
	Enter(m *Machine, e *Evaluation)
	Leave(m *Machine, value int64)
	// Gained tells that a creature gains an effect.
	Gained(m *Machine, effect, bearer int32)
}

// EvaluationKind says what is evaluated.
type EvaluationKind uint8

const (
	ChunkEvaluation EvaluationKind = iota // a chunk of pure code
	StatEvaluation                        // a stat, whose terms and modifiers are chunks
	HookEvaluation                        // a Starlark function
)

// Evaluation is something pure that is being computed. Unlike frames, evaluations do not outlast a call of the machine.
type Evaluation struct {
	Kind   EvaluationKind
	ID     int32 // of the chunk, the stat, or the site of the function
	Base   int32 // its registers, or the arguments of the stat or the function
	PC     int32 // of a chunk: the instruction that is carried out
	Outer  int32 // first register of the interrupted names, or -1
	Frames int32 // how many frames there were when it began
}

// Detail says which instructions an observer is told of.
type Detail uint8

const (
	EveryInstruction Detail = iota
	OnlyCalls               // those with which code begins, or continues after what it called
)

// watch is what observing takes.
type watch struct {
	observer Observer
	detail   Detail
	stack    []Evaluation
	pc       int32   // of the frame on top
	top      int     // registers from here on are free
	chunks   []int32 // by instruction: the chunk that it belongs to
	aside    memory
}

// Observe shows the machine to an observer from now on, or to nobody. It may not be called while code runs.
func (m *Machine) Observe(o Observer, d Detail) {
	m.watch = nil
	if o != nil {
		m.watch = &watch{observer: o, detail: d, aside: newMemory()}
	}
	m.linkCode()
}

// linkCode determines the code that is carried out.
func (m *Machine) linkCode() {
	m.code = withEnd(m.p.Code)
	w := m.watch
	if w == nil {
		return
	}
	m.code = slices.Clone(m.code)
	if w.detail == EveryInstruction {
		for i := range m.code {
			m.code[i] = reporting
		}
	} else {
		for i := range m.p.Chunks {
			m.code[m.p.Chunks[i].Start] = reporting
		}
		for i := range m.p.Tactics {
			for _, c := range m.p.Tactics[i].Commands {
				m.code[c.Start] = reporting
			}
		}
		for i, in := range m.p.Code {
			if in.Op.BeginsCode() && i+1 < len(m.code) {
				m.code[i+1] = reporting
			}
		}
	}
	w.chunks = slices.Grow(w.chunks[:0], len(m.code))[:len(m.code)]
	for k := range m.p.Chunks {
		for pc := m.p.Chunks[k].Start; pc < m.p.Chunks[k].End && int(pc) < len(w.chunks); pc++ {
			w.chunks[pc] = int32(k)
		}
	}
}

// reporting stands for an instruction that is reported.
var reporting = program.Instr{Op: program.OpReport}

// report reports an instruction. When it begins pure code, that runs to its end here, so that its end is known, too.
func (m *Machine) report(pc, base, top int, outer int32) (value int64, ended bool) {
	w := m.watch
	switch n := len(w.stack); {
	case n == 0 && m.isOfTopFrame(base):
		w.pc = int32(pc)
	case n == 0 || w.stack[n-1].Kind != ChunkEvaluation || w.stack[n-1].Base != int32(base) || w.stack[n-1].ID != w.chunks[pc]:
		m.enter(Evaluation{Kind: ChunkEvaluation, ID: w.chunks[pc], Base: int32(base), PC: int32(pc), Outer: outer}, top)
		value = m.execSlow(pc, base, top, outer)
		m.leave(value)
		return value, true
	default:
		w.stack[n-1].PC = int32(pc)
	}
	w.top = top
	w.observer.Instruction(m, int32(pc))
	return 0, false
}

// isOfTopFrame says whether registers are those of the code on top of the stack.
func (m *Machine) isOfTopFrame(base int) bool {
	f := m.topFrame()
	return f != nil && f.Kind <= insteadFrame && int(f.Base) == base
}

// enter begins an evaluation while the machine is observed, leave ends it.
func (m *Machine) enter(e Evaluation, top int) {
	w := m.watch
	e.Frames = int32(len(m.s.Frames))
	w.stack, w.top = append(w.stack, e), top
	w.observer.Enter(m, &w.stack[len(w.stack)-1])
}

func (m *Machine) leave(value int64) {
	if w := m.watch; w != nil && len(w.stack) > 0 {
		w.observer.Leave(m, value)
		w.stack = w.stack[:len(w.stack)-1]
	}
}

// unobserved stops observing until resume is called.
func (m *Machine) unobserved() (resume func()) {
	w, code := m.watch, m.code
	m.watch, m.code = nil, withEnd(m.p.Code)
	return func() { m.watch, m.code = w, code }
}

// memory is what a machine remembers of what it has computed.
type memory struct {
	cache        *[1 << cacheBits]cachedStat
	memo         []memoEntry
	own          []cachedDefine
	explanations map[explanationKey]*keptExplanation
}

// spareMemory are memories of machines that have been closed.
var spareMemory sync.Pool

// newMemory returns an empty one.
func newMemory() memory {
	if x, ok := spareMemory.Get().(*memory); ok {
		x.forget(0, 0)
		return *x
	}
	return memory{new([1 << cacheBits]cachedStat), make([]memoEntry, 1<<memoBits), nil, map[explanationKey]*keptExplanation{}}
}

// forget empties it, for as many creatures.
func (x *memory) forget(creatures, defines int) {
	*x.cache = [1 << cacheBits]cachedStat{}
	clear(x.memo)
	clear(x.own)
	x.own = append(x.own, make([]cachedDefine, max(0, creatures*defines-len(x.own)))...)
	clear(x.explanations)
}

// swapMemory makes the machine remember other things.
func (m *Machine) swapMemory(x memory) (before memory) {
	before = memory{m.cache, m.memo, m.ownDefines, m.explanationCache}
	m.cache, m.memo, m.ownDefines, m.explanationCache = x.cache, x.memo, x.own, x.explanations
	return before
}

// Aside lets an observer read the machine in the middle of anything, without leaving a trace: neither in the state nor in
// what is remembered. So the machine carries out the same instructions afterwards, whatever has been read.
func (m *Machine) Aside(read func()) {
	hostBase, reads, cannot, tracer, noCache, none := m.hostBase, m.reads, m.lastCannot, m.tracer, m.NoCache, m.noExplanations
	if m.watch != nil {
		m.hostBase = max(m.hostBase, m.watch.top)
		w := m.watch
		w.aside.forget(len(m.s.Entities), m.ownDefineCount)
		before := m.swapMemory(w.aside)
		defer m.unobserved()()
		defer func() { m.swapMemory(before) }()
	}
	m.tracer, m.noExplanations = nil, true
	if tracer != nil {
		m.NoCache = false
	}
	defer func() {
		m.hostBase, m.reads, m.lastCannot, m.tracer, m.NoCache, m.noExplanations = hostBase, reads, cannot, tracer, noCache, none
	}()
	read()
}

// Interrupt makes the running command fail with an error.
func (m *Machine) Interrupt(why string) { m.fail(m.currentInstr(), "%s", why) }

// Evaluations returns what is being evaluated, innermost last, while the machine is observed. It is valid until the
// observer returns.
func (m *Machine) Evaluations() []Evaluation {
	if m.watch == nil {
		return nil
	}
	return m.watch.stack
}

// ObservedPC returns the instruction that the code on top of the stack carries out, while the machine is observed.
func (m *Machine) ObservedPC() int32 { return m.watch.pc }

// ChunkAt returns the chunk of an instruction, while the machine is observed.
func (m *Machine) ChunkAt(pc int32) int32 { return m.watch.chunks[pc] }

// HasCode says whether a frame is that of code, and not of what the machine does between pieces of code.
func (f *Frame) HasCode() bool { return f.Kind <= insteadFrame }
