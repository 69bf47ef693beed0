//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package prompt

import "os"

// openTTY knows no way to wait for keys here: the system edits the lines.
func openTTY(in, out *os.File) device { return nil }

func (t *terminal) watch() (stop func()) { return func() {} }
