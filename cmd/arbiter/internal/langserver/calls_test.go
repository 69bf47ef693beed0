package langserver

import (
	"slices"
	"strings"
	"testing"
)

// Who calls a procedure is found in the ruleset and in what it extends; a rule is called by what it interrupts.
func TestCalls(t *testing.T) {
	e := startEditor(t, utf16Units)
	text := `ruleset x extends srd35
procedure wince target: creature { note "ouch" }
procedure flail target: creature { wince target; wince target }
rule again after wince { flail target }
feat stubborn "Does not." { rule shrug instead of wince by self { note "pah" } }
`
	e.open("x.rules", text)
	names := func(place, method string) (list []string) {
		t.Helper()
		p, _ := e.at("x.rules", strings.Replace(text, strings.ReplaceAll(place, "|", ""), place, 1))
		var items []callItem
		e.call("textDocument/prepareCallHierarchy", p, &items)
		if len(items) != 1 {
			t.Fatalf("%s: %+v", place, items)
		}
		var in []incomingCall
		var out []outgoingCall
		if method == "incoming" {
			e.call("callHierarchy/incomingCalls", map[string]any{"item": items[0]}, &in)
			for _, x := range in {
				list = append(list, x.From.Name)
			}
		} else {
			e.call("callHierarchy/outgoingCalls", map[string]any{"item": items[0]}, &out)
			for _, x := range out {
				list = append(list, x.To.Name)
			}
		}
		slices.Sort(list)
		return list
	}
	for _, c := range []struct{ place, method, want string }{
		{"procedure win|ce", "incoming", "flail"},
		{"procedure win|ce", "outgoing", "again stubborn.shrug"}, // those who interrupt it
		{"procedure fla|il", "outgoing", "wince"},
		{"rule aga|in", "incoming", "wince"}, // whom it interrupts
		{"rule aga|in", "outgoing", "flail"},
	} {
		if got := strings.Join(names(c.place, c.method), " "); got != c.want {
			t.Errorf("%s of %s: %s", c.method, c.place, got)
		}
	}
	// In the embedded rules.
	body := "ruleset y extends srd35\nprocedure z target: creature { stri|ke target }\n"
	p, clean := e.at("y.rules", body)
	e.open("y.rules", clean)
	var items []callItem
	e.call("textDocument/prepareCallHierarchy", p, &items)
	var in []incomingCall
	e.call("callHierarchy/incomingCalls", map[string]any{"item": items[0]}, &in)
	if i := slices.IndexFunc(in, func(x incomingCall) bool { return x.From.Name == "z" && len(x.FromRanges) == 1 }); len(in) < 3 || i < 0 {
		t.Errorf("%d call strike", len(in))
	}
}
