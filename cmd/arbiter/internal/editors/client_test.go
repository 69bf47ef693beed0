package editors

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// program builds the command once; tests of this package use it as editors do.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "arbiter-editors")
	if err != nil {
		return "", err
	}
	built = dir
	path := filepath.Join(dir, "arbiter")
	if out, err := exec.Command("go", "build", "-o", path, "arbiter/cmd/arbiter").CombinedOutput(); err != nil {
		return "", &buildError{string(out)}
	}
	return path, nil
})

var built string // the folder of the program

type buildError struct{ text string }

func (e *buildError) Error() string { return e.text }

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(code)
}

// compared are scripts whose classes are compared with the server's.
var compared = []string{"examples/ambush.encounter", "examples/house-rules/fury.rules", "examples/house-rules/fumbles.rules", "rules/classic/attack.rules", "examples/house-rules/wounds.tests"}

// inNode runs a test of the extension in Node.
func inNode(t *testing.T, args ...string) {
	t.Helper()
	missing := ""
	if _, err := exec.LookPath("node"); err != nil {
		missing = "Node is not installed"
	} else if _, err := os.Stat("vscode/node_modules/vscode-languageserver-protocol"); err != nil {
		missing = "run npm ci in vscode first"
	}
	if missing != "" {
		if os.Getenv("ARBITER_BROWSER") == "required" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	c := exec.Command("node", args...)
	c.Dir = "vscode"
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestServer talks to the server through the protocol layer of vscode-languageclient, and compares the classes of the
// TextMate grammar with the server's.
func TestServer(t *testing.T) {
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"test/server.mjs", path}
	for _, s := range compared {
		abs, err := filepath.Abs(filepath.Join("../../../..", s))
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, abs)
	}
	inNode(t, args...)
}

// TestExtension carries out what the extension does besides: the test explorer, lenses, debugger and replay.
func TestExtension(t *testing.T) {
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	inNode(t, "test/extension.mjs", path)
}

// setUps returns where the program is, and the blocks of the page that set an editor up in a language.
func setUps(t *testing.T, language string) (path string, blocks [][]string) {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../../../spec/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	return path, regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(string(page), -1)
}

// TestNeovim sets Neovim up as the page says, for old versions and, if it is one, for new ones, and asks the server.
func TestNeovim(t *testing.T) {
	neovim(t)
	path, blocks := setUps(t, "lua")
	if len(blocks) != 3 {
		t.Fatalf("%d set-ups in Lua", len(blocks))
	}
	for i, name := range []string{"from version 0.11", "any version"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			setUp, out := filepath.Join(dir, "init.lua"), filepath.Join(dir, "out")
			if err := os.WriteFile(setUp, []byte(blocks[i][1]), 0o644); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "fury.rules")
			if err := os.WriteFile(file, []byte("ruleset fury extends srd35\nfeat bold { +1 to atack-bonus }\nfeat wary {\n+1 to armor-class\n}\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			inNeovim(t, "testdata/server.lua", "ARBITER_SETUP="+setUp, "ARBITER_FILE="+file, "ARBITER_OUT="+out, "ARBITER_NEW="+map[int]string{0: "1"}[i],
				"PATH="+filepath.Dir(path)+string(os.PathListSeparator)+os.Getenv("PATH"))
			text, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			var got struct {
				Skipped, Filetype, Mistake, Hover, Definition, Formatted string
				Completions                                              []string
				Symbols                                                  int
			}
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if got.Skipped != "" {
				t.Skip(got.Skipped)
			}
			if got.Filetype != "arbiter" || !strings.Contains(got.Mistake, "atack-bonus") || !strings.Contains(got.Hover, "armor-class") || !strings.HasSuffix(got.Definition, ".rules") ||
				!strings.Contains(got.Formatted, "\n  +1 to armor-class\n") || len(got.Completions) == 0 || got.Symbols != 3 {
				t.Errorf("%s", text)
			}
		})
	}
}

// TestEmacs sets Emacs up as the page says, and asks the server by Eglot's commands, whose new name goes into a file that
// is not open.
func TestEmacs(t *testing.T) {
	missing := ""
	if _, err := exec.LookPath("emacs"); err != nil {
		missing = "Emacs is not installed"
	} else if exec.Command("emacs", "--batch", "--eval", "(progn (package-initialize) (require 'eglot))").Run() != nil {
		missing = "this Emacs has no Eglot"
	}
	if missing != "" {
		if os.Getenv("ARBITER_BROWSER") == "required" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	path, blocks := setUps(t, "elisp")
	if len(blocks) == 0 {
		t.Fatal("no set-up in Lisp")
	}
	dir := t.TempDir()
	texts := map[string]string{
		"init.el":    blocks[0][1],
		"fury.rules": "ruleset fury extends srd35\nfeat bold { +1 to atack-bonus }\nfeat wary {\n+1 to armor-class\n}\n",
		"more.rules": "ruleset more extends fury\nfeat warier { +1 to armor-class when self has wary }\n",
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out")
	c := exec.Command("emacs", "--batch", "-l", "testdata/server.el")
	c.Env = append(os.Environ(), "HOME="+dir, "ARBITER_SETUP="+filepath.Join(dir, "init.el"), "ARBITER_FILE="+filepath.Join(dir, "fury.rules"), "ARBITER_OTHER="+filepath.Join(dir, "more.rules"),
		"ARBITER_OUT="+out, "PATH="+filepath.Dir(path)+string(os.PathListSeparator)+os.Getenv("PATH"))
	if log, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Mode, Mistake, Hover, Definition, Formatted, Renamed, Other string
		Completions                                                 int
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if got.Mode != "arbiter-mode" || !strings.Contains(got.Mistake, "atack-bonus") || !strings.Contains(got.Hover, "armor-class") || !strings.HasSuffix(got.Definition, ".rules") ||
		got.Completions == 0 || !strings.Contains(got.Formatted, "\n  +1 to armor-class\n") || !strings.Contains(got.Renamed, "feat watchful {") || !strings.Contains(got.Other, "self has watchful }") {
		t.Errorf("%s", text)
	}
}

// TestTreeSitterInNeovim sets up the grammar as the page says: a text has colors without a server.
func TestTreeSitterInNeovim(t *testing.T) {
	neovim(t)
	page, err := os.ReadFile("../../../../spec/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```lua\n(.*?)^```$").FindAllStringSubmatch(string(page), -1)
	dir := t.TempDir()
	for to, from := range map[string]string{"parser/arbiter.so": compiled(t), "queries/arbiter/highlights.scm": "tree-sitter/queries/highlights.scm"} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(to)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, to), text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	setUp, out := filepath.Join(dir, "init.lua"), filepath.Join(dir, "out")
	if err := os.WriteFile(setUp, []byte(blocks[2][1]), 0o644); err != nil {
		t.Fatal(err)
	}
	inNeovim(t, "testdata/colors.lua", "ARBITER_RUNTIME="+dir, "ARBITER_SETUP="+setUp, "ARBITER_FILE=../../../../examples/house-rules/fury.rules", "ARBITER_OUT="+out)
	if text, err := os.ReadFile(out); err != nil || string(text) != "arbiter\n" {
		t.Errorf("%v: %s", err, text)
	}
}
