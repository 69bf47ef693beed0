package prompt

import (
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/chzyer/readline"

	"arbiter/cmd/arbiter/internal/term"
)

// terminal is the editor at a terminal.
//
// Two goroutines of the library do the work while Read waits: one asks for input (keys), the other processes one key
// after the other and calls settle after each. They are kept in lockstep: no key is requested before the previous one
// has been settled, so line and at always match the library's state.
type terminal struct {
	dev  device
	rl   *readline.Instance
	kb   keyboard // used by the library's goroutine that asks for input
	hist *history

	pager pager // nil: there is none

	readMu sync.Mutex // one Read at a time

	mu         sync.Mutex
	changed    *sync.Cond // reading, unsettled or ended
	reading    bool
	unsettled  int   // keys that the library has received and not yet settled
	ended      bool  // closed, or the terminal is gone
	rejectErr  error // why the current line will not be returned
	panicValue any   // the value of a panic in a function of the prompt

	prompt     Prompt
	line       []rune
	at         int // the cursor is before this character
	view       view
	candidates []Candidate        // listed below the line
	search     *search            // nil when there is no search
	suspends   chan chan struct{} // asks the goroutine of watch to suspend the process
	closed     bool
}

func newTerminal(dev device, color bool, h *history) *terminal {
	t := &terminal{dev: dev, kb: keyboard{dev: dev}, hist: h, view: view{dev: dev, color: color}}
	t.changed = sync.NewCond(&t.mu)
	rl, err := readline.NewEx(&readline.Config{
		Stdin: keyReader{t}, Stdout: io.Discard, Stderr: io.Discard,
		Listener:               readline.FuncListener(t.settle),
		HistoryLimit:           historyLength + 2, // the library keeps two more of its own
		DisableAutoSaveHistory: true,

		// The library draws nothing and touches no terminal.
		FuncIsTerminal:     func() bool { return false },
		FuncGetWidth:       func() int { return defaultColumns },
		FuncOnWidthChanged: func(func()) {},
		FuncMakeRaw:        func() error { return nil },
		FuncExitRaw:        func() error { return nil },
	})
	if err != nil { // cannot happen with this configuration
		panic(err)
	}
	t.rl = rl
	return t
}

// Escape sequences that turn the bracketing of pasted text on and off.
const (
	bracketPaste = "\x1b[?2004h"
	plainPaste   = "\x1b[?2004l"
)

func (t *terminal) Read(p Prompt) (string, error) {
	t.readMu.Lock()
	defer t.readMu.Unlock()
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
	for t.unsettled > 0 && !t.ended { // the key that ended the previous line
		t.changed.Wait()
	}
	if t.ended {
		return io.EOF
	}
	if err := t.raw(); err != nil {
		return err
	}
	t.prompt, t.line, t.at, t.rejectErr, t.panicValue = p, nil, 0, nil, nil
	t.candidates, t.search, t.suspends = nil, nil, make(chan chan struct{})
	t.view.forget()
	// The library remembers the position reached in the history, and would then save that entry in place of a new one,
	// so the history is loaded again.
	t.rl.ResetHistory()
	for _, e := range t.historyEntries() {
		t.rl.SaveHistory(e)
	}
	t.reading = true
	t.changed.Broadcast()
	return nil
}

