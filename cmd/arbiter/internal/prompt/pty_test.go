//go:build linux

package prompt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// These tests run a program in a pseudo-terminal, type into it as a person does, and look at the screen. It is opened
// by github.com/creack/pty: maintained for ten years, without dependencies, for all Unix systems.

// TestMain lets the test binary be that program.
func TestMain(m *testing.M) {
	if os.Getenv("PROMPT_TEST_PROGRAM") != "" {
		program()
		return
	}
	os.Exit(m.Run())
}

// program prints what it reads, until the end of the input. SIGUSR1 makes it print and SIGUSR2 close, both while it
// reads.
func program() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1, syscall.SIGUSR2)
	e := Open(Options{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, History: os.Getenv("PROMPT_TEST_HISTORY"), Plain: os.Getenv("PROMPT_TEST_PLAIN") != ""})
	defer e.Close()
	go func() {
		for s := range signals {
			if s == syscall.SIGUSR1 {
				e.Print("news\n")
			} else {
				e.Close()
			}
		}
	}()
	p := Prompt{
		Text: os.Getenv("PROMPT_TEST_TEXT"), More: ". ",
		NoHistory: os.Getenv("PROMPT_TEST_FORGET") != "",
		Unfinished: func(text string) bool {
			if text == "panic" {
				panic("asked to")
			}
			return strings.Count(text, "{") > strings.Count(text, "}")
		},
		Complete: func(text string, at int) Completion {
			c := Completion{From: strings.LastIndexAny(text[:at], " \n") + 1}
			if strings.Count(text[:at], "\"")%2 == 1 {
				c.From = strings.LastIndex(text[:at], "\"")
			}
			for _, x := range words {
				if strings.HasPrefix(x.Text, text[c.From:at]) {
					c.Candidates = append(c.Candidates, x)
				}
			}
			return c
		},
	}
	if p.Text == "" {
		p.Text = "> "
	}
	for {
		text, err := e.Read(p)
		switch {
		case errors.Is(err, ErrInterrupted):
			e.Print("interrupted\n")
		case errors.Is(err, io.EOF):
			e.Print("end\n")
			return
		case err != nil:
			e.Print(fmt.Sprintf("error %s\n", err))
		case len(text) > 1000:
			e.Print(fmt.Sprintf("read %d bytes, %d lines\n", len(text), strings.Count(text, "\n")+1))
		default:
			e.Print(fmt.Sprintf("read %q\n", text))
		}
	}
}

// words are what the program completes.
var words = []Candidate{
	{Text: "attack", About: "strike at somebody"},
	{Text: "attend"},
	{Text: "charge"},
	{Text: `"Sir Robin"`},
	{Text: `"Sir Kay"`},
	{Text: "maps/"},
	{Text: "鬼火"},
	{Text: "n01"}, {Text: "n02"}, {Text: "n03"}, {Text: "n04"}, {Text: "n05"}, {Text: "n06"}, {Text: "n07"}, {Text: "n08"},
}

// terminalTest is a program running in a terminal.
type terminalTest struct {
	*testing.T
	pty *os.File
	cmd *exec.Cmd

	mu     sync.Mutex
	screen *screen
	all    strings.Builder // every byte
	news   chan struct{}
	closed bool
	typed  int // how many bytes had arrived when the last keys were sent
}

// resultTimeout is how long a program may take for an expected result on a busy machine.
const resultTimeout = 60 * time.Second

// run starts the program. Each setting is an environment variable.
func run(t *testing.T, columns, rows int, settings ...string) *terminalTest {
	t.Helper()
	return runCommand(t, columns, rows, exec.Command(os.Args[0]), settings...)
}

func runCommand(t *testing.T, columns, rows int, cmd *exec.Cmd, settings ...string) *terminalTest {
	t.Helper()
	cmd.Env = append([]string{"PROMPT_TEST_PROGRAM=yes", "TERM=xterm", "PATH=" + os.Getenv("PATH")}, settings...)
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(rows), Cols: uint16(columns)})
	if err != nil {
		t.Fatal(err)
	}
	f = pollable(t, f)
	x := &terminalTest{T: t, pty: f, cmd: cmd, screen: newScreen(columns, rows), news: make(chan struct{}, 1)}
	go func() {
		b := make([]byte, 4096)
		for {
			n, err := f.Read(b)
			x.mu.Lock()
			x.screen.Write(b[:n])
			x.all.Write(b[:n])
			x.closed = err != nil
			x.mu.Unlock()
			select {
			case x.news <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		f.Close()
		x.mu.Lock()
		defer x.mu.Unlock()
		if len(x.screen.faults) > 0 {
			t.Errorf("the screen was sent %s", strings.Join(x.screen.faults, ", "))
		}
	})
	return x
}

