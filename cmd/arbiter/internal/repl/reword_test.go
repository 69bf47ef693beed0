package repl

import (
	"strings"
	"testing"
)

// typedInTheYard is what is shown after lines are typed in a fight.
func typedInTheYard(t *testing.T, lines ...string) string {
	t.Helper()
	p, err := newFight().run(false, nil, append([]string{"begin"}, lines...)...)
	if err != nil {
		t.Fatal(err)
	}
	return p.shown.String()
}

// The colon of a command may be left out, if the rules do not have the word.
func TestWithoutColon(t *testing.T) {
	for typed, shown := range map[string]string{"undo": "Undone: begin\n", "order": "There is nothing to show.\n", "help undo": ":undo [N | roll | turn]: ", "note": "the form is", "map": "Usage: :map ["} {
		if got := typedInTheYard(t, typed); !strings.Contains(got, shown) {
			t.Errorf("%s: want %q in\n%s", typed, shown, got)
		}
	}
}

// What people type in a hurry is answered with the command that they meant.
func TestReworded(t *testing.T) {
	for typed, meant := range map[string]string{
		"attack bo longsword":            "attack Bo with longsword",
		"Attack Bo, longsword":           "attack Bo with longsword",
		"attack Bo wiht the longsword":   "attack Bo with longsword",
		"attack Bo using longsword":      "attack Bo with longsword",
		"ann attacks bo":                 "Ann: attack Bo",
		"Ann attack Bo with a longsword": "Ann: attack Bo with longsword",
		"ann: attack bo longsword":       "Ann: attack Bo with longsword",
		"attacks Bo":                     "attack Bo",
		"deal 5 to bo":                   "Bo loses 5 hit-points",
		"hurt Bo 5":                      "Bo loses 5 hit-points",
		"heal Bo 5":                      "Bo gains 5 hit-points",
		"Bo takes 5 damage":              "Bo loses 5 hit-points",
		"bo heals 2d8":                   "Bo gains 2d8 hit-points",
		"damage bo 3":                    "Bo loses 3 hit-points",
		"5 damage to Bo":                 "Bo loses 5 hit-points",
		"full attack bo":                 "full-attack Bo",
		"move 4 1":                       "move to (4, 1)",
		"move (4,1)":                     "move to (4, 1)",
		"five foot step 2, 2":            "five-foot-step to (2, 2)",
		"delay 5":                        "delay to 5",
		"Bo is prone":                    "Bo gains prone",
		"Bo lose prone":                  "Bo loses prone",
		"give Bo prone":                  "Bo gains prone",
		"bo: attack ann":                 "Bo: attack Ann",
		"odds attack Bo":                 "?attack Bo",
		"remove bo":                      "place Bo at none",
		"wait":                           "next turn",
	} {
		if got := typedInTheYard(t, typed); !strings.Contains(got, "hint: did you mean `"+meant+"`?\n") || strings.Count(got, "error:") != 1 {
			t.Errorf("%s: want %q in\n%s", typed, meant, got)
		}
	}
	for _, typed := range []string{"attack Bo and Ann", "attack the man", "dance", "what can I do", "Bo lies down"} {
		if got := typedInTheYard(t, typed); strings.Contains(got, "did you mean `") || !strings.Contains(got, "hint: ") {
			t.Errorf("%s:\n%s", typed, got)
		}
	}
	for typed, how := range map[string]string{"add 2 man": "side NAME { man NAME }", "spawn a man": "side NAME { man NAME }", "create mans": "side NAME { man NAME }"} {
		if got := typedInTheYard(t, typed); !strings.Contains(got, "hint: a creature joins by `"+how+"`\n") || strings.Count(got, "error:") != 1 {
			t.Errorf("%s:\n%s", typed, got)
		}
	}
	for _, typed := range []string{"?odds attack Bo", ":odds attack Bo"} {
		if got := typedInTheYard(t, typed); !strings.Contains(got, "did you mean `?attack Bo`?") {
			t.Errorf("%s:\n%s", typed, got)
		}
	}
	if got := typedInTheYard(t, "?attack bo longsword", "attack man"); !strings.Contains(got, "did you mean `attack Bo with longsword`?") || !strings.Contains(got, "nobody here is named man\n") ||
		!strings.Contains(got, "hint: made from it: Ann, Bo\n") {
		t.Error(got)
	}
}

