package logbook_test

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	. "arbiter/stdlib/logbook"
	"arbiter/stdlib/logbook/faulty"
)

// written returns the file content of a logbook.
func written(t testing.TB, header, entries []Entry) []byte {
	t.Helper()
	d := new(faulty.Disk)
	b, err := Create(d, "x", header)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := b.Append(e.Kind, e.Text); err != nil {
			t.Fatal(err)
		}
	}
	return d.Seen("x")
}

// reread reads a text as a logbook.
func reread(data []byte) (Log, error) {
	d := new(faulty.Disk)
	d.Put("x", data)
	return Read(d, "x")
}

// plain clears the lines.
func plain(entries []Entry) []Entry {
	out := []Entry{}
	for _, e := range entries {
		out = append(out, Entry{Kind: e.Kind, Text: e.Text})
	}
	return out
}

var texts = map[string]string{ // and how each is written
	"plain":                        `say: plain #`,
	"":                             `say:  #`,
	"  spaces around  ":            `say:   spaces around   #`,
	"a # comment #01234567":        `say: a # comment #01234567 #`,
	`back\slash\`:                  `say: back\\slash\\ #`,
	"two\nlines":                   "say: two\\\n  | lines #",
	"\n\nfour\n":                   "say: \\\n  | \\\n  | four\\\n  |  #",
	"ends in a backslash\\\n | x":  "say: ends in a backslash\\\\\\\n  |  | x #",
	"carriage\r\nreturn\r":         "say: carriage\\r\\\n  | return\\r #",
	"tab\tnul\x00 bell\a":          `say: tab\tnul\x00 bell\a #`,
	"ünïcode ⚔ \U0001F409":         "say: ünïcode ⚔ \U0001F409 #",
	"wide\u00a0space\u2028\u202e.": `say: wide\u00a0space\u2028\u202e. #`,
	`"quoted" and 'quoted'`:        `say: "quoted" and 'quoted' #`,
	"--- #00000000":                `say: --- #00000000 #`,
	"arbiter logbook 1\n":          "say: arbiter logbook 1\\\n  |  #",
	"\ufffd":                       "say: \ufffd #",
}

func TestTexts(t *testing.T) {
	for text, want := range texts {
		data := written(t, nil, []Entry{{Kind: "say", Text: text}})
		if !strings.Contains(string(data), "\n"+want) || len(data) == 0 || data[len(data)-1] != '\n' {
			t.Errorf("%q is written\n%s", text, data)
		}
		log, err := reread(data)
		if err != nil || log.Torn != nil || len(log.Entries) != 1 || log.Entries[0] != (Entry{"say", text, 3}) {
			t.Errorf("%q is read as %+v, %v, %v", text, log.Entries, log.Torn, err)
		}
	}
}

// TestRoundTrip: any texts are read back, with their lines, from a file in which every character is visible.
func TestRoundTrip(t *testing.T) {
	entry := rapid.Custom(func(t *rapid.T) Entry {
		return Entry{
			Kind: rapid.StringMatching(`[a-z][a-z0-9-]{0,31}`).Draw(t, "kind"),
			Text: rapid.OneOf(rapid.String(), rapid.StringMatching(`[ab \\\n\r#|:\x00-]*`)).Draw(t, "text"),
		}
	})
	rapid.Check(t, func(rt *rapid.T) {
		header := rapid.SliceOfN(entry, 0, 3).Draw(rt, "header")
		entries := rapid.SliceOfN(entry, 0, 6).Draw(rt, "entries")
		data := written(t, header, entries)
		log, err := reread(data)
		if err != nil || log.Torn != nil || !slices.Equal(plain(log.Header), plain(header)) || !slices.Equal(plain(log.Entries), plain(entries)) {
			rt.Fatalf("%q is read as %+v, %v", data, log, err)
		}
		lines := strings.Split(string(data), "\n")
		for _, e := range slices.Concat(log.Header, log.Entries) {
			if !strings.HasPrefix(lines[e.Line-1], e.Kind+": ") {
				rt.Fatalf("line %d is not of %+v in %q", e.Line, e, data)
			}
		}
		for _, r := range string(data) {
			if r != '\n' && !strings.ContainsRune("�", r) && (r < ' ' || r == 0x7f || r == '\u202e') {
				rt.Fatalf("%q has the sign %U", data, r)
			}
		}
	})
}

