//go:build !unix

package cluster

import (
	"os"
	"time"
)

// stopProcess lets a process stand still where that is possible.
func stopProcess(*os.Process)     {}
func continueProcess(*os.Process) {}

var started = time.Now()

// cpuTime is the time of the clock where that of the processors is not known.
func cpuTime() time.Duration { return time.Since(started) }
