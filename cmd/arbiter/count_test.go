package main

import "testing"

func TestCount(t *testing.T) {
	for text, want := range map[string]count{
		"7": 7, "10,000": 10_000, "10_000": 10_000, "10k": 10_000, "2.5K": 2500, "1m": 1e6, "1e6": 1e6, "18446744073709551615": 1<<64 - 1,
	} {
		var n count
		if err := n.Set(text); err != nil || n != want {
			t.Errorf("%s is %d, %v; want %d", text, n, err, want)
		}
	}
	for _, text := range []string{"", "-1", "k", "1.5", "0x10", "1e400", "nan", "inf", "many", "-2k", "1e16k"} {
		var n count
		if n.Set(text) == nil {
			t.Errorf("%q is taken for %d", text, n)
		}
	}
}
