package parse

import (
	"strings"
	"testing"
)

// TestLimits: hostile nesting and size end in an error that names the limit, not in a crash.
func TestLimits(t *testing.T) {
	deep := func(open, inner, close string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(close, n)
	}
	cases := map[string]struct{ src, code string }{
		"brackets":     {"option a = " + deep("(", "1", ")", 10_000), codeDeep},
		"lists":        {"option a = " + deep("[", "1", "]", 10_000), codeDeep},
		"blocks":       {"procedure p {" + deep("if a {", "stop", "}", 10_000) + "}", codeDeep},
		"else if":      {"procedure p { if a { }" + strings.Repeat(" else if a { }", 10_000) + "}", codeDeep},
		"minus":        {"option a = " + strings.Repeat("- ", 10_000) + "b", codeDeep},
		"if":           {"option a = " + strings.Repeat("if a then b else ", 10_000) + "b", codeDeep},
		"roll":         {"option a = " + strings.Repeat("roll ", 10_000) + "d6", codeDeep},
		"quantifiers":  {"option a = " + strings.Repeat("some x in ", 10_000) + "y", codeDeep},
		"operators":    {"option a = 1" + strings.Repeat(" + 1", 10_000), codeDeep},
		"fields":       {"option a = b" + strings.Repeat(".c", 10_000), codeDeep},
		"plans":        {"option a = " + deep("f(plan before x { ", "stop", "})", 10_000), codeDeep},
		"arms":         {"procedure p {" + deep("case a { b: ", "stop", "}", 10_000) + "}", codeDeep},
		"no text":      {"# ä\nstat a \"\x80\" = 1", codeIllegal},
		"control":      {"stat a \"x\x1b[31m\" = 1", codeIllegal},
		"in a block":   {"stat a \"\"\"x\n\x07\"\"\" = 1", codeIllegal},
		"blanks":       {"stat a \"\"\"x\t\r\n  b\r\n\"\"\" = 1", ""},
		"size":         {strings.Repeat(" ", MaxSource+1), codeSize},
		"gains":        {"procedure p { " + deep("a gains f(plan before x { ", "stop", "}) b", 90) + " }", ""},
		"within depth": {"option a = " + deep("(", "1", ")", 190), ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, diags := File("deep.rules", []byte(c.src))
			switch {
			case c.code == "" && len(diags) > 0:
				t.Errorf("%v", diags[0])
			case c.code != "" && (len(diags) == 0 || diags[0].Code != c.code):
				t.Errorf("want %s, got %v", c.code, diags)
			}
		})
	}
}
