//go:build js

// Command wasm is the program of a page that has no server: it answers the studio's questions inside a worker of the
// browser. The worker calls arbiterConnect with a door of the studio and the port of the page's side, and is told when
// that is possible by arbiterReady.
package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"sync"
	"syscall/js"
	"time"

	"arbiter/cmd/arbiter/internal/playground"
	"arbiter/cmd/arbiter/internal/studio"
	"arbiter/rules"
	"arbiter/spec/catalogue"
)

func main() {
	page := js.Global()
	var c playground.Config
	library := &library{rules.FS, page.Get("arbiterProgram").String()}
	err := json.Unmarshal([]byte(page.Get("arbiterConfig").String()), &c)
	var s *studio.Studio
	if err == nil {
		s, err = studio.Open(studio.Options{
			Folder: c.Folder, File: c.File, Library: library, LibraryPrefix: c.LibraryPrefix, KnownCitation: catalogue.Known,
			Version: c.Version, Language: c.Language, Cache: c.Cache, Pause: time.Duration(c.PauseMillis) * time.Millisecond, Log: os.Stderr, Yield: newPause().take,
		})
	}
	if err != nil {
		page.Call("arbiterFailed", err.Error())
		return
	}
	page.Set("arbiterConnect", js.FuncOf(func(_ js.Value, args []js.Value) any {
		door, l := args[0].String(), newPort(args[1])
		go func() {
			defer l.Close()
			if err := s.Connect(context.Background(), door, l); err != nil {
				page.Get("console").Call("error", err.Error())
			}
		}()
		return nil
	}))
	page.Call("arbiterReady")
	select {}
}

// port is a link over a port of the page, whose messages are texts. An empty one says that the other side is gone.
type port struct {
	js js.Value

	mu       sync.Mutex
	messages []string
	gone     bool
	waiting  chan struct{}
}

func newPort(v js.Value) *port {
	l := &port{js: v, waiting: make(chan struct{}, 1)}
	v.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text := args[0].Get("data").String()
		l.mu.Lock()
		if text == "" {
			l.gone = true
		} else {
			l.messages = append(l.messages, text)
		}
		l.mu.Unlock()
		select {
		case l.waiting <- struct{}{}:
		default:
		}
		return nil
	}))
	return l
}

// Read implements studio.Link.
func (l *port) Read(ctx context.Context) ([]byte, error) {
	for {
		l.mu.Lock()
		if len(l.messages) > 0 {
			text := l.messages[0]
			l.messages = l.messages[1:]
			l.mu.Unlock()
			return []byte(text), nil
		}
		gone := l.gone
		l.mu.Unlock()
		if gone {
			return nil, io.EOF
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.waiting:
		}
	}
}

// Write implements studio.Link.
func (l *port) Write(_ context.Context, message []byte) error {
	l.js.Call("postMessage", string(message))
	return nil
}

// Close implements studio.Link.
func (l *port) Close() error {
	l.js.Call("postMessage", "")
	return nil
}

// listenEvery is how long the program computes before it listens to the page again: a browser runs nothing else meanwhile.
const listenEvery = 15 * time.Millisecond

// pause interrupts a computation so that the page is heard.
type pause struct {
	mu    sync.Mutex
	last  time.Time
	ports js.Value      // a message to the second is received by the first, after what the page has sent before
	heard chan struct{} // it was received
}

func newPause() *pause {
	p := &pause{last: time.Now(), ports: js.Global().Get("MessageChannel").New(), heard: make(chan struct{}, 1)}
	p.ports.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		p.heard <- struct{}{}
		return nil
	}))
	return p
}

// take takes a break if the last one was long ago.
func (p *pause) take() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.last) < listenEvery {
		return
	}
	p.ports.Get("port2").Call("postMessage", "")
	<-p.heard
	p.last = time.Now()
}
