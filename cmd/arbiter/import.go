package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/files"
	"arbiter/interp/reading"
	"arbiter/lang/parse"
	"arbiter/stdlib/statblock"
)

// importFlags say how sources are read, and where the result goes.
type importFlags struct {
	system, out string
	check       bool
}

func (a *app) importCommand() *cobra.Command {
	var f importFlags
	c := &cobra.Command{
		Use:   "import [FILE|FOLDER ...|-]",
		Short: "Read creatures from stat blocks and from the files of other programs",
	}
	c.Flags().StringVar(&f.system, "as", "", "read them as creatures of this `RULESET`; without it, the one whose labels fit best")
	c.Flags().StringVarP(&f.out, "out", "o", "", "write the rules to `FILE`, and keep what stands below its marker line")
	c.Flags().BoolVar(&f.check, "check", false, "compare the stated figures with the computed ones")
	c.RunE = runFunc(func(args []string) error {
		if len(args) == 0 {
			args = []string{stdin}
		}
		return a.importCreatures(args, f)
	})
	return c
}

// source is one input of an import.
type importSource struct {
	name   string
	text   []byte
	err    error // why it could not be read
	passed bool  // it is a picture, or something else that nobody reads as text
	link   bool  // it is a symbolic link, which is passed over as well
	sheets []statblock.Sheet
	rest   []statblock.Entry
	drafts []*reading.Draft
}

func (a *app) importCreatures(args []string, f importFlags) error {
	sources, err := a.importSources(args)
	if err != nil {
		return err
	}
	own, name, err := ownChanges(f.out)
	if err != nil {
		return err
	}
	reader, err := a.importReader(f, sources)
	if err != nil {
		return err
	}
	file := &reading.File{Ruleset: name, From: fromText(sources), Own: own}
	for i := range sources {
		x := &sources[i]
		if x.err != nil || x.passed {
			continue
		}
		if x.sheets, x.rest, x.err = statblock.Read(x.text, &reader.Vocabulary); x.err != nil {
			continue
		}
		if len(x.sheets) == 0 {
			x.err = errors.New("no stat block in it: none of the labels of " + reader.Ruleset + " was found")
			continue
		}
		for k := range x.sheets {
			x.drafts = append(x.drafts, reader.Read(&x.sheets[k]))
		}
		file.Rest = append(file.Rest, x.rest...)
		file.Drafts = append(file.Drafts, x.drafts...)
	}
	if len(file.Drafts) > 0 {
		if err := reader.Settle(file); err != nil {
			return err
		}
	}
	var figures map[*reading.Draft][]reading.Figure
	if f.check && len(file.Drafts) > 0 {
		if figures, err = reader.Reconcile(file); err != nil {
			return err
		}
	}
	text := reader.Text(file)
	if f.out != "" && len(file.Drafts) > 0 {
		if err := writeImport(f.out, text); err != nil {
			return err
		}
	}
	report := newImportReport(reader, f, sources, figures)
	switch {
	case a.json:
		if f.out == "" {
			report.Rules = string(text)
		}
		a.printJSON(report)
	case f.out == "" && !f.check:
		if len(file.Drafts) > 0 {
			fmt.Fprintf(a.out, "%s", text)
		}
		a.printImport(a.err, a.screen.err, report)
	default:
		a.printImport(a.out, a.screen.out, report)
	}
	if report.failed() {
		return errMistakes
	}
	return nil
}

// maxImported is how many files one import reads.
const maxImported = 20_000

// importSources reads the inputs: files, all files in folders, or standard input.
func (a *app) importSources(args []string) ([]importSource, error) {
	var list []importSource
	for _, arg := range args {
		if arg == stdin {
			text, err := io.ReadAll(io.LimitReader(a.in, statblock.MaxSource+1))
			if err != nil {
				return nil, err
			}
			list = append(list, importSource{name: stdinName, text: text})
			continue
		}
		info, err := os.Stat(arg)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			x := readImport(arg)
			if x.err == nil && isPicture(x.text) {
				x.err = errNoText
			}
			list = append(list, x)
			continue
		}
		folder := files.Inside(arg)
		err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case path != folder && strings.HasPrefix(d.Name(), "."):
				if d.IsDir() {
					return fs.SkipDir
				}
			case len(list) >= maxImported:
				return usageError("there are more than %d files in %s: import its folders one by one", maxImported, arg)
			case d.Type().IsRegular() && !isRules(path):
				x := readImport(path)
				x.passed = isPicture(x.text)
				list = append(list, x)
			case !d.IsDir() && !d.Type().IsRegular():
				list = append(list, importSource{name: filepath.ToSlash(path), passed: true, link: d.Type()&fs.ModeSymlink != 0})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if !slices.ContainsFunc(list, func(x importSource) bool { return !x.passed }) {
		return nil, usageError("there is no file to read in %s", strings.Join(args, ", "))
	}
	return list, nil
}

