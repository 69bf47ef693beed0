package session

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// A fight replayed from its record, cut off at any entry, has the state it had then; a pending command continues with
// the answers it had.
func TestReplay(t *testing.T) {
	type state struct {
		notes int
		hash  uint64
		text  string
	}
	rand := rand.New(rand.NewPCG(4, 9))
	ask := asker(func(q *Request) (int64, error) {
		switch {
		case rand.IntN(2) == 0:
			if _, err := q.SoFar(); err != nil { // shown, and therefore recorded
				return 0, err
			}
			if rand.IntN(4) == 0 {
				return 0, ErrBack
			}
			if rand.IntN(8) == 0 {
				return 0, ErrDrop
			}
			if q.Die {
				return 1 + rand.Int64N(int64(q.Sides)), nil
			}
			return rand.Int64N(int64(len(q.Options))), nil
		}
		return q.Default, nil
	})
	l := live(t, liveDuel, ask)
	k := &memoryRecorder{}
	l.RecordTo(k)
	var states []state
	at := func() { states = append(states, state{len(k.notes), l.Hash(), l.p.narrator.transcript()}) }
	at()
	commands := append([]string{"set Alia.hit-points to 30", "set Bron.hit-points to 30"}, liveCommands...)
	for range 70 {
		switch c := commands[rand.IntN(len(commands))]; rand.IntN(7) {
		case 0:
			for range 1 + rand.IntN(3) {
				if _, err := l.Undo(); err != nil {
					t.Fatal(err)
				}
				at()
			}
			if _, err := l.Redo(); err != nil {
				t.Fatal(err)
			}
		default:
			if out := l.Do(c); out.Err != nil {
				t.Fatal(c, out.Err)
			}
		}
		at()
	}
	kinds := map[string]int{}
	for _, n := range k.notes {
		kinds[n.Kind]++
	}
	for _, kind := range []string{"do", "die", "choice", "back", "done", "dropped", "undo", "redo"} {
		if kinds[kind] == 0 && kind != "choice" {
			t.Errorf("no %s among %v", kind, kinds)
		}
	}
	for cut := 0; cut <= len(k.notes); cut += 1 + rand.IntN(3) {
		again := live(t, liveDuel, nil)
		open, err := again.Replay(k.notes[:cut])
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		var want *state
		for i := range states {
			if states[i].notes <= cut {
				want = &states[i]
			}
		}
		if open == nil && want.notes == cut && (again.Hash() != want.hash || again.p.narrator.transcript() != want.text) {
			t.Fatalf("cut at %d: another state", cut)
		}
		if open != nil && want.notes == cut {
			t.Fatalf("cut at %d: %q is said to be open", cut, open.Text)
		}
		if open != nil && cut%3 == 0 {
			rest := &memoryRecorder{}
			again.RecordTo(rest)
			if out := again.Continue(open); out.Err != nil || len(out.Failures) > 0 {
				t.Fatalf("cut at %d: %+v", cut, out)
			}
			third := live(t, liveDuel, nil)
			if _, err := third.Replay(append(append([]Note(nil), k.notes[:cut]...), rest.notes...)); err != nil || third.Hash() != again.Hash() {
				t.Fatalf("cut at %d, gone on and played again: %v", cut, err)
			}
		}
	}
}

// The replay of a record that does not fit reports where.
func TestReplayOfAnother(t *testing.T) {
	for _, x := range []struct{ notes, want string }{
		{"do begin|done 0000000000000000", "has a different result than before"},
		{"do begin|die Alia strike.to-hit: 3|done 0000000000000000", "entry 3, done 0000000000000000: Alia strike.to-hit was answered with 3; now the question is Alia roll-initiative.initiative-check"},
		{"do begin|die Alia roll-initiative.initiative-check: 99|done 0000000000000000", "was answered with 99"},
		{"do attack Cyra with longsword|done 0000000000000000", "was done, and now"},
		{"do begin|do begin", "entry 2, do begin: \"begin\" is not done yet"},
		{"done 0000000000000000", "no command has been started"},
		{"undo", "there is nothing to take back"},
		{"redo", "nothing has been taken back"},
		{"do begin|die what", "this is not an answer"},
		{"do begin|back 3", "there are 0 answers"},
		{"sing loudly", "there is no such kind of entry"},
	} {
		var notes []Note
		for _, n := range strings.Split(x.notes, "|") {
			kind, text, _ := strings.Cut(n, " ")
			notes = append(notes, Note{kind, text})
		}
		if _, err := live(t, liveDuel, nil).Replay(notes); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v\nwant %s", x.notes, err, x.want)
		}
	}
}

// A refused command leaves no trace in the numbering of texts and rolls: the record does not contain it.
func TestReplayAfterRefusal(t *testing.T) {
	l := live(t, liveDuel, nil)
	k := &memoryRecorder{}
	l.RecordTo(k)
	for _, c := range []string{
		"begin", "let lost = \"elm\"; let thrown = roll 1d4; attack Cyra with longsword", "let lost = \"elm\"; let thrown = roll 1d4; Bron: attack Alia with longsword",
		"let wood = \"oak\"", "let total = roll 3d6",
	} {
		if out := l.Do(c); out.Err != nil || strings.Contains(c, "lost") != (len(out.Failures) > 0) {
			t.Fatalf("%s: %+v", c, out)
		}
	}
	again := live(t, liveDuel, nil)
	if _, err := again.Replay(k.notes); err != nil || again.Hash() != l.Hash() {
		t.Error(err)
	}
}
