package check_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestHostile checks that sources made to exhaust the checker are checked in reasonable time.
func TestHostile(t *testing.T) {
	nest := func(n int, open, middle, end string) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
	}
	lines := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
			b.WriteByte('\n')
		}
		return b.String()
	}
	for name, body := range map[string]string{
		"is inside is":             "define a(foe) = " + nest(60, "foe is double(if ", "yes", " then 1 else 2)"),
		"in inside in":             "define a = " + nest(60, "1 in [", "2", "]"),
		"memories of memories":     "condition c of foe { keep n = 0 }\ndefine a(foe) = foe" + strings.Repeat(".c.foe", 60) + ".c.n",
		"quantifiers":              "define a = " + nest(60, "count x in creatures where (", "yes", ") > 1"),
		"a long chain of stats":    lines(20000, func(i int) string { return fmt.Sprintf("stat s%d = s%d", i, i+1) }),
		"a long chain of defines":  lines(20000, func(i int) string { return fmt.Sprintf("define s%d = s%d", i, i+1) }),
		"a long chain of options":  lines(20000, func(i int) string { return fmt.Sprintf("option s%d = s%d", i, i+1) }),
		"a long chain of things":   "kind box { n: number }\n" + lines(20000, func(i int) string { return fmt.Sprintf("box s%d extends s%d { }", i, i+1) }),
		"a long chain of includes": lines(20000, func(i int) string { return fmt.Sprintf("condition s%d { includes s%d }", i, i+1) }),
		"an enum of many":          "enum e: " + strings.TrimSuffix(strings.ReplaceAll(lines(50000, func(i int) string { return fmt.Sprintf("v%d,", i) }), "\n", " "), ", "),
		"a kind of many":           "kind k {\n" + lines(50000, func(i int) string { return fmt.Sprintf("f%d: number", i) }) + "}",
		"a stat of many":           "stat s {\n" + lines(50000, func(i int) string { return fmt.Sprintf("t%d: 1", i) }) + "}",
		"a table of many":          "table t by n {\n| n | v |\n" + lines(50000, func(i int) string { return fmt.Sprintf("| %d | 1 |", i) }) + "}",
		"many mistakes":            lines(5000, func(i int) string { return fmt.Sprintf("stat mistaken-%d = mistakes-%d", i, i*7) }),
		"many steps":               "procedure p {\n" + lines(20000, func(i int) string { return fmt.Sprintf("step s%d { let v%d = 1 }", i, i) }) + "}",
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			diagnose("hostile.rules", []byte("ruleset hostile\ndefine double(n: number) = n * 2\n"+body+"\n"))
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			} else {
				t.Log(took)
			}
		})
	}
}
