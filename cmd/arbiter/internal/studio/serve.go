//go:build !js

package studio

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// This file serves a studio to the browsers of this machine.

// Server serves the studio of one folder to the pages that know its token.
type Server struct {
	*Studio
	token   string
	players string // what a page of players must know; it gets nothing else
	host    string // host and port of the listener: the only ones by which a page may call the server
}

// Listen opens the folder, and a port of this machine for its pages; port 0 takes any that is free.
func Listen(o Options, port int) (*Server, net.Listener, error) {
	s, err := Open(o)
	if err != nil {
		return nil, nil, err
	}
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		s.Close()
		return nil, nil, err
	}
	server := &Server{s, newToken(), newToken(), l.Addr().String()}
	s.playersAddress = server.PlayersAddress()
	return server, l, nil
}

// newToken returns what a page must know to be served.
func newToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Address is what a browser opens.
func (s *Server) Address() string { return "http://" + s.host + "/" + s.token + "/" }

// PlayersAddress is what a browser opens for players.
func (s *Server) PlayersAddress() string { return "http://" + s.host + "/" + s.players + "/" }

// Serve answers until the context ends.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	defer s.Close()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	h := &http.Server{
		Handler:           s.guarded(s.routes()),
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	var watcher sync.WaitGroup
	watcher.Go(func() { s.watch(ctx) })
	context.AfterFunc(ctx, func() { h.Close() })
	err := h.Serve(l)
	stop()
	watcher.Wait()
	if err == http.ErrServerClosed {
		err = nil
	}
	return err
}

// routes are what is found behind the token; behind that of players it is what is in /players.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { servePage(w, "") })
	mux.HandleFunc("GET /{asset}", s.serveAsset)
	mux.HandleFunc("GET /players/{$}", func(w http.ResponseWriter, _ *http.Request) { servePage(w, "players") })
	mux.HandleFunc("GET /players/{asset}", s.serveAsset)
	for path, door := range map[string]string{"desk": "desk", "lsp": "lsp", "play": "play", "players/stage": "stage"} {
		mux.HandleFunc("GET /"+path, func(w http.ResponseWriter, r *http.Request) {
			// Its origin has been checked, and the library checks it again.
			c, err := websocket.Accept(w, r, nil)
			if err != nil {
				return // it has answered
			}
			defer c.CloseNow()
			c.SetReadLimit(maxMessage)
			_ = s.Connect(r.Context(), door, socket{c}) // all doors are known
		})
	}
	return mux
}

// socket is a link over a socket of the server.
type socket struct{ c *websocket.Conn }

func (l socket) Read(ctx context.Context) ([]byte, error) {
	_, message, err := l.c.Read(ctx)
	return message, err
}

func (l socket) Write(ctx context.Context, message []byte) error {
	return l.c.Write(ctx, websocket.MessageText, message)
}

func (l socket) Close() error { return l.c.Close(websocket.StatusNormalClosure, "") }
