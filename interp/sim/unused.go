package sim

import (
	"fmt"
	"strings"

	"arbiter/interp/session"
)

// This file tells what of the compared rules was never used in the fights: then they say nothing about it.

// Unused is a part of the rules that no fight used.
type Unused struct {
	Ruleset string `json:"ruleset"`
	Kind    string `json:"kind"` // action, rule, option ...
	Path    string `json:"path"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Why     string `json:"why"`
}

// countUse adds what was used, and what was not; of that, a part within another is left out.
func (r *ArmReport) countUse(list []session.Addition, marks []int32) {
	type path struct{ ruleset, path string }
	idle := map[path]bool{}
	for i := range list {
		if _, unused := list[i].Unused(marks); unused {
			idle[path{list[i].Ruleset, list[i].Path}] = true
		}
	}
	isInside := func(a *session.Addition) bool {
		outer := a.Path
		for i := strings.LastIndexByte(outer, '.'); i >= 0; i = strings.LastIndexByte(outer, '.') {
			if outer = outer[:i]; idle[path{a.Ruleset, outer}] {
				return true
			}
		}
		return false
	}
	for i := range list {
		a := &list[i]
		if why, unused := a.Unused(marks); unused && !isInside(a) {
			r.Unused = append(r.Unused, Unused{a.Ruleset, a.Kind, a.Path, a.File, a.Line, why})
		} else if unused {
			continue
		}
		r.Additions++
	}
}

// useText goes on a sentence that says that nothing changed.
func (r *ArmReport) useText() string {
	it, its := "it", "its %d parts"
	if r.withoutThem {
		it, its = "what it leaves out", "the %d parts that it leaves out"
	}
	switch used := r.Additions - len(r.Unused); {
	case r.Additions == 0:
		return ""
	case used == 0:
		return ", and nothing of " + it + " was ever used"
	case used == r.Additions:
		return ", although all of " + it + " was used"
	default:
		return fmt.Sprintf(", although %d of "+its+" were used", used, r.Additions)
	}
}
