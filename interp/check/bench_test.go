package check_test

import (
	"fmt"
	"strings"
	"testing"

	"arbiter/interp/check"
	"arbiter/interp/compile"
	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/parse"
)

// generate generates a ruleset of about n bytes in the proportions of real ones, and a house ruleset that changes it: a
// core, then conditions and feats with guarded modifiers, stats, tables, procedures with checks, actions, rules, an
// armory and a bestiary.
func generate(n int) (rules, house string) {
	var b, h strings.Builder
	b.WriteString(`ruleset large "A large one."
enum size ordered: small, medium, large
enum damage-type: bludgeoning, piercing, slashing
bonus armor, shield, morale, luck, enhancement: highest
bonus dodge: stacks
role target, foe, ally: creature
permission act
roll attack-roll { die d20; natural 1 fails; natural 20 succeeds }
kind creature {
  size: size = medium
  strength, quickness, level, base-attack: number = 0
  main-weapon: weapon or none = none
  worn: armor or none = none
}
kind weapon { types: list of damage-type; melee, thrown, light: flag; damage: dice = d6; threat: number = 20; reach: distance = 5 ft }
kind armor { bonus: number = 0; weight: weight = 10 lb }
kind action { provokes: yes-no = no }
resource hit-points from 0 to 10 + level starts 10 + level
resource standard-action from 0 to 1 starts 1
define weapon.ranged = not melee
define creature.defeated = hit-points = 0
define creature.first-foe = first other in enemies(self) where other is not defeated
table size-modifier by size {
  | size   | modifier |
  | small  | 1        |
  | medium | 0        |
  | large  | -1       |
}
stat attack-bonus against foe with weapon rolled as attack-roll {
  base:     base-attack
  strength: strength when weapon is melee
  aim:      quickness unless weapon is melee
  size:     size-modifier[size]
}
stat armor-class against foe with weapon { base: 10; armor: worn.bonus as armor when worn is not none; quickness: quickness; size: size-modifier[size] }
stat fortitude rolled as attack-roll = strength
stat speed = 30 ft
creature commoner { level: 1 }
weapon blade { damage: d8; is melee; types: slashing }
procedure take-damage of points: number { step apply { self loses points hit-points } }
`)
	h.WriteString("ruleset large-house extends large\n")
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, `
# --- Part %[1]d ---

condition shaken-%[1]d "Fear of the %[1]dth kind." cite srd35.condition.shaken.01
{
  -2 morale to attack-bonus, fortitude when not self has brave-%[1]d
  +1 dodge to armor-class when weapon is ranged and foe is not none
  denied quickness, dodge to armor-class unless weapon is light
  cannot strike-%[1]d when level < 2
  keep worst = 0
  lasts for 3 rounds
  rule calms-%[1]d at end of turn when worst > 3 {
    self loses shaken-%[1]d
    note "{self} is calm again."
  }
  rule mounts-%[1]d after take-damage by self {
    set worst to max(worst, points)
  }
}

feat brave-%[1]d "Not afraid." { +1 luck to fortitude when hit-points * 2 < level + 10; +2 to armor-class against self when weapon is melee }

condition bloodied-%[1]d while 2 * hit-points <= level + 10 { -5 ft to speed }

define resolve-%[1]d(target) "How sure of oneself." = target.fortitude + (if target has brave-%[1]d then 2 else 0)

stat nerve-%[1]d against foe with weapon rolled as attack-roll "What keeps one standing." {
  base:     10 + level / 2                                cite srd35.ac.01
  strength: strength as morale when foe is not none
  weapon:   weapon.threat - 19 as enhancement when weapon is melee
  resolve:  resolve-%[1]d(self)
}

table awards-%[1]d by level {
  | level     | gold   | points |
  | 1 to 3    | 300 gp | 30     |
  | 4         | 200 gp | -      |
  | 5 or more | 100 gp | 15     |
}

action strike-%[1]d target with weapon = blade "A blow." cite srd35.attack.01 to 04
{
  cost standard-action, or 1 hit-points when level > 3
  needs target is not defeated "It is down already."
  provokes: weapon is ranged
  step roll {
    check attack-bonus vs target.armor-class as blow
  }
  step harm when blow succeeds {
    let points = (roll weapon.damage) + strength
    if blow.natural >= weapon.threat {
      set points to points * 2
    }
    target: take-damage of points
  }
  step shake when blow succeeds by 5 {
    check target.nerve-%[1]d dc 10 + level {
      failure by 5: target gains shaken-%[1]d for 3 rounds
      failure { target gains shaken-%[1]d until end of next turn of self }
    }
    for each other in enemies(self) where other is shaken-%[1]d and other is not defeated {
      self loses 1 hit-points
    }
  }
}

rule answers-%[1]d after strike-%[1]d.harm when points > 10 and target has brave-%[1]d {
  target gains shaken-%[1]d
}

weapon sword-%[1]d extends blade "Sharp." { damage: 2d4; threat: 19; is light, thrown }
weapon club-%[1]d { damage: d6; types: bludgeoning; is melee }
armor mail-%[1]d { bonus: 5; weight: 40 lb }
creature soldier-%[1]d extends commoner "Stands and fights." { strength: 2; level: 3; base-attack: 3; main-weapon: sword-%[1]d; worn: mail-%[1]d; has brave-%[1]d }
tactics stand-%[1]d { strike-%[1]d first-foe with sword-%[1]d when first-foe is not none and hit-points > 3 }
`, i)
		if i%10 == 0 {
			fmt.Fprintf(&h, "override nerve-%[1]d.strength = strength * 2\noverride awards-%[1]d[2].gold = 50 gp\noverride strike-%[1]d.roll { check attack-bonus vs target.armor-class as blow }\nextend shaken-%[1]d { -1 to speed-of-%[1]d }\nstat speed-of-%[1]d = 1\noverride club-%[1]d.damage = d10\n", i)
		}
	}
	return b.String(), h.String()
}

