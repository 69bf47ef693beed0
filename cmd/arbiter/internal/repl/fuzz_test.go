package repl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"arbiter/cmd/arbiter/internal/sessionfile"
	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/session"
	"arbiter/lang/diag"
	"arbiter/rules"
	"arbiter/stdlib/logbook/faulty"
)

// fakeConsole is a console without a terminal: lines in, text out. A line ^C interrupts.
type fakeConsole struct {
	lines     []string
	shown     bytes.Buffer
	questions []string // the questions
}

func (p *fakeConsole) Read(a ReadOptions) (string, error) {
	if a.IsAnswer {
		p.questions = append(p.questions, strings.TrimSpace(a.Prompt))
	}
	text := ""
	for len(p.lines) > 0 {
		line := p.lines[0]
		p.lines = p.lines[1:]
		if line == "^C" {
			return "", ErrInterrupted
		}
		if text += line + "\n"; a.Unfinished == nil || !a.Unfinished(text) {
			return text, nil
		}
	}
	if text != "" {
		return text, nil
	}
	return "", io.EOF
}

func (p *fakeConsole) Show(text string) { p.shown.WriteString(text) }
func (p *fakeConsole) Page(text string) { p.shown.WriteString(text) }

const yard = `encounter "in the yard" with srd35
creature man { base-attack: 5; full-hit-points: 60; main-weapon: longsword }
map """
  .......
  .AB....
  .......
  """
table omen by number {
  | sign | worth |
  |    2 |    gm |
}
side us { man Ann at "A" }
side them { man Bo at "B" }
seed 1
`

var yardScript = sync.OnceValue(func() *build.Script {
	s, diags, err := buildYard([]byte(yard))
	if err != nil || s.Rules == nil {
		panic(fmt.Sprint(diags, err))
	}
	return s
})

func buildYard(text []byte) (*build.Script, diag.List, error) {
	return build.Source("yard.encounter", text, build.Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}})
}

// fight is the yard, led from a console until its lines run out.
type fight struct {
	*session.Live
	answers *Answerer
	first   *session.Reply
}

func newFight() *fight {
	f := &fight{answers: &Answerer{}}
	f.Live, f.first = session.NewLive(yardScript(), session.Options{}, f.answers)
	f.AllowDeclarations(buildYard)
	return f
}

func (f *fight) run(askChoices bool, pending *session.Pending, lines ...string) (*fakeConsole, error) {
	p := &fakeConsole{lines: lines}
	c := Config{
		Live: f.Live, Console: p, AskChoices: askChoices, Bold: func(s string) string { return s },
		Diagnose:   func(list diag.List) string { return "error: " + list[0].Message + "\nhint: " + list[0].Hint + "\n" },
		Help:       func(string) (string, bool) { return "", false },
		SaveScript: func(path, text string) (string, error) { return "", errors.New("not here") },
	}
	err := Run(c, f.answers, f.first, pending)
	f.first = &session.Reply{}
	return p, err
}

// saveToDisk saves the fight in a file of its own, on a disk of its own.
func (f *fight) saveToDisk(t testing.TB) *faulty.Disk {
	t.Helper()
	d := new(faulty.Disk)
	file, err := sessionfile.Create(d, "x", sessionfile.Head{Path: "yard.encounter", Script: f.Script()})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Rewrite(file); err != nil {
		t.Fatal(err)
	}
	return d
}

// resumeAfterKill resumes from what is on the disk after the process died without warning.
func resumeAfterKill(t testing.TB, d *faulty.Disk) (*fight, *session.Pending) {
	t.Helper()
	d.PowerCut()
	file, head, notes, tornText, err := sessionfile.Open(d, "x")
	if err != nil || tornText != "" {
		t.Fatal(err, tornText)
	}
	s := yardScript()
	if head.Script != yard {
		var diags diag.List
		if s, diags, err = buildYard([]byte(head.Script)); err != nil || s.Rules == nil {
			t.Fatal(diags, err)
		}
	}
	f := &fight{answers: &Answerer{}}
	f.Live, f.first = session.NewLive(s, session.Options{}, f.answers)
	f.AllowDeclarations(buildYard)
	pending, err := f.Replay(notes)
	if err != nil {
		t.Fatalf("it cannot be resumed: %v\n%s", err, d.Seen("x"))
	}
	f.RecordTo(file)
	return f, pending
}

