package session

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"arbiter/interp/odds"
)

// Actions with more outcomes than anybody can count, each in its own way.
const countless = `encounter "odds" with d20
resource luck from 0 to 1000000000000 starts 0
kind creature { hoard: list of number = [] }
stat aim rolled as plain = level
creature man { level: 1 }
action six-dice {
  cost none
  let a = roll d20
  let b = roll d20
  let c = roll d20
  let d = roll d20
  let e = roll d20
  let f = roll d20
  self gains (a + 21*b + 441*c + 9261*d + 194481*e + 4084101*f) luck
}
action three-thousand {
  cost none
  let a = roll d1000
  let b = roll d1000
  let c = roll d1000
  self gains (a + 1001*b + 1002001*c) luck
}
action four-hundred {
  cost none
  let a = roll d100
  let b = roll d100
  let c = roll d100
  let d = roll d100
  self gains (a + 101*b + 10201*c + 1030301*d) luck
}
action checks with times: number {
  cost none
  let n = 0
  repeat times times {
    check aim dc 11 as k
    if k.success { set n to n + 1 }
  }
  self gains n luck
}
action hoards {
  cost none
  let l = each x in range(1, 5000)
  repeat 6 times {
    let r = roll d20
    set l to l + [r]
  }
  set hoard to l
}
action pool with times: number {
  cost none
  let n = roll (1d10 * times)
  self gains n luck
}
action one { cost none; let n = roll d20; self gains n luck }
side us { man Alia }
`

// The odds of a command either come out or exceed a limit: of steps, of work, or of memory. The message says which one,
// and about how many outcomes there are.
func TestCountlessOutcomes(t *testing.T) {
	for _, x := range []struct {
		command, about string // of an answer: the empty text
		limit          odds.Limit
	}{
		{"six-dice", "64,000,000", odds.MemoryLimit},
		{"three-thousand", "1,000,000,000", odds.MemoryLimit},
		{"four-hundred", "100,000,000", odds.MemoryLimit},
		{"hoards", "64,000,000", odds.MemoryLimit},
		{"checks with 2000", "10^2602", odds.StepLimit},
		{"checks with 40", "", 0},
		{"pool with 65000", "10^65000", odds.StepLimit},
		{"pool with 100", "", 0},
	} {
		o := odds.Options{Steps: 30_000, Memory: 4 << 20} // less memory than usual, so that this takes less time
		peak := uint64(0)
		o.OnProgress = func(_ bool, done, _ int) {
			if done%5_000 == 0 {
				var now runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&now)
				peak = max(peak, now.HeapAlloc)
			}
		}
		s := opened(t, countless)
		var before runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		_, diags, err := ComputeOdds(s, Options{}, "Alia: "+x.command, o)
		many := (*odds.TooManyError)(nil)
		switch {
		case len(diags) > 0:
			t.Fatal(diags)
		case x.about == "" && err != nil:
			t.Errorf("%s: %v", x.command, err)
		case x.about != "" && (!errors.As(err, &many) || many.Limit != x.limit || !strings.Contains(err.Error(), "about "+x.about)):
			t.Errorf("%s: %v", x.command, err)
		}
		if more := int(peak - before.HeapAlloc); peak > before.HeapAlloc && more > o.Memory*3/2 {
			t.Errorf("%s: %d bytes are held", x.command, more)
		}
	}
}

// Each limit of the odds, at it and below what is needed.
func TestLimitsOfOdds(t *testing.T) {
	for sides, want := range map[int]int{131_072: 131_072, 131_073: 131_073, 1_000_000: 0} { // of too many its totals are not listed first
		big := opened(t, fmt.Sprintf("encounter \"big\" with d20\nresource mana from 0 to 9 starts 9\naction try { cost none; let x = roll 1d%d; if x > 1 { self loses 1 mana } }\ncreature man { level: 1 }\nside us { man Alia }\n", sides))
		x, _, err := ComputeOdds(big, Options{}, "Alia: try", odds.Options{Steps: 500_000})
		if x == nil {
			x = &Chances{}
		}
		if got := x.Steps; got != want || err != nil && !strings.Contains(err.Error(), "too many outcomes") {
			t.Errorf("a die of %d sides: %d, %v", sides, got, err)
		}
	}
	s := opened(t, countless)
	try := func(o odds.Options) string {
		_, diags, err := ComputeOdds(s, Options{}, "Alia: one", o)
		return fmt.Sprint(diags, err)
	}
	if got := try(odds.Options{Steps: 20}); got != "[] <nil>" {
		t.Error(got)
	}
	if got := try(odds.Options{Steps: 19}); got != "[] too many outcomes, about 20: more than 19 steps from die to die" {
		t.Error(got)
	}
	least := 0
	for ; least < 1<<20 && try(odds.Options{Memory: least + 1}) != "[] <nil>"; least += 256 {
	}
	if least < 4096 || least > 1<<18 {
		t.Errorf("a die needs %d bytes", least)
	}
	if got := try(odds.Options{Memory: least - 256}); !strings.Contains(got, "MiB of memory") {
		t.Error(got)
	}
}

// How much a command may tell holds for each outcome by itself, not for all of them together.
func TestEventsOfOutcomes(t *testing.T) {
	for most, want := range map[int]string{1: "more than 1 events in one command", 20: "<nil>"} {
		l := live(t, strings.Replace(countless, "action one {", "action two { cost none; let a = roll d20; note \"{a}\"; let b = roll d20; self gains (a + 21*b) luck }\naction one {", 1), nil)
		l.p.m.Limits.Events, l.p.m.Limits.EventsPerCreature, l.p.m.Limits.Texts = most, 0, 100
		q, diags := l.question("Alia: two")
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		c, err := l.computeOdds([]*question{q}, odds.Options{Steps: 1000})
		if got := fmt.Sprint(err); !strings.Contains(got, want) || want == "<nil>" && (c == nil || c.Steps != 420) {
			t.Errorf("with %d events: %v", most, err)
		}
	}
}
