// Package sessionfile saves a fight that is led from a prompt in a file: what it started with, by which rules, and
// everything that was done, so that it can be resumed after any failure.
//
// It must never know a terminal or a rule. stdlib/logbook ensures that nothing is lost, and session.Live that replaying
// gives the same fight.
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

// Head is what a session started with.
type Head struct {
	Path       string   // of the script, as it was given; its rulesets are looked for in its folder
	Script     string   // its text
	With       []string // additional house rules
	Without    []string // rulesets that were left out
	Seed       *uint64  // nil: the script's
	Language   string   // the version
	RuleHashes []string // a line for each definition and file: its name and a hash of its content
}

// File is the file of a session, open for writing.
type File struct {
	book  *logbook.Book
	fsys  logbook.FS
	path  string
	saved logState
}

// logState is the number of entries and a hash of their content.
type logState struct {
	entries int
	sum     uint64
}

func (l *logState) add(e logbook.Entry) {
	h := fnv.New64a()
	fmt.Fprintf(h, "%x %s %s", l.sum, e.Kind, e.Text)
	l.entries, l.sum = l.entries+1, h.Sum64()
}

// Create creates the file of a session; it must not exist.
func Create(fsys logbook.FS, path string, h Head) (*File, error) {
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
	add("rules", strings.Join(h.RuleHashes, "\n"))
	book, err := logbook.Create(fsys, path, header)
	if err != nil {
		return nil, err
	}
	return &File{book: book, fsys: fsys, path: path}, nil
}

// Open opens the file of a session, and returns what it started with and what was done. The notice, if any, says what
// had to be cut off. With a *logbook.Damaged it returns what precedes the damage, and no File.
func Open(fsys logbook.FS, path string) (*File, Head, []session.Note, string, error) {
	book, log, err := logbook.Open(fsys, path)
	h, notes := parseHead(log.Header), []session.Note(nil)
	f := &File{book: book, fsys: fsys, path: path}
	for _, e := range log.Entries {
		notes = append(notes, unpack(e)...)
		f.saved.add(e)
	}
	if err != nil {
		return nil, h, notes, "", err
	}
	if h.Path == "" || h.Script == "" {
		book.Close()
		return nil, h, nil, "", &NoSessionError{path}
	}
	tornText := ""
	if log.Torn != nil {
		tornText = log.Torn.String()
	}
	return f, h, notes, tornText, nil
}

// Read returns what a session started with and what was done so far, while another program may write it.
func Read(fsys logbook.FS, path string) (Head, []session.Note, error) {
	log, err := logbook.Read(fsys, path)
	h, notes := parseHead(log.Header), []session.Note(nil)
	for _, e := range log.Entries {
		notes = append(notes, unpack(e)...)
	}
	if err == nil && (h.Path == "" || h.Script == "") {
		err = &NoSessionError{path}
	}
	return h, notes, err
}

// NoSessionError says that a file is a logbook, but not of a session.
type NoSessionError struct{ Path string }

func (e *NoSessionError) Error() string {
	return e.Path + ": this logbook is not a session: it does not name a script"
}

func parseHead(entries []logbook.Entry) Head {
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
			h.RuleHashes = strings.Split(e.Text, "\n")
		}
	}
	return h
}

// Record implements session.Recorder: when it returns, everything is on the disk.
func (f *File) Record(notes []session.Note) error {
	e := pack(notes)
	if err := f.book.Append(e.Kind, e.Text); err != nil {
		return err
	}
	f.saved.add(e)
	return nil
}

// Reopen reopens the file, which may now take entries that it refused before. The file must have exactly the entries
// that were saved; otherwise Reopen returns an error, and the file keeps refusing.
func (f *File) Reopen() error {
	f.book.Close()
	book, log, err := logbook.Open(f.fsys, f.path)
	if err != nil {
		return err
	}
	var onDisk logState
	for _, e := range log.Entries {
		onDisk.add(e)
	}
	if onDisk != f.saved {
		book.Close()
		return fmt.Errorf("%s does not end where this session is: %d entries were saved, but it has %d; leave and resume from the file, or `:keep` the session in another", f.path, f.saved.entries, onDisk.entries)
	}
	f.book = book
	return nil
}

// Close releases the file.
func (f *File) Close() error { return f.book.Close() }

// pack makes one entry from several notes: the kind and text of the first, then a line for each of the others. Further
// lines of a text are indented.
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

// RuleHashes returns a line for each definition of the rules, for each Starlark file and for each file of an adventure:
// its name and a hash of its content.
func RuleHashes(r *build.Rules) []string {
	var lines []string
	for _, d := range r.Set().Defs {
		lines = append(lines, d.Name+" "+hashText(format.Node(d.Node)))
	}
	for name, text := range r.Sources {
		if strings.HasSuffix(name, ".star") {
			lines = append(lines, path.Base(name)+" "+hashText(string(text)))
		}
	}
	for name, text := range r.Sources {
		if strings.HasSuffix(name, ".adventure") {
			lines = append(lines, path.Base(name)+" "+hashText(storyText(name, text)))
		}
	}
	slices.Sort(lines)
	return lines
}

// storyText is the content of an adventure file without its comments.
func storyText(name string, text []byte) string {
	f, _ := parse.File(name, text)
	var b strings.Builder
	for _, cl := range f.Body {
		b.WriteString(format.Node(cl) + "\n")
	}
	return b.String()
}

func hashText(text string) string {
	h := fnv.New64a()
	h.Write([]byte(text))
	return fmt.Sprintf("%016x", h.Sum64())
}

// ChangedRules names what differs between two lists of rules.
func ChangedRules(was, now []string) []string {
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
