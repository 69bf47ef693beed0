package build

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"arbiter/interp/check"
	"arbiter/interp/compile"
	"arbiter/interp/hook"
	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file builds rules once for all scripts that use them: in a process, and with a store in all processes. What a
// script declares is split: what changes the rules is built with them, and its things and tactics are added to the
// result. They get the same numbers as if all were built in one go, and so do dice, choices and creatures; texts and lists
// can get others, which only the hash of a state shows.

// base is rules without the things and tactics of a script, and where they came from. Nothing in it changes.
type base struct {
	rules *Rules // nil: they have mistakes without the rest of the script, or cannot be shared
	trail trail
	trees []*ast.File // of a ruleset by itself: what it was built from, instead of a trail; see same.go

	optioned   atomic.Int32 // how many scripts only gave options other values
	compiling  sync.Once
	recompiler *compile.Recompiler // of the rules, from the second of these scripts on
}

// maxShared limits how many bases a process keeps, those used last; maxOwn how many of them are of scripts with rules of
// their own, which no other script needs.
const (
	maxShared = 6
	maxOwn    = 2
)

// shared are the bases that were used lately.
var shared struct {
	sync.Mutex
	list []*sharedBases // used last first
}

// maxVariants limits how many bases have the same key: scripts in several folders can mean different rulesets by a name.
const maxVariants = 2

// sharedBases are the bases for a key, the latest first.
type sharedBases struct {
	key      string
	own      bool          // of a script with rules of its own
	building chan struct{} // full while one is built, for which others wait; see lock
	wasRead  bool          // one was read from a store
	wanted   atomic.Int32  // how many scripts with rules of their own have missed it
	sync.Mutex
	list []*base
}

// askAgain is how often a build that waits for another asks whether it is still wanted.
const askAgain = 2 * time.Millisecond

// Forget forgets the bases of the process, so that builds begin as in another one. It is for tests.
func Forget() {
	shared.Lock()
	defer shared.Unlock()
	shared.list = nil
}

// sharedFor finds or makes the entry for a key, and forgets those that have not been used for longest. own says that it is
// for a script with rules of its own.
func sharedFor(key string, own bool) *sharedBases {
	shared.Lock()
	defer shared.Unlock()
	list := shared.list
	i := slices.IndexFunc(list, func(e *sharedBases) bool { return e.key == key })
	if i < 0 {
		list = append(list, &sharedBases{key: key, own: own, building: make(chan struct{}, 1)})
		i = len(list) - 1
	}
	e := list[i]
	list = slices.Insert(slices.Delete(list, i, i+1), 0, e)
	kept, owned := 0, 0
	list = slices.DeleteFunc(list, func(e *sharedBases) bool {
		if kept == maxShared || e.own && owned == maxOwn {
			return true
		}
		kept++
		if e.own {
			owned++
		}
		return false
	})
	shared.list = list
	return e
}

// addToShared adds a script's files to rules that other scripts use too. It returns nil if the rules cannot be shared,
// or if there is any mistake: building everything in one go explains it best. input is what was loaded on the way, nil
// if nothing was.
func (o *Options) addToShared(path string, names []string, files []*ast.File, compileOptions compile.Options) (r *Rules, diags diag.List, input *buildInput) {
	if o.Apart || len(files) == 0 || len(o.Without) > 0 || leavesOut(files[0]) || compileOptions.Neutral != nil || compileOptions.Cover && cites(files) {
		return nil, nil, nil
	}
	changes, additions := link.Split(files...)
	scenes := scenePaths(files)
	own := slices.ContainsFunc(changes, changesRules)
	key := o.key(names, changes, scenes, compileOptions)
	if own && o.Unsaved {
		key += " unsaved"
	}
	e := sharedFor(key, own)
	b, found, input := e.base(o, path, names, changes, scenes, compileOptions)
	if b == nil || b.rules == nil {
		return nil, nil, input
	}
	r, diags, err := b.rules.with(additions, Creatures(files...), compileOptions)
	if r == nil || err != nil {
		return nil, nil, input
	}
	r.Sources, r.sums, r.read = maps.Clone(found.texts), found.loader.Checksums(), found.text
	return r, append(slices.Clone(b.trail.Diags), diags...), input
}

