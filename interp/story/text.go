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
	var text Text
	if t != nil {
		parts, diags := parse.SceneText(b.file.Path, t)
		b.list = append(b.list, diags...)
		text = b.pieces(parts)
	}
	b.story.Texts = append(b.story.Texts, text)
	return int32(len(b.story.Texts) - 1)
}

func (b *builder) pieces(parts []ast.TextPiece) (text Text) {
	for i := range parts {
		p := &parts[i]
		x := Piece{Words: p.Text, Value: -1, Counter: -1}
		switch p.Word {
		case "":
			if p.Value != nil {
				x.Value = b.value(p.Value, ir.Type{})
			}
		case "if":
			x.If = true
			b.warnSameVariants(p)
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
			b.checkVariants(p.Word, len(x.Ways), p.Span)
			x.Counter = b.counter(p.Word, len(x.Ways))
		}
		text = append(text, x)
	}
	return text
}
