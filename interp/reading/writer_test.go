package reading

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/stdlib/statblock"
)

// stated are the figures of which a round trip must keep each that a system has, and those for each weapon.
var stated = []string{"armor-class", "touch-armor-class", "unready-armor-class", "max-hit-points", "initiative", "fortitude", "reflex", "will", "grapple", "base-attack", "speed", "fly-speed", "space", "reach", "natural-reach", "strength", "constitution", "energy-armor-class", "kinetic-armor-class", "defense", "toughness", "attack-bonus", "damage-bonus"}

// TestRoundTrip writes each creature of each bestiary in each form, reads it again, and compares: all that has been
// written agrees with what is computed for the creature that was read, and both have the same figures.
func TestRoundTrip(t *testing.T) {
	for bestiary, system := range map[string]string{"srd35-bestiary": "srd35", "srd35-people": "srd35", "third-bestiary": "third", "modern-bestiary": "modern", "starfinder-bestiary": "starfinder", "true20-bestiary": "true20"} {
		t.Run(bestiary, func(t *testing.T) { roundTrip(t, bestiary, system) })
	}
}

func roundTrip(t *testing.T, bestiary, system string) {
	rules, diags, err := build.Named(options, bestiary)
	if err != nil || rules == nil {
		t.Fatal(err, diags)
	}
	w, err := NewWriter(options, ".", rules)
	if err != nil {
		t.Fatal(err)
	}
	names := w.Creatures(rules.Name)
	if len(names) < 10 || len(w.Forms) < 3 {
		t.Fatalf("%d creatures, %d forms", len(names), len(w.Forms))
	}
	r, diags, err := New(options, ".", system)
	if err != nil || len(diags) > 0 {
		t.Fatal(err, diags)
	}
	type origin struct{ name, form string }
	f := &File{Ruleset: "mine", From: "mine.txt"}
	of := map[*Draft]origin{}
	before := map[string]map[string]string{} // by creature: its figures
	asked := slices.Collect(maps.Keys(figuresOf(t, rules, names[0], stated)))
	if slices.Contains(asked, "natural-reach") { // where reach is only what a creature says, if it says anything
		asked = slices.DeleteFunc(asked, func(stat string) bool { return stat == "reach" })
	}
	for _, name := range names {
		for _, form := range w.Forms {
			text, err := w.Write(name, form)
			if err != nil {
				t.Fatal(err)
			}
			sheets, rest, err := statblock.Read(text, &r.Vocabulary)
			if err != nil || len(sheets) != 1 || len(rest) > 0 {
				t.Fatalf("%s: %d sheets, %v, %v\n%s", name, len(sheets), rest, err, text)
			}
			d := r.Read(&sheets[0])
			f.Drafts = append(f.Drafts, d)
			of[d] = origin{name, form}
		}
		before[name] = figuresOf(t, rules, name, asked)
	}
	if err := r.Settle(f); err != nil {
		t.Fatal(err)
	}
	figures, err := r.Reconcile(f)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := r.trial(f.Drafts)
	s, diags, err := r.build(r.bases(f.Drafts), text)
	if err != nil || s.Rules == nil {
		t.Fatal(err, diags)
	}
	for _, d := range f.Drafts {
		var wrong []string
		if d.Failure != "" {
			wrong = append(wrong, d.Failure)
		}
		if len(figures[d]) < 7 {
			wrong = append(wrong, fmt.Sprintf("only %d figures are compared", len(figures[d])))
		}
		for _, x := range figures[d] {
			if !x.Agrees {
				wrong = append(wrong, x.Text())
			}
		}
		after := figuresOf(t, s.Rules, d.Name, asked)
		for _, stat := range asked {
			if a, b := before[of[d].name][stat], after[stat]; a != b {
				wrong = append(wrong, fmt.Sprintf("%s was %s, is %s", stat, a, b))
			}
		}
		if len(wrong) > 0 {
			text, _ := w.Write(of[d].name, of[d].form)
			t.Errorf("%s:\n\t%s\n%s", of[d].name, strings.Join(wrong, "\n\t"), text)
		}
	}
}

// figuresOf returns those of the figures that a creature has.
func figuresOf(t *testing.T, r *build.Rules, creature string, stats []string) map[string]string {
	s, err := session.NewSpecimen(r, creature)
	if err != nil {
		t.Fatal(err)
	}
	figures := map[string]string{}
	for _, stat := range stats {
		if v, ok := s.Ask(stat); ok {
			figures[stat] = v
		}
	}
	return figures
}
