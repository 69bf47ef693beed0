package session

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/rules"
)

// The exact odds of an attack, as computed by hand in TestCountOut.
func TestInquire(t *testing.T) {
	l := live(t, `encounter "a duel" with srd35
creature duelist { full-hit-points: 50; main-weapon: club }
side left { duelist Alia }
side right { duelist Bron }
begin
next turn of Alia
`, nil)
	hash := l.Hash()
	x, diags := l.Inquire("attack Bron with club")
	if len(diags) > 0 || !x.Legal || x.Why != "" || x.Command != "Alia: attack Bron with club" || fmt.Sprint(x.Costs) != "[standard-action]" {
		t.Fatalf("%+v %v", x, diags)
	}
	if len(x.Odds) != 2 || x.Odds[0].Roll != "Alia strike.to-hit" || math.Abs(x.Odds[0].Made-1) > 1e-9 || math.Abs(x.Odds[0].Success-0.55) > 1e-9 ||
		math.Abs(x.Odds[1].Made-0.05) > 1e-9 || math.Abs(x.Odds[1].Success-0.55) > 1e-9 {
		t.Errorf("%+v", x.Odds)
	}
	if want := 50 - 3.5*(0.55+0.05*0.55); len(x.Means) != 1 || x.Means[0].Who != "Bron" || math.Abs(x.Means[0].Mean-want) > 1e-9 {
		t.Errorf("%+v, want %v", x.Means, want)
	}
	for _, c := range []struct{ text, why string }{
		{"Bron: attack Alia with club", "it is the turn of Alia"},
		{"stand-up", "already standing"},
	} {
		if x, diags := l.Inquire(c.text); len(diags) > 0 || x.Legal || x.Why != c.why {
			t.Errorf("%s: %+v %v", c.text, x, diags)
		}
	}
	for _, c := range []struct{ text, said string }{
		{"attack Cyra", "Cyra"}, {"note \"x\"", "not a command"}, {"attack", ""}, {"", "not a command"}, {"%", ""},
	} {
		if x, diags := l.Inquire(c.text); x != nil || len(diags) == 0 || !strings.Contains(diags[0].Message, c.said) {
			t.Errorf("%s: %+v %v", c.text, x, diags)
		}
	}
	if l.Hash() != hash || l.Done() != 0 {
		t.Error("asking has changed something")
	}
	if out := l.Do("attack Bron with club"); len(out.Failures) > 0 || out.Err != nil {
		t.Errorf("%+v", out)
	}
}

// The arguments of a command may be lists and plans, which are made for the question.
func TestInquireWithPlan(t *testing.T) {
	src := `encounter "a duel" with srd35
creature duelist { full-hit-points: 50; main-weapon: club }
side left { duelist Alia }
side right { duelist Bron }
begin
next turn of Alia
`
	s, diags, err := build.Source("test.encounter", []byte(src), build.Options{Library: rules.FS, Compile: compile.Options{AnnounceAll: true}})
	if err != nil || s == nil {
		t.Fatal(diags, err)
	}
	l, _ := NewLive(s, Options{}, nil)
	hash := l.Hash()
	for _, c := range []struct{ text, why string }{
		{"ready plan before attack by Bron { attack Bron with club }", ""},
		{"ready plan before attack by Bron { attack Bron with club; stand-up }", "ready exactly one action"},
		{"ready plan after move by Bron { move }", ""},
	} {
		if x, diags := l.Inquire(c.text); len(diags) > 0 || x.Legal != (c.why == "") || x.Why != c.why {
			t.Errorf("%s: %+v %v", c.text, x, diags)
		}
	}
	if l.Hash() != hash {
		t.Error("asking has changed something")
	}
	if out := l.Do("ready plan before attack by Bron { attack Bron with club }"); len(out.Failures) > 0 || out.Err != nil {
		t.Errorf("%+v", out)
	}

	plain := live(t, src, nil)
	for range 2 {
		if x, diags := plain.Inquire("ready plan before attack by Bron { stand-up }"); x != nil || len(diags) != 1 || !strings.Contains(diags[0].Message, "only at a prompt") {
			t.Errorf("%+v %v", x, diags)
		}
	}
}
