// Package walk goes through the story of an adventure many times, and counts what has been seen of it: scenes, ways, arms
// of checks and fights, both sides of conditions, endings; and what stopped it.
//
// All that it keeps are whole numbers that add up, so that the number of workers makes no difference. A walk is by chance,
// each playthrough for itself, or it is led to what nobody has seen yet: then playthroughs go in batches, and what one batch
// has seen leads the next.
//
// The package must never know a rule, nor how a story is told or shown.
package walk

import (
	"slices"
	"sync"
	"sync/atomic"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/interp/story"
	"arbiter/lang/diag"
	"arbiter/stdlib/dice"
)

// Options of a walk.
type Options struct {
	Seed    uint64
	Walks   uint64                // so many playthroughs by chance; 0: as many as it takes to see everything, led
	Workers int                   // at least 1
	Stop    func() bool           // asked between playthroughs by every worker; nil: nobody stops it
	Told    func(done, of uint64) // after a batch; nil: nobody listens
}

const (
	batch    = 100 // playthroughs of a walk by chance between two reports of how far it has come
	ledBatch = 32  // playthroughs that are led by what had been seen before them
	idle     = 12  // batches that have seen nothing new are the end
	mostLed  = 200 // batches
)

// Tally is what came of playthroughs.
type Tally struct {
	Points   *story.Points
	Story    *story.Story
	Seed     uint64
	Led      bool
	Walks    uint64
	Counts   []uint64 // by point
	Entered  []uint64 // playthroughs by scene: those that came there
	Ended    []uint64 // playthroughs by ending
	Choices  uint64   // of all playthroughs
	Steps    uint64   // operations
	Failures []Failure
}

// Failure is a mistake that stopped playthroughs, and the first of them.
type Failure struct {
	Diagnostic diag.Diagnostic
	Times      uint64
	Walk       uint64 // the number of the first
	Seed       uint64
	Takes      []int // what it took, by number among what was open; nil: all was by chance
}

// SeedOf is the seed of one playthrough of a walk.
func SeedOf(seed, walk uint64) uint64 { return dice.FightSeed(seed, walk) }

// Walk goes through the story of an adventure.
func Walk(s *build.Script, o Options) (*Tally, error) {
	workers := make([]*worker, max(1, o.Workers))
	for i := range workers {
		w, err := session.NewWanderer(s, session.Options{})
		if err != nil {
			return nil, err
		}
		workers[i] = newWorker(w, s.Story)
	}
	t := &Tally{Points: workers[0].w.Points(), Story: s.Story, Seed: o.Seed, Led: o.Walks == 0}
	t.Counts, t.Entered, t.Ended = make([]uint64, len(t.Points.List)), make([]uint64, len(s.Story.Scenes)), make([]uint64, len(s.Story.Endings))
	if !t.Led {
		for t.Walks < o.Walks && t.batch(workers, min(batch*uint64(len(workers)), o.Walks-t.Walks), nil, &o) {
			o.told(t.Walks, o.Walks)
		}
		return t, nil
	}
	for quiet, n := 0, 0; quiet < idle && n < mostLed && t.Seen() < t.Goals(); n++ {
		was := t.Seen()
		if !t.batch(workers, ledBatch, newGuide(t), &o) {
			break
		}
		if quiet++; t.Seen() > was {
			quiet = 0
		}
		o.told(uint64(t.Seen()), uint64(t.Goals()))
	}
	return t, nil
}

func (o *Options) told(done, of uint64) {
	if o.Told != nil {
		o.Told(done, of)
	}
}

// batch goes through the story so many times more, and says whether nobody has stopped it.
func (t *Tally) batch(workers []*worker, n uint64, g *guide, o *Options) bool {
	var next atomic.Uint64
	next.Store(t.Walks)
	var stopped atomic.Bool
	var all sync.WaitGroup
	for _, w := range workers {
		all.Go(func() {
			for !stopped.Load() {
				if o.Stop != nil && o.Stop() {
					stopped.Store(true)
					return
				}
				walk := next.Add(1) - 1
				if walk >= t.Walks+n {
					return
				}
				w.once(t.Seed, walk, g)
			}
		})
	}
	all.Wait()
	for _, w := range workers {
		t.add(w)
	}
	slices.SortFunc(t.Failures, func(a, b Failure) int { return int(min(a.Walk, 1<<32)) - int(min(b.Walk, 1<<32)) })
	return !stopped.Load()
}

