package langserver

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const yard = `encounter "The yard" with srd35
creature soldier { base-attack: 3; strength: 14; main-weapon: longsword }
feat grim "Strikes harder." { +1 morale to attack-bonus }
side us { soldier Alia }
side them { soldier Bron { worn-armor: chain-shirt } }
Alia: strike Bron with longsword
define blast = 3d6 + 1d8
define hail = 4d6kh3
fight on for 1 rounds
Bron: strike Alia with longsword
`

// everything is the range of a whole text.
func everything(text string) span { return newLines(text, utf16Units).whole() }

// hintsIn asks for the hints of a text, and writes each behind what it follows.
func (e *editor) hintsIn(name, text string) (list []string) {
	e.t.Helper()
	var hints []inlayHint
	e.call("textDocument/inlayHint", map[string]any{"textDocument": map[string]any{"uri": e.uri(name)}, "range": everything(text)}, &hints)
	l := newLines(text, utf16Units)
	for _, h := range hints {
		before := text[:l.offset(h.Position)]
		list = append(list, before[strings.LastIndexAny(before, " \n")+1:]+": "+h.Label)
	}
	return list
}

// Averages, values and chances are those that can be computed by hand: 21 or more than 15 on a d20 is 25 %.
func TestHints(t *testing.T) {
	e := startEditor(t, utf16Units)
	e.open("yard.encounter", yard)
	list := e.hintsIn("yard.encounter", yard)
	// An attack bonus of 3 + 2 against an armor class of 10 + 4 hits on a 9: twelve faces of twenty.
	want := []string{"attack-bonus: Alia 5, Bron 5", "longsword: to-hit 60 %, confirmation 60 %", "3d6: average 10.5", "4d6kh3: average 12.24"}
	if strings.Join(list, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s", strings.Join(list, "\n"))
	}
	worse := strings.Replace(yard, "base-attack: 3", "base-attack: 1", 1)
	e.change("yard.encounter", 2, worse)
	if list := e.hintsIn("yard.encounter", worse); len(list) != 4 || list[1] != "longsword: to-hit 50 %, confirmation 50 %" {
		t.Errorf("after a change: %s", strings.Join(list, "\n"))
	}
	e.change("yard.encounter", 3, worse+"side {")
	if list := e.hintsIn("yard.encounter", worse); len(list) != 2 {
		t.Errorf("with a mistake: %s", strings.Join(list, "\n"))
	}
}

// Each test of a file has the chances of its own commands, where they stand; those of a test that another begins with are
// played first.
func TestHintsOfTests(t *testing.T) {
	e := startEditor(t, utf16Units)
	text := `tests "blows" with srd35
creature soldier { base-attack: 3; strength: 14; main-weapon: longsword }
given yard { side us { soldier Alia }; side them { soldier Bron { worn-armor: chain-shirt } } }
test "armored" given yard {
  Alia: strike Bron with longsword
  expect Bron.hit-points <= 8
  fight on for 1 rounds
  Bron: strike Alia with longsword
}
test "bare" {
  side us { soldier Alia }
  side them { soldier Bron }
  Alia: strike Bron with longsword
}
`
	e.open("blows.tests", text)
	want := []string{"longsword: to-hit 60 %, confirmation 60 %", "longsword: to-hit 80 %, confirmation 80 %"}
	if list := e.hintsIn("blows.tests", text); strings.Join(list, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s", strings.Join(list, "\n"))
	}
	var list []codeLens
	e.call("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": e.uri("blows.tests")}}, &list)
	if len(list) != 2 || list[0].Range.Start.Line != 4 || list[1].Range.Start.Line != 12 {
		t.Fatalf("%+v", list)
	}
	e.call("codeLens/resolve", list[1], &list[1])
	if got := list[1].Command.Title; !strings.HasPrefix(got, "to-hit 80 %, confirmation 80 %, Bron hit-points -") {
		t.Errorf("%s", got)
	}
}

// A ruleset shows the values of the combatants of an open encounter that uses it.
func TestHintsOfRuleset(t *testing.T) {
	e := startWith(t, tinyLibrary, utf16Units, 0, map[string]any{"workspace": map[string]any{"inlayHint": map[string]any{"refreshSupport": true}}})
	house := "ruleset house extends tiny\noverride force.luck = 12\n"
	text := "encounter \"x\" with house\ncreature grunt { }\nside us { grunt Alia }\nside them { grunt Bron { might: 14 } }\n"
	e.open("house.rules", house)
	if list := e.hintsIn("house.rules", house); len(list) != 0 {
		t.Errorf("without an encounter: %s", list)
	}
	e.write("house.rules", house)
	e.open("x.encounter", text)
	e.diagnostics("x.encounter", 1)
	base := e.hintsIn("house.rules", house)
	if len(base) != 1 || base[0] != "force.luck: Alia 13, Bron 26" {
		t.Errorf("%s", base)
	}
	e.change("house.rules", 2, strings.Replace(house, "12", "15", 1))
	e.waitUntil(func() bool { return e.asked["workspace/inlayHint/refresh"] > 0 })
	if list := e.hintsIn("house.rules", house); len(list) != 1 || list[0] == base[0] {
		t.Errorf("%s, as before", list)
	}
}

