package langserver

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestPage: the editor settings in spec/editors.md match what the server provides.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../../../spec/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$").FindAllStringSubmatch(string(page), -1)
	started, knows := 0, 0
	for _, b := range blocks {
		if b[1] == "json" && !json.Valid([]byte(b[2])) {
			t.Errorf("this is no JSON:\n%s", b[2])
		}
		if strings.Contains(b[2], "rules") {
			knows++
			for _, kind := range []string{"rules", "encounter", "adventure", "tests"} {
				if !strings.Contains(b[2], kind) {
					t.Errorf("no %s in\n%s", kind, b[2])
				}
			}
		}
		if strings.Contains(b[2], `"lsp"`) {
			started++
		}
	}
	if started != 5 || knows != 7 {
		t.Errorf("the server is started %d times, and the files are known %d times", started, knows)
	}
	e := startEditor(t, utf16Units)
	var answer struct{ Capabilities map[string]any }
	e.call("initialize", struct{}{}, &answer)
	for provider, said := range map[string]string{"hoverProvider": "| hover |", "definitionProvider": "| go to definition |", "referencesProvider": "| find references |",
		"completionProvider": "| completion |", "documentFormattingProvider": "| formatting |", "documentSymbolProvider": "| outline |", "foldingRangeProvider": "| folding |", "workspaceSymbolProvider": "| find by name |", "semanticTokensProvider": "| colors |", "codeActionProvider": "| quick fixes |", "renameProvider": "| rename |", "inlayHintProvider": "| figures in the lines |", "codeLensProvider": "| lines between the lines |", "signatureHelpProvider": "| parameters |", "callHierarchyProvider": "| callers |", "selectionRangeProvider": "| wider selection |"} {
		if answer.Capabilities[provider] == nil || !strings.Contains(string(page), said) {
			t.Errorf("%s: %v", provider, answer.Capabilities[provider])
		}
	}
}
