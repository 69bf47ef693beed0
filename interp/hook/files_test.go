package hook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/lang/diag"
	"arbiter/rules"
)

const small = `ruleset small extends d20
resource blood from 0 to 20
bonus morale: highest
stat aim against foe = 3
stat grace = 2
condition marked by foe
define creature.times-over(n: number) = n * blood
action strike target { cost none; step hit { target loses 1 blood } }
`

// checked returns the diagnostics of house.rules, among the given files.
func checked(t *testing.T, files map[string]string) diag.List {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	src := "encounter \"a check\" with house\n"
	s, diags, err := build.Source(filepath.Join(dir, "a.encounter"), []byte(src), build.Options{Library: rules.FS})
	if err != nil {
		t.Fatal(err)
	}
	if s.Rules == nil && !diags.HasErrors() {
		t.Fatal("nothing was built, and nothing is wrong")
	}
	return diags
}

// TestFiles checks that mistakes in a Starlark file are reported statically, at their position in it.
func TestFiles(t *testing.T) {
	const def = "def f(ctx):\n    ctx.add(1)\n"
	for _, x := range []struct{ name, star, want string }{
		{"nothing registered", def, `house.rules:2:11: f.star registers nothing`},
		{"no such stat", def + `modify("aym", f)`, "f.star:3:7: there is no stat aym | did you mean `aim`?"},
		{"no stat", def + `modify("to aim", f)`, `f.star:3:7: modify: "to aim" is not a stat`},
		{"no such path", def + `before("strike.hid", f)`, "f.star:3:7: strike has no step hid"},
		{"clauses smuggled in", def + `on("start of turn { self loses 1 blood } rule x at end of turn", f)`, `f.star:3:3: on: "start of turn { self loses 1 blood } rule x at end of turn" is not a moment`},
		{"no moment", def + `on("at noon", f)`, `f.star:3:3: `},
		{"once in a while", def + `on("at start of turn", f, once = "day")`, `f.star:3:3: on: once is "round", "turn" or "fight", not "day"`},
		{"no such bearer", def + `modify("aim", f, bearer = "marqued")`, "f.star:3:7: there is nothing named marqued to extend"},
		{"the same name twice", def + "modify(\"aim\", f)\nmodify(\"aim\", f)", "f.star:4:7: modify: f is the name of another registration, in line 3 | give one of them another name: name = \"f-again\""},
		{"a number for a function", `modify("aim", 3)`, `f.star:1:7: modify: for parameter function: got int, want callable`},
		{"a lambda", `modify("aim", lambda ctx: ctx.add(1))`, `f.star:1:7: modify: a named function is expected: def NAME(ctx): ...`},
		{"a lambda for a guard", def + `after("strike", f, when = lambda ctx: True)`, `f.star:3:6: after: when: a named function is expected: def NAME(ctx): ...`},
		{"printing, where nobody comes", def + "def g(ctx):\n    if ctx.level > 100:\n        print(\"high\")\nmodify(\"aim\", f)", `f.star:5:9: there is no print | remove it; a function that acts can write`},
		{"a mark of some editors", "\ufeff" + def + `modify("aim", f)`, ""},
		{"no bonus types", "def f(ctx):\n    return True\nsuppress(\"aim\", [], f)", `f.star:3:9: suppress: the list is empty`},
		{"a number for a bonus type", "def f(ctx):\n    return True\nsuppress(\"aim\", [3], f)", `f.star:3:9: suppress: a list of texts is expected, but int is not a text`},
		{"too many values", "def f(ctx, more):\n    return 1\nreplace(\"creature.defeated\", f)", `f.star:3:8: f (f.star) takes 2 values, but gets 1`},
		{"no type", "def f(ctx):\n    return 1\nfunction(\"twice\", f, params = \"n: number\", gives = \"nombre\")", "f.star:3:9: "},
		{"an attribute of nothing", "def f(ctx):\n    ctx.add(ctx.self.blod)\nmodify(\"aim\", f)", "f.star:2:22: nothing in the rules or in Starlark has the attribute blod | did you mean `blood`?"},
		{"an effect like an attribute", "def f(ctx):\n    if ctx.self.is_marked:\n        ctx.add(1)\nmodify(\"aim\", f)", "f.star:2:17: nothing in the rules or in Starlark has the attribute is_marked | ask with `.has(\"marked\")`"},
		{"one that is asked for with care", "def f(ctx):\n    if hasattr(ctx.self, \"mana\"):\n        ctx.add(ctx.self.mana)\nmodify(\"aim\", f)", ""},
		{"no effect", "def f(ctx):\n    if ctx.self.has(\"market\"):\n        ctx.add(1)\nmodify(\"aim\", f)", "f.star:2:21: there is no condition, feat, trait or effect \"market\" | did you mean `marked`?"},
		{"no resource", "def f(ctx):\n    ctx.lose(ctx.self, \"blod\", 1)\nafter(\"strike\", f)", "f.star:2:24: there is no resource and no effect \"blod\" | did you mean `blood`?"},
		{"no procedure", "def f(ctx):\n    ctx.do(ctx.self, \"strikes\")\nafter(\"strike\", f)", "f.star:2:22: there is no action or procedure \"strikes\" | did you mean `strike`?"},
		{"nobody to strike", "def f(ctx):\n    ctx.do(ctx.self, \"strike\")\nafter(\"strike\", f)", "f.star:2:22: strike needs target | the form is: ctx.do(WHO, \"strike\", TARGET)"},
		{"a label of something else", "def f(ctx):\n    ctx.do(ctx.self, \"strike\", ctx.target, with_ = ctx.self)\nafter(\"strike\", f)", "f.star:2:22: strike takes no with; it takes: target"},
		{"by whom", "def f(ctx):\n    ctx.gain(ctx.self, \"marked\")\nafter(\"strike\", f)", "f.star:2:24: marked needs foe | the form is: ctx.gain(WHO, \"marked\", by = FOE)"},
		{"how often", "def f(ctx):\n    ctx.add(ctx.self.times_over)\nmodify(\"aim\", f)", "f.star:2:22: creature.times-over needs n | the form is: get(\"times-over\", N)"},
		{"no bonus type", "def f(ctx):\n    ctx.add(1, \"moral\")\nmodify(\"aim\", f)", "f.star:2:16: there is no bonus type \"moral\" | did you mean `morale`?"},
		{"no permission", "def f(ctx):\n    if ctx.self.can(\"strikes\"):\n        ctx.add(1)\nmodify(\"aim\", f)", "f.star:2:21: there is no action or permission \"strikes\" | did you mean `strike`?"},
		{"fails while it is loaded", "def g():\n    fail(\"no luck\")\ng()", "f.star:2:9: no luck"},
		{"several stats", def + `modify(["aim", "grace"], f)`, ""},
		{"one stat twice", def + `modify(["aim", "aim"], f)`, "f.star:3:7: `+f (f.star) to aim` appears twice in f | remove one of them"},
		{"a number for a stat", def + `modify([3], f)`, `f.star:3:7: modify: a list of texts is expected, but int is not a text`},
		{"all is well", def + `modify("aim", f, name = "steady-hand")`, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			diags := checked(t, map[string]string{"small.rules": small, "house.rules": "ruleset house extends small\nuse hooks \"f.star\"\n", "f.star": x.star})
			got := ""
			if len(diags) > 0 {
				d := &diags[0]
				got = fmt.Sprintf("%s:%d:%d: %s", filepath.Base(d.File), d.Span.Start.Line, d.Span.Start.Column, strings.ReplaceAll(d.Message, filepath.Dir(d.File)+"/", ""))
				if d.Hint != "" {
					got += " | " + d.Hint
				}
			}
			if x.want == "" && got != "" || !strings.HasPrefix(got, x.want) {
				t.Errorf("%s\nwant %s", got, x.want)
			}
		})
	}
}

