package langserver

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

var randomSessions = flag.Int("random-sessions", 6, "how many random sessions of an editor are tried")

// yardOfTiny is an encounter under the small ruleset of FuzzQuestions.
const yardOfTiny = `encounter "yard" with house
creature grunt { might: 2 }
side a { grunt Bo }
side b { grunt Al }
Bo: strike Al
expect Al is prone
`

const houseOfTiny = `ruleset house extends tiny
override force.luck = 3
define creature.strong(limit: number) = force >= limit and not (self is prone)
action shove target: creature { cost none; step push { strike target } }
rule wail after strike { note "{2d6 + 1d4}" }
`

// moreOfTiny rests on that, and is never opened.
const moreOfTiny = `ruleset more extends house
feat odd { +1 to force when self.strong(2) }
rule sob after shove { note "sob" }
`

// A random session of edits and requests: nothing crashes, no answer is missing, and when every edit has been undone,
// all answers are what they were.
func TestRandomSession(t *testing.T) {
	before := runtime.NumGoroutine()
	for seed := range uint64(*randomSessions) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { randomSession(t, rand.New(rand.NewPCG(seed, 41))) })
	}
	for began := time.Now(); runtime.NumGoroutine() > before+2 && time.Since(began) < 10*time.Second; {
		time.Sleep(5 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before+2 {
		t.Errorf("%d goroutines are left of %d", n, before)
	}
}

// client asks a server, and answers what that asks.
type client struct{}

func (client) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	if !r.Notif {
		conn.Reply(ctx, r.ID, nil)
	}
}

func randomSession(t *testing.T, random *rand.Rand) {
	ours, theirs := net.Pipe()
	over := make(chan error, 1)
	var log strings.Builder
	go func() {
		over <- Serve(context.Background(), theirs, Options{Library: tinyLibrary, LibraryPrefix: "rules/", Log: io.MultiWriter(&log, io.Discard), Pause: time.Millisecond})
	}()
	conn := jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(ours, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.AsyncHandler(client{}))
	defer conn.Close()
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	skills := map[string]any{}
	maps.Copy(skills, pulling)
	skills["general"] = map[string]any{"positionEncodings": []encoding{[]encoding{utf8Units, utf16Units}[random.IntN(2)]}}
	var hello initializeResult
	if err := conn.Call(ctx, "initialize", map[string]any{"capabilities": skills}, &hello); err != nil {
		t.Fatal(err)
	}
	s := &randomEditor{t: t, ctx: ctx, conn: conn, random: random, units: encoding(hello.Capabilities.PositionEncoding), texts: map[string]*lines{}, versions: map[string]int{}}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "more.rules"), []byte(moreOfTiny), 0o644); err != nil {
		t.Fatal(err)
	}
	originals := map[string]string{}
	for name, text := range map[string]string{"yard.encounter": yardOfTiny, "house.rules": houseOfTiny} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		s.uris = append(s.uris, URIOf(path))
		originals[URIOf(path)] = text
	}
	slices.Sort(s.uris)
	for _, uri := range s.uris {
		text := originals[uri]
		s.texts[uri] = newLines(text, s.units)
		s.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 0, "text": text}})
	}
	fresh := s.everything()
	type undo struct {
		uri string
		contentChange
	}
	var undone []undo
	for range 40 {
		uri := s.anyDocument()
		switch random.IntN(4) {
		case 0, 1:
			c, back := s.edit(uri)
			undone = append(undone, undo{uri, back})
			s.change(uri, c)
		default:
			s.ask(uri, s.anyMethod(), nil)
		}
	}
	for _, u := range slices.Backward(undone) {
		s.change(u.uri, u.contentChange)
	}
	for uri, text := range originals {
		if s.texts[uri].text != text {
			t.Fatalf("undone, it is\n%s", s.texts[uri].text)
		}
	}
	again := s.everything()
	for try := 0; try < 50 && !maps.Equal(again, fresh); try++ { // the last build may be under way
		time.Sleep(50 * time.Millisecond)
		again = s.everything()
	}
	for name, want := range fresh {
		if got := again[name]; got != want {
			t.Errorf("%s answers\n%s\nand after edits that were undone\n%s", name, want, got)
		}
	}
	if err := conn.Call(ctx, "shutdown", nil, nil); err != nil {
		t.Error(err)
	}
	s.notify("exit", nil)
	if err := <-over; err != nil {
		t.Error(err)
	}
	if log.Len() > 0 {
		t.Error(log.String())
	}
}

