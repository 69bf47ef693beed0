package machine

import (
	"arbiter/interp/program"
	"arbiter/stdlib/mix"
)

// This file hashes a state: all of it, or the part that matters when every die is asked for.

// Keyer computes keys of states. It can be reused, by one goroutine.
type Keyer struct {
	whole    bool      // nothing is left out, and addresses count as they are: see Hash
	live     *liveness // nil: all registers count
	marks    []uint8   // by register: how much of it is live
	arena    []int64
	ordinals []int32 // by word of the arena: the ordinal of the object found there, in this round of numbering
	round    int32
	count    int32
	key      Key
}

// Key of a state: two hashes of the same words.
type Key struct{ a, b uint64 } // a struct fits into registers, an array does not

// With returns the key with another word added.
func (k Key) With(v uint64) Key {
	return Key{mix.Fold(k.a, v, 0x9e3779b97f4a7c15), mix.Fold(k.b, v, 0xd6e8feb86659fd93)}
}

// NewKeyer returns a Keyer for the states that the machine can reach from its current one by commands; the keys leave
// out dead registers.
func NewKeyer(m *Machine) *Keyer { return &Keyer{live: newLiveness(m.p, m.s)} }

// Key of a state in which dice are asked for. States with equal keys continue alike, up to chance (see mix.Fold). The
// key leaves out the seed, how many dice have been rolled, and unreferenced objects in the arena; it includes
// referenced objects by their content. A number from ArenaBase on is considered an address.
//
// Keys have 128 bits. The probability that any two of n states have the same key is about n*n/2^129, which is
// negligible for a million states, the default limit.
func (k *Keyer) Key(s *State) Key {
	k.arena, k.key = nil, Key{0, 1}
	k.add(uint64(len(s.Entities)))
	if k.whole {
		k.add(s.Seed)
		k.add(s.Draws.hash())
		k.add(uint64(uint32(s.NewestInstance)))
		k.addValues(s.Arena)
	} else {
		k.beginArena(s.Arena)
	}
	for i := range s.Entities {
		k.add(uint64(uint32(s.Entities[i].Template))<<32 | bit(s.Entities[i].Away)<<31 | uint64(uint32(s.Entities[i].Side)))
	}
	k.addValues(s.Squares)
	k.addValues(s.Slots)
	k.add(uint64(s.Effects.Len()))
	for e := range s.Effects.All() {
		k.addHash(e.AppendHash)
		k.addValues(e.Vals[:])
	}
	k.addHash(s.Order.AppendHash)
	k.add(uint64(s.Time))
	k.add(uint64(uint32(s.FightCount))<<33 | uint64(uint32(s.TurnCount))<<1 | bit(s.InFight))
	k.add(uint64(len(s.Captures)))
	for _, x := range s.Captures {
		k.add(uint64(uint32(x.Instance))<<32 | uint64(uint32(x.Duration)))
		k.addValue(x.Addr)
	}
	k.add(uint64(len(s.EndedEffects)))
	for i := range s.EndedEffects {
		k.add(uint64(uint32(s.EndedEffects[i].ID)))
		k.addValues(s.EndedEffects[i].Vals[:])
	}
	k.add(uint64(len(s.Ticks)))
	for _, x := range s.Ticks {
		k.add(uint64(uint32(x.Tick))<<32 | uint64(uint32(x.Instance)))
		k.add(uint64(x.Due))
		k.add(uint64(x.Period))
		k.addHash(x.OrderPlace.AppendHash)
	}
	k.add(uint64(len(s.OnceRuns)))
	for _, x := range s.OnceRuns {
		k.add(uint64(uint32(x.Rule)))
		k.add(uint64(x.Bearer))
		k.add(uint64(x.Stamp))
	}
	k.add(uint64(len(s.Frames)))
	for i := range s.Frames {
		f := s.Frames[i]
		if f.Kind == moveFrame {
			k.addValue(program.ArenaBase + int64(f.Path))
			f.Path = 0
		}
		k.addHash(f.hash)
		k.add(uint64(uint32(f.NewestInstance)))
	}
	if len(s.Frames) > 0 {
		k.addRegisters(s)
	}
	for _, x := range s.Queue {
		k.add(uint64(uint32(x.Rule))<<32 | uint64(uint32(x.Instance)))
		k.add(uint64(uint32(x.PlanRule)))
		k.addValue(x.Bearer)
	}
	for _, x := range s.Paid {
		k.add(uint64(uint32(x.Frame))<<32 | uint64(uint32(x.Resource)))
		k.add(uint64(x.Amount))
	}
	for _, x := range s.EffectChanges {
		k.add(uint64(uint32(x.Instance))<<32 | uint64(uint32(x.Bearer))<<1 | bit(x.Lost))
	}
	if t := &s.Roll; t.Active {
		k.add(uint64(uint32(t.Reg))<<32 | uint64(uint32(t.TimesRolled)))
		k.add(uint64(uint32(t.Label))<<32 | uint64(uint32(t.Check)))
		k.add(uint64(t.Sum))
		k.addValue(t.Dice)
		for _, f := range s.Faces {
			k.add(uint64(uint32(f)))
		}
	}
	if q := &s.Asking; q.Status != Done {
		k.add(uint64(q.Default)<<40 | uint64(q.Status)<<32 | uint64(uint32(q.Index)))
		k.addValue(q.Options)
	}
	k.addValues(s.Vars)
	if len(s.Globals)+len(s.Story) > 0 { // most games have none, and older hashes were computed without them
		k.addValues(s.Globals)
		k.addValues(s.Story)
	}
	k.addParts(s)
	return k.key
}

