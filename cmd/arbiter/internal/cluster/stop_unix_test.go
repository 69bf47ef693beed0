//go:build unix

package cluster

import (
	"os"
	"syscall"
)

// stopProcess lets a process stand still, and continueProcess lets it go on.
func stopProcess(p *os.Process)     { _ = p.Signal(syscall.SIGSTOP) }
func continueProcess(p *os.Process) { _ = p.Signal(syscall.SIGCONT) }
