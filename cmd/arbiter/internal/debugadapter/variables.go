package debugadapter

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"arbiter/interp/debug"
	"arbiter/interp/session"
	"arbiter/interp/view"
)

// This file shows what a stopped script holds: scopes, variables, creatures, and the terms of numbers.

// referencesOfAStop limits the references of one stop.
const referencesOfAStop = 100_000

// nextDie is the variable with the die that falls next.
const nextDie = "next die"

// ref returns a reference for variables that are computed when somebody asks for them.
func (a *adapter) ref(list func() []dap.Variable) int {
	if len(a.refs) >= referencesOfAStop {
		return 0
	}
	a.refs = append(a.refs, list)
	return len(a.refs)
}

// variables lists those of a reference.
func (a *adapter) variables(ref int) ([]dap.Variable, error) {
	if ref < 1 || ref > len(a.refs) {
		return nil, errors.New("there is no such value any more")
	}
	list := a.refs[ref-1]()
	if list == nil {
		list = []dap.Variable{}
	}
	return list, nil
}

// scopes are the names of a frame, the creatures, and the dice.
func (a *adapter) scopes(frame int) ([]dap.Scope, error) {
	depth := 0
	if err := a.d.While(func(v *debug.View) { depth = len(v.Stack()) }); err != nil {
		return nil, err
	}
	if frame < 0 || frame >= depth {
		return nil, errors.New("there is no such frame")
	}
	return []dap.Scope{
		{Name: "Names", PresentationHint: "locals", VariablesReference: a.ref(func() []dap.Variable { return a.locals(frame) })},
		{Name: "Creatures", VariablesReference: a.ref(a.creatures)},
		{Name: "Dice", VariablesReference: a.ref(a.dice)},
	}, nil
}

func (a *adapter) locals(frame int) (list []dap.Variable) {
	_ = a.d.While(func(v *debug.View) {
		for _, x := range v.Locals(frame) {
			list = append(list, dap.Variable{Name: x.Name, Value: x.Value, Type: x.Type, EvaluateName: x.Name})
		}
	})
	return list
}

func (a *adapter) dice() (list []dap.Variable) {
	_ = a.d.While(func(v *debug.View) {
		next := "not yet known"
		if d := v.Die(); d != nil {
			next = fmt.Sprintf("d%d for %s, %s", d.Sides, d.Label, d.Who)
		}
		list = append(list, dap.Variable{Name: nextDie, Value: next}, dap.Variable{Name: "fallen", Value: strconv.Itoa(v.Dice()), PresentationHint: &dap.VariablePresentationHint{Attributes: []string{"readOnly"}}})
	})
	return list
}

func (a *adapter) creatures() (list []dap.Variable) {
	var names []string
	_ = a.d.While(func(v *debug.View) { names = v.Creatures() })
	for _, name := range names {
		list = append(list, dap.Variable{Name: name, Value: "creature", EvaluateName: name, VariablesReference: a.ref(func() []dap.Variable { return a.creature(name) })})
	}
	return list
}

