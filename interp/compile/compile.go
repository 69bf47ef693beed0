// Package compile compiles a checked ruleset to a program.
//
// It goes over the definitions once: first the tables of names, then pure code (stats, defines, the code of effects),
// then acting code (procedures and rules). Rules are linked to the points where they run before any procedure is
// compiled, so a point at which no rule waits costs nothing: no instruction is emitted for it. Finally it computes
// which slots of a creature each stat and each derived effect reads, so that a running machine recomputes only what a
// write can have changed.
//
// A term of a stat, a modifier and a guard are chunks of their own: pure, returning one value. A procedure is one chunk
// that contains its steps in order. Its variables are in registers, which the rules that interrupt it read and set in
// place.
//
// Small defines are inlined (inline.go), and loop-invariant code runs once (invariants.go). A finished chunk is
// optimized: jump threading and unreachable code (shorten.go), redundant tests and common subexpressions
// (redundant.go), and dead values (unused.go). No optimization changes a result, or which error occurs where.
//
// The package must never know how the program is run, nor what its rules are about.
package compile

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"

	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/stdlib/dice"
	"arbiter/stdlib/modifier"
)

// Options change what is compiled. The zero value compiles the plain program.
type Options struct {
	Neutral     map[int32]bool                               // parts that are omitted, or give the zero of their type
	Values      map[int32]int64                              // what options among these give instead
	Cover       bool                                         // mark every part that runs, each time that it does
	Marked      map[int32]bool                               // parts that are marked the first time that they are considered, and that they run
	Branches    *Branches                                    // with Cover: mark conditions and statements as well; nil: none
	AnnounceAll bool                                         // announce every procedure, step and check, for scripts that wait for them
	Unoptimized bool                                         // leave out the optimizations of chunks, for a program that runs only once or not at all
	Between     func()                                       // called between one declaration and another; it may break the compiler off by a panic; nil: not called
	Named       func(chunk int32, registers map[*ir.Var]int) // called with the variables of each chunk, which it may not keep; nil: not called
}

// Error is the reason why a ruleset cannot be compiled: it exceeds a limit, or the checker has missed a mistake.
type Error struct {
	Pos     ir.Pos
	File    string
	Message string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Pos.Span.Start.Line, e.Pos.Span.Start.Column, e.Message)
}

// Compile compiles a ruleset with options.
func Compile(rs *ir.Ruleset, opts Options) (*program.Program, error) {
	c, err := compileWhole(rs, opts, nil)
	if err != nil {
		return nil, err
	}
	return c.p, nil
}

// compileWhole compiles a ruleset, notes what depends on which part if that is wanted, and returns the compiler.
func compileWhole(rs *ir.Ruleset, opts Options, notes *asked) (*compiler, error) {
	c := newCompiler(rs, opts, &program.Program{
		Files: rs.Files, Texts: append([]string(nil), rs.Texts...), Dice: append([]string(nil), rs.DiceExprs...),
		Heap:          []int64{program.PackHeader(program.ListObject, int32(program.Scalar), 0)},
		ActPermission: int32(rs.ActPermission), RecordsCoverage: opts.Cover, Marked: opts.Marked, Neutral: opts.Neutral,
	})
	c.asked = notes
	c.procName = make(map[string]int32, len(rs.Procs))
	for i, q := range rs.Procs {
		c.procName[q.Name] = int32(i)
	}
	c.layout()
	c.fillTables()
	c.linkPoints()
	c.resultOnly = c.resultOnlyVars()
	c.compilePure()
	c.compileEffects()
	c.compileActing()
	for i, t := range rs.Tactics {
		c.of(tacticsUnit, i)
		c.p.Tactics = append(c.p.Tactics, c.tactics(t))
	}
	c.of(anyUnit, 0)
	c.addHooks()
	c.computeDependencies()
	if c.err != nil {
		return nil, c.err
	}
	c.p.Finish()
	return c, nil
}

