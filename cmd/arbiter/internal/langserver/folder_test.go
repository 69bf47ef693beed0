package langserver

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
)

// houseFolder is a folder with a ruleset of two files, others that rest on it, and some that do not.
var houseFolder = map[string]string{
	"house/bold.rules":      "ruleset house extends tiny\n\nfeat bold { +1 to force when daring }\n\ndefine creature.daring = might >= 2\n",
	"house/cowed.rules":     "ruleset house extends tiny\n\nfeat cowed { -1 to force when not daring }\n",
	"house/house.tests":     "tests \"house\" with house\n\ncreature grunt { might: 2 }\n\ntest \"bold\" {\n  side us { grunt Bo }\n  expect Bo.daring\n}\n",
	"more.rules":            "ruleset more extends house\n\nfeat grim { +1 to force when daring and might < 5 }\n",
	"deep/deep.rules":       "ruleset deep extends more\n\nfeat vain { +2 to force when self.daring }\n",
	"yard.encounter":        "encounter \"yard\" with more\n\ncreature grunt { might: 2 }\nside us { grunt Bo }\nexpect Bo.daring\n",
	"tale.adventure":        "adventure \"tale\" with deep\n\ninclude \"parts/cave.adventure\"\n\ncreature grunt { might: 2 }\nside us { grunt Bo }\n\nscene start { go to cave }\n",
	"parts/cave.adventure":  "adventure \"cave\"\n\nscene cave {\n  \"It is {if Bo.daring: bright; else: dark}.\"\n  finish\n}\n",
	"tale.tests":            "tests \"of a tale\" of \"tale.adventure\"\n\ntest \"daring\" {\n  start at cave\n  expect Bo.daring\n}\n",
	"stranger.rules":        "ruleset stranger extends tiny\n\ndefine creature.daring = might < 0\n\nfeat odd { +1 to force when daring }\n",
	"stranger.encounter":    "encounter \"strangers\" with stranger\n\ncreature grunt { might: 2 }\nside us { grunt Bo }\nexpect not Bo.daring\n",
	"apart/apart.encounter": "encounter \"apart\" with tiny\n\ncreature daring { might: 2 }\nside us { daring Bo }\n",
	"plain.rules":           "ruleset plain extends house\n\nfeat plain { +1 to force }\ndefine creature.timid = not (self has plain)\n",
}

// writeFolder writes files into the editor's folder.
func (e *editor) writeFolder(texts map[string]string) {
	for name, text := range texts {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(e.dir, name)), 0o755); err != nil {
			e.t.Fatal(err)
		}
		e.write(name, text)
	}
}

// A new name goes into every file that rests on the declaration, whether it is open or not, and into no other.
func TestRenameInFolder(t *testing.T) {
	for _, from := range []struct{ name, place string }{
		{"house/bold.rules", "define creature.dar|ing"},
		{"house/cowed.rules", "not dar|ing"},
		{"deep/deep.rules", "self.dar|ing"},
		{"house/house.tests", "Bo.dar|ing"},
		{"yard.encounter", "Bo.dar|ing"},
		{"tale.tests", "Bo.dar|ing"},
		{"parts/cave.adventure", "Bo.dar|ing"},
	} {
		t.Run(from.name, func(t *testing.T) {
			e := startWith(t, tinyLibrary, utf16Units, 0)
			e.writeFolder(houseFolder)
			text := houseFolder[from.name]
			params, _ := e.at(from.name, strings.Replace(text, strings.Replace(from.place, "|", "", 1), from.place, 1))
			e.open(from.name, text)
			e.open("more.rules", houseFolder["more.rules"])
			var places []location
			e.call("textDocument/references", params, &places)
			if len(places) != 9 {
				t.Errorf("%d references: %v", len(places), places)
			}
			params["newName"] = "brave"
			var answer workspaceEdit
			e.call("textDocument/rename", params, &answer)
			after := e.applyEdits(answer, houseFolder)
			for name, was := range houseFolder {
				want := strings.ReplaceAll(was, "daring", "brave")
				if strings.HasPrefix(name, "stranger") || strings.HasPrefix(name, "apart") {
					want = was
				}
				want = strings.ReplaceAll(want, "test \"brave\"", "test \"daring\"")
				if after[name] != want {
					t.Errorf("%s becomes\n%s", name, after[name])
				}
			}
		})
	}
}

// A name is refused if a file anywhere in the folder would have a mistake with it, or would mean something else.
func TestRenameCollides(t *testing.T) {
	for _, c := range []struct{ name, text, to, says string }{
		{"", "", "timid", "daring cannot be renamed to timid: plain.rules:4: timid is already a define"},
		{"", "", "force", "daring cannot be renamed to force: house/bold.rules:3: this is a number, but yes-no is expected; force is a stat already"},
		{"both.encounter", "encounter \"both\" with house, stranger2\n\ncreature grunt { might: 2 }\nside us { grunt Bo }\n", "strange", "house and stranger2 both declare creature.strange, but differently"},
		{"param.rules", "ruleset param extends house\n\ndefine creature.odd(fine: number) = daring and fine > 2\n", "fine", "param.rules:3: "},
	} {
		e := startWith(t, tinyLibrary, utf16Units, 0)
		texts := maps.Clone(houseFolder)
		texts["stranger2.rules"] = "ruleset stranger2 extends tiny\n\ndefine creature.strange = might < 0\n"
		if c.name != "" {
			texts[c.name] = c.text
		}
		e.writeFolder(texts)
		text := texts["house/bold.rules"]
		params, _ := e.at("house/bold.rules", strings.Replace(text, "define creature.daring", "define creature.dar|ing", 1))
		e.open("house/bold.rules", text)
		params["newName"] = c.to
		err := e.conn.Call(context.Background(), "textDocument/rename", params, nil)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.to, err)
		}
	}
}

