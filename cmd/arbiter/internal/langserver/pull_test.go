package langserver

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
)

// pulling is what an editor says that asks for diagnostics.
var pulling = map[string]any{
	"textDocument": map[string]any{"diagnostic": map[string]any{}},
	"workspace":    map[string]any{"diagnostics": map[string]any{"refreshSupport": true}},
	"window":       map[string]any{"workDoneProgress": true},
}

func (e *editor) pull(name, previous string) (r diagnosticReport) {
	e.t.Helper()
	e.call("textDocument/diagnostic", map[string]any{"textDocument": map[string]any{"uri": e.uri(name)}, "previousResultId": previous}, &r)
	return r
}

// An editor that asks for diagnostics is not told them. It is asked to ask again when another file has changed them.
func TestPull(t *testing.T) {
	e := startWith(t, tinyLibrary, utf16Units, 0, pulling)
	e.write("house.rules", "ruleset house extends tiny\ncondition woozy \"Sways.\" { -1 to force }\n")
	e.open("house.rules", "ruleset house extends tiny\ncondition woozy \"Sways.\" { -1 to force }\n")
	e.open("x.encounter", "encounter \"x\" with house\ncreature grunt { }\nside us { grunt Alia }\nAlia gains wozy\n")
	r := e.pull("x.encounter", "")
	if r.Kind != "full" || len(*r.Items) != 1 || (*r.Items)[0].Range.Start.Line != 3 {
		t.Fatalf("%+v", r)
	}
	e.change("x.encounter", 2, "encounter \"x\" with house\ncreature grunt { }\nside us { grunt Alia }\nAlia gains woozy\n")
	r = e.pull("x.encounter", r.ResultID)
	if r.Kind != "full" || len(*r.Items) != 0 {
		t.Fatalf("%+v", r)
	}
	if again := e.pull("x.encounter", r.ResultID); again.Kind != "unchanged" {
		t.Errorf("%+v", again)
	}
	e.pull("house.rules", "")
	e.change("house.rules", 2, "ruleset house extends tiny\ncondition dizzy \"Sways.\" { -1 to force }\n")
	e.waitUntil(func() bool { return e.asked["workspace/diagnostic/refresh"] > 0 })
	if again := e.pull("x.encounter", r.ResultID); again.Kind != "full" || len(*again.Items) != 1 {
		t.Errorf("after a change elsewhere: %+v", again)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.published) > 0 {
		t.Errorf("told of %v", e.published)
	}
}

// A request that waits can be cancelled, and one that is about an old text is not answered.
func TestCancel(t *testing.T) {
	e := startWith(t, tinyLibrary, utf16Units, 1<<40, pulling) // nothing is built
	e.open("x.encounter", "encounter \"x\" with tiny\n")
	wait, err := e.conn.DispatchCall(context.Background(), "textDocument/diagnostic", map[string]any{"textDocument": map[string]any{"uri": e.uri("x.encounter")}}, jsonrpc2.PickID(jsonrpc2.ID{Num: 4711}))
	if err != nil {
		t.Fatal(err)
	}
	e.notify("$/cancelRequest", map[string]any{"id": 4711})
	wrong := (*jsonrpc2.Error)(nil)
	if err := wait.Wait(context.Background(), nil); !asRPC(err, &wrong) || wrong.Code != codeCancelled {
		t.Errorf("%v", err)
	}
	data, _ := json.Marshal(lensData{URI: e.uri("x.encounter"), Version: 7})
	var lens codeLens
	if e.call("codeLens/resolve", map[string]any{"range": span{}, "data": json.RawMessage(data)}, &lens); lens.Command == nil || lens.Command.Title != "no odds" {
		t.Errorf("%+v", lens)
	}
}