// add takes in what a worker has counted, and clears it.
func (t *Tally) add(w *worker) {
	counts := w.w.Counts()
	for i, n := range counts {
		t.Counts[i] += n
	}
	clear(counts)
	for i, n := range w.entered {
		t.Entered[i] += n
	}
	clear(w.entered)
	for i, n := range w.ended {
		t.Ended[i] += n
	}
	clear(w.ended)
	t.Walks, t.Choices, t.Steps = t.Walks+w.walks, t.Choices+w.choices, t.Steps+w.steps
	w.walks, w.choices, w.steps = 0, 0, 0
	for _, f := range w.failures {
		t.Failures = gather(t.Failures, f)
	}
	w.failures = nil
}

// gather counts a failure among those of its kind.
func gather(list []Failure, f Failure) []Failure {
	i := slices.IndexFunc(list, func(x Failure) bool {
		a, b := &x.Diagnostic, &f.Diagnostic
		return a.File == b.File && a.Span == b.Span && a.Code == b.Code && a.Message == b.Message
	})
	if i < 0 {
		return append(list, f)
	}
	x := &list[i]
	f.Times += x.Times
	if x.Walk < f.Walk {
		f.Diagnostic, f.Walk, f.Seed, f.Takes = x.Diagnostic, x.Walk, x.Seed, x.Takes
	}
	*x = f
	return list
}

// Goals is how many points somebody has seen who has gone through everything; Seen how many of these have been.
func (t *Tally) Goals() (n int) {
	for i := range t.Points.List {
		if t.Points.List[i].Goal {
			n++
		}
	}
	return n
}

func (t *Tally) Seen() (n int) {
	for i := range t.Points.List {
		if t.Points.List[i].Goal && t.Times(int32(i)) > 0 {
			n++
		}
	}
	return n
}

// Times is how often something happened. Outcomes of a fight that lead to the same statements count for the last of them.
func (t *Tally) Times(point int32) uint64 {
	x := &t.Points.List[point]
	n := t.Counts[point]
	if x.What == story.Fights && x.Goal {
		to := t.Story.Code[x.Of].To
		for way := range x.Way {
			if to[way] == to[x.Way] {
				n += t.Counts[t.Points.OfOp(x.Of, int(way))]
			}
		}
	}
	return n
}

// worker counts for itself.
type worker struct {
	w              *session.Wanderer
	entered, ended []uint64
	before         []uint64 // what had been counted of scenes before a playthrough
	walks          uint64
	choices, steps uint64
	failures       []Failure
	takes          []int
	times          map[[2]int32]int // of the playthrough: how often each way of each offer was taken
}

func newWorker(w *session.Wanderer, s *story.Story) *worker {
	return &worker{w: w, entered: make([]uint64, len(s.Scenes)), before: make([]uint64, len(s.Scenes)), ended: make([]uint64, len(s.Endings)), times: map[[2]int32]int{}}
}

// once goes through the story once.
func (w *worker) once(seed, walk uint64, g *guide) {
	seed = SeedOf(seed, walk)
	var pick session.Pick
	w.takes = w.takes[:0]
	if g != nil {
		clear(w.times)
		pick = func(at int32, open []int) int {
			way := g.pick(w, walk, at, open)
			w.takes = append(w.takes, way+1)
			w.times[[2]int32{at, int32(open[way])}]++
			return way
		}
	}
	copy(w.before, w.w.Counts()) // scenes are the first points
	j := w.w.Wander(seed, pick)
	for i, n := range w.w.Counts()[:len(w.before)] {
		w.entered[i] += min(1, n-w.before[i])
	}
	w.walks++
	w.choices += uint64(j.Choices)
	w.steps += uint64(j.Steps)
	if j.Failure == nil {
		w.ended[j.Ending]++
		return
	}
	w.failures = gather(w.failures, Failure{Diagnostic: *j.Failure, Times: 1, Walk: walk, Seed: seed, Takes: slices.Clone(w.takes)})
}
