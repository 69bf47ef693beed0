package session

import (
	"strings"
	"testing"
)

// A roll of the latest command can be overruled, by a face or by the desired result. Earlier dice keep their faces, and
// if it is impossible nothing changes.
func TestOverrule(t *testing.T) {
	const fight = `encounter "a duel" with srd35
creature duelist { base-attack: 1; full-hit-points: 50; main-weapon: club }
side left { duelist Alia }
side right { duelist Bron }
seed 3
begin
next turn of Alia
`
	for name, c := range map[string]struct {
		rules, before, roll string // the additional script, the command done, the roll
		v                   Verdict
		want, wrong         string // the new output, or the reason for the failure
	}{
		"the last die":                {"", "attack Bron with club", "", Verdict{Face: 6}, "1d6 = 6", ""},
		"by its name":                 {"", "attack Bron with club", "to-hit", Verdict{Face: 15}, "15 + 1 = 16", ""},
		"by its step":                 {"", "attack Bron with club", "strike.to-hit", Verdict{Face: 15}, "15 + 1 = 16", ""},
		"by its whole address":        {"", "attack Bron with club", "Alia strike.to-hit", Verdict{Face: 15}, "15 + 1 = 16", ""},
		"a success":                   {"", "attack Bron with club", "", Verdict{Success: true}, "9 + 1 = 10 against 10, hits", ""},
		"a failure":                   {"", "attack Bron with club", "to-hit", Verdict{}, "8 + 1 = 9 against 10, misses by 1", ""},
		"nothing done":                {"", "", "", Verdict{Face: 6}, "", "nothing has been rolled yet"},
		"nothing thrown":              {"", "note \"x\"", "", Verdict{Face: 6}, "", "rolled nothing"},
		"no such roll":                {"", "attack Bron with club", "bow", Verdict{Face: 6}, "", "did not roll bow, but Alia strike.to-hit"},
		"no such face":                {"", "attack Bron with club", "to-hit", Verdict{Face: 21}, "", "Alia strike.to-hit cannot show 21"},
		"a die that no check is for":  {"", "attack Bron with club", "damage", Verdict{Success: true}, "", "Alia strike.damage is not a check"},
		"what was scripted is no die": {"", "dice 12\nattack Bron with club", "to-hit", Verdict{Face: 2}, "", "did not roll to-hit"},
		"a check that always fails": {"override natural-rolls-decide-attacks = no\nset Bron.natural-armor to 90\n", "attack Bron with club", "", Verdict{Success: true},
			"", "no face makes Alia strike.to-hit"},
	} {
		t.Run(name, func(t *testing.T) {
			fight := strings.Replace(fight, "seed 3", c.rules+"seed 3", 1)
			l := live(t, fight, nil)
			for line := range strings.Lines(c.before) {
				if out := l.Do(line); len(out.Failures) > 0 {
					t.Fatal(out.Failures)
				}
			}
			hash, done := l.Hash(), l.Done()
			x, out, err := l.Overrule(c.roll, c.v)
			switch {
			case c.wrong != "":
				if err == nil || !strings.Contains(err.Error(), c.wrong) || l.Hash() != hash || l.Done() != done || l.Undone() != 0 {
					t.Fatalf("%+v %v, %d done, %d undone", x, err, l.Done(), l.Undone())
				}
			case err != nil || len(out.Failures) > 0 || !strings.Contains(out.Text, c.want) || l.Done() != done || l.Undone() != 0:
				t.Fatalf("%+v %+v %v", x, out, err)
			}
			// It can be undone from there.
			for l.Done() > 0 {
				if _, err := l.Undo(); err != nil {
					t.Fatal(err)
				}
			}
			if fresh := live(t, fight, nil); c.wrong == "" && fresh.Hash() != l.Hash() {
				t.Error("taken back, it is not what it was before")
			}
		})
	}
}
