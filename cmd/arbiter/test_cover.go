package main

import (
	"fmt"
	"os"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/compile"
	"arbiter/interp/golden"
)

// This file reports what tests run of one's own rules: on the screen, as a page, and for build servers.

// coverFlags say how coverage is reported.
type coverFlags struct {
	cover      bool
	html, lcov string
	min        float64
}

// wanted reports whether coverage is recorded.
func (c *coverFlags) wanted() bool { return c.cover || c.html != "" || c.lcov != "" || c.min > 0 }

// write writes the files that were asked for.
func (c *coverFlags) write(r *golden.Report) error {
	if c.html != "" {
		page, err := coveragePage(r, source)
		if err != nil {
			return err
		}
		if err := os.WriteFile(c.html, page, 0o666); err != nil {
			return err
		}
	}
	if c.lcov != "" {
		return os.WriteFile(c.lcov, r.LCOV(), 0o666)
	}
	return nil
}

// check refuses coverage below the minimum.
func (c *coverFlags) check(r *golden.Report) error {
	if c.min <= 0 {
		return nil
	}
	covered, all := r.Share()
	if all == 0 {
		return &exitError{exitScriptError, fmt.Errorf("--cover-min: no test uses rules of your own")}
	}
	if percent := 100 * float64(covered) / float64(all); percent < c.min {
		return &exitError{exitScriptError, fmt.Errorf("--cover-min: %.1f%% of your own rules are covered, less than %g%%", percent, c.min)}
	}
	return nil
}

// printBranches prints how many ways of conditions were taken and how many statements ran, and which were not.
func (a *app) printBranches(list []golden.Branch) {
	if len(list) == 0 {
		return
	}
	ways, taken, statements, ran, cells, read := 0, 0, 0, 0, 0, 0
	var rows [][]string
	for i := range list {
		b := &list[i]
		switch b.Kind {
		case compile.Condition:
			ways += 2
			taken += min(b.Yes, 1) + min(b.No, 1)
		case compile.Statement:
			statements++
			ran += min(b.Yes, 1)
		case compile.TableCell:
			cells++
			read += min(b.Yes, 1)
		}
		if lacks := b.Lacks(); lacks != "" && !insideIdle(list, i) {
			rows = append(rows, []string{fmt.Sprintf("%s:%d:%d", b.File, b.Line, b.Column), branchText(b), lacks})
		}
	}
	fmt.Fprintf(a.out, "conditions: %d of %d ways taken; %d of %s ran; %d of %s read\n", taken, ways, ran, countText(statements, "statement"), read, countText(cells, "table cell"))
	a.printTable(rows)
}

// insideIdle reports whether what never ran lies in something listed before it that never ran either.
func insideIdle(list []golden.Branch, i int) bool {
	b := &list[i]
	for k := i - 1; k >= 0 && list[k].File == b.File; k-- {
		if o := &list[k]; o.Lacks() == "never ran" && b.Lacks() == "never ran" && (o.EndLine > b.EndLine || o.EndLine == b.EndLine && o.EndColumn >= b.EndColumn) {
			return true
		}
	}
	return false
}

// branchWidth is how much of the source of a condition is shown, in columns.
const branchWidth = 36

// branchText is the beginning of the source of a branch.
func branchText(b *golden.Branch) string {
	lines := strings.Split(string(source(b.File)), "\n")
	if b.Line > len(lines) {
		return b.Kind
	}
	line := lines[b.Line-1]
	from, to := min(b.Column-1, len(line)), len(line)
	if b.EndLine == b.Line {
		to = min(b.EndColumn-1, len(line))
	}
	return (&term.Screen{}).Cut(strings.TrimSpace(line[from:max(from, to)]), branchWidth)
}
