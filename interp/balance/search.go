package balance

import (
	"errors"
	"math"
	"math/bits"

	"arbiter/stdlib/estimate"
)

// This file is the search. With one value after the other, it plays until it is sure on which side of the wish the
// figure is, or that it is near enough. If the values have an order, the figure is taken to rise or to fall along it, and
// the next value is the one in the middle of those that are still possible: a search by bisection under noise, with
// tests of power one (Waeber, Frazier and Henderson, SIAM Journal on Control and Optimization 51, 2013). Most values are
// never played, and those far from the wish only a little.

// Options say how to search.
type Options struct {
	Values  int         // how many there are
	Ordered bool        // the figure rises or falls from each to the next
	Fights  uint64      // limit on all fights together
	Error   float64     // probability of a wrong verdict; 0 for DefaultError
	Stop    func() bool // ends the search early: nothing is decided then; nil: never
}

// Player plays more fights with a value, the nth of all of them first, and returns what is known from all of them. The
// nth fight has the same dice with every value. It can return ErrStopped when it was asked to stop.
type Player func(value int, n, fights uint64) (estimate.Estimate, error)

// ErrStopped is that fights were not played because the search is to end early.
var ErrStopped = errors.New("stopped")

// Standing is where a figure is, as seen from the wish.
type Standing uint8

const (
	Unknown Standing = iota // not yet clear
	Below                   // certainly below the target
	Above
	Near // certainly so near that it reaches the wish
)

// Tried is a value with which fights were played.
type Tried struct {
	Value    int
	Fights   uint64
	Estimate estimate.Estimate
	Standing Standing
	Reaches  Standing // Near: reaches the wish; Below, Above: certainly not, being on that side; else not clear
	narrow   bool     // the interval is so narrow that it is not worth while to find out
}

// Verdict is what came of the search.
type Verdict uint8

const (
	Undecided   Verdict = iota // the fights were not enough
	Reached                    // Best reaches the wish
	Between                    // none certainly reaches the wish: Low and High are neighbors on either side of it
	Unreachable                // all values are on one side of it, and none certainly reaches it
)

// Result is what the search has found.
type Result struct {
	Verdict    Verdict
	Best       int     // the value that is nearest to the wish, as far as is known; of Reached the one that reaches it
	Low, High  int     // of Between, the neighbors, by their order
	Next       int     // of a wish for at least or at most that is reached: the neighbor that does not reach it; -1 if there is none
	Alpha      float64 // probability of error with which the interval of each value was judged
	Confidence float64 // probability that the verdict is right, at least
	Tried      []Tried // in the order of the values
	Fights     uint64  // all together
	Grid       uint64  // about how many fights it takes to know every value as precisely and as surely by playing each equally often
	Monotone   bool    // the figures rise or fall as was assumed, within what chance allows
}

// defaultError is the probability of error that a search is content with.
const defaultError = 0.05

// Sizes of batches: the first, and how much more of what there is.
const (
	firstBatch = 100
	growth     = 0.3
)

// search is a search under way.
type search struct {
	Wish
	Options
	play  Player
	tried []*Tried // by value; nil: not tried
	alpha float64  // probability of error for each value that is tried
	spent uint64
}

// Search searches. The error is one of the player.
func Search(w Wish, o Options, play Player) (*Result, error) {
	if o.Error <= 0 {
		o.Error = defaultError
	}
	tests := o.Values
	if o.Ordered { // both ends, and bisection
		tests = min(tests, 2+bits.Len(uint(o.Values)))
	}
	s := &search{Wish: w, Options: o, play: play, tried: make([]*Tried, o.Values), alpha: o.Error / float64(tests)}
	find := s.tryAll
	if o.Ordered && o.Values > 1 {
		find = s.bisect
	}
	r, err := find()
	if err != nil {
		return nil, err
	}
	s.finish(r)
	return r, nil
}

// at returns what is known of a value.
func (s *search) at(value int) *Tried {
	if s.tried[value] == nil {
		s.tried[value] = &Tried{Value: value}
	}
	return s.tried[value]
}

// step plays one more batch with a value, and reports whether there were fights left to play.
func (s *search) step(t *Tried) (bool, error) {
	batch := min(max(firstBatch, uint64(growth*float64(t.Fights))), s.Options.Fights-s.spent)
	if batch == 0 || s.Stop != nil && s.Stop() {
		return false, nil
	}
	e, err := s.play(t.Value, t.Fights, batch)
	if errors.Is(err, ErrStopped) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	t.Estimate = e
	t.Fights += batch
	s.spent += batch
	s.judge(t)
	return true, nil
}

// judge says where a value stands.
func (s *search) judge(t *Tried) {
	low, high := t.Estimate.Interval(s.alpha)
	t.Standing, t.Reaches, t.narrow = Unknown, Unknown, high-low <= 2*narrowPart*s.Within
	switch {
	case low > s.Target:
		t.Standing = Above
	case high < s.Target:
		t.Standing = Below
	}
	if low >= s.Target-s.Within && high <= s.Target+s.Within {
		t.Reaches = Near
		switch {
		case t.Standing != Unknown:
		case s.Relation == About:
			t.Standing = Near
		case t.Estimate.Value() >= s.Target: // as good as certainly so
			t.Standing = Above
		default:
			t.Standing = Below
		}
	}
	switch {
	case low > s.Target+s.Within:
		t.Reaches = Above
	case high < s.Target-s.Within:
		t.Reaches = Below
	}
}

// settle plays with a value until it is known where it stands, or all fights are spent.
func (s *search) settle(value int, enough func(*Tried) bool) (*Tried, error) {
	t := s.at(value)
	for t.Estimate == nil || !enough(t) {
		if more, err := s.step(t); !more || err != nil {
			return t, err
		}
	}
	return t, nil
}

func stands(t *Tried) bool { return t.Standing != Unknown }

func decided(t *Tried) bool { return t.Reaches != Unknown || t.narrow }

// narrowPart is the half-width of an interval, as a part of what is near enough to the wish, at which it is narrow. A
// figure just at the edge of what is near enough would take fights without end.
const narrowPart = 0.6

// fulfills reports whether a standing fulfills a wish for at least or at most the target.
func (s *search) fulfills(x Standing) bool {
	return s.Relation == AtLeast && x == Above || s.Relation == AtMost && x == Below
}

// bisect searches values that have an order.
func (s *search) bisect() (*Result, error) {
	low, err := s.settle(0, stands)
	if err != nil || !stands(low) {
		return s.undecided(err)
	}
	high, err := s.settle(s.Values-1, stands)
	if err != nil || !stands(high) {
		return s.undecided(err)
	}
	switch {
	case low.Standing == Near:
		return s.reached(low), nil
	case high.Standing == Near:
		return s.reached(high), nil
	case low.Standing == high.Standing:
		return s.oneSided(low, high)
	}
	for high.Value-low.Value > 1 {
		middle, err := s.settle((low.Value+high.Value)/2, stands)
		switch {
		case err != nil || !stands(middle):
			return s.undecided(err)
		case middle.Standing == Near:
			return s.reached(middle), nil
		case middle.Standing == low.Standing:
			low = middle
		default:
			high = middle
		}
	}
	return s.neighbors(low, high)
}

// neighbors decides between two values on either side of the target.
func (s *search) neighbors(low, high *Tried) (*Result, error) {
	first, second := low, high
	if s.Relation != About {
		if s.fulfills(high.Standing) {
			first, second = high, low
		}
		r := s.reached(first)
		r.Next = second.Value
		return r, nil
	}
	if s.distance(high) < s.distance(low) {
		first, second = high, low
	}
	for _, t := range []*Tried{first, second} {
		if s.distance(t) > 2*s.Within && decided(t) {
			continue
		}
		switch t, err := s.settle(t.Value, decided); {
		case err != nil:
			return nil, err
		case t.Reaches == Near:
			return s.reached(t), nil
		case !decided(t):
			return s.undecided(nil)
		}
	}
	r := &Result{Verdict: Between, Best: first.Value, Low: low.Value, High: high.Value}
	if s.distance(second) < s.distance(first) {
		r.Best = second.Value
	}
	return r, nil
}

// oneSided is the result if the ends of ordered values are on the same side of the target. The nearer end may still be
// near enough.
func (s *search) oneSided(a, b *Tried) (*Result, error) {
	nearer, farther := a, b
	if s.distance(b) < s.distance(a) {
		nearer, farther = b, a
	}
	if s.Relation != About {
		if s.fulfills(nearer.Standing) {
			return s.reached(nearer), nil
		}
		return &Result{Verdict: Unreachable, Best: nearer.Value, Low: farther.Value, High: farther.Value}, nil
	}
	t, err := s.settle(nearer.Value, decided)
	switch {
	case err != nil || !decided(t):
		return s.undecided(err)
	case t.Reaches == Near:
		return s.reached(t), nil
	}
	return &Result{Verdict: Unreachable, Best: t.Value, Low: farther.Value, High: farther.Value}, nil
}

// tryAll searches values without an order: a batch with each at a time, until each is known to reach the wish or not, or
// one reaches it.
func (s *search) tryAll() (*Result, error) {
	enough := decided
	if s.Relation != About {
		enough = stands
	}
	for open := true; open; {
		open = false
		for v := range s.Values {
			t := s.at(v)
			if t.Estimate != nil && enough(t) {
				continue
			}
			more, err := s.step(t)
			switch {
			case err != nil:
				return nil, err
			case !more:
				return s.undecided(nil)
			case s.Relation == About && t.Reaches == Near, s.Relation != About && s.fulfills(t.Standing):
				return s.reached(t), nil
			}
			open = open || !enough(t)
		}
	}
	r := &Result{Verdict: Unreachable, Best: s.nearest()}
	if s.Relation == About {
		sides := map[Standing]bool{}
		for _, t := range s.tried {
			sides[t.Reaches] = true
		}
		if len(sides) > 1 {
			r.Verdict, r.Low, r.High = Between, r.Best, r.Best
		}
	}
	return r, nil
}

func (s *search) reached(t *Tried) *Result { return &Result{Verdict: Reached, Best: t.Value, Next: -1} }

func (s *search) undecided(err error) (*Result, error) {
	if err != nil {
		return nil, err
	}
	return &Result{Verdict: Undecided, Best: s.nearest()}, nil
}

// distance is how far a figure is from the target, as observed.
func (s *search) distance(t *Tried) float64 { return math.Abs(t.Estimate.Value() - s.Target) }

// nearest is the value whose figure is nearest to the target, as observed.
func (s *search) nearest() (best int) {
	least := math.Inf(1)
	for v, t := range s.tried {
		if t != nil && t.Estimate != nil && s.distance(t) < least {
			best, least = v, s.distance(t)
		}
	}
	return best
}

// finish adds what is known of all values that were tried.
func (s *search) finish(r *Result) {
	wrong := 0.0
	for _, t := range s.tried {
		if t == nil || t.Estimate == nil {
			continue
		}
		r.Tried = append(r.Tried, *t)
		wrong += s.doubt(t)
	}
	r.Fights, r.Alpha = s.spent, s.alpha
	if r.Confidence = max(0, 1-wrong); r.Verdict == Undecided {
		r.Confidence = 0
	}
	r.Monotone = !s.Ordered || s.isMonotone(r.Tried)
	best := s.at(r.Best)
	if best.Estimate == nil {
		return
	}
	variance := s.Target * (1 - s.Target)
	if m, isMean := best.Estimate.(estimate.Mean); isMean {
		variance = max(0, m.Squares/float64(m.All)-m.Value()*m.Value())
	} else if variance <= 0 {
		variance = s.Within * (1 - s.Within)
	}
	errors := normalQuantile(s.Error / float64(s.Values) / 2)
	r.Grid = uint64(s.Values) * uint64(math.Ceil(errors*errors*variance/(s.Within*s.Within)))
}

// doubt is the probability with which what the search took for certain about a value is wrong.
func (s *search) doubt(t *Tried) float64 {
	switch {
	case t.Reaches == Near:
		return max(t.Estimate.PValue(s.Target-s.Within), t.Estimate.PValue(s.Target+s.Within))
	case t.Standing == Above || t.Standing == Below:
		return t.Estimate.PValue(s.Target)
	}
	return s.alpha
}

// isMonotone reports whether the figures rise or fall along the values: the isotonic fit in one direction lies in the
// intervals of all.
func (s *search) isMonotone(tried []Tried) bool {
	for _, sign := range []float64{1, -1} {
		var numbers, weights []float64
		for _, t := range tried {
			numbers, weights = append(numbers, sign*t.Estimate.Value()), append(weights, float64(t.Fights))
		}
		fits := true
		for i, x := range estimate.Rising(numbers, weights) {
			low, high := tried[i].Estimate.Interval(s.alpha)
			fits = fits && sign*x >= low-1e-9 && sign*x <= high+1e-9
		}
		if fits {
			return true
		}
	}
	return false
}

// normalQuantile is how many standard errors a normal number exceeds with this probability.
func normalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(1-2*p) }
