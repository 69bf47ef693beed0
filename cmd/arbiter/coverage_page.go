package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"arbiter/interp/compile"
	"arbiter/interp/golden"
)

// This file lays out rules with what tests ran of them as a page of one file, without a script.

//go:embed coverage.html
var coverageTemplate string

type coverageDocument struct {
	Covered, All int
	Files        []coverageFile
}

type coverageFile struct {
	Name         string
	Covered, All int
	Lines        []coverageLine
}

// coverageLine is a line of the source: Class is "ran" or "idle" if something begins on it that a test can run, and
// Tests how many run most of it.
type coverageLine struct {
	Number int
	Class  string
	Tests  int
	Pieces []coveragePiece
}

// coveragePiece is a piece of a line; Lacks says what is missing of it, as does Class in one word.
type coveragePiece struct {
	Text, Class, Lacks string
}

// coveragePercent is the share of what can be covered.
func coveragePercent(covered, all int) string {
	if all == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(covered)/float64(all))
}

// coveragePage returns the page.
func coveragePage(r *golden.Report, source func(file string) []byte) ([]byte, error) {
	t, err := template.New("coverage").Funcs(template.FuncMap{"percent": coveragePercent}).Parse(coverageTemplate)
	if err != nil {
		return nil, err
	}
	var d coverageDocument
	d.Covered, d.All = r.Share()
	var names []string
	for i := range r.Own {
		names = append(names, r.Own[i].File)
	}
	for i := range r.Branches {
		names = append(names, r.Branches[i].File)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		d.Files = append(d.Files, newCoverageFile(r, name, string(source(name))))
	}
	var out bytes.Buffer
	err = t.Execute(&out, d)
	return out.Bytes(), err
}

// newCoverageFile marks the lines of a file.
func newCoverageFile(r *golden.Report, name, text string) coverageFile {
	only := golden.Report{}
	for _, p := range r.Own {
		if p.File == name {
			only.Own = append(only.Own, p)
		}
	}
	for _, b := range r.Branches {
		if b.File == name {
			only.Branches = append(only.Branches, b)
		}
	}
	f := coverageFile{Name: name}
	f.Covered, f.All = only.Share()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	marks := make([][]string, len(lines)) // by line and byte: what is lacking there
	f.Lines = make([]coverageLine, len(lines))
	for i, line := range lines {
		marks[i], f.Lines[i].Number = make([]string, len(line)), i+1
	}
	count := func(line, tests int) {
		if line < 1 || line > len(lines) {
			return
		}
		l := &f.Lines[line-1]
		if l.Tests = max(l.Tests, tests); l.Tests > 0 {
			l.Class = "ran"
		} else {
			l.Class = "idle"
		}
	}
	for _, p := range only.Own {
		count(p.Line, len(p.Tests))
	}
	for i := range only.Branches { // outer ones first
		b := &only.Branches[i]
		count(b.Line, max(b.Yes, b.No))
		for n := b.Line; n <= b.EndLine && n <= len(lines); n++ {
			from, to := 0, len(lines[n-1])
			if n == b.Line {
				from = min(b.Column-1, to)
			}
			if n == b.EndLine {
				to = min(b.EndColumn-1, to)
			}
			for k := from; k < to; k++ {
				if lacks := b.Lacks(); lacks != "" || b.Kind == compile.Condition {
					marks[n-1][k] = lacks
				}
			}
		}
	}
	for i, line := range lines {
		for from := 0; from < len(line); {
			to := from + 1
			for to < len(line) && marks[i][to] == marks[i][from] {
				to++
			}
			lacks := marks[i][from]
			if strings.TrimSpace(line[from:to]) == "" {
				lacks = ""
			}
			f.Lines[i].Pieces = append(f.Lines[i].Pieces, coveragePiece{line[from:to], strings.ReplaceAll(lacks, " ", "-"), lacks})
			from = to
		}
	}
	return f
}