// end releases the terminal, with the line on it.
func (t *terminal) end(text string, err error, stop func()) (string, error) {
	t.mu.Lock()
	t.reading = false
	switch {
	case t.rejectErr != nil:
		err = t.rejectErr
	case err == readline.ErrInterrupt:
		err = ErrInterrupted
	case t.ended: // half a line does not count
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
	t.view.finish(t.prompt, shown, mark)
	t.restore()
	crash := t.panicValue
	t.mu.Unlock()
	stop()
	if crash != nil {
		panic(crash)
	}
	if err != nil {
		return "", err
	}
	if !t.prompt.NoHistory {
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

// suspend gives the terminal to the shell until the process is continued.
func (t *terminal) suspend() {
	t.view.finish(t.prompt, t.line, "")
	t.restore()
	stopped, stops := make(chan struct{}), t.suspends
	t.mu.Unlock()
	stops <- stopped
	<-stopped
	t.mu.Lock()
	t.resume()
}

// resume takes the terminal back after another process had it.
func (t *terminal) resume() {
	if !t.ended {
		t.raw()
		t.view.forget()
		t.draw()
	}
}

// historyEntries is the history, or nil if this prompt has none.
func (t *terminal) historyEntries() []string {
	if t.prompt.NoHistory {
		return nil
	}
	return t.hist.entries
}

// keyReader is the standard input of the library.
type keyReader struct{ t *terminal }

// Read returns one key, or several that belong together, once a Read is active and the previous key is settled. The
// line is drawn before waiting.
func (k keyReader) Read(b []byte) (int, error) {
	t := k.t
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		for !t.ended && (!t.reading || t.unsettled > 0) {
			t.changed.Wait()
		}
		if t.ended {
			return 0, io.EOF
		}
		if len(t.line) > maxText/utf8.UTFMax && len(string(t.line)) > maxText {
			return t.passOn(b, t.rejectLine(ErrTooLong))
		}
		if len(t.kb.buf) == 0 {
			t.draw()
		}
		t.mu.Unlock()
		x, err := t.kb.nextKey()
		t.mu.Lock()
		if err != nil {
			t.ended = true
			return 0, io.EOF
		}
		if t.ended {
			continue
		}
		if out := t.press(x); out != "" {
			return t.passOn(b, out)
		}
	}
}

// passOn passes on keys that readline knows: characters, and letters after an escape.
func (t *terminal) passOn(b []byte, out string) (int, error) {
	t.unsettled = len(out) - strings.Count(out, "\x1b")
	return copy(b, out), nil
}

// Close does nothing: the library's own Close, which waits for a key, is never used.
func (k keyReader) Close() error { return nil }

// rejectLine returns the key that ends the line without an answer.
func (t *terminal) rejectLine(err error) string {
	t.rejectErr = err
	return string(rune(readline.CharInterrupt))
}

// editDone signals an edit that has already been made to line and at: the library ignores this key, but then calls
// settle.
var editDone = string(rune(readline.CharBell))

// settle is called by the library after each key, with the current line. It returns a different line if the library is
// to use that.
func (t *terminal) settle(line []rune, at int, code rune) ([]rune, int, bool) {
	if code == 0 { // Readline starts
		return nil, 0, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.unsettled = max(0, t.unsettled-1)
	t.changed.Broadcast()
	switch code {
	case readline.CharBell:
		return append([]rune{}, t.line...), t.at, true
	case readline.CharEnter, readline.CharInterrupt: // Read already has the line
		return nil, 0, false
	}
	t.line, t.at = line, at
	return nil, 0, false
}

// draw shows the line, and below it the search or the choice.
func (t *terminal) draw() {
	t.view.draw(t.prompt, t.line, t.at, func(columns, room int) []string {
		switch {
		case t.search != nil:
			return []string{cut(t.search.String(), max(1, columns-1))}
		case t.candidates != nil:
			return candidateRows(t.candidates, columns, room, func(s string) string {
				return term.Screen{Color: t.view.color}.Paint(term.Dim, s)
			})
		}
		return nil
	})
}

// callUnlocked runs a function of the prompt, which may print or close. If it panics, Read panics too.
func (t *terminal) callUnlocked(f func()) {
	t.mu.Unlock()
	defer t.mu.Lock()
	defer func() {
		if v := recover(); v != nil {
			t.panicValue = v
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
	err := t.view.printAbove(text)
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
	t.closed, t.ended = true, true
	var err error
	if t.reading {
		err = t.restore()
	}
	t.dev.Wake()
	t.changed.Broadcast()
	// The library's goroutines end when they receive the end of the input.
	t.rl.Terminal.KickRead()
	t.rl.Config.Stdin.Close()
	return err
}
