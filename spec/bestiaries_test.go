package spec_test

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/lang/parse"
	"arbiter/rules"
)

var countCreatures = flag.Bool("count", false, "print how many creatures the bestiaries have, by system, type, size and challenge")

// printedFigures is how many figures a creature of ours states at least, so that a slip in its parts is noticed.
const printedFigures = 8

// bestiary is what must be in a ruleset of creatures.
type bestiary struct {
	creatures  int      // at least
	types      []string // what creatures extend, each at least twice; and none else extends them
	sizes      []string
	challenges []string
	names      []string // that each must have
}

var (
	sizesOfCreatures = []string{"fine", "diminutive", "tiny", "small", "medium", "large", "huge", "gargantuan", "colossal"}
	professions      = []string{"bandit", "archer", "priest", "mage", "brute"}
)

// bestiaries are what a game master finds, by ruleset.
var bestiaries = map[string]bestiary{
	"srd35-bestiary": {
		creatures: 110,
		types:     []string{"aberration-type", "animal-type", "construct-type", "dragon-type", "elemental-type", "fey-type", "giant-type", "magical-beast-type", "monstrous-humanoid-type", "ooze-type", "outsider-type", "plant-type", "undead-type", "vermin-type", "warrior-type"},
		sizes:     sizesOfCreatures,
		challenges: []string{"1/10", "1/8", "1/6", "1/4", "1/3", "1/2", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10",
			"11", "12", "13", "14", "15", "16", "17", "18", "19", "20"},
	},
	"srd35-people":        {creatures: 18, names: people("guard")},
	"third-bestiary":      {creatures: 30, names: people("guard")},
	"modern-bestiary":     {creatures: 30, names: people("guard")},
	"starfinder-bestiary": {creatures: 30, names: people("guard")},
	"true20-bestiary":     {creatures: 30, names: people("guardsman")}, // a guard is something else there
}

// people are those that every system has ready, at three strengths.
func people(guard string) (names []string) {
	for _, who := range append([]string{guard}, professions...) {
		names = append(names, "green-"+who, who, "veteran-"+who)
	}
	return names
}

// TestBestiaries counts what there is for a game master to put into an encounter, and what is missing.
func TestBestiaries(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(bestiaries)) {
		t.Run(name, func(t *testing.T) { countBestiary(t, name, bestiaries[name]) })
	}
}

func countBestiary(t *testing.T, ruleset string, want bestiary) {
	r, diags, err := build.Named(build.Options{Library: rules.FS}, ruleset)
	if err != nil || r == nil {
		t.Fatal(err, diags)
	}
	counts := map[string]map[string]int{"type": {}, "size": {}, "challenge": {}}
	names := session.Creatures(r, ruleset)
	names = slices.DeleteFunc(names, func(n string) bool { return strings.HasSuffix(n, "-type") || n == "monster" })
	for _, name := range names {
		s, err := session.NewSpecimen(r, name)
		if err != nil {
			t.Error(err)
			continue
		}
		if s.Doc == "" {
			t.Errorf("%s has no text", name)
		}
		for _, by := range []string{"size", "challenge"} {
			if v, ok := s.Ask(by); ok {
				counts[by][v]++
			}
		}
		for _, of := range s.Chain[1:] {
			if strings.HasSuffix(of, "-type") {
				counts["type"][of]++
			}
		}
	}
	if len(names) < want.creatures {
		t.Errorf("%d creatures of %d", len(names), want.creatures)
	}
	for _, name := range want.names {
		if !slices.Contains(names, name) {
			t.Errorf("nobody is a %s", name)
		}
	}
	for by, wanted := range map[string][]string{"type": want.types, "size": want.sizes, "challenge": want.challenges} {
		for _, one := range wanted {
			least := 1
			if by == "type" {
				least = 3
			}
			if counts[by][one] < least {
				t.Errorf("%d creatures of %s %s", counts[by][one], by, one)
			}
		}
	}
	if *countCreatures {
		t.Log(table(ruleset, len(names), counts))
	}
	checkPrinted(t, ruleset, names)
}

// checkPrinted checks that each creature states enough figures. That they agree is a matter of `arbiter test`.
func checkPrinted(t *testing.T, ruleset string, names []string) {
	stated := map[string]int{}
	files, _ := fs.Glob(rules.FS, ruleset+"/*.rules")
	for _, path := range files {
		src, err := fs.ReadFile(rules.FS, path)
		if err != nil {
			t.Fatal(err)
		}
		f, _ := parse.File(path, src)
		for _, x := range build.PrintedIn(f) {
			stated[x.Creature.Name] += len(x.Claims)
		}
	}
	for _, name := range names {
		if stated[name] < printedFigures {
			t.Errorf("%s states %d figures", name, stated[name])
		}
	}
}

func table(ruleset string, n int, counts map[string]map[string]int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d creatures\n", ruleset, n)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, by := range slices.Sorted(maps.Keys(counts)) {
		for _, one := range slices.Sorted(maps.Keys(counts[by])) {
			fmt.Fprintf(w, "%s\t%s\t%d\n", by, one, counts[by][one])
		}
	}
	w.Flush()
	return b.String()
}
