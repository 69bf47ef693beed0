// Package split estimates how likely something is that hardly ever happens, by multilevel splitting: what has come
// closer to it than most is copied, and every copy goes on with luck of its own. A chance of one in a million becomes a
// product of some chances of about a quarter each, which are known from a few hundred attempts.
//
// The levels are found by a pilot with luck of its own. Then independent repetitions, each with the same number of
// attempts at every level (fixed effort: Garvels, The splitting method in rare event simulation, 2000), give the
// estimate: the mean of any number of them is unbiased, whatever the levels and however closeness is measured. A bad
// measure costs precision only.
//
// The same seed gives the same estimate, whatever the number of processes.
//
// It must never know what happens, nor what closeness means.
package split

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sync"

	"arbiter/stdlib/estimate"
	"arbiter/stdlib/mix"
)

// Step is where a process stands.
type Step struct {
	Height   float64 // how close it has come
	Ended    bool
	Happened bool // once it has ended
}

// Process is something that takes its course by chance. It is not safe for concurrent use.
type Process interface {
	// Begin begins anew, by a seed.
	Begin(seed uint64) error
	// Advance goes on until the height is above a limit, or to the end. At the end nothing more happens.
	Advance(above float64) (Step, error)
	// Keep keeps the present state under a number below Room; Resume goes on from what was kept, by another
	// seed.
	Keep(slot int)
	// Room is how many states can be kept.
	Room() int
	Resume(slot int, seed uint64) error
}

const (
	pilotAttempts  = 300  // at each level, of the pilot
	leastAttempts  = 300  // and of a repetition: more, if so few of them would reach
	wantedReached  = 60   // the next level that
	enoughAttempts = 2000 // the repetitions differ by much
	wantedChance   = 0.25 // of reaching the next level
	enoughChance   = 0.12 // of what happens from the last level on
	enoughLevels   = 60
)

// Options configures an estimate.
type Options struct {
	Seed       uint64
	Most       uint64                 // attempts after which no further repetition begins
	Until      float64                // stop when the interval is this narrow: its half-width as a part of the estimate; 0: never
	Stop       func() bool            // ends it early, called between repetitions; nil: never
	OnProgress func(done, all uint64) // told how far it is; nil: nobody
}

// Estimate is what is known.
type Estimate struct {
	Value       float64
	Low, High   float64   // the 95 % interval
	Levels      []float64 // heights, ascending
	Chances     []float64 // of reaching each from the one before, on average, and then of what happens
	Repetitions int
	Hits        int    // repetitions in which it happened at all
	Attempts    uint64 // all, with those of the pilot
	Reached     bool   // Until was reached
}

// pilotTries is how often the pilot makes all attempts at a level until some get higher than others.
const pilotTries = 10

// ErrStopped is that an estimate was to end before there was any.
var ErrStopped = errors.New("stopped")

// leastRepetitions is how many repetitions there are at least, and round how many are made at a time.
const (
	leastRepetitions = 20
	round            = 10
)

// Run estimates. Each of the processes works on its own.
func Run(list []Process, o Options) (*Estimate, error) {
	room := list[0].Room() / 2 // those of one level, and those of the next
	if room < 1 {
		return nil, errors.New("its states are too large to be kept")
	}
	s := &sampler{p: list[0], each: min(room, pilotAttempts), seed: mix.Add(mix.Finish(o.Seed), mix.Text("pilot"))}
	levels, rarest, err := s.pilot()
	if err != nil {
		return nil, err
	}
	attempts := min(enoughAttempts, int(wantedReached/max(rarest, 1e-9)), int(min(o.Most, 1<<40)/uint64(leastRepetitions*(len(levels)+1))))
	attempts = min(room, max(leastAttempts, attempts))
	e := &Estimate{Levels: levels, Attempts: s.attempts, Chances: make([]float64, len(levels)+1)}
	var values []float64
	sums := make([]float64, len(levels)+1)
	for stopped := false; !stopped; {
		n := round
		if len(values) == 0 {
			n = leastRepetitions
		}
		if len(values) == 0 && o.Stop != nil && o.Stop() {
			return nil, ErrStopped
		}
		got, err := repeat(list, levels, attempts, o.Seed, len(values), n)
		if err != nil {
			return nil, err
		}
		for _, r := range got {
			values = append(values, r.value)
			e.Attempts += r.attempts
			if r.value > 0 {
				e.Hits++
			}
			for i, c := range r.chances {
				sums[i] += c
			}
		}
		e.Repetitions = len(values)
		e.Value, e.Low, e.High = interval(values)
		e.Reached = o.Until > 0 && e.Value > 0 && max(e.High-e.Value, e.Value-e.Low) <= o.Until*e.Value
		if o.OnProgress != nil {
			o.OnProgress(e.Attempts, max(o.Most, e.Attempts))
		}
		stopped = e.Reached || e.Attempts+e.Attempts/uint64(len(values))*round > o.Most || o.Stop != nil && o.Stop()
	}
	for i := range sums {
		e.Chances[i] = sums[i] / float64(len(values))
	}
	return e, nil
}

// Plain is about how many attempts without splitting are as exact; 0 if that is not known.
func (e *Estimate) Plain() float64 {
	if !(e.Low > 0) || e.High >= 1 {
		return 0
	}
	const z = 1.959963984540054
	spread := math.Log(e.High/e.Low) / (2 * z)
	return (1 - e.Value) / e.Value / (spread * spread)
}

// repetition is the result of one.
type repetition struct {
	value    float64
	chances  []float64
	attempts uint64
}

// repeat makes repetitions from a number on.
func repeat(list []Process, levels []float64, attempts int, seed uint64, from, n int) ([]repetition, error) {
	results, errs := make([]repetition, n), make([]error, len(list))
	var next, mu = 0, sync.Mutex{}
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		next++
		return next - 1
	}
	var all sync.WaitGroup
	for k, p := range list {
		all.Go(func() {
			for i := take(); i < n && errs[k] == nil; i = take() {
				s := &sampler{p: p, each: attempts, seed: mix.Add(mix.Finish(seed), uint64(from+i))}
				results[i].value, results[i].chances, errs[k] = s.advance(levels)
				results[i].attempts = s.attempts
			}
		})
	}
	all.Wait()
	return results, cmp.Or(errs...)
}

// sampler makes attempts with one process.
type sampler struct {
	p        Process
	seed     uint64
	each     int // attempts at each level
	attempts uint64
}

// next returns the seed of the next attempt.
func (s *sampler) next() uint64 {
	s.attempts++
	return mix.Add(s.seed, s.attempts)
}

// kept is a state that has reached a level.
type kept struct {
	slot int
	step Step
}

// climb makes one repetition.
func (s *sampler) advance(levels []float64) (value float64, chances []float64, err error) {
	value, chances = 1, make([]float64, len(levels)+1)
	var from []kept
	for i := 0; i <= len(levels); i++ {
		above := math.Inf(1)
		if i < len(levels) {
			above = levels[i]
		}
		reached, err := s.stage(from, above, i%2*s.each)
		if err != nil {
			return 0, nil, err
		}
		chances[i] = float64(len(reached)) / float64(s.each)
		if value *= chances[i]; value == 0 {
			return 0, chances, nil
		}
		from = reached
	}
	return value, chances, nil
}

