package hook

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/lang/words"
	"arbiter/stdlib/exact"
	"arbiter/stdlib/grid"

	"go.starlark.net/starlark"
)

// This file converts values between rules and Starlark. Quantities are integers in their base units: feet, seconds,
// pounds, copper pieces. Members of enums are strings. None is none.

// toStarlark converts a value of rules to Starlark.
func (c *ctx) toStarlark(typ int32, v int64) (starlark.Value, error) {
	if v == program.None || v == program.Absent {
		return starlark.None, nil
	}
	t := &c.m.Program().Types[typ]
	switch t.Kind {
	case ir.Number, ir.Quantity:
		return starlark.MakeInt64(v), nil
	case ir.YesNo:
		return starlark.Bool(v != 0), nil
	case ir.EnumType:
		if t.Of >= 0 && int(t.Of) < len(c.r.f.names.enumMembers) {
			if list := c.r.f.names.enumMembers[t.Of]; v >= 0 && v < int64(len(list)) {
				return list[v], nil
			}
		}
	case ir.Text:
		return starlark.String(c.m.Text(v)), nil
	case ir.Ref, ir.Place:
		if t.Kind == ir.Place && !c.isCreature(v) {
			return squareOf(v), nil
		}
		return c.thingValue(v), nil
	case ir.Dice:
		return diceValue{v, c.m.FormatDice(v)}, nil
	case ir.Square:
		return squareOf(v), nil
	case ir.List:
		list, _ := c.m.Values(v)
		c.m.ChargeSteps(len(list))
		if err := c.charge(len(list)); err != nil {
			return nil, err
		}
		out := make(starlark.Tuple, len(list))
		for i, x := range list {
			y, err := c.toStarlark(t.Of, x)
			if err != nil {
				return nil, err
			}
			out[i] = y
		}
		return out, nil
	case ir.PathType:
		list, _ := c.m.Values(v)
		if err := c.charge(len(list)); err != nil {
			return nil, err
		}
		out := make(starlark.Tuple, len(list))
		for i, x := range list {
			out[i] = squareOf(x)
		}
		return out, nil
	case ir.Outcome, ir.Record:
		return &record{c: c, kind: t.Kind, at: v, proc: t.Of}, nil
	case ir.ActionRef:
		if v >= 0 && v < int64(len(c.m.Program().Procs)) {
			return starlark.String(c.m.Program().Procs[v].Name), nil
		}
	case ir.EffectRef:
		if v >= 0 && v < int64(len(c.m.Program().Effects)) {
			return starlark.String(c.m.Program().Effects[v].Name), nil
		}
	}
	return opaque{c.m.Format(typ, v)}, nil
}

// charge charges the running function for a list that it gets, and for concatenating it to another.
func (c *ctx) charge(n int) error { return c.thread.Charge(int64(4*16*n), uint64(n)) }

// isCreature reports whether v is a creature of the fight.
func (c *ctx) isCreature(v int64) bool { return v >= 0 && v < int64(len(c.m.State().Entities)) }

// convertResult converts the return value of the function to the type its place requires.
func (c *ctx) convertResult(v starlark.Value) (int64, error) {
	if v == starlark.None && (c.site.Optional || c.m.Program().Types[c.site.Type].OrNone) {
		return program.None, nil
	}
	x, err := c.fromStarlark(c.site.Type, v)
	if err != nil {
		h := c.site.hook
		e := &machine.Error{Message: h.name + " returned a value that does not fit: " + err.Error()}
		if v == starlark.None {
			e.Hint = "a function without `return` returns None"
		}
		if at := h.fn.At(); at.Line > 0 {
			e.File, e.Pos = h.module.displayPath(at.File), ir.Pos{File: -1, Span: spanAt(at.Line, at.Col)}
		}
		return 0, e
	}
	return x, nil
}

