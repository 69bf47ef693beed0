package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/cluster"
	"arbiter/cmd/arbiter/internal/term"
)

// This file shows, resumes and cancels sweeps that were begun.

// sweepsDocument is what sweep status --json prints.
type sweepsDocument struct {
	Sweeps  []cluster.Info     `json:"sweeps"`
	Workers []cluster.Presence `json:"workers"`
}

func (a *app) sweepStatusCommand() *cobra.Command {
	var n natsFlags
	c := &cobra.Command{Use: "status [SWEEP]", Short: "Show sweeps, how far they are, and who plays", Args: argCount(0, 1)}
	n.addServer(c, "ask the server at `URL`")
	n.addStore(c)
	c.RunE = runFunc(func(args []string) error {
		return a.withServer(&n, func(ctx context.Context, c *cluster.Cluster) error {
			list, err := c.List(ctx)
			if err != nil {
				return err
			}
			if len(args) > 0 {
				info, err := sweepInfo(ctx, c, args)
				if err != nil {
					return err
				}
				list = []cluster.Info{*info}
			}
			workers, err := c.Workers(ctx)
			if err != nil {
				return err
			}
			a.outputStatus(list, workers)
			return nil
		})
	})
	return c
}

// withServer does something with the server, for which it must not take long.
func (a *app) withServer(n *natsFlags, do func(ctx context.Context, c *cluster.Cluster) error) error {
	if err := n.check(); err != nil {
		return err
	}
	ctx, end := untilInterrupted()
	defer end()
	c, err := n.connect(ctx, false)
	if err != nil {
		return err
	}
	defer c.Close()
	return do(ctx, c)
}

// outputStatus prints sweeps and workers.
func (a *app) outputStatus(list []cluster.Info, workers []cluster.Presence) {
	if a.json {
		d := sweepsDocument{Sweeps: []cluster.Info{}, Workers: []cluster.Presence{}}
		d.Sweeps, d.Workers = append(d.Sweeps, list...), append(d.Workers, workers...)
		a.printJSON(d)
		return
	}
	if len(list) == 0 {
		fmt.Fprintln(a.out, "no sweeps")
	} else {
		rows := [][]string{{"sweep", "state", "played", "fights", "time left", ""}}
		for _, x := range list {
			share, left := 0.0, ""
			if x.Fights > 0 {
				share = float64(x.Played) / float64(x.Fights)
			}
			if x.State == cluster.Running && x.Rate > 0 && x.Fights > x.Played {
				left = durationText(float64(x.Fights-x.Played) / x.Rate)
			}
			note := ""
			if n := len(x.Distrusted); n > 0 {
				note = "distrusts " + strings.Join(x.Distrusted, ", ")
			}
			rows = append(rows, []string{x.ID, x.State, fmt.Sprintf("%.0f %%", 100*share), fmt.Sprint(x.Fights), left, a.screen.out.Cut(term.Clean(x.Title+" "+note), 40)})
		}
		a.printNumberTable(rows, 0)
	}
	if len(workers) > 0 {
		rows := [][]string{{"worker", "cores", "busy", "pieces", "fights"}}
		for _, w := range workers {
			rows = append(rows, []string{term.Clean(w.Name), fmt.Sprint(w.Cores), fmt.Sprint(w.Busy), fmt.Sprint(w.Pieces), fmt.Sprint(w.Fights)})
		}
		a.printNumberTable(rows, 4)
	}
}

func (a *app) sweepResumeCommand() *cobra.Command {
	var f planFlags
	c := &cobra.Command{Use: "resume [SWEEP]", Short: "Go on with a sweep that was stopped", Args: argCount(0, 1)}
	f.addRun(c)
	c.RunE = runFunc(func(args []string) error {
		if err := a.checkPlanFlags(&f); err != nil {
			return err
		}
		id, err := program()
		if err != nil {
			return err
		}
		return a.withServer(&f.nats, func(ctx context.Context, c *cluster.Cluster) error {
			s, err := findSweep(ctx, c, args)
			if err != nil {
				return err
			}
			if s.Program != id && s.State == cluster.Running {
				return fmt.Errorf("sweep %s was begun by another version of arbiter: go on with that one, or cancel the sweep and begin it again", s.ID)
			}
			return a.finishSweep(ctx, s, &f)
		})
	})
	return c
}

// sweepInfo finds the sweep that is meant; without an argument there must be just one.
func sweepInfo(ctx context.Context, c *cluster.Cluster, args []string) (*cluster.Info, error) {
	start := ""
	if len(args) > 0 {
		start = args[0]
	}
	info, err := c.Find(ctx, start)
	if err != nil {
		return nil, usageError("%w", err)
	}
	return info, nil
}

// findSweep is sweepInfo with all of the sweep.
func findSweep(ctx context.Context, c *cluster.Cluster, args []string) (*cluster.Sweep, error) {
	info, err := sweepInfo(ctx, c, args)
	if err != nil {
		return nil, err
	}
	return c.Load(ctx, info.ID)
}

func (a *app) sweepCancelCommand() *cobra.Command {
	var n natsFlags
	c := &cobra.Command{Use: "cancel [SWEEP]", Short: "Stop a sweep for good, and forget what was counted", Args: argCount(0, 1)}
	n.addServer(c, "ask the server at `URL`")
	n.addStore(c)
	c.RunE = runFunc(func(args []string) error {
		return a.withServer(&n, func(ctx context.Context, c *cluster.Cluster) error {
			info, err := sweepInfo(ctx, c, args)
			if err != nil {
				return err
			}
			if err := c.Cancel(ctx, info.ID); err != nil {
				return err
			}
			if a.json {
				a.printJSON(info)
				return nil
			}
			fmt.Fprintf(a.out, "cancelled: %s, %s\n", info.ID, term.Clean(info.Title))
			return nil
		})
	})
	return c
}

func (a *app) sweepResultsCommand() *cobra.Command {
	var n natsFlags
	var r resultFlags
	c := &cobra.Command{Use: "results [SWEEP]", Short: "Print the results of a sweep, or of what has ended of it", Args: argCount(0, 1)}
	n.addServer(c, "ask the server at `URL`")
	n.addStore(c)
	r.add(c)
	c.RunE = runFunc(func(args []string) error {
		if err := a.checkResultFlags(&r); err != nil {
			return err
		}
		return a.withServer(&n, func(ctx context.Context, c *cluster.Cluster) error {
			s, err := findSweep(ctx, c, args)
			if err != nil {
				return err
			}
			return a.outputSweepResults(ctx, s, &r)
		})
	})
	return c
}
