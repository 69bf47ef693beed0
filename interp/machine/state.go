package machine

import (
	"slices"

	"arbiter/stdlib/clock"
	"arbiter/stdlib/effect"
	"arbiter/stdlib/mix"
)

// This file is the state of a fight: everything that a machine needs to go on, as plain data.

// State of a fight, stopped anywhere. It is copied with CopyFrom, which allocates nothing once capacity suffices, and
// hashed with Hash. What is cached lies in the machine and is no part of it.
type State struct {
	Seed     uint64
	Entities []Entity
	Squares  []int64 // where each stands, packed; none: nowhere
	Slots    []int64 // of every entity in turn
	Effects  effect.Set
	Newest   int32 // the last instance that came
	Holds    []Hold
	Ghosts   []effect.Instance // instances that ended in this command, for the rules that their end runs
	Order    clock.Order
	Time     clock.Time
	Fights   int32 // how many have begun
	Turns    int32 // how many turns have begun
	InFight  bool
	Ticks    []Ticking
	Draws    Draws
	Onces    []Once

	Frames []Frame
	Regs   []int64 // windows of the frames, one after the other; in use up to the top frame's end
	Arena  []int64 // lists, records, outcomes, plans
	Queue  []Pending
	Paid   []Payment
	Coming []Arrival
	Throw  Throw
	Faces  []int32 // of the dice that are being thrown
	Asking Question
	Vars   []int64 // of a script, from piece to piece
	Shapes []uint8 // of those

	Globals []int64 // what the whole game remembers
	Tale    []int64 // where the host's story is, in its own numbers; nil: it tells none

	Nest   int32 // rules within rules
	Fired  int32 // rules that this command has run
	Budget int64 // instructions that this command may still take
	Kept   bool  // a field or a value of an effect may refer to the arena
}

// Entity is a creature of the fight.
type Entity struct {
	Name     string
	Template int32 // -1: none
	Side     int32
	Away     bool // takes no part, until it is called back: see SetAside
}

// Hold is what the duration of an instance keeps from when it began.
type Hold struct {
	Instance int32
	Duration int32
	At       int64 // address of the held values
}

// Ticking is a rule of `every` that is due at a time, in a fight at a place in the order.
type Ticking struct {
	Tick     int32
	Instance int32 // 0: of the top level
	Due      clock.Time
	Every    clock.Time
	Fight    int32 // the fight that Place belongs to; 0: none
	Place    clock.Expiry
}

// Once marks that a rule has run for its bearer in a round, turn or fight.
type Once struct {
	Rule   int32
	Bearer int64
	Stamp  int64
}

// Pending is a rule that waits for its turn at a point.
type Pending struct {
	Rule     int32
	Instance int32 // of its effect, or the frame of the procedure it stands in
	Hook     int32 // of a plan, else -1
	Bearer   int64
}

// Payment is what an action has paid.
type Payment struct {
	Frame, Resource int32
	Amount          int64
}

// Arrival is an effect that came or went and whose rules are yet to run.
type Arrival struct {
	Point    int32
	Effect   int32
	Instance int32
	Bearer   int32
	Gone     bool
}

// Throw is a throw of dice that is going on.
type Throw struct {
	Active  bool
	For     uint8 // what the sum is for
	Label   int32
	Done    int32 // how many times the expression has been thrown
	Reg     int32 // register that gets the sum
	Check   int32
	Dice    int64
	Who     int64
	Sum     int64
	Opposed bool
}

// Question is what the state waits for; Kind is Done when it waits for nothing.
type Question struct {
	Kind    Status
	What    ChoiceKind
	Default Advice
	Index   int32 // of the choice, offer, pick, rule
	Label   int32
	Sides   int32
	Reg     int32 // register that gets the answer, -1
	Who     int64
	Ways    int64 // bits of the options, or the list to pick from
}

// Draws counts the dice that everybody has thrown for each label, as an open hash table.
type Draws struct {
	keys   []uint64
	counts []uint32
	used   int
}

// Next returns how many dice were thrown before this one, and counts it.
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

// Count returns how many dice were thrown.
func (d *Draws) Count(who int64, label int32) uint32 {
	if len(d.keys) == 0 {
		return 0
	}
	return d.counts[d.find(drawKey(who, label))]
}

// All returns how many dice were thrown by anybody, for whatever.
func (d *Draws) All() (n uint64) {
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

// hash does not depend on where in the table a count lies.
func (d *Draws) hash() uint64 {
	sum := uint64(0)
	for i, c := range d.counts {
		if c > 0 {
			sum += mix.Add(mix.Finish(d.keys[i]), uint64(c))
		}
	}
	return sum
}

// CopyFrom makes s equal to o and apart from it, in s's own memory where that suffices.
func (s *State) CopyFrom(o *State) {
	if s == o {
		return
	}
	keep := *s
	*s = *o
	s.Entities = append(keep.Entities[:0], o.Entities...)
	s.Squares = append(keep.Squares[:0], o.Squares...)
	s.Slots = append(keep.Slots[:0], o.Slots...)
	s.Effects = keep.Effects
	s.Effects.CopyFrom(&o.Effects)
	s.Holds = append(keep.Holds[:0], o.Holds...)
	s.Ghosts = append(keep.Ghosts[:0], o.Ghosts...)
	s.Order = keep.Order
	s.Order.CopyFrom(&o.Order)
	s.Ticks = append(keep.Ticks[:0], o.Ticks...)
	s.Draws = keep.Draws
	s.Draws.copyFrom(&o.Draws)
	s.Onces = append(keep.Onces[:0], o.Onces...)
	s.Frames = append(keep.Frames[:0], o.Frames...)
	s.Regs = append(keep.Regs[:0], o.Regs[:o.top()]...)
	s.reserve(o.top())
	s.Arena = append(keep.Arena[:0], o.Arena...)
	s.Queue = append(keep.Queue[:0], o.Queue...)
	s.Paid = append(keep.Paid[:0], o.Paid...)
	s.Coming = append(keep.Coming[:0], o.Coming...)
	s.Faces = append(keep.Faces[:0], o.Faces...)
	s.Vars = append(keep.Vars[:0], o.Vars...)
	s.Shapes = append(keep.Shapes[:0], o.Shapes...)
	s.Globals = append(keep.Globals[:0], o.Globals...)
	s.Tale = append(keep.Tale[:0], o.Tale...)
}

// Clone returns a state equal to s and apart from it.
func (s *State) Clone() *State {
	c := new(State)
	c.CopyFrom(s)
	return c
}

// window is how many registers an instruction can name; every frame can see so many from its base on.
const window = 256

// reserve makes room for a window at base. The registers may move.
func (s *State) reserve(base int) {
	if need := base + window; need > len(s.Regs) {
		if need > cap(s.Regs) {
			s.Regs = slices.Grow(s.Regs, max(need-len(s.Regs), len(s.Regs), 8*window))
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

// Hash of the state and the draw counts. States that hash alike go on alike.
func (s *State) Hash() uint64 { return (&Keyer{whole: true}).Key(s).a }

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
