package session

import (
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	"arbiter/interp/build"
	"arbiter/lang/ast"
	"arbiter/rules"
)

// TestKeptRulesPlayAlike plays the encounters of the examples, and a script that checks everything it can, on rules that
// a store has kept and on rules built for them alone: the transcripts are the same. What a store leaves for later must
// not be missed.
func TestKeptRulesPlayAlike(t *testing.T) {
	paths := []string{"testdata/kept.encounter"}
	err := filepath.WalkDir("../../examples", func(path string, d fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".encounter" {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, path := range paths {
		play := func(o build.Options) *Played {
			o.Library = rules.FS
			s, diags, err := build.File(path, o)
			if err != nil || s.Rules == nil {
				t.Fatal(path, diags, err)
			}
			scripted := slices.ContainsFunc(s.File.Body, func(cl ast.Clause) bool { _, ok := cl.(*ast.Side); return ok })
			if !scripted {
				t.Fatalf("%s has no sides", path)
			}
			return Play(s, s.File.Body, Options{})
		}
		want := play(build.Options{Apart: true})
		var hash any // texts and lists of the script have other numbers than apart, which the hash of the state shows
		for _, how := range []string{"kept now, if it is embedded", "kept now, if it rests on files", "kept before"} {
			store := build.NewStore(dir)
			got := play(build.Options{Store: store})
			store.Wait()
			build.Forget()
			if hash == nil {
				hash = got.Hash
			}
			if got.Output != want.Output || got.Hash != hash || len(got.Failures) != len(want.Failures) {
				t.Errorf("%s, %s:\n%s\n%v\nnot\n%s\n%v", path, how, got.Output, got.Failures, want.Output, want.Failures)
			}
		}
	}
}
