package compile

import (
	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file marks and takes out what is not code of its own: options, which are constants, and the fields of things.
// Only a program that marks what runs pays for it.

// marks says whether a part is to be marked when it is used.
func (c *compiler) marks(p *ir.Part) bool { return c.opts.Cover && p != nil && len(p.Cites) > 0 }

// constantly says whether an expression is a constant, and nothing has to be marked where it is used.
func (c *compiler) constantly(e *ir.Expr) bool {
	return e.Op == ir.OpConst && (e.Option == nil || !c.marks(e.Option.Part) && !c.neutral(e.Option.Part))
}

// constant marks the option that a constant comes from, and gives its value. A yes-no that is taken out is its opposite,
// any other option its zero.
func (f *fn) constant(e *ir.Expr) int64 {
	c := f.c
	if e.Option != nil {
		if c.marks(e.Option.Part) {
			f.cover(e.Option.Part)
		}
		if c.neutral(e.Option.Part) {
			if e.Type.Kind == ir.YesNo && e.Int != program.None {
				return 1 - e.Int
			}
			return program.ZeroOf(e.Type)
		}
	}
	return c.literal(e.Int, e.Type)
}

// coverField marks what may have given a thing its field: the default, and every thing of the rules.
func (f *fn) coverField(k *ir.Kind, field int) {
	if !f.c.opts.Cover || k == nil {
		return
	}
	var parts []*ir.Part
	if field < len(k.Fields) {
		parts = append(parts, k.Fields[field].Part)
	}
	for _, t := range f.c.rs.Templates {
		if t.Kind != k {
			continue
		}
		parts = append(parts, t.Part)
		if field < len(t.Parts) {
			parts = append(parts, t.Parts[field])
		}
	}
	for _, p := range parts {
		if f.c.marks(p) {
			f.cover(p)
		}
	}
}

// given is what a thing of the rules holds in a field: what it says itself or has from what it extends, unless that is
// taken out, and otherwise the default.
func (c *compiler) given(t *ir.Template, field int) *ir.Const {
	def := t.Kind.Fields[field].Const
	for from, depth := t, 0; from != nil && field < len(from.Values) && depth < 64; from, depth = from.Extends, depth+1 {
		inherited := def
		if x := from.Extends; x != nil && field < len(x.Values) {
			inherited = x.Values[field]
		}
		out := c.neutral(from.Part) || field < len(from.Parts) && c.neutral(from.Parts[field])
		if v := from.Values[field]; v != inherited && !out {
			return v
		}
	}
	return def
}
