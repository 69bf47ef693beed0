package build

import (
	"strings"
	"testing"

	"arbiter/interp/compile"
	"arbiter/lang/ast"
	"arbiter/lang/parse"
	"arbiter/rules"
)

// A change of what a template of the script states is made in the template, so that the rules under it are not built again;
// a mistake in it is reported where the change stands.
func TestAmendTemplate(t *testing.T) {
	const script = `encounter "One" with srd35
creature post { strength: 10 }
side us { post Alia }
`
	for _, x := range []struct{ change, mistake string }{
		{"override post.strength = 20", ""},
		{"override post.strength = 20 ft", "this is a distance"},
	} {
		a, diags := parse.File("change", []byte("encounter \"A change\" with srd35\n"+x.change+"\n"))
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		a.Body = a.Body[1:]
		s, diags, err := Source("one.encounter", []byte(script), Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}, Amend: []Amendment{{File: a}}})
		if err != nil {
			t.Fatal(err)
		}
		if x.mistake != "" {
			if !diags.HasErrors() || diags[0].File != "change" || diags[0].Span.Start.Line != 2 || !strings.HasPrefix(diags[0].Message, x.mistake) {
				t.Errorf("%s: %v", x.change, diags)
			}
			continue
		}
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		for _, cl := range s.File.Body {
			if tpl, ok := cl.(*ast.Template); ok {
				if p := tpl.Body.Clauses[0].(*ast.Property); len(tpl.Body.Clauses) != 1 || p.Span != a.Body[0].(*ast.Change).Span {
					t.Errorf("%s: the template is not changed", x.change)
				}
			}
		}
	}
}
