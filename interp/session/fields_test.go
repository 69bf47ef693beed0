package session

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/build"
)

var numberInText = regexp.MustCompile(`\d+`)

// authored are the kinds of events whose words are those of an author, who may write any number into them.
var authored = []string{"note", "cancelled", "scene", "told", "offered", "took", "finished"}

// Whoever reads events as data need not read their texts: every number in one is in another field, and so is every
// combatant that it names.
func TestTextsAreFields(t *testing.T) {
	paths := slices.Clone(systemFights)
	for _, glob := range []string{"*.encounter", "duel/*.encounter", "balance/*.encounter"} {
		found, err := filepath.Glob("../../examples/" + glob)
		if err != nil || len(found) == 0 {
			t.Fatal(glob, err)
		}
		for _, path := range found {
			paths = append(paths, strings.TrimPrefix(path, "../../examples/"))
		}
	}
	kinds, numbers := map[string]int{}, 0
	for _, path := range paths {
		s, diags, err := build.File(filepath.Join("../../examples", path), quick)
		if err != nil || s.Rules == nil {
			t.Fatal(path, diags, err)
		}
		for n := range 2 {
			p := Play(s, s.File.Body, Options{Seed: seed(uint64(n)), Unchecked: true, Rounds: 4})
			names := map[string]bool{}
			for _, m := range p.Combatants {
				names[m.Name] = true
			}
			seen := map[string]bool{} // one complaint for each kind of event and action
			for _, e := range p.Events {
				if kinds[e.Kind]++; slices.Contains(authored, e.Kind) {
					continue
				}
				text := e.Text
				e.Text = ""
				data, err := json.Marshal(&e)
				if err != nil {
					t.Fatal(err)
				}
				known := numberInText.FindAllString(string(data), -1)
				line, _, _ := strings.Cut(text, "\n") // a map follows
				for _, number := range numberInText.FindAllString(line, -1) {
					if numbers++; !slices.Contains(known, number) && !seen[e.Kind+e.Name] {
						seen[e.Kind+e.Name] = true
						t.Errorf("%s, seed %d: %s of %q is in no field of %s", path, n, number, line, data)
					}
				}
				for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" ,:.()", r) }) {
					if names[word] && !strings.Contains(string(data), word) {
						t.Errorf("%s, seed %d: %s of %q is in no field of %s", path, n, word, line, data)
					}
				}
			}
		}
	}
	t.Logf("%d numbers in texts of %v", numbers, kinds)
	if numbers < 2000 || kinds["check"] == 0 || kinds["move"] == 0 || kinds["ended"] == 0 {
		t.Errorf("%d numbers in texts of %v", numbers, kinds)
	}
}
