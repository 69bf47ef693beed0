package hook

import (
	"errors"
	"fmt"
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/lang/words"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file implements what functions see of the game: creatures, weapons and other things, and the records of
// procedures. All of them are read-only; changes are made by methods of ctx.

// thing is a creature, a thing of the rules, or a record of a kind.
type thing struct {
	r *Runner
	v int64

	get, has, can starlark.Value // its methods, created on first use
}

// thingValue returns the Starlark value of a thing; those of creatures are reused.
func (c *ctx) thingValue(v int64) starlark.Value {
	if v < 0 || v >= program.RecordTag {
		return &thing{r: c.r, v: v}
	}
	for int64(len(c.r.things)) <= v {
		c.r.things = append(c.r.things, &thing{r: c.r, v: int64(len(c.r.things))})
	}
	return c.r.things[v]
}

// ctx returns the context of the running function.
func (x *thing) ctx() (*ctx, error) {
	if x.r.depth == 0 {
		return nil, errors.New("this value is only valid until the function returns")
	}
	return x.r.levels[x.r.depth-1].ctx, nil
}

func (x *thing) String() string {
	if c, err := x.ctx(); err == nil {
		return c.m.FormatThing(x.v)
	}
	return "a thing"
}

func (x *thing) Type() string {
	if c, err := x.ctx(); err == nil {
		if k := c.m.KindOf(x.v); k >= 0 {
			return c.m.Program().Kinds[k].Name
		}
	}
	return "thing"
}

func (x *thing) Freeze()               {}
func (x *thing) Truth() starlark.Bool  { return true }
func (x *thing) Hash() (uint32, error) { return uint32(x.v) ^ uint32(x.v>>32), nil }

// CompareSameType compares by identity.
func (x *thing) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	other, ok := y.(*thing)
	same := ok && other.v == x.v
	switch op {
	case syntax.EQL:
		return same, nil
	case syntax.NEQ:
		return !same, nil
	}
	return false, errors.New("things have no order; compare a number of them")
}

// Attr returns a property, as rules would read it, or a method.
func (x *thing) Attr(name string) (starlark.Value, error) {
	c, err := x.ctx()
	if err != nil {
		return nil, err
	}
	switch name {
	case "get":
		if x.get == nil {
			x.get = x.method("get", x.doGet)
		}
		return x.get, nil
	case "has":
		if x.has == nil {
			x.has = x.method("has", x.doHas)
		}
		return x.has, nil
	case "can":
		if x.can == nil {
			x.can = x.method("can", x.doCan)
		}
		return x.can, nil
	}
	return c.property(x.v, name)
}

func (x *thing) AttrNames() []string {
	c, err := x.ctx()
	if err != nil {
		return nil
	}
	names := []string{"get", "has", "can"}
	kind := c.m.KindOf(x.v)
	if kind == 0 {
		names = append(names, builtinNames...)
	} else {
		names = append(names, "name")
	}
	for _, a := range c.r.f.names.attrs {
		if a.isPropertyOf(kind) {
			names = append(names, toStarlarkName(a.name))
		}
	}
	slices.Sort(names)
	return names
}

// isProperty reports whether a name is a property of things of some kind.
func (a *attr) isProperty() bool {
	return a.define >= 0 || a.stat >= 0 || a.resource >= 0 || len(a.kindDefines) > 0 || len(a.fields) > 0
}

// isPropertyOf reports whether a name is a property of things of a kind.
func (a *attr) isPropertyOf(kind int32) bool {
	_, field := a.fields[kind]
	_, define := a.kindDefines[kind]
	return field || define || kind == 0 && (a.define >= 0 || a.stat >= 0 || a.resource >= 0)
}

func (x *thing) method(name string, f func(*ctx, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)) starlark.Value {
	return starlark.NewBuiltin(name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		c, err := x.ctx()
		if err != nil {
			return nil, err
		}
		return f(c, args, kwargs)
	})
}

// property reads a property of a thing, nil if it has none of that name.
func (c *ctx) property(v int64, name string) (starlark.Value, error) {
	a, _ := c.site.hook.attrs.get(name)
	kind := int32(0)
	if !c.isCreature(v) {
		kind = c.m.KindOf(v)
	} else if a != nil && a.slot >= 0 { // fast path for the most frequent case
		x, err := c.readSlot(v, a.slot)
		if err != nil {
			return nil, err
		}
		return c.toStarlark(a.slotType, x)
	}
	if a == nil || !a.isPropertyOf(kind) {
		return c.builtinProperty(v, kind, name)
	}
	return c.readProperty(v, kind, a, nil, nil)
}

