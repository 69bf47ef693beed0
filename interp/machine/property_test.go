package machine_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"arbiter/interp/check"
	"arbiter/interp/compile"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/stdlib/journal"
)

// The brawl has something of everything: typed bonuses, views, denials, derived effects, rules before, after and
// instead, reactions, choices, plans, durations, lists and records.
const brawl = `
permission act
permission dodge
bonus dodge: stacks
bonus morale, luck: highest
bonus echo: stacks by source
role foe, target: creature
enum mood ordered: low, plain, high
kind part { points: number ; fierce: flag }
kind weapon { damage: dice ; parts: list of part }
kind creature { strength: number = 12 ; mood: mood = plain ; marks: list of number ; last: part or none = none }
part cut { points: 1 }
part burn { points: 2 ; fierce: yes }
weapon club { damage: 2d4 ; parts: [cut, burn] }
creature brawler { }
roll swing { die d20 ; natural 1 fails ; natural 20 succeeds }
option bold = 3
table reach-of by mood {
  | mood  | reach |
  | low   | 1 |
  | plain | 2 |
  | high  | 3 |
}
stat skill against foe with weapon rolled as swing {
  base: 2
  strength: (strength - 10) / 2 as dodge
  mood: reach-of[mood] as luck
  aim: 1 as echo when foe is stunned
}
stat guard against foe { base: 10 ; nimble: strength / 4 as dodge ; size: -1 }
view plain-guard of guard without nimble
view dulled-guard of guard denied dodge, luck
stat pace { base: 30 }
resource hp from -10 to 20 starts 20
resource vim from 0 to 3 starts 3 { rule refill at start of turn { set vim to 3 } }
define creature.hurt-points = 20 - hp
define creature.worst = sum x in creatures where x is not self of x.hurt-points
condition stunned { -2 dodge to guard ; denied nimble, dodge to guard ; cannot dodge }
condition down while hp <= 0 { cannot act ; includes stunned ; guard times 1/2 }
condition wounded while hp < 10 and self is not down { -1 to skill ; skill at most 12 }
condition weary while hp + vim < 22 { +1 luck to guard }
condition poised while hp = vim + 15 or hp - vim = 16 { +1 luck to skill }
effect blessed of n: number { +n morale to skill, guard ; +1 echo to guard ; keep tally: number = 0
  rule counts after clash { set tally to tally + 1 ; self loses blessed when tally > 4 } }
effect haunted { +2 luck to skill against self ; pace becomes 10 ; pace at least 15 ; rule fades every 2 rounds { self loses 1 hp } }
effect wary with deed: plan { rule now before deed { self loses wary ; do deed } }
everyone grit { +1 morale to guard when hurt-points >= 5 ; pace times 2 when self is wounded }
procedure hurt target of amount: number { step lose { let before-it = target.hp ; target loses amount hp } }
procedure clash target with weapon {
  step roll { check skill vs target.guard as blow }
  step land when blow succeeds {
    let harm = roll weapon.damage
    for each piece in weapon.parts where piece.points > 0 sorted by piece.points descending { set harm to harm + piece.points }
    hurt target of harm
  }
}
action punch target with weapon = club { cost vim ; needs target is not self "not oneself" ; clash target with weapon }
action shove target { cost vim
  check skill opposed by target.skill as push {
    success by 3 { target gains stunned for 2 rounds }
    success { target gains stunned for 1 round }
    failure { note "no" }
  }
}
action bless target { cost vim and vim , or vim when hp < 10 ; target gains blessed of hurt-points until end of next turn of self }
action haunt target { cost vim ; target gains haunted while target.hp > -5 }
action ready target { cost vim ; self gains wary with plan before clash by target { punch target with club } }
action muse {
  choose { "sing" { set mood to mood + 1 } ; "brood" when hp < 20 { set mood to mood - 1 } ; "count" { set marks to each x in creatures of x.hp ; set last to part(points: length(marks), fierce: yes) } }
  let who = pick x in creatures where x is not self
  if who is not none { chance 30% as luck { success { who gains 2 hp } ; failure { who loses 1 hp } } }
}
rule lucky after check.face when natural = 13 { set natural to roll d20 }
rule soft instead of hurt when amount > 6 and target has blessed { default ; target gains 1 hp }
rule grim after hurt by self when target is down once per turn { self gains blessed of 1 for 3 rounds }
reaction duck before clash when self is target and self can dodge { cost vim ; self gains blessed of 2 until after clash }
rule order at start of fight { for each each-one in creatures { each-one acts at each-one.strength, each-one.hp } }
`

func brawlChecked(t testing.TB) *check.Checked { return checked(t, brawl) }

