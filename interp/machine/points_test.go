package machine_test

import (
	"errors"
	"strings"
	"testing"

	"arbiter/interp/compile"
	"arbiter/interp/machine"
)

const strike = `
permission act
role target: creature
kind creature { brave: flag }
resource hp from -10 to 20 starts 20
resource zeal from 0 to 2 starts 2
condition stunned { cannot act }
creature fighter { }
procedure hurt target by amount: number {
  step lose { let dealt = amount ; target loses amount hp }
}
action hit target {
  step swing { let force = 3 }
  step land { hurt target by force }
  step cheer { note "{self.name} cheers" }
}
`

// Each case: what the rules add, what is done, and what holds afterwards.
func TestPoints(t *testing.T) {
	for _, c := range []struct {
		name, rules, do string
		answers         []int64
		expect          []string
		notes           string // in order, separated by commas
	}{
		{name: "nothing waits", do: "Alia: hit Bron", expect: []string{"Bron.hp", "17"}, notes: "Alia cheers"},
		{
			name: "names of the interrupted are read and set", rules: `rule harder after hit.swing { set force to force * 2 }`,
			do: "Alia: hit Bron", expect: []string{"Bron.hp", "14"},
		},
		{
			name: "around a procedure and a step", rules: `
				rule a before hit { note "before hit" }
				rule b after hit { note "after hit {force}" }
				rule c before hurt.lose { note "before lose" }
				rule d after hurt { note "after hurt {dealt}" }`,
			do: "Alia: hit Bron", notes: "before hit,before lose,after hurt 3,Alia cheers,after hit 3",
		},
		{
			name: "commit comes first of all and of any action", rules: `
				rule a before action { note "action" }
				rule b after action.commit { note "commit" }
				rule c before hit.swing { note "swing" }`,
			do: "Alia: hit Bron", notes: "action,commit,swing,Alia cheers",
		},
		{
			name: "instead of a step binds what it owes", rules: `rule weak instead of hit.swing { let force = 1 }`,
			do: "Alia: hit Bron", expect: []string{"Bron.hp", "19"},
		},
		{
			name: "instead with default", rules: `rule weak instead of hit.swing { default ; set force to force + 4 }`,
			do: "Alia: hit Bron", expect: []string{"Bron.hp", "13"},
		},
		{
			name: "two instead: the first by path, its default the second, then the thing", rules: `
				rule one instead of hit.swing { default ; set force to force + 1 }
				rule two instead of hit.swing { default ; set force to force * 5 }`,
			do: "Alia: hit Bron", expect: []string{"Bron.hp", "4"},
		},
		{
			name: "instead of a whole procedure", rules: `rule ward instead of hurt when target is brave { note "warded" }
				rule again after hurt { note "after hurt" }`,
			do: "set Bron.brave to yes; Alia: hit Bron", expect: []string{"Bron.hp", "20"}, notes: "warded,after hurt,Alia cheers",
		},
		{
			name: "a guard that fails leaves the thing alone", rules: `rule ward instead of hurt when target is brave { note "warded" }`,
			do: "Alia: hit Bron", expect: []string{"Bron.hp", "17"}, notes: "Alia cheers",
		},
		{
			name: "cancel breaks off, after still runs", rules: `
				rule nay before hit.land { cancel "not so" }
				rule after-all after hit { note "after" }`,
			do: "Alia: hit Bron", expect: []string{"Bron.hp", "20"}, notes: "after",
		},
		{
			name: "stop ends a procedure but not its caller", rules: `rule halve instead of hurt.lose { target loses 1 hp ; let dealt = 1 ; stop ; target loses 5 hp }`,
			do: "Alia: hit Bron", expect: []string{"Bron.hp", "19"}, notes: "Alia cheers",
		},
		{
			name: "who cannot act is broken off after an interruption", rules: `
				rule stun before hit.land { self gains stunned }
				rule after-all after hit { note "after" }`,
			do: "Alia: hit Bron", expect: []string{"Bron.hp", "20"}, notes: "after",
		},
		{
			name: "a rule may cause what it answers, and is bounded", rules: `rule chain after hit { if target.hp > 10 { self: hit target } }`,
			do: "Alia: hit Bron", expect: []string{"Bron.hp", "8"},
		},
		{
			name: "an effect's rule runs for each instance, the actor's first", rules: `
				effect watch of tag: number { rule see after hit { note "{self.name} {tag}" } }`,
			do:    "Bron gains watch of 1; Alia gains watch of 2; Alia gains watch of 3; Alia: hit Bron",
			notes: "Alia cheers,Alia 2,Alia 3,Bron 1",
		},
		{
			name: "a trigger names whose rule it is",
			rules: `effect sore {
				  rule cry before hit to self { note "{self.name} cries" }
				  rule grin after hit by self { note "{self.name} grins" }
				}`,
			do: "Alia gains sore; Bron gains sore; Alia: hit Bron; Bron: hit Alia", notes: "Bron cries,Alia cheers,Alia grins,Alia cries,Bron cheers,Bron grins",
		},
		{
			name: "and who that is may be changed by a rule before",
			rules: `effect aside { rule a-turn before hit { set target to actor } }
				effect sore { rule b-cry before hit to self { note "{self.name} cries" } }`,
			do: "Alia gains aside; Alia gains sore; Bron gains sore; Alia: hit Bron", expect: []string{"Alia.hp", "17"}, notes: "Alia cries,Alia cheers",
		},
		{
			name: "on gaining and losing, with the memory of what has gone", rules: `
				effect mark of n: number {
				  rule come on gaining { note "{self.name} gains {n}" }
				  rule go on losing { note "{self.name} loses {n}" }
				}
				rule all on gaining mark { note "everybody hears" }`,
			do:    "Alia gains mark of 4; Bron gains mark of 5; Alia loses mark",
			notes: "everybody hears,Alia gains 4,everybody hears,Bron gains 5,Alia loses 4",
		},
		{
			name: "a point at which nobody waited is heard when somebody does",
			rules: `effect keen { rule grin after hit { note "{self.name} grins" } }
				effect ready with deed: plan { rule now after hit { do deed } }
				effect brief { rule goes on losing { note "past" } }`,
			do: `Alia: hit Bron; Bron gains keen; Alia: hit Bron; Bron loses keen; Alia: hit Bron
				Alia gains ready with plan after hit by Alia { note "as planned" }; Alia: hit Bron; Alia loses ready
				Alia gains brief until after hit; Alia: hit Bron`,
			notes: "Alia cheers,Alia cheers,Bron grins,Alia cheers,Alia cheers,as planned,Alia cheers,past",
		},
		{
			name: "rules that ask little are asked in their order, and see what those before them did",
			rules: `rule a-late after hit when force > 4 { note "a {force}" ; set force to 1 }
				rule b-late after hit when force > 4 { note "b {force}" }
				rule c-late after hit when force = 1 { note "c" }
				rule d-late after hit by self when target is brave { note "d" }
				rule harder after hit.swing when target is brave { set force to 5 }`,
			do: "Alia: hit Bron; set Bron.brave to yes; Alia: hit Bron", notes: "Alia cheers,Alia cheers,a 5,c,d",
		},
		{
			name: "a reaction is offered, paid, and needs what it needs", rules: `
				reaction parry before hurt when self is target { cost zeal ; needs self is brave ; set amount to 0 }`,
			do: "set Bron.brave to yes; Alia: hit Bron; Alia: hit Bron; Alia: hit Bron; Alia: hit Bron", answers: []int64{1, 0, 1},
			expect: []string{"Bron.hp", "14", "Bron.zeal", "0"},
		},
		{
			name: "once per fight and round", rules: `rule opening after hit once per fight { note "first" }`,
			do: "Alia: hit Bron; Alia: hit Bron", notes: "Alia cheers,first,Alia cheers",
		},
		{
			name: "may: a block, a command, and else", rules: `
				rule offer after hurt { target may "shout" { note "shouts" } else { note "is silent" } ; target may hit self }`,
			do: "Alia: hit Bron", answers: []int64{0, 1, 1, 0}, expect: []string{"Bron.hp", "17", "Alia.hp", "17"},
			notes: "is silent,shouts,Bron cheers,Alia cheers",
		},
		{
			name: "a rule inside a procedure stands while it runs", rules: `
				action focus target {
				  step think { let deep = 1 ; hurt self by 2 ; hurt target by 3 }
				  step tell { note "{deep}" }
				  rule shaken after hurt when amount = 2 { set deep to deep + 10 }
				}`,
			do: "Alia: hurt Alia by 1; Alia: focus Bron; Alia: hurt Alia by 1", notes: "11",
		},
		{
			name: "choose and pick", rules: `
				action decide {
				  step ask {
				    choose { "left" { note "left" } ; "right" when self is brave { note "right" } ; "up" { note "up" } }
				    let who = pick c in creatures by self
				    if who is not none { note "{who.name}" }
				  }
				}`,
			do: "Alia: decide; set Alia.brave to yes; Alia: decide", answers: []int64{1, 0, 1, 1}, notes: "up,Alia,right,Bron",
		},
		{
			name: "an action named in a step is part of it: no cost, but its needs", rules: `
				action lunge target {
				  cost zeal and zeal
				  needs self is brave
				  step go { note "lunges" }
				}
				action combo target { step one { lunge target } ; step two { note "done" } }`,
			do: "Alia: combo Bron; set Alia.brave to yes; Alia: combo Bron", notes: "done,lunges,done", expect: []string{"Alia.zeal", "2"},
		},
		{
			name: "plans: a trigger and commands as a value", rules: `
				effect ready with deed: plan {
				  rule now before deed { note "springs" ; self loses ready ; do deed }
				}
				action wait-for target { self gains ready with plan before hit by target { hit target } }`,
			do: "Alia: wait-for Bron; Alia: hit Bron; Bron: hit Alia; Bron: hit Alia", notes: "Alia cheers,springs,Alia cheers,Bron cheers,Bron cheers",
			expect: []string{"Bron.hp", "14"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFight(t, strike+c.rules, compile.Options{}).place("Alia:fighter", "Bron:fighter")
			f.answers = c.answers
			f.must(c.do).expect(c.expect...)
			if len(f.answers) > 0 {
				t.Errorf("answers left over: %v; asked %v", f.answers, f.asked)
			}
			if got := strings.Join(f.m.EventTexts, ","); c.notes != "" && notes(f) != c.notes {
				t.Errorf("notes %q (all: %q)\nwant  %q\n%s", notes(f), got, c.notes, f.transcript())
			}
		})
	}
}

