package compile

import (
	"slices"

	"arbiter/interp/program"
)

// slotReads are the slots that some code reads, in ascending order, and the thresholds that each is compared with. Most
// code reads a few of some thousand slots.
type slotReads struct {
	slots []int32
	cuts  []program.Thresholds
}

// of returns the thresholds of a slot, NoWrite if it is not read.
func (r *slotReads) of(slot int32) program.Thresholds {
	if i, found := slices.BinarySearch(r.slots, slot); found {
		return r.cuts[i]
	}
	return program.NoWrite
}

// add adds a read of a slot.
func (r *slotReads) add(slot int32, cuts program.Thresholds) {
	if cuts == program.NoWrite {
		return
	}
	i, found := slices.BinarySearch(r.slots, slot)
	if !found {
		r.slots, r.cuts = slices.Insert(r.slots, i, slot), slices.Insert(r.cuts, i, program.NoWrite)
	}
	r.cuts[i] = r.cuts[i].Join(cuts)
}

// join adds the reads of other, and says whether that changed anything.
func (r *slotReads) join(other *slotReads) (changed bool) {
	missing, i := 0, 0
	for k, slot := range other.slots {
		for i < len(r.slots) && r.slots[i] < slot {
			i++
		}
		if i == len(r.slots) || r.slots[i] != slot {
			missing++
		} else if joined := r.cuts[i].Join(other.cuts[k]); joined != r.cuts[i] {
			r.cuts[i], changed = joined, true
		}
	}
	if missing == 0 {
		return changed
	}
	// Make room, and merge from the end.
	i = len(r.slots) - 1
	at := len(r.slots) + missing - 1
	r.slots = slices.Grow(r.slots, missing)[:at+1]
	r.cuts = slices.Grow(r.cuts, missing)[:at+1]
	for k := len(other.slots) - 1; k >= 0; at-- {
		if i >= 0 && r.slots[i] >= other.slots[k] {
			if r.slots[i] == other.slots[k] {
				k-- // joined above
			}
			r.slots[at], r.cuts[at] = r.slots[i], r.cuts[i]
			i--
		} else {
			r.slots[at], r.cuts[at] = other.slots[k], other.cuts[k]
			k--
		}
	}
	return true
}
