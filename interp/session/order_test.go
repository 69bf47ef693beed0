package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/ir"
	"arbiter/rules"
)

// A deed is something by which a creature X changes its place in the order of turns, or somebody else's: what is
// typed, a line each. `next` is the next turn; Y is the creature after X in the order, Z the first one, or the second if
// X is the first; E and L are X and its ally, the earlier and the later one.
type deed struct {
	systems string
	script  string
	lost    string // what X loses by it in this round: the turn, if its place is the last
	given   bool   // somebody else is given a place, and so a turn, whether it is unaware or not
}

var deeds = map[string]deed{
	"nothing":           {systems: "modern srd35 starfinder true20 third", script: ""},
	"refocus":           {systems: "true20 third", script: "X: refocus"},
	"refocus with less": {systems: "true20 third", script: "set X.initiative-count to 60\nX acts at 60\nX: refocus"},
	"refocus twice":     {systems: "true20 third", script: "X: refocus\nnext\nnext turn of X\nX: refocus"},
	"delay":             {systems: "modern srd35 true20 third", script: "X: delay to (X.initiative-count - 5)"},
	"delay far":         {systems: "modern srd35 true20 third", script: "X: delay to (X.initiative-count - 10)"},
	"delay twice":       {systems: "modern srd35 third", script: "X: delay to (X.initiative-count - 1)\nnext turn of X\nX: delay to (X.initiative-count - 1)"},
	"delay and refocus": {systems: "true20 third", script: "X: delay to (X.initiative-count - 5)\nnext turn of X\nX: refocus"},
	"open delay":        {systems: "true20", script: "X: delay\nnext\nX: step-in"},
	"wait":              {systems: "starfinder", script: "X: delay", lost: "turn"},
	"hold":              {systems: "third", script: "X: hold", lost: "turn"},
	"ready":             {systems: "srd35 starfinder true20 third", script: "X: ready plan before total-defense by Y { total-defense }\nnext turn of Y\nY: total-defense"},
	"both ready":        {systems: "srd35 starfinder true20 third", script: "X: ready plan before total-defense by Y { total-defense }\nnext turn of Z\nZ: ready plan before total-defense by Y { total-defense }\nnext turn of Y\nY: total-defense"},
	"moved up":          {systems: "modern srd35 starfinder true20 third", script: "X acts at 99"},
	"moved down":        {systems: "modern srd35 starfinder true20 third", script: "X acts at -99"},
	"moved to its own":  {systems: "modern srd35 starfinder true20 third", script: "X acts at X.initiative-count, X.precedence, X.roll-off-total"},
	"another up":        {systems: "modern srd35 starfinder true20 third", script: "Y acts at 99"},
	"another down":      {systems: "modern srd35 starfinder true20 third", script: "Z acts at -99", given: true},
	"beside another":    {systems: "modern srd35 starfinder true20 third", script: "X acts after Y"},
	"before another":    {systems: "modern srd35 starfinder true20 third", script: "X acts before Z"},
	"riding":            {systems: "modern srd35 true20 third", script: "X gains riding upon Y"},
	"riding and off":    {systems: "modern srd35 true20 third", script: "X gains riding upon Y\nnext turn of X\nX loses riding"},
	"riding the first":  {systems: "modern srd35 true20 third", script: "X gains riding upon Z\nnext turn of Z"},
	"rider delays":      {systems: "modern srd35 true20 third", script: "X gains riding upon Y\nX: delay to (X.initiative-count - 5)"},
	"mount delays":      {systems: "modern srd35 true20 third", script: "Y gains riding upon X\nX: delay to (X.initiative-count - 5)"},
	"rider refocuses":   {systems: "true20 third", script: "X gains riding upon Y\nnext turn of X\nX: refocus"},
	"mount refocuses":   {systems: "true20 third", script: "Y gains riding upon X\nnext turn of X\nX: refocus"},
	"rider readies":     {systems: "srd35 true20 third", script: "X gains riding upon Z\nX: ready plan before total-defense by Y { total-defense }\nnext turn of Y\nY: total-defense"},
	"mount moved":       {systems: "modern srd35 true20 third", script: "X gains riding upon Y\nY acts at 99\nnext\nX acts at -99"},
	"combined attack":   {systems: "true20", script: "next turn of E\nE: delay\nnext turn of L\nL: combined-attack Y beside [E]"},
	"combined, delayed": {systems: "true20", script: "next turn of E\nE: delay\nnext turn of L\nL: delay\nnext\nL: step-in\nnext turn of L"},
	"out and in":        {systems: "modern srd35 starfinder true20 third", script: "place Z at none\nplace Z back\nZ acts at 1\nplace X at none\nplace X back\nX acts at 0", given: true},
}

