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
		{"acting where it can only read", "def f(ctx):\n    ctx.note(\"hm\")\nmodify(\"aim\", f)", "f.star:2:9: ctx.note acts, but f (f.star) only computes a value | register it with before"},
		{"adding where it acts", "def f(ctx):\n    ctx.add(1)\nafter(\"strike\", f)", "f.star:2:9: ctx.add changes a stat while it is computed, but f (f.star) is not a modifier | register it with modify"},
		{"at both places", "def f(ctx):\n    ctx.add(1)\nmodify(\"aim\", f)\nafter(\"strike\", f, name = \"g\")", ""},
		{"a name that is elsewhere", "def f(ctx):\n    ctx.note(ctx.mode)\nafter(\"strike\", f)", "f.star:2:18: there is nothing named mode where f (f.star) is used | of what it mentions, there are: ctx.self"},
		{"a name that is almost there", "def f(ctx):\n    ctx.add(ctx.target.level + ctx.foe.level)\nmodify(\"aim\", f)", "f.star:2:17: there is nothing named target where f (f.star) is used"},
		{"a name that is there at one of two places", "def f(ctx):\n    ctx.note(ctx.target.name)\nafter(\"strike\", f)\non(\"at start of turn\", f, name = \"g\")", ""},
		{"a name that a step could bind", "def f(ctx):\n    ctx.bind(\"luck\", ctx.target.level)\nafter(\"strike\", f)", "f.star:2:14: no name luck can be bound where f (f.star) is used | of what it mentions, these can be bound: target"},
		{"an amount in dice", "def f(ctx):\n    ctx.gain(ctx.self, \"blood\", \"1d4\")\nafter(\"strike\", f)", "f.star:2:9: an amount is a whole number | dice are rolled by ctx.roll(\"1d4\")"},
		{"a number for dice", "def f(ctx):\n    ctx.roll(1, 6)\nafter(\"strike\", f)", "f.star:2:9: ctx.roll takes dice, not a number | dice are texts: ctx.roll(\"2d6\")"},
		{"for whom", "def f(ctx):\n    ctx.gain(\"blood\", 3)\nafter(\"strike\", f)", "f.star:2:9: the first argument of ctx.gain says whose it is | write ctx.gain(ctx.self, ...)"},
		{"a word that it does not take", "def f(ctx):\n    ctx.add(1, kind = \"morale\")\nmodify(\"aim\", f)", "f.star:2:9: ctx.add takes no kind | the form is: ctx.add(AMOUNT"},
		{"too little", "def f(ctx):\n    ctx.bind(\"target\")\nafter(\"strike\", f)", "f.star:2:9: ctx.bind needs its value | the form is: ctx.bind(\"NAME\", VALUE)"},
		{"too much", "def f(ctx):\n    ctx.note(\"a\", \"b\")\nafter(\"strike\", f)", "f.star:2:9: ctx.note takes at most 1 values | the form is: ctx.note(\"TEXT\")"},
		{"assigning to a creature", "def f(ctx):\n    ctx.self.blood = 3\nafter(\"strike\", f)", "f.star:2:14: nothing can be assigned to an attribute | ctx.set(WHO, \"NAME\", VALUE) changes a creature, ctx.bind(\"NAME\", VALUE) a name of what a rule interrupts"},
		{"counting up a creature", "def f(ctx):\n    ctx.self.blood -= 3\nafter(\"strike\", f)", "f.star:2:14: nothing can be assigned to an attribute"},
		{"calling itself", "def f(ctx):\n    g(3)\ndef g(n):\n    return 0 if n < 1 else g(n - 1)\nafter(\"strike\", f)", "f.star:4:28: g calls itself | use a for loop"},
		{"calling each other", "def f(ctx):\n    g(ctx)\ndef g(ctx):\n    f(ctx)\nafter(\"strike\", f)", "f.star:2:5: f calls itself, by way of g | use a for loop"},
		{"dice as in the rules", "def f(ctx):\n    ctx.roll(1d4)\nafter(\"strike\", f)", "f.star:2:17: got identifier, want ',' | dice are texts: \"1d4\""},
		{"a text with braces", "def f(ctx):\n    ctx.note(f\"{ctx.self.name} falls\")\nafter(\"strike\", f)", "f.star:2:38: got string literal, want ',' | write values into a text by %: \"%s of %d\" % (A, B)"},
		{"a word of Starlark", "def f(ctx):\n    if ctx.self.is(\"marked\"):\n        ctx.stop()\nafter(\"strike\", f)", "f.star:2:19: not an identifier | ask with `.has(\"NAME\")`"},
		{"exceptions", "def f(ctx):\n    try:\n        ctx.stop()\n    except:\n        pass\n", "f.star:2:5: got try, want primary expression | there are no exceptions"},
		{"a class", "class A:\n    pass\n", "f.star:1:1: got class, want primary expression | there are no classes"},
		{"signs of other languages", "def f(ctx):\n    if ctx.level > 3 && ctx.level < 5:\n        ctx.stop()\n", "f.star:2:23: got '&', want primary expression | the words are `and`, `or`, `not`"},
		{"equality", "def f(ctx):\n    if ctx.level = 3:\n        ctx.stop()\n", "f.star:2:19: got '=', want ':' | equality is =="},
		{"no indentation", "def f(ctx):\nctx.stop()\n", "f.star:2:4: got identifier, want indent | indent what belongs to the line before it"},
		{"called where it is registered", def + "modify(\"aim\", f())", "f.star:3:16: function f missing 1 argument (ctx) | name the function without calling it: f"},
		{"a stat in the words of Starlark", "def f(ctx):\n    ctx.add(1)\nmodify(\"the_aim\", f)", "f.star:3:7: modify: \"the_aim\" is not a stat | a text has the name as it is in the rules, with `-`: \"the-aim\""},
		{"a name in two words", def + "modify(\"aim\", f, name = \"Sharp Eye\")", "f.star:3:7: modify: \"Sharp Eye\" is not a name | a name has letters, digits and `-`: \"sharp-eye\""},
		{"a word that it does not take, either", def + "modify(\"aim\", f, typ = \"morale\")", "f.star:3:7: modify: unexpected keyword argument \"typ\" | it takes stat, function, bearer, name"},
		{"the name of a procedure", "def strike(ctx):\n    ctx.add(1)\nmodify(\"aim\", strike)", "f.star:3:7: strike is an action already | give it another name: name = \"strike-of-my-own\""},
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
