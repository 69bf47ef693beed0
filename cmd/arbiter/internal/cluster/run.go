package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"arbiter/interp/build"
	"arbiter/interp/piece"
)

// This file is the coordinator: it publishes pieces, takes what was counted, and adds it up. All that it knows can be
// read again, so that it can be killed at any moment.

// RunOptions configure the coordinator of a sweep.
type RunOptions struct {
	Build      build.Options // as in Worker
	Cores      int           // how many pieces are played in this process at a time; 0: none
	Verify     float64       // share of the pieces of others that are played here again
	Clock      Clock
	OnProgress func(Progress)    // called about four times a second; nil: not called
	Log        func(text string) // tells a person; nil: nobody
	Patience   time.Duration     // how long the server may refuse everything, for example because its disk is full; 0: a minute
}

// Progress is how far a sweep is.
type Progress struct {
	Played, Fights uint64 // in all arms
	Pieces         uint64 // that were counted
	Workers, Cores int
	Rate           float64       // fights per second, lately
	Left           time.Duration // 0: not known
	Verified       uint64        // pieces that were played twice
	Waiting        int           // pieces that are published
	AtMost         bool          // there may be enough fights earlier
}

// run is a coordinator at work.
type run struct {
	*Sweep
	o        RunOptions
	meter    meter
	courses  []*piece.Course // by job; nil: its sum is stored
	first    int             // all jobs before it have ended
	seen     map[string]*accepted
	waiting  map[string]asked // what is published, by id
	checks   map[int]int      // by job: pieces that are being verified
	checking chan check
	checked  chan check
	met      map[string]bool // workers of which a piece was verified
	own      string          // the worker of this process
	workers  map[string]Presence
	heard    map[string]time.Time
	played   uint64
	pieces   uint64
	verified uint64
	news     time.Time // when something last arrived
	wrote    time.Time
	players  players
}

// How often the coordinator looks around, writes how far it is, and looks for pieces that have been lost.
const (
	lookEvery   = 250 * time.Millisecond
	writeEvery  = 2 * time.Second
	repairAfter = 5 * time.Second
)

// errCancelled is that somebody has cancelled the sweep.
var errCancelled = errors.New("the sweep has been cancelled")

// errNoProgress is that the server refuses everything for too long.
var errNoProgress = errors.New("the server refuses to keep anything")

// Run brings a sweep to its end, together with all others who do. When the context ends, it stops: the sweep can be
// resumed.
func (s *Sweep) Run(ctx context.Context, o RunOptions) error {
	if s.State == Done {
		return nil
	}
	o.Clock = clockOr(o.Clock)
	r := &run{
		Sweep: s, o: o, meter: meter{clock: o.Clock}, seen: map[string]*accepted{}, waiting: map[string]asked{}, checks: map[int]int{}, met: map[string]bool{},
		checking: make(chan check, 1<<16), checked: make(chan check, 64), workers: map[string]Presence{}, heard: map[string]time.Time{},
		players: players{most: 2 + runtime.NumCPU(), made: map[string]*madePlayer{}}, news: time.Now(),
	}
	if r.o.Patience == 0 {
		r.o.Patience = time.Minute
	}
	ctx, end := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer end()
	if err := r.readSums(ctx); err != nil {
		return err
	}
	if _, err := s.c.consumer(ctx, s.Program, s.c.lease); err != nil {
		return explain(err)
	}
	if err := s.c.purge(ctx, s.ID, false); err != nil { // what another coordinator has published is published again if it is needed
		return explain(err)
	}
	if o.Cores > 0 {
		w := &Worker{Program: s.Program, Build: o.Build, Cores: o.Cores, Clock: o.Clock, Log: o.Log}
		wait, err := w.Start(ctx, s.c)
		if err != nil {
			return err
		}
		r.own = w.ID()
		all.Go(func() { _ = wait() })
	}
	for range max(1, min(o.Cores, runtime.NumCPU())) {
		all.Go(func() { r.verify(ctx) })
	}
	err := r.loop(ctx)
	if ctx.Err() != nil && err == nil {
		err = ctx.Err()
	}
	s.partial = r
	if errors.Is(err, errCancelled) {
		return err
	}
	if err != nil {
		last, end := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer end()
		r.Played, r.Updated, r.Rate = r.played, o.Clock().UTC(), 0
		_ = r.putInfo(last)
		return err
	}
	r.State, r.Played, r.Updated = Done, r.played, o.Clock().UTC()
	if err := r.putInfo(ctx); err != nil {
		return explain(err)
	}
	return explain(s.c.purge(ctx, s.ID, true))
}

