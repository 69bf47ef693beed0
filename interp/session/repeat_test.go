package session

import (
	"strings"
	"testing"
)

// Turns and expectations may stand in a script's `repeat` and `if`.
func TestRepeatedTurns(t *testing.T) {
	head := `encounter "x" with srd35
creature duelist { base-attack: 5; full-hit-points: 20 }
side a { duelist Ann }
side b { duelist Bo }
seed 4
begin
`
	s := source(t, head+"repeat 4 times { next turn }\nif current-round = 3 { expect Ann.hit-points = 20 } else { expect 1 = 2 }\n")
	if p := Play(s, s.File.Body, Options{}); len(p.Failures) > 0 || p.Rounds != 3 {
		t.Errorf("%d rounds, %v", p.Rounds, p.Failures)
	}
	s = source(t, head+"repeat 100000 times { next turn }\n")
	if p := Play(s, s.File.Body, Options{}); len(p.Failures) != 1 || !strings.Contains(p.Failures[0].Message, "at most 10000") {
		t.Errorf("%v", p.Failures)
	}
}
