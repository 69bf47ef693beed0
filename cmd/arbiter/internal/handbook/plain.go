package handbook

import (
	"fmt"
	"strings"

	"arbiter/cmd/arbiter/internal/rulebook"
	"arbiter/cmd/arbiter/internal/term"
)

// This file prints a book as plain text.

const (
	pageWidth  = 80 // columns of a page
	labelWidth = 18 // columns for the labels of rows
)

// Plain prints the whole book.
func (b *Book) Plain() string {
	p := &printer{}
	p.title(b.Name, '=')
	p.text("", b.Doc)
	for _, text := range b.Preface {
		if point, ok := strings.CutPrefix(text, "- "); ok {
			p.hanging("- ", "  ", point)
		} else {
			p.line("")
			p.text("", text)
		}
	}
	if len(b.Rulesets) > 1 {
		p.line("")
		for _, r := range b.Rulesets {
			text := r.Doc
			if len(r.Extends) > 0 {
				text = strings.TrimSpace(text + " Extends " + strings.Join(r.Extends, ", ") + ".")
			}
			p.labelled("", r.Name, text)
		}
	}
	p.line("")
	for _, part := range b.Parts {
		var titles []string
		for _, c := range part.Chapters {
			titles = append(titles, c.Slug)
		}
		p.labelled("", part.Title, strings.Join(titles, ", "))
	}
	for _, c := range b.Chapters() {
		p.line("")
		p.line("")
		p.chapter(c)
	}
	return p.String()
}

// PlainChapter prints one chapter.
func (b *Book) PlainChapter(c *Chapter) string {
	p := &printer{}
	p.chapter(c)
	return p.String()
}

type printer struct{ strings.Builder }

func (p *printer) line(text string) {
	p.WriteString(strings.TrimRight(term.Clean(text), " ") + "\n")
}

// text prints a paragraph, nothing if it is empty.
func (p *printer) text(indent, text string) { p.hanging(indent, indent, text) }

// hanging prints a paragraph whose first line has a different indent.
func (p *printer) hanging(first, rest, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	for _, l := range term.Wrap(strings.Join(strings.Fields(text), " "), pageWidth, first, rest) {
		p.line(l)
	}
}

func (p *printer) title(text string, under rune) {
	p.line(text)
	p.line(strings.Repeat(string(under), max(term.Columns(text), 1)))
}

func (p *printer) chapter(c *Chapter) {
	p.title(c.Title, '=')
	p.text("", c.Lead)
	p.changes(c)
	for _, s := range c.Sections {
		if s.Title != "" {
			p.line("")
			p.title(title(s.Title), '-')
		}
		for _, e := range s.Entries {
			p.entry(e)
		}
		p.small(s.Small)
		if s.Things != nil {
			p.things(s.Things)
		}
	}
}

func (p *printer) entry(e *Entry) {
	p.line("")
	p.hanging("", "    ", e.Name+"  ("+e.Kind+")  "+e.Head.String())
	p.text("  ", e.Doc)
	for i, l := range e.Is {
		in := strings.Repeat("  ", l.Indent)
		p.hanging([]string{"  = ", "    "}[min(i, 1)]+in, "        "+in, l.String())
	}
	var fields []string
	for _, f := range e.Fields {
		fields = append(fields, f.Name+" "+f.String())
	}
	p.hanging("  ", "    ", strings.Join(fields, "; "))
	if e.Grid != nil {
		rows := [][]string{texts(e.Grid.Head)}
		for _, r := range e.Grid.Rows {
			rows = append(rows, texts(r))
		}
		p.table(rows)
	}
	for _, r := range e.Rows {
		p.row(r)
	}
	p.hanging("  ", "    ", placeAndCites(shortPlace(e.Place), e.RemainingCites()))
	p.history("  ", e.Provenance)
	if len(e.UsedBy) > 0 {
		p.hanging("  used by ", "    ", joinNames(e.UsedBy))
	}
}

// small prints the entries that take a line each.
func (p *printer) small(list []*Entry) {
	if list != nil {
		p.line("")
	}
	for _, e := range list {
		text := joinLines(e.Is).String() + ". " + e.Doc
		if len(e.UsedBy) > 0 {
			text += " Used by " + joinNames(e.UsedBy) + "."
		}
		p.hanging("", "    ", e.Name+" ("+e.Kind+"): "+text+" ["+placeAndCites(shortPlace(e.Place), e.RemainingCites())+"]")
		p.history("    ", e.Provenance)
	}
}

func joinNames(refs []Ref) string {
	var list []string
	for _, r := range refs {
		list = append(list, r.Name)
	}
	return strings.Join(list, ", ")
}

// placeAndCites is the place and the citations of something.
func placeAndCites(place string, cites []string) string {
	var parts []string
	if place != "" {
		parts = append(parts, place)
	}
	for _, c := range groupCites(cites) {
		parts = append(parts, c.Section+strings.Join(c.Ends, ", "))
	}
	return strings.Join(parts, "; ")
}

func (p *printer) row(r Row) {
	label := r.Label
	if r.Step > 0 {
		label = fmt.Sprintf("%d %s", r.Step, label)
	}
	if r.Kind != "" {
		label = r.Kind + " " + label
	}
	rest := strings.Repeat(" ", labelWidth)
	first := "  " + term.Pad(label, labelWidth-3) + " "
	if term.Columns(first) > labelWidth {
		p.line("  " + label)
		first = rest
	}
	printText := func(text string, indent int) {
		in := strings.Repeat("  ", indent)
		p.hanging(first+in, rest+in+"    ", text)
		first = rest
	}
	if !r.Head.blank() {
		printText(r.Head.String(), 0)
	}
	if r.Doc != "" {
		p.hanging(first, rest, r.Doc)
		first = rest
	}
	for _, l := range r.Lines {
		printText(l.String(), l.Indent)
	}
	if r.Code != "" {
		p.line(first)
		p.verbatim("      ", r.Code)
		first = rest
	}
	place := ""
	if !r.Own {
		place = shortPlace(r.Place)
	}
	if first != rest {
		p.line(first)
	}
	if note := placeAndCites(place, r.Cites); note != "" {
		p.hanging(rest+"[", rest+" ", note+"]")
	}
	p.history(rest, r.Provenance)
}

