// Package start writes what somebody begins with: a house ruleset with its first test, an encounter, an adventure with its
// first plan, a file of tests.
//
// The words are texts, not code: start.txtar for all, and a file for each system that has its own way to say what a
// creature is. The package must never know what they say.
package start

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed texts/*.txtar
var texts embed.FS

// Plan is what is to be written.
type Plan struct {
	What  string   // ruleset, encounter, adventure or tests
	Path  string   // of the files, without an ending
	Base  string   // the ruleset that it extends or is played by
	Chain []string // the base and all that it extends, parents first
}

// File is a text and where it goes.
type File struct {
	Path string
	Text string
}

// kinds are the texts of each beginning, by the ending of the file that they go to.
var kinds = map[string][][2]string{
	"ruleset":   {{"ruleset.rules", ".rules"}, {"ruleset.tests", ".tests"}},
	"encounter": {{"fight.encounter", ".encounter"}},
	"adventure": {{"story.adventure", ".adventure"}, {"plan.tests", ".tests"}},
	"tests":     {{"some.tests", ".tests"}},
}

// Default is the base of whoever names none.
func Default() string { return strings.TrimSpace(section("start", "default")) }

// systems gives the archive of each ruleset that has one: the first line says for which it is.
func systems() map[string]string {
	of := map[string]string{}
	paths, _ := fs.Glob(texts, "texts/*.txtar")
	for _, p := range paths {
		src, _ := texts.ReadFile(p)
		first, _, _ := strings.Cut(string(txtar.Parse(src).Comment), "\n")
		if names, ok := strings.CutPrefix(first, "for: "); ok {
			for _, name := range strings.Split(names, ", ") {
				of[name] = strings.TrimSuffix(path.Base(p), ".txtar")
			}
		}
	}
	return of
}

// Files gives the texts of a plan, and what to do next with them.
func Files(p Plan) (files []File, next []string, err error) {
	known, system := systems(), ""
	for _, name := range p.Chain {
		if known[name] != "" {
			system = known[name]
		}
	}
	if system == "" {
		return nil, nil, fmt.Errorf("there is nothing to begin with on %s: take %s, or what extends one of them", p.Base, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
	}
	name := filepath.Base(p.Path)
	fill := strings.NewReplacer("NAME", name, "BASE", p.Base, "TITLE", title(name), "FILE", filepath.ToSlash(p.Path))
	for _, k := range kinds[p.What] {
		files = append(files, File{p.Path + k[1], fill.Replace(joined(section("start", k[0]), system))})
	}
	next = strings.Split(strings.TrimSpace(fill.Replace(section("start", p.What+".next"))), "\n")
	return files, next, nil
}

// joined puts the texts of the system where a line names them: !examples.
func joined(text, system string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "!"); ok {
			line = strings.TrimSpace(section(system, name)) + "\n"
		}
		b.WriteString(line)
	}
	return strings.TrimSpace(b.String()) + "\n"
}

// section is one text of an archive. That it is there is for the tests to see.
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

// title says a name as words: the-mill is The mill.
func title(name string) string {
	words := strings.ReplaceAll(name, "-", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}
