// Package term detects what a stream can show: whether it is a terminal, its colors, Unicode and width.
//
// It also draws progress lines. The package must never know what is printed.
package term

import (
	"os"
	"strconv"
	"strings"
)

// Screen is what a stream can show. The zero value is a pipe: plain text of any width.
type Screen struct {
	Terminal bool // it has a reader, and its cursor can be moved
	Color    bool
	Unicode  bool
	Width    int // in columns; 0 means unlimited
}

// ScreenOf examines a stream and the environment. NO_COLOR and TERM=dumb are honored; FORCE_COLOR colors pipes and files
// too, unless NO_COLOR is set.
func ScreenOf(f *os.File) Screen {
	width, ok := size(f)
	plain, forced := os.Getenv("NO_COLOR") != "", os.Getenv("FORCE_COLOR")
	color := forced != "" && forced != "0" && forced != "false" && !plain
	if !ok {
		return Screen{Color: color}
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		width = n
	}
	if os.Getenv("TERM") == "dumb" {
		return Screen{Color: color, Width: width}
	}
	return Screen{Terminal: true, Color: !plain, Unicode: hasUnicodeLocale(), Width: width}
}

// hasUnicodeLocale checks the locale variables in the order of the C library.
func hasUnicodeLocale() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(os.Getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}

// Style is the parameter of an escape sequence that changes the appearance of text.
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

// Paint returns the text in a style, where styles are shown.
func (s Screen) Paint(style Style, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + string(style) + "m" + text + "\x1b[0m"
}