// pollable returns the same file as one that can be closed during a read.
func pollable(t *testing.T, f *os.File) *os.File {
	t.Helper()
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fd), "pty")
}

// until waits for a condition on the screen after the last keys.
func (x *terminalTest) until(what string, is func(s *screen) bool) {
	x.Helper()
	deadline := time.After(resultTimeout)
	for {
		x.mu.Lock()
		ok, closed, now := x.all.Len() > x.typed && is(x.screen), x.closed, x.screen.String()
		now = now[max(0, len(now)-2000):]
		x.mu.Unlock()
		if ok {
			return
		}
		if closed {
			x.Fatalf("the program ended before %s; the screen:\n%s", what, now)
		}
		select {
		case <-x.news:
		case <-deadline:
			x.Fatalf("there is not %s; the screen:\n%s", what, now)
		}
	}
}

// sees waits until the screen ends with want.
func (x *terminalTest) sees(want string) {
	x.Helper()
	x.until(fmt.Sprintf("%q", want), func(s *screen) bool { return strings.HasSuffix("\n"+s.String(), "\n"+want) })
}

// types sends keys.
func (x *terminalTest) types(keys string) {
	x.Helper()
	x.mu.Lock()
	x.typed = x.all.Len()
	x.mu.Unlock()
	if _, err := io.WriteString(x.pty, keys); err != nil {
		x.Fatal(err)
	}
}

// sent is everything that the program has written so far.
func (x *terminalTest) sent() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.all.String()
}

func (x *terminalTest) signal(s syscall.Signal) {
	x.Helper()
	if err := x.cmd.Process.Signal(s); err != nil {
		x.Fatal(err)
	}
}

// ends waits for the program to end, and wants the terminal restored.
func (x *terminalTest) ends(status string) {
	x.Helper()
	done := make(chan error, 1)
	go func() { done <- x.cmd.Wait() }()
	select {
	case err := <-done:
		if got := fmt.Sprint(err); got != status {
			x.Errorf("the program ended with %s, want %s", got, status)
		}
	case <-time.After(resultTimeout):
		x.Fatal("the program does not end")
	}
	x.until("the end of the output", func(*screen) bool { return x.closed })
	x.cooked()
}