// creature lists what a combatant has.
func (a *adapter) creature(name string) (list []dap.Variable) {
	var sheet *view.Sheet
	_ = a.d.While(func(v *debug.View) { sheet = v.Sheet(name) })
	if sheet == nil {
		return nil
	}
	for _, x := range slices.Concat(sheet.Pools, sheet.Turn, sheet.WholeTurn, sheet.Reactions, sheet.Counts) {
		text := strconv.FormatInt(x.Value, 10)
		if x.High != nil {
			text += " of " + strconv.FormatInt(*x.High, 10)
		}
		list = append(list, dap.Variable{Name: x.Name, Value: text, EvaluateName: name + "." + x.Name})
	}
	if p := sheet.Position; p != nil {
		list = append(list, dap.Variable{Name: "position", Value: fmt.Sprintf("(%d, %d, %d)", p[0], p[1], p[2])})
	}
	group := func(title string, items []dap.Variable) {
		if len(items) > 0 {
			list = append(list, dap.Variable{Name: title, Value: strconv.Itoa(len(items)), VariablesReference: a.ref(func() []dap.Variable { return items })})
		}
	}
	var effects, fields, stats []dap.Variable
	for _, x := range slices.Concat(sheet.Conditions, sheet.Effects) {
		effects = append(effects, dap.Variable{Name: x.Name, Value: describe(&x)})
	}
	for _, x := range sheet.Feats {
		effects = append(effects, dap.Variable{Name: x, Value: "always"})
	}
	for _, x := range sheet.Fields {
		fields = append(fields, dap.Variable{Name: x.Name, Value: x.Value, EvaluateName: name + "." + x.Name})
	}
	for _, x := range sheet.Stats {
		stats = append(stats, dap.Variable{Name: x.Name, Value: x.Shown, EvaluateName: name + "." + x.Name, VariablesReference: a.ref(func() []dap.Variable { return a.terms(name, x.Name) })})
	}
	group("effects", effects)
	group("stats", stats)
	group("fields", fields)
	return list
}

// describe says what is known of an effect.
func describe(x *view.Effect) string {
	var parts []string
	for _, text := range []string{x.With, x.Lasts} {
		if text != "" {
			parts = append(parts, text)
		}
	}
	if x.From != "" {
		parts = append(parts, "from "+x.From)
	}
	for _, k := range x.Keeps {
		parts = append(parts, k.Name+": "+k.Value)
	}
	if len(parts) == 0 {
		return "in force"
	}
	return strings.Join(parts, ", ")
}

// terms lists those of a stat.
func (a *adapter) terms(who, stat string) (list []dap.Variable) {
	_ = a.d.While(func(v *debug.View) {
		if x, err := v.Terms(who, stat); err == nil {
			list = a.explained(x.Stat)
		}
	})
	return list
}

// explained lists the terms of an explanation.
func (a *adapter) explained(x *session.Explanation) (list []dap.Variable) {
	if x == nil {
		return nil
	}
	for _, p := range x.Parts {
		value := p.Value
		if p.Type != "" {
			value += " " + p.Type
		}
		if !p.Counted {
			value += ", does not count"
		}
		if p.Why != "" {
			value += ": " + p.Why
		}
		if p.Where != "" {
			value += "  (" + p.Where + ")"
		}
		v := dap.Variable{Name: p.Name, Value: value, Type: p.Expr}
		if len(p.Of) > 0 {
			of := p.Of
			v.VariablesReference = a.ref(func() (list []dap.Variable) {
				for i := range of {
					list = append(list, dap.Variable{Name: of[i].Title, VariablesReference: a.ref(func() []dap.Variable { return a.explained(&of[i]) })})
				}
				return list
			})
		}
		list = append(list, v)
	}
	return list
}

// evaluate computes a watched expression, or carries out what is typed at the editor's console.
func (a *adapter) evaluate(q *dap.EvaluateArguments) (body dap.EvaluateResponseBody, err error) {
	text := strings.TrimSpace(q.Expression)
	if q.Context == "repl" {
		word, rest, _ := strings.Cut(text, " ")
		switch {
		case word == "die" && rest != "":
			body.Result = "the next die shows " + strings.TrimSpace(rest)
			return body, a.setDie(rest)
		case text == "transcript":
			body.Result = a.d.Transcript()
			return body, nil
		case text == "help":
			body.Result = "an expression of the language, with the names of the selected frame; die N, for the next die; transcript"
			return body, nil
		}
	}
	var value session.Value
	if fails := a.d.While(func(v *debug.View) { value, err = v.Evaluate(text, max(q.FrameId-1, 0)) }); fails != nil {
		return body, fails
	}
	if err != nil {
		return body, err
	}
	body.Result = value.Text
	if value.Stat != nil && len(value.Stat.Parts) > 0 {
		body.VariablesReference = a.ref(func() []dap.Variable { return a.explained(value.Stat) })
	}
	return body, nil
}
