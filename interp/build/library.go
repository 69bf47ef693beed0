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

// This file finds out whether a name that means nothing here is declared by a ruleset of the library that was not asked
// for: who has not asked for the ruleset that describes a creature need not describe it once more.

// mostTried rulesets are tried for the mistakes of one script.
const mostTried = 3

// fromLibrary gives the mistakes in names a better hint, where a ruleset of the library declares the name and goes together with
// the rules of the script. That it does is not guessed: the script is built again as the hint says, and the mistake is gone.
func (o *Options) fromLibrary(path string, src []byte, list diag.List) {
	if o.Library == nil || o.trying {
		return
	}
	texts := map[string][]byte{path: src}
	words := map[string][]int{} // the numbers of the mistakes, by word
	for i, d := range list {
		if !strings.HasPrefix(d.Code, "unknown-") || d.Code == "unknown-ruleset" || d.Code == "unknown-citation" {
			continue
		}
		if _, read := texts[d.File]; !read {
			texts[d.File], _ = o.read(d.File) // of what cannot be read, nothing is said
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
		if n == mostTried {
			break
		}
		for _, file := range c.files(list) {
			o.tryWith(path, src, file, texts[file], c, list)
		}
	}
}

// declarer is a ruleset of the library with the mistakes whose words it declares.
type declarer struct {
	name     string
	depth    int
	covers   []string // what it extends, directly or not
	mistakes []int
}

// files are those in which the mistakes stand.
func (c *declarer) files(list diag.List) (files []string) {
	for _, i := range c.mistakes {
		if !slices.Contains(files, list[i].File) {
			files = append(files, list[i].File)
		}
	}
	return files
}

// declarers are the rulesets of the library that declare some of the words; first who declares most, then who brings least.
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
		c := declarer{name: name, depth: rs[len(rs)-1].Depth}
		for _, r := range rs[:len(rs)-1] {
			c.covers = append(c.covers, r.Name)
		}
		for _, f := range rs[len(rs)-1].Files {
			for _, cl := range f.Body {
				full := link.NameOf(cl)
				c.mistakes = append(c.mistakes, words[full[strings.LastIndexByte(full, '.')+1:]]...)
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

// mentions tells whether any of the words stands in the files of a ruleset, which is sooner said than what it declares.
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

// tryWith builds the script as if the file had asked for the ruleset too, and says so at the mistakes that are gone.
func (o *Options) tryWith(path string, src []byte, file string, text []byte, c declarer, list diag.List) {
	said, changed := asking(file, text, c)
	if said == "" {
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
	type wrong struct{ file, code, message string } // wherever it stands: the head may have more lines now
	of := func(d diag.Diagnostic) wrong { return wrong{d.File, d.Code, d.Message} }
	left := map[wrong]bool{}
	for _, d := range after {
		left[of(d)] = true
	}
	for _, d := range list {
		delete(left, of(d))
	}
	if len(left) > 0 { // there is something new: they do not go together
		return
	}
	for _, d := range after {
		left[of(d)] = true
	}
	for _, i := range c.mistakes {
		if d := &list[i]; d.File == file && !left[of(*d)] {
			d.Hint = "ruleset `" + c.name + "` declares it: write `" + said + "`"
		}
	}
}

// asking changes the head of a file so that it names the ruleset too, in place of those which that ruleset extends. It returns
// how the head reads now, "" if there is none to change, and the whole text.
func asking(file string, text []byte, c declarer) (said string, changed []byte) {
	f, _ := parse.File(file, text)
	h := load.HeaderOf(f)
	if h == nil {
		return "", nil
	}
	word, asked := "with", h.With
	if h.Word.Name == "ruleset" {
		word, asked = "extends", h.Extends
	}
	if len(asked) == 0 {
		return "", nil
	}
	var names []string
	for _, id := range asked {
		switch {
		case id.Name == c.name:
			return "", nil
		case !slices.Contains(c.covers, id.Name):
			names = append(names, id.Name)
		}
	}
	names = append(names, c.name)
	from, to := asked[0].Start.Offset, asked[len(asked)-1].End.Offset
	said = strings.Join(names, ", ")
	changed = append(append(append(changed, text[:from]...), said...), text[to:]...)
	return word + " " + said, changed
}
