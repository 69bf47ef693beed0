package session

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/view"
	"arbiter/rules"
)

// led opens a script for interactive play, with every point at which a command can wait.
func led(t testing.TB, src string, a Asker) *Live {
	t.Helper()
	s, diags, err := build.Source("test.encounter", []byte(src), build.Options{Library: rules.FS, Compile: compile.Options{AnnounceAll: true, Unoptimized: true}})
	if err != nil || s.Rules == nil {
		t.Fatal(diags, err)
	}
	l, out := NewLive(s, Options{}, a)
	if len(out.Failures) > 0 {
		t.Fatal(out.Failures)
	}
	return l
}

// do runs commands that must succeed.
func do(t testing.TB, l *Live, commands ...string) {
	t.Helper()
	for _, c := range commands {
		if out := l.Do(c); len(out.Failures) > 0 || out.Err != nil {
			t.Fatal(c, out.Failures, out.Err)
		}
	}
}

// upTo returns an example up to its fight.
func upTo(t testing.TB, path string) string {
	t.Helper()
	src, err := os.ReadFile("../../examples/" + path)
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(src), "\nfight on")
	if !found {
		t.Fatal(path, "has no fight")
	}
	return before
}

// Looking at a fight never changes it: same state, same transcript, same explanations of its rolls.
func TestLooking(t *testing.T) {
	look := func(l *Live) {
		l.View()
		l.Log(10)
		for i := range l.p.members {
			name := l.p.members[i].name
			l.Who(name)
			for _, squares := range []func(string) ([][3]int, error){l.Reach, l.Threatened} {
				if _, err := squares(name); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, path := range []string{"ambush.encounter", "ambush/true20.encounter", "ambush/starfinder.encounter", "ambush/third.encounter", "ambush/modern.encounter"} {
		t.Run(path, func(t *testing.T) {
			play := func(looks bool) (string, *Live) {
				var l *Live
				l = led(t, upTo(t, path), asker(func(q *Request) (int64, error) {
					if before := l.Hash(); looks {
						if look(l); l.Hash() != before {
							t.Fatalf("looking at the question %s has changed the state", q.Label)
						}
					}
					return q.Default, nil
				}))
				for range 3 {
					do(t, l, "fight on for 1 rounds")
					if before := l.Hash(); looks {
						if look(l); l.Hash() != before {
							t.Fatal("looking has changed the state")
						}
					}
				}
				why := ""
				for _, r := range l.p.narrator.rolls {
					if x, err := l.p.explainThrow(r.address, UsualDepth); err == nil {
						why += x.Text()
					}
				}
				return fmt.Sprintf("%016x\n%s\n%s", l.Hash(), l.p.narrator.transcript(), why), l
			}
			plain, _ := play(false)
			if looked, _ := play(true); looked != plain {
				t.Errorf("looked at:\n%s\nnot looked at:\n%s", looked, plain)
			}
		})
	}
}

// Resources are classified under each system: what a creature has to lose, what a turn provides, and the rest.
func TestAmounts(t *testing.T) {
	for _, x := range []struct{ path, pools, turn, whole, reactions string }{
		{"ambush.encounter", "hit-points", "standard-action move-action free-action", "", "opportunities"},
		{"ambush/third.encounter", "hit-points", "standard-action move-action free-action", "", "opportunities"},
		{"ambush/modern.encounter", "hit-points", "standard-action move-action free-action", "", ""},
		{"ambush/starfinder.encounter", "stamina hit-points resolve", "standard-action move-action swift-action", "full-action", "reaction"},
		{"ambush/true20.encounter", "", "standard-action move-action free-action", "", ""},
	} {
		f := led(t, upTo(t, x.path), nil).View().Fighters[0]
		for _, c := range []struct {
			what, want string
			got        []view.Amount
		}{{"pools", x.pools, f.Pools}, {"turn", x.turn, f.Turn}, {"whole turn", x.whole, f.WholeTurn}, {"reactions", x.reactions, f.Reactions}} {
			var names []string
			for _, a := range c.got {
				names = append(names, a.Name)
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("%s, %s: %s, want %s", x.path, c.what, got, c.want)
			}
		}
		if slices.ContainsFunc(f.Counts, func(a view.Amount) bool { return a.High != nil && a.Value == *a.High && *a.High != 0 }) {
			t.Errorf("%s counts what somebody has to lose: %+v", x.path, f.Counts)
		}
	}
}

// bearers works with systems that have delayed turns and readied actions.
const bearers = `encounter "waiting" with %s
condition scorched by heat: number "On fire." { keep turns = 0; includes prone }
condition weary while current-round > 90 or self has doomed "Tired." { includes flat-footed }
trait doomed
creature man { main-weapon: longsword; speed: 30 ft }
side left { man Alia { has doomed }; man Cyra }
side right { man Bron }
seed 8
begin
`

// The duration of an effect is described in words.
func TestLasts(t *testing.T) {
	for _, x := range []struct {
		gain  string
		turns int // that pass before
		want  string
	}{
		{"Bron gains prone", 0, "until something ends it"},
		{"Bron gains prone for 3 rounds", 0, "3 rounds"},
		{"Bron gains prone for 3 rounds", 1, "3 rounds"}, // it ends just before the place in the order at which it began
		{"Bron gains prone for 3 rounds", 3, "2 rounds"},
		{"Bron gains prone for 3 rounds", 8, "1 round"},
		{"Bron gains prone for 10 minutes", 0, "10 minutes"},
		{"Bron gains prone until end of turn of Cyra", 0, "until the end of the turn of Cyra"},
		{"Bron gains prone until start of turn", 0, "until the start of the turn of Bron"},
		{"Cyra gains prone until end of next turn", 0, "until the end of the next turn of Cyra"},
		{"Cyra gains prone until end of next turn", 1, "until the end of the turn of Cyra"},
		{"Bron gains prone until end of round", 0, "until the end of round"},
		{"Bron gains prone until after attack by Alia to Cyra", 0, "until after attack by Alia to Cyra"},
		{"Bron gains prone until after strike.threat by Alia", 0, "until after strike.threat by Alia"},
		{"Bron gains prone for 2 rounds until start of turn of Alia while Cyra is not helpless", 0, "2 rounds, until the start of the turn of Alia, while Cyra is not helpless"},
	} {
		l := led(t, fmt.Sprintf(bearers, "true20"), nil)
		do(t, l, x.gain)
		for range x.turns {
			do(t, l, "next turn")
		}
		who, _, _ := strings.Cut(x.gain, " ")
		got := "gone"
		for _, b := range l.Who(who).Conditions {
			if b.Name == "prone" {
				got = b.Lasts
			}
		}
		if got != x.want {
			t.Errorf("%s, %d turns later: %s, want %s", x.gain, x.turns, got, x.want)
		}
	}
}

// An effect is shown with its parameters and values, the effect that includes it, and who caused it.
func TestBorne(t *testing.T) {
	l := led(t, fmt.Sprintf(bearers, "starfinder"), nil)
	do(t, l, "Bron gains scorched by 3", "let dazzled = Bron")
	get := func(who, name string) (out view.Effect) {
		for _, b := range l.Who(who).Conditions {
			if b.Name == name {
				out = b
			}
		}
		return out
	}
	if got := get("Bron", "scorched"); got.With != "by 3" || got.Doc != "On fire." || fmt.Sprint(got.Keeps) != "[{turns 0}]" || got.Part {
		t.Errorf("%+v", got)
	}
	if got := get("Bron", "prone"); got.By != "scorched" || !got.Part || got.Lasts != "while scorched" {
		t.Errorf("%+v", got)
	}
	if got := get("Alia", "weary"); got.Lasts != "while current-round > 90 or self has doomed" || got.Part {
		t.Errorf("%+v", got)
	}
	if got := l.Who("Alia").Feats; fmt.Sprint(got) != "[doomed]" {
		t.Error(got)
	}
	if l.Who("Dorn") != nil {
		t.Error("there is no Dorn")
	}
}

// Who waits, and for what, is shown in the turn order and on the sheet, even if the command was undone and redone and
// others were typed since.
func TestWaiting(t *testing.T) {
	for _, ruleset := range []string{"true20", "starfinder"} {
		l := led(t, fmt.Sprintf(bearers, ruleset), nil)
		first := l.View().Turn
		do(t, l, "ready plan before attack by Bron { attack Bron with longsword }")
		l.Undo()
		if got := l.View().Undone; len(got) != 1 || !strings.HasPrefix(got[0], "ready plan") {
			t.Error(got)
		}
		if len(l.Who(first).Plans) != 0 {
			t.Error("the plan was taken back")
		}
		if out, err := l.Redo(); err != nil || len(out.Failures) > 0 {
			t.Error(ruleset, err, out)
		}
		do(t, l, "next turn")
		second := l.View().Turn
		do(t, l, "delay", `note "a line that is longer than the plan was, so that nothing of its words is left where they stood"`, "next turn")
		plans := l.Who(first).Plans
		if len(plans) != 1 || plans[0].When != "before attack by Bron" || plans[0].Do != "attack Bron with longsword" || plans[0].Lasts != "until the start of the turn of "+first {
			t.Errorf("%s: %+v", ruleset, plans)
		}
		for _, p := range l.View().Order {
			if p.Waits != (p.Who == second) {
				t.Errorf("%s: %+v", ruleset, p)
			}
		}
	}
}

// The transcript says what was planned, in one line that can be typed again.
func TestPlanIsQuoted(t *testing.T) {
	l := led(t, fmt.Sprintf(bearers, "true20"), nil)
	for _, text := range []string{
		"ready plan before attack by Bron { attack Bron with longsword }",
		"ready plan before attack by Bron {\n  attack Bron with longsword   # at last\n}",
	} {
		r := l.Do(text)
		if want := l.View().Turn + ": ready plan before attack by Bron { attack Bron with longsword }\n"; r.Text != want {
			t.Errorf("%q, want %q", r.Text, want)
		}
		l.Undo()
	}
}

func TestSquares(t *testing.T) {
	const yard = `encounter "yard" with %s
creature man { speed: 10 ft; main-weapon: %s }
map """
  .....#...
  .A...#.B.
  .....#...
  """ { "#": wall }
side us { man Alia at "A" }
side them { man Bron at "B" }
`
	for _, x := range []struct {
		ruleset, weapon string
		threatened      int // by Bron: none without attacks of opportunity, nor with a ranged weapon
	}{
		{"srd35", "longsword", 8},
		{"srd35", "longbow", 0},
		{"starfinder", "longsword", 8},
		{"true20", "longsword", 0},
	} {
		l := led(t, fmt.Sprintf(yard, x.ruleset, x.weapon), nil)
		reach, err := l.Reach("Alia")
		if err != nil || len(reach) != 11 {
			t.Errorf("%s: Alia can reach %v %v", x.ruleset, reach, err)
		}
		for _, s := range reach {
			if s[0] > 3 || s[0] == 1 && s[1] == 1 {
				t.Errorf("%s: Alia can reach %v", x.ruleset, s)
			}
		}
		threatened, err := l.Threatened("Bron")
		if err != nil || len(threatened) != x.threatened {
			t.Errorf("%s: Bron threatens %v %v", x.ruleset, threatened, err)
		}
		if _, err := l.Reach("Dorn"); err == nil {
			t.Error("there is no Dorn")
		}
	}
	l := led(t, strings.Replace(fmt.Sprintf(yard, "srd35", "longsword"), `man Bron at "B"`, `man Bron at "B" { has incorporeal }`, 1), nil)
	if reach, err := l.Reach("Bron"); err != nil || !slices.Contains(reach, [3]int{5, 1, 0}) {
		t.Errorf("a creature without a body can reach %v %v", reach, err)
	}
	l = led(t, fmt.Sprintf(bearers, "srd35"), nil)
	if got, err := l.Reach("Alia"); got != nil || err != nil {
		t.Error("without a map:", got, err)
	}
}

// The latest lines come under the heading of their round, without maps; undone lines are gone.
func TestLog(t *testing.T) {
	l := led(t, upTo(t, "ambush.encounter"), nil)
	log := func(n int) []view.Line {
		lines, err := l.Log(n)
		if err != nil {
			t.Fatal(err)
		}
		return lines
	}
	if got := log(3); len(got) != 2 || got[0].Round != 0 {
		t.Errorf("before the fight: %v", got)
	}
	do(t, l, "fight on for 2 rounds")
	all := log(1 << 20)
	var text strings.Builder
	for _, x := range all {
		if strings.Contains(x.Text, "# #") || (x.Round > 0) != strings.HasPrefix(x.Text, "Round ") {
			t.Errorf("%+v", x)
		}
		text.WriteString(x.Text + "\n")
	}
	told := 0
	for line := range strings.Lines(l.p.narrator.transcript()) {
		if strings.Contains(text.String(), line) {
			told++
		}
	}
	if told < len(all) {
		t.Errorf("%d lines of %d stand in the transcript", told, len(all))
	}
	got := log(2)
	if len(got) != 4 || got[0].Round != 2 || got[3].Round != 3 {
		t.Errorf("%v", got)
	}
	l.Undo()
	if got := log(2); len(got) != 2 || got[0].Round != 0 {
		t.Errorf("taken back: %v", got)
	}
}

// A list in the documents is never null.
func TestViewJSON(t *testing.T) {
	for _, path := range []string{"ambush.encounter", "ambush/true20.encounter"} {
		l := led(t, upTo(t, path), nil)
		do(t, l, "fight on for 2 rounds")
		for _, document := range []any{l.View(), l.Who("Alia")} {
			text, err := json.Marshal(document)
			if err != nil {
				t.Fatal(err)
			}
			var fields map[string]any
			if err := json.Unmarshal(text, &fields); err != nil {
				t.Fatal(err)
			}
			never(t, path, fields)
		}
	}
}

// never checks for nulls; only bounds may be null.
func never(t *testing.T, at string, v any) {
	switch v := v.(type) {
	case nil:
		if !strings.HasSuffix(at, ".low") && !strings.HasSuffix(at, ".high") {
			t.Errorf("%s is null", at)
		}
	case map[string]any:
		for k, x := range v {
			never(t, at+"."+k, x)
		}
	case []any:
		for _, x := range v {
			never(t, at, x)
		}
	}
}

// crowd is a fight of twelve against twelve.
func crowd(ruleset string) string {
	src := fmt.Sprintf("encounter \"a crowd\" with %s\ncreature man { main-weapon: longsword }\n", ruleset)
	for i, side := range []string{"north", "south"} {
		src += "side " + side + " {\n"
		for k := range 12 {
			src += fmt.Sprintf("  man %c%d at (%d, %d)\n", 'A'+rune(i), k+1, 3+2*k, 2+6*i)
		}
		src += "}\n"
	}
	return src + "seed 1\nbegin\n"
}

// BenchmarkView views a fight of twelve against twelve.
func BenchmarkView(b *testing.B) {
	for _, ruleset := range []string{"srd35", "starfinder", "true20"} {
		b.Run(ruleset, func(b *testing.B) {
			l := led(b, crowd(ruleset), nil)
			do(b, l, "fight on for 3 rounds")
			b.ReportAllocs()
			for b.Loop() {
				l.p.m.StateChanged() // clears the caches
				l.View()
			}
		})
	}
}
