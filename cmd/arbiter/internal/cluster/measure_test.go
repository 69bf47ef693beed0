package cluster

import (
	"context"
	"flag"
	"fmt"
	"sync"
	"testing"
	"time"

	"arbiter/interp/piece"
	"arbiter/interp/sim"
)

// This file measures what spec/cluster.md says about speed: go test -run TestMeasure -v -measure.

var measure = flag.Bool("measure", false, "measure what spreading work costs, which takes minutes")

// TestMeasure prints figures. It compares times of the processor where it can: those of the clock depend on what else the
// machine does.
func TestMeasure(t *testing.T) {
	if !*measure { // the same, with so little that it says nothing
		measureOverhead(t, 40, 20)
		measureEmpty(t, 200)
		measureBacklog(t, 100)
		return
	}
	t.Run("overhead", func(t *testing.T) { measureOverhead(t, 384_000, 32_000); measureOverhead(t, 1_536_000, 32_000) })
	t.Run("workers", func(t *testing.T) { measureWorkers(t, 2_400_000, 40_000) })
	t.Run("empty", func(t *testing.T) { measureEmpty(t, 20_000) })
	t.Run("backlog", func(t *testing.T) { measureBacklog(t, 1_000_000) })
}

// measureOverhead plays fights at once, and in pieces through the server.
func measureOverhead(t *testing.T, fights, step uint64) {
	jobs, files := example(t, fmt.Sprintf("encounters duel.encounter\nfights %d", fights), step)
	in, err := piece.OpenBundle(files[jobs[0].Bundle])
	if err != nil {
		t.Fatal(err)
	}
	p, err := jobs[0].Open(in, 0, testBuild())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Play(piece.Piece{Count: min(fights, sim.Batch)}, nil); err != nil { // warm
		t.Fatal(err)
	}
	began, wall := cpuTime(), time.Now()
	for from := uint64(0); from < fights; from += step {
		if _, err := p.Play(piece.Piece{From: from, Count: step}, nil); err != nil {
			t.Fatal(err)
		}
	}
	alone, aloneWall := cpuTime()-began, time.Since(wall)
	c := local(t, t.TempDir(), 0)
	s := begin(t, c, "aa", jobs, files)
	began, wall = cpuTime(), time.Now()
	if err := s.Run(t.Context(), RunOptions{Build: testBuild(), Cores: 1}); err != nil {
		t.Fatal(err)
	}
	through, throughWall := cpuTime()-began, time.Since(wall)
	pieces := fights / step
	t.Logf("%d pieces of %.2f s: %.2f s of the processor at once, %.2f s in pieces, with the server, the coordinator and building the rules: %+.1f %%; by the clock %.2f and %.2f s",
		pieces, alone.Seconds()/float64(pieces), alone.Seconds(), through.Seconds(), 100*(through.Seconds()/alone.Seconds()-1), aloneWall.Seconds(), throughWall.Seconds())
	c.Close()
}

// measureWorkers plays the same in one process with two cores, and with two workers as processes, long enough
// that the seconds in which the workers build their rules do not decide.
func measureWorkers(t *testing.T, fights, step uint64) {
	jobs, files := example(t, fmt.Sprintf("encounters duel.encounter\nfights %d", fights), step)
	in, _ := piece.OpenBundle(files[jobs[0].Bundle])
	p, err := jobs[0].Open(in, 0, testBuild())
	if err != nil {
		t.Fatal(err)
	}
	q, err := p.Clone()
	if err != nil {
		t.Fatal(err)
	}
	for round := range 2 {
		wall := time.Now()
		var all sync.WaitGroup
		for i, x := range []*piece.Player{p, q} {
			all.Go(func() {
				for from := uint64(i) * step; from < fights; from += 2 * step {
					_, _ = x.Play(piece.Piece{From: from, Count: step}, nil)
				}
			})
		}
		all.Wait()
		one := time.Since(wall)
		town := &town{TB: t}
		dir := t.TempDir()
		c := local(t, dir, 0)
		s := begin(t, c, "aa", jobs, files)
		for range 2 {
			town.start("helper", dir)
		}
		for { // both are there
			if list, err := c.Workers(t.Context()); err == nil && len(list) == 2 {
				break
			}
		}
		wall = time.Now()
		if err := s.Run(t.Context(), RunOptions{Build: testBuild()}); err != nil {
			t.Fatal(err)
		}
		two := time.Since(wall)
		t.Logf("round %d: one process with two cores %.1f s, two workers %.1f s: %+.1f %%", round+1, one.Seconds(), two.Seconds(), 100*(two.Seconds()/one.Seconds()-1))
		c.Close()
	}
}