// TestReplacedValues checks that a function cannot replace a constant, and that this is the only diagnostic.
func TestReplacedValues(t *testing.T) {
	base := small + "option price = 3\nkind gem { worth: number = 2 }\ngem ruby { worth: 9 }\nenum coin: gold, dull\ntable toll by coin {\n  | coin | due |\n  | gold | 1 |\n  | dull | 2 |\n}\n"
	for _, path := range []string{"price", "ruby.worth", "gem.worth", "toll[gold].due"} {
		star := "def f(ctx):\n    return 1\nreplace(\"" + path + "\", f)\n"
		diags := checked(t, map[string]string{"small.rules": base, "house.rules": "ruleset house extends small\nuse hooks \"f.star\"\n", "f.star": star})
		if len(diags) != 1 || diags[0].Message != "f (f.star) is a Starlark function, but this must be known before anything runs" || filepath.Base(diags[0].File) != "f.star" || diags[0].Span.Start.Line != 3 {
			t.Errorf("%s: %v", path, diags)
		}
	}
}

// TestSiblings checks that two rulesets can use the same file, and that functions of the same name in different files
// differ.
func TestSiblings(t *testing.T) {
	files := map[string]string{
		"small.rules": small,
		"one.rules":   "ruleset one extends small\nuse hooks \"a/f.star\"\n",
		"two.rules":   "ruleset two extends small\nuse hooks \"a/f.star\"\n",
		"house.rules": "ruleset house extends one, two\n",
		"a/f.star":    "def f(ctx):\n    ctx.add(1)\nmodify(\"aim\", f)\n",
		"b/f.star":    "def f(ctx):\n    ctx.add(1)\nmodify(\"aim\", f)\n",
	}
	if diags := checked(t, files); len(diags) > 0 {
		t.Error(diags)
	}
	files["two.rules"] = "ruleset two extends small\nuse hooks \"b/f.star\"\n"
	diags := checked(t, files)
	if len(diags) != 1 || diags[0].Code != "conflict" || !strings.HasSuffix(diags[0].File, "b/f.star") {
		t.Error(diags)
	}
	files["house.rules"] = "ruleset house extends one, two prefers two\n"
	if diags := checked(t, files); len(diags) > 0 {
		t.Error(diags)
	}
}
