package clock

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// fight returns a turn order of three: 1 at 18, 2 at 12, 3 at 5.
func fight() *Order {
	o := new(Order)
	o.Put(2, 12)
	o.Put(3, 5)
	o.Put(1, 18)
	return o
}

// tell advances n times and lists the moments: R1 starts round 1, +1 starts the turn of 1, -1 ends it, r1 ends the
// round.
func tell(o *Order, n int) string {
	var b strings.Builder
	for range n {
		switch e := o.Advance(); e.Moment {
		case StartRound:
			fmt.Fprintf(&b, "R%d ", e.Round)
		case StartTurn:
			fmt.Fprintf(&b, "+%d ", e.Who)
		case EndTurn:
			fmt.Fprintf(&b, "-%d ", e.Who)
		case EndRound:
			fmt.Fprintf(&b, "r%d ", e.Round)
		}
	}
	return strings.TrimSpace(b.String())
}

func TestAdvance(t *testing.T) {
	for _, c := range []struct {
		name   string
		before int // moments that pass before the change
		change func(o *Order)
		want   string
	}{
		{"two rounds", 0, nil, "R1 +1 -1 +2 -2 +3 -3 r1 R2 +1"},
		{"nobody", 0, func(o *Order) { o.Remove(1); o.Remove(2); o.Remove(3) }, "R1 r1 R2 r2"},
		{"a newcomer below the turn", 2, func(o *Order) { o.Put(4, 10) }, "-1 +2 -2 +4 -4 +3 -3 r1"},
		{"a newcomer above the turn waits", 4, func(o *Order) { o.Put(4, 15) }, "-2 +3 -3 r1 R2 +1 -1 +4"},
		{"a newcomer on a tie comes after", 2, func(o *Order) { o.Put(4, 12) }, "-1 +2 -2 +4"},
		{"the next one leaves", 2, func(o *Order) { o.Remove(2) }, "-1 +3 -3 r1"},
		{"one who acted leaves", 4, func(o *Order) { o.Remove(1) }, "-2 +3 -3 r1 R2 +2"},
		{"whose turn it is leaves", 4, func(o *Order) { o.Remove(2) }, "-2 +3 -3 r1 R2 +1 -1 +3"},
		{"everybody leaves", 4, func(o *Order) { o.Remove(1); o.Remove(2); o.Remove(3) }, "-2 r1 R2 r2"},
		{"a turn delayed", 2, func(o *Order) { o.Put(1, 7) }, "-1 +2 -2 +1 -1 +3 -3 r1 R2 +2 -2 +1"},
		{"delayed after its end", 3, func(o *Order) { o.Put(1, 7) }, "+2 -2 +1 -1 +3"},
		{"delayed to the last", 2, func(o *Order) { o.Put(1, -3) }, "-1 +2 -2 +3 -3 +1 -1 r1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := fight()
			tell(o, c.before)
			current := o.Current()
			if c.change != nil {
				c.change(o)
			}
			if o.Current() != current {
				t.Errorf("it was the turn of %d, now of %d", current, o.Current())
			}
			if got := tell(o, len(strings.Fields(c.want))); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestTied(t *testing.T) {
	o := new(Order)
	o.Put(1, 15, 2)
	o.Put(2, 15, 3)
	o.Put(3, 15, 2)
	o.Put(4, 9, 1)
	o.Put(5, 8)
	o.Put(6, 8)
	o.Put(7, 15, 2, 0)
	var got [][]int32
	for group := range o.Tied() {
		var who []int32
		for _, e := range group {
			who = append(who, e.Who)
		}
		got = append(got, who)
	}
	if want := "[[1 3 7] [5 6]]"; fmt.Sprint(got) != want {
		t.Errorf("tied: %v, want %s", got, want)
	}
	for range o.Tied() {
		break
	}
}

func TestExpiry(t *testing.T) {
	for _, c := range []struct {
		name   string
		at     int // moments before the expiry is created
		rounds int32
		change func(o *Order)
		want   string // the moment at which it is first reached
	}{
		{"same place, next round", 4, 1, nil, "start of turn 2 round 2"},
		{"three rounds", 2, 3, nil, "start of turn 1 round 4"},
		{"its bearer is gone", 4, 1, func(o *Order) { o.Remove(2) }, "start of turn 3 round 2"},
		{"nobody stands below", 6, 1, func(o *Order) { o.Remove(3) }, "end of round -1 round 2"},
		{"before the first turn", 1, 1, nil, "start of round -1 round 2"},
		{"before the fight", 0, 1, nil, "start of round -1 round 1"},
		{"after the last turn", 8, 1, nil, "end of round -1 round 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := fight()
			tell(o, c.at)
			x := o.Expiry(c.rounds)
			if o.Reached(x) {
				t.Fatal("reached at once")
			}
			if c.change != nil {
				c.change(o)
			}
			for range 100 {
				if e := o.Advance(); o.Reached(x) {
					if got := fmt.Sprintf("%v %d round %d", e.Moment, e.Who, e.Round); got != c.want {
						t.Errorf("reached at %s, want %s", got, c.want)
					}
					return
				}
			}
			t.Error("never reached")
		})
	}
	o := fight()
	tell(o, 2)
	if x := o.Expiry(math.MaxInt32); x.Round != math.MaxInt32 || o.Reached(x) {
		t.Errorf("an expiry beyond all rounds is %+v", x)
	}
}

// TestOrderUnderChange: whatever is added and removed, the places stay sorted, each combatant has one place, and no one
// whose place is unchanged acts twice in a round.
func TestOrderUnderChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := new(Order)
		acted := map[int32]bool{}
		moved := map[int32]bool{}
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			who := rapid.Int32Range(0, 6).Draw(t, "who")
			current := o.Current()
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0:
				o.Put(who, rapid.Int64Range(0, 4).Draw(t, "key"), rapid.Int64Range(0, 1).Draw(t, "tie"))
				moved[who] = true
			case 1:
				o.Remove(who)
			default:
				e := o.Advance()
				current = o.Current()
				switch e.Moment {
				case StartRound:
					clear(acted)
					clear(moved)
				case StartTurn:
					if acted[e.Who] && !moved[e.Who] {
						t.Fatalf("%d acts twice in round %d", e.Who, e.Round)
					}
					acted[e.Who] = true
				}
			}
			if o.Current() != current {
				t.Fatalf("the turn of %d became that of %d", current, o.Current())
			}
			seen := map[int32]bool{}
			for i := range o.Len() {
				if seen[o.At(i).Who] || i > 0 && o.At(i-1).Keys.Compare(o.At(i).Keys) > 0 {
					t.Fatalf("places %+v", o.entries)
				}
				seen[o.At(i).Who] = true
			}
		}
	})
}

