//go:build !(js || darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package logbook

import (
	"errors"
	"os"
)

// Without a lock a logbook can only be read.
func lock(*os.File) (held bool, err error) { return false, errors.ErrUnsupported }

func holder(*os.File) int { return 0 }

func syncDir(string) error { return errors.ErrUnsupported }

func isFull(error) bool { return false }

func isReadOnly(error) bool { return false }
