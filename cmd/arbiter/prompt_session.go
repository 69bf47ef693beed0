package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"arbiter/cmd/arbiter/internal/prompt"
	"arbiter/cmd/arbiter/internal/repl"
	"arbiter/cmd/arbiter/internal/replaypage"
	"arbiter/cmd/arbiter/internal/sessionfile"
	"arbiter/cmd/arbiter/internal/table"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file is a session at a prompt: how it starts, continues, and is saved.

// promptSession is a session at a prompt.
type promptSession struct {
	*app
	*table.Table
	askChoices bool // choices are asked in a pipe, too
	editor     prompt.Editor
}

// newPromptSession is a session at a prompt that is not seated yet.
func (a *app) newPromptSession(h houseRules, seed *uint64, askChoices bool) *promptSession {
	t := &promptSession{app: a, askChoices: askChoices}
	t.Table = &table.Table{
		Options: table.Options{
			Build: (&houseRules{}).buildOptions(), Disk: a.disk, Language: languageVersion, Version: version, FileError: explainFileError,
		},
		With: h.with, Without: h.without, Seed: seed,
	}
	if !a.json {
		t.Session.Paint, t.Session.Columns = a.paint, term.Columns
		t.Session.Width = func() int { return t.resizedApp().width() }
	}
	return t
}

// resizedApp is the app with the current width of the screen.
func (t *promptSession) resizedApp() *app {
	resized := *t.app
	if t.editor != nil && t.editor.Width() > 0 {
		resized.screen.out.Width = t.editor.Width()
	}
	return &resized
}

// tableError gives the error of a table its exit status, after mistakes of the script have been shown.
func (a *app) tableError(err error) error {
	wrong, misuse, fault := (*table.MistakesError)(nil), (*table.MisuseError)(nil), (*table.FaultError)(nil)
	switch {
	case errors.As(err, &wrong):
		return a.rejectScript(wrong.Diags)
	case errors.As(err, &misuse):
		return usageError("%w", misuse.Err)
	case errors.As(err, &fault):
		return &exitError{exitScriptError, fault.Err}
	}
	return err
}

// begin starts a session with a script, and saves it in a file if one is named.
func (t *promptSession) begin(path string, text []byte, file string) error {
	t.Path = path
	answers := &repl.Answerer{}
	first, nextCommand, err := t.Begin(text, file, answers)
	if err != nil {
		return t.tableError(err)
	}
	defer t.Close()
	greeting := ""
	if nextCommand != "" {
		greeting = fmt.Sprintf("From here on you lead; the next command of the script would be `%s`.\n", nextCommand)
	}
	return t.runPrompt(answers, greeting, first, nil)
}

// saveTo controls how the session is saved: again in its file, after that failed; in a new one; or, with "off", no
// longer.
func (t *promptSession) saveTo(how string) (message string, err error) {
	switch {
	case how == "off":
		t.SaveNowhere()
		return "The session is no longer saved.", nil
	case how == "" && !t.IsSaved():
		return "", errors.New("the session is not saved: `:keep FILE` starts saving it")
	case how == "":
		if err := t.Reopen(); err != nil {
			return "", err
		}
		return "The session is saved again.", nil
	}
	if err := t.SaveIn(how); err != nil {
		return "", err
	}
	return "The session is saved in " + how + ", from its start.", nil
}

// resume continues a session from a file. The error is table.ErrNoSession when there is none.
func (t *promptSession) resume(file, script string) error {
	answers := &repl.Answerer{}
	x, err := t.Resume(file, script, answers)
	if err != nil {
		return t.tableError(err)
	}
	defer t.Close()
	greeting := fmt.Sprintf("%s resumed after %s.\n", file, countText(t.Live.Done(), "command"))
	if x.Changed {
		greeting += fmt.Sprintf("%s has changed; the session continues with the version it was started with.\n", t.Path)
	}
	if x.Torn != "" {
		greeting = x.Torn + "\n" + greeting
	}
	x.First.Text, x.First.Events = lastLines(t.Live.Transcript(), 10), nil
	if t.Live.Story() && t.Live.Turn() == "" {
		x.First.Text = t.Live.StoryText()
	}
	return t.runPrompt(answers, greeting, x.First, x.Pending)
}

// lastLines are the last n lines.
func lastLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[max(0, len(lines)-1-n):], "")
}

