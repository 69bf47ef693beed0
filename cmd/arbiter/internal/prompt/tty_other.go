//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package prompt

import "os"

// openTTY returns nil: waiting for keys is not implemented here, so the system edits the lines.
func openTTY(in, out *os.File) device { return nil }

func (t *terminal) watch() (stop func()) { return func() {} }
