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

// Opening is the text of a script up to where it begins to play itself, with what it declares behind that; and how it would
// go on, "" if it does not: for somebody who leads the fight from there.
func Opening(f *ast.File, text []byte) (opening []byte, next string) {
	i := slices.IndexFunc(f.Body, plays)
	if i < 0 {
		return text, ""
	}
	opening = append(bytes.TrimRight(text[:f.Body[i].Extent().Start.Offset], " \t"), '\n')
	for _, cl := range f.Body[i:] {
		if !link.ScriptOnly(cl) {
			opening = append(opening, format.Node(cl)+"\n"...)
		}
	}
	next, _, _ = strings.Cut(format.Node(f.Body[i]), "\n")
	return opening, next
}

// plays tells what a script does when it is led by nobody, from what it places and sets.
func plays(cl ast.Clause) bool {
	switch n := cl.(type) {
	case *ast.Directive:
		return !slices.Contains([]string{"seed", "place", "ground"}, n.Word.Name)
	case *ast.Command, *ast.Scripted, *ast.Expect:
		return true
	case *ast.Repeat, *ast.If:
		return build.Directs(n)
	}
	return false
}
