package session

import (
	"fmt"
	"strings"
	"testing"

	"arbiter/interp/odds"
)

// Undecided questions get their default, both where tactics play and where a script leaves them open.
func TestDefaults(t *testing.T) {
	const with = `encounter "x" with srd35
creature fighter { full-hit-points: 50; base-attack: 3; main-weapon: longsword; strength: 14 }
feat bold { rule offers before strike by self { self may "shout" %s { note "{self} shouts." } else { note "{self} is silent." } } }
feat wary { reaction ducks before strike to self %s { note "{self} ducks." } }
define creature.untouched = hit-points = 50
side left { fighter Alia { has bold } }
side right { fighter Bron { has wary } }
%s`
	for _, x := range []struct {
		offer, reaction string
		script          string
		shouts, ducks   bool
	}{
		{"", "", "Alia: strike Bron with longsword", false, true},
		{"", "", "fight on for 1 turns", true, true},
		{"by default when yes", "by default when yes", "Alia: strike Bron with longsword", true, true},
		{"by default when no", "by default when no", "fight on for 1 turns", false, false},
		{"by default when target is untouched", "by default when actor is untouched", "Alia: strike Bron with longsword", true, true},
		{"by default when target is not untouched", "by default when actor is not untouched", "Alia: strike Bron with longsword", false, false},
		{"by default when target is not untouched", "by default when self is not untouched", "Bron loses 1 hit-points\nfight on for 1 turns", true, true},
		{"by default when no", "by default when yes", "answer yes, no\nAlia: strike Bron with longsword", true, false},
	} {
		begin := ""
		if strings.Contains(x.script, "fight on") {
			begin = "seed 3\nset Alia.dexterity to 40\nbegin\n"
		}
		s := opened(t, fmt.Sprintf(with, x.offer, x.reaction, "seed 1\n"+begin+x.script+"\n"))
		p := Play(s, s.File.Body, Options{})
		if len(p.Failures) > 0 {
			t.Errorf("%v: %v", x, p.Failures)
		}
		if got := strings.Contains(p.Output, "Alia shouts."); got != x.shouts || got == strings.Contains(p.Output, "Alia is silent.") {
			t.Errorf("%v: Alia shouts: %v\n%s", x, got, p.Output)
		}
		if got := strings.Contains(p.Output, "Bron ducks."); got != x.ducks {
			t.Errorf("%v: Bron ducks: %v\n%s", x, got, p.Output)
		}
	}
}

// The same in interactive play, where the default is proposed.
func TestDefaultsAreProposed(t *testing.T) {
	const script = `encounter "x" with srd35
creature fighter { full-hit-points: 50; main-weapon: longsword }
feat bold { rule offers before strike by self { self may "shout" by default when target.hit-points > 20 { } } }
side left { fighter Alia { has bold } }
side right { fighter Bron }
seed 1
`
	for points, want := range map[int64]int64{20: 0, 21: 1} {
		var proposed []int64
		l := live(t, script+fmt.Sprintf("set Bron.hit-points to %d\n", points), asker(func(q *Request) (int64, error) {
			if !q.Die {
				proposed = append(proposed, q.Default)
			}
			return q.Default, nil
		}))
		l.Do("Alia: strike Bron with longsword")
		if len(proposed) != 1 || proposed[0] != want {
			t.Errorf("with %d left it is %v that is proposed, not %d", points, proposed, want)
		}
	}
}

// Exact odds list the reactions that are taken, and those that could be.
func TestReactionsCountedOut(t *testing.T) {
	const script = `encounter "x" with srd35
creature fighter { full-hit-points: 50; main-weapon: longsword }
feat wary { reaction ducks before strike to self by default when hit-points < 10 { note "{self} ducks." } }
side left { fighter Alia }
side right { fighter Bron { has wary } }
`
	for points, want := range map[int]string{9: "[Bron wary.ducks] []", 10: "[] [Bron wary.ducks]"} {
		c := countOut(t, script+fmt.Sprintf("set Bron.hit-points to %d\n", points), "Alia: attack Bron", odds.Options{})
		if got := fmt.Sprint(c.Reactions, c.Declined); got != want {
			t.Errorf("with %d left they are %s, want %s", points, got, want)
		}
	}
}
