// Package quiet drops what libraries print with the standard logger: users read what Arbiter says. It imports nothing
// else, so that it is initialized before the libraries, which may print while they are.
package quiet

import (
	"io"
	"log"
)

func init() { log.SetOutput(io.Discard) }
