//go:build unix

package cluster

import (
	"os"
	"syscall"
	"time"
)

// stopProcess lets a process stand still, and continueProcess lets it go on.
func stopProcess(p *os.Process)     { _ = p.Signal(syscall.SIGSTOP) }
func continueProcess(p *os.Process) { _ = p.Signal(syscall.SIGCONT) }

// cpuTime is how long processors have worked for this process.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
