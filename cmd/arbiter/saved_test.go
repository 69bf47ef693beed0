package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/machine"
	"arbiter/interp/session"
	"arbiter/lang/ast"
	"arbiter/lang/format"
)

// This file plays the fights of the examples at a prompt, undoes everything, and saves them.

// fickleAnswers gives the default answer or another one, and sometimes goes back.
type fickleAnswers struct{ *rand.Rand }

func (f fickleAnswers) Answer(q *session.Request) (int64, error) {
	if q.AskedBefore || f.IntN(3) == 0 {
		if _, err := q.SoFar(); err != nil {
			return 0, err
		}
		if f.IntN(8) == 0 {
			return 0, session.ErrBack
		}
	} else {
		return q.Default, nil
	}
	switch {
	case q.Die:
		return 1 + f.Int64N(int64(q.Sides)), nil
	case q.Kind == machine.RulingChoice:
		return f.Int64N(4), nil
	}
	return f.Int64N(int64(len(q.Options))), nil
}

// promptLines is what somebody types who leads a script: the commands of the script, turns left to tactics, and various
// others in between.
func promptLines(t *testing.T, s *build.Script, from int) []string {
	t.Helper()
	var lines []string
	n := 0
	for _, cl := range s.File.Body[from:] {
		switch c := cl.(type) {
		case *ast.Expect:
			continue
		case *ast.Directive:
			switch c.Word.Name {
			case "transcript":
				continue
			case "fight":
				for range 24 {
					lines = append(lines, "fight on for 1 turn")
				}
				continue
			}
		}
		if lines = append(lines, format.Node(cl)); n%9 == 4 {
			lines = append(lines, "undo", "undo", "redo", "redo")
		}
		if n++; n == 12 {
			lines = append(lines, "condition marked-by-chalk \"A cross on the back.\" { }", lines[len(lines)-1])
		}
	}
	return append(lines, "dice 3, 5, 2", "fight on for 2 turns", "undo", "note \"So far, \\\"so\\\" good.\"", "begin", "fight on for 5 turns", "next turn", "dice 1", "dice 2")
}

// playLines plays the lines and returns how many succeeded.
func playLines(t *testing.T, l *session.Live, lines []string) (done int) {
	t.Helper()
	for _, line := range lines {
		var err error
		switch line {
		case "undo":
			_, err = l.Undo()
		case "redo":
			_, err = l.Redo()
		default:
			r := l.Do(line)
			for r.Dropped { // going back at the first question drops the command
				r = l.Do(line)
			}
			if err = r.Err; err == nil && !r.Dropped && len(r.Failures) == 0 {
				done++
			}
		}
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	return done
}

// The examples, under each system and some under house rules, are led from a prompt. All commands can be undone and
// redone, state by state, and the encounter and the test saved from them produce the same output byte for byte.
func TestSaved(t *testing.T) {
	type example struct {
		path string
		with []string
	}
	var all []example
	err := filepath.WalkDir("../../examples", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err == nil && d.Name() == "parties": // they have nobody to fight
			return fs.SkipDir
		case strings.HasSuffix(path, ".encounter"):
			all = append(all, example{path: path})
		}
		return err
	})
	if err != nil || len(all) < 8 {
		t.Fatalf("%d encounters, %v", len(all), err)
	}
	for _, house := range []string{"exploding-dice", "armor-soaks", "grim-table"} {
		all = append(all, example{"../../examples/duel/srd35.encounter", []string{"../../examples/house-rules/" + house + ".rules"}})
	}
	for _, p := range all {
		name := strings.TrimPrefix(p.path, "../../examples/")
		for _, w := range p.with {
			name += " with " + filepath.Base(w)
		}
		t.Run(name, func(t *testing.T) { testSaved(t, p.path, p.with) })
	}
}

