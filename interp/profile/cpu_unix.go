//go:build unix

package profile

import (
	"syscall"
	"time"
)

// cpuTime is the time that the process has used on processors, which does not depend on what else the computer does.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
