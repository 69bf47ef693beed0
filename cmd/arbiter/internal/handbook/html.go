package handbook

import (
	"bytes"
	_ "embed"
	"html/template"
	"strings"

	"arbiter/cmd/arbiter/internal/rulebook"
	"arbiter/cmd/arbiter/internal/term"
)

// This file prints a book as web pages: each is self-contained, with nothing to fetch and no scripts.

//go:embed page.html
var pageText string

//go:embed style.css
var styleText string

// Page is a file of the book.
type Page struct {
	Name string // chapter.html
	Text []byte
}

// Index is the name of the first page.
const Index = "index.html"

// HTML prints the book, the index first. The pages belong in one folder.
func (b *Book) HTML() ([]Page, error) {
	t, err := template.New("book").Funcs(template.FuncMap{
		"href": b.href, "page": pageName, "cites": groupCites, "glyphs": typesetText, "title": title, "hue": labelColor, "short": shortPlace, "blank": Line.blank,
		"style": func() template.CSS { return template.CSS(styleText) },
	}).Parse(pageText)
	if err != nil {
		return nil, err
	}
	pages := []Page{}
	addPage := func(name string, chapter *Chapter) error {
		var out bytes.Buffer
		if err := t.ExecuteTemplate(&out, "page", struct {
			*Book
			At *Chapter // nil on the index
		}{b, chapter}); err != nil {
			return err
		}
		pages = append(pages, Page{name, []byte(term.Clean(out.String()))})
		return nil
	}
	if err := addPage(Index, nil); err != nil {
		return nil, err
	}
	for _, c := range b.Chapters() {
		if err := addPage(pageName(c), c); err != nil {
			return nil, err
		}
	}
	return pages, nil
}

func pageName(c *Chapter) string { return c.Slug + ".html" }

// href is the address of an id, "" if it is in no chapter.
func (b *Book) href(id string) string {
	if c := b.chapterOf[id]; c != nil {
		return pageName(c) + "#" + id
	}
	return ""
}

// CiteGroup is citations of one section of a source: their common prefix and their ends.
type CiteGroup struct {
	Section string
	Ends    []string
}

// groupCites groups consecutive citations with the same prefix.
func groupCites(ids []string) (list []CiteGroup) {
	for _, id := range ids {
		at := strings.LastIndexByte(id, '.') + 1
		if k := len(list); k == 0 || list[k-1].Section != id[:at] {
			list = append(list, CiteGroup{Section: id[:at]})
		}
		c := &list[len(list)-1]
		c.Ends = append(c.Ends, id[at:])
	}
	return list
}

var typeset = strings.NewReplacer("<=", "≤", ">=", "≥", "!=", "≠", "*", "×", "-", "−")

// typesetText typesets operators.
func typesetText(s Span) string {
	if s.Kind == Plain {
		return typeset.Replace(s.Text)
	}
	return s.Text
}

// labelColor groups the head words for the color of their labels.
func labelColor(kind string) string {
	switch kind {
	case "stat", "view", "define", "table", "resource", "option", "roll":
		return "number"
	case "action", "procedure", "rule", "reaction", "tactics", "use", "permission":
		return "action"
	case "condition", "feat", "trait", "effect", "everyone":
		return "state"
	}
	return "thing"
}

// shortPlace is a place with its ruleset: classic/attack.rules:30, or gritty.rules:5 (gritty) if the folder does not
// show it.
func shortPlace(p rulebook.Place) string {
	if rest, ok := strings.CutPrefix(p.String(), "rules/"+p.Ruleset+"/"); ok {
		return p.Ruleset + "/" + rest
	}
	return p.String() + " (" + p.Ruleset + ")"
}

func (l Line) blank() bool { return strings.TrimSpace(l.String()) == "" }
