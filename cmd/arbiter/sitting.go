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
	"arbiter/cmd/arbiter/internal/sessionfile"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
	"arbiter/stdlib/logbook"
)

// This file is a session at a prompt: how it starts, continues, and is saved.

// errNone says that no session was started in a file: there is none, or its first write was torn.
var errNone = errors.New("no session has been started here")

// sitting is a session at a prompt.
type sitting struct {
	*app
	house
	seed *uint64
	asks bool // choices are asked in a pipe, too
	path string
	live *session.Live
	file *sessionfile.File // nil: nothing is saved

	editor prompt.Editor
}

// measured is the app with the current width of the screen.
func (t *sitting) measured() *app {
	now := *t.app
	if t.editor != nil && t.editor.Width() > 0 {
		now.screen.out.Width = t.editor.Width()
	}
	return &now
}

// build builds the script of the session from a text.
func (t *sitting) build(text []byte) (*build.Script, diag.List, error) {
	o := t.library()
	o.Compile.AnnounceAll = true // typed text may wait for any action
	return build.Source(t.path, text, o)
}

// open builds the script and plays it up to where the user takes over.
func (t *sitting) open(text []byte, answers session.Asker) (*session.Reply, error) {
	s, found, err := t.build(text)
	switch {
	case err != nil:
		return nil, err
	case s != nil && s.IsPart():
		return nil, rejectIncluded(t.path)
	case found.HasErrors() || s == nil || s.Rules == nil:
		return nil, t.refuse(found)
	case s.Head.Word.Name == "ruleset":
		return nil, misuse("%s is a ruleset: play with it by `arbiter repl --with %s`", t.path, t.path)
	case s.Head.Word.Name == "tests":
		return nil, misuse("%s is a file of tests: run it with `arbiter test`", t.path)
	}
	o := session.Options{Seed: t.seed}
	if !t.json {
		o.Paint, o.Columns = t.paint, term.Columns
		o.Width = func() int { return t.measured().width() }
	}
	live, reply := session.NewLive(s, o, answers)
	if len(reply.Failures) > 0 {
		return nil, t.refuse(reply.Failures)
	}
	live.AllowDeclarations(t.build)
	t.live = live
	return reply, nil
}

// begin starts a session with a script, and saves it in a file if one is named.
func (t *sitting) begin(path string, text []byte, file string) error {
	t.path = path
	rest := ""
	if f, wrong := parse.File(path, text); !wrong.HasErrors() { // otherwise open says what is wrong
		text, rest = session.Opening(f, text)
	}
	answers := &repl.Answerer{}
	first, err := t.open(text, answers)
	if err != nil {
		return err
	}
	greeting := ""
	if rest != "" {
		greeting = fmt.Sprintf("From here on you lead; the next command of the script would be `%s`.\n", rest)
	}
	if file != "" {
		if _, err := t.keep(file); err != nil {
			return err
		}
		defer t.close()
	}
	return t.lead(answers, greeting, first, nil)
}

