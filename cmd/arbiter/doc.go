package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/handbook"
	"arbiter/cmd/arbiter/internal/playground"
	"arbiter/cmd/arbiter/internal/rulebook"
	"arbiter/cmd/arbiter/internal/storymap"
	"arbiter/cmd/arbiter/internal/studio"
	"arbiter/interp/build"
	"arbiter/interp/link"
	"arbiter/interp/walk"
	"arbiter/lang/words"
)

type bookDocument struct {
	Ruleset string   `json:"ruleset"`
	Written []string `json:"written"`
}

type storyDocument struct {
	Title   string   `json:"title"`
	Written []string `json:"written"`
}

func (a *app) docCommand() *cobra.Command {
	var h houseRules
	var out, playable string
	var plain bool
	var walks uint64
	c := &cobra.Command{
		Use:               "doc RULESET [CHAPTER] | doc FILE.adventure",
		SuggestFor:        []string{"docs", "book", "rulebook", "handbook"},
		Short:             "Write a ruleset as a rulebook; draw the scenes of an adventure",
		Args:              argCount(1, 2),
		ValidArgsFunction: a.completeChapter,
	}
	c.Flags().StringVarP(&out, "out", "o", "rulebook", "write the pages to this `FOLDER`, or the page of an adventure to this file")
	c.Flags().Uint64Var(&walks, "walk", 0, "of an adventure: show the results of `N` random playthroughs")
	c.Flags().BoolVar(&plain, "plain", false, "print plain text: the whole book or one chapter")
	c.Flags().StringVar(&playable, "playable", "", "write an adventure as a page in which it is played, with nothing from the network, to this `FILE`")
	h.add(c)
	c.RunE = runFunc(func(args []string) error {
		if playable != "" {
			switch {
			case filepath.Ext(args[0]) != ".adventure" || len(args) > 1:
				return usageError("--playable is for an adventure: arbiter doc FILE.adventure --playable FILE.html")
			case plain || c.Flags().Changed("walk") || c.Flags().Changed("out"):
				return usageError("--playable writes a page of its own: leave out --plain, --walk and --out")
			}
			return a.writePlayable(args[0], playable, h)
		}
		switch {
		case plain && (a.json || c.Flags().Changed("out")):
			return usageError("--plain prints to standard output: it cannot be combined with --out or --json")
		case len(args) == 2 && !plain:
			return usageError("a single chapter needs --plain: arbiter doc %s %s --plain", args[0], args[1])
		}
		if filepath.Ext(args[0]) == ".adventure" {
			if plain || len(args) > 1 {
				return usageError("an adventure is drawn on a single page: arbiter doc %s -o FILE.html", args[0])
			}
			if !c.Flags().Changed("out") {
				out = strings.TrimSuffix(filepath.Base(args[0]), ".adventure") + ".html"
			}
			return a.writeStoryPage(args[0], out, walks, h)
		}
		if c.Flags().Changed("walk") {
			return usageError("--walk is only for an adventure")
		}
		b, err := a.newHandbook(args[0], h)
		if err != nil {
			return err
		}
		if ext := filepath.Ext(args[0]); (ext == ".encounter" || ext == ".tests") && !a.json {
			fmt.Fprintf(a.err, "%s has no rules of its own: this is the rulebook of the rules it is played by, %s\n", args[0], b.Name)
		}
		if plain {
			return a.printBook(b, args[1:])
		}
		return a.writeBook(b, out)
	})
	return c
}

// buildStory builds an adventure of which a page is to be written.
func (a *app) buildStory(path string, h houseRules) (*build.Script, error) {
	s, diags, err := build.File(path, h.buildOptions())
	switch {
	case err != nil:
		return nil, err
	case s != nil && s.IsPart():
		return nil, rejectIncluded(path)
	case diags.HasErrors() || s == nil || s.Story == nil:
		return nil, a.rejectScript(diags)
	}
	return s, nil
}

// writeOut writes the page of a story into a file, and says what to do with it.
func (a *app) writeOut(s *build.Script, out string, page []byte, todo string) error {
	if err := os.WriteFile(out, page, 0o666); err != nil {
		return err
	}
	if a.json {
		a.printJSON(storyDocument{s.Story.Title, []string{out}})
		return nil
	}
	fmt.Fprintf(a.out, "wrote %s; %s\n", out, todo)
	return nil
}

