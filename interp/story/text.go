package story

import (
	"arbiter/interp/check"
	"arbiter/interp/ir"
	"arbiter/lang/ast"
	"arbiter/lang/parse"
)

// This file checks and compiles texts.

// text compiles a text of a scene.
func (b *builder) text(t *ast.Text) int32 {
	var told Text
	if t != nil {
		parts, diags := parse.Telling(b.file.Path, t)
		b.list = append(b.list, diags...)
		told = b.pieces(parts)
	}
	b.s.Texts = append(b.s.Texts, told)
	return int32(len(b.s.Texts) - 1)
}

func (b *builder) pieces(parts []ast.Tell) (told Text) {
	for i := range parts {
		p := &parts[i]
		x := Piece{Words: p.Words, Value: -1, Counter: -1}
		switch p.Word {
		case "":
			if p.Value != nil {
				x.Value = b.value(p.Value, ir.Type{})
			}
		case "if":
			x.If = true
			b.alike(p)
			x.Value = b.value(p.Value, check.YesNo)
			undo := b.assume(x.Value, true)
			x.Ways = append(x.Ways, b.pieces(p.Ways[0]))
			undo()
			if len(p.Ways) > 1 {
				undo = b.assume(x.Value, false)
				x.Ways = append(x.Ways, b.pieces(p.Ways[1]))
				undo()
			}
		default:
			for _, w := range p.Ways {
				x.Ways = append(x.Ways, b.pieces(w))
			}
			if p.Word == "first" && len(x.Ways) == 1 {
				x.Ways = append(x.Ways, nil)
			}
			b.turns(p.Word, len(x.Ways), p.Span)
			x.Counter = b.counter(p.Word, len(x.Ways))
		}
		told = append(told, x)
	}
	return told
}
