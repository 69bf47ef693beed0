package repl

import (
	"slices"
	"strings"
	"testing"

	"arbiter/stdlib/logbook/faulty"
)

// A session that is killed at any time, even at a question, resumes as if nothing had happened: the same question is
// asked again, with the earlier answers and the same settings; and `back` reaches back to before the kill.
func TestKilledAtQuestions(t *testing.T) {
	lines := []string{
		":dice ask", "begin", "20", "", // the enter key takes what the seed rolls
		"attack Bo with longsword", "20", "back", "19", "17", "back", "18", "back", "back", "20", "1", "5", "6",
		":undo", ":redo", ":undo roll", "8",
		"next turn", "attack Ann with longsword", "^C", "attack Ann with longsword", "20", "drop", "attack Ann with longsword", "2",
		":dice seed", "let a = omen[2]", "0", "next turn",
		":dice 20 11", "attack Bo with longsword", "next turn",
		"choose by Ann {\n  \"stay\" { Ann gains prone }\n  \"go\" { note \"gone\" }\n}", "go",
		"choose by Ann {\n  \"stay\" { note \"stays\" }\n  \"go\" { note \"gone\" }\n}", "1", // the default, but given explicitly
		"Ann may \"shout\" { note \"hey\" } else { note \"silence\" }", "yes",
		":dice 4 9", ":auto us", "next turn", ":auto off", "attack Ann with longsword", ":dice ask", "fight on for 1 turn", "12",
	}
	whole := begun()
	whole.kept(t)
	p, err := whole.run(true, nil, slices.Clone(lines)...)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.asked) < 20 {
		t.Fatalf("only %d questions were asked: %q\n%s", len(p.asked), p.asked, &p.shown)
	}
	waited := 0
	for cut := range lines {
		first := begun()
		d := first.kept(t)
		p, err := first.run(true, nil, slices.Clone(lines[:cut])...)
		if err != nil {
			t.Fatal(err)
		}
		again, open := killed(t, d)
		if again.Hash() != first.Hash() || again.Transcript() != first.Transcript() {
			t.Fatalf("killed before line %d, %s: another state", cut, lines[cut])
		}
		next, err := again.run(true, open, slices.Clone(lines[cut:])...)
		if err != nil {
			t.Fatal(err)
		}
		if open != nil {
			waited++
			if last := p.asked[len(p.asked)-1]; len(next.asked) == 0 || next.asked[0] != last {
				t.Errorf("killed at %q, it asks %q", last, next.asked)
			}
			if !strings.Contains(next.shown.String(), "Resuming: "+oneLine(open.Text)) {
				t.Errorf("it does not say what it goes on with: %s", &next.shown)
			}
		}
		if again.Hash() != whole.Hash() || again.Transcript() != whole.Transcript() {
			t.Errorf("killed before line %d, %s, it comes to another end:\n%s\nnot\n%s", cut, lines[cut], again.Transcript(), whole.Transcript())
		}
	}
	if waited < 20 {
		t.Errorf("only %d kills were at a question", waited)
	}
}

// A session left at a question, by the end of the input, asks it again each time it is opened; once the command is
// dropped, it does not.
func TestLeftAtQuestion(t *testing.T) {
	first := begun()
	d := first.kept(t)
	if _, err := first.run(false, nil, "begin", ":dice ask", "attack Ann with longsword", "15"); err != nil {
		t.Fatal(err)
	}
	size := func(d *faulty.Disk) int { return len(d.Seen("x")) }
	before := size(d)
	for range 3 {
		again, open := killed(t, d)
		if open == nil || len(open.Answers) != 1 {
			t.Fatalf("%+v", open)
		}
		if p, err := again.run(false, open); err != nil || len(p.asked) != 1 || !strings.Contains(p.asked[0], "strike.damage, d8") {
			t.Fatalf("%v %q", err, p.asked)
		}
	}
	if size(d) != before {
		t.Error("to look is to write")
	}
	again, open := killed(t, d)
	hash := again.Hash()
	if p, err := again.run(false, open, "drop"); err != nil || !strings.Contains(p.shown.String(), "Dropped; nothing was done.") {
		t.Fatal(err, &p.shown)
	}
	again, open = killed(t, d)
	if open != nil || again.Hash() != hash {
		t.Errorf("%+v", open)
	}
}
