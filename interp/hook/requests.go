package hook

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/lang/words"

	"go.starlark.net/starlark"
)

// This file implements what an acting function can do. It makes a request and is suspended. When the machine has
// carried out the request, the function is restarted and replayed with the recorded answers, and continues after the
// request (see machine/hooks.go).

// actingMethods change something, roll dice or ask.
var actingMethods = map[string]method{
	"roll": (*ctx).roll, "gain": (*ctx).gain, "lose": (*ctx).lose, "set": (*ctx).set, "do": (*ctx).do, "ask": (*ctx).ask,
	"note": (*ctx).note, "bind": (*ctx).bind, "default": (*ctx).default1, "cancel": (*ctx).cancel, "stop": (*ctx).stop,
}

// errSuspended unwinds a function that has made a request.
var errSuspended = errors.New("this function waits")

// suspend makes a request and suspends the function, or returns the answer if the request has been carried out.
func (c *ctx) suspend(t *starlark.Thread, fill func(d *machine.HookRequest) error) (int64, error) {
	if c.suspended {
		return 0, errSuspended
	}
	c.requests++
	if c.cursor < len(c.answers) {
		c.cursor++
		clear(c.boundVars) // the machine received them with this request, which may have changed them
		return c.answers[c.cursor-1], nil
	}
	if c.requests > maxRequests {
		return 0, fmt.Errorf("a function does at most %d things in one call", maxRequests)
	}
	if err := fill(c.request); err != nil {
		return 0, err
	}
	c.suspended = true
	c.request.Where = c.callPos(t)
	return 0, errSuspended
}

// creatureArg reads an argument that is a creature.
func (c *ctx) creatureArg(form string, v starlark.Value) (int64, error) {
	x, ok := v.(*thing)
	if !ok || !c.isCreature(x.v) {
		kind := "nothing"
		if v != nil {
			kind = v.Type()
		}
		return 0, fmt.Errorf("%s: a creature is expected, not %s", form, kind)
	}
	return x.v, nil
}

// self is the acting creature, program.None if there is none.
func (c *ctx) self() int64 {
	if len(c.args) > 0 {
		return c.args[0]
	}
	return program.None
}

// label is the label of a roll or a choice: that of the place, with the name appended that the source gives, if any.
func (c *ctx) label(name string) (int32, error) {
	if name == "" {
		return c.site.Label, nil
	}
	if !namePattern.MatchString(name) {
		return 0, fmt.Errorf("%q cannot name a die or a choice: a name has letters, digits and `-`", name)
	}
	for i, n := range c.site.LabelNames {
		if n == name {
			return c.site.Labels[i], nil
		}
	}
	return 0, fmt.Errorf("%q cannot name a die or a choice: such a name must be spelled out in the call, and has at most 40 characters", name)
}

