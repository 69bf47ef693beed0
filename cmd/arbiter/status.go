package main

import (
	"errors"
	"fmt"
)

// The exit statuses.
const (
	exitOK          = 0   // all is well
	exitScriptError = 1   // the scripts have mistakes, or a test failed
	exitUsageError  = 2   // the command line makes no sense
	exitIOError     = 3   // something could not be read or written
	exitInterrupted = 130 // by the user; the number is the shells' convention
)

// exitError is an error that decides the exit status. When err is nil, its message has already been printed.
type exitError struct {
	status int
	err    error
}

func (f *exitError) Error() string {
	if f.err == nil {
		return "the scripts have mistakes"
	}
	return f.err.Error()
}

func (f *exitError) Unwrap() error { return f.err }

// errMistakes is returned by a command that has printed its diagnostics.
var errMistakes = &exitError{status: exitScriptError}

// usageError is a mistake in the command line.
func usageError(format string, args ...any) error {
	return &exitError{exitUsageError, fmt.Errorf(format, args...)}
}

// exitStatusOf returns the exit status of an error. Commands mark their own errors. An unmarked error from the packages
// below them is trouble with files; those of the command-line parser have been marked as misuse.
func exitStatusOf(err error) int {
	var f *exitError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &f):
		return f.status
	}
	return exitIOError
}
