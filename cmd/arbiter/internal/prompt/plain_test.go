package prompt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
)

// isUnfinished reports whether braces are open.
func isUnfinished(text string) bool { return strings.Count(text, "{") > strings.Count(text, "}") }

// readAll reads everything, and shows what each Read returned.
func readAll(t *testing.T, e Editor) string {
	t.Helper()
	var got []string
	for len(got) < 100 {
		text, err := e.Read(Prompt{Text: "> ", More: ". ", Unfinished: isUnfinished})
		switch {
		case errors.Is(err, io.EOF):
			return strings.Join(got, " ")
		case err != nil:
			got = append(got, err.Error())
		default:
			got = append(got, fmt.Sprintf("%q", text))
		}
	}
	t.Fatalf("there is no end to %q", got)
	return ""
}

func TestPlain(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", ``},
		{"lines", "one\n\ntwo\n", `"one" "" "two"`},
		{"the last line without an end", "one\ntwo", `"one" "two"`},
		{"ends of Windows", "one\r\ntwo\r\n", `"one" "two"`},
		{"a block", "a {\nb\n}\nc\n", `"a {\nb\n}" "c"`},
		{"a blank line in a block", "{\n\n}\n", `"{\n\n}"`},
		{"an unfinished block", "{\na", `"{\na"`},
		{"an unfinished block with an end", "{\na\n", `"{\na"`},
		{"any bytes", "\x00\xff\x1b[A\n", `"\x00\xff\x1b[A"`},
		{"the longest line", strings.Repeat("x", maxText-1) + "\n", fmt.Sprintf("%q", strings.Repeat("x", maxText-1))},
		{"a line that is too long", strings.Repeat("x", maxText+1) + "\nnext\n", ErrTooLong.Error() + ` "next"`},
		{"and is the last", strings.Repeat("x", maxText+1), ErrTooLong.Error()},
		{"a block that is too long", "{\n" + strings.Repeat("x", maxText) + "\n}\n", ErrTooLong.Error() + ` "}"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for how, in := range map[string]io.Reader{
				"at once": strings.NewReader(c.in), "in halves": iotest.HalfReader(strings.NewReader(c.in)), "with its end": iotest.DataErrReader(strings.NewReader(c.in)),
			} {
				var out strings.Builder
				e := Open(Options{In: in, Out: &out})
				if got := readAll(t, e); got != c.want {
					t.Errorf("%s: read %.200s, want %.200s", how, got, c.want)
				}
				if out.Len() > 0 || e.Terminal() || e.Width() != 0 {
					t.Errorf("%s: printed %q, to a terminal: %v, of %d columns", how, out.String(), e.Terminal(), e.Width())
				}
				if err := e.Print("said\n"); err != nil || out.String() != "said\n" {
					t.Errorf("%s: printed %q, %v", how, out.String(), err)
				}
				if err := errors.Join(e.Close(), e.Close()); err != nil {
					t.Error(err)
				}
				if _, err := e.Read(Prompt{}); err != io.EOF {
					t.Errorf("%s: once closed, it gives %v", how, err)
				}
			}
		})
	}
}

// TestPlainError: an error of the stream is not taken for the end of the input.
func TestPlainError(t *testing.T) {
	e := Open(Options{In: io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(os.ErrPermission))})
	defer e.Close()
	if text, err := e.Read(Prompt{}); text != "a" || err != nil {
		t.Errorf("first %q, %v", text, err)
	}
	if text, err := e.Read(Prompt{}); !errors.Is(err, os.ErrPermission) {
		t.Errorf("then %q, %v", text, err)
	}
}

// TestPlainClose: Close ends a Read whose input never comes.
func TestPlainClose(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer out.Close()
	e := Open(Options{In: in, Out: io.Discard})
	result := make(chan error)
	go func() {
		_, err := e.Read(Prompt{})
		result <- err
	}()
	e.Close()
	if err := <-result; err != io.EOF {
		t.Errorf("it gives %v", err)
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("one\ntwo {\n}\n")
	f.Add("{\r\n\x00\xff")
	f.Fuzz(func(t *testing.T, in string) {
		e := Open(Options{In: strings.NewReader(in)})
		defer e.Close()
		var got []string
		for {
			text, err := e.Read(Prompt{Unfinished: isUnfinished})
			if err != nil {
				break
			}
			got = append(got, text)
		}
		content := strings.NewReplacer("\r", "", "\n", "").Replace
		if all := strings.Join(got, ""); content(all) != content(in) {
			t.Errorf("of %q came %q", in, got)
		}
	})
}
