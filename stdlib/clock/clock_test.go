package clock

import (
	"fmt"
	"math"
	"strings"
	"testing"
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
		{"a newcomer that rolls again above the turn waits", 4, func(o *Order) { o.Put(4, 12); o.Put(4, 12, 3) }, "-2 +3 -3 r1"},
		{"a newcomer that is put right acts", 4, func(o *Order) { o.Put(4, 40); o.Put(4, 9) }, "-2 +4 -4 +3 -3 r1"},
		{"a newcomer on a tie comes after", 2, func(o *Order) { o.Put(4, 12) }, "-1 +2 -2 +4"},
		{"the next one leaves", 2, func(o *Order) { o.Remove(2) }, "-1 +3 -3 r1"},
		{"one who acted leaves", 4, func(o *Order) { o.Remove(1) }, "-2 +3 -3 r1 R2 +2"},
		{"whose turn it is leaves", 4, func(o *Order) { o.Remove(2) }, "-2 +3 -3 r1 R2 +1 -1 +3"},
		{"everybody leaves", 4, func(o *Order) { o.Remove(1); o.Remove(2); o.Remove(3) }, "-2 r1 R2 r2"},
		{"one who acted is moved below the turn", 4, func(o *Order) { o.Put(1, 7) }, "-2 +3 -3 r1 R2 +2 -2 +1"},
		{"one who did not act is moved above the turn", 2, func(o *Order) { o.Put(3, 20) }, "-1 +3 -3 +2 -2 r1 R2 +3"},
		{"two who did not act are moved above the turn", 2, func(o *Order) { o.Put(3, 20); o.Put(2, 19) }, "-1 +3 -3 +2 -2 r1"},
		{"the first is moved up in its turn", 2, func(o *Order) { o.Put(1, 25) }, "-1 +2 -2 +3 -3 r1 R2 +1"},
		{"the first is moved to its own place", 2, func(o *Order) { o.Put(1, 18) }, "-1 +2 -2 +3 -3 r1 R2 +1"},
		{"the first is moved down in its turn", 2, func(o *Order) { o.Put(1, 7) }, "-1 +2 -2 +3 -3 r1 R2 +2 -2 +1"},
		{"the middle one is moved up in its turn", 4, func(o *Order) { o.Put(2, 25) }, "-2 +3 -3 r1 R2 +2 -2 +1"},
		{"the last is moved up in its turn", 6, func(o *Order) { o.Put(3, 25) }, "-3 r1 R2 +3 -3 +1"},
		{"the last is moved down in its turn", 6, func(o *Order) { o.Put(3, 1) }, "-3 r1 R2 +1"},
		{"a turn delayed", 3, func(o *Order) { o.Put(1, 7); o.SetLeft(1, true) }, "+2 -2 +1 -1 +3 -3 r1 R2 +2 -2 +1"},
		{"a turn delayed by the last", 7, func(o *Order) { o.Put(3, 1); o.SetLeft(3, true) }, "+3 -3 r1 R2 +1"},
		{"delayed after its end", 3, func(o *Order) { o.SetLeft(1, true); o.Put(1, 7) }, "+2 -2 +1 -1 +3"},
		{"left in the middle, and never taken up", 3, func(o *Order) { o.SetLeft(1, true) }, "+2 -2 +3 -3 r1 R2 +1"},
		{"delayed to the last", 3, func(o *Order) { o.Put(1, -3); o.SetLeft(1, true) }, "+2 -2 +3 -3 +1 -1 r1"},
		{"after the turn", 3, func(o *Order) { o.SetLeft(1, true); o.Put(4, 12); o.PutAfter(1, 2) }, "+2 -2 +1 -1 +4 -4 +3 -3 r1"},
		{"two after the turn", 5, func(o *Order) {
			o.SetLeft(1, true)
			o.SetLeft(2, true)
			o.PutAfter(2, 3)
			o.PutAfter(1, 3)
		}, "+3 -3 +2 -2 +1 -1 r1 R2 +3 -3 +2"},
		{"before the turn", 6, func(o *Order) { o.PutBefore(1, 3); o.PutBefore(2, 3) }, "-3 r1 R2 +1 -1 +2 -2 +3"},
		{"before itself", 2, func(o *Order) { o.PutBefore(1, 1); o.PutAfter(1, 1) }, "-1 +2 -2 +3 -3 r1 R2 +1"},
		{"after one who has no place", 2, func(o *Order) { o.PutAfter(1, 9) }, "-1 +2 -2 +3 -3 r1 R2 +1"},
		{"one who acted leaves and comes back below", 4, func(o *Order) { o.Remove(1); o.Put(1, 7) }, "-2 +3 -3 r1 R2 +2 -2 +1"},
		{"one who did not act leaves and comes back below", 2, func(o *Order) { o.Remove(2); o.Put(2, 4) }, "-1 +3 -3 +2 -2 r1"},
		{"whose turn it is leaves and comes back below", 2, func(o *Order) { o.Remove(1); o.Put(1, 4) }, "-1 +2 -2 +3 -3 r1 R2 +2"},
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
	o.PutAfter(8, 4)
	o.PutBefore(9, 3)
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

// A turn that is left in the middle is marked, even if its place changes, and the mark goes with the place.
func TestLeave(t *testing.T) {
	o := fight()
	tell(o, 2)
	o.Put(1, 7)
	o.SetLeft(1, true)
	hash := o.AppendHash(0)
	if o.Put(1, 6); o.AppendHash(0) == hash {
		t.Error("another place hashes alike")
	}
	if !o.SetLeft(1, false) || o.SetLeft(1, false) || o.SetLeft(9, true) {
		t.Error("a turn is not left once")
	}
	if o.Put(1, 7); o.AppendHash(0) == hash {
		t.Error("an order hashes like one with nothing left in the middle")
	}
	o.SetLeft(1, true)
	o.Remove(1)
	if o.Put(1, 7); o.SetLeft(1, false) {
		t.Error("the mark outlives the place")
	}
}

// A turn can be put off from when its place is moved below it until it is over.
func TestSunk(t *testing.T) {
	o := fight()
	if o.Sunk() {
		t.Error("moved down before the first round")
	}
	tell(o, 2)
	for _, c := range []struct {
		change func()
		want   bool
	}{
		{func() {}, false},
		{func() { o.Put(1, 7) }, true},
		{func() { o.Put(1, 30) }, false},
		{func() { o.PutAfter(1, 2) }, true},
		{func() { o.PutBefore(1, 2) }, true},
		{func() { o.Remove(1) }, false},
		{func() { o.Put(1, 0) }, true},
		{func() { o.Advance() }, false},
	} {
		if c.change(); o.Sunk() != c.want {
			t.Errorf("moved down: %t", !c.want)
		}
	}
}
