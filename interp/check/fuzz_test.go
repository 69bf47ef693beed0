package check_test

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzCheck checks that checking any small ruleset terminates without a panic, and that each diagnostic has a position.
func FuzzCheck(f *testing.F) {
	for _, pattern := range []string{"testdata/casebook/*.rules", "../../rules/*/*.rules", "../../spec/hard/*.rules"} {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			if src, err := os.ReadFile(path); err == nil && len(src) < 8<<10 {
				f.Add(string(src))
			}
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 8<<10 {
			return
		}
		for _, d := range diagnose("fuzzed.rules", []byte(src)) {
			if d.Code == "" || d.Message == "" || d.Span.End.Offset < d.Span.Start.Offset {
				t.Fatalf("%+v", d)
			}
		}
	})
}
