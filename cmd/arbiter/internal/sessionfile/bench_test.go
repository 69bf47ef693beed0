package sessionfile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/rules"
	"arbiter/stdlib/logbook"
	"arbiter/stdlib/logbook/faulty"
)

// defaultAnswers answers with the default, and looks at nothing.
type defaultAnswers struct{}

func (defaultAnswers) Answer(q *session.Request) (int64, error) { return q.Default, nil }

func newSession(b *testing.B, name, text string) *session.Live {
	b.Helper()
	s, diags, err := build.Source(name, []byte(text), build.Options{Library: rules.FS})
	if err != nil || s.Rules == nil {
		b.Fatal(diags, err)
	}
	l, out := session.NewLive(s, session.Options{}, defaultAnswers{})
	if len(out.Failures) > 0 {
		b.Fatal(out.Failures)
	}
	return l
}

func mustDo(b *testing.B, l *session.Live, text string) {
	b.Helper()
	if r := l.Do(text); r.Err != nil || len(r.Failures) > 0 {
		b.Fatal(text, r.Err, r.Failures)
	}
}

// BenchmarkResume5000 resumes a session of 5,000 commands, from its file to the prompt: the rules are built, and
// everything is replayed. The limit is 2 s.
func BenchmarkResume5000(b *testing.B) {
	const commands = 5000
	l := newSession(b, "test.encounter", duel)
	d := new(faulty.Disk)
	f, err := Create(d, "x", duelHead)
	if err != nil {
		b.Fatal(err)
	}
	var notes []session.Note // several per entry, or the in-memory disk would be read once per command
	l.RecordTo(recorderFunc(func(n []session.Note) error { notes = append(notes, n...); return nil }))
	mustDo(b, l, "begin")
	for n := 1; n < commands; n++ {
		switch foe := map[string]string{"Alia": "Bron", "Bron": "Alia"}[l.Turn()]; n % 4 {
		case 0:
			mustDo(b, l, "next turn")
		case 1:
			mustDo(b, l, "attack "+foe+" with longsword")
		case 2:
			mustDo(b, l, "set "+foe+".hit-points to 300")
		case 3:
			mustDo(b, l, foe+" gains prone for 1 round")
		}
	}
	hash := l.Hash()
	for _, part := range groupByCommand(notes) {
		if err := f.Record(part); err != nil {
			b.Fatal(err)
		}
	}
	path := filepath.Join(b.TempDir(), "x")
	if err := os.WriteFile(path, d.Seen("x"), 0o666); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		f, head, notes, _, err := Open(logbook.Disk, path)
		if err != nil {
			b.Fatal(err)
		}
		l := newSession(b, head.Path, head.Script)
		if _, err := l.Replay(notes); err != nil || l.Hash() != hash || l.Done() != commands {
			b.Fatal(err)
		}
		f.Close()
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/resume")
}

type recorderFunc func([]session.Note) error

func (k recorderFunc) Record(n []session.Note) error { return k(n) }

// groupByCommand groups notes as they were saved: an entry for each command.
func groupByCommand(notes []session.Note) (list [][]session.Note) {
	for len(notes) > 0 {
		n := 1
		for n < len(notes) && notes[n].Kind != "do" {
			n++
		}
		list, notes = append(list, notes[:n]), notes[n:]
	}
	return list
}

// BenchmarkTurn plays a turn in a fight of 12 against 12 on a map, until it is saved in its file on a real disk and its
// events are ready to be shown. The limit is 50 ms, for every command and not for the mean.
func BenchmarkTurn(b *testing.B) {
	var text strings.Builder
	text.WriteString("encounter \"twelve against twelve\" with srd35\ncreature man { base-attack: 3; full-hit-points: 40; strength: 14; main-weapon: longsword }\n")
	text.WriteString("map \"\"\"\n" + strings.Repeat("  "+strings.Repeat(".", 30)+"\n", 16) + "  \"\"\"\n")
	for side, x := range []int{4, 24} {
		fmt.Fprintf(&text, "side side-%d {\n", side)
		for n := range 12 {
			fmt.Fprintf(&text, "  man %c%c at (%d, %d)\n", 'A'+side, 'a'+n, x+n%2, n+2)
		}
		text.WriteString("}\n")
	}
	text.WriteString("seed 5\n")
	l := newSession(b, "twelve.encounter", text.String())
	f, err := Create(logbook.Disk, filepath.Join(b.TempDir(), "x"), Head{Path: "twelve.encounter", Script: text.String()})
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	l.RecordTo(f)
	mustDo(b, l, "begin")
	var took []time.Duration
	for b.Loop() {
		if l.Decided() {
			b.StopTimer()
			for l.Done() > 1 {
				if _, err := l.Undo(); err != nil {
					b.Fatal(err)
				}
			}
			b.StartTimer()
		}
		began := time.Now()
		mustDo(b, l, "fight on for 1 turn")
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "ms/slowest")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms/99th")
}
