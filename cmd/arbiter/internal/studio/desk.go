package studio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"arbiter/cmd/arbiter/internal/langserver"
	"arbiter/cmd/arbiter/internal/replaypage"
)

// This file answers the questions of a page, except those of its editor. Each is answered in its own time, and can be
// taken back.

// desk is the connection to one page.
type desk struct {
	s    *Studio
	conn *jsonrpc2.Conn
	tell func(note any) // what is known so far of a question

	mu      sync.Mutex
	running map[string]context.CancelFunc // by the id of the question
}

// answerDesk answers a page until it leaves.
func (s *Studio) answerDesk(ctx context.Context, l Link) {
	d := &desk{s: s, running: map[string]context.CancelFunc{}}
	d.tell = func(note any) { _ = d.conn.Notify(context.Background(), "sofar", note) } // the page may be gone
	d.conn = jsonrpc2.NewConn(ctx, messages{ctx, l}, d, jsonrpc2.SetLogger(quietLogger{}))
	s.mu.Lock()
	s.desks[d] = true
	s.mu.Unlock()
	<-d.conn.DisconnectNotify()
	s.mu.Lock()
	delete(s.desks, d)
	s.mu.Unlock()
	d.cancelAll()
}

// quietLogger drops the connection's log: a page that was closed is not worth a message.
type quietLogger struct{}

func (quietLogger) Printf(string, ...any) {}

// tellAll tells all pages something that they did not ask.
func (s *Studio) tellAll(method string, note any) {
	s.mu.Lock()
	var list []*desk
	for d := range s.desks {
		list = append(list, d)
	}
	s.mu.Unlock()
	for _, d := range list {
		_ = d.conn.Notify(context.Background(), method, note) // the page may be gone
	}
}

// Codes of errors, besides those of JSON-RPC.
const (
	codeRefused = 1 // the message says why
	codeChanged = 2 // the file has changed on the disk: see changedError
	codeMistake = 3 // the scripts have mistakes: see mistakes
)

// answerer answers a question with these parameters.
type answerer func(ctx context.Context, d *desk, id string, params json.RawMessage) (any, error)

// answering makes an answerer of a function with parameters of its own type.
func answering[P any](answer func(ctx context.Context, q question, p P) (any, error)) answerer {
	return func(ctx context.Context, d *desk, id string, params json.RawMessage) (any, error) {
		var p P
		if len(params) > 0 {
			if err := json.Unmarshal(params, &p); err != nil {
				return nil, langserver.WrongParams(err)
			}
		}
		return answer(ctx, question{d, id}, p)
	}
}

// question is a question while it is being answered.
type question struct {
	*desk
	id string
}

// sofar tells the page what is known so far.
func (q question) sofar(note any) {
	q.tell(map[string]any{"id": q.id, "sofar": note})
}

// frameParams ask for the page of a replay that is to be saved.
type frameParams struct {
	Title string `json:"title"`
}

// methods are the questions.
var methods = map[string]answerer{
	"hello":    answering(func(_ context.Context, q question, _ struct{}) (any, error) { return q.s.hello(), nil }),
	"files":    answering(func(_ context.Context, q question, _ struct{}) (any, error) { return q.s.files(), nil }),
	"open":     answering(func(_ context.Context, q question, p openParams) (any, error) { return q.s.open(p) }),
	"save":     answering(func(_ context.Context, q question, p saveParams) (any, error) { return q.s.save(p) }),
	"find":     answering(func(ctx context.Context, q question, p findParams) (any, error) { return q.s.find(ctx, p) }),
	"run":      answering(func(ctx context.Context, q question, p fight) (any, error) { return q.s.run(ctx, p) }),
	"frame":    answering(func(_ context.Context, _ question, p frameParams) (any, error) { return replaypage.NewFrame(p.Title) }),
	"odds":     answering(func(ctx context.Context, q question, p oddsParams) (any, error) { return q.s.odds(ctx, p) }),
	"simulate": answering(func(ctx context.Context, q question, p trialParams) (any, error) { return q.s.simulate(ctx, q, p) }),
	"compare":  answering(func(ctx context.Context, q question, p trialParams) (any, error) { return q.s.compare(ctx, q, p) }),
}

// Handle implements jsonrpc2.Handler.
func (d *desk) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	var params json.RawMessage
	if r.Params != nil {
		params = *r.Params
	}
	if r.Method == "cancel" {
		var p struct {
			ID string `json:"id"`
		}
		if json.Unmarshal(params, &p) == nil {
			d.cancel(p.ID)
		}
		return
	}
	if r.Notif {
		return
	}
	method, known := methods[r.Method]
	if !known {
		_ = conn.ReplyWithError(ctx, r.ID, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: r.Method + " is not a question that the studio answers"})
		return
	}
	id := r.ID.Str
	if !r.ID.IsString {
		id = fmt.Sprint(r.ID.Num)
	}
	ctx, cancel := context.WithCancel(ctx)
	d.mu.Lock()
	d.running[id] = cancel
	d.mu.Unlock()
	go func() {
		defer d.cancel(id)
		answer, err := d.answer(ctx, method, id, r.Method, params)
		if err != nil {
			_ = conn.ReplyWithError(context.Background(), r.ID, errorOf(err)) // the page may be gone
			return
		}
		_ = conn.Reply(context.Background(), r.ID, answer) // the page may be gone
	}()
}

