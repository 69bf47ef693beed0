package langserver

import (
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"arbiter/rules"
	"arbiter/spec/catalogue"
)

// editor is the client, for tests.
type editor struct {
	t    *testing.T
	conn *jsonrpc2.Conn
	done chan error
	dir  string

	mu        sync.Mutex
	published map[string]publishDiagnosticsParams // the latest by URI
	asked     map[string]int                      // how often, by method
	changed   *sync.Cond
}

// startEditor starts a server and a client that counts characters in the given units.
func startEditor(t *testing.T, units encoding, more ...map[string]any) *editor {
	t.Helper()
	return startPatient(t, units, 0, more...)
}

// startPatient is startEditor with a server that builds nothing before a pause is over.
func startPatient(t *testing.T, units encoding, pause time.Duration, more ...map[string]any) *editor {
	t.Helper()
	return startWith(t, rules.FS, units, pause, more...)
}

// startWith is startPatient with other embedded rules.
func startWith(t *testing.T, library fs.FS, units encoding, pause time.Duration, more ...map[string]any) *editor {
	t.Helper()
	return startYielding(t, library, units, pause, nil, more...)
}

// startYielding is startWith a server that lets messages in while it builds.
func startYielding(t *testing.T, library fs.FS, units encoding, pause time.Duration, yield func(), more ...map[string]any) *editor {
	t.Helper()
	e := &editor{t: t, done: make(chan error, 1), dir: t.TempDir(), published: map[string]publishDiagnosticsParams{}, asked: map[string]int{}}
	e.changed = sync.NewCond(&e.mu)
	ours, theirs := net.Pipe()
	go func() {
		e.done <- Serve(context.Background(), theirs, Options{Library: library, LibraryPrefix: "rules/", KnownCitation: catalogue.Known, Version: "test", Log: t.Output(), Cache: filepath.Join(e.dir, "cache"), Pause: pause, Yield: yield})
	}()
	e.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(ours, jsonrpc2.VSCodeObjectCodec{}), e)
	var answer initializeResult
	skills := map[string]any{"general": map[string]any{"positionEncodings": []encoding{units}}}
	for _, s := range more {
		maps.Copy(skills, s)
	}
	e.call("initialize", map[string]any{"capabilities": skills}, &answer)
	if answer.Capabilities.PositionEncoding != string(units) {
		t.Fatal(answer.Capabilities.PositionEncoding)
	}
	e.notify("initialized", struct{}{})
	t.Cleanup(func() { e.conn.Close() })
	return e
}

// Handle receives diagnostics, and requests to ask again.
func (e *editor) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	var p publishDiagnosticsParams
	if strings.HasSuffix(r.Method, "/refresh") || r.Method == "window/workDoneProgress/create" || r.Method == "$/progress" {
		e.mu.Lock()
		e.asked[r.Method]++
		e.mu.Unlock()
		e.changed.Broadcast()
		if !r.Notif {
			conn.Reply(ctx, r.ID, nil)
		}
		return
	}
	if r.Method != "textDocument/publishDiagnostics" || json.Unmarshal(*r.Params, &p) != nil {
		e.t.Errorf("told of %s", r.Method)
		return
	}
	e.mu.Lock()
	e.published[p.URI] = p
	e.mu.Unlock()
	e.changed.Broadcast()
}

func (e *editor) call(method string, params, answer any) {
	e.t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	if err := e.conn.Call(ctx, method, params, answer); err != nil {
		e.t.Fatal(method, err)
	}
}

func (e *editor) notify(method string, params any) {
	e.t.Helper()
	if err := e.conn.Notify(context.Background(), method, params); err != nil {
		e.t.Fatal(err)
	}
}

// uri is the URI of a file in the editor's folder.
func (e *editor) uri(name string) string { return URIOf(filepath.Join(e.dir, name)) }

func (e *editor) open(name, text string) {
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": e.uri(name), "version": 1, "text": text}})
}

func (e *editor) change(name string, version int, text string) {
	e.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": e.uri(name), "version": version}, "contentChanges": []any{map[string]any{"text": text}}})
}

// diagnostics waits for the diagnostics of a version of a file.
func (e *editor) diagnostics(name string, version int) []diagnostic {
	e.t.Helper()
	return e.waitFor(name, func(p publishDiagnosticsParams) bool { return p.Version != nil && *p.Version == version })
}

// until waits until the diagnostics of a file satisfy a condition.
func (e *editor) until(name string, is func([]diagnostic) bool) []diagnostic {
	e.t.Helper()
	return e.waitFor(name, func(p publishDiagnosticsParams) bool { return is(p.Diagnostics) })
}

