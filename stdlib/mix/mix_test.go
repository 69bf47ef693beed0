package mix

import (
	"math/bits"
	"testing"
)

// TestNextIsSplitmix64 checks the published first outputs of splitmix64 from the seed 1234567.
func TestNextIsSplitmix64(t *testing.T) {
	x := uint64(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423} {
		if got := Next(x); got != want {
			t.Errorf("output %d = %d, want %d", i, got, want)
		}
		x += gamma
	}
}

func TestAddCountsOrder(t *testing.T) {
	if Add(Add(0, 1), 2) == Add(Add(0, 2), 1) {
		t.Error("the order of the words makes no difference")
	}
	if Add(0, 0) == 0 {
		t.Error("a zero word leaves the hash as it was")
	}
}

// TestFold: similar words, like those of two states, give different hashes, for each multiplier.
func TestFold(t *testing.T) {
	for _, by := range []uint64{gamma, 0xd6e8feb86659fd93} {
		seen := make(map[uint64]bool, 1<<18)
		for i := range uint64(1 << 18) {
			h := Fold(Fold(Fold(1, i&63, by), i>>6&63<<58, by), i>>12, by)
			if seen[h] {
				t.Fatalf("by %x two hashes are alike at %d", by, i)
			}
			seen[h] = true
		}
	}
}

func TestAvalanche(t *testing.T) {
	total := 0
	for bit := range 64 {
		total += bits.OnesCount64(Add(7, 0) ^ Add(7, 1<<bit))
	}
	if mean := total / 64; mean < 28 || mean > 36 {
		t.Errorf("one bit moves %d bits on average, want about 32", mean)
	}
}

func TestText(t *testing.T) {
	seen := map[uint64]string{}
	for _, s := range []string{"", "a", "b", "ab", "ba", "attack.blow", "attack.confirm"} {
		h := Text(s)
		if other, twice := seen[h]; twice {
			t.Errorf("%q and %q hash alike", s, other)
		}
		seen[h] = s
	}
}
