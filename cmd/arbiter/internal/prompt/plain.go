package prompt

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"

	"arbiter/cmd/arbiter/internal/term"
)

// plain reads lines as they come and echoes nothing. With showsPrompts it prints prompts, for a terminal whose lines
// only the system edits.
type plain struct {
	in           *bufio.Reader
	showsPrompts bool

	// Lines are read by a goroutine, so that Close and Ctrl-C need not wait for a line that never comes.
	requests chan struct{}
	lines    chan line
	pending  bool // a line was requested that had not arrived when Read ended
	readMu   sync.Mutex

	mu          sync.Mutex
	out         io.Writer
	shownPrompt string // the prompt on the screen
	closed      chan struct{}
}

type line struct {
	text string
	err  error
}

func newPlain(in io.Reader, out io.Writer, showsPrompts bool) *plain {
	if in == nil {
		in = strings.NewReader("")
	}
	if out == nil {
		out = io.Discard
	}
	p := &plain{
		in: bufio.NewReader(in), out: out, showsPrompts: showsPrompts,
		requests: make(chan struct{}), lines: make(chan line), closed: make(chan struct{}),
	}
	go func() {
		for {
			select {
			case <-p.requests:
			case <-p.closed:
				return
			}
			l := p.readLine()
			select {
			case p.lines <- l:
			case <-p.closed:
				return
			}
		}
	}()
	return p
}

func (p *plain) Read(prompt Prompt) (string, error) {
	p.readMu.Lock()
	defer p.readMu.Unlock()
	interrupts := make(chan os.Signal, 1)
	if p.showsPrompts {
		signal.Notify(interrupts, os.Interrupt)
		defer signal.Stop(interrupts)
	}
	var text strings.Builder
	for n := 0; ; n++ {
		promptText := prompt.Text
		if n > 0 {
			promptText = prompt.More
		}
		p.showPrompt(promptText)
		l, err := p.wait(interrupts)
		p.forgetPrompt()
		switch {
		case err == io.EOF && n > 0: // the caller decides about an unfinished block
			return text.String(), nil
		case err != nil:
			return "", err
		case text.Len()+min(n, 1)+len(l) > maxText:
			return "", ErrTooLong
		}
		if n > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(l)
		if prompt.Unfinished == nil || !prompt.Unfinished(text.String()) {
			return text.String(), nil
		}
	}
}

// wait returns the next line. It fails with io.EOF, ErrTooLong, ErrInterrupted or an error of the stream.
func (p *plain) wait(interrupts <-chan os.Signal) (string, error) {
	if !p.pending {
		select {
		case p.requests <- struct{}{}:
		case <-p.closed:
			return "", io.EOF
		}
	}
	p.pending = true
	select {
	case l := <-p.lines:
		p.pending = false
		return l.text, l.err
	case <-interrupts: // the system has dropped what was typed
		p.forgetPrompt()
		p.Print("\n")
		return "", ErrInterrupted
	case <-p.closed:
		return "", io.EOF
	}
}

// readLine reads one line, without its end. A line that is too long is discarded.
func (p *plain) readLine() line {
	var text []byte
	for long := false; ; {
		part, err := p.in.ReadSlice('\n')
		if long = long || len(text)+len(part) > maxText+len("\r\n"); long {
			text = text[:0]
		} else {
			text = append(text, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(part) == 0 && len(text) == 0 && !long:
			return line{err: err}
		case err != nil && err != io.EOF:
			return line{err: err}
		case long:
			return line{err: ErrTooLong}
		}
		s := strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
		if len(s) > maxText {
			return line{err: ErrTooLong}
		}
		return line{text: s}
	}
}

func (p *plain) showPrompt(text string) {
	if p.showsPrompts {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.shownPrompt = term.Unstyled(text)
		io.WriteString(p.out, p.shownPrompt)
	}
}

func (p *plain) forgetPrompt() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shownPrompt = ""
}

func (p *plain) Print(text string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shownPrompt != "" { // after the prompt, which is printed again below
		text = "\n" + strings.TrimSuffix(text, "\n") + "\n" + p.shownPrompt
	}
	_, err := io.WriteString(p.out, text)
	return err
}

func (p *plain) Width() int {
	if f, ok := p.out.(*os.File); ok {
		return term.ScreenOf(f).Width
	}
	return 0
}

func (p *plain) Terminal() bool { return p.showsPrompts }

func (p *plain) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.closed:
	default:
		close(p.closed)
	}
	return nil
}
