package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/lang/diag"
)

// ford contains what can go wrong in an interactive story: labels with alternatives, choices that close, a check in the
// middle of a paragraph, a fight with a map.
const ford = `adventure "The ford" with srd35

keep purse = 10 gp
creature hand { level: 2; base-attack: 2; full-hit-points: 14; strength: 14; main-weapon: longsword }
creature wolf { level: 1; base-attack: 1; full-hit-points: 5; main-weapon: club }
side party { hand Alia }

scene bank "The bank" {
  "The *river* is high. _Very_ high. {first time: Nobody is here. | Still nobody.}"
  choices {
    "{cycle: Wait | Wait on | Wait still}" { again }
    "Wade *through*" check Alia.skill-check of swim dc 12 {
      success { go to island }
      failure {
        "Back again."
        more "Wet."
      }
    }
    once "Pay the ferryman" cost 8 gp of purse { go to island }
    "Wait" when purse > 100 gp { }
    "Give up [for good]" { finish defeat "Home, then." }
  }
  go to bank
}

scene island "The island" {
  "Something breathes here."
  fight "Teeth" {
    map """
      ......
      .A..w.
      ......
      """
    side pack { wolf Grey at "w" }
    place Alia at "A"
    won { "It is quiet again." }
    lost { finish defeat }
  }
  choices {
    "Swim on" { finish victory "The other side." }
    "Sleep" { pass 8 hours; again }
  }
}
`

var builtStories = map[string]*build.Script{}

func liveStory(t testing.TB, src string, a Asker) *Live {
	t.Helper()
	s, known := builtStories[src]
	if !known {
		var diags diag.List
		var err error
		if s, diags, err = build.Source("test.adventure", []byte(src), quick); err != nil || s.Rules == nil {
			t.Fatal(diags, err)
		}
		builtStories[src] = s
	}
	l, out := NewLive(s, Options{}, a)
	if len(out.Failures) > 0 {
		t.Fatal(out.Failures)
	}
	return l
}

// typeIn does what a user types, a choice or a statement.
func typeIn(t *testing.T, l *Live, text string) *Reply {
	t.Helper()
	if command, ok := l.ChoiceCommand(text, true); ok {
		text = command
	}
	out := l.Do(text)
	if out.Err != nil || len(out.Failures) > 0 {
		t.Fatalf("%s: %v %v", text, out.Failures, out.Err)
	}
	return out
}

// An interactive story equals an unattended one with the same choices. Each choice can be undone and redone, including
// fights, and the record leads to the same place.
func TestLiveStory(t *testing.T) {
	typed := []string{"wait", "1", "pay", "fight on", "sl", "1"}
	l := liveStory(t, ford, nil)
	var record notes
	l.RecordTo(&record)
	type was struct {
		hash             uint64
		transcript, here string
	}
	at := func(l *Live) was { return was{l.Hash(), l.Transcript(), l.StoryText()} }
	states := []was{at(l)}
	for _, text := range typed {
		typeIn(t, l, text)
		states = append(states, at(l))
	}
	if !l.Finished() || l.WaitsForChoice() {
		t.Fatalf("it is not at its end:\n%s", l.Transcript())
	}
	for i := len(typed) - 1; i >= 0; i-- {
		if _, err := l.Undo(); err != nil {
			t.Fatal(err)
		}
		if at(l) != states[i] {
			t.Errorf("%s was taken back, and it is at\n%+v\nnot at\n%+v", typed[i], at(l), states[i])
		}
	}
	for i := range typed {
		if _, err := l.Redo(); err != nil {
			t.Fatal(err)
		}
		if at(l) != states[i+1] {
			t.Errorf("%s was done again, and it is at\n%+v\nnot at\n%+v", typed[i], at(l), states[i+1])
		}
	}
	if err := l.UndoTo(3); err != nil || at(l) != states[3] || l.Undone() != len(typed)-3 {
		t.Errorf("%v, %d undone", err, l.Undone())
	}
	again := liveStory(t, ford, nil)
	if open, err := again.Replay(record); open != nil || err != nil {
		t.Fatal(open, err)
	}
	if at(again) != states[3] || again.Undone() != len(typed)-3 {
		t.Errorf("what was kept leads to\n%+v", at(again))
	}
	s, _, err := build.Source("test.adventure", []byte(ford), quick)
	if err != nil {
		t.Fatal(err)
	}
	run := Run(s, Options{Takes: []string{"wait", "1", "pay", "sl", "1"}})
	if len(run.Failures) > 0 || run.Hash != fmt.Sprintf("%016x", states[len(typed)].hash) {
		t.Errorf("it runs to %s, not to %016x: %v", run.Hash, states[len(typed)].hash, run.Failures)
	}
}

