package machine_test

import (
	"flag"
	"testing"

	"arbiter/interp/compile"
	"arbiter/interp/machine"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const duel = `
permission act
bonus dodge: stacks
bonus morale: highest
role foe, target: creature
kind weapon { damage: dice ; threat: number = 20 }
kind creature { strength: number = 10 ; dexterity: number = 10 ; hands: weapon or none = none }
roll swing { die d20 ; natural 1 fails ; natural 20 succeeds }
stat attack-bonus against foe with weapon rolled as swing { base: 1 ; strength: (strength - 10) / 2 }
stat armor-class against foe { base: 10 ; dexterity: (dexterity - 10) / 2 as dodge }
view touch of armor-class without dexterity
resource hit-points from -10 to 12 starts 12
resource actions from 0 to 1 starts 1 { rule refill at start of turn { set actions to 1 } }
condition dying while hit-points < 0 { cannot act ; includes prone }
condition disabled while hit-points = 0
condition prone { -2 to attack-bonus }
condition flat-footed { denied dexterity, dodge to armor-class }
condition shaken { -2 to attack-bonus }
effect shield-of-faith of bonus-value: number { +bonus-value dodge to armor-class }
weapon longsword { damage: 1d8 ; threat: 19 }
creature fighter { strength: 14 ; dexterity: 14 ; hands: longsword }
action attack target with weapon {
  cost actions
  needs target is not self "not oneself"
  step roll { check attack-bonus vs target.armor-class as blow }
  step confirm when blow succeeds and blow.natural >= weapon.threat {
    check attack-bonus vs target.armor-class as again
    let critical = again succeeds
  }
  step hurt when blow succeeds {
    let harm = roll weapon.damage
    if critical { set harm to harm + roll weapon.damage }
    target loses harm hit-points
  }
}
`

func TestDuel(t *testing.T) {
	f := newFight(t, duel, compile.Options{}).place("Alia:fighter", "Bron:fighter")
	f.expect("Alia.attack-bonus", "3", "Alia.armor-class", "12", "Alia.touch", "10", "Alia.hit-points", "12", "Bron is dying", "no")
	f.faces = []int64{9, 5}
	f.must("Alia: attack Bron with longsword").expect("Bron.hit-points", "7", "Alia.actions", "0")
	if r := f.do("Alia: attack Bron with longsword"); r.Status != machine.Refused || r.Why != "this costs 1 actions" {
		t.Errorf("%v %q", r.Status, r.Why)
	}
	f.must("set Alia.actions to 1")
	if r := f.do("Alia: attack Alia with longsword"); r.Status != machine.Refused || r.Why != "not oneself" {
		t.Errorf("%v %q", r.Status, r.Why)
	}
	f.faces = []int64{20, 15, 8, 7}
	f.must("Alia: attack Bron with longsword").expect("Bron.hit-points", "-8", "Bron is dying", "yes", "Bron is prone", "yes", "Bron can attack", "no", "Bron.attack-bonus", "1")
	if r := f.do("Bron: attack Alia with longsword"); r.Status != machine.Refused {
		t.Errorf("%v %q", r.Status, r.Why)
	}
	f.must("set Bron.hit-points to 0").expect("Bron is dying", "no", "Bron is disabled", "yes", "Bron is prone", "no")
	f.must("Bron gains flat-footed; Bron gains shield-of-faith of 3").expect("Bron.armor-class", "10")
	f.must("Bron loses flat-footed").expect("Bron.armor-class", "15")
	golden(t, "testdata/duel.golden", f.transcript())
}

// The amount of a computed cost is computed when it is paid; a refusal does not show the expression.
func TestRefusalOfComputedCost(t *testing.T) {
	f := newFight(t, `
permission act
kind creature { burden: number = 9 }
resource breath from 0 to 5 starts 5
resource actions from 0 to 1 starts 1
define creature.effort-of(share: number) = burden / share
action heave { cost 1 actions and self.effort-of(1) breath }
creature porter { }
`, compile.Options{}).place("Alia:porter")
	if r := f.do("Alia: heave"); r.Status != machine.Refused || r.Why != "this costs 1 actions and breath" {
		t.Errorf("%v %q", r.Status, r.Why)
	}
	f.must("set Alia.burden to 4; Alia: heave").expect("Alia.breath", "1", "Alia.actions", "0")
}