// compiler holds an unfinished program. Its maps give the index of what the tree refers to by name or by pointer.
type compiler struct {
	rs           *ir.Ruleset
	p            *program.Program
	opts         Options
	err          error
	spareBuffers []codeBuffer // of finished chunks
	numberer     *numberer

	tables
	kinds      map[*ir.Kind]int32
	kindName   map[string]int32
	enumName   map[string]int32
	procName   map[string]int32
	regs       map[*ir.Proc]map[*ir.Var]int // see registers
	durations  map[*ir.Duration]int32
	plans      map[*ir.Plan]int32
	lists      map[string]int64    // addresses of constant lists
	resultOnly map[*ir.Var]bool    // outcomes of which rules read nothing but the result; nil in scripts
	inlinable  map[*ir.Define]bool // whether it may be inlined
	asked      *asked              // notes what depends on which part; nil: nobody wants to know
}

func newCompiler(rs *ir.Ruleset, opts Options, p *program.Program) *compiler {
	c := &compiler{
		rs: rs, p: p, opts: opts, kinds: map[*ir.Kind]int32{}, kindName: map[string]int32{}, enumName: map[string]int32{},
		regs: map[*ir.Proc]map[*ir.Var]int{}, durations: map[*ir.Duration]int32{},
		plans: map[*ir.Plan]int32{}, lists: map[string]int64{}, inlinable: map[*ir.Define]bool{},
		numberer: &numberer{numbers: map[origin]number{}, constants: map[int64]number{}, values: map[number]int64{}},
	}
	for i, k := range rs.Kinds {
		c.kinds[k], c.kindName[k.Name] = int32(i), int32(i)
	}
	for i, e := range rs.Enums {
		c.enumName[e.Name] = int32(i)
	}
	return c
}

// registers of a procedure: self, its parameters, then its other variables.
func (c *compiler) registers(q *ir.Proc) map[*ir.Var]int {
	if q == nil || c.regs[q] != nil {
		return c.regs[q]
	}
	m := map[*ir.Var]int{}
	c.regs[q] = m
	if q.Self != nil {
		m[q.Self] = 0
	}
	for i, v := range q.Params {
		m[v] = 1 + i
	}
	next := 1 + len(q.Params)
	for _, v := range q.Vars {
		if _, ok := m[v]; !ok && v.Kind == ir.VarLocal {
			m[v] = next
			next++
		}
	}
	return m
}

// fail keeps the first error; the passes continue, so none of them has to check for it.
func (c *compiler) fail(pos ir.Pos, format string, args ...any) {
	if c.err == nil {
		e := &Error{Pos: pos, Message: fmt.Sprintf(format, args...)}
		if pos.File >= 0 && int(pos.File) < len(c.rs.Files) {
			e.File = c.rs.Files[pos.File]
		}
		c.err = e
	}
}

// isNeutral says whether a part is omitted.
func (c *compiler) isNeutral(part *ir.Part) bool {
	if part == nil {
		return false
	}
	if c.asked != nil {
		c.asked.note(part)
	}
	return c.opts.Neutral[part.ID]
}

func partID(part *ir.Part) int32 {
	if part == nil {
		return -1
	}
	return part.ID
}

func (c *compiler) label(name string) int32 {
	if i, ok := c.labels.of(name); ok {
		return i
	}
	i := int32(len(c.p.Labels))
	c.labels.set(name, i)
	c.p.Labels = append(c.p.Labels, program.Label{Name: name, Hash: dice.Hash(name)})
	return i
}

func (c *compiler) text(s string) int32      { return intern(&c.texts, &c.p.Texts, s) }
func (c *compiler) constIndex(v int64) int32 { return intern(&c.consts, &c.p.Consts, v) }

