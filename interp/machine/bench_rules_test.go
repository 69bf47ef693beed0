package machine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"arbiter/interp/build"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/rules"
)

// This file measures the attack of the yardstick under the complete published 3.5 rules: threat and confirmation,
// minimum damage, temporary hit points, massive damage, and the states that follow from hit points.

// newStrike returns a machine ready for one attack under srd35, with a number of modifiers on attacker and defender.
func newStrike(t testing.TB, modifiers int) (m *machine.Machine, proc int32, args []int64) {
	var b strings.Builder
	b.WriteString("encounter \"bench\" with srd35\n")
	types := []string{"luck", "morale", "insight", "deflection"}
	for i := range modifiers {
		stat := "attack-bonus"
		if i%2 == 1 {
			stat = "armor-class"
		}
		fmt.Fprintf(&b, "effect helped-%d { +%d %s to %s }\n", i, 1+i%3, types[i%4], stat)
	}
	b.WriteString("creature knight { strength: 16; dexterity: 14; base-attack: 4; full-hit-points: 1000000000; natural-armor: 1; worn-armor: chain-shirt; main-weapon: longsword")
	for i := range modifiers {
		fmt.Fprintf(&b, "; has helped-%d", i)
	}
	b.WriteString(" }\nside a { knight Alia }\nside b { knight Bron }\n")
	s, diags, err := build.Source("bench.encounter", []byte(b.String()), build.Options{Library: rules.FS})
	if err != nil || s.Rules == nil {
		t.Fatal(err, diags)
	}
	m = machine.New(s.Rules.Program)
	m.State().Seed = nativeSeed
	knight := int32(s.Rules.Checked.Lookup("knight").(*ir.Template).Index)
	for i, name := range []string{"Alia", "Bron"} {
		if _, err := m.Place(knight, machine.Placement{Name: name, Side: int32(i)}); err != nil {
			t.Fatal(err)
		}
	}
	sword := s.Rules.Checked.Lookup("longsword").(*ir.Template)
	return m, int32(s.Rules.Checked.Lookup("strike").(*ir.Proc).Index), []int64{1, -int64(sword.Index) - 1}
}

func TestStrikeAllocatesNothing(t *testing.T) {
	for _, n := range []int{0, 5, 20} {
		m, proc, args := newStrike(t, n)
		for range 200 {
			if r := m.Do(0, proc, args); r.Status != machine.Done {
				t.Fatal(r.Err, r.Why, r.Status)
			}
		}
		hits := int32(slices.IndexFunc(m.Program().Resources, func(r program.Resource) bool { return r.Name == "hit-points" }))
		before := m.Resource(1, hits)
		if allocs := testing.AllocsPerRun(500, func() { m.Do(0, proc, args) }); allocs > 0 {
			t.Errorf("%d modifiers: %v allocations a blow", n, allocs)
		}
		if m.Resource(1, hits) >= before {
			t.Errorf("%d modifiers: the blows hit nobody", n)
		}
	}
}

// BenchmarkStrike reports the time of an srd35 attack as a multiple of the yardstick without modifiers (x-native).
// Batches of both alternate, and the median of the ratios counts, so that other load on the computer slows both alike.
func BenchmarkStrike(b *testing.B) {
	for _, n := range []int{0, 5, 20} {
		b.Run(fmt.Sprintf("modifiers=%d", n), func(b *testing.B) {
			m, proc, args := newStrike(b, n)
			x, y := nativeFighters(0)
			compare(b, func() {
				m.Do(0, proc, args)
			}, func() {
				x.actions, y.hitPoints = 1, 30000
				nativeAttack(x, y, blowLabel, confirmLabel, harmLabel)
			})
		})
	}
}

// compare measures an action of the machine against the yardstick: the medians of both, and of their ratios.
func compare(b *testing.B, blow, native func()) {
	const batch, natives = 200, 2000
	timed := func(n int, do func()) float64 {
		began := time.Now()
		for range n {
			do()
		}
		return float64(time.Since(began).Nanoseconds()) / float64(n)
	}
	timed(batch, blow)
	var blows, yards, ratios []float64
	b.ReportAllocs()
	for b.Loop() {
		yard := timed(natives, native)
		each := timed(batch, blow)
		blows, yards, ratios = append(blows, each), append(yards, yard), append(ratios, each/yard)
	}
	for unit, list := range map[string][]float64{"ns/blow": blows, "native-ns": yards, "x-native": ratios} {
		slices.Sort(list)
		b.ReportMetric(list[len(list)/2], unit)
	}
}
