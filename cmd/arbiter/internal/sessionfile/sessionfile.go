// Package sessionfile keeps a fight that is led from a prompt in a file: what it began with, by which rules, and everything
// that was done, so that it can go on after whatever befalls.
//
// It must never know a terminal or a rule. That nothing is lost is the business of stdlib/logbook; that the fight comes out
// the same, of session.Live.
package sessionfile

import (
	"fmt"
	"hash/fnv"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/lang/format"
	"arbiter/lang/parse"
	"arbiter/stdlib/logbook"
)

// Head is what a session began with.
type Head struct {
	Path     string   // of the script, as it was named; its rulesets are looked for beside it
	Script   string   // its text
	With     []string // house rules beside it
	Without  []string // rulesets that were left out
	Seed     *uint64  // nil: the script's
	Language string   // the version
	Rules    []string // a line for each definition and file: its name and a number for what it says
}

// File is a session's, open for writing.
type File struct {
	book *logbook.Book
	on   logbook.FS
	path string
	kept logged
}

// logged is how many entries there are, and a number for what they say.
type logged struct {
	entries int
	sum     uint64
}

func (l *logged) add(e logbook.Entry) {
	h := fnv.New64a()
	fmt.Fprintf(h, "%x %s %s", l.sum, e.Kind, e.Text)
	l.entries, l.sum = l.entries+1, h.Sum64()
}

// Create begins a file; there must be none.
func Create(on logbook.FS, path string, h Head) (*File, error) {
	var header []logbook.Entry
	add := func(kind, text string) { header = append(header, logbook.Entry{Kind: kind, Text: text}) }
	add("language", h.Language)
	add("path", h.Path)
	for _, w := range h.With {
		add("with", w)
	}
	for _, w := range h.Without {
		add("without", w)
	}
	if h.Seed != nil {
		add("seed", strconv.FormatUint(*h.Seed, 10))
	}
	add("script", h.Script)
	add("rules", strings.Join(h.Rules, "\n"))
	book, err := logbook.Create(on, path, header)
	if err != nil {
		return nil, err
	}
	return &File{book: book, on: on, path: path}, nil
}

// Open goes on with a file: it gives what it began with and what was done. The notice, if there is one, says what had to be
// cut off. With a *logbook.Damaged it gives what stands before the damage, and no File.
func Open(on logbook.FS, path string) (*File, Head, []session.Note, string, error) {
	book, log, err := logbook.Open(on, path)
	h, notes := head(log.Header), []session.Note(nil)
	f := &File{book: book, on: on, path: path}
	for _, e := range log.Entries {
		notes = append(notes, unpack(e)...)
		f.kept.add(e)
	}
	if err != nil {
		return nil, h, notes, "", err
	}
	if h.Path == "" || h.Script == "" {
		book.Close()
		return nil, h, nil, "", &NoSession{path}
	}
	cut := ""
	if log.Torn != nil {
		cut = log.Torn.String()
	}
	return f, h, notes, cut, nil
}

// NoSession says that a file is a logbook of something else.
type NoSession struct{ Path string }

func (e *NoSession) Error() string {
	return e.Path + ": this logbook is not a session: it does not name a script"
}

func head(entries []logbook.Entry) Head {
	var h Head
	for _, e := range entries {
		switch e.Kind {
		case "language":
			h.Language = e.Text
		case "path":
			h.Path = e.Text
		case "with":
			h.With = append(h.With, e.Text)
		case "without":
			h.Without = append(h.Without, e.Text)
		case "seed":
			if n, err := strconv.ParseUint(e.Text, 10, 64); err == nil {
				h.Seed = &n
			}
		case "script":
			h.Script = e.Text
		case "rules":
			h.Rules = strings.Split(e.Text, "\n")
		}
	}
	return h
}

// Keep implements session.Keeper: all of it is on the disk when it returns.
func (f *File) Keep(notes []session.Note) error {
	e := pack(notes)
	if err := f.book.Append(e.Kind, e.Text); err != nil {
		return err
	}
	f.kept.add(e)
	return nil
}

// Again opens the file once more, which may take entries then that it refused before. It must hold what was kept and no more,
// else the error says so, and it goes on refusing.
func (f *File) Again() error {
	f.book.Close()
	book, log, err := logbook.Open(f.on, f.path)
	if err != nil {
		return err
	}
	var there logged
	for _, e := range log.Entries {
		there.add(e)
	}
	if there != f.kept {
		book.Close()
		return fmt.Errorf("%s does not end where this session is: %d entries were saved, but it has %d; leave and resume from the file, or `:keep` the session in another", f.path, f.kept.entries, there.entries)
	}
	f.book = book
	return nil
}

// Close lets the file go.
func (f *File) Close() error { return f.book.Close() }

// pack makes one entry of several notes: the kind and text of the first, then a line for each of the others. Further lines of
// one text are indented.
func pack(notes []session.Note) logbook.Entry {
	var b strings.Builder
	for i, n := range notes {
		if i > 0 {
			b.WriteString("\n" + n.Kind + " ")
		}
		b.WriteString(strings.ReplaceAll(n.Text, "\n", "\n  "))
	}
	return logbook.Entry{Kind: notes[0].Kind, Text: b.String()}
}

func unpack(e logbook.Entry) []session.Note {
	notes := []session.Note{{Kind: e.Kind}}
	for i, line := range strings.Split(e.Text, "\n") {
		last := &notes[len(notes)-1]
		switch more, ok := strings.CutPrefix(line, "  "); {
		case i == 0:
			last.Text = line
		case ok:
			last.Text += "\n" + more
		default:
			kind, text, _ := strings.Cut(line, " ")
			notes = append(notes, session.Note{Kind: kind, Text: text})
		}
	}
	return notes
}

// Rules gives a line for each definition of the rules, for each file in Starlark and for each of an adventure: its name and a
// number for what it says.
func Rules(r *build.Rules) []string {
	var lines []string
	for _, d := range r.Set.Defs {
		lines = append(lines, d.Name+" "+number(format.Node(d.Node)))
	}
	for name, text := range r.Sources {
		if strings.HasSuffix(name, ".star") {
			lines = append(lines, path.Base(name)+" "+number(string(text)))
		}
	}
	for name, text := range r.Sources {
		if strings.HasSuffix(name, ".adventure") {
			lines = append(lines, path.Base(name)+" "+number(told(name, text)))
		}
	}
	slices.Sort(lines)
	return lines
}

// told is what a file of an adventure says; comments do not count.
func told(name string, text []byte) string {
	f, _ := parse.File(name, text)
	var b strings.Builder
	for _, cl := range f.Body {
		b.WriteString(format.Node(cl) + "\n")
	}
	return b.String()
}

func number(text string) string {
	h := fnv.New64a()
	h.Write([]byte(text))
	return fmt.Sprintf("%016x", h.Sum64())
}

// Changed names what is not the same in two lists of rules.
func Changed(was, now []string) []string {
	names := map[string]bool{}
	old, fresh := map[string]bool{}, map[string]bool{}
	for _, l := range was {
		old[l] = true
	}
	for _, l := range now {
		fresh[l] = true
	}
	for _, pair := range []struct{ a, b map[string]bool }{{old, fresh}, {fresh, old}} {
		for l := range pair.a {
			if !pair.b[l] {
				name, _, _ := strings.Cut(l, " ")
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}