func (c *compiler) typeOf(t ir.Type) int32 {
	x := program.Type{Kind: t.Kind, Of: -1, Name: t.Name, OrNone: t.OrNone}
	find := func(m map[string]int32) {
		if i, ok := m[t.Name]; ok {
			x.Of = i
		}
	}
	switch t.Kind {
	case ir.EnumType:
		find(c.enumName)
	case ir.Ref:
		find(c.kindName)
	case ir.Record:
		find(c.procName)
	case ir.List:
		if t.Elem != nil {
			x.Of = c.typeOf(*t.Elem)
		}
	}
	return intern(&c.types, &c.p.Types, x)
}

func (c *compiler) param(v *ir.Var) program.Param {
	return program.Param{Name: v.Name, Label: v.Label, Type: c.typeOf(v.Type), Shape: program.ShapeOf(v.Type)}
}

func (c *compiler) params(vars []*ir.Var) []program.Param {
	var ps []program.Param
	for _, v := range vars {
		ps = append(ps, c.param(v))
	}
	return ps
}

// layout lays out the slots of a creature, and the slots that only notify.
func (c *compiler) layout() {
	p, rs := c.p, c.rs
	fields := int32(0)
	if len(rs.Kinds) > 0 {
		fields = int32(len(rs.Kinds[0].Fields))
	}
	p.Slots.Resources = fields
	p.Slots.Effects = fields + int32(len(rs.Resources))
	p.Stride = p.Slots.Effects + int32(len(rs.Effects))
	next := p.Stride
	for i, k := range rs.Kinds {
		if i == 0 {
			p.Slots.KindFields = append(p.Slots.KindFields, 0)
			continue
		}
		p.Slots.KindFields = append(p.Slots.KindFields, next)
		next += int32(len(k.Fields))
	}
	p.Slots.Clock, p.Slots.World = next, next+1
	p.Slots.Globals = next + 2
	p.Slots.Count = p.Slots.Globals + int32(len(rs.Globals))
}

