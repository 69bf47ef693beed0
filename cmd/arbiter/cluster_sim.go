package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"arbiter/cmd/arbiter/internal/cluster"
	"arbiter/interp/build"
	"arbiter/interp/piece"
	"arbiter/interp/sim"
	"arbiter/interp/walk"
)

// This file plays sim, compare and walks on several machines.

// pieceSeconds is how long a piece should take, in seconds of one core; less, if there are few.
const (
	pieceSeconds      = 2.0
	leastPieceSeconds = 0.2
	piecesForEach     = 8 // pieces for each core of this machine, if there is enough work
)

// playAll plays fights here, or here and on other machines. path is the script and rules are the arms.
func (a *app) playAll(path string, rules []arm, view *sweepView, list []sim.Variant, s *simFlags, o sim.Options) ([]*sim.Arm, error) {
	if s.nats.URL == "" {
		return a.playFights(list, o)
	}
	j := &piece.Job{Version: piece.Version, Script: path, Title: path, Seed: o.Seed, Fights: o.Fights, Until: o.Until, Adjust: o.Adjust != nil, Block: max(1, min(len(rules)-1, piece.MaxBlock)), Step: 1}
	for i, x := range rules {
		j.Arms = append(j.Arms, piece.Arm{Rules: x.name, AlreadyUsed: list[i].AlreadyUsed, With: x.with, Without: x.without, Values: x.values, Counted: x.counted})
	}
	if view != nil {
		for _, x := range view.sweeps {
			j.Sweeps = append(j.Sweeps, x.Text)
		}
	}
	perFight, err := measure(list, o)
	if err != nil {
		return nil, a.reportFightError(err)
	}
	ctx, end := untilInterrupted()
	defer end()
	c, err := s.nats.connect(ctx, false)
	if err != nil {
		return nil, a.reportClusterError(err)
	}
	defer c.Close()
	sw, err := beginJob(ctx, c, "sim "+filepath.Base(path), j, perFight, s.workers)
	if err != nil {
		return nil, a.reportClusterError(err)
	}
	defer sw.forget()
	err = a.runSweep(ctx, sw.Sweep, &s.nats, s.workers, uint64(len(rules)))
	if errors.Is(err, context.Canceled) {
		sum, err := sw.Partial(context.WithoutCancel(ctx), 0)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(a.err, "stopped after %d of %d fights; these are the results so far\n", sum.Arms[0].Tally.Fights, o.Fights)
		return armsHere(sum.Arms, list), errPartial
	}
	if err != nil {
		return nil, a.reportClusterError(err)
	}
	sum, outcome, err := sw.Sum(ctx, 0)
	if err != nil {
		return nil, err
	}
	if outcome.Failed != nil {
		return nil, a.failHere(list, o.Seed, outcome.Failed)
	}
	return armsHere(sum.Arms, list), nil
}

// failHere plays a fight again that failed elsewhere, for its error.
func (a *app) failHere(list []sim.Variant, seed uint64, f *piece.Failed) error {
	_, err := sim.Compare(list, sim.Options{Seed: seed, From: f.Fight, Fights: 1, Workers: 1})
	if err == nil {
		err = fmt.Errorf("fight %d failed on another machine, but not here: %s", f.Fight, f.Message)
	}
	return a.reportFightError(err)
}

// armsHere are arms that were counted elsewhere, with what only the commands here know: what the files are called, and
// which rulesets were left out by name.
func armsHere(arms []*sim.Arm, list []sim.Variant) []*sim.Arm {
	for i, x := range arms {
		x.Cast.Additions, x.Without = list[i].Trials.Cast().Additions, list[i].Without
	}
	return arms
}

// measure plays a few fights, and returns how many seconds one takes.
func measure(list []sim.Variant, o sim.Options) (float64, error) {
	began, n := clock(), min(o.Fights, 20)
	if _, err := sim.Compare(list, sim.Options{Seed: o.Seed, Fights: n, Workers: 1}); err != nil {
		return 0, err
	}
	return max(clock().Sub(began).Seconds(), 1e-6) / float64(n), nil
}

