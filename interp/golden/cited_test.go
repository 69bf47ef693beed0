package golden

import (
	"slices"
	"testing"

	"arbiter/interp/build"
)

// hall is a ruleset with a part for every kind of path; only one term in it is cited.
const hall = `ruleset hall

option toll = 2
option gate-open = yes
enum mood: calm, cross
bonus holy, royal: highest
kind creature { strength: number = 3; tool: tool = hammer }
kind tool { weight: number = 4; price, worth: number = 7; sharp: flag }
tool hammer { weight: 5; is sharp }
kind action { loud: yes-no = no }

roll throw { die d6; natural 6 succeeds }
stat might rolled as throw { base: strength; extra: 1  cite hall.extra }
stat vigor = 10
view bare-might of might without extra
define creature.twice-strong = 2 * strength
table price-of by mood {
  | mood  | price |
  | calm  |     1 |
  | cross |     9 |
}

resource breath from 0 to 10 starts 6 { rule returns every 1 hour { self gains 1 breath } }
resource coins from -3 starts 5

condition tired while breath < 3 { +2 holy to might }
condition blessed {
  keep charge = 4
  lasts for 1 minutes
  +1 holy to might
  includes lit
  cannot dig
  denied royal to might
  rule glows on gaining { self gains 1 coins }
}
condition lit
feat noble { +5 royal to might }

action dig {
  cost 2 breath
  needs strength > 2 "too weak"
  loud: yes
  step scoop {
    check might dc 6 as effort
    self gains 1 coins when effort succeeds
  }
}
rule clatter after action when loud { self loses 1 coins }
procedure sleep { step dream { self gains 2 breath } }
`

// abbey cites for parts of hall, with one id for each path.
const abbey = `ruleset abbey extends hall
extend toll cite abbey.option
extend gate-open cite abbey.yes
extend holy cite abbey.bonus
extend royal cite abbey.law
extend might cite abbey.stat
extend might.base cite abbey.term
extend might.extra "A second source." cite abbey.two, abbey.run.01 to 03
extend vigor.base cite abbey.short
extend bare-might cite abbey.view
extend creature.twice-strong cite abbey.define
extend price-of cite abbey.table
extend price-of[cross] cite abbey.cell
extend creature.strength cite abbey.default
extend tool.worth cite abbey.shared
extend hammer.weight cite abbey.value
extend hammer.sharp cite abbey.flag
extend throw cite abbey.roll
extend throw.die cite abbey.die
extend throw.natural-6 cite abbey.face
extend breath cite abbey.resource
extend breath.from cite abbey.from
extend breath.to cite abbey.to
extend breath.starts cite abbey.starts
extend breath.returns cite abbey.hourly
extend coins.from cite abbey.low
extend tired cite abbey.condition
extend tired.while cite abbey.while
extend tired.might cite abbey.modifier
extend blessed.charge cite abbey.memory
extend blessed.lasts cite abbey.lasts
extend blessed.includes-lit cite abbey.includes
extend blessed.cannot-dig cite abbey.cannot
extend blessed.denied-might cite abbey.denied
extend blessed.glows cite abbey.inner
extend dig cite abbey.action
extend dig.cost cite abbey.cost
extend dig.needs cite abbey.needs
extend dig.loud cite abbey.property
extend dig.scoop cite abbey.step
extend clatter cite abbey.rule
extend sleep { step wake { self gains 1 coins } }
override sleep.dream cite abbey.override { self gains 3 breath }
override creature.twice-strong = 2 * strength + 0 cite abbey.override-value
`

