package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"arbiter/interp/piece"
)

// This file adds up what was counted of each job, when the job has come to its end or the sweep is stopped.

// readSums finds the jobs that have ended already.
func (r *run) readSums(ctx context.Context) error {
	r.courses = make([]*piece.Course, len(r.Tasks))
	for i := range r.Tasks {
		has, err := r.c.hasObject(ctx, sumObject(r.ID, i))
		if err != nil {
			return explain(err)
		}
		if !has {
			r.courses[i] = r.Tasks[i].Doc.NewCourse()
			continue
		}
		_, outcome, err := r.Sum(ctx, i)
		if err != nil {
			return err
		}
		r.played += outcome.Fights * uint64(len(r.Tasks[i].Doc.Arms))
	}
	return nil
}

// endJobs stores the sums of jobs that have come to their end.
func (r *run) endJobs(ctx context.Context) error {
	for i := r.first; i < len(r.Tasks); i++ {
		c := r.courses[i]
		if c != nil && c.Ended() && r.checks[i] == 0 {
			ok, err := r.endJob(ctx, i, c)
			if err != nil {
				return err
			}
			if ok {
				r.courses[i] = nil
			}
		}
		if i == r.first && r.courses[i] == nil {
			r.first++
		}
	}
	return nil
}

// endJob adds up what was counted of a job, and stores the sum. It is not ok if something has gone meanwhile.
func (r *run) endJob(ctx context.Context, i int, c *piece.Course) (ok bool, err error) {
	outcome := &Outcome{Job: r.Tasks[i].Job, Enough: c.Enough(), Failed: c.Failed()}
	for id, x := range r.waiting { // what is not needed any more
		if x.index == i {
			delete(r.waiting, id)
			r.unpublish(ctx, x)
		}
	}
	if c.Failed() != nil {
		return true, explain(r.putSum(ctx, i, outcome, nil))
	}
	counted := map[string]piece.Piece{}
	for _, p := range c.Counted() {
		counted[piece.PieceID(r.Tasks[i].Job, p)] = p
		if p.Block == 0 {
			outcome.Fights += p.Count
		}
	}
	sum, names, err := r.add(ctx, i, counted)
	if err != nil || len(counted) > 0 {
		for id := range counted {
			delete(r.seen, id)
		}
		r.restart(i)
		return false, err
	}
	outcome.Workers = slices.Sorted(maps.Keys(names))
	return true, explain(r.putSum(ctx, i, outcome, sum))
}

// add reads the results of a job, adds up those that count, and removes these from counted.
func (r *run) add(ctx context.Context, i int, counted map[string]piece.Piece) (*piece.Sum, map[string]bool, error) {
	sum, names := r.Tasks[i].Doc.NewSum(), map[string]bool{}
	var watch jetstream.KeyWatcher
	err := again(ctx, func(context.Context) (err error) {
		watch, err = r.c.results.Watch(ctx, fmt.Sprintf("%s.%d.>", r.ID, i), jetstream.IgnoreDeletes())
		return err
	})
	if err != nil {
		return nil, nil, explain(err)
	}
	defer watch.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(startPatience): // what is missing is read again
			return sum, names, nil
		case e, ok := <-watch.Updates():
			if !ok || e == nil {
				return sum, names, nil
			}
			id := e.Key()[strings.LastIndexByte(e.Key(), '.')+1:]
			p, wanted := counted[id]
			have := r.seen[id]
			if !wanted || have == nil {
				continue
			}
			s, result, err := r.read(ctx, e.Key(), e.Value(), i)
			if err != nil || s.Sum != have.sum {
				continue
			}
			if err := sum.Add(p, result); err != nil {
				return nil, nil, err
			}
			names[s.Worker] = true
			delete(counted, id)
		}
	}
}

// Partial adds up what was counted of a job before Run was stopped: the fights from the first on.
func (s *Sweep) Partial(ctx context.Context, job int) (*piece.Sum, error) {
	if s.partial == nil || s.partial.courses == nil || s.partial.courses[job] == nil {
		return s.Tasks[job].Doc.NewSum(), nil
	}
	counted := map[string]piece.Piece{}
	for _, p := range s.partial.courses[job].Counted() {
		counted[piece.PieceID(s.Tasks[job].Job, p)] = p
	}
	sum, _, err := s.partial.add(ctx, job, counted)
	if err == nil && len(counted) > 0 {
		err = errors.New("what was counted is not there any more")
	}
	return sum, err
}
