package build

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"arbiter/interp/load"
)

// This file is about rulesets that are to be left out and take no part: most likely a slip of the pen.

// AbsentError says that a ruleset was to be left out which takes no part.
type AbsentError struct {
	Name  string
	known map[string]bool // the rulesets that do
}

func (e *AbsentError) Error() string {
	return "there is no ruleset " + e.Name + " to leave out; " +
		nearest(e.Name, e.known, "there are: "+strings.Join(slices.Sorted(maps.Keys(e.known)), ", "))
}

func absent(name string, rs []*load.Ruleset) *AbsentError {
	e := &AbsentError{Name: name, known: map[string]bool{}}
	for _, r := range rs {
		e.known[r.Name] = true
	}
	return e
}

// Absent counts the builds that lacked a ruleset which was to be left out. One of many may; a name that all of them lack
// is a mistake. Builds may run at the same time.
type Absent struct {
	mu     sync.Mutex
	lacked map[string]int
	errors map[string]*AbsentError
}

func (a *Absent) note(e *AbsentError) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.lacked == nil {
		a.lacked, a.errors = map[string]int{}, map[string]*AbsentError{}
	}
	a.lacked[e.Name]++
	if first := a.errors[e.Name]; first != nil {
		maps.Copy(first.known, e.known)
	} else {
		a.errors[e.Name] = e
	}
}

// Everywhere gives the error for a name that each of so many builds lacked, nil if there is none.
func (a *Absent) Everywhere(builds int) error {
	for _, name := range slices.Sorted(maps.Keys(a.lacked)) {
		if a.lacked[name] >= builds {
			return a.errors[name]
		}
	}
	return nil
}
