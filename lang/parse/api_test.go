package parse

import (
	"strings"
	"sync"
	"testing"
)

// TestStatement: input at the prompt needs no header.
func TestStatement(t *testing.T) {
	cases := []struct{ src, want string }{
		{"Alia: strike g1 with longsword", "(Command who:Alia name:strike args:[(Arg value:g1) (Arg label:with value:longsword)])"},
		{"begin; next turn\npass 1 hour", "(Directive word:begin) (Directive word:next) (Directive word:pass value:1hour)"},
		{"\n\n  stop\n", "(Simple word:stop)"},
		{"roll d20", "(Branch word:roll subject:d20)"},
		{"", ""},
		{"# only a comment", ""},
		{"condition calm { +1 to will }", "(Effect word:condition name:calm body:(Block clauses:[(Modifier op:+ amount:1 stats:[will])]))"},
	}
	for _, c := range cases {
		body, diags := Statement("prompt", c.src)
		var got []string
		for _, clause := range body {
			got = append(got, dump(clause))
		}
		if s := strings.Join(got, " "); s != c.want || len(diags) > 0 {
			t.Errorf("%q\n got %s\nwant %s\n%v", c.src, s, c.want, diags)
		}
	}
}

// TestExpression: exactly one expression, and an error for anything after it.
func TestExpression(t *testing.T) {
	cases := []struct{ src, want, err string }{
		{"1 + 2", "(Binary op:+ x:1 y:2)", ""},
		{"\n a or\n b\n", "(Binary op:or x:a y:b)", ""},
		{"a b", "(BadExpr)", "expected the end of the expression, found `b`"},
		{"a\nb", "(BadExpr)", "expected the end of the expression, found `b`"},
		{"", "(BadExpr)", "expected a value, found the end of the file"},
		{"(1", "(BadExpr)", "expected `,` or `)`, found the end of the file"},
	}
	for _, c := range cases {
		x, diags := Expression("prompt", c.src)
		if got := dump(x); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.src, got, c.want)
		}
		if (c.err != "") != (len(diags) == 1) || c.err != "" && diags[0].Message != c.err {
			t.Errorf("%q: want %q, got %v", c.src, c.err, diags)
		}
	}
}

// TestTooManyErrors: parsing stops early in a source that is nothing but mistakes.
func TestTooManyErrors(t *testing.T) {
	_, diags := File("noise.rules", []byte(strings.Repeat("option a\n", 5*maxErrors)))
	if len(diags) != maxErrors+1 || diags[maxErrors].Code != codeMany {
		t.Errorf("%d diagnostics, the last of which is %v", len(diags), diags[len(diags)-1])
	}
}

// TestParallel: parsers share nothing but the grammars of heads.
func TestParallel(t *testing.T) {
	src := []byte(generated(10 << 10))
	file, _ := File("large.rules", src)
	want := dump(file.Body)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if file, _ := File("large.rules", src); dump(file.Body) != want {
				t.Error("a parser disturbed another one")
			}
		})
	}
	wg.Wait()
}

func TestIsName(t *testing.T) {
	for name, is := range map[string]bool{"gritty": true, "Alia": true, "a-1": true, "schläfrig": true, "": false, "a b": false, "a-": false, "1a": false, "a_b": false, "when": false, "x extends y": false, "x\ny": false, "x # y": false} {
		if IsName(name) != is {
			t.Errorf("%q: %v", name, !is)
		}
	}
}
