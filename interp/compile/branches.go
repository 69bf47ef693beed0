package compile

import (
	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file marks which way each condition went, which statements ran and which cells were looked up, for coverage that sees branches. The marks are
// numbered behind the parts, in the same set. A program that was compiled without Branches has none of it.

// Branches asks for these marks, and receives what they stand for.
type Branches struct {
	Files  map[int32]bool // indexes of the files whose code is marked
	Probes []Probe        // in the order of compilation

	known map[probeKey]int32
	next  int32
}

// Kinds of probes.
const (
	Condition = "condition"
	Statement = "statement"
	TableCell = "cell"
)

// Probe is a condition, a statement or a cell. A condition marks ID when it holds and ID + 1 when it does not, a statement
// ID when it runs, a cell ID when it is looked up. Each side of `and` and `or` is a condition, as is the whole.
type Probe struct {
	ID   int32
	Kind string
	Pos  ir.Pos
}

type probeKey struct {
	pos  ir.Pos
	kind string
}

// probe returns the first mark of what stands at a position, -1 if it has none.
func (c *compiler) probe(pos ir.Pos, kind string) int32 {
	b := c.opts.Branches
	if b == nil || !b.Files[pos.File] || pos.Span.End.Offset <= pos.Span.Start.Offset {
		return -1
	}
	if b.known == nil {
		b.known, b.next = map[probeKey]int32{}, int32(len(c.rs.Parts))
	}
	key := probeKey{pos, kind}
	id, known := b.known[key]
	if !known {
		id = b.next
		b.known[key] = id
		b.next += 2
		b.Probes = append(b.Probes, Probe{id, kind, pos})
	}
	return id
}

// coverStatement marks that a statement runs.
func (f *chunkBuilder) coverStatement(s *ir.Stmt) {
	if id := f.c.probe(s.Pos, Statement); id >= 0 {
		f.emit(program.OpCover, 0, 0, 0, id)
	}
}

// probedJump is branch for a condition that may be marked. What is decided when it is compiled is no branch, and of
// conditions that stand for one piece of the source only the outermost is.
func (f *chunkBuilder) probedJump(e *ir.Expr, when bool) []int {
	if f.c.opts.Branches == nil || e.Op == ir.OpNot || f.c.isConstant(e) || e.Pos == f.probing {
		return f.branch(e, when)
	}
	id := f.c.probe(e.Pos, Condition)
	if id < 0 {
		return f.branch(e, when)
	}
	outer := f.probing
	f.probing = e.Pos
	no := f.branch(e, false)
	f.probing = outer
	f.emit(program.OpCover, 0, 0, 0, id)
	past := f.emit(program.OpJump, 0, 0, 0, 0)
	f.patch(no)
	f.emit(program.OpCover, 0, 0, 0, id+1)
	if when {
		return []int{past}
	}
	taken := f.emit(program.OpJump, 0, 0, 0, 0)
	f.patch([]int{past})
	return []int{taken}
}

// comparesForValue reports whether a comparison whose value is needed is computed by jumps, so that it can be marked.
func (f *chunkBuilder) comparesForValue(e *ir.Expr) bool {
	switch e.Op {
	case ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe:
		return f.c.opts.Branches != nil && e.Pos != f.probing && f.c.probe(e.Pos, Condition) >= 0
	}
	return false
}
