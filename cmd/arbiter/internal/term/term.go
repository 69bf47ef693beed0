// Package term says what a stream can show: whether a person looks at it, in colours, in Unicode, how wide.
//
// It also draws a line of progress for that person. The package must never know what is printed.
package term

import (
	"os"
	"strconv"
	"strings"
)

// Screen is what a stream can show. The zero value is a pipe: plain text of any width.
type Screen struct {
	Terminal bool // a person looks at it, and its cursor can be moved
	Color    bool
	Unicode  bool
	Width    int // in columns; 0 means as wide as it likes
}

// Of looks at a stream and at the environment. NO_COLOR and TERM=dumb are honoured.
func Of(f *os.File) Screen {
	width, ok := size(f)
	if !ok {
		return Screen{}
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		width = n
	}
	if os.Getenv("TERM") == "dumb" {
		return Screen{Width: width}
	}
	return Screen{Terminal: true, Color: os.Getenv("NO_COLOR") == "", Unicode: speaksUnicode(), Width: width}
}

// speaksUnicode asks the locale, in the order in which the C library does.
func speaksUnicode() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(os.Getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}

// Style is the parameter of an escape sequence that changes how text looks.
type Style string

const (
	Bold   Style = "1"
	Dim    Style = "2"
	Italic Style = "3"
	Red    Style = "1;31"
	Green  Style = "32"
	Yellow Style = "1;33"
	Blue   Style = "34"
	Cyan   Style = "1;36"
)

// Paint gives the text in a style, where styles show.
func (s Screen) Paint(style Style, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + string(style) + "m" + text + "\x1b[0m"
}
