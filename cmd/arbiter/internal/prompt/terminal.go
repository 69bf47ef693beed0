package prompt

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/chzyer/readline"

	"arbiter/cmd/arbiter/internal/term"
)

// terminal is the editor of a person.
//
// Two goroutines of the library's do the work while Read waits: one asks for input (keys), the other takes one key after
// the other and then calls settle. They are kept in step: no key is asked for before the one given has been settled, so
// that line and at are always what the library has as well.
type terminal struct {
	dev  device
	rl   *readline.Instance
	kb   keyboard // of the library's goroutine that asks for input
	hist *history

	reads sync.Mutex // one Read at a time

	mu      sync.Mutex
	changed *sync.Cond // reading, given or over
	reading bool
	given   int   // keys that the library has and that are not settled
	over    bool  // closed, or the terminal is gone
	refused error // why the line that is typed will not be given
	crash   any   // what a function of the prompt panicked with

	p      Prompt
	line   []rune
	at     int // the cursor stands before this character
	view   view
	choice []Candidate        // listed below the line
	search *search            // nil when nobody searches
	stops  chan chan struct{} // asks the goroutine of watch to suspend the process
	closed bool
}

func newTerminal(dev device, color bool, h *history) *terminal {
	t := &terminal{dev: dev, kb: keyboard{dev: dev}, hist: h, view: view{dev: dev, color: color}}
	t.changed = sync.NewCond(&t.mu)
	rl, err := readline.NewEx(&readline.Config{
		Stdin: keys{t}, Stdout: io.Discard, Stderr: io.Discard,
		Listener:               readline.FuncListener(t.settle),
		HistoryLimit:           historyLength + 2, // two more of the library's own
		DisableAutoSaveHistory: true,

		// The library draws nothing and touches no terminal.
		FuncIsTerminal:     func() bool { return false },
		FuncGetWidth:       func() int { return usualColumns },
		FuncOnWidthChanged: func(func()) {},
		FuncMakeRaw:        func() error { return nil },
		FuncExitRaw:        func() error { return nil },
	})
	if err != nil { // not with this configuration
		panic(err)
	}
	t.rl = rl
	return t
}

// Escape sequences that ask the terminal to put brackets around what is pasted, and to stop it.
const (
	bracketPaste = "\x1b[?2004h"
	plainPaste   = "\x1b[?2004l"
)

func (t *terminal) Read(p Prompt) (string, error) {
	t.reads.Lock()
	defer t.reads.Unlock()
	if err := t.begin(p); err != nil {
		return "", err
	}
	stop := t.watch()
	text, err := t.rl.Readline()
	return t.end(text, err, stop)
}

// begin prepares everything for the first key.
func (t *terminal) begin(p Prompt) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.given > 0 && !t.over { // the key that ended the line before
		t.changed.Wait()
	}
	if t.over {
		return io.EOF
	}
	if err := t.raw(); err != nil {
		return err
	}
	t.p, t.line, t.at, t.refused, t.crash = p, nil, 0, nil, nil
	t.choice, t.search, t.stops = nil, nil, make(chan chan struct{})
	t.view.forget()
	// The library remembers where in the history somebody walked, and then would save that entry in place of a new one:
	// it gets its history afresh.
	t.rl.ResetHistory()
	for _, e := range t.past() {
		t.rl.SaveHistory(e)
	}
	t.reading = true
	t.changed.Broadcast()
	return nil
}

// end leaves the terminal to others, with the line on it.
func (t *terminal) end(text string, err error, stop func()) (string, error) {
	t.mu.Lock()
	t.reading = false
	switch {
	case t.refused != nil:
		err = t.refused
	case err == readline.ErrInterrupt:
		err = ErrInterrupted
	case t.over: // half a line is not an answer
		err = io.EOF
	}
	shown, mark := t.line, ""
	switch err {
	case nil:
		shown = []rune(text)
	case ErrInterrupted:
		mark = "^C"
	case ErrTooLong:
		shown = nil
	}
	t.view.finish(t.p, shown, mark)
	t.restore()
	crash := t.crash
	t.mu.Unlock()
	stop()
	if crash != nil {
		panic(crash)
	}
	if err != nil {
		return "", err
	}
	if !t.p.NoHistory {
		t.hist.add(text)
	}
	return text, nil
}

func (t *terminal) raw() error {
	err := t.dev.Raw()
	if err == nil {
		_, err = io.WriteString(t.dev, bracketPaste)
	}
	return err
}

