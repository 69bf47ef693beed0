package parse

import (
	"fmt"
	"strings"
	"testing"
)

// generated returns a ruleset of about n bytes with the proportions of real ones: weapons, creatures, effects,
// procedures with checks, tables.
func generated(n int) string {
	var b strings.Builder
	b.WriteString("ruleset large extends d20 \"A large one.\"\n\n")
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, `# Part %[1]d.
condition shaken-%[1]d by source while 2 * hit-points <= max-hit-points "Fear." cite srd35.condition.shaken.%02[1]d
{
  -2 morale to attack-bonus, fortitude, reflex, will when not self is brave
  +1 dodge to armor-class against self unless weapon is ranged
  denied dexterity to armor-class
  rule recovers-%[1]d after rest by self when hours >= 8 {
    self loses shaken-%[1]d
    note "{self} is calm again."
  }
}

action strike-%[1]d target with weapon "A blow." cite srd35.combat.%02[1]d to 99
{
  cost 1 standard-action, or 1 swift-action when self is quick
  needs target within 5 ft of self and self can move "Too far away."
  provokes: weapon is ranged
  step roll {
    check attack-bonus against target with weapon vs target.armor-class against self as blow {
      natural 20: let threat = yes
      success {
        let harm = roll weapon.damage + 2
        target loses (harm * 3 / 2) hit-points leaving nonlethal
        target gains bleeding by self for 3 rounds
      }
      failure by 5: self gains off-balance until start of next turn of self
    }
  }
  step after-blow after roll when blow succeeds {
    for each ally in allies of self where ally within 30 ft of target and ally is not shaken-%[1]d {
      ally may strike-%[1]d target with ally.main-weapon
    }
    set self.fury to sum x in self.wounds where x.depth > 3 of x.depth
  }
}

stat armor-class-%[1]d against foe with weapon "How hard to hit." {
  base: 10
  armor: worn-armor.bonus + worn-armor.enhancement as armor when self is armored cite srd35.ac.01
  dexterity: if dexterity-bonus < 3 then dexterity-bonus else 3
  size: size-modifier[self.size]
}

table awards-%[1]d by level, rating {
  | level | 1 | 2 | 3 |
  | 1 to 3 | 300 | 600 | - |
  | 4 | 200 | gm | 1d6 * 10 |
  | 5 or more | 100 | 150 | 175 |
}

weapon blade-%[1]d extends sword "Sharp." { damage: 1d8; threat: 19; range: 10 ft; is light, thrown; has keen }
weapon club-%[1]d { damage: 1d6; cost: 2 gp }
`, i)
	}
	return b.String()
}

func BenchmarkParse500KB(b *testing.B) {
	src := []byte(generated(500 << 10))
	if _, diags := File("large.rules", src); len(diags) > 0 {
		b.Fatal(diags[0])
	}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		File("large.rules", src)
	}
}

func BenchmarkScan500KB(b *testing.B) {
	src := generated(500 << 10)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		for s := newScanner(src); ; {
			if t, _ := s.Next(); t.Type == tokEOF {
				break
			}
		}
	}
}