func (e *editor) waitFor(name string, is func(publishDiagnosticsParams) bool) []diagnostic {
	e.t.Helper()
	limit := time.AfterFunc(time.Minute, e.changed.Broadcast)
	defer limit.Stop()
	began := time.Now()
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		if p, ok := e.published[e.uri(name)]; ok && is(p) {
			return p.Diagnostics
		}
		if time.Since(began) > time.Minute {
			e.t.Fatalf("what is told of %s is %+v", name, e.published[e.uri(name)])
		}
		e.changed.Wait()
	}
}

// at returns request parameters for the place of | in a text, and the text without it.
func (e *editor) at(name, marked string) (params map[string]any, text string) {
	e.t.Helper()
	at := strings.IndexByte(marked, '|')
	if at < 0 {
		e.t.Fatalf("no | in %q", marked)
	}
	text = marked[:at] + marked[at+1:]
	return map[string]any{"textDocument": map[string]any{"uri": e.uri(name)}, "position": newLines(text, utf16Units).positionAt(at)}, text
}

func TestMistakes(t *testing.T) {
	e := startEditor(t, utf16Units)
	e.open("gritty.rules", "ruleset gritty extends srd35\noverride massive-damage-treshold = 25 # 🐉\n")
	list := e.diagnostics("gritty.rules", 1)
	if len(list) != 1 || list[0].Range != (span{position{1, 9}, position{1, 32}}) || list[0].Severity != 1 || list[0].Code == "" ||
		list[0].Message != "there is nothing named massive-damage-treshold to override\ndid you mean `massive-damage-threshold`?" {
		t.Errorf("%+v", list)
	}
	e.change("gritty.rules", 2, "ruleset gritty extends srd35\noverride massive-damage-threshold = 25\n")
	if list := e.diagnostics("gritty.rules", 2); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	e.change("gritty.rules", 3, "")
	if list := e.diagnostics("gritty.rules", 3); len(list) != 1 || list[0].Code != "no-header" {
		t.Errorf("%+v", list)
	}
	e.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": e.uri("gritty.rules")}})
	e.call("shutdown", nil, nil)
	e.mu.Lock()
	if p := e.published[e.uri("gritty.rules")]; len(p.Diagnostics) > 0 {
		t.Errorf("of a closed file: %+v", p)
	}
	e.mu.Unlock()
}

// The mistakes of a ruleset that is typed are told long before it is built, and so is that there are none left.
func TestMistakesAtOnce(t *testing.T) {
	e := startPatient(t, utf16Units, time.Hour)
	e.open("house.rules", "ruleset house extends srd35\n\nfeat bold { +1 to atack-bonus }\n")
	if list := e.until("house.rules", func(list []diagnostic) bool { return len(list) > 0 }); len(list) != 1 || list[0].Code != "unknown-stat" {
		t.Errorf("%+v", list)
	}
	e.change("house.rules", 2, "ruleset house extends srd35\n\nfeat bold { +1 to attack-bonus }\n")
	e.until("house.rules", func(list []diagnostic) bool { return len(list) == 0 })
}

// TestMend: applying what a hint suggests removes the mistake.
func TestMend(t *testing.T) {
	e := startEditor(t, utf16Units)
	for i, text := range []string{
		"ruleset x extends srd35\noverride massive-damage-treshold = 25\n",
		"ruleset x extends srd35\nfeat y { +1 moral to attack-bonus when self is prne }\n",
		"ruleset x extends srd35\nfet y { +1 morale to attack-bonus }\n",
		"ruleset x extends srd35\ncreature y { strenght: 12; main-weapon: longswrd }\n",
		"ruleset x extends srd53\n",
		"tests \"x\" with srd35\ncreature man { }\ntest \"t\" {\n  side us { man Alia }\n  dice Alia strike.to-hut: 15\n}\n",
	} {
		name := "mend" + string(rune('a'+i)) + ".rules"
		for version := 1; ; version++ {
			if version == 1 {
				e.open(name, text)
			} else {
				e.change(name, version, text)
			}
			found := e.diagnostics(name, version)
			if len(found) == 0 {
				break
			}
			var fixes []codeAction
			e.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": e.uri(name)}, "range": found[0].Range, "context": map[string]any{"diagnostics": found[:1]}}, &fixes)
			if len(fixes) != 1 || version > 4 {
				t.Errorf("%s: %+v has no mending", text, found[0])
				break
			}
			l, edit := newLines(text, utf16Units), fixes[0].Edit.Changes[e.uri(name)][0]
			text = text[:l.offset(edit.Range.Start)] + edit.NewText + text[l.offset(edit.Range.End):]
		}
	}
}

