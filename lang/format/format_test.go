package format_test

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"arbiter/lang/ast"
	"arbiter/lang/format"
	"arbiter/lang/parse"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden formats testdata/NAME.input and compares it with NAME.golden.
func TestGolden(t *testing.T) {
	for path, src := range sources(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			got := checkKeeps(t, path, src)
			golden := strings.TrimSuffix(path, ".input") + ".golden"
			if *update {
				if err := os.WriteFile(golden, got, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if want := read(t, golden); !bytes.Equal(got, want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// TestEveryFile checks the properties over all files of the project that parse.
func TestEveryFile(t *testing.T) {
	for _, dir := range []string{"../../rules", "../../examples", "../../spec", "testdata"} {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil // the folder does not exist
			}
			switch filepath.Ext(path) {
			case ".rules", ".encounter", ".tests", ".adventure", ".golden":
				src := read(t, path)
				if _, diags := parse.File(path, src); len(diags) > 0 {
					return nil // broken on purpose
				}
				t.Run(filepath.ToSlash(path), func(t *testing.T) { checkKeeps(t, path, src) })
			}
			return nil
		})
	}
}

// TestNarrow exercises every possible line break of a document.
func TestNarrow(t *testing.T) {
	for path, src := range sources(t) {
		for _, width := range []int{1, 30, 60, 1000} {
			keepsWithin(t, path, src, width)
		}
	}
}

// TestComments puts a comment wherever the line rule allows one, trailing or on its own line.
func TestComments(t *testing.T) {
	for path, src := range sources(t) {
		for i := range src {
			if src[i] != ' ' && src[i] != '\n' || i%stride != 0 {
				continue
			}
			for _, comment := range []string{" # c\n", "\n# c\n", "\n\n# c\n\n# d\n"} {
				with := slices.Concat(src[:i], []byte(comment), src[i:])
				if _, diags := parse.File(path, with); len(diags) == 0 {
					checkKeeps(t, path, with)
				}
			}
			if t.Failed() {
				return
			}
		}
	}
}

const stride = 7 // tries every 7th place; 1 tries them all

func sources(t *testing.T) map[string][]byte {
	paths, err := filepath.Glob("testdata/*.input")
	if err != nil || len(paths) == 0 {
		t.Fatal("no inputs", err)
	}
	all := map[string][]byte{}
	for _, path := range paths {
		all[path] = read(t, path)
	}
	return all
}

// checkKeeps checks what must hold for every source that parses, and returns the formatted text.
func checkKeeps(t *testing.T, path string, src []byte) []byte {
	t.Helper()
	return keepsWithin(t, path, src, 100)
}

func keepsWithin(t *testing.T, path string, src []byte, width int) []byte {
	t.Helper()
	before, diags := parse.File(path, src)
	if len(diags) > 0 {
		t.Fatalf("the input does not parse: %v", diags[0])
	}
	got := format.FormatToWidth(width, before, src)
	after, diags := parse.File(path, got)
	if len(diags) > 0 {
		t.Fatalf("the output does not parse: %v\n%s", diags[0], got)
	}
	if where := differ(reflect.ValueOf(before), reflect.ValueOf(after), "file"); where != "" {
		t.Fatalf("the program changed at %s:\n%s", where, got)
	}
	if again := format.FormatToWidth(width, after, got); !bytes.Equal(again, got) {
		t.Fatalf("formatting twice changes it again:\n%s\nagain:\n%s", got, again)
	}
	tidy(t, got)
	return got
}

// tidy checks the white space outside blocks of text.
func tidy(t *testing.T, got []byte) {
	t.Helper()
	block, blank := false, true
	for i, l := range strings.Split(strings.TrimSuffix(string(got), "\n"), "\n") {
		quotes := !strings.HasPrefix(strings.TrimSpace(l), "#") && strings.Contains(l, `"""`)
		if !block && !quotes {
			if strings.TrimRight(l, " \t\r") != l {
				t.Errorf("line %d ends in a blank: %q", i+1, l)
			}
			if l == "" && blank && len(got) > 1 {
				t.Errorf("line %d: more than one empty line, or one at the start", i+1)
			}
		}
		blank = l == "" && !block
		if quotes {
			block = !block
		}
	}
}

// differ names the first place where two trees differ, ignoring positions.
func differ(a, b reflect.Value, where string) string {
	if a.Kind() != b.Kind() || a.IsValid() && a.Type() != b.Type() {
		return where
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return where
			}
			return ""
		}
		return differ(a.Elem(), b.Elem(), where)
	case reflect.Slice:
		if a.Len() != b.Len() {
			return where
		}
		for i := range a.Len() {
			if w := differ(a.Index(i), b.Index(i), where); w != "" {
				return w
			}
		}
		return ""
	case reflect.Struct:
		if a.Type() == reflect.TypeFor[ast.Span]() {
			return ""
		}
		if c, ok := a.Interface().(ast.Comment); ok {
			if c.Text != b.Interface().(ast.Comment).Text {
				return where
			}
			return ""
		}
		for i := range a.NumField() {
			if a.Type() == reflect.TypeFor[ast.Text]() && a.Type().Field(i).Name == "Raw" { // how it is written
				continue
			}
			if w := differ(a.Field(i), b.Field(i), where+"."+a.Type().Field(i).Name); w != "" {
				return w
			}
		}
		return ""
	}
	if !a.Equal(b) {
		return where
	}
	return ""
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// TestBroken formats sources that did not parse: nothing is lost, nothing panics.
func TestBroken(t *testing.T) {
	for _, src := range []string{
		"ruleset x\ncondition y { +2 +  # why\n cannot 7\n stop }\nfeat z { }\n",
		"ruleset x\n  override = = 3 \"a\n\nfeat z { }",
		"feat x { # end",
		"",
		"\n\n# only a comment\n\n\n",
	} {
		f, _ := parse.File("broken.rules", []byte(src))
		got := string(format.Format(f, []byte(src)))
		for _, w := range strings.Fields(src) {
			if !strings.Contains(got, w) {
				t.Errorf("%q: %q is lost in %q", src, w, got)
			}
		}
	}
}

// TestClause prints a clause from its tree alone.
func TestClause(t *testing.T) {
	for _, want := range []string{
		"option steps = 3",
		"+2 dodge to armor-class, reflex against self when weapon is ranged",
		"speed times 1/2",
		"armor-class at most 10",
		"needs not (x or y) \"it is \\\"over\\\"\"",
		"Alia: charge g1 with longsword",
		"let a = roll 2d6",
		"target gains shaken for 3 rounds",
		"expect Alia.armor-class against g1 = 14 and a + b * c <= -3",
		"for each x in list where x has dodge sorted by x.level descending { stop }",
		"let a = first x in list where x has dodge sorted by x.level descending otherwise y",
	} {
		clauses, diags := parse.Statement("prompt", want)
		if len(diags) > 0 || len(clauses) != 1 {
			t.Errorf("%s: %v", want, diags)
			continue
		}
		if got := format.Node(clauses[0]); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestExpression prints an expression on one line, however it was written.
func TestExpression(t *testing.T) {
	for src, want := range map[string]string{
		"1+2 *  3":                             "1 + 2 * 3",
		"(1\n + 2)*x.y[ a,b ]":                 "(1 + 2) * x.y[a, b]",
		"-x":                                   "-x",
		"30   ft":                              "30 ft",
		"25%":                                  "25%",
		"if a then b else if c then d\nelse e": "if a then b else if c then d else e",
		"x is not (a or b)":                    "x is not (a or b)",
		"foo( a , b:3 )":                       "foo(a, b: 3)",
		"strike-at g1 with  longsword":         "",
		"a within 30 ft of b and b can act":    "a within 30 ft of b and b can act",
		"sum x in xs where x > 2 of x.y":       "sum x in xs where x > 2 of x.y",
		"[1,2 , 3]":                            "[1, 2, 3]",
		"(1,2)":                                "(1, 2)",
		"blow fails by 5":                      "blow fails by 5",
		"first x in xs otherwise none":         "first x in xs otherwise none",
	} {
		e, diags := parse.Expression("", src)
		if want == "" {
			if len(diags) == 0 {
				t.Errorf("%q parses", src)
			}
			continue
		}
		if len(diags) > 0 {
			t.Errorf("%q: %v", src, diags[0])
			continue
		}
		if got := format.Expr(e); got != want {
			t.Errorf("%q: got %q, want %q", src, got, want)
		}
	}
}

// BenchmarkFormat formats a file of about 500 KB.
func BenchmarkFormat(b *testing.B) {
	one, err := os.ReadFile("testdata/declarations.golden")
	if err != nil {
		b.Fatal(err)
	}
	src := bytes.Repeat(one, 1+500_000/len(one))
	tree, _ := parse.File("bench.rules", src)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		format.Format(tree, src)
	}
}

// FuzzFormat checks the properties over any source that parses; for others it only requires that formatting returns.
func FuzzFormat(f *testing.F) {
	inputs, _ := filepath.Glob("testdata/*.input")
	for _, path := range inputs {
		if src, err := os.ReadFile(path); err == nil {
			f.Add(string(src))
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<14 || !utf8.ValidString(src) {
			return
		}
		tree, diags := parse.File("fuzz.rules", []byte(src))
		if len(diags) > 0 {
			format.Format(tree, []byte(src))
			return
		}
		checkKeeps(t, "fuzz.rules", []byte(src))
	})
}