func testSaved(t *testing.T, path string, with []string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var seed *uint64
	if with != nil {
		seed = new(uint64)
		*seed = 77
	}
	rules := houseRules{with: with}
	s := (&app{}).newPromptSession(rules, seed, false)
	s.Path = path
	script, _, err := build.Source(path, text, rules.buildOptions())
	if err != nil {
		t.Fatal(err)
	}
	_, rest := session.Opening(script.File, text)
	from := 0
	for i, cl := range script.File.Body {
		if first, _, _ := strings.Cut(format.Node(cl), "\n"); first == rest {
			from = i
			break
		}
	}
	if _, _, err := s.Begin(text, "", fickleAnswers{rand.New(rand.NewPCG(5, 8))}); err != nil {
		t.Fatal(err)
	}
	l := s.Live
	if done := playLines(t, l, promptLines(t, script, from)); done < 15 {
		t.Errorf("only %d commands were carried out", done)
	}
	undoAndRedoAll(t, l)
	byHand := 0
	for n := range l.Done() {
		d := command(t, l, n)
		for i := range d.Answers {
			if !d.Answers[i].Seeded {
				byHand++
			}
		}
	}
	if byHand < 5 { // an encounter that scripts its dice leaves few
		t.Errorf("only %d dice and choices were answered by hand", byHand)
	}
	t.Logf("%d commands, %d answers by hand", l.Done(), byHand)

	dir := t.TempDir()
	for _, with := range []string{"../../examples/house-rules", "../../examples/stat-blocks"} {
		if err := os.CopyFS(dir, os.DirFS(with)); err != nil {
			t.Fatal(err)
		}
	}
	encounter, err := l.Encounter()
	test, testErr := l.Test("as it was played")
	if err != nil || testErr != nil {
		t.Fatal(err, testErr)
	}
	for name, text := range map[string]string{"saved.encounter": encounter, "saved.tests": test} {
		path := filepath.Join(dir, name)
		writeFile(t, path, text)
		again, diags, err := build.File(path, (&houseRules{}).buildOptions())
		if err != nil || again.Rules == nil {
			t.Fatalf("%s: %v %v\n%s", name, diags, err, text)
		}
		body := again.File.Body
		for _, cl := range body {
			if test, ok := cl.(*ast.Test); ok {
				body = test.Body.Clauses
			}
		}
		got := session.Play(again, body, session.Options{Strict: name == "saved.tests"})
		if len(got.Failures) > 0 || got.Output != l.Transcript() || got.Hash != fmt.Sprintf("%016x", l.Hash()) {
			t.Errorf("%s: state %s, not %016x; %v\n%s", name, got.Hash, l.Hash(), got.Failures, firstDifference(got.Output, l.Transcript()))
		}
		if !strings.Contains(text, "transcript \"\"\"") {
			t.Errorf("%s does not say what was printed", name)
		}
	}
}

func command(t *testing.T, l *session.Live, n int) *session.Command {
	t.Helper()
	d, err := l.Command(n)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// undoAndRedoAll undoes and redoes everything, and compares the states.
func undoAndRedoAll(t *testing.T, l *session.Live) {
	t.Helper()
	type state struct {
		hash uint64
		text string
	}
	var states []state
	at := func() state { return state{l.Hash(), l.Transcript()} }
	for l.Done() > 0 {
		states = append(states, at())
		if _, err := l.Undo(); err != nil {
			t.Fatal(err)
		}
		if n := l.Done(); n > 0 && command(t, l, n-1).Hash != l.Hash() {
			t.Fatalf("%d commands are done, and the state is not the one after the last of them", n)
		}
	}
	for i := len(states) - 1; i >= 0; i-- {
		if _, err := l.Redo(); err != nil {
			t.Fatal(err)
		}
		if at() != states[i] {
			t.Fatalf("done again, %q comes to another state", command(t, l, l.Done()-1).Text)
		}
	}
	if r, err := l.Redo(); r != nil || err != nil {
		t.Error("something is left to do again")
	}
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			return fmt.Sprintf("line %d: %q, not %q", i+1, x[i], append(y, "")[min(i, len(y))])
		}
	}
	return ""
}
