package load

import (
	"io/fs"
	"path"
	"reflect"
	"slices"
	"sync"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file remembers the rulesets of places that are Fixed: they are looked for, read and parsed once in a process.

// fixedKey is a ruleset in a place.
type fixedKey struct {
	fs     fs.FS
	prefix string
	name   string
}

// fixedRuleset is what reading it has given. Nothing in it changes.
type fixedRuleset struct {
	paths []string
	files []*ast.File
	diags diag.List
	found Source
}

// fixedRulesets are those that have been read, by fixedKey.
var fixedRulesets sync.Map

// keyIn returns the key of a ruleset in a place; ok is false if nothing there can be remembered.
func keyIn(p Place, name string) (key fixedKey, ok bool) {
	if !p.Fixed || !reflect.TypeOf(p.FS).Comparable() {
		return fixedKey{}, false
	}
	return fixedKey{p.FS, p.Prefix, name}, true
}

// remembered returns a ruleset that has been read from a place before, else nil.
func remembered(p Place, name string) *fixedRuleset {
	if key, ok := keyIn(p, name); ok {
		if x, known := fixedRulesets.Load(key); known {
			return x.(*fixedRuleset)
		}
	}
	return nil
}

// take returns the files of a ruleset that was read before, as if they had been read now.
func (l *Loader) take(p Place, r *fixedRuleset) []*ast.File {
	if l.Between != nil {
		l.Between()
	}
	l.diags = append(l.diags, r.diags...)
	for i, q := range r.paths {
		l.note(p, path.Join(p.Prefix, q), r.found.Files[i].Checksum)
	}
	l.sources = append(l.sources, r.found)
	return slices.Clip(r.files)
}
