package session

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
)

// This file lists what rulesets add or change, and what has to happen in a fight for each of it to matter: whoever
// writes a house rule wants to know what of it was never used, and why.

// Addition is a part that a ruleset adds, or puts in the place of another.
type Addition struct {
	Ruleset string  `json:"ruleset"`
	Kind    string  `json:"kind"` // action, rule, option ...
	Path    string  `json:"path"`
	File    string  `json:"file"`
	Line    int     `json:"line"`
	Stages  []stage `json:"stages"` // the last is that it was used
}

// stage is something that has to happen before an addition is used.
type stage struct {
	Mark int32  `json:"mark"` // see markOf; below 0: it does not happen in these fights
	Why  string `json:"why"`  // what is wrong if it did not happen
}

// markOf numbers the marks of a part: that it was considered, and that it ran.
func markOf(p *ir.Part, ran bool) int32 {
	if ran {
		return 2*p.ID + 1
	}
	return 2 * p.ID
}

// Unused reports whether an addition was not used, given the marks that were seen in ascending order, and why.
func (a *Addition) Unused(marks []int32) (why string, unused bool) {
	has := func(s stage) bool { _, found := slices.BinarySearch(marks, s.Mark); return found }
	if has(a.Stages[len(a.Stages)-1]) {
		return "", false
	}
	for _, s := range a.Stages {
		if !has(s) {
			return s.Why, true
		}
	}
	return "", false
}

// marking returns a script whose program marks what is needed to tell which parts of some rulesets are used.
func marking(s *build.Script, of func(ruleset string) bool) (*build.Script, error) {
	s.Rules.Complete()
	marked := map[int32]bool{}
	for _, a := range additionsOf(s.Rules.Checked.Ruleset, of, &custom{}) {
		for _, x := range a.Stages {
			if x.Mark >= 0 {
				marked[x.Mark/2] = true
			}
		}
	}
	return s.Recompiled(compile.Options{Marked: marked, AnnounceAll: s.WaitsForEvents()})
}

// marksOf lists the marks that a machine has seen, in ascending order.
func marksOf(m *machine.Machine) (list []int32) {
	for id := range m.Program().Marked {
		if m.Considered.Has(id) {
			list = append(list, 2*id)
		}
		if m.Covered.Has(id) {
			list = append(list, 2*id+1)
		}
	}
	slices.Sort(list)
	return list
}

// custom is who does what in some fights: which tactics are followed, which things the combatants have.
type custom struct {
	tactics []*ir.Tactics
	has     map[string]bool // names of templates, those of creatures too
}

// noteTactics adds the tactics that the combatants follow.
func (u *custom) noteTactics(p *player) {
	for _, m := range p.members {
		t := m.tactics
		if t == nil || t.Playouts > 0 {
			t = p.checked.Tactics(ir.DefaultTactics)
		}
		if t != nil && !slices.Contains(u.tactics, t) {
			u.tactics = append(u.tactics, t)
		}
	}
}

// noteThings adds what a combatant is and has.
func (u *custom) noteThings(p *player, who int32) {
	if u.has == nil {
		u.has = map[string]bool{}
	}
	pr := p.m.Program()
	if at := p.m.State().Entities[who].Template; at >= 0 {
		u.has[pr.Templates[at].Name] = true
	}
	for i, f := range pr.Kinds[0].Fields {
		v := p.m.FieldOf(who, int32(i))
		switch {
		case v == program.None || !holdsThings(pr, f.Type):
		case pr.Types[f.Type].Kind == ir.List:
			for _, x := range p.m.ListElements(v) {
				u.has[p.m.Format(pr.Types[f.Type].Of, x)] = true
			}
		default:
			u.has[p.m.Format(f.Type, v)] = true
		}
	}
}

// lister lists additions.
type lister struct {
	rs     *ir.Ruleset
	of     func(ruleset string) bool
	custom *custom
	list   []Addition
	known  map[*ir.Part]bool
	doers  map[*ir.Proc][]string   // who does a procedure
	givers map[*ir.Effect][]string // who gives an effect
	named  map[string]bool         // things that code names
}

