// Package advise searches for the best of several candidates by playing on from one position: a bandit that gives most
// playouts to those that may be the best.
//
// The search is sequential halving. All candidates are played on with the same seeds (common random numbers), so that
// they are compared in pairs; the worse half is dropped, the others get more playouts, until the budget is spent. It
// widens as it goes: candidates that resemble one which has survived are added. What would be done without a search is
// never dropped, and something else is chosen only if it is better by more than chance explains. When numbers are to be
// shown, the finalists are played on again with other seeds, so that their values and intervals are not those of a
// selection.
//
// The same seed and number of playouts give the same result, whatever the number of players.
//
// It must never know what a candidate is, how it is played on, nor what its value means.
package advise

import (
	"cmp"
	"errors"
	"slices"
	"sync"

	"arbiter/stdlib/mix"
)

// figures is how many numbers a playout has beside its value.
const figures = 4

// Outcome is how one playout ended.
type Outcome struct {
	Value   float64 // what is to be great
	Figures [figures]float64
	End     uint64 // a hash of the state at the end: two playouts with the same seed that end alike have the same
}

// Player plays on from a position with one of its candidates, by a seed. It is not safe for concurrent use.
type Player interface {
	Play(candidate int, seed uint64) (Outcome, error)
}

// Problem is a position. All players share it.
type Problem struct {
	Players    []Player             // at least one; each works on its own
	Candidates int                  // their number; those that come first are tried first
	Usual      int                  // what would be done without a search
	Widen      func(around int) int // adds candidates that resemble one, behind the others, and returns how many; nil: there are none
}

// Options configures a search.
type Options struct {
	Playouts int         // how many to make, at least 1
	Seed     uint64      // of the playouts
	Confirm  bool        // spend half of the playouts on the finalists, with seeds of their own
	Memory   int         // bytes of outcomes to keep at most; 0 for DefaultMemory
	Stop     func() bool // ends the search early, called by the player between playouts; nil: never
}

// defaultMemory is the limit on the bytes of the outcomes that a search keeps.
const defaultMemory = 64 << 20

// outcomeBytes is what an outcome takes up.
const outcomeBytes = 8 * (2 + figures)

const (
	firstPlayouts  = 4  // of each candidate, before the first half is dropped
	finalists      = 3  // how many are confirmed, with the usual one
	minConfirmed   = 8  // playouts of each of them
	minAlike       = 16 // playouts after which one that ends like another every time is dropped
	minForChange   = 8  // playouts after which something else than the usual may be chosen
	standardErrors = 1  // by which it must be better
)

// Candidate is what is known about one candidate after a search.
type Candidate struct {
	Index     int
	Screened  []Outcome // by seed, from the first; others with at least as many have the same seeds
	Confirmed []Outcome // likewise, of the finalists
	Alike     bool      // it was dropped because every playout had ended like that of another
	Err       error     // why it could not be played on, and was dropped
}

// Outcomes returns those that its estimates rest on.
func (c *Candidate) Outcomes() []Outcome {
	if len(c.Confirmed) > 0 {
		return c.Confirmed
	}
	return c.Screened
}

// Result is the result of a search.
type Result struct {
	Best     int          // the index of the candidate to choose
	Ranked   []*Candidate // those tried: finalists first, the best first
	Playouts int          // how many were made
	Alike    int          // candidates dropped because they differ in nothing from another
	Untried  int          // candidates for which there were not enough
	Stopped  bool         // before all were made
}

// Search searches for the best candidate. The error is that of the usual candidate, if it cannot be played on.
func Search(p Problem, o Options) (*Result, error) {
	s := &search{Problem: p, o: o, left: o.Playouts}
	if p.Candidates < 1 || len(p.Players) == 0 || o.Playouts < 1 {
		return nil, errors.New("nothing to choose from")
	}
	memory := o.Memory
	if memory == 0 {
		memory = defaultMemory
	}
	s.left = min(s.left, max(1, memory/outcomeBytes))
	screening := s.left
	if o.Confirm {
		screening -= s.left / 2
	}
	kept := s.left - screening
	s.left = screening
	s.screen()
	s.left += kept
	if o.Confirm && !s.stopped {
		s.confirm()
	}
	if err := s.tried[s.usualAt].Err; err != nil {
		return nil, err
	}
	return s.result(), nil
}

// search is a search under way.
type search struct {
	Problem
	o       Options
	tried   []*Candidate
	usualAt int // in tried
	left    int // playouts
	made    int
	mu      sync.Mutex
	stopped bool
}

// room is how many candidates a number of playouts is enough for.
func room(playouts int) int { return max(2, playouts/(2*firstPlayouts)) }

// screen plays candidates on until two are left, or the playouts are used up.
func (s *search) screen() {
	n := min(s.Candidates, room(s.left))
	for i := range n {
		s.tried = append(s.tried, &Candidate{Index: i})
	}
	if s.usualAt = s.Usual; s.Usual >= n {
		s.tried[n-1].Index, s.usualAt = s.Usual, n-1
	}
	active := slices.Clone(s.tried)
	for target := firstPlayouts; s.left > 0 && !s.stopped; {
		if !s.playOn(active, target, false) {
			break
		}
		active = slices.DeleteFunc(active, func(c *Candidate) bool { return c.Err != nil })
		rank(active)
		if target >= minAlike {
			active = s.withoutAlike(active)
		}
		if len(active) <= 2 {
			if len(active) < 2 {
				break
			}
			target += max(1, s.left/len(active))
			continue
		}
		active = s.half(active)
		if target == firstPlayouts && s.Widen != nil {
			active = s.widened(active)
		}
		rounds := 1
		for k := len(active); k > 2; k = (k + 1) / 2 {
			rounds++
		}
		target += max(1, s.left/(rounds*len(active)))
	}
}

// half returns the better half of ranked candidates, and the usual one.
func (s *search) half(ranked []*Candidate) []*Candidate {
	usual := s.tried[s.usualAt]
	list := slices.Clone(ranked[:(len(ranked)+1)/2])
	if !slices.Contains(list, usual) && usual.Err == nil {
		list[len(list)-1] = usual
	}
	return list
}

// withoutAlike drops those of which every playout has ended like that of another: what differs has no consequences. The
// usual one stays, else the first.
func (s *search) withoutAlike(ranked []*Candidate) (list []*Candidate) {
	usual := s.tried[s.usualAt]
	for _, c := range ranked {
		i := slices.IndexFunc(list, func(x *Candidate) bool { return slices.Equal(x.Screened, c.Screened) })
		switch {
		case i < 0:
			list = append(list, c)
		case c == usual:
			list[i].Alike, list[i] = true, c
		default:
			c.Alike = true
		}
	}
	return list
}

// widened adds candidates that resemble the best, as far as a third of the playouts that are left is enough to catch up.
func (s *search) widened(ranked []*Candidate) []*Candidate {
	most := s.left / 3 / (2 * firstPlayouts)
	for _, c := range slices.Clone(ranked) {
		for n := s.Widen(c.Index); n > 0; n-- {
			s.Candidates++
			if most > 0 {
				x := &Candidate{Index: s.Candidates - 1}
				s.tried, ranked, most = append(s.tried, x), append(ranked, x), most-1
			}
		}
		if most <= 0 {
			break
		}
	}
	return ranked
}

// confirm plays on the best of all with other seeds.
func (s *search) confirm() {
	list := slices.DeleteFunc(slices.Clone(s.tried), func(c *Candidate) bool { return c.Err != nil || c.Alike })
	if len(list) == 0 {
		return
	}
	byDepth(list)
	final := slices.Clone(list[:min(finalists, len(list))])
	if usual := s.tried[s.usualAt]; !slices.Contains(final, usual) && usual.Err == nil {
		final = append(final, usual)
	}
	if each := s.left / len(final); each >= minConfirmed {
		s.playOn(final, each, true)
		least := each
		for _, c := range final {
			least = min(least, len(c.Confirmed))
		}
		for _, c := range final {
			if c.Confirmed = c.Confirmed[:least]; least < minConfirmed {
				c.Confirmed = nil
			}
		}
	}
}

// job is a playout to be made.
type job struct {
	c       *Candidate
	at      int
	outcome Outcome
	err     error
	done    bool
}

