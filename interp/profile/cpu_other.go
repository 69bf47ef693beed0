//go:build !unix

package profile

import "time"

var begun = time.Now()

// cpuTime is the time since the program began, where that of its processors is not known.
func cpuTime() time.Duration { return time.Since(begun) }
