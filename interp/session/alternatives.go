package session

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/stdlib/grid"
)

// This file lists the commands that a creature may choose from, with their arguments, for a search: what its tactics
// would do, everything else that they allow, the end of its turn, and what the rules allow beside it.

// alternative is a command to choose; proc -1 is the end of the turn.
type alternative struct {
	proc  int32
	args  []int64
	param int // of a square, to be replaced by those around it; -1: none
}

// Limits on what is listed. They bound the time of listing; what is beyond them is not tried.
const (
	maxAlternatives = 600
	maxOfAction     = 120 // of one action
	maxPerArgument  = 40  // values of one argument
	coarseness      = 4   // one of so many squares in each direction is listed at first
)

// numbersTried are the numbers that are tried where an argument is a number.
var numbersTried = []int64{1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20}

// enumerator lists alternatives.
type enumerator struct {
	p     *player
	who   int32
	known map[string]bool
	list  []alternative
}

// alternatives lists what a creature may choose now, without repetition. The first is what its tactics would do. If an
// effect leaves a single command, there is nothing else.
func (p *player) alternatives(who, tactics int32) ([]alternative, error) {
	l := &enumerator{p: p, who: who, known: map[string]bool{}}
	byTactics, forced, err := p.m.CommandsByTactics(who, tactics)
	if err != nil {
		return nil, err
	}
	for _, c := range byTactics {
		l.add(alternative{c.Proc, c.Args, -1})
	}
	if forced {
		return l.list, nil
	}
	l.list = slices.Insert(l.list, min(1, len(l.list)), alternative{proc: -1, param: -1})
	var byAction [][]alternative
	c := completer{p: p}
	for i, x := range p.checked.Procs {
		if x.Action && !c.forbidden(who, int32(i)) {
			byAction = append(byAction, l.ofAction(x))
		}
	}
	for at := range maxOfAction { // in turn, so that no action takes the place of the others
		for _, of := range byAction {
			if at < len(of) && len(l.list) < maxAlternatives {
				l.add(of[at])
			}
		}
	}
	return l.list, nil
}

// add adds an alternative that is not listed yet.
func (l *enumerator) add(a alternative) bool {
	key := l.p.alternativeKey(l.who, &a)
	if l.known[key] {
		return false
	}
	l.known[key] = true
	l.list = append(l.list, a)
	return true
}

// alternativeKey is the same for commands that do the same: defaults are filled in, and lists are compared by their
// elements.
func (p *player) alternativeKey(who int32, a *alternative) string {
	args, err := p.m.FillArgs(who, a.proc, a.args)
	if err != nil {
		args = append([]int64{int64(who)}, a.args...)
	}
	var b strings.Builder
	fmt.Fprint(&b, a.proc)
	for i, x := range p.m.Program().Procs[a.proc].Params {
		if given := i < len(a.args) && a.args[i] != program.Absent; x.Shape.IsAddress() && given {
			values, _ := p.m.Values(a.args[i])
			fmt.Fprint(&b, values)
		} else if !x.Shape.IsAddress() && i+1 < len(args) {
			fmt.Fprint(&b, " ", args[i+1])
		}
	}
	return b.String()
}

// ofAction lists the legal ways to take an action: every value of what has to be said, alone and with each creature or
// square that may be said; then, for the first of these, the other values that may be said, one at a time.
func (l *enumerator) ofAction(x *ir.Proc) []alternative {
	c := completer{p: l.p}
	ways := []alternative{{int32(x.Index), c.absentArgs(int32(x.Index)), -1}}
	for i, v := range x.Params {
		if v.Default == nil {
			ways = l.with(ways, i, l.values(v))
		}
	}
	ways = l.legal(ways)
	all := slices.Clone(ways)
	for i, v := range x.Params {
		if v.Default != nil && (l.isPlace(v) || l.isCreature(v)) {
			all = append(all, l.legal(l.with(l.or(ways, x), i, l.values(v)))...)
		}
	}
	for i, v := range x.Params {
		if v.Default != nil && !l.isPlace(v) && !l.isCreature(v) && len(all) > 0 {
			all = append(all, l.legal(l.with(all[:min(len(all), 8)], i, l.values(v)))...)
		}
	}
	return all[:min(len(all), maxOfAction)]
}

// or returns the ways found so far or, if none is legal as it is, those before something that may be said is said.
func (l *enumerator) or(ways []alternative, x *ir.Proc) []alternative {
	if len(ways) > 0 || slices.ContainsFunc(x.Params, func(v *ir.Var) bool { return v.Default == nil }) {
		return ways
	}
	return []alternative{{int32(x.Index), (&completer{p: l.p}).absentArgs(int32(x.Index)), -1}}
}

func (l *enumerator) isCreature(v *ir.Var) bool {
	return v.Type.Kind == ir.Ref && v.Type.Name == l.p.checked.Kinds[0].Name
}

func (l *enumerator) isPlace(v *ir.Var) bool {
	return v.Type.Kind == ir.Square || v.Type.Kind == ir.Place
}

// with gives each of some ways every value of one more argument.
func (l *enumerator) with(ways []alternative, param int, values []int64) (list []alternative) {
	for _, value := range values {
		for _, w := range ways {
			if len(list) == 4*maxOfAction {
				return list
			}
			args := slices.Clone(w.args)
			args[param] = value
			at := w.param
			if _, ok := grid.Unpack(value); ok && l.isPlace(l.p.checked.Procs[w.proc].Params[param]) {
				at = param
			}
			list = append(list, alternative{w.proc, args, at})
		}
	}
	return list
}

