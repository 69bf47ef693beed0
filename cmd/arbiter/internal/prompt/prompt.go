// Package prompt reads what a person types at a terminal, or what comes through a pipe, a line or a block of lines at a
// time.
//
// At a terminal github.com/chzyer/readline edits the line: cursor movement, deletion, the kill ring, the history. Its
// last release has bugs: it hangs when it is closed, miscounts columns, takes an unhandled key for the end of the
// input, and crashes in searches. So the library never sees the terminal. This package reads the keys (keyboard.go),
// passes on the safe ones (press.go), draws the line (view.go), searches the history (search.go), and lets the library
// process one key at a time (terminal.go). No other package may import the library.
//
// The keys are those of other shells. Enter ends a line, or starts a new one in an unfinished block; Alt-Enter always
// starts a new one. Tab completes. The arrows move, up and down within a block and then through the history. Ctrl-R
// searches the history; again Ctrl-R goes further back, Ctrl-G cancels. Ctrl-A and Ctrl-E go to the ends of a line,
// Alt-B and Alt-F move by words; Ctrl-K, Ctrl-U, Ctrl-W and Alt-D delete, Ctrl-Y pastes what was deleted, Ctrl-T swaps
// two characters. Ctrl-L clears the screen, Ctrl-Z suspends, Ctrl-C drops what was typed, Ctrl-D deletes a character
// or, on an empty line, ends the input.
//
// The package must never know what a line means: it asks whether a text is unfinished, and how a word can be completed.
package prompt

import (
	"errors"
	"io"
	"os"

	"github.com/chzyer/readline"

	"arbiter/cmd/arbiter/internal/term"
)

// Editor reads lines.
type Editor interface {
	// Read returns one line, or a block of lines separated by line feeds, with none at the end. It fails with
	// ErrInterrupted, ErrTooLong, or io.EOF when there is no more input; any other error is one of the terminal.
	Read(Prompt) (string, error)

	// Print shows text; while a line is being typed, above that line. It may be called from other goroutines.
	Print(text string) error

	// Page shows text that may be longer than the screen: then with the user's pager. No line is being typed meanwhile.
	Page(text string) error

	// Width is the number of columns of the terminal, or 0 for a pipe, which has no limit.
	Width() int

	// Terminal reports whether a person reads the prompts.
	Terminal() bool

	// Close restores the terminal, even while another goroutine is in Read, which then returns io.EOF. It may be called
	// twice. Defer it, so that a panic does not leave the terminal unusable.
	Close() error
}

// Prompt says how one line or block is asked for. The zero value asks for a line without a prompt.
type Prompt struct {
	Text string // before the line; may be colored
	More string // before each further line of a block

	// Unfinished reports whether more lines must follow. Nil means never.
	Unfinished func(text string) bool

	// Complete returns the completions of the word that ends at byte at of the text, which is the whole block. Nil
	// means that there are none.
	Complete func(text string, at int) Completion

	// NoHistory neither adds the answer to the history nor offers the history while asking.
	NoHistory bool
}

var (
	// ErrInterrupted says that Ctrl-C was typed. All lines of the unfinished block are dropped.
	ErrInterrupted = errors.New("interrupted")

	// ErrTooLong says that a line or block was dropped because it was too long. The input after it remains to be read,
	// and may be the rest of the block.
	ErrTooLong = errors.New("a line or block longer than 1 MiB")
)

// maxText is the longest line or block, in bytes.
const maxText = 1 << 20

// Options are the streams of an editor and what it may do.
type Options struct {
	In       io.Reader
	Out, Err io.Writer // Err is told when the history cannot be saved
	History  string    // the file of the history; "" for none
	Plain    bool      // no editing, even at a terminal
}

// Open makes an editor. At a terminal it edits lines. At a terminal that cannot move its cursor it prints prompts and
// leaves editing to the system. Otherwise it only reads.
func Open(o Options) Editor {
	in, _ := o.In.(*os.File)
	out, _ := o.Out.(*os.File)
	if in == nil || out == nil || !readline.IsTerminal(int(in.Fd())) || !readline.IsTerminal(int(out.Fd())) {
		return newPlain(o.In, o.Out, false)
	}
	screen := term.ScreenOf(out)
	if dev := openTTY(in, out); dev != nil && screen.Terminal && !o.Plain {
		t := newTerminal(dev, screen.Color, openHistory(o.History, o.Err))
		t.pager = pagerAt(out)
		return t
	}
	return newPlain(o.In, o.Out, true)
}
