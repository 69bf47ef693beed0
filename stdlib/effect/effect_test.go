package effect

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"arbiter/stdlib/clock"
)

func ids(list []Instance) []int32 {
	got := []int32{}
	for i := range list {
		got = append(got, list[i].ID)
	}
	return got
}

func TestSet(t *testing.T) {
	s := new(Set)
	for _, e := range []Instance{
		{Bearer: 2, Def: 10}, {Bearer: 1, Def: 10}, {Bearer: Field, Def: 30}, {Bearer: 2, Def: 20}, {Bearer: 2, Def: 10},
	} {
		s.Add(e)
	}
	for bearer, want := range map[int32]string{2: "[1 4 5]", 1: "[2]", Field: "[3]", 0: "[]", math.MaxInt32: "[]", math.MinInt32: "[]"} {
		if got := fmt.Sprint(ids(s.OfBearer(bearer))); got != want {
			t.Errorf("%d bears %s, want %s", bearer, got, want)
		}
	}
	if got := s.Find(2, 10); got == nil || got.ID != 1 {
		t.Errorf("Find = %+v", got)
	}
	if got := s.Find(1, 20); got != nil {
		t.Errorf("Find = %+v, want none", got)
	}
	if !s.Remove(1) || s.Remove(1) || s.ByID(1) != nil || s.Len() != 4 {
		t.Error("1 is not gone once and for all")
	}
	if got := s.ByID(5); got == nil || got.Bearer != 2 {
		t.Errorf("ByID = %+v", got)
	}
	s.ByID(5).Vals[7] = 8
	if got := s.Find(2, 10); got.Vals[7] != 8 {
		t.Error("memory is not kept")
	}
	if id := s.Add(Instance{}); id != 6 {
		t.Errorf("the next ID is %d, want 6", id)
	}
	if s.After(2, math.MaxInt32) != nil {
		t.Error("something came after the last ID")
	}
}

func TestWalkWhileChanging(t *testing.T) {
	s := new(Set)
	for range 4 {
		s.Add(Instance{Bearer: 1})
		s.Add(Instance{Bearer: 2})
	}
	var got []int32
	for e := s.After(1, 0); e != nil; {
		id := e.ID
		got = append(got, id)
		switch id {
		case 1:
			s.Remove(1)
			s.Remove(3)
		case 5:
			s.Add(Instance{Bearer: 1})
			s.Add(Instance{Bearer: 0})
		}
		e = s.After(1, id)
	}
	if want := []int32{1, 5, 7, 9}; !slices.Equal(got, want) {
		t.Errorf("walked %v, want %v", got, want)
	}
}

func TestDueAt(t *testing.T) {
	order := new(clock.Order)
	order.Put(1, 18)
	order.Put(2, 12)
	for range 2 {
		order.Advance()
	}
	s := new(Set)
	s.Add(Instance{Bearer: 9, Until: Until{Ending: AtTime, Time: 100}})
	s.Add(Instance{Bearer: 8, Until: Until{Ending: AtCount, Count: order.Expiry(1)}})
	s.Add(Instance{Bearer: 7, Until: Until{Ending: AtTime | AtCount, Time: 60, Count: order.Expiry(5)}})
	s.Add(Instance{Bearer: 6, Def: 1})
	due := func(now clock.Time, order *clock.Order) (got []int32) {
		c := new(Set)
		c.CopyFrom(s)
		for e := c.DueAt(now, order); e != nil; e = c.DueAt(now, order) {
			got = append(got, e.ID)
			c.Remove(e.ID)
		}
		return got
	}
	expect := func(now clock.Time, o *clock.Order, want ...int32) {
		t.Helper()
		if got := due(now, o); !slices.Equal(got, want) {
			t.Errorf("at %d due %v, want %v", now, got, want)
		}
	}
	expect(0, order)
	expect(59, nil)
	expect(60, nil, 3)
	expect(100, order, 1, 3)
	for order.Advance() != (clock.Event{Moment: clock.StartTurn, Who: 1, Round: 2}) {
	}
	expect(0, order, 2)
	expect(1000, order, 1, 2, 3)

	// The known first end stays valid until an instance is added or ends sooner.
	first := func(now clock.Time, want int32) {
		t.Helper()
		if e := s.DueAt(now, nil); (e == nil) != (want == 0) || e != nil && e.ID != want {
			t.Errorf("at %d the first due is %v, want %d", now, e, want)
		}
	}
	first(59, 0)
	first(59, 0)
	first(60, 3)
	s.Remove(3)
	first(60, 0)
	s.ByID(1).Until.Time = 50
	s.MarkEndsChanged()
	first(60, 1)
	s.Remove(1)
	first(60, 0)
	first(60, s.Add(Instance{Bearer: 1, Until: Until{Ending: AtTime, Time: 20}}))
}

