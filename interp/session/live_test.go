package session

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/check"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

// asker is an Asker that calls a function.
type asker func(q *Request) (int64, error)

func (a asker) Answer(q *Request) (int64, error) { return a(q) }

// live opens a script for interactive play.
func live(t testing.TB, src string, a Asker) *Live {
	t.Helper()
	return liveWith(t, src, a, Options{})
}

func liveWith(t testing.TB, src string, a Asker, o Options) *Live {
	t.Helper()
	s, diags, err := build.Source("test.encounter", []byte(src), quick)
	if err != nil || s.Rules == nil {
		t.Fatal(diags, err)
	}
	l, out := NewLive(s, o, a)
	if len(out.Failures) > 0 {
		t.Fatal(out.Failures)
	}
	return l
}

const liveDuel = `encounter "a duel" with srd35
creature duelist { base-attack: 5; full-hit-points: 30; strength: 14; main-weapon: longsword }
side left { duelist Alia }
side right { duelist Bron }
seed 3
`

// liveCommands are commands of the duel as typed by a user.
var liveCommands = []string{
	"begin", "attack Bron with longsword", "next turn", "attack Alia with longsword", "next turn", "let dear = Alia.hit-points", "attack Bron with longsword",
	"next turn", "note \"{{it} was {dear}\"", "Alia gains prone", "attack Alia with longsword", "next turn", "stand-up", "attack Bron with longsword", "set Bron.hit-points to 3", "fight on",
}

// Interactive play equals a script with the same statements: same transcript, same state.
func TestLiveIsTheScript(t *testing.T) {
	l := live(t, liveDuel, nil)
	var shown strings.Builder
	script := liveDuel
	for _, c := range liveCommands {
		typed := c
		if strings.HasPrefix(c, "attack") || c == "stand-up" {
			c = l.p.nameOf(int64(l.p.m.State().Order.Current())) + ": " + c
		}
		script += c + "\n"
		out := l.Do(typed)
		if len(out.Failures) > 0 || out.Err != nil {
			t.Fatal(c, out.Failures, out.Err)
		}
		shown.WriteString(out.Text)
	}
	if shown.String() != l.p.narrator.transcript() {
		t.Errorf("shown:\n%s\nthe transcript:\n%s", shown.String(), l.p.narrator.transcript())
	}
	s := opened(t, script)
	want := Play(s, s.File.Body, Options{})
	if want.Output != l.p.narrator.transcript() || want.Hash != fmt.Sprintf("%016x", l.Hash()) {
		t.Errorf("the script %s %v\n%s\nthe prompt %016x\n%s", want.Hash, want.Failures, want.Output, l.Hash(), l.p.narrator.transcript())
	}
}

// Every command can be undone, restoring the state, the transcript and the events before it, and redone; from any
// moment to any other.
func TestLiveUndo(t *testing.T) {
	l := live(t, liveDuel, nil)
	type was struct {
		hash   uint64
		text   string
		events int
	}
	at := func() was { return was{l.Hash(), l.p.narrator.transcript(), len(l.p.result.Events)} }
	states := []was{at()}
	do := func(c string) bool {
		out := l.Do(c)
		if out.Err != nil {
			t.Fatal(c, out.Err)
		}
		if len(out.Failures) > 0 {
			return false // someone has fallen meanwhile
		}
		states = append(states, at())
		return true
	}
	for range 12 { // enough that not all moments are kept
		for _, c := range liveCommands {
			do(c)
		}
		for _, c := range []string{"set Alia.hit-points to 30", "set Bron.hit-points to 30"} {
			if !do(c) {
				t.Fatal(c)
			}
		}
	}
	if len(states) < 110 {
		t.Fatalf("only %d commands", len(states)-1)
	}
	rand := rand.New(rand.NewPCG(1, 2))
	now := len(states) - 1
	for range 400 {
		if to := rand.IntN(len(states)); to < now {
			for last := max(to, now-5); now > last; now-- {
				if d, err := l.Undo(); d == nil || err != nil {
					t.Fatal(d, err)
				}
			}
		} else {
			for last := min(to, now+7); now < last; now++ {
				if out, err := l.Redo(); out == nil || err != nil {
					t.Fatal(out, err)
				}
			}
		}
		if got := at(); got != states[now] {
			t.Fatalf("at command %d: %v, was %v", now, got.hash, states[now].hash)
		}
	}
	for ; now > 0; now-- {
		if _, err := l.Undo(); err != nil {
			t.Fatal(err)
		}
	}
	if at() != states[0] {
		t.Error("not the beginning")
	}
	if d, _ := l.Undo(); d != nil {
		t.Error("there was nothing more to take back")
	}
}

