package build

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"arbiter/rules"
)

// smallLibrary is a library of two rulesets.
var smallLibrary = fstest.MapFS{
	"base/base.rules":   {Data: []byte("ruleset base\n\nkind creature { strength: number = 10 }\n\nstat might = strength\n\neffect weak { - 2 to might }\n")},
	"house/house.rules": {Data: []byte("ruleset house extends base\n\nstat wits = strength / 2\n")},
}

const smallScript = "encounter \"small\" with house\n\noverride might = strength + 1\n\ncreature ogre { strength: 18; has weak }\n\nside west { ogre Grub }\n\nexpect Grub.might = 17\n"

// buildSmall builds the small script in a folder, as a process would that begins with nothing but a store.
func buildSmall(t *testing.T, dir string, s *Store) *Script {
	t.Helper()
	Forget()
	x, diags, err := Source(filepath.Join(dir, "small.encounter"), []byte(smallScript), Options{Library: smallLibrary, Store: s})
	if err != nil || len(diags) > 0 || x.Rules == nil {
		t.Fatal(err, diags)
	}
	s.Wait()
	return x
}

// keepSmall builds the small script as often as it takes for its rules to be kept, since they are not embedded: twice.
func keepSmall(t *testing.T, dir string, s *Store) {
	t.Helper()
	for range 2 {
		if fromStore(buildSmall(t, dir, s)) {
			t.Fatal("rules were kept already")
		}
	}
}

func onlyFile(t *testing.T, dir string) string {
	t.Helper()
	list, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(list) != 1 {
		t.Fatalf("the store holds %q", list)
	}
	return list[0]
}

func fromStore(x *Script) bool { return x.Rules.complete != nil }

func TestStoreKeeps(t *testing.T) {
	dir := t.TempDir()
	keepSmall(t, dir, NewStore(dir))
	x := buildSmall(t, dir, NewStore(dir))
	if !fromStore(x) {
		t.Error("the store did not keep the rules")
	}
	if n := len(x.Rules.Set().Defs); n != 5 || x.Rules.Set().Defs[n-1].Name != "ogre" || x.Rules.Digest() == "" {
		t.Errorf("%d definitions", n)
	}
}

