package compile

import (
	"cmp"
	"maps"
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file compiles a ruleset again and again, each time without another part. While the whole is compiled, it is noted
// which declaration asks whether which part is omitted; without a part, only what has asked for it is compiled anew, and
// the rest is that of the whole. What more than single declarations depend on is compiled in one go.

// unitKind is a kind of declarations that can be compiled anew, in the order in which that must be done.
type unitKind uint8

const (
	anyUnit    unitKind = iota // the program
	pointsUnit                 // where a rule waits
	kindUnit
	templateUnit
	bonusUnit
	tableUnit
	defineUnit
	statUnit
	resourceUnit
	effectUnit
	modifiersUnit // of an effect
	whileUnit     // of a duration
	procUnit
	ruleUnit
	planUnit
	tacticsUnit
)

// unit is a declaration, as its number among those of its kind.
type unit struct {
	kind  unitKind
	index int
}

// asked notes which declarations depend on which part.
type asked struct {
	now unit
	by  map[int32][]unit
}

func (a *asked) note(part *ir.Part) {
	list := a.by[part.ID]
	if n := len(list); (n == 0 || list[n-1] != a.now) && !slices.Contains(list, a.now) {
		a.by[part.ID] = append(list, a.now)
	}
}

// of says what is compiled next.
func (c *compiler) of(kind unitKind, index int) {
	if c.asked != nil {
		c.asked.now = unit{kind, index}
	}
	if c.opts.Between != nil {
		c.opts.Between()
	}
}

// Recompiler compiles a ruleset without single parts, or with other values of options.
type Recompiler struct {
	opts  Options
	whole *compiler
	asked map[int32][]unit
	order map[*ir.Rule]int32
}

// NewRecompiler compiles a ruleset with all its parts. The programs are like those of Compile with the options and
// one neutral part. Options that mark what runs are not for it.
func NewRecompiler(rs *ir.Ruleset, opts Options) (*Recompiler, error) {
	notes := &asked{by: map[int32][]unit{}}
	c, err := compileWhole(rs, opts, notes)
	if err != nil {
		return nil, err
	}
	c.asked = nil
	c.tables = tablesOf(c.p)
	return &Recompiler{opts, c, notes.by, pathOrder(rs.Rules)}, nil
}

// Without compiles the ruleset without a part.
func (r *Recompiler) Without(part int32) (*program.Program, error) { return r.anew(part, nil) }

// With compiles the ruleset with another value of an option, which must not be fixed.
func (r *Recompiler) With(option int32, value int64) (*program.Program, error) {
	return r.anew(option, map[int32]int64{option: value})
}

// anew compiles the ruleset with a part that is neutral, or has a value.
func (r *Recompiler) anew(part int32, values map[int32]int64) (*program.Program, error) {
	opts := r.opts
	opts.Neutral, opts.Values = map[int32]bool{part: true}, values
	return r.compile(r.whole.rs, opts, part)
}

// Given compiles the rules with other values of options (ir.Ruleset.Given), which is all that makes them another ruleset.
// Several scripts can be compiled at once.
func (r *Recompiler) Given(rs *ir.Ruleset) (*program.Program, error) {
	return r.compile(rs, r.opts, slices.Sorted(maps.Keys(rs.Given))...)
}

// compile compiles what has asked for some parts anew, and takes the rest from the whole.
func (r *Recompiler) compile(rs *ir.Ruleset, opts Options, parts ...int32) (*program.Program, error) {
	var units []unit
	for _, part := range parts {
		units = append(units, r.asked[part]...)
	}
	if slices.ContainsFunc(units, r.isWide) || !opts.AnnounceAll || opts.Cover || len(opts.Marked) > 0 || opts.Named != nil {
		return Compile(rs, opts)
	}
	slices.SortFunc(units, func(a, b unit) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.index, b.index)) })
	again := *r.whole
	c := &again
	c.rs, c.opts, c.p, c.spareBuffers = rs, opts, r.whole.p.Copy(), nil
	c.numberer = &numberer{numbers: map[origin]number{}, constants: map[int64]number{}, values: map[number]int64{}}
	c.lists, c.regs, c.inlinable = maps.Clone(c.lists), maps.Clone(c.regs), maps.Clone(c.inlinable)
	c.p.Neutral, c.p.Files, c.p.Parts = opts.Neutral, rs.Files, rs.Parts
	for _, u := range slices.Compact(units) {
		c.again(u, r.order)
		if u.kind == procUnit && !sameParts(c.p.Procs[u.index].Costs, r.whole.p.Procs[u.index].Costs) {
			return Compile(rs, opts) // tactics test the costs of one action for all that are equally dear
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	c.p.Finish()
	return c.p, nil
}

// sameParts reports whether costs have the same parts, whatever code computes their amounts.
func sameParts(a, b []program.Cost) bool {
	return slices.EqualFunc(a, b, func(a, b program.Cost) bool {
		return slices.EqualFunc(a.Parts, b.Parts, func(a, b program.CostPart) bool {
			return a.Resource == b.Resource && a.Count == b.Count && (a.Amount == program.NoChunk) == (b.Amount == program.NoChunk)
		})
	})
}

// isWide reports whether more depends on a declaration than what asks for its parts: the program itself, a rule whose
// period is among those of the clock, and one that waits at checks, since checks are compiled by what waits at them.
func (r *Recompiler) isWide(u unit) bool {
	switch u.kind {
	case anyUnit:
		return true
	case pointsUnit, ruleUnit:
		x := r.whole.rs.Rules[u.index]
		if x.Trigger == nil {
			return false
		}
		return x.Trigger.Word == "every" || u.kind == pointsUnit &&
			slices.ContainsFunc(r.whole.pointKeys(x.Trigger, x.Effect), func(h pointKey) bool { return h.roll != nil })
	}
	return false
}

// again compiles a declaration in place of what the program has.
func (c *compiler) again(u unit, order map[*ir.Rule]int32) {
	p, rs, i := c.p, c.rs, u.index
	switch u.kind {
	case pointsUnit:
		if c.isOmitted(rs.Rules[i]) {
			c.leavePoints(int32(i))
		}
	case kindUnit:
		p.Kinds[i] = c.kind(rs.Kinds[i])
	case templateUnit:
		p.Templates[i] = c.template(rs.Templates[i])
	case bonusUnit:
		p.Laws[i] = c.law(rs.Bonuses[i])
	case tableUnit:
		p.Tables[i] = c.table(rs.Tables[i])
	case defineUnit:
		p.Defines[i].Chunk = c.define(rs.Defines[i])
	case statUnit:
		was := p.Stats[i]
		p.Stats[i] = c.stat(rs.Stats[i])
		p.Stats[i].Mods, p.Stats[i].Denials, p.Stats[i].Volatile = was.Mods, was.Denials, was.Volatile
	case resourceUnit:
		p.Resources[i] = c.resource(rs.Resources[i])
	case effectUnit:
		c.effectAgain(rs.Effects[i])
	case modifiersUnit:
		c.modifiersAgain(rs.Effects[i])
	case whileUnit:
		p.Durations[i].While = program.NoChunk
		c.compileWhiles()
	case procUnit:
		p.Procs[i] = c.procedure(rs.Procs[i])
		p.Procs[i].Properties = c.properties(rs.Procs[i])
	case ruleUnit:
		p.Rules[i] = c.rule(rs.Rules[i], order[rs.Rules[i]])
	case planUnit:
		c.ownPoints()
		p.Plans[i].Chunk = program.NoChunk
		c.compilePlans()
	case tacticsUnit:
		p.Tactics[i] = c.tactics(rs.Tactics[i])
	}
}

// ownPoints copies what waits at points, which copies of a program share.
func (c *compiler) ownPoints() {
	for i := range c.p.Points {
		x := &c.p.Points[i]
		x.Rules, x.Plans = slices.Clone(x.Rules), slices.Clone(x.Plans)
	}
}

// leavePoints takes a rule from where it waits.
func (c *compiler) leavePoints(rule int32) {
	c.ownPoints()
	for i := range c.p.Points {
		x := &c.p.Points[i]
		x.Rules = slices.DeleteFunc(x.Rules, func(id int32) bool { return id == rule })
		x.Plans = slices.DeleteFunc(x.Plans, func(h program.PlanRule) bool { return h.Rule == rule })
	}
}

// effectAgain compiles an effect. What it derives and includes keeps its place in the order; what it does no longer
// include never holds.
func (c *compiler) effectAgain(e *ir.Effect) {
	was, n := c.p.Effects[e.Index], len(c.p.Nodes)
	now := c.effect(e)
	now.Nodes, now.Ticks = was.Nodes, was.Ticks
	c.p.Effects[e.Index] = now
	c.lasts(e)
	nodes := slices.Clone(c.p.Nodes[n:])
	c.p.Nodes = c.p.Nodes[:n]
	for i := range c.p.Nodes {
		x := &c.p.Nodes[i]
		if x.Includer != int32(e.Index) && (x.Includer >= 0 || x.Effect != int32(e.Index)) {
			continue
		}
		k := slices.IndexFunc(nodes, func(y program.Node) bool {
			return y.Effect == x.Effect && y.Includer == x.Includer && y.Include == x.Include
		})
		if k >= 0 {
			*x = nodes[k]
			continue
		}
		f := c.newChunk(e.Name+".includes", 2)
		f.returnInt(0)
		x.Guard = f.finish(program.Scalar)
	}
}

// modifiersAgain compiles what an effect modifies and denies; others keep their places.
func (c *compiler) modifiersAgain(e *ir.Effect) {
	changed := map[int]bool{}
	for _, m := range e.Modifiers {
		changed[m.Stat.Index] = true
	}
	for _, d := range e.Denials {
		changed[d.Stat.Index] = true
	}
	for i := range changed {
		s := &c.p.Stats[i]
		s.Mods = slices.DeleteFunc(slices.Clone(s.Mods), func(m program.Modifier) bool { return m.Effect == int32(e.Index) })
		s.Denials = slices.DeleteFunc(slices.Clone(s.Denials), func(d program.Denial) bool { return d.Effect == int32(e.Index) })
	}
	c.modifiers(e)
	for i := range changed {
		s := &c.p.Stats[i]
		slices.SortStableFunc(s.Mods, func(a, b program.Modifier) int { return cmp.Compare(a.Effect, b.Effect) })
		slices.SortStableFunc(s.Denials, func(a, b program.Denial) int { return cmp.Compare(a.Effect, b.Effect) })
	}
}
