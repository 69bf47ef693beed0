package machine

import (
	"cmp"
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/stdlib/exact"
)

// This file stores lists, records, outcomes and plans: constant ones in the program, the others in the state's arena,
// which is truncated when a command ends. What outlives the command is moved to the front first.

// object returns the object at an address, header first, or nil if there is none.
func (m *Machine) object(at int64) []int64 {
	heap := m.p.Heap
	if at >= program.ArenaBase {
		heap, at = m.s.Arena, at-program.ArenaBase
	}
	if uint64(at) >= uint64(len(heap)) {
		return nil
	}
	end := at + 1 + int64(uint32(heap[at]))
	if end > int64(len(heap)) {
		return nil
	}
	return heap[at:end:end]
}

// list returns the elements of a list; none has none.
func (m *Machine) list(at int64) []int64 {
	if o := m.object(at); len(o) > 0 {
		return o[1:]
	}
	return nil
}

// alloc allocates an object of n values, and returns its address and the values, which the caller fills.
func (m *Machine) alloc(o program.ObjectType, of int32, n int) (int64, []int64) {
	s := m.s
	if len(s.Arena)+n+1 > m.Limits.Arena {
		m.fail(m.currentInstr(), "the lists and records of one command need more than %d words: %s", m.Limits.Arena, m.callChain())
		return 0, nil
	}
	at := len(s.Arena)
	if need := at + n + 1; need > cap(s.Arena) {
		s.Arena = slices.Grow(s.Arena, max(n+1, 1024))
	}
	s.Arena = s.Arena[:at+n+1]
	s.Arena[at] = program.PackHeader(o, of, n)
	return program.ArenaBase + int64(at), s.Arena[at+1:]
}

func (m *Machine) makeObject(o program.ObjectType, of int32, values []int64) int64 {
	at, room := m.alloc(o, of, len(values))
	copy(room, values)
	return at
}

// newList makes an empty list with capacity n, which pushElement fills.
func (m *Machine) newList(shape int32, n int64) int64 {
	if n < 0 || n > int64(m.Limits.Arena) {
		n = 0
	}
	at, room := m.alloc(program.ListObject, shape, int(n))
	if m.err == nil {
		clear(room) // what stays unused must not depend on what was there
		m.s.Arena[at-program.ArenaBase] = program.PackHeader(program.ListObject, shape, 0)
	}
	return at
}

func (m *Machine) pushElement(list, v int64) {
	i := list - program.ArenaBase
	if i < 0 || i >= int64(len(m.s.Arena)) {
		return
	}
	end := i + int64(uint32(m.s.Arena[i])) + 1
	if end >= int64(len(m.s.Arena)) {
		return
	}
	m.s.Arena[end] = v
	m.s.Arena[i]++
}

func (m *Machine) concat(a, b int64) int64 {
	x, y := m.list(a), m.list(b)
	switch {
	case len(x) == 0 && b != program.None:
		return b
	case len(y) == 0:
		return a
	}
	_, shape, _ := program.UnpackHeader(m.object(a)[0])
	at, room := m.alloc(program.ListObject, shape, len(x)+len(y))
	if m.err == nil {
		copy(room, x)
		copy(room[len(x):], y)
	}
	return at
}

// listDifference is the list a without the elements of b; each of those removes the first equal element that is left.
func (m *Machine) listDifference(a, b int64) int64 {
	x, y := m.list(a), m.list(b)
	m.s.Budget -= int64(len(x) * len(y))
	find := slices.Index[[]int64]
	if m.holdsLists(a) {
		find = m.findEqual
	}
	if !slices.ContainsFunc(y, func(v int64) bool { return find(x, v) >= 0 }) {
		return a
	}
	_, shape, _ := program.UnpackHeader(m.object(a)[0])
	left := slices.Clone(x)
	for _, v := range y {
		if i := find(left, v); i >= 0 {
			left = slices.Delete(left, i, i+1)
		}
	}
	at, room := m.alloc(program.ListObject, shape, len(left))
	if m.err == nil {
		copy(room, left)
	}
	return at
}

