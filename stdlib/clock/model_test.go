package clock

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A model is an order that is kept in the slowest way: a list of all places as they were given, sorted anew for each
// question, with a marker for the point that the round has reached. It knows who has had a turn in this round, and
// whose turn was left in the middle.
type model struct {
	places []spot
	acted  map[int32]bool // in this round, also those without a place
	left   map[int32]bool
	fresh  map[int32]bool // those who came in this round
	late   map[int32]bool // those of them whose count had passed
}

// A spot is a place; those with the same keys stand by rank. The marker is that of nobody.
type spot struct {
	who    int32
	keys   Keys
	rank   float64
	beside bool
}

func newModel() *model {
	return &model{acted: map[int32]bool{}, left: map[int32]bool{}, fresh: map[int32]bool{}, late: map[int32]bool{}}
}

func (m *model) sorted() []spot {
	list := slices.Clone(m.places)
	slices.SortStableFunc(list, func(a, b spot) int {
		return cmp.Or(a.keys.Compare(b.keys), cmp.Compare(a.rank, b.rank))
	})
	return list
}

func (m *model) at(who int32) int {
	return slices.IndexFunc(m.sorted(), func(s spot) bool { return s.who == who })
}

func (m *model) take(who int32) {
	m.places = slices.DeleteFunc(m.places, func(s spot) bool { return s.who == who })
}

// put gives a place and decides whether it still counts in this round.
func (m *model) put(s spot) {
	was := m.at(s.who) >= 0
	m.take(s.who)
	m.places = append(m.places, s)
	below := m.at(s.who) > m.at(Nobody)
	if !was {
		m.fresh[s.who] = true
	}
	delete(m.late, s.who)
	if m.fresh[s.who] && !below {
		m.late[s.who] = true
	}
	if below && m.left[s.who] {
		delete(m.acted, s.who) // it goes on there
	}
}

func (m *model) putAt(who int32, keys Keys) {
	list := m.sorted()
	if i := m.at(who); i >= 0 && list[i].keys == keys {
		for j := range m.places {
			if m.places[j].who == who {
				m.places[j].beside = false
			}
		}
		return
	}
	last := 0.0
	for _, s := range list {
		if s.keys == keys && s.who != who {
			last = max(last, s.rank+1)
		}
	}
	m.put(spot{who: who, keys: keys, rank: last})
}

// putBeside finds the neighbors of the new place, the marker among them, and a rank between the two.
func (m *model) putBeside(who, other int32, after bool) {
	if who == other || m.at(other) < 0 {
		return
	}
	list := slices.DeleteFunc(m.sorted(), func(s spot) bool { return s.who == who })
	i := slices.IndexFunc(list, func(s spot) bool { return s.who == other })
	of := list[i]
	low, high := of.rank-1, of.rank
	if after {
		low, high = of.rank, of.rank+1
		for i++; i < len(list) && list[i].keys == of.keys; i++ {
			if !list[i].beside && list[i].who != Nobody {
				high = list[i].rank
				break
			}
			low, high = list[i].rank, list[i].rank+1
		}
	} else if i > 0 && list[i-1].keys == of.keys {
		low = list[i-1].rank
	}
	m.put(spot{who: who, keys: of.keys, rank: (low + high) / 2, beside: true})
}

// next returns whose turn comes next, or Nobody if the round is over.
func (m *model) next() int32 {
	for _, s := range m.sorted() {
		if s.who != Nobody && !m.acted[s.who] && !m.late[s.who] {
			return s.who
		}
	}
	return Nobody
}

