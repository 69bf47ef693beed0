package langserver

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// This file answers what takes time beside the other requests, so that no keystroke waits for it: such an answer can be
// cancelled, is given up when its document has changed, and tells the editor that it is under way.

// later computes the rest of an answer. It runs without the server's lock; what it needs of a document was read before.
type later func(ctx context.Context) any

// Codes of the protocol for answers that are not given.
const (
	codeCancelled       = -32800
	codeContentModified = -32801
)

// background is the answers that are under way.
type background struct {
	running sync.WaitGroup
	turn    sync.Mutex // is held by the one that computes: they wait for each other

	mu      sync.Mutex
	cancels map[jsonrpc2.ID]context.CancelFunc
}

// Handle answers a request, now or later.
func (s *server) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	if r.Method == "$/cancelRequest" {
		s.cancel(r)
		return
	}
	answer, err := s.handle(ctx, conn, r)
	rest, unfinished := answer.(later)
	if !unfinished {
		reply(ctx, conn, r, answer, err)
		return
	}
	ctx, stop := context.WithCancel(ctx)
	b := &s.background
	b.mu.Lock()
	b.cancels[r.ID] = stop
	b.mu.Unlock()
	b.running.Go(func() {
		defer stop()
		answer, err := s.guarded(r.Method, func() (any, error) { return asError(rest(ctx)) })
		b.mu.Lock()
		delete(b.cancels, r.ID)
		b.mu.Unlock()
		if ctx.Err() != nil {
			answer, err = nil, &jsonrpc2.Error{Code: codeCancelled, Message: "cancelled"}
		}
		reply(context.WithoutCancel(ctx), conn, r, answer, err)
	})
}

// reply sends an answer. Errors do not matter: the editor has disconnected.
func reply(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request, answer any, err error) {
	if r.Notif {
		return
	}
	response := &jsonrpc2.Response{ID: r.ID}
	if err == nil {
		err = response.SetResult(answer)
	}
	if err != nil {
		wrong, ok := err.(*jsonrpc2.Error)
		if !ok {
			wrong = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()}
		}
		response = &jsonrpc2.Response{ID: r.ID, Error: wrong}
	}
	_ = conn.SendResponse(ctx, response)
}

// cancel cancels an answer that is under way.
func (s *server) cancel(r *jsonrpc2.Request) {
	var p struct {
		ID jsonrpc2.ID `json:"id"`
	}
	if r.Params == nil || json.Unmarshal(*r.Params, &p) != nil {
		return
	}
	b := &s.background
	b.mu.Lock()
	defer b.mu.Unlock()
	if stop := b.cancels[p.ID]; stop != nil {
		stop()
	}
}

// guarded calls a function; a bug in it costs one answer, not the editor's session.
func (s *server) guarded(method string, f func() (any, error)) (answer any, err error) {
	defer func() {
		if x := recover(); x != nil {
			fmt.Fprintf(s.o.Log, "arbiter: %s: %v; this is a bug in arbiter\n", method, x)
			answer, err = nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: "this is a bug in arbiter"}
		}
	}()
	return f()
}

// asError takes an answer that is an error for one.
func asError(answer any) (any, error) {
	if err, refused := answer.(error); refused {
		return nil, err
	}
	return answer, nil
}

// inTurn computes when no other answer computes. The document must still have the version that the answer is about.
func (s *server) inTurn(ctx context.Context, uri string, version int, compute func() any) any {
	s.background.turn.Lock()
	defer s.background.turn.Unlock()
	s.mu.Lock()
	d := s.docs[uri]
	modified := d == nil || d.version != version
	s.mu.Unlock()
	if modified {
		return &jsonrpc2.Error{Code: codeContentModified, Message: "the text has changed"}
	}
	if ctx.Err() != nil {
		return nil
	}
	return compute()
}

// onceBuilt makes an answer wait for the first build of its document, which it hastens.
func (s *server) onceBuilt(answer func(*documentParams) any) func(*documentParams) any {
	return func(p *documentParams) any {
		d, version := s.unbuilt(p.TextDocument.URI)
		if d == nil {
			return answer(p)
		}
		return later(func(ctx context.Context) any {
			if !s.waitForBuild(ctx, d) {
				return nil
			}
			s.mu.Lock()
			modified := s.docs[d.uri] != d || d.version != version
			s.mu.Unlock()
			if modified {
				return &jsonrpc2.Error{Code: codeContentModified, Message: "the text has changed"}
			}
			now := answer(p)
			if rest, unfinished := now.(later); unfinished {
				return rest(ctx)
			}
			return now
		})
	}
}

// unbuilt returns a document that has not been built yet, and has it built without a pause; else nil.
func (s *server) unbuilt(uri string) (d *document, version int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d = s.docs[uri]; d == nil || d.tried {
		return nil, 0
	}
	d.changedAt = time.Now().Add(-s.o.Pause)
	s.wakeBuilder()
	return d, d.version
}

// wakeAtEnd wakes those who wait until a document has been looked at when a context ends, unless stop is called before.
func (s *server) wakeAtEnd(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.looked.Broadcast()
	})
}

// waitForBuild waits until a document has been built or closed. It returns false if nobody waits any more.
func (s *server) waitForBuild(ctx context.Context, d *document) bool {
	defer s.wakeAtEnd(ctx)()
	s.mu.Lock()
	defer s.mu.Unlock()
	for !d.tried && s.docs[d.uri] == d && ctx.Err() == nil {
		s.looked.Wait()
	}
	return ctx.Err() == nil
}

// progress tells the editor that an answer is under way, if it gave a token to be told by. The result tells that it is
// no longer.
func (s *server) progress(token json.RawMessage, title string) (end func()) {
	if len(token) == 0 || title == "" {
		return func() {}
	}
	tell := func(value any) {
		_ = s.conn.Notify(context.Background(), "$/progress", map[string]any{"token": token, "value": value})
	}
	tell(map[string]any{"kind": "begin", "title": title})
	return func() { tell(map[string]any{"kind": "end"}) }
}