func TestUnfit(t *testing.T) {
	d := new(faulty.Disk)
	b, err := Create(d, "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	before := d.Seen("x")
	for _, e := range []Entry{{Kind: ""}, {Kind: "Say"}, {Kind: "two words"}, {Kind: "a:"}, {Kind: "-a"}, {Kind: "1"},
		{Kind: strings.Repeat("a", 33)}, {Kind: "---"}, {Kind: "say", Text: "\xff"}, {Kind: "say", Text: strings.Repeat("x", MaxSize)}} {
		var unfit *Unfit
		if err := b.Append(e.Kind, e.Text); !errors.As(err, &unfit) {
			t.Errorf("%s %.40q: %v", e.Kind, e.Text, err)
		}
		if _, err := Create(d, "y", []Entry{e}); !errors.As(err, &unfit) {
			t.Errorf("header %s %.40q: %v", e.Kind, e.Text, err)
		}
	}
	if string(d.Seen("x")) != string(before) || d.Seen("y") != nil {
		t.Error("something was written")
	}
	if err := b.Append("say", "and it goes on"); err != nil {
		t.Error(err)
	}
}

// TestFaults: faults made by people and disks in an intact file, and how they are reported.
func TestFaults(t *testing.T) {
	good := string(written(t, []Entry{{Kind: "rules", Text: "of the house"}},
		[]Entry{{Kind: "say", Text: "one"}, {Kind: "say", Text: "two\nlines"}, {Kind: "say", Text: "three"}}))
	lines := strings.SplitAfter(good, "\n") // 1 format, 2 rules, 3 ---, 4 one, 5 and 6 two, 7 three
	with := func(edit func(l []string) []string) string { return strings.Join(edit(slices.Clone(lines)), "") }
	tests := map[string]struct {
		data    string
		entries int
		want    string // of the error or of the notice; none if empty
	}{
		"nothing wrong":         {good, 3, ""},
		"edited":                {strings.Replace(good, "one", "won", 1), 0, "x:4: the line is damaged: it does not match its checksum: it was changed"},
		"edited at the end":     {strings.Replace(good, "three", "tree", 1), 2, "x:7: the line is damaged"},
		"a continuation edited": {strings.Replace(good, "lines", "line", 1), 1, "x:5: the line is damaged"},
		"its bar taken out":     {strings.Replace(good, "  | lines", "lines", 1), 1, "x:5: the line is damaged"},
		"header edited":         {strings.Replace(good, "house", "horse", 1), 0, "x:2: the line is damaged"},
		"a line missing":        {with(func(l []string) []string { return slices.Delete(l, 3, 4) }), 0, "x:4: the line is damaged"},
		"a line doubled":        {with(func(l []string) []string { return slices.Insert(l, 4, l[3]) }), 1, "x:5: the line is damaged"},
		"the last line doubled": {good + lines[6], 3, "x:8: the line is damaged"},
		"lines exchanged":       {with(func(l []string) []string { l[1], l[3] = l[3], l[1]; return l }), 0, "x:2: the line is damaged"},
		"a checksum missing":    {strings.Replace(good, lines[3][len("say: one"):], "\n", 1), 0, "does not end in a checksum"},
		"an empty line":         {with(func(l []string) []string { return slices.Insert(l, 4, "\n") }), 1, "x:5: the line is damaged: it is empty"},
		"an empty line at last": {good + "\n", 3, "x:8: the line is damaged: it is empty"},
		"more at the end":       {good + "say: four\n", 3, "x:8: the line is damaged"},
		"carriage returns":      {strings.ReplaceAll(good, "\n", "\r\n"), 0, "x:1: the line is damaged: it ends in a carriage return"},
		"one of them":           {strings.Replace(good, lines[3], lines[3][:len(lines[3])-1]+"\r\n", 1), 0, "x:4: the line is damaged: it ends in a carriage return"},
		"zeros in the middle":   {strings.Replace(good, "one", "\x00\x00\x00", 1), 0, "x:4: the line is damaged: it contains zero bytes"},

		"the last end missing":  {good[:len(good)-1], 3, ""},
		"half a line":           {good[:len(good)-9], 2, "x:7: the last entry is incomplete and was ignored: \"say: three #\""},
		"half a sum":            {good[:len(good)-2], 2, "x:7: the last entry"},
		"half an entry":         {strings.Join(lines[:5], ""), 1, "x:5: the last entry"},
		"less":                  {strings.Join(lines[:5], "")[:len(strings.Join(lines[:5], ""))-1], 1, "x:5: the last entry"},
		"zeros at the end":      {good + strings.Repeat("\x00", 512), 3, "x:8: the last entry"},
		"zeros before its end":  {strings.Replace(good, "three", "\x00\x00\x00\x00", 1), 2, "x:7: the last entry"},
		"zeros for its newline": {good[:len(good)-1] + "\x00", 2, "x:7: the last entry"},
		"much after the last":   {good + strings.Repeat("x", 1000), 3, " ... (1000 bytes)"},

		"nothing":                     {"", 0, "x: the logbook has no complete header"},
		"zeros":                       {strings.Repeat("\x00", 2000), 0, "no complete header"},
		"half a first line":           {"arbiter log", 0, "no complete header"},
		"half a header":               {strings.Join(lines[:2], ""), 0, "no complete header"},
		"half a line of it":           {strings.Join(lines[:2], "")[:25], 0, "no complete header"},
		"a header and zeros":          {strings.Join(lines[:2], "") + "\x00\x00", 0, "no complete header"},
		"another file":                {"{\n}\n", 0, "x: not a logbook: it does not start with the words arbiter logbook"},
		"another file without an end": {"hello", 0, "not a logbook"},
		"zeros, then something":       {strings.Repeat("\x00", 2000) + "data", 0, "not a logbook"},
		"a mark before it":            {"\ufeff" + good, 0, "not a logbook"},
		"of tomorrow":                 {strings.Replace(good, "logbook 1", "logbook 2", 1), 0, "x: a logbook of version 2, but this program knows version 1"},
		"of no version":               {strings.Replace(good, "logbook 1", "logbook one", 1), 0, "x:1: the line is damaged: the number"},
		"of version 01":               {strings.Replace(good, "logbook 1", "logbook 01", 1), 0, "x:1: the line is damaged: the number"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			log, err := reread([]byte(test.data))
			said := ""
			switch {
			case err != nil && log.Torn != nil:
				t.Fatal("both an error and a notice")
			case err != nil:
				said = err.Error()
			case log.Torn != nil:
				said = log.Torn.String()
			}
			if len(log.Entries) != test.entries || !strings.Contains(said, test.want) || (said == "") != (test.want == "") {
				t.Errorf("%d entries, %s; want %d, %s", len(log.Entries), said, test.entries, test.want)
			}
			open(t, test.data, log, err)
		})
	}
}

