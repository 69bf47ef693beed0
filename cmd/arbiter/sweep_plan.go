package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/cluster"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/piece"
	"arbiter/interp/sweep"
	"arbiter/lang/diag"
)

// This file is `arbiter sweep`: plans of many fights, on one machine or several.

// planFlags say how a plan is played.
type planFlags struct {
	nats    natsFlags
	results resultFlags
	cores   int
	dryRun  bool
}

// planView is what showing the results of a plan needs.
type planView struct {
	Figure string   `json:"figure"`
	Tries  []string `json:"tries"` // the names of what is varied
}

func (a *app) sweepCommand() *cobra.Command {
	var f planFlags
	c := &cobra.Command{
		Use:        "sweep PLAN",
		SuggestFor: []string{"grid", "plan", "batch"},
		Short:      "Play a plan: many fights, rules and values, on one machine or several",
		Args:       argCount(1, 1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"sweep"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	f.addRun(c)
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "say what it will cost, and play nothing")
	c.RunE = runFunc(func(args []string) error { return a.playPlan(args[0], &f) })
	c.AddCommand(a.sweepStatusCommand(), a.sweepResumeCommand(), a.sweepCancelCommand(), a.sweepResultsCommand())
	return c
}

// addRun adds the flags of commands that play.
func (f *planFlags) addRun(c *cobra.Command) {
	f.nats.addServer(c, "use the server at `URL`, from which workers take pieces (default: one inside of this program)")
	f.nats.addStore(c)
	f.nats.addWork(c)
	c.Flags().IntVar(&f.cores, "workers", runtime.NumCPU(), "play `N` pieces at a time here; 0 leaves all to others")
	f.results.add(c)
}

// check validates the flags of commands that play.
func (a *app) checkPlanFlags(f *planFlags) error {
	if f.cores < 0 || f.cores > 1024 {
		return usageError("--workers is %d: it must be from 0 to 1024", f.cores)
	}
	if err := f.nats.check(); err != nil {
		return err
	}
	return a.checkResultFlags(&f.results)
}

// playPlan plays a plan to its end, and prints the results.
func (a *app) playPlan(path string, f *planFlags) error {
	if err := a.checkPlanFlags(f); err != nil {
		return err
	}
	plan, root, err := a.readPlan(path)
	if err != nil {
		return err
	}
	defer root.Close()
	id, err := program()
	if err != nil {
		return err
	}
	recorder := &piece.Recorder{Files: root.FS()}
	jobs, diags := piece.Jobs(plan, path, id, recorder)
	if len(diags) > 0 {
		return a.rejectScript(diags)
	}
	costs, err := a.describeJobs(path, plan, jobs, recorder)
	if err != nil {
		return err
	}
	if err := checkFigure(jobs, plan.Figure); err != nil {
		return err
	}
	files, err := recorder.Bundle()
	if err != nil {
		return err
	}
	info := cluster.Info{Title: plan.Title, Command: "sweep " + filepath.Base(path), Program: id, Begun: clock().UTC()}
	questions := ""
	cost := planCost{Title: plan.Title, Encounters: len(jobs), Fights: plan.Fights, AtMost: plan.Until > 0}
	for i, j := range jobs {
		j.Bundle = piece.HashOf(files)
		j.Cut(costs[i]*float64(1+min(len(j.Arms)-1, j.Block))/float64(len(j.Arms)), pieceSeconds)
		questions += j.Question()
		cost.add(j, costs[i])
	}
	info.ID, info.Fights, info.Seconds = piece.HashOf([]byte(questions + plan.Title + plan.Figure))[:10], cost.All, cost.Seconds
	if f.dryRun {
		if a.json {
			a.printJSON(cost)
		} else {
			fmt.Fprintln(a.out, cost.text(f.cores))
		}
		return nil
	}
	fmt.Fprintln(a.err, cost.text(f.cores))
	ctx, end := untilInterrupted()
	defer end()
	c, err := f.nats.connect(ctx, false)
	if err != nil {
		return err
	}
	defer c.Close()
	view := planView{Figure: plan.Figure, Tries: []string{}}
	for _, s := range plan.Tries {
		view.Tries = append(view.Tries, s.Name)
	}
	s, err := c.New(ctx, info, jobs, costs, map[string][]byte{piece.HashOf(files): files}, view)
	if err != nil {
		return err
	}
	return a.finishSweep(ctx, s, f)
}

// finishSweep plays what is left of a sweep, and prints the results.
func (a *app) finishSweep(ctx context.Context, s *cluster.Sweep, f *planFlags) error {
	fmt.Fprintf(a.err, "sweep %s: %s\n", s.ID, term.Clean(s.Title))
	err := a.runSweep(ctx, s, &f.nats, f.cores, 1)
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(a.err, "stopped; `arbiter sweep resume %s` goes on, `arbiter sweep cancel %s` forgets it\n", s.ID, s.ID)
		return &exitError{status: exitInterrupted}
	case err != nil:
		return a.reportClusterError(err)
	}
	return a.outputSweepResults(ctx, s, &f.results)
}

