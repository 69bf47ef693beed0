package session

import (
	"bytes"
	"slices"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/format"
)

// Opening returns the text of a script up to where it starts to play itself, plus the declarations after that point,
// and the statement with which it would continue, "" if there is none. It is for fights that are played interactively
// from there.
func Opening(f *ast.File, text []byte) (opening []byte, next string) {
	i := slices.IndexFunc(f.Body, plays)
	if i < 0 {
		return text, ""
	}
	opening = append(slices.Clip(bytes.TrimRight(text[:f.Body[i].Extent().Start.Offset], " \t")), '\n') // the text stays as it is
	for _, cl := range f.Body[i:] {
		if !link.ScriptOnly(cl) {
			opening = append(opening, format.Node(cl)+"\n"...)
		}
	}
	next, _, _ = strings.Cut(format.Node(f.Body[i]), "\n")
	return opening, next
}

// plays reports whether a clause plays, rather than placing or setting something.
func plays(cl ast.Clause) bool {
	switch n := cl.(type) {
	case *ast.Directive:
		return !slices.Contains([]string{"seed", "place", "ground"}, n.Word.Name)
	case *ast.Command, *ast.Scripted, *ast.Expect:
		return true
	case *ast.Repeat, *ast.If, *ast.ForEach:
		return build.HasDirectives(n)
	}
	return false
}
