package profile

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
)

// Report is what `profile --json` prints, apart from what was played; spec/json.md describes it.
type Report struct {
	Steps        int64         `json:"steps"` // of all fights
	Time         time.Duration `json:"nanoseconds"`
	Declarations []Declaration `json:"declarations"` // those with the most steps of their own first
	Lines        []Line        `json:"lines"`        // likewise
}

// Declaration is what was done for one declaration of the rules, or for a Starlark function.
type Declaration struct {
	Kind      string        `json:"kind"` // procedure, rule, stat and so on; function: of Starlark
	Name      string        `json:"name"`
	File      string        `json:"file"`
	Line      int           `json:"line"`
	Calls     int64         `json:"calls"`
	Cached    *int64        `json:"cached"` // of a stat or a define: how often its value was known already; else nil
	Steps     int64         `json:"steps"`  // its own
	Total     int64         `json:"totalSteps"`
	Time      time.Duration `json:"nanoseconds"`
	TotalTime time.Duration `json:"totalNanoseconds"`
}

// Line is what was done for one line of the rules.
type Line struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Of    string `json:"of"` // the declaration whose code it is
	Steps int64  `json:"steps"`
}

// Report adds up what has been measured.
func (f *Profiler) Report() *Report {
	r := &reporter{f: f, rows: map[rowKey]*Declaration{}, lines: map[lineKey]*Line{}, reads: map[program.Owner]int64{}, computed: map[program.Owner]int64{}}
	r.walk(f.root, map[rowKey]int{})
	out := &Report{Declarations: []Declaration{}, Lines: []Line{}}
	for k, d := range r.rows {
		if k.Kind == program.StatOwner || k.Kind == program.DefineOwner {
			cached := max(0, r.reads[k.Owner]-r.computed[k.Owner])
			d.Cached = &cached
		}
		if d.Calls > 0 || d.Steps > 0 || d.TotalTime > 0 {
			out.Declarations = append(out.Declarations, *d)
		}
		out.Steps += d.Steps
		out.Time += d.Time
	}
	slices.SortFunc(out.Declarations, func(a, b Declaration) int {
		return cmp.Or(cmp.Compare(b.Steps, a.Steps), cmp.Compare(b.Total, a.Total), cmp.Compare(b.Calls, a.Calls), strings.Compare(a.Name, b.Name), strings.Compare(a.Kind, b.Kind))
	})
	for _, l := range r.lines {
		out.Lines = append(out.Lines, *l)
	}
	slices.SortFunc(out.Lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.Steps, a.Steps), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Of, b.Of))
	})
	return out
}

// rowKey is what a row of the report is about.
type rowKey struct {
	program.Owner
	hook int32 // 1 + a Starlark function
}

type lineKey struct {
	rowKey
	file int32
	line int
}

// reporter adds up a tree of calls.
type reporter struct {
	f        *Profiler
	rows     map[rowKey]*Declaration
	lines    map[lineKey]*Line
	reads    map[program.Owner]int64 // of stats and defines, by code
	computed map[program.Owner]int64 // those reads that computed them
}

// keyOf returns the row that a node belongs to.
func (f *Profiler) keyOf(n *node) rowKey {
	switch {
	case n.kind == machine.StatEvaluation:
		return rowKey{Owner: program.Owner{Kind: program.StatOwner, ID: n.id}}
	case n.kind == machine.HookEvaluation:
		return rowKey{hook: 1 + f.p.Sites[n.id].Hook}
	case n.id == looseCode:
		return rowKey{}
	}
	return rowKey{Owner: f.owners[n.id]}
}

// walk adds up a node and what it calls. open counts the rows that the calls so far belong to, so that what calls itself
// is counted once in its total.
func (r *reporter) walk(n *node, open map[rowKey]int) (steps int64, spent time.Duration) {
	key := r.f.keyOf(n)
	row := r.row(key)
	// The chunks of a stat are part of it, and those of a procedure's needs are no calls of it.
	if parent := n.parent; n.kind != machine.ChunkEvaluation || n.id != looseCode && r.f.isMain(n.id, key.Owner) && (parent == nil || key.Kind != program.StatOwner) {
		row.Calls += n.calls
	}
	own, spentHere := int64(0), n.time
	for i, count := range n.steps {
		if count > 0 {
			pc := r.f.p.Chunks[n.id].Start + int32(i)
			own += count
			r.addLine(key, r.f.p.Pos.Of(pc), count)
			if of, reads := readBy(r.f.p, pc); reads {
				r.reads[of] += count
			}
		}
	}
	for i := range n.times {
		spentHere += n.times[i]
	}
	for line, count := range n.lines {
		own += count
		r.addLine(key, ir.Pos{File: -1, Span: spanOfLine(int(line))}, count)
	}
	row.Steps += own
	row.Time += spentHere
	open[key]++
	steps, spent = own, spentHere
	for _, x := range n.children {
		s, t := r.walk(x, open)
		steps, spent = steps+s, spent+t
		if n.kind == machine.ChunkEvaluation && n.id != looseCode {
			if of, reads := readBy(r.f.p, x.site); reads && (x.kind == machine.StatEvaluation || x.kind == machine.ChunkEvaluation) && r.f.keyOf(x).Owner == of {
				r.computed[of] += x.calls
			}
		}
	}
	if open[key]--; open[key] == 0 {
		row.Total += steps
		row.TotalTime += spent
	}
	return steps, spent
}

// isMain says whether a chunk is what is meant by a call of its declaration, and not a condition or a cost of it.
func (f *Profiler) isMain(chunk int32, o program.Owner) bool {
	switch o.Kind {
	case program.ProcOwner:
		return f.p.Procs[o.ID].Chunk == chunk
	case program.RuleOwner:
		return f.p.Rules[o.ID].Chunk == chunk
	}
	return true
}

// readBy returns the stat or the define that an instruction reads.
func readBy(p *program.Program, pc int32) (program.Owner, bool) {
	in := &p.Code[pc]
	switch in.Op {
	case program.OpGetStat:
		return program.Owner{Kind: program.StatOwner, ID: in.D}, true
	case program.OpStatOf:
		return program.Owner{Kind: program.StatOwner, ID: in.D & 0xffff}, true
	case program.OpApply, program.OpApply2:
		return program.Owner{Kind: program.DefineOwner, ID: in.D}, true
	case program.OpApply3:
		return program.Owner{Kind: program.DefineOwner, ID: in.D & 0xffff}, true
	}
	return program.Owner{}, false
}

func (r *reporter) addLine(k rowKey, pos ir.Pos, steps int64) {
	row := r.row(k)
	if pos.Span.Start.Line < 1 {
		pos = r.f.start(k) // what has no place of its own belongs to the beginning
	}
	x := lineKey{k, pos.File, pos.Span.Start.Line}
	l := r.lines[x]
	if l == nil {
		l = &Line{Line: pos.Span.Start.Line, Of: row.Name}
		if pos.File >= 0 && int(pos.File) < len(r.f.p.Files) {
			l.File = r.f.p.Files[pos.File]
		}
		r.lines[x] = l
	}
	l.Steps += steps
}

// row returns the row of a declaration.
func (r *reporter) row(k rowKey) *Declaration {
	if d := r.rows[k]; d != nil {
		return d
	}
	d := r.f.describe(k)
	r.rows[k] = d
	return d
}
