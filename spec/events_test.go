package spec

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/check"
	"arbiter/interp/compile"
	"arbiter/interp/ir"
	"arbiter/rules"
)

// TestCoreEvents holds the table of events on the page against what the checker knows.
func TestCoreEvents(t *testing.T) {
	page, err := os.ReadFile("language.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range check.CoreEvents() {
		var names []string
		for _, k := range e.Knows {
			name, _, _ := strings.Cut(k, ":")
			names = append(names, "`"+name+"`")
		}
		row := fmt.Sprintf("| `%s` | %s | %s |\n", e.Path, strings.Join(names, ", "), e.Doc)
		if !strings.Contains(string(page), row) {
			t.Errorf("the page lacks this row:\n%s", row)
		}
	}
}

// TestEventsAreComplete checks that every trigger in the rulesets is among the events that are listed for them.
func TestEventsAreComplete(t *testing.T) {
	triggers := 0
	for _, name := range []string{"modern", "srd35", "starfinder", "third", "true20"} {
		r, diags, err := build.Named(build.Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}}, name)
		if r == nil {
			t.Fatal(diags, err)
		}
		forms := map[string]bool{}
		for _, e := range r.Checked.Events() {
			for _, f := range e.Forms {
				forms[f] = true
			}
		}
		for _, x := range r.Checked.Rules {
			g := x.Trigger
			if g == nil || g.Plan != nil || g.Word == "ending" {
				continue
			}
			triggers++
			var form string
			switch g.Word {
			case "start", "end":
				form = "at " + g.Word + " of " + g.Moment
			case "every":
				form = "every 1 round"
			case "gaining", "losing":
				form = "on " + g.Word
			default:
				form = g.Word + " " + eventOf(g)
				if g.Word == "instead" {
					form = "instead of " + eventOf(g)
				}
			}
			if !forms[form] {
				t.Errorf("%s: %s waits for `%s`, which is not listed", name, x.Name, form)
			}
		}
	}
	if triggers < 500 {
		t.Fatalf("only %d triggers", triggers)
	}
}

// eventOf is the path of what a trigger waits for.
func eventOf(g *ir.Trigger) string {
	switch {
	case g.Any != "" && g.Point != "":
		return g.Any + "." + g.Point
	case g.Any != "":
		return g.Any
	case g.Step >= 0:
		return g.Proc.Name + "." + g.Proc.Steps[g.Step].Name
	}
	return g.Proc.Name
}
