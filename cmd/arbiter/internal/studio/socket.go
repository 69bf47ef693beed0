package studio

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/coder/websocket"

	"arbiter/cmd/arbiter/internal/langserver"
)

// This file connects the sockets of the page.

// maxMessage bounds one message of the page: the texts of all files that are unsaved.
const maxMessage = 64 << 20

// accept opens the socket of a request. Its origin has been checked, and the library checks it again.
func accept(w http.ResponseWriter, r *http.Request) *websocket.Conn {
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return nil // it has answered
	}
	c.SetReadLimit(maxMessage)
	return c
}

// messages is a socket as a stream of JSON-RPC messages.
type messages struct {
	ctx context.Context
	c   *websocket.Conn
}

// WriteObject implements jsonrpc2.ObjectStream.
func (m messages) WriteObject(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return m.c.Write(m.ctx, websocket.MessageText, data)
}

// ReadObject implements jsonrpc2.ObjectStream.
func (m messages) ReadObject(v any) error {
	for {
		_, data, err := m.c.Read(m.ctx)
		if err != nil {
			return err
		}
		wrong := langserver.Decode(data, v)
		if wrong == nil {
			return nil
		}
		if err := m.WriteObject(langserver.Complaint(wrong)); err != nil {
			return err
		}
	}
}

// Close implements jsonrpc2.ObjectStream.
func (m messages) Close() error { return m.c.Close(websocket.StatusNormalClosure, "") }

// serveEditor connects the page's editor to a language server of its own.
func (s *Server) serveEditor(w http.ResponseWriter, r *http.Request) {
	c := accept(w, r)
	if c == nil {
		return
	}
	defer c.CloseNow()
	// A page that is closed says nothing first.
	_ = langserver.ServeMessages(r.Context(), messages{r.Context(), c}, langserver.Options{
		Library: s.o.Library, LibraryPrefix: s.o.LibraryPrefix, KnownCitation: s.o.KnownCitation, Version: s.o.Version, Log: s.o.Log, Pause: s.o.Pause, Cache: s.o.Cache,
	})
}
