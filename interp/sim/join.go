package sim

import (
	"fmt"
	"slices"

	"arbiter/interp/machine"
	"arbiter/interp/session"
)

// This file makes fights under several rules comparable: things with the same name get the same number under all rules.

// numbering maps the numbers of one cast to the joint numbers.
type numbering struct{ resources, actions, rules []int32 }

func (n *numbering) causeOf(e machine.Entry) Cause {
	d := Cause{e.By, e.Cause, n.resources[e.Resource]}
	switch {
	case e.Cause == machine.NoCause:
	case e.Cause < 0:
		d.What = ^n.rules[^e.Cause]
	default:
		d.What = n.actions[e.Cause]
	}
	return d
}

// Names are the names that several casts share, by their joint numbers.
type Names struct{ Resources, Actions, Rules []string }

// JoinNames numbers the names of casts jointly.
func JoinNames(casts []*session.Cast) Names {
	var resources, actions, rules names
	for _, c := range casts {
		resources.add(c.Resources)
		actions.add(c.Actions)
		rules.add(c.Rules)
	}
	return Names{resources.list, actions.list, rules.list}
}

// JoinCasts renumbers casts by the joint numbers of names, which may have more, and returns them in the order given. It
// is an error if the combatants differ.
func JoinCasts(casts []*session.Cast, known Names) ([]*session.Cast, error) {
	joined, _, err := joinCasts(casts, known)
	return joined, err
}

// joinCasts is JoinCasts, and returns the mapping of each.
func joinCasts(casts []*session.Cast, known Names) (joined []*session.Cast, as []*numbering, err error) {
	var resources, actions, rules names
	resources.add(known.Resources)
	actions.add(known.Actions)
	rules.add(known.Rules)
	for _, c := range casts {
		if !slices.Equal(c.Sides, casts[0].Sides) || !slices.Equal(c.Members, casts[0].Members) {
			return nil, nil, fmt.Errorf("the combatants are not the same under both rules")
		}
		as = append(as, &numbering{resources.add(c.Resources), actions.add(c.Actions), rules.add(c.Rules)})
	}
	for i, c := range casts {
		j := *c
		j.Resources, j.Actions, j.Rules = resources.list, actions.list, rules.list
		j.Watched = make([]machine.Watch, len(j.Resources))
		for r, w := range c.Watched {
			j.Watched[as[i].resources[r]] = w
		}
		joined = append(joined, &j)
	}
	return joined, as, nil
}

// names is the union of the names of several casts; a name that a cast has twice stays twice.
type names struct {
	list []string
	at   map[nthName]int32
}

type nthName struct {
	name string
	nth  int
}

// add returns the joint numbers of these names.
func (n *names) add(list []string) []int32 {
	if n.at == nil {
		n.at = map[nthName]int32{}
	}
	met := map[string]int{}
	places := make([]int32, len(list))
	for i, name := range list {
		k := nthName{name, met[name]}
		met[name]++
		place, has := n.at[k]
		if !has {
			place = int32(len(n.list))
			n.at[k] = place
			n.list = append(n.list, name)
		}
		places[i] = place
	}
	return places
}