const monks = `tests "monks" with abbey
creature monk { strength: 3 }
creature novice { }
given cell {
  side one {
    monk Ado
    novice Bea
  }
}

test "numbers" given cell {
  cite abbey.option, abbey.yes, abbey.stat, abbey.term, abbey.two, abbey.run.02, abbey.short, abbey.view, abbey.define, abbey.table, abbey.cell
  cite abbey.default, abbey.shared, abbey.value, abbey.flag, abbey.override-value, hall.extra
  expect toll = 2 and gate-open
  expect Ado.might = 4 and Ado.vigor = 10 and Ado.bare-might = 3 and Ado.twice-strong = 6
  expect price-of[cross] = 9
  expect Bea.strength = 3 and Bea.tool.worth = 7 and Bea.tool.weight = 5 and Bea.tool is sharp
}

test "breath" given cell {
  cite abbey.resource, abbey.from, abbey.to, abbey.starts, abbey.hourly, abbey.low, abbey.condition, abbey.while, abbey.modifier, abbey.bonus, abbey.law
  expect Ado.breath = 6
  pass 1 hour
  expect Ado.breath = 7
  Ado gains 9 breath
  expect Ado.breath = 10
  Ado loses 20 breath
  expect Ado.breath = 0
  Ado loses 9 coins
  expect Ado.coins = -3
  expect Ado is tired and Ado.might = 6
  Ado gains noble
  expect Ado.might = 11
}

effect crowned { +6 royal to might }
test "several kings" given cell {
  cite abbey.law
  Ado gains noble, crowned
  expect Ado.might = 10
}

effect hallowed { +3 holy to might }
test "blessings" given cell {
  cite abbey.memory, abbey.lasts, abbey.includes, abbey.cannot, abbey.denied, abbey.inner, abbey.bonus
  Ado gains noble, hallowed, blessed
  expect Ado is lit and Ado.blessed.charge = 4 and Ado.coins = 6
  expect Ado.might = 7
  expect refused { Ado: dig }
  pass 2 minutes
  expect Ado is not blessed and Ado.might = 12
}

test "a hole" given cell {
  cite abbey.action, abbey.cost, abbey.needs, abbey.property, abbey.step, abbey.rule, abbey.roll, abbey.die, abbey.face
  dice 3, 6
  Ado: dig
  expect Ado.breath = 4 and Ado.coins = 5
  set Ado.strength to 3
  Ado: dig
  expect Ado.coins = 5
  set Ado.strength to 1
  expect refused "too weak" { Ado: dig }
}

effect weary { -9 to might }
test "a six is enough for anybody" given cell {
  cite abbey.face
  set Ado.strength to 3
  Ado gains weary
  dice 6
  let hole = Ado: dig
  expect hole.effort succeeds
}

test "a night" given cell {
  cite abbey.override
  Ado: sleep
  expect Ado.breath = 9 and Ado.coins = 6
}
`

// A ruleset can cite for any part that it inherits, and each such id is proved by taking out that part.
func TestCitedByPath(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "hall.rules", hall)
	write(t, dir, "abbey.rules", abbey)
	path := write(t, dir, "monks.tests", monks)
	rep, proved, err := runProving([]string{path}, Options{})
	if err != nil || rep.Failed() > 0 || len(rep.Diagnostics) > 0 {
		t.Fatalf("%v %v %+v", err, rep.Diagnostics, rep.Tests)
	}
	rules := mustRules(t, dir+"/abbey.rules")
	paths := map[string][]string{}
	for _, p := range rules.Checked.Parts {
		for _, id := range p.Cites {
			paths[id] = append(paths[id], p.Path)
		}
	}
	for id, at := range paths {
		if !proved[id] && id != "abbey.run.01" && id != "abbey.run.03" {
			t.Errorf("%s, of %v, ran in %d tests and is not proved", id, at, len(rep.Covered[id]))
		}
	}
	for id, want := range map[string][]string{
		"abbey.two": {"might.extra"}, "hall.extra": {"might.extra"}, "abbey.run.03": {"might.extra"}, "abbey.law": {"royal"}, "abbey.stat": {"might"},
		"abbey.cell": {"price-of[cross]"}, "abbey.low": {"coins.from"}, "abbey.needs": {"dig.needs"}, "abbey.face": {"throw.natural-6"},
		"abbey.override": {"sleep.dream"}, "abbey.shared": {"tool.worth"}, "abbey.memory": {"blessed.charge"}, "abbey.while": {"tired.while"},
	} {
		if !slices.Equal(paths[id], want) {
			t.Errorf("%s is cited by %v, not by %v", id, paths[id], want)
		}
	}
	for _, p := range mustRules(t, dir+"/hall.rules").Checked.Parts {
		for _, id := range p.Cites {
			if id != "hall.extra" {
				t.Errorf("hall itself cites %s at %s", id, p.Path)
			}
		}
	}
}

func mustRules(t *testing.T, path string) *build.Rules {
	t.Helper()
	s, diags, err := build.File(path, build.Options{})
	if err != nil || len(diags) > 0 {
		t.Fatal(err, diags)
	}
	return s.Rules
}
