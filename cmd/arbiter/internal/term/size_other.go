//go:build !unix

package term

import "os"

// size reports whether the stream is a terminal; its width is unknown here.
func size(f *os.File) (width int, terminal bool) {
	info, err := f.Stat()
	return 0, err == nil && info.Mode()&os.ModeCharDevice != 0
}
