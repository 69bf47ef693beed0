package compile

import (
	"cmp"
	"math"
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file computes what a stat and a derived effect read, so that a write invalidates only what it can have changed.
// A read of self is distinguished from a read of any creature: most stats read only their own creature.
//
// For a slot that is only compared with constants, those are recorded: a write that crosses none of them changes
// nothing.
//
// Stats, defines and permissions are the nodes of a call graph. A node reads what its code reads, and what its callees
// read: as its own if it calls them with self, as any creature's otherwise. The sets grow to a fixed point.

type readSet struct {
	own, all    slotReads
	volatile    bool // reads something that no slot tracks
	costly      bool // iterates over a list, calls the host, or calls what does
	calls       []callEdge
	grewInRound int // round of settle in which it last grew
}

// reads returns the thresholds that a slot is compared with, NoWrite if it is not read.
func (x *readSet) reads(slot int32) program.Thresholds { return x.all.of(slot).Join(x.own.of(slot)) }

// each calls f for every slot that is read, with its thresholds; own says that it is read of self alone.
func (x *readSet) each(f func(slot int32, cuts program.Thresholds, own bool)) {
	for i, slot := range x.all.slots {
		f(slot, x.all.cuts[i].Join(x.own.of(slot)), false)
	}
	for i, slot := range x.own.slots {
		if x.all.of(slot) == program.NoWrite {
			f(slot, x.own.cuts[i], true)
		}
	}
}

type callEdge struct {
	to  *readSet
	own bool
}

type readAnalysis struct {
	c           *compiler
	stats       []*readSet
	defines     []*readSet
	permissions []*readSet
	list        []*readSet

	inSum map[*ir.Expr]bool // expressions recorded as part of a comparison
}

func (r *readAnalysis) newReadSet() *readSet {
	x := &readSet{}
	r.list = append(r.list, x)
	return x
}

func (c *compiler) computeDependencies() {
	r := &readAnalysis{c: c, inSum: map[*ir.Expr]bool{}}
	for range c.rs.Stats {
		r.stats = append(r.stats, r.newReadSet())
	}
	for range c.rs.Defines {
		r.defines = append(r.defines, r.newReadSet())
	}
	for range c.rs.Permissions {
		r.permissions = append(r.permissions, r.newReadSet())
	}
	r.collect()
	nodes := r.nodes()
	whiles := r.whiles()
	r.propagate()
	for i := range c.p.Stats {
		c.p.Stats[i].Volatile = r.stats[i].volatile
	}
	nodes = c.sortNodes(nodes)
	for i, d := range c.rs.Defines {
		ch := &c.p.Chunks[c.p.Defines[i].Chunk]
		if x := r.defines[i]; (x.costly || ch.End-ch.Start >= minCachedLength) && !x.volatile {
			c.p.Defines[i].Cacheable = cacheMode(d)
		}
	}
	c.p.Deps = make([]program.Dependents, c.p.Slots.Count)
	r.addListeners(nodes)
	for i := range c.p.Deps {
		slot, d := int32(i), &c.p.Deps[i]
		d.GroundDefines = r.hostThresholds(slot)
		if x := c.rs.CoreDefines[ir.CoreDefeated]; x != nil {
			d.DecidesDefeat = r.defines[x.Index].reads(slot) != program.NoWrite
		}
		d.Whiles = whiles.reads(slot)
		if whiles.volatile {
			d.Whiles = program.EveryWrite
		}
		d.Groups = groupListeners(d.OwnNodes)
	}
	for i, n := range c.p.Nodes {
		if n.Includer >= 0 {
			c.p.Effects[n.Includer].Nodes = append(c.p.Effects[n.Includer].Nodes, int32(i))
		}
	}
}

// addListeners adds stats, cached defines and nodes to the dependents of the slots that they read. The moment and the
// place of a value are checked when it is taken from the cache, so only nodes are listeners of the clock and the world.
func (r *readAnalysis) addListeners(nodes []*readSet) {
	p := r.c.p
	addCached := func(index int32, x *readSet) {
		x.each(func(slot int32, cuts program.Thresholds, own bool) {
			d, l := &p.Deps[slot], program.Listener{Index: index, Thresholds: cuts}
			switch {
			case slot == p.Slots.World || slot == p.Slots.Clock:
			case own:
				d.OwnCached.Add(l)
			default:
				d.AllCached.Add(l)
			}
		})
	}
	for i, x := range r.stats {
		addCached(int32(i), x)
	}
	for i, x := range r.defines {
		if p.Defines[i].Cacheable != program.CacheNothing {
			addCached(p.CacheOfDefine(int32(i)), x)
		}
	}
	for i, x := range nodes {
		x.each(func(slot int32, cuts program.Thresholds, own bool) {
			list := &p.Deps[slot].AllNodes
			if own {
				list = &p.Deps[slot].OwnNodes
			}
			*list = append(*list, program.Listener{Index: int32(i), Thresholds: cuts})
		})
	}
}

// hostThresholds joins what is read of a slot by the defines that the host of the ground asks for.
func (r *readAnalysis) hostThresholds(slot int32) program.Thresholds {
	cuts := program.NoWrite
	for i, d := range r.c.rs.CoreDefines {
		if d == nil || i < int(ir.CoreSpace) {
			continue
		}
		x := r.defines[d.Index]
		if x.volatile {
			return program.EveryWrite
		}
		if slot == r.c.p.Slots.World {
			continue // the host counts moves itself (machine.MoveCount), and caches longer only what depends on no position
		}
		cuts = cuts.Join(x.reads(slot))
	}
	return cuts
}

// minCachedLength is the minimum length, in instructions, of a define whose result is cached although it iterates over
// nothing: a cache lookup costs about half as much.
const minCachedLength = 12

// cacheMode says how the result of a define can be cached while nothing changes: the arguments must be plain numbers,
// and so must the result or its elements.
func cacheMode(d *ir.Define) program.Cacheable {
	isPlain := func(t ir.Type) bool {
		switch t.Kind {
		case ir.Nothing, ir.Number, ir.YesNo, ir.Quantity, ir.EnumType, ir.Ref, ir.Square, ir.Place:
			return true
		}
		return false
	}
	if d.Func == nil || len(d.Func.Params) > program.MaxCachedParams {
		return program.CacheNothing
	}
	for _, p := range d.Func.Params {
		if !isPlain(p.Type) {
			return program.CacheNothing
		}
	}
	switch {
	case isPlain(d.Type):
		return program.CacheValue
	case d.Type.Kind == ir.PathType, d.Type.Kind == ir.List && d.Type.Elem != nil && isPlain(*d.Type.Elem):
		return program.CacheList
	}
	return program.CacheNothing
}

// groupListeners sorts listeners by the number that they depend on, and joins the thresholds of each group. Those that
// depend on every write are a group of their own.
func groupListeners(list []program.Listener) (groups []program.Group) {
	key := func(x program.Listener) int32 {
		if x.Thresholds == program.EveryWrite {
			return math.MaxInt32
		}
		return x.Thresholds.WeightedSum
	}
	slices.SortStableFunc(list, func(a, b program.Listener) int { return cmp.Compare(key(a), key(b)) })
	for i, x := range list {
		if i == 0 || key(x) != key(list[i-1]) {
			groups = append(groups, program.Group{First: int32(i), Thresholds: program.NoWrite})
		}
		g := &groups[len(groups)-1]
		g.End, g.Thresholds = int32(i+1), g.Thresholds.Join(x.Thresholds)
	}
	return groups
}

// collect reads the code of every stat, define and permission.
func (r *readAnalysis) collect() {
	rs, presence := r.c.rs, r.c.p.Slots.Effects
	for i, d := range rs.Defines {
		r.readFunc(r.defines[i], d.Func)
	}
	for i, s := range rs.Stats {
		x := r.stats[i]
		for _, t := range s.Terms {
			r.readFunc(x, t.Value)
			r.readFunc(x, t.Guard)
		}
		if s.ViewOf != nil {
			x.calls = append(x.calls, callEdge{r.stats[s.ViewOf.Index], true})
		}
	}
	for _, e := range rs.Effects {
		slot := presence + int32(e.Index)
		for _, m := range e.Modifiers {
			x := r.stats[m.Stat.Index]
			if !m.Against {
				x.own.add(slot, program.EveryWrite)
				r.readFunc(x, m.Amount)
				r.readFunc(x, m.Guard)
				continue
			}
			// It belongs to the other creature, whose own slots are any creature's here.
			x.all.add(slot, program.EveryWrite)
			other := r.newReadSet()
			r.readFunc(other, m.Amount)
			r.readFunc(other, m.Guard)
			x.calls = append(x.calls, callEdge{other, false})
		}
		for _, d := range e.Denials {
			x := r.stats[d.Stat.Index]
			x.own.add(slot, program.EveryWrite)
			r.readFunc(x, d.Guard)
		}
		for _, k := range e.Cannots {
			x := r.permissions[k.Permission]
			x.own.add(slot, program.EveryWrite)
			r.readFunc(x, k.Guard)
		}
	}
	if act := rs.ActPermission; act >= 0 {
		for i, x := range rs.Permissions {
			if x.Proc != nil && i != act {
				r.permissions[i].calls = append(r.permissions[i].calls, callEdge{r.permissions[act], true})
			}
		}
	}
}

// nodes collects what the conditions of derived effects and includes read, in the order of the program's nodes.
func (r *readAnalysis) nodes() []*readSet {
	rs := r.c.rs
	var list []*readSet
	for _, n := range r.c.p.Nodes {
		x := r.newReadSet()
		if n.Includer >= 0 {
			x.own.add(r.c.p.Slots.Effects+n.Includer, program.EveryWrite)
			r.readFunc(x, rs.Effects[n.Includer].Includes[n.Include].Guard)
		} else {
			r.readFunc(x, rs.Effects[n.Effect].While)
		}
		list = append(list, x)
	}
	return list
}

// whiles collects what the conditions of all durations read.
func (r *readAnalysis) whiles() *readSet {
	x := r.newReadSet()
	for d := range r.c.durations {
		r.readFunc(x, d.While)
	}
	return x
}

// propagate propagates reads along calls to a fixed point: in each round, what has grown in the round before.
func (r *readAnalysis) propagate() {
	for round, changed := 1, true; changed; round++ {
		changed = false
		for _, x := range r.list {
			grown := false
			for _, k := range x.calls {
				if k.to.grewInRound < round-1 {
					continue
				}
				if k.to.volatile && !x.volatile {
					x.volatile, grown = true, true
				}
				if k.to.costly && !x.costly {
					x.costly, grown = true, true
				}
				to := &x.all
				if k.own {
					to = &x.own
				}
				grown = to.join(&k.to.own) || grown
				grown = x.all.join(&k.to.all) || grown
			}
			if grown {
				x.grewInRound, changed = round, true
			}
		}
	}
}

func (r *readAnalysis) readFunc(x *readSet, fn *ir.Func) {
	if fn == nil {
		return
	}
	var self *ir.Var
	if len(fn.Params) > 0 {
		self = fn.Params[0]
	}
	ir.WalkExpr(fn.Body, func(e *ir.Expr) { r.readExpr(x, e, self) })
}

func (r *readAnalysis) readExpr(x *readSet, e *ir.Expr, self *ir.Var) {
	p := r.c.p
	if r.inSum[e] {
		delete(r.inSum, e)
		return
	}
	e = r.c.resolveAlias(e)
	own := len(e.Args) > 0 && e.Args[0] != nil && e.Args[0].Op == ir.OpVar && e.Args[0].Var != nil &&
		(e.Args[0].Var == self || e.Args[0].Var.Kind == ir.VarSelf)
	mark := func(slot int32, cuts program.Thresholds) {
		if own {
			x.own.add(slot, cuts)
		} else {
			x.all.add(slot, cuts)
		}
	}
	call := func(to *readSet) { x.calls = append(x.calls, callEdge{to, own}) }
	switch e.Op {
	case ir.OpQuery:
		x.costly = true
	case ir.OpField:
		if k := r.c.kinds[e.Kind]; k == 0 {
			mark(int32(e.Int), program.EveryWrite)
		} else {
			x.all.add(p.Slots.KindFields[k]+int32(e.Int), program.EveryWrite)
		}
	case ir.OpResource:
		mark(p.Slots.Resources+int32(e.Resource.Index), program.EveryWrite)
	case ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe:
		s, within, ok := r.c.sumCondition(e, self)
		if !ok {
			break
		}
		own = s.of == nil
		for _, part := range s.parts {
			mark(part.Slot, rangeThresholds(within))
		}
		for _, of := range s.covered {
			r.inSum[of] = true
		}
	case ir.OpHas:
		cuts := program.EveryWrite
		if len(e.Args) == 1 {
			cuts = program.Thresholds{Low: 1, High: 1} // whether there is any, not how many
		}
		mark(p.Slots.Effects+int32(e.Effect.Index), cuts)
	case ir.OpMemory:
		mark(p.Slots.Effects+int32(e.Effect.Index), program.EveryWrite)
	case ir.OpStat:
		call(r.stats[e.Stat.Index])
	case ir.OpDefine:
		call(r.defines[e.Define.Index])
	case ir.OpCan:
		x.costly = true // through a creature's effects
		call(r.permissions[e.Int])
	case ir.OpHook, ir.OpHookRoll:
		r.readHook(x, e.Hook)
	case ir.OpProperty, ir.OpSpent:
		x.volatile = true
	case ir.OpVar:
		switch {
		case e.Var == nil:
		case e.Var.Kind == ir.VarOuter:
			x.volatile = true
		case e.Var.Kind == ir.VarGlobal:
			x.all.add(p.Slots.Globals+int32(e.Var.Index), program.EveryWrite)
		}
	case ir.OpBuiltin:
		id, ok := program.BuiltinFuncs[e.Name]
		switch {
		case e.Name == "length", e.Name == "min", e.Name == "max": // instructions of their own
		case ok && (id == program.FnSquareOf || id == program.FnMapped):
			x.all.add(p.Slots.World, program.EveryWrite)
		case !ok:
			x.costly = true
			// The host's answers about places depend on all positions, and on what it asks the ruleset for.
			x.all.add(p.Slots.World, program.EveryWrite)
			for i, d := range r.c.rs.CoreDefines {
				if d != nil && i >= int(ir.CoreSpace) && (e.DependsOnPassing || i == int(ir.CoreSpace) || i == int(ir.CoreStepPrice)) {
					x.calls = append(x.calls, callEdge{to: r.defines[d.Index]})
				}
			}
		case id == program.FnCreatures, id == program.FnEnemies, id == program.FnAllies, id == program.FnHostile:
			// Which creatures fight on which side changes only when one enters, which clears all caches.
		case id >= program.FnCreatures && id <= program.FnInFight, id >= program.FnTakingTurn && id <= program.FnTurn:
			x.all.add(p.Slots.Clock, program.EveryWrite)
		}
	}
}

// sortNodes sorts derived effects and includes topologically, by what they depend on, and returns their reads in that
// order.
func (c *compiler) sortNodes(reads []*readSet) []*readSet {
	nodes := c.p.Nodes
	presence := c.p.Slots.Effects
	placed := make([]bool, len(nodes))
	var order []program.Node
	var sorted []*readSet
	for len(order) < len(nodes) {
		found := false
		for i := range nodes {
			if placed[i] || c.readsUnplaced(nodes, reads[i], placed, presence) {
				continue
			}
			placed[i], found = true, true
			order = append(order, nodes[i])
			sorted = append(sorted, reads[i])
			break
		}
		if !found {
			for i := range nodes {
				if !placed[i] {
					c.fail(c.posOf(c.rs.Effects[nodes[i].Effect].Part), "%s depends on itself by way of other derived effects", c.rs.Effects[nodes[i].Effect].Name)
					return reads
				}
			}
		}
	}
	c.p.Nodes = order
	return sorted
}

// readsUnplaced says whether a node reads the presence of an effect that an unplaced node decides.
func (c *compiler) readsUnplaced(nodes []program.Node, x *readSet, placed []bool, presence int32) bool {
	for j := range nodes {
		if slot := presence + nodes[j].Effect; !placed[j] && x.reads(slot) != program.NoWrite {
			return true
		}
	}
	return false
}
