package sensitivity

import (
	"math"
	"math/rand/v2"
	"testing"
)

// chances plays fights that are won with a known chance for each change; the luck of a fight is the same for all.
func chances(seed uint64, asWritten float64, changed []float64) Play {
	return func(change int, from, fights uint64) ([]int64, error) {
		share := asWritten
		if change != AsWritten {
			share = changed[change]
		}
		if share < 0 { // cannot be played
			return nil, nil
		}
		var list []int64
		for n := from; n < from+fights; n++ {
			v := int64(0)
			if rand.New(rand.NewPCG(seed, n)).Float64() < share {
				v = 1
			}
			list = append(list, v)
		}
		return list, nil
	}
}

func never() bool { return false }

// The strong change is the first, the weak ones come after it, and those that do nothing are not measured.
func TestPlanted(t *testing.T) {
	changed := []float64{0.5, 0.55, 0.2, 0.85, 0.5, -1, 0.45, 0.5}
	o := Options{Group: []int{0, 1, 2, 2, 3, 4, 5, 5}, Screen: 60, Fights: 600, Keep: 4, Share: true, Stop: never}
	r, err := Find(o, chances(1, 0.5, changed))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Effects) < 4 || r.Effects[0].Change != 2 || r.Effects[1].Change != 3 || !r.Effects[0].Significant || !r.Effects[1].Significant {
		t.Errorf("%+v", r.Effects)
	}
	for _, e := range r.Effects {
		if want := changed[e.Change] - 0.5; e.Low > want || e.High < want {
			t.Errorf("change %d: %v to %v, and it is %v", e.Change, e.Low, e.High, want)
		}
	}
	if len(r.Unplayable) != 1 || r.Unplayable[0] != 5 || r.Screened != 5 || r.Without != 2 {
		t.Errorf("%+v", r)
	}
}

// Where nothing has an effect, hardly ever anything is called significant.
func TestNothing(t *testing.T) {
	const repetitions = 200
	r := rand.New(rand.NewPCG(3, 3))
	wrong := 0
	for range repetitions {
		o := Options{Group: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, Screen: 40, Fights: 200, Keep: 10, Share: true, Stop: never}
		x, err := Find(o, func(_ int, _, fights uint64) (list []int64, err error) {
			for range fights {
				list = append(list, int64(r.IntN(2)))
			}
			return list, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range x.Effects {
			if e.Significant {
				wrong++
				break
			}
		}
	}
	if most := repetitions*0.05 + 3*math.Sqrt(repetitions*0.05*0.95); float64(wrong) > most {
		t.Errorf("something is significant in %d of %d", wrong, repetitions)
	}
}

// The intervals of changes and of interactions hold what is true in at least 95 % of all cases, within what chance allows,
// also where few fights differ.
func TestIntervalsHold(t *testing.T) {
	const repetitions, fights = 1000, 200
	r := rand.New(rand.NewPCG(6, 7))
	for _, x := range []struct {
		name        string
		first, then float64 // chances without and with a change; of two together, both in a tenth of the cases
		size        int64   // what they move the figure by; 0: it is a share
	}{
		{"share", 0.5, 0.6, 0}, {"share, of which few turn", 0.98, 0.995, 0}, {"mean", 0.3, 0.5, 4}, {"mean, of which few differ", 0.02, 0.03, 9},
	} {
		held, both := 0, 0
		for range repetitions {
			var lists [4][]int64 // neither, a, b, both
			for range fights {
				luck, size := r.Float64(), max(1, x.size)
				if x.size > 0 {
					size += r.Int64N(3) - 1
				}
				value := func(share float64) int64 {
					if luck < share {
						return size
					}
					return 0
				}
				third := (x.first + x.then) / 2
				extra := int64(0) // beyond what the two do by themselves
				if x.size > 0 && r.Float64() < 0.03 {
					extra = size
				}
				for i, v := range []int64{value(x.first), value(x.then), value(third), value(x.then) + value(third) - value(x.first) + extra} {
					lists[i] = append(lists[i], v)
				}
			}
			mean := float64(max(1, x.size))
			if e := EffectOf(lists[0], lists[1], x.size == 0); e.Low <= mean*(x.then-x.first) && mean*(x.then-x.first) <= e.High {
				held++
			}
			if e := Interaction(lists[0], lists[1], lists[2], lists[3]); x.size == 0 || e.Low <= 0.03*mean && 0.03*mean <= e.High {
				both++
			}
		}
		t.Logf("%s: %.1f %% of intervals hold, of interactions %.1f %%", x.name, float64(held)/repetitions*100, float64(both)/repetitions*100)
		if least := int(repetitions*0.95 - 3*math.Sqrt(repetitions*0.95*0.05)); held < least || both < least {
			t.Errorf("%s: %d and %d of %d", x.name, held, both, repetitions)
		}
	}
}

// What two do only together is an interaction, and what each does by itself is none.
func TestInteraction(t *testing.T) {
	none, a, b, both, sum := []int64{}, []int64{}, []int64{}, []int64{}, []int64{}
	r := rand.New(rand.NewPCG(5, 5))
	for range 500 {
		luck := r.Int64N(20)
		none, a, b, both, sum = append(none, luck), append(a, luck+1), append(b, luck+2), append(both, luck+8+r.Int64N(3)), append(sum, luck+3)
	}
	if e := Interaction(none, a, b, both); math.Abs(e.By-6) > 0.2 || e.Low > 6 || e.High < 6 || e.PValue > 1e-6 {
		t.Errorf("%+v", e)
	}
	if e := Interaction(none, a, b, sum); e.By != 0 || e.PValue != 1 || e.Different != 0 {
		t.Errorf("%+v", e)
	}
}