// notes returns the texts of `note`.
func notes(f *fight) string {
	var list []string
	for i := range f.m.Journal.Since(0) {
		if e := &f.m.Journal.Since(0)[i]; e.Kind == machine.NoteWritten {
			list = append(list, f.m.Describe(e))
		}
	}
	return strings.Join(list, ",")
}

// Limits are errors that name the limit and the call chain, and the machine works afterwards.
func TestLimits(t *testing.T) {
	for _, c := range []struct{ name, rules, do, want, hint string }{
		{"rules within rules", `rule mirror after hit { target: hit self }`, "Alia: hit Bron", "rules nested more than 16 deep: hit > mirror > hit", "sets itself off again"},
		{"rules in one command", `rule ring after hurt { note "x" } ; action drum { repeat 2000 times { hurt self by 0 } }`, "Alia: drum", "more than 1000 rules in one command", ""},
		{"steps", `action spin { repeat 100000 times { repeat 100000 times { let x = 1 } } }`, "Alia: spin", "more than 10000000 steps in one command: spin", ""},
		{"procedures", `procedure deep { deep }`, "Alia: deep", "more than 512 nested procedures", "let it `stop`"},
		{"overflow", `action grow { let x = 9000000000000000000 ; set x to x + x }`, "Alia: grow", "a number too large", ""},
		{"division", `action part { let x = 0 ; set x to 1 / x }`, "Alia: part", "division by zero", ""},
		{"index", `action take { let l = [1, 2] ; let x = l[3] }`, "Alia: take", "the list has 2 elements, so there is no element 3", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFight(t, strike+c.rules, compile.Options{}).place("Alia:fighter", "Bron:fighter")
			before := f.m.State().Clone()
			r := f.do(c.do)
			if r.Status != machine.Failed || !strings.Contains(r.Err.Error(), c.want) {
				t.Fatalf("%v %v, want %q", r.Status, r.Err, c.want)
			}
			if e := (*machine.Error)(nil); !errors.As(r.Err, &e) || !strings.Contains(e.Hint, c.hint) {
				t.Errorf("want the hint %q, got %v", c.hint, e)
			}
			f.m.Restore(before)
			if f.m.State().Hash() != before.Hash() {
				t.Error("a state that is put back hashes differently")
			}
		})
	}
}

const openings = `
permission act
role target: creature
kind weapon { ranged: flag }
kind action { provokes: yes-no = no }
kind creature { openings: number = 0 }
creature fighter { }
weapon bow { is ranged }
weapon axe { }
rule tally after action.commit when provokes { set openings to openings + 1 }
action shoot target with weapon { provokes: weapon is ranged }
`

// A rule about any action reads the running one's property, with the action's own parameters.
func TestPropertyOfTheRunningAction(t *testing.T) {
	f := newFight(t, openings, compile.Options{}).place("Alia:fighter", "Bron:fighter")
	f.must("Alia: shoot Bron with axe").expect("Alia.openings", "0")
	f.must("Alia: shoot Bron with bow").expect("Alia.openings", "1")
}