// runPrompt runs the prompt.
func (t *promptSession) runPrompt(answers *repl.Answerer, greeting string, first *session.Reply, pending *session.Pending) error {
	out := io.Writer(t.out)
	if t.screen.out.Terminal {
		out = t.out.w // the editor wants the terminal itself
	}
	editor := prompt.Open(prompt.Options{In: t.in, Out: out, Err: t.err, History: prompt.HistoryPath(), Plain: t.json})
	defer editor.Close()
	t.editor = editor
	if t.Live.Story() {
		if editor.Terminal() {
			greeting += "Type a number, or the beginning of a label. `:help` lists the other commands; Ctrl-D leaves.\n"
		}
		if greeting != "" {
			greeting += "\n"
		}
	}
	stopped, end := stopCommandOnInterrupt()
	defer end()
	c := repl.Config{
		Live: t.Live, Console: console{editor}, AskChoices: editor.Terminal() || t.askChoices, EchoQuestions: !editor.Terminal(), Stopped: stopped, Greeting: greeting, Diagnose: t.diagnosticText, Help: t.topicText, SaveScript: t.saveScript, SaveTo: t.saveTo, WriteReplay: t.writePage, Debugged: t.debugged, Files: filesWithPrefix, RulesetWith: t.rulesetWith, Board: t.board(),
		Columns: func() int { return t.resizedApp().width() },
		Bold:    func(s string) string { return t.screen.out.Paint(term.Bold, s) },
	}
	if t.json {
		t.out.raw = true
		c.JSON = t.out
	}
	err := repl.Run(c, answers, first, pending)
	if mistakes := (*repl.MistakesError)(nil); errors.As(err, &mistakes) {
		return &exitError{exitScriptError, err}
	}
	return err
}

// diagnosticText formats diagnostics as text.
func (t *promptSession) diagnosticText(list diag.List) string {
	var b strings.Builder
	p := newPrinter(&b, t.resizedApp().screen.out, false, func(file string) []byte {
		if text, ok := t.Live.Rules().Sources[file]; ok {
			return text
		}
		return source(file)
	})
	p.MoreHint = "" // typed text is in no file that could be checked
	p.PrintAll(list)
	return b.String()
}

// debugged builds the game so far as a script. line is that of its last command, 0 if nothing has been done.
func (t *promptSession) debugged() (s *build.Script, line int, err error) {
	text, err := t.Live.Encounter()
	if err != nil {
		return nil, 0, err
	}
	h := houseRules{with: t.With, without: t.Without}
	s, diags, err := build.Source(filepath.Join(filepath.Dir(t.Path), "game.encounter"), []byte(text), h.buildOptions())
	if x := onlyErrors(diags); err == nil && (s == nil || s.Rules == nil || len(x) > 0) {
		err = errors.New("its rules are not found again")
		if len(x) > 0 {
			err = errors.New(x[0].Message)
		}
	}
	if err != nil || t.Live.Done() == 0 {
		return s, 0, err
	}
	for _, cl := range s.File.Body {
		if n, ok := cl.(*ast.Directive); !ok || n.Word.Name != "transcript" {
			line = cl.Extent().Start.Line
		}
	}
	return s, line, nil
}

// filesWithPrefix lists the files and folders whose paths have that prefix; folders end in a slash.
func filesWithPrefix(prefix string) []string {
	dir, name := filepath.Split(prefix)
	list, err := os.ReadDir(cmp.Or(dir, "."))
	if err != nil {
		return nil // there is nothing to offer
	}
	var out []string
	for _, e := range list {
		switch path := dir + e.Name(); {
		case !strings.HasPrefix(e.Name(), name) || name == "" && strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			out = append(out, path+"/")
		default:
			out = append(out, path)
		}
	}
	return out
}

// writePage writes what has been played as a page to watch. It may be written again, as the game goes on.
func (t *promptSession) writePage(path string) (warning string, err error) {
	d, err := t.Live.PlayAgain()
	if err != nil {
		return "", err
	}
	text, err := replaypage.Page(d)
	if err != nil {
		return "", err
	}
	if d.Cut != nil {
		warning = fmt.Sprintf("It ends in round %d: %s.", d.Cut.Round, d.Cut.Why)
	}
	return warning, os.WriteFile(path, text, 0o666)
}

// saveScript writes a script to a new file and never overwrites one. The warning says what is missing at that place to
// play it by the same rules.
func (t *promptSession) saveScript(path, text string) (warning string, err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s already exists: name another file", path)
	}
	if err != nil {
		return "", err
	}
	_, err = io.WriteString(f, text)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", err
	}
	s, _, err := build.Source(path, []byte(text), (&houseRules{}).buildOptions())
	if t.Live.Story() && (err != nil || s.Story == nil) {
		return "Its adventure is not found from there: save it in the folder of " + t.Path + ", or one above.", nil
	}
	if err != nil || s.Rules == nil || len(sessionfile.ChangedRules(sessionfile.RuleHashes(s.Rules), sessionfile.RuleHashes(t.Live.Rules()))) > 0 {
		warning = "Not all rulesets that it uses can be found from there: put their files in the same folder"
		if names := t.Live.Rules().House; len(names) > 0 {
			warning += ", those of " + strings.Join(names, ", ")
		}
		warning += "."
	}
	return warning, nil
}
