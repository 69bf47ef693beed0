package check

import (
	"slices"

	"arbiter/interp/ir"
)

// This file lists what rules can respond to, for those who look for an event.

// Event is something that a rule can respond to.
type Event struct {
	Path  string   // attack, attack.roll, check.face, start of turn, gaining
	Sort  string   // moment, check, action, procedure, step
	Forms []string // of triggers: "before attack"
	Knows []string // the names that a rule knows after it, with their types: "target: creature"
	Binds int      // how many of them, the last ones, a step binds: before it they are none
	Doc   string
}

// Events lists everything that rules can respond to: the moments of the clock and what the core itself announces, then
// the procedures, each followed by its steps.
func (k *Checked) Events() []Event {
	k.Complete()
	list := CoreEvents()
	for _, p := range k.Procs {
		if p.KindProc != nil { // a way of a thing runs as the procedure of its kind
			continue
		}
		sort := "procedure"
		if p.Action {
			sort = "action"
		}
		var knows []string
		for _, v := range p.Params {
			knows = append(knows, v.Name+": "+typeName(v.Type))
		}
		doc := ""
		if p.Part != nil {
			doc = p.Part.Doc
		}
		list = append(list, Event{Path: p.Name, Sort: sort, Forms: procedureForms(p.Name), Knows: knows, Doc: doc})
		seen := map[*ir.Var]bool{}
		for _, step := range p.Steps {
			before := len(knows)
			bind := func(v *ir.Var) {
				if v != nil && v.Exported && !seen[v] {
					seen[v] = true
					knows = append(knows, v.Name+": "+typeName(v.Type))
				}
			}
			ir.WalkStmts(step.Body, func(s *ir.Stmt) {
				bind(s.Var)
				if s.Check != nil {
					bind(s.Check.Var)
				}
			}, func(*ir.Expr) {})
			e := Event{Path: p.Name + "." + step.Name, Sort: "step", Forms: procedureForms(p.Name + "." + step.Name), Knows: slices.Clip(knows), Binds: len(knows) - before}
			if step.Part != nil {
				e.Doc = step.Part.Doc
			}
			list = append(list, e)
		}
	}
	return list
}

func procedureForms(path string) []string {
	return []string{"before " + path, "after " + path, "instead of " + path}
}

// CoreEvents are the events that need no ruleset.
func CoreEvents() []Event {
	var checks []string
	for _, name := range ir.CheckVars {
		checks = append(checks, name+": "+checkVarTypes[name])
	}
	moment := func(what, doc string) []Event {
		return []Event{
			{Path: "start of " + what, Sort: "moment", Forms: []string{"at start of " + what}, Doc: "the beginning of " + doc},
			{Path: "end of " + what, Sort: "moment", Forms: []string{"at end of " + what}, Doc: "the end of " + doc},
		}
	}
	var list []Event
	for _, m := range [][]Event{moment("turn", "a turn: in an effect, that of its bearer"), moment("round", "a round"), moment("fight", "the fight")} {
		list = append(list, m...)
	}
	return append(list,
		Event{Path: "every", Sort: "moment", Forms: []string{"every 1 round", "every 10 minutes"}, Doc: "time has passed, in a fight or outside of one"},
		Event{Path: "gaining", Sort: "moment", Forms: []string{"on gaining", "on gaining EFFECT"}, Doc: "an effect has begun: this one, or the one that is named"},
		Event{Path: "losing", Sort: "moment", Forms: []string{"on losing", "on losing EFFECT"}, Doc: "an effect has ended"},
		Event{Path: "action", Sort: "check", Forms: procedureForms("action"), Knows: []string{"action: action"}, Doc: "any action; its properties are names"},
		Event{Path: "action.commit", Sort: "check", Forms: []string{"before action.commit", "after action.commit"}, Knows: []string{"action: action"}, Doc: "the cost of an action has been paid, and nothing has been done yet"},
		Event{Path: "check", Sort: "check", Forms: procedureForms("check"), Knows: checks, Doc: "any check, of whatever kind"},
		Event{Path: "check.face", Sort: "check", Forms: procedureForms("check.face"), Knows: checks, Doc: "the die is rolled: before it nothing is, after it `natural`"},
		Event{Path: "check.outcome", Sort: "check", Forms: procedureForms("check.outcome"), Knows: checks, Doc: "the die is compared: after it `total`, `margin` and `success` are known"},
	)
}

// checkVarTypes are the types of what is known of a check, for readers.
var checkVarTypes = map[string]string{
	"roller": "creature", "foe": "creature or none", "kind": "roll", "stat": "stat or none", "bonus": "number", "difficulty": "number",
	"natural": "number", "total": "number", "margin": "number", "success": "yes or no",
}
