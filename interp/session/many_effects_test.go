package session

import (
	"fmt"
	"strings"
	"testing"

	"arbiter/interp/machine"
)

// givers is a fight of n, who give effects as the action says.
func givers(n int, action string) string {
	return strings.Replace(strings.Replace(crowded("d20", n), "begin\n", "", 1), "creature man", `condition dazed { -1 to might }
condition blessed at level: number { +level to might }
condition noted at level: number
condition ticking at level: number { rule hurts every 1 hour { self gains dazed } }
condition wide { includes dazed; +1 to might }
condition counting at level: number { keep n = 1 }
stat might { base: 1 }
action give {
  cost none
  let x = 0
`+action+`
}
creature man`, 1) + "a0: give\n"
}

// What giving many effects costs grows with their number, not with its square: for four times as many a command is
// charged at most six times the steps. All that a creature has may end together.
func TestManyEffects(t *testing.T) {
	for name, c := range map[string]struct {
		action string // %d stands for a number
		after  string
	}{
		"of one kind":       {action: "for each k in range(1, %d) { self gains noted at (k) }"},
		"with modifiers":    {action: "for each k in range(1, %d) { self gains blessed at (k) }"},
		"the same":          {action: "for each k in range(1, %d) { self gains dazed }"},
		"for a time":        {action: "for each k in range(1, %d) { self gains noted at (k) for (k) rounds }"},
		"ending together":   {action: "for each k in range(1, %d) { self gains noted at (k) for 1 hour }", after: "pass 1 day\n"},
		"until a turn":      {action: "for each k in range(1, %d) { self gains noted at (k) until end of turn of self }", after: "pass 1 day\n"},
		"with rules":        {action: "for each k in range(1, %d) { self gains ticking at (k) }"},
		"including":         {action: "for each k in range(1, %d) { self gains wide until end of turn of self }"},
		"with memory":       {action: "for each k in range(1, %d) { self gains counting at (k) }"},
		"gained and lost":   {action: "for each k in range(1, %d) { self gains noted at 1; self loses noted }"},
		"to many creatures": {action: "for each c in creatures { for each k in range(1, %d / 100) { c gains noted at (k) } }"},
	} {
		steps := func(n int) int64 {
			s := opened(t, givers(20, fmt.Sprintf(c.action, n))+c.after)
			p := newPlayer(s, Options{})
			for _, cl := range s.File.Body {
				p.clause(cl)
			}
			if len(p.result.Failures) > 0 {
				t.Fatalf("%s: %v", name, p.result.Failures)
			}
			return machine.MaxSteps - p.m.State().Budget
		}
		few, many := steps(1000), steps(4000)
		if c.after != "" && many < machine.MaxSteps/4 {
			continue // of a list that ends from its front the rest is moved, which costs little for each
		}
		if many > 6*few || few < 1000 {
			t.Errorf("%s: a thousand cost %d steps, four thousand %d", name, few, many)
		}
	}
}

// More effects than a game or a creature has room for are refused, with the state as before.
func TestTooManyEffects(t *testing.T) {
	for _, c := range []struct {
		creatures int
		action    string
		want      string
	}{
		{2, "for each k in range(1, 4998) { self gains noted at (k) }", ""},
		{2, "for each k in range(1, 4999) { self gains noted at (k) }", ""},
		{2, "for each k in range(1, 5000) { self gains noted at (k) }", "more than 5000 effects on one creature, the last noted"},
		{5, "for each c in creatures { for each k in range(1, 3999) { c gains noted at (k) } }", ""},
		{6, "for each c in creatures { for each k in range(1, 4000) { c gains noted at (k) } }", "more than 20000 effects in one game, the last noted"},
		{1000, "for each c in creatures { for each k in range(1, 49) { c gains noted at (k) } }", ""},
		{1000, "for each c in creatures { for each k in range(1, 51) { c gains noted at (k) } }", "more than 50000 effects in one game, the last noted"},
	} {
		s := opened(t, givers(c.creatures, c.action))
		p := newPlayer(s, Options{})
		for _, cl := range s.File.Body[:len(s.File.Body)-1] {
			p.clause(cl)
		}
		before := p.m.State().Hash()
		p.clause(s.File.Body[len(s.File.Body)-1])
		got := ""
		if len(p.result.Failures) > 0 {
			got = p.result.Failures[0].Message
		}
		if got != c.want && !strings.HasPrefix(got, c.want+": ") || (p.m.State().Hash() == before) != (c.want != "") {
			t.Errorf("%d creatures, %s: %q, want %q", c.creatures, c.action, got, c.want)
		}
	}
}