// The Asker can go back to the previous question, and can abandon the command, in which case nothing has happened.
func TestLiveQuestions(t *testing.T) {
	var asked []string
	var say func(q *Request) (int64, error)
	l := live(t, liveDuel, asker(func(q *Request) (int64, error) {
		asked = append(asked, q.Label)
		return say(q)
	}))
	say = func(q *Request) (int64, error) { return q.Default, nil }
	l.Do("begin")
	hash := l.Hash()
	n := 0
	say = func(q *Request) (int64, error) {
		n++
		switch n {
		case 1:
			return 19, nil // a threat
		case 2:
			if text, _ := q.SoFar(); !strings.Contains(text, "19 + 7") {
				t.Errorf("shown before the second question: %q", text)
			}
			return 0, ErrBack
		case 3:
			if q.Label != "strike.to-hit" {
				t.Errorf("back at %s", q.Label)
			}
			return 15, nil
		}
		return 3, nil
	}
	out := l.Do("attack Bron with longsword")
	if len(out.Failures) > 0 || out.Err != nil || !strings.Contains(out.Text, "15 + 7 = 22") || strings.Contains(out.Text, "19 + 7") {
		t.Errorf("%+v", out)
	}
	if got := fmt.Sprint(asked[len(asked)-4:]); got != "[strike.to-hit strike.confirmation strike.to-hit strike.damage]" {
		t.Error(got)
	}
	l.Undo()
	if l.Hash() != hash {
		t.Error("not taken back")
	}
	for _, why := range []error{ErrDrop, ErrBack, errors.New("the lamp went out")} {
		say = func(q *Request) (int64, error) { return 0, why }
		out = l.Do("attack Bron with longsword")
		if l.Hash() != hash || out.Text != "" || len(out.Failures) > 0 || out.Dropped != (out.Err == nil) {
			t.Errorf("%v: %+v", why, out)
		}
	}
	say = func(q *Request) (int64, error) { return 99, nil }
	if out = l.Do("attack Bron with longsword"); out.Err == nil || l.Hash() != hash {
		t.Errorf("%+v", out)
	}
	// The last die is rolled again.
	n = 0
	say = func(q *Request) (int64, error) { n++; return []int64{0, 15, 3, 8}[n], nil }
	l.Do("attack Bron with longsword")
	_, err := l.Undo()
	out = l.Retry()
	if err != nil || !strings.Contains(out.Text, "1d8+2 (8) = 10") || l.Done() != 2 {
		t.Errorf("%+v %v", out, err)
	}
}

// memoryRecorder keeps notes in memory, and fails on demand.
type memoryRecorder struct {
	notes []Note
	fails error
}

func (k *memoryRecorder) Record(notes []Note) error {
	if k.fails == nil {
		k.notes = append(k.notes, notes...)
	}
	return k.fails
}

// Nothing is done that could not be recorded.
func TestLiveKeeps(t *testing.T) {
	l := live(t, liveDuel, asker(func(q *Request) (int64, error) { return q.Default, nil }))
	k := &memoryRecorder{}
	l.RecordTo(k)
	l.Do("begin")
	l.Do("attack Bron with longsword")
	l.Do("attack Cyra with longsword") // there is no Cyra: nothing is recorded
	l.Undo()
	l.Redo()
	got := ""
	for _, n := range k.notes {
		if n.Kind == "done" { // the hash of the state, which also depends on the rules
			n.Text = fmt.Sprint(len(n.Text), " digits")
		}
		got += n.Kind + " " + n.Text + "\n"
	}
	if want := `do begin
die Alia roll-initiative.initiative-check: 12 (by itself)
die Bron roll-initiative.initiative-check: 9 (by itself)
done 16 digits
do attack Bron with longsword
die Alia strike.to-hit: 14 (by itself)
die Alia strike.damage: 1 (by itself)
done 16 digits
undo 
redo 
`; got != want {
		t.Errorf("kept:\n%s", got)
	}
	hash := l.Hash()
	k.fails = errors.New("the disk is full")
	if out := l.Do("next turn"); !errors.Is(out.Err, k.fails) || out.Text != "" || l.Hash() != hash {
		t.Errorf("%+v", out)
	}
	if _, err := l.Undo(); !errors.Is(err, k.fails) || l.Hash() != hash {
		t.Error(err)
	}
	k.fails = nil
	if out := l.Do("next turn"); out.Err != nil || l.Hash() == hash {
		t.Errorf("%+v", out)
	}
}