// Whatever is typed, the prompt does not panic, and replaying its file gives the same state and the same transcript. So
// does a file that is started afterwards.
func FuzzPrompt(f *testing.F) {
	for _, seed := range []string{
		"begin\nattack Bo with longsword\n:undo\n:redo\nnext turn",
		":dice ask\nbegin\n3\n4\nattack Bo with longsword\nback\n20\nback\n19\n2\n^C\n:undo roll\n5",
		"begin\n:auto us them\n:undo 3\n:redo 2\n:auto off",
		"creature ogre { full-hit-points: 20 }\nside third { ogre Grog at (5, 2) }\n:dice 4 99 3\nbegin\nattack Bo\n:dice seed\n:undo turn",
		"choose by Ann {\n  \"stay\" { Ann gains prone }\n  \"go\" { note \"{Ann.hit-points} left\" }\n}\ngo\nAnn may \"shout\" { note \"\\\"hey\\\"\" }\nyes\ndrop",
		"dice 3, 4\nanswer yes\nbegin; next turn\nlet a = roll 3d6\nnote \"{a}\"\nrepeat 3 times { dice 4; next turn }\nexpect a = 3",
		"?attack Bo with longsword\n?Ann.armor-class\n:why not attack Bo with longsword\n:explain Ann.attack-bonus\n:save as x\n:keep\n:replay\n:log 3\n:note { \" \\ }\n:help\n:who\n:map\n:status",
		"seed 5\nground rubble at (3, 1)\nplace Bo at (2, 1)\npass 1 hour\nfight on for 2 rounds\ntranscript \"\"\"x\"\"\"\nexpect refused { attack Bo with longbow }",
		"\"\"\"\n{\n}\n\x00\xff\n:\n?\n;\n#\nnote \"\\\n",
		"override massive-damage-threshold = 3\nbegin\noverride strike.damage { let points = 1 }\n:undo\n:redo",
	} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, typed string, asks bool) {
		if len(typed) > 500 {
			return // long fights are slow
		}
		playAndResume(t, typed, asks)
	})
}

func playAndResume(t *testing.T, typed string, askChoices bool) {
	t.Helper()
	first := newFight()
	d := first.saveToDisk(t)
	if _, err := first.run(askChoices, nil, strings.Split(typed, "\n")...); err != nil {
		t.Fatal(err)
	}
	same := func(what string, d *faulty.Disk) {
		t.Helper()
		again, _ := resumeAfterKill(t, d)
		if again.Hash() != first.Hash() || again.Transcript() != first.Transcript() || again.TableState() != first.TableState() {
			t.Fatalf("%s: %016x, not %016x\n%s", what, again.Hash(), first.Hash(), d.Seen("x"))
		}
	}
	same("its file", d)
	same("a new file", first.saveToDisk(t))
	first.Encounter()
	first.Test("as it was played")
}

// typedLines are what FuzzPrompt would hardly find: meaningful lines, in any order.
var typedLines = []string{
	"begin", "attack Bo with longsword", "attack Ann with longsword", "next turn", "next turn of Ann", "fight on for 2 turns", "fight on", ":auto us", ":auto them", ":auto off",
	":dice ask", ":dice seed", ":dice 20 19 8", ":dice 99", "7", "12", "1", "", "back", "drop", "^C", ":undo", ":undo 2", ":override 3", ":override to-hit success", ":override failure", ":override", ":undo roll", ":undo turn", ":redo", ":redo 2",
	"set Ann.hit-points to 60", "set Bo.hit-points to 60", "Bo gains prone", "Bo loses prone", "let a = roll 3d6", "note \"{a}\"", "dice 3, 4", "dice Ann strike.to-hit: 20", "answer 2",
	"choose by Ann {", "  \"stay\" { Ann gains prone }", "  \"go\" { note \"go\" }", "}", "go", "creature ogre { full-hit-points: 20 }", "side third { ogre Grog at (5, 2) }",
	"condition grim { +1 to attack-bonus }", "Ann gains grim", "override massive-damage-threshold = 9", "?attack Bo with longsword", ":explain Ann.attack-bonus", "?strike.to-hit#1",
	"seed 4", "pass 1 minute", "ground rubble at (3, 1)", "place Bo at (4, 1)", "place Bo at none", "place Ann at none", "move to (5, 1)", "repeat 2 times { next turn }", "table fate by number {\n  | sign | worth |\n  | 2 | gm |\n}",
	"let b = omen[2]", "3", "let w = \"oak\"", "let v = \"ash\"", "note w", "let c = roll 1d4 + roll 1d6", "Ann gains prone until Bo attacks", "Bo gains flat-footed for 2 rounds", "chance 40% as luck { success: Ann gains flat-footed }",
	"check 5 dc 12 as heave { success: Bo gains prone }", "Ann gains 5 hit-points", "let near = creatures-in(burst((2, 1), 10 ft))", "let e = pick x in [Ann, Bo] by chance", "tactics sit { }", "Ann follows sit", "Bo acts at 30", "expect a = 3", "explain Ann.armor-class", ":note it {rains}",
}

func TestAtRandom(t *testing.T) {
	n := 20
	if testing.Short() {
		n = 5
	}
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 3))
		lines := []string{"begin"}
		for range 40 {
			lines = append(lines, typedLines[r.IntN(len(typedLines))])
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) { playAndResume(t, strings.Join(lines, "\n"), seed%2 == 0) })
	}
}
