package parse

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"arbiter/lang/ast"
)

// TestPositions: in valid and in broken files, every node is inside the file and inside its parent, and its line and
// column agree with its offset.
func TestPositions(t *testing.T) {
	for name, src := range sources(t) {
		t.Run(name, func(t *testing.T) {
			file, diags := File(name, []byte(src))
			checkSpans(t, src, file)
			for _, d := range diags {
				checkSpan(t, src, d.Span, d.Message)
			}
		})
	}
}

// sources returns all inputs of this package's tests.
func sources(t testing.TB) map[string]string {
	all := map[string]string{"generated.rules": generated(20 << 10)}
	for _, pattern := range []string{"testdata/forms/*.txt", "testdata/casebook/*"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(path, ".golden") {
				all[filepath.Base(path)] = strings.ReplaceAll(string(src), "\n---\n", "\n\n")
			}
		}
	}
	return all
}

func checkSpans(t testing.TB, src string, file *ast.File) {
	whole := ast.Span{Start: ast.Pos{Line: 1, Column: 1}, End: file.End}
	if file.End.Offset != len(src) {
		t.Errorf("the file ends at %d, not at %d", file.End.Offset, len(src))
	}
	walkSpans(t, src, reflect.ValueOf(file.Body), whole)
	walkSpans(t, src, reflect.ValueOf(file.Comments), whole)
}

func walkSpans(t testing.TB, src string, v reflect.Value, around ast.Span) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walkSpans(t, src, v.Elem(), around)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walkSpans(t, src, v.Index(i), around)
		}
	case reflect.Struct:
		if f := v.FieldByName("Span"); f.IsValid() && f.Type() == spanType {
			span := f.Interface().(ast.Span)
			if span == (ast.Span{}) {
				if !v.IsZero() && !empty(v) {
					t.Errorf("%s has no place", dump(v.Interface()))
				}
				return
			}
			checkSpan(t, src, span, v.Type().Name())
			if span.Start.Offset < around.Start.Offset || span.End.Offset > around.End.Offset {
				t.Errorf("%s at %v lies outside of %v", v.Type().Name(), span, around)
			}
			around = span
		}
		for i := range v.NumField() {
			if f := v.Field(i); f.Type() != spanType {
				walkSpans(t, src, f, around)
			}
		}
	}
}

func checkSpan(t testing.TB, src string, span ast.Span, what string) {
	for _, at := range []ast.Pos{span.Start, span.End} {
		if at.Offset < 0 || at.Offset > len(src) {
			t.Errorf("%s at %v lies outside of the file", what, span)
			return
		}
		before := src[:at.Offset]
		if at.Line != 1+strings.Count(before, "\n") || at.Column != at.Offset-strings.LastIndexByte(before, '\n') {
			t.Errorf("%s: the line and column of %v disagree with its offset", what, at)
		}
	}
	if span.End.Offset < span.Start.Offset {
		t.Errorf("%s at %v ends before it begins", what, span)
	}
}