// The lens of a command has its odds, and that of what cites a rule says who else implements it.
func TestLenses(t *testing.T) {
	e := startEditor(t, utf16Units)
	text := yard + "feat wary \"Sees it.\" { +1 to armor-class; cite srd35.action.standard.05 }\n"
	e.open("yard.encounter", text)
	var list []codeLens
	e.call("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": e.uri("yard.encounter")}}, &list)
	titles := map[int]string{}
	for _, x := range list {
		if x.Command == nil {
			e.call("codeLens/resolve", x, &x)
		}
		titles[x.Range.Start.Line] = x.Command.Title
	}
	if got := titles[5]; !strings.HasPrefix(got, "to-hit 60 %, confirmation 60 %, Bron hit-points -") {
		t.Errorf("odds: %q of %v", got, titles)
	}
	if got := titles[10]; !strings.HasPrefix(got, "also implemented by ") || strings.Contains(got, "wary") {
		t.Errorf("%v", titles)
	}
	if len(list) != 2 {
		t.Errorf("more: %v", titles)
	}
}

// A citation is that of all rules of a run.
func TestExpandCite(t *testing.T) {
	for _, c := range []struct{ id, to, want string }{
		{"book.topic.01", "", "book.topic.01"}, {"book.topic.08", "11", "book.topic.08 book.topic.09 book.topic.10 book.topic.11"}, {"book.topic.x", "y", "book.topic.x"},
	} {
		if got := strings.Join(expandCite(newCite(c.id, c.to)), " "); got != c.want {
			t.Errorf("%s to %s: %s", c.id, c.to, got)
		}
	}
}

func TestPercent(t *testing.T) {
	for share, want := range map[float64]string{0: "0 %", 0.001: "< 1 %", 0.5: "50 %", 0.999: "> 99 %", 1: "100 %"} {
		if got := percent(share); got != want {
			t.Errorf("%v: %s", share, got)
		}
	}
}

func TestSignatures(t *testing.T) {
	e := startEditor(t, utf16Units)
	for i, c := range []struct{ text, label, active string }{
		{"ruleset x extends srd35\ndefine creature.z(foe: creature, far: distance) = foe is prone\ndefine creature.y(foe: creature) = z(foe, |", "z(foe: creature, far: distance)", "far: distance"},
		{"ruleset x extends srd35\ndefine y(n: number) = max(n, min(n,|", "min(number, number): number", "number"},
		{"ruleset x extends srd35\ndefine y(n: number) = max(min(n, 2), |", "max(number, number): number", "number"},
		{"ruleset x extends srd35\naction poke target: creature with weapon { }\nfeat y { rule a at start of turn { poke self with |", "poke target: creature with weapon", "with weapon"},
		{"ruleset x extends srd35\ndefine y = 12 |", "", ""},
		{"ruleset x extends srd35 # z(|", "", ""},
	} {
		name := fmt.Sprintf("signature%d.rules", i)
		p, text := e.at(name, c.text)
		e.open(name, text)
		var answer *signatureHelp
		e.call("textDocument/signatureHelp", p, &answer)
		if c.label == "" {
			if answer != nil {
				t.Errorf("%q: %+v", c.text, answer)
			}
			continue
		}
		if answer == nil || answer.Signatures[answer.ActiveSignature].Label != c.label || answer.Signatures[answer.ActiveSignature].Parameters[answer.ActiveParameter].Label != c.active {
			t.Errorf("%q: %+v", c.text, answer)
		}
	}
}

// Each selection is inside the next one, and what is selected is what one would wish.
func TestSelection(t *testing.T) {
	e := startWith(t, tinyLibrary, utf16Units, 0)
	text := "ruleset x extends tiny\nfeat bold \"Yes.\" { +1 to attack-bonus when hit-points * 2 <= max-hit-points and self is prone }\n"
	e.open("x.rules", text)
	l := newLines(text, utf16Units)
	at := l.positionAt(strings.Index(text, "points * 2"))
	var answer []selectionRange
	e.call("textDocument/selectionRange", map[string]any{"textDocument": map[string]any{"uri": e.uri("x.rules")}, "positions": []position{at, {99, 0}}}, &answer)
	var got []string
	for x := &answer[0]; x != nil; x = x.Parent {
		got = append(got, text[l.offset(x.Range.Start):l.offset(x.Range.End)])
	}
	for _, want := range []string{"hit-points", "hit-points * 2", "hit-points * 2 <= max-hit-points", "hit-points * 2 <= max-hit-points and self is prone", strings.SplitN(text, "\n", 3)[1], text} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if len(answer) != 2 || answer[1].Parent != nil && answer[1].Range.End.Line > 2 {
		t.Errorf("%+v", answer)
	}
}

// A script that takes long has no figures, and they do not hold up the server.
func TestFiguresAreBounded(t *testing.T) {
	e := startEditor(t, utf16Units)
	slow := strings.Replace(yard, "Alia: strike", strings.Repeat("repeat 1000 times { repeat 1000 times { Alia loses 1 hit-points; Alia gains 1 hit-points } }\n", 150)+"Alia: strike", 1)
	e.open("slow.encounter", slow)
	began := time.Now()
	if list := e.hintsIn("slow.encounter", slow); len(list) > 3 {
		t.Errorf("%s", list)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
	many := yard + strings.Repeat("Bron gains prone\n", 300)
	e.open("many.encounter", many)
	if list := e.hintsIn("many.encounter", many); len(list) != 2 {
		t.Errorf("%s", list)
	}
}
