package session

import (
	"strings"
	"testing"
)

// A simulation counts only those who are there, even if the one whose turn it is has left.
func TestLeaveTrials(t *testing.T) {
	for _, left := range []string{"Ann", "Bo"} {
		x, err := NewTrials(opened(t, `encounter "a brawl" with srd35
creature man { base-attack: 5; full-hit-points: 30; main-weapon: longsword }
side us { man Ann at (1, 1) }
side them { man Bo at (2, 1) }
begin
next turn of Ann
place `+left+` at none
fight on
`), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if o, err := x.Fight(1); err != nil || o.Rounds > 1 || o.Side < 0 {
			t.Errorf("%s: %+v %v", left, o, err)
		}
	}
}

// The rules can let a fight go on although one side is left; then it ends by itself.
func TestFightContinues(t *testing.T) {
	x, err := NewTrials(opened(t, twoFighters+"define fight-goes-on = current-round < 4\nBron loses 100 hit-points\nbegin\nfight on\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if o, err := x.Fight(1); err != nil || o.Rounds != 4 || o.Side != 0 {
		t.Errorf("%+v %v", o, err)
	}
}

// Whoever is placed at none is out of the fight until placed again: without a turn, a square, allies or foes.
func TestLeave(t *testing.T) {
	l := live(t, `encounter "a brawl" with srd35
creature man { base-attack: 5; full-hit-points: 30; main-weapon: longsword }
side us { man Ann at (1, 1) }
side them {
  man Bo at (2, 1)
  man Cy at (5, 5)
}
begin
next turn of Ann
`, nil)
	do := func(text string) *Reply {
		t.Helper()
		r := l.Do(text)
		if len(r.Failures) > 0 || r.Err != nil {
			t.Fatalf("%s: %v %v", text, r.Failures, r.Err)
		}
		return r
	}
	refused := func(text, why string) {
		t.Helper()
		if r := l.Do(text); len(r.Failures) == 0 || !strings.Contains(r.Failures[0].Message, why) {
			t.Errorf("%s: %v, want %q", text, r.Failures, why)
		}
	}
	do("place Cy near Bo")
	do("expect Cy.square = (2, 0)")
	do("place Cy at (5, 5)")
	refused("place Cy at Bo", "square is expected")
	before := l.Hash()
	if r := do("place Bo at none"); r.Text != "Bo leaves\n" {
		t.Errorf("%q", r.Text)
	}
	v := l.View()
	if len(v.Fighters) != 2 || len(v.Order) != 2 || v.Sides[1].Members != 1 || l.Decided() || len(l.Turnless()) > 0 {
		t.Errorf("%+v", v)
	}
	do("expect length(enemies(Ann)) = 1 and length(creatures) = 2")
	do("place Ann at (2, 1)") // the square is free
	refused("attack Bo", "Bo is not here")
	if _, diags := l.Inquire("attack Bo"); len(diags) != 1 || !strings.Contains(diags[0].Hint, "place Bo at SQUARE") {
		t.Error(diags)
	}
	refused("place Cy near Bo", "Bo has no square")
	refused("place Bo at none", "Bo is not here")
	refused("place Bo at (2, 1)", "cannot stand")
	do("place Cy at none")
	if !l.Decided() {
		t.Error("somebody is left")
	}
	if r := do("place Bo at (3, 1)"); r.Text != "Bo is back at (3, 1)\n" || l.Decided() {
		t.Errorf("%q", r.Text)
	}
	do("Bo acts at 40")
	do("attack Bo")
	do("place Ann at none") // in the middle of her turn
	refused("attack Bo", "Ann is not here")
	do("place Cy at (6, 6)")
	do("Cy acts at 9")
	do("fight on for 1 turn") // hers is over
	if l.Turn() == "Ann" {
		t.Error(l.Turn())
	}
	if err := l.UndoTo(0); err != nil || l.Hash() != before {
		t.Errorf("undone, it is another fight: %v", err)
	}
}

// The rules release whoever is held by one who leaves, and a creature comes back where there is no map.
func TestLeaveReleases(t *testing.T) {
	l := live(t, `encounter "a brawl" with srd35
creature man { base-attack: 5; full-hit-points: 30; main-weapon: longsword }
side us { man Ann; man Di }
side them { man Bo; man Cy }
begin
Ann gains grappling with Bo
Bo gains grappling with Bo
`, nil)
	for _, x := range []struct{ do, want string }{
		{"place Bo back", "Bo is here already"},
		{"place Bo at none", "Bo leaves\n  Bo and Ann are no longer grappling with Bo\n"},
		{"expect Ann is not grappling", ""},
		{"place Bo back", "Bo is back\n"},
		{"expect length(enemies(Ann)) = 2 and Bo is not grappling", ""},
	} {
		r := l.Do(x.do)
		got := r.Text
		if len(r.Failures) > 0 {
			got = r.Failures[0].Message
		}
		if got != x.want {
			t.Errorf("%s: %q, want %q", x.do, got, x.want)
		}
	}
	if got := l.Turnless(); len(got) != 1 || got[0] != "Bo" {
		t.Errorf("without a turn: %v", got)
	}
	onMap := live(t, `encounter "a brawl" with srd35
creature man { }
side us { man Ann at (1, 1) }
side them { man Bo at (2, 1) }
place Bo at none
`, nil)
	if r := onMap.Do("place Bo back"); len(r.Failures) == 0 || !strings.Contains(r.Failures[0].Hint, "place Bo at (x, y)") {
		t.Errorf("%+v", r.Failures)
	}
}

// What lasts only while somebody stands somewhere, or on such ground, ends as soon as that is over, not with the next
// command.
func TestPlaceAndGroundEndDurations(t *testing.T) {
	l := live(t, `encounter "a walk" with d20
effect calm of other: creature
creature man { reach: 5 ft }
side us { man Ann at (1, 1) }
side them { man Bo at (5, 1) }
Ann gains calm of Bo while distance(Ann, Bo) = 20 ft
Bo gains calm of Ann while (1, 1) is not difficult
`, nil)
	for _, line := range []string{
		"expect Ann has calm and Bo has calm",
		"place Bo at (9, 1)", "expect Ann has not calm and Bo has calm",
		"ground rubble at (1, 1)", "expect Bo has not calm",
	} {
		if r := l.Do(line); len(r.Failures) > 0 || r.Err != nil {
			t.Errorf("%s: %v %v", line, r.Failures, r.Err)
		}
	}
}

// Who names a square where there is no map is told how to get one.
func TestSquareWithoutMap(t *testing.T) {
	l := live(t, `encounter "a walk" with d20
creature man { level: 1 }
side us { man Ann }
`, nil)
	r := l.Do("Ann: move to (1, 1)")
	if len(r.Failures) != 1 || !strings.Contains(r.Failures[0].Hint, "draw a `map`") {
		t.Errorf("%v %v", r.Failures, r.Err)
	}
}