// TestSetAgainstModel: a set equals its list of instances by bearer and order of addition, whatever was added and
// removed.
func TestSetAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := new(Set)
		var model []Instance
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			if rapid.IntRange(0, 2).Draw(t, "step") > 0 {
				e := Instance{Bearer: rapid.Int32Range(-1, 3).Draw(t, "bearer"), Def: rapid.Int32Range(0, 3).Draw(t, "def")}
				e.ID = s.Add(e)
				model = append(model, e)
				continue
			}
			id := rapid.Int32Range(0, 20).Draw(t, "id")
			was := len(model)
			model = slices.DeleteFunc(model, func(e Instance) bool { return e.ID == id })
			if s.Remove(id) != (len(model) < was) {
				t.Fatalf("Remove(%d)", id)
			}
		}
		for bearer := int32(-2); bearer < 5; bearer++ {
			var want []Instance
			for _, e := range model {
				if e.Bearer == bearer {
					want = append(want, e)
				}
			}
			if got := s.OfBearer(bearer); !slices.Equal(got, want) {
				t.Fatalf("%d bears %v, want %v", bearer, ids(got), ids(want))
			}
			var walked []Instance
			for e := s.After(bearer, 0); e != nil; e = s.After(bearer, e.ID) {
				walked = append(walked, *e)
			}
			if !slices.Equal(walked, want) {
				t.Fatalf("walk of %d: %v, want %v", bearer, ids(walked), ids(want))
			}
		}
	})
}

func TestCopyAndHash(t *testing.T) {
	s := crowd()
	c := new(Set)
	c.CopyFrom(s)
	if c.ByID(3).AppendHash(1) != s.ByID(3).AppendHash(1) || !slices.Equal(list(c), list(s)) {
		t.Error("a copy differs")
	}
	c.ByID(3).Vals[7]++
	if c.ByID(3).Vals == s.ByID(3).Vals {
		t.Error("a copy shares its memory")
	}
	c.CopyFrom(s)
	c.ByID(3).Until.Count.Count[3]++
	if c.ByID(3).AppendHash(1) == s.ByID(3).AppendHash(1) {
		t.Error("the hash overlooks the expiry")
	}
}

func list(s *Set) (all []Instance) {
	for e := range s.All() {
		all = append(all, *e)
	}
	return all
}

// crowd is ten bearers with eight effects each.
func crowd() *Set {
	s := new(Set)
	for i := range int32(80) {
		s.Add(Instance{Bearer: i % 10, Def: i / 10})
	}
	return s
}

func TestHotPathsAllocateNothing(t *testing.T) {
	s, c, order := crowd(), crowd(), new(clock.Order)
	sum := int32(0)
	for name, f := range map[string]func(){
		"OfBearer": func() {
			for i := range s.OfBearer(5) {
				sum += s.OfBearer(5)[i].Def
			}
		},
		"After": func() {
			for e := s.After(5, 0); e != nil; e = s.After(5, e.ID) {
				sum += e.Def
			}
		},
		"Find":       func() { sum += s.Find(5, 7).ID },
		"DueAt":      func() { s.DueAt(0, order) },
		"CopyFrom":   func() { c.CopyFrom(s) },
		"AppendHash": func() { s.ByID(3).AppendHash(0) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

func BenchmarkOfBearer(b *testing.B) {
	s, sum := crowd(), int32(0)
	for b.Loop() {
		list := s.OfBearer(5)
		for i := range list {
			sum += list[i].Def
		}
	}
}

func BenchmarkCopyFrom(b *testing.B) {
	s, c := crowd(), crowd()
	for b.Loop() {
		c.CopyFrom(s)
	}
}
