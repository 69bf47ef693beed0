package board

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/session"
	"arbiter/interp/view"
	"arbiter/rules"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// scene is a fight in progress, and the combatant whose page is drawn.
type scene struct {
	name   string
	source string
	path   string // of an example, instead of the source
	do     []string
	who    string
}

var scenes = []scene{
	{name: "duel", path: "duel/srd35.encounter", do: []string{"fight on for 5 rounds", "Bron gains prone for 2 rounds", "next turn"}, who: "Alia"},
	{name: "duel-true20", path: "duel/true20.encounter", do: []string{"fight on for 3 rounds"}, who: "Alia"},
	{name: "srd35", path: "ambush.encounter", do: []string{"fight on for 3 rounds"}, who: "Cyra"},
	{name: "third", path: "ambush/third.encounter", do: []string{"fight on for 4 rounds"}, who: "Grim"},
	{name: "modern", path: "ambush/modern.encounter", do: []string{"fight on for 4 rounds"}, who: "Hask"},
	{name: "starfinder", path: "ambush/starfinder.encounter", do: []string{"fight on for 4 rounds"}, who: "Dorn"},
	{name: "true20", path: "ambush/true20.encounter", do: []string{"fight on for 4 rounds"}, who: "Grim"},
	{name: "crowd", source: crowd(), do: []string{"fight on for 2 rounds"}, who: "North-5"},
	{name: "waiting", source: waiting, who: "Alia", do: []string{
		"ready plan before attack by Bron { attack Bron with longsword }", "next turn", "delay", "next turn", "Bron gains prone until end of next turn",
		"Alia gains shaken for 3 rounds", "Alia gains sickened", "Alia gains prone", "Alia gains entangled for 1 round",
	}},
	{name: "long-names", source: longNames, do: []string{"begin"}, who: "the-Right-Honourable-Theodora-of-the-Upper-Marches"},
	{name: "wide-names", source: wideNames, do: []string{"begin"}, who: "李小龍"},
	{name: "nobody", source: "encounter \"nobody\" with srd35\n"},
	{name: "before", path: "ambush.encounter", who: "Alia"},
	{name: "large-map", source: largeMap, do: []string{"begin"}, who: "Alia"},
}

const waiting = `encounter "waiting" with starfinder
creature guard { main-weapon: longsword; strength: 14; full-hit-points: 20; full-stamina: 12; full-resolve: 3 }
creature beast { main-weapon: longsword; full-hit-points: 30 }
side left { guard Alia; guard Cyra }
side right { beast Bron }
seed 3
begin
`

const longNames = `encounter "long names" with srd35
creature man { main-weapon: longsword; full-hit-points: 1234 }
side the-Companions-of-the-Sevenfold-Path-and-their-Retinue {
  man the-Right-Honourable-Theodora-of-the-Upper-Marches at (1, 1)
  man Bo at (2, 1)
}
side them { man an-Unspeakable-Horror-from-beyond-the-Outermost-Dark at (4, 1) }
seed 1
Bo gains prone, flat-footed, blinded, unaware, revived
`

const wideNames = `encounter "wide names" with srd35
creature man { main-weapon: longsword; full-hit-points: 12 }
map """
  #####
  #A.B#
  #壁C.#
  #####
  """ { "#": wall; "壁": wall }
side 東 { man 李小龍 at "A"; man Zoë at "B" }
side west { man Łukasz at "C" }
seed 1
`

var largeMap = func() string {
	var rows strings.Builder
	for y := range 70 {
		for x := range 150 {
			switch {
			case x == 0 || y == 0 || x == 149 || y == 69 || x%30 == 0 && y%9 != 4:
				rows.WriteByte('#')
			default:
				rows.WriteByte('.')
			}
		}
		rows.WriteString("\n")
	}
	return `encounter "a large map" with srd35
creature man { main-weapon: longsword }
creature troll { size: huge; main-weapon: longsword; reach: 15 ft }
map """
` + rows.String() + `""" { "#": wall }
side us { man Alia at (100, 40) }
side them { troll Grum at (103, 38) }
seed 2
`
}()

