package profile

import (
	"bytes"
	"testing"

	pprof "github.com/google/pprof/profile"

	"arbiter/interp/build"
	"arbiter/interp/machine"
	"arbiter/interp/session"
	"arbiter/rules"
	"arbiter/stdlib/dice"
)

const duel = `encounter "two with axes" with srd35
creature axeman { base-attack: 2; full-hit-points: 12; strength: 15; main-weapon: greataxe; worn-armor: leather }
side left { axeman Alia }
side right { axeman Bron }
HOUSE
fight on
`

func trials(t *testing.T, house string) (*build.Script, *session.Trials) {
	t.Helper()
	src := bytes.ReplaceAll([]byte(duel), []byte("HOUSE\n"), []byte(house))
	s, diags, err := build.Source("duel.encounter", src, build.Options{Library: rules.FS})
	if err != nil || s.Rules == nil {
		t.Fatal(diags, err)
	}
	x, err := session.NewTrials(s, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s, x
}

func measure(t *testing.T, house string, fights uint64) (*Profiler, *session.Trials) {
	t.Helper()
	s, x := trials(t, house)
	f := New(s.Rules.Program)
	if done, err := f.Fights(x, Options{Seed: 3, Fights: fights}); err != nil || done != fights {
		t.Fatal(done, err)
	}
	return f, x
}

// counter counts instructions, and nothing else.
type counter struct{ n int64 }

func (c *counter) Instruction(*machine.Machine, int32)          { c.n++ }
func (c *counter) Enter(*machine.Machine, *machine.Evaluation)  {}
func (c *counter) Leave(*machine.Machine, int64)                {}
func (c *counter) Gained(m *machine.Machine, effect, who int32) {}

// TestSums adds up a profile in every way: by declaration, by line, by sample, and against a count of its own.
func TestSums(t *testing.T) {
	const fights = 20
	f, x := measure(t, "", fights)
	c := &counter{}
	x.Observe(c, machine.EveryInstruction)
	for n := range uint64(fights) {
		if _, err := x.Fight(dice.FightSeed(3, n)); err != nil {
			t.Fatal(err)
		}
	}
	r := f.Report()
	if c.n == 0 || r.Steps != c.n {
		t.Errorf("%d steps in the profile, %d were counted", r.Steps, c.n)
	}
	lines, most := int64(0), int64(0)
	for _, l := range r.Lines {
		lines += l.Steps
	}
	for _, d := range r.Declarations {
		most = max(most, d.Total)
		if d.Steps > d.Total || d.Time > d.TotalTime || d.Total > r.Steps || d.TotalTime > r.Time {
			t.Errorf("%s %s: %d steps of its own, %d with calls, of %d; %d ns of %d", d.Kind, d.Name, d.Steps, d.Total, r.Steps, d.Time, d.TotalTime)
		}
	}
	if lines != r.Steps {
		t.Errorf("%d steps in lines, %d in all", lines, r.Steps)
	}
	var file bytes.Buffer
	if err := f.Pprof().Write(&file); err != nil {
		t.Fatal(err)
	}
	p, err := pprof.Parse(&file)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.CheckValid(); err != nil {
		t.Error(err)
	}
	steps, spent, deep := int64(0), int64(0), 0
	for _, s := range p.Sample {
		steps, spent, deep = steps+s.Value[0], spent+s.Value[1], max(deep, len(s.Location))
	}
	if steps != r.Steps || spent != int64(r.Time) || deep < 4 {
		t.Errorf("samples of %d steps and %d ns, up to %d calls deep; the report has %d and %d", steps, spent, deep, r.Steps, r.Time)
	}
}

// TestSlowIsFirst makes a procedure ten times as slow as all else: it is found first, by steps, by time, and its line by
// line; the rest of the profile is as it was.
func TestSlowIsFirst(t *testing.T) {
	f, _ := measure(t, "", 10)
	before := f.Report()
	const slow = `override take-damage.soften {
  let wound = amount
  repeat 9000 times { let idle = 1 }
}
`
	f, _ = measure(t, slow, 10)
	r := f.Report()
	if r.Steps < 10*before.Steps {
		t.Fatalf("%d steps instead of %d: nothing was made slower", r.Steps, before.Steps)
	}
	if d := r.Declarations[0]; d.Kind != "procedure" || d.Name != "take-damage" {
		t.Errorf("the first is %s %s", d.Kind, d.Name)
	}
	if l := r.Lines[0]; l.File != "duel.encounter" || l.Line != 7 {
		t.Errorf("the first line is %s:%d", l.File, l.Line)
	}
	// Whatever else the computer does may take longer than ten fights.
	for try := 0; longest(r).Name != "take-damage"; try++ {
		if try == 5 {
			t.Fatalf("%s took the longest, %v of %v", longest(r).Name, longest(r).Time, r.Time)
		}
		f, _ = measure(t, slow, 10)
		r = f.Report()
	}
	rest := func(r *Report) (n int64) {
		for _, d := range r.Declarations {
			if d.Name != "take-damage" {
				n += d.Steps
			}
		}
		return n
	}
	if rest(r) != rest(before) {
		t.Errorf("everything else took %d steps, before %d", rest(r), rest(before))
	}
}

func longest(r *Report) (x Declaration) {
	for _, d := range r.Declarations {
		if d.Time > x.Time {
			x = d
		}
	}
	return x
}

// TestCompare times a script against itself, and against a slower version of it.
func TestCompare(t *testing.T) {
	_, a := trials(t, "")
	_, b := trials(t, "")
	_, c := trials(t, "override take-damage.soften {\n  let wound = amount\n  repeat 9000 times { let idle = 1 }\n}\n")
	same, err := Compare(a, b, Options{Seed: 1, Fights: 60})
	if err != nil {
		t.Fatal(err)
	}
	if same.Steps[0] != same.Steps[1] || same.Low > same.Ratio || same.Ratio > same.High || same.Fights != 60 || same.Rounds != 60 {
		t.Errorf("%+v", same)
	}
	slower, err := Compare(a, c, Options{Seed: 1, Fights: 60})
	if err != nil {
		t.Fatal(err)
	}
	if slower.Low < 1.2 || slower.Steps[1] < 10*slower.Steps[0] {
		t.Errorf("%+v", slower)
	}
}

// TestMedian compares the interval with tables of order statistics for the sign test.
func TestMedian(t *testing.T) {
	for _, c := range []struct{ n, low, high int }{{1, 1, 1}, {5, 1, 5}, {6, 1, 6}, {9, 2, 8}, {10, 2, 9}, {20, 6, 15}, {101, 41, 61}} {
		var s []float64
		for i := range c.n {
			s = append(s, float64(c.n-i))
		}
		mid, low, high := median(s)
		if low != float64(c.low) || high != float64(c.high) || mid != float64(c.n+1)/2 {
			t.Errorf("of %d: %v, from %v to %v", c.n, mid, low, high)
		}
	}
}