// newBrawl returns a machine with some brawlers.
func newBrawl(t interface{ Fatal(...any) }, p *program.Program, who int) *machine.Machine {
	m := machine.New(p)
	for i := range who {
		_, err := m.Place(template(p, "brawler"), machine.Placement{
			Name: fmt.Sprintf("b%d", i), Side: int32(i % 2), Fields: map[int32]int64{0: int64(9 + 3*i)},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func template(p *program.Program, name string) int32 {
	for i := range p.Templates {
		if p.Templates[i].Name == name {
			return int32(i)
		}
	}
	return -1
}

// command of a random game.
type command struct {
	kind, who int
	proc      int32
	args      []int64
}

func commands(p *program.Program, who int) *rapid.Generator[command] {
	var actions []int32
	for i := range p.Procs {
		actions = append(actions, int32(i))
	}
	return rapid.Custom(func(t *rapid.T) command {
		c := command{kind: rapid.IntRange(0, 9).Draw(t, "kind"), who: rapid.IntRange(0, who-1).Draw(t, "who")}
		c.proc = rapid.SampledFrom(actions).Draw(t, "proc")
		for i := range p.Procs[c.proc].Params {
			switch x := p.Procs[c.proc].Params[i]; p.Types[x.Type].Kind {
			case ir.Ref:
				if p.Kinds[p.Types[x.Type].Of].Name == "creature" {
					c.args = append(c.args, int64(rapid.IntRange(0, who-1).Draw(t, "target")))
				} else {
					c.args = append(c.args, -int64(template(p, "club"))-1)
				}
			default:
				c.args = append(c.args, int64(rapid.IntRange(0, 12).Draw(t, "amount")))
			}
		}
		return c
	})
}

func start(m *machine.Machine, c command) machine.Result {
	switch c.kind {
	case 7:
		return m.NextTurn()
	case 8:
		if m.State().InFight {
			return m.EndFight()
		}
		return m.BeginFight()
	case 9:
		return m.Pass(int64(c.proc) * 7)
	}
	return m.Do(int32(c.who), c.proc, c.args)
}

// finish answers the questions of a command: dice by the seed, choices by a number derived from the question.
func finish(t *rapid.T, m *machine.Machine, r machine.Result) machine.Result {
	for n := 0; r.Status == machine.NeedDie || r.Status == machine.NeedChoice; n++ {
		if n > 5000 {
			t.Fatal("a command asks without end")
		}
		if r.Status == machine.NeedDie {
			r = m.Resume(int64(m.SeededFace()))
			continue
		}
		r = m.Resume(int64((len(r.Label) + int(m.State().Time)) % max(len(r.Options), 1)))
	}
	if e, ok := r.Err.(*machine.Error); ok && e.Panic {
		t.Fatalf("internal error: %v", e)
	}
	return r
}

// However a machine runs (without stops, stopping at every die, with a journal, or moved to another machine at every
// stop), it reaches the same state. Cached stats are correct, and derived effects exist exactly while their conditions
// hold.
func TestAllWaysOfRunningAgree(t *testing.T) {
	k := brawlChecked(t)
	p, err := compile.Compile(k.Ruleset, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const who = 3
	gen := commands(p, who)
	rapid.Check(t, func(t *rapid.T) {
		plain, asked, other := newBrawl(t, p, who), newBrawl(t, p, who), newBrawl(t, p, who)
		seed := rapid.Uint64().Draw(t, "seed")
		for _, m := range []*machine.Machine{plain, asked, other} {
			m.State().Seed = seed
		}
		asked.AskDice, other.AskDice = true, true
		asked.Journal = &journal.Journal{}
		for range rapid.IntRange(1, 25).Draw(t, "commands") {
			c := gen.Draw(t, "command")
			a := finish(t, plain, start(plain, c))
			b := finish(t, asked, start(asked, c))
			r := start(other, c)
			for r.Status == machine.NeedDie || r.Status == machine.NeedChoice {
				// Continue in another machine, with a copy of the state.
				moved := machine.New(p)
				moved.AskDice = true
				moved.Restore(other.State())
				if moved.State().Hash() != other.State().Hash() {
					t.Fatal("a copied state hashes differently")
				}
				other = moved
				if r.Status == machine.NeedDie {
					r = other.Resume(int64(other.SeededFace()))
				} else {
					r = other.Resume(int64((len(r.Label) + int(other.State().Time)) % max(len(r.Options), 1)))
				}
			}
			if a.Status != b.Status || a.Status != r.Status {
				t.Fatalf("%+v: plain %v %v, asked %v %v, moved %v %v", c, a.Status, a.Err, b.Status, b.Err, r.Status, r.Err)
			}
			if x, y, z := plain.State().Hash(), asked.State().Hash(), other.State().Hash(); x != y || x != z {
				t.Fatalf("%+v: plain %x, asked %x, moved %x", c, x, y, z)
			}
			if a.Status == machine.Failed {
				return
			}
			if points := plain.WronglyQuiet(); points != nil {
				t.Fatalf("%+v: taken for quiet: %v", c, points)
			}
			if names := plain.Stale(); names != nil {
				t.Fatalf("%+v: not as the condition says: %v", c, names)
			}
			agree(t, plain, who)
		}
	})
}

// agree compares every stat: cached, recomputed, and explained.
func agree(t *rapid.T, m *machine.Machine, who int) {
	p := m.Program()
	fresh := machine.New(p)
	fresh.Restore(m.State())
	for i := range p.Stats {
		for e := range who {
			for foe := range who + 1 {
				situation := []int64{int64(foe)}
				if foe == who {
					situation = nil
				}
				a, err1 := m.Stat(int32(e), int32(i), situation...)
				b, err2 := fresh.Stat(int32(e), int32(i), situation...)
				x, err3 := m.Explain(int32(e), int32(i), situation...)
				if err1 != nil || err2 != nil || err3 != nil || a != b || a != x.Total {
					t.Fatalf("%s of %d against %v: remembered %d, anew %d, explained %v (%v %v %v)", p.Stats[i].Name, e, situation, a, b, x, err1, err2, err3)
				}
			}
		}
	}
}