// writeStoryPage writes the page of an adventure.
func (a *app) writeStoryPage(path, out string, walks uint64, h houseRules) error {
	s, err := a.buildStory(path, h)
	if err != nil {
		return err
	}
	var report *walk.Report
	if walks > 0 {
		if report, err = a.walkStory(s, path, walkFlags{mode: strconv.FormatUint(walks, 10), seed: 1}, testFlags{workers: runtime.GOMAXPROCS(0)}); err != nil {
			return &exitError{exitScriptError, err}
		}
	}
	text, err := storymap.HTML(s.Story, source, report)
	if err != nil {
		return err
	}
	return a.writeOut(s, out, text, "open it in a browser")
}

// writePlayable writes an adventure as a page in which it is played.
func (a *app) writePlayable(path, out string, h houseRules) error {
	s, err := a.buildStory(path, h)
	switch {
	case err != nil:
		return err
	case len(h.with)+len(h.without) > 0:
		return usageError("the page is played by the rules that the adventure names: name house rules in its header instead of --with")
	}
	texts := map[string]string{}
	top := filepath.Dir(path)
	for name, text := range s.Rules.Sources {
		rel, err := filepath.Rel(top, name)
		if err != nil || strings.HasPrefix(rel, "..") {
			return usageError("%s is outside the folder of the adventure: a page is made of the files in it", name)
		}
		texts[filepath.ToSlash(rel)] = string(text)
	}
	embedded := rulesetNames()
	if slices.ContainsFunc(s.Rules.Rulesets(), func(name string) bool { return !slices.Contains(embedded, name) }) {
		beside, err := studio.ReadFolder(top) // rulesets of the author's own
		if err != nil {
			return err
		}
		for name, text := range beside {
			if ext := filepath.Ext(name); ext == ".rules" || ext == ".star" {
				texts[name] = text
			}
		}
	}
	program, err := a.browserProgram()
	if err != nil {
		return err
	}
	page, err := playground.Story(s.Story.Title, a.inBrowser(filepath.Base(path)), texts, program)
	if err != nil {
		return err
	}
	return a.writeOut(s, out, page, fmt.Sprintf("open it in a browser to play (%.1f MB)", float64(len(page))/1e6))
}

// newHandbook lays out a ruleset, with or without house rules.
func (a *app) newHandbook(name string, h houseRules) (*handbook.Book, error) {
	r, err := a.buildRuleset(name, h)
	if err != nil {
		return nil, err
	}
	var before *link.Set
	if before, err = a.comparisonBase([]string{name}, h); err != nil {
		return nil, err
	}
	texts := func(file string) []byte {
		if text, ok := r.Sources[file]; ok {
			return text
		}
		return source(file)
	}
	return handbook.New(&rulebook.Book{Rules: r, Source: texts}, before), nil
}

// writeBook writes the pages of a book into a folder.
func (a *app) writeBook(b *handbook.Book, folder string) error {
	pages, err := b.HTML()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	d := bookDocument{Ruleset: b.Name, Written: []string{}}
	for _, p := range pages {
		name := filepath.Join(folder, p.Name)
		if err := os.WriteFile(name, p.Text, 0o666); err != nil {
			return err
		}
		d.Written = append(d.Written, name)
	}
	if a.json {
		a.printJSON(d)
		return nil
	}
	fmt.Fprintf(a.out, "wrote %s; open it in a browser\n", d.Written[0])
	return nil
}

// printBook prints a book, or one chapter of it, as plain text.
func (a *app) printBook(b *handbook.Book, chapter []string) error {
	if len(chapter) == 0 {
		fmt.Fprint(a.out, b.Plain())
		return nil
	}
	c := b.Chapter(chapter[0])
	if c == nil {
		var slugs []string
		for _, c := range b.Chapters() {
			slugs = append(slugs, c.Slug)
		}
		return unknownChapterError(b.Name, chapter[0], slugs)
	}
	fmt.Fprint(a.out, b.PlainChapter(c))
	return nil
}

// maxListedChapters is how many chapters the error about an unknown one names.
const maxListedChapters = 8

// unknownChapterError suggests the chapter that was meant, or names some of them.
func unknownChapterError(book, name string, slugs []string) error {
	near := words.Nearest(name, slugs)
	stem := name[:min(len(name), max(4, len(name)*2/3))]
	if i := slices.IndexFunc(slugs, func(s string) bool { return strings.Contains(s, name) || strings.HasPrefix(s, stem) }); near == "" && i >= 0 {
		near = slugs[i]
	}
	if near != "" {
		return usageError("%s has no chapter %s; did you mean %s?", book, name, near)
	}
	list := strings.Join(slugs[:min(len(slugs), maxListedChapters)], ", ")
	if more := len(slugs) - maxListedChapters; more > 0 {
		list += fmt.Sprintf(" and %d more, the headings of `arbiter doc %s --plain`", more, book)
	}
	return usageError("%s has no chapter %s; its chapters are %s; `arbiter rules show` shows a single definition", book, name, list)
}
