package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/program"
	"arbiter/stdlib/spill"
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
	if n := p.narrator.output.Held(); n > 2000 {
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

// What interactive play holds does not grow with its length.
func TestConstantMemoryLive(t *testing.T) {
	held := func(commands int) (bytes uint64) {
		t.Run(fmt.Sprint(commands), func(t *testing.T) {
			l := spilling(t, spill.Temporary)
			l.p.bounds.kept = 500
			evening(t, l, commands)
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			bytes = m.HeapAlloc
			runtime.KeepAlive(l)
		})
		return bytes
	}
	held(100)
	if few, many := held(2500), held(8000); many > few+few/20+1<<20 {
		t.Errorf("2500 commands hold %d KiB, 8000 commands %d KiB", few>>10, many>>10)
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
			t.Errorf("%v, %d commands: %v, %d breath, %d bytes", c.b, c.commands, p.result.Failures, left, p.narrator.output.Len())
		}
	}
}

// evening plays a duel for so many commands, and returns the states and the warnings on its way.
func evening(t *testing.T, l *Live, commands int) (states []uint64, warnings []string) {
	t.Helper()
	states = []uint64{l.Hash()}
	for i := range commands {
		c := []string{"begin", "attack Bron", "next turn", "attack Alia", "next turn"}
		text := c[0]
		if i > 0 {
			text = c[1+(i-1)%4]
		}
		out := l.Do(text)
		if len(out.Failures) > 0 || out.Err != nil || len(out.Events) == 0 && i%2 == 1 {
			t.Fatal(i, text, out)
		}
		if out.Warning != "" {
			warnings = append(warnings, out.Warning)
		}
		states = append(states, l.Hash())
	}
	return states, warnings
}

// spilling is a duel that keeps little in memory and gives the rest to such files.
func spilling(t *testing.T, open func() (spill.File, error)) *Live {
	t.Helper()
	s := opened(t, strings.ReplaceAll(endlessDuel, "begin\n", ""))
	l, out := NewLive(s, Options{Spill: open}, nil)
	if len(out.Failures) > 0 {
		t.Fatal(out.Failures)
	}
	l.p.bounds.kept, l.p.bounds.spilled, l.p.bounds.commands = 50, 1000, 1000
	t.Cleanup(func() { l.Close() })
	return l
}

// What happened long ago is the same in a file as in memory.
func TestSpilledHistory(t *testing.T) {
	plain, spilled := spilling(t, nil), spilling(t, spill.Temporary)
	evening(t, plain, 400)
	states, warnings := evening(t, spilled, 400)
	if n, m := spilled.p.narrator.output.Held(), spilled.commands.bytes.Held(); n > 3000 || m > 3000 || len(warnings) > 0 {
		t.Errorf("%d bytes of the transcript and %d of the commands are in memory; %v", n, m, warnings)
	}
	same := func(when string) {
		t.Helper()
		a, errA := plain.Encounter()
		b, errB := spilled.Encounter()
		x, errX := plain.Log(500)
		y, errY := spilled.Log(500)
		if errA != nil || errB != nil || errX != nil || errY != nil || a != b || len(a) < 5000 || !slices.Equal(x, y) || plain.Hash() != spilled.Hash() {
			t.Fatalf("%s: %v %v %v %v\n%s\n%s", when, errA, errB, errX, errY, a, b)
		}
		for _, l := range []*Live{plain, spilled} {
			if n := l.Undone(); n != 400-l.Done() && n != 0 || len(l.View().Undone) != n {
				t.Fatalf("%s: %d done, %d undone, %v", when, l.Done(), n, l.View().Undone)
			}
		}
	}
	each := func(f func(l *Live)) {
		f(plain)
		f(spilled)
	}
	same("at the end")
	each(func(l *Live) {
		if err := l.UndoTo(37); err != nil || l.Hash() != states[37] {
			t.Fatal(err)
		}
	})
	same("far back")
	each(func(l *Live) {
		for range 363 {
			if out, err := l.Redo(); err != nil || len(out.Failures) > 0 {
				t.Fatal(out, err)
			}
		}
		if out, err := l.Redo(); out != nil || err != nil || l.Hash() != states[400] {
			t.Fatal(out, err)
		}
	})
	same("on to the end")
	each(func(l *Live) {
		if err := l.UndoTo(101); err != nil {
			t.Fatal(err)
		}
		for _, c := range []string{"attack Bron", "next turn", "attack Alia"} {
			do(t, l, c)
		}
	})
	same("another way")
}

