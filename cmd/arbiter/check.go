package main

import (
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/show"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/files"
	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

type checkDocument struct {
	Files       int               `json:"files"`
	Diagnostics []show.Diagnostic `json:"diagnostics"`
}

func (a *app) checkCommand() *cobra.Command {
	var h houseRules
	var strict bool
	c := &cobra.Command{
		Use:        "check [PATH...]",
		SuggestFor: []string{"validate", "verify"},
		Short:      "Check scripts for mistakes without running them",
		RunE: runFunc(func(args []string) error {
			if len(args) == 0 {
				args = []string{"."}
			}
			paths, o := args, h.buildOptions()
			var err error
			if len(args) == 1 && args[0] == stdin {
				paths, o.ReadFile, err = a.typedFile()
			} else {
				paths, err = files.Find(args, files.Kinds)
			}
			if err != nil {
				return err
			}
			diags, err := a.check(paths, o)
			if err != nil {
				return err
			}
			if a.json {
				a.printJSON(checkDocument{len(paths), show.JSON(diags)})
			} else {
				a.printDiagnostics(diags)
				fmt.Fprintln(a.err, verdict(len(paths), diags))
			}
			if strict && len(diags) > 0 {
				return errMistakes
			}
			return errorIfMistakes(diags)
		}),
	}
	h.add(c)
	c.Flags().BoolVar(&strict, "strict", false, "treat warnings as errors")
	c.Flags().BoolVar(&a.allMistakes, "all", false, "show every mistake on a terminal, not just the first 20 of each file")
	return c
}

// typedFile makes standard input a file with the name that messages use for it.
func (a *app) typedFile() (paths []string, read func(path string) ([]byte, error), err error) {
	name, text, err := a.readScript(stdin)
	return []string{name}, func(path string) ([]byte, error) {
		if path == name {
			return text, nil
		}
		return build.ReadFile(path)
	}, err
}

// verdict is the last line, such as "12 files, no mistakes".
func verdict(n int, diags diag.List) string {
	errors := 0
	for _, d := range diags {
		if d.Severity == diag.Error {
			errors++
		}
	}
	s := countText(n, "file") + ", no mistakes"
	if errors > 0 {
		s = countText(n, "file") + ", " + countText(errors, "mistake")
	}
	if warnings := len(diags) - errors; warnings > 0 {
		s += ", " + countText(warnings, "warning")
	}
	return s
}

// check builds each file separately, several in parallel, and merges the diagnostics without duplicates: files that
// share rules report the same mistakes in them.
func (a *app) check(paths []string, o build.Options) (diag.List, error) {
	o.Absent = &build.AbsentCounter{}
	jobs, err := jobsOf(paths)
	if err != nil {
		return nil, err
	}
	progress := &term.Progress{Out: a.err, Screen: a.screen.err, Noun: "scripts"}
	defer progress.Clear()
	results := make([]checkResult, len(jobs))
	var next, ready atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(jobs)) {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(jobs) {
					return
				}
				results[i] = checkFile(jobs[i], o)
				progress.Set(int(ready.Add(1)), len(jobs))
			}
		})
	}
	workers.Wait()
	if err := o.Absent.AbsentFromAll(len(jobs)); err != nil {
		return nil, err
	}
	var all diag.List
	seen := map[string]bool{}
	included := map[string]bool{}
	for i := range results {
		for _, path := range results[i].includes {
			included[path] = true
		}
	}
	for i := range results {
		r := &results[i]
		if r.err != nil {
			return nil, r.err
		}
		list := r.diags
		if r.isPart && !included[filepath.Clean(r.path)] {
			list = append(list, diag.Diagnostic{File: r.path, Span: r.head, Severity: diag.Warning, Code: "part",
				Message: "this file is part of an adventure: only its syntax was checked",
				Hint:    "also name the file that includes it; or give it rules of its own: adventure \"TITLE\" with NAME"})
		}
		for _, d := range list {
			if key := fmt.Sprint(d.String(), d.Code); !seen[key] {
				seen[key] = true
				all = append(all, d)
			}
		}
	}
	return all, nil
}

// checkResult is what is needed of a file that has been checked. It does not hold the script, whose rules are large.
type checkResult struct {
	diags    diag.List
	err      error
	path     string
	isPart   bool // of an adventure
	head     ast.Span
	includes []string // paths of files
}

// checkFile builds a file.
func checkFile(path string, o build.Options) (r checkResult) {
	var s *build.Script
	if s, r.diags, r.err = build.File(path, o); s == nil {
		return r
	}
	r.path = s.Path
	if s.IsPart() {
		r.isPart, r.head = true, s.Head.Span
	}
	if s.File == nil {
		return r
	}
	for _, cl := range s.File.Body {
		if n, ok := cl.(*ast.Include); ok {
			r.includes = append(r.includes, filepath.Join(filepath.Dir(s.Path), filepath.FromSlash(n.File.Value)))
		}
	}
	return r
}

// jobsOf drops files that are built with another one: the files of one ruleset in its folder are one job.
func jobsOf(paths []string) ([]string, error) {
	var jobs []string
	seen := map[string]bool{}
	for _, path := range paths {
		if folder := filepath.Dir(path); filepath.Ext(path) == ".rules" {
			name, err := rulesetOf(path)
			if err != nil {
				return nil, err
			}
			if name == filepath.Base(folder) {
				if seen[folder] {
					continue
				}
				seen[folder] = true
			}
		}
		jobs = append(jobs, path)
	}
	return jobs, nil
}

// rulesetOf returns the ruleset that the header of a file names, "" if there is none.
func rulesetOf(path string) (string, error) {
	f, err := parseFile(path)
	if err != nil {
		return "", err
	}
	if h := load.HeaderOf(f); h != nil {
		return h.Name.Name, nil
	}
	return "", nil
}

func parseFile(path string) (*ast.File, error) {
	text, err := build.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, _ := parse.File(path, text)
	return f, nil
}
