package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/prompt"
	"arbiter/cmd/arbiter/internal/repl"
	"arbiter/cmd/arbiter/internal/replay"
	"arbiter/cmd/arbiter/internal/sessionfile"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/session"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
	"arbiter/stdlib/logbook"
)

// This file is a session at a prompt: how it starts, continues, and is saved.

// errNoSession says that no session was started in a file: there is none, or its first write was torn.
var errNoSession = errors.New("no session has been started here")

// promptSession is a session at a prompt.
type promptSession struct {
	*app
	houseRules
	seed       *uint64
	askChoices bool // choices are asked in a pipe, too
	path       string
	live       *session.Live
	file       *sessionfile.File // nil: nothing is saved

	editor prompt.Editor
}

// resizedApp is the app with the current width of the screen.
func (t *promptSession) resizedApp() *app {
	resized := *t.app
	if t.editor != nil && t.editor.Width() > 0 {
		resized.screen.out.Width = t.editor.Width()
	}
	return &resized
}

// build builds the script of the session from a text.
func (t *promptSession) build(text []byte) (*build.Script, diag.List, error) {
	o := t.buildOptions()
	o.Compile = compile.Options{AnnounceAll: true} // typed text may wait for any action
	return build.Source(t.path, text, o)
}

// buildWith builds the script of the session with one more ruleset, which stays unless it is undone.
func (t *promptSession) buildWith(name string, text []byte) (s *build.Script, diags diag.List, undo func(), err error) {
	before := t.with
	undo = func() { t.with = before }
	t.with = append(slices.Clip(before), name)
	known := len(t.live.Rules().Set.Rulesets)
	if s, diags, err = t.build(text); err == nil && s != nil && s.Rules != nil && len(s.Rules.Set.Rulesets) == known {
		return nil, nil, undo, fmt.Errorf("%s is in play already", name)
	}
	return s, t.placeDiagnostics(diags), undo, explainFileError(err)
}

// startLive builds the script and plays it up to where the user takes over.
func (t *promptSession) startLive(text []byte, answers session.Asker) (*session.Reply, error) {
	s, diags, err := t.build(text)
	switch {
	case err != nil:
		return nil, err
	case s != nil && s.IsPart():
		return nil, rejectIncluded(t.path)
	case diags.HasErrors() || s == nil || s.Rules == nil:
		return nil, t.rejectScript(diags)
	case s.Head.Word.Name == "ruleset":
		return nil, usageError("%s is a ruleset: play with it by `arbiter repl --with %s`", t.path, t.path)
	case s.Head.Word.Name == "tests":
		return nil, usageError("%s is a file of tests: run it with `arbiter test`", t.path)
	}
	o := session.Options{Seed: t.seed, Record: true} // a replay may be asked for at any time
	if !t.json {
		o.Paint, o.Columns = t.paint, term.Columns
		o.Width = func() int { return t.resizedApp().width() }
	}
	live, reply := session.NewLive(s, o, answers)
	if len(reply.Failures) > 0 {
		return nil, t.rejectScript(reply.Failures)
	}
	live.AllowDeclarations(t.build)
	live.AllowRulesets(t.buildWith)
	t.live = live
	return reply, nil
}

// begin starts a session with a script, and saves it in a file if one is named.
func (t *promptSession) begin(path string, text []byte, file string) error {
	t.path = path
	nextCommand := ""
	if f, diags := parse.File(path, text); !diags.HasErrors() { // otherwise open says what is wrong
		text, nextCommand = session.Opening(f, text)
	}
	answers := &repl.Answerer{}
	first, err := t.startLive(text, answers)
	if err != nil {
		return err
	}
	greeting := ""
	if nextCommand != "" {
		greeting = fmt.Sprintf("From here on you lead; the next command of the script would be `%s`.\n", nextCommand)
	}
	if file != "" {
		if _, err := t.saveTo(file); err != nil {
			return err
		}
		defer t.close()
	}
	return t.runPrompt(answers, greeting, first, nil)
}

// saveTo controls how the session is saved: again in its file, after that failed; in a new one; or, with "off", no
// longer.
func (t *promptSession) saveTo(how string) (message string, err error) {
	switch {
	case how == "off":
		t.live.RecordTo(nil)
		t.close()
		return "The session is no longer saved.", nil
	case how == "" && t.file == nil:
		return "", errors.New("the session is not saved: `:keep FILE` starts saving it")
	case how == "":
		if err := t.file.Reopen(); err != nil {
			return "", err
		}
		return "The session is saved again.", nil
	}
	f, err := sessionfile.Create(t.disk, how, sessionfile.Head{
		Path: t.path, Script: t.live.Script(), With: t.with, Without: t.without, Seed: t.seed, Language: fmt.Sprint(languageVersion), RuleHashes: sessionfile.RuleHashes(t.live.Rules()),
	})
	if err != nil {
		return "", err
	}
	if err := t.live.Rewrite(f); err != nil {
		f.Close()
		return "", err
	}
	t.close()
	t.file = f
	return "The session is saved in " + how + ", from its start.", nil
}

