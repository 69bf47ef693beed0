package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"arbiter/interp/piece"
)

// This file publishes pieces of sweeps, no more than can be played soon, and again if they were lost.

// asked is a piece that is published.
type asked struct {
	index int
	piece piece.Piece
}

// most pieces are published at a time: so many for each core, but at least and at most. More would only take room.
const (
	piecesPerCore = 4
	leastWaiting  = 64
	mostWaiting   = 16_384
)

// publish publishes what is needed next, but no more than the workers can begin soon.
func (r *run) publish(ctx context.Context) error {
	most := min(max(leastWaiting, piecesPerCore*r.cores()), mostWaiting)
	var acks []jetstream.PubAckFuture
	for i := r.first; i < len(r.Tasks) && len(r.waiting) < most; i++ {
		for c := r.courses[i]; c != nil && len(r.waiting) < most; {
			p, ok := c.Next()
			if !ok {
				break
			}
			o := r.order(i, p)
			if have := r.seen[o.id()]; have != nil {
				if err := r.count(ctx, o); err != nil {
					return err
				}
				if r.courses[i] != c { // what was there is not right
					break
				}
				continue
			}
			if _, published := r.waiting[o.id()]; published {
				continue
			}
			r.waiting[o.id()] = asked{i, p}
			ack, err := r.c.js.PublishAsync(o.subject(), o.encode())
			if err == nil {
				acks = append(acks, ack)
			} // else it is found missing, and published again
		}
	}
	for _, ack := range acks {
		select {
		case <-ack.Ok():
		case <-ack.Err(): // the same
			r.news = r.news.Add(-lookEvery)
		case <-ctx.Done():
			return nil
		case <-time.After(patience):
		}
	}
	return nil
}

func (r *run) order(i int, p piece.Piece) *order {
	t := &r.Tasks[i]
	return &order{Version: piece.Version, Program: r.Program, Sweep: r.ID, Index: i, Job: t.Job, Files: t.Files, Piece: p, Lease: r.c.lease}
}

func (o *order) encode() []byte {
	text, _ := json.Marshal(o) // nothing in it can fail
	return text
}

func (r *run) cores() (n int) {
	for name, p := range r.workers {
		if time.Since(r.heard[name]) < workerTTL {
			n += p.Cores
		}
	}
	return max(n, r.o.Cores)
}

// unpublish takes back a piece that is not needed.
func (r *run) unpublish(ctx context.Context, x asked) {
	_ = r.c.work.Purge(ctx, jetstream.WithPurgeSubject(r.order(x.index, x.piece).subject())) // else it is played in vain
}

// repair publishes again what has been lost, and reads again what was not heard of.
func (r *run) repair(ctx context.Context) error {
	if len(r.waiting) == 0 {
		return nil
	}
	if time.Since(r.news) > r.o.Patience {
		if err := r.tryDisk(ctx); err != nil {
			return err
		}
	}
	waits := map[string]uint64{}
	info, err := r.c.work.Info(ctx, jetstream.WithSubjectFilter(workSubject+"."+shortProgram(r.Program)+"."+r.ID+".>"))
	if err != nil {
		return nil // later
	}
	for subject := range info.State.Subjects {
		waits[subject[strings.LastIndexByte(subject, '.')+1:]] = 1
	}
	for _, id := range slices.Sorted(maps.Keys(r.waiting)) {
		x := r.waiting[id]
		if waits[id] > 0 {
			continue
		}
		o := r.order(x.index, x.piece)
		e, err := r.c.results.Get(ctx, o.key())
		switch {
		case err == nil:
			if err := r.take(ctx, o.key(), e.Value()); err != nil {
				return err
			}
		case errors.Is(err, jetstream.ErrKeyNotFound):
			if _, err := r.c.js.Publish(ctx, o.subject(), o.encode()); err != nil {
				return nil // later
			}
		default:
			return nil
		}
	}
	return nil
}

// tryDisk reports whether the server keeps anything at all.
func (r *run) tryDisk(ctx context.Context) error {
	r.Played, r.Updated = r.played, r.o.Clock().UTC()
	asked, end := context.WithTimeout(ctx, r.o.Patience)
	defer end()
	if err := r.putInfo(asked); err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: %w; once that is mended, `arbiter sweep resume` goes on", errNoProgress, explain(err))
	}
	return nil
}