// stage makes attempts to get above a level, each from one of the states that have reached the level before, or from the
// beginning if there are none, and keeps those that do, or that end with what is looked for. Every state is used equally
// often, up to one time.
func (s *sampler) stage(from []kept, above float64, slots int) (reached []kept, err error) {
	offset := 0
	if from != nil {
		offset = int(mix.Add(s.seed, ^s.attempts) % uint64(len(from)))
	}
	for n := range s.each {
		var step Step
		seed := s.next()
		switch {
		case from == nil:
			err = s.p.Begin(seed)
		case from[(n+offset)%len(from)].step.Happened:
			reached = append(reached, kept{-1, Step{math.Inf(1), true, true}})
			continue
		default:
			err = s.p.Resume(from[(n+offset)%len(from)].slot, seed)
		}
		if err == nil {
			step, err = s.p.Advance(above)
		}
		switch {
		case err != nil:
			return nil, err
		case step.Ended && step.Happened:
			reached = append(reached, kept{-1, step})
		case !step.Ended && step.Height > above:
			slot := slots + len(reached)
			s.p.Keep(slot)
			reached = append(reached, kept{slot, step})
		}
	}
	return reached, nil
}

// pilot finds the levels: each so that about a quarter of the attempts from the one before get above it. It also returns
// the least part that has got above one.
func (s *sampler) pilot() (levels []float64, rarest float64, err error) {
	rarest = 1
	var from []kept
	for len(levels) < enoughLevels {
		level, some := 0.0, false
		var heights []float64
		happened := 0
		for try := 0; try < pilotTries && !some; try++ {
			for n := range s.each {
				highest, has, err := s.top(from, n)
				if err != nil {
					return nil, 0, err
				}
				if has {
					happened++
				}
				heights = append(heights, highest)
			}
			level, some = nextLevel(heights)
		}
		if share := float64(happened) / float64(len(heights)); !some || share >= enoughChance {
			rarest = min(rarest, max(share, 1/float64(len(heights))))
			break
		}
		var reached []kept
		for try := 0; try < pilotTries && len(reached) == 0; try++ {
			if reached, err = s.stage(from, level, len(levels)%2*s.each); err != nil {
				return nil, 0, err
			}
		}
		if len(reached) == 0 {
			break
		}
		rarest = min(rarest, float64(len(reached))/float64(s.each))
		levels, from = append(levels, level), reached
	}
	return levels, rarest, nil
}

// nextLevel returns the height above which the part of all that is the nearest to the wanted chance gets, if there are
// different heights at all.
func nextLevel(heights []float64) (level float64, some bool) {
	slices.Sort(heights)
	best := math.Inf(1)
	for i := range len(heights) - 1 {
		if heights[i] == heights[i+1] {
			continue
		}
		above := float64(len(heights)-1-i) / float64(len(heights))
		if off := math.Abs(math.Log(above / wantedChance)); off < best {
			level, best = heights[i], off
		}
	}
	return level, best < math.Inf(1)
}

// top makes an attempt to its end, and returns the greatest height.
func (s *sampler) top(from []kept, n int) (highest float64, happened bool, err error) {
	seed := s.next()
	highest = math.Inf(-1)
	if from == nil {
		err = s.p.Begin(seed)
	} else {
		x := from[n%len(from)]
		if x.step.Happened {
			return math.Inf(1), true, nil
		}
		highest = x.step.Height
		err = s.p.Resume(x.slot, seed)
	}
	for err == nil {
		var step Step
		step, err = s.p.Advance(highest)
		if err != nil || step.Ended {
			if step.Happened {
				return math.Inf(1), true, nil
			}
			return highest, false, err
		}
		highest = step.Height
	}
	return highest, false, err
}

// interval is the 95 % interval of the mean of independent repetitions. Their distribution has a long tail to the right,
// so it is that of Student on the scale of logarithms.
func interval(values []float64) (mean, low, high float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	if mean == 0 {
		return 0, 0, 1
	}
	squares, hits := 0.0, 0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
		if v > 0 {
			hits++
		}
	}
	// Where it happened in few repetitions, these tell about the spread as few numbers do.
	half := estimate.Student(max(1, hits-1)) * math.Sqrt(squares/(n-1)/n) / mean
	if low = mean * math.Exp(-half); hits < leastHits {
		low = 0
	}
	return mean, low, min(1, mean*math.Exp(half))
}

// leastHits is in how many repetitions it must have happened before it is said that it is not even rarer.
const leastHits = 4
