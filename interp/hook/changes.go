package hook

import (
	"fmt"
	"slices"

	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/lang/words"

	"go.starlark.net/starlark"
)

// This file has what a function gains and loses: amounts of resources, and effects.

const (
	gainForm = "ctx.gain(WHO, RESOURCE, AMOUNT) or ctx.gain(WHO, EFFECT, rounds = N)"
	loseForm = "ctx.lose(WHO, RESOURCE, AMOUNT) or ctx.lose(WHO, EFFECT)"
)

// quietly is the argument that keeps a change out of the transcript.
const quietly = "quietly"

// takeQuietly splits the argument that keeps a change out of the transcript from the others.
func takeQuietly(kwargs []starlark.Tuple) (is bool, rest []starlark.Tuple, err error) {
	for _, kv := range kwargs {
		if word, _ := starlark.AsString(kv[0]); word != quietly {
			rest = append(rest, kv)
		} else if v, ok := kv[1].(starlark.Bool); ok {
			is = bool(v)
		} else {
			return false, nil, fmt.Errorf("quietly is True or False, not %s", kv[1].Type())
		}
	}
	return is, rest, nil
}

// withoutQuietly leaves it out of the description of arguments, where every form has it.
func withoutQuietly(w *sourceArgs) *sourceArgs {
	rest := *w
	rest.labels = slices.DeleteFunc(slices.Clone(w.labels), func(word string) bool { return word == quietly })
	return &rest
}

// describeArgs describes the arguments of a call after the name.
func describeArgs(args starlark.Tuple, kwargs []starlark.Tuple) *sourceArgs {
	w := &sourceArgs{positional: len(args)}
	for _, kv := range kwargs {
		word, _ := starlark.AsString(kv[0])
		w.labels = append(w.labels, word)
	}
	return w
}

// checkGain returns why a call of gain with this name is wrong, for an amount of a resource or an effect; nil if it is
// right.
func (a *attr) checkGain(p *program.Program, w *sourceArgs) error {
	w = withoutQuietly(w)
	if done, err := a.checkAmount(w, gainForm); done {
		return err
	}
	e := &p.Effects[a.effect]
	if e.While != program.NoChunk {
		return &callError{e.Name + " follows its condition and cannot be gained", "make its condition true"}
	}
	rest := *w
	rest.labels = slices.DeleteFunc(slices.Clone(w.labels), func(word string) bool { return word == "rounds" || word == "seconds" })
	g := effectSignature(e, "ctx.gain(WHO, ", requireAll)
	return g.checkCall(&rest)
}

// checkLose is checkGain for a call of lose.
func (a *attr) checkLose(p *program.Program, w *sourceArgs) error {
	w = withoutQuietly(w)
	if done, err := a.checkAmount(w, loseForm); done {
		return err
	}
	g := effectSignature(&p.Effects[a.effect], "ctx.lose(WHO, ", requireNone)
	return g.checkCall(w)
}

// checkAmount checks an amount of a resource; done is false for an effect.
func (a *attr) checkAmount(w *sourceArgs, form string) (done bool, err error) {
	switch {
	case w.hasMore:
		return true, nil
	case w.positional == 0 && a.effect >= 0:
		return false, nil
	case w.positional != 1 || a.resource < 0:
		return true, &callError{"the form is: " + form, ""}
	case len(w.labels) > 0:
		return true, &callError{fmt.Sprintf("an amount of %s takes no %s", a.name, w.labels[0]), "the form is: " + form}
	}
	return true, nil
}

// target reads the arguments WHO and RESOURCE or EFFECT.
func (c *ctx) target(form string, args starlark.Tuple) (who int64, a *attr, err error) {
	if len(args) < 2 {
		return 0, nil, fmt.Errorf("the form is: %s", form)
	}
	if who, err = c.creatureArg(form, args[0]); err != nil {
		return 0, nil, err
	}
	name, ok := starlark.AsString(args[1])
	if !ok {
		return 0, nil, fmt.Errorf("the form is: %s", form)
	}
	if a, err = c.attrNamed(name); err != nil {
		return 0, nil, err
	}
	if a == nil || a.resource < 0 && a.effect < 0 {
		var names []string
		for _, x := range c.r.f.names.attrs {
			if x.resource >= 0 || x.effect >= 0 {
				names = append(names, x.name)
			}
		}
		if near := words.Nearest(name, names); near != "" {
			return 0, nil, fmt.Errorf("there is no resource or effect %s; did you mean %q?", name, near)
		}
		return 0, nil, fmt.Errorf("there is no resource or effect %s", name)
	}
	return who, a, nil
}

