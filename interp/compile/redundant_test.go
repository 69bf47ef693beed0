package compile_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"arbiter/interp/compile"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/stdlib/exact"
)

// Random expressions with many repeated subexpressions have the right values, and fail where they should: no test is
// eliminated on a path on which it was not decided, and nothing is computed that is not used.
func TestRedundancyElimination(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		e := someNumber(rt, 4, nil)
		rs := ruleset(t, `ruleset test
kind creature { strength, wounds: number ; mark: number or none = none ; tall: flag }
define creature.least(n: number) = if tall and n > wounds then wounds else n
define creature.sharp(n: number) = tall or n > 1 and (mark otherwise 2) < n
define creature.it = `+e.text+"\n")
		p, err := compile.Compile(rs, compile.Options{})
		if err != nil {
			rt.Fatal(err)
		}
		it := int32(len(rs.Defines) - 1)
		m := machine.New(p)
		small := rapid.Int64Range(-1, 3)
		for range 12 {
			c := body{strength: small.Draw(rt, "strength"), wounds: small.Draw(rt, "wounds"), mark: ir.None, tall: rapid.Bool().Draw(rt, "tall")}
			if rapid.Bool().Draw(rt, "marked") {
				c.mark = small.Draw(rt, "mark")
			}
			fields := map[int32]int64{0: c.strength, 1: c.wounds, 2: c.mark, 3: number(c.tall)}
			who, err := m.Place(-1, machine.Placement{Name: "Alia", Fields: fields})
			if err != nil {
				rt.Fatal(err)
			}
			want, ok := e.value(&c)
			if got, err := m.Define(it, int64(who)); ok != (err == nil) || ok && got != want {
				rt.Fatalf("%+v: %d, %v; want %d, %v\n%s\n%s", c, got, err, want, ok, e.text, p.Disassemble(int(p.Defines[it].Chunk)))
			}
		}
	})
}

// body is the creature that is evaluated, and the current numbers of the enclosing loops, by depth.
type body struct {
	strength, wounds, mark int64
	tall                   bool
	at                     [5]int64
}

// triggerText is an expression in the language, and its value; ok is false for an error.
type triggerText struct {
	text  string
	value func(c *body) (v int64, ok bool)
}

func number(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

func (c *body) otherwise2() int64 {
	if c.mark == ir.None {
		return 2
	}
	return c.mark
}

// someNumber makes an expression of a given depth, within loops of given depths.
func someNumber(t *rapid.T, depth int, loops []int) triggerText {
	leaves := []triggerText{
		{"strength", func(c *body) (int64, bool) { return c.strength, true }},
		{"wounds", func(c *body) (int64, bool) { return c.wounds, true }},
		{"(mark otherwise 2)", func(c *body) (int64, bool) { return c.otherwise2(), true }},
		{"2", func(*body) (int64, bool) { return 2, true }},
	}
	for _, i := range loops {
		leaves = append(leaves, triggerText{fmt.Sprintf("n%d", i), func(c *body) (int64, bool) { return c.at[i], true }})
	}
	way := rapid.IntRange(0, 6).Draw(t, "number")
	if depth == 0 || way == 0 {
		return rapid.SampledFrom(leaves).Draw(t, "leaf")
	}
	inside := loops
	if way == 1 {
		inside = append(loops[:len(loops):len(loops)], depth)
	}
	a, b, when := someNumber(t, depth-1, inside), someNumber(t, depth-1, loops), someCondition(t, depth-1, inside)
	switch way {
	case 1:
		return triggerText{fmt.Sprintf("(sum n%d in [1, 2, 3] where %s of %s)", depth, when.text, a.text), func(c *body) (int64, bool) {
			sum := int64(0)
			for n := range int64(3) {
				c.at[depth] = n + 1
				yes, ok := when.value(c)
				if ok && yes != 0 {
					var v int64
					v, ok = a.value(c)
					sum += v
				}
				if !ok {
					return 0, false
				}
			}
			return sum, true
		}}
	case 2:
		return triggerText{fmt.Sprintf("self.least(%s)", a.text), func(c *body) (int64, bool) {
			n, ok := a.value(c)
			if c.tall && n > c.wounds {
				n = c.wounds
			}
			return n, ok
		}}
	case 3, 4:
		do, sign := exact.FloorDiv, "/"
		if way == 4 {
			do, sign = exact.Sub, "-"
		}
		return triggerText{fmt.Sprintf("(%s %s %s)", a.text, sign, b.text), func(c *body) (int64, bool) {
			x, ok := a.value(c)
			if !ok {
				return 0, false
			}
			y, ok := b.value(c)
			if !ok {
				return 0, false
			}
			return do(x, y)
		}}
	}
	return triggerText{fmt.Sprintf("(if %s then %s else %s)", when.text, a.text, b.text), func(c *body) (int64, bool) {
		yes, ok := when.value(c)
		switch {
		case !ok:
			return 0, false
		case yes != 0:
			return a.value(c)
		}
		return b.value(c)
	}}
}

// someCondition makes a yes-no expression, whose value is 0 or 1.
func someCondition(t *rapid.T, depth int, loops []int) triggerText {
	leaves := []triggerText{
		{"tall", func(c *body) (int64, bool) { return number(c.tall), true }},
		{"mark is none", func(c *body) (int64, bool) { return number(c.mark == ir.None), true }},
		{"mark = 1", func(c *body) (int64, bool) { return number(c.mark == 1), true }},
		{"strength = 2", func(c *body) (int64, bool) { return number(c.strength == 2), true }},
		{"strength > 1", func(c *body) (int64, bool) { return number(c.strength > 1), true }},
		{"strength < 2", func(c *body) (int64, bool) { return number(c.strength < 2), true }},
		{"strength > wounds", func(c *body) (int64, bool) { return number(c.strength > c.wounds), true }},
		{"self.sharp(2)", func(c *body) (int64, bool) { return number(c.tall || c.otherwise2() < 2), true }},
	}
	way := rapid.IntRange(0, 5).Draw(t, "condition")
	if depth <= 0 || way == 0 {
		return rapid.SampledFrom(leaves).Draw(t, "leaf")
	}
	a, b := someCondition(t, depth-1, loops), someCondition(t, depth-1, loops)
	switch way {
	case 1:
		return triggerText{fmt.Sprintf("(not %s)", a.text), func(c *body) (int64, bool) {
			v, ok := a.value(c)
			return 1 - v, ok
		}}
	case 2:
		x, y := someNumber(t, depth-1, loops), someNumber(t, depth-1, loops)
		return triggerText{fmt.Sprintf("%s <= %s", x.text, y.text), func(c *body) (int64, bool) {
			v, ok := x.value(c)
			if !ok {
				return 0, false
			}
			w, ok := y.value(c)
			return number(v <= w), ok
		}}
	}
	word, settles := "and", int64(0)
	if way == 3 {
		word, settles = "or", 1
	}
	return triggerText{fmt.Sprintf("(%s %s %s)", a.text, word, b.text), func(c *body) (int64, bool) {
		if v, ok := a.value(c); !ok || v == settles {
			return v, ok
		}
		return b.value(c)
	}}
}
