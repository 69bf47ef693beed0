package langserver

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// Changes of a range make the text that an editor has, wherever its characters have several units.
func TestIncremental(t *testing.T) {
	for _, units := range []encoding{utf8Units, utf16Units} {
		random := rand.New(rand.NewPCG(7, 8))
		pieces := []string{"a", "é", "🐉", "\n", "\r\n", "ruleset x", "", "日本", "}"}
		want := "one\ntwo 🐉 three\n"
		l := newLines(want, units)
		for range 2000 {
			from := random.IntN(len(want) + 1)
			for !startsRune(want, from) {
				from--
			}
			to := from + random.IntN(min(6, len(want)-from)+1)
			for !startsRune(want, to) {
				to++
			}
			c := contentChange{Range: &span{l.positionAt(from), l.positionAt(to)}, Text: pieces[random.IntN(len(pieces))]}
			if l.offset(c.Range.Start) != from || l.offset(c.Range.End) != to {
				continue // between the two bytes of a line end there is no position
			}
			want = want[:from] + c.Text + want[to:]
			if l = l.with(c); l.text != want {
				t.Fatalf("%q instead of %q", l.text, want)
			}
			if len(want) > 300 {
				want = "x\n"
				l = newLines(want, units)
			}
		}
	}
}

// Tokens by difference are the tokens.
func TestTokenDelta(t *testing.T) {
	e := startWith(t, tinyLibrary, utf16Units, time.Hour) // names mean the same in both answers: nothing is built in between
	text := "ruleset x extends tiny\nfeat bold { +1 to force }\nfeat wary { +1 to force }\n"
	e.open("x.rules", text)
	doc := map[string]any{"uri": e.uri("x.rules")}
	var full semanticTokens
	e.call("textDocument/semanticTokens/full", map[string]any{"textDocument": doc}, &full)
	random := rand.New(rand.NewPCG(1, 2))
	for version := 2; version < 12; version++ {
		lines := strings.Split(text, "\n")
		at := 1 + random.IntN(len(lines)-1)
		text = strings.Join(slices.Insert(lines, at, []string{"# a comment", "option luck = 7", "", "condition shy \"Oh.\" { }"}[random.IntN(4)]), "\n")
		e.change("x.rules", version, text)
		var delta struct {
			semanticTokensDelta
			Data []uint32
		}
		e.call("textDocument/semanticTokens/full/delta", map[string]any{"textDocument": doc, "previousResultId": full.ResultID}, &delta)
		if delta.Data != nil || len(delta.Edits) > 1 {
			t.Fatalf("%+v", delta)
		}
		for _, x := range delta.Edits {
			full.Data = slices.Replace(full.Data, x.Start, x.Start+x.DeleteCount, x.Data...)
		}
		full.ResultID = delta.ResultID
		var now semanticTokens
		e.call("textDocument/semanticTokens/range", map[string]any{"textDocument": doc, "range": everything(text)}, &now)
		if !slices.Equal(now.Data, full.Data) {
			t.Fatalf("version %d: %v instead of %v", version, full.Data, now.Data)
		}
	}
	var all semanticTokens
	e.call("textDocument/semanticTokens/full/delta", map[string]any{"textDocument": doc, "previousResultId": "another"}, &all)
	if len(all.Data) == 0 {
		t.Error("an unknown result is answered with a difference")
	}
}

// What fits a place is offered first: statements in a body, the clauses of an effect in an effect, and where a value is
// expected only the names that its own clause binds.
func TestCompletionOrder(t *testing.T) {
	e := startWith(t, tinyLibrary, utf16Units, 0)
	text := "ruleset house extends tiny\n\nrule wail after strike {\n  let sorrow = 1\n  \n}\n\nfeat bold {\n  \n}\n\ndefine creature.glad(number) = \n"
	e.open("house.rules", text)
	offered := func(line, character int) (names []string) {
		var list completionList
		e.call("textDocument/completion", map[string]any{"textDocument": map[string]any{"uri": e.uri("house.rules")}, "position": position{line, character}}, &list)
		slices.SortFunc(list.Items, func(a, b completionItem) int { return strings.Compare(a.SortText, b.SortText) })
		for _, x := range list.Items {
			names = append(names, x.Label)
		}
		return names
	}
	if body, effect := offered(4, 2), offered(8, 2); slices.Index(body, "let") > slices.Index(body, "denied") || slices.Index(effect, "denied") > slices.Index(effect, "let") {
		t.Errorf("in a body %v, in an effect %v", body[:8], effect[:8])
	}
	if value := offered(11, 31); slices.Contains(value, "house") || slices.Contains(value, "sorrow") || !slices.Contains(value, "force") {
		t.Errorf("%v", value)
	}
}