// distinct is the list without repeated elements; the first of equal ones stays.
func (m *Machine) distinct(list int64) int64 {
	x := m.list(list)
	m.s.Budget -= int64(len(x) * len(x))
	if m.s.Budget < 0 {
		return list // the next instruction reports it
	}
	find := slices.Index[[]int64]
	if m.holdsLists(list) {
		find = m.findEqual
	}
	var unique []int64
	for _, v := range x {
		if find(unique, v) < 0 {
			unique = append(unique, v)
		}
	}
	if len(unique) == len(x) {
		return list
	}
	_, shape, _ := program.UnpackHeader(m.object(list)[0])
	at, room := m.alloc(program.ListObject, shape, len(unique))
	if m.err == nil {
		copy(room, unique)
	}
	return at
}

// contains says whether a list has an element equal to v.
func (m *Machine) contains(list, v int64) bool {
	x := m.list(list)
	return slices.Contains(x, v) || m.holdsLists(list) && m.findEqual(x, v) >= 0
}

// findEqual is the index of the first element equal to v, which may be a list; -1 if there is none.
func (m *Machine) findEqual(x []int64, v int64) int {
	return slices.IndexFunc(x, func(e int64) bool { return e == v || m.isList(e) && m.isList(v) && m.equalLists(e, v) })
}

// equalLists says whether two lists have equal elements in the same order.
func (m *Machine) equalLists(a, b int64) bool {
	if a == b {
		return true
	}
	x, y := m.list(a), m.list(b)
	m.s.Budget -= int64(len(x))
	switch {
	case len(x) != len(y) || a == program.None || b == program.None:
		return false
	case !m.holdsLists(a):
		return slices.Equal(x, y)
	}
	for i := range x {
		if m.findEqual(x[i:i+1], y[i]) < 0 {
			return false
		}
	}
	return true
}

// holdsLists says whether the elements of a list may be lists.
func (m *Machine) holdsLists(list int64) bool {
	o := m.object(list)
	if len(o) < 2 {
		return false
	}
	_, shape, _ := program.UnpackHeader(o[0])
	return program.Shape(shape).IsAddress()
}

func (m *Machine) isList(at int64) bool {
	o := m.object(at)
	return len(o) > 0 && program.ObjectType(o[0]>>56) == program.ListObject
}

