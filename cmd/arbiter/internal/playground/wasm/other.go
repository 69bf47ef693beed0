//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "this program runs in a browser: `arbiter studio --export DIR` builds it for one")
	os.Exit(2)
}
