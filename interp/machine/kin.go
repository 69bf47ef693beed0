package machine

import (
	"slices"

	"arbiter/interp/program"
	"arbiter/stdlib/effect"
)

// This file finds the instances that count as one: those of the same effect on the same creature, with equal
// parameters. A creature with few instances is searched; for one with many there is an index, so that giving many takes
// time in proportion to their number.

// unindexed is how many instances of one creature are searched without an index.
const unindexed = 32

// kinKey is what kindred instances of a creature have in common.
type kinKey struct {
	def    int32
	params effect.Vals
}

// kinIndex lists the instances of a creature by what they have in common, in the order of addition.
type kinIndex map[kinKey][]int32

func (m *Machine) kinKeyOf(x *effect.Instance) kinKey {
	k := kinKey{def: x.Def}
	copy(k.params[:m.p.Effects[x.Def].NParams], x.Vals[:])
	return k
}

// kinOf returns the index of a creature's instances, which is made when it is first needed.
func (m *Machine) kinOf(who int32) kinIndex {
	if k, ok := m.index.kin[who]; ok {
		return k
	}
	list := m.s.Effects.OfBearer(who)
	m.chargeScan(len(list))
	k := kinIndex{}
	for i := range list {
		k.add(m, &list[i])
	}
	if m.index.kin == nil {
		m.index.kin = map[int32]kinIndex{}
	}
	m.index.kin[who] = k
	return k
}

func (k kinIndex) add(m *Machine, x *effect.Instance) {
	key := m.kinKeyOf(x)
	k[key] = append(k[key], x.ID)
}

func (k kinIndex) remove(m *Machine, x *effect.Instance) {
	key := m.kinKeyOf(x)
	list := k[key]
	if at, found := slices.BinarySearch(list, x.ID); found {
		m.chargeScan(len(list) - at)
		list = slices.Delete(list, at, at+1)
	}
	if k[key] = list; len(list) == 0 {
		delete(k, key)
	}
}

// insert adds an instance to the state and returns its number.
func (m *Machine) insert(x effect.Instance) int32 {
	x.ID = m.s.Effects.Add(x)
	if k, ok := m.index.kin[x.Bearer]; ok {
		k.add(m, &x)
	}
	return x.ID
}

// delete removes an instance from the state.
func (m *Machine) delete(x *effect.Instance) {
	m.chargeScan(len(m.s.Effects.OfBearer(x.Bearer)))
	if k, ok := m.index.kin[x.Bearer]; ok {
		k.remove(m, x)
	}
	for _, k := range m.referringValues[x.Def] {
		m.changedRef(program.Address, x.Vals[k])
	}
	m.s.Effects.Remove(x.ID)
}

// isDuplicate says whether an instance duplicates an earlier one of its bearer: the same effect with the same
// parameters counts once. An effect with memory is never a duplicate.
func (m *Machine) isDuplicate(list []effect.Instance, i int) bool {
	e := &m.p.Effects[list[i].Def]
	if len(e.Values) > int(e.NParams) {
		return false
	}
	if i >= unindexed {
		m.s.Budget -= kinSteps
		return m.kinOf(list[i].Bearer)[m.kinKeyOf(&list[i])][0] != list[i].ID
	}
	for j := range list[:i] {
		if list[j].Def == list[i].Def && sameVals(&list[j], &list[i], int(e.NParams)) {
			return true
		}
	}
	return false
}

// nextKin returns the first instance after id that counts as one with x, or nil.
func (m *Machine) nextKin(x *effect.Instance, id int32) *effect.Instance {
	list := m.s.Effects.OfBearer(x.Bearer)
	if len(list) > unindexed {
		kin := m.kinOf(x.Bearer)[m.kinKeyOf(x)]
		if at, _ := slices.BinarySearch(kin, id+1); at < len(kin) {
			m.s.Budget -= kinSteps
			return m.s.Effects.ByID(kin[at])
		}
		return nil
	}
	n := int(m.p.Effects[x.Def].NParams)
	for i := range list {
		if y := &list[i]; y.ID > id && y.Def == x.Def && sameVals(x, y, n) {
			return y
		}
	}
	return nil
}

// kinSteps is the cost of a look into an index, in steps.
const kinSteps = 4

// scansPerStep is how many elements of a list in memory are looked at, or moved, in the time of an instruction, with
// room to spare.
const scansPerStep = 8

// chargeScan charges the command for looking through a list of n.
func (m *Machine) chargeScan(n int) { m.s.Budget -= int64(n / scansPerStep) }