// sortList sorts a list by the list of its keys, which it destroys. It is stable.
func (m *Machine) sortList(list, keys int64, descending bool) {
	values, sortKeys := m.list(list), m.list(keys)
	if len(values) != len(sortKeys) {
		return
	}
	m.s.Budget -= int64(len(values) * 16)
	if descending {
		for i := range sortKeys {
			sortKeys[i] = ^sortKeys[i] // reverses the order, and cannot overflow
		}
	}
	if len(values) <= maxInsertionSort {
		for i, v := range values {
			key, k := sortKeys[i], i
			for ; k > 0 && sortKeys[k-1] > key; k-- {
				sortKeys[k], values[k] = sortKeys[k-1], values[k-1]
			}
			sortKeys[k], values[k] = key, v
		}
		return
	}
	type pair struct{ key, value int64 }
	pairs := make([]pair, len(values))
	for i := range values {
		pairs[i] = pair{sortKeys[i], values[i]}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
	for i, x := range pairs {
		values[i] = x.value
	}
}

// maxInsertionSort is the maximum length of lists that are sorted in place.
const maxInsertionSort = 24

// changeDice adds points to dice, or multiplies their number.
func changeDice(op program.Op, packed, n int64) (int64, bool) {
	d := ir.UnpackDice(packed)
	if op == program.OpDiceAdd {
		flat, ok := exact.Add(int64(d.Flat), n)
		d.Flat = int32(flat)
		return d.Pack(), ok && flat == int64(int32(flat))
	}
	times, ok1 := exact.Mul(int64(d.Times), n)
	flat, ok2 := exact.Mul(int64(d.Flat), n)
	if times < 0 {
		times, flat = 0, 0
	}
	d.Times, d.Flat = uint16(times), int32(flat)
	return d.Pack(), ok1 && ok2 && times == int64(uint16(times)) && flat == int64(int32(flat))
}

// changedRef notes that something that outlives a command refers, or no longer refers, to a value. It must be called for
// the old and for the new value of whatever is written.
func (m *Machine) changedRef(shape program.Shape, v int64) {
	if shape != program.Scalar && v >= program.ArenaBase {
		m.s.HasArenaRefs = true
		m.forgetKept()
	}
}

// forgetKept notes that any reference may have changed.
func (m *Machine) forgetKept() { m.keptRefs, m.keptWords = -1, -1 }

// collectArena truncates the arena after a command. The roots are fields, the values of effects, the values captured by
// durations, the variables of a script and the memories of the game. If no reference of theirs to the arena has changed,
// what outlived the last command outlives this one, and is at the front. There comes first what fields and effects refer
// to: it stays where it is if only others have changed.
func (m *Machine) collectArena() {
	s := m.s
	if len(s.Arena) == 0 {
		return
	}
	if m.keptWords >= 0 {
		s.Arena = s.Arena[:m.keptWords]
		return
	}
	g := collector{m: m, from: s.Arena, to: m.buffer[:0]}
	switch {
	case m.keptRefs >= 0:
		g.kept, g.to = int64(m.keptRefs), append(g.to, s.Arena[:m.keptRefs]...)
	case s.HasArenaRefs:
		for e := range s.Entities {
			slots := s.Slots[e*m.stride:]
			for _, i := range m.referringFields {
				if slots[i] >= program.ArenaBase { // seldom
					g.root(&slots[i], m.creatureFields[i].Shape)
				}
			}
		}
		clear(m.index.kin) // its keys contain addresses
		for x := range s.Effects.All() {
			for _, k := range m.referringValues[x.Def] {
				if x.Vals[k] >= program.ArenaBase {
					g.root(&x.Vals[k], m.p.Effects[x.Def].Values[k].Shape)
				}
			}
		}
		s.HasArenaRefs = len(g.to) > 0
	}
	m.keptRefs = len(g.to)
	for i := range s.Captures {
		g.root(&s.Captures[i].Addr, program.Address)
	}
	for i := range s.Vars {
		g.root(&s.Vars[i], program.Shape(s.VarShapes[i]))
	}
	for i := range s.Globals {
		g.root(&s.Globals[i], m.p.Globals[i].Shape)
	}
	m.buffer, s.Arena, m.keptWords = s.Arena[:0], g.to, len(g.to)
}

type collector struct {
	m    *Machine
	from []int64
	to   []int64
	kept int64 // words at the front that stay
}

// root moves the object that a value refers to, and updates the value.
func (g *collector) root(v *int64, shape program.Shape) {
	switch {
	case *v == program.None:
	case shape == program.Thing && *v >= program.RecordTag:
		*v = program.RecordTag | g.move(*v&^program.RecordTag)
	case shape.IsAddress():
		*v = g.move(*v)
	}
}

// move copies an object once; its new address replaces its header, as a negative number.
func (g *collector) move(at int64) int64 {
	i := at - program.ArenaBase
	if i < g.kept || i >= int64(len(g.from)) {
		return at
	}
	h := g.from[i]
	if h < 0 {
		return -h - 1
	}
	o, of, n := program.UnpackHeader(h)
	if i+n >= int64(len(g.from)) {
		return at
	}
	start := len(g.to)
	g.to = append(g.to, g.from[i:i+n+1]...)
	now := program.ArenaBase + int64(start)
	g.from[i] = -now - 1
	if o == program.ListObject && program.Shape(of) == program.Scalar {
		return now
	}
	for k := range int(n) {
		if shape := g.m.shapeIn(o, of, k); shape != program.Scalar {
			v := g.to[start+1+k]
			g.root(&v, shape)
			g.to[start+1+k] = v
		}
	}
	return now
}

// shapeIn is the shape of the k-th value of an object.
func (m *Machine) shapeIn(o program.ObjectType, of int32, k int) program.Shape {
	p := m.p
	pick := func(shapes []program.Shape) program.Shape {
		if k < len(shapes) {
			return shapes[k]
		}
		return program.Scalar
	}
	switch o {
	case program.ListObject:
		return program.Shape(of)
	case program.RecordObject:
		if int(of) < len(p.Kinds) && k < len(p.Kinds[of].Fields) {
			return p.Kinds[of].Fields[k].Shape
		}
	case program.ProcObject:
		if int(of) < len(p.Procs) && k < len(p.Procs[of].Record) {
			return p.Procs[of].Record[k].Shape
		}
	case program.PlanObject:
		return pick(p.Plans[of].Shapes)
	case program.CaptureObject:
		return pick(p.Durations[of].Shapes)
	}
	return program.Scalar
}