// fillTables fills the tables that contain no code.
func (c *compiler) fillTables() {
	p, rs := c.p, c.rs
	for i, t := range rs.Texts {
		c.texts.set(t, int32(i))
	}
	p.Parts = rs.Parts
	p.Code = make([]program.Instr, 0, 8*len(rs.Parts)) // most parts become a few instructions
	for _, e := range rs.Enums {
		p.Enums = append(p.Enums, program.Enum{Members: e.Members})
	}
	for i, k := range rs.Kinds {
		c.of(kindUnit, i)
		p.Kinds = append(p.Kinds, c.kind(k))
	}
	for i, t := range rs.Templates {
		c.of(templateUnit, i)
		p.Templates = append(p.Templates, c.template(t))
	}
	c.of(anyUnit, 0)
	for _, g := range rs.Globals {
		p.Globals = append(p.Globals, program.Global{Initial: c.valueOf(g.Initial, g.Var.Type), Shape: program.ShapeOf(g.Var.Type)})
	}
	for i, b := range rs.Bonuses {
		c.of(bonusUnit, i)
		p.Bonuses = append(p.Bonuses, b.Name)
		p.Laws = append(p.Laws, c.law(b))
		p.BonusParts = append(p.BonusParts, partID(b.Part))
	}
	c.of(anyUnit, 0)
	for _, x := range rs.Permissions {
		proc := int32(-1)
		if x.Proc != nil {
			proc = int32(x.Proc.Index)
		}
		p.Permissions = append(p.Permissions, program.Permission{Name: x.Name, Proc: proc})
	}
	declared := map[string]bool{}
	for _, q := range rs.Procs {
		for name := range q.Properties {
			declared[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		intern(&c.props, &p.Properties, name)
	}
	p.Leave, p.Enter = c.announcement(rs.Leave), c.announcement(rs.Enter)
	for i, d := range rs.CoreDefines {
		p.CoreDefines[i] = -1
		if d != nil {
			p.CoreDefines[i] = int32(d.Index)
		}
	}
}

// kind compiles the layout of a thing.
func (c *compiler) kind(k *ir.Kind) program.Kind {
	kind := program.Kind{Name: k.Name}
	for _, f := range k.Fields {
		kind.Fields = append(kind.Fields, program.Field{
			Name: f.Name, Type: c.typeOf(f.Type), Default: c.fieldDefault(f), Shape: program.ShapeOf(f.Type), Internal: f.Internal,
		})
	}
	return kind
}

// law says how bonuses of a type stack. A neutral law is replaced by its opposite.
func (c *compiler) law(b *ir.BonusType) modifier.Law {
	law := modifier.Highest
	switch b.Law {
	case "stacks":
		law = modifier.Stacks
	case "stacks by source":
		law = modifier.StacksBySource
	}
	switch {
	case !c.isNeutral(b.Part):
		return law
	case law == modifier.Highest:
		return modifier.Stacks
	}
	return modifier.Highest
}

// announcement says by their labels what the parameters of a procedure that announces a step are.
func (c *compiler) announcement(x *ir.Proc) program.Announcement {
	if x == nil {
		return program.Announcement{Proc: -1}
	}
	a := program.Announcement{Proc: int32(x.Index)}
	for _, p := range x.Params {
		a.Params = append(a.Params, map[string]uint8{"at": program.AnnounceAt, "to": program.AnnounceTo, "using": program.AnnounceMode}[p.Label])
	}
	return a
}

func (c *compiler) fieldDefault(f *ir.FieldDef) int64 {
	if c.isNeutral(f.Part) {
		return program.ZeroOf(f.Type)
	}
	if f.Const != nil {
		return c.valueOf(f.Const, f.Type)
	}
	if f.Type.OrNone && f.Default == 0 {
		return program.None
	}
	if f.Default == 0 {
		return program.ZeroOf(f.Type)
	}
	return f.Default
}

// valueOf of a constant; a list becomes an object of the heap.
func (c *compiler) valueOf(k *ir.Const, t ir.Type) int64 {
	if k == nil {
		return program.ZeroOf(t)
	}
	if !k.IsList {
		return c.literal(k.Value, t)
	}
	elem := ir.Type{Kind: ir.Number}
	if t.Elem != nil {
		elem = *t.Elem
	}
	object := []int64{program.PackHeader(program.ListObject, int32(program.ShapeOf(elem)), len(k.List))}
	for _, x := range k.List {
		object = append(object, c.valueOf(x, elem))
	}
	return c.constantObject(object)
}

// literal returns the value of a constant in the program: texts that only a script uses get new indexes.
func (c *compiler) literal(v int64, t ir.Type) int64 {
	if t.Kind != ir.Text || v < 0 || v >= int64(len(c.rs.Texts)) {
		return v
	}
	return int64(c.text(c.rs.Texts[v]))
}

// constantObject puts an object on the heap; equal ones are shared.
func (c *compiler) constantObject(object []int64) int64 {
	if len(object) == 1 {
		return 0
	}
	key := fmt.Sprint(object)
	if at, ok := c.lists[key]; ok {
		return at
	}
	at := int64(len(c.p.Heap))
	c.lists[key] = at
	c.p.Heap = append(c.p.Heap, object...)
	return at
}

// template compiles a template with what it inherits.
func (c *compiler) template(t *ir.Template) program.Template {
	out := program.Template{Name: t.Name, Kind: -1, From: -1}
	if t.Extends != nil {
		out.From = int32(t.Extends.Index)
	}
	if t.Kind == nil {
		return out
	}
	out.Kind = c.kinds[t.Kind]
	for i, f := range t.Kind.Fields {
		v := c.fieldDefault(f)
		if k := c.templateField(t, i); k != f.Const {
			v = c.valueOf(k, f.Type)
		}
		out.Values = append(out.Values, v)
	}
	seen := map[string]bool{}
	var has func(t *ir.Template, depth int)
	has = func(t *ir.Template, depth int) {
		if t == nil || depth > 64 {
			return
		}
		has(t.Extends, depth+1)
		for _, e := range t.Effects {
			g := c.initialEffect(e)
			if key := fmt.Sprint(g); !seen[key] {
				seen[key] = true
				out.Effects = append(out.Effects, g)
			}
		}
	}
	has(t, 0)
	return out
}

func (c *compiler) initialEffect(g ir.InitialEffect) program.InitialEffect {
	out := program.InitialEffect{Effect: int32(g.Effect.Index)}
	for i, k := range g.Args {
		out.Vals = append(out.Vals, c.valueOf(k, g.Effect.Values[i].Type))
	}
	return out
}

// tactics compiles the commands of tactics to one chunk.
func (c *compiler) tactics(t *ir.Tactics) program.Tactics {
	f := c.newChunk(t.Name, 1)
	commands := slices.DeleteFunc(slices.Clone(t.Commands), func(k *ir.TacticCommand) bool {
		return c.isNeutral(k.Part) || k.Call == nil || k.Call.Proc == nil
	})
	out := program.Tactics{Commands: make([]program.TacticCommand, len(commands))}
	for i, k := range commands {
		f.command(out.Commands, i, k.Call, func() []int {
			if k.Guard == nil {
				return nil
			}
			f.declareExprs(k.Guard)
			return f.jump(k.Guard, false)
		})
	}
	out.Chunk = f.finishTactics()
	return out
}

// command compiles command i of tactics: the chunk returns it if it is affordable and its guard holds, and continues
// with the next one otherwise. guard returns the jumps that are taken when it does not hold.
func (f *chunkBuilder) command(commands []program.TacticCommand, i int, call *ir.Call, guard func() []int) {
	mark := f.next
	proc := call.Proc.Index
	commands[i].Proc = int32(proc)
	f.recordPosition(&commands[i].Start)
	var skip []int
	if priced := f.c.firstPriced(proc); priced <= math.MaxInt16 {
		skip = append(skip, f.emit(program.OpJumpTooDear, f.self, int(uint8(priced>>8)), int(uint8(priced)), 0))
	}
	skip = append(skip, guard()...)
	f.consider(call.Proc.Part)
	f.declareExprs(call.Args...)
	index := f.temp()
	f.load(index, int64(i))
	f.callArgs(call) // in the registers after the index
	f.emit(program.OpList, index, index, len(call.Proc.Params)+2, int32(program.Scalar))
	f.emit(program.OpReturn, index, 0, 0, 0)
	f.patch(skip)
	f.next = mark
}

// firstPriced returns the first action with the costs of a procedure, so that commands that are equally dear are tested
// alike, and the test of one skips all that follow. What effects compel to is compiled before there are any costs.
func (c *compiler) firstPriced(proc int) int {
	if proc >= len(c.p.Procs) {
		return proc
	}
	samePrice := func(a, b program.Cost) bool { return slices.Equal(a.Parts, b.Parts) }
	q := &c.p.Procs[proc]
	return slices.IndexFunc(c.p.Procs, func(p program.Proc) bool {
		return p.Action == q.Action && slices.EqualFunc(p.Costs, q.Costs, samePrice)
	})
}

// finishTactics ends a chunk of tactics, none of whose commands can be done.
func (f *chunkBuilder) finishTactics() int32 {
	r := f.temp()
	f.load(r, program.None)
	f.emit(program.OpReturn, r, 0, 0, 0)
	return f.finish(program.Address)
}

// pathOrder numbers the rules in the order of their paths.
func pathOrder(rules []*ir.Rule) map[*ir.Rule]int32 {
	sorted := append([]*ir.Rule(nil), rules...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Name < sorted[j].Name })
	order := map[*ir.Rule]int32{}
	for i, r := range sorted {
		order[r] = int32(i)
	}
	return order
}
