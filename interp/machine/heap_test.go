package machine_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"arbiter/interp/compile"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
)

// What a command leaves in fields and memories outlives it; everything else is freed.
func TestArena(t *testing.T) {
	f := newFight(t, `
kind part { points: number ; inner: list of number }
kind creature { marks: list of number ; best: part or none = none ; other: part or none = none }
resource hp from 0 to 10 starts 10
effect load of pieces: list of part { keep heaviest: number = 0 }
creature thing { }
action gather {
  let waste = [hp, hp, hp, hp]
  set marks to each x in creatures of x.hp + 1
  let made = part(points: length(marks), inner: [hp, length(waste)])
  set best to made
  set other to made
  self gains load of [made, part(points: 2, inner: marks)]
}
action alter { if best is not none { set best.points to best.points + 5 } }
`, compile.Options{}).place("Alia:thing", "Bron:thing")
	for range 3 {
		f.must("Alia: gather; Alia: alter")
	}
	f.expect("Alia.marks", "[11, 11]", "sum x in Alia.load.pieces otherwise [] of x.points", "9",
		"(if Alia.best is not none then Alia.best.points else 0)", "7", "(if Alia.other is not none then Alia.other.points else 0)", "7",
		"Bron.marks", "[]")
	if n := len(f.m.State().Arena); n > 120 {
		t.Errorf("%d words are kept", n)
	}
}

// Roots are collected again when a memory of the game, or a thing in one, has been written to; otherwise they stay.
func TestMemoriesLast(t *testing.T) {
	f := newFight(t, `
kind part { points: number ; inner: list of number }
resource hp from 0 to 10 starts 10
creature thing { }
keep heap: list of part = []
action lay { let waste = [hp, hp, hp] ; set heap to heap + [part(points: length(heap), inner: [7])] }
action fill { let waste = [hp, hp] ; for each x in heap { set x.inner to x.inner + [x.points] } }
action waste { let waste = [hp, hp, hp, hp] }
action shed { set heap to heap - [heap[1]] }
define creature.inside = sum x in heap of x.inner
`, compile.Options{}).place("Alia:thing")
	do := func(deeds ...string) {
		t.Helper()
		for _, deed := range deeds {
			proc := int32(f.rules.Lookup(deed).(*ir.Proc).Index)
			if r := f.m.Do(0, proc, nil); r.Status != machine.Done {
				t.Fatal(deed, r.Err, r.Why)
			}
		}
	}
	do("lay", "waste", "lay", "waste", "fill", "waste", "waste")
	f.expect("Alia.inside", "[7, 0, 7, 1]")
	do("lay", "waste", "fill", "waste", "shed", "waste")
	f.expect("Alia.inside", "[7, 1, 1, 7, 2]", "sum x in heap of x.points", "3")
	if n := len(f.m.State().Arena); n > 20 {
		t.Errorf("%d words are kept", n)
	}
}

// Lists are equal if their elements are, wherever they are stored; the things in them are compared by identity.
func TestListsAreCompared(t *testing.T) {
	f := newFight(t, `
kind part { points: number }
kind creature { marks: list of number = [1, 2] ; parts: list of part ; kept: list of number or none = none }
creature thing { }
define creature.pair = [length(marks), 7]
define creature.others = each x in marks where x > 1
action gather { let made = part(points: 3) ; set parts to [made] ; set kept to [2] }
`, compile.Options{}).place("Alia:thing", "Bron:thing")
	yes := func(cond string, holds bool) {
		t.Helper()
		f.expect("if "+cond+" then 1 else 0", map[bool]string{true: "1", false: "0"}[holds])
	}
	yes("Alia.marks = [1, 2]", true)
	yes("Alia.marks = Bron.marks", true)
	yes("Alia.marks = [2, 1]", false)
	yes("Alia.marks != [2, 1]", true)
	yes("Alia.marks = [1, 2, 3]", false)
	yes("Alia.pair = [2, 7]", true)
	yes("Alia.others = [2]", true)
	yes("Alia.others + [] = [2]", true)
	yes("Alia.others != [2]", false)
	yes("Alia.marks - [1, 2] = []", true)
	yes("Alia.kept = [2]", false)
	yes("[Alia, Bron] = creatures", true)
	yes("[[1, 2], [3]] = [Alia.marks, [3]]", true)
	yes("[[1, 2], [3]] = [[1, 2], [4]]", false)
	yes("[2, 7] in [[1, 2], Alia.pair]", true)
	yes("[7, 2] in [[1, 2], Alia.pair]", false)
	yes("distinct([[1, 2], Alia.marks, [3]]) = [[1, 2], [3]]", true)
	yes("[[1, 2], [3]] - [Alia.marks] = [[3]]", true)
	f.must("Alia: gather; Bron: gather")
	yes("Alia.kept = [2]", true)
	yes("Alia.kept = Bron.kept", true)
	yes("Alia.parts = Alia.parts", true)
	yes("Alia.parts = Bron.parts", false)
	yes("not (Alia.parts = [])", true)
}

// Lists of any length are sorted by their keys, and the sort is stable.
func TestSort(t *testing.T) {
	m := newFight(t, "creature thing { }", compile.Options{}).m
	r := rand.New(rand.NewPCG(3, 3))
	for n := range 80 {
		values, keys := make([]int64, n), make([]int64, n)
		for i := range values {
			values[i], keys[i] = int64(i), []int64{math.MinInt64, -1, 0, 1, 2, math.MaxInt64}[r.IntN(6)]
		}
		for _, descending := range []bool{false, true} {
			want := slices.Clone(values)
			slices.SortStableFunc(want, func(a, b int64) int {
				if descending {
					return cmp.Compare(keys[b], keys[a])
				}
				return cmp.Compare(keys[a], keys[b])
			})
			if got := m.Sorted(values, keys, descending); !slices.Equal(got, want) {
				t.Fatalf("%d by %d: %d, want %d", values, keys, got, want)
			}
		}
	}
}
