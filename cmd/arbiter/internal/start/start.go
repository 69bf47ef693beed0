// Package start writes templates: a house ruleset with its first test, an encounter, an adventure with its first plan,
// a file of tests.
//
// The templates are texts, not code: start.txtar for all systems, and a file for each system with its own way to
// describe a creature. The package must never know what they say.
package start

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed texts/*.txtar
var texts embed.FS

// Plan describes the files to write.
type Plan struct {
	Kind  string   // ruleset, encounter, adventure or tests
	Path  string   // of the files, without extension
	Base  string   // the ruleset that it extends or is played by
	Chain []string // the base and all that it extends, parents first
}

// File is a text and its path.
type File struct {
	Path string
	Text string
}

// templates are the templates of each kind of file, with the extensions of the files.
var templates = map[string][][2]string{
	"ruleset":   {{"ruleset.rules", ".rules"}, {"ruleset.tests", ".tests"}},
	"encounter": {{"fight.encounter", ".encounter"}},
	"adventure": {{"story.adventure", ".adventure"}, {"plan.tests", ".tests"}},
	"tests":     {{"some.tests", ".tests"}},
}

// DefaultBase is the base if none is given.
func DefaultBase() string { return strings.TrimSpace(section("start", "default")) }

// templateArchives maps rulesets to template archives, by the first line of each archive: `for: NAMES` applies to these
// rulesets and to those that extend them, `only: NAME` to that one alone, a base for games that has no complete rules
// itself.
func templateArchives() (archives, only map[string]string) {
	archives, only = map[string]string{}, map[string]string{}
	paths, _ := fs.Glob(texts, "texts/*.txtar")
	for _, p := range paths {
		src, _ := texts.ReadFile(p)
		first, _, _ := strings.Cut(string(txtar.Parse(src).Comment), "\n")
		word, names, _ := strings.Cut(first, ": ")
		for _, name := range strings.Split(names, ", ") {
			switch archive := strings.TrimSuffix(path.Base(p), ".txtar"); word {
			case "for":
				archives[name] = archive
			case "only":
				only[name] = archive
			}
		}
	}
	return archives, only
}

// Files returns the files of a plan, and what to do next with them.
func Files(p Plan) (files []File, next []string, err error) {
	archives, only := templateArchives()
	system := only[p.Base]
	if system == "" {
		for _, name := range p.Chain {
			system = cmp.Or(archives[name], system)
		}
	}
	parts := templates[p.Kind]
	if system == "" || only[p.Base] != "" && section(system, parts[0][0]) == "" {
		return nil, nil, errNoTemplate(p, archives, only)
	}
	name := filepath.Base(p.Path)
	fill := strings.NewReplacer("NAME", name, "BASE", p.Base, "TITLE", title(name), "FILE", filepath.ToSlash(p.Path))
	for _, k := range parts {
		files = append(files, File{p.Path + k[1], fill.Replace(expandSections(text(system, k[0]), system))})
	}
	next = strings.Split(strings.TrimSpace(fill.Replace(text(system, p.Kind+".next"))), "\n")
	return files, next, nil
}

// errNoTemplate says which rulesets have templates.
func errNoTemplate(p Plan, archives, only map[string]string) error {
	var known []string
	for name := range archives {
		if only[name] == "" {
			known = append(known, name)
		}
	}
	slices.Sort(known)
	list := strings.Join(known, ", ")
	if only[p.Base] != "" {
		return fmt.Errorf("%s is not a complete game: start one with `arbiter new ruleset NAME --extends %s`, or use %s, or a ruleset that extends one of them", p.Base, p.Base, list)
	}
	return fmt.Errorf("there is no template for %s: use %s, or a ruleset that extends one of them", p.Base, list)
}

// expandSections inserts the texts of the system where a line names them: !examples.
func expandSections(whole, system string) string {
	var b strings.Builder
	for line := range strings.Lines(whole) {
		bare := strings.TrimLeft(line, " ")
		if name, ok := strings.CutPrefix(strings.TrimSpace(bare), "!"); ok {
			line = line[:len(line)-len(bare)] + strings.TrimSpace(text(system, name)) + "\n"
		}
		b.WriteString(line)
	}
	return strings.TrimSpace(b.String()) + "\n"
}

// text is a text from the archive of a system, or else from the common one.
func text(system, name string) string { return cmp.Or(section(system, name), section("start", name)) }

// section is one text of an archive. Tests check that it exists.
func section(archive, name string) string {
	src, err := texts.ReadFile("texts/" + archive + ".txtar")
	if err != nil {
		return ""
	}
	for _, f := range txtar.Parse(src).Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// title turns a name into words: the-mill becomes The mill.
func title(name string) string {
	words := strings.ReplaceAll(name, "-", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}
