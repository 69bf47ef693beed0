// Package helpers is the standard helpers of Starlark: load("@arbiter//dice.star", "explode").
package helpers

import "embed"

// Files are the helpers, by their names behind @arbiter//.
//
//go:embed *.star
var Files embed.FS
