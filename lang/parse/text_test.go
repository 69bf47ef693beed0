package parse

import (
	"fmt"
	"strings"
	"testing"

	"arbiter/lang/ast"
)

// describePieces shows the pieces of a text, each with the column where it begins.
func describePieces(list []ast.TextPiece) string {
	var out []string
	for _, t := range list {
		at := fmt.Sprintf("%d:%d ", t.Start.Line, t.Start.Column)
		switch {
		case t.Word != "":
			var ways []string
			for _, w := range t.Ways {
				ways = append(ways, "["+describePieces(w)+"]")
			}
			cond := ""
			if t.Value != nil {
				cond = " ?" + fmt.Sprint(t.Value.Extent().Start.Column)
			}
			out = append(out, at+t.Word+cond+strings.Join(ways, "|"))
		case t.Value != nil:
			out = append(out, at+fmt.Sprintf("value@%d", t.Value.Extent().Start.Column))
		default:
			out = append(out, at+fmt.Sprintf("%q", t.Text))
		}
	}
	return strings.Join(out, " ")
}

func TestSceneText(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`"A plain text."`, `3:2 "A plain text."`},
		{`""`, ``},
		{`"Hello, {name}!"`, `3:2 "Hello, " 3:9 value@10 3:15 "!"`},
		{`"{{ and }} and |"`, `3:2 "{ and } and |"`},
		{`"a \"b\" {c}"`, `3:2 "a \"b\" " 3:10 value@11`},
		{`"{if a > 1: yes | no} so"`, `3:2 if ?6[3:13 "yes"]|[3:19 "no"] 3:22 " so"`},
		{`"{if a: yes}"`, `3:2 if ?6[3:9 "yes"]`},
		{`"{sequence: a | b {cycle: c|d} || e | }"`, `3:2 sequence[3:13 "a"]|[3:17 "b " 3:19 cycle[3:27 "c"]|[3:29 "d"] 3:31 " | e"]|[]`},
		{`"{first time: x | y}"`, `3:2 first[3:15 "x"]|[3:19 "y"]`},
		{`"{shuffle: {a} | b}"`, `3:2 shuffle[3:12 value@13]|[3:18 "b"]`},
		{`"{if a: b | {if c: {d}}} }}"`, `3:2 if ?6[3:9 "b"]|[3:13 if ?17[3:20 value@21]] 3:25 " }"`},
		{`"{cycle: a }} | b}"`, `3:2 cycle[3:10 "a }"]|[3:17 "b"]`},
		{`"{sequence}"`, `3:2 value@3`}, // something may have this name
		{`"{part(amount: 3)}"`, `3:2 value@3`},
		{`"{part(\"a\")} {c}"`, `3:2 value@3 3:15 " " 3:16 value@17`},
		{"\"\"\"\n  one\n   {two}\n  \"\"\"", `4:3 "one\n " 5:4 value@5`},
		{"\"\"\"\r\n  one\r\n  {two}\r\n  \"\"\"", `4:3 "one\n" 5:3 value@4`},
	} {
		f, diags := File("x.adventure", []byte("adventure \"x\" with d20\nscene a {\n"+c.src+"\n}\n"))
		if len(diags) > 0 {
			t.Errorf("%s: %v", c.src, diags)
			continue
		}
		text := f.Body[1].(*ast.Scene).Body.Clauses[0].(*ast.Documentation).Doc
		list, diags := SceneText("x.adventure", text)
		if len(diags) > 0 {
			t.Errorf("%s: %v", c.src, diags)
		}
		if got := describePieces(list); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.src, got, c.want)
		}
	}
}

func TestSceneTextBroken(t *testing.T) {
	for _, c := range []struct {
		src    string
		column int
		want   string
	}{
		{`"Hello, {name"`, 9, "this { is never closed"},
		{`"Hello, name}"`, 13, "this } has no matching {"},
		{`"{if a: {b | c}"`, 9, "this { is never closed"},
		{`"{if : a}"`, 5, "an expression is missing here"},
		{`"{if a b}"`, 8, "expected"},
		{`"{a +}"`, 6, ""},
		{`"{if a: b | c | d}"`, 2, "has at most two variants, not 3"},
		{`"{}"`, 3, "an expression is missing here"},
		{`"{if a > 1 B | C} {d}"`, 12, "expected `:` after the condition"},
		{`"{cycle A | B} {d}"`, 3, "no word"},
		{`"{a > 1: A | {b} or c}"`, 3, "no word"},
	} {
		src := []byte("scene a { " + c.src + " }")
		f, _ := File("x.adventure", src)
		text := f.Body[0].(*ast.Scene).Body.Clauses[0].(*ast.Documentation).Doc
		_, diags := SceneText("x.adventure", text)
		if len(diags) != 1 || !strings.Contains(diags[0].Message, c.want) || diags[0].Span.Start.Column != c.column+10 {
			t.Errorf("%s: %v, want %q in column %d", c.src, diags, c.want, c.column+10)
		}
	}
}

// Alternatives without their word are one mistake, and the hint is the word.
func TestSceneTextAlternatives(t *testing.T) {
	for src, want := range map[string]string{
		`"{cycle A | B}"`: "put a colon after the word: {cycle: A | B}", `"{one of: A | B}"`: "write {shuffle: A | B}", `"{~A|B}"`: "write {shuffle: A | B}",
		`"{&A|B}"`: "write {cycle: A | B}", `"{clues > 1: A | B}"`: "write {if clues > 1: A | B}", `"{first: A | B}"`: "write {first time: A | B}", `"{A | B}"`: "the forms are: ",
	} {
		src := "scene a { " + src + " }"
		f, _ := File("x.adventure", []byte(src))
		_, diags := SceneText("x.adventure", f.Body[0].(*ast.Scene).Body.Clauses[0].(*ast.Documentation).Doc)
		if len(diags) != 1 || !strings.HasPrefix(diags[0].Hint, want) {
			t.Errorf("%s: %v, want the hint %q", src, diags, want)
		}
	}
}

func FuzzTelling(f *testing.F) {
	for _, s := range []string{"a {b} c", "{if a: b | c}", "{sequence: {cycle: a|b} | c}", "{{}}||", "{a", "}", "{first time: }", "{\"}\"}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, quotes := range []string{`"`, `"""`} {
			src := []byte("scene a { " + quotes + s + quotes + " }")
			file, _ := File("x.adventure", src)
			for _, cl := range file.Body {
				if sc, ok := cl.(*ast.Scene); ok && sc.Body != nil {
					for _, cl := range sc.Body.Clauses {
						if d, ok := cl.(*ast.Documentation); ok && d.Doc != nil {
							SceneText("x.adventure", d.Doc)
							Note("x.adventure", d.Doc)
						}
					}
				}
			}
		}
	})
}