// walkOnCluster plays through a story on several machines.
func (a *app) walkOnCluster(s *build.Script, path string, w *walkFlags, f *testFlags, walks uint64) (*walk.Tally, error) {
	j := &piece.Job{Version: piece.Version, Walk: true, Script: path, Title: path, Seed: w.seed, Fights: walks, Block: 1, Step: 1, Arms: []piece.Arm{{With: f.with, Without: f.without}}}
	began := clock()
	few, err := walk.Walk(s, walk.Options{Seed: w.seed, Walks: min(walks, 5), Workers: 1})
	if err != nil {
		return nil, err
	}
	each := max(clock().Sub(began).Seconds(), 1e-6) / float64(few.Walks)
	t, err := walk.NewTally(s, w.seed)
	if err != nil {
		return nil, err
	}
	ctx, end := untilInterrupted()
	defer end()
	c, err := w.nats.connect(ctx, false)
	if err != nil {
		return nil, a.reportClusterError(err)
	}
	defer c.Close()
	sw, err := beginJob(ctx, c, "walk "+filepath.Base(path), j, each, f.workers)
	if err != nil {
		return nil, a.reportClusterError(err)
	}
	defer sw.forget()
	err = a.runSweep(ctx, sw.Sweep, &w.nats, f.workers, 1)
	var sum *piece.Sum
	switch {
	case errors.Is(err, context.Canceled):
		if sum, err = sw.Partial(context.WithoutCancel(ctx), 0); err == nil && sum.Walk == nil {
			sum.Walk = t
		}
		if err == nil {
			fmt.Fprintf(a.err, "stopped after %s\n", countText(sum.Walk.Walks, "playthrough"))
		}
	case err == nil:
		sum, _, err = sw.Sum(ctx, 0)
	}
	if err != nil {
		return nil, a.reportClusterError(err)
	}
	if sum.Walk == t {
		return t, nil
	}
	for i := range sum.Walk.Failures { // the places of files as they are called here
		d := &sum.Walk.Failures[i].Diagnostic
		d.File = sw.localName(s, d.File)
		for k := range d.Related {
			d.Related[k].File = sw.localName(s, d.Related[k].File)
		}
	}
	return t, t.Add(sum.Walk)
}

// localName returns what a file of the bundle is called here.
func (o *oneJob) localName(s *build.Script, name string) string {
	full := filepath.Join(o.root, filepath.FromSlash(name))
	for path := range s.Rules.Sources {
		if here, err := filepath.Abs(path); err == nil && here == full {
			return path
		}
	}
	return name
}

// oneJob is a sweep of one job, which is forgotten in the end.
type oneJob struct {
	*cluster.Sweep
	c    *cluster.Cluster
	root string // the folder that the paths in the bundle begin at
}

// beginJob stores a job of the user's files. perFight is how many seconds of one core a fight takes.
func beginJob(ctx context.Context, c *cluster.Cluster, title string, j *piece.Job, perFight float64, cores int) (*oneJob, error) {
	if j.Script == stdin {
		return nil, usageError("--nats needs a file: other machines cannot read standard input")
	}
	id, err := program()
	if err != nil {
		return nil, err
	}
	j.Program = id
	files, root, err := bundleOf(j)
	if err != nil {
		return nil, err
	}
	all := perFight * float64(j.Fights)
	j.Cut(perFight, min(pieceSeconds, max(leastPieceSeconds, all/float64(piecesForEach*max(1, cores)))))
	info := cluster.Info{ID: "one-" + j.Question()[:10], Title: title, Command: "sim", Program: id, Fights: j.Fights * uint64(len(j.Arms)), Begun: clock().UTC(), Seconds: all}
	s, err := c.New(ctx, info, []*piece.Job{j}, []float64{perFight}, map[string][]byte{j.Bundle: files}, nil)
	if err != nil {
		return nil, err
	}
	return &oneJob{s, c, root}, nil
}

// forget removes the job from the server.
func (o *oneJob) forget() {
	ctx, end := context.WithTimeout(context.Background(), cluster.Patience)
	defer end()
	_ = o.c.Remove(ctx, o.ID) // what is left can be removed with `sweep cancel`
}
