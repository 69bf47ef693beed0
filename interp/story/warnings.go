package story

import (
	"fmt"
	"slices"

	"arbiter/interp/check"
	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file warns of code that is valid but useless: choices that are never open, unreachable statements, scenes from
// which the story cannot end, and alternatives that are always the same.

// warnUseless examines a story without errors; reached says which operations are reachable.
func (b *builder) warnUseless(reached []bool) {
	for i := range b.story.Choices {
		for k := range b.story.Choices[i].Ways {
			w := &b.story.Choices[i].Ways[k]
			b.warnNeverHolds(w.Open, "this is never true, so the choice is never available")
			for c := range w.Costs {
				b.warnNeverHolds(w.Costs[c].Afford, "this can never be paid, so the choice is never available")
			}
		}
	}
	for i := range b.story.Code {
		if o := &b.story.Code[i]; o.Kind == Test && !o.Loop {
			b.warnNeverHolds(o.A, "this is never true, so what depends on it never happens")
		}
	}
	b.warnUnreachable(reached)
	b.warnEndless(reached)
	b.warnUnread()
}

// warnUnread warns of names that are never read.
func (b *builder) warnUnread() {
	for _, x := range b.lets {
		if !b.checked.WasRead(x.v) {
			b.list = append(b.list, warning(x.file, x.span, "never-read", "nothing reads "+x.v.Name, "remove it, or use it"))
		}
	}
	for _, f := range b.files {
		for _, cl := range f.Parsed.Body {
			k, ok := cl.(*ast.Keep)
			if !ok {
				continue
			}
			if g, ok := b.checked.Lookup(k.Name.Name).(*ir.Global); ok && !b.checked.WasRead(g.Var) {
				b.list = append(b.list, warning(f.Path, k.Name.Span, "never-read", "nothing reads "+k.Name.Name, "remove it, or use it"))
			}
		}
	}
}

// warnNeverHolds warns of a condition that never holds.
func (b *builder) warnNeverHolds(value int32, message string) {
	if value < 0 {
		return
	}
	v := &b.story.Values[value]
	if v.X == nil {
		return
	}
	if holds, known := check.Truth(v.X); known && !holds {
		b.list = append(b.list, warning(v.File, v.Node.Extent(), "never-runs", message, "remove it, or say when it applies"))
	}
}

// warnUnreachable warns of unreachable statements. Of several in a row it reports the first.
func (b *builder) warnUnreachable(reached []bool) {
	before := true // the previous operation is reachable
	for i := range b.story.Code {
		o := &b.story.Code[i]
		if o.Kind == Jump || o.Kind == End || o.Kind == EndBattle { // generated, not written by the author
			continue
		}
		scene := b.story.Where(int32(i))
		if entry := b.story.Scenes[scene].Entry; before && !reached[i] && entry >= 0 && reached[entry] {
			b.list = append(b.list, warning(o.File, o.Span, "never-runs", "the story never reaches this: what comes before it always leads away", "remove it, or move it up"))
		}
		before = reached[i]
	}
}

// warnEndless warns of scenes from which neither an ending nor a return can be reached, whatever is chosen.
func (b *builder) warnEndless(reached []bool) {
	ends, returns := make([]bool, len(b.story.Code)), make([]bool, len(b.story.Code))
	into := func(scene int32) (bool, bool) {
		if at := b.story.Scenes[scene].Entry; at >= 0 {
			return ends[at], returns[at]
		}
		return true, true
	}
	for changed := true; changed; {
		changed = false
		for i := len(b.story.Code) - 1; i >= 0; i-- {
			end, back := false, false
			b.story.Ahead(int32(i), func(_ int, to int32) { end, back = end || ends[to], back || returns[to] })
			switch o := &b.story.Code[i]; o.Kind {
			case Finish:
				end = true
			case Back, End:
				back = true
			case Go:
				end, back = into(o.A)
			case Visit:
				e, r := into(o.A)
				end, back = e || r && end, r && back
			}
			if end != ends[i] || back != returns[i] {
				ends[i], returns[i], changed = end, back, true
			}
		}
	}
	for i := range b.story.Scenes {
		s := &b.story.Scenes[i]
		if s.Entry >= 0 && reached[s.Entry] && !ends[s.Entry] && !returns[s.Entry] {
			b.list = append(b.list, warning(s.File, s.Span, "no-end", "from the scene "+s.Path+" the story has no ending, whatever is chosen", "`finish` ends it"))
		}
	}
}

// checkVariants warns of an alternation that is always the same, and rejects one with too many alternatives.
func (b *builder) checkVariants(word string, ways int, span ast.Span) {
	if word == "shuffle" && ways > MostShuffled {
		b.fail(span, "limit", fmt.Sprintf("a shuffle of %d variants", ways), fmt.Sprintf("at most %d are allowed: split it into several", MostShuffled))
	}
	if ways == 1 && word != "first" {
		b.list = append(b.list, warning(b.file.Path, span, "one-way", "a `"+word+"` with one variant is always the same", "write it without `"+word+"`, or add another variant"))
	}
}

// warnSameVariants warns of a condition in a text that makes no difference.
func (b *builder) warnSameVariants(x *ast.TextPiece) {
	if len(x.Ways) != 2 {
		return
	}
	first, plain := plainWords(x.Ways[0])
	second, too := plainWords(x.Ways[1])
	if plain && too && first == second {
		b.list = append(b.list, warning(b.file.Path, x.Span, "one-way", "both variants are the same", "write it without braces"))
	}
}

// plainWords returns the words of a text that has no braces.
func plainWords(parts []ast.TextPiece) (words string, plain bool) {
	if slices.ContainsFunc(parts, func(p ast.TextPiece) bool { return p.Word != "" || p.Value != nil }) {
		return "", false
	}
	for i := range parts {
		words += parts[i].Text
	}
	return words, true
}
