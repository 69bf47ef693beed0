package session

import (
	"encoding/json"
	"strings"
	"testing"
)

// A side sees its own amounts, of its foes what they do and their conditions, and nothing of those behind a wall.
func TestSeenBy(t *testing.T) {
	l := liveWith(t, `encounter "Two rooms" with srd35
creature fighter { full-hit-points: 31; base-attack: 5; main-weapon: longsword }
creature sneak { full-hit-points: 47; main-weapon: dagger }
map """
  AB.#C
  ...##
""" { "#": wall }
side east { fighter Ann at "A" }
side west { fighter Bob at "B"; sneak Cass at "C" }
seed 4
begin
next turn of Bob
Bob: drop-prone
`, nil, Options{Record: true})
	for _, command := range []string{"Bob: attack Ann"} {
		l.Do(command)
	}
	for _, c := range []struct {
		side        string
		has, hasNot []string
	}{
		{"east", []string{`"value":31`, "Bob", "prone", "drop-prone"}, []string{`"value":47`, "Cass", "sneak", "to-hit", "hits by", "misses by"}},
		{"west", []string{`"value":47`, "Cass", "Ann"}, []string{"to-hit"}},
	} {
		d := l.SeenBy(c.side)
		d.Resources = nil
		data, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range c.has {
			if !strings.Contains(string(data), x) {
				t.Errorf("%s sees no %s in %s", c.side, x, data)
			}
		}
		for _, x := range c.hasNot {
			if strings.Contains(string(data), x) {
				t.Errorf("%s sees %s in %s", c.side, x, data)
			}
		}
		if d.Seed != 0 || len(d.Numbers)+len(d.Rules)+len(d.Frames) > 0 {
			t.Errorf("%s: %d, %d numbers, %d rules", c.side, d.Seed, len(d.Numbers), len(d.Rules))
		}
		for i, x := range d.Start.Creatures {
			if (d.Sides[d.Creatures[i].Side] == c.side) != (len(x.Amounts) > 0) {
				t.Errorf("%s: %s has %d amounts", c.side, d.Creatures[i].Name, len(x.Amounts))
			}
		}
	}
	whole := l.Recorded()
	if len(whole.Numbers) == 0 || whole.Seed == 0 || whole.Resources == nil {
		t.Error("the record has lost what the side does not see")
	}
	if l.PlayersSide() != "east" || l.HasSide("north") {
		t.Error(l.PlayersSide())
	}
}
