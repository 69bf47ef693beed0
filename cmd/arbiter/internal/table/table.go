// Package table seats a fight that is led live: it starts it from a script, or resumes it from the file of its session,
// and decides where it is saved.
//
// It must never know who leads the fight, at a terminal or on a page, nor what the rules say.
package table

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/sessionfile"
	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/session"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
	"arbiter/stdlib/logbook"
	"arbiter/stdlib/spill"
)

// Options are the same for all tables of a program.
type Options struct {
	Build     build.Options     // the library; house rules are those of the table
	Session   session.Options   // how the fight is shown
	Disk      logbook.FS        // where sessions are kept
	Language  int               // the version of the language
	Version   string            // of the program
	FileError func(error) error // says in plain words why a file could not be read; nil: as it is
}

// Table is a fight that is led live.
type Table struct {
	Options
	Path          string   // of its script
	With, Without []string // house rules that are added, and rulesets that are left out
	Seed          *uint64  // nil: the script's
	Live          *session.Live

	file *sessionfile.File // nil: nothing is saved
}

// ErrNoSession says that no session was started in a file: there is none, or its first write was torn.
var ErrNoSession = errors.New("no session has been started here")

// MistakesError says that a script cannot be played.
type MistakesError struct{ Diags diag.List }

func (e *MistakesError) Error() string { return "the scripts have mistakes" }

// MisuseError says that what was asked makes no sense; FaultError, that a session or a script is at fault.
type (
	MisuseError struct{ Err error }
	FaultError  struct{ Err error }
)

func (e *MisuseError) Error() string { return e.Err.Error() }
func (e *MisuseError) Unwrap() error { return e.Err }
func (e *FaultError) Error() string  { return e.Err.Error() }
func (e *FaultError) Unwrap() error  { return e.Err }

func misuse(format string, args ...any) error { return &MisuseError{fmt.Errorf(format, args...)} }
func fault(format string, args ...any) error  { return &FaultError{fmt.Errorf(format, args...)} }

// build builds the script of the table from a text.
func (t *Table) build(text []byte) (*build.Script, diag.List, error) {
	o := t.Options.Build
	o.With, o.Without = t.With, t.Without
	o.Compile = compile.Options{AnnounceAll: true} // typed text may wait for any action
	return build.Source(t.Path, text, o)
}

// buildWith builds the script of the table with one more ruleset, which stays unless it is undone.
func (t *Table) buildWith(name string, text []byte) (s *build.Script, diags diag.List, undo func(), err error) {
	before := t.With
	undo = func() { t.With = before }
	t.With = append(slices.Clip(before), name)
	known := len(t.Live.Rules().Rulesets())
	if s, diags, err = t.build(text); err == nil && s != nil && s.Rules != nil && len(s.Rules.Rulesets()) == known {
		return nil, nil, undo, fmt.Errorf("%s is in play already", name)
	}
	if err != nil && t.FileError != nil {
		err = t.FileError(err)
	}
	return s, diags, undo, err
}

// start builds the script and plays it up to where somebody takes over.
func (t *Table) start(text []byte, answers session.Asker) (*session.Reply, error) {
	s, diags, err := t.build(text)
	switch {
	case err != nil:
		return nil, err
	case s != nil && s.IsPart():
		return nil, misuse("%s is part of an adventure: name the file that includes it; or give it rules of its own: adventure \"TITLE\" with NAME", t.Path)
	case diags.HasErrors() || s == nil || s.Rules == nil:
		return nil, &MistakesError{diags}
	case s.Head.Word.Name == "ruleset":
		return nil, misuse("%s is a ruleset: play with it by `arbiter repl --with %s`", t.Path, t.Path)
	case s.Head.Word.Name == "tests":
		return nil, misuse("%s is a file of tests: run it with `arbiter test`", t.Path)
	}
	o := t.Session
	o.Seed, o.Spill = t.Seed, spill.Temporary
	live, reply := session.NewLive(s, o, answers)
	if len(reply.Failures) > 0 {
		return nil, &MistakesError{reply.Failures}
	}
	live.AllowDeclarations(t.build)
	live.AllowRulesets(t.buildWith)
	t.Live = live
	return reply, nil
}

// Begin starts a session with a script, up to where it would play itself, and saves it in a file if one is named. next
// is the statement with which the script would continue, "" if there is none.
func (t *Table) Begin(text []byte, file string, answers session.Asker) (first *session.Reply, next string, err error) {
	if f, diags := parse.File(t.Path, text); !diags.HasErrors() { // otherwise start says what is wrong
		text, next = session.Opening(f, text)
	}
	if first, err = t.start(text, answers); err != nil {
		return nil, "", err
	}
	if file != "" {
		err = t.SaveIn(file)
	}
	return first, next, err
}

