package modifier

import (
	"math"
	"math/big"
	"math/rand"
	"testing"

	"pgregory.net/rapid"
)

// The bonus types of the tests.
const (
	armor        = iota // highest
	dodge               // stacks
	circumstance        // stacks by source
)

var laws = []Law{armor: Highest, dodge: Stacks, circumstance: StacksBySource}

func term(n int16, v int64, typ int16) Entry { return Entry{Value: v, Type: typ, Term: n} }
func mod(v int64, typ int16) Entry           { return Entry{Value: v, Type: typ, Term: NoTerm} }
func from(source int32, e Entry) Entry       { e.Source = source; return e }
func op(o Op, v int64) Entry                 { return Entry{Value: v, Type: Untyped, Term: NoTerm, Op: o} }
func times(num int64, den int32) Entry {
	return Entry{Value: num, Den: den, Type: Untyped, Term: NoTerm, Op: Times}
}

var cases = []struct {
	name          string
	entries       []Entry
	lost, without Loss
	want          int64
	reasons       []Reason // nil: all counted
}{
	{name: "nothing"},
	{name: "terms add", entries: []Entry{term(0, 10, Untyped), term(1, 3, Untyped)}, want: 13},
	{
		name:    "highest of a type",
		entries: []Entry{term(0, 10, Untyped), term(1, 4, armor), mod(6, armor), mod(5, armor)},
		want:    16, reasons: []Reason{Counted, Outdone, Counted, Outdone},
	},
	{
		name:    "of equal bonuses the first",
		entries: []Entry{mod(2, armor), mod(2, armor)},
		want:    2, reasons: []Reason{Counted, Outdone},
	},
	{
		name:    "penalties always add",
		entries: []Entry{mod(4, armor), mod(-1, armor), mod(-2, armor)},
		want:    1,
	},
	{name: "a zero adds", entries: []Entry{mod(0, armor), mod(2, armor)}, want: 2},
	{name: "stacks", entries: []Entry{mod(1, dodge), mod(1, dodge)}, want: 2},
	{
		name:    "stacks by source",
		entries: []Entry{from(1, mod(2, circumstance)), from(2, mod(2, circumstance)), from(1, mod(3, circumstance)), from(2, mod(2, circumstance))},
		want:    5, reasons: []Reason{SameSource, Counted, Counted, SameSource},
	},
	{name: "beyond the laws", entries: []Entry{mod(1, 9), mod(2, 9), mod(3, 900)}, want: 6},
	{
		name:    "lost bonus, kept penalty",
		entries: []Entry{term(0, 10, Untyped), term(1, 3, Untyped), term(2, -1, Untyped), mod(2, dodge), mod(-2, dodge)},
		lost:    Loss{Types: 1 << dodge, Terms: 1<<1 | 1<<2},
		want:    7, reasons: []Reason{Counted, Lost, Counted, Lost, Counted},
	},
	{
		name:    "a lost bonus outdoes none",
		entries: []Entry{term(0, 5, armor), mod(3, armor)},
		lost:    Loss{Terms: 1},
		want:    3, reasons: []Reason{Lost, Counted},
	},
	{
		name:    "left out altogether",
		entries: []Entry{term(0, 10, Untyped), mod(4, armor), mod(-1, armor), term(1, -2, Untyped)},
		without: Loss{Types: 1 << armor, Terms: 1 << 1},
		want:    10, reasons: []Reason{Counted, Without, Without, Without},
	},
	{
		name:    "terms and types beyond the masks",
		entries: []Entry{{Value: 1, Type: Untyped, Term: 64}, {Value: 2, Type: 64, Term: NoTerm}},
		lost:    Loss{math.MaxUint64, math.MaxUint64}, without: Loss{math.MaxUint64, math.MaxUint64},
		want: 3,
	},
	{
		name:    "the base replaced",
		entries: []Entry{term(0, 10, Untyped), term(1, 8, armor), mod(4, armor), op(Becomes, 7), op(Becomes, 5)},
		want:    9, reasons: []Reason{Replaced, Replaced, Counted, Outdone, Counted},
	},
	{
		name:    "a replaced term outdoes none of its source",
		entries: []Entry{from(1, term(0, 9, circumstance)), from(1, mod(2, circumstance)), op(Becomes, 0)},
		want:    2, reasons: []Reason{Replaced, Counted, Counted},
	},
	{name: "doubled", entries: []Entry{term(0, 7, Untyped), times(2, 0)}, want: 14},
	{name: "two doublings triple", entries: []Entry{term(0, 7, Untyped), times(2, 1), times(2, 1)}, want: 21},
	{name: "half rounds down", entries: []Entry{term(0, 7, Untyped), times(1, 2)}, want: 3},
	{name: "half of less than nothing", entries: []Entry{term(0, -7, Untyped), times(1, 2)}, want: -4},
	{name: "half again and double", entries: []Entry{term(0, 10, Untyped), times(3, 2), times(2, 1)}, want: 25},
	{name: "three thirds off", entries: []Entry{term(0, 9, Untyped), times(2, 3), times(2, 3), times(2, 3)}, want: 2},
	{name: "two halvings quarter", entries: []Entry{term(0, 30, Untyped), times(1, 2), times(1, 2)}, want: 7},
	{name: "doubled and halved", entries: []Entry{term(0, 30, Untyped), times(2, 1), times(2, 1), times(1, 2)}, want: 45},
	{name: "never below nothing", entries: []Entry{term(0, 9, Untyped), times(0, 1), times(0, 1)}, want: 0},
	{name: "modifiers are multiplied too", entries: []Entry{term(0, 10, Untyped), mod(2, armor), times(2, 1)}, want: 24},
	{
		name:    "floor",
		entries: []Entry{term(0, 3, Untyped), op(Floor, 5), op(Floor, 4)},
		want:    5, reasons: []Reason{Counted, Counted, Outdone},
	},
	{
		name:    "idle floor",
		entries: []Entry{term(0, 9, Untyped), op(Floor, 5)},
		want:    9, reasons: []Reason{Counted, Idle},
	},
	{
		name:    "the ceiling has the last word",
		entries: []Entry{term(0, 3, Untyped), op(Ceiling, 4), op(Floor, 5), op(Ceiling, 7)},
		want:    4, reasons: []Reason{Counted, Counted, Counted, Outdone},
	},
	{
		name:    "idle ceiling",
		entries: []Entry{term(0, 3, Untyped), op(Ceiling, 3)},
		want:    3, reasons: []Reason{Counted, Idle},
	},
	{
		name:    "out of bounds",
		entries: []Entry{term(0, math.MaxInt64, Untyped), mod(math.MaxInt64, dodge), times(math.MaxInt64, 1)},
		want:    math.MaxInt64,
	},
	{
		name:    "far below",
		entries: []Entry{term(0, math.MinInt64, Untyped), times(math.MaxInt64, 1)},
		want:    math.MinInt64,
	},
}