// TestStoreAwaitsSecondTime edits rules again and again: none are kept, until some are built twice.
func TestStoreAwaitsSecondTime(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	for i := range 4 {
		text := fmt.Sprintf("ruleset house extends base\n\nstat wits = strength + %d\n", i)
		if err := os.WriteFile(filepath.Join(dir, "house.rules"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if fromStore(buildSmall(t, dir, NewStore(cache))) {
			t.Error("rules were kept that had changed")
		}
		if list, _ := filepath.Glob(filepath.Join(cache, "*"+suffix)); len(list) > 0 {
			t.Error("rules were kept after they were built once")
		}
	}
	buildSmall(t, dir, NewStore(cache))
	if !fromStore(buildSmall(t, dir, NewStore(cache))) {
		t.Error("rules were not kept that were built twice")
	}
}

// TestStoreKeepsSystems keeps each system that is embedded: every type in it can be written.
func TestStoreKeepsSystems(t *testing.T) {
	dir := t.TempDir()
	for _, system := range []string{"modern", "srd35-bestiary", "starfinder", "true20", "third"} {
		var kept []bool
		for range 2 {
			Forget()
			s := NewStore(dir)
			x, diags, err := Source("", []byte("encounter \"empty\" with "+system+"\n\nside west { }\n"), Options{Library: rules.FS, Store: s})
			if err != nil || x.Rules == nil {
				t.Fatal(err, diags)
			}
			s.Wait()
			kept = append(kept, fromStore(x))
		}
		if kept[0] || !kept[1] {
			t.Errorf("%s comes from the store: %v, want only the second time", system, kept)
		}
	}
}

// Digest is that of a script without files of its own.
func (r *Rules) Digest() string { return (&Script{Rules: r}).Digest() }

// TestStoreIsStale changes each kind of source: the rules are built anew, and those that were kept are replaced.
func TestStoreIsStale(t *testing.T) {
	cache, dir := t.TempDir(), t.TempDir()
	keepSmall(t, dir, NewStore(cache))
	if err := os.WriteFile(filepath.Join(dir, "house.rules"), []byte("ruleset house extends base\n\nstat wits = strength\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	keepSmall(t, dir, NewStore(cache)) // the ruleset of the same name next to the script is noticed
	if x := buildSmall(t, dir, NewStore(cache)); !fromStore(x) {
		t.Error("the new rules were not kept")
	}
	if x := buildSmall(t, t.TempDir(), NewStore(cache)); fromStore(x) {
		t.Error("rules of another folder were taken")
	}
}

// TestStoreIsDamaged damages what the store keeps in every way: the rules are built as if there were no store.
func TestStoreIsDamaged(t *testing.T) {
	dir := t.TempDir()
	keepSmall(t, dir, NewStore(dir))
	path := onlyFile(t, dir)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	step := 1 + len(good)/200
	for i := 0; i < len(good); i += step {
		bad := append([]byte(nil), good...)
		bad[i] ^= 0xff
		for what, text := range map[string][]byte{"flipped": bad, "cut off": good[:i]} {
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			if s := NewStore(dir); s.read(keyOf(t, good), &Options{Library: smallLibrary}) != nil {
				t.Fatalf("byte %d %s is not noticed", i, what)
			}
		}
	}
	keepSmall(t, dir, NewStore(dir)) // the damaged file is not taken
	if !fromStore(buildSmall(t, dir, NewStore(dir))) {
		t.Error("a damaged file was not replaced")
	}
}

func keyOf(t *testing.T, text []byte) string {
	t.Helper()
	x, _, err := storeFormat().Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return x.Key
}

// TestStoreIsForeign puts what another program has kept, or what was kept for other rules, into the place.
func TestStoreIsForeign(t *testing.T) {
	dir := t.TempDir()
	other := NewStore(dir)
	other.program = "another program"
	keepSmall(t, dir, other)
	keepSmall(t, dir, NewStore(dir)) // not what another program has built
	list, _ := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if len(list) != 2 {
		t.Fatalf("the store holds %q", list)
	}
	text, err := os.ReadFile(list[0])
	if err != nil {
		t.Fatal(err)
	}
	s := NewStore(dir)
	if err := os.WriteFile(s.path("other rules"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	if s.read("other rules", &Options{}) != nil {
		t.Error("rules for something else were taken")
	}
}

// TestStoreCannotWrite builds without a folder, and with one that cannot be one.
func TestStoreCannotWrite(t *testing.T) {
	if NewStore("") != nil {
		t.Error("a store without a folder")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below"), "/proc/none"} {
		buildSmall(t, t.TempDir(), NewStore(dir))
	}
}

// TestStoresTogether lets several stores read and write the same file.
func TestStoresTogether(t *testing.T) {
	dir := t.TempDir()
	keepSmall(t, dir, NewStore(dir))
	text, err := os.ReadFile(onlyFile(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	key := keyOf(t, text)
	o := &Options{Library: smallLibrary}
	b := NewStore(dir).read(key, o)
	b.rules.Complete()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			s := NewStore(dir)
			for range 20 {
				s.write(key, b)
				if s.read(key, o) == nil {
					t.Error("there was a time without a whole file")
				}
				s.Wait()
			}
		})
	}
	wg.Wait()
	onlyFile(t, dir) // and no parts
}

// TestStoreIsBounded keeps no more than it may, the ones used last.
func TestStoreIsBounded(t *testing.T) {
	dir := t.TempDir()
	s := NewStore(dir)
	b := &base{}
	for i := range maxStored + 10 {
		s.write(strings.Repeat("x", i+1), b)
		s.Wait()
		s.read("x", &Options{}) // the first stays in use
	}
	list, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(list) > maxStored {
		t.Errorf("%d files, of %d", len(list), maxStored)
	}
	if _, err := os.Stat(s.path("x")); errors.Is(err, fs.ErrNotExist) {
		t.Error("what was in use was removed")
	}
}

// TestStoreKeepsFew builds many scripts with rules of their own in one process: only a few are kept, but what all scripts
// with an embedded ruleset share always is.
func TestStoreKeepsFew(t *testing.T) {
	dir, s := t.TempDir(), NewStore(t.TempDir())
	keep := func(library fs.FS, script string) (kept int) {
		t.Helper()
		for range 2 {
			Forget()
			x, diags, err := Source(filepath.Join(dir, "x.encounter"), []byte("encounter \"x\" "+script), Options{Library: library, Store: s})
			if err != nil || x.Rules == nil {
				t.Fatal(err, diags)
			}
			s.Wait()
		}
		list, _ := filepath.Glob(filepath.Join(s.dir, "*"+suffix))
		return len(list)
	}
	for n := range maxUnshared + 4 {
		if got, want := keep(smallLibrary, fmt.Sprintf("with base\n\noverride might = strength + %d\n", n)), min(n+1, maxUnshared); got != want {
			t.Errorf("%d of %d are kept, want %d", got, n+1, want)
		}
	}
	if got := keep(rules.FS, "with d20\n"); got != maxUnshared+1 {
		t.Errorf("%d are kept with the rules of all, want %d", got, maxUnshared+1)
	}
}