func readImport(path string) importSource {
	x := importSource{name: filepath.ToSlash(path)}
	file, err := os.Open(path)
	if err != nil {
		x.err = err
		return x
	}
	defer file.Close()
	x.text, x.err = io.ReadAll(io.LimitReader(file, statblock.MaxSource+1))
	return x
}

// errNoText says what to do with a file that nobody reads as text.
var errNoText = errors.New("this is a picture, an archive or a document made for printing, not text: unpack it, or copy the text out of it")

// isRules reports whether a file is written in the language already.
func isRules(path string) bool { return slices.Contains(files.Kinds, filepath.Ext(path)) }

// isPicture reports whether a file is a picture or a page made for printing, which are passed over.
func isPicture(text []byte) bool {
	for _, magic := range []string{"\x89PNG", "\xff\xd8\xff", "GIF8", "RIFF", "%PDF-", "PK\x03\x04", "OggS", "ID3", "\x1aE\xdf\xa3", "\x1f\x8b", "7z\xbc\xaf\x27\x1c", "Rar!", "\x7fELF"} {
		if bytes.HasPrefix(text, []byte(magic)) {
			return true
		}
	}
	start := text[:min(len(text), 512)]
	wide := bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff"))
	return bytes.Contains(start, []byte("<svg")) || !wide && bytes.IndexByte(start, 0) >= 0
}

