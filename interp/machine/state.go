package machine

import (
	"cmp"
	"slices"
	"unsafe"

	"arbiter/stdlib/clock"
	"arbiter/stdlib/effect"
	"arbiter/stdlib/mix"
)

// This file is the state of a fight: everything that a machine needs to continue, as plain data.

// State of a fight, which may be stopped anywhere. CopyFrom copies it, without allocating if the capacity suffices;
// Hash hashes it. Caches are in the machine, not in the state.
type State struct {
	Seed           uint64
	Entities       []Entity
	Squares        []int64 // packed position by entity; none: not on the map
	Slots          []int64 // of every entity, one after the other
	Effects        effect.Set
	NewestInstance int32 // the latest instance
	Captures       []Capture
	EndedEffects   []effect.Instance // instances that ended in this command, for the rules that run at their end
	Order          clock.Order
	Time           clock.Time
	FightCount     int32 // how many have begun
	TurnCount      int32 // how many turns have begun
	InFight        bool
	Ticks          []ScheduledTick
	Draws          Draws
	OnceRuns       []OnceRun

	Frames        []Frame
	Regs          []int64 // register windows of the frames, one after the other; in use up to the top frame's end
	Arena         []int64 // lists, records, outcomes, plans
	Queue         []PendingRule
	Paid          []Payment
	EffectChanges []EffectChange
	Roll          Roll
	Faces         []int32 // of the dice being rolled
	Asking        Question
	Vars          []int64 // variables of a script, kept between its pieces
	VarShapes     []uint8 // of Vars

	Globals []int64 // memories of the whole game
	Story   []int64 // state of the host's story, in an encoding of its own; nil: none

	RuleDepth    int32 // nesting depth of rules
	RuleCount    int32 // rules that this command has run
	Budget       int64 // instructions that this command may still use
	EventsLeft   int64 // events that it may still record
	TextLeft     int64 // bytes of their texts
	HasArenaRefs bool  // a field or a value of an effect may refer to the arena
}

// Entity is a creature of the fight.
type Entity struct {
	Name     string
	Template int32 // -1: none
	Side     int32
	Away     bool // takes no part until it is called back: see SetAside
}

// Capture is what the duration of an instance captured when it began.
type Capture struct {
	Instance int32
	Duration int32
	Addr     int64 // address of the captured values
}

// captureOf returns the index of the captured values of an instance's duration, -1 if there are none. They are in the
// order of the instances.
func (s *State) captureOf(id int32) int {
	i, found := slices.BinarySearchFunc(s.Captures, id, func(c Capture, id int32) int { return cmp.Compare(c.Instance, id) })
	if !found {
		return -1
	}
	return i
}

// ScheduledTick is a rule of `every` that is due at a time or, in a fight, at a place in the order.
type ScheduledTick struct {
	Tick       int32
	Instance   int32 // 0: of the top level
	Due        clock.Time
	Period     clock.Time
	OrderFight int32 // the fight that OrderPlace belongs to; 0: none
	OrderPlace clock.Expiry
}

// OnceRun marks that a rule has run for its bearer in a round, turn or fight.
type OnceRun struct {
	Rule   int32
	Bearer int64
	Stamp  int64
}

// PendingRule is a rule that waits for its turn at a point.
type PendingRule struct {
	Rule     int32
	Instance int32 // of its effect, or the frame of the procedure that contains the rule
	PlanRule int32 // of a plan, or -1
	Bearer   int64
}

// Payment is what an action has paid.
type Payment struct {
	Frame, Resource int32
	Amount          int64
}

// EffectChange is an effect that was gained or lost and whose rules have not run yet.
type EffectChange struct {
	Point    int32
	Effect   int32
	Instance int32
	Bearer   int32
	Lost     bool
}

// Roll is a roll in progress.
type Roll struct {
	Active      bool
	For         uint8 // what the sum is used for
	Label       int32
	TimesRolled int32 // how many times the expression has been rolled
	Reg         int32 // register that receives the sum
	Check       int32
	Dice        int64
	Who         int64
	Sum         int64
	Opposed     bool
}

// Question is what the state waits for; Status is Done if it waits for nothing.
type Question struct {
	Status     Status
	ChoiceKind ChoiceKind
	Default    Advice
	Index      int32 // of the choice, offer, pick, rule
	Label      int32
	Sides      int32
	Reg        int32 // register that receives the answer, or -1
	Who        int64
	Options    int64 // bits of the options, or the list to pick from
}

// Draws counts the dice that each creature has rolled for each label, as an open-addressing hash table.
type Draws struct {
	keys   []uint64
	counts []uint32
	used   int
}

// Next returns how many dice were rolled before this one, and counts it.
func (d *Draws) Next(who int64, label int32) uint32 {
	if d.used*4 >= len(d.keys)*3 {
		d.grow()
	}
	i := d.find(drawKey(who, label))
	if d.counts[i] == 0 {
		d.keys[i] = drawKey(who, label)
		d.used++
	}
	d.counts[i]++
	return d.counts[i] - 1
}

// Count returns how many dice were rolled.
func (d *Draws) Count(who int64, label int32) uint32 {
	if len(d.keys) == 0 {
		return 0
	}
	return d.counts[d.find(drawKey(who, label))]
}

// Total returns how many dice were rolled in all.
func (d *Draws) Total() (n uint64) {
	for _, c := range d.counts {
		n += uint64(c)
	}
	return n
}

