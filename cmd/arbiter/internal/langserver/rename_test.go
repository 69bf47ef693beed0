package langserver

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// applyEdits applies an editor's answer to texts, by name.
func (e *editor) applyEdits(answer workspaceEdit, texts map[string]string) map[string]string {
	e.t.Helper()
	out := map[string]string{}
	for name, text := range texts {
		l := newLines(text, utf16Units)
		list := answer.Changes[e.uri(name)]
		for _, x := range slices.Backward(list) { // from the end, so that earlier places stay valid
			text = text[:l.offset(x.Range.Start)] + x.NewText + text[l.offset(x.Range.End):]
		}
		out[name] = text
		delete(answer.Changes, e.uri(name))
	}
	for uri := range answer.Changes {
		e.t.Errorf("%s is changed as well", uri)
	}
	return out
}

// A rename affects every mention of the same thing, in open texts and in files next to them, and no other thing of that
// name.
func TestRename(t *testing.T) {
	e := startEditor(t, utf16Units)
	texts := map[string]string{
		"house.rules": "ruleset house extends srd35\ncondition woozy \"Sways. 🐉\" { -1 to attack-bonus, armor-class }\ndefine creature.sways = self is woozy\n",
		"duel.tests": "tests \"x\" with house\ncreature soldier { main-weapon: longsword }\ntest \"woozy\" {\n  side us { soldier Alia; soldier Woozy }\n" +
			"  Alia gains woozy\n  expect Alia is woozy and Alia.sways and Woozy is not woozy\n}\n",
		"other.rules": "ruleset other extends srd35\ncondition woozy \"Another one.\" { -2 to reflex }\n",
		"other.tests": "tests \"x\" with other\ncreature soldier { }\ntest \"t\" { side us { soldier Alia }; Alia gains woozy }\n",
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(e.dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	house := strings.Replace(texts["house.rules"], "self is woozy", "self is wo|ozy", 1)
	params, _ := e.at("house.rules", house)
	e.open("house.rules", texts["house.rules"])
	e.diagnostics("house.rules", 1)
	var name placeholder
	e.call("textDocument/prepareRename", params, &name)
	if name.Placeholder != "woozy" || name.Range.Start.Line != 2 {
		t.Errorf("%+v", name)
	}
	var places []location
	e.call("textDocument/references", params, &places)
	if n := len(slices.DeleteFunc(slices.Clone(places), func(x location) bool { return x.URI != e.uri("duel.tests") })); len(places) != 5 || n != 3 {
		t.Errorf("%d in duel.tests, of %+v", n, places)
	}
	var answer workspaceEdit
	params["newName"] = "schläfrig-im-kopf"
	e.call("textDocument/rename", params, &answer)
	after := e.applyEdits(answer, texts)
	want := map[string]string{"other.rules": texts["other.rules"], "other.tests": texts["other.tests"],
		"house.rules": strings.ReplaceAll(texts["house.rules"], "woozy", "schläfrig-im-kopf"),
		"duel.tests":  strings.ReplaceAll(strings.ReplaceAll(texts["duel.tests"], " woozy", " schläfrig-im-kopf"), "x\" with schläfrig-im-kopf", "x\" with woozy"),
	}
	for name := range texts {
		if after[name] != want[name] {
			t.Errorf("%s becomes\n%s", name, after[name])
		}
	}

	// A creature of a script is known only in that script.
	e.open("duel.tests", texts["duel.tests"])
	e.diagnostics("duel.tests", 1)
	params, _ = e.at("duel.tests", strings.Replace(texts["duel.tests"], "Alia gains", "Al|ia gains", 1))
	params["newName"] = "Bela"
	answer = workspaceEdit{}
	e.call("textDocument/rename", params, &answer)
	if got := e.applyEdits(answer, texts)["duel.tests"]; got != strings.ReplaceAll(texts["duel.tests"], "Alia", "Bela") {
		t.Errorf("duel.tests becomes\n%s", got)
	}
}

// A parameter that has its type from its name states the type when the type is renamed; the values of an enum are
// renamed where they are declared, and tables also where they are extended.
func TestRenameTypesAndValues(t *testing.T) {
	e := startEditor(t, utf16Units)
	const house = "ruleset house extends srd35\nenum mood: calm, wild \"How it feels.\"\n" +
		"define bite-of(mood) = fury[mood].bite\nprocedure snap target using mood = wild { step bite { note \"{bite-of(mood)}\" } }\n" +
		"table fury by mood {\n| mood | bite |\n| calm | 0 |\n| wild | 2 |\n}\n"
	const more = "ruleset more extends house\nextend fury[calm, bite] cite srd35.attack.01\nprocedure growl with mood: mood { step growl { note \"{mood is wild}\" } }\n"
	texts := map[string]string{"house.rules": house, "more.rules": more}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(e.dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range texts {
		e.open(name, text)
		if list := e.diagnostics(name, 1); len(list) != 0 {
			t.Fatalf("%s: %+v", name, list)
		}
	}
	for _, x := range []struct{ place, name, house, more string }{
		{"enum mo|od", "temper", "enum temper: calm, wild \"How it feels.\"\n" +
			"define bite-of(mood: temper) = fury[mood].bite\nprocedure snap target using mood: temper = wild {", "with mood: temper {"},
		{"calm, wi|ld", "raging", ": calm, raging \"How", "{mood is raging}"},
		{"using mood = wi|ld", "raging", ": calm, raging \"How", "{mood is raging}"},
		{"table fu|ry", "rage", "= rage[mood].bite", "extend rage[calm, bite]"},
	} {
		params, _ := e.at("house.rules", strings.Replace(texts["house.rules"], strings.Replace(x.place, "|", "", 1), x.place, 1))
		params["newName"] = x.name
		var answer workspaceEdit
		e.call("textDocument/rename", params, &answer)
		after := e.applyEdits(answer, texts)
		if !strings.Contains(after["house.rules"], x.house) || !strings.Contains(after["more.rules"], x.more) {
			t.Errorf("%s: they become\n%s%s", x.place, after["house.rules"], after["more.rules"])
		}
	}
}

// What cannot be renamed, and what would cause mistakes.
func TestNoRename(t *testing.T) {
	e := startEditor(t, utf16Units)
	const text = "ruleset house extends srd35\ncondition woozy \"Sways.\" { -1 to attack-bonus }\ncondition drunk { includes woozy }\n"
	e.open("house.rules", text)
	e.diagnostics("house.rules", 1)
	for _, x := range []struct{ place, name, says string }{
		{"to attack|-bonus", "punch", "attack-bonus is declared in rules/classic/attack.rules, which is read-only"},
		{"\"Swa|ys", "punch", "there is no name here"},
		{"includes woo|zy", "a name", `"a name" is not a name`},
		{"includes woo|zy", "drunk", "woozy cannot be renamed to drunk: house.rules:3: drunk is declared twice"},
		{"includes woo|zy", "prone", "woozy cannot be renamed to prone: house.rules:2: "},
		{"includes woo|zy", "when", `"when" is not a name`},
	} {
		params, _ := e.at("house.rules", strings.Replace(text, strings.Replace(x.place, "|", "", 1), x.place, 1))
		params["newName"] = x.name
		err := e.conn.Call(context.Background(), "textDocument/rename", params, nil)
		if err == nil || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s: %v", x.place, err)
		}
	}
}

// Unsaved changes to a ruleset are seen by what depends on it.
func TestRulesetUnsaved(t *testing.T) {
	e := startEditor(t, utf16Units)
	const rules, tests = "ruleset house extends srd35\ncondition woozy { -1 to attack-bonus }\n",
		"tests \"x\" with house\ncreature soldier { }\ntest \"t\" { side us { soldier Alia }; Alia gains woozy }\n"
	if err := os.WriteFile(filepath.Join(e.dir, "house.rules"), []byte(rules), 0o644); err != nil {
		t.Fatal(err)
	}
	e.open("house.rules", rules)
	e.open("x.tests", tests)
	if list := e.diagnostics("x.tests", 1); len(list) != 0 {
		t.Fatalf("%+v", list)
	}
	e.change("house.rules", 2, strings.ReplaceAll(rules, "woozy", "dizzy"))
	e.until("x.tests", func(list []diagnostic) bool { return len(list) == 1 && strings.Contains(list[0].Message, "woozy") })
	e.change("house.rules", 3, rules)
	e.until("x.tests", func(list []diagnostic) bool { return len(list) == 0 })
}

// Scenes and memories of a story are found, listed and renamed like everything else, also in a file with a mistake that
// was there when it was opened.
func TestStoryNames(t *testing.T) {
	const story = "adventure \"Names\" with tiny\ncreature a { might: 1 }\nkind creature { purse: number = 0 }\nside party { a Mira }\nkeep purse = 3\n" +
		"scene start \"Start\" {\n  \"You have {purse}.\"\n  scene inside { go to beyond }\n  choices { \"In\" { go to inside }; \"On\" when not seen(beyond) { go to beyond } }\n}\n" +
		"scene beyond { set purse to purse + 1; visit start.inside; finish }\n"
	for what, text := range map[string]string{
		"right":       story,
		"a syntax":    story + "feat odd { +1 to }\n",
		"a name":      story + "feat odd { +1 to no-such-stat }\n",
		"in a scene":  strings.Replace(story, "finish", "finish; set nothing-like-it to 3", 1),
		"an ill verb": strings.Replace(story, "finish", "finish; Mira takes 5", 1),
	} {
		e := startWith(t, tinyLibrary, utf16Units, 0)
		name := "names.adventure"
		if err := os.WriteFile(filepath.Join(e.dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		e.open(name, text)
		if what != "right" && what != "a syntax" { // those are asked about before anything has been said about them
			e.diagnostics(name, 1)
		}
		for _, c := range []struct {
			at       string // the text around a use, with | in the name
			line     int    // where it is declared
			mentions int
			other    string // a new name
		}{
			{"{ go to be|yond } }\n}", 10, 4, "hereafter"},
			{"go to in|side }", 7, 3, "indoors"},
			{"visit start.in|side", 7, 3, "indoors"},
			{"visit st|art.inside", 5, 2, "outset"},
			{"set pur|se to purse", 4, 4, "pocket"},
			{"have {pur|se}", 4, 4, "pocket"},
		} {
			plain := strings.Replace(c.at, "|", "", 1)
			params, _ := e.at(name, strings.Replace(text, plain, c.at, 1))
			var to location
			e.call("textDocument/definition", params, &to)
			if to.Range.Start.Line != c.line {
				t.Errorf("%s: %s: declared in line %d", what, c.at, to.Range.Start.Line)
			}
			var places []location
			e.call("textDocument/references", params, &places)
			if len(places) != c.mentions {
				t.Errorf("%s: %s: %d mentions", what, c.at, len(places))
			}
			var shown hover
			e.call("textDocument/hover", params, &shown)
			if shown.Contents.Value == "" {
				t.Errorf("%s: %s: nothing is said about it", what, c.at)
			}
			params["newName"] = c.other
			var answer workspaceEdit
			e.call("textDocument/rename", params, &answer)
			if n := len(answer.Changes[e.uri(name)]); n != c.mentions {
				t.Errorf("%s: %s: %d places renamed", what, c.at, n)
			}
		}
	}
}

// Whoever follows tactics names them: a side, a member, a statement. The best of some playouts is nobody's name.
func TestTacticsNames(t *testing.T) {
	e := startEditor(t, utf16Units)
	params, text := e.at("duel.encounter", "encounter \"x\" with srd35\ncreature soldier { main-weapon: longsword }\ntactics ca|lm { attack first-foe }\n"+
		"side us follows calm { soldier Alia; soldier Cyra follows calm }\nside them { soldier Bron follows best of 20 }\nBron follows calm\n")
	e.open("duel.encounter", text)
	e.diagnostics("duel.encounter", 1)
	var places []location
	e.call("textDocument/references", params, &places)
	var lines []int
	for _, x := range places {
		lines = append(lines, int(x.Range.Start.Line))
	}
	if slices.Sort(lines); !slices.Equal(lines, []int{2, 3, 3, 5}) {
		t.Errorf("named in lines %v", lines)
	}
}
