package term

import (
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// This file wraps text that is too wide for a screen.

// Fold wraps the lines of a text that take more than that many columns, at their spaces. Lines that fit are unchanged,
// and a word longer than a line stays whole. Continuation lines are indented to the second column of the line, which is
// the same in all lines of a table, if that leaves half of the screen; otherwise a little further than the line itself.
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
		b.WriteString(foldLine(bare, columns))
		b.WriteString(line[len(bare):])
	}
	return b.String()
}

func foldLine(line string, columns int) string {
	rest := strings.Repeat(" ", hangingIndent(line, columns))
	var b strings.Builder
	for first := true; ; first = false {
		if !first {
			b.WriteString(rest)
		}
		room := columns
		if !first {
			room -= len(rest)
		}
		at := breakAt(line, room)
		b.WriteString(strings.TrimRight(line[:at], " "))
		if line = strings.TrimLeft(line[at:], " "); line == "" {
			return b.String()
		}
		b.WriteByte('\n')
	}
}

// breakAt is where a line is broken: after the last word that fits, or after the first one when that is too long.
func breakAt(line string, columns int) int {
	used, last, begun := 0, 0, false
	for i := 0; i < len(line); {
		if e := EscapeLength(line[i:]); e > 0 {
			i += e
			continue
		}
		r, size := utf8.DecodeRuneInString(line[i:])
		if r == ' ' && begun {
			last = i
		}
		begun = begun || r != ' '
		if used += RuneWidth(r); used > columns && last > 0 {
			return last
		}
		i += size
	}
	return len(line)
}

// hangingIndent is the indentation of continuation lines.
func hangingIndent(line string, columns int) int {
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
	for word := range strings.FieldsSeq(text) { // each word should fit
		at = min(at, max(columns-Columns(word), 0))
	}
	return min(at, columns/2)
}

// Reflow wraps paragraphs again: lines that are not indented, with no empty line between them.
func Reflow(text string, columns int) string {
	var out []string
	joined := false // the previous line may be continued
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

// Folder is a stream whose lines are wrapped to the width of a screen. When a line is written in pieces, as at a prompt
// or in a progress line, the rest of it passes through unchanged.
type Folder struct {
	Out    io.Writer
	Screen Screen

	mu       sync.Mutex
	lineOpen bool // a line has been started
}

// Write implements io.Writer.
func (f *Folder) Write(p []byte) (int, error) {
	if f.Screen.Width == 0 {
		return f.Out.Write(p)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	text := string(p)
	begin := 0 // of the first complete line
	if f.lineOpen {
		begin = strings.IndexByte(text, '\n') + 1
	}
	end := max(strings.LastIndexByte(text, '\n')+1, begin)
	if _, err := io.WriteString(f.Out, text[:begin]+Fold(text[begin:end], f.Screen.Width)+text[end:]); err != nil {
		return 0, err
	}
	f.lineOpen = (f.lineOpen && end == 0 || end < len(text)) && !strings.HasSuffix(text, clearLine)
	return len(p), nil
}