func drawKey(who int64, label int32) uint64 { return uint64(who+1)<<32 | uint64(uint32(label)) }

func (d *Draws) find(key uint64) int {
	mask := uint64(len(d.keys) - 1)
	for i := key * 0x9e3779b97f4a7c15 >> 32 & mask; ; i = (i + 1) & mask {
		if d.counts[i] == 0 || d.keys[i] == key {
			return int(i)
		}
	}
}

func (d *Draws) grow() {
	old := *d
	n := max(16, 2*len(old.keys))
	*d = Draws{keys: make([]uint64, n), counts: make([]uint32, n), used: old.used}
	for i, c := range old.counts {
		if c > 0 {
			at := d.find(old.keys[i])
			d.keys[at], d.counts[at] = old.keys[i], c
		}
	}
}

func (d *Draws) copyFrom(o *Draws) {
	d.keys = append(d.keys[:0], o.keys...)
	d.counts = append(d.counts[:0], o.counts...)
	d.used = o.used
}

// hash does not depend on the order of the table.
func (d *Draws) hash() uint64 {
	sum := uint64(0)
	for i, c := range d.counts {
		if c > 0 {
			sum += mix.Add(mix.Finish(d.keys[i]), uint64(c))
		}
	}
	return sum
}

// CopyFrom makes s a deep copy of o, reusing the memory of s.
func (s *State) CopyFrom(o *State) {
	if s != o {
		s.StoreFrom(o)
		s.reserve(o.top())
	}
}

// StoreFrom is CopyFrom for a state that only waits to be copied again: it has no room for more registers, which is
// most of the memory of a small fight.
func (s *State) StoreFrom(o *State) {
	old := *s
	*s = *o
	s.Entities = append(old.Entities[:0], o.Entities...)
	s.Squares = append(old.Squares[:0], o.Squares...)
	s.Slots = append(old.Slots[:0], o.Slots...)
	s.Effects = old.Effects
	s.Effects.CopyFrom(&o.Effects)
	s.Captures = append(old.Captures[:0], o.Captures...)
	s.EndedEffects = append(old.EndedEffects[:0], o.EndedEffects...)
	s.Order = old.Order
	s.Order.CopyFrom(&o.Order)
	s.Ticks = append(old.Ticks[:0], o.Ticks...)
	s.Draws = old.Draws
	s.Draws.copyFrom(&o.Draws)
	s.OnceRuns = append(old.OnceRuns[:0], o.OnceRuns...)
	s.Frames = append(old.Frames[:0], o.Frames...)
	s.Regs = append(old.Regs[:0], o.Regs[:o.top()]...)
	s.Arena = append(old.Arena[:0], o.Arena...)
	s.Queue = append(old.Queue[:0], o.Queue...)
	s.Paid = append(old.Paid[:0], o.Paid...)
	s.EffectChanges = append(old.EffectChanges[:0], o.EffectChanges...)
	s.Faces = append(old.Faces[:0], o.Faces...)
	s.Vars = append(old.Vars[:0], o.Vars...)
	s.VarShapes = append(old.VarShapes[:0], o.VarShapes...)
	s.Globals = append(old.Globals[:0], o.Globals...)
	s.Story = append(old.Story[:0], o.Story...)
}

// Bytes returns the memory that s holds, approximately.
func (s *State) Bytes() int {
	return int(unsafe.Sizeof(*s)) + s.Effects.Bytes() + s.Order.Bytes() + 4*cap(s.Faces) + cap(s.VarShapes) + 12*cap(s.Draws.keys) +
		8*(cap(s.Squares)+cap(s.Slots)+cap(s.Regs)+cap(s.Arena)+cap(s.Vars)+cap(s.Globals)+cap(s.Story)) +
		bytesIn(s.Entities) + bytesIn(s.Captures) + bytesIn(s.EndedEffects) + bytesIn(s.Ticks) + bytesIn(s.OnceRuns) +
		bytesIn(s.Frames) + bytesIn(s.Queue) + bytesIn(s.Paid) + bytesIn(s.EffectChanges)
}

func bytesIn[T any](list []T) int { return cap(list) * int(unsafe.Sizeof(*new(T))) }

// Clone returns a deep copy of s.
func (s *State) Clone() *State {
	c := new(State)
	c.CopyFrom(s)
	return c
}

// windowSize is how many registers an instruction can address; every frame can access that many from its base on.
const windowSize = 256

// reserve makes room for a window at base. It may reallocate the registers.
func (s *State) reserve(base int) {
	if need := base + windowSize; need > len(s.Regs) {
		if need > cap(s.Regs) {
			s.Regs = slices.Grow(s.Regs, max(need-len(s.Regs), len(s.Regs), 8*windowSize))
		}
		s.Regs = s.Regs[:cap(s.Regs)]
	}
}

// top is the first register that no frame uses.
func (s *State) top() int {
	if len(s.Frames) == 0 {
		return 0
	}
	return int(s.Frames[len(s.Frames)-1].Top)
}

// Hash of the state, including the draw counts. States with equal hashes continue alike.
func (s *State) Hash() uint64 { return (&Keyer{whole: true}).Key(s).a }

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Each calls a function with how many dice each creature has rolled for each label, in no order.
func (d *Draws) Each(f func(who int64, label int32, count uint32)) {
	for i, c := range d.counts {
		if c > 0 {
			f(int64(d.keys[i]>>32)-1, int32(uint32(d.keys[i])), c)
		}
	}
}
