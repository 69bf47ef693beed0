package main

import (
	"fmt"
	"strconv"

	"arbiter/interp/sweep"
)

// count is a flag for a large number, also written 10,000, 10_000, 10k, 1m or 1e6.
type count uint64

func (n *count) Type() string   { return "count" }
func (n *count) String() string { return fmt.Sprint(uint64(*n)) }

func (n *count) Set(text string) error {
	v, ok := sweep.ParseCount(text)
	if !ok {
		return strconv.ErrSyntax
	}
	*n = count(v)
	return nil
}
