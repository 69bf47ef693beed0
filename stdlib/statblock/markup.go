package statblock

import (
	"strings"

	"arbiter/stdlib/pattern"
)

// This file takes away the marks of forums and wikis, which are not part of what they mark.

var (
	forumEnd   = pattern.New(`\[/([A-Za-z]{1,12})\]`)
	forumTag   = pattern.New(`\[(/?)([A-Za-z]{1,12}|\*)(?:[= ][^\[\]]{0,200})?\]`)
	wikiLink   = pattern.New(`\[\[(?:[^\[\]|]{0,200}\|)?([^\[\]|]{1,200})\]\]`)
	markedLink = pattern.New(`\[([^\[\]]{1,200})\]\((?:[a-z]{2,8}:|[/#.])[^()\s]{0,500}\)`)
	wikiQuotes = pattern.New(`'{2,5}`)
	wikiCell   = pattern.New(`\|\||!!|\|`)
	wikiStyle  = pattern.New(`^\s*(?:[a-z]+\s*=\s*(?:"[^"]*"|'[^']*'|[\w#%]+)\s*)+$`)
)

// stripMarkup takes the tags of forums, the quotes and links of wikis, and the frames of their tables from lines.
func stripMarkup(lines []Line) []Line {
	tags := map[string]bool{}
	quoted, table := false, false
	for i := range lines {
		text := lines[i].Text
		if strings.Contains(text, "[/") {
			for _, m := range forumEnd().FindAllStringSubmatch(text, -1) {
				tags[strings.ToLower(m[1])] = true
			}
		}
		quoted = quoted || strings.Contains(text, "'''")
		table = table || strings.HasPrefix(text, "{|")
	}
	inside := false
	for i := range lines {
		l := &lines[i]
		if len(tags) > 0 && strings.Contains(l.Text, "[") {
			l.stripTags(tags)
		}
		if quoted {
			l.cut(wikiQuotes().FindAllStringIndex(l.Text, -1))
		}
		l.keepOnly(wikiLink().FindAllStringSubmatchIndex(l.Text, -1))
		l.keepOnly(markedLink().FindAllStringSubmatchIndex(l.Text, -1))
		if table && strings.HasPrefix(l.Text, "{|") {
			inside = true
		}
		if inside {
			end := strings.HasPrefix(l.Text, "|}")
			*l = l.wikiRow()
			inside = !end
		}
	}
	return lines
}

// stripTags cuts tags that the source closes somewhere. A cell of a table begins with a tab.
func (l *Line) stripTags(tags map[string]bool) {
	var ranges [][]int
	for _, m := range forumTag().FindAllStringSubmatchIndex(l.Text, -1) {
		name := strings.ToLower(l.Text[m[4]:m[5]])
		if name == "*" && tags["list"] || tags[name] {
			ranges = append(ranges, m[:2])
		}
	}
	l.cut(ranges)
}

// cut drops parts of a line, and the spaces that are left at its ends.
func (l *Line) cut(ranges [][]int) {
	if len(ranges) == 0 {
		return
	}
	var text []byte
	var at []Place
	from := 0
	for _, r := range ranges {
		text, at = append(text, l.Text[from:r[0]]...), append(at, l.at[from:r[0]]...)
		from = r[1]
	}
	text, at = append(text, l.Text[from:]...), append(at, l.at[from:]...)
	ends := l.ends
	whole := Line{Text: string(text), at: at}
	*l = whole.slice(0, len(whole.Text))
	l.ends = ends
}

// keepOnly drops what is around the first group of each match.
func (l *Line) keepOnly(matches [][]int) {
	var ranges [][]int
	for _, m := range matches {
		ranges = append(ranges, []int{m[0], m[2]}, []int{m[3], m[1]})
	}
	l.cut(ranges)
}

// wikiRow is a line of the table of a wiki: its cells with bars around them, and what says how they look dropped.
func (l *Line) wikiRow() Line {
	text := l.Text
	if strings.HasPrefix(text, "{|") || strings.HasPrefix(text, "|-") || strings.HasPrefix(text, "|}") {
		return Line{}
	}
	start := 0
	if strings.HasPrefix(text, "|") || strings.HasPrefix(text, "!") {
		start = 1
		if strings.HasPrefix(text, "|+") {
			start = 2
		}
	}
	var row Line
	add := func(start, end int) {
		if c := l.slice(start, end); c.Text != "" && !wikiStyle().MatchString(c.Text) {
			row = row.then(c)
		}
	}
	from := start
	for _, m := range wikiCell().FindAllStringIndex(text[start:], -1) {
		add(from, start+m[0])
		from = start + m[1]
	}
	add(from, len(text))
	return row
}