// readSlot reads a field or a resource of a creature.
func (c *ctx) readSlot(v int64, slot int32) (int64, error) {
	if !c.acting {
		x, _ := c.m.ReadField(v, slot)
		return x, nil
	}
	return c.readState(func() (int64, error) { x, _ := c.m.ReadField(v, slot); return x, nil })
}

// readProperty reads a property of a thing, in a situation.
func (c *ctx) readProperty(v int64, kind int32, a *attr, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	p := c.m.Program()
	d, ok := a.kindDefines[kind]
	if kind == 0 {
		d, ok = a.define, a.define >= 0
	}
	if ok {
		g := propertySignature(&p.Defines[d], a.name)
		return c.callDefine(&g, d, v, args, kwargs)
	}
	if f, ok := a.fields[kind]; ok {
		if len(args)+len(kwargs) > 0 {
			return nil, fmt.Errorf("%s is a field and takes no values", a.name)
		}
		x, err := c.readState(func() (int64, error) {
			x, ok := c.m.ReadField(v, f)
			if !ok {
				return 0, fmt.Errorf("%s no longer has %s", c.m.FormatThing(v), a.name)
			}
			return x, nil
		})
		if err != nil {
			return nil, err
		}
		return c.toStarlark(p.Kinds[kind].Fields[f].Type, x)
	}
	switch {
	case kind == 0 && a.stat >= 0:
		var room [8]int64
		g := statSignature(p, a.stat)
		situation := room[:0]
		for range g.params {
			situation = append(situation, program.None)
		}
		if len(args)+len(kwargs) > 0 {
			if err := c.assignArgs(&g, situation, args, kwargs); err != nil {
				return nil, err
			}
		}
		x, err := c.readState(func() (int64, error) {
			c.m.ChargeSteps(readSteps)
			return c.m.ReadStat(a.stat, v, situation)
		})
		if err != nil {
			return nil, err
		}
		return c.toStarlark(p.Stats[a.stat].Type, x)
	case kind == 0 && a.resource >= 0:
		x, err := c.readSlot(v, p.Slots.Resources+a.resource)
		if err != nil {
			return nil, err
		}
		return c.toStarlark(p.Resources[a.resource].Type, x)
	}
	return nil, nil
}

// builtinNames are the properties defined by the core.
var builtinNames = []string{"name", "square", "side", "allies", "enemies", "taking_turn"}

// builtinProperty reads a property defined by the core.
func (c *ctx) builtinProperty(v int64, kind int32, name string) (starlark.Value, error) {
	if name == "name" {
		return starlark.String(c.m.FormatThing(v)), nil
	}
	if kind != 0 || !c.isCreature(v) {
		return nil, nil
	}
	s := c.m.State()
	switch name {
	case "square":
		x, err := c.readState(func() (int64, error) {
			c.m.AddReads(machine.ReadsOf(v))
			return s.Squares[v], nil
		})
		if err != nil || x == program.None {
			return starlark.None, err
		}
		return squareOf(x), nil
	case "side":
		return starlark.MakeInt(int(s.Entities[v].Side)), nil
	case "taking_turn":
		return c.readValue(func() (int64, error) {
			s := c.readClock()
			return int64(bit(s.InFight && int64(s.Order.Current()) == v)), nil
		}, yesNo)
	case "allies":
		return c.creaturesWhere(func(e int) bool { return s.Entities[e].Side == s.Entities[v].Side && int64(e) != v })
	case "enemies":
		return c.creaturesWhere(func(e int) bool { return s.Entities[e].Side != s.Entities[v].Side })
	}
	return nil, nil
}

// creaturesWhere lists creatures. The creatures in the fight do not change while a function runs.
func (c *ctx) creaturesWhere(holds func(int) bool) (starlark.Value, error) {
	if err := c.charge(len(c.m.State().Entities)); err != nil {
		return nil, err
	}
	var list starlark.Tuple
	for e := range c.m.State().Entities {
		if holds(e) && !c.m.State().Entities[e].Away {
			list = append(list, c.thingValue(int64(e)))
		}
	}
	return list, nil
}

// doGet reads a property by its name, in a situation: get("attack-bonus", against = foe).
func (x *thing) doGet(c *ctx, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 0 {
		return nil, errors.New("the form is: get(NAME, LABEL = VALUE, ...)")
	}
	name, ok := starlark.AsString(args[0])
	if !ok {
		return nil, fmt.Errorf("get needs the name of a stat, a define, a field or a resource, not %s", args[0].Type())
	}
	a, err := c.attrNamed(name)
	if err != nil {
		return nil, err
	}
	kind := c.m.KindOf(x.v)
	if a == nil || !a.isPropertyOf(kind) {
		return nil, c.unknownProperty(name, kind)
	}
	return c.readProperty(x.v, kind, a, args[1:], kwargs)
}