// TestOrderAsModel compares orders with the model while places are given, changed and lost, and turns are left in the
// middle. By another count than that of the model, nobody has two turns in a round unless one was left in the middle,
// and whoever had a place all the time has one.
func TestOrderAsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, m := new(Order), newModel()
		turns := map[int32]int{} // of this round, those that were left in the middle not counted
		stays := map[int32]bool{}
		who := rapid.Int32Range(0, 5)
		log := ""
		for range rapid.IntRange(0, 80).Draw(t, "steps") {
			x, y := who.Draw(t, "who"), who.Draw(t, "other")
			current := o.Current()
			moved := func() {
				if o.Current() != current {
					t.Fatalf("the turn of %d became that of %d%s", current, o.Current(), log)
				}
			}
			switch rapid.SampledFrom([]string{"put", "beside", "own", "remove", "leave", "advance", "advance", "advance", "advance"}).Draw(t, "step") {
			case "own":
				if x = o.Current(); x == Nobody {
					continue
				}
				fallthrough
			case "put":
				keys := Keys{rapid.Int64Range(0, 3).Draw(t, "key"), rapid.Int64Range(0, 1).Draw(t, "tie")}
				log += fmt.Sprintf("\nput %d at %v", x, keys[:2])
				o.Put(x, keys[:2]...)
				m.putAt(x, keys)
				moved()
			case "beside":
				after := rapid.Bool().Draw(t, "after")
				log += fmt.Sprintf("\nput %d beside %d, after: %t", x, y, after)
				if after {
					o.PutAfter(x, y)
				} else {
					o.PutBefore(x, y)
				}
				m.putBeside(x, y, after)
				moved()
			case "remove":
				log += fmt.Sprintf("\nremove %d", x)
				if o.Remove(x) != (m.at(x) >= 0) {
					t.Fatalf("removed what was not there%s", log)
				}
				m.take(x)
				delete(m.left, x)
				delete(m.fresh, x)
				delete(m.late, x)
				delete(stays, x)
				moved()
			default: // a turn may be left in the middle at its end
				leaves := rapid.Bool().Draw(t, "leaves")
				e := o.Advance()
				log += fmt.Sprintf("\n%v of %d", e.Moment, e.Who)
				switch e.Moment {
				case StartRound:
					clear(m.acted)
					clear(m.fresh)
					clear(m.late)
					clear(turns)
					clear(stays)
					for _, s := range m.places {
						stays[s.who] = true
					}
					m.take(Nobody)
				case StartTurn:
					if want := m.next(); e.Who != want {
						t.Fatalf("turn of %d, want %d%s", e.Who, want, log)
					}
					list := m.sorted()
					at := list[m.at(e.Who)]
					m.take(Nobody)
					m.places = append(m.places, spot{who: Nobody, keys: at.keys, rank: at.rank + 1e-9, beside: true})
					m.acted[e.Who] = true
					if o.SetLeft(e.Who, false) != m.left[e.Who] {
						t.Fatalf("left: %t%s", !m.left[e.Who], log)
					}
					delete(m.left, e.Who)
					if turns[e.Who]++; turns[e.Who] > 1 {
						t.Fatalf("%d has two turns%s", e.Who, log)
					}
				case EndTurn:
					if leaves && m.at(e.Who) >= 0 {
						log += ", left in the middle"
						o.SetLeft(e.Who, true)
						m.left[e.Who] = true
						turns[e.Who]--
						if m.at(e.Who) > m.at(Nobody) {
							delete(m.acted, e.Who)
						}
					}
				case EndRound:
					if want := m.next(); want != Nobody {
						t.Fatalf("the round ends before the turn of %d%s", want, log)
					}
					for who := range stays {
						if turns[who] == 0 && !m.left[who] && who != Nobody {
							t.Fatalf("%d has no turn in round %d%s", who, e.Round, log)
						}
					}
					m.take(Nobody)
				}
			}
			list := slices.DeleteFunc(m.sorted(), func(s spot) bool { return s.who == Nobody })
			for i, s := range list {
				if e := o.At(i); o.Len() != len(list) || e.Who != s.who || e.Keys != s.keys || e.Beside != s.beside {
					t.Fatalf("places %+v, want %+v%s", o.entries, list, log)
				}
			}
		}
	})
}