// Declarations at the prompt can be used from then on; those that would change the past are refused.
func TestLiveDeclares(t *testing.T) {
	l := live(t, liveDuel, nil)
	l.AllowDeclarations(func(text []byte) (*build.Script, diag.List, error) {
		return build.Source("test.encounter", text, quick)
	})
	k := &memoryRecorder{}
	l.RecordTo(k)
	must := func(text string) {
		t.Helper()
		if out := l.Do(text); out.Err != nil || len(out.Failures) > 0 {
			t.Fatal(text, out.Err, out.Failures)
		}
	}
	must("begin")
	must("attack Bron with longsword")
	printed := l.p.narrator.transcript()
	must("creature ogre { full-hit-points: 40; size: large }\ncondition angry { +2 to attack-bonus }")
	if l.p.narrator.transcript() != printed || l.Done() != 2 {
		t.Error("the past has changed")
	}
	must("side right { ogre Brok }")
	must("Alia gains angry")
	must("next turn")
	if d, err := l.Undo(); d == nil || err != nil {
		t.Error(err)
	}
	for _, x := range []struct{ text, want string }{
		{"override strike.damage { let points = 1 }", "would have gone differently"},
		{"creature ogre { }", "ogre is declared twice"},
		{"condition odd {\n  +2 to attack-bonuss\n}", "there is no stat attack-bonuss"},
		{"creature elf { }; next turn", "this both declares and does something"},
		{"test \"later\" { next turn }", "a test belongs in a file of tests"},
	} {
		hash := l.Hash()
		out := l.Do(x.text)
		if len(out.Failures) == 0 || !strings.Contains(out.Failures[0].Message, x.want) && !strings.Contains(out.Failures[0].Message, "already happened") || l.Hash() != hash {
			t.Errorf("%s: %v", x.text, out.Failures)
		}
		if d := out.Failures[0]; x.text[:9] == "condition" && (d.File != prompt || d.Span.Start.Line != 2) {
			t.Errorf("%s:%d", d.File, d.Span.Start.Line)
		}
	}
	again := live(t, liveDuel, nil)
	again.AllowDeclarations(l.rebuild)
	if _, err := again.Replay(k.notes); err != nil || again.Hash() != l.Hash() {
		t.Error(err)
	}
}

// The ground can be changed and a creature moved, and both undone.
func TestLiveGround(t *testing.T) {
	l := live(t, `encounter "in the yard" with srd35
creature man { full-hit-points: 10 }
map """
  ......
  .A..B.
  ......
  """
side us { man Ann at "A" }
side them { man Bo at "B" }
begin
`, nil)
	expect := func(cond string) {
		t.Helper()
		e, _ := parse.Expression(prompt, cond)
		if v, ok := l.p.number(e, check.YesNo); !ok || v == 0 {
			t.Errorf("not so: %s", cond)
		}
	}
	expect("(3, 1) is not rubble and steps(Ann, Bo) = 3")
	hash := l.Hash()
	for _, c := range []string{"ground rubble at (3, 1), (3, 2)", "place Bo at (5, 2)", "ground none at (3, 1)"} {
		if out := l.Do(c); len(out.Failures) > 0 || out.Err != nil {
			t.Fatal(c, out.Failures)
		}
	}
	expect("(3, 1) is not rubble and (3, 2) is rubble and Bo.square = (5, 2) and steps(Ann, Bo) = 4")
	l.Undo()
	expect("(3, 1) is rubble and (3, 2) is difficult")
	l.Undo()
	expect("Bo.square = (4, 1)")
	l.Undo()
	expect("(3, 1) is not rubble and (3, 2) is not rubble")
	if l.Hash() != hash {
		t.Error("another state")
	}
	for range 3 {
		if _, err := l.Redo(); err != nil {
			t.Fatal(err)
		}
	}
	expect("(3, 2) is rubble and Bo.square = (5, 2)")
	hash = l.Hash()
	for _, c := range []string{"place Ann near (5, 2)", "side them { man Dee near (5, 2); man Eve near \"A\" }"} {
		if out := l.Do(c); len(out.Failures) > 0 || out.Err != nil {
			t.Fatal(c, out.Failures)
		}
	}
	expect("Ann.square = (5, 1) and Dee.square = (4, 2) and Eve.square = (1, 1)")
	l.Undo()
	l.Undo()
	if l.Hash() != hash {
		t.Error("another state")
	}
	for _, x := range []struct{ text, want string }{
		{"place Ann at (5, 2)", "Bo is there"},
		{"place Ann near (9, 9)", "is not on the map"},
		{"place Ann at (9, 9)", "is not on the map"},
		{"place Cyra at (1, 1)", "Cyra"},
		{"ground ruble at (1, 1)", "did you mean rubble?"},
		{"ground rubble at (1, 9)", "is not on the map"},
	} {
		if out := l.Do(x.text); len(out.Failures) != 1 || !strings.Contains(out.Failures[0].Message, x.want) {
			t.Errorf("%s: %v", x.text, out.Failures)
		}
	}
}
