package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"arbiter/cmd/arbiter/internal/cluster"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/balance"
	"arbiter/interp/piece"
	"arbiter/interp/sim"
)

// This file has the searches of balance played on several machines. What takes less time than to ask for it is played
// here; where a fight is played changes nothing.

// leastAwaySeconds is how long fights take, in seconds of one core, that are worth asking others for.
const leastAwaySeconds = 0.1

// away are the other machines.
type away struct {
	c     *cluster.Cluster
	ctx   context.Context // ends when the user stops the search
	nats  *natsFlags
	path  string
	cores int // that play here, besides them
}

// goAway connects to their server.
func (a *app) goAway(ctx context.Context, n *natsFlags, path string, cores int) (*away, error) {
	if path == stdin {
		return nil, usageError("--nats needs a file: other machines cannot read standard input")
	}
	c, err := n.connect(ctx, false)
	if err != nil {
		return nil, err
	}
	return &away{c, ctx, n, path, cores}, nil
}

func (w *away) close() { w.c.Close() }

// play has fights with a value played; the first of them is the nth.
func (w *away) play(b *balancer, x *balanceArm, n, fights uint64) (*sim.Tally, error) {
	j := &piece.Job{Version: piece.Version, Script: w.path, Title: w.path, Seed: b.seed, From: n, Fights: fights, Block: 1, Step: 1,
		Names: b.names, Arms: []piece.Arm{{With: x.rules.with, Without: x.rules.without}}}
	for _, v := range x.rules.swept {
		j.Sweeps = append(j.Sweeps, v.Text)
		j.Arms[0].Values = append(j.Arms[0].Values, v.value)
	}
	s, err := beginJob(w.ctx, w.c, "balance "+filepath.Base(w.path), j, x.seconds, w.cores)
	if err != nil {
		return nil, w.errorOf(b, err)
	}
	defer s.forget()
	before := b.played - fights
	err = s.Run(w.ctx, cluster.RunOptions{
		Build: workBuild(), Cores: w.cores, Verify: w.nats.verified, Clock: clock,
		Log: func(text string) {
			b.progress.Clear()
			fmt.Fprintf(b.app.err, "%s %s\n", b.app.screen.err.Paint(term.Yellow, "warning:"), term.Clean(text))
		},
		OnProgress: func(p cluster.Progress) { b.progress.Set(int(before+p.Played), int(b.most)) },
	})
	if err != nil {
		return nil, w.errorOf(b, err)
	}
	sum, outcome, err := s.Sum(w.ctx, 0)
	if err != nil {
		return nil, w.errorOf(b, err)
	}
	if outcome.Failed != nil {
		return nil, b.failHere([]sim.Variant{{Trials: x.trials}}, b.seed, outcome.Failed)
	}
	return sum.Arms[0].Tally, nil
}

// errorOf is why something has failed: that the search is to end early, or else an error that is shown.
func (w *away) errorOf(b *balancer, err error) error {
	if errors.Is(err, context.Canceled) || w.ctx.Err() != nil {
		return balance.ErrStopped
	}
	return b.reportClusterError(err)
}