// keep controls how the session is saved: again in its file, after that failed; in a new one; or, with "off", no
// longer.
func (t *sitting) keep(how string) (said string, err error) {
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
		Path: t.path, Script: t.live.Script(), With: t.with, Without: t.without, Seed: t.seed, Language: fmt.Sprint(language), Rules: sessionfile.Rules(t.live.Rules()),
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
func (t *sitting) close() {
	if t.file != nil {
		t.file.Close()
		t.file = nil
	}
}

// resume continues a session from a file. The error is errNone when there is none.
func (t *sitting) resume(file, script string) error {
	if file == "" {
		return errNone
	}
	f, head, notes, cut, err := sessionfile.Open(t.disk, file)
	if unfinished := (*logbook.Unfinished)(nil); errors.As(err, &unfinished) || errors.Is(err, fs.ErrNotExist) {
		return errNone
	}
	if err != nil {
		return markUnfit(err)
	}
	t.file = f
	defer t.close()
	switch {
	case head.Language != fmt.Sprint(language):
		return &fault{scriptsFault, fmt.Errorf("%s is a session in version %s of the language, but this is arbiter %s, which knows version %d", file, head.Language, version, language)}
	case script != "" && script != head.Path:
		return misuse("%s is a session of %s, not of %s: name another file, or resume it with `arbiter play --session %s`", file, head.Path, script, file)
	case t.any() || t.seed != nil:
		return misuse("%s is a session already, with rules and a seed of its own: name another file", file)
	}
	t.path, t.with, t.without, t.seed = head.Path, head.With, head.Without, head.Seed
	answers := &repl.Answerer{}
	first, err := t.open([]byte(head.Script), answers)
	if err != nil {
		return err
	}
	if changed := sessionfile.Changed(head.Rules, sessionfile.Rules(t.live.Rules())); len(changed) > 0 {
		more := ""
		if n := len(changed) - 12; n > 0 {
			changed, more = changed[:12], fmt.Sprintf(" and %d more", n)
		}
		return &fault{scriptsFault, fmt.Errorf("%s was played by rules that have changed since: %s%s. Restore them, or start a new session in another file", file, strings.Join(changed, ", "), more)}
	}
	open, err := t.live.Replay(notes)
	if err != nil {
		return &fault{scriptsFault, fmt.Errorf("%s cannot be resumed: %w", file, err)}
	}
	t.live.RecordTo(f)
	greeting := fmt.Sprintf("%s resumed after %s.\n", file, plural(len(t.live.Done()), "command"))
	if now, err := build.ReadFile(t.path); err == nil && t.live.Story() && string(now) != head.Script {
		greeting += fmt.Sprintf("%s has changed; the session continues with the version it was started with.\n", t.path)
	}
	if cut != "" {
		greeting = cut + "\n" + greeting
	}
	first.Text, first.Events = lastLines(t.live.Transcript(), 10), nil
	if t.live.Story() && t.live.Turn() == "" {
		first.Text = t.live.StoryText()
	}
	return t.lead(answers, greeting, first, open)
}

// markUnfit marks errors about the content of a file, as opposed to those of the disk or a lock.
func markUnfit(err error) error {
	damaged, other, newer, empty := (*logbook.Damaged)(nil), (*logbook.NotALogbook)(nil), (*logbook.NewerVersion)(nil), (*sessionfile.NoSession)(nil)
	if errors.As(err, &damaged) || errors.As(err, &other) || errors.As(err, &newer) || errors.As(err, &empty) {
		return &fault{scriptsFault, err}
	}
	return err
}

// lastLines are the last n lines.
func lastLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[max(0, len(lines)-1-n):], "")
}

func plural[N int | int64 | uint64](n N, word string) string {
	if n != 1 {
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}

// lead runs the prompt.
func (t *sitting) lead(answers *repl.Answerer, greeting string, first *session.Reply, open *session.Pending) error {
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
		Live: t.live, Console: console{editor}, AskChoices: editor.Terminal() || t.asks, EchoQuestions: !editor.Terminal(), Stopped: stopped, Greeting: greeting, Diagnose: t.told, Help: t.onTopic, Save: t.save, SaveTo: t.keep, Files: filesFrom, Board: t.board(),
		Bold: func(s string) string { return t.screen.out.Paint(term.Bold, s) },
	}
	if t.json {
		t.out.raw = true
		c.JSON = t.out
	}
	return repl.Run(c, answers, first, open)
}

// told formats diagnostics as text.
func (t *sitting) told(list diag.List) string {
	var b strings.Builder
	p := printer(&b, t.measured().screen.out, false, func(file string) []byte {
		if text, ok := t.live.Rules().Sources[file]; ok {
			return text
		}
		return source(file)
	})
	p.All = "" // typed text is in no file that could be checked
	p.PrintAll(list)
	return b.String()
}

// filesFrom lists the files and folders whose paths have that prefix; folders end in a slash.
func filesFrom(begun string) []string {
	dir, name := filepath.Split(begun)
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

// save writes a script to a new file and never overwrites one. The warning says what is missing at that place to play
// it by the same rules.
func (t *sitting) save(path, text string) (warning string, err error) {
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
	s, _, err := build.Source(path, []byte(text), (&house{}).library())
	if err != nil || s.Rules == nil || len(sessionfile.Changed(sessionfile.Rules(s.Rules), sessionfile.Rules(t.live.Rules()))) > 0 {
		warning = "Not all rulesets that it uses can be found from there: put their files in the same folder"
		if names := t.live.Rules().House; len(names) > 0 {
			warning += ", those of " + strings.Join(names, ", ")
		}
		warning += "."
	}
	return warning, nil
}