// TestUnsaved: for open files the editor's text counts, not the one on disk.
func TestUnsaved(t *testing.T) {
	e := startEditor(t, utf16Units)
	writeFile(t, filepath.Join(e.dir, "inn.adventure"), "adventure \"Old\" with srd35\nscene start { finish }\n")
	e.open("inn.adventure", "adventure \"Inn\" with srd35\ninclude \"cellar.adventure\"\nscene start { go to cellar }\n")
	if list := e.diagnostics("inn.adventure", 1); len(list) == 0 {
		t.Error("a file that is not there is included")
	}
	e.open("cellar.adventure", "adventure \"Cellar\"\nscene cellar { finish }\n")
	e.diagnostics("cellar.adventure", 1)
	e.change("inn.adventure", 2, "adventure \"Inn\" with srd35\ninclude \"cellar.adventure\"\nscene start { go to cellar }\n\n")
	if list := e.diagnostics("inn.adventure", 2); len(list) > 0 {
		t.Errorf("%+v", list)
	}
}

const fury = `ruleset fury extends srd35

feat fierce "Strikes harder." {
  +1 morale to attack-bonus when self is prone
}

define creature.rage(foe) = 2 * foe.hit-points + strength-modifier

override strike.confirm { let critical = threat }
`

func TestHover(t *testing.T) {
	e := startEditor(t, utf16Units)
	e.open("fury.rules", fury)
	e.diagnostics("fury.rules", 1)
	for where, want := range map[string]string{
		"to attack-|bonus":     "**attack-bonus** (stat)",
		"+1 mo|rale":           "**morale** (bonus)",
		"is pro|ne":            "**prone** (condition)",
		"feat fier|ce":         "Strikes harder.",
		"foe.hit-|points":      "**hit-points** (resource)",
		"strike.con|firm":      "**strike.confirm** (step)",
		"overr|ide strike":     "replaces a part",
		"creature.ra|ge":       "**creature.rage** (define)",
		"(fo|e)":               "",
		"\"Strikes ha|rder.\"": "",
	} {
		p, _ := e.at("fury.rules", strings.Replace(fury, strings.ReplaceAll(where, "|", ""), where, 1))
		var answer *hover
		e.call("textDocument/hover", p, &answer)
		if want == "" {
			if answer != nil {
				t.Errorf("%s: %s", where, answer.Contents.Value)
			}
		} else if answer == nil || !strings.Contains(answer.Contents.Value, want) {
			t.Errorf("%s: %+v", where, answer)
		}
	}
}

func TestDefinition(t *testing.T) {
	e := startEditor(t, utf16Units)
	e.open("fury.rules", fury)
	e.diagnostics("fury.rules", 1)
	for where, want := range map[string]string{
		"to attack-|bonus": "attack.rules",
		"2 * fo|e":         "fury.rules:6",
		"feat fier|ce":     "fury.rules:2",
	} {
		p, _ := e.at("fury.rules", strings.Replace(fury, strings.ReplaceAll(where, "|", ""), where, 1))
		var answer *location
		e.call("textDocument/definition", p, &answer)
		file, line, exact := strings.Cut(want, ":")
		if answer == nil || !strings.HasSuffix(answer.URI, "/"+file) || exact && line != string(rune('0'+answer.Range.Start.Line)) {
			t.Errorf("%s: %+v", where, answer)
			continue
		}
		if _, err := os.Stat(pathOf(answer.URI)); file != "fury.rules" && err != nil {
			t.Error(err)
		}
	}
	var places []location
	p, _ := e.at("fury.rules", strings.Replace(fury, "(foe)", "(f|oe)", 1))
	if e.call("textDocument/references", p, &places); len(places) != 2 {
		t.Errorf("%+v", places)
	}
}

// TestCreatures: a placed creature is known in the whole script.
func TestCreatures(t *testing.T) {
	e := startEditor(t, utf16Units)
	text := "encounter \"x\" with srd35\ncreature grunt { strength: 12 }\nside a { grunt Bo }\nside b { grunt Al }\nBo gains prone\nexpect Bo is prone\n"
	e.open("x.encounter", text)
	e.diagnostics("x.encounter", 1)
	p, _ := e.at("x.encounter", strings.Replace(text, "expect Bo", "expect B|o", 1))
	var where *location
	if e.call("textDocument/definition", p, &where); where == nil || where.Range.Start != (position{2, 15}) {
		t.Errorf("%+v", where)
	}
	var places []location
	if e.call("textDocument/references", p, &places); len(places) != 3 {
		t.Errorf("%+v", places)
	}
}