func TestTotal(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := Total(laws, c.entries, c.lost, c.without); got != c.want {
				t.Errorf("Total = %d, want %d", got, c.want)
			}
			verdicts := make([]Verdict, len(c.entries))
			if got := Explain(laws, c.entries, c.lost, c.without, verdicts); got != c.want {
				t.Errorf("Explain = %d, want %d", got, c.want)
			}
			for i, v := range verdicts {
				want := Counted
				if c.reasons != nil {
					want = c.reasons[i]
				}
				if v.Reason != want || v.Counted != (want == Counted) {
					t.Errorf("entry %d: %v (%+v), want %v", i, v.Reason, v, want)
				}
				if named := v.Reason == Replaced || v.Reason == Outdone || v.Reason == SameSource; named != (v.By >= 0) {
					t.Errorf("entry %d: %v by %d", i, v.Reason, v.By)
				}
			}
		})
	}
}

// TestExactBeyondInt64: many coprime denominators exceed 64 bits and stay exact.
func TestExactBeyondInt64(t *testing.T) {
	primes := []int32{2147483647, 2147483629, 2147483587, 2147483579, 2147483563}
	entries := []Entry{term(0, 1<<39, Untyped)}
	want := big.NewRat(1, 1)
	for _, p := range primes {
		entries = append(entries, times(int64(p)+1, p))
		want.Add(want, big.NewRat(1, int64(p)))
	}
	want.Mul(want, big.NewRat(1<<39, 1))
	floor := new(big.Int).Div(want.Num(), want.Denom()).Int64()
	if got := Total(laws, entries, Loss{}, Loss{}); got != floor {
		t.Errorf("Total = %d, want %d", got, floor)
	}
}

