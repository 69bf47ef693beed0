package spec_test

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"arbiter/interp/lint"
)

var codeForm = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

// codes finds the codes of diagnostics in the Go sources, by package: constants called code..., the `code` argument of
// functions that have such a parameter, and the Code of a Diagnostic.
func codes(t *testing.T) map[string]map[string]bool {
	found := map[string]map[string]bool{}
	takes := map[string]map[string]int{} // PACKAGE, FUNCTION: the index of the parameter `code`
	type file struct {
		pkg string
		f   *ast.File
	}
	var files []file
	goFiles(t, func(path string, f *ast.File, _ *token.FileSet) {
		pkg := filepath.ToSlash(filepath.Dir(path))
		files = append(files, file{pkg, f})
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			i := 0
			for _, p := range fn.Type.Params.List {
				for _, name := range p.Names {
					if name.Name == "code" {
						if takes[pkg] == nil {
							takes[pkg] = map[string]int{}
						}
						takes[pkg][fn.Name.Name] = i
					}
					i++
				}
			}
		}
	})
	add := func(pkg string, e ast.Expr) {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return
		}
		code, err := strconv.Unquote(lit.Value)
		if err != nil || !codeForm.MatchString(code) {
			return
		}
		if found[pkg] == nil {
			found[pkg] = map[string]bool{}
		}
		found[pkg][code] = true
	}
	for _, file := range files {
		ast.Inspect(file.f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				name := ""
				switch fn := n.Fun.(type) {
				case *ast.SelectorExpr:
					name = fn.Sel.Name
				case *ast.Ident:
					name = fn.Name
				}
				if i, ok := takes[file.pkg][name]; ok && i < len(n.Args) {
					add(file.pkg, n.Args[i])
				}
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if strings.HasPrefix(name.Name, "code") && i < len(n.Values) && strings.HasSuffix(file.pkg, "lang/parse") {
						add(file.pkg, n.Values[i])
					}
				}
			case *ast.CompositeLit:
				diagnostic := false
				var code ast.Expr
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						if k, ok := kv.Key.(*ast.Ident); ok {
							diagnostic = diagnostic || k.Name == "Severity"
							if k.Name == "Code" {
								code = kv.Value
							}
						}
					}
				}
				if diagnostic && code != nil {
					add(file.pkg, code)
				}
			}
			return true
		})
	}
	return found
}

// TestDiagnosticsAreDocumented: every code that the Go sources use is in diagnostics.md, and no other.
func TestDiagnosticsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("diagnostics.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	section := []string{}
	for _, line := range strings.Split(string(text), "\n") {
		if !strings.HasPrefix(line, "| `") {
			section = nil
			continue
		}
		cells := strings.Split(line, " | ")
		code := strings.Trim(cells[0], "| `")
		if len(cells) != 4 {
			t.Errorf("%s: %d cells, want 4: code, meaning, example, what to do", code, len(cells))
		}
		if documented[code] {
			t.Errorf("%s is documented twice", code)
		}
		documented[code] = true
		if section = append(section, code); !slices.IsSorted(section) {
			t.Errorf("%s stands out of the order of the alphabet", code)
		}
	}
	rules := map[string]bool{} // of the linter: lint.md is written from them
	for _, r := range lint.Rules() {
		rules[r.Code] = true
	}
	used := map[string]bool{}
	for pkg, codes := range codes(t) {
		for code := range codes {
			if rules[code] {
				continue
			}
			used[code] = true
			if !documented[code] {
				t.Errorf("%s uses %s, which diagnostics.md does not explain", pkg, code)
			}
		}
	}
	for code := range documented {
		if !used[code] {
			t.Errorf("diagnostics.md explains %s, which nobody uses", code)
		}
	}
}

// TestDiagnosticsAreTested: every code of loading, linking and checking is in a test of its package.
func TestDiagnosticsAreTested(t *testing.T) {
	all := codes(t)
	for _, name := range []string{"load", "link", "check"} {
		pkg := "../interp/" + name
		var tests strings.Builder
		for _, pattern := range []string{"/*_test.go", "/testdata/*", "/testdata/casebook/*"} {
			paths, _ := filepath.Glob(pkg + pattern)
			for _, path := range paths {
				if text, err := os.ReadFile(path); err == nil {
					tests.Write(text)
				}
			}
		}
		for code := range all[pkg] {
			if !regexp.MustCompile(`(ERROR |WARNING |\[|")` + code + `\b`).MatchString(tests.String()) {
				t.Errorf("no test of interp/%s meets %s", name, code)
			}
		}
	}
}