// roll(dice, label = "", who = self): the sum rolled.
func (c *ctx) roll(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var dice, who starlark.Value
	var label string
	if err := starlark.UnpackArgs("ctx.roll", args, kwargs, "dice", &dice, "label?", &label, "who?", &who); err != nil {
		return nil, err
	}
	v, err := c.suspend(t, func(d *machine.HookRequest) (err error) {
		d.Kind, d.Who = machine.WantsRoll, c.self()
		if who != nil && who != starlark.None {
			if d.Who, err = c.creatureArg("ctx.roll", who); err != nil {
				return err
			}
		}
		if d.Label, err = c.label(label); err != nil {
			return err
		}
		switch x := dice.(type) {
		case diceValue:
			d.Amount = x.v
		case starlark.String:
			d.Amount, err = c.parseDice(string(x))
		default:
			err = fmt.Errorf("ctx.roll needs dice, such as \"2d6\", not %s", dice.Type())
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return starlark.MakeInt64(v), nil
}

// set(who, name, value): sets a resource or a field.
func (c *ctx) set(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var whom, value starlark.Value
	var name string
	var hush bool
	if err := starlark.UnpackArgs("ctx.set", args, kwargs, "who", &whom, "name", &name, "value", &value, quietly+"?", &hush); err != nil {
		return nil, err
	}
	x, ok := whom.(*thing)
	if !ok {
		return nil, fmt.Errorf("ctx.set: a creature or a record is expected, not %s", whom.Type())
	}
	a, err := c.attrNamed(name)
	if err != nil {
		return nil, err
	}
	kind := c.m.KindOf(x.v)
	if a == nil || !a.isPropertyOf(kind) {
		return nil, c.unknownProperty(name, kind)
	}
	_, err = c.suspend(t, func(d *machine.HookRequest) (err error) {
		p := c.m.Program()
		d.Who = x.v
		if f, ok := a.fields[kind]; ok {
			if p.Kinds[kind].Fields[f].Shape.IsAddress() {
				return fmt.Errorf("ctx.set: %s is a list, which only rules can set", name)
			}
			if hush {
				return fmt.Errorf("ctx.set: the transcript does not tell what becomes of a field: leave out quietly")
			}
			d.Kind, d.ID = machine.WantsField, f
			d.Amount, err = c.fromStarlark(p.Kinds[kind].Fields[f].Type, value)
			return err
		}
		if kind != 0 || a.resource < 0 {
			return fmt.Errorf("ctx.set: %s is computed; a field or a resource can be set", name)
		}
		d.Kind, d.ID, d.Quietly = machine.WantsAmount, a.resource, hush
		d.Amount, err = c.fromStarlark(p.Resources[a.resource].Type, value)
		return err
	})
	return starlark.None, err
}

// do(who, name, object, LABEL = VALUE): runs an action or a procedure, without paying its cost. Returns its record,
// None if it is refused.
func (c *ctx) do(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	const form = "ctx.do(WHO, NAME, OBJECT, LABEL = VALUE, ...)"
	if len(args) < 2 {
		return nil, fmt.Errorf("the form is: %s", form)
	}
	who, err := c.creatureArg("ctx.do", args[0])
	if err != nil {
		return nil, err
	}
	name, ok := starlark.AsString(args[1])
	if !ok {
		return nil, fmt.Errorf("the form is: %s", form)
	}
	id, ok := c.r.f.names.procs[name]
	if !ok {
		var names []string
		for n := range c.r.f.names.procs {
			names = append(names, n)
		}
		if near := words.Nearest(name, names); near != "" {
			return nil, fmt.Errorf("there is no action or procedure %s; did you mean %q?", name, near)
		}
		return nil, fmt.Errorf("there is no action or procedure %s", name)
	}
	v, err := c.suspend(t, func(d *machine.HookRequest) error {
		d.Kind, d.Who, d.ID = machine.WantsCall, who, id
		g := procSignature(&c.m.Program().Procs[id])
		d.Args = make([]int64, len(g.params))
		return c.assignArgs(&g, d.Args, args[2:], kwargs)
	})
	if err != nil {
		return nil, err
	}
	if v == program.None {
		return starlark.None, nil
	}
	return &record{c: c, kind: ir.Record, at: v, proc: id}, nil
}

// ask(question, ways, who = self): the chosen one of the ways, which are texts.
func (c *ctx) ask(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var label string
	var options, who starlark.Value
	if err := starlark.UnpackArgs("ctx.ask", args, kwargs, "question", &label, "ways", &options, "who?", &who); err != nil {
		return nil, err
	}
	list, err := textList(&registerCall{fn: "ctx.ask"}, options)
	if err != nil {
		return nil, err
	}
	v, err := c.suspend(t, func(d *machine.HookRequest) (err error) {
		d.Kind, d.Who = machine.WantsChoice, c.self()
		if who != nil && who != starlark.None {
			if d.Who, err = c.creatureArg("ctx.ask", who); err != nil {
				return err
			}
		}
		if d.Label, err = c.label(label); err != nil {
			return err
		}
		if len(list) > 62 {
			return errors.New("ctx.ask: at most 62 choices")
		}
		for _, text := range list {
			if strings.ContainsFunc(text, isControl) {
				return fmt.Errorf("ctx.ask: the choice %q contains a control character", text)
			}
			i, ok := c.r.f.names.texts[text]
			if !ok {
				return fmt.Errorf("ctx.ask: the choice %q must be spelled out in the source of the function", text)
			}
			d.Args = append(d.Args, int64(i))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return starlark.String(c.m.Text(v)), nil
}

// isControl reports whether r is a control character other than newline and tab.
func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// note(text): writes a line to the transcript.
func (c *ctx) note(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var text string
	if err := starlark.UnpackArgs("ctx.note", args, kwargs, "text", &text); err != nil {
		return nil, err
	}
	if len(text) > 1000 {
		return nil, errors.New("ctx.note: a line has at most 1,000 bytes")
	}
	if i := strings.IndexFunc(text, isControl); i >= 0 {
		return nil, fmt.Errorf("ctx.note: the control character %q is not allowed", []rune(text[i:])[0])
	}
	_, err := c.suspend(t, func(d *machine.HookRequest) error {
		d.Kind, d.Text = machine.WantsNote, text
		return nil
	})
	return starlark.None, err
}

// bind(name, value): sets a variable of the interrupted procedure, of the rule, or of its effect's memory.
func (c *ctx) bind(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var name string
	var value starlark.Value
	if err := starlark.UnpackArgs("ctx.bind", args, kwargs, "name", &name, "value", &value); err != nil {
		return nil, err
	}
	if _, err := c.attrNamed(name); err != nil {
		return nil, err
	}
	k, ok := c.site.vars[toStarlarkName(name)]
	if !ok || !c.site.Vars[k].Assignable {
		var names []string
		for _, p := range c.site.Vars {
			if p.Assignable {
				names = append(names, p.Name)
			}
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("ctx.bind: no name %s can be bound here", name)
		}
		return nil, fmt.Errorf("ctx.bind: no name %s can be bound here; of those in the function, these can: %v", name, names)
	}
	v, err := c.fromStarlark(c.site.Vars[k].Type, value)
	if err != nil {
		return nil, fmt.Errorf("ctx.bind: %s: %w", name, err)
	}
	if _, again := c.boundVars[k]; !again && c.cursor == len(c.answers) { // otherwise the machine already has it
		c.newlyBound = append(c.newlyBound, k)
	}
	c.boundVars[k] = v
	return starlark.None, nil
}

// default(): runs the replaced code.
func (c *ctx) default1(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackArgs("ctx.default", args, kwargs); err != nil {
		return nil, err
	}
	_, err := c.suspend(t, func(d *machine.HookRequest) error {
		d.Kind = machine.WantsDefault
		return nil
	})
	return starlark.None, err
}

// cancel(why): cancels the interrupted procedure.
func (c *ctx) cancel(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var why string
	if err := starlark.UnpackArgs("ctx.cancel", args, kwargs, "why", &why); err != nil {
		return nil, err
	}
	_, err := c.suspend(t, func(d *machine.HookRequest) error {
		d.Kind, d.Text = machine.WantsCancel, why
		return nil
	})
	return starlark.None, err
}

// stop(): ends this rule.
func (c *ctx) stop(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackArgs("ctx.stop", args, kwargs); err != nil {
		return nil, err
	}
	_, err := c.suspend(t, func(d *machine.HookRequest) error {
		d.Kind = machine.WantsStop
		return nil
	})
	return starlark.None, err
}