// fromStarlark converts a Starlark value to a value of rules of type typ.
func (c *ctx) fromStarlark(typ int32, v starlark.Value) (int64, error) {
	t := &c.m.Program().Types[typ]
	if v == starlark.None {
		if t.OrNone {
			return program.None, nil
		}
		return 0, fmt.Errorf("%s is expected, not None", typeWords(t))
	}
	switch t.Kind {
	case ir.Number, ir.Quantity:
		if n, ok := v.(starlark.Int); ok {
			if i, ok := n.Int64(); ok && i >= exact.Min {
				return i, nil
			}
			return 0, errors.New("the number is too large")
		}
	case ir.YesNo:
		if b, ok := v.(starlark.Bool); ok {
			return int64(bit(bool(b))), nil
		}
	case ir.EnumType:
		if s, ok := starlark.AsString(v); ok && t.Of >= 0 && int(t.Of) < len(c.r.f.names.enumIndexes) {
			if i, ok := c.r.f.names.enumIndexes[t.Of][s]; ok {
				return i, nil
			}
			members := c.m.Program().Enums[t.Of].Members
			hint := strings.Join(members, ", ")
			if near := words.Nearest(s, members); near != "" {
				hint = "did you mean \"" + near + "\"?"
			}
			return 0, fmt.Errorf("%q is not a value of %s: %s", s, t.Name, hint)
		}
	case ir.Text:
		if s, ok := starlark.AsString(v); ok {
			if i, ok := c.r.f.names.texts[s]; ok {
				return int64(i), nil
			}
			return 0, fmt.Errorf("the text %q is built at run time: texts for the rules must be spelled out in the source", s)
		}
	case ir.Ref, ir.Place:
		if x, ok := v.(*thing); ok {
			if t.Kind == ir.Place || c.m.KindOf(x.v) == t.Of {
				return x.v, nil
			}
			return 0, fmt.Errorf("%s is expected, not %s", typeWords(t), x.Type())
		}
		if t.Kind == ir.Place {
			return toSquare(v)
		}
	case ir.Square:
		return toSquare(v)
	case ir.Dice:
		switch d := v.(type) {
		case diceValue:
			return d.v, nil
		case starlark.String:
			return c.parseDice(string(d))
		}
	case ir.List:
		it, ok := v.(starlark.Iterable)
		if !ok {
			break
		}
		var list []int64
		iter := it.Iterate()
		defer iter.Done()
		for x := starlark.Value(nil); iter.Next(&x); {
			y, err := c.fromStarlark(t.Of, x)
			if err != nil {
				return 0, err
			}
			list = append(list, y)
		}
		return c.m.NewList(list)
	}
	return 0, fmt.Errorf("%s is expected, not %s", typeWords(t), v.Type())
}

// typeWords describes a type in messages.
func typeWords(t *program.Type) string {
	switch t.Kind {
	case ir.Number:
		return "a whole number"
	case ir.Quantity:
		return "a whole number (" + t.Name + ")"
	case ir.YesNo:
		return "True or False"
	case ir.EnumType:
		return "a value of " + t.Name
	case ir.Text:
		return "a text"
	case ir.Ref:
		return "a " + t.Name
	case ir.Dice:
		return "dice, such as \"2d6\""
	case ir.Square:
		return "a square, (x, y)"
	case ir.Place:
		return "a creature or a square"
	case ir.List:
		return "a list"
	}
	return "something else"
}

// parseDice reads a notation: any notation in the source of some function, or any number of common dice.
func (c *ctx) parseDice(text string) (int64, error) {
	if i, ok := c.r.f.names.notations[text]; ok {
		return ir.DiceValue{Expr: i, Times: 1}.Pack(), nil
	}
	count, rest, ok := strings.Cut(text, "d")
	n := 1
	if count != "" {
		var err error
		if n, err = strconv.Atoi(count); err != nil {
			ok = false
		}
	}
	flat := 0
	if i := strings.IndexAny(rest, "+-"); i >= 0 {
		var err error
		if flat, err = strconv.Atoi(rest[i:]); err != nil {
			ok = false
		}
		rest = rest[:i]
	}
	if rest == "%" {
		rest = "100"
	}
	i, plain := c.r.f.names.dieBySides[rest]
	if !ok || !plain || n < 1 || n > 1000 || flat > 1<<20 || flat < -1<<20 {
		return 0, fmt.Errorf("%q cannot be rolled here: dice must be spelled out in the source, or be common dice such as \"2d6+1\"", text)
	}
	return ir.DiceValue{Expr: i, Times: uint16(n), Flat: int32(flat)}.Pack(), nil
}

// squareOf converts a square to (x, y), or (x, y, z) above the ground.
func squareOf(v int64) starlark.Value {
	at, ok := grid.Unpack(v)
	if !ok {
		return starlark.None
	}
	t := starlark.Tuple{starlark.MakeInt(int(at.X)), starlark.MakeInt(int(at.Y))}
	if at.Z != 0 {
		t = append(t, starlark.MakeInt(int(at.Z)))
	}
	return t
}

func toSquare(v starlark.Value) (int64, error) {
	t, ok := v.(starlark.Tuple)
	if !ok || len(t) < 2 || len(t) > 3 {
		return 0, fmt.Errorf("a square (x, y) is expected, not %s", v.Type())
	}
	var xyz [3]int
	for i, e := range t {
		n, err := starlark.AsInt32(e)
		if err != nil || n < -10_000 || n > 10_000 {
			return 0, errors.New("the coordinates of a square are whole numbers, at most 10,000")
		}
		xyz[i] = n
	}
	return grid.Square{X: int16(xyz[0]), Y: int16(xyz[1]), Z: int16(xyz[2])}.Pack(), nil
}

// diceValue is dice as a Starlark value.
type diceValue struct {
	v    int64
	text string
}

func (d diceValue) String() string        { return d.text }
func (d diceValue) Type() string          { return "dice" }
func (d diceValue) Freeze()               {}
func (d diceValue) Truth() starlark.Bool  { return true }
func (d diceValue) Hash() (uint32, error) { return starlark.String(d.text).Hash() }

// opaque is a value that a function can only pass on.
type opaque struct{ text string }

func (o opaque) String() string        { return o.text }
func (o opaque) Type() string          { return "something of the rules" }
func (o opaque) Freeze()               {}
func (o opaque) Truth() starlark.Bool  { return true }
func (o opaque) Hash() (uint32, error) { return 0, errors.New("this cannot be a key") }