// fill publishes orders for pieces without fights.
func fill(t *testing.T, c *Cluster, o order, n int) {
	t.Helper()
	for i := range n {
		o.Piece = piece.Piece{From: uint64(i)}
		for {
			if _, err := c.js.PublishAsync(o.subject(), o.encode()); err == nil {
				break
			}
			<-c.js.PublishAsyncComplete()
		}
	}
	<-c.js.PublishAsyncComplete()
}

// measureEmpty plays pieces without fights: what a piece costs besides its fights.
func measureEmpty(t *testing.T, n int) {
	jobs, files := example(t, "encounters duel.encounter\nfights 1000000000", 1000)
	c := local(t, t.TempDir(), 0)
	s := begin(t, c, "aa", jobs, files)
	if _, err := c.consumer(t.Context(), testProgram, c.lease); err != nil {
		t.Fatal(err)
	}
	fill(t, c, order{Version: piece.Version, Program: testProgram, Sweep: "aa", Job: s.Tasks[0].Job, Files: s.Tasks[0].Files, Lease: time.Minute}, n)
	ctx, end := context.WithCancel(t.Context())
	defer end()
	w := &Worker{Program: testProgram, Build: testBuild(), Cores: 2}
	began, wall := cpuTime(), time.Now()
	wait, err := w.Start(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	for w.done.Load() < uint64(n) {
		pause(ctx, 10*time.Millisecond)
	}
	t.Logf("%d empty pieces: %.0f a second by the clock, %.2f ms of the processor for each, with the server", n, float64(n)/time.Since(wall).Seconds(), 1e3*(cpuTime()-began).Seconds()/float64(n))
	end()
	_ = wait()
	c.Close()
}

// measureBacklog plays a sweep while a number of pieces of others wait in the same queue.
func measureBacklog(t *testing.T, n int) {
	jobs, files := example(t, "encounters duel.encounter\nfights 40000", 1000)
	if n < 1000 {
		jobs, files = example(t, "encounters duel.encounter\nfights 40", 20)
	}
	c := local(t, t.TempDir(), 0)
	var spent [2]time.Duration
	for k, id := range []string{"aa", "bb"} {
		if k == 1 {
			wall := time.Now()
			fill(t, c, order{Version: piece.Version, Program: "fedcba9876543210-other", Sweep: "cc", Job: "j", Files: "f", Lease: time.Minute}, n)
			info, err := c.work.Info(t.Context())
			if err != nil || info.State.Msgs != uint64(n) {
				t.Fatal(info, err)
			}
			t.Logf("%d pieces published in %.1f s; the queue has %d MiB", n, time.Since(wall).Seconds(), info.State.Bytes>>20)
		}
		s := begin(t, c, id, jobs, files)
		began := cpuTime()
		if err := s.Run(t.Context(), RunOptions{Build: testBuild(), Cores: 2}); err != nil {
			t.Fatal(err)
		}
		spent[k] = cpuTime() - began
		compareSums(t, sums(t, s), want(t, jobs, files))
	}
	t.Logf("40 pieces with an empty queue: %.2f s of the processor; behind %d others: %.2f s: %+.1f %%", spent[0].Seconds(), n, spent[1].Seconds(), 100*(spent[1].Seconds()/spent[0].Seconds()-1))
	c.Close()
}