// close releases the file of the session.
func (t *promptSession) close() {
	if t.file != nil {
		t.file.Close()
		t.file = nil
	}
}

// resume continues a session from a file. The error is errNoSession when there is none.
func (t *promptSession) resume(file, script string) error {
	if file == "" {
		return errNoSession
	}
	f, head, notes, tornText, err := sessionfile.Open(t.disk, file)
	if unfinished := (*logbook.Unfinished)(nil); errors.As(err, &unfinished) || errors.Is(err, fs.ErrNotExist) {
		return errNoSession
	}
	if err != nil {
		return markBadContent(err)
	}
	t.file = f
	defer t.close()
	switch {
	case head.Language != fmt.Sprint(languageVersion):
		return &exitError{exitScriptError, fmt.Errorf("%s is a session in version %s of the language, but this is arbiter %s, which knows version %d", file, head.Language, version, languageVersion)}
	case script != "" && script != head.Path:
		return usageError("%s is a session of %s, not of %s: name another file, or resume it with `arbiter play --session %s`", file, head.Path, script, file)
	case t.changesRules() || t.seed != nil:
		return usageError("%s is a session already, with rules and a seed of its own: name another file", file)
	}
	t.path, t.with, t.without, t.seed = head.Path, head.With, head.Without, head.Seed
	answers := &repl.Answerer{}
	first, err := t.startLive([]byte(head.Script), answers)
	if err != nil {
		return err
	}
	if changed := sessionfile.ChangedRules(head.RuleHashes, sessionfile.RuleHashes(t.live.Rules())); len(changed) > 0 {
		more := ""
		if n := len(changed) - 12; n > 0 {
			changed, more = changed[:12], fmt.Sprintf(" and %d more", n)
		}
		return &exitError{exitScriptError, fmt.Errorf("%s was played by rules that have changed since: %s%s. Restore them, or start a new session in another file", file, strings.Join(changed, ", "), more)}
	}
	pending, err := t.live.Replay(notes)
	if err != nil {
		return &exitError{exitScriptError, fmt.Errorf("%s cannot be resumed: %w", file, err)}
	}
	t.live.RecordTo(f)
	greeting := fmt.Sprintf("%s resumed after %s.\n", file, countText(len(t.live.Done()), "command"))
	if now, err := build.ReadFile(t.path); err == nil && t.live.Story() && string(now) != head.Script {
		greeting += fmt.Sprintf("%s has changed; the session continues with the version it was started with.\n", t.path)
	}
	if tornText != "" {
		greeting = tornText + "\n" + greeting
	}
	first.Text, first.Events = lastLines(t.live.Transcript(), 10), nil
	if t.live.Story() && t.live.Turn() == "" {
		first.Text = t.live.StoryText()
	}
	return t.runPrompt(answers, greeting, first, pending)
}

// markBadContent marks errors about the content of a file, as opposed to those of the disk or a lock.
func markBadContent(err error) error {
	damaged, other, newer, empty := (*logbook.Damaged)(nil), (*logbook.NotALogbook)(nil), (*logbook.NewerVersion)(nil), (*sessionfile.NoSessionError)(nil)
	if errors.As(err, &damaged) || errors.As(err, &other) || errors.As(err, &newer) || errors.As(err, &empty) {
		return &exitError{exitScriptError, err}
	}
	return err
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
	if t.live.Story() {
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
		Live: t.live, Console: console{editor}, AskChoices: editor.Terminal() || t.askChoices, EchoQuestions: !editor.Terminal(), Stopped: stopped, Greeting: greeting, Diagnose: t.diagnosticText, Help: t.topicText, SaveScript: t.saveScript, SaveTo: t.saveTo, WriteReplay: t.writePage, Files: filesWithPrefix, RulesetWith: t.rulesetWith, Board: t.board(),
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
		if text, ok := t.live.Rules().Sources[file]; ok {
			return text
		}
		return source(file)
	})
	p.MoreHint = "" // typed text is in no file that could be checked
	p.PrintAll(list)
	return b.String()
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
	d := t.live.Recorded()
	text, err := replay.Page(d)
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
	if t.live.Story() && (err != nil || s.Story == nil) {
		return "Its adventure is not found from there: save it in the folder of " + t.path + ", or one above.", nil
	}
	if err != nil || s.Rules == nil || len(sessionfile.ChangedRules(sessionfile.RuleHashes(s.Rules), sessionfile.RuleHashes(t.live.Rules()))) > 0 {
		warning = "Not all rulesets that it uses can be found from there: put their files in the same folder"
		if names := t.live.Rules().House; len(names) > 0 {
			warning += ", those of " + strings.Join(names, ", ")
		}
		warning += "."
	}
	return warning, nil
}
