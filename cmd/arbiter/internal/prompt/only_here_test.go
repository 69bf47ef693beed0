package prompt

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOnlyHere: only this package imports the buggy library.
func TestOnlyHere(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..")
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	here := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return nil // for the compiler to report
		}
		for _, i := range f.Imports {
			if !strings.HasPrefix(i.Path.Value, `"github.com/chzyer/`) {
				continue
			}
			if here++; filepath.Dir(path) != filepath.Join(root, "cmd", "arbiter", "internal", "prompt") {
				t.Errorf("%s imports %s", path, i.Path.Value)
			}
		}
		return nil
	})
	if err != nil || here == 0 {
		t.Errorf("%d imports, %v", here, err)
	}
}
