package main

import (
	"runtime"
	"testing"

	"arbiter/interp/build"
	"arbiter/rules"
)

// Hundreds of files can be checked at once: what is kept of each is small, while the rules it is built with take some
// 30 MB.
func TestCheckKeepsNoRules(t *testing.T) {
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	check := func() checkResult {
		r := checkFile("../../examples/duel/srd35.encounter", build.Options{Library: rules.FS})
		if r.err != nil || len(r.diags) > 0 {
			t.Fatal(r.err, r.diags)
		}
		return r
	}
	check() // what all files share stays
	const files, limit = 4, 1 << 20
	before := heap()
	var kept []checkResult
	for range files {
		kept = append(kept, check())
	}
	if each := (heap() - before) / files; each > limit {
		t.Errorf("%d bytes are kept of each file, of which %d are too many", each, limit)
	}
	runtime.KeepAlive(kept)
}
