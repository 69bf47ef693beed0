package machine_test

import (
	"testing"

	"arbiter/interp/compile"
)

const timely = `
permission act
role target: creature
kind creature { place: number = 0 }
resource hp from 0 to 100 starts 100 { rule heal every 1 hour { self gains 1 hp } }
stat vigor { base: 1 }
stat pallor { base: 0 }
condition weak { -1 to vigor }
condition slow { lasts for 2 rounds ; +0 to vigor }
condition sick of grade: number { -grade to vigor ; +grade to pallor }
effect poison { rule bite every 1 round { self loses 10 hp } }
effect aimed { +2 to vigor }
condition tired while pallor >= 2 { includes weak }
creature fighter { }
action hit target { step land { target loses 1 hp } }
rule order at start of fight { for each c in creatures { c acts at c.place } }
procedure mark-end target { step m { target gains aimed until end of turn of self } }
procedure mark-next target { step m { target gains aimed until end of next turn of self } }
procedure mark-start target { step m { target gains aimed until start of turn of self } }
procedure mark-hit target { step m { target gains aimed until after hit by target } }
procedure mark-while target { step m { let least = 95 ; target gains aimed while target.hp >= least } }
`

func duelOf(t *testing.T) *fight {
	f := newFight(t, timely, compile.Options{}).place("Alia:fighter", "Bron:fighter")
	return f.must("set Alia.place to 10; set Bron.place to 5")
}

func (f *fight) next(turns int) *fight {
	f.t.Helper()
	for range turns {
		f.done(f.m.NextTurn())
	}
	return f
}

func TestDurations(t *testing.T) {
	t.Run("rounds end just before the same place", func(t *testing.T) {
		f := duelOf(t)
		f.done(f.m.BeginFight()).must("Bron gains weak for 1 round").expect("Bron is weak", "yes")
		f.next(1).expect("Bron is weak", "yes").next(1).expect("Bron is weak", "no", "current-round", "2")
		f.must("Bron gains slow").next(3).expect("Bron is slow", "yes").next(1).expect("Bron is slow", "no")
	})
	t.Run("outside a fight by the clock", func(t *testing.T) {
		f := duelOf(t).must("Bron gains weak for 2 rounds; Alia gains weak for 1 minute")
		f.done(f.m.Pass(11)).expect("Bron is weak", "yes").done(f.m.Pass(1)).expect("Bron is weak", "no", "Alia is weak", "yes")
		f.done(f.m.Pass(48)).expect("Alia is weak", "no")
	})
	t.Run("a fight that ends leaves the clock", func(t *testing.T) {
		f := duelOf(t)
		f.done(f.m.BeginFight()).must("Bron gains weak for 3 rounds").next(2).done(f.m.EndFight()).expect("Bron is weak", "yes")
		f.done(f.m.Pass(11)).expect("Bron is weak", "yes").done(f.m.Pass(1)).expect("Bron is weak", "no")
	})
	t.Run("a turn that does not come any more is one round", func(t *testing.T) {
		f := duelOf(t)
		f.done(f.m.BeginFight()).must("Alia: mark-end Bron; Alia: mark-hit Alia").done(f.m.EndFight()).expect("Bron has aimed", "yes")
		f.done(f.m.Pass(5)).expect("Bron has aimed", "yes").done(f.m.Pass(1)).expect("Bron has aimed", "no")
		f.done(f.m.Pass(60)).expect("Alia has aimed", "yes") // it waits for an attack
	})
	t.Run("nor does that of a creature that has left", func(t *testing.T) {
		f := duelOf(t).place("Cy:fighter")
		f.done(f.m.BeginFight()).must("Alia: mark-next Bron; Bron: mark-next Cy; Bron: mark-hit Cy").done(f.m.Leave(0))
		f.next(1).expect("Bron has aimed", "yes", "current-round", "1").next(2).expect("Bron has aimed", "no", "current-round", "2")
		f.expect("Cy has aimed", "yes")
	})
	t.Run("the longer of two stays, other parameters stand beside", func(t *testing.T) {
		f := duelOf(t).must("Bron gains weak for 2 rounds; Bron gains weak for 1 round; Bron gains weak for 3 rounds").expect("Bron.vigor", "0")
		f.done(f.m.Pass(17)).expect("Bron is weak", "yes").done(f.m.Pass(1)).expect("Bron is weak", "no")
		f.must("Bron gains sick of 1; Bron gains sick of 2; Bron gains sick of 1").expect("Bron.vigor", "-3", "Bron is sick of 2", "yes", "Bron is sick of 3", "no")
		f.must("Bron gains weak; Bron gains weak for 1 round").done(f.m.Pass(60)).expect("Bron is weak", "yes")
	})
	t.Run("until", func(t *testing.T) {
		f := duelOf(t)
		f.done(f.m.BeginFight()).must("Alia: mark-end Bron").expect("Bron has aimed", "yes").next(1).expect("Bron has aimed", "no")
		f.next(1).must("Alia: mark-next Bron").next(1).expect("Bron has aimed", "yes").next(1).expect("Bron has aimed", "yes")
		f.next(1).expect("Bron has aimed", "no").next(1)
		f.must("Alia: mark-start Bron").next(1).expect("Bron has aimed", "yes").next(1).expect("Bron has aimed", "no")
		f.must("Alia: mark-hit Bron; Alia: hit Bron").expect("Bron has aimed", "yes").must("Bron: hit Alia").expect("Bron has aimed", "no")
	})
	t.Run("while", func(t *testing.T) {
		f := duelOf(t).must("Alia: mark-while Bron").expect("Bron has aimed", "yes")
		f.must("Bron loses 5 hp").expect("Bron has aimed", "yes").must("Bron loses 1 hp").expect("Bron has aimed", "no")
		// A duration of a script may depend on a field that no rule reads.
		f.must("Bron gains aimed while Bron.place = 5").expect("Bron has aimed", "yes")
		f.must("set Bron.place to 6").expect("Bron has aimed", "no")
	})
	t.Run("derived and included", func(t *testing.T) {
		f := duelOf(t).must("Bron gains sick of 2").expect("Bron is tired", "yes", "Bron is weak", "yes", "Bron.vigor", "-2")
		f.must("Bron loses sick").expect("Bron is tired", "no", "Bron is weak", "no", "Bron.vigor", "1")
	})
	t.Run("every", func(t *testing.T) {
		f := duelOf(t).must("Bron gains poison for 3 rounds")
		f.done(f.m.Pass(6)).expect("Bron.hp", "90").done(f.m.Pass(5)).expect("Bron.hp", "90").done(f.m.Pass(60)).expect("Bron.hp", "70")
		f.done(f.m.Pass(3600)).expect("Bron.hp", "71", "Alia.hp", "100")
		f.done(f.m.BeginFight()).must("Bron gains poison").next(1).expect("Bron.hp", "71").next(1).expect("Bron.hp", "61").next(2).expect("Bron.hp", "51")
	})
}

