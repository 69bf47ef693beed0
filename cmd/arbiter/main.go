// Command arbiter runs, checks, formats, tests and explains fights written in the language of Arbiter.
//
// It is thin: each subcommand, in a file of its own, parses its flags, calls the packages that do the work, and prints.
// It passes the embedded rulesets to them and must never know what a ruleset says.
package main

import (
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	_ "arbiter/cmd/arbiter/internal/quiet" // before the libraries that print
)

// interrupts end the program, unless a command handles them: see stopCommandOnInterrupt.
var interrupts = make(chan os.Signal, 1)

func main() {
	runtime.MemProfileRate = 0 // nobody asks where memory was taken

	if status, done := guard(); done {
		os.Exit(status)
	}
	signal.Notify(interrupts, os.Interrupt)
	go func() {
		<-interrupts
		os.Exit(exitInterrupted)
	}()
	if os.Getenv("GOGC") == "" {
		collectLate()
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(640 << 20) // beyond that, garbage is collected sooner
	}
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// collectLate makes the first garbage collection wait until 40 MB are in use, which most commands never need, and the
// later ones until five times of what was left: what is built is small next to the garbage that building it leaves.
func collectLate() {
	debug.SetGCPercent(1000)
	runtime.AddCleanup(new([64]byte), func(percent int) { debug.SetGCPercent(percent) }, 400)
}

// stopCommandOnInterrupt makes Ctrl-C stop the running command of a prompt instead of the program; at the prompt the
// editor handles it. stopped reports whether Ctrl-C was pressed since it was last called.
func stopCommandOnInterrupt() (stopped func() bool, end func()) {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	signal.Stop(interrupts)
	stopped = func() bool {
		select {
		case <-stop:
			return true
		default:
			return false
		}
	}
	return stopped, func() { signal.Stop(stop) }
}

// stopWorkOnInterrupt makes Ctrl-C end long work early with a partial result: once it has been pressed, stopped keeps
// returning true. It is safe for concurrent use.
func stopWorkOnInterrupt() (stopped func() bool, end func()) {
	pressed, end := stopCommandOnInterrupt()
	var everPressed atomic.Bool
	return func() bool {
		if pressed() {
			everPressed.Store(true)
		}
		return everPressed.Load()
	}, end
}
