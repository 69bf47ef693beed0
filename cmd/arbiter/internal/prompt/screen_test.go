package prompt

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"arbiter/cmd/arbiter/internal/term"
)

// screen emulates a terminal: the subset of a VT100 that the editor may use. Anything else that is written is an error.
// It wraps rows that are too long when it becomes narrower, as most terminals do.
type screen struct {
	columns, rows int
	scrolled      []string   // rows that have scrolled away
	cells         [][]string // "" to the right of a wide character
	row, column   int        // column may equal columns: the next character goes to the next row
	bells         int
	pasting       bool // whether pastes are bracketed
	faults        []string
	incomplete    []byte // the start of an incomplete sequence or character
}

func newScreen(columns, rows int) *screen {
	s := &screen{columns: columns, rows: rows}
	for range rows {
		s.cells = append(s.cells, nil)
	}
	return s
}

func (s *screen) Write(p []byte) (int, error) {
	b := append(s.incomplete, p...)
	for len(b) > 0 {
		n := s.processOne(b)
		if n == 0 {
			break
		}
		b = b[n:]
	}
	s.incomplete = append([]byte(nil), b...)
	return len(p), nil
}

// processOne processes the first character or sequence, and returns its length; 0 if it is incomplete.
func (s *screen) processOne(b []byte) int {
	switch c := b[0]; {
	case c == '\r':
		s.column = 0
	case c == '\n':
		s.lineFeed()
	case c == '\t':
		s.column = min(s.columns-1, (s.column/8+1)*8)
	case c == '\a':
		s.bells++
	case c == 0x1b:
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				if b[1] != '[' {
					s.fault(b[:i+1])
				} else {
					s.sequence(string(b[2:i]), b[i])
				}
				return i + 1
			}
		}
		return 0
	case c < 0x20 || c == 0x7f:
		s.fault(b[:1])
	default:
		if !utf8.FullRune(b) {
			return 0
		}
		r, size := utf8.DecodeRune(b)
		s.put(r)
		return size
	}
	return 1
}

func (s *screen) fault(b []byte) { s.faults = append(s.faults, fmt.Sprintf("%q", b)) }

func (s *screen) sequence(parameters string, final byte) {
	n, err := strconv.Atoi(parameters)
	if parameters != "" && err != nil {
		n = -1
	}
	s.column = min(s.column, s.columns-1)
	switch {
	case final == 'A' && n > 0:
		s.row = max(0, s.row-n)
	case final == 'C' && n > 0:
		s.column = min(s.columns-1, s.column+n)
	case final == 'J' && parameters == "":
		s.cut(s.row, s.column)
		for i := s.row + 1; i < s.rows; i++ {
			s.cells[i] = nil
		}
	case final == 'J' && parameters == "2":
		clear(s.cells)
	case final == 'H' && parameters == "":
		s.row, s.column = 0, 0
	case final == 'm': // a style, which is not stored
	case final == 'h' && parameters == "?2004":
		s.pasting = true
	case final == 'l' && parameters == "?2004":
		s.pasting = false
	default:
		s.faults = append(s.faults, fmt.Sprintf("ESC [ %s %c", parameters, final))
	}
}

func (s *screen) cut(row, column int) {
	if len(s.cells[row]) > column {
		s.cells[row] = s.cells[row][:column]
	}
}

func (s *screen) lineFeed() {
	if s.row < s.rows-1 {
		s.row++
		return
	}
	s.scrolled = append(s.scrolled, text(s.cells[0]))
	s.cells = append(s.cells[1:], nil)
}

func (s *screen) put(r rune) {
	w := term.RuneWidth(r)
	if w == 0 {
		if row := s.cells[s.row]; s.column > 0 && s.column <= len(row) {
			i := s.column - 1
			for row[i] == "" && i > 0 {
				i--
			}
			row[i] += string(r)
		}
		return
	}
	if s.column+w > s.columns {
		s.column = 0
		s.lineFeed()
	}
	row := s.cells[s.row]
	for len(row) < s.column+w {
		row = append(row, " ")
	}
	row[s.column] = string(r)
	if w == 2 {
		row[s.column+1] = ""
	}
	s.cells[s.row] = row
	s.column += w
}

// resize changes the size and wraps as most terminals do.
func (s *screen) resize(columns, rows int) {
	var cells [][]string
	row := 0
	for i, r := range s.cells {
		if i == s.row {
			row = len(cells) + s.column/columns
		}
		for len(r) > columns {
			cells = append(cells, r[:columns:columns])
			r = r[columns:]
		}
		cells = append(cells, r)
	}
	s.row, s.column, s.columns, s.rows = row, s.column%columns, columns, rows
	for s.row >= rows {
		s.scrolled = append(s.scrolled, text(cells[0]))
		cells = cells[1:]
		s.row--
	}
	for len(cells) < rows {
		cells = append(cells, nil)
	}
	s.cells = cells[:rows]
}

func text(row []string) string { return strings.TrimRight(strings.Join(row, ""), " ") }

// String is the visible text, preceded by what has scrolled away. The cursor is shown as ▮ before its character.
func (s *screen) String() string {
	lines := append([]string(nil), s.scrolled...)
	last := s.row
	for i, r := range s.cells {
		if text(r) != "" {
			last = max(last, i)
		}
	}
	for i := range last + 1 {
		r := s.cells[i]
		if i == s.row {
			before, after := r, []string(nil)
			if s.column < len(r) {
				before, after = r[:s.column], r[s.column:]
			}
			at := strings.Join(before, "") + strings.Repeat(" ", max(0, s.column-len(r)))
			lines = append(lines, at+"▮"+text(after))
			continue
		}
		lines = append(lines, text(r))
	}
	return strings.Join(lines, "\n")
}