// cooked wants a terminal that echoes, edits lines itself, and does not bracket pastes.
func (x *terminalTest) cooked() {
	x.Helper()
	var mode *unix.Termios
	x.control(func(fd int) (err error) {
		mode, err = unix.IoctlGetTermios(fd, unix.TCGETS)
		return err
	})
	if want := uint32(unix.ICANON | unix.ECHO | unix.ISIG); mode.Lflag&want != want {
		x.Errorf("the terminal is left raw: %x", mode.Lflag)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.screen.pasting {
		x.Error("pastes are left in brackets")
	}
}

// control runs do on the terminal.
func (x *terminalTest) control(do func(fd int) error) {
	x.Helper()
	raw, err := x.pty.SyscallConn()
	if err == nil {
		raw.Control(func(fd uintptr) { err = do(int(fd)) })
	}
	if err != nil {
		x.Fatal(err)
	}
}

const (
	up, down, right, left = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"

	ctrlC, ctrlD, ctrlR, ctrlW = "\x03", "\x04", "\x12", "\x17"
)

func TestLine(t *testing.T) {
	x := run(t, 40, 10)
	x.sees("> ▮")
	x.types("ali: go\r")
	x.sees("> ali: go\nread \"ali: go\"\n> ▮")
	x.types("charge" + left + left + "XY" + "\x01" + "A" + "\x05" + "E")
	x.sees("> AcharXYgeE▮")
	x.types("\x7f\x1b[1;5D\x1b[3~") // backspace, a word to the left, delete
	x.sees("> ▮charXYge")
	x.types("\x1bOF \x0b" + ctrlW) // the end, kill nothing, delete the word
	x.sees("> ▮")
	x.types("\x19\r") // and paste it back
	x.sees("> charXYge\nread \"charXYge \"\n> ▮")
}

// TestKeysThatHarm: keys at which the library on its own ends, crashes, or deletes too much.
func TestKeysThatHarm(t *testing.T) {
	x := run(t, 40, 10)
	x.sees("> ▮")
	x.types("\x00\x1b[3~\x14a\x14\x14b\r") // Ctrl-Space, delete on an empty line, transpose
	x.sees("> ab\nread \"ab\"\n> ▮")
	x.types("one two" + "\x01" + "\x1bf\x02" + ctrlW) // delete the first word, with another one after the cursor
	x.sees("> ▮ two")
	x.types("\x1b[9999;1R\x1b[<0;1;1M\x1b]11;rgb:0/0/0\a\x1b[[A\x1b[15~\x1bx\x1b\x1b\x05!")
	x.sees(">  two!▮")
	x.types("\x16\x18\x1c\x0f\r")
	x.sees("read \" two!\"\n> ▮")
}

func TestCompletion(t *testing.T) {
	for _, c := range []struct{ name, keys, sees string }{
		{"single", "ch\t", "> charge ▮"},
		{"single in the middle", "ch z" + left + left + "\t", "> charge▮ z"},
		{"none", "zz\t!", "> zz!▮"},
		{"a folder", "ma\t", "> maps/▮"},
		{"with a space", "go \"Sir R\t", "> go \"Sir Robin\" ▮"},
		{"several with a common beginning", "a\t", "> att▮\nattack  strike at somebody\nattend"},
		{"several, gone on", "a\ta\t", "> attack ▮"},
		{"several, then another key", "a\tx", "> attx▮"},
		{"in columns", "n0\t", "> n0▮\nn01  n03  n05  n07\nn02  n04  n06  n08"},
		{"wide", "鬼\t", "> 鬼火 ▮"},
		{"in a block", "{\rch\t", "> {\n. charge ▮"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := run(t, 32, 10)
			x.sees("> ▮")
			// All keys are sent at once; the result must be the same as key by key.
			x.types(c.keys)
			x.sees(c.sees)
			x.types("\x15" + ctrlC)
			x.until("a new prompt", func(s *screen) bool { return strings.HasSuffix(s.String(), "interrupted\n> ▮") })
		})
	}
}

// TestCompletionCut: a list that does not fit shows how much is missing, and the prompt stays in place.
func TestCompletionCut(t *testing.T) {
	x := run(t, 12, 5)
	x.sees("> ▮")
	x.types("one\rtwo\r")
	x.sees("read \"two\"\n> ▮")
	x.types("\t")
	x.sees("> ▮\nattack\nattend\ncharge\nand 12 more")
	x.types("n0\t")
	x.sees("> n0▮\nn01  n05\nn02  n06\nn03  n07\nn04  n08")
	x.types("1\r")
	x.sees("> n01\nread \"n01\"\n> ▮")
}

func TestBlock(t *testing.T) {
	x := run(t, 40, 10)
	x.sees("> ▮")
	x.types("side {\r\r  a\r")
	x.sees("> side {\n.\n.   a\n. ▮")
	x.types(up + up + "b" + down + down + "}\r")
	x.sees("> side {\n. b\n.   a\n. }\nread \"side {\\nb\\n  a\\n}\"\n> ▮")
	x.types(up + "\x1b[D!") // the block comes back whole and can be edited
	x.sees("> side {\n. b\n.   a\n. !▮}")
	x.types("\r")
	x.sees("read \"side {\\nb\\n  a\\n!}\"\n> ▮")
	x.types("a\x1b\rb\r") // Alt-Enter starts a line in any text
	x.sees("read \"a\\nb\"\n> ▮")
	x.types("{\r" + ctrlD) // like the end of a pipe within a block
	x.sees("read \"{\"\n> ▮")
}

