package story

import (
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file analyzes the flow of a story: it finds unreachable scenes and dead ends.

func warning(file string, span ast.Span, code, message, hint string) diag.Diagnostic {
	return diag.Diagnostic{File: file, Span: span, Severity: diag.Warning, Code: code, Message: message, Hint: hint}
}

// flow follows the story from its start and returns which operations are reachable. A scene entered with `go to` must
// say where the story continues; the end of a visited scene returns. Scenes with other errors are not reported, since
// those errors may be the cause.
func (b *builder) flow() (operations []bool) {
	type place struct {
		at      int32
		visited bool
	}
	code := b.story.Code
	known := map[place]bool{{0, false}: true}
	scenes := make([]bool, len(b.story.Scenes))
	blamed := map[int32]bool{}
	work := []place{{0, false}}
	to := func(at int32, visited bool) {
		if at >= 0 && int(at) < len(code) && !known[place{at, visited}] {
			known[place{at, visited}] = true
			work = append(work, place{at, visited})
		}
	}
	enter := func(scene int32, visited bool) {
		scenes[scene] = true
		to(b.story.Scenes[scene].Entry, visited)
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		o := &code[p.at]
		b.story.Ahead(p.at, func(_ int, at int32) { to(at, p.visited) })
		switch o.Kind {
		case Go:
			enter(o.A, p.visited)
		case Visit:
			enter(o.A, true)
		case Back:
			if !p.visited && !blamed[p.at] {
				blamed[p.at] = true
				b.list = append(b.list, diag.Diagnostic{File: o.File, Span: o.Span, Severity: diag.Error, Code: "no-way-back", Message: "there is nothing to return to here",
					Hint: "`visit SCENE` comes back, `go to SCENE` does not"})
			}
		case End:
			if s := &b.story.Scenes[o.A]; !p.visited && !blamed[p.at] && !b.faulty[o.A] {
				blamed[p.at] = true
				b.list = append(b.list, diag.Diagnostic{File: o.File, Span: o.Span, Severity: diag.Error, Code: "dead-end", Message: "the scene " + s.Path + " ends here, but nothing says where the story continues",
					Hint: b.waysOn(o.A)})
			}
		}
	}
	for i := range b.story.Scenes {
		if s := &b.story.Scenes[i]; !scenes[i] && !b.list.HasErrors() {
			b.list = append(b.list, warning(s.File, s.Span, "unreachable-scene", "nothing leads to the scene "+s.Path, "go to it, visit it, or remove it"))
		}
	}
	operations = make([]bool, len(code))
	for p := range known {
		operations[p.at] = true
	}
	return operations
}

// waysOn says how a scene that ends nowhere can go on.
func (b *builder) waysOn(scene int32) string {
	hint := "write `go to SCENE` or `finish`; if all choices may be unavailable, add `otherwise { }`"
	for i := range b.story.Battles {
		if b.story.Battles[i].Scene == scene {
			return hint + ". A fight that nobody wins needs one as well"
		}
	}
	return hint
}
