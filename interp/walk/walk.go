// Package walk plays through the story of an adventure many times and measures coverage: scenes, choices, outcomes of
// checks and fights, both sides of conditions, endings. It also records what stopped a playthrough.
//
// It keeps only integer counts that can be added, so the number of workers makes no difference. A random walk makes
// each playthrough independently. A guided walk heads for what has not been seen yet: its playthroughs are made in
// batches, and the coverage after one batch guides the next.
//
// The package must never know a rule, nor how a story is told or shown.
package walk

import (
	"cmp"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/interp/story"
	"arbiter/lang/diag"
	"arbiter/stdlib/dice"
)

// Options configures a walk.
type Options struct {
	Seed       uint64
	From       uint64                // number of the first random playthrough
	Walks      uint64                // number of random playthroughs; 0: a guided walk, as many as it takes to see everything
	Workers    int                   // at least 1
	Stop       func() bool           // called by every worker between playthroughs; nil: never stops
	OnProgress func(done, of uint64) // called after each batch; nil: not called
}

const (
	randomBatch      = 100 // playthroughs per worker between two progress reports of a random walk
	guidedBatch      = 32  // playthroughs in a batch of a guided walk
	maxIdleBatches   = 12  // a guided walk ends after this many consecutive batches without new coverage
	maxGuidedBatches = 200 // limit on the batches of a guided walk
)

// Tally holds the counts of a number of playthroughs.
type Tally struct {
	Points   *story.Points `json:"-"`
	Story    *story.Story  `json:"-"`
	Seed     uint64
	Guided   bool
	Walks    uint64
	Counts   []uint64 // by point
	Entered  []uint64 // by scene: playthroughs that entered it
	Ended    []uint64 // by ending: playthroughs that reached it
	Choices  uint64   // number made in all playthroughs
	Steps    uint64   // operations run in all playthroughs
	Failures []Failure
}

// Failure is a mistake that stopped playthroughs, with the first of them.
type Failure struct {
	Diagnostic diag.Diagnostic
	Times      uint64
	Walk       uint64 // number of the first playthrough, from 0
	Seed       uint64
	Takes      []int // the choices it took, as numbers among those that were open; nil: they were random
}

// seedOf returns the seed of one playthrough of a walk.
func seedOf(seed, walk uint64) uint64 { return dice.FightSeed(seed, walk) }

// Walk plays through the story of an adventure many times.
func Walk(s *build.Script, o Options) (*Tally, error) {
	workers := make([]*worker, max(1, o.Workers))
	for i := range workers {
		w, err := session.NewStoryWalker(s, session.Options{})
		if err != nil {
			return nil, err
		}
		workers[i] = newWorker(w, s.Story)
	}
	t := newTally(workers[0].walker, s.Story, o.Seed)
	t.Guided = o.Walks == 0
	if !t.Guided {
		for t.Walks < o.Walks && t.playBatch(workers, min(randomBatch*uint64(len(workers)), o.Walks-t.Walks), nil, &o) {
			o.progress(t.Walks, o.Walks)
		}
		return t, nil
	}
	for quiet, n := 0, 0; quiet < maxIdleBatches && n < maxGuidedBatches && t.Seen() < t.Goals(); n++ {
		was := t.Seen()
		if !t.playBatch(workers, guidedBatch, newGuide(t), &o) {
			break
		}
		if quiet++; t.Seen() > was {
			quiet = 0
		}
		o.progress(uint64(t.Seen()), uint64(t.Goals()))
	}
	return t, nil
}

// NewTally returns counts of no playthroughs of a story, to which those of others can be added.
func NewTally(s *build.Script, seed uint64) (*Tally, error) {
	w, err := session.NewStoryWalker(s, session.Options{})
	if err != nil {
		return nil, err
	}
	return newTally(w, s.Story, seed), nil
}

func newTally(w *session.StoryWalker, s *story.Story, seed uint64) *Tally {
	t := &Tally{Points: w.Points(), Story: s, Seed: seed}
	t.Counts, t.Entered, t.Ended = make([]uint64, len(t.Points.List)), make([]uint64, len(s.Scenes)), make([]uint64, len(s.Endings))
	return t
}