func TestComplete(t *testing.T) {
	e := startEditor(t, utf16Units)
	for i, c := range []struct{ text, want, not string }{
		{"rul|", "ruleset", "armor-class"},
		{"ruleset x extends s|", "srd35 starfinder", "strength"},
		{"ruleset x extends srd35\n|", "override condition creature weapon", "let"},
		{"ruleset x extends srd35\noverride mass|", "massive-damage-threshold", ""},
		{"ruleset x extends srd35\noverride strike.|", "confirm damage", "strength"},
		{"ruleset x extends srd35\nfeat y {\n  +1 |", "morale to", "prone"},
		{"ruleset x extends srd35\nfeat y {\n  +1 morale to |", "attack-bonus", "prone"},
		{"ruleset x extends srd35\nfeat y {\n  +1 morale to attack-bonus when self is pr|", "prone", ""},
		{"ruleset x extends srd35\ncreature y {\n  str|", "strength", "step"},
		{"ruleset x extends srd35\ncreature y {\n  main-weapon: long|", "longsword longbow", "long-jump"},
		{"ruleset x extends srd35\ndefine creature.z(foe) = f|", "foe", ""},
		{"ruleset x extends srd35 \"a |", "", "strength"},
		{"ruleset x extends srd35 # a |", "", "strength"},
		{"encounter \"x\" with srd35\ncreature grunt { strength: 12 }\nside a {\n  |", "grunt", "longsword"},
		{"encounter \"x\" with srd35\ncreature grunt { strength: 12 }\nside a { grunt Bo }\n|", "begin expect Bo", ""},
		{"encounter \"x\" with srd35\ncreature grunt { strength: 12 }\nside a { grunt Bo }\nBo: att|", "attack", ""},
		{"encounter \"x\" with srd35\ncreature grunt { strength: 12 }\nside a { grunt Bo }\nBo gains pr|", "prone", ""},
		{"encounter \"x\" with srd35\ncreature grunt { strength: 12 }\nside a { grunt Bo }\ndice |", "Bo strike.to-hit", "attack"},
		{"encounter \"x\" with srd35\ncreature grunt { strength: 12 }\nside a { grunt Bo }\ndice Bo |", "strike.to-hit", "Bo"},
		{"encounter \"x\" with srd35\ncreature grunt { strength: 12 }\nside a { grunt Bo }\ndice Bo strike.|", "to-hit damage", "strike.to-hit"},
		{"encounter \"x\" with srd35\ncreature grunt { strength: 12 }\nside a { grunt Bo }\nanswer Bo readied.|", "occasion", "to-hit"},
	} {
		name := "complete" + string(rune('a'+i)) + ".rules"
		if strings.HasPrefix(c.text, "encounter") {
			name = "complete" + string(rune('a'+i)) + ".encounter"
		}
		p, text := e.at(name, c.text)
		e.open(name, text)
		var answer completionList
		e.call("textDocument/completion", p, &answer)
		var labels []string
		for _, x := range answer.Items {
			labels = append(labels, x.Label)
		}
		for _, want := range strings.Fields(c.want) {
			if !slices.Contains(labels, want) {
				t.Errorf("%q: no %s among %d, %.200s", c.text, want, len(labels), strings.Join(labels, " "))
			}
		}
		if c.not != "" && slices.Contains(labels, c.not) {
			t.Errorf("%q: %s is offered", c.text, c.not)
		}
	}
}

func TestAnswers(t *testing.T) {
	e := startEditor(t, utf8Units)
	text := "ruleset fury extends srd35\n\n\n\ncondition   mad while hit-points<5 { +1 to attack-bonus }\n"
	e.open("fury.rules", text)
	about := map[string]any{"textDocument": map[string]any{"uri": e.uri("fury.rules")}}
	var edits []textEdit
	if e.call("textDocument/formatting", about, &edits); len(edits) != 1 || edits[0].NewText != "ruleset fury extends srd35\n\ncondition mad while hit-points < 5 { +1 to attack-bonus }\n" || edits[0].Range != (span{End: position{5, 0}}) {
		t.Errorf("%+v", edits)
	}
	var outline []symbol
	if e.call("textDocument/documentSymbol", about, &outline); len(outline) != 2 || outline[1].Name != "mad" || outline[1].Detail != "condition" {
		t.Errorf("%+v", outline)
	}
	e.change("fury.rules", 2, "ruleset fury extends srd35\n# \U0001F409\ncondition mad \"x\"\n")
	var tokens semanticTokens
	e.call("textDocument/semanticTokens/full", about, &tokens)
	want := []uint32{0, 0, 7, 3, 0, 0, 8, 4, 8, 0, 0, 5, 7, 3, 0, 0, 8, 5, 8, 0, 1, 0, 6, 0, 0, 1, 0, 9, 3, 0, 0, 10, 3, 6, 0, 0, 4, 3, 1, 0}
	if !slices.Equal(tokens.Data, want) {
		t.Errorf("%v", tokens.Data)
	}
}

