package load

import (
	"io/fs"
	"slices"
	"sync"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/stdlib/snapshot"
)

// This file keeps the trees of rulesets for another process, which reads them several times as fast as it would parse the
// texts.

// SyntaxFS is a file system of rulesets that brings trees of their files. Nothing in it changes while the program exists.
type SyntaxFS interface {
	fs.FS
	// Trees returns what PackTrees has made of a ruleset, for the same texts and by the same parser; nil if there is
	// nothing. What is damaged is as good as nothing.
	Trees(ruleset string) []byte
}

// packedTrees is a ruleset as it is kept.
type packedTrees struct {
	Prefix string
	Paths  []string
	Files  []*ast.File
	Diags  diag.List
	Found  Source
}

// packedFormat is how rulesets are kept. Programs for other machines read them, if their types lie in memory alike.
var packedFormat = sync.OnceValues(func() (*snapshot.Format[packedTrees], error) {
	return snapshot.NewFormat[packedTrees](snapshot.Types{Concrete: ast.Nodes()})
})

// PackTrees parses a ruleset of a place in which nothing changes, and returns its trees for SyntaxFS.Trees.
func PackTrees(p Place, ruleset string) ([]byte, error) {
	format, err := packedFormat()
	if err != nil {
		return nil, err
	}
	l := &Loader{Places: []Place{p}}
	files, err := l.read(ruleset)
	if err != nil {
		return nil, err
	}
	_, paths := l.find(ruleset)
	return format.Write(&packedTrees{p.Prefix, paths, files, l.diags, l.sources[0]})
}

// unpacked returns the trees that a place brings for a ruleset with these files; nil if it brings none, or others.
func unpacked(p Place, ruleset string, paths []string) *fixedRuleset {
	place, brings := p.FS.(SyntaxFS)
	if !brings || len(paths) == 0 {
		return nil
	}
	packed := place.Trees(ruleset)
	if packed == nil {
		return nil
	}
	format, err := packedFormat()
	if err != nil {
		return nil
	}
	x, _, err := format.Read(packed)
	if err != nil || x.Prefix != p.Prefix || !slices.Equal(x.Paths, paths) || len(x.Found.Files) != len(paths) {
		return nil
	}
	return &fixedRuleset{paths, x.Files, x.Diags, x.Found}
}
