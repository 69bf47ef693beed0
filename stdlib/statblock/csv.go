package statblock

import (
	"bytes"
	"encoding/csv"
	"io"
	"strings"

	"arbiter/stdlib/pattern"
)

// This file reads tables with named columns and a creature in each row: values with commas, semicolons, tabs or bars
// between them, and tables of Markdown.

// mostAbove is how many lines may stand above the one that names the columns.
const mostAbove = 20

// csvSheets reads each row as a sheet. ok is false if none of the first lines names columns.
func csvSheets(src []byte, v *Vocabulary) (sheets []Sheet, rest []Entry, ok bool) {
	src = bytes.ReplaceAll(bytes.TrimPrefix(src, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	keys := v.columns()
	above, comma := tableHead(src, keys)
	if comma == 0 {
		return nil, nil, false
	}
	lines := bytes.SplitAfter(src, []byte("\n"))
	for i, l := range lines[:above] {
		if text := cleanCell(string(l)); strings.Trim(text, " "+string(comma)) != "" {
			rest = append(rest, Entry{Key: Prose, Text: text, At: Place{i + 1, 1}})
		}
		lines[i] = []byte("\n")
	}
	if bytes.HasPrefix(bytes.TrimSpace(lines[above]), []byte("|")) {
		rest = append(rest, unframe(lines, above)...)
	}
	r := csv.NewReader(bytes.NewReader(bytes.Join(lines, nil)))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.TrimLeadingSpace = comma, true, -1, comma != '\t'
	var columns []string
	for len(sheets) < maxSheets {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil && len(row) == 0 {
			continue
		}
		if columns == nil {
			columns = append([]string{}, row...)
			continue
		}
		var s Sheet
		for i, cell := range row {
			if cell = strings.TrimSpace(cell); cell == "" {
				continue
			}
			label := ""
			if i < len(columns) {
				label = strings.TrimSpace(columns[i])
			}
			line, col := r.FieldPos(i)
			e := member(label, cleanCell(cell), line, keys)
			e.At.Col, e.Value = col, nil
			s.Entries = append(s.Entries, e)
		}
		if len(s.Entries) > 0 {
			sheets = append(sheets, s)
		}
	}
	return sheets, rest, len(sheets) > 0
}

// tableHead finds the line that names the columns: how many lines stand above it, and what stands between its names; 0
// if there is no such line.
func tableHead(src []byte, keys map[string]string) (above int, comma rune) {
	for above = range mostAbove {
		head, more, _ := bytes.Cut(src, []byte("\n"))
		for _, comma := range ",;\t|" {
			known, named := 0, false
			for n := range strings.SplitSeq(string(head), string(comma)) {
				key, ok := keyOf(strings.Trim(n, " \"*"), keys)
				named = named || key == Name
				if ok && key != Name {
					known++
				}
			}
			if known >= leastColumns && named {
				return above, comma
			}
		}
		if src = more; len(src) == 0 {
			break
		}
	}
	return 0, 0
}

// ruleLine is the line of dashes below the names of a table of Markdown.
var ruleLine = pattern.New(`^[\s|:-]+$`)

// unframe takes the bars at both ends of the lines of a table of Markdown away, and the line of dashes. What stands
// below the table is returned.
func unframe(lines [][]byte, head int) (rest []Entry) {
	for i := head; i < len(lines); i++ {
		text := strings.TrimSpace(string(lines[i]))
		switch {
		case !strings.HasPrefix(text, "|"):
			if text != "" {
				rest = append(rest, Entry{Key: Prose, Text: cleanCell(text), At: Place{i + 1, 1}})
			}
			text = ""
		case ruleLine().MatchString(text):
			text = ""
		default:
			text = strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(text, "|"), "|"), "**", "")
		}
		lines[i] = []byte(text + "\n")
	}
	return rest
}

// cleanCell is a cell in plain characters.
func cleanCell(text string) string {
	lines, _ := Clean([]byte(text))
	var parts []string
	for _, l := range lines {
		parts = append(parts, l.Text)
	}
	return strings.Join(parts, " ")
}