func TestPaste(t *testing.T) {
	var lines []string
	for i := range 200 {
		lines = append(lines, fmt.Sprintf("line %d of many", i))
	}
	block := "{\r\n" + strings.Join(lines, "\r\n") + "\r\n}\r\n"

	x := run(t, 40, 10, "PROMPT_TEST_HISTORY="+filepath.Join(t.TempDir(), "history"))
	x.sees("> ▮")
	x.types("\x1b[200~" + block + "\x1b[201~")
	x.sees(". line 199 of many\n. }▮")
	x.types("\r")
	x.sees("read 3293 bytes, 202 lines\n> ▮")
	x.types(up) // one entry, of which the end is visible
	x.sees(". line 199 of many\n. }▮")
	x.types(up + up + up + up + up + up + up + up + up + up + up + up) // the cursor moves up in it, and the screen scrolls along
	x.until("the line of the cursor", func(s *screen) bool {
		return strings.HasPrefix(s.String()[strings.LastIndex(s.String(), "\n. line 188"):], "\n. line 188 of many\n") && s.row == 0
	})
	x.types(ctrlC)
	x.sees("interrupted\n> ▮")

	// The same from a terminal that does not bracket pastes: line by line, and still one block.
	x.types(strings.ReplaceAll(block, "\n", ""))
	x.sees("read 3293 bytes, 202 lines\n> ▮")
}

func TestInterrupt(t *testing.T) {
	x := run(t, 40, 10)
	x.sees("> ▮")
	x.types("half a line" + ctrlC)
	x.sees("> half a line^C\ninterrupted\n> ▮")
	x.types("{\ra\r" + ctrlC)
	x.sees("> {\n. a\n. ^C\ninterrupted\n> ▮")
	x.types("whole\r") // nothing of what was typed before is left
	x.sees("read \"whole\"\n> ▮")
	x.types("a\t" + ctrlC) // while a list is shown
	x.sees("> att^C\ninterrupted\n> ▮")
	x.types(ctrlR + "w" + ctrlC) // while searching
	x.sees("interrupted\n> ▮")
	x.types(ctrlD)
	x.ends("<nil>")
}

func TestEnd(t *testing.T) {
	x := run(t, 40, 10)
	x.sees("> ▮")
	x.types("ab" + left + ctrlD) // deletes: the line is not empty
	x.sees("> a▮")
	x.types(ctrlD + ctrlD + "c") // nothing is left to delete, and the input does not end
	x.sees("> ac▮")
	x.types("\x15" + ctrlD)
	x.until("the end", func(s *screen) bool { return strings.HasSuffix(s.String(), "end\n▮") })
	x.ends("<nil>")
}

func TestHistory(t *testing.T) {
	file := "PROMPT_TEST_HISTORY=" + filepath.Join(t.TempDir(), "new", "history")
	x := run(t, 40, 10, file)
	x.sees("> ▮")
	x.types("first\r")
	x.sees("read \"first\"\n> ▮")
	x.types("{\r}\r")
	x.sees("read \"{\\n}\"\n> ▮")
	x.types("{\r}\r") // the same text twice is one entry
	x.sees("read \"{\\n}\"\n> ▮")
	x.types(ctrlD)
	x.ends("<nil>")

	x = run(t, 40, 10, file)
	x.sees("> ▮")
	x.types("begun" + up)
	x.sees("> {\n. }▮")
	x.types(up + up) // within the block, then before it
	x.sees("> first▮")
	x.types(up + " again") // there is nothing before it
	x.sees("> first again▮")
	x.types(down)
	x.sees("> {\n. }▮")
	x.types(down)
	x.sees("> begun▮")
	x.types(up + up + up + "\r") // edited entries are as they were left
	x.sees("read \"first again\"\n> ▮")
	x.types(up)
	x.sees("> first again▮")
	x.types(up)
	x.sees("> {\n. }▮")
	x.types(ctrlC)
	x.sees("interrupted\n> ▮")

	x = run(t, 40, 10, file, "PROMPT_TEST_FORGET=yes") // a question has no history
	x.sees("> ▮")
	x.types(up + ctrlR + "f")
	x.sees("> ▮\nsearch: f (nothing found)")
	x.types("\x1b")
	x.sees("> ▮")
	x.types("kept\r")
	x.sees("read \"kept\"\n> ▮")

	x = run(t, 40, 10, file)
	x.sees("> ▮")
	x.types(up)
	x.sees("> first again▮")
}

