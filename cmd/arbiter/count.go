package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// count is a flag for a large number, also written 10,000, 10_000, 10k, 1m or 1e6.
type count uint64

func (n *count) Type() string   { return "count" }
func (n *count) String() string { return fmt.Sprint(uint64(*n)) }

func (n *count) Set(text string) error {
	digits, times := strings.NewReplacer(",", "", "_", "").Replace(strings.ToLower(text)), 1.0
	if rest, ok := strings.CutSuffix(digits, "k"); ok {
		digits, times = rest, 1e3
	} else if rest, ok := strings.CutSuffix(digits, "m"); ok {
		digits, times = rest, 1e6
	}
	if whole, err := strconv.ParseUint(digits, 10, 64); err == nil && times == 1 {
		*n = count(whole)
		return nil
	}
	v, err := strconv.ParseFloat(digits, 64)
	notDecimal := strings.ContainsAny(digits, "xpin") // hexadecimal, infinity, not a number
	if v *= times; err != nil || notDecimal || v < 0 || v > 1<<53 || v != math.Trunc(v) {
		return strconv.ErrSyntax
	}
	*n = count(v)
	return nil
}