func (t *terminal) restore() error {
	io.WriteString(t.dev, plainPaste)
	return t.dev.Restore()
}

// suspend lets the shell have the terminal until somebody continues the process.
func (t *terminal) suspend() {
	t.view.finish(t.p, t.line, "")
	t.restore()
	stopped, stops := make(chan struct{}), t.stops
	t.mu.Unlock()
	stops <- stopped
	<-stopped
	t.mu.Lock()
	t.resume()
}

// resume takes the terminal again after somebody else had it.
func (t *terminal) resume() {
	if !t.over {
		t.raw()
		t.view.forget()
		t.draw()
	}
}

// past is the history as far as this prompt has one.
func (t *terminal) past() []string {
	if t.p.NoHistory {
		return nil
	}
	return t.hist.entries
}

// keys is the standard input of the library.
type keys struct{ t *terminal }

// Read gives one key, or several that belong together, when somebody reads and the last one is settled. What has been
// typed is drawn before it waits.
func (k keys) Read(b []byte) (int, error) {
	t := k.t
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		for !t.over && (!t.reading || t.given > 0) {
			t.changed.Wait()
		}
		if t.over {
			return 0, io.EOF
		}
		if len(t.line) > maxText/utf8.UTFMax && len(string(t.line)) > maxText {
			return t.give(b, t.refuse(ErrTooLong))
		}
		if len(t.kb.buf) == 0 {
			t.draw()
		}
		t.mu.Unlock()
		x, err := t.kb.next()
		t.mu.Lock()
		if err != nil {
			t.over = true
			return 0, io.EOF
		}
		if t.over {
			continue
		}
		if out := t.press(x); out != "" {
			return t.give(b, out)
		}
	}
}

// give passes on keys that readline knows: characters, and letters after an escape.
func (t *terminal) give(b []byte, out string) (int, error) {
	t.given = len(out) - strings.Count(out, "\x1b")
	return copy(b, out), nil
}

// Close does nothing: the library's own Close is never used, for it waits for a key.
func (k keys) Close() error { return nil }

// refuse gives the key that ends the line without an answer.
func (t *terminal) refuse(err error) string {
	t.refused = err
	return string(rune(readline.CharInterrupt))
}

// push stands for an edit that has been made to line and at here: the library does nothing at this key, and then asks settle.
var push = string(rune(readline.CharBell))

// settle is called by the library after each key, with the line as it is then. It gives another line back for the library
// to take.
func (t *terminal) settle(line []rune, at int, code rune) ([]rune, int, bool) {
	if code == 0 { // Readline begins
		return nil, 0, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.given = max(0, t.given-1)
	t.changed.Broadcast()
	switch code {
	case readline.CharBell:
		return append([]rune{}, t.line...), t.at, true
	case readline.CharEnter, readline.CharInterrupt: // the line is with Read by now
		return nil, 0, false
	}
	t.line, t.at = line, at
	return nil, 0, false
}

// draw shows the line, and below it the search or the choice.
func (t *terminal) draw() {
	t.view.draw(t.p, t.line, t.at, func(columns, room int) []string {
		switch {
		case t.search != nil:
			text, _ := cut(t.search.String(), max(1, columns-1))
			return []string{text}
		case t.choice != nil:
			return list(t.choice, columns, room, func(s string) string {
				return term.Screen{Color: t.view.color}.Paint(term.Dim, s)
			})
		}
		return nil
	})
}

// call runs a function of the prompt, which may print or close. If it panics, so does Read.
func (t *terminal) call(f func()) {
	t.mu.Unlock()
	defer t.mu.Lock()
	defer func() {
		if v := recover(); v != nil {
			t.crash = fmt.Sprintf("%v\n\n%s", v, debug.Stack())
		}
	}()
	f()
}

func (t *terminal) Print(text string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.reading {
		_, err := io.WriteString(t.dev, text)
		return err
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	err := t.view.above(text)
	t.draw()
	return err
}

func (t *terminal) Width() int {
	columns, _ := t.view.size()
	return columns
}

func (t *terminal) Terminal() bool { return true }

func (t *terminal) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil
	}
	t.closed, t.over = true, true
	var err error
	if t.reading {
		err = t.restore()
	}
	t.dev.Wake()
	t.changed.Broadcast()
	// The library's goroutines end when they are given the end of the input.
	t.rl.Terminal.KickRead()
	t.rl.Config.Stdin.Close()
	return err
}