// Pasted lines may include questions and colon commands; what follows a mistake is not run.
func TestPasted(t *testing.T) {
	got := typedInTheYard(t, "Bo loses 5 hit-points\n:note between\nBo gains 2 hit-points\n?Bo.armor-class\nside us {\n  man Cy at (5, 2)\n}\nBo gains prone\n:undo\n")
	for _, want := range []string{"Bo hit-points 60 -> 55\nbetween\nBo hit-points 55 -> 57\nBo.armor-class = ", "Bo is prone\n", "\nUndone: side us {"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	got = typedInTheYard(t, "Bo gains bliss\n:note after\nBo gains prone")
	if strings.Contains(got, "after") || strings.Contains(got, "Bo is prone") || !strings.Contains(got, "What was pasted below that has not been run.\n") {
		t.Error(got)
	}
}

// Tab finds names whatever the letter case.
func TestCompleteNames(t *testing.T) {
	r := &repl{Config: Config{Live: newFight().Live}}
	for _, line := range []string{":who b", ":map reach b", ":why not Ann: attack b", "place b"} {
		if _, list := r.complete(line, len(line)); len(list) != 1 || list[0].Text != "Bo" {
			t.Errorf("%s: %v", line, list)
		}
	}
}

// Whoever joins a running fight is named if no turn will come, and a fight that is decided says how it ends.
func TestAnnounced(t *testing.T) {
	const (
		joined  = "Cy gets no turn without a place in the order: `Cy acts at NUMBER`"
		decided = "The fight is decided; `fight on` ends it.\n"
	)
	newcomer := "side them { man Cy at (5, 2) }"
	if got := typedInTheYard(t, newcomer, "Bo gains prone"); strings.Count(got, joined) != 1 || strings.Contains(got, decided) {
		t.Error(got)
	}
	p, err := newFight().run(false, nil, newcomer, "begin", "side them { man Di at (5, 1) }\nDi acts at 3")
	if got := p.shown.String(); err != nil || strings.Contains(got, "gets no turn") {
		t.Error(got, err)
	}
	for typed, answer := range map[string]string{
		"side themm { man Cy at (5, 2) }": "themm is a new side; if you meant them, `:undo` takes it back.\n",
		"side them { man Cy at (5, 2) }":  "",
		":ground":                         "There is no :ground; did you mean `ground`, without the colon?\n",
		"Bo gains dead":                   "change what its `while` depends on: slain\n",
	} {
		if got := typedInTheYard(t, typed); !strings.Contains(got, answer) || answer == "" && strings.Contains(got, "new side") {
			t.Errorf("%s: %s", typed, got)
		}
	}
	got := typedInTheYard(t, "Bo loses 100 hit-points", "next turn", ":undo 2", "Bo loses 100 hit-points", "fight on", "next turn")
	if strings.Count(got, decided) != 2 || !strings.Contains(got, "there are no turns yet") {
		t.Error(got)
	}
}

// The little words of commands may be left out, and mistakes are not answered with advice for authors of rules.
func TestLenient(t *testing.T) {
	p, err := newFight().run(false, nil, ":mark dawn", "begin", ":why attack Ann", ":why not attack Ann", ":why attack bo longsword", ":back dawn",
		":back to", ":save", ":save as", ":auto us, them", "?Ann.AC", "?Ann.charm", "Ann gains bliss")
	got := p.shown.String()
	for _, want := range []string{"Bo: attack Ann\n  allowed\n", "did you mean `attack Bo with longsword`?", "Back at dawn;", "Usage: :back", "Usage: :save", "Played by tactics: us, them.",
		"named AC\nhint: did you mean `armor-class`?", "named charm\nhint: Tab lists what there is\n", "bliss\nhint: Tab lists what there is\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q", want)
		}
	}
	if err != nil || strings.Count(got, "Bo: attack Ann\n") != 2 || strings.Count(got, "Usage: :save") != 2 || strings.Contains(got, "declare it") {
		t.Error(err, got)
	}
}
