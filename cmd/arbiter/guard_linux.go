package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"syscall"
)

// This file keeps what Go's runtime prints from a user. Where memory is limited by the shell, an allocation may fail in
// the middle of anything, and the runtime then ends the process with its own words. So the command runs in a process of
// its own there, and this one reads its standard error.

// guarded is set in the environment of the process that does the work.
const guarded = "ARBITER_GUARDED"

// leastAddresses is the address space without which Go's runtime may not even begin. It reserves much more than it uses.
const leastAddresses = 1792 << 20

// runtimeWords begin the lines that the runtime prints when it gives up.
var runtimeWords = [][]byte{[]byte("fatal error: "), []byte("runtime: "), []byte("runtime/cgo: "), []byte("SIGABRT: ")}

// guard runs the command in another process if memory is limited, and returns its exit status.
func guard() (status int, done bool) {
	var limit syscall.Rlimit
	if os.Getenv(guarded) != "" || syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil || limit.Cur >= 1<<62 {
		return 0, false
	}
	if limit.Cur < leastAddresses {
		fmt.Fprintf(os.Stderr, "arbiter: out of memory: it needs %d MiB of addresses, and the shell allows it %d MiB; `ulimit -v` shows and sets this\n", leastAddresses>>20, limit.Cur>>20)
		return exitIOError, true
	}
	path, err := os.Executable()
	if err != nil {
		return 0, false
	}
	worker := &exec.Cmd{Path: path, Args: os.Args, Env: append(os.Environ(), guarded+"=1"), Stdin: os.Stdin, Stdout: os.Stdout}
	said, err := worker.StderrPipe()
	if err != nil || worker.Start() != nil {
		return 0, false
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for s := range signals {
			if s != os.Interrupt { // the terminal sends that to both
				_ = worker.Process.Signal(s) // it may have ended
			}
		}
	}()
	failed := passOn(os.Stderr, said)
	err = worker.Wait()
	if failed {
		_, _ = os.Stderr.WriteString(fmt.Sprintf("arbiter: out of memory: the shell allows it %d MiB; `ulimit -v` shows and sets this\n", limit.Cur>>20))
		return exitIOError, true
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		if by, ok := exit.Sys().(syscall.WaitStatus); ok && by.Signaled() {
			return 128 + int(by.Signal()), true
		}
		return exit.ExitCode(), true
	}
	return 0, true
}

// passOn copies what a process says, up to where Go's runtime begins to speak, and reports whether it did.
func passOn(to io.Writer, from io.Reader) (failed bool) {
	in := bufio.NewReader(from)
	begun := true // a line begins here
	for {
		line, err := in.ReadSlice('\n')
		failed = failed || begun && slices.ContainsFunc(runtimeWords, func(w []byte) bool { return bytes.HasPrefix(line, w) })
		if !failed {
			_, _ = to.Write(line) // nowhere else to complain
		}
		begun = bytes.HasSuffix(line, []byte("\n"))
		if err != nil && err != bufio.ErrBufferFull {
			return failed
		}
	}
}
