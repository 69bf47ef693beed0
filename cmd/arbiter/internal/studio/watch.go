//go:build !js

package studio

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// This file tells the pages what changes on the disk.

// settleTime is how long a file must have been left alone before it is read again: programs write in several steps.
const settleTime = 60 * time.Millisecond

// watch watches the folder until the context ends. Without a watcher, files are still compared whenever they are saved.
func (s *Studio) watch(ctx context.Context) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		fmt.Fprintf(s.o.Log, "arbiter: changes on the disk are not noticed: %s\n", err)
		return
	}
	defer w.Close()
	s.watchFolders(w)
	changed, structure := map[string]bool{}, false
	settled := time.NewTimer(time.Hour)
	for {
		select {
		case <-ctx.Done():
			return
		case e, open := <-w.Events:
			if !open {
				return
			}
			rel, err := filepath.Rel(s.folder.dir, e.Name)
			if err != nil {
				continue
			}
			changed[filepath.ToSlash(rel)] = true
			structure = structure || !e.Has(fsnotify.Write)
			settled.Reset(settleTime)
		case <-w.Errors: // events were lost: everything may have changed
			structure = true
			settled.Reset(settleTime)
		case <-settled.C:
			if structure {
				s.watchFolders(w)
				s.tellAll("files", s.files())
			}
			for p := range changed {
				if checkPath(p) != nil {
					continue
				}
				note := changedNote{Path: p}
				if text, err := s.folder.read(p); err == nil {
					note.Sum = sumOf(text)
				}
				s.tellAll("changed", note)
			}
			changed, structure = map[string]bool{}, false
		}
	}
}

// watchFolders watches all folders; those that are watched already stay so.
func (s *Studio) watchFolders(w *fsnotify.Watcher) {
	for _, p := range s.folder.folders() {
		_ = w.Add(s.folder.absolute(p)) // a folder may be gone again
	}
}
