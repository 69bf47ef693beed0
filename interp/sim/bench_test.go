package sim

import (
	"os"
	"runtime"
	"slices"
	"testing"
	"time"
)

// BenchmarkWorkers plays the fight in the courtyard alternately with one worker and with two. It reports the fights per
// second of both, and the speedup: the median of all ratios, so that other load on the machine slows both alike.
func BenchmarkWorkers(b *testing.B) {
	if runtime.GOMAXPROCS(0) < 2 {
		b.Skip("there is one processor")
	}
	src, err := os.ReadFile("../session/testdata/courtyard.encounter")
	if err != nil {
		b.Fatal(err)
	}
	t := trials(b, string(src))
	const fights = 400
	var spent [3]time.Duration
	var ratios []float64
	for i := 0; b.Loop(); i++ {
		var took [3]time.Duration
		for workers := 1; workers <= 2; workers++ {
			began := time.Now()
			if _, err := run(t, Options{Seed: uint64(i), Fights: fights, Workers: workers}); err != nil {
				b.Fatal(err)
			}
			took[workers] = time.Since(began)
			spent[workers] += took[workers]
		}
		ratios = append(ratios, float64(took[1])/float64(took[2]))
	}
	slices.Sort(ratios)
	played := float64(fights * b.N)
	b.ReportMetric(played/spent[1].Seconds(), "fights/s")
	b.ReportMetric(played/spent[2].Seconds(), "fights/s-by-two")
	b.ReportMetric(ratios[len(ratios)/2], "x-one")
}