// TestOneTurnARound: whatever moves a creature in the order, from first, middle and last place, alone and tied with all
// others, in an early and a late round, everybody has one turn in each round, and begins and ends it once.
func TestOneTurnARound(t *testing.T) {
	names := []string{"Ann", "Bo", "Cy", "Di"}
	fights := map[string]*build.Script{}
	for name, d := range deeds {
		for _, system := range strings.Fields(d.systems) {
			if fights[system] == nil {
				fights[system] = openedFight(t, system)
			}
			run := func(tied bool, place, round int, unaware ...string) {
				t.Run(fmt.Sprintf("%s/%s/place %d round %d tied %t unaware %v", name, system, place+1, round, tied, unaware), func(t *testing.T) {
					x, y, z, ally := names[place], names[(place+1)%4], names[0], (place+2)%4
					if place == 0 {
						z = names[1]
					}
					script := strings.NewReplacer("X", x, "Y", y, "Z", z, "E", names[min(place, ally)], "L", names[max(place, ally)]).Replace(d.script)
					playDeed(t, fights[system], tied, round, names, x, script, d.lost == "turn" && isLast(names, place, round, unaware), unaware)
				})
			}
			for _, tied := range []bool{false, true} {
				for place := range names {
					run(tied, place, 1)
					run(tied, place, 3)
					if d.given {
						continue
					}
					for _, round := range []int{1, 2} { // that of the surprise, and the next one
						run(tied, place, round, "Bo")
						run(tied, place, round, "Ann", "Cy", "Di")
					}
				}
			}
		}
	}
}

// isLast says whether nobody has a turn after that place in a round.
func isLast(names []string, place, round int, unaware []string) bool {
	for _, later := range names[place+1:] {
		if round > 1 || !slices.Contains(unaware, later) {
			return false
		}
	}
	return true
}

// openedFight opens a fight of two against two.
func openedFight(t *testing.T, system string) *build.Script {
	s, diags, err := build.Source("order.encounter", []byte(`encounter "order" with `+system+`
effect tally {
  keep begun = 0
  keep done = 0
  rule begins at start of turn { set begun to begun + 1 }
  rule ends at end of turn { set done to done + 1 }
}
creature man { has tally }
side us { man Ann; man Cy }
side them { man Bo; man Di }
`), build.Options{Library: rules.FS, Compile: compile.Options{AnnounceAll: true, Unoptimized: true}})
	if err != nil || s.Rules == nil {
		t.Fatal(diags, err)
	}
	return s
}

// playDeed plays a fight to the turn of a creature in a round, then the script, then some more rounds, and counts the
// turns in each. The unaware have none in the first round, in which some commands are refused: the rest of the script
// is then left out.
func playDeed(t *testing.T, script *build.Script, tied bool, round int, names []string, who, typed string, mayLose bool, unaware []string) {
	rolled := 0
	l, out := NewLive(script, Options{}, asker(func(q *Request) (int64, error) {
		switch {
		case !q.Die:
			return min(1, int64(len(q.Options))), nil // what is offered is taken
		case strings.Contains(q.Label, "initiative-check") && !tied:
			return int64(18 - 4*slices.Index(names, q.Who)), nil
		case strings.Contains(q.Label, "initiative-check"):
			return 15, nil
		case strings.Contains(q.Label, "roll-off"):
			rolled++
			return int64(18 - 4*slices.Index(names, q.Who)), nil
		case strings.Contains(q.Label, "to-hit"):
			return 1, nil // nobody is hurt
		}
		return q.Default, nil
	}))
	if len(out.Failures) > 0 {
		t.Fatal(out.Failures)
	}
	for _, name := range unaware {
		do(t, l, name+" gains unaware")
	}
	do(t, l, "begin")
	if unaware == nil && tied != (rolled > 0) {
		t.Fatalf("%d dice for ties", rolled)
	}
	turns := map[[2]any]int{} // by round and creature, without those that were put off
	count := func() {
		o := &l.p.m.State().Order
		can, err := l.p.m.CanTurn(o.Current())
		if err != nil {
			t.Fatal(err)
		}
		waits := l.p.m.TryYesNo(l.p.m.Program().CoreDefines[ir.CoreWaits], o.Current(), false)
		if can && !waits {
			turns[[2]any{int(o.Round()), l.p.nameOf(int64(o.Current()))}]++
		}
	}
	next := func() {
		count()
		do(t, l, "next turn")
	}
	current := func() string { return l.p.nameOf(int64(l.p.m.State().Order.Current())) }
	goTo := func(name string, round int) {
		for n := 0; current() != name || int(l.p.m.State().Order.Round()) < round; next() {
			if n++; n > 20 {
				t.Fatalf("%s has no turn from round %d on", name, round)
			}
		}
	}
	goTo(who, round)
	for line := range strings.Lines(typed) {
		line = strings.TrimSpace(line)
		if of, ok := strings.CutPrefix(line, "next turn of "); ok {
			next()
			goTo(of, 0)
		} else if line == "next" {
			next()
		} else if out := l.Do(line); unaware != nil && int(l.p.m.State().Order.Round()) == 1 && refused(out) {
			break
		} else if len(out.Failures) > 0 || out.Err != nil {
			t.Fatal(line, out.Failures, out.Err)
		}
	}
	last := int(l.p.m.State().Order.Round()) + 3
	for int(l.p.m.State().Order.Round()) < last {
		next()
	}
	for r := 1; r < last; r++ {
		for _, name := range names {
			n, want := turns[[2]any{r, name}], 1
			if r == 1 && slices.Contains(unaware, name) {
				want = 0
			}
			if n != want && !(n == 0 && mayLose && name == who) {
				t.Errorf("%s has %d turns in round %d", name, n, r)
			}
		}
	}
	for _, name := range names {
		// Everybody but the one whose turn it is has ended as many turns as it has begun.
		open := "0"
		if name == current() {
			open = "1"
		}
		do(t, l, "expect "+name+".tally.begun - "+name+".tally.done = "+open)
	}
}

func refused(out *Reply) bool {
	return len(out.Failures) > 0 && strings.Contains(fmt.Sprint(out.Failures), "refused")
}
