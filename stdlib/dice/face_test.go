package dice

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with the file, or rewrites the file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s", file, got)
	}
}

// TestFacesArePromised checks the first faces of some dice. A change of the golden file breaks every stored seed.
func TestFacesArePromised(t *testing.T) {
	var b strings.Builder
	for _, sides := range []int32{2, 3, 6, 20, 100, 1_000_000, math.MaxInt32} {
		for _, name := range []string{"attack.blow", "attack.confirm"} {
			for who := range uint64(2) {
				fmt.Fprintf(&b, "d%d %s of %d:", sides, name, who)
				for count := range uint32(12) {
					fmt.Fprintf(&b, " %d", Face(FightSeed(1, 0), who, Hash(name), count, sides))
				}
				b.WriteByte('\n')
			}
		}
	}
	golden(t, "testdata/faces.golden", b.String())
}

// chiSquare returns how far counts are from equal, in standard deviations of the chi-square statistic.
func chiSquare(counts []int) float64 {
	total := 0
	for _, n := range counts {
		total += n
	}
	mean, sum := float64(total)/float64(len(counts)), 0.0
	for _, n := range counts {
		sum += (float64(n) - mean) * (float64(n) - mean) / mean
	}
	freedom := float64(len(counts) - 1)
	return (sum - freedom) / math.Sqrt(2*freedom)
}

// TestFacesAreFair: the faces are uniform whichever part of the name varies while the others are fixed.
func TestFacesAreFair(t *testing.T) {
	label := Hash("attack.blow")
	for _, sides := range []int32{2, 3, 6, 10, 20, 100} {
		for name, face := range map[string]func(i int) int32{
			"count": func(i int) int32 { return Face(1, 2, label, uint32(i), sides) },
			"who":   func(i int) int32 { return Face(1, uint64(i), label, 0, sides) },
			"seed":  func(i int) int32 { return Face(uint64(i), 2, label, 0, sides) },
			"fight": func(i int) int32 { return Face(FightSeed(1, uint64(i)), 2, label, 0, sides) },
			"label": func(i int) int32 { return Face(1, 2, uint64(i), 0, sides) },
		} {
			counts := make([]int, sides)
			for i := range 60_000 {
				counts[face(i)-1]++
			}
			if far := chiSquare(counts); math.Abs(far) > 5 {
				t.Errorf("d%d by %s: %.1f deviations off", sides, name, far)
			}
		}
	}
}

// TestNamesAreIndependent: dice with similar names are independent: all pairs of faces are equally likely.
func TestNamesAreIndependent(t *testing.T) {
	const sides = 6
	blow, confirm := Hash("attack.blow"), Hash("attack.confirm")
	for name, other := range map[string]func(i uint32) int32{
		"label": func(i uint32) int32 { return Face(1, 2, confirm, i, sides) },
		"who":   func(i uint32) int32 { return Face(1, 3, blow, i, sides) },
		"seed":  func(i uint32) int32 { return Face(2, 2, blow, i, sides) },
		"count": func(i uint32) int32 { return Face(1, 2, blow, i+1, sides) },
	} {
		counts := make([]int, sides*sides)
		for i := range uint32(120_000) {
			counts[(Face(1, 2, blow, i, sides)-1)*sides+other(i)-1]++
		}
		if far := chiSquare(counts); math.Abs(far) > 5 {
			t.Errorf("by %s: %.1f deviations off", name, far)
		}
	}
}

func TestFaceAtTheEdges(t *testing.T) {
	for _, sides := range []int32{math.MinInt32, -1, 0} {
		if got := Face(1, 2, 3, 4, sides); got != 0 {
			t.Errorf("d%d shows %d", sides, got)
		}
	}
	for count := range uint32(1000) {
		if got := Face(1, 2, 3, count, 1); got != 1 {
			t.Fatalf("d1 shows %d", got)
		}
		if got := Face(1, 2, 3, count, math.MaxInt32); got < 1 {
			t.Fatalf("the largest die shows %d", got)
		}
	}
}

// TestRejectionIsFair: a die of 1.5 billion sides rejects three draws in ten; the rest is uniform.
func TestRejectionIsFair(t *testing.T) {
	const sides = 1_500_000_000
	counts := make([]int, 10)
	for i := range uint32(60_000) {
		counts[int64(Face(1, 2, 3, i, sides)-1)*10/sides]++
	}
	if far := chiSquare(counts); math.Abs(far) > 5 {
		t.Errorf("%.1f deviations off: %v", far, counts)
	}
}

func TestFaceAllocatesNothing(t *testing.T) {
	count := uint32(0)
	if n := testing.AllocsPerRun(1000, func() { Face(1, 2, 3, count, 20); count++ }); n != 0 {
		t.Errorf("Face allocates %v times", n)
	}
}

func BenchmarkFace(b *testing.B) {
	count, sum := uint32(0), int64(0)
	for b.Loop() {
		sum += int64(Face(1, 2, 3, count, 20))
		count++
	}
	if sum < int64(count) {
		b.Fatal(sum)
	}
}
