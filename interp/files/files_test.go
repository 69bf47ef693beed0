package files

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestFind(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"b.rules", "a.tests", "sub/c.encounter", "sub/.c.encounter", "sub/readme.md", "testdata/broken.rules", ".git/x.rules", "_old/y.rules"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("sub", "linked"); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		paths, want []string
	}{
		{[]string{"linked"}, []string{"linked/c.encounter"}},
		{[]string{"."}, []string{"a.tests", "b.rules", "sub/c.encounter"}},
		{[]string{"sub", "b.rules", "."}, []string{"sub/c.encounter", "b.rules", "a.tests"}},
		{[]string{"testdata"}, []string{"testdata/broken.rules"}},
		{[]string{"sub/.c.encounter"}, []string{"sub/.c.encounter"}},
		{[]string{"sub/readme.md"}, []string{"sub/readme.md"}},
	} {
		got, err := Find(c.paths, Kinds)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			got[i] = filepath.ToSlash(got[i])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.paths, got, c.want)
		}
	}
	if _, err := Find([]string{"nowhere"}, Kinds); err == nil {
		t.Error("a path that is not there was found")
	}
}

func TestReplace(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("real", []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", "link"); err != nil {
		t.Skip(err)
	}
	if err := Replace("link", []byte("new")); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile("real"); string(text) != "new" {
		t.Errorf("the file holds %q", text)
	}
	if info, _ := os.Lstat("link"); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced instead of its file")
	}
	if info, _ := os.Stat("real"); info.Mode().Perm() != 0o640 {
		t.Errorf("the mode became %v", info.Mode())
	}
	if all, _ := os.ReadDir("."); len(all) != 2 {
		t.Errorf("something was left behind: %v", all)
	}
	if err := Replace("nowhere", nil); err == nil {
		t.Error("a file that is not there was replaced")
	}
}