func crowd() string {
	src := "encounter \"a crowd\" with srd35\ncreature man { main-weapon: longsword; worn-armor: chain-shirt; full-hit-points: 14 }\n"
	for i, side := range []string{"North", "South"} {
		src += "side " + strings.ToLower(side) + " {\n"
		for k := range 12 {
			src += fmt.Sprintf("  man %s-%d at (%d, %d)\n", side, k+1, 3+2*k, 2+6*i)
		}
		src += "}\n"
	}
	return src + "seed 1\n"
}

// play plays a fight up to the point where it is drawn.
func play(t *testing.T, s scene) *session.Live {
	t.Helper()
	src := s.source
	if s.path != "" {
		text, err := os.ReadFile("../../../../examples/" + s.path)
		if err != nil {
			t.Fatal(err)
		}
		src, _, _ = strings.Cut(string(text), "\nfight on")
	}
	script, diags, err := build.Source(s.name+".encounter", []byte(src), build.Options{Library: rules.FS, Compile: compile.Options{AnnounceAll: true, Unoptimized: true}})
	if err != nil || script.Rules == nil {
		t.Fatal(diags, err)
	}
	l, out := session.NewLive(script, session.Options{}, nil)
	if len(out.Failures) > 0 {
		t.Fatal(out.Failures)
	}
	for _, c := range s.do {
		if out := l.Do(c); len(out.Failures) > 0 || out.Err != nil {
			t.Fatal(c, out.Failures, out.Err)
		}
	}
	return l
}

// draw draws everything that a board can draw.
func draw(t *testing.T, b Board, s scene, l *session.Live) string {
	v := l.View()
	lines, err := l.Log(6)
	if err != nil {
		t.Fatal(err)
	}
	out := b.Status(v) + "\n" + b.Order(v) + "\n" + b.Turn(v) + "\n" + b.Map(v)
	if s.who == "" {
		return out + "\n" + b.Log(lines)
	}
	reach, err := l.Reach(s.who)
	if err != nil {
		t.Fatal(err)
	}
	foe := ""
	who := l.Who(s.who)
	for i := range v.Fighters {
		if f := &v.Fighters[i]; f.Side != who.Side && !f.Down && foe == "" {
			foe = f.Name
		}
	}
	threatened, err := l.Threatened(foe)
	if err != nil {
		t.Fatal(err)
	}
	if v.Chart != nil {
		out += "\n" + b.Map(v, Squares{s.who + " can move there", reach}, Squares{foe + " threatens", threatened})
	}
	return out + "\n" + b.Who(who) + "\n" + b.Log(lines)
}

var escape = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestGolden(t *testing.T) {
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			l := play(t, s)
			got := &txtar.Archive{}
			for _, width := range []int{45, 60, 80, 120} {
				for name, screen := range map[string]term.Screen{"plain": {}, "color": {Terminal: true, Color: true, Unicode: true}} {
					screen.Width = width
					text := draw(t, New(screen), s, l)
					checkDrawing(t, text, width, screen.Color)
					got.Files = append(got.Files, txtar.File{Name: fmt.Sprintf("%d %s", width, name), Data: []byte(strings.ReplaceAll(text, "\x1b", "␛"))})
				}
			}
			sortFiles(got)
			golden(t, s.name+".txtar", txtar.Format(got))
		})
	}
}

// checkDrawing wants a drawing to keep its width, and plain text to be plain.
func checkDrawing(t *testing.T, text string, width int, color bool) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.Contains(line, "\x1b") && !color {
			t.Errorf("%d columns: an escape in plain text: %q", width, line)
		}
		line = escape.ReplaceAllString(line, "")
		if n := term.Columns(line); n > width {
			t.Errorf("%d columns: %d: %s", width, n, line)
		}
		if !color && strings.ContainsAny(line, "█░│─┌┐└┘▶✗·…") {
			t.Errorf("%d columns: no ASCII: %s", width, line)
		}
	}
}