// open compares Open with Read: the same log, the same error, a file that is changed only where it was torn, and a book
// that continues after its last intact entry.
func open(t *testing.T, data string, log Log, want error) {
	t.Helper()
	d := new(faulty.Disk)
	d.Put("x", []byte(data))
	b, got, err := Open(d, "x")
	if fmt.Sprint(err) != fmt.Sprint(want) || !reflect.DeepEqual(got, log) {
		t.Fatalf("read as %+v, %v, opened as %+v, %v", log, want, got, err)
	}
	if err != nil {
		if string(d.Seen("x")) != data || b != nil {
			t.Fatal("the file was changed")
		}
		return
	}
	if err := b.Append("say", "more"); err != nil {
		t.Fatal(err)
	}
	b.Close()
	after, err := Read(d, "x")
	if err != nil || after.Torn != nil || !slices.Equal(plain(after.Entries), append(plain(log.Entries), Entry{Kind: "say", Text: "more"})) {
		t.Fatalf("one entry after %+v: %+v, %v", log.Entries, after, err)
	}
}

// TestCutAtEveryByte: wherever a file is cut, it has the entries that are complete.
func TestCutAtEveryByte(t *testing.T) {
	var entries []Entry
	for text := range texts {
		entries = append(entries, Entry{Kind: "say", Text: text})
	}
	good := written(t, []Entry{{Kind: "rules", Text: "a\nb"}}, entries)
	whole := map[int]int{} // the number of complete entries for each file length
	for n := range len(entries) + 1 {
		length := len(written(t, []Entry{{Kind: "rules", Text: "a\nb"}}, entries[:n]))
		whole[length], whole[length-1] = n, n // the last newline may be missing
	}
	begun := false
	for n, length := 0, 0; length <= len(good); length++ {
		count, exact := whole[length]
		if exact {
			n, begun = count, true
		}
		log, err := reread(good[:length])
		var unfinished *Unfinished
		if !begun {
			if !errors.As(err, &unfinished) {
				t.Fatalf("%d bytes: %v", length, err)
			}
			continue
		}
		if err != nil || !slices.Equal(plain(log.Entries), plain(entries[:n])) || (log.Torn == nil) != exact {
			t.Fatalf("%d bytes: %d entries of %d, torn %v, %v", length, len(log.Entries), n, log.Torn, err)
		}
		open(t, string(good[:length]), log, err)
	}
}

