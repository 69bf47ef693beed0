package machine_test

import (
	"fmt"
	"strings"
	"testing"

	"arbiter/interp/compile"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/stdlib/dice"
)

// attackRules returns the attack of the yardstick as rules, with a number of modifiers on attacker and defender.
func attackRules(modifiers int) string {
	var b strings.Builder
	b.WriteString(`
permission act
bonus dodge: stacks
bonus luck, morale, insight, sacred: highest
role foe, target: creature
kind weapon { damage: dice ; bonus: number = 0 ; threat: number = 20 ; multiplier: number = 2 }
kind creature { strength, dexterity: number = 10 ; base-attack, armor, natural: number = 0 }
roll attack { die d20 ; natural 1 fails ; natural 20 succeeds }
stat attack-bonus against foe with weapon rolled as attack {
  base: base-attack
  strength: (strength - 10) / 2
}
stat armor-class against foe {
  base: 10
  armor: armor
  natural: natural
  dexterity: (dexterity - 10) / 2 as dodge
}
resource hit-points from -10 starts 30000
resource actions from 0 starts 30000
condition dying while hit-points < 0 { cannot act }
condition disabled while hit-points = 0
weapon longsword { damage: 1d8 ; bonus: 3 ; threat: 19 }
action attack target with weapon {
  cost actions
  needs target is not self
  step roll { check attack-bonus vs target.armor-class as blow }
  step confirm when blow succeeds and blow.natural >= weapon.threat {
    check attack-bonus vs target.armor-class as again
    let critical = again succeeds
  }
  step hurt when blow succeeds {
    let harm = roll weapon.damage + weapon.bonus
    if critical { repeat weapon.multiplier - 1 times { set harm to harm + roll weapon.damage + weapon.bonus } }
    target loses max(harm, 1) hit-points
  }
}
`)
	types := []string{"luck", "morale", "insight", "sacred"}
	for i := range modifiers {
		stat := "attack-bonus"
		if i%2 == 1 {
			stat = "armor-class"
		}
		fmt.Fprintf(&b, "effect helped-%d { +%d %s to %s }\n", i, 1+i%3, types[i%4], stat)
	}
	b.WriteString("creature knight { strength: 16 ; dexterity: 14 ; base-attack: 4 ; armor: 5 ; natural: 1 ")
	for i := range modifiers {
		fmt.Fprintf(&b, "; has helped-%d ", i)
	}
	b.WriteString("}\n")
	return b.String()
}

// newAttack returns a machine without journal or questions, with the attack and its arguments.
func newAttack(t testing.TB, modifiers int) (m *machine.Machine, proc int32, args []int64) {
	k := checked(t, attackRules(modifiers))
	p, err := compile.Compile(k.Ruleset, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m = machine.New(p)
	m.State().Seed = nativeSeed
	knight := int32(k.Lookup("knight").(*ir.Template).Index)
	for i, name := range []string{"Alia", "Bron"} {
		if _, err := m.Place(knight, machine.Placement{Name: name, Side: int32(i)}); err != nil {
			t.Fatal(err)
		}
	}
	sword := k.Lookup("longsword").(*ir.Template)
	return m, int32(k.Lookup("attack").(*ir.Proc).Index), []int64{1, -int64(sword.Index) - 1}
}

func nativeFighters(modifiers int) (a, b *nativeFighter) {
	newFighter := func(id uint64) *nativeFighter {
		f := &nativeFighter{
			id: id, strength: 16, dexterity: 14, hitPoints: 30000, actions: 30000, baseAttack: 4, armor: 5, natural: 1,
			threat: 19, multiplier: 2, damageSides: 8, damageBonus: 3,
		}
		for i := range modifiers {
			m := nativeModifier{int64(1 + i%3), int8(i % 4)}
			if i%2 == 0 {
				f.attackMods = append(f.attackMods, m)
			} else {
				f.armorMods = append(f.armorMods, m)
			}
		}
		return f
	}
	return newFighter(1), newFighter(2)
}

// Labels of the yardstick's dice.
var blowLabel, confirmLabel, harmLabel = dice.Hash("attack.blow"), dice.Hash("attack.again"), dice.Hash("attack.harm")

func hitPoints(m *machine.Machine) int64 { return m.Resource(1, 0) }

// The yardstick and the machine have the same fight, as far as their dice have the same names.
func TestYardstickAgrees(t *testing.T) {
	for _, n := range []int{0, 5, 20} {
		m, proc, args := newAttack(t, n)
		a, b := nativeFighters(n)
		// Which attacks hit depends only on dice with the same names.
		for i := range 200 {
			before, was := b.hitPoints, hitPoints(m)
			nativeAttack(a, b, blowLabel, confirmLabel, harmLabel)
			if r := m.Do(0, proc, args); r.Status != machine.Done {
				t.Fatal(r.Err, r.Why)
			}
			if (before != b.hitPoints) != (was != hitPoints(m)) {
				t.Fatalf("%d modifiers, attack %d: %d to %d, by hand %d to %d", n, i, was, hitPoints(m), before, b.hitPoints)
			}
		}
	}
}

func TestAttackAllocatesNothing(t *testing.T) {
	for _, n := range []int{0, 5, 20} {
		m, proc, args := newAttack(t, n)
		for range 100 {
			m.Do(0, proc, args)
		}
		if allocs := testing.AllocsPerRun(500, func() {
			if r := m.Do(0, proc, args); r.Status != machine.Done {
				t.Fatal(r.Err, r.Why)
			}
		}); allocs != 0 {
			t.Errorf("an attack with %d modifiers allocates %v times", n, allocs)
		}
	}
}

// BenchmarkAttack reports how many times longer an attack takes than one in plain Go with as many modifiers.
func BenchmarkAttack(b *testing.B) {
	for _, n := range []int{0, 5, 20} {
		b.Run(fmt.Sprintf("modifiers=%d", n), func(b *testing.B) {
			m, proc, args := newAttack(b, n)
			before := m.State().Clone()
			x, y := nativeFighters(n)
			did := 0
			compare(b, func() {
				if did++; did%1000 == 0 {
					m.Restore(before)
				}
				m.Do(0, proc, args)
			}, func() {
				x.actions, y.hitPoints = 2, 30000
				nativeAttack(x, y, blowLabel, confirmLabel, harmLabel)
			})
		})
	}
}
