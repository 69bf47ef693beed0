package prompt

import (
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// fakeDevice is a device on which all keys were typed in advance, followed by the end of the input.
type fakeDevice struct {
	mu     sync.Mutex
	keys   []byte
	chunk  int // bytes per read
	screen *screen
	raw    bool
	woken  chan struct{}
	closed sync.Once
}

func newFakeDevice(keys string) *fakeDevice {
	return &fakeDevice{keys: []byte(keys), chunk: 4096, screen: newScreen(20, 6), woken: make(chan struct{})}
}

func (f *fakeDevice) Read(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := copy(p[:min(len(p), f.chunk)], f.keys)
	f.keys = f.keys[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (f *fakeDevice) Ready(time.Duration) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.keys) > 0
}

func (f *fakeDevice) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.screen.Write(p)
}

func (f *fakeDevice) Size() (columns, rows int) { return f.screen.columns, f.screen.rows }
func (f *fakeDevice) Raw() error                { f.set(true); return nil }
func (f *fakeDevice) Restore() error            { f.set(false); return nil }
func (f *fakeDevice) Suspend() bool             { return false }
func (f *fakeDevice) Wake()                     { f.closed.Do(func() { close(f.woken) }) }

func (f *fakeDevice) set(raw bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.raw = raw
}

// FuzzKeys types arbitrary bytes: the editor neither panics nor hangs, prints only what a terminal understands, and
// restores the terminal.
func FuzzKeys(f *testing.F) {
	for _, keys := range []string{
		"plain\r", "{\ra\r}\r", "\x12a\x12\x07", "\x00\x03\x04", "a\x14\x14\x14", "鬼e\u0301\x7f\x02\x06\x0b\x15\x17\x19",
		"\x1b[200~a\rb\x1b[201~\r", "\x1b[200~a", "\x1b[A\x1b[B\x1b[1;5C\x1b[3~\x1bb\x1bf\x1bd\x1b\x7f\x1b\r", "n\t\t\x1b[M\x1bOM", "\x1a\x0c\xff\xe9",
		"one\rtwo\r\x1b[A\x1b[A\x1b[B!\r\x12o\r", "\x1b]0;x\x07\x1b[9999999999999999C", "ab\x01\x17\x05\x17\x1bd\x14",
	} {
		f.Add(keys, uint8(20), uint8(6), uint8(0))
		f.Add(keys, uint8(1), uint8(1), uint8(1))
	}
	f.Fuzz(func(t *testing.T, keys string, columns, rows, chunk uint8) {
		if strings.Count(keys, "\x19") > 6 { // each doubles the line: slow, and nothing new
			t.Skip()
		}
		dev := newFakeDevice(keys)
		dev.screen = newScreen(max(1, int(columns)), max(1, int(rows)))
		if chunk > 0 {
			dev.chunk = int(chunk)
		}
		e := newTerminal(dev, true, &history{entries: []string{"old", "{\nold\n}"}})
		defer e.Close()
		for {
			text, err := e.Read(Prompt{
				Text: "> ", More: ". ", Unfinished: isUnfinished,
				Complete: func(text string, at int) Completion {
					return Completion{max(0, at-1), []Candidate{{Text: "n1"}, {Text: "n2", About: "鬼"}}}
				},
			})
			if dev.raw {
				t.Fatal("the terminal is left raw")
			}
			if err == io.EOF && len(dev.keys) == 0 {
				break
			}
			if err == nil && isUnfinished(text) && text[len(text)-1] == '\n' {
				t.Errorf("%q is not finished", text)
			}
		}
		for _, x := range dev.screen.faults {
			t.Errorf("the screen was sent %s", x)
		}
	})
}
