package session

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/program"
)

const endlessDuel = `encounter "Long" with srd35
creature brawler { level: 4; full-hit-points: 4000000; base-attack: 4; strength: 10; main-weapon: longsword }
side east { brawler Alia }
side west { brawler Bron }
seed 45
begin
`

// A run that forgets prints the same and ends in the same state as one that keeps everything.
func TestForgettingChangesNothing(t *testing.T) {
	s := opened(t, endlessDuel+"fight on for 40 rounds\nfight on for 40 rounds\nnote \"{Alia.hit-points}\"\n")
	var kept, forgot bytes.Buffer
	all := Play(s, s.File.Body, Options{Out: &kept})
	p := newPlayer(s, Options{Out: &forgot, Forgetful: true})
	p.bounds.kept, p.bounds.keptText = 200, 100
	p.run(s.File.Body)
	p.finish()
	if kept.String() != forgot.String() || kept.Len() < 10_000 || p.result.Hash != all.Hash || len(p.result.Failures) > 0 {
		t.Errorf("%d bytes and %s, with everything kept %d and %s: %v", forgot.Len(), p.result.Hash, kept.Len(), all.Hash, p.result.Failures)
	}
	if n := len(p.result.Events); n > 200 || n < 20 || len(all.Events) < 500 {
		t.Errorf("%d events of %d are kept", n, len(all.Events))
	}
	if n := len(p.narrator.output); n > 2000 {
		t.Errorf("%d bytes are kept", n)
	}
	for _, e := range p.result.Events {
		if e.Roll != "" {
			if x, err := p.explainThrow(e.Roll, 0); err != nil || x.Title != e.Text {
				t.Errorf("%s: %v %v", e.Roll, x, err)
			}
		}
	}
}

// What a run holds does not grow with its length.
func TestConstantMemory(t *testing.T) {
	held := func(rounds int) (bytes uint64) {
		s := opened(t, endlessDuel+fmt.Sprintf("fight on for %d rounds\n", rounds))
		p := newPlayer(s, Options{Out: io.Discard, Forgetful: true})
		p.bounds.kept, p.bounds.keptText = 500, 10_000
		p.run(s.File.Body)
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		runtime.KeepAlive(p)
		return m.HeapAlloc
	}
	held(10)
	if few, many := held(100), held(1500); many > few+few/20+1<<20 {
		t.Errorf("100 rounds hold %d KiB, 1500 rounds %d KiB", few>>10, many>>10)
	}
}

// A run that keeps everything ends before the command for which there is no room, with the state as before.
func TestRunBounds(t *testing.T) {
	const script = `encounter "chatter" with d20
creature man { level: 1 }
side us { man Alia }
resource breath from 0 to 1000 starts 1000
`
	for _, c := range []struct {
		b        bounds
		commands int
		want     string
	}{
		{bounds{events: 10}, 9, ""},
		{bounds{events: 10}, 10, ""},
		{bounds{events: 10}, 11, "more than 10 events in one run"},
		{bounds{text: 231}, 9, ""},
		{bounds{text: 231}, 10, ""},
		{bounds{text: 231}, 11, "the transcript of one run has more than 231 bytes"},
	} {
		s := opened(t, script+strings.Repeat("Alia loses 1 breath\n", c.commands))
		p := newPlayer(s, Options{})
		p.bounds = c.b
		p.run(s.File.Body)
		got, done := "", min(c.commands, 10)
		breath := int32(slices.IndexFunc(p.m.Program().Resources, func(r program.Resource) bool { return r.Name == "breath" }))
		if len(p.result.Failures) > 0 {
			got = p.result.Failures[0].Message
		}
		if left := p.m.Resource(0, breath); got != c.want || len(p.result.Failures) > 1 || left != int64(1000-done) {
			t.Errorf("%v, %d commands: %v, %d breath, %d bytes", c.b, c.commands, p.result.Failures, left, len(p.narrator.output))
		}
	}
}

// Of a long evening few moments are kept, and any can be gone back to, however much has been forgotten.
func TestLongEvening(t *testing.T) {
	l := live(t, strings.ReplaceAll(endlessDuel, "begin\n", ""), nil)
	l.p.bounds.kept = 50
	states := []uint64{l.Hash()}
	for i := range 3000 {
		c := []string{"begin", "attack Bron", "next turn", "attack Alia", "next turn"}
		text := c[0]
		if i > 0 {
			text = c[1+(i-1)%4]
		}
		if out := l.Do(text); len(out.Failures) > 0 || out.Err != nil || len(out.Events) == 0 && i%2 == 1 {
			t.Fatal(i, text, out)
		}
		states = append(states, l.Hash())
	}
	moments := 0
	for _, d := range l.done {
		if d.before != nil {
			moments++
		}
	}
	if moments > 3*nearMoments || moments < nearMoments {
		t.Errorf("%d moments are kept", moments)
	}
	if n := len(l.p.result.Events); n > 300 {
		t.Errorf("%d events are kept", n)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for n := 2990; n > 0; n -= random.IntN(n/2+1) + 1 {
		if err := l.UndoTo(n); err != nil || l.Hash() != states[n] {
			t.Fatalf("back to %d: %v", n, err)
		}
		if _, err := l.Redo(); err != nil || l.Hash() != states[n+1] {
			t.Fatalf("on to %d: %v", n+1, err)
		}
		if _, _, err := l.Explain("Alia.attack-bonus", 0); err != nil {
			t.Fatal(err)
		}
	}
}

// A fight that nobody wins is broken off after so many rounds.
func TestNobodyWins(t *testing.T) {
	s := opened(t, endlessDuel+"fight on\n")
	for rounds, o := range map[int]Options{7: {Rounds: 7}, defaultRounds: {}} {
		r := Play(s, s.File.Body, o)
		if r.Ended != fmt.Sprintf("Nobody has won after %d rounds", rounds) || r.Rounds != rounds+1 || len(r.Failures) > 0 {
			t.Errorf("%d rounds: %s, %d, %v", rounds, r.Ended, r.Rounds, r.Failures)
		}
	}
}
