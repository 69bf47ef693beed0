// Command arbiter runs, checks, formats, tests and explains fights that are written in the language of Arbiter.
//
// It is thin: each subcommand, one file each, parses its flags, calls the packages that do the work, and prints.
// It hands the embedded rulesets to them and must never know what a ruleset says.
package main

import (
	"os"
	"os/signal"
)

func main() {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	go func() {
		<-interrupts
		os.Exit(interrupted)
	}()
	os.Exit(Main(os.Args[1:], os.Stdout, os.Stderr))
}