// weakFile is a file that reads and writes only so often.
type weakFile struct {
	spill.File
	writes, reads int
}

func (f *weakFile) WriteAt(b []byte, at int64) (int, error) {
	if f.writes--; f.writes < 0 {
		return 0, errors.New("no space left on device")
	}
	return f.File.WriteAt(b, at)
}

func (f *weakFile) ReadAt(b []byte, at int64) (int, error) {
	if f.reads--; f.reads < 0 {
		return 0, errors.New("input/output error")
	}
	return f.File.ReadAt(b, at)
}

// Without a temporary file, or when it is full, a fight goes on in memory, and says so once.
func TestHistoryWithoutRoom(t *testing.T) {
	const always = 1 << 30
	for _, c := range []struct {
		name          string
		writes, reads int // -1: it cannot be opened
		want          string
	}{
		{"no folder", -1, 0, "no temporary file can hold it: no such folder"},
		{"full at once", 0, always, "no temporary file can hold it: no space left on device"},
		{"full later", 3, always, "no temporary file can hold it: no space left on device"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := spilling(t, func() (spill.File, error) {
				f, err := spill.Temporary()
				if c.writes < 0 || err != nil {
					return nil, errors.Join(errors.New("no such folder"), err)
				}
				return &weakFile{f, c.writes, c.reads}, nil
			})
			states, warnings := evening(t, l, 400)
			if len(warnings) != 1 || !strings.HasSuffix(warnings[0], c.want) {
				t.Errorf("%q", warnings)
			}
			for _, n := range []int{350, 20, 0} {
				if err := l.UndoTo(n); err != nil || l.Hash() != states[n] {
					t.Errorf("back to %d: %v", n, err)
				}
			}
		})
	}
	l := spilling(t, func() (spill.File, error) {
		f, err := spill.Temporary()
		return &weakFile{f, always, 0}, err
	})
	states, warnings := evening(t, l, 400)
	if _, err := l.Undo(); err != nil || l.Hash() != states[399] || len(warnings) > 0 {
		t.Error("one command back:", err, warnings)
	}
	if _, err := l.Encounter(); err == nil || !strings.Contains(err.Error(), "cannot be read from the temporary file: input/output error") {
		t.Error(err)
	}
	if _, err := l.Log(1000); err == nil {
		t.Error("the log is whole")
	}
	if !strings.HasPrefix(l.Transcript(), "Bron") && len(l.Transcript()) > 3000 {
		t.Errorf("%d bytes", len(l.Transcript()))
	}
}

// Of a long evening few moments are kept, and any can be gone back to, however much has been forgotten.
func TestLongEvening(t *testing.T) {
	l := spilling(t, spill.Temporary)
	states, _ := evening(t, l, 3000)
	if moments := len(l.commands.moments); moments > 3*nearMoments || moments < nearMoments {
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

// Commands that stay in memory because no file takes them are bounded like a transcript.
func TestCommandsBound(t *testing.T) {
	for _, over := range []int{-1, 0, 1} {
		l := spilling(t, nil)
		do(t, l, "begin")
		l.p.bounds.text = l.commands.bytes.Held() - over
		l.p.narrator.output = &spill.Bytes{}
		out := l.Do("attack Bron")
		if refused := over >= 0; refused != (len(out.Failures) > 0 && strings.HasPrefix(out.Failures[0].Message, "the commands of one run have more than ")) || l.Done() != map[bool]int{true: 1, false: 2}[refused] {
			t.Errorf("%+d: %v, %d done", over, out.Failures, l.Done())
		}
	}
}
