// Package profile measures where the work of fights goes: to which declarations, to which lines of the rules, and along
// which calls.
//
// Work is counted in steps and in time. A step is one instruction of the compiled program. The machine reports each of
// them, so their number is exact, and the same on every computer. Time is taken in fights of their own, in which the
// machine reports only the beginning and the end of code: reporting every instruction would take longer than carrying it
// out. Each report books the time since the one before to the code that ran until then, without what it takes to read
// the clock. So the functions of the core, such as geometry, count for the code that calls them.
//
// What ran is kept as a tree of calls. A node is a chunk of code, a stat or a Starlark function, called from one
// instruction of its parent. The package must never know what a declaration is for.
package profile

import (
	"time"

	"arbiter/interp/machine"
	"arbiter/interp/program"
)

// Profiler is an observer of one machine after the other. It may be used for fights of one program only.
type Profiler struct {
	p      *program.Program
	owners []program.Owner
	root   *node
	stack  []*node // of the evaluations of the machine
	frames []frame // of the machine, as far as they have been seen
	now    *node   // what runs
	pc     int32   // and the latest of its instructions

	timed   bool
	since   time.Time     // the last report
	reading time.Duration // how long it takes to read the clock
}

// frame is a frame of the machine with its node.
type frame struct {
	chunk, base int32
	*node
}

// node is some code, in the calls that led to it.
type node struct {
	callee
	parent   *node
	site     int32 // instruction of the parent that called it
	calls    int64
	steps    []int64         // of a chunk: by instruction, from its first
	times    []time.Duration // likewise
	lines    map[int32]int64 // of loose code: steps by line
	time     time.Duration   // of what has no instructions
	children map[call]*node
}

// callee is what is called.
type callee struct {
	kind machine.EvaluationKind
	id   int32 // looseCode for that of a script
}

// looseCode is the callee of all code of a script.
const looseCode = -1

type call struct {
	site int32
	callee
}

// New returns a profiler for fights of a program. Code that is added to it later is that of the script.
func New(p *program.Program) *Profiler {
	f := &Profiler{p: p, owners: p.Owners(), root: &node{callee: callee{id: looseCode}}}
	f.now = f.root
	return f
}

// Time measures time from now on, instead of steps, until stop is called. The machine should report only calls.
func (f *Profiler) Time() (stop func()) {
	f.timed, f.reading = true, readingTime()
	f.since = time.Now()
	return func() {
		f.book()
		f.timed = false
	}
}

// readingTime is how long it takes to read the clock.
func readingTime() time.Duration {
	const times = 1000
	begun := time.Now()
	for range times {
		time.Now()
	}
	return time.Since(begun) / times
}

// book books the time since the last report to what ran until now.
func (f *Profiler) book() {
	now := time.Now()
	n, d := f.now, max(0, now.Sub(f.since)-f.reading)
	f.since = now
	if n.kind != machine.ChunkEvaluation || n.id == looseCode {
		n.time += d
		return
	}
	if n.times == nil {
		n.times = make([]time.Duration, len(n.steps))
	}
	i := int(f.pc - f.p.Chunks[n.id].Start)
	n.times[min(max(i, 0), len(n.times)-1)] += d
}

// child returns the node of what a node calls at an instruction.
func (f *Profiler) child(n *node, site int32, c callee) *node {
	if n.id == looseCode {
		site = 0
	}
	k := call{site, c}
	if x := n.children[k]; x != nil {
		return x
	}
	x := &node{callee: c, parent: n, site: site}
	if c.kind == machine.ChunkEvaluation && c.id != looseCode {
		ch := &f.p.Chunks[c.id]
		x.steps = make([]int64, ch.End-ch.Start)
	}
	if n.children == nil {
		n.children = map[call]*node{}
	}
	n.children[k] = x
	return x
}

// calleeOf returns the callee of a chunk.
func (f *Profiler) calleeOf(chunk int32) callee {
	if int(chunk) >= len(f.owners) {
		chunk = looseCode
	}
	return callee{id: chunk}
}

// Instruction implements machine.Observer.
func (f *Profiler) Instruction(m *machine.Machine, pc int32) {
	if f.timed {
		f.book()
	}
	if len(m.Evaluations()) == 0 {
		f.followFrames(m, pc)
	}
	n := f.now
	f.pc = pc
	switch {
	case f.timed && n.id == looseCode:
	case n.id == looseCode:
		if n.lines == nil {
			n.lines = map[int32]int64{}
		}
		n.lines[int32(m.PosOf(pc).Span.Start.Line)]++
	default:
		i := pc - f.p.Chunks[n.id].Start
		if !f.timed {
			n.steps[i]++
		}
		if i == 0 && len(m.Evaluations()) == 0 && !f.timed {
			n.calls++
		}
	}
}