// notes is a Recorder that stores notes in memory.
type notes []Note

func (n *notes) Record(more []Note) error { *n = append(*n, more...); return nil }

// What a number or the beginning of a label means.
func TestWay(t *testing.T) {
	for _, c := range []struct {
		before []string // commands typed before
		typed  string
		want   string // "" for a statement
	}{
		{nil, "1", `take "Wait"`},
		{nil, "wai", `take "Wait"`},
		{[]string{"1"}, "wai", `take "Wait on"`},
		{nil, "2", `take "Wade through"`},
		{nil, "w", `take "w"`}, // several: an error
		{nil, "give", `take "Give up [for good]"`},
		{nil, "through", `take "Wade through"`}, // a word that only one has
		{nil, "through wade", `take "Wade through"`},
		{nil, "roug", ""},                                // no whole word
		{[]string{"set purse to 200 gp"}, "4", "take 4"}, // two with the same label
		{nil, "7", "take 7"},
		{nil, "0", "take 0"},
		{nil, "-1", ""},
		{nil, "", ""},
		{nil, "note \"x\"", ""},
		{nil, "set purse to 1 gp", ""},
		{[]string{"pay"}, "1", "take 1"}, // in a fight: an error
	} {
		l := liveStory(t, ford, nil)
		for _, text := range c.before {
			typeIn(t, l, text)
		}
		hash := l.Hash()
		got, ok := l.ChoiceCommand(c.typed, true)
		if !ok {
			got = ""
		}
		if c.typed == "" { // never asked
			continue
		}
		if got != c.want || l.Hash() != hash {
			t.Errorf("%q after %q is %q, not %q", c.typed, c.before, got, c.want)
		}
	}
}

// Statements that are impossible at a position in a story are reported, and change nothing.
func TestOutOfPlace(t *testing.T) {
	for _, c := range []struct {
		before        []string
		typed, failed string
	}{
		{nil, "take 9", "there is no choice 9; the last is 4"},
		{nil, "take \"w\"", `"w" is ambiguous`},
		{nil, "begin", "there is no fight here"},
		{nil, "fight on", "there is no fight here"},
		{nil, "side more { hand Bron }", "there is no fight here"},
		{nil, "go to island", "this belongs in a scene"},
		{nil, "scene x { finish }", "this belongs in a scene"},
		{nil, "start at nowhere", "there is no scene nowhere (the scenes are "},
		{[]string{"pay"}, "take 1", "there is a fight to finish first"},
		{[]string{"give up"}, "take 1", "the story has ended"},
	} {
		l := liveStory(t, ford, nil)
		for _, text := range c.before {
			typeIn(t, l, text)
		}
		hash, transcript := l.Hash(), l.Transcript()
		out := l.Do(c.typed)
		if len(out.Failures) == 0 || !strings.Contains(out.Failures[0].Message+" ("+out.Failures[0].Hint, c.failed) {
			t.Errorf("%s: %v", c.typed, out.Failures)
		}
		if l.Hash() != hash || l.Transcript() != transcript {
			t.Errorf("%s has changed something", c.typed)
		}
	}
}

// Statements that would be refused at a position in a story are not offered there.
func TestCompleteInPlace(t *testing.T) {
	for _, c := range []struct {
		before              []string
		line, with, without string
	}{
		{nil, "", "take|start|set|dice|pass|expect told|note|Alia", "begin|next turn|fight on|map|side|place|ground|given|test|cancel|default"},
		{nil, "fight ", "", "on"},
		{nil, "next ", "", "turn"},
		{nil, "place ", "", "Alia"},
		{nil, "Alia: ", "attack|total-defense", "five-foot-step"},
		{[]string{"pay"}, "", "begin|next turn|fight on|side|place|ground|start", "take"},
		{[]string{"pay"}, "fight ", "on", ""},
		{[]string{"pay"}, "place ", "Alia|Grey", ""},
		{[]string{"pay"}, "Alia: ", "attack|five-foot-step", ""},
		{[]string{"give up"}, "", "start|set", "take|begin|fight on"},
	} {
		l := liveStory(t, ford, nil)
		for _, text := range c.before {
			typeIn(t, l, text)
		}
		_, list := l.Complete(c.line, len(c.line))
		var names []string
		for _, x := range list {
			names = append(names, x.Text)
		}
		for want := range strings.SplitSeq(c.with, "|") {
			if want != "" && !slices.Contains(names, want) {
				t.Errorf("%q after %q: no %s among %v", c.line, c.before, want, names)
			}
		}
		for no := range strings.SplitSeq(c.without, "|") {
			if no != "" && slices.Contains(names, no) {
				t.Errorf("%q after %q: %s among %v", c.line, c.before, no, names)
			}
		}
	}
}