// A rename goes into files that have mistakes of their own.
func TestRenameBesideMistakes(t *testing.T) {
	e := startWith(t, tinyLibrary, utf16Units, 0)
	texts := map[string]string{
		"house.rules": "ruleset house extends tiny\n\ndefine creature.daring = might >= 2\n",
		"wrong.rules": "ruleset wrong extends house\n\nfeat bold { +1 to no-such-stat }\n\nfeat grim { +1 to force when daring }\n",
		"half.tests":  "tests \"half\" with wrong\n\ntest \"t\" { expect \n",
	}
	e.writeFolder(texts)
	params, text := e.at("house.rules", strings.Replace(texts["house.rules"], "daring", "dar|ing", 1))
	e.open("house.rules", text)
	params["newName"] = "brave"
	var answer workspaceEdit
	e.call("textDocument/rename", params, &answer)
	if after := e.applyEdits(answer, texts); !strings.Contains(after["wrong.rules"], "when brave") || !strings.Contains(after["house.rules"], "creature.brave") {
		t.Errorf("%v", after)
	}
}

// An answer to a text that has changed meanwhile, or to a request that was cancelled, is none.
func TestRenameOfChangedText(t *testing.T) {
	e := startWith(t, tinyLibrary, utf16Units, 0)
	s := newServer(Options{Library: tinyLibrary, LibraryPrefix: "rules/"})
	texts := map[string]string{"house.rules": "ruleset house extends tiny\n\ndefine creature.daring = might >= 2\n"}
	e.writeFolder(texts)
	params, text := e.at("house.rules", strings.Replace(texts["house.rules"], "daring", "dar|ing", 1))
	s.open(&documentParams{TextDocument: textDocument{URI: e.uri("house.rules"), Version: 1, Text: text}})
	p := &documentParams{TextDocument: textDocument{URI: e.uri("house.rules")}, Position: params["position"].(position), NewName: "brave"}
	rest := s.rename(p).(later)
	if _, ok := rest(context.Background()).(workspaceEdit); !ok {
		t.Error("it is not renamed")
	}
	rest = s.rename(p).(later)
	s.docs[e.uri("house.rules")].version = 2
	if err, ok := rest(context.Background()).(*jsonrpc2.Error); !ok || err.Code != codeContentModified {
		t.Errorf("%v", err)
	}
}

func TestMaxFolderFiles(t *testing.T) {
	dir := t.TempDir()
	for i := range maxFolderFiles {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("x%d.rules", i)), []byte("ruleset x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := newServer(Options{Library: tinyLibrary})
	path := filepath.Join(dir, "x0.rules")
	if f := s.folderAround(path, nil); f.full || len(f.files) != maxFolderFiles {
		t.Errorf("%d files", len(f.files))
	}
	if err := os.WriteFile(filepath.Join(dir, "y.rules"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s.open(&documentParams{TextDocument: textDocument{URI: URIOf(path), Version: 1, Text: "ruleset x extends tiny\ndefine worth = 2\n"}})
	rest := s.rename(&documentParams{TextDocument: textDocument{URI: URIOf(path)}, Position: position{1, 8}, NewName: "value"}).(later)
	if err, ok := rest(context.Background()).(error); !ok || !strings.Contains(err.Error(), "this folder has more than 2000 scripts") {
		t.Error(err)
	}
}

// A part of an adventure is checked with the adventure that includes it, from next to it or from above, and its names are
// those of that.
func TestPartOfAdventure(t *testing.T) {
	e := startWith(t, tinyLibrary, utf16Units, 0)
	e.writeFolder(houseFolder)
	const name = "parts/cave.adventure"
	params, text := e.at(name, strings.Replace(houseFolder[name], "Bo.daring", "Bo.dar|ing", 1))
	e.open(name, text)
	if list := e.diagnostics(name, 1); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	var to location
	e.call("textDocument/definition", params, &to)
	if to.URI != e.uri("house/bold.rules") {
		t.Errorf("%+v", to)
	}
	wrong := strings.Replace(text, "finish", "go to strat", 1)
	e.change(name, 2, wrong)
	if list := e.diagnostics(name, 2); len(list) != 1 || list[0].Range.Start.Line != 4 || !strings.Contains(list[0].Message, "did you mean `start`?") {
		t.Errorf("%+v", list)
	}
	// What changes in the rest of the adventure is seen here.
	e.open("tale.adventure", houseFolder["tale.adventure"])
	e.change("tale.adventure", 2, strings.Replace(houseFolder["tale.adventure"], "scene start", "scene strat", 1))
	e.until(name, func(list []diagnostic) bool {
		return !slices.ContainsFunc(list, func(x diagnostic) bool { return x.Severity == 1 })
	})
}
