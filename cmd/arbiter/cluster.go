package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/cluster"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/piece"
	"arbiter/lang/diag"
	"arbiter/rules"
	"arbiter/spec/catalogue"
)

// This file is what commands share that spread their work over several machines.

// natsFlags say which server work travels through.
type natsFlags struct {
	cluster.Options
	store    string // the folder of the server of this machine
	lease    time.Duration
	verify   string
	metrics  string
	verified float64 // the share
}

// addServer adds the flags that name a server.
func (n *natsFlags) addServer(c *cobra.Command, usage string) {
	c.Flags().StringVar(&n.URL, "nats", "", usage)
	c.Flags().StringVar(&n.Creds, "nats-creds", "", "with --nats: the `FILE` of credentials")
	c.Flags().StringVar(&n.CA, "nats-ca", "", "with --nats: the `FILE` of certificates that are trusted")
	c.Flags().StringVar(&n.Cert, "nats-cert", "", "with --nats: the `FILE` of this machine's certificate")
	c.Flags().StringVar(&n.Key, "nats-key", "", "with --nats: the `FILE` of the key of this certificate")
	c.Flags().IntVar(&n.Replicas, "nats-replicas", 0, "with --nats: keep everything on `N` servers of a cluster (default: 3)")
}

// addStore adds the flag for the folder of the server of this machine.
func (n *natsFlags) addStore(c *cobra.Command) {
	c.Flags().StringVar(&n.store, "store", "", "without --nats: the folder `DIR` in which sweeps are kept")
}

// addWork adds the flags of a command that gives work to others.
func (n *natsFlags) addWork(c *cobra.Command) {
	c.Flags().StringVar(&n.verify, "verify", "", "play a share of what others have counted here again, for example `5%`")
	c.Flags().DurationVar(&n.lease, "lease", cluster.DefaultLease, "give a piece to another worker if one has been silent for `TIME`")
	n.addMetrics(c)
}

func (n *natsFlags) addMetrics(c *cobra.Command) {
	c.Flags().StringVar(&n.metrics, "metrics", "", "serve metrics for Prometheus at `ADDRESS`, for example 127.0.0.1:9100")
}

// maxReplicas is how many servers keep the same.
const maxReplicas = 5

// check validates these flags.
func (n *natsFlags) check() error {
	for name, value := range map[string]string{"nats-creds": n.Creds, "nats-ca": n.CA, "nats-cert": n.Cert, "nats-key": n.Key} {
		if value != "" && n.URL == "" {
			return usageError("--%s needs --nats", name)
		}
	}
	switch {
	case n.URL != "" && n.store != "":
		return usageError("--store is for the server of this machine, which --nats replaces")
	case n.Replicas < 0 || n.Replicas > maxReplicas:
		return usageError("--nats-replicas is %d: it must be from 1 to %d", n.Replicas, maxReplicas)
	case (n.Cert == "") != (n.Key == ""):
		return usageError("--nats-cert and --nats-key belong together")
	case n.lease != 0 && (n.lease < time.Second || n.lease > time.Hour):
		return usageError("--lease is %s: it must be from 1s to 1h", n.lease)
	}
	if n.verify != "" {
		v, err := strconv.ParseFloat(strings.TrimSuffix(n.verify, "%"), 64)
		if err != nil || !(v >= 0 && v <= 100) {
			return usageError("--verify is %s: it must be between 0%% and 100%%", n.verify)
		}
		n.verified = v / 100
	}
	return nil
}

// addPlayers adds the flags of a command that has other machines play, too.
func (n *natsFlags) addPlayers(c *cobra.Command) {
	n.addServer(c, "play on the workers of the server at `URL` too; the result is the same")
	c.Flags().StringVar(&n.verify, "verify", "", "with --nats: play a share of what others have counted here again, for example `5%`")
}

// checkPlayers validates the flags of such a command.
func (n *natsFlags) checkPlayers() error {
	if err := n.check(); err != nil {
		return err
	}
	if n.verify != "" && n.URL == "" {
		return usageError("--verify needs --nats: what is played here need not be played twice")
	}
	return nil
}

// folder is where sweeps are kept without a server of NATS.
func (n *natsFlags) folder() (string, error) {
	if n.store != "" {
		return n.store, nil
	}
	if dir := os.Getenv("XDG_STATE_HOME"); dir != "" {
		return filepath.Join(dir, "arbiter", "sweeps"), nil
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		dir, err := os.UserConfigDir()
		return filepath.Join(dir, "arbiter", "sweeps"), err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", usageError("there is no home folder in which sweeps could be kept: name a folder with --store")
	}
	return filepath.Join(home, ".local", "state", "arbiter", "sweeps"), nil
}

// connect connects to the server: that of --nats, or that of this machine. join wants the latter to run already.
func (n *natsFlags) connect(ctx context.Context, join bool) (*cluster.Cluster, error) {
	n.Lease = n.lease
	if n.URL != "" {
		return cluster.Connect(ctx, n.Options)
	}
	dir, err := n.folder()
	if err != nil {
		return nil, err
	}
	return cluster.Local(ctx, cluster.LocalOptions{Dir: dir, Lease: n.lease, Join: join, Storage: storageLimit})
}

// storageLimit bounds what the server of this machine keeps, in bytes, in tests of a full disk; 0: the disk does.
var storageLimit int64

