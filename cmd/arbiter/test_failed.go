package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"arbiter/interp/golden"
)

// This file remembers in which files tests failed the last time, so that they can run first.

// failedList is where that is kept for the current folder, "" if nothing is kept.
func failedList() string {
	dir := keptFolder()
	here, err := os.Getwd()
	if dir == "" || err != nil {
		return ""
	}
	return filepath.Join(dir, "failed", fmt.Sprintf("%x", sha256.Sum256([]byte(here)))[:16])
}

// failedBefore lists the files in which tests failed the last time.
func failedBefore() map[string]bool {
	set := map[string]bool{}
	if path := failedList(); path != "" {
		text, _ := os.ReadFile(path) // nothing failed, or nothing is known
		for line := range strings.Lines(string(text)) {
			set[strings.TrimSpace(line)] = true
		}
	}
	return set
}

// rememberFailed keeps which of the files that ran have tests that failed; what is known of others stays. That it cannot
// be kept is no reason to fail.
func rememberFailed(r *golden.Report) {
	path := failedList()
	if path == "" {
		return
	}
	before := failedBefore()
	now := failedBefore()
	for i := range r.Tests {
		delete(now, r.Tests[i].File)
	}
	for i := range r.Tests {
		if !r.Tests[i].Passed {
			now[r.Tests[i].File] = true
		}
	}
	for _, list := range r.BrokenFiles() {
		now[list[0].File] = true
	}
	var lines []string
	same := len(now) == len(before)
	for file := range now {
		lines = append(lines, file+"\n")
		same = same && before[file]
	}
	if same {
		return
	}
	slices.Sort(lines)
	if len(lines) == 0 {
		_ = os.Remove(path)
	} else if os.MkdirAll(filepath.Dir(path), 0o777) == nil {
		_ = os.WriteFile(path, []byte(strings.Join(lines, "")), 0o666)
	}
}