// readPlan reads a plan, and opens its folder, from which nothing leads out.
func (a *app) readPlan(path string) (*sweep.Plan, *os.Root, error) {
	var text []byte
	var err error
	dir := "."
	if path == stdin {
		path, text, err = a.readScript(path)
	} else {
		dir = filepath.Dir(path)
		var file *os.File
		if file, err = os.Open(path); err == nil {
			defer file.Close()
			if info, statErr := file.Stat(); statErr == nil && !info.Mode().IsRegular() {
				return nil, nil, fmt.Errorf("%s is not a file", path)
			}
			text, err = io.ReadAll(io.LimitReader(file, sweep.MaxPlanSize+1))
		}
	}
	if err != nil {
		return nil, nil, err
	}
	a.rememberSource(path, text)
	plan, diags := sweep.ParsePlan(path, string(text))
	if len(diags) > 0 {
		return nil, nil, a.rejectScript(diags)
	}
	root, err := os.OpenRoot(dir)
	return plan, root, err
}

// sampleTime is how long a few fights of an encounter are played to know what it costs, and mostSampled of how many
// encounters; the others are taken to cost as much.
const (
	sampleTime  = 60 * time.Millisecond
	mostSampled = 64
)

// describeJobs builds all scripts under all rules, and returns how many seconds of one core a fight in all arms of each
// takes.
func (a *app) describeJobs(path string, plan *sweep.Plan, jobs []*piece.Job, files *piece.Recorder) ([]float64, error) {
	progress := &term.Progress{Out: a.err, Screen: a.screen.err, Noun: "encounters"}
	defer progress.Clear()
	costs, errs := make([]float64, len(jobs)), make([]error, len(jobs))
	every := (len(jobs) + mostSampled - 1) / mostSampled
	done := 0
	var mu sync.Mutex
	var all sync.WaitGroup
	free := make(chan struct{}, runtime.NumCPU())
	for i, j := range jobs {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			errs[i] = j.Describe(files, workBuild(), func(block int, p *piece.Player) error {
				if block > 0 || i%every > 0 {
					return nil
				}
				perFight, err := p.Measure(clock, sampleTime)
				costs[i] = perFight * float64(len(j.Arms)) / float64(len(j.InBlock(0)))
				return err
			})
			mu.Lock()
			defer mu.Unlock()
			done++
			progress.Set(done, len(jobs))
		})
	}
	all.Wait()
	progress.Clear()
	var mistakes diag.List
	for i, err := range errs {
		var m *piece.MistakesError
		switch {
		case errors.As(err, &m):
			list := plan.Place(m.Diags, piece.SweepName)
			for k := range list {
				if list[k].File == path {
					list[k].Related = append(list[k].Related, diag.Related{File: path, Span: list[k].Span, Message: "in " + jobs[i].Script})
				}
			}
			mistakes = append(mistakes, list...)
		case err != nil:
			return nil, &exitError{exitScriptError, fmt.Errorf("%s: %w", jobs[i].Script, err)}
		}
	}
	if len(mistakes) > 0 {
		a.rememberPlanSources(mistakes, files)
		return nil, a.rejectScript(mistakes)
	}
	sum, of := 0.0, 0
	for i, c := range costs {
		if c > 0 {
			sum, of = sum+c/float64(len(jobs[i].Arms)), of+1
		}
	}
	for i := range costs {
		if costs[i] == 0 {
			costs[i] = sum / float64(max(of, 1)) * float64(len(jobs[i].Arms))
		}
	}
	return costs, nil
}

// rememberPlanSources reads the files in which mistakes are, so that their lines can be shown.
func (a *app) rememberPlanSources(list diag.List, files *piece.Recorder) {
	for _, d := range list {
		if _, known := a.sources[d.File]; known {
			continue
		}
		if f, err := files.Open(filepath.ToSlash(d.File)); err == nil {
			text, _ := io.ReadAll(io.LimitReader(f, sweep.MaxPlanSize))
			f.Close()
			a.rememberSource(d.File, text)
		}
	}
}

// planCost is what a plan costs.
type planCost struct {
	Title      string  `json:"title"`
	Encounters int     `json:"encounters"`
	Arms       int     `json:"arms"`   // sets of rules and values, with the scripts as written, of all encounters
	Fights     uint64  `json:"fights"` // in each
	All        uint64  `json:"all"`
	Pieces     uint64  `json:"pieces"`
	Seconds    float64 `json:"seconds"` // of one core
	AtMost     bool    `json:"atMost"`
}

func (p *planCost) add(j *piece.Job, cost float64) {
	p.Arms += len(j.Arms)
	p.All += j.Fights * uint64(len(j.Arms))
	p.Pieces += j.Ranges() * uint64(j.Blocks())
	p.Seconds += cost * float64(j.Fights)
}

func (p *planCost) text(cores int) string {
	atMost := ""
	if p.AtMost {
		atMost = "at most "
	}
	text := fmt.Sprintf("%s, %s of rules and values, %s%s each: %s%s in %s, %s of one core", countText(p.Encounters, "encounter"), countText(p.Arms, "set"), atMost,
		countText(p.Fights, "fight"), atMost, countText(p.All, "fight"), countText(p.Pieces, "piece"), durationText(p.Seconds))
	if cores > 1 {
		text += fmt.Sprintf(", %s of the %d here", durationText(p.Seconds/float64(cores)), cores)
	}
	return text
}

// durationText formats a number of seconds for a person.
func durationText(seconds float64) string {
	switch {
	case seconds < 1:
		return "less than a second"
	case seconds < 120:
		return fmt.Sprintf("about %.0f s", math.Ceil(seconds))
	case seconds < 2*3600:
		return fmt.Sprintf("about %.0f min", math.Ceil(seconds/60))
	case seconds < 72*3600:
		return fmt.Sprintf("about %.1f h", seconds/3600)
	}
	return fmt.Sprintf("about %.1f days", seconds/86400)
}