var anyEntry = rapid.Custom(func(t *rapid.T) Entry {
	e := Entry{
		Value:  rapid.Int64Range(-6, 9).Draw(t, "value"),
		Den:    rapid.Int32Range(-1, 4).Draw(t, "den"),
		Source: rapid.Int32Range(0, 2).Draw(t, "source"),
		Type:   rapid.Int16Range(-1, 3).Draw(t, "type"),
		Term:   NoTerm,
		Op:     Op(rapid.SampledFrom([]int{0, 0, 0, 0, 1, 2, 3, 4}).Draw(t, "op")),
	}
	if e.Op == Add {
		e.Term = rapid.Int16Range(-1, 4).Draw(t, "term")
	}
	return e
})

var anyLoss = rapid.Custom(func(t *rapid.T) Loss {
	return Loss{
		Types: rapid.Uint64Range(0, 15).Draw(t, "types") & rapid.Uint64Range(0, 15).Draw(t, "and types"),
		Terms: rapid.Uint64Range(0, 31).Draw(t, "terms") & rapid.Uint64Range(0, 31).Draw(t, "and terms"),
	}
})

func TestOrderMakesNoDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := rapid.SliceOfN(anyEntry, 0, 12).Draw(t, "entries")
		lost, without := anyLoss.Draw(t, "lost"), anyLoss.Draw(t, "without")
		want := Total(laws, entries, lost, without)
		shuffled := append([]Entry(nil), entries...)
		rand.New(rand.NewSource(rapid.Int64().Draw(t, "shuffle"))).Shuffle(len(shuffled), func(i, j int) {
			shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
		})
		if got := Total(laws, shuffled, lost, without); got != want {
			t.Fatalf("in another order %d, want %d", got, want)
		}
	})
}

// TestExplainAgrees: Explain returns the same total as Total, and its verdicts alone give that total again.
func TestExplainAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := rapid.SliceOfN(anyEntry, 0, 12).Draw(t, "entries")
		lost, without := anyLoss.Draw(t, "lost"), anyLoss.Draw(t, "without")
		want := Total(laws, entries, lost, without)
		verdicts := make([]Verdict, len(entries))
		if got := Explain(laws, entries, lost, without, verdicts); got != want {
			t.Fatalf("Explain %d, Total %d", got, want)
		}
		if got := retell(entries, verdicts); got != want {
			t.Fatalf("the verdicts come to %d, Total %d: %+v", got, want, verdicts)
		}
	})
}

// retell computes the total from the entries that the verdicts count.
func retell(entries []Entry, verdicts []Verdict) int64 {
	sum, m, below := new(big.Rat), big.NewRat(1, 1), big.NewRat(1, 1)
	for i, e := range entries {
		if verdicts[i].Counted {
			switch e.Op {
			case Add, Becomes:
				sum.Add(sum, big.NewRat(e.Value, 1))
			case Times:
				f := big.NewRat(e.Value, int64(max(e.Den, 1)))
				switch {
				case f.Sign() < 0:
					below.SetInt64(0)
				case f.Cmp(big.NewRat(1, 1)) < 0:
					below.Mul(below, f)
				default:
					m.Add(m, f)
					m.Sub(m, big.NewRat(1, 1))
				}
			}
		}
	}
	sum.Mul(sum, m)
	sum.Mul(sum, below)
	total := new(big.Int).Div(sum.Num(), sum.Denom()).Int64()
	for _, o := range []Op{Floor, Ceiling} {
		for i, e := range entries {
			if verdicts[i].Counted && e.Op == o {
				total = e.Value
			}
		}
	}
	return total
}

// load returns a full set of entries: more than the heaviest stat of a fight has.
func load() []Entry {
	entries := []Entry{term(0, 10, Untyped), term(1, 3, Untyped), term(2, 8, armor)}
	for i := len(entries); i < 62; i++ {
		entries = append(entries, from(int32(i%7), mod(int64(i%5)-1, int16(i%4)-1)))
	}
	return append(entries, times(3, 2), op(Floor, 1))
}

func TestTotalAllocatesNothing(t *testing.T) {
	entries := load()
	verdicts := make([]Verdict, len(entries))
	if n := testing.AllocsPerRun(100, func() { Total(laws, entries, Loss{}, Loss{Types: 1}) }); n != 0 {
		t.Errorf("Total allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { Explain(laws, entries, Loss{}, Loss{Types: 1}, verdicts) }); n != 0 {
		t.Errorf("Explain allocates %v times", n)
	}
}

func BenchmarkTotal(b *testing.B) {
	entries := load()
	for _, size := range []struct {
		name string
		n    int
	}{{"8", 8}, {"64", 64}} {
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				Total(laws, entries[:size.n], Loss{}, Loss{})
			}
		})
	}
}