// followFrames makes the node of the code on top of the stack of frames the one that runs.
func (f *Profiler) followFrames(m *machine.Machine, pc int32) {
	chunk := m.ChunkAt(pc)
	list := m.State().Frames
	if n := len(list); n == len(f.frames) && f.frames[n-1].chunk == chunk && f.frames[n-1].base == list[n-1].Base {
		f.now = f.frames[n-1].node
		return
	}
	at, n := f.root, 0
	same := true
	for i := range list {
		x := frame{chunk: -1, base: list[i].Base, node: at}
		site := int32(0)
		if list[i].HasCode() {
			x.chunk = m.ChunkAt(list[i].PC)
			if i == len(list)-1 {
				x.chunk = chunk
			}
		}
		if same = same && n < len(f.frames) && f.frames[n].chunk == x.chunk && f.frames[n].base == x.base; same {
			at, n = f.frames[n].node, n+1
			continue
		}
		if x.chunk >= 0 {
			if c := f.callerOf(list, i); c >= 0 {
				site = max(list[c].PC-1, 0)
			}
			x.node = f.child(at, site, f.calleeOf(x.chunk))
			at = x.node
		}
		f.frames = append(f.frames[:n], x)
		n++
	}
	f.frames = f.frames[:n]
	f.now = at
}

// callerOf is the frame with code below another one, -1 if there is none.
func (f *Profiler) callerOf(list []machine.Frame, i int) int {
	for i--; i >= 0; i-- {
		if list[i].HasCode() {
			return i
		}
	}
	return -1
}

// Enter implements machine.Observer.
func (f *Profiler) Enter(m *machine.Machine, e *machine.Evaluation) {
	if f.timed {
		f.book()
	}
	all := m.Evaluations()
	parent, site := f.root, int32(0)
	switch {
	case len(all) > 1:
		parent = f.stack[len(f.stack)-1]
		if c := &all[len(all)-2]; c.Kind == machine.ChunkEvaluation {
			site = c.PC
		}
	case len(m.State().Frames) > 0:
		f.stack = f.stack[:0]
		if list := m.State().Frames; list[len(list)-1].HasCode() {
			parent, site = f.runningFrame(m)
		} else if at := f.callerOf(list, len(list)); at >= 0 && at < len(f.frames) {
			parent, site = f.frames[at].node, max(list[at].PC-1, 0)
		}
	default:
		f.stack, f.frames = f.stack[:0], f.frames[:0]
	}
	c := callee{e.Kind, e.ID}
	if e.Kind == machine.ChunkEvaluation {
		c = f.calleeOf(e.ID)
	}
	n := f.child(parent, site, c)
	if !f.timed {
		n.calls++
	}
	f.stack, f.now, f.pc = append(f.stack, n), n, e.PC
}

// runningFrame is the node of the code on top of the stack of frames, and the instruction that it carries out. One that
// has not begun counts for what began it.
func (f *Profiler) runningFrame(m *machine.Machine) (n *node, site int32) {
	list, pc := m.State().Frames, m.ObservedPC()
	if k := len(list); len(f.frames) == k && f.frames[k-1].base == list[k-1].Base && f.frames[k-1].chunk >= 0 && m.ChunkAt(pc) == f.frames[k-1].chunk {
		return f.frames[k-1].node, pc
	}
	for i := len(list) - 1; i >= 0; i-- {
		if i < len(f.frames) && f.frames[i].base == list[i].Base && f.frames[i].chunk >= 0 && list[i].HasCode() && m.ChunkAt(list[i].PC) == f.frames[i].chunk {
			return f.frames[i].node, max(list[i].PC-1, 0)
		}
	}
	return f.root, 0
}

// Leave implements machine.Observer.
func (f *Profiler) Leave(m *machine.Machine, _ int64) {
	if f.timed {
		f.book()
	}
	f.stack = f.stack[:len(f.stack)-1]
	if k := len(f.stack); k > 0 {
		f.now = f.stack[k-1]
		if e := m.Evaluations(); len(e) > 1 {
			f.pc = e[len(e)-2].PC
		}
		return
	}
	f.now, f.pc = f.root, 0
	if len(f.frames) > 0 && len(f.frames) <= len(m.State().Frames) {
		if x := f.frames[len(f.frames)-1]; x.chunk >= 0 {
			f.now, f.pc = x.node, m.ObservedPC()
			if f.now.id != looseCode && m.ChunkAt(f.pc) != x.chunk {
				f.pc = f.p.Chunks[x.chunk].Start
			}
		}
	}
}

// Gained implements machine.Observer.
func (f *Profiler) Gained(*machine.Machine, int32, int32) {}
