package build

import (
	"crypto/sha256"
	"encoding/json"
	"path/filepath"
	"testing"

	"arbiter/interp/compile"
	"arbiter/interp/load"
	"arbiter/rules"
)

// TestTreesStay checks that builds do not change parsed files, which are cached and shared: neither builds of the
// rulesets themselves, nor of rulesets that override, extend and remove parts of them, nor of scripts with
// declarations.
func TestTreesStay(t *testing.T) {
	names := (&load.Loader{Places: []load.Place{{FS: rules.FS}}}).Names()
	trees := func() map[string][32]byte {
		l := &load.Loader{Places: []load.Place{{FS: rules.FS, Prefix: "rules"}}}
		sums := map[string][32]byte{}
		found, _ := l.Load(names...)
		for _, r := range found {
			for _, f := range r.Files {
				text, err := json.Marshal(f)
				if err != nil {
					t.Fatal(err)
				}
				sums[f.Path] = sha256.Sum256(text)
			}
		}
		return sums
	}
	before := trees()
	if len(before) < 100 {
		t.Fatal(len(before))
	}
	o := Options{Library: rules.FS, Compile: compile.Options{Cover: true, AnnounceAll: true}}
	for _, pattern := range []string{"../../examples/house-rules/*.tests", "../../spec/house/*/*.tests", "../../examples/*.encounter"} {
		files, _ := filepath.Glob(pattern)
		if len(files) == 0 {
			t.Fatal(pattern)
		}
		for _, f := range files[:min(len(files), 8)] {
			if s, found, err := File(f, o); err != nil || s.Rules == nil {
				t.Fatal(err, found)
			}
		}
	}
	for path, sum := range trees() {
		if sum != before[path] {
			t.Errorf("%s has been changed", path)
		}
	}
}
