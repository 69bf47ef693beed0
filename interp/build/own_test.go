package build

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/lang/parse"
	"arbiter/rules"
)

// TestOwnRules builds scripts with rules of their own on those that they use, and in one go. The diagnostics are the same,
// and so is the program, but for the numbers of texts, lists and files; where options have other values, code that reads
// them may not be the same, and the values are.
func TestOwnRules(t *testing.T) {
	var paths []string
	for _, root := range []string{"../../spec", "../../examples"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if slices.Contains([]string{".tests", ".encounter"}, filepath.Ext(path)) {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	step := 25
	if *everyScript {
		step = 1
	}
	own, onTop, given := 0, 0, 0
	for i := 0; i < len(paths); i += step {
		o := Options{Library: rules.FS, Unsaved: true}
		o.Compile.AnnounceAll, o.Compile.Unoptimized = true, true
		src, err := ReadFile(paths[i])
		if err != nil {
			t.Fatal(err)
		}
		if f, _ := parse.File(paths[i], src); load.HeaderOf(f) != nil { // as if it were the second of its kind
			sharedFor(o.key(withNames(load.HeaderOf(f)), nil, nil, o.Compile), false).wanted.Store(1)
		}
		got, diags, err := Source(paths[i], src, o)
		if err != nil {
			t.Fatal(err)
		}
		changes, _ := link.Split(got.File)
		if got.Rules == nil || !slices.ContainsFunc(changes, changesRules) {
			continue
		}
		o.Apart = true
		want, wantDiags, err := File(paths[i], o)
		if err != nil {
			t.Fatal(err)
		}
		own++
		compareDiags(t, paths[i], "on others", diags, wantDiags)
		comparePrograms(t, paths[i], "on others", got.Rules, want.Rules)
		if got.Rules.onTop {
			onTop++
		}
		if len(got.Rules.Checked.Given) > 0 {
			given++
			for k, x := range got.Rules.Checked.Options {
				if y := want.Rules.Checked.Options[k]; x.Name != y.Name || x.Value != y.Value || x.Part.ID != y.Part.ID {
					t.Errorf("%s: the option %s is %d, apart %d", paths[i], x.Name, x.Value, y.Value)
				}
			}
			continue
		}
		compareCode(t, paths[i], got.Rules, want.Rules)
	}
	t.Logf("%d scripts with rules of their own, %d checked on others, %d with other options", own, onTop, given)
	if onTop < own/3 || own == 0 {
		t.Errorf("of %d scripts with rules of their own, %d are checked on those of others", own, onTop)
	}
}

// compareCode compares code, but for what refers to texts and lists by number.
func compareCode(t *testing.T, path string, got, want *Rules) {
	a, b := got.Program, want.Program
	for i := range min(len(a.Code), len(b.Code)) {
		if x, y := a.Code[i], b.Code[i]; x.Op != y.Op || x.A != y.A || x.B != y.B || x.C != y.C {
			t.Errorf("%s: instruction %d of %s is %v, apart %v", path, i, fmt.Sprint(got.Where(a.Pos.Of(int32(i)))), x, y)
			return
		}
	}
	if len(a.Code) != len(b.Code) || len(a.Chunks) != len(b.Chunks) {
		t.Errorf("%s: %d instructions in %d chunks, apart %d in %d", path, len(a.Code), len(a.Chunks), len(b.Code), len(b.Chunks))
	}
}
