package build

import (
	"cmp"
	"io/fs"
	"slices"
	"strings"
	"unicode"

	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

// This file finds out whether an unknown name is declared by a ruleset of the library that the script does not use, so
// that the hint can suggest that ruleset.

// maxTried is how many rulesets are tried for one script.
const maxTried = 3

// addLibraryHints improves the hints for unknown names that a ruleset of the library declares. To make sure that the
// ruleset is compatible with the rules of the script, the script is built again as the hint says: the diagnostic must
// disappear.
func (o *Options) addLibraryHints(path string, src []byte, list diag.List) {
	if o.Library == nil || o.trying {
		return
	}
	texts := map[string][]byte{path: src}
	words := map[string][]int{} // indexes of the diagnostics, by word
	for i, d := range list {
		if !strings.HasPrefix(d.Code, "unknown-") || d.Code == "unknown-ruleset" || d.Code == "unknown-citation" {
			continue
		}
		if _, read := texts[d.File]; !read {
			texts[d.File], _ = o.read(d.File) // unreadable files are ignored
		}
		if text := texts[d.File]; d.Span.Start.Offset < d.Span.End.Offset && d.Span.End.Offset <= len(text) {
			word := string(text[d.Span.Start.Offset:d.Span.End.Offset])
			words[word] = append(words[word], i)
		}
	}
	if len(words) == 0 {
		return
	}
	for n, c := range o.declarers(words) {
		if n == maxTried {
			break
		}
		for _, file := range c.files(list) {
			o.tryWith(path, src, file, texts[file], c, list)
		}
	}
}

// declarer is a ruleset of the library with the diagnostics whose words it declares.
type declarer struct {
	name     string
	depth    int
	covers   []string // what it extends, directly or indirectly
	mistakes []int
	words    map[int]string // what it declares for each mistake: "condition", "weapon"
}

// files lists the files of the diagnostics.
func (c *declarer) files(list diag.List) (files []string) {
	for _, i := range c.mistakes {
		if !slices.Contains(files, list[i].File) {
			files = append(files, list[i].File)
		}
	}
	return files
}

// declarers returns the rulesets of the library that declare some of the words, sorted by most words, then by fewest
// dependencies.
func (o *Options) declarers(words map[string][]int) (all []declarer) {
	l := &load.Loader{Places: []load.Place{{FS: o.Library}}}
	for _, name := range l.Names() {
		if !mentions(o.Library, name, words) {
			continue
		}
		rs, _ := l.Load(name)
		if len(rs) == 0 || rs[len(rs)-1].Name != name {
			continue
		}
		c := declarer{name: name, depth: rs[len(rs)-1].Depth, words: map[int]string{}}
		for _, r := range rs[:len(rs)-1] {
			c.covers = append(c.covers, r.Name)
		}
		for _, f := range rs[len(rs)-1].Files {
			for _, cl := range f.Body {
				full := link.NameOf(cl)
				for _, i := range words[full[strings.LastIndexByte(full, '.')+1:]] {
					c.mistakes = append(c.mistakes, i)
					c.words[i] = link.HeadWord(cl)
				}
			}
		}
		if len(c.mistakes) > 0 {
			slices.Sort(c.mistakes)
			c.mistakes = slices.Compact(c.mistakes)
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b declarer) int {
		return cmp.Or(cmp.Compare(len(b.mistakes), len(a.mistakes)), cmp.Compare(a.depth, b.depth))
	})
	return all
}

// mentions reports whether the files of a ruleset contain any of the words, which is cheaper than loading it.
func mentions(library fs.FS, name string, words map[string][]int) bool {
	files, _ := fs.Glob(library, name+"/*.rules")
	return slices.ContainsFunc(append(files, name+".rules"), func(file string) bool {
		text, err := fs.ReadFile(library, file)
		if err != nil {
			return false
		}
		for word := range strings.FieldsFuncSeq(string(text), func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if words[word] != nil {
				return true
			}
		}
		return false
	})
}

// effectWords declare what a creature can be or have.
var effectWords = map[string]bool{"condition": true, "feat": true, "trait": true, "effect": true}

// modelMark begins the part of a hint that names a definition of an incompatible ruleset, to be copied.
const modelMark = "as a model see"

// tryWith builds the script as if the file named the ruleset too, and sets the hints of the diagnostics that disappear.
func (o *Options) tryWith(path string, src []byte, file string, text []byte, c declarer, list diag.List) {
	clause, changed := addToHeader(file, text, c)
	if clause == "" {
		return
	}
	try := *o
	try.trying = true
	try.ReadFile = func(p string) ([]byte, error) {
		if p == file {
			return changed, nil
		}
		return o.read(p)
	}
	if file == path {
		src = changed
	}
	_, after, err := Source(path, src, try)
	if err != nil {
		return
	}
	type wrong struct{ file, code, message string } // without position: the header may have more lines now
	of := func(d diag.Diagnostic) wrong { return wrong{d.File, d.Code, d.Message} }
	left := map[wrong]bool{}
	for _, d := range after {
		left[of(d)] = true
	}
	for _, d := range list {
		delete(left, of(d))
	}
	if len(left) > 0 { // new diagnostics: they are incompatible
		for _, i := range c.mistakes {
			d := &list[i]
			fits := strings.Contains(d.Hint, " "+c.words[i]+" ") || d.Code == "unknown-effect" && effectWords[c.words[i]]
			if d.File == file && strings.HasPrefix(d.Hint, "declare ") && !strings.Contains(d.Hint, modelMark) && fits {
				word := string(text[d.Span.Start.Offset:d.Span.End.Offset])
				d.Hint += "; " + modelMark + " `arbiter rules show " + c.name + " " + word + "`"
			}
		}
		return
	}
	for _, d := range after {
		left[of(d)] = true
	}
	for _, i := range c.mistakes {
		if d := &list[i]; d.File == file && !left[of(*d)] {
			d.Hint = "ruleset `" + c.name + "` declares it: write `" + clause + "`"
		}
	}
}

// addToHeader changes the header of a file so that it names the ruleset too, replacing those that the ruleset extends.
// It returns the changed part of the header, "" if there is no header, and the whole text.
func addToHeader(file string, text []byte, c declarer) (clause string, changed []byte) {
	f, _ := parse.File(file, text)
	h := load.HeaderOf(f)
	if h == nil {
		return "", nil
	}
	word, named := "with", h.With
	if h.Word.Name == "ruleset" {
		word, named = "extends", h.Extends
	}
	if len(named) == 0 {
		return "", nil
	}
	var names []string
	for _, id := range named {
		switch {
		case id.Name == c.name:
			return "", nil
		case !slices.Contains(c.covers, id.Name):
			names = append(names, id.Name)
		}
	}
	names = append(names, c.name)
	from, to := named[0].Start.Offset, named[len(named)-1].End.Offset
	clause = strings.Join(names, ", ")
	changed = append(append(append(changed, text[:from]...), clause...), text[to:]...)
	return word + " " + clause, changed
}
