package studio

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"arbiter/cmd/arbiter/internal/sessionfile"
	"arbiter/stdlib/logbook"
)

// player is a page that leads a fight.
type player struct {
	t *testing.T
	c *websocket.Conn
}

// sitDown leads a fight.
func sitDown(t *testing.T, s *Server, path, session string) *player {
	t.Helper()
	c, _, err := websocket.Dial(t.Context(), strings.Replace(s.Address(), "http:", "ws:", 1)+"play", nil)
	if err != nil {
		t.Fatal(err)
	}
	c.SetReadLimit(maxMessage)
	t.Cleanup(func() { c.CloseNow() })
	p := &player{t, c}
	p.write(playParams{Path: path, Session: session})
	return p
}

func (p *player) write(v any) {
	p.t.Helper()
	data, err := json.Marshal(v)
	if err == nil {
		err = p.c.Write(p.t.Context(), websocket.MessageText, data)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *player) say(line string) { p.t.Helper(); p.write(pageMessage{Line: &line}) }

// document is any of those that a player gets.
type document struct {
	Kind, Message, Label, Text, Session string
	Resumed, Taken, Answer              bool
	Failures                            []string
	View                                struct {
		Turn       string
		Combatants []struct {
			Name  string
			Pools []struct{ Value int }
		}
	}
	Can []struct {
		Action  string
		Targets []string
	}
	Undo, Redo  int
	Default     *int64
	Diagnostics []struct {
		File string
		Line int
	}
}

// until reads until a document of one of the kinds comes, and returns the last of each kind.
func (p *player) until(kinds ...string) map[string]document {
	p.t.Helper()
	seen := map[string]document{}
	ctx, stop := context.WithTimeout(p.t.Context(), 30*time.Second)
	defer stop()
	for {
		_, data, err := p.c.Read(ctx)
		if err != nil {
			p.t.Fatalf("waiting for %v: %v; seen %v", kinds, err, seen)
		}
		var d document
		if err := json.Unmarshal(data, &d); err != nil {
			p.t.Fatalf("%v: %s", err, data)
		}
		seen[d.Kind] = d
		for _, k := range kinds {
			if d.Kind == k {
				return seen
			}
		}
	}
}

func exampleDuel(t *testing.T) map[string]string {
	text, err := os.ReadFile("../../../../examples/duel/srd35.encounter")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"duel.encounter": string(text)}
}

// A page leads a fight as a prompt does. When it leaves in the middle of a question, the question is asked again, even
// by another program; what was answered before stays.
func TestPlay(t *testing.T) {
	s := serve(t, exampleDuel(t))
	p := sitDown(t, s, "duel.encounter", "duel.session")
	seen := p.until("waiting")
	if x := seen["seated"]; x.Resumed || x.Session != "duel.session" {
		t.Errorf("seated: %+v", x)
	}
	p.say("begin")
	seen = p.until("waiting")
	view := seen["table"]
	if view.View.Turn == "" || len(view.Can) == 0 || len(view.Can[0].Action) == 0 || view.Undo != 1 || seen["replay"].Kind == "" {
		t.Fatalf("after the beginning: %+v", view)
	}
	foe := ""
	for _, c := range view.Can {
		for _, target := range c.Targets {
			if target != view.View.Turn && foe == "" {
				foe = c.Action + " " + target
			}
		}
	}
	p.say("?" + foe)
	if seen = p.until("waiting"); seen["table"].Kind != "" {
		t.Error("a question about odds has changed the fight")
	}
	p.say("no such thing")
	if seen = p.until("waiting"); len(seen["reply"].Failures) == 0 {
		t.Errorf("nonsense: %+v", seen)
	}
	p.say(":dice ask")
	p.until("waiting")
	p.say(foe)
	seen = p.until("waiting")
	q := seen["question"]
	if q.Label == "" || q.Default == nil || !seen["waiting"].Answer {
		t.Fatalf("no die was asked for: %+v", seen)
	}
	p.say("17")
	seen = p.until("waiting")
	second := seen["question"]
	if second.Label == "" || second.Label == q.Label {
		t.Fatalf("no second die: %+v", seen)
	}
	p.c.CloseNow() // the page is reloaded, or the program is killed

	p = sitDown(t, s, "duel.encounter", "duel.session")
	seen = p.until("waiting")
	if x := seen["question"]; !seen["seated"].Resumed || x.Label != second.Label {
		t.Fatalf("resumed: %+v", seen)
	}
	p.say("6")
	for seen = p.until("waiting"); seen["waiting"].Answer; seen = p.until("waiting") {
		p.say("1")
	}
	if seen["table"].Undo != 2 {
		t.Errorf("done: %+v", seen["table"])
	}
	p.say(":undo")
	if seen = p.until("waiting"); seen["table"].Undo != 1 || seen["table"].Redo != 1 {
		t.Errorf("undone: %+v", seen["table"])
	}
}

