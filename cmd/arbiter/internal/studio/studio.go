// Package studio serves the page on which rules are edited beside the fight that they change: the files of one folder,
// the language server, fights, live play and simulations, over sockets of one origin.
//
// The page computes no rule and this package neither: it passes texts to the packages that check, play and count them,
// and their documents back. What is unsaved in the page comes with each question, so that nothing here depends on which
// page asked last. It must never know what a ruleset says, and never write a file that it was not asked to write.
package studio

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"sync"
	"time"
)

// Options are what the studio is given by the command.
type Options struct {
	Folder        string // whose files are shown; absolute
	File          string // that is opened first, relative to the folder; may be empty
	Library       fs.FS  // the embedded rulesets
	LibraryPrefix string // the prefix under which their files are named
	KnownCitation func(id string) bool
	Version       string
	Language      int           // the version of the language
	Cache         string        // the folder of embedded files that the language server names; see langserver.Options
	Pause         time.Duration // how long a text must have been left alone before it is checked
	Log           io.Writer
}

// Server serves the studio of one folder to the pages that know its token.
type Server struct {
	o      Options
	token  string
	host   string // host and port of the listener: the only ones by which a page may call the server
	folder *folder
	tables tables

	mu    sync.Mutex
	desks map[*desk]bool
}

// Listen opens the folder, and a port of this machine for its pages; port 0 takes any that is free.
func Listen(o Options, port int) (*Server, net.Listener, error) {
	f, err := openFolder(o.Folder)
	if err != nil {
		return nil, nil, err
	}
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		f.close()
		return nil, nil, err
	}
	return &Server{o: o, token: newToken(), host: l.Addr().String(), folder: f, desks: map[*desk]bool{}}, l, nil
}

// newToken returns what a page must know to be served.
func newToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Address is what a browser opens.
func (s *Server) Address() string { return "http://" + s.host + "/" + s.token + "/" }

// Serve answers until the context ends.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	defer s.folder.close()
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

// routes are what is found behind the token.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.servePage)
	mux.HandleFunc("GET /{asset}", s.serveAsset)
	mux.HandleFunc("GET /desk", s.serveDesk)
	mux.HandleFunc("GET /lsp", s.serveEditor)
	mux.HandleFunc("GET /play", s.servePlay)
	return mux
}