// answer answers a question; a bug costs one answer, not the page.
func (d *desk) answer(ctx context.Context, method answerer, id, name string, params json.RawMessage) (answer any, err error) {
	defer func() {
		if x := recover(); x != nil {
			fmt.Fprintf(d.s.o.Log, "arbiter: %s: %v; this is a bug in arbiter\n", name, x)
			err = errors.New("this is a bug in arbiter; the terminal shows where")
		}
	}()
	return method(ctx, d, id, params)
}

// errorOf is an error as the page gets it.
func errorOf(err error) *jsonrpc2.Error {
	var ready *jsonrpc2.Error
	var changed *changedError
	var wrong *mistakes
	switch {
	case errors.As(err, &ready):
		return ready
	case errors.As(err, &changed):
		e := &jsonrpc2.Error{Code: codeChanged, Message: err.Error()}
		e.SetError(changed)
		return e
	case errors.As(err, &wrong):
		e := &jsonrpc2.Error{Code: codeMistake, Message: err.Error()}
		e.SetError(wrong)
		return e
	}
	return &jsonrpc2.Error{Code: codeRefused, Message: err.Error()}
}

// cancel takes a question back; one that is answered is forgotten.
func (d *desk) cancel(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if stop := d.running[id]; stop != nil {
		stop()
		delete(d.running, id)
	}
}

func (d *desk) cancelAll() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, stop := range d.running {
		stop()
	}
}

// --- files -----------------------------------------------------------------------------------------------

// helloDocument is what a page must know first.
type helloDocument struct {
	Version string `json:"version"`
	Folder  string `json:"folder"` // its name, for the title
	URI     string `json:"uri"`    // of the folder, as the language server names it
	Library string `json:"library"`
	Players string `json:"players,omitempty"` // the address of the page of players; none without a server
	File    string `json:"file"`              // to be opened first; may be empty
	filesDocument
}

// filesDocument is what the folder has.
type filesDocument struct {
	Files []string `json:"files"`
	More  bool     `json:"more"` // there are more than are shown
}

func (s *Studio) hello() helloDocument {
	h := helloDocument{Version: s.o.Version, Folder: filepath.Base(s.folder.dir), URI: langserver.URIOf(s.folder.dir), File: s.o.File, filesDocument: s.files()}
	h.Players = s.playersAddress
	if s.o.Cache != "" {
		h.Library = langserver.URIOf(s.o.Cache)
	}
	return h
}

func (s *Studio) files() filesDocument {
	list, more := s.folder.list()
	return filesDocument{list, more}
}

type openParams struct {
	Path    string `json:"path"`
	Library bool   `json:"library"` // the path is one of the embedded rulesets
}

// textDocument is the text of a file, and the sum by which it is saved.
type textDocument struct {
	Path string `json:"path"`
	Text string `json:"text"`
	Sum  string `json:"sum"`
}

func (s *Studio) open(p openParams) (any, error) {
	if p.Library {
		p.Path = strings.TrimPrefix(p.Path, s.o.LibraryPrefix)
		text, err := fs.ReadFile(s.o.Library, p.Path)
		if err != nil {
			return nil, fmt.Errorf("%s is not a file of the built-in rulesets", p.Path)
		}
		return textDocument{p.Path, string(text), sumOf(string(text))}, nil
	}
	text, err := s.folder.read(p.Path)
	if err != nil {
		return nil, err
	}
	return textDocument{p.Path, text, sumOf(text)}, nil
}

type saveParams struct {
	Path string `json:"path"`
	Text string `json:"text"`
	Sum  string `json:"sum"` // of the text that was opened; empty for a new file
}

func (s *Studio) save(p saveParams) (any, error) {
	if err := s.folder.write(p.Path, p.Text, p.Sum); err != nil {
		return nil, err
	}
	return changedNote{p.Path, sumOf(p.Text)}, nil
}

// maxFound bounds the lines that a search finds.
const maxFound = 500

type findParams struct {
	Text  string            `json:"text"`
	Texts map[string]string `json:"texts"` // those that are unsaved, by path
}

// foundLine is a line that has the text.
type foundLine struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`   // from 1
	Column int    `json:"column"` // from 1, in UTF-16 units
	Text   string `json:"text"`
}

// find finds a text in all files, in either case.
func (s *Studio) find(ctx context.Context, p findParams) (any, error) {
	found := []foundLine{}
	wanted := strings.ToLower(p.Text)
	if strings.TrimSpace(wanted) == "" {
		return found, nil
	}
	paths, _ := s.folder.list()
	for _, name := range paths {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		text, unsaved := p.Texts[name]
		if !unsaved {
			if path.Ext(name) == sessionKind {
				continue
			}
			var err error
			if text, err = s.folder.read(name); err != nil {
				continue // it is gone since
			}
		}
		number := 0
		for line := range strings.Lines(text) {
			number++
			at := strings.Index(strings.ToLower(line), wanted)
			if at < 0 {
				continue
			}
			found = append(found, foundLine{name, number, utf16Length(line[:min(at, len(line))]) + 1, cutLine(strings.TrimRight(line, "\r\n"))})
			if len(found) == maxFound {
				return found, nil
			}
		}
	}
	return found, nil
}

// utf16Length is the length of a text in a page.
func utf16Length(text string) (n int) {
	for _, r := range text {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

// longestLine is how much of a line is shown.
const longestLine = 300

func cutLine(line string) string {
	if len(line) > longestLine {
		return strings.ToValidUTF8(line[:longestLine], "") + "…"
	}
	return line
}