// additionsOf lists what rulesets add or change and what can be seen to be used, in source order.
func additionsOf(rs *ir.Ruleset, of func(ruleset string) bool, u *custom) []Addition {
	l := &lister{rs: rs, of: of, custom: u, known: map[*ir.Part]bool{}}
	l.findUses()
	l.things()
	for _, q := range l.rs.Procs {
		l.procedure(q)
	}
	for _, r := range l.rs.Rules {
		l.rule(r)
	}
	for _, e := range l.rs.Effects {
		l.effect(e)
	}
	l.numbers()
	slices.SortStableFunc(l.list, func(a, b Addition) int {
		if a.File != b.File {
			return strings.Compare(a.File, b.File)
		}
		return a.Line - b.Line
	})
	return l.list
}

// add adds a part with its stages, if it is of these rulesets.
func (l *lister) add(kind string, p *ir.Part, stages ...stage) {
	if p == nil || p.ID < 0 || p.Path == "" || p.From == "" || !l.of(p.From) || l.known[p] {
		return
	}
	l.known[p] = true
	a := Addition{Ruleset: p.From, Kind: kind, Path: p.Path, Line: p.Pos.Span.Start.Line, Stages: stages}
	if int(p.Pos.File) < len(l.rs.Files) {
		a.File = l.rs.Files[p.Pos.File]
	}
	l.list = append(l.list, a)
}

func used(p *ir.Part, why string, args ...any) stage {
	return stage{markOf(p, true), fmt.Sprintf(why, args...)}
}

func considered(p *ir.Part, why string, args ...any) stage {
	return stage{markOf(p, false), fmt.Sprintf(why, args...)}
}

const neverHeld = "its condition never held"

// findUses finds who does procedures, who gives effects, and which things code names.
func (l *lister) findUses() {
	l.doers, l.givers, l.named = map[*ir.Proc][]string{}, map[*ir.Effect][]string{}, map[string]bool{}
	look := func(e *ir.Expr) {
		if e.Op == ir.OpConst && e.Type.Kind == ir.Ref && e.Int >= 0 && e.Int < int64(len(l.rs.Templates)) {
			l.named[l.rs.Templates[e.Int].Name] = true
		}
	}
	visit := func(owner string, body []*ir.Stmt) {
		does := func(q *ir.Proc) {
			if q != nil && q.Name != owner && !slices.Contains(l.doers[q], owner) {
				l.doers[q] = append(l.doers[q], owner)
			}
		}
		ir.WalkStmts(body, func(s *ir.Stmt) {
			if s.Call != nil {
				does(s.Call.Proc)
			}
			if s.May != nil && s.May.Call != nil {
				does(s.May.Call.Proc)
			}
			if g := s.Gain; g != nil && g.Effect != nil && !slices.Contains(l.givers[g.Effect], owner) {
				l.givers[g.Effect] = append(l.givers[g.Effect], owner)
			}
		}, func(e *ir.Expr) {
			if look(e); e.Call != nil {
				does(e.Call.Proc)
			}
		})
	}
	for _, q := range l.rs.Procs {
		for _, s := range q.Steps {
			visit(q.Name, s.Body)
		}
	}
	for _, r := range l.rs.Rules {
		visit(r.Name, r.Body)
		ir.WalkExpr(r.Guard, look)
	}
	for _, d := range l.rs.Defines {
		if d.Func != nil {
			ir.WalkExpr(d.Func.Body, look)
		}
	}
	for _, t := range l.rs.Tactics {
		for _, k := range t.Commands {
			if k.Call != nil {
				ir.WalkCall(k.Call, look)
			}
		}
	}
	for _, e := range l.rs.Effects {
		for _, x := range e.Includes {
			l.givers[x.Effect] = append(l.givers[x.Effect], e.Name)
		}
	}
}

// someOf lists names for a sentence, the first few of them.
func someOf(names []string) string {
	const shown = 3
	if len(names) > shown {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
	}
	return strings.Join(names, ", ")
}

