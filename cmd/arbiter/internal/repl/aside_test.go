package repl

import (
	"slices"
	"strings"
	"testing"

	"arbiter/interp/session"
)

// asides are commands and questions that only show something.
var asides = []string{
	":status", ":map", ":map reach Ann", ":who Bo", ":order", ":inventory", ":story", "?Ann.armor-class against Bo", "?prone", ":explain Bo.attack-bonus", ":log 3",
	":replay", ":marks", ":look", ":help", "?", "?attack Bo with longsword", "?omen[2]", "?nonsense", ":nonsense", "status", ":undo 3", ":note x", ":with x", ":mark x", ":why not begin",
}

// Whatever is typed in place of an answer leaves the command as it is: the same state, transcript, record and
// explanations, at every question of a fight.
func TestAsidesChangeNothing(t *testing.T) {
	lines := []string{":dice ask", "begin", "12", "9", "attack Bo with longsword", "20", "19", "8", "8", "next turn", "attack Ann with longsword", "15", "4", ":dice seed", "next turn"}
	play := func(with []string) (*fight, string) {
		f := newFight()
		var typed []string
		for _, line := range lines {
			if len(with) > 0 && line[0] >= '0' && line[0] <= '9' {
				typed = append(typed, with...)
			}
			typed = append(typed, line)
		}
		console, err := f.run(true, nil, typed...)
		if err != nil {
			t.Fatal(err)
		}
		return f, console.shown.String()
	}
	plain, _ := play(nil)
	for _, with := range append([][]string{asides}, each(asides)...) {
		f, shown := play(with)
		if f.Hash() != plain.Hash() || f.Transcript() != plain.Transcript() {
			t.Fatalf("with %q:\n%s\nand without:\n%s\nshown:\n%s", with, f.Transcript(), plain.Transcript(), shown)
		}
		for i := range f.Done() {
			d, err := f.Command(i)
			p, plainErr := plain.Command(i)
			if err != nil || plainErr != nil || !slices.Equal(d.Answers, p.Answers) {
				t.Errorf("with %q, %s has other answers", with, d.Text)
			}
		}
		for _, roll := range []string{"strike.to-hit#1", "strike.damage#1"} {
			a, _, errA := f.Explain(roll, session.FullDepth)
			b, _, errB := plain.Explain(roll, session.FullDepth)
			if errA != nil || errB != nil || a.Text() != b.Text() {
				t.Errorf("with %q, %s is explained as\n%v\nand without\n%v", with, roll, a, b)
			}
		}
	}
}

func each(list []string) (out [][]string) {
	for _, x := range list {
		out = append(out, []string{x})
	}
	return out
}

// What can be typed in place of an answer, and what has to wait.
func TestAsides(t *testing.T) {
	for _, c := range []struct {
		typed []string
		shown []string
	}{
		{[]string{":undo 2"}, []string{":undo has to wait for the answer; `drop` cancels the command."}},
		{[]string{"?attack Bo"}, []string{"Refused: a command waits for its answer (answer first, then ask about another)"}},
		{[]string{":help"}, []string{"Now: the face rolled, 1 to 20; Enter for the one in brackets"}},
		{[]string{":dice seed"}, []string{"The dice are rolled by the seed.", "Round 1"}},
		{[]string{":dice 20 1"}, []string{"The next dice show 20 1.", "20 + 0 = 20", "1 + 0 = 1"}},
		{[]string{":quit"}, []string{"Left with a question still open."}},
		{[]string{"quit"}, []string{"Left with a question still open."}},
		{[]string{"21"}, []string{"the face rolled, 1 to 20"}},
	} {
		f := newFight()
		console, err := f.run(true, nil, append([]string{":dice ask", "begin"}, c.typed...)...)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.shown {
			if !strings.Contains(console.shown.String(), want) {
				t.Errorf("%q shows\n%s\nwithout %q", c.typed, console.shown.String(), want)
			}
		}
	}
}
