package langserver

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Where a build keeps everything else waiting, a file that is opened is answered before it has been built whole, a key
// breaks the build off, and what needs the whole comes once it is there.
func TestEditorIsHeardWhileBuilding(t *testing.T) {
	var yields atomic.Int64
	held := make(chan struct{})
	skills := map[string]any{"textDocument": map[string]any{"publishDiagnostics": map[string]any{"dataSupport": true}}}
	e := startYielding(t, tinyLibrary, utf16Units, 0, func() {
		yields.Add(1)
		<-held // a build goes no further
	}, skills)
	e.open("x.rules", "ruleset x extends tiny\nfeat bold { +1 to force }\n")
	if got := e.diagnostics("x.rules", 1); len(got) > 0 {
		t.Fatal(got)
	}
	for yields.Load() == 0 { // the build has begun
		time.Sleep(time.Millisecond)
	}
	e.change("x.rules", 2, "ruleset x extends tiny\nfeat bold { +1 to farce }\n")
	doc := map[string]any{"uri": e.uri("x.rules")}
	close(held)
	got := e.diagnostics("x.rules", 2)
	if len(got) != 1 || !strings.Contains(got[0].Message, "farce") {
		t.Fatal(got)
	}
	if got[0].Data == nil || len(got[0].Data.Fixes) != 1 || got[0].Data.Fixes[0].Edits[0].NewText != "force" {
		t.Errorf("what mends it is not sent along: %+v", got[0].Data)
	}
	var hover struct{ Contents struct{ Value string } }
	e.call("textDocument/hover", map[string]any{"textDocument": doc, "position": position{1, 6}}, &hover)
	if !strings.Contains(hover.Contents.Value, "bold") {
		t.Errorf("%q", hover.Contents.Value)
	}
	var list completionList
	e.call("textDocument/completion", map[string]any{"textDocument": doc, "position": position{1, 19}}, &list)
	if !slices.ContainsFunc(list.Items, func(x completionItem) bool { return x.Label == "force" }) {
		t.Error(list.Items)
	}
}