// procedure lists an action or a procedure with its parts.
func (l *lister) procedure(q *ir.Proc) {
	var stages []stage
	kind := "procedure"
	switch doers := l.doers[q]; {
	case q.Action:
		kind = "action"
		stages = []stage{considered(q.Part, "%s", l.notCommanded(q)), used(q.Part, "it was never possible when tactics would have done it")}
	case q.KindProc != nil:
		stages = []stage{used(q.Part, "%s was never done with it", q.KindProc.Name)}
	case len(doers) > 0:
		stages = []stage{used(q.Part, "what does it was never reached: %s", someOf(doers))}
	default:
		stages = []stage{used(q.Part, "nothing in the rules does it")}
	}
	l.add(kind, q.Part, stages...)
	for _, s := range q.Steps {
		last := used(s.Part, "a rule took its place each time")
		if s.Guard != nil {
			last = used(s.Part, neverHeld)
		}
		l.add("step", s.Part, l.done(q), considered(s.Part, "%s never came to it", q.Name), last)
	}
	for _, n := range q.Needs {
		l.add("condition of an action", n.Part, used(n.Part, "nobody came to do %s", q.Name))
	}
	for _, k := range q.Costs {
		l.add("cost", k.Part, used(k.Part, "nobody came to pay it"))
	}
	for _, fn := range q.Properties {
		if fn != nil {
			l.add("property", fn.Part, used(orOf(fn.Part, q.Part), "nothing asked for it"))
		}
	}
}

func orOf(a, b *ir.Part) *ir.Part {
	if a != nil {
		return a
	}
	return b
}

func (l *lister) done(q *ir.Proc) stage { return used(q.Part, "nobody did %s", q.Name) }

// notCommanded says why nobody came to do an action.
func (l *lister) notCommanded(q *ir.Proc) string {
	var naming, all []string
	for _, t := range l.custom.tactics {
		all = append(all, t.Name)
		if slices.ContainsFunc(t.Commands, func(k *ir.TacticCommand) bool { return k.Call != nil && k.Call.Proc == q }) {
			naming = append(naming, t.Name)
		}
	}
	if len(naming) > 0 {
		return fmt.Sprintf("the tactics %s name it, but never came to it: the lines before it were always taken, its condition did not hold, or its cost could not be paid", someOf(naming))
	}
	why := "nobody follows tactics"
	if len(all) > 0 {
		why = fmt.Sprintf("the tactics that are followed (%s) do not name it", someOf(all))
	}
	if doers := l.doers[q]; len(doers) > 0 {
		why += fmt.Sprintf(", and what else does it was never reached: %s", someOf(doers))
	}
	return fmt.Sprintf("%s; `tactics NAME { %s }` and `WHO follows NAME` would have it used", why, l.commandOf(q))
}

// commandOf shows how an action is written as a command.
func (l *lister) commandOf(q *ir.Proc) string {
	words := []string{q.Name}
	for _, v := range q.Params {
		if v.Default != nil {
			break
		}
		if v.Label != "" {
			words = append(words, v.Label)
		}
		words = append(words, strings.ToUpper(v.Name))
	}
	return strings.Join(words, " ")
}

// things lists creatures, weapons and other things, and tactics. Whether code that names a thing uses it is not known.
func (l *lister) things() {
	never := stage{Mark: -1}
	for _, t := range l.rs.Templates {
		if l.named[t.Name] || slices.ContainsFunc(l.rs.Templates, func(x *ir.Template) bool { return l.custom.has[x.Name] && isMadeFrom(x, t) }) {
			continue
		}
		never.Why = "nobody has it"
		if t.Kind == l.rs.Kinds[0] {
			never.Why = "no combatant is one"
		}
		l.add(t.Kind.Name, t.Part, never)
		for _, p := range t.Parts {
			l.add(t.Kind.Name, p, never)
		}
	}
	for _, t := range l.rs.Tactics {
		if !slices.Contains(l.custom.tactics, t) {
			never.Why = fmt.Sprintf("nobody follows them; `WHO follows %s` in the script would", t.Name)
			l.add("tactics", t.Part, never)
		}
	}
}

// isMadeFrom reports whether a template is another one, or extends it.
func isMadeFrom(t, from *ir.Template) bool {
	for ; t != nil; t = t.Extends {
		if t == from {
			return true
		}
	}
	return false
}