func buildAll(tb testing.TB, rules, house string) {
	f, diags := parse.File("large.rules", []byte(rules))
	g, more := parse.File("large-house.rules", []byte(house))
	l := &load.Loader{}
	rulesets, _ := l.Add(f, g)
	set, linking := link.Link(rulesets, nil)
	rs, checking := check.Check(set, check.Options{})
	for _, ds := range []interface{ HasErrors() bool }{diags, more, linking, checking} {
		if ds.HasErrors() {
			tb.Fatalf("%v %v %v %v", diags, more, linking, checking)
		}
	}
	if _, err := compile.Compile(rs.Ruleset, compile.Options{}); err != nil {
		tb.Fatal(err)
	}
}

func TestLarge(t *testing.T) {
	rules, house := generate(60 << 10)
	buildAll(t, rules, house)
}

// BenchmarkLoad500KB builds a large ruleset, from its text to a program. The goal is less than 150 ms.
func BenchmarkLoad500KB(b *testing.B) {
	rules, house := generate(500 << 10)
	b.SetBytes(int64(len(rules) + len(house)))
	b.ReportAllocs()
	for b.Loop() {
		buildAll(b, rules, house)
	}
}

// BenchmarkStages500KB measures the stages one by one.
func BenchmarkStages500KB(b *testing.B) {
	rules, house := generate(500 << 10)
	files := func() (*ast.File, *ast.File) {
		f, _ := parse.File("large.rules", []byte(rules))
		g, _ := parse.File("large-house.rules", []byte(house))
		return f, g
	}
	linked := func() *link.Set {
		l := &load.Loader{}
		rulesets, _ := l.Add(files())
		set, _ := link.Link(rulesets, nil)
		return set
	}
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			files()
		}
	})
	b.Run("link", func(b *testing.B) {
		l := &load.Loader{}
		rulesets, _ := l.Add(files())
		for b.Loop() {
			link.Link(rulesets, nil)
		}
	})
	b.Run("check", func(b *testing.B) {
		set := linked()
		for b.Loop() {
			check.Check(set, check.Options{})
		}
	})
	b.Run("compile", func(b *testing.B) {
		rs, _ := check.Check(linked(), check.Options{})
		for b.Loop() {
			if _, err := compile.Compile(rs.Ruleset, compile.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