func (r *run) loop(ctx context.Context) error {
	watch, err := r.watch(ctx)
	if err != nil {
		return err
	}
	defer func() { watch.Stop() }()
	present, err := r.c.workers.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return explain(err)
	}
	defer present.Stop()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	repaired := time.Now()
	ready := false
	for {
		if ready {
			if err := r.publish(ctx); err != nil {
				return err
			}
			if err := r.endJobs(ctx); err != nil {
				return err
			}
			if r.first == len(r.Tasks) {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case e, ok := <-watch.Updates():
			for more := true; ok && more; { // as much as is there, before anything else
				if e == nil {
					ready = true
				} else if err := r.take(ctx, e.Key(), e.Value()); err != nil {
					return err
				}
				select {
				case e, ok = <-watch.Updates():
				default:
					more = false
				}
			}
			if !ok { // the connection is gone for good, or the server has restarted
				if watch, err = r.watch(ctx); err != nil {
					return err
				}
				ready = false
			}
		case e, ok := <-present.Updates():
			if p := (Presence{}); ok && e != nil && json.Unmarshal(e.Value(), &p) == nil && p.Program == r.Program {
				r.workers[p.Name], r.heard[p.Name] = p, time.Now()
			}
		case k := <-r.checked:
			if err := r.noteCheck(ctx, k); err != nil {
				return err
			}
		case <-look.C:
			if err := r.report(ctx); err != nil {
				return err
			}
			if after := min(repairAfter, r.o.Patience); time.Since(r.news) > after && time.Since(repaired) > after {
				repaired = time.Now()
				if err := r.repair(ctx); err != nil {
					return err
				}
			}
		}
	}
}

// watch follows the results of the sweep, those that are there first.
func (r *run) watch(ctx context.Context) (w jetstream.KeyWatcher, err error) {
	err = again(ctx, func(context.Context) (err error) {
		w, err = r.c.results.Watch(ctx, r.ID+".>", jetstream.IgnoreDeletes())
		return err
	})
	return w, explain(err)
}

// progress is how far the sweep is.
func (r *run) progress() Progress {
	p := Progress{Played: r.played, Fights: r.Fights, Pieces: r.pieces, Rate: r.meter.rate(), Verified: r.verified, Waiting: len(r.waiting)}
	for name := range r.workers {
		if time.Since(r.heard[name]) < workerTTL {
			p.Workers++
			p.Cores += r.workers[name].Cores
		}
	}
	for _, t := range r.Tasks {
		p.AtMost = p.AtMost || t.Doc.Until > 0
	}
	if p.Rate > 0 && r.Fights > r.played {
		p.Left = time.Duration(min(float64(r.Fights-r.played)/p.Rate, 1e8) * float64(time.Second))
	}
	return p
}

// report tells how far the sweep is: here, and now and then those who ask the server.
func (r *run) report(ctx context.Context) error {
	p := r.progress()
	if r.o.OnProgress != nil {
		r.o.OnProgress(p)
	}
	if time.Since(r.wrote) < writeEvery {
		return nil
	}
	r.wrote = time.Now()
	asked, end := context.WithTimeout(ctx, time.Second)
	defer end()
	if info, err := r.c.infoOf(asked, r.ID); err == nil && (info == nil || info.State == Cancelled) {
		return errCancelled
	}
	r.Played, r.Rate, r.Updated = r.played, p.Rate, r.o.Clock().UTC()
	if text, err := json.Marshal(r.Info); err == nil {
		_, _ = r.c.sweeps.Put(asked, r.ID, text) // the next time will do as well
	}
	return nil
}
