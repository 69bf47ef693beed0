package session_test

import (
	"os"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/rules"
)

// Whatever is listed as possible, is: the command that it makes is legal. What is not listed for a creature it can name
// is refused.
func TestPossible(t *testing.T) {
	for _, path := range []string{"../../examples/duel/srd35.encounter", "../../examples/duel/true20.encounter", "../../examples/ambush.encounter", "../../examples/ambush/starfinder.encounter"} {
		t.Run(path, func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			o := build.Options{Library: rules.FS}
			s, diags, err := build.Source(path, text, o)
			if err != nil || s.Rules == nil {
				t.Fatal(err, diags)
			}
			opening, _ := session.Opening(s.File, text)
			if s, _, err = build.Source(path, opening, o); err != nil {
				t.Fatal(err)
			}
			l, _ := session.NewLive(s, session.Options{}, nil)
			l.Do("begin")
			hash, checked, aimed := l.Hash(), 0, 0
			for _, x := range l.Possible(l.Turn()) {
				if x.More {
					continue
				}
				commands := []string{x.Action}
				word := strings.TrimSpace(x.Action + " " + x.Word)
				for _, target := range x.Targets {
					commands = append(commands, word+" "+target)
					aimed++
				}
				for i, at := range x.Squares {
					if i%9 == 0 {
						commands = append(commands, word+" "+session.SquareText(at))
						aimed++
					}
				}
				if len(commands) > 1 {
					commands = commands[1:]
				}
				for _, c := range commands {
					q, diags := l.Inquire(c)
					if len(diags) > 0 {
						continue // a value of another kind
					}
					if checked++; !q.Legal {
						t.Errorf("%s is listed, but %s", c, q.Why)
					}
				}
			}
			if checked < 8 || aimed < 3 || l.Hash() != hash {
				t.Errorf("%d commands, %d with a target, state %x was %x", checked, aimed, l.Hash(), hash)
			}
			if list := l.Possible("nobody"); len(list) > 0 {
				t.Error(list)
			}
		})
	}
}
