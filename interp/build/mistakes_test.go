package build

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"arbiter/lang/diag"
	"arbiter/rules"
)

var typos = flag.Int("typos", 40, "how many random mistakes TestMistakes types into house rules")

var wordOrSign = regexp.MustCompile(`[\w-]+|[^\w\s]`)

// mistyped changes a text at random as somebody does who types: a word is misspelt, left out, doubled or exchanged, a line
// is left out.
func mistyped(r *rand.Rand, text string) string {
	places := wordOrSign.FindAllStringIndex(text, -1)
	at := places[r.IntN(len(places))]
	word := text[at[0]:at[1]]
	switch r.IntN(6) {
	case 0:
		word = ""
	case 1:
		word += " " + word
	case 2:
		other := places[r.IntN(len(places))]
		word = text[other[0]:other[1]]
	case 3:
		lines := strings.Split(text, "\n")
		i := 2 + r.IntN(len(lines)-2)
		return strings.Join(slices.Delete(lines, i, i+1), "\n")
	default:
		if i := r.IntN(len(word)); len(word) > 1 {
			word = word[:i] + word[i+1:]
		} else {
			word = "1"
		}
	}
	return text[:at[0]] + word + text[at[1]:]
}

// typedMistakes compares what is said while a ruleset is typed with what the whole build says of the same file: nothing
// else, and nearly all. It returns how many errors there were, and how many were said at once.
func typedMistakes(t *testing.T, typed *Typed, path, text string, o Options) (all, atOnce int) {
	t.Helper()
	_, whole, err := Source(path, []byte(text), o)
	if err != nil {
		return 0, 0
	}
	quick, ok := typed.Mistakes(path, []byte(text), o)
	if !ok {
		return 0, 0
	}
	// That another ruleset declares what is missing is only looked for by the whole build.
	ofAnother := func(hint string) bool {
		return strings.HasPrefix(hint, "ruleset `") || strings.Contains(hint, modelMark)
	}
	same := func(a diag.Diagnostic) func(diag.Diagnostic) bool {
		return func(b diag.Diagnostic) bool {
			return a.File == b.File && a.Span == b.Span && a.Code == b.Code && a.Message == b.Message && (a.Hint == b.Hint || ofAnother(a.Hint) || ofAnother(b.Hint))
		}
	}
	for _, d := range quick {
		if !slices.ContainsFunc(whole, same(d)) {
			t.Errorf("only said at once: %v [%s] (%s)\n%v\nof\n%s", d, d.Code, d.Hint, whole, text)
		}
	}
	for _, d := range whole {
		if d.File == path && d.Severity == diag.Error {
			if all++; slices.ContainsFunc(quick, same(d)) {
				atOnce++
			} else {
				t.Logf("not said at once: %v [%s]", d, d.Code)
			}
		}
	}
	return all, atOnce
}

// What is said of a ruleset while it is typed is right, and rarely less than what the whole build says.
func TestMistakes(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 2))
	houses, err := filepath.Glob("../../examples/house-rules/*.rules")
	if err != nil || len(houses) == 0 {
		t.Fatal(err)
	}
	o := Options{Library: rules.FS}
	typed := map[string]*Typed{}
	all, atOnce := 0, 0
	for range *typos {
		path := houses[r.IntN(len(houses))]
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if typed[path] == nil {
			typed[path] = &Typed{}
		}
		some, said := typedMistakes(t, typed[path], path, mistyped(r, string(text)), o)
		all, atOnce = all+some, atOnce+said
		if t.Failed() {
			return
		}
	}
	t.Logf("%d of %d errors are said at once", atOnce, all)
	if atOnce*10 < all*9 || all < *typos/4 {
		t.Errorf("only %d of %d errors are said at once", atOnce, all)
	}
}
