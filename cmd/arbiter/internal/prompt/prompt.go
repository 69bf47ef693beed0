// Package prompt reads what a person types at a terminal, or what comes through a pipe, a line or a block of lines at a
// time.
//
// At a terminal github.com/chzyer/readline holds the line: it moves in it, deletes, keeps what was deleted, walks through
// the history. That library has faults that its last release left in: it hangs when it is closed, counts columns wrongly,
// takes a forgotten key for the end of the input, crashes in searches. So it is never shown the terminal. This package
// reads the keys (keyboard.go) and passes on those that are safe (press.go), draws the line itself (view.go), searches
// itself (search.go), and lets the library do one key at a time (terminal.go). No other package may import the library.
//
// The keys are those of other shells. Enter ends a line, and begins a new one in an unfinished block; Alt-Enter begins a
// new one in any text. Tab completes. The arrows move, up and down within a block and then through the history; Ctrl-R
// searches it, again Ctrl-R goes further back, Ctrl-G gives up. Ctrl-A and Ctrl-E go to the ends of a line, Alt-B and Alt-F
// by words; Ctrl-K, Ctrl-U, Ctrl-W and Alt-D delete, Ctrl-Y brings back, Ctrl-T exchanges two characters. Ctrl-L clears the
// screen, Ctrl-Z suspends, Ctrl-C drops what was typed, Ctrl-D ends the input, or deletes a character where there is one.
//
// The package must never know what a line means: it asks whether a text goes on, and how a word can.
package prompt

import (
	"errors"
	"io"
	"os"

	"github.com/chzyer/readline"

	"arbiter/cmd/arbiter/internal/term"
)

// Editor is where lines come from.
type Editor interface {
	// Read gives one line, or a block of lines with line feeds between them and none at the end. It fails with
	// ErrInterrupted, ErrTooLong, or io.EOF when nothing more will come; any other error is one of the terminal.
	Read(Prompt) (string, error)

	// Print shows text. While somebody types, it appears above the line. Other goroutines may print.
	Print(text string) error

	// Width is the number of columns of the terminal, 0 for a pipe: as wide as it likes.
	Width() int

	// Terminal says whether a person reads the prompts.
	Terminal() bool

	// Close leaves the terminal as it was found, also while another goroutine reads: its Read gives io.EOF. Closing
	// twice is no error. Defer it, so that a panic does not leave the terminal unusable.
	Close() error
}

// Prompt says how one line or block is asked for. The zero value asks for a line, without a word.
type Prompt struct {
	Text string // stands before the line; may be coloured
	More string // stands before each further line of a block

	// Unfinished says whether more lines must follow. Nil means never.
	Unfinished func(text string) bool

	// Complete says how the word can go on that ends at a byte of the text, the whole block. Nil means that it cannot.
	Complete func(text string, at int) Completion

	// NoHistory keeps the answer out of the history, and the history out of the answer.
	NoHistory bool
}

var (
	// ErrInterrupted says that Ctrl-C was typed. All lines of the block that was begun are dropped.
	ErrInterrupted = errors.New("interrupted")

	// ErrTooLong says that a line or block was dropped because it was too long. What follows it in a pipe is still there,
	// and may be the rest of the block.
	ErrTooLong = errors.New("a line or block longer than 1 MiB")
)

// maxText is the longest line or block, in bytes.
const maxText = 1 << 20

// Options are the streams of an editor and what it may do.
type Options struct {
	In       io.Reader
	Out, Err io.Writer // Err is told when the history cannot be kept
	History  string    // the file of the history; "" for none
	Plain    bool      // edit nothing, even at a terminal
}

// Open makes an editor. At a terminal it edits; at a terminal that cannot move its cursor it prints prompts and leaves the
// rest to the system; otherwise it only reads.
func Open(o Options) Editor {
	in, _ := o.In.(*os.File)
	out, _ := o.Out.(*os.File)
	if in == nil || out == nil || !readline.IsTerminal(int(in.Fd())) || !readline.IsTerminal(int(out.Fd())) {
		return newPlain(o.In, o.Out, false)
	}
	screen := term.Of(out)
	if dev := openTTY(in, out); dev != nil && screen.Terminal && !o.Plain {
		return newTerminal(dev, screen.Color, openHistory(o.History, o.Err))
	}
	return newPlain(o.In, o.Out, true)
}
