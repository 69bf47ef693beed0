package term

import (
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// This file breaks what is too wide for a screen.

// Fold breaks the lines of a text that take more than so many columns, at their blanks; what fits stays as it is, and a word
// that is longer than a line stays whole. A line goes on below the beginning of its second column, which is the same in all lines of
// a table, if that leaves half of the screen, or else a little further in than it begins.
func Fold(text string, columns int) string {
	if columns < 8 {
		return text
	}
	var b strings.Builder
	for line := range strings.SplitAfterSeq(text, "\n") {
		bare := strings.TrimSuffix(line, "\n")
		if Columns(bare) <= columns {
			b.WriteString(line)
			continue
		}
		b.WriteString(folded(bare, columns))
		b.WriteString(line[len(bare):])
	}
	return b.String()
}

func folded(line string, columns int) string {
	rest := strings.Repeat(" ", hang(line, columns))
	var b strings.Builder
	for first := true; ; first = false {
		if !first {
			b.WriteString(rest)
		}
		room := columns
		if !first {
			room -= len(rest)
		}
		at := cut(line, room)
		b.WriteString(strings.TrimRight(line[:at], " "))
		if line = strings.TrimLeft(line[at:], " "); line == "" {
			return b.String()
		}
		b.WriteByte('\n')
	}
}

// cut is where a line is broken: behind the last word that fits, or behind the first one when that is too long.
func cut(line string, columns int) int {
	used, last, begun := 0, 0, false
	for i := 0; i < len(line); {
		if e := Escape(line[i:]); e > 0 {
			i += e
			continue
		}
		r, size := utf8.DecodeRuneInString(line[i:])
		if r == ' ' && begun {
			last = i
		}
		begun = begun || r != ' '
		if used += Width(r); used > columns && last > 0 {
			return last
		}
		i += size
	}
	return len(line)
}

// hang is how far in a broken line goes on.
func hang(line string, columns int) int {
	text := Unstyled(line)
	indent := len(text) - len(strings.TrimLeft(text, " "))
	at := 0
	if gap := strings.Index(text[indent:], "  "); gap >= 0 {
		i := indent + gap
		i += len(text[i:]) - len(strings.TrimLeft(text[i:], " "))
		if n := Columns(text[:i]); n <= columns/2 {
			at = n
		}
	}
	if at == 0 {
		at = indent + 4
	}
	for word := range strings.FieldsSeq(text) { // it is to fit
		at = min(at, max(columns-Columns(word), 0))
	}
	return min(at, columns/2)
}

// Reflow breaks paragraphs anew, those lines that are not indented and no empty line divides.
func Reflow(text string, columns int) string {
	var out []string
	joined := false // the line before may go on
	for line := range strings.SplitSeq(text, "\n") {
		plain := line != "" && line[0] != ' '
		if plain && joined {
			out[len(out)-1] += " " + line
		} else {
			out = append(out, line)
		}
		joined = plain
	}
	for i, line := range out {
		out[i] = strings.Join(Wrap(line, columns, "", ""), "\n")
	}
	return strings.Join(out, "\n")
}

// Folder is a stream whose lines are broken to the width of a screen. Where a line is written in pieces, as at a prompt or in a line of
// progress, the rest of it goes through as it is.
type Folder struct {
	Out    io.Writer
	Screen Screen

	mu     sync.Mutex
	inside bool // a line has been begun
}

// Write implements io.Writer.
func (f *Folder) Write(p []byte) (int, error) {
	if f.Screen.Width == 0 {
		return f.Out.Write(p)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	text := string(p)
	begin := 0 // of the first line that is whole
	if f.inside {
		begin = strings.IndexByte(text, '\n') + 1
	}
	end := max(strings.LastIndexByte(text, '\n')+1, begin)
	if _, err := io.WriteString(f.Out, text[:begin]+Fold(text[begin:end], f.Screen.Width)+text[end:]); err != nil {
		return 0, err
	}
	f.inside = (f.inside && end == 0 || end < len(text)) && !strings.HasSuffix(text, clearLine)
	return len(p), nil
}
