package studio

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/sourcegraph/jsonrpc2"

	"arbiter/rules"
	"arbiter/spec/catalogue"
)

// duel is a fight that is over in a moment.
const duel = `encounter "A test" with d20

creature fighter {}

side north { fighter Ann }
side south { fighter Bob }

note "They meet."
`

// serve serves a folder with these files until the test ends.
func serve(t *testing.T, files map[string]string) *Server {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		writeFile(t, filepath.Join(dir, name), text)
	}
	return serveFolder(t, dir, 0)
}

func serveFolder(t *testing.T, dir string, port int) *Server {
	t.Helper()
	s, l, err := Listen(testOptions(dir, t.TempDir()), port)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s
}

func testOptions(dir, cache string) Options {
	return Options{
		Folder: dir, Library: rules.FS, LibraryPrefix: "rules/", KnownCitation: catalogue.Known, Version: "test", Language: 1,
		Cache: filepath.Join(cache, "rules"), Pause: 50 * time.Millisecond, Log: io.Discard,
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// page is a page's connection to the program.
type page struct {
	t     *testing.T
	conn  *jsonrpc2.Conn
	notes chan *jsonrpc2.Request
}

// Handle keeps what the program says without being asked.
func (p *page) Handle(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) {
	select {
	case p.notes <- r:
	default:
	}
}

func connect(t *testing.T, s *Server) *page {
	t.Helper()
	c, _, err := websocket.Dial(t.Context(), strings.Replace(s.Address(), "http:", "ws:", 1)+"desk", nil)
	if err != nil {
		t.Fatal(err)
	}
	c.SetReadLimit(maxMessage)
	p := &page{t: t, notes: make(chan *jsonrpc2.Request, 1000)}
	p.conn = jsonrpc2.NewConn(t.Context(), messages{t.Context(), socket{c}}, p, jsonrpc2.SetLogger(quietLogger{}))
	t.Cleanup(func() { p.conn.Close() })
	return p
}

// ask asks, and returns the answer as JSON or the error.
func (p *page) ask(method string, params any) (string, *jsonrpc2.Error) {
	p.t.Helper()
	var answer json.RawMessage
	err := p.conn.Call(p.t.Context(), method, params, &answer)
	if refused := (*jsonrpc2.Error)(nil); errors.As(err, &refused) {
		return "", refused
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return string(answer), nil
}

// Nobody is answered but the page that was opened with the token, by the server's own name, from its own origin.
func TestGuard(t *testing.T) {
	s := serve(t, map[string]string{"a.encounter": duel})
	for _, x := range []struct {
		name, path, host string
		header           map[string]string
		want             int
	}{
		{"the page", "/TOKEN/", "", nil, 200},
		{"its script", "/TOKEN/studio.js", "", nil, 200},
		{"its own call", "/TOKEN/studio.css", "", map[string]string{"Origin": "http://HOST", "Sec-Fetch-Site": "same-origin"}, 200},
		{"an address that was typed", "/TOKEN/", "", map[string]string{"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}, 200},
		{"the page of players", "/PLAYERS/", "", nil, 200},
		{"its script", "/PLAYERS/studio.js", "", nil, 200},
		{"the questions, for players", "/PLAYERS/desk", "", nil, 404},
		{"the fight that is led, for players", "/PLAYERS/play", "", nil, 404},
		{"the page of players by another way", "/PLAYERS/players/", "", nil, 404},
		{"what is not there", "/TOKEN/nothing.js", "", nil, 404},
		{"a Go file", "/TOKEN/dist.go", "", nil, 404},
		{"a path out of the folder", "/TOKEN/../../etc/passwd", "", nil, 403},
		{"no token", "/", "", nil, 403},
		{"no token for a script", "/studio.js", "", nil, 403},
		{"another token", "/0123456789abcdef0123456789abcdef/", "", nil, 403},
		{"the beginning of the token", "/TOK/", "", nil, 403},
		{"another origin", "/TOKEN/", "", map[string]string{"Origin": "http://example.com"}, 403},
		{"no origin of its own", "/TOKEN/", "", map[string]string{"Origin": "null"}, 403},
		{"the same origin at another port", "/TOKEN/", "", map[string]string{"Origin": "http://127.0.0.1:1"}, 403},
		{"a script of another site", "/TOKEN/studio.js", "", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403},
		{"another name for the address", "/TOKEN/", "example.com", nil, 403},
	} {
		t.Run(x.name, func(t *testing.T) {
			fill := strings.NewReplacer("PLAYERS", s.players, "TOKEN", s.token, "TOK", s.token[:8], "HOST", s.host)
			r, err := http.NewRequest("GET", "http://"+s.host+fill.Replace(x.path), nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Host = x.host
			for k, v := range x.header {
				r.Header.Set(k, fill.Replace(v))
			}
			answer, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			if answer.StatusCode != x.want {
				t.Errorf("answered %d, want %d", answer.StatusCode, x.want)
			}
		})
	}
}

// The sockets are guarded as the page is.
func TestGuardOfSockets(t *testing.T) {
	s := serve(t, nil)
	for _, name := range []string{"desk", "lsp", "play"} {
		for _, x := range []struct {
			what, token, origin string
			refused             bool
		}{
			{"the page", s.token, "http://" + s.host, false},
			{"another origin", s.token, "http://example.com", true},
			{"no token", "none", "http://" + s.host, true},
		} {
			c, answer, err := websocket.Dial(t.Context(), "ws://"+s.host+"/"+x.token+"/"+name, &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {x.origin}}})
			if c != nil {
				c.CloseNow()
			}
			if (err != nil) != x.refused || x.refused && (answer == nil || answer.StatusCode != 403) {
				t.Errorf("%s, %s: %v", name, x.what, err)
			}
		}
	}
}

// The page loads nothing from elsewhere, and its styles are its own.
func TestContentPolicy(t *testing.T) {
	s := serve(t, nil)
	get := func() (policy, text string) {
		answer, err := http.Get(s.Address())
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, _ := io.ReadAll(answer.Body)
		return answer.Header.Get("Content-Security-Policy"), string(body)
	}
	policy, text := get()
	if !strings.Contains(policy, "default-src 'none'; script-src 'self'; ") || strings.Count(policy, "unsafe") != 1 || strings.Contains(policy, "http") {
		t.Errorf("the policy is %s", policy)
	}
	_, nonce, _ := strings.Cut(policy, "'nonce-")
	nonce, _, _ = strings.Cut(nonce, "'")
	if len(nonce) < 20 || !strings.Contains(text, nonce) {
		t.Errorf("the page does not have the nonce %q", nonce)
	}
	if again, _ := get(); again == policy {
		t.Error("two pages have the same nonce")
	}
	if strings.Contains(text, "//") {
		t.Errorf("the page names another place:\n%s", text)
	}
}

// No path leads out of the folder, and only files of scripts are read or written.
func TestFolder(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.rules")
	writeFile(t, outside, "ruleset secret")
	s := serve(t, map[string]string{"a.encounter": duel, "sub/b.rules": "ruleset b extends d20", "notes.txt": "x", ".hidden/c.rules": "", "old.session": "x"})
	if err := os.Symlink(outside, filepath.Join(s.folder.dir, "link.rules")); err != nil {
		t.Skip(err) // some systems reserve links
	}
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(s.folder.dir, "door")); err != nil {
		t.Fatal(err)
	}
	p := connect(t, s)
	if list, err := p.ask("files", nil); err != nil || list != `{"files":["a.encounter","link.rules","old.session","sub/b.rules"],"more":false}` {
		t.Errorf("files: %s, %v", list, err)
	}
	for _, path := range []string{"../" + filepath.Base(s.folder.dir) + "/a.encounter", outside, "sub/../../x.rules", "link.rules", "door/secret.rules", "notes.txt", "old.session", "", ".", "/a.encounter", "sub", "a.encounter/x.rules", "..\\x.rules"} {
		if got, err := p.ask("open", map[string]string{"path": path}); err == nil {
			t.Errorf("%s is opened: %s", path, got)
		}
		if _, err := p.ask("save", map[string]string{"path": path, "text": "x"}); err == nil && path != "..\\x.rules" { // a name like any other, except on Windows
			t.Errorf("%s is written", path)
		}
		if _, err := p.ask("run", map[string]any{"path": path}); err == nil {
			t.Errorf("%s is played", path)
		}
	}
	if text, _ := os.ReadFile(outside); string(text) != "ruleset secret" {
		t.Errorf("the file outside has become %q", text)
	}
	if _, err := p.ask("open", map[string]any{"path": "../studio.go", "library": true}); err == nil {
		t.Error("a path leads out of the library")
	}
	if got, err := p.ask("open", map[string]any{"path": "d20/dice.rules", "library": true}); err == nil && !strings.Contains(got, "ruleset") {
		t.Errorf("a built-in file is %s", got)
	}
}

// A file is only written over the text that was opened.
func TestSave(t *testing.T) {
	s := serve(t, map[string]string{"a.rules": "one"})
	p := connect(t, s)
	on := filepath.Join(s.folder.dir, "a.rules")
	if err := os.Chmod(on, 0o600); err != nil {
		t.Fatal(err)
	}
	save := func(path, text, sum string) *jsonrpc2.Error {
		_, err := p.ask("save", saveParams{path, text, sum})
		return err
	}
	if err := save("a.rules", "two", sumOf("one")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(on)
	if text, _ := os.ReadFile(on); err != nil || string(text) != "two" || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has %q, mode %v", text, info.Mode())
	}
	writeFile(t, on, "theirs")
	refused := save("a.rules", "three", sumOf("two"))
	if refused == nil || refused.Code != codeChanged || !strings.Contains(string(*refused.Data), `"theirs"`) {
		t.Errorf("a changed file: %v", refused)
	}
	if err := save("a.rules", "three", sumOf("theirs")); err != nil {
		t.Error(err)
	}
	if err := save("new/b.rules", "b", ""); err != nil {
		t.Error(err)
	}
	if err := save("new/b.rules", "c", ""); err == nil || err.Code != codeChanged {
		t.Errorf("a new file that exists: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(s.folder.dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// What changes on the disk is told, with the sum of what is there.
func TestWatch(t *testing.T) {
	s := serve(t, map[string]string{"a.rules": "one"})
	p := connect(t, s)
	p.ask("hello", nil)
	wait := func(method, part string) {
		t.Helper()
		deadline := time.After(10 * time.Second)
		for {
			select {
			case r := <-p.notes:
				if r.Method == method && strings.Contains(string(*r.Params), part) {
					return
				}
			case <-deadline:
				t.Fatalf("no %s with %s", method, part)
			}
		}
	}
	writeFile(t, filepath.Join(s.folder.dir, "a.rules"), "two")
	wait("changed", sumOf("two"))
	writeFile(t, filepath.Join(s.folder.dir, "deep/b.rules"), "b")
	wait("files", "deep/b.rules")
	writeFile(t, filepath.Join(s.folder.dir, "deep/b.rules"), "bb")
	wait("changed", sumOf("bb"))
	if err := os.Remove(filepath.Join(s.folder.dir, "a.rules")); err != nil {
		t.Fatal(err)
	}
	wait("changed", `"path":"a.rules","sum":""`)
}

// The texts that are unsaved count for everything that is asked, and the disk stays as it is.
func TestUnsavedTexts(t *testing.T) {
	s := serve(t, map[string]string{"a.encounter": duel, "b.rules": "ruleset b extends d20 \"It does nothing.\"\n"})
	p := connect(t, s)
	texts := map[string]string{"a.encounter": strings.Replace(duel, "They meet.", "They part.", 1)}
	if got, err := p.ask("run", map[string]any{"path": "a.encounter", "texts": texts}); err != nil || !strings.Contains(got, "They part.") {
		t.Errorf("run: %s, %v", got, err)
	}
	texts["b.rules"] = "ruleset b extends d20 \"It does nothing.\"\nstrange thing\n"
	_, err := p.ask("run", map[string]any{"path": "a.encounter", "texts": texts, "with": []string{"b.rules"}})
	if err == nil || err.Code != codeMistake || !strings.Contains(string(*err.Data), `"file":"b.rules","line":2`) {
		t.Errorf("a mistake in an unsaved house rule: %v", err)
	}
	if got, err := p.ask("find", map[string]any{"text": "they PART", "texts": texts}); err != nil || !strings.Contains(got, `"path":"a.encounter","line":8,"column":7`) {
		t.Errorf("find: %s, %v", got, err)
	}
	if text, _ := os.ReadFile(filepath.Join(s.folder.dir, "a.encounter")); string(text) != duel {
		t.Error("the disk has changed")
	}
}
