package parse

import (
	"os"
	"strings"
	"testing"
)

// FuzzLex: the tokens are pieces of the source in order, for any source.
func FuzzLex(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<16 {
			return
		}
		end := 0
		for s := newScanner(src); ; {
			tok, err := s.Next()
			if err != nil {
				t.Fatal(err)
			}
			if tok.Type == tokEOF {
				return
			}
			if tok.Type == tokLine && tok.Value == "\n" {
				continue
			}
			if tok.Pos.Offset < end || tok.Value == "" || !strings.HasPrefix(src[tok.Pos.Offset:], tok.Value) {
				t.Fatalf("token %#v is no piece of the source behind %d", tok, end)
			}
			end = tok.Pos.Offset + len(tok.Value)
		}
	})
}

// FuzzFile: any source gives a tree with valid positions, diagnostics inside the source, and no internal error.
func FuzzFile(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<16 {
			return
		}
		for _, name := range []string{"fuzz.rules", "fuzz.tests"} {
			file, diags := File(name, []byte(src))
			checkSpans(t, src, file)
			for _, d := range diags {
				if d.Code == codeInternal {
					t.Fatal(d)
				}
				checkSpan(t, src, d.Span, d.Message)
			}
		}
	})
}

// FuzzExpression: the same for a single expression.
func FuzzExpression(f *testing.F) {
	forms, err := os.ReadFile("testdata/forms/expressions.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, line := range strings.Split(string(forms), "\n") {
		f.Add(strings.TrimPrefix(line, "option x = "))
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<12 {
			return
		}
		x, diags := Expression("fuzz", src)
		if x == nil {
			t.Fatal("no expression")
		}
		for _, d := range diags {
			if d.Code == codeInternal {
				t.Fatal(d)
			}
			checkSpan(t, src, d.Span, d.Message)
		}
	})
}

func seed(f *testing.F) {
	for _, src := range sources(f) {
		for _, part := range strings.Split(src, "\n\n") {
			f.Add(part)
		}
	}
	for _, src := range []string{"\ufeffoption a = 1", "option a = (((((", "}}}", "{{{", "\x00\xff", "a: b: c", `"""`, "`", "#", "\r\n;;\r\n",
		"option é-à = 1", "use f(a,", "|", "| |", "- - -", "cite", "cite a.b.01 to", "plan before x {", "d20d20 2d 3d6!! 4dF", "x is (", "(1) rounds"} {
		f.Add(src)
	}
}
