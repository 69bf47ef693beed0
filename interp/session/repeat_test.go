package session

import (
	"strings"
	"testing"
)

// Turns and expectations are allowed in a script's `repeat` and `if`.
func TestRepeatedTurns(t *testing.T) {
	head := `encounter "x" with srd35
creature duelist { base-attack: 5; full-hit-points: 20 }
side a { duelist Ann }
side b { duelist Bo }
seed 4
begin
`
	s := opened(t, head+"repeat 4 times { next turn }\nif current-round = 3 { expect Ann.hit-points = 20 } else { expect 1 = 2 }\n")
	if p := Play(s, s.File.Body, Options{}); len(p.Failures) > 0 || p.Rounds != 3 {
		t.Errorf("%d rounds, %v", p.Rounds, p.Failures)
	}
	s = opened(t, head+"repeat 100000 times { next turn }\n")
	if p := Play(s, s.File.Body, Options{}); len(p.Failures) != 1 || !strings.Contains(p.Failures[0].Message, "at most 10000") {
		t.Errorf("%v", p.Failures)
	}
}

// Tactics play the same fight turn by turn.
func TestTurnsByTactics(t *testing.T) {
	whole := opened(t, twoFighters+"fight on\n")
	want := Play(whole, whole.File.Body, Options{})
	turns := opened(t, twoFighters+"fight on for 1 turn\nexpect current-round = 1\nrepeat 100 times { if in-fight { fight on for 1 turn } }\n")
	got := Play(turns, turns.File.Body, Options{})
	if len(got.Failures) > 0 || got.Output != want.Output || got.Hash != want.Hash {
		t.Errorf("%v\n%s\nin one:\n%s", got.Failures, got.Output, want.Output)
	}
	three := opened(t, twoFighters+"fight on for 3 turns\nexpect current-round = 2\nfight on\n")
	if got := Play(three, three.File.Body, Options{}); len(got.Failures) > 0 || got.Hash != want.Hash {
		t.Error(got.Failures)
	}
	for _, until := range []string{
		"fight on until current-round = 2\nexpect current-round = 2\nfight on\n",
		"fight on until some c in creatures where c.hit-points < 40\nexpect in-fight and some c in creatures where c.hit-points < 40\nfight on\n",
		"fight on until 1 = 1\nexpect current-round = 1\nfight on until current-round > 2\nfight on\n",
		"fight on until no\n",
	} {
		s := opened(t, twoFighters+until)
		if got := Play(s, s.File.Body, Options{}); len(got.Failures) > 0 || got.Hash != want.Hash {
			t.Error(until, got.Failures)
		}
	}
	for _, bad := range []string{"fight on for 0 turns", "fight on for 100000 turns"} {
		s := opened(t, twoFighters+bad+"\n")
		if got := Play(s, s.File.Body, Options{}); len(got.Failures) != 1 || got.Failures[0].Code != "limit" {
			t.Error(got.Failures)
		}
	}
}
