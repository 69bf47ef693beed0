package sim

import (
	"fmt"
	"slices"

	"arbiter/interp/machine"
	"arbiter/interp/session"
)

// This file makes fights under several rules comparable: things with the same name get the same number under all rules.

// numbering maps the numbers of one cast to the joint numbers.
type numbering struct{ members, resources, actions, rules []int32 }

// member returns the joint number of a combatant; -1 for one who is not of the cast.
func (n *numbering) member(who int32) int32 {
	if who < 0 || int(who) >= len(n.members) {
		return -1
	}
	return n.members[who]
}

func (n *numbering) causeOf(e machine.Entry) Cause {
	d := Cause{n.member(e.By), e.Cause, n.resources[e.Resource]}
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
type Names struct {
	Members                   []session.CastMember
	Resources, Actions, Rules []string
}

// JoinNames numbers the names of casts jointly.
func JoinNames(casts []*session.Cast) Names {
	var resources, actions, rules names
	var all members
	for _, c := range casts {
		all.add(c.Members)
		resources.add(c.Resources)
		actions.add(c.Actions)
		rules.add(c.Rules)
	}
	return Names{all, resources.list, actions.list, rules.list}
}

// JoinCasts renumbers casts by the joint numbers of names, which may have more, and returns them in the order given. Who
// is missing in a cast is there by name, and counted as somebody who does nothing. It is an error if the sides differ.
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
	all := slices.Clone(members(known.Members))
	for _, c := range casts {
		if !slices.Equal(c.Sides, casts[0].Sides) {
			return nil, nil, fmt.Errorf("the sides are not the same under both rules")
		}
		as = append(as, &numbering{all.add(c.Members), resources.add(c.Resources), actions.add(c.Actions), rules.add(c.Rules)})
	}
	for i, c := range casts {
		j := *c
		j.Members, j.Absent = all, nil
		for m := range all {
			if !slices.Contains(as[i].members, int32(m)) {
				j.Absent = append(j.Absent, m)
			}
		}
		j.Resources, j.Actions, j.Rules = resources.list, actions.list, rules.list
		j.Watched = make([]machine.Watch, len(j.Resources))
		for r, w := range c.Watched {
			j.Watched[as[i].resources[r]] = w
		}
		joined = append(joined, &j)
	}
	return joined, as, nil
}

// members is the union of the combatants of several casts.
type members []session.CastMember

// add returns the joint numbers of these combatants.
func (m *members) add(list []session.CastMember) (places []int32) {
	known := make(map[session.CastMember]int32, len(*m))
	for i, x := range *m {
		known[x] = int32(i)
	}
	for _, x := range list {
		place, met := known[x]
		if !met {
			place = int32(len(*m))
			known[x] = place
			*m = append(*m, x)
		}
		places = append(places, place)
	}
	return places
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
