package compile

import (
	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file marks and omits parts without code of their own: options, which are constants, and the fields of things. It
// costs something only in a program that marks what runs.
//
// A program can mark every part that runs, for tests, where everything is computed anew each time. Or it marks some
// parts, for many fights, and remembers as usual: what is remembered ran before. Then it also marks when a part is
// considered: its trigger happens, its stat is asked for, tactics come to it; what it depends on is tested next.

// mustCover says whether a part is marked when it is used.
func (c *compiler) mustCover(p *ir.Part) bool {
	return p != nil && (c.opts.Cover && len(p.Cites) > 0 || c.opts.Marked[p.ID])
}

// marks says whether a part is marked when it runs.
func (c *compiler) marks(p *ir.Part) bool { return c.opts.Cover || p != nil && c.opts.Marked[p.ID] }

// cover emits an instruction that marks a part as run.
func (f *chunkBuilder) cover(p *ir.Part) {
	if p != nil && f.c.marks(p) {
		f.emit(program.OpCover, 0, 0, 0, p.ID)
	}
}

// consider emits an instruction that marks a part as considered.
func (f *chunkBuilder) consider(p *ir.Part) {
	if p != nil && f.c.opts.Marked[p.ID] {
		f.emit(program.OpCover, 1, 0, 0, p.ID)
	}
}

// isConstant says whether an expression is a constant without a part to be marked or omitted.
func (c *compiler) isConstant(e *ir.Expr) bool {
	return e.Op == ir.OpConst && (e.Option == nil || !c.isGiven(e.Option) && !c.mustCover(e.Option.Part) && !c.isNeutral(e.Option.Part))
}

// isGiven says whether an option has another value than the code that reads it says.
func (c *compiler) isGiven(o *ir.Option) bool {
	_, given := c.rs.Given[o.Part.ID]
	return given
}

// constant is the value of a constant where its option is not omitted.
func (c *compiler) constant(e *ir.Expr) int64 {
	if e.Option != nil && c.isGiven(e.Option) {
		return c.rs.Given[e.Option.Part.ID]
	}
	return e.Int
}

// useConstant marks the option that a constant comes from, and returns its value. A neutral option has the value that it is
// given; if none is, a yes-no option the opposite one, any other the zero of its type.
func (f *chunkBuilder) useConstant(e *ir.Expr) int64 {
	c := f.c
	if e.Option != nil {
		if c.mustCover(e.Option.Part) {
			f.cover(e.Option.Part)
		}
		if c.isNeutral(e.Option.Part) {
			if v, given := c.opts.Values[e.Option.Part.ID]; given {
				return c.literal(v, e.Type)
			}
			if v := c.constant(e); e.Type.Kind == ir.YesNo && v != program.None {
				return 1 - v
			}
			return program.ZeroOf(e.Type)
		}
	}
	return c.literal(c.constant(e), e.Type)
}

// coverField marks what may have set a field of a thing: the default, and every template.
func (f *chunkBuilder) coverField(k *ir.Kind, field int) {
	if !f.c.opts.Cover && len(f.c.opts.Marked) == 0 || k == nil {
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
		if f.c.mustCover(p) {
			f.cover(p)
		}
	}
}

// templateField returns the value of a template's field: its own or an inherited one, unless that is neutral, otherwise
// the default.
func (c *compiler) templateField(t *ir.Template, field int) *ir.Const {
	def := t.Kind.Fields[field].Const
	for from, depth := t, 0; from != nil && field < len(from.Values) && depth < 64; from, depth = from.Extends, depth+1 {
		inherited := def
		if x := from.Extends; x != nil && field < len(x.Values) {
			inherited = x.Values[field]
		}
		out := c.isNeutral(from.Part) || field < len(from.Parts) && c.isNeutral(from.Parts[field])
		if v := from.Values[field]; v != inherited && !out {
			return v
		}
	}
	return def
}
