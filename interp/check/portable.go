package check

import (
	"reflect"
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/link"
)

// This file prepares checked rules for being written to a snapshot, and takes them up again.

// Detach returns a copy of the checked rules without the functions of the options and what else cannot be written. What is
// read from it can be used after Attach.
func (k *Checked) Detach() *Checked {
	c := *k.c
	c.opts.Hook, c.opts.KnownCitation, c.delayed, c.mentioned = nil, nil, nil, nil
	return &Checked{k.Ruleset, &c}
}

// Attach gives rules that were read from a snapshot the functions of the options that they were checked with. complete
// reads what the snapshot has left for later (see IsLate): it is called before anything of that is looked at.
func (k *Checked) Attach(opts Options, complete func()) {
	k.c.opts.Hook, k.c.opts.KnownCitation, k.c.complete, k.c.mentioned = opts.Hook, opts.KnownCitation, complete, &mentioned{}
}

// Complete reads what a snapshot has left for later, if anything: whoever looks at the trees and the code of the rules
// themselves calls it before.
func (k *Checked) Complete() { k.c.whole() }

// whole makes sure that the trees and the code of the rules are there.
func (c *checker) whole() {
	if c.complete != nil {
		c.complete()
	}
}

// Concrete lists the types of definitions behind interfaces, as nil pointers.
func Concrete() []any {
	return []any{(*ir.Enum)(nil), (*ir.Kind)(nil), (*ir.FieldDef)(nil), (*ir.Template)(nil), (*ir.BonusType)(nil), (*ir.Roll)(nil), (*ir.Option)(nil),
		(*ir.Global)(nil), (*ir.Table)(nil), (*ir.Stat)(nil), (*ir.Term)(nil), (*ir.Define)(nil), (*ir.Resource)(nil), (*ir.Effect)(nil), (*ir.Modifier)(nil),
		(*ir.Permission)(nil), (*ir.Proc)(nil), (*ir.Step)(nil), (*ir.Rule)(nil), (*ir.Tactics)(nil), (*ir.Hook)(nil), (*ir.Var)(nil), (*ruleName)(nil)}
}

// AtHand is code that scripts need, unlike other code of the rules: a snapshot that contains it has it at once.
type AtHand struct{ Code []*ir.Expr }

// CodeAtHand lists what small defines compute and the guards of rules, which the compiler puts in the place of calls and
// before points, and what questions assume.
func (k *Checked) CodeAtHand() AtHand {
	var x AtHand
	for _, d := range k.Defines {
		if d.Func != nil && d.Func.Small != ir.Large {
			x.Code = append(x.Code, d.Func.Body)
		}
	}
	for _, r := range k.Rules {
		x.Code = append(x.Code, r.Guard)
		if r.Trigger != nil {
			for _, a := range r.Trigger.Args {
				x.Code = append(x.Code, a.Value)
			}
		}
	}
	for _, st := range k.Stats {
		for _, f := range st.Usual {
			if f != nil {
				x.Code = append(x.Code, f.Body)
			}
		}
	}
	return x
}

// IsLate reports whether what a field leads to is needed only by whoever looks at the trees and the code of the rules:
// the trees of definitions, with what is known of their nodes, and all code.
func IsLate(owner reflect.Type, f reflect.StructField) bool {
	if leadsToCode[f.Type] {
		return !isCode[owner]
	}
	return slices.Contains(leadsToTrees[owner], f.Name)
}

var (
	leadsToCode = typesOf((*ir.Expr)(nil), []*ir.Expr(nil), []*ir.Stmt(nil), (*ir.Call)(nil), []*ir.TacticCommand(nil))
	isCode      = typesOf(ir.Expr{}, ir.Stmt{}, ir.Query{}, ir.Call{}, ir.Plan{}, ir.Check{}, ir.Choose{}, ir.Alternative{}, ir.Gain{}, ir.May{}, ir.NotePiece{}, ir.Var{}, AtHand{})

	leadsToTrees = map[reflect.Type][]string{
		reflect.TypeFor[link.Def](): {"Node"},
		reflect.TypeFor[link.Set](): {"Headers", "Origins", "Values", "Replaced"},
		reflect.TypeFor[checker]():  {"effectNodes", "keepNodes", "wasRead"},
	}
)

func typesOf(values ...any) map[reflect.Type]bool {
	types := map[reflect.Type]bool{}
	for _, x := range values {
		types[reflect.TypeOf(x)] = true
	}
	return types
}
