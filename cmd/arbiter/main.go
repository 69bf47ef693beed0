// Command arbiter runs, checks, formats, tests and explains fights that are written in the language of Arbiter.
//
// It is thin: each subcommand, one file each, parses its flags, calls the packages that do the work, and prints.
// It hands the embedded rulesets to them and must never know what a ruleset says.
package main

import (
	"os"
	"os/signal"
	"runtime/debug"
	"sync/atomic"
)

// interrupts end the program, unless a command takes them: see whileLeading.
var interrupts = make(chan os.Signal, 1)

func main() {
	signal.Notify(interrupts, os.Interrupt)
	go func() {
		<-interrupts
		os.Exit(interrupted)
	}()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200) // what is built is small beside what building it throws away
	}
	os.Exit(Main(os.Args[1:], os.Stdout, os.Stderr))
}

// whileLeading lets Ctrl-C leave a running command of a prompt, and not the program; at the prompt the editor sees to it.
// It gives a function that tells whether Ctrl-C came since it was last asked.
func whileLeading() (stopped func() bool, end func()) {
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

// untilStopped lets Ctrl-C end long work with what there is: once it was pressed, stopped says so for good, to whoever asks.
func untilStopped() (stopped func() bool, end func()) {
	asked, end := whileLeading()
	var was atomic.Bool
	return func() bool {
		if asked() {
			was.Store(true)
		}
		return was.Load()
	}, end
}