// clock is the time of day; tests let it jump.
var clock = cluster.Clock(time.Now)

// workBuild says how those build who play for others: the library is in the program, and everything else comes with the
// work. Nothing is kept on the disk.
func workBuild() build.Options {
	return build.Options{Library: rules.FS, KnownCitation: catalogue.Known, Compile: compile.Options{}}
}

// untilInterrupted returns a context that ends with Ctrl-C, or when the program is asked to end.
func untilInterrupted() (ctx context.Context, end func()) {
	stopped, endWatch := stopWorkOnInterrupt()
	ctx, cancel := untilStopped(stopped)
	return ctx, func() { cancel(); endWatch() }
}

// untilStopped returns a context that ends when this is so, or when the program is asked to end.
func untilStopped(stopped func() bool) (ctx context.Context, end func()) {
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	go func() {
		every := time.NewTicker(50 * time.Millisecond)
		defer every.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-every.C:
				if stopped() {
					cancel()
					return
				}
			}
		}
	}()
	return ctx, cancel
}

// program identifies this program for workers.
func program() (string, error) {
	id := build.ProgramID()
	if id == "" {
		return "", errors.New("this program cannot be told from others, which workers need: build it with `go build`")
	}
	return id, nil
}

// runSweep brings a sweep to its end, with a line that shows how far it is. arms is by how many the fights are counted
// that it shows.
func (a *app) runSweep(ctx context.Context, s *cluster.Sweep, n *natsFlags, cores int, arms uint64) error {
	metrics, endMetrics, err := serveMetrics(n.metrics)
	if err != nil {
		return err
	}
	defer endMetrics()
	progress := &term.Progress{Out: a.err, Screen: a.screen.err, Noun: "fights"}
	o := cluster.RunOptions{
		Build: workBuild(), Cores: cores, Verify: n.verified, Clock: clock,
		Log: func(text string) {
			progress.Clear()
			fmt.Fprintf(a.err, "%s %s\n", a.screen.err.Paint(term.Yellow, "warning:"), term.Clean(text))
		},
		OnProgress: func(p cluster.Progress) {
			progress.AtMost, progress.Noun = p.AtMost, "fights on "+countText(p.Workers, "worker")
			progress.Set(int(p.Played/arms), int(p.Fights/arms))
			metrics.sweep(s.ID, p)
		},
	}
	err = s.Run(ctx, o)
	progress.Clear()
	return err
}

// bundleOf makes a job of files of the user, wherever they are, with its bundle, and returns the folder that the paths in
// it begin at. It has been built already: mistakes are those of a file that has changed since.
func bundleOf(j *piece.Job) (data []byte, root string, err error) {
	paths := []string{j.Script}
	for _, a := range j.Arms {
		for _, w := range a.With {
			if !isRulesetName(w) {
				paths = append(paths, w)
			}
		}
	}
	if root, err = commonFolder(paths); err != nil {
		return nil, "", err
	}
	inside := func(p string) (string, error) {
		full, err := filepath.Abs(p)
		if err != nil {
			return "", err
		}
		p, err = filepath.Rel(root, full)
		return filepath.ToSlash(p), err
	}
	if j.Script, err = inside(j.Script); err != nil {
		return nil, "", err
	}
	for i := range j.Arms {
		with := j.Arms[i].With
		j.Arms[i].With = nil
		for _, w := range with {
			if !isRulesetName(w) {
				if w, err = inside(w); err != nil {
					return nil, "", err
				}
			}
			j.Arms[i].With = append(j.Arms[i].With, w)
		}
	}
	recorder := &piece.Recorder{Files: os.DirFS(root)}
	if err := j.Describe(recorder, workBuild(), nil); err != nil {
		return nil, "", err
	}
	if data, err = recorder.Bundle(); err != nil {
		return nil, "", err
	}
	j.Bundle = piece.HashOf(data)
	return data, root, nil
}

// isRulesetName reports whether house rules are named and not given by a path.
func isRulesetName(w string) bool {
	if strings.ContainsAny(w, `/\.`) {
		return false
	}
	_, err := os.Stat(w)
	return err != nil
}

// commonFolder returns the folder above that in which all of the files are: the rulesets beside a file can be beside its
// folder.
func commonFolder(paths []string) (string, error) {
	common := ""
	for _, p := range paths {
		dir, err := filepath.Abs(filepath.Dir(p))
		if err != nil {
			return "", err
		}
		if info, err := os.Stat(p); err == nil && info.IsDir() {
			if dir, err = filepath.Abs(p); err != nil {
				return "", err
			}
		}
		for common != "" && dir != common && !strings.HasPrefix(dir, strings.TrimSuffix(common, string(filepath.Separator))+string(filepath.Separator)) {
			up := filepath.Dir(common)
			if up == common {
				return "", fmt.Errorf("%s and %s have no folder in common: copy them beside each other to play them on other machines", paths[0], p)
			}
			common = up
		}
		if common == "" {
			common = dir
		}
	}
	return filepath.Dir(common), nil
}

// reportClusterError shows why work on several machines has ended early.
func (a *app) reportClusterError(err error) error {
	var m *piece.MistakesError
	switch {
	case errors.As(err, &m):
		return a.rejectScript(diag.List(m.Diags))
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid):
		return err
	case err != nil && !hasExitStatus(err):
		return &exitError{exitIOError, err}
	}
	return err
}
