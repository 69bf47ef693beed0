package session

import (
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file lists what a creature can do now, so that whoever leads it need not type.

// Possible is an action that a creature may take now. What is still open about it are the values of one argument: those
// that are legal, as far as they can be listed. The command is the action, the word if there is one, and a value.
type Possible struct {
	Action  string   `json:"action"`
	Doc     string   `json:"doc,omitempty"`
	Costs   []string `json:"costs"`             // the ways to pay for it
	Word    string   `json:"word,omitempty"`    // that stands before the value: to
	Targets []string `json:"targets,omitempty"` // creatures
	Squares [][3]int `json:"squares,omitempty"`
	Values  []string `json:"values,omitempty"` // of any other kind
	More    bool     `json:"more,omitempty"`   // it needs further words, that have to be typed
}

// maxPossibleValues limits the values of an argument that are listed.
const maxPossibleValues = 200

// Possible lists what a creature can do now, in the order of the rules; nothing for an unknown name. An action that
// nothing and nobody is left for is not listed.
func (l *Live) Possible(name string) []Possible {
	list := []Possible{}
	p := l.p
	who := int32(slices.Index(l.Names(), name))
	if who < 0 || l.aside > 0 {
		return list
	}
	before := p.snapshot()
	defer func() { p.restore(before) }()
	c := completer{p: l.p}
	for i, x := range p.checked.Procs {
		if !x.Action || c.forbidden(who, int32(i)) {
			continue
		}
		if y, ok := l.possible(who, x); ok {
			list = append(list, y)
		}
	}
	return list
}

// possible is what can be said about one action.
func (l *Live) possible(who int32, x *ir.Proc) (y Possible, ok bool) {
	c := completer{p: l.p}
	args := c.absentArgs(int32(x.Index))
	y = Possible{Action: x.Name, Costs: []string{}}
	if x.Part != nil {
		y.Doc = x.Part.Doc
	}
	asked := -1
	for i, v := range x.Params {
		if v.Default != nil {
			continue
		}
		if asked >= 0 || v.Label != "" {
			y.More = true
			continue
		}
		asked = i
	}
	if asked < 0 {
		// Whom an action is meant for may have a default; then anybody else may be named as well.
		asked = slices.IndexFunc(x.Params, func(v *ir.Var) bool { return v.Label == "" && l.isCreature(v) })
		if asked < 0 && l.p.field != nil {
			asked = slices.IndexFunc(x.Params, func(v *ir.Var) bool { return v.Type.Kind == ir.Square || v.Type.Kind == ir.Place })
		}
		if asked >= 0 {
			y.Word = x.Params[asked].Label
		}
		if legal, _, _ := l.p.m.Legal(who, int32(x.Index), args); !legal && asked < 0 {
			return y, false
		}
	}
	if asked >= 0 && !l.addPossibleValues(&y, who, x, asked) {
		return y, false
	}
	inquiry := Inquiry{}
	l.addCosts(&inquiry, &question{who: who, proc: int32(x.Index), args: args})
	y.Costs = append(y.Costs, inquiry.Costs...)
	return y, true
}

func (l *Live) isCreature(v *ir.Var) bool {
	return v.Type.Kind == ir.Ref && v.Type.Name == l.p.checked.Kinds[0].Name
}

// addPossibleValues adds the legal values of an argument. It reports whether there are any.
func (l *Live) addPossibleValues(y *Possible, who int32, x *ir.Proc, param int) bool {
	p := l.p
	v := x.Params[param]
	legal := func(value int64) bool {
		args := (&completer{p: l.p}).absentArgs(int32(x.Index))
		args[param] = value
		for i, w := range x.Params { // what else is needed may make it legal
			if w.Default == nil && i != param && args[i] == program.Absent {
				return true
			}
		}
		ok, _, _ := p.m.Legal(who, int32(x.Index), args)
		return ok
	}
	if l.isCreature(v) || v.Type.Kind == ir.Place {
		for i := range p.members {
			if !p.isAway(int64(i)) && legal(int64(i)) {
				y.Targets = append(y.Targets, p.members[i].name)
			}
		}
	}
	switch {
	case v.Type.Kind == ir.Square || v.Type.Kind == ir.Place:
		y.Squares = (&completer{p: l.p}).legalSquares(who, x, param)
	case !l.isCreature(v):
		c := completer{p: l.p}
		c.values(who, x, param)
		for _, s := range c.list[:min(len(c.list), maxPossibleValues)] {
			y.Values = append(y.Values, s.Text)
		}
		y.More = y.More || len(c.list) > maxPossibleValues || v.Type.Kind == ir.PlanType
	}
	return len(y.Targets)+len(y.Squares)+len(y.Values) > 0 || y.More
}
