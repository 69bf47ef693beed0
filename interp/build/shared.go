package build

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"arbiter/interp/compile"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file builds rules once for all scripts that use them. A script that declares only things is added to what was
// built: the rules are not linked, checked and compiled again. Its things get the same numbers either way, and so do
// its dice, choices and creatures.

// maxShared limits how many rules are kept, those used last.
const maxShared = 8

// sharedRules are the rules that were built lately, by everything that they depend on.
var sharedRules struct {
	sync.Mutex
	list []*sharedEntry // used last first
}

// sharedEntry is rules without a script. They are nil if they have mistakes; then each script finds them for itself.
type sharedEntry struct {
	key   string
	once  sync.Once
	rules *Rules
	diags diag.List // warnings
}

// addToShared adds a script's files to rules that other scripts use too. It returns nil if the script changes the
// rules, or if there is any mistake: building everything in one go explains it best.
func (o *Options) addToShared(input *buildInput, files []*ast.File, compileOptions compile.Options) (*Rules, diag.List) {
	if o.Apart || len(files) == 0 || compileOptions.Neutral != nil || !link.OnlyAdds(files...) || scenePaths(files) != nil ||
		compileOptions.Cover && cites(files) || usesStarlark(input) {
		return nil, nil
	}
	e := sharedEntryOf(input.key(o, compileOptions))
	e.once.Do(func() {
		r, diags, err := o.whole(input, nil, true, compileOptions)
		if err == nil {
			e.rules, e.diags = r, diags
		}
	})
	if e.rules == nil {
		return nil, nil
	}
	set, added := e.rules.Set.With(files...)
	checked, diags := e.rules.Checked.With(set, added, Creatures(files...))
	if diags.HasErrors() {
		return nil, nil
	}
	p, err := compile.With(e.rules.Program, checked.Ruleset, compileOptions)
	if err != nil {
		return nil, nil
	}
	r := *e.rules
	r.Set, r.Checked, r.Program = set, checked, p
	return &r, diags
}

// sharedEntryOf finds or makes the entry for rules, and forgets those that have not been used for longest.
func sharedEntryOf(key string) *sharedEntry {
	sharedRules.Lock()
	defer sharedRules.Unlock()
	list := sharedRules.list
	i := slices.IndexFunc(list, func(e *sharedEntry) bool { return e.key == key })
	if i < 0 {
		list = append(list, &sharedEntry{key: key})
		i = len(list) - 1
	}
	e := list[i]
	list = slices.Insert(slices.Delete(list, i, i+1), 0, e)
	if len(list) > maxShared {
		list[maxShared] = nil
		list = list[:maxShared]
	}
	sharedRules.list = list
	return e
}

// key identifies what rules are built from. Equal texts have the same tree (see load.Parse), which the entry keeps
// alive.
func (in *buildInput) key(o *Options, compileOptions compile.Options) string {
	var b strings.Builder
	fmt.Fprint(&b, compileOptions.Cover, compileOptions.AnnounceAll, compileOptions.Unoptimized, reflect.ValueOf(o.KnownCitation).Pointer(), o.Without)
	for _, r := range in.rulesets {
		fmt.Fprint(&b, " ", r.Name, r.Extends, r.Depth, r.Excluded)
		for _, f := range r.Files {
			fmt.Fprintf(&b, " %p", f)
		}
	}
	return b.String()
}

// usesStarlark reports whether rulesets use Starlark functions, whose files can change without theirs.
func usesStarlark(input *buildInput) bool {
	for _, r := range input.rulesets {
		for _, f := range r.Files {
			if slices.ContainsFunc(f.Body, func(cl ast.Clause) bool { _, ok := cl.(*ast.Use); return ok }) {
				return true
			}
		}
	}
	return false
}

// cites reports whether files cite for a thing or a part of one.
func cites(files []*ast.File) bool {
	for _, f := range files {
		for _, cl := range f.Body {
			if n, ok := cl.(*ast.Template); ok && (len(n.Cites) > 0 || n.Body != nil && ast.Contains(n.Body.Clauses, func(node any) bool {
				p, ok := node.(*ast.Property)
				return ok && len(p.Cites) > 0
			})) {
				return true
			}
		}
	}
	return false
}
