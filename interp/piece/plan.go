package piece

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"arbiter/interp/sweep"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file makes the jobs of a plan: one for each encounter.

// Limits of the jobs of a plan.
const (
	// maxJobs is how many encounters a plan has.
	maxJobs = 10_000
	// planBlock is how many arms a piece of a plan has besides the first. More share the cost of the first; fewer take
	// less memory and less time to build.
	planBlock = 20
)

// Jobs returns the jobs of a plan, which must still be described, given the files of its folder.
func Jobs(p *sweep.Plan, planFile, program string, files fs.FS) ([]*Job, diag.List) {
	wrong := func(span ast.Span, message, hint string) diag.List {
		return diag.List{{File: planFile, Span: span, Severity: diag.Error, Code: "wrong-plan", Message: message, Hint: hint}}
	}
	first := ast.Span{Start: ast.Pos{Line: 1, Column: 1}, End: ast.Pos{Line: 1, Column: 2, Offset: 1}}
	arms := planArms(p)
	if len(arms)-1 > maxArms {
		return nil, wrong(first, fmt.Sprintf("there are %d sets of rules and values, and at most %d are allowed", len(arms)-1, maxArms), "use fewer values, or several plans")
	}
	var jobs []*Job
	seen := map[string]bool{}
	for _, x := range p.Encounters {
		paths := []string{path.Clean(x.Name)}
		if strings.ContainsAny(x.Name, "*?[") {
			var err error
			if paths, err = fs.Glob(files, path.Clean(x.Name)); err != nil {
				return nil, wrong(x.Span, x.Name+" is not a pattern", "* stands for any letters of a name, ? for one")
			}
			if len(paths) == 0 {
				return nil, wrong(x.Span, "there is no file "+x.Name, "")
			}
		}
		for _, script := range paths {
			if seen[script] {
				continue
			}
			seen[script] = true
			if info, err := fs.Stat(files, script); err != nil || !info.Mode().IsRegular() {
				return nil, wrong(x.Span, "there is no file "+script+" in the folder of the plan", "")
			}
			if len(jobs) == maxJobs {
				return nil, wrong(x.Span, fmt.Sprintf("a plan has at most %d encounters", maxJobs), "")
			}
			j := &Job{Version: Version, Program: program, Script: script, Title: script, Seed: p.Seed, Fights: p.Fights, Until: p.Until, Arms: arms, Block: planBlock, Step: 1}
			for _, s := range p.Tries {
				j.Sweeps = append(j.Sweeps, s.Text)
			}
			jobs = append(jobs, j)
		}
	}
	return jobs, nil
}

// planArms lists the sets of rules and values of a plan; the first are the scripts as written.
func planArms(p *sweep.Plan) []Arm {
	sets := []Arm{{With: p.Base}}
	for _, w := range p.With {
		var names []string
		for _, file := range w {
			names = append(names, strings.TrimSuffix(path.Base(file), ".rules"))
		}
		set := strings.Join(names, " + ")
		sets = append(sets, Arm{Rules: set, Set: set, With: append(slices.Clip(p.Base), w...)})
	}
	for _, w := range p.Without {
		set := "without " + strings.Join(w, " + ")
		sets = append(sets, Arm{Rules: set, Set: set, With: p.Base, Without: w})
	}
	arms := sets[:1:1]
	for i, set := range sets {
		list := []Arm{set}
		for _, s := range p.Tries {
			var next []Arm
			for _, a := range list {
				for k, v := range s.Values {
					b := a
					b.Rules = strings.TrimPrefix(a.Rules+", "+s.Name+" = "+v.Text, ", ")
					b.Values = append(slices.Clip(a.Values), k)
					if next = append(next, b); len(next) > maxArms {
						return append(arms, next...)
					}
				}
			}
			list = next
		}
		if i > 0 || len(p.Tries) > 0 {
			arms = append(arms, list...)
		}
		if len(arms) > maxArms+1 {
			return arms
		}
	}
	return arms
}
