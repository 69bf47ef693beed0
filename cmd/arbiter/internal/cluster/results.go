package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"arbiter/interp/piece"
)

// This file takes what workers have counted, and has done again what cannot be used.

// accepted is a result that has been checked.
type accepted struct {
	worker string
	sum    string
	index  int
	piece  piece.Piece
}

// take takes a result that has been written.
func (r *run) take(ctx context.Context, key string, value []byte) error {
	parts := strings.Split(key, ".")
	index := -1
	if len(parts) == 3 {
		if n, err := strconv.Atoi(parts[1]); err == nil && n >= 0 && n < len(r.Tasks) {
			index = n
		}
	}
	if index < 0 || r.seen[parts[2]] != nil || r.courses[index] == nil {
		return nil
	}
	r.news = time.Now()
	id := parts[2]
	s, result, err := r.read(ctx, key, value, index)
	switch {
	case err != nil && s == nil: // nobody can be blamed for it
		return r.discard(ctx, key, id, err)
	case slices.Contains(r.Distrusted, s.Worker):
		return r.discard(ctx, key, id, nil)
	case err != nil:
		return r.distrust(ctx, s.Worker, err.Error(), key)
	}
	r.seen[id] = &accepted{s.Worker, s.Sum, index, s.Piece}
	o := r.order(index, s.Piece)
	suspect := r.o.Verify > 0 && (!r.met[s.Worker] || chosen(r.o.Verify)) || result.Failed != nil // which would end the job
	if s.Worker != r.own && suspect {
		r.met[s.Worker] = true
		r.checks[index]++
		select {
		case r.checking <- check{id: id, worker: s.Worker, order: *o, sum: s.Sum}:
		default: // more than can be verified: the share is smaller
			r.checks[index]--
		}
	}
	if _, published := r.waiting[id]; published {
		delete(r.waiting, id)
		r.enter(index, s.Piece, result)
	}
	return nil
}

// enter counts a result.
func (r *run) enter(index int, p piece.Piece, result *piece.Result) {
	r.courses[index].Done(p, result)
	r.pieces++
	r.played += p.Count * uint64(r.arms(index, p))
	r.meter.note(float64(r.played))
}

// arms returns how many arms a piece counts.
func (r *run) arms(index int, p piece.Piece) int {
	n := len(r.Tasks[index].Doc.InBlock(p.Block))
	if p.Block > 0 {
		n-- // the first is counted in the first block
	}
	return n
}

// read reads a result. If it cannot be used, the error says why; the signature, if there is one, who has to answer for it.
func (r *run) read(ctx context.Context, key string, value []byte, index int) (*signature, *piece.Result, error) {
	s, packed, err := open(key, value)
	if err != nil {
		return nil, nil, err
	}
	id := key[strings.LastIndexByte(key, '.')+1:]
	if piece.PieceID(r.Tasks[index].Job, s.Piece) != id {
		return s, nil, errors.New("it is the result of another piece")
	}
	if s.Object != "" {
		if packed, err = r.c.getObject(ctx, s.Object, piece.MaxResult); err != nil || piece.HashOf(packed) != s.Sum {
			return s, nil, errors.New("what it counted is not where it should be")
		}
	}
	text, err := piece.Unpack(packed, piece.MaxResult)
	if err != nil {
		return s, nil, err
	}
	result, err := r.Tasks[index].Doc.DecodeResult(s.Piece, text)
	return s, result, err
}

// count counts a result that was there before it was needed.
func (r *run) count(ctx context.Context, o *order) error {
	have := r.seen[o.id()]
	var value []byte
	err := again(ctx, func(ctx context.Context) error {
		e, err := r.c.results.Get(ctx, o.key())
		if err == nil {
			value = e.Value()
		}
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			err = nil
		}
		return err
	})
	if err != nil {
		return explain(err)
	}
	s, result, err := r.read(ctx, o.key(), value, o.Index)
	if err != nil || s.Sum != have.sum {
		delete(r.seen, o.id())
		r.restart(o.Index)
		return r.discard(ctx, o.key(), o.id(), err)
	}
	r.enter(o.Index, o.Piece, result)
	return nil
}

// restart begins a job again; what has been accepted is not played again.
func (r *run) restart(index int) {
	if c := r.courses[index]; c != nil {
		for _, p := range c.Counted() {
			r.played -= min(r.played, p.Count*uint64(r.arms(index, p)))
		}
	}
	r.courses[index] = r.Tasks[index].Doc.NewCourse()
	r.first = min(r.first, index)
}

// discard removes a result, and has the piece played again if it is needed.
func (r *run) discard(ctx context.Context, key, id string, why error) error {
	if why != nil && r.o.Log != nil {
		r.o.Log(fmt.Sprintf("a result is not used: %v", why))
	}
	if err := again(ctx, func(ctx context.Context) error { return r.c.results.Purge(ctx, key) }); err != nil {
		return explain(err)
	}
	if x, published := r.waiting[id]; published {
		_, err := r.c.js.PublishAsync(r.order(x.index, x.piece).subject(), r.order(x.index, x.piece).encode())
		_ = err // it is found missing
	}
	return nil
}

// distrust names a worker that has counted wrongly, and has everything that it did done again.
func (r *run) distrust(ctx context.Context, worker, why, key string) error {
	if worker == r.own {
		return fmt.Errorf("this machine counts differently each time: %s", why)
	}
	if r.o.Log != nil {
		r.o.Log(fmt.Sprintf("worker %s counts wrongly (%s): nothing that it did is used, and all of it is played again", worker, why))
	}
	if !slices.Contains(r.Distrusted, worker) {
		r.Distrusted = append(r.Distrusted, worker)
		if err := r.putInfo(ctx); err != nil {
			return explain(err)
		}
	}
	if key != "" {
		if err := r.discard(ctx, key, key[strings.LastIndexByte(key, '.')+1:], nil); err != nil {
			return err
		}
	}
	for i, c := range r.courses { // what an earlier coordinator has added up
		if c == nil {
			_, outcome, err := r.Sum(ctx, i)
			if err != nil {
				return err
			}
			if slices.Contains(outcome.Workers, worker) {
				r.played -= min(r.played, outcome.Fights*uint64(r.Tasks[i].arms()))
				r.restart(i)
			}
		}
	}
	again := map[int]bool{}
	for id, x := range r.seen {
		if x.worker == worker {
			delete(r.seen, id)
			again[x.index] = true
			if err := r.discard(ctx, r.order(x.index, x.piece).key(), id, nil); err != nil {
				return err
			}
		}
	}
	for _, index := range slices.Sorted(maps.Keys(again)) {
		r.restart(index)
	}
	return nil
}
