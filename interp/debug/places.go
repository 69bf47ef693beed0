package debug

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file knows where the instructions of a program are in its source, and which registers its names have.

// variable is a name of a chunk.
type variable struct {
	name string
	typ  ir.Type
	reg  int32
}

// variablesOf lists the names of a chunk.
func variablesOf(registers map[*ir.Var]int) (list []variable) {
	for v, r := range registers {
		if v != nil && v.Name != "" && v.Name != "self" && r >= 0 && (v.Kind == ir.VarLocal || v.Kind == ir.VarParam) {
			list = append(list, variable{v.Name, v.Type, int32(r)})
		}
	}
	slices.SortFunc(list, func(a, b variable) int { return cmp.Or(cmp.Compare(a.reg, b.reg), strings.Compare(a.name, b.name)) })
	return slices.CompactFunc(list, func(a, b variable) bool { return a.name == b.name })
}

// places are those of the instructions of a program.
type places struct {
	script    *build.Script
	p         *program.Program
	rs        *ir.Ruleset
	lines     []int32 // by instruction; 0: it has none
	offsets   []int32 // likewise
	files     []int32
	armed     []bool // those with a breakpoint
	owners    []program.Owner
	variables map[int32][]variable
	numbers   map[string]int32 // of files
}

func newPlaces(s *build.Script, variables map[int32][]variable) *places {
	p := s.Rules.Program
	x := &places{script: s, p: p, rs: s.Rules.Checked.Ruleset, owners: p.Owners(), variables: variables, numbers: map[string]int32{}}
	for i, f := range p.Files {
		x.numbers[f] = int32(i)
	}
	for pc := range p.Code {
		pos := p.Pos.Of(int32(pc))
		if announces(p, pc) {
			pos.Span.Start.Line = 0
		}
		x.lines, x.files, x.offsets = append(x.lines, int32(pos.Span.Start.Line)), append(x.files, pos.File), append(x.offsets, int32(pos.Span.Start.Offset))
	}
	return x
}

// announces says whether an instruction only lets rules interrupt the code: its line is that of the step, which has
// begun, or ended.
func announces(p *program.Program, pc int) bool {
	switch p.Code[pc].Op {
	case program.OpAt, program.OpInstead, program.OpEndInstead, program.OpJumpAwaited:
		return true
	case program.OpJump:
		return pc > 0 && p.Code[pc-1].Op == program.OpInstead
	}
	return false
}

// fileNumber is the number of a file; one that has no code has a number beyond those.
func (x *places) fileNumber(file string) int32 {
	if n, ok := x.numbers[file]; ok {
		return n
	}
	n := int32(len(x.p.Files) + len(x.numbers))
	x.numbers[file] = n
	return n
}

// find returns the number of the file that a client means: by its name, or by the end of its path.
func (x *places) find(path string) (int32, bool) {
	path = filepath.ToSlash(filepath.Clean(path))
	if n, ok := x.numbers[path]; ok {
		return n, true
	}
	best, length := int32(-1), 0
	for name, n := range x.numbers {
		short := strings.TrimPrefix(filepath.ToSlash(name), "./")
		if path == short || strings.HasSuffix(path, "/"+short) {
			if len(short) > length {
				best, length = n, len(short)
			}
		}
		if abs, err := filepath.Abs(name); err == nil && filepath.ToSlash(abs) == path {
			return n, true
		}
	}
	return best, best >= 0
}

// codeAt returns the instructions of a line, or of the next one that has some, and that line; 0 if there is none.
func (x *places) codeAt(file, line int32) (pcs map[int32]bool, at int32) {
	const reach = 20
	for pc := range x.lines {
		if l := x.lines[pc]; x.files[pc] == file && l >= line && l < line+reach && (at == 0 || l < at) {
			at = l
		}
	}
	if at == 0 {
		return nil, 0
	}
	pcs = map[int32]bool{}
	for pc := range x.lines {
		if x.files[pc] == file && x.lines[pc] == at {
			pcs[int32(pc)] = true
		}
	}
	return pcs, at
}

// codeWithin returns the instructions of a chunk that a step of a procedure consists of, without its condition.
func (x *places) codeWithin(chunk int32, s *ir.Step) map[int32]bool {
	pcs := map[int32]bool{}
	if len(s.Body) == 0 {
		return pcs
	}
	first, last := s.Body[0].Pos, s.Body[len(s.Body)-1].Pos
	ch := &x.p.Chunks[chunk]
	for pc := ch.Start; pc < ch.End; pc++ {
		if x.files[pc] == first.File && int(x.offsets[pc]) >= first.Span.Start.Offset && int(x.offsets[pc]) < last.Span.End.Offset {
			pcs[pc] = true
		}
	}
	return pcs
}

// stepAt returns the name of the step of a procedure that an instruction belongs to, "" if it belongs to none.
func (x *places) stepAt(q *ir.Proc, pc int32) string {
	name, at := "", -1
	for _, s := range q.Steps {
		if s.Part == nil || s.Part.Pos.File != x.files[pc] || len(s.Body) == 0 {
			continue
		}
		start := min(s.Part.Pos.Span.Start.Offset, s.Body[0].Pos.Span.Start.Offset)
		if start <= int(x.offsets[pc]) && start > at {
			name, at = s.Name, start
		}
	}
	return name
}