// change is what a call of gain or lose says besides the amount.
type change struct {
	form     string
	who      int64
	attr     *attr // the resource or the effect
	quietly  bool
	labelled []starlark.Tuple // what else is given by name
}

// change reads and checks the arguments of such a call.
func (c *ctx) change(form string, check func(*attr, *program.Program, *sourceArgs) error, args starlark.Tuple, kwargs []starlark.Tuple) (x change, err error) {
	x.form = form
	if x.who, x.attr, err = c.target(form, args); err != nil {
		return x, err
	}
	if err = starlarkError(check(x.attr, c.m.Program(), describeArgs(args[2:], kwargs))); err != nil {
		return x, err
	}
	x.quietly, x.labelled, err = takeQuietly(kwargs)
	return x, err
}

// gain(who, resource, amount): the excess. gain(who, effect, rounds = N, seconds = N, PARAMETER = VALUE).
func (c *ctx) gain(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	x, err := c.change(gainForm, (*attr).checkGain, args, kwargs)
	if err != nil {
		return nil, err
	}
	if len(args) == 3 {
		return c.amount(t, machine.WantsGain, x, args[2])
	}
	_, err = c.suspend(t, func(d *machine.HookRequest) error {
		d.Kind, d.Who, d.ID, d.Quietly = machine.WantsEffect, x.who, x.attr.effect, x.quietly
		var rest []starlark.Tuple
		for _, kv := range x.labelled {
			name, _ := starlark.AsString(kv[0])
			to := &d.Rounds
			switch name {
			case "rounds":
			case "seconds":
				to = &d.Seconds
			default:
				rest = append(rest, kv)
				continue
			}
			n, err := toInt(kv[1])
			if err != nil {
				return fmt.Errorf("%s is %w", name, err)
			}
			if n > maxDuration {
				return fmt.Errorf("%s is at most %d", name, int64(maxDuration))
			}
			*to = n
		}
		g := effectSignature(&c.m.Program().Effects[x.attr.effect], "ctx.gain(WHO, ", requireAll)
		d.Args = make([]int64, len(g.params))
		return c.assignArgs(&g, d.Args, nil, rest)
	})
	return starlark.None, err
}

// maxDuration is the maximum duration of an effect, in rounds or seconds.
const maxDuration = 1 << 40

// amount gains or loses an amount of a resource.
func (c *ctx) amount(t *starlark.Thread, kind machine.HookRequestKind, x change, amount starlark.Value) (starlark.Value, error) {
	n, err := toInt(amount)
	if err != nil {
		return nil, fmt.Errorf("%s: an amount is %w", x.form, err)
	}
	if n < 0 {
		return nil, fmt.Errorf("%s: an amount is not below zero", x.form)
	}
	v, err := c.suspend(t, func(d *machine.HookRequest) error {
		d.Kind, d.Who, d.ID, d.Amount, d.Quietly = kind, x.who, x.attr.resource, n, x.quietly
		return nil
	})
	if err != nil {
		return nil, err
	}
	return starlark.MakeInt64(v), nil
}

// lose(who, resource, amount): the shortfall. lose(who, effect, PARAMETER = VALUE).
func (c *ctx) lose(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	x, err := c.change(loseForm, (*attr).checkLose, args, kwargs)
	if err != nil {
		return nil, err
	}
	if len(args) == 3 {
		return c.amount(t, machine.WantsLoss, x, args[2])
	}
	_, err = c.suspend(t, func(d *machine.HookRequest) error {
		d.Kind, d.Who, d.ID, d.Quietly = machine.WantsRelease, x.who, x.attr.effect, x.quietly
		g := effectSignature(&c.m.Program().Effects[x.attr.effect], "ctx.lose(WHO, ", requireNone)
		d.Args = make([]int64, len(g.params))
		return c.assignArgs(&g, d.Args, nil, x.labelled)
	})
	return starlark.None, err
}