// Of two pages, the later one leads; the other is told.
func TestTwoPages(t *testing.T) {
	s := serve(t, exampleDuel(t))
	first := sitDown(t, s, "duel.encounter", "duel.session")
	first.until("waiting")
	second := sitDown(t, s, "duel.encounter", "duel.session")
	second.until("waiting")
	if d := first.until("refused")["refused"]; !d.Taken {
		t.Errorf("the first page: %+v", d)
	}
	second.say("begin")
	second.until("waiting")
	again := sitDown(t, s, "duel.encounter", "duel.session")
	if seen := again.until("waiting"); seen["table"].Undo != 1 {
		t.Errorf("what the second page did is lost: %+v", seen)
	}
}

// What cannot be led has a clear answer, and leaves no file.
func TestPlayRefused(t *testing.T) {
	files := exampleDuel(t)
	files["wrong.encounter"] = "encounter \"x\" with d20\nno such thing\n"
	files["other.encounter"] = files["duel.encounter"]
	files["torn.session"] = "this is not a session\n"
	s := serve(t, files)
	p := sitDown(t, s, "duel.encounter", "duel.session")
	p.until("waiting")
	p.c.CloseNow()
	held := sitDown(t, s, "duel.encounter", "held.session")
	held.until("waiting")
	held.c.CloseNow()
	time.Sleep(50 * time.Millisecond)
	var f *sessionfile.File
	for range 100 { // the page's own hold ends in a moment
		var err error
		if f, _, _, _, err = sessionfile.Open(logbook.Disk, filepath.Join(s.folder.dir, "held.session")); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if f == nil {
		t.Fatal("the session stays locked")
	}
	defer f.Close()
	for _, x := range []struct{ name, path, session, want string }{
		{"a session that another program leads", "duel.encounter", "held.session", "held.session"},
		{"a session of another fight", "other.encounter", "duel.session", "is a session of duel.encounter"},
		{"no session", "duel.encounter", "torn.session", "torn.session"},
		{"a script with mistakes", "wrong.encounter", "wrong.session", "mistakes"},
		{"a script that is gone", "gone.encounter", "gone.session", "gone.encounter"},
		{"a path out of the folder", "duel.encounter", "../x.session", "not the path of a session"},
		{"another kind of file", "duel.encounter", "duel.encounter", "not the path of a session"},
		{"a folder that is not there", "duel.encounter", "no/x.session", "no"},
	} {
		t.Run(x.name, func(t *testing.T) {
			d := sitDown(t, s, x.path, x.session).until("refused", "seated")["refused"]
			if !strings.Contains(d.Message, x.want) || strings.Contains(d.Message, s.folder.dir) {
				t.Errorf("said %q", d.Message)
			}
			if x.session == "wrong.session" && (len(d.Diagnostics) == 0 || d.Diagnostics[0].File != "wrong.encounter") {
				t.Errorf("without the mistakes: %+v", d)
			}
		})
	}
	if list, _ := s.folder.list(); strings.Contains(strings.Join(list, " "), "wrong.session") {
		t.Error("a fight that never began has left a session")
	}
}