func (p *printer) history(indent string, f Provenance) {
	stage := func(what string, s rulebook.Stage) {
		p.hanging(indent, indent+"  ", what+" "+shortPlace(s.Place)+":")
		p.verbatim(indent+"    ", s.Text)
	}
	if f.Removed != nil {
		stage("removed by", *f.Removed)
	}
	for _, s := range f.Extended {
		stage("extended by", s)
	}
	for _, s := range f.Replaced {
		stage("in place of", s)
	}
}

// verbatim prints a text with its own lines, each wrapped to the width of the paper.
func (p *printer) verbatim(indent, text string) {
	for _, l := range strings.Split(text, "\n") {
		body := strings.TrimLeft(l, " ")
		in := indent + l[:len(l)-len(body)]
		p.hanging(in, in+"    ", body)
	}
}

func texts(lines []Line) (list []string) {
	for _, l := range lines {
		list = append(list, l.String())
	}
	return list
}

// widths measures the columns of a table, and its total width.
func widths(rows [][]string) (widths []int, total int) {
	widths, total = term.ColumnWidths(rows), -2
	for _, w := range widths {
		total += w + 2
	}
	return widths, total
}

// isTooWide reports whether a table does not fit on the paper.
func isTooWide(rows [][]string) bool {
	_, total := widths(rows)
	return total > pageWidth-2
}

// table prints rows below a header. One that does not fit is printed row by row.
func (p *printer) table(rows [][]string) {
	if isTooWide(rows) {
		for _, r := range rows[1:] {
			var parts []string
			for i, cell := range r[1:] {
				if cell != "-" {
					parts = append(parts, rows[0][i+1]+" "+cell)
				}
			}
			p.hanging("  "+r[0]+": ", "      ", strings.Join(parts, "; "))
		}
		return
	}
	widths, total := widths(rows)
	for i, r := range rows {
		line := "  "
		for k, cell := range r {
			line += term.Pad(cell, widths[k]) + "  "
		}
		p.line(line)
		if i == 0 {
			p.line("  " + strings.Repeat("-", total))
		}
	}
}

// thing prints a single thing: what it states.
func (p *printer) thing(t *Things, x Thing) {
	var parts []string
	for i, c := range x.Cells {
		if c.Stated {
			parts = append(parts, t.Columns[i].Name+" "+c.String())
		}
	}
	p.hanging("  "+x.Name+": ", "      ", strings.Join(parts, "; ")+". "+x.Doc)
	for _, r := range x.Rows {
		p.hanging("      ", "      ", r.Label+":")
		p.history("        ", r.Provenance)
	}
}

// labelled prints a paragraph with a label in the margin.
func (p *printer) labelled(indent, label, text string) {
	rest := indent + strings.Repeat(" ", labelWidth)
	first := indent + term.Pad(label, labelWidth-1) + " "
	if term.Columns(first) > labelWidth+len(indent) {
		p.line(indent + label)
		first = rest
	}
	p.hanging(first, rest, text)
}

func (p *printer) things(t *Things) {
	if !t.Table() {
		for _, x := range t.Rows {
			p.entry(x.Entry)
		}
		return
	}
	head := []string{t.Kind.Name}
	for _, c := range t.Columns {
		head = append(head, c.Name)
	}
	rows := [][]string{head}
	for _, x := range t.Rows {
		row := []string{x.Name}
		for _, c := range x.Cells {
			text := c.String()
			if c.blank() {
				text = "-"
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	p.line("")
	if isTooWide(rows) {
		for _, x := range t.Rows {
			p.thing(t, x)
		}
		return
	}
	p.table(rows)
	for _, x := range t.Rows {
		p.hanging("  "+x.Name+": ", "      ", x.Doc)
		for _, r := range x.Rows {
			p.hanging("  ", "  ", x.Name+", "+r.Label+":")
			p.history("    ", r.Provenance)
		}
	}
}

// changes prints what a ruleset changes.
func (p *printer) changes(c *Chapter) {
	side := func(sign string, s *Wording) {
		if s == nil {
			return
		}
		p.line("  " + sign + " " + shortPlace(s.Place))
		for _, l := range s.Lines {
			in := "    " + strings.Repeat("  ", l.Indent)
			p.hanging(in, in+"    ", l.String())
		}
	}
	if list := c.Altered(); list != nil {
		p.line("")
		p.title("Changed", '-')
		for _, x := range list {
			p.line("")
			by := ""
			if x.By != nil {
				by = " by " + shortPlace(*x.By)
			}
			p.hanging("", "    ", x.Path+"  ("+x.Kind+")  "+x.What+by)
			side("-", x.Was)
			side("+", x.Now)
		}
	}
	if list := c.Extended(); list != nil {
		p.line("")
		p.title("Added", '-')
		for _, x := range list {
			p.row(Row{Label: x.Path, Lines: x.Now.Lines, Provenance: Provenance{Place: x.Now.Place}})
		}
	}
	whole := func(heading string, list []Change) {
		if list == nil {
			return
		}
		p.line("")
		p.title(heading, '-')
		for _, x := range list {
			p.hanging("", "    ", x.Name+"  ("+x.Kind+")  "+x.Doc)
		}
	}
	whole("New", c.Added())
	whole("Removed", c.Gone())
}
