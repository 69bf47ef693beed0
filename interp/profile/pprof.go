package profile

import (
	"github.com/google/pprof/profile"

	"arbiter/interp/machine"
)

// Pprof returns the measurements in the format of pprof: samples of steps and of nanoseconds, whose frames are lines of
// the rules. File names are those of the rules.
func (f *Profiler) Pprof() *profile.Profile {
	b := &pprofBuilder{f: f, functions: map[rowKey]*profile.Function{}, locations: map[lineKey]*profile.Location{}}
	b.out = &profile.Profile{
		SampleType:        []*profile.ValueType{{Type: "steps", Unit: "count"}, {Type: "time", Unit: "nanoseconds"}},
		DefaultSampleType: "steps",
		PeriodType:        &profile.ValueType{Type: "steps", Unit: "count"},
		Period:            1,
		Mapping:           []*profile.Mapping{{ID: 1, HasFunctions: true, HasFilenames: true, HasLineNumbers: true}},
	}
	b.walk(f.root, nil)
	return b.out
}

type pprofBuilder struct {
	f         *Profiler
	out       *profile.Profile
	functions map[rowKey]*profile.Function
	locations map[lineKey]*profile.Location
}

// walk adds samples of a node and what it calls; callers are the locations that led to it, innermost first.
func (b *pprofBuilder) walk(n *node, callers []*profile.Location) {
	own := map[*profile.Location][]int64{}
	add := func(at *profile.Location, steps, time int64) {
		if own[at] == nil {
			own[at] = []int64{0, 0}
		}
		own[at][0] += steps
		own[at][1] += time
	}
	for i, count := range n.steps {
		if count > 0 {
			add(b.at(n, b.f.p.Chunks[n.id].Start+int32(i)), count, 0)
		}
	}
	for i, d := range n.times {
		if d > 0 {
			add(b.at(n, b.f.p.Chunks[n.id].Start+int32(i)), 0, int64(d))
		}
	}
	for line, count := range n.lines {
		add(b.location(n, -1, int(line)), count, 0)
	}
	if n.time > 0 {
		add(b.at(n, -1), 0, int64(n.time))
	}
	for at, values := range own {
		b.out.Sample = append(b.out.Sample, &profile.Sample{Location: append([]*profile.Location{at}, callers...), Value: values})
	}
	for _, x := range n.children {
		stack := callers
		if n.parent != nil {
			stack = append([]*profile.Location{b.at(n, x.site)}, callers...)
		}
		b.walk(x, stack)
	}
}

// at is the location of an instruction of a node, or of the node itself.
func (b *pprofBuilder) at(n *node, pc int32) *profile.Location {
	if n.kind == machine.ChunkEvaluation && n.id != looseCode && pc >= 0 {
		pos := b.f.p.Pos.Of(pc)
		return b.location(n, pos.File, pos.Span.Start.Line)
	}
	return b.location(n, -1, 0)
}

func (b *pprofBuilder) location(n *node, file int32, line int) *profile.Location {
	k := lineKey{b.f.keyOf(n), file, line}
	if l := b.locations[k]; l != nil {
		return l
	}
	fn := b.functions[k.rowKey]
	if fn == nil {
		d := b.f.describe(k.rowKey)
		fn = &profile.Function{ID: uint64(len(b.out.Function) + 1), Name: d.Kind + " " + d.Name, SystemName: d.Name, Filename: d.File, StartLine: int64(d.Line)}
		b.functions[k.rowKey] = fn
		b.out.Function = append(b.out.Function, fn)
	}
	if line == 0 {
		line = int(fn.StartLine)
	}
	l := &profile.Location{ID: uint64(len(b.out.Location) + 1), Mapping: b.out.Mapping[0], Line: []profile.Line{{Function: fn, Line: int64(line)}}}
	b.locations[k] = l
	b.out.Location = append(b.out.Location, l)
	return l
}
