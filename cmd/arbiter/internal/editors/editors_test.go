// Package editors has nothing but the test of what editors are given: the extension for Visual Studio Code is no Go.
package editors

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestGrammar reads every script of the repository by the extension's grammar, as editors do.
func TestGrammar(t *testing.T) { inNode(t, "test/grammar.mjs") }

// TestManifest: what the manifest of the extension names is there, and it knows all kinds of files.
func TestManifest(t *testing.T) {
	text, err := os.ReadFile("vscode/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Contributes struct {
			Languages []struct {
				Extensions    []string
				Configuration string
				Icon          map[string]string
			}
			Grammars, Snippets []struct{ Path string }
			Commands           []struct{ Command string }
		}
	}
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	l := m.Contributes.Languages[0]
	paths := []string{l.Configuration, l.Icon["light"], l.Icon["dark"], m.Contributes.Grammars[0].Path, m.Contributes.Snippets[0].Path}
	for _, path := range paths {
		if _, err := os.Stat(filepath.Join("vscode", path)); err != nil {
			t.Error(err)
		}
		if data, err := os.ReadFile(filepath.Join("vscode", path)); err == nil && strings.HasSuffix(path, ".json") && !json.Valid(data) {
			t.Errorf("%s is no JSON", path)
		}
	}
	slices.Sort(l.Extensions)
	if got := strings.Join(l.Extensions, " "); got != ".adventure .encounter .rules .tests" {
		t.Errorf("it knows %s", got)
	}
	sources, _ := filepath.Glob("vscode/src/*.ts")
	var all strings.Builder
	for _, s := range sources {
		data, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	for _, c := range m.Contributes.Commands {
		if !strings.Contains(all.String(), `"`+c.Command+`"`) {
			t.Errorf("nothing does %s", c.Command)
		}
	}
}
