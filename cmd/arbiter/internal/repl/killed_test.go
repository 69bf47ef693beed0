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
	whole := newFight()
	whole.saveToDisk(t)
	p, err := whole.run(true, nil, slices.Clone(lines)...)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.questions) < 20 {
		t.Fatalf("only %d questions were asked: %q\n%s", len(p.questions), p.questions, &p.shown)
	}
	waited := 0
	for cut := range lines {
		first := newFight()
		d := first.saveToDisk(t)
		p, err := first.run(true, nil, slices.Clone(lines[:cut])...)
		if err != nil {
			t.Fatal(err)
		}
		again, pending := resumeAfterKill(t, d)
		if again.Hash() != first.Hash() || again.Transcript() != first.Transcript() {
			t.Fatalf("killed before line %d, %s: another state", cut, lines[cut])
		}
		next, err := again.run(true, pending, slices.Clone(lines[cut:])...)
		if err != nil {
			t.Fatal(err)
		}
		if pending != nil {
			waited++
			if last := p.questions[len(p.questions)-1]; len(next.questions) == 0 || next.questions[0] != last {
				t.Errorf("killed at %q, it asks %q", last, next.questions)
			}
			if !strings.Contains(next.shown.String(), "Resuming: "+oneLine(pending.Text)) {
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
	first := newFight()
	d := first.saveToDisk(t)
	if _, err := first.run(false, nil, "begin", ":dice ask", "attack Ann with longsword", "15"); err != nil {
		t.Fatal(err)
	}
	size := func(d *faulty.Disk) int { return len(d.Seen("x")) }
	before := size(d)
	for range 3 {
		again, pending := resumeAfterKill(t, d)
		if pending == nil || len(pending.Answers) != 1 {
			t.Fatalf("%+v", pending)
		}
		if p, err := again.run(false, pending); err != nil || len(p.questions) != 1 || !strings.Contains(p.questions[0], "strike.damage, d8") {
			t.Fatalf("%v %q", err, p.questions)
		}
	}
	if size(d) != before {
		t.Error("to look is to write")
	}
	again, pending := resumeAfterKill(t, d)
	hash := again.Hash()
	if p, err := again.run(false, pending, "drop"); err != nil || !strings.Contains(p.shown.String(), "Dropped; nothing was done.") {
		t.Fatal(err, &p.shown)
	}
	again, pending = resumeAfterKill(t, d)
	if pending != nil || again.Hash() != hash {
		t.Errorf("%+v", pending)
	}
}
