package journal

import "testing"

func TestJournal(t *testing.T) {
	j := new(Journal)
	blow := j.Append(Event{Code: 7})
	hit := j.Append(Event{Cause: blow, Code: 8})
	harm := j.Append(Event{Cause: hit, A: 12})
	j.Append(Event{Cause: blow})
	if e := j.ByID(harm); e == nil || e.A != 12 || e.Cause != hit {
		t.Errorf("ByID = %+v", e)
	}
	for _, id := range []int32{None, -1, 99} {
		if e := j.ByID(id); e != nil {
			t.Errorf("event %d is %+v", id, e)
		}
	}
	for _, cause := range []int32{-3, 5, 99} {
		m := j.Mark()
		if e := j.ByID(j.Append(Event{Cause: cause})); e.Cause != None {
			t.Errorf("cause %d was kept as %d", cause, e.Cause)
		}
		j.Truncate(m)
	}
	m := j.Mark()
	if id := j.Append(Event{}); id != 5 || len(j.Since(m)) != 1 || j.Since(m)[0].ID != 5 {
		t.Errorf("event %d after the mark, %+v", id, j.Since(m))
	}
	j.Truncate(m)
	j.Truncate(99)
	j.Truncate(-1)
	if len(j.Since(0)) != 4 || j.Since(99) != nil || j.Since(-1) != nil || !j.On() {
		t.Errorf("%d events", len(j.Since(0)))
	}
}

// TestPartsAreCapped: appending to a slice returned by the journal does not overwrite the journal.
func TestPartsAreCapped(t *testing.T) {
	j := new(Journal)
	for range 5 {
		j.Append(Event{})
	}
	j.Truncate(3)
	_ = append(j.Since(0), Event{Code: 1})
	if j.Append(Event{Code: 2}); j.ByID(4).Code != 2 {
		t.Error("the journal was written to from outside")
	}
}

func TestOff(t *testing.T) {
	var j *Journal
	if n := testing.AllocsPerRun(100, func() {
		m := j.Mark()
		if j.Append(Event{Code: 1}) != None || j.On() || j.Since(0) != nil || j.ByID(1) != nil {
			t.Error("a journal that is off recorded something")
		}
		j.Truncate(m)
	}); n != 0 {
		t.Errorf("a journal that is off allocates %v times", n)
	}
}

func BenchmarkOff(b *testing.B) {
	var j *Journal
	for b.Loop() {
		j.Append(Event{Code: 1})
	}
}
