package debugprompt

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/rules"
)

const yard = `encounter "The yard" with srd35
creature soldier { base-attack: 3; strength: 14; main-weapon: longsword }
side us { soldier Alia }
side them { soldier Bron }
dice Alia strike.to-hit: 20
dice Alia strike.confirmation: 2
Alia: strike Bron with longsword
Bron gains prone
`

// typist is a console whose lines are given.
type typist struct {
	lines []string
	shown strings.Builder
}

func (c *typist) Read(string) (string, error) {
	if len(c.lines) == 0 {
		return "", io.EOF
	}
	line := c.lines[0]
	c.lines = c.lines[1:]
	return line, nil
}

func (c *typist) Show(text string) { c.shown.WriteString(text) }

func script(t *testing.T) *build.Script {
	t.Helper()
	s, diags, err := build.Source(filepath.Join(t.TempDir(), "yard.encounter"), []byte(yard), build.Options{Library: rules.FS})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	return s
}

// run types lines, and returns what is shown.
func run(t *testing.T, s *build.Script, points *Points, at Start, lines ...string) string {
	t.Helper()
	c := &typist{lines: lines}
	at.Session = session.Options{Unchecked: true}
	if _, err := Run(s, points, c, at); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	return c.shown.String()
}

func TestPrompt(t *testing.T) {
	s := script(t)
	for name, c := range map[string]struct {
		points []string
		at     Start
		lines  string
		want   []string // in this order
		not    string
	}{
		"a condition":         {[]string{"strike.confirm when to-hit.natural = 20"}, Start{Line: 7}, "to-hit.natural\ntarget.armor-class\n:leave", []string{"Stopped: strike.confirm.", "strike.confirm (Alia), ", "\n20\n", "target.armor-class = 10\n", "base"}, ""},
		"one that is false":   {[]string{"strike.confirm when to-hit.natural = 19"}, Start{Line: 7}, "1", nil, "Stopped"},
		"of earlier commands": {[]string{"strike.confirm"}, Start{Line: 8}, "1", nil, "Stopped"},
		"a wrong place":       {[]string{"nowhere"}, Start{Stop: true}, ":break", []string{"  1  nowhere\n", "is called nowhere"}, ""},
		"a die":               {nil, Start{Stop: true}, ":break roll strike.confirmation\n:c\n:die 20\n:break off\n:continue", []string{"Alia rolls d20 for strike.confirmation", "The next die shows 20.", "strike.confirmation#1: 20 + 5", "at the end"}, ""},
		"the past":            {[]string{"roll strike.to-hit"}, Start{Back: true}, ":names\n:rewind break", []string{"Stopped: roll strike.to-hit", "target = Bron", "at the beginning"}, ""},
		"steps":               {nil, Start{Line: 8, Stop: true}, ":step\nBron is prone\n:rewind\nBron is prone", []string{"Bron gains prone", "Bron is prone", "yes", "no"}, ""},
		"the stack":           {[]string{"strike.confirm"}, Start{Line: 7}, ":stack\n:frame 1\n:frame 9\n:who\n:who Bron\n:who Nobody", []string{"> 0  strike.confirm (Alia)", "  1  script", "0 to 1", "Alia, Bron", "there is no Nobody"}, ""},
		"mistakes":            {nil, Start{Stop: true}, ":nothing\n:die x\n:step sideways\n1 +\n:break when x\n:quit", []string{"There is no :nothing here", "no face of a die", "Usage: :step", "name a place"}, ""},
		"a line":              {[]string{filepath.Base(s.Path) + ":8", s.Path + ":8 count 1"}, Start{Line: 7}, ":leave", []string{"yard.encounter:8", "Bron gains prone"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			points := &Points{}
			for _, x := range c.points {
				if err := points.Set(x); err != nil {
					t.Fatal(err)
				}
			}
			got := run(t, s, points, c.at, strings.Split(c.lines, "\n")...)
			rest := got
			for _, want := range c.want {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("no %q in\n%s", want, got)
				}
				rest = after
			}
			if c.not != "" && strings.Contains(got, c.not) {
				t.Errorf("%s", got)
			}
		})
	}
}

func TestMaxPoints(t *testing.T) {
	points := &Points{}
	for n := range maxPoints + 1 {
		err := points.Set(fmt.Sprintf("strike.confirm count %d", n+1))
		if full := err != nil && strings.Contains(err.Error(), "there are 1000 breakpoints"); full != (n == maxPoints) {
			t.Fatalf("breakpoint %d: %v", n+1, err)
		}
	}
}

// A random session neither crashes nor hangs, and leaves nothing running.
func TestRandomPrompt(t *testing.T) {
	s := script(t)
	words := []string{":step", ":step over", ":step out", ":continue", ":rewind", ":rewind break", ":break strike.confirm", ":break gain prone", ":break roll strike.to-hit when target is prone",
		":break stat armor-class count %2", ":break off", ":break off 1", ":stack", ":frame 1", ":names", ":who Alia", ":die 3", ":die 99", ":die -1", ":transcript", "target", "Alia.armor-class", "1/0", ")", ":break " + s.Path + ":7"}
	before := runtime.NumGoroutine()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 5))
			var lines []string
			for range 40 {
				lines = append(lines, words[random.IntN(len(words))])
			}
			run(t, s, &Points{}, Start{Stop: true}, lines...)
		})
	}
	for began := time.Now(); runtime.NumGoroutine() > before && time.Since(began) < 5*time.Second; {
		time.Sleep(5 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines are left of %d", n, before)
	}
}