// legal returns those that are legal now.
func (l *enumerator) legal(ways []alternative) []alternative {
	return slices.DeleteFunc(slices.Clone(ways), func(w alternative) bool {
		for i, v := range l.p.checked.Procs[w.proc].Params {
			if v.Default == nil && w.args[i] == program.Absent {
				return true
			}
		}
		ok, _, _ := l.p.m.Legal(l.who, w.proc, w.args)
		return !ok
	})
}

// values lists the values that an argument may have, as far as they can be listed; none for plans, lists and actions.
func (l *enumerator) values(v *ir.Var) (list []int64) {
	p := l.p
	switch v.Type.Kind {
	case ir.YesNo:
		list = []int64{0, 1}
	case ir.Number:
		list = numbersTried
	case ir.EnumType:
		for _, e := range p.checked.Enums {
			if e.Name == v.Type.Name {
				for i := range e.Members {
					list = append(list, int64(i))
				}
			}
		}
	case ir.Ref:
		if !l.isCreature(v) {
			list = p.thingsOf(l.who, v.Type.Name)
			break
		}
		list = l.creatures()
	case ir.Square:
		list = l.squares()
	case ir.Place:
		list = append(l.creatures(), l.squares()...)
	}
	return list[:min(len(list), maxPerArgument)]
}

func (l *enumerator) creatures() (list []int64) {
	for i := range l.p.members {
		if !l.p.isAway(int64(i)) {
			list = append(list, int64(i))
		}
	}
	return list
}

// squares lists the squares around the other creatures and those that creatures fill, then some of those that one move
// reaches, scattered.
func (l *enumerator) squares() (list []int64) {
	p := l.p
	if p.field == nil || p.position(l.who) == nil {
		return nil
	}
	c := completer{p: p}
	known := map[[3]int]bool{}
	add := func(at [3]int) {
		if !known[at] {
			known[at] = true
			list = append(list, squareAt(at).Pack())
		}
	}
	reach := p.reach(l.who)
	inReach := map[[3]int]bool{}
	for _, at := range reach {
		inReach[at] = true
	}
	for _, at := range reach {
		if at[0]%coarseness == 0 && at[1]%coarseness == 0 {
			add(at)
		}
	}
	for i := range p.members {
		if int32(i) == l.who || p.isAway(int64(i)) {
			continue
		}
		for _, at := range c.neighbors(int32(i)) {
			if inReach[at] || p.m.State().Squares[i] == squareAt(at).Pack() {
				add(at)
			}
		}
	}
	for _, at := range c.neighbors(l.who) {
		add(at)
	}
	return spread(list, maxPerArgument)
}

// spread returns at most that many elements, evenly from a list.
func spread(list []int64, most int) []int64 {
	if len(list) <= most {
		return list
	}
	out := make([]int64, most)
	for i := range out {
		out[i] = list[i*len(list)/most]
	}
	return out
}

// near lists the legal alternatives to one with a square that have one of the squares around it.
func (l *enumerator) near(a *alternative) (list []alternative) {
	at, ok := grid.Unpack(a.args[a.param])
	if !ok {
		return nil
	}
	for dy := int16(-1); dy <= 1; dy++ {
		for dx := int16(-1); dx <= 1; dx++ {
			if s := (grid.Square{X: at.X + dx, Y: at.Y + dy, Z: at.Z}); l.p.field.Has(s) {
				list = append(list, l.with([]alternative{*a}, a.param, []int64{s.Pack()})...)
			}
		}
	}
	return l.legal(list)
}

// thingsOf lists the things of a kind that a creature has or, if it has none, all that exist.
func (p *player) thingsOf(who int32, kind string) (list []int64) {
	m := p.m
	isOne := func(v int64) bool {
		i := -v - 1
		return i >= 0 && i < int64(len(p.checked.Templates)) && p.checked.Templates[i].Kind != nil && p.checked.Templates[i].Kind.Name == kind
	}
	for i, f := range m.Program().Kinds[0].Fields {
		v, ok := m.ReadField(int64(who), int32(i))
		if !ok {
			continue
		}
		values := []int64{v}
		if f.Shape.IsAddress() {
			values, _ = m.Values(v)
		}
		for _, x := range values {
			if isOne(x) && !slices.Contains(list, x) {
				list = append(list, x)
			}
		}
	}
	if len(list) == 0 {
		for i := range p.checked.Templates {
			if v := -int64(i) - 1; isOne(v) {
				list = append(list, v)
			}
		}
	}
	return list
}

// alternativeText is a command in words, much as it is typed.
func (p *player) alternativeText(a *alternative) string {
	if a.proc < 0 {
		return "next turn"
	}
	x := &p.m.Program().Procs[a.proc]
	text := x.Name
	for i, v := range x.Params {
		if i >= len(a.args) || a.args[i] == program.Absent || a.args[i] == program.None {
			continue
		}
		text += strings.TrimRight(" "+v.Label, " ") + " " + p.m.Format(v.Type, a.args[i])
	}
	return text
}

// choice is an alternative as tactics choose it.
func (a *alternative) choice() machine.Choice { return machine.Choice{Proc: a.proc, Args: a.args} }
