package statblock

import (
	"bytes"
	"encoding/csv"
	"io"
	"strings"
)

// This file reads tables with named columns and a creature in each row.

// leastColumns is how many columns of a table must be known for it to be one.
const leastColumns = 3

// csvSheets reads each row as a sheet. ok is false if the first line does not name columns.
func csvSheets(src []byte, v *Vocabulary) (sheets []Sheet, ok bool) {
	head, _, _ := bytes.Cut(src, []byte("\n"))
	keys := v.prepare().columns()
	for _, comma := range ",;\t" {
		names := strings.Split(strings.TrimRight(string(head), "\r"), string(comma))
		known, named := 0, false
		for _, n := range names {
			n = plainName(n)
			named = named || n == Name
			if keys[n] != "" {
				known++
			}
		}
		if known < leastColumns || !named {
			continue
		}
		r := csv.NewReader(bytes.NewReader(src))
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
					label = columns[i]
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
		return sheets, len(sheets) > 0
	}
	return nil, false
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