// Spoil overwrites the dead registers, for tests: if that changes anything, one of them was live.
func (k *Keyer) Spoil(s *State, with int64) {
	marks := make([]uint8, s.top())
	k.live.mark(s, marks)
	for i, mark := range marks {
		if mark == noMark {
			s.Regs[i] = with
		}
	}
}

// addRegisters adds the live registers; which ones are live follows from the frames.
func (k *Keyer) addRegisters(s *State) {
	top := s.top()
	if k.live == nil {
		k.addValues(s.Regs[:top])
		return
	}
	if len(k.marks) < top {
		k.marks = make([]uint8, 2*top)
	}
	marks := k.marks[:top]
	k.live.mark(s, marks)
	for i, mark := range marks {
		if mark&wholeMark != 0 {
			k.addValue(s.Regs[i])
		}
	}
}

// addParts adds those parts that are live of partly live objects. It comes last: an object that something else refers
// to has already been added as a whole, and counts by its ordinal.
func (k *Keyer) addParts(s *State) {
	if k.live == nil || len(s.Frames) == 0 {
		return
	}
	for r, mark := range k.marks[:s.top()] {
		if mark == noMark || mark&wholeMark != 0 {
			continue
		}
		v := s.Regs[r]
		i := v - program.ArenaBase
		if i < 0 || i >= int64(len(k.arena)) || k.ordinals[i] > k.round {
			k.addValue(v)
			continue
		}
		k.add(uint64(k.arena[i]))
		_, _, n := program.UnpackHeader(k.arena[i])
		for part := range min(n, maxLiveParts) {
			if mark>>part&1 != 0 && i+1+part < int64(len(k.arena)) {
				k.addValue(k.arena[i+1+part])
			}
		}
	}
}

// beginArena prepares for another arena.
func (k *Keyer) beginArena(arena []int64) {
	k.arena = arena
	if len(k.ordinals) < len(arena) {
		k.ordinals = append(k.ordinals, make([]int32, len(arena)-len(k.ordinals))...)
	}
	k.round += k.count // the ordinals of earlier states are not above this
	k.count = 0
	if k.round > 1<<30 {
		clear(k.ordinals)
		k.round = 0
	}
}

func (k *Keyer) add(v uint64) {
	if k.whole {
		k.key.a = mix.Add(k.key.a, v)
		return
	}
	k.key = k.key.With(v)
}

// addHash adds something that hashes itself.
func (k *Keyer) addHash(hash func(uint64) uint64) {
	k.key.a = hash(k.key.a)
	if !k.whole {
		k.key.b = hash(k.key.b)
	}
}

func (k *Keyer) addValues(list []int64) {
	k.add(uint64(len(list)))
	if k.whole {
		for _, v := range list {
			k.add(uint64(v))
		}
		return
	}
	key, arena := k.key, uint64(len(k.arena))
	for _, v := range list {
		if uint64(v&^program.RecordTag-program.ArenaBase) < arena {
			k.key = key
			k.addValue(v)
			key = k.key
			continue
		}
		key = key.With(uint64(v))
	}
	k.key = key
}

// addValue adds a value and, if it is an address, the object: its content the first time, its ordinal later.
func (k *Keyer) addValue(v int64) {
	i := v&^program.RecordTag - program.ArenaBase
	if i < 0 || i >= int64(len(k.arena)) {
		k.add(uint64(v))
		return
	}
	k.add(uint64(v & program.RecordTag))
	if n := k.ordinals[i]; n > k.round {
		k.add(uint64(n - k.round))
		return
	}
	k.count++
	k.ordinals[i] = k.round + k.count
	_, _, n := program.UnpackHeader(k.arena[i])
	end := min(i+1+n, int64(len(k.arena)))
	k.add(uint64(k.arena[i]))
	for j := i + 1; j < end; j++ {
		k.addValue(k.arena[j])
	}
}