// rule lists a rule or a reaction.
func (l *lister) rule(r *ir.Rule) {
	var stages []stage
	switch {
	case r.Effect != nil && r.Effect.Word != "everyone":
		stages = append(stages, used(r.Effect.Part, "nobody had %s", r.Effect.Name))
	case r.Within != nil:
		stages = append(stages, l.done(r.Within))
	}
	never := "its trigger never happened"
	if r.Trigger != nil {
		never += ": " + r.Trigger.String()
		if r.Trigger.Word == "gaining" || r.Trigger.Word == "losing" {
			if r.Trigger.Effect == nil && r.Effect != nil {
				never += " " + r.Effect.Name
			}
		}
	}
	last := never
	if r.Guard != nil || r.Reaction {
		stages = append(stages, considered(r.Part, "%s", never))
		if last = neverHeld; r.Reaction {
			last = "it was never possible or never chosen when its trigger happened"
		}
	}
	l.add("rule", r.Part, append(stages, used(r.Part, "%s", last))...)
	for _, k := range r.Costs {
		l.add("cost", k.Part, used(k.Part, "nobody came to pay it"))
	}
	for _, n := range r.Needs {
		l.add("condition of a rule", n.Part, used(n.Part, "%s", never))
	}
}

// effect lists an effect with what it consists of.
func (l *lister) effect(e *ir.Effect) {
	var had []stage
	if e.Word != "everyone" {
		why := "nobody had it"
		switch givers := l.givers[e]; {
		case e.While != nil:
			why = neverHeld
		case len(givers) > 0:
			why = "nobody gained it; what gives it: " + someOf(givers)
		}
		had = []stage{used(e.Part, "nobody had %s", e.Name)}
		l.add(e.Word, e.Part, used(e.Part, "%s", why))
	}
	part := func(kind string, p *ir.Part, asked string) {
		if p != nil {
			l.add(kind, p, append(slices.Clone(had), considered(p, "%s", asked), used(p, neverHeld))...)
		}
	}
	for _, m := range e.Modifiers {
		part("modifier", m.Part, "nothing asked for "+m.Stat.Name)
	}
	for _, d := range e.Denials {
		part("modifier", d.Part, "nothing asked for "+d.Stat.Name)
	}
	for _, x := range e.Cannots {
		part("prohibition", x.Part, "nobody wanted to "+l.rs.Permissions[x.Permission].Name)
	}
	for _, x := range e.Musts {
		part("duty", x.Part, "nobody had a turn with it")
	}
	for _, x := range e.Includes {
		part("inclusion", x.Part, neverHeld)
	}
	if e.Lasts != nil && e.Lasts.Part != nil {
		l.add("duration", e.Lasts.Part, append(slices.Clone(had), used(e.Lasts.Part, "nobody gained it"))...)
	}
}

// numbers lists stats, tables and what else is asked for.
func (l *lister) numbers() {
	const unasked = "nothing asked for it"
	for _, s := range l.rs.Stats {
		l.add("stat", s.Part, used(s.Part, unasked))
		for _, t := range s.Terms {
			l.add("term", t.Part, considered(t.Part, "nothing asked for %s", s.Name), used(t.Part, neverHeld))
		}
	}
	for _, d := range l.rs.Defines {
		if d.Func != nil && d.Func.Body != nil && !(d.Func.Body.Op == ir.OpBuiltin && d.Func.Body.Name == d.Name) { // a function of the core
			l.add("define", d.Part, used(d.Part, unasked))
		}
	}
	for _, o := range l.rs.Options {
		l.add("option", o.Part, used(o.Part, unasked))
	}
	for _, t := range l.rs.Tables {
		l.add("table", t.Part, used(t.Part, unasked))
		if t.Part != nil && l.of(t.Part.From) {
			continue // it is used as a whole
		}
		for _, row := range t.Cells {
			for _, c := range row {
				l.add("cell", c.Part, used(orOf(c.Part, t.Part), "nothing looked it up"))
			}
		}
	}
	for _, r := range l.rs.Rolls {
		l.add("roll", r.Part, used(r.Part, "nothing was rolled so"))
		for _, v := range r.Verdicts {
			l.add("verdict", v.Part, used(v.Part, "no die showed it when it counts"))
		}
	}
}
