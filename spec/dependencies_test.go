package spec_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The page of dependencies names every module and package that is required directly, and no other.
func TestDependenciesAreExplained(t *testing.T) {
	page := readText(t, "dependencies.md")
	required := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(readText(t, "../go.mod"), -1) {
		required[m[1]] = true
	}
	for _, path := range []string{"../cmd/arbiter/internal/studio/web/package.json", "../cmd/arbiter/internal/editors/vscode/package.json"} {
		var bundle struct{ Dependencies, DevDependencies map[string]string }
		if err := json.Unmarshal([]byte(readText(t, path)), &bundle); err != nil {
			t.Fatal(err)
		}
		for _, list := range []map[string]string{bundle.Dependencies, bundle.DevDependencies} {
			for name := range list {
				required[name] = true
			}
		}
	}
	explained := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(page, -1) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			explained[name[1]] = true
		}
	}
	if len(required) < 10 {
		t.Fatalf("only %d requirements were found", len(required))
	}
	for name := range required {
		if !explained[name] && !(strings.HasPrefix(name, "@codemirror/") && explained["@codemirror/*"]) {
			t.Errorf("spec/dependencies.md does not say why %s was chosen", name)
		}
	}
	for name := range explained {
		if !required[name] && name != "@codemirror/*" {
			t.Errorf("spec/dependencies.md explains %s, which nothing requires", name)
		}
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
