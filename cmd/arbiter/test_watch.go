package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"arbiter/interp/files"
)

// This file runs tests again whenever a file changes.

// settledAfter is how long nothing must have changed before tests run again: programs write in several steps.
const settledAfter = 80 * time.Millisecond

// watchTests runs tests, and again whenever something changes in the folders of the paths, until the user ends it.
func (a *app) watchTests(paths []string, run func() error) error {
	ctx, end := signal.NotifyContext(context.Background(), os.Interrupt)
	defer end()
	signal.Stop(interrupts)
	return a.watchTestsUntil(ctx, paths, run)
}

// watchTestsUntil is watchTests until the context ends.
func (a *app) watchTestsUntil(ctx context.Context, paths []string, run func() error) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("changes cannot be watched here: %w", err)
	}
	defer w.Close()
	for {
		for _, dir := range watchedFolders(paths) {
			_ = w.Add(dir) // it may be gone again
		}
		if err := run(); err != nil {
			a.printError(explainFileError(err), a.json)
		}
		fmt.Fprintln(a.err, "waiting for a change; Ctrl+C ends")
		if !waitForChange(ctx, w) {
			return nil
		}
		fmt.Fprintln(a.out)
	}
}

// waitForChange waits until a script or a function has changed, and everything has settled; false when the context ends.
func waitForChange(ctx context.Context, w *fsnotify.Watcher) bool {
	var settled <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return false
		case e, open := <-w.Events:
			if !open {
				return false
			}
			ext := filepath.Ext(e.Name)
			if !e.Has(fsnotify.Chmod) && !strings.HasPrefix(filepath.Base(e.Name), ".") && (ext == "" || ext == ".star" || slices.Contains(files.Kinds, ext)) {
				settled = time.After(settledAfter)
			}
		case <-w.Errors: // events were lost
			settled = time.After(settledAfter)
		case <-settled:
			return true
		}
	}
}

// watchedFolders lists the folders of the paths and those in them, and the current one, in which house rules lie.
func watchedFolders(paths []string) []string {
	seen := map[string]bool{".": true}
	for _, p := range paths {
		if info, err := os.Stat(p); err != nil || !info.IsDir() {
			seen[filepath.Dir(p)] = true
			continue
		}
		_ = filepath.WalkDir(p, func(path string, d os.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return nil
			}
			if name := d.Name(); path != p && (strings.HasPrefix(name, ".") || name == "node_modules") {
				return filepath.SkipDir
			}
			seen[path] = true
			return nil
		})
	}
	var list []string
	for dir := range seen {
		list = append(list, dir)
	}
	return list
}