// Choices that a command opens or closes are offered again, and if none is left the story continues.
func TestOfferedAgain(t *testing.T) {
	l := liveStory(t, ford, nil)
	if out := typeIn(t, l, "set purse to 1 gp"); !strings.Contains(out.Text, "Wade") || strings.Contains(out.Text, "ferryman") {
		t.Errorf("what can be chosen now is not shown:\n%s", out.Text)
	}
	if out := typeIn(t, l, "set purse to 2 gp"); out.Text != "" {
		t.Errorf("nothing has changed, and it shows\n%s", out.Text)
	}
	closing := strings.Replace(ford, "  go to bank\n", "  finish\n", 1)
	closing = closing[:strings.Index(closing, "    \"{cycle")] + "    \"Wait\" when purse > 5 gp { again }\n  }\n" + closing[strings.Index(closing, "  finish\n"):]
	l = liveStory(t, closing, nil)
	if typeIn(t, l, "set purse to 1 gp"); !l.Finished() {
		t.Errorf("no way is open, and it waits:\n%s", l.Transcript())
	}
}

// The text before a die is shown before the die is asked for, and only once; text shown in pieces equals text shown at
// once.
func TestAskedInAStory(t *testing.T) {
	var l *Live
	var soFar []string
	l = liveStory(t, ford, asker(func(q *Request) (int64, error) {
		text, err := q.SoFar()
		soFar = append(soFar, text)
		return 2, err
	}))
	out := typeIn(t, l, "wade")
	whole := liveStory(t, ford, asker(func(q *Request) (int64, error) { return 2, nil }))
	want := typeIn(t, whole, "wade").Text
	if got := strings.Join(soFar, "") + out.Text; got != want || len(soFar) != 1 || !strings.Contains(soFar[0], "> Wade through") {
		t.Errorf("asked, it shows\n%q\nand then\n%s\nnot\n%s", soFar, out.Text, want)
	}
	if l.Transcript() != whole.Transcript() {
		t.Errorf("the transcripts are\n%s\nand\n%s", l.Transcript(), whole.Transcript())
	}
}

// Lines fit the width of the screen, in its own measure, and labels have a hanging indent; the transcript is not
// affected.
func TestWrapped(t *testing.T) {
	s, _, err := build.Source("test.adventure", []byte(ford), quick)
	if err != nil {
		t.Fatal(err)
	}
	width := 20
	paint := func(look Look, text string) string { return fmt.Sprintf("<%d|%s>", look, text) }
	l, out := NewLive(s, Options{Width: func() int { return width }, Columns: func(s string) int { return 2 * len(s) }, Paint: paint}, nil)
	want := fmt.Sprintf(`<%[1]d|== The bank ==>

The <%[2]d|river>
is high.
<%[3]d|Very> high.
Nobody is
here.

  <%[4]d|1.> Wait
  <%[4]d|2.> Wade
     <%[2]d|through>
     [Alia:
     swim, DC
     12]
  <%[4]d|3.> Pay the
     ferryman
     [8 gp]
  <%[4]d|4.> Give up
     [for
     good]
`, LookTitle, LookStrong, LookEmphasis, LookChoice)
	if out.Text != want {
		t.Errorf("it shows\n%s\nnot\n%s", out.Text, want)
	}
	if here := l.StoryText(); here != want {
		t.Errorf("and again\n%s", here)
	}
	width = 0
	if plain := l.Transcript(); plain != liveStory(t, ford, nil).Transcript() || !strings.Contains(plain, "\n\nThe river is high. Very high. Nobody is here.\n\n  1. Wait\n") {
		t.Errorf("the transcript is\n%s", plain)
	}
}

// Labels complete in any case; statements complete as elsewhere.
func TestCompleteWays(t *testing.T) {
	l := liveStory(t, ford, nil)
	for _, c := range []struct {
		text string
		from int
		want []string // the first candidates
	}{
		{"", 0, []string{"Wait", "Wade through", "Pay the ferryman", "Give up"}},
		{"wad", 0, []string{"Wade through"}},
		{"Wade th", 0, []string{"Wade through"}},
		{"take ", 5, []string{`"Wait"`, `"Wade through"`, `"Pay the ferryman"`, `"Give up"`}},
		{`take "pay t`, 5, []string{`"Pay the ferryman"`}},
		{"sta", 0, []string{"start"}},
	} {
		from, list := l.Complete(c.text, len(c.text))
		var got []string
		for _, x := range list {
			got = append(got, x.Text)
		}
		if from != c.from || len(got) < len(c.want) || !slices.Equal(got[:len(c.want)], c.want) {
			t.Errorf("%q goes on at %d with %q", c.text, from, got)
		}
	}
}
