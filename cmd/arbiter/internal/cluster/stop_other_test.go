//go:build !unix

package cluster

import "os"

// stopProcess lets a process stand still where that is possible.
func stopProcess(*os.Process)     {}
func continueProcess(*os.Process) {}
