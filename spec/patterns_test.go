package spec_test

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPatterns: what is compiled at its first use is a regular expression; nobody should be the first to see that it is
// none.
func TestPatterns(t *testing.T) {
	found := 0
	for _, top := range []string{"cmd", "interp", "lang", "stdlib"} {
		err := filepath.WalkDir(filepath.Join("..", top), func(path string, e fs.DirEntry, err error) error {
			switch {
			case err != nil || e.Name() == "node_modules":
				return filepath.SkipDir
			case e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if sel, ok := call.Fun.(*ast.SelectorExpr); nameOf(call.Fun) != "newPattern" && (!ok || sel.Sel.Name != "New" || nameOf(sel.X) != "pattern") {
					return true
				}
				found++
				lit, ok := call.Args[0].(*ast.BasicLit)
				if !ok {
					t.Errorf("%s: write the regular expression as one literal, so that this test can read it", fset.Position(call.Pos()))
					return true
				}
				if _, err := regexp.Compile(constant.StringVal(constant.MakeFromLiteral(lit.Value, lit.Kind, 0))); err != nil {
					t.Errorf("%s: %v", fset.Position(call.Pos()), err)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 20 {
		t.Errorf("only %d were found", found)
	}
}

// nameOf returns the name of an expression that is a name.
func nameOf(x ast.Expr) string {
	if id, ok := x.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}