// importReader returns the reader for the ruleset that was asked for, or for the one that fits the sources best.
func (a *app) importReader(f importFlags, sources []importSource) (*reading.Reader, error) {
	h := houseRules{}
	o := h.buildOptions()
	dir, system := ".", f.system
	if strings.HasSuffix(system, ".rules") || strings.ContainsAny(system, `/\`) {
		dir, system = filepath.Split(strings.TrimSuffix(system, ".rules"))
		dir = filepath.Clean(dir)
	}
	if system == "" {
		best := 0
		for _, name := range reading.Own(o.Library, rulesetNames()) {
			v, err := reading.VocabularyOf(o, name)
			if err != nil {
				return nil, err
			}
			if v == nil {
				continue
			}
			n := 0
			for i := range sources {
				if sources[i].err == nil && !sources[i].passed {
					n += statblock.Fit(sources[i].text, v)
				}
			}
			if n > best {
				best, system = n, name
			}
		}
		if system == "" {
			for i := range sources {
				if sources[i].err != nil {
					return nil, usageError("%s: %w", sources[i].name, sources[i].err)
				}
			}
			return nil, usageError("no ruleset knows what is in %s: name one with --as if it is a stat block", fromText(sources))
		}
	}
	if !parse.IsName(system) {
		return nil, usageError("%q is not the name of a ruleset", f.system)
	}
	r, diags, err := reading.New(o, dir, system)
	var none *reading.NoReadingError
	switch {
	case errors.As(err, &none):
		return nil, usageError("%w", err)
	case err != nil:
		return nil, err
	case len(diags) > 0 && diags[0].Code == "unknown-ruleset":
		return nil, unknownRulesetError(system)
	case r == nil:
		return nil, a.rejectScript(diags)
	}
	return r, nil
}

// fromText names the sources, for the head of the file.
func fromText(sources []importSource) string {
	sources = slices.DeleteFunc(slices.Clone(sources), func(x importSource) bool { return x.passed })
	if len(sources) > 3 {
		return fmt.Sprintf("%s and %d more files", filepath.Base(sources[0].name), len(sources)-1)
	}
	var names []string
	for _, x := range sources {
		names = append(names, filepath.Base(x.name))
	}
	return strings.Join(names, ", ")
}

// ownChanges returns what an earlier import must keep, and the name of the ruleset in the file. A file that no import
// has written is refused.
func ownChanges(out string) (own []byte, name string, err error) {
	if out == "" {
		return nil, "imported", nil
	}
	name = strings.TrimSuffix(filepath.Base(out), ".rules")
	if filepath.Ext(out) != ".rules" || !parse.IsName(name) || isEmbedded(name) {
		return nil, "", usageError("%s is no name for a file of rules: use letters, digits and hyphens, as in -o my-foes.rules", out)
	}
	old, err := os.ReadFile(out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, name, nil
	case err != nil:
		return nil, "", err
	case !bytes.Contains(old, []byte(reading.Marker)) && len(bytes.TrimSpace(old)) > 0:
		return nil, "", usageError("%s was not written by an import: choose another name, or move it away", out)
	}
	return reading.OwnPart(old), name, nil
}

// writeImport writes the file, and leaves one that has not changed alone.
func writeImport(path string, text []byte) error {
	old, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return os.WriteFile(path, text, 0o666)
	}
	if err != nil || bytes.Equal(old, text) {
		return err
	}
	return files.Replace(path, text)
}

// --- what came of it -----------------------------------------------------------------------------------------

type importDocument struct {
	Ruleset   string             `json:"ruleset"` // as which the sources were read
	Written   string             `json:"written"` // "" if no file was
	Rules     string             `json:"rules,omitempty"`
	Sources   []importedSource   `json:"sources"`
	Creatures []importedCreature `json:"creatures"`
	Figures   []figureKind       `json:"figures"`
	Causes    []figureCause      `json:"causes"`
}

type importedSource struct {
	File      string `json:"file"`
	Creatures int    `json:"creatures"`
	Passed    bool   `json:"passed"`         // a picture, a link, or no file
	Link      bool   `json:"link,omitempty"` // it was passed over as a symbolic link
	Problem   string `json:"problem,omitempty"`
}

type importedCreature struct {
	Name       string           `json:"name"`
	Title      string           `json:"title"`
	File       string           `json:"file"`
	Line       int              `json:"line"`
	Words      int              `json:"words"`
	Understood int              `json:"understood"`
	Kept       []importNote     `json:"kept"`
	Ambiguous  []importNote     `json:"ambiguous"`
	Refused    []importNote     `json:"refused"`
	Problem    string           `json:"problem,omitempty"`
	Figures    []reading.Figure `json:"figures"`
}

type importNote struct {
	Line int    `json:"line"`
	Text string `json:"text"`
	Why  string `json:"why,omitempty"`
}

// figureKind is how many figures of a kind agree.
type figureKind struct {
	Kind   string `json:"kind"`
	Stated int    `json:"stated"`
	Agree  int    `json:"agree"`
}

// figureCause is how often a cause explains a difference.
type figureCause struct {
	Kind  string `json:"kind"`
	Cause string `json:"cause"`
	Times int    `json:"times"`
}

func (d *importDocument) failed() bool {
	return len(d.Creatures) == 0 || slices.ContainsFunc(d.Creatures, func(c importedCreature) bool { return c.Problem != "" })
}

func newImportReport(r *reading.Reader, f importFlags, sources []importSource, figures map[*reading.Draft][]reading.Figure) importDocument {
	d := importDocument{Ruleset: r.Ruleset, Written: f.out, Sources: []importedSource{}, Creatures: []importedCreature{}, Figures: []figureKind{}, Causes: []figureCause{}}
	for _, x := range sources {
		s := importedSource{File: x.name, Creatures: len(x.drafts), Passed: x.passed, Link: x.link}
		if x.err != nil {
			s.Problem = x.err.Error()
		}
		d.Sources = append(d.Sources, s)
		for _, draft := range x.drafts {
			c := importedCreature{Name: draft.Name, Title: draft.Title, File: x.name, Line: draft.Line, Words: draft.Words, Understood: draft.Understood, Kept: []importNote{}, Ambiguous: []importNote{}, Refused: []importNote{}, Problem: draft.Failure, Figures: figures[draft]}
			if c.Figures == nil {
				c.Figures = []reading.Figure{}
			}
			for _, item := range slices.Concat(draft.Declared, draft.Body, draft.Has) {
				note := importNote{item.Line, item.Text, item.Why}
				switch item.Note {
				case reading.Kept:
					c.Kept = append(c.Kept, note)
				case reading.Ambiguous:
					c.Ambiguous = append(c.Ambiguous, note)
				case reading.Refused:
					c.Refused = append(c.Refused, note)
				}
			}
			for _, fig := range c.Figures {
				d.count(fig)
			}
			d.Creatures = append(d.Creatures, c)
		}
	}
	slices.SortStableFunc(d.Causes, func(a, b figureCause) int { return b.Times - a.Times })
	return d
}

// count counts a figure in the tables.
func (d *importDocument) count(f reading.Figure) {
	i := slices.IndexFunc(d.Figures, func(k figureKind) bool { return k.Kind == f.Kind })
	if i < 0 {
		i = len(d.Figures)
		d.Figures = append(d.Figures, figureKind{Kind: f.Kind})
	}
	d.Figures[i].Stated++
	if f.Agrees {
		d.Figures[i].Agree++
		return
	}
	cause := f.Cause
	if cause == "" {
		cause = "no single term explains it"
	}
	k := slices.IndexFunc(d.Causes, func(c figureCause) bool { return c.Kind == f.Kind && c.Cause == cause })
	if k < 0 {
		k = len(d.Causes)
		d.Causes = append(d.Causes, figureCause{Kind: f.Kind, Cause: cause})
	}
	d.Causes[k].Times++
}

// printImport prints what came of an import for a person.
func (a *app) printImport(out io.Writer, screen term.Screen, d importDocument) {
	if len(d.Sources) > 1 {
		rows := [][]string{{"file", "creatures", ""}}
		for _, s := range d.Sources {
			said := s.Problem
			if s.Passed {
				said = "passed over"
			}
			if s.Link {
				said = "passed over: a symbolic link"
			}
			rows = append(rows, []string{s.File, fmt.Sprint(s.Creatures), said})
		}
		printColumns(out, screen, rows, 0)
		fmt.Fprintln(out)
	} else {
		for _, s := range d.Sources {
			if s.Problem != "" {
				fmt.Fprintf(out, "%s: %s\n", s.File, s.Problem)
			}
		}
	}
	if len(d.Creatures) == 0 {
		return
	}
	rows := [][]string{{"creature", "from", "words", "understood", "kept", "ambiguous", "differs"}}
	for _, c := range d.Creatures {
		differs := ""
		if len(c.Figures) > 0 {
			n := 0
			for _, f := range c.Figures {
				if !f.Agrees {
					n++
				}
			}
			differs = fmt.Sprintf("%d of %d", n, len(c.Figures))
		}
		rows = append(rows, []string{c.Name, fmt.Sprintf("%s:%d", c.File, c.Line), fmt.Sprint(c.Words), fmt.Sprint(c.Understood), fmt.Sprint(c.Words - c.Understood), fmt.Sprint(len(c.Ambiguous)), differs})
	}
	printColumns(out, screen, rows, len(rows[0])-1)
	var lines []string
	for _, c := range d.Creatures {
		if c.Problem != "" {
			lines = append(lines, fmt.Sprintf("%s:%d: %s was not understood: %s", c.File, c.Line, c.Title, c.Problem))
		}
		for _, n := range c.Refused {
			lines = append(lines, fmt.Sprintf("%s:%d: %s: the rules do not accept `%s`: %s", c.File, max(n.Line, c.Line), c.Name, n.Text, n.Why))
		}
		for _, n := range c.Ambiguous {
			lines = append(lines, fmt.Sprintf("%s:%d: %s: %s", c.File, max(n.Line, c.Line), c.Name, n.Text))
		}
		for _, f := range c.Figures {
			if !f.Agrees {
				lines = append(lines, fmt.Sprintf("%s:%d: %s: %s", c.File, f.Line, c.Name, f.Text()))
			}
		}
	}
	if len(lines) > 0 {
		fmt.Fprintf(out, "\n%s\n", strings.Join(lines, "\n"))
	}
	if len(d.Figures) > 0 {
		fmt.Fprintln(out)
		rows := [][]string{{"figure", "stated", "agree", ""}}
		for _, k := range d.Figures {
			rows = append(rows, []string{k.Kind, fmt.Sprint(k.Stated), fmt.Sprint(k.Agree), fmt.Sprintf("%.1f %%", 100*float64(k.Agree)/float64(k.Stated))})
		}
		printColumns(out, screen, rows, len(rows[0])-1)
	}
	if len(d.Causes) > 0 {
		fmt.Fprintln(out)
		rows := [][]string{{"differs", "times", "why"}}
		for _, c := range d.Causes {
			rows = append(rows, []string{c.Kind, fmt.Sprint(c.Times), c.Cause})
		}
		printColumns(out, screen, rows, 0)
	}
	if d.Written != "" {
		fmt.Fprintf(out, "\nwrote %s; `arbiter test %s` compares its figures\n", d.Written, d.Written)
	}
}

// printColumns prints rows in columns. On a screen too narrow for all of them, that many after the first go below each
// other, each part with the first; the last column of other tables is wrapped.
func printColumns(out io.Writer, screen term.Screen, rows [][]string, short int) {
	widths := term.ColumnWidths(rows)
	names, parts := splitColumns(screen.Width, 0, widths, short)
	for n, columns := range parts {
		if n > 0 {
			fmt.Fprintln(out)
		}
		for _, r := range rows {
			line := term.Pad(screen.Cut(r[0], names), names)
			for _, i := range columns {
				line += "  " + term.Pad(r[i], widths[i])
			}
			fmt.Fprintln(out, strings.TrimRight(line, " "))
		}
	}
}
