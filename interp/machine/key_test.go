package machine

import "testing"

// Each half of a key distinguishes two states.
func TestKeyHasTwoHalves(t *testing.T) {
	k := new(Keyer)
	key := func(slot, square, time int64) Key {
		return k.Key(&State{Slots: []int64{7, slot, 0}, Squares: []int64{square}, Entities: make([]Entity, 1), Seed: 3, Arena: []int64{time}})
	}
	a, b := map[uint64]bool{}, map[uint64]bool{}
	for slot := range int64(100) {
		for square := range int64(100) {
			x := key(slot, square, slot)
			if a[x.a] || b[x.b] || x.a == x.b {
				t.Fatalf("slot %d, square %d: %+v", slot, square, x)
			}
			a[x.a], b[x.b] = true, true
		}
	}
	if key(1, 2, 3) != key(1, 2, 4) {
		t.Error("what nothing refers to counts")
	}
}