// randomEditor is an editor in a random session.
type randomEditor struct {
	t        *testing.T
	ctx      context.Context
	conn     *jsonrpc2.Conn
	random   *rand.Rand
	units    encoding
	uris     []string // of both documents
	texts    map[string]*lines
	versions map[string]int
}

func (s *randomEditor) anyDocument() string { return s.uris[s.random.IntN(len(s.uris))] }

var randomMethods = []string{"hover", "signatureHelp", "definition", "references", "documentHighlight", "documentSymbol", "foldingRange", "selectionRange",
	"prepareCallHierarchy", "formatting", "codeAction", "codeLens", "inlayHint", "completion", "diagnostic", "semanticTokens/full", "semanticTokens/range", "prepareRename", "rename"}

func (s *randomEditor) anyMethod() string { return randomMethods[s.random.IntN(len(randomMethods))] }

func (s *randomEditor) notify(method string, params any) {
	if err := s.conn.Notify(s.ctx, method, params); err != nil {
		s.t.Fatal(err)
	}
}

// edit is a random change, and the one that undoes it.
func (s *randomEditor) edit(uri string) (c, back contentChange) {
	l := s.texts[uri]
	from := s.random.IntN(len(l.text) + 1)
	to := min(len(l.text), from+s.random.IntN(12))
	for !startsRune(l.text, from) {
		from--
	}
	for !startsRune(l.text, to) {
		to++
	}
	c.Text = []string{"", "", "x", "{", "}", "\n", "\"", "🐉", "prone", " when ", "(", "override strike.", "# ", "99999999999999999999"}[s.random.IntN(14)]
	c.Range = &span{l.positionAt(from), l.positionAt(to)}
	after := l.with(c)
	back = contentChange{&span{l.positionAt(from), after.positionAt(from + len(c.Text))}, l.text[from:to]}
	return c, back
}

func (s *randomEditor) change(uri string, c contentChange) {
	s.texts[uri] = s.texts[uri].with(c)
	s.versions[uri]++
	s.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": s.versions[uri]}, "contentChanges": []contentChange{c}})
}

// ask sends a request about a place, a random one if none is given, and returns the answer.
func (s *randomEditor) ask(uri, method string, at *position) string {
	l := s.texts[uri]
	if at == nil {
		p := l.positionAt(s.random.IntN(len(l.text) + 1))
		at = &p
	}
	var answer json.RawMessage
	err := s.conn.Call(s.ctx, "textDocument/"+method, map[string]any{
		"textDocument": map[string]any{"uri": uri}, "position": at, "positions": []*position{at}, "range": span{*at, l.whole().End}, "newName": "other", "context": map[string]any{"diagnostics": []any{}},
	}, &answer)
	if wrong := (*jsonrpc2.Error)(nil); asRPC(err, &wrong) && (wrong.Code == jsonrpc2.CodeInvalidRequest || wrong.Code == codeContentModified) {
		return wrong.Message // a rename that is refused, a text that has changed
	} else if err != nil {
		s.t.Fatalf("%s: %v", method, err)
	}
	return string(answer)
}

// everything asks everything about some places, and all of both texts.
func (s *randomEditor) everything() map[string]string {
	answers := map[string]string{}
	for uri, l := range s.texts {
		s.ask(uri, "diagnostic", nil) // what is asked is what has been built
		for _, method := range randomMethods {
			for at := 0; at < len(l.text); at += 29 {
				p := l.positionAt(at)
				answers[fmt.Sprint(uri, " ", method, " ", p)] = withoutNumbers(s.ask(uri, method, &p))
			}
		}
	}
	return answers
}

// withoutNumbers drops what numbers an answer or a text, which an undone edit does not undo.
func withoutNumbers(answer string) string {
	var x any
	if json.Unmarshal([]byte(answer), &x) != nil {
		return answer
	}
	var drop func(x any)
	drop = func(x any) {
		switch y := x.(type) {
		case map[string]any:
			delete(y, "resultId")
			delete(y, "version")
			for _, z := range y {
				drop(z)
			}
		case []any:
			for _, z := range y {
				drop(z)
			}
		}
	}
	drop(x)
	out, _ := json.Marshal(x)
	return string(out)
}
