package golden

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"arbiter/interp/compile"
)

// This file writes coverage in the format of LCOV, which editors and build servers read.

// LCOV returns the coverage of rulesets of one's own: a line counts as run as often as the test that ran most of it, and
// each condition is a block of two branches, first that it held.
func (r *Report) LCOV() []byte {
	type file struct {
		lines    map[int]int
		branches []*Branch
	}
	files := map[string]*file{}
	at := func(path string) *file {
		if files[path] == nil {
			files[path] = &file{lines: map[int]int{}}
		}
		return files[path]
	}
	for i := range r.Own {
		p := &r.Own[i]
		f := at(p.File)
		f.lines[p.Line] = max(f.lines[p.Line], len(p.Tests))
	}
	for i := range r.Branches {
		b := &r.Branches[i]
		f := at(b.File)
		f.lines[b.Line] = max(f.lines[b.Line], b.Yes, b.No)
		if b.Kind == compile.Condition {
			f.branches = append(f.branches, b)
		}
	}
	var out strings.Builder
	for _, path := range slices.Sorted(maps.Keys(files)) {
		f := files[path]
		fmt.Fprintf(&out, "TN:\nSF:%s\n", path)
		found, hit := 0, 0
		for i, b := range f.branches {
			for way, n := range []int{b.Yes, b.No} {
				taken := "-" // the condition was never tested
				if b.Yes+b.No > 0 {
					taken = fmt.Sprint(n)
				}
				if found++; n > 0 {
					hit++
				}
				fmt.Fprintf(&out, "BRDA:%d,%d,%d,%s\n", b.Line, i, way, taken)
			}
		}
		fmt.Fprintf(&out, "BRF:%d\nBRH:%d\n", found, hit)
		ran := 0
		for _, line := range slices.Sorted(maps.Keys(f.lines)) {
			fmt.Fprintf(&out, "DA:%d,%d\n", line, f.lines[line])
			if f.lines[line] > 0 {
				ran++
			}
		}
		fmt.Fprintf(&out, "LF:%d\nLH:%d\nend_of_record\n", len(f.lines), ran)
	}
	return []byte(out.String())
}