func (o *Options) progress(done, of uint64) {
	if o.OnProgress != nil {
		o.OnProgress(done, of)
	}
}

// playBatch makes n more playthroughs and reports whether it was not stopped.
func (t *Tally) playBatch(workers []*worker, n uint64, g *guide, o *Options) bool {
	var next atomic.Uint64
	next.Store(o.From + t.Walks)
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
				if walk >= o.From+t.Walks+n {
					return
				}
				w.playOnce(t.Seed, walk, g)
			}
		})
	}
	all.Wait()
	for _, w := range workers {
		t.add(w)
	}
	slices.SortFunc(t.Failures, func(a, b Failure) int { return cmp.Compare(a.Walk, b.Walk) })
	return !stopped.Load()
}

// add adds the counts of a worker and resets them.
func (t *Tally) add(w *worker) {
	counts := w.walker.Counts()
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
		t.Failures = mergeFailure(t.Failures, f)
	}
	w.failures = nil
}

// Add adds the counts of other playthroughs of the same walk. It is an error if their form does not fit.
func (t *Tally) Add(o *Tally) error {
	if len(o.Counts) != len(t.Counts) || len(o.Entered) != len(t.Entered) || len(o.Ended) != len(t.Ended) || o.Seed != t.Seed {
		return errors.New("the counts do not match the story")
	}
	for _, x := range []struct{ to, from []uint64 }{{t.Counts, o.Counts}, {t.Entered, o.Entered}, {t.Ended, o.Ended}} {
		for i, n := range x.from {
			x.to[i] += n
		}
	}
	t.Walks, t.Choices, t.Steps = t.Walks+o.Walks, t.Choices+o.Choices, t.Steps+o.Steps
	for _, f := range o.Failures {
		t.Failures = mergeFailure(t.Failures, f)
	}
	slices.SortFunc(t.Failures, func(a, b Failure) int { return cmp.Compare(a.Walk, b.Walk) })
	return nil
}

// mergeFailure adds a failure to the others of its kind.
func mergeFailure(list []Failure, f Failure) []Failure {
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

// Goals returns how many points count toward full coverage; Seen, how many of these have been seen.
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
		if t.Points.List[i].Goal && t.times(int32(i)) > 0 {
			n++
		}
	}
	return n
}

// times returns how often something happened. Outcomes of a fight that lead to the same statements are counted
// together, with the last of them.
func (t *Tally) times(point int32) uint64 {
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

// worker makes playthroughs and counts on its own.
type worker struct {
	walker         *session.StoryWalker
	entered, ended []uint64
	before         []uint64 // counts of the scenes before the current playthrough
	walks          uint64
	choices, steps uint64
	failures       []Failure
	takes          []int
	times          map[[2]int32]int // in the current playthrough: how often each choice of each offer was taken
}

func newWorker(w *session.StoryWalker, s *story.Story) *worker {
	return &worker{walker: w, entered: make([]uint64, len(s.Scenes)), before: make([]uint64, len(s.Scenes)), ended: make([]uint64, len(s.Endings)), times: map[[2]int32]int{}}
}

// playOnce makes one playthrough.
func (w *worker) playOnce(seed, walk uint64, g *guide) {
	seed = seedOf(seed, walk)
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
	copy(w.before, w.walker.Counts()) // scenes are the first points
	played := w.walker.Play(seed, pick)
	for i, n := range w.walker.Counts()[:len(w.before)] {
		w.entered[i] += min(1, n-w.before[i])
	}
	w.walks++
	w.choices += uint64(played.Choices)
	w.steps += uint64(played.Steps)
	if played.Failure == nil {
		w.ended[played.Ending]++
		return
	}
	w.failures = mergeFailure(w.failures, Failure{Diagnostic: *played.Failure, Times: 1, Walk: walk, Seed: seed, Takes: slices.Clone(w.takes)})
}
