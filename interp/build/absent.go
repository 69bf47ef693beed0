package build

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"arbiter/interp/load"
)

// This file reports rulesets that are to be left out but are not there, probably because of a typo.

// AbsentError says that a ruleset that was to be left out is not there.
type AbsentError struct {
	Name  string
	known map[string]bool // the rulesets that are there
}

func (e *AbsentError) Error() string {
	return "there is no ruleset " + e.Name + " to leave out; " +
		nearest(e.Name, e.known, "there are: "+strings.Join(slices.Sorted(maps.Keys(e.known)), ", "))
}

func newAbsentError(name string, rs []*load.Ruleset) *AbsentError {
	e := &AbsentError{Name: name, known: map[string]bool{}}
	for _, r := range rs {
		e.known[r.Name] = true
	}
	return e
}

// AbsentCounter counts the builds that lack a ruleset that was to be left out. Some of many builds may lack it; a name
// that all of them lack is a mistake. Builds may run concurrently.
type AbsentCounter struct {
	mu     sync.Mutex
	counts map[string]int
	errors map[string]*AbsentError
}

func (a *AbsentCounter) add(e *AbsentError) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.counts == nil {
		a.counts, a.errors = map[string]int{}, map[string]*AbsentError{}
	}
	a.counts[e.Name]++
	if first := a.errors[e.Name]; first != nil {
		maps.Copy(first.known, e.known)
	} else {
		a.errors[e.Name] = e
	}
}

// AbsentFromAll returns the error for a name that all of the builds, given their number, lacked; nil if there is none.
func (a *AbsentCounter) AbsentFromAll(builds int) error {
	for _, name := range slices.Sorted(maps.Keys(a.counts)) {
		if a.counts[name] >= builds {
			return a.errors[name]
		}
	}
	return nil
}
