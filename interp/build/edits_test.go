package build

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"arbiter/lang/diag"
)

var edits = flag.Int("edits", 150, "how many random edits TestEdits makes")

// editedLibrary is what the edited script uses.
var editedLibrary = fstest.MapFS{
	"base/base.rules": {Data: []byte(`ruleset base

enum size ordered: small, medium, large
resource hit-points from 0 to 10 + might
kind creature { strength: number = 10; build: size = medium; title: text = "nobody" }
kind weapon { harm: dice = 1d6; heavy: yes-no = no }
weapon club { harm: 1d8 }
option grit = 2
stat might = (strength - 10) / 2
define creature.tough = might + grit > 3
effect weak by much: number { -much to might }
action hit foe: creature {
  cost none
  foe loses 2 hit-points
}
rule groan after hit { self loses 1 hit-points }
`)},
	"house/house.rules": {Data: []byte("ruleset house extends base\n\nstat wits = strength / 2\n")},
}

// editedLines are what an edit inserts: declarations that change the rules, things, tactics, commands; and mistakes.
var editedLines, mistakenLines = linesOf(`
override might = strength - 9
override creature.tough = might > 1
override option grit = 5
stat luck = might + wits
define creature.lucky = luck > 3
effect blessed { + 1 to luck }
effect slow { cannot hit }
option omens = yes
rule cheer after hit { self gains 1 hit-points }
remove groan
extend creature { mood: text = "calm" }
weapon axe { harm: 1d12; heavy: yes }
weapon pick extends club { harm: 2d4 }
creature ogre { strength: 18 }
creature imp { strength: 6; build: small; has weak by 1 }
creature boss extends ogre { strength: 20; title: "Boss" }
side north { boss Big follows brute }
tactics brute { hit self when tough }
side west { ogre Grub }
side east { imp Nip }
let n = 3
note "text {n}"
Grub: hit Nip
Grub loses 2 hit-points
expect Grub.might = 4
expect Nip.wits = 3
if Grub.might > 3 { note "strong" }
MISTAKES
creature ogre { strenght: 18 }
override wight = 3
Grub: hits Nip
expect Grub.mihgt = 4
set Grub.hit-points to "many"
effect weak by much: text { }
side west { ghost Boo }
`)

// linesOf returns the lines before and after the one that separates them.
func linesOf(text string) (right, wrong []string) {
	before, after, _ := strings.Cut(strings.TrimSpace(text), "\nMISTAKES\n")
	return strings.Split(before, "\n"), strings.Split(after, "\n")
}

// linesBefore is the number of the first line that is edited.
const linesBefore = 3

// TestEdits edits a script and a ruleset next to it at random, as in an editor, and builds it after each edit: on what is
// shared by then, on what a store has kept, and from nothing. The diagnostics and the programs are equal.
func TestEdits(t *testing.T) {
	dir, stored := t.TempDir(), t.TempDir()
	r := rand.New(rand.NewPCG(36, 1))
	path := filepath.Join(dir, "edited.encounter")
	lines := []string{"creature ogre { strength: 18 }", "creature imp { strength: 6 }", "side west { ogre Grub }", "side east { imp Nip }"}
	built, kept, wrong := 0, 0, -1 // wrong is the line with the first mistake
	for n := range *edits {
		store := NewStore(stored) // of another process each time, since one writes only a few
		k := r.IntN(10)
		if wrong >= 0 && r.IntN(2) == 0 {
			k = 5 // a mistake does not stay long
		}
		switch {
		case k < 5 || len(lines) < 3:
			line := editedLines[r.IntN(len(editedLines))]
			if r.IntN(8) == 0 {
				line = mistakenLines[r.IntN(len(mistakenLines))]
			}
			if !slices.Contains(lines, line) {
				lines = slices.Insert(lines, r.IntN(len(lines)+1), line)
			}
		case k < 9: // rather what is wrong
			i := r.IntN(len(lines))
			if wrong >= 0 && wrong < len(lines) {
				i = wrong
			}
			lines = slices.Delete(lines, i, i+1)
		default: // the ruleset of the folder takes the place of the one in the library
			text := "ruleset house extends base\n\nstat wits = strength / " + string(rune('1'+r.IntN(4))) + "\n"
			if r.IntN(8) == 0 {
				text += "stat calm = wist\n"
			}
			if err := os.WriteFile(filepath.Join(dir, "house.rules"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		src := []byte("encounter \"edited\" with house\n\n" + strings.Join(lines, "\n") + "\n")
		o := Options{Library: editedLibrary, Apart: true}
		want, wantDiags, err := Source(path, src, o)
		if err != nil {
			t.Fatal(err)
		}
		if wrong = -1; want.Rules != nil {
			built++
		}
		for _, d := range wantDiags {
			if wrong < 0 && d.File == path && d.Severity == diag.Error {
				wrong = d.Span.Start.Line - linesBefore
			}
		}
		o.Apart, o.Store = false, store
		for _, how := range []string{"shared", "a second time, which keeps it", "from the store"} {
			if how != "shared" {
				store.Wait()
				Forget()
			}
			got, diags, err := Source(path, src, o)
			if err != nil {
				t.Fatal(err)
			}
			compareDiags(t, path, how, diags, wantDiags)
			if (got.Rules == nil) != (want.Rules == nil) {
				t.Errorf("%s: one of two has mistakes", how)
			} else if got.Rules != nil {
				comparePrograms(t, path, how, got.Rules, want.Rules)
				if how == "from the store" && fromStore(got) {
					kept++
				}
			}
			if t.Failed() {
				t.Fatalf("after edit %d of\n%s", n+1, src)
			}
		}
		for len(lines) > 12 {
			i := r.IntN(len(lines))
			lines = slices.Delete(lines, i, i+1)
		}
	}
	if built < *edits/20 {
		t.Errorf("only %d of %d scripts were without mistakes", built, *edits)
	}
	if kept < built/2 {
		t.Errorf("only %d of %d came from the store", kept, built)
	}
	t.Logf("%d of %d without mistakes, %d from the store", built, *edits, kept)
}
