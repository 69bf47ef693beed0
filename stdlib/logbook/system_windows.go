package logbook

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lock reports whether someone else holds the lock. It locks one byte far beyond the end, since others cannot read a
// locked byte.
func lock(f *os.File) (held bool, err error) {
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	return errors.Is(err, windows.ERROR_LOCK_VIOLATION), err
}

func holder(*os.File) int { return 0 }

// syncDir has nothing to do: a directory cannot be synced, and its changes are journaled.
func syncDir(string) error { return nil }

func isFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

func isReadOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }
