package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/cluster"
	"arbiter/cmd/arbiter/internal/term"
)

// This file is `arbiter worker`: it plays for sweeps that others have begun.

func (a *app) workerCommand() *cobra.Command {
	var n natsFlags
	var cores int
	c := &cobra.Command{
		Use:        "worker",
		SuggestFor: []string{"agent", "node"},
		Short:      "Play for the sweeps of other machines",
		Args:       argCount(0, 0),
	}
	n.addServer(c, "take work from the server at `URL` (default: the sweep that runs on this machine)")
	n.addStore(c)
	n.addMetrics(c)
	c.Flags().IntVar(&cores, "workers", runtime.NumCPU(), "play `N` pieces at a time")
	c.RunE = runFunc(func([]string) error { return a.work(&n, cores) })
	return c
}

func (a *app) work(n *natsFlags, cores int) error {
	if err := n.check(); err != nil {
		return err
	}
	if cores < 1 || cores > 1024 {
		return usageError("--workers is %d: it must be from 1 to 1024", cores)
	}
	id, err := program()
	if err != nil {
		return err
	}
	ctx, end := untilInterrupted()
	defer end()
	metrics, endMetrics, err := serveMetrics(n.metrics)
	if err != nil {
		return err
	}
	defer endMetrics()
	n.Wait = true
	c, err := n.connect(ctx, true)
	if err == cluster.ErrNoServer {
		return fmt.Errorf("no sweep is running on this machine: begin one with `arbiter sweep PLAN`, or name a server with --nats URL")
	}
	if err != nil {
		return err
	}
	defer c.Close()
	w := &cluster.Worker{Program: id, Build: workBuild(), Cores: cores, Clock: clock, Log: func(text string) {
		fmt.Fprintf(a.err, "%s %s\n", a.screen.err.Paint(term.Yellow, "warning:"), term.Clean(text))
	}}
	wait, err := w.Start(ctx, c)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.err, "worker %s takes %s at a time\n", w.ID(), countText(cores, "piece"))
	done := make(chan error, 1)
	go func() { done <- wait() }()
	metrics.worker(w.Presence())
	every := time.NewTicker(time.Second)
	defer every.Stop()
	for {
		select {
		case err := <-done:
			p := w.Presence()
			fmt.Fprintf(a.err, "worker %s has played %s\n", w.ID(), countText(p.Pieces, "piece"))
			if a.json {
				a.printJSON(p)
			}
			return err
		case <-every.C:
			metrics.worker(w.Presence())
		case <-c.Closed():
			return fmt.Errorf("the server has ended")
		}
	}
}
