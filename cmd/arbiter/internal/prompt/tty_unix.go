//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package prompt

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/chzyer/readline"
	"golang.org/x/sys/unix"
)

// This file is a real terminal: the system calls of Unix, and the signals that concern it.

type tty struct {
	in, out  int // file descriptors
	original *readline.State
	wake     [2]int // a pipe that ends waiting for keys
}

// openTTY returns nil if the streams cannot be waited for.
func openTTY(in, out *os.File) device {
	t := &tty{in: int(in.Fd()), out: int(out.Fd())}
	if unix.Pipe(t.wake[:]) != nil {
		return nil
	}
	unix.CloseOnExec(t.wake[0])
	unix.CloseOnExec(t.wake[1])
	if max(t.in, t.wake[0]) >= unix.FD_SETSIZE {
		return nil
	}
	return t
}

// wait reports which of input and end are ready. It uses select because poll does not support terminals on some
// systems.
func (t *tty) wait(limit *unix.Timeval) (input, end bool) {
	for {
		var set unix.FdSet
		set.Set(t.in)
		set.Set(t.wake[0])
		n, err := unix.Select(max(t.in, t.wake[0])+1, &set, nil, nil, limit)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return true, false // the read will return the error
		}
		return n > 0 && set.IsSet(t.in), n > 0 && set.IsSet(t.wake[0])
	}
}

func (t *tty) Read(p []byte) (int, error) {
	for {
		if _, end := t.wait(nil); end {
			return 0, io.EOF
		}
		switch n, err := unix.Read(t.in, p); {
		case err == unix.EINTR || err == unix.EAGAIN:
		case err != nil:
			return 0, err
		case n <= 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

func (t *tty) Ready(limit time.Duration) bool {
	tv := unix.NsecToTimeval(limit.Nanoseconds())
	input, end := t.wait(&tv)
	return input && !end
}

func (t *tty) Write(p []byte) (int, error) {
	done := 0
	for done < len(p) {
		n, err := unix.Write(t.out, p[done:])
		switch {
		case err == unix.EINTR:
		case err == unix.EAGAIN: // another process has made the terminal non-blocking
			time.Sleep(time.Millisecond)
		case err != nil:
			return done, err
		}
		done += max(n, 0)
	}
	return done, nil
}

func (t *tty) Size() (columns, rows int) {
	columns, rows, err := readline.GetSize(t.out)
	if err != nil {
		return 0, 0
	}
	return columns, rows
}

func (t *tty) Raw() error {
	state, err := readline.MakeRaw(t.in)
	if err == nil && t.original == nil {
		t.original = state
	}
	return err
}

func (t *tty) Restore() error {
	if t.original == nil {
		return nil
	}
	err := readline.Restore(t.in, t.original)
	t.original = nil
	return err
}

func (t *tty) Wake() { unix.Write(t.wake[1], []byte{0}) }

// Suspend stops the process group, as the system does on Ctrl-Z.
func (t *tty) Suspend() bool { return syscall.Kill(0, syscall.SIGTSTP) == nil }

// watch handles signals while a line is typed, until stop is called.
func (t *terminal) watch() (stop func()) {
	signals, done, finished := make(chan os.Signal, 8), make(chan struct{}), make(chan struct{})
	signal.Notify(signals, syscall.SIGWINCH, syscall.SIGCONT, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	stops := t.suspends
	go func() {
		defer close(finished)
		for {
			select {
			case <-done:
				return
			case stopped := <-stops:
				if t.dev.Suspend() {
					t.waitContinued(signals)
				}
				close(stopped)
			case s := <-signals:
				t.handleSignal(s.(syscall.Signal), signals)
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
		<-finished
	}
}

// waitContinued waits until the process is continued. An orphaned process group, which no shell could continue, is not
// stopped: then the wait ends soon. It is counted in ticks, because a stopped process has none.
func (t *terminal) waitContinued(signals chan os.Signal) {
	for range 20 {
		select {
		case s := <-signals:
			if s == syscall.SIGCONT {
				return
			}
			if s != syscall.SIGWINCH { // the line is redrawn anyway
				t.handleSignal(s.(syscall.Signal), signals)
			}
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (t *terminal) handleSignal(s syscall.Signal, signals chan os.Signal) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.reading {
		return
	}
	switch s {
	case syscall.SIGWINCH:
		t.draw()
	case syscall.SIGCONT: // another process has had the terminal
		t.resume()
	default: // the end, or whatever the command does about it; Ctrl-C arrives as a key, not here
		t.view.finish(t.prompt, t.line, "")
		t.restore()
		signal.Stop(signals)
		syscall.Kill(syscall.Getpid(), s)
	}
}
