//go:build unix

package term

import (
	"os"

	"golang.org/x/sys/unix"
)

// size returns the width of a terminal, and whether the stream is one.
func size(f *os.File) (width int, terminal bool) {
	w, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	return int(w.Col), true
}