// confirmSeeds tells the seeds with which finalists are confirmed from the others.
const confirmSeeds = 0x636f6e6669726d

// playOn plays candidates on until each has so many playouts, as long as there are any left, and reports whether all of
// them have.
func (s *search) playOn(list []*Candidate, target int, confirm bool) bool {
	var jobs []job
	seed := mix.Finish(s.o.Seed)
	if confirm {
		seed = mix.Add(seed, confirmSeeds)
	}
	for at := range target { // seed by seed, so that all have the same if there are not enough
		for _, c := range list {
			have := len(c.Screened)
			if confirm {
				have = len(c.Confirmed)
			}
			if at >= have && len(jobs) < s.left {
				jobs = append(jobs, job{c: c, at: at})
			}
		}
	}
	wanted := 0
	for _, c := range list {
		wanted += max(0, target-len(c.outcomes(confirm)))
	}
	next := 0
	take := func() *job {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.stopped = s.stopped || s.o.Stop != nil && s.o.Stop(); s.stopped || next >= len(jobs) {
			return nil
		}
		next++
		return &jobs[next-1]
	}
	var all sync.WaitGroup
	for _, p := range s.Players {
		work := func() {
			for j := take(); j != nil; j = take() {
				j.outcome, j.err = p.Play(j.c.Index, mix.Add(seed, uint64(j.at)))
				j.done = true
			}
		}
		if len(s.Players) == 1 {
			work()
		} else {
			all.Go(work)
		}
	}
	all.Wait()
	for i := range jobs {
		j := &jobs[i]
		switch {
		case !j.done:
			continue
		case j.err != nil:
			if j.c.Err == nil {
				j.c.Err = j.err
			}
		case confirm:
			j.c.Confirmed = append(j.c.Confirmed, j.outcome)
		default:
			j.c.Screened = append(j.c.Screened, j.outcome)
		}
		s.left--
		s.made++
	}
	return !s.stopped && len(jobs) == wanted
}

func (c *Candidate) outcomes(confirmed bool) []Outcome {
	if confirmed {
		return c.Confirmed
	}
	return c.Screened
}

// rank puts candidates that have the same seeds in order, the best first.
func rank(list []*Candidate) {
	least := 1 << 30
	for _, c := range list {
		least = min(least, len(c.Screened))
	}
	slices.SortStableFunc(list, func(a, b *Candidate) int {
		return cmp.Or(cmp.Compare(meanValue(b.Screened[:least]), meanValue(a.Screened[:least])), cmp.Compare(a.Index, b.Index))
	})
}

// byDepth puts candidates in order: those that were played on most often first, the best of them first.
func byDepth(list []*Candidate) {
	slices.SortStableFunc(list, func(a, b *Candidate) int {
		return cmp.Or(cmp.Compare(len(b.Screened), len(a.Screened)), cmp.Compare(meanValue(b.Screened), meanValue(a.Screened)), cmp.Compare(a.Index, b.Index))
	})
}

// result ranks what was tried, and chooses.
func (s *search) result() *Result {
	r := &Result{Playouts: s.made, Stopped: s.stopped, Untried: s.Candidates - len(s.tried)}
	r.Ranked = slices.DeleteFunc(slices.Clone(s.tried), func(c *Candidate) bool { return c.Err != nil || c.Alike || len(c.Screened) < 2 })
	for _, c := range s.tried {
		if c.Alike {
			r.Alike++
		}
	}
	byDepth(r.Ranked)
	slices.SortStableFunc(r.Ranked, func(a, b *Candidate) int {
		if len(a.Confirmed) != len(b.Confirmed) {
			return cmp.Compare(len(b.Confirmed), len(a.Confirmed))
		}
		return cmp.Compare(meanValue(b.Confirmed), meanValue(a.Confirmed))
	})
	usual := s.tried[s.usualAt]
	r.Best = usual.Index
	if len(r.Ranked) == 0 {
		return r
	}
	if first := r.Ranked[0]; first != usual {
		if d := Compare(first, usual); d.Pairs >= minForChange && d.Value.Mean > standardErrors*d.Value.Error {
			r.Best = first.Index
		}
	}
	return r
}