// unknownProperty is the error for a property that things of a kind do not have, with the one that was probably meant.
func (c *ctx) unknownProperty(name string, kind int32) error {
	var names []string
	for _, a := range c.r.f.names.attrs {
		if a.isPropertyOf(kind) {
			names = append(names, a.name)
		}
	}
	slices.Sort(names)
	what := "a thing of this kind"
	if kind >= 0 {
		what = "a " + c.m.Program().Kinds[kind].Name
	}
	if near := words.Nearest(name, names); near != "" {
		return fmt.Errorf("%s has nothing named %s; did you mean %q?", what, name, near)
	}
	return fmt.Errorf("%s has nothing named %s", what, name)
}

// doHas reports whether a creature has an effect, with the given parameters: has("marked", by = ctx.foe).
func (x *thing) doHas(c *ctx, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, errors.New("the form is: has(NAME), or has(NAME, PARAMETER = VALUE, ...)")
	}
	name, ok := starlark.AsString(args[0])
	if !ok {
		return nil, fmt.Errorf("has needs the name of a condition, a feat, a trait or an effect, not %s", args[0].Type())
	}
	a, err := c.attrNamed(name)
	if err != nil {
		return nil, err
	}
	if a == nil || a.effect < 0 {
		var effects []string
		for _, e := range c.m.Program().Effects {
			effects = append(effects, e.Name)
		}
		if near := words.Nearest(name, effects); near != "" {
			return nil, fmt.Errorf("there is no condition, feat, trait or effect %s; did you mean %q?", name, near)
		}
		return nil, fmt.Errorf("there is no condition, feat, trait or effect %s", name)
	}
	if !c.isCreature(x.v) {
		return starlark.False, nil
	}
	e := &c.m.Program().Effects[a.effect]
	g := effectSignature(e, "has(", requireNone)
	params := make([]int64, e.NParams, 8)
	if err := c.assignArgs(&g, params, nil, kwargs); err != nil {
		return nil, err
	}
	return c.readValue(func() (int64, error) { return int64(bit(c.m.Has(int32(x.v), a.effect, params...))), nil }, yesNo)
}

// doCan reports whether nothing forbids an action or a permission.
func (x *thing) doCan(c *ctx, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var name string
	if err := starlark.UnpackArgs("can", args, kwargs, "name", &name); err != nil {
		return nil, err
	}
	a, err := c.attrNamed(name)
	if err != nil {
		return nil, err
	}
	if a == nil || a.permission < 0 {
		return nil, fmt.Errorf("there is no action or permission %s", name)
	}
	if !c.isCreature(x.v) {
		return starlark.False, nil
	}
	return c.readValue(func() (int64, error) {
		can, err := c.m.ReadCan(a.permission, x.v)
		return int64(bit(can)), err
	}, yesNo)
}

// record is the record of a procedure, or the outcome of a check: its fields are attributes.
type record struct {
	c    *ctx
	kind ir.TypeKind
	at   int64
	proc int32
}

func (x *record) String() string        { return x.Type() }
func (x *record) Freeze()               {}
func (x *record) Truth() starlark.Bool  { return true }
func (x *record) Hash() (uint32, error) { return 0, errors.New("a record cannot be a key") }

func (x *record) Type() string {
	if x.kind == ir.Outcome {
		return "outcome"
	}
	return "record"
}

func (x *record) Attr(name string) (starlark.Value, error) {
	c := x.c
	if c.m == nil {
		return nil, errors.New("this value is only valid until the function returns")
	}
	i, typ := x.findField(toRulesName(name))
	if i < 0 {
		return nil, nil
	}
	v, err := c.readState(func() (int64, error) {
		if values, _ := c.m.Values(x.at); i < len(values) {
			return values[i], nil
		}
		return program.None, nil
	})
	if err != nil {
		return nil, err
	}
	if x.kind == ir.Outcome {
		if name == "success" {
			return starlark.Bool(v != 0), nil
		}
		return starlark.MakeInt64(v), nil
	}
	return c.toStarlark(typ, v)
}

// findField returns the index of a field and its type.
func (x *record) findField(name string) (int, int32) {
	if x.kind == ir.Outcome {
		return slices.Index(ir.OutcomeFields, name), -1
	}
	if x.proc >= 0 {
		for i, f := range x.c.m.Program().Procs[x.proc].Record {
			if f.Name == name {
				return i, f.Type
			}
		}
	}
	return -1, -1
}

func (x *record) AttrNames() []string {
	if x.kind == ir.Outcome {
		return slices.Clone(ir.OutcomeFields)
	}
	var names []string
	if x.c.m != nil && x.proc >= 0 {
		for _, f := range x.c.m.Program().Procs[x.proc].Record {
			names = append(names, toStarlarkName(f.Name))
		}
	}
	return names
}

var _ machine.Hooks = (*Runner)(nil)