// TestSpecification: the example of the specification is a valid logbook, and is written exactly as shown there.
func TestSpecification(t *testing.T) {
	page, err := os.ReadFile("../../spec/logbook.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, found := strings.Cut(string(page), "```logbook\n")
	example, _, ended := strings.Cut(example, "```\n")
	if !found || !ended {
		t.Fatal("the page has no example")
	}
	log, err := reread([]byte(example))
	if err != nil || log.Torn != nil || len(log.Header) == 0 || len(log.Entries) < 3 {
		t.Fatalf("%+v, %v\n%s", log, err, written(t, log.Header, log.Entries))
	}
	if got := string(written(t, log.Header, log.Entries)); got != example {
		t.Errorf("the example is written\n%s", got)
	}
}

// FuzzRead: any file is read without a panic, and the entries taken from it survive.
func FuzzRead(f *testing.F) {
	good := written(f, []Entry{{Kind: "rules", Text: "of the house"}}, []Entry{{Kind: "say", Text: "one\n\\two"}, {Kind: "say", Text: "\x00"}})
	f.Add(good)
	f.Add(good[:len(good)-20])
	f.Add([]byte(strings.Replace(string(good), "one", "\x00\x00\x00", 1)))
	f.Add([]byte("arbiter logbook 1\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		log, err := reread(data)
		open(t, string(data), log, err)
		if err == nil && len(written(t, log.Header, log.Entries)) > 4*len(data)+2 {
			t.Fatal("more was read than there is")
		}
	})
}

// FuzzCut: a file of any texts, cut anywhere, begins like the whole one.
func FuzzCut(f *testing.F) {
	f.Add("one", "two\nlines", uint16(70))
	f.Add("\\", "\x00\n\\\n", uint16(45))
	f.Fuzz(func(t *testing.T, one, two string, cut uint16) {
		entries := []Entry{{Kind: "a", Text: strings.ToValidUTF8(one, "?")}, {Kind: "b", Text: strings.ToValidUTF8(two, "?")}}
		good := written(t, nil, entries)
		log, err := reread(good[:int(cut)%(len(good)+1)])
		var unfinished *Unfinished
		if err != nil && !errors.As(err, &unfinished) || len(log.Entries) > 2 || !slices.Equal(plain(log.Entries), plain(entries[:len(log.Entries)])) {
			t.Fatalf("%q cut at %d: %+v, %v", good, cut, log, err)
		}
	})
}