func TestSearch(t *testing.T) {
	e := startEditor(t, utf16Units)
	e.open("fury.rules", fury)
	e.diagnostics("fury.rules", 1)
	for _, c := range []struct{ query, first, in, from string }{
		{"attack-bonus", "attack-bonus", "attack.rules", "stat, classic"},
		{"FIERCE", "fierce", "fury.rules", "feat"},
		{"armcl", "armor-class", "armor-class.rules", "stat, classic"},
		{"nobody-has-this-name", "", "", ""},
	} {
		var list []symbolInformation
		e.call("workspace/symbol", map[string]any{"query": c.query}, &list)
		if len(list) > maxSymbols || c.first == "" != (len(list) == 0) {
			t.Errorf("%s: %d", c.query, len(list))
		}
		if len(list) == 0 {
			continue
		}
		if x := list[0]; x.Name != c.first || !strings.HasSuffix(x.Location.URI, "/"+c.in) || x.Container != c.from {
			t.Errorf("%s: %+v", c.query, x)
		} else if _, err := os.Stat(pathOf(x.Location.URI)); c.in != "fury.rules" && err != nil {
			t.Error(err)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		name, query string
		rank        int
		ok          bool
	}{
		{"attack-bonus", "Attack-Bonus", 0, true}, {"attack-bonus", "att", 1, true}, {"attack-bonus", "bon", 2, true}, {"attack-bonus", "tack", 3, true},
		{"attack-bonus", "akbs", 4, true}, {"attack-bonus", "bonusattack", 0, false}, {"ende", "\u00e4", 0, false}, {"x", "", 1, true},
	} {
		if rank, ok := matches(c.name, c.query); rank != c.rank || ok != c.ok {
			t.Errorf("%s in %s: %d %v", c.query, c.name, rank, ok)
		}
	}
}

func TestGoodbye(t *testing.T) {
	e := startEditor(t, utf16Units)
	var wrong *jsonrpc2.Error
	if err := e.conn.Call(context.Background(), "textDocument/nonsense", nil, nil); err == nil {
		t.Error("nonsense is answered")
	} else if wrong, _ = err.(*jsonrpc2.Error); wrong == nil || wrong.Code != jsonrpc2.CodeMethodNotFound {
		t.Error(err)
	}
	e.notify("$/nonsense", nil)
	e.call("shutdown", nil, nil)
	e.notify("exit", nil)
	if err := <-e.done; err != nil {
		t.Error(err)
	}
	e = startEditor(t, utf16Units)
	e.conn.Close()
	if err := <-e.done; err != errUnfinished {
		t.Error(err)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestLint: what the linter finds is shown beside mistakes, and it mends what it can; a comment switches it off.
func TestLint(t *testing.T) {
	e := startEditor(t, utf16Units)
	const text = "ruleset x extends srd35\ntrait slow-trait { +2 to armor-class when level > 0 and level > 3 }\ntrait y { +2 to armor-class unless not taking-turn }\n"
	e.open("x.rules", text)
	var got []string
	found := e.diagnostics("x.rules", 1)
	for _, x := range found {
		got = append(got, x.Code)
	}
	if got := strings.Join(got, " "); got != "stuttering-name impossible-range negated-unless" {
		t.Fatalf("found %s: %+v", got, found)
	}
	if found[0].Severity != 3 || found[1].Severity != 2 {
		t.Errorf("severities %d, %d", found[0].Severity, found[1].Severity)
	}
	var fixes []codeAction
	e.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": e.uri("x.rules")}, "range": found[2].Range, "context": map[string]any{"diagnostics": found}}, &fixes)
	if len(fixes) != 1 || fixes[0].Edit.Changes[e.uri("x.rules")][0].NewText != "when " {
		t.Errorf("fixes %+v", fixes)
	}
	writeFile(t, filepath.Join(e.dir, ".arbiter-lint"), "root\nstuttering-name off\nimpossible-range off\nnegated-unless off\n")
	e.change("x.rules", 2, text)
	if found := e.diagnostics("x.rules", 2); len(found) > 0 {
		t.Errorf("switched off: %+v", found)
	}
}