func TestOrderCopyAndHash(t *testing.T) {
	o := fight()
	tell(o, 4)
	c := new(Order)
	c.CopyFrom(o)
	if o.AppendHash(0) != c.AppendHash(0) {
		t.Fatal("a copy hashes differently")
	}
	if got, want := tell(c, 12), tell(o, 12); got != want {
		t.Errorf("a copy goes on %s, want %s", got, want)
	}
	hashes := map[uint64]int{}
	for i := range 40 {
		if at, twice := hashes[o.AppendHash(0)]; twice {
			t.Errorf("moments %d and %d hash alike", at, i)
		}
		hashes[o.AppendHash(0)] = i
		o.Advance()
	}
	c.Put(9, 1)
	if _, ok := o.Place(9); ok {
		t.Error("a copy shares its places")
	}
	if e, ok := c.Place(9); !ok || e.N != 1 || e.Keys[0] != 1 {
		t.Errorf("place %+v %t", e, ok)
	}
	if n := testing.AllocsPerRun(100, func() { c.CopyFrom(o); c.Advance(); c.AppendHash(0) }); n != 0 {
		t.Errorf("copy, advance and hash allocate %v times", n)
	}
}

func TestPlus(t *testing.T) {
	for _, c := range []struct{ t, d, want Time }{
		{10, Minute, 70},
		{Never, 1, Never},
		{Never - 5, 6, Never},
		{Never, Never, Never},
		{math.MinInt64, -1, math.MinInt64},
		{5, -6, -1},
	} {
		if got := c.t.Plus(c.d); got != c.want {
			t.Errorf("%d plus %d = %d, want %d", c.t, c.d, got, c.want)
		}
	}
}

// TestLeave: Due holds for turns still to come in this round; a turn can be marked as left even if its place changes.
func TestLeave(t *testing.T) {
	o := fight()
	if o.Due(1) {
		t.Error("due before the first round")
	}
	tell(o, 2)
	if o.Due(1) || !o.Due(2) || o.Due(9) {
		t.Error("whose turn it is has still to come, or the next one has not")
	}
	o.Put(1, 7)
	o.SetLeft(1, true)
	hash := o.AppendHash(0)
	o.Put(1, 6)
	if !o.Due(1) {
		t.Error("nothing is due of a turn that is delayed")
	}
	if !o.SetLeft(1, false) || o.SetLeft(1, false) || o.SetLeft(9, true) {
		t.Error("a turn is not left once")
	}
	if o.Put(1, 7); o.AppendHash(0) == hash {
		t.Error("an order hashes like one with nothing left in the middle")
	}
}

// A turn is put off from when its place is moved below it until that place comes up.
func TestPutOff(t *testing.T) {
	var o Order
	o.Put(1, 18)
	o.Put(2, 12)
	o.Advance()
	o.Advance()
	if o.Current() != 1 || o.PutOff() {
		t.Error("a turn that has begun is not put off")
	}
	o.Put(1, 7)
	if !o.PutOff() {
		t.Error("whoever comes up again in this round has put off the turn")
	}
	o.Advance()
	if o.PutOff() {
		t.Error("between turns nothing is put off")
	}
	for o.Current() != 1 {
		if o.Advance(); o.PutOff() {
			t.Error("another turn is not put off")
		}
	}
}