func TestSearch(t *testing.T) {
	x := run(t, 40, 10)
	x.sees("> ▮")
	x.types(ctrlR) // the library crashes at this
	x.sees("> ▮\nsearch:")
	x.types("a" + ctrlR)
	x.sees("> ▮\nsearch: a (nothing found)")
	x.types("\x07")
	x.sees("> ▮")
	x.types("Alia: charge\rBron: wait\rAlia: wait\r")
	x.sees("read \"Alia: wait\"\n> ▮")
	x.types("mine" + ctrlR + "alia")
	x.sees("> ▮Alia: wait\nsearch: alia")
	x.types(ctrlR)
	x.sees("> ▮Alia: charge\nsearch: alia")
	x.types("\x7f\x7f\x7f\x7fwait" + ctrlR)
	x.sees("> Bron: ▮wait\nsearch: wait")
	x.types("x")
	x.sees("> Bron: ▮wait\nsearch: waitx (nothing found)")
	x.types("\x07") // as before the search
	x.sees("> mine▮")
	x.types(ctrlR + "bron" + "\x05!") // go to the end of the line that was found
	x.sees("> Bron: wait!▮")
	x.types(ctrlC + ctrlR + "char\r")
	x.sees("read \"Alia: charge\"\n> ▮")
}

func TestResize(t *testing.T) {
	x := run(t, 40, 10)
	x.sees("> ▮")
	x.types("before\r")
	x.sees("read \"before\"\n> ▮")
	long := strings.Repeat("0123456789", 9)
	x.types(long + left + left)
	x.sees("> 0123456789012345678901234567890123456\n789012345678901234567890123456789012345\n678901234567▮89")
	x.resize(30, 10)
	x.sees("> before\nread \"before\"\n> 012345678901234567890123456\n78901234567890123456789012345\n67890123456789012345678901234\n567▮89")
	x.resize(100, 10)
	x.sees("> before\nread \"before\"\n> 0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567▮89")
	x.resize(8, 6)
	x.resize(60, 8)
	x.types("\x05.")
	x.until("the end of the line", func(s *screen) bool {
		return strings.HasSuffix(s.String(), "\n789012345678901234567890123456789.▮")
	})
	x.types("\r")
	x.sees("456789012345678901234567890123456789.\"\n> ▮")
}

func (x *terminalTest) resize(columns, rows int) {
	x.Helper()
	x.mu.Lock()
	x.screen.resize(columns, rows)
	x.mu.Unlock()
	x.control(func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(rows), Col: uint16(columns)})
	})
}

func TestWide(t *testing.T) {
	x := run(t, 12, 8, "PROMPT_TEST_TEXT=\x1b[1m鬼\x1b[0m> ")
	x.sees("鬼> ▮")
	x.types("ab火火火🐉") // the last character does not fit after them
	x.sees("鬼> ab火火\n火🐉▮")
	x.types(left + left + left)
	x.sees("鬼> ab火▮火\n火🐉")
	x.types("\x7f\x7f")
	x.sees("鬼> a▮火火🐉")
	x.types("\x15e\u0301o\u0308" + left) // letters with combining marks
	x.sees("鬼> e\u0301▮o\u0308火火\n🐉")
	x.types("\x7f" + "\x1b[3~" + "\r")
	x.sees("read \"火火🐉\n\"\n鬼> ▮")
}

func TestPrint(t *testing.T) {
	x := run(t, 20, 10)
	x.sees("> ▮")
	x.types("a line that is longer than one row" + left)
	x.sees("> a line that is lo\nnger than one ro▮w")
	x.signal(syscall.SIGUSR1)
	x.sees("news\n> a line that is lo\nnger than one ro▮w")
	x.types("\x15a\t")
	x.signal(syscall.SIGUSR1)
	x.sees("news\nnews\n> att▮w\nattack  strike a...\nattend")
	x.types("\r")
	x.sees("> attw\nread \"attw\"\n> ▮")
}

func TestCloseWhileReading(t *testing.T) {
	for _, typed := range []string{"", "half", "{\rhalf", ctrlR + "x"} {
		x := run(t, 40, 10)
		x.sees("> ▮")
		if typed != "" {
			x.types(typed + "!")
			x.until("what was typed", func(s *screen) bool { return strings.Contains(s.String(), "!") })
		}
		x.signal(syscall.SIGUSR2)
		x.until("the end", func(s *screen) bool { return strings.HasSuffix(s.String(), "end\n▮") })
		x.ends("<nil>")
	}
}

func TestSignals(t *testing.T) {
	for s, status := range map[syscall.Signal]string{
		syscall.SIGINT:  "signal: interrupt",
		syscall.SIGTERM: "signal: terminated",
		syscall.SIGHUP:  "signal: hangup",
	} {
		if signal.Ignored(s) { // as under nohup: the program ignores the signal as well
			continue
		}
		x := run(t, 40, 10)
		x.sees("> ▮")
		x.types("half")
		x.sees("> half▮")
		x.signal(s)
		x.ends(status)
	}
}

