package sim

import (
	"fmt"
	"slices"

	"arbiter/interp/machine"
	"arbiter/interp/session"
)

// This file lets one fight under several rules be counted together: what has the same name under all of them has the same
// number.

// numbers are the places of one cast's names in those of all.
type numbers struct{ resources, actions, rules []int32 }

func (n *numbers) deed(e machine.Entry) Deed {
	d := Deed{e.By, e.Deed, n.resources[e.Resource]}
	switch {
	case e.Deed == machine.NoDeed:
	case e.Deed < 0:
		d.What = ^n.rules[^e.Deed]
	default:
		d.What = n.actions[e.Deed]
	}
	return d
}

// join gives casts with common numbers, and how the numbers of each become those. It is an error if not the same combatants
// meet.
func join(casts []*session.Cast) (joined []*session.Cast, as []*numbers, err error) {
	var resources, actions, rules names
	for _, c := range casts {
		if !slices.Equal(c.Sides, casts[0].Sides) || !slices.Equal(c.Members, casts[0].Members) {
			return nil, nil, fmt.Errorf("not the same combatants meet under both rules")
		}
		as = append(as, &numbers{resources.take(c.Resources), actions.take(c.Actions), rules.take(c.Rules)})
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

// names are those of several casts, each once; one that a cast has twice stays twice.
type names struct {
	list []string
	at   map[named]int32
}

type named struct {
	name string
	nth  int
}

// take gives the place of each of these.
func (n *names) take(list []string) []int32 {
	if n.at == nil {
		n.at = map[named]int32{}
	}
	met := map[string]int{}
	places := make([]int32, len(list))
	for i, name := range list {
		k := named{name, met[name]}
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
