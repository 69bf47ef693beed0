package piece

import (
	"math"

	"arbiter/interp/sim"
)

// This file decides which pieces of a job are needed. Without Job.Until these are all; with it, it decides after each
// sim.Batch fights, in the order of the fights, whether there are enough, as one machine does. What it decides depends
// on the counts alone: not on when they arrive, nor in which order, nor on how the job is cut.

// Course is how far a job has come.
type Course struct {
	job     *Job
	closed  uint64 // ranges of earlier rounds
	open    uint64 // ranges that are wanted so far: those and the current round
	handed  uint64 // pieces of the current round that Next has handed out: all of a block, then the next
	extra   []Piece
	waiting map[uint64]*waitingRange // ranges of which something is known, but which are not counted yet
	counted uint64                   // ranges, from the first on, that are counted
	sum     []*sim.Arm               // what decides, of those
	last    *lastRange               // nil: only whole ranges count
	ended   bool
	failed  *Failed
}

// waitingRange is a range whose pieces arrive.
type waitingRange struct {
	have    []bool // by block
	missing int
	batches [][]*sim.Arm // of all arms
	failed  *Failed      // the earliest
}

// lastRange is the part of a range that comes last, counted again by itself.
type lastRange struct {
	Piece
	*waitingRange
	before *Failed // it ends before the batch of this fight, nil: after the batch with which there are enough
}

// firstRound is how many ranges are played before it is known how many are needed.
const firstRound = 4

// NewCourse returns the course of a job of which nothing is known.
func (j *Job) NewCourse() *Course {
	c := &Course{job: j, open: j.Ranges(), waiting: map[uint64]*waitingRange{}}
	if j.Until > 0 {
		c.open = min(c.open, firstRound)
		c.sum = sim.NewDeciding(len(j.Arms), len(j.Casts[0].Sides))
	}
	c.ended = c.open == 0
	return c
}

// Next hands out a piece that is needed; none, if what is needed depends on pieces that were handed out before.
func (c *Course) Next() (p Piece, ok bool) {
	if len(c.extra) > 0 {
		p, c.extra = c.extra[0], c.extra[1:]
		return p, true
	}
	round := c.open - c.closed
	if c.ended || c.last != nil || c.handed >= round*uint64(c.job.Blocks()) {
		return Piece{}, false
	}
	p.Block = int(c.handed / round)
	p.From, p.Count = c.job.Range(c.closed + c.handed%round)
	c.handed++
	return p, true
}

// Done takes the result of a piece that was handed out, which has been checked. Doing so twice changes nothing.
func (c *Course) Done(p Piece, r *Result) {
	if c.ended {
		return
	}
	if l := c.last; l != nil {
		if p.From == l.From && p.Count == l.Count {
			l.add(c.job, p, r)
			c.endLast()
		}
		return
	}
	n := (p.From - c.job.From) / c.job.Step
	if from, count := c.job.Range(n); n < c.counted || from != p.From || count != p.Count {
		return
	}
	w := c.waiting[n]
	if w == nil {
		w = newWaitingRange(c.job)
		c.waiting[n] = w
	}
	w.add(c.job, p, r)
	c.advance()
}

func newWaitingRange(j *Job) *waitingRange {
	return &waitingRange{have: make([]bool, j.Blocks()), missing: j.Blocks()}
}

// add adds the result of a block.
func (w *waitingRange) add(j *Job, p Piece, r *Result) {
	if w.have[p.Block] {
		return
	}
	w.have[p.Block] = true
	w.missing--
	if f := r.Failed; f != nil {
		if w.failed == nil || f.Fight < w.failed.Fight {
			w.failed = f
		}
		return
	}
	for n, batch := range r.Batches {
		if len(w.batches) <= n {
			w.batches = append(w.batches, make([]*sim.Arm, len(j.Arms)))
		}
		for k, i := range j.InBlock(p.Block) {
			w.batches[n][i] = batch[k]
		}
	}
}

// advance counts the ranges that are there, in their order.
func (c *Course) advance() {
	for !c.ended && c.last == nil {
		w := c.waiting[c.counted]
		if w == nil || w.missing > 0 {
			return
		}
		from, count := c.job.Range(c.counted)
		if f := w.failed; f != nil {
			batches := uint64(0)
			if c.job.Until > 0 {
				batches = (f.Fight - from) / sim.Batch
			}
			if batches == 0 {
				c.failed, c.ended = f, true
				return
			}
			c.playLast(Piece{From: from, Count: batches * sim.Batch}, f)
			return
		}
		if enough, after := c.decide(w); enough && after < count {
			c.playLast(Piece{From: from, Count: after}, nil)
			return
		} else if enough {
			c.ended = true
		}
		delete(c.waiting, c.counted)
		c.counted++
		switch {
		case c.counted == c.job.Ranges():
			c.ended = true
		case c.counted == c.open:
			c.closed, c.open, c.handed = c.open, c.nextRound(), 0
		}
	}
}

// decide adds what decides of a range, batch by batch, and reports whether there are enough fights after one, and after
// how many of the range.
func (c *Course) decide(w *waitingRange) (enough bool, after uint64) {
	for _, batch := range w.batches {
		for i, a := range batch {
			c.sum[i].AddDeciding(a)
		}
		after += batch[0].Tally.Fights
		if sim.Within(c.sum, c.job.Until) {
			return true, after
		}
	}
	return false, after
}

// nextRound returns how many ranges there should be, by how far the intervals are from what is wanted: they narrow with
// the square root of the fights.
func (c *Course) nextRound() uint64 {
	most := min(2*c.counted, c.job.Ranges())
	times := sim.Widest(c.sum) / (2 * c.job.Until)
	wanted := uint64(min(float64(most), math.Ceil(float64(c.counted)*times*times*1.05)))
	return min(most, max(c.counted+1, wanted))
}

// playLast has a part of a range counted by itself.
func (c *Course) playLast(p Piece, before *Failed) {
	c.last = &lastRange{p, newWaitingRange(c.job), before}
	c.extra = nil
	for b := range c.job.Blocks() {
		p.Block = b
		c.extra = append(c.extra, p)
	}
}

// endLast ends the course if the last part is there.
func (c *Course) endLast() {
	l := c.last
	switch {
	case l.missing > 0:
	case l.failed != nil: // the program would have to differ from itself
		c.failed, c.ended = l.failed, true
	case l.before == nil:
		c.ended = true
	default:
		switch enough, after := c.decide(l.waitingRange); {
		case !enough:
			c.failed, c.ended = l.before, true
		case after < l.Count:
			c.playLast(Piece{From: l.From, Count: after}, nil)
		default:
			c.ended = true
		}
	}
}

// Ended reports whether nothing more is needed, and Failed whether that is because a fight failed: the earliest.
func (c *Course) Ended() bool     { return c.ended }
func (c *Course) Failed() *Failed { return c.failed }

// Counted lists the pieces whose sum is the result, once the course has ended; before, those that surely belong to it.
func (c *Course) Counted() (list []Piece) {
	for n := range c.counted {
		for b := range c.job.Blocks() {
			from, count := c.job.Range(n)
			list = append(list, Piece{b, from, count})
		}
	}
	if c.ended && c.failed == nil && c.last != nil {
		for b := range c.job.Blocks() {
			list = append(list, Piece{b, c.last.From, c.last.Count})
		}
	}
	return list
}

// Enough reports whether the rates are as precise as the job asks, once the course has ended.
func (c *Course) Enough() bool {
	return c.job.Until == 0 || c.failed == nil && sim.Within(c.sum, c.job.Until)
}