// with returns a copy of rules with the things and tactics of the files of a script; see link.Split.
func (r *Rules) with(additions []*ast.File, creatures map[string]int64, compileOptions compile.Options) (*Rules, diag.List, error) {
	set, added := r.set.With(additions...)
	checked, diags := r.Checked.With(set, added, creatures)
	if diags.HasErrors() {
		return nil, diags, nil
	}
	p, err := compile.With(r.Program, checked.Ruleset, compileOptions)
	if err != nil {
		return nil, diags, err
	}
	again := *r
	again.set, again.Checked, again.Program = set, checked, p
	again.House = slices.Clone(r.House)
	return &again, diags, nil
}

// leavesOut reports whether the header of a script leaves out rulesets.
func leavesOut(f *ast.File) bool {
	h := load.HeaderOf(f)
	return h != nil && len(h.Without) > 0
}

// key names what a base is built for. What it is built from is its trail.
func (o *Options) key(names []string, changes []*ast.File, scenes []string, compileOptions compile.Options) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %v %v %v %v", names, o.With, scenes, compileOptions.Cover, compileOptions.AnnounceAll, compileOptions.Unoptimized, o.KnownCitation == nil)
	for _, f := range changes {
		if changesRules(f) {
			fmt.Fprintf(h, "%q", f.Path)
			ast.Dump(h, f.Body)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// changesRules reports whether the part of a script that belongs to the rules is more than its header.
func changesRules(f *ast.File) bool {
	return len(f.Body) > 1 || len(f.Body) == 1 && load.HeaderOf(f) == nil
}

// base returns the base whose trail is what is found now, and what was found; and what was loaded, if the base had to be
// built. It is nil if the sources have mistakes.
func (e *sharedBases) base(o *Options, path string, names []string, changes []*ast.File, scenes []string, compileOptions compile.Options) (*base, *found, *buildInput) {
	if b, f := e.known(o, path); b != nil {
		return b, f, nil
	}
	defer e.lock(o)()
	if b, f := e.known(o, path); b != nil {
		return b, f, nil
	}
	if b := o.Store.read(e.key, o); b != nil {
		if f := o.follow(path, &b.trail); f != nil {
			// The first is for this build alone: what the store has left for later is read while it is used, if at all. A
			// process that builds more of the kind shares one of which everything is there.
			if e.wasRead || b.rules == nil {
				if b.rules != nil {
					b.rules.Complete()
				}
				e.add(b)
			}
			e.wasRead = true
			return b, f, nil
		}
	}
	input, diags, err := o.load(nil, path, names, nil, changes...)
	if err != nil || diags.HasErrors() || input.trail.Unsure || usesStarlark(input) {
		return nil, nil, nil
	}
	var b *base
	if o.Unsaved && e.own && scenes == nil && input.trail.isFixed() { // else what it uses is edited, and one go is quicker than two
		b = o.onOthers(path, names, changes, compileOptions)
	}
	if b == nil {
		b = &base{trail: input.trail}
		if r, more, err := o.whole(input, changes, scenes, true, compileOptions); err == nil && r != nil && len(more) == 0 {
			r.finish(input, names)
			b.rules = r
		}
	}
	b.trail.Diags = diags
	f := o.follow(path, &b.trail)
	if f == nil {
		return nil, nil, input // a file has changed meanwhile
	}
	e.add(b)
	o.Store.keep(e.key, b, e.own)
	return b, f, input
}

// lock waits until nobody else builds a base for the key, unless this build is broken off, and returns what ends that.
func (e *sharedBases) lock(o *Options) (unlock func()) {
	between := o.between()
	for {
		var again <-chan time.Time // never
		if between != nil {
			again = time.After(askAgain)
		}
		select {
		case e.building <- struct{}{}:
			return func() { <-e.building }
		case <-again:
			between()
		}
	}
}

// known finds the base among those of the process whose trail is what is found now.
func (e *sharedBases) known(o *Options, path string) (b *base, f *found) {
	b = e.find(func(b *base) bool {
		f = o.follow(path, &b.trail)
		return f != nil
	})
	return b, f
}

// find finds the latest base among those of the process that fits.
func (e *sharedBases) find(fits func(*base) bool) *base {
	e.Lock()
	list := slices.Clone(e.list)
	e.Unlock()
	if i := slices.IndexFunc(list, fits); i >= 0 {
		return list[i]
	}
	return nil
}

func (e *sharedBases) add(b *base) {
	e.Lock()
	defer e.Unlock()
	e.list = slices.Insert(e.list, 0, b)
	e.list = e.list[:min(len(e.list), maxVariants)]
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

// trail is what loading looked for and found, in order. Following it again finds the same if nothing has changed.
type trail struct {
	Sources []load.Source
	Houses  []houseFiles
	Diags   diag.List // of loading
	Unsure  bool      // something was found that following would miss
}

// isFixed reports whether nothing on it can change while the program is the same.
func (t *trail) isFixed() bool {
	return len(t.Houses) == 0 && !slices.ContainsFunc(t.Sources, func(s load.Source) bool { return !s.Fixed })
}

// houseFiles are the files of house rules that are given by a path.
type houseFiles struct {
	With  string // as it was given
	After int    // how many sources were looked for before
	Dir   string // in which rulesets are looked for from then on
	Files []load.FileSum
}

// found is what following a trail finds.
type found struct {
	loader *load.Loader
	texts  map[string][]byte // of the files of house rules
}

func (f *found) text(file string) []byte { return textOf(f.loader, file) }

// follow follows a trail from a file in the folder of path, and returns nil if it does not find the same.
func (o *Options) follow(path string, t *trail) *found {
	f := &found{o.loader(path), map[string][]byte{}}
	houses := t.Houses
	for i := 0; i <= len(t.Sources); i++ {
		for len(houses) > 0 && houses[0].After == i {
			if !o.findsHouse(&houses[0], f) {
				return nil
			}
			houses = houses[1:]
		}
		if i < len(t.Sources) && !f.loader.Finds(t.Sources[i]) {
			return nil
		}
	}
	return f
}

func (o *Options) findsHouse(h *houseFiles, f *found) bool {
	paths, dir, err := o.housePaths(h.With)
	if err != nil || dir != h.Dir || len(paths) != len(h.Files) {
		return false
	}
	for i, p := range paths {
		text, err := o.read(p)
		if err != nil || load.SumOf(p, text) != h.Files[i] {
			return false
		}
		f.texts[p] = text
	}
	f.loader.Places = append([]load.Place{o.place(o.rulesetsFolder(dir))}, f.loader.Places...)
	return true
}

// attach readies a base that was read from a store for use.
func (b *base) attach(o *Options, complete func()) {
	if r := b.rules; r != nil {
		r.library = &hook.Library{}
		r.complete = complete
		r.Program.Attach()
		r.Checked.Attach(check.Options{KnownCitation: o.KnownCitation, Hook: r.library.Mentions}, complete)
	}
}

// finish fills in what a build knows besides its passes.
func (r *Rules) finish(input *buildInput, names []string) {
	r.Sources, r.sums, r.read = input.sources, input.sums, input.read
	maps.Copy(input.sources, r.library.Sources())
	for _, name := range input.house {
		if slices.Contains(r.set.Rulesets, name) {
			r.House = append(r.House, name)
		}
	}
	if len(r.set.Rulesets) > 0 {
		r.Name = strings.Join(names, ", ")
	}
}