// TestPanic: a panic in a function of the prompt surfaces in Read, after the terminal was restored.
func TestPanic(t *testing.T) {
	x := run(t, 80, 50)
	x.sees("> ▮")
	x.types("panic\r")
	x.ends("exit status 2")
	x.until("what happened", func(s *screen) bool { return strings.Contains(s.String(), "panic: asked to") })
}

// TestHangUp: half a line is not returned when the terminal goes away.
func TestHangUp(t *testing.T) {
	x := run(t, 40, 10)
	x.sees("> ▮")
	x.types("half")
	x.sees("> half▮")
	x.pty.Close()
	done := make(chan error, 1)
	go func() { done <- x.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(resultTimeout):
		t.Fatal("the program does not end")
	}
}

// TestSuspend needs a shell with job control as the program's parent.
func TestSuspend(t *testing.T) {
	x := runCommand(t, 40, 12, exec.Command("/bin/sh", "-mc", os.Args[0]+"; stty -a | grep -o '.icanon'; echo stopped; fg"))
	x.sees("> ▮")
	x.types("{\rhalf")
	x.sees("> {\n. half▮")
	x.types("\x1a")
	x.until("the shell, then the line again", func(s *screen) bool {
		return strings.Contains(s.String(), "\nstopped\n") && strings.HasSuffix(s.String(), "\n> {\n. half▮")
	})
	if sent := x.sent(); strings.Contains(sent, "-icanon") || !strings.Contains(sent, "icanon") {
		t.Errorf("the terminal was raw for the shell: %q", sent)
	}
	x.types("}\r")
	x.sees("read \"{\\nhalf}\"\n> ▮")
}

func TestLongLine(t *testing.T) {
	x := run(t, 80, 24)
	x.sees("> ▮")
	line := strings.Repeat("0123456789", 1000)
	x.types(line)
	x.until("the end of the line", func(s *screen) bool { return strings.HasSuffix(s.String(), "6789▮") })
	x.types("\r")
	x.sees("read 10000 bytes, 1 lines\n> ▮")
	x.types("\x1b[200~" + strings.Repeat("x", maxText+1) + "\x1b[201~")
	x.until("the error", func(s *screen) bool {
		return strings.HasSuffix(s.String(), "error "+ErrTooLong.Error()+"\n> ▮")
	})
	x.types("next\r")
	x.sees("read \"next\"\n> ▮")
}

// TestPlainTerminal: a terminal that cannot move its cursor gets prompts and no escape sequences.
func TestPlainTerminal(t *testing.T) {
	for _, setting := range []string{"TERM=dumb", "PROMPT_TEST_PLAIN=yes"} {
		x := run(t, 40, 20, setting, "PROMPT_TEST_TEXT=\x1b[1mgo\x1b[0m> ")
		x.sees("go> ▮")
		x.types("{\n")
		x.sees("go> {\n. ▮")
		x.types("a\n")
		x.sees("go> {\n. a\n. ▮")
		x.types("}\n")
		x.sees("read \"{\\na\\n}\"\ngo> ▮")
		x.types("half" + ctrlC)
		x.sees("interrupted\ngo> ▮")
		x.types("whole\n")
		x.sees("read \"whole\"\ngo> ▮")
		x.signal(syscall.SIGUSR1)
		x.sees("go>\nnews\ngo> ▮")
		x.signal(syscall.SIGUSR2)
		x.ends("<nil>")
		if sent := x.sent(); strings.Contains(sent, "\x1b") {
			t.Errorf("%s: escapes in %q", setting, sent)
		}
	}
}

// TestNoColor: the cursor moves, but nothing is colored.
func TestNoColor(t *testing.T) {
	for setting, colored := range map[string]bool{"NO_COLOR=1": false, "COLORTERM=": true} {
		x := run(t, 40, 20, setting, "PROMPT_TEST_TEXT=\x1b[1mgo\x1b[0m> ")
		x.sees("go> ▮")
		x.types("a\t")
		x.sees("attend")
		if got := strings.Contains(x.sent(), "\x1b[2m"); got != colored {
			t.Errorf("%s: what a candidate is about is dim: %v", setting, got)
		}
		if got := strings.Contains(x.sent(), "\x1b[1m"); got != colored {
			t.Errorf("%s: the prompt is bold: %v", setting, got)
		}
	}
}
