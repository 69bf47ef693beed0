package cluster

import (
	"context"
	"flag"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"arbiter/interp/piece"
)

var foundRuns = flag.Int("found", 12, "play so many sweeps with a liar, to see how often the liar is found")

// A worker that counts wrongly so many times is found as often as is stated; in any case its name is the only one that is
// named, and when it is found, the bytes are those of one process. It begins honestly: the first piece of each worker is
// always played again.
func TestLiarIsFoundAsOftenAsStated(t *testing.T) {
	const share, wrong = 0.2, 3
	jobs, files := example(t, "encounters duel.encounter\nfights 12", 1)
	right := want(t, jobs, files)
	c := local(t, t.TempDir(), 0)
	found := 0
	for n := range *foundRuns {
		s := begin(t, c, fmt.Sprint("found", n), jobs, files)
		ctx, end := context.WithCancel(t.Context())
		var all sync.WaitGroup
		play := func(w *Worker) {
			w.Program, w.Build, w.Cores = testProgram, testBuild(), 1
			wait, err := w.Start(ctx, c)
			if err != nil {
				t.Error(err)
				return
			}
			all.Go(func() { _ = wait() })
		}
		others := sync.OnceFunc(func() { play(&Worker{Name: "honest"}) }) // once the liar has lied often enough, or is found
		played := 0
		liar := &Worker{Name: "liar", Tamper: func(r *piece.Result) {
			if played++; played > 1+wrong {
				others()
			} else if played > 1 {
				r.Arms[0].Tally.Members[0].Down ^= 1
			}
		}}
		play(liar)
		err := s.Run(ctx, RunOptions{Build: testBuild(), Verify: share, Log: func(text string) {
			if !strings.Contains(text, liar.ID()) {
				t.Error(text)
			}
			others()
		}})
		end()
		all.Wait()
		if err != nil {
			t.Fatal(err)
		}
		switch got := sums(t, s); {
		case len(s.Distrusted) == 0 && string(got[0]) == string(right[0]):
			t.Error("nobody has lied")
		case len(s.Distrusted) > 0:
			found++
			compareSums(t, got, right)
		}
		if err := c.Remove(t.Context(), s.ID); err != nil {
			t.Fatal(err)
		}
	}
	stated, all := foundChance(share, wrong), float64(*foundRuns)
	off := (float64(found) - stated*all) / math.Sqrt(all*stated*(1-stated))
	t.Logf("found in %d of %d sweeps, %.1f %%; stated are %.1f %%; %+.1f standard errors", found, *foundRuns, 100*float64(found)/all, 100*stated, off)
	if math.Abs(off) > 4 {
		t.Error("that is not as stated")
	}
}