func sortFiles(a *txtar.Archive) {
	for i := range a.Files {
		for k := range a.Files[:i] {
			x, y := a.Files[i].Name, a.Files[k].Name
			if len(x) < len(y) || len(x) == len(y) && x < y {
				a.Files[i], a.Files[k] = a.Files[k], a.Files[i]
			}
		}
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs, got:\n%s", path, got)
	}
}

// A bar is empty only at the minimum and full only at the maximum.
func TestBar(t *testing.T) {
	n := func(v int64) *int64 { return &v }
	for _, c := range []struct {
		amount view.Amount
		want   string
	}{
		{view.Amount{Value: 10, Low: n(0), High: n(10)}, "##########"},
		{view.Amount{Value: 99, Low: n(0), High: n(100)}, "#########."},
		{view.Amount{Value: 1, Low: n(0), High: n(100)}, "#........."},
		{view.Amount{Value: 0, Low: n(0), High: n(100)}, ".........."},
		{view.Amount{Value: -5, Low: n(-10), High: n(10)}, ".........."},
		{view.Amount{Value: 15, Low: n(0), High: n(10)}, "##########"},
		{view.Amount{Value: 7, Low: n(5), High: n(9)}, "#####....."},
		{view.Amount{Value: 3}, ".........."},
	} {
		if got := New(term.Screen{}).bar(c.amount, 10); got != c.want {
			t.Errorf("%+v: %s, want %s", c.amount, got, c.want)
		}
	}
}

func TestShortened(t *testing.T) {
	b := New(term.Screen{})
	list := []string{"prone", "shaken by 2", "stunned", "blinded"}
	for _, c := range []struct {
		columns int
		want    string
	}{
		{40, "prone, shaken by 2, stunned, blinded"},
		{35, "prone, shaken by 2 and 2 more"},
		{28, "prone and 3 more"},
		{16, "prone and 3 more"},
		{15, "p... and 3 more"},
		{14, "... and 3 more"},
		{9, "4 to tell"},
	} {
		if got := b.joinShortened(list, c.columns); got != c.want {
			t.Errorf("%d columns: %q, want %q", c.columns, got, c.want)
		}
	}
	if got := b.joinShortened(nil, 10); got != "" {
		t.Errorf("nothing is %q", got)
	}
}

// Colors are for color screens, boxes for those that have both: NO_COLOR means plain ASCII.
func TestPlain(t *testing.T) {
	l := play(t, scenes[2])
	want := draw(t, New(term.Screen{}), scenes[2], l)
	for _, s := range []term.Screen{{Terminal: true, Unicode: true, Width: 80}, {Width: 80}} {
		if got := draw(t, New(s), scenes[2], l); got != want {
			t.Errorf("%+v:\n%s", s, got)
		}
	}
	ascii := escape.ReplaceAllString(draw(t, New(term.Screen{Terminal: true, Color: true, Width: 80}), scenes[2], l), "")
	if strings.ContainsFunc(ascii, func(r rune) bool { return r > 126 }) {
		t.Errorf("not ASCII:\n%s", ascii)
	}
}

// A side of which everybody has left is not in the status.
func TestStatusWithoutTheDeparted(t *testing.T) {
	v := &view.Fight{
		Sides:    []view.Side{{Name: "heroes"}, {Name: "goblins", Members: 1, Standing: 1}},
		Fighters: []view.Fighter{{Name: "Gob", Side: "goblins"}},
	}
	if got := New(term.Screen{}).Status(v); strings.Contains(got, "heroes") || !strings.HasPrefix(got, "goblins, 1 of 1 standing\n") {
		t.Errorf("%s", got)
	}
}
