package main

import (
	"errors"
	"fmt"
)

// The exit statuses.
const (
	done          = 0   // all is well
	scriptsFault  = 1   // the scripts have mistakes, or a test failed
	commandsFault = 2   // the command line makes no sense
	ioFault       = 3   // something could not be read or written
	interrupted   = 130 // by the user; the number is the shells' convention
)

// fault is an error that decides the exit status. When err is nil, its message has already been printed.
type fault struct {
	status int
	err    error
}

func (f *fault) Error() string {
	if f.err == nil {
		return "the scripts have mistakes"
	}
	return f.err.Error()
}

func (f *fault) Unwrap() error { return f.err }

// mistakes is returned by a command that has printed its diagnostics.
var mistakes = &fault{status: scriptsFault}

// misuse is a mistake in the command line.
func misuse(format string, args ...any) error {
	return &fault{commandsFault, fmt.Errorf(format, args...)}
}

// statusOf returns the exit status of an error. Commands mark their own errors. An unmarked error from the packages
// below them is trouble with files; those of the command-line parser have been marked as misuse.
func statusOf(err error) int {
	var f *fault
	switch {
	case err == nil:
		return done
	case errors.As(err, &f):
		return f.status
	}
	return ioFault
}