// Rules for a turn that is put off: until a place in the order, or until its creature resumes it. They are not from a
// rule book.
const idle = timely + `
kind creature { begun, done: number = 0 }
rule begins at start of turn { set begun to begun + 1 }
rule ends at end of turn { set done to done + 1 }
effect idling
effect going-on { lasts until end of turn }
define creature.waits = self has idling
define creature.resumes = self has going-on
procedure turn-delayed to place: number { step m { self gains going-on ; self acts at place } }
procedure wait { step m { self gains idling } }
procedure come-in { step m { self loses idling ; self gains going-on ; self acts at 1 } }
`

// A turn that is put off begins once and ends once.
func TestPutOff(t *testing.T) {
	begin := func(t *testing.T) *fight {
		f := newFight(t, idle, compile.Options{}).place("Alia:fighter", "Bron:fighter")
		f.must("set Alia.place to 10; set Bron.place to 5")
		return f.done(f.m.BeginFight()).expect("Alia.begun", "1", "Alia.done", "0")
	}
	turnOf := func(f *fight, who int32) {
		t.Helper()
		if got := f.m.State().Order.Current(); got != who {
			t.Errorf("turn of %d, want %d", got, who)
		}
	}
	t.Run("to a place", func(t *testing.T) {
		f := begin(t).must("Alia: turn-delayed to 8").next(1)
		turnOf(f, 0)
		f.must("Alia: turn-delayed to 1").next(1).expect("Alia.done", "0").next(1).expect("Bron.done", "1")
		turnOf(f, 0)
		f.expect("Alia.begun", "1", "Alia.done", "0").next(1).expect("Alia.done", "1", "Bron.begun", "2")
	})
	t.Run("until taken up", func(t *testing.T) {
		f := begin(t).must("Alia: wait").next(1).must("Alia: come-in").next(1)
		turnOf(f, 0)
		f.expect("Alia.begun", "1", "Alia.done", "0").next(1).expect("Alia.done", "1")
	})
	t.Run("never taken up", func(t *testing.T) {
		f := begin(t).must("Alia: wait").next(1).expect("Alia.done", "0").next(1)
		turnOf(f, 0)
		f.expect("Alia.begun", "2", "Alia.done", "1").must("Alia loses idling").next(1).expect("Alia.done", "2")
	})
	t.Run("to a place that another takes away", func(t *testing.T) {
		f := begin(t).must("Alia: turn-delayed to 1").next(1).must("Alia loses going-on; Alia acts at 20").next(1)
		turnOf(f, 0)
		f.expect("Alia.begun", "2", "Alia.done", "1")
	})
}
