package show

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const text = "ruleset house extends base\n" +
	"+2 dodge to armour\n" +
	"\tnote \"näh 漢字\"; \x1b[31mbad\r\n" +
	"step one {\n  let x = 1\n}\n" +
	"last"

// span returns the span of a range of the text, given by lines and columns.
func span(line, column, endLine, endColumn int) ast.Span {
	return ast.Span{Start: ast.Pos{Line: line, Column: column}, End: ast.Pos{Line: endLine, Column: endColumn}}
}

var list = diag.List{
	{File: "house.rules", Span: span(2, 13, 2, 19), Severity: diag.Error, Code: "unknown-name", Message: "there is nothing named armour", Hint: "did you mean armor?",
		Related: []diag.Related{{File: "house.rules", Span: span(1, 9, 1, 14), Message: "this ruleset was searched"}}},
	{File: "house.rules", Span: span(3, 7, 3, 19), Severity: diag.Warning, Code: "odd", Message: "tabs and wide letters keep the marks in place"},
	{File: "house.rules", Span: span(3, 22, 3, 22), Severity: diag.Error, Code: "control", Message: "nobody's \x1b[31mcolours\x1b[0m get through"},
	{File: "house.rules", Span: span(4, 1, 6, 2), Severity: diag.Error, Code: "lines", Message: "several lines show the first", Hint: "and the message\n  may have several too"},
	{File: "house.rules", Span: span(7, 5, 7, 5), Severity: diag.Error, Code: "end", Message: "the end of the file"},
	{File: "house.rules", Span: span(99, 1, 99, 2), Severity: diag.Error, Code: "beyond", Message: "a line that is not there"},
	{File: "gone.rules", Span: span(1, 1, 1, 2), Severity: diag.Error, Code: "gone", Message: "a file that is not there"},
	{File: "house.rules", Severity: diag.Error, Code: "whole", Message: "the file as a whole"},
	{Severity: diag.Error, Code: "nowhere", Message: "nothing but a message"},
	{File: "long.rules", Span: span(1, 301, 1, 307), Severity: diag.Error, Code: "long", Message: "a long line shows what is around the mark"},
}

func source(file string) []byte {
	switch file {
	case "house.rules":
		return []byte(text)
	case "long.rules":
		return []byte(strings.Repeat("0123456789", 30) + "wrong!" + strings.Repeat("0123456789", 30))
	}
	return nil
}

func TestText(t *testing.T) {
	for name, screen := range map[string]term.Screen{
		"plain":   {},
		"color":   {Terminal: true, Color: true},
		"unicode": {Terminal: true, Unicode: true},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			p := Printer{Out: &b, Screen: screen, Source: source}
			p.PrintAll(list)
			golden(t, name+".txt", b.Bytes())
			if !screen.Color && strings.ContainsRune(b.String(), '\x1b') {
				t.Error("an escape sequence got through")
			}
		})
	}
}

// TestMost shows that many mistakes of each file, and reads each file once.
func TestMost(t *testing.T) {
	var many diag.List
	for i := range 5 {
		many = append(many, diag.Diagnostic{File: "house.rules", Span: span(i+1, 1, i+1, 2), Severity: diag.Error, Message: fmt.Sprint("mistake ", i)})
	}
	many = append(many, diag.Diagnostic{File: "gone.rules", Span: span(1, 1, 1, 2), Severity: diag.Warning, Message: "another file"})
	for most, want := range map[int]string{
		0: "0 1 2 3 4 another file",
		1: "0 house.rules: ... and 4 more, elsewhere another file",
		4: "0 1 2 3 house.rules: ... and 1 more, elsewhere another file",
		5: "0 1 2 3 4 another file",
	} {
		var b bytes.Buffer
		read := map[string]int{}
		p := Printer{Out: &b, MaxPerFile: most, MoreHint: ", elsewhere", Source: func(file string) []byte {
			read[file]++
			return source(file)
		}}
		p.PrintAll(many)
		var got []string
		for line := range strings.Lines(b.String()) {
			line = strings.TrimSpace(line)
			if _, message, ok := strings.Cut(line, ": error: mistake "); ok {
				got = append(got, message)
			} else if _, message, ok := strings.Cut(line, ": warning: "); ok {
				got = append(got, message)
			} else if strings.Contains(line, "more") {
				got = append(got, line)
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("at most %d: %s, want %s", most, got, want)
		}
		if read["house.rules"] != 1 {
			t.Errorf("the file was read %d times", read["house.rules"])
		}
	}
}

// TestRepeated shows the third diagnostic with the same text, and those after it, on a line each.
func TestRepeated(t *testing.T) {
	var many diag.List
	for i := range 5 {
		d := diag.Diagnostic{File: "house.rules", Span: span(2, 1+i, 2, 2+i), Severity: diag.Error, Message: "no such word", Hint: "use another"}
		if i == 3 {
			d.Message = "no such number"
		}
		many = append(many, d)
	}
	var b bytes.Buffer
	(&Printer{Out: &b, Source: source}).PrintAll(many)
	golden(t, "repeated.txt", b.Bytes())
}

func TestJSON(t *testing.T) {
	got, err := json.MarshalIndent(JSON(list[:2]), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "list.json", append(got, '\n'))
	if none, _ := json.Marshal(JSON(nil)); string(none) != "[]" {
		t.Errorf("no diagnostics are %s, want []", none)
	}
}

// TestAnywhere marks every range of an awkward line: nothing may panic, and the marks never exceed the line.
func TestAnywhere(t *testing.T) {
	const columns = 40
	for _, line := range []string{"", "a", "\t\xff\xfe漢\u0301b", strings.Repeat("x", 500)} {
		for from := -2; from <= len(line)+2; from += 1 + len(line)/50 {
			for to := from - 1; to <= len(line)+2; to += 1 + len(line)/50 {
				shown, marks := excerpt(line, from, to, columns)
				if !strings.Contains(marks, "^") {
					t.Fatalf("%q %d..%d: no mark", line, from, to)
				}
				if len(marks) > 2*len([]rune(shown))+2 {
					t.Fatalf("%q %d..%d: marks %q below %q", line, from, to, marks, shown)
				}
			}
		}
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs, got:\n%s", path, got)
	}
}

// An unreadably long word is cut; the rest of the message stays.
func TestLongWords(t *testing.T) {
	var b bytes.Buffer
	p := Printer{Out: &b}
	p.Print(diag.Diagnostic{Severity: diag.Error, Message: "there is nothing named " + strings.Repeat("ä", 100_000) + " here"})
	if want := "error: there is nothing named " + strings.Repeat("ä", longestWord/2) + "... here\n\n"; b.String() != want {
		t.Errorf("got %d bytes, want %q", b.Len(), want)
	}
}
