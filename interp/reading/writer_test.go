package reading

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/stdlib/statblock"
)

// stated are the figures of which a round trip must keep each that a system has, and those for each weapon.
var stated = []string{"armor-class", "touch-armor-class", "unready-armor-class", "max-hit-points", "initiative", "fortitude", "reflex", "will", "grapple", "base-attack", "speed", "fly-speed", "space", "reach", "strength", "constitution", "energy-armor-class", "kinetic-armor-class", "defense", "toughness", "attack-bonus", "damage-bonus"}

// TestRoundTrip writes each creature of each bestiary in each form, reads it again, and compares: all that has been
// written agrees with what is computed for the creature that was read, and both have the same figures.
func TestRoundTrip(t *testing.T) {
	for system, bestiaries := range map[string][]string{"srd35": {"srd35-bestiary"}} {
		for _, bestiary := range bestiaries {
			rules, diags, err := build.Named(options, bestiary)
			if err != nil || rules == nil {
				t.Fatal(err, diags)
			}
			w, err := NewWriter(options, ".", rules)
			if err != nil {
				t.Fatal(err)
			}
			for _, form := range w.Forms {
				t.Run(bestiary+"/"+form, func(t *testing.T) { roundTrip(t, w, rules, system, form) })
			}
		}
	}
}

func roundTrip(t *testing.T, w *Writer, rules *build.Rules, system, form string) {
	names := slices.DeleteFunc(session.Creatures(rules, rules.Name), func(name string) bool {
		return strings.HasSuffix(name, "-type") || name == "monster"
	})
	if len(names) < 10 {
		t.Fatalf("%d creatures", len(names))
	}
	r, diags, err := New(options, ".", system)
	if err != nil || len(diags) > 0 {
		t.Fatal(err, diags)
	}
	f := &File{Ruleset: "mine", From: "mine.txt"}
	of := map[*Draft]string{}
	for _, name := range names {
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
		of[d] = name
	}
	if err := r.Settle(f); err != nil {
		t.Fatal(err)
	}
	figures, err := r.Reconcile(f)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := r.trial(f.Drafts)
	s, diags, err := r.build(r.Extends, text)
	if err != nil || s.Rules == nil {
		t.Fatal(err, diags)
	}
	for _, d := range f.Drafts {
		var wrong []string
		if d.Failure != "" {
			wrong = append(wrong, d.Failure)
		}
		if len(figures[d]) < 8 {
			wrong = append(wrong, fmt.Sprintf("only %d figures are compared", len(figures[d])))
		}
		for _, x := range figures[d] {
			if !x.Agrees {
				wrong = append(wrong, x.Text())
			}
		}
		before, err := session.NewSpecimen(rules, of[d])
		if err != nil {
			t.Fatal(err)
		}
		after, err := session.NewSpecimen(s.Rules, d.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, stat := range stated {
			a, _ := before.Ask(stat)
			if b, _ := after.Ask(stat); a != b {
				wrong = append(wrong, fmt.Sprintf("%s was %s, is %s", stat, a, b))
			}
		}
		if len(wrong) > 0 {
			text, _ := w.Write(of[d], form)
			t.Errorf("%s:\n\t%s\n%s", of[d], strings.Join(wrong, "\n\t"), text)
		}
	}
}