// SaveIn saves the session in a new file from now on, from its start.
func (t *Table) SaveIn(file string) error {
	f, err := sessionfile.Create(t.Disk, file, sessionfile.Head{
		Path: t.Path, Script: t.Live.Script(), With: t.With, Without: t.Without, Seed: t.Seed, Language: fmt.Sprint(t.Language), RuleHashes: sessionfile.RuleHashes(t.Live.Rules()),
	})
	if err != nil {
		return err
	}
	if err := t.Live.Rewrite(f); err != nil {
		f.Close()
		return err
	}
	t.closeFile()
	t.file = f
	return nil
}

// IsSaved reports whether the session has a file.
func (t *Table) IsSaved() bool { return t.file != nil }

// Reopen saves again in the same file, after that has failed.
func (t *Table) Reopen() error { return t.file.Reopen() }

// SaveNowhere stops saving.
func (t *Table) SaveNowhere() {
	t.Live.RecordTo(nil)
	t.closeFile()
}

// Close releases the file of the session, and what the fight keeps in temporary files.
func (t *Table) Close() {
	if t.Live != nil {
		t.Live.Close()
	}
	t.closeFile()
}

func (t *Table) closeFile() {
	if t.file != nil {
		t.file.Close()
		t.file = nil
	}
}

// Resumed is a session that continues.
type Resumed struct {
	First   *session.Reply   // of its script
	Pending *session.Pending // the command that was not done, if there is one
	Torn    string           // what had to be cut off the file, in words; "" for nothing
	Changed bool             // a story whose script has changed since: it continues with the old one
}

// Resume continues a session from its file. script is the one that is meant; "" is any. The error is ErrNoSession when
// there is none.
func (t *Table) Resume(file, script string, answers session.Asker) (*Resumed, error) {
	if file == "" {
		return nil, ErrNoSession
	}
	f, head, notes, torn, err := sessionfile.Open(t.Disk, file)
	if unfinished := (*logbook.Unfinished)(nil); errors.As(err, &unfinished) || errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoSession
	}
	if err != nil {
		return nil, markContent(err)
	}
	t.file = f
	x, err := t.resume(file, script, head, notes, answers)
	if err != nil {
		t.Close()
		return nil, err
	}
	x.Torn = torn
	t.Live.RecordTo(f)
	return x, nil
}

// Watch plays what a file has so far, which another program may still write, and saves nothing. The error is ErrNoSession
// when there is no session.
func (t *Table) Watch(file string, answers session.Asker) (*Resumed, error) {
	head, notes, err := sessionfile.Read(t.Disk, file)
	if unfinished := (*logbook.Unfinished)(nil); errors.As(err, &unfinished) || errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoSession
	}
	if err != nil {
		return nil, markContent(err)
	}
	x, err := t.resume(file, "", head, notes, answers)
	if err != nil {
		t.Close()
		return nil, err
	}
	return x, nil
}

// resume plays what a file has.
func (t *Table) resume(file, script string, head sessionfile.Head, notes []session.Note, answers session.Asker) (*Resumed, error) {
	switch {
	case head.Language != fmt.Sprint(t.Language):
		return nil, fault("%s is a session in version %s of the language, but this is arbiter %s, which knows version %d", file, head.Language, t.Version, t.Language)
	case script != "" && script != head.Path:
		return nil, misuse("%s is a session of %s, not of %s: name another file, or resume it with `arbiter play --session %s`", file, head.Path, script, file)
	case len(t.With)+len(t.Without) > 0 || t.Seed != nil:
		return nil, misuse("%s is a session already, with rules and a seed of its own: name another file", file)
	}
	t.Path, t.With, t.Without, t.Seed = head.Path, head.With, head.Without, head.Seed
	first, err := t.start([]byte(head.Script), answers)
	if err != nil {
		return nil, err
	}
	if changed := sessionfile.ChangedRules(head.RuleHashes, sessionfile.RuleHashes(t.Live.Rules())); len(changed) > 0 {
		more := ""
		if n := len(changed) - maxChanged; n > 0 {
			changed, more = changed[:maxChanged], fmt.Sprintf(" and %d more", n)
		}
		return nil, fault("%s was played by rules that have changed since: %s%s. Restore them, or start a new session in another file", file, strings.Join(changed, ", "), more)
	}
	pending, err := t.Live.Replay(notes)
	if err != nil {
		return nil, fault("%s cannot be resumed: %w", file, err)
	}
	x := &Resumed{First: first, Pending: pending}
	if now, err := build.ReadFile(t.Path); err == nil && t.Live.Story() && string(now) != head.Script {
		x.Changed = true
	}
	return x, nil
}

// maxChanged is how many changed rules are named.
const maxChanged = 12

// markContent marks errors about the content of a file, as opposed to those of the disk or a lock.
func markContent(err error) error {
	damaged, other, newer, empty := (*logbook.Damaged)(nil), (*logbook.NotALogbook)(nil), (*logbook.NewerVersion)(nil), (*sessionfile.NoSessionError)(nil)
	if errors.As(err, &damaged) || errors.As(err, &other) || errors.As(err, &newer) || errors.As(err, &empty) {
		return &FaultError{err}
	}
	return err
}
